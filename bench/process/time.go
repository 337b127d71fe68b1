package process

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// Time is the processor time of a process that runs, and of all that it has started, unless it did not wait
// for their end. It is 0 where there is no /proc.
func Time(pid int) (total time.Duration) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// proc_pid_stat(5): after the name in parentheses, which may hold anything, the state is the third field.
	_, rest, _ := bytes.Cut(stat, []byte(") "))
	fields := bytes.Fields(rest)
	const utime, cstime = 14 - 3, 17 - 3
	for i := utime; i <= cstime && i < len(fields); i++ {
		ticks, _ := strconv.ParseInt(string(fields[i]), 10, 64)
		total += time.Duration(ticks) * userTick
	}
	for _, child := range childrenOf(pid) {
		total += Time(child)
	}
	return total
}

// userTick is the unit of the kernel's counts (proc_stat(5): USER_HZ, a hundred a second).
const userTick = 10 * time.Millisecond

// childrenOf are the processes that one has started, by any of its threads, and that still run.
func childrenOf(pid int) (all []int) {
	threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, thread := range threads {
		children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, thread.Name()))
		for _, child := range bytes.Fields(children) {
			if n, err := strconv.Atoi(string(child)); err == nil {
				all = append(all, n)
			}
		}
	}
	return all
}
