package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/storage"
	"laundromat/web/socket"
)

// longestStop is how long the program may take to end after a signal.
const longestStop = 10 * time.Second

// TestSignalGivesBackWhatIsAtWork ends the daemon while one download makes no progress and others are
// done. The first signal ends it after the time of grace, a second at once. What was at work is ready
// again, and nothing temporary stays.
func TestSignalGivesBackWhatIsAtWork(t *testing.T) {
	for _, test := range []struct {
		name    string
		signals []os.Signal
		code    int
	}{
		{"terminate", []os.Signal{syscall.SIGTERM}, exitTerminate},
		{"interrupt", []os.Signal{syscall.SIGINT}, exitInterrupt},
		{"interrupt twice", []os.Signal{syscall.SIGINT, syscall.SIGINT}, exitInterrupt},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			begun := make(chan struct{})
			var once sync.Once
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/n-triples")
				fmt.Fprintf(w, "<http://example.org%s> <http://example.org/p> \"begun\" .\n", r.URL.Path)
				if r.URL.Path == "/quick" {
					return
				}
				w.(http.Flusher).Flush()
				once.Do(func() { close(begun) })
				<-r.Context().Done()
			}))
			defer server.Close()
			data, temp := filepath.Join(t.TempDir(), "data"), t.TempDir()
			command := process(t, temp, "serve", "--data", data, "--listen", "127.0.0.1:0", "--seeds", "-",
				"--allow-private", "--ignore-robots", "--host-connections", "4", "--host-delay", "0s")
			command.Stdin = strings.NewReader(server.URL + "/quick\n" + server.URL + "/slow\n")
			var messages bytes.Buffer
			command.Stderr = &messages
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			select {
			case <-begun:
			case <-time.After(longestStop):
				command.Process.Kill()
				t.Fatal("no download began")
			}
			for n, signal := range test.signals {
				if n > 0 {
					time.Sleep(100 * time.Millisecond) // two at once may be delivered as one
				}
				command.Process.Signal(signal)
			}
			if code := waitFor(t, command, longestStop); code != test.code {
				t.Errorf("exit code %d, want %d: %s", code, test.code, messages.String())
			}
			holdNoFiles(t, temp)
			holdNoFiles(t, filepath.Join(data, "temp"))
			for _, name := range []string{storage.AddressFile, socket.File} {
				if _, err := os.Stat(filepath.Join(data, name)); err == nil {
					t.Errorf("%s was left behind", name)
				}
			}
			for _, seed := range seedsOf(t, data) {
				if seed.Status.IsWorking() {
					t.Errorf("%s is still %s", seed.URI, seed.Status)
				}
				if strings.HasSuffix(seed.URI, "/slow") && (seed.Status != seedlist.Added || seed.Tries != 0 || seed.Error != nil) {
					t.Errorf("given back, it is %s with %d tries and the error %v", seed.Status, seed.Tries, seed.Error)
				}
			}
			if text := output(t, "verify", "--data", data); !strings.Contains(text, " 0 damaged or missing, 0 files that no record names") {
				t.Errorf("verify: %s", text)
			}
		})
	}
}

// TestInterruptedWashLeavesNothing ends wash while its input is still coming, and
// while it makes no progress: neither output nor temporary file stays.
func TestInterruptedWashLeavesNothing(t *testing.T) {
	for _, test := range []struct {
		name  string
		lines int // that come before the input falls silent
		args  []string
	}{
		{"before the first byte", 0, nil},
		{"in memory", 100, nil},
		{"spooled to a file", 150_000, nil},
		{"without sorting", 150_000, []string{"--no-sort"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			folder, temp := t.TempDir(), t.TempDir()
			args := append([]string{"wash", "-", "-o", filepath.Join(folder, "out.nq.gz"), "--report",
				filepath.Join(folder, "report.json")}, test.args...)
			command := process(t, temp, args...)
			in, err := command.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			for n := range test.lines {
				fmt.Fprintf(in, "<http://example.org/%d> <http://example.org/p> \"one of many lines\" .\n", n)
			}
			// So that it waits for more. A process that does not listen to signals yet is ended by the
			// system. On a busy machine, and with the race detector, it takes a while to listen.
			time.Sleep(3 * time.Second)
			command.Process.Signal(os.Interrupt)
			if code := waitFor(t, command, longestStop); code != exitInterrupt {
				t.Errorf("exit code %d, want %d", code, exitInterrupt)
			}
			in.Close()
			holdNoFiles(t, folder)
			holdNoFiles(t, temp)
		})
	}
}

// TestInterruptedSortLeavesNothing ends wash at several moments of reading, sorting
// and writing a document that does not fit into its memory.
func TestInterruptedSortLeavesNothing(t *testing.T) {
	document := filepath.Join(t.TempDir(), "big.nt")
	file, err := os.Create(document)
	if err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	for n := range 400_000 {
		fmt.Fprintf(&lines, "<http://example.org/%d> <http://example.org/p> \"one of the very many lines of a document\" .\n",
			n*7919%400_000)
	}
	if _, err := file.Write(lines.Bytes()); err != nil {
		t.Fatal(err)
	}
	file.Close()
	ended := 0
	for moment := 50 * time.Millisecond; moment < 900*time.Millisecond; moment += 150 * time.Millisecond {
		folder, temp := t.TempDir(), t.TempDir()
		command := process(t, temp, "wash", "-q", document, "--memory", "64M", "-o", filepath.Join(folder, "out.nq.gz"))
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(moment, func() { command.Process.Signal(syscall.SIGTERM) })
		code := waitFor(t, command, longestStop)
		timer.Stop()
		holdNoFiles(t, temp)
		switch code {
		case exitTerminate:
			// The signal may come when the output has its name already; it is whole then.
			if left := filesIn(t, folder); len(left) > 0 && (len(left) > 1 || left[0] != "out.nq.gz") {
				t.Errorf("after %v: %v was left behind", moment, left)
			}
			ended++
		case exitOK:
		case -1:
			// Before the program listens to signals, the system ends it.
			holdNoFiles(t, folder)
		default:
			t.Errorf("after %v: exit code %d", moment, code)
		}
	}
	if ended == 0 {
		t.Error("no signal came in time")
	}
}

// TestClosedPipeEndsQuietly reads one line of the output and closes the pipe, as
// head does.
func TestClosedPipeEndsQuietly(t *testing.T) {
	document := filepath.Join(t.TempDir(), "many.nt")
	line := "<http://example.org/%06d> <http://example.org/p> \"one of many lines\" .\n"
	var lines bytes.Buffer
	for n := range 50_000 {
		fmt.Fprintf(&lines, line, n)
	}
	if err := os.WriteFile(document, lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	command := process(t, temp, "wash", "-q", document)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var messages bytes.Buffer
	command.Stderr = &messages
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	first := make([]byte, len(fmt.Sprintf(line, 0)))
	if _, err := io.ReadFull(out, first); err != nil || string(first) != fmt.Sprintf(line, 0) {
		t.Errorf("%v: %q", err, first)
	}
	out.Close()
	waitFor(t, command, longestStop)
	if messages.Len() > 0 {
		t.Errorf("it said %q", messages.String())
	}
	holdNoFiles(t, temp)
}

// waitFor waits for the end of a command, but not for ever, and returns its exit code.
func waitFor(t *testing.T, command *exec.Cmd, longest time.Duration) int {
	t.Helper()
	late := time.AfterFunc(longest, func() {
		t.Errorf("it did not end within %v", longest)
		command.Process.Kill()
	})
	defer late.Stop()
	return exitCodeOf(t, command.Wait())
}

// waitForFiles returns as soon as something lies in the folder: a verb has begun to write there.
func waitForFiles(t *testing.T, folder string) {
	t.Helper()
	for end := time.Now().Add(longestStop); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if begun, err := os.ReadDir(folder); err == nil && len(begun) > 0 {
			return
		}
	}
	t.Fatalf("nothing was written in %s within %s", folder, longestStop)
}

// holdNoFiles checks that a folder is empty.
func holdNoFiles(t *testing.T, folder string) {
	t.Helper()
	left, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, entry := range left {
		t.Errorf("left behind in %s: %s", folder, entry.Name())
	}
}

// awaitText waits until a file is there and holds a text.
func awaitText(t *testing.T, name, want string) {
	t.Helper()
	for end := time.Now().Add(longestStop); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if text, err := os.ReadFile(name); err == nil && strings.Contains(string(text), want) {
			return
		}
	}
	t.Fatalf("%s does not hold %q", name, want)
}
