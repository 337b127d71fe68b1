package settings

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// memory is how much memory this machine, or its container, has in bytes; 0: not known.
func memory() int64 { return memoryIn("/") }

// memoryIn reads that from the files below root.
func memoryIn(root string) int64 {
	var most int64
	if file, err := os.Open(filepath.Join(root, "proc/meminfo")); err == nil {
		defer file.Close()
		lines := bufio.NewScanner(file)
		for lines.Scan() {
			if rest, is := strings.CutPrefix(lines.Text(), "MemTotal:"); is {
				n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
				most = n << 10
			}
		}
	}
	for _, name := range []string{"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		n, parsed := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err == nil && parsed == nil && n > 0 && (most == 0 || n < most) {
			most = n
		}
	}
	return most
}
