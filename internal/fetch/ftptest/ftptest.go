// Package ftptest is a small server of FTP for tests, with the faults that they ask for.
package ftptest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Server is a server of FTP on this machine that reads only, with the faults that are asked for.
type Server struct {
	address  string
	listener net.Listener
	done     chan struct{}
	all      sync.WaitGroup

	mu    sync.Mutex
	files map[string]string // by path; the time of change is that of changed
	// changed is what MDTM says.
	changed string
	asked   []string // commands, but those of every session
	faults  Faults
}

// Faults are what goes wrong.
type Faults struct {
	Greeting string         // in place of 220
	Silent   bool           // no greeting at all
	Endless  bool           // a greeting without end
	Login    string         // in place of 230
	Without  []string       // commands that are not known
	Cuts     []int          // bytes of each transfer after which it is cut; -1: whole
	Aborted  bool           // a cut transfer ends in 426 on the control connection, else in its end
	Refused  bool           // nothing listens at the data port
	Hang     bool           // the data connection is silent
	Trickle  time.Duration  // a byte of data each
	EndLie   bool           // a cut transfer ends in 226
	Pasv     string         // the address that PASV gives, as h1,h2,h3,h4
	Reply    map[string]int // codes of commands, in place of what they do
}

// New starts a server of files by their paths. It must be closed.
func New(files map[string]string, faults Faults) *Server {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	s := &Server{address: l.Addr().String(), files: files, faults: faults, changed: "20260102030405", listener: l, done: make(chan struct{})}
	s.all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.all.Go(func() {
				stop := make(chan struct{})
				defer close(stop)
				go func() {
					select {
					case <-s.done:
					case <-stop:
					}
					c.Close()
				}()
				s.serve(c, s.done)
			})
		}
	})
	return s
}

// Close ends the server and all that it does.
func (s *Server) Close() {
	close(s.done)
	s.listener.Close()
	s.all.Wait()
}

// URI is that of a path that begins with a stroke.
func (s *Server) URI(path string) string { return "ftp://" + s.address + path }

// Commands are those that came, but for what each session begins and ends with.
func (s *Server) Commands() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.asked, "; ")
}

// Put changes a file; changed is what MDTM says of all from then on.
func (s *Server) Put(path, body, changed string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[path], s.changed = body, changed
}

// cut is after how many bytes the next transfer is cut; below 0 if it is not.
func (s *Server) cut() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.faults.Cuts) == 0 {
		return -1
	}
	n := s.faults.Cuts[0]
	s.faults.Cuts = s.faults.Cuts[1:]
	return n
}

func (s *Server) serve(c net.Conn, done <-chan struct{}) {
	say := func(format string, args ...any) { fmt.Fprintf(c, format+"\r\n", args...) }
	switch f := &s.faults; {
	case f.Silent:
		<-done
		return
	case f.Endless:
		io.WriteString(c, strings.Repeat("220-welcome\r\n", 10_000))
		<-done
		return
	case f.Greeting != "":
		say("%s", f.Greeting)
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
		if code := s.faults.Reply[verb]; code > 0 {
			say("%d as you like", code)
			continue
		}
		if slices.Contains(s.faults.Without, verb) {
			say("502 not known")
			continue
		}
		switch verb {
		case "USER":
			say("331 your password")
		case "PASS":
			if s.faults.Login != "" {
				say("%s", s.faults.Login)
			} else {
				say("230 in")
			}
		case "FEAT":
			say("211-Features:")
			for _, name := range []string{"MDTM", "SIZE", "REST STREAM", "EPSV"} {
				if first, _, _ := strings.Cut(name, " "); !slices.Contains(s.faults.Without, first) {
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
			if s.faults.Refused {
				data.Close()
			}
			address := "127,0,0,1"
			if s.faults.Pasv != "" {
				address = s.faults.Pasv
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

func (s *Server) send(data net.Listener, body string, done <-chan struct{}, say func(string, ...any)) {
	defer data.Close()
	c, err := data.Accept()
	if err != nil {
		return
	}
	defer c.Close()
	if s.faults.Hang {
		<-done
		return
	}
	cut := s.cut()
	if cut >= 0 {
		body = body[:min(cut, len(body))]
	}
	if s.faults.Trickle > 0 {
		for i := range len(body) {
			if _, err := io.WriteString(c, body[i:i+1]); err != nil {
				return
			}
			select {
			case <-done:
				return
			case <-time.After(s.faults.Trickle):
			}
		}
	} else {
		io.WriteString(c, body)
	}
	c.Close()
	switch {
	case cut >= 0 && s.faults.Aborted:
		say("426 broken off")
	case cut >= 0 && !s.faults.EndLie:
		say("451 trouble here")
	default:
		say("226 all of it")
	}
}
