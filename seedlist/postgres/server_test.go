package postgres_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
)

// programs is where Debian's package postgresql-15 puts the server's programs.
const programs = "/usr/lib/postgresql/15/bin"

// server is a server of PostgreSQL that a test has started.
type server struct {
	dir     string
	address string // of its database
	isSafe  bool   // writes reach the disk
}

// shared is that of all tests; nil where there is none, and missing says why.
var (
	shared  *server
	missing string
)

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "laundromat-postgres-")
	if err == nil {
		defer os.RemoveAll(dir)
		shared, err = startServer(dir, false)
	}
	if err != nil {
		missing = err.Error()
	} else {
		defer shared.stop()
	}
	return m.Run()
}

// asOther has a program run by another user than root, for whom the server refuses to work.
func asOther(dir, program string, args ...string) *exec.Cmd {
	if os.Getuid() != 0 {
		return exec.Command(filepath.Join(programs, program), args...)
	}
	c := exec.Command("setpriv", append([]string{"--reuid=postgres", "--regid=postgres", "--clear-groups", filepath.Join(programs, program)}, args...)...)
	c.Dir = dir
	return c
}

// startServer makes a server in a folder. Without safe, it forgets what it has not yet written if
// the machine stops.
func startServer(dir string, safe bool) (*server, error) {
	if _, err := os.Stat(filepath.Join(programs, "postgres")); err != nil {
		return nil, fmt.Errorf("no PostgreSQL: the package postgresql-15 has it")
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, err
	}
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		return nil, err
	}
	if os.Getuid() == 0 {
		u, err := user.Lookup("postgres")
		if err != nil {
			return nil, err
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		if err := os.Chown(data, uid, gid); err != nil {
			return nil, err
		}
	}
	if out, err := asOther(dir, "initdb", "--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "-D", data).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	s := &server{dir: data, isSafe: safe, address: fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable", port)}
	return s, s.start(port)
}

func (s *server) start(port int) error {
	options := fmt.Sprintf("-c listen_addresses=127.0.0.1 -c port=%d -c unix_socket_directories='' -c max_connections=200 -c shared_buffers=128MB", port)
	if !s.isSafe {
		options += " -c fsync=off -c synchronous_commit=off -c full_page_writes=off"
	}
	out, err := asOther(s.dir, "pg_ctl", "-w", "-D", s.dir, "-l", filepath.Join(s.dir, "log"), "-o", options, "start").CombinedOutput()
	if err != nil {
		return fmt.Errorf("pg_ctl: %w: %s", err, out)
	}
	return nil
}

func (s *server) stop() {
	asOther(s.dir, "pg_ctl", "-w", "-D", s.dir, "-m", "immediate", "stop").Run()
}

func (s *server) port() int {
	config, err := pgx.ParseConfig(s.address)
	if err != nil {
		panic(err)
	}
	return int(config.Port)
}

// exec does something to the database.
func (s *server) exec(t testing.TB, sql string) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), s.address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(context.Background(), sql); err != nil {
		t.Fatal(err)
	}
}

// free are schemas that a test has left: to empty one is quicker than to make one.
var free = make(chan string, 1000)

var schemas atomic.Int64

// schema is the address of an empty schema, which is used again after the test.
func (s *server) schema(t testing.TB) string {
	t.Helper()
	var name string
	select {
	case name = <-free:
		s.exec(t, fmt.Sprintf("SET search_path = %s; %s", name, empty))
	default:
		name = "s" + strconv.FormatInt(schemas.Add(1), 10)
		s.exec(t, "CREATE SCHEMA "+name)
	}
	t.Cleanup(func() { free <- name })
	return s.address + "&search_path=" + name
}

// empty takes everything out of a list.
const empty = `DELETE FROM hot; DELETE FROM cold; DELETE FROM links; DELETE FROM old_keys; DELETE FROM attempts; DELETE FROM hosts; DELETE FROM counts;
	DELETE FROM catalogs; DELETE FROM listings; DELETE FROM changes; DELETE FROM washed; DELETE FROM orphans; DELETE FROM holders; UPDATE feed SET last = 0;
	ALTER SEQUENCE numbers RESTART; ALTER SEQUENCE turns RESTART`

// need skips a test where there is no server.
func need(t testing.TB) *server {
	t.Helper()
	if shared == nil {
		t.Skip(missing)
	}
	return shared
}

// open opens a list by the clock of the test.
func open(t testing.TB, address string, options seedlist.Options) *postgres.Store {
	t.Helper()
	store, err := postgres.OpenByTheClock(context.Background(), address, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func nameOf(address string) string {
	_, name, _ := strings.Cut(address, "search_path=")
	return name
}
