//go:build unix

package socket

import (
	"os"
	"path/filepath"
	"testing"
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
