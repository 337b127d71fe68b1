package process

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// Machine names the machine, for who reads what was measured on it.
func Machine() string {
	name := runtime.GOARCH
	cpu, _ := os.ReadFile("/proc/cpuinfo")
	for line := range bytes.Lines(cpu) {
		if key, value, ok := bytes.Cut(line, []byte(":")); ok && strings.TrimSpace(string(key)) == "model name" {
			name = strings.TrimSpace(string(value))
			break
		}
	}
	memory := ""
	if info, err := os.ReadFile("/proc/meminfo"); err == nil {
		memory = fmt.Sprintf(", %.1f GiB of memory", float64(kilobytes(info, "MemTotal:"))/(1<<30))
	}
	return fmt.Sprintf("%s/%s, %d × %s%s, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), name, memory, runtime.Version())
}
