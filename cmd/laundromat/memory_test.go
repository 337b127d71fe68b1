package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// watched runs a command to its end, and returns the highest value that a figure of its memory had
// meanwhile, in bytes. The figure is "VmHWM:", what it held resident at its most, or "RssAnon:", what
// it holds of its own. It is 0 where there is no /proc. The kernel's account of a process that has
// ended is not asked, since that begins with what the process had that started it.
func watched(t *testing.T, command *exec.Cmd, figure string) (most int64, err error) {
	t.Helper()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	tick := time.NewTicker(3 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			return most, err
		case <-tick.C:
			most = max(most, memoryOf(command.Process.Pid, figure))
		}
	}
}

// memoryOf is a figure of a process's memory, in bytes; 0 if it is gone.
func memoryOf(pid int, figure string) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(status), figure)
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kilobytes, _ := strconv.ParseInt(fields[0], 10, 64)
	return kilobytes << 10
}

// liveHeap runs the program to its end, and returns the most that a collection of garbage found alive meanwhile, in
// bytes, and the exit code. The world stands still for each collection, so that what is thrown away meanwhile doesn't
// count, however little processor the collector gets on a busy machine.
func liveHeap(t *testing.T, args ...string) (most int64, code int) {
	t.Helper()
	command := process(t, t.TempDir(), args...)
	command.Env = append(command.Env, "GODEBUG=gctrace=1,gcstoptheworld=1", "GOGC=20")
	var messages bytes.Buffer
	command.Stderr = &messages
	err := command.Run()
	collections := traceOfHeap.FindAllSubmatch(messages.Bytes(), -1)
	if len(collections) == 0 {
		t.Fatal("no collection was traced")
	}
	for _, m := range collections {
		megabytes, _ := strconv.ParseInt(string(m[1]), 10, 64)
		most = max(most, megabytes<<20)
	}
	return most, exitCodeOf(t, err)
}

// traceOfHeap is the size of the heap when a collection began, when it ended, and what it found alive (package
// runtime, gctrace).
var traceOfHeap = regexp.MustCompile(`(?m)^gc \d+ @.* \d+->\d+->(\d+) MB, `)
