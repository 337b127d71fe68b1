package pgtest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"laundromat/internal/testkit/freeport"
)

// pooler is where Debian's package pgbouncer puts the program.
const pooler = "/usr/sbin/pgbouncer"

// Pooler starts a pgbouncer before the server, in a mode and with further lines of its configuration. It returns
// the address of the same database by way of it. It ends with the test, which is skipped where there is none.
func (s *Server) Pooler(t testing.TB, mode string, lines ...string) (address string) {
	t.Helper()
	if _, err := os.Stat(pooler); err != nil {
		t.Skip("no pgbouncer: the package pgbouncer has it")
	}
	dir, port := Folder(t), freeport.Find()
	users, config := filepath.Join(dir, "users"), filepath.Join(dir, "config")
	text := fmt.Sprintf(
		"[databases]\n* = host=127.0.0.1 port=%d\n[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port=%d\nunix_socket_dir=\nauth_type=trust\nauth_file=%s\npool_mode=%s\n%s\n",
		s.port, port, users, mode, strings.Join(lines, "\n"))
	for name, text := range map[string]string{users: "\"postgres\" \"\"\n", config: text} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	command := asOther(dir, pooler, config)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
	})
	where := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", where)
		if err == nil {
			conn.Close()
			break
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	return strings.Replace(s.Address, fmt.Sprintf("127.0.0.1:%d", s.port), where, 1)
}
