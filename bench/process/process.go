// Package process sets benchmarks of whole commands up, runs the commands, and
// measures them from outside.
package process

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Usage is what a command took.
type Usage struct {
	Wall, User, System time.Duration
	// PeakAnonymous is the most anonymous memory seen in samples every few
	// milliseconds, in bytes; 0 where there is no /proc.
	PeakAnonymous int64
	// PeakResident is the most resident memory, as the kernel kept it (mapped files
	// among it), in bytes; 0 where there is no /proc.
	PeakResident int64
	// Stolen is the processor time that was wanted on this machine meanwhile and that its host gave to
	// others, on all processors together. It is 0 where there is no /proc.
	Stolen time.Duration
	// Written is how many bytes the command itself wrote to files. What it wrote in its last milliseconds may be
	// missing. It is 0 where there is no /proc.
	Written int64
}

// Busy is what part of the time of all processors the command took.
func (u Usage) Busy() float64 {
	if u.Wall <= 0 {
		return 0
	}
	return (u.User + u.System).Seconds() / u.Wall.Seconds() / float64(runtime.NumCPU())
}

// StolenShare is what part Stolen is of the time of all processors.
func (u Usage) StolenShare() float64 {
	if u.Wall <= 0 {
		return 0
	}
	return u.Stolen.Seconds() / u.Wall.Seconds() / float64(runtime.NumCPU())
}

// Median is the middle of what the runs of a command took.
func Median(usages []Usage, of func(Usage) float64) float64 {
	values := make([]float64, len(usages))
	for i, u := range usages {
		values[i] = of(u)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

const sampleEvery = 5 * time.Millisecond

// Run runs a command to its end and measures it, with the processes that it starts.
// PeakResident is that of the command alone.
func Run(command *exec.Cmd) (Usage, error) {
	start, before := time.Now(), stolen()
	if err := command.Start(); err != nil {
		return Usage{}, err
	}
	ctx, stop := context.WithCancel(context.Background())
	sampled := make(chan Usage)
	go func() { sampled <- sample(ctx, command.Process.Pid) }()
	err := command.Wait()
	wall := time.Since(start)
	stop()
	usage := <-sampled
	usage.Wall, usage.Stolen = wall, stolen()-before
	usage.User, usage.System = command.ProcessState.UserTime(), command.ProcessState.SystemTime()
	return usage, err
}

// sample looks at a process, and those that it started, until ctx ends.
func sample(ctx context.Context, pid int) (peak Usage) {
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		anonymous, resident := look(pid)
		peak.PeakAnonymous = max(peak.PeakAnonymous, anonymous)
		peak.PeakResident = max(peak.PeakResident, resident)
		peak.Written = max(peak.Written, written(pid))
		select {
		case <-tick.C:
		case <-ctx.Done():
			return peak
		}
	}
}

// Anonymous is the anonymous memory of a process and of all that it started, in bytes; 0 where that is not known.
func Anonymous(pid int) int64 {
	anonymous, _ := look(pid)
	return anonymous
}

// look returns the anonymous memory of a process and of all that it started, and its own
// most resident memory.
func look(pid int) (anonymous, resident int64) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0
	}
	anonymous, resident = kilobytes(status, "RssAnon:"), kilobytes(status, "VmHWM:")
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%[1]d/task/%[1]d/children", pid))
	for _, child := range bytes.Fields(children) {
		if n, err := strconv.Atoi(string(child)); err == nil {
			more, _ := look(n)
			anonymous += more
		}
	}
	return anonymous, resident
}

// written is how many bytes a process wrote so far (proc_pid_io(5): wchar); 0 where that is not known.
func written(pid int) int64 {
	counts, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
	if err != nil {
		return 0
	}
	return number(counts, "wchar:")
}

// stolen is the time since the machine's start that its host gave to others while there was work here.
func stolen() time.Duration {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := bytes.Cut(stat, []byte("\n"))
	fields := bytes.Fields(line) // cpu user nice system idle iowait irq softirq steal …
	if len(fields) < 9 {
		return 0
	}
	n, _ := strconv.ParseInt(string(fields[8]), 10, 64)
	return time.Duration(n) * userTick
}

// kilobytes is a field of a status file, in bytes.
func kilobytes(status []byte, field string) int64 { return number(status, field) << 10 }

// number is the number after a field's name.
func number(status []byte, field string) int64 {
	_, rest, ok := bytes.Cut(status, []byte(field))
	if !ok {
		return 0
	}
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	n, _ := strconv.ParseInt(string(fields[0]), 10, 64)
	return n
}

// Build builds the program beside this module into a folder and returns its path. It must be called with the folder
// of this module, or one in it, as the working folder. Flags are those of go build.
func Build(ctx context.Context, folder string, flags ...string) (string, error) {
	program, err := filepath.Abs(filepath.Join(folder, "laundromat"))
	if err != nil {
		return "", err
	}
	module, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "laundromat").Output()
	if err != nil {
		return "", fmt.Errorf("where the module laundromat is: %w", err)
	}
	build := exec.CommandContext(ctx, "go", slices.Concat([]string{"build", "-o", program}, flags, []string{"./cmd/laundromat"})...)
	build.Dir, build.Stderr = strings.TrimSpace(string(module)), os.Stderr
	return program, build.Run()
}
