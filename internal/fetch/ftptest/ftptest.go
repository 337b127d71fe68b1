// Package ftptest is a small server of FTP for tests, with the faults that they ask for.
package ftptest

import (
	"bufio"
	"cmp"
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
	s := &Server{address: l.Addr().String(), files: files, faults: faults, changed: "20260102030405", listener: l,
		done: make(chan struct{})}
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
				s.serve(c)
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

// Commands are those that came, except for what each session begins and ends with.
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

// session is one connection of a client.
type session struct {
	*Server
	conn   net.Conn
	data   net.Listener // of the next transfer; nil if there is none
	offset int          // at which the next transfer begins
}

func (s *session) say(format string, args ...any) { fmt.Fprintf(s.conn, format+"\r\n", args...) }

func (s *Server) serve(c net.Conn) {
	e := &session{Server: s, conn: c}
	if !e.greet() {
		<-s.done
		return
	}
	defer func() {
		if e.data != nil {
			e.data.Close()
		}
	}()
	lines := bufio.NewScanner(c)
	for lines.Scan() && e.obey(lines.Text()) {
	}
}

// greet says the first words; false if nothing is to follow.
func (s *session) greet() bool {
	switch f := &s.faults; {
	case f.Silent:
		return false
	case f.Endless:
		io.WriteString(s.conn, strings.Repeat("220-welcome\r\n", 10_000))
		return false
	case f.Greeting != "":
		s.say("%s", f.Greeting)
	default:
		s.say("220-Hello\r\n220 here")
	}
	return true
}

// note keeps a command, unless it is one that each session begins or ends with.
func (s *session) note(verb, line string) {
	if !slices.Contains([]string{"USER", "FEAT", "TYPE", "EPSV", "QUIT", "OPTS", "PASV"}, verb) {
		s.asked = append(s.asked, line)
	}
}

// obey does what a line commands; false if the session ends with it.
func (s *session) obey(line string) bool {
	verb, arg, _ := strings.Cut(line, " ")
	verb = strings.ToUpper(verb)
	s.mu.Lock()
	s.note(verb, line)
	body, there := s.files[strings.TrimPrefix(arg, "/")]
	changed := s.changed
	s.mu.Unlock()
	if code := s.faults.Reply[verb]; code > 0 {
		s.say("%d as you like", code)
		return true
	}
	if slices.Contains(s.faults.Without, verb) {
		s.say("502 not known")
		return true
	}
	switch verb {
	case "USER":
		s.say("331 your password")
	case "PASS":
		s.say("%s", cmp.Or(s.faults.Login, "230 in"))
	case "FEAT":
		s.tellFeatures()
	case "TYPE":
		s.say("200 so be it")
	case "SIZE", "MDTM":
		switch {
		case !there:
			s.say("550 no such file")
		case verb == "SIZE":
			s.say("213 %d", len(body))
		default:
			s.say("213 %s", changed)
		}
	case "REST":
		s.offset, _ = strconv.Atoi(arg)
		s.say("350 from there")
	case "EPSV", "PASV":
		return s.listen(verb)
	case "RETR":
		if !there {
			s.say("550 no such file")
			return true
		}
		s.say("150 it comes")
		s.send(s.data, body[min(s.offset, len(body)):])
		s.data, s.offset = nil, 0
	case "QUIT":
		s.say("221 bye")
		return false
	default:
		s.say("502 not known")
	}
	return true
}

// tellFeatures replies to FEAT.
func (s *session) tellFeatures() {
	s.say("211-Features:")
	for _, name := range []string{"MDTM", "SIZE", "REST STREAM", "EPSV"} {
		if first, _, _ := strings.Cut(name, " "); !slices.Contains(s.faults.Without, first) {
			s.say(" %s", name)
		}
	}
	s.say("211 end")
}

// listen opens the port of the next transfer, and announces it as EPSV or PASV does; false if there is none.
func (s *session) listen(verb string) bool {
	data, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.say("421 no")
		return false
	}
	s.data = data
	port := data.Addr().(*net.TCPAddr).Port
	if s.faults.Refused {
		data.Close()
	}
	if verb == "EPSV" {
		s.say("229 there (|||%d|)", port)
	} else {
		s.say("227 there (%s,%d,%d)", cmp.Or(s.faults.Pasv, "127,0,0,1"), port/256, port%256)
	}
	return true
}

// send sends a body over the data connection.
func (s *session) send(data net.Listener, body string) {
	defer data.Close()
	c, err := data.Accept()
	if err != nil {
		return
	}
	defer c.Close()
	if s.faults.Hang {
		<-s.done
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
			case <-s.done:
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
		s.say("426 broken off")
	case cut >= 0 && !s.faults.EndLie:
		s.say("451 trouble here")
	default:
		s.say("226 all of it")
	}
}
