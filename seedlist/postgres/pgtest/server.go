// Package pgtest starts a server of PostgreSQL for tests.
package pgtest

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"laundromat/internal/testkit/freeport"
)

// programs is where Debian's package postgresql-15 puts the server's programs.
const programs = "/usr/lib/postgresql/15/bin"

// Server is a server of PostgreSQL that a test has started. It must be stopped.
type Server struct {
	Address string // of its database
	dir     string
	port    int
	isSafe  bool // writes reach the disk
}

// asOther has a program run by another user than root, for whom the server refuses to work.
func asOther(dir, program string, args ...string) *exec.Cmd {
	if !filepath.IsAbs(program) {
		program = filepath.Join(programs, program)
	}
	if os.Getuid() != 0 {
		return exec.Command(program, args...)
	}
	c := exec.Command("setpriv", append([]string{"--reuid=postgres", "--regid=postgres", "--clear-groups", program}, args...)...)
	c.Dir = dir
	return c
}

// Start makes a server in a folder. Without safe, it forgets what it has not yet written if
// the machine stops.
func Start(dir string, safe bool) (*Server, error) {
	if err := Installed(); err != nil {
		return nil, err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, err
	}
	data := filepath.Join(dir, "data")
	if err := makeFolder(data); err != nil {
		return nil, err
	}
	if out, err := asOther(dir, "initdb", "--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "-D",
		data).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	port := freeport.Find()
	s := &Server{dir: data, port: port, isSafe: safe, Address: fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable",
		port)}
	return s, s.Again()
}

// Replica makes a replica of the server in a folder, which follows it. It must be stopped.
func (s *Server) Replica(dir string) (*Server, error) {
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, err
	}
	data := filepath.Join(dir, "data")
	if err := makeFolder(data); err != nil {
		return nil, err
	}
	from := []string{"-h", "127.0.0.1", "-p", strconv.Itoa(s.port), "-U", "postgres", "-D", data, "-R", "-X", "stream", "-c", "fast",
		"--no-sync"}
	if out, err := asOther(dir, "pg_basebackup", from...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("pg_basebackup: %w: %s", err, out)
	}
	port := freeport.Find()
	r := &Server{dir: data, port: port, isSafe: s.isSafe, Address: fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable",
		port)}
	return r, r.Again()
}

// Promote lets a replica become a primary server.
func (s *Server) Promote() error {
	if out, err := asOther(s.dir, "pg_ctl", "-w", "-D", s.dir, "promote").CombinedOutput(); err != nil {
		return fmt.Errorf("pg_ctl: %w: %s", err, out)
	}
	return nil
}

// makeFolder makes a folder of the user that the server runs as.
func makeFolder(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil || os.Getuid() != 0 {
		return err
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return err
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	return os.Chown(dir, uid, gid)
}

// Again starts it after a stop, at the same address.
func (s *Server) Again() error {
	options := fmt.Sprintf("-c listen_addresses=127.0.0.1 -c port=%d -c unix_socket_directories='' -c max_connections=200 -c "+
		"shared_buffers=128MB -c log_line_prefix='%%e '", s.port)
	if !s.isSafe {
		options += " -c fsync=off -c synchronous_commit=off -c full_page_writes=off"
	}
	out, err := asOther(s.dir, "pg_ctl", "-w", "-D", s.dir, "-l", filepath.Join(s.dir, "log"), "-o", options, "start").CombinedOutput()
	if err != nil {
		return fmt.Errorf("pg_ctl: %w: %s", err, out)
	}
	return nil
}

// Conflicts says how often the server ended a transaction since another stood in its way: deadlocks, what could not be
// serialized, and rows that another had made meanwhile. They are in its log, which goes on where the server dies.
func (s *Server) Conflicts() (string, error) {
	log, err := os.ReadFile(filepath.Join(s.dir, "log"))
	of := map[string]int{}
	for line := range strings.Lines(string(log)) {
		if code, rest, _ := strings.Cut(line, " "); strings.HasPrefix(rest, "ERROR:") {
			of[code]++
		}
	}
	return fmt.Sprintf("deadlocks %d, serialization failures %d, unique violations %d", of["40P01"], of["40001"], of["23505"]), err
}

// Stop ends it as if the machine had stopped.
func (s *Server) Stop() {
	asOther(s.dir, "pg_ctl", "-w", "-D", s.dir, "-m", "immediate", "stop").Run()
}

// Ask asks the database of the server, and returns the rows as lines, with | between columns.
func (s *Server) Ask(sql string) (string, error) {
	out, err := exec.Command(filepath.Join(programs, "psql"), "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql,
		s.Address).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("psql: %w: %s", err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// Port is where it listens on 127.0.0.1.
func (s *Server) Port() int { return s.port }

// ID is the number of its first process, which all others come from.
func (s *Server) ID() (int, error) {
	text, err := os.ReadFile(filepath.Join(s.dir, "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strconv.Atoi(line)
}

// Installed says what is missing where no server can be started.
func Installed() error {
	if _, err := os.Stat(filepath.Join(programs, "postgres")); err != nil {
		return fmt.Errorf("no PostgreSQL: the package postgresql-15 has it")
	}
	return nil
}
