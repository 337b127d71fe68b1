//go:build unix

package client

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/web/socket"
)

// openToRead opens the seed list of a folder, unless somebody holds it.
func openToRead(dir string) (*bolt.Store, error) {
	return bolt.Open(filepath.Join(dir, "seeds.db"), seedlist.Options{ReadOnly: true})
}

// TestADaemonThatIsJustStartingIsFound: it holds the list already when it is looked for
// first, and listens only after that.
func TestADaemonThatIsJustStartingIsFound(t *testing.T) {
	dir := t.TempDir()
	store, err := bolt.Open(filepath.Join(dir, "seeds.db"), seedlist.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	at := filepath.Join(dir, socket.File)
	if err := unix.Mkfifo(at, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		old, err := os.OpenFile(at, os.O_WRONLY, 0) // waits for the first look
		if err != nil {
			t.Error(err)
			return
		}
		os.Remove(at)
		listener, err := socket.Listen(dir)
		if err != nil {
			t.Error(err)
		} else {
			t.Cleanup(func() {
				listener.Close()
				listener.Remove()
			})
		}
		old.WriteString(filepath.Join(dir, "nowhere"))
		old.Close()
	}()
	c, _, err := Reach(t.Context(), dir, openToRead)
	<-ended
	if err != nil || c == nil {
		t.Fatal(err)
	}
	c.Close()
}

// TestADaemonThatTakesLongToStartIsWaitedFor: longer than a list that is held is waited for.
func TestADaemonThatTakesLongToStartIsWaitedFor(t *testing.T) {
	dir := t.TempDir()
	started := socket.Announce(dir)
	store, err := bolt.Open(filepath.Join(dir, "seeds.db"), seedlist.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		time.Sleep(1500 * time.Millisecond)
		listener, err := socket.Listen(dir)
		if err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(func() {
			listener.Close()
			listener.Remove()
		})
		started()
	}()
	c, _, err := Reach(t.Context(), dir, openToRead)
	<-ended
	if err != nil || c == nil {
		t.Fatal(err)
	}
	c.Close()
	if _, err := os.Stat(filepath.Join(dir, socket.StartingFile)); !os.IsNotExist(err) {
		t.Error("it is still announced that a daemon starts:", err)
	}
}

// TestAListThatNoDaemonHoldsIsLocked: that a verb works on it by itself is said at once.
func TestAListThatNoDaemonHoldsIsLocked(t *testing.T) {
	dir := t.TempDir()
	store, err := bolt.Open(filepath.Join(dir, "seeds.db"), seedlist.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	start := time.Now()
	if c, _, err := Reach(t.Context(), dir, openToRead); c != nil || !errors.As(err, new(*bolt.LockedError)) {
		t.Errorf("client %v, error %v", c, err)
	}
	if took := time.Since(start); took > mostStarting/2 {
		t.Errorf("told after %v", took)
	}
}
