//go:build unix

package hangup_test

import (
	"syscall"
	"testing"
	"time"

	"laundromat/internal/hangup"
)

// Two who watch are both called, and after the end of both the signal ends nothing.
func TestAllWhoWatchAreCalledUntilTheyEnd(t *testing.T) {
	first, second := make(chan bool, 9), make(chan bool, 9)
	endFirst := hangup.Watch(func() { first <- true })
	endSecond := hangup.Watch(func() { second <- true })
	hang := func() {
		t.Helper()
		if err := syscall.Kill(syscall.Getpid(), syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		hang()
		for _, called := range []chan bool{first, second} {
			select {
			case <-called:
			case <-time.After(10 * time.Second):
				t.Fatal("somebody is not called")
			}
		}
	}
	endFirst()
	endSecond()
	hang() // would end the test
	if len(first)+len(second) > 0 {
		t.Error("somebody is called after the end")
	}
}
