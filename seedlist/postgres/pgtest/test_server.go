package pgtest

import (
	"os"
	"testing"
)

// ForTest starts a server that ends with a test. The test is skipped where none can be started.
// What safe means, [Start] says.
func ForTest(t testing.TB, safe bool) *Server {
	t.Helper()
	server, err := Start(Folder(t), safe)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(server.Stop)
	return server
}

// Folder is a folder for a server, which ends with a test. The user whom the server runs as may enter it.
func Folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "laundromat-postgres-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
