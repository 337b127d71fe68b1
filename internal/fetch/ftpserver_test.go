package fetch_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// ftpServer is a server of FTP that reads only, with the faults that are asked for.
type ftpServer struct {
	address string

	mu    sync.Mutex
	files map[string]string // by path; the time of change is that of changed
	// changed is what MDTM says.
	changed string
	asked   []string // commands, but those of every session
	faults  ftpFaults
}

// ftpFaults are what goes wrong.
type ftpFaults struct {
	greeting string         // in place of 220
	silent   bool           // no greeting at all
	endless  bool           // a greeting without end
	login    string         // in place of 230
	without  []string       // commands that are not known
	cuts     []int          // bytes of each transfer after which it is cut; -1: whole
	aborted  bool           // a cut transfer ends in 426 on the control connection, else in its end
	refused  bool           // nothing listens at the data port
	hang     bool           // the data connection is silent
	trickle  time.Duration  // a byte of data each
	endLie   bool           // a cut transfer ends in 226
	pasv     string         // the address that PASV gives, as h1,h2,h3,h4
	reply    map[string]int // codes of commands, in place of what they do
}

func newFTP(t *testing.T, files map[string]string, faults ftpFaults) *ftpServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &ftpServer{address: l.Addr().String(), files: files, faults: faults, changed: "20260102030405"}
	var all sync.WaitGroup
	done := make(chan struct{})
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				stop := make(chan struct{})
				defer close(stop)
				go func() {
					select {
					case <-done:
					case <-stop:
					}
					c.Close()
				}()
				s.serve(c, done)
			})
		}
	})
	t.Cleanup(func() { close(done); l.Close(); all.Wait() })
	return s
}

func (s *ftpServer) uri(path string) string { return "ftp://" + s.address + path }

func (s *ftpServer) commands() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.asked, "; ")
}

func (s *ftpServer) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// cut is after how many bytes the next transfer is cut; below 0 if it is not.
func (s *ftpServer) cut() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.faults.cuts) == 0 {
		return -1
	}
	n := s.faults.cuts[0]
	s.faults.cuts = s.faults.cuts[1:]
	return n
}

func (s *ftpServer) serve(c net.Conn, done <-chan struct{}) {
	say := func(format string, args ...any) { fmt.Fprintf(c, format+"\r\n", args...) }
	switch f := &s.faults; {
	case f.silent:
		<-done
		return
	case f.endless:
		io.WriteString(c, strings.Repeat("220-welcome\r\n", 10_000))
		<-done
		return
	case f.greeting != "":
		say("%s", f.greeting)
	default:
		say("220-Hello\r\n220 here")
	}
	var data net.Listener
	defer func() {
		if data != nil {
			data.Close()
		}
	}()
	offset := 0
	lines := bufio.NewScanner(c)
	for lines.Scan() {
		verb, arg, _ := strings.Cut(lines.Text(), " ")
		verb = strings.ToUpper(verb)
		s.mu.Lock()
		if !slices.Contains([]string{"USER", "FEAT", "TYPE", "EPSV", "QUIT", "OPTS", "PASV"}, verb) {
			s.asked = append(s.asked, lines.Text())
		}
		body, there := s.files[strings.TrimPrefix(arg, "/")]
		changed := s.changed
		s.mu.Unlock()
		if code := s.faults.reply[verb]; code > 0 {
			say("%d as you like", code)
			continue
		}
		if slices.Contains(s.faults.without, verb) {
			say("502 not known")
			continue
		}
		switch verb {
		case "USER":
			say("331 your password")
		case "PASS":
			if s.faults.login != "" {
				say("%s", s.faults.login)
			} else {
				say("230 in")
			}
		case "FEAT":
			say("211-Features:")
			for _, name := range []string{"MDTM", "SIZE", "REST STREAM", "EPSV"} {
				if first, _, _ := strings.Cut(name, " "); !slices.Contains(s.faults.without, first) {
					say(" %s", name)
				}
			}
			say("211 end")
		case "TYPE":
			say("200 so be it")
		case "SIZE", "MDTM":
			switch {
			case !there:
				say("550 no such file")
			case verb == "SIZE":
				say("213 %d", len(body))
			default:
				say("213 %s", changed)
			}
		case "REST":
			offset, _ = strconv.Atoi(arg)
			say("350 from there")
		case "EPSV", "PASV":
			var err error
			if data, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
				say("421 no")
				return
			}
			port := data.Addr().(*net.TCPAddr).Port
			if s.faults.refused {
				data.Close()
			}
			address := "127,0,0,1"
			if s.faults.pasv != "" {
				address = s.faults.pasv
			}
			if verb == "EPSV" {
				say("229 there (|||%d|)", port)
			} else {
				say("227 there (%s,%d,%d)", address, port/256, port%256)
			}
		case "RETR":
			if !there {
				say("550 no such file")
				continue
			}
			say("150 it comes")
			s.send(data, body[min(offset, len(body)):], done, say)
			data, offset = nil, 0
		case "QUIT":
			say("221 bye")
			return
		default:
			say("502 not known")
		}
	}
}

func (s *ftpServer) send(data net.Listener, body string, done <-chan struct{}, say func(string, ...any)) {
	defer data.Close()
	c, err := data.Accept()
	if err != nil {
		return
	}
	defer c.Close()
	if s.faults.hang {
		<-done
		return
	}
	cut := s.cut()
	if cut >= 0 {
		body = body[:min(cut, len(body))]
	}
	if s.faults.trickle > 0 {
		for i := range len(body) {
			if _, err := io.WriteString(c, body[i:i+1]); err != nil {
				return
			}
			select {
			case <-done:
				return
			case <-time.After(s.faults.trickle):
			}
		}
	} else {
		io.WriteString(c, body)
	}
	c.Close()
	switch {
	case cut >= 0 && s.faults.aborted:
		say("426 broken off")
	case cut >= 0 && !s.faults.endLie:
		say("451 trouble here")
	default:
		say("226 all of it")
	}
}
