//go:build unix

package main

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"laundromat/seedlist"
)

// Nobody writes to the pipe, and still one signal ends each verb that would read it.
func TestASignalEndsWhoWaitsForAPipe(t *testing.T) {
	for _, args := range [][]string{{"wash"}, {"check"}, {"pages"}, {"records"}, {"diff", "--wash", os.DevNull}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			temp := t.TempDir()
			pipe := filepath.Join(temp, "pipe")
			if err := unix.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			command := process(t, temp, append(args, pipe)...)
			var messages bytes.Buffer
			command.Stderr = &messages
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			// It cannot be seen from outside that it waits. A signal before that ends it, too.
			time.Sleep(200 * time.Millisecond)
			command.Process.Signal(syscall.SIGINT)
			ended := make(chan error, 1)
			go func() { ended <- command.Wait() }()
			select {
			case err := <-ended:
				// Before the program listens, the signal ends it without an exit code.
				if code := exitCodeOf(t, err); code != exitInterrupt && code != -1 {
					t.Errorf("exit %d: %s", code, messages.String())
				}
			case <-time.After(2 * longestStop):
				command.Process.Kill()
				t.Error("it waits on")
			}
		})
	}
}

// A terminal that is closed and a reader of the log that is gone do not end the daemon.
func TestNeitherHangUpNorABrokenPipeEndsTheDaemon(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	command := process(t, t.TempDir(), "serve", "-v", "--data", data, "--listen", "127.0.0.1:0", "--allow-private", "--ignore-robots")
	log, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer command.Process.Kill()
	if line, err := bufio.NewReader(log).ReadString('\n'); err != nil || !strings.Contains(line, "serving") {
		t.Fatalf("%q %v", line, err)
	}
	log.Close()
	command.Process.Signal(syscall.SIGHUP)
	// Each of these is logged: a failed download.
	output(t, "seed", "add", "http://127.0.0.1:1/a", "http://127.0.0.1:1/b", "--data", data)
	for deadline := time.Now().Add(2 * longestStop); ; time.Sleep(20 * time.Millisecond) {
		tried := 0
		for _, line := range decodeLines[seedlist.Seed](t, output(t, "seed", "list", "--json", "--data", data)) {
			if line.Tries > 0 {
				tried++
			}
		}
		if tried == 2 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the seeds were not tried")
		}
	}
	command.Process.Signal(syscall.SIGTERM)
	if code := exitCodeOf(t, command.Wait()); code != exitTerminate {
		t.Errorf("exit %d", code)
	}
}
