//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
)

// TestADaemonThatIsJustStartingIsFound: it holds the list already when it is looked for
// first, and listens only after that.
func TestADaemonThatIsJustStartingIsFound(t *testing.T) {
	dir := t.TempDir()
	store, err := bolt.Open(filepath.Join(dir, storeFile), seedlist.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	at := filepath.Join(dir, socketFile)
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
		listener, path, err := listenFor(dir)
		if err != nil {
			t.Error(err)
		} else {
			t.Cleanup(func() {
				listener.Close()
				os.RemoveAll(filepath.Dir(path))
			})
		}
		old.WriteString(filepath.Join(dir, "nowhere"))
		old.Close()
	}()
	c, _, err := reach(t.Context(), dir, lookIntoHouse)
	<-ended
	if err != nil || c == nil {
		t.Fatal(err)
	}
	c.close()
}

// TestADaemonThatTakesLongToStartIsWaitedFor: longer than a list that is held is waited for.
func TestADaemonThatTakesLongToStartIsWaitedFor(t *testing.T) {
	dir := t.TempDir()
	started := announce(dir)
	store, err := bolt.Open(filepath.Join(dir, storeFile), seedlist.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		time.Sleep(1500 * time.Millisecond)
		listener, path, err := listenFor(dir)
		if err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(func() {
			listener.Close()
			os.RemoveAll(filepath.Dir(path))
		})
		started()
	}()
	c, _, err := reach(t.Context(), dir, lookIntoHouse)
	<-ended
	if err != nil || c == nil {
		t.Fatal(err)
	}
	c.close()
	if _, err := os.Stat(filepath.Join(dir, startingFile)); !os.IsNotExist(err) {
		t.Error("it is told still that a daemon starts:", err)
	}
}

// TestAListThatNoDaemonHoldsIsLocked: a verb that works on it by itself is told of at once.
func TestAListThatNoDaemonHoldsIsLocked(t *testing.T) {
	dir := t.TempDir()
	store, err := bolt.Open(filepath.Join(dir, storeFile), seedlist.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	start := time.Now()
	if c, _, err := reach(t.Context(), dir, lookIntoHouse); c != nil || !errors.As(err, new(*seedlist.LockedError)) {
		t.Errorf("client %v, error %v", c, err)
	}
	if took := time.Since(start); took > mostStarting/2 {
		t.Errorf("told after %v", took)
	}
}

// TestASocketThatIsFoundListens looks for it from the moment that it may be there.
func TestASocketThatIsFoundListens(t *testing.T) {
	for range 50 {
		dir := t.TempDir()
		found := make(chan *client)
		go func() {
			for {
				if _, err := os.Stat(filepath.Join(dir, socketFile)); err == nil {
					found <- dialDaemon(t.Context(), dir)
					return
				}
			}
		}()
		listener, path, err := listenFor(dir)
		if err != nil {
			t.Fatal(err)
		}
		c := <-found
		listener.Close()
		os.RemoveAll(filepath.Dir(path))
		if c == nil {
			t.Fatal("its place was told before it listened")
		}
		c.close()
	}
}
