//go:build unix

package socket

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestASocketThatIsFoundListens looks for it from the moment that it may be there.
func TestASocketThatIsFoundListens(t *testing.T) {
	for range 50 {
		dir := t.TempDir()
		found := make(chan Dialer)
		go func() {
			for {
				if _, err := os.Stat(filepath.Join(dir, File)); err == nil {
					found <- Dial(t.Context(), dir)
					return
				}
			}
		}()
		listener, err := Listen(dir)
		if err != nil {
			t.Fatal(err)
		}
		dial := <-found
		listener.Close()
		listener.Remove()
		if dial == nil {
			t.Fatal("its place was written down before it listened")
		}
	}
}

// A socket is in the first place that can be written to, at last in the folder that is served, however long its path.
// Others find it there from wherever they are, and it is gone with the daemon.
func TestASocketIsWhereItMayBe(t *testing.T) {
	long := strings.Repeat("a-long-name-", 12)
	for _, c := range []struct {
		name, temp, dir string
		isNear          bool // in the folder that is served
	}{
		{"the system's temporary files", "temp", "data", false},
		{"those in a folder with a long name", long, "data", false},
		{"no folder for temporary files", "none", "data", true},
		{"a file in its place", "file", "data", true},
		{"no folder, a folder with a long name", "none", long, true},
		{"no folder, a folder within folders", "none", long + "/" + long + "/data", true},
		{"no folder, a name with spaces", "none", "my data", true},
		{"no folder, a name beyond ASCII", "none", "dáta", true},
		{"no folder, the folder itself", "none", ".", true},
		{"no folder, a folder above", "none", "data/../data", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := t.TempDir()
			temp, dir := filepath.Join(base, c.temp), filepath.Join(base, c.dir)
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			switch c.temp {
			case "none":
			case "file":
				os.WriteFile(temp, nil, 0o600)
			default:
				os.MkdirAll(temp, 0o700)
			}
			note := func(path string) error { return os.WriteFile(filepath.Join(dir, File), []byte(path+"\n"), 0o600) }
			listener, err := listenUnix([]string{temp, filepath.Clean(dir)}, note)
			if err != nil {
				if len(dir) > longestPath && runtime.GOOS != "linux" {
					t.Skip(err)
				}
				t.Fatal(err)
			}
			folder := filepath.Dir(listener.path)
			if isNear := filepath.Dir(folder) == filepath.Clean(dir); isNear != c.isNear {
				t.Errorf("it is in %s", folder)
			}
			if info, err := os.Stat(listener.path); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%v, %v", info, err)
			}
			go func() {
				for {
					connection, err := listener.Accept()
					if err != nil {
						return
					}
					connection.Write([]byte("here"))
					connection.Close()
				}
			}()
			t.Chdir("/")
			dial := Dial(t.Context(), dir)
			if dial == nil {
				t.Fatal("it is not found")
			}
			connection, err := dial(t.Context(), "", "")
			if err != nil {
				t.Fatal(err)
			}
			if said, err := io.ReadAll(connection); string(said) != "here" {
				t.Errorf("it says %q, %v", said, err)
			}
			connection.Close()
			if isStray(folder, time.Now().Add(time.Hour)) {
				t.Error("it is taken for a stray one")
			}
			listener.Close()
			if !isStray(folder, time.Now().Add(time.Hour)) {
				t.Error("of a daemon that is gone: it is not taken for a stray one")
			}
			RemoveStale(dir)
			if _, err := os.Stat(folder); err == nil {
				t.Error("it is left behind")
			}
		})
	}
}
