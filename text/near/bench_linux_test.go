package near_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"laundromat/text"
	"laundromat/text/near"
)

// onDisk is the size of the files in a folder that are open, also of those that have no name any more.
func onDisk(folder string) (size int64) {
	fds, _ := os.ReadDir("/proc/self/fd")
	for _, fd := range fds {
		name := filepath.Join("/proc/self/fd", fd.Name())
		if to, err := os.Readlink(name); err != nil || !strings.HasPrefix(to, folder) {
			continue
		}
		var info syscall.Stat_t
		if syscall.Stat(name, &info) == nil {
			size += info.Blocks * 512
		}
	}
	return size
}

// BenchmarkArticles adds b.N articles, of which each tenth repeats another, and reports the bytes on disk for each,
// and the most memory of the process.
func BenchmarkArticles(b *testing.B) {
	folder := b.TempDir()
	run := near.New(near.Options{Temp: folder, Memory: 48 << 20})
	defer run.Close()
	i := 0
	for b.Loop() {
		n := i
		if i++; i%10 == 0 {
			n /= 10
		}
		a := &text.Article{URL: fmt.Sprintf("http://h%d.example/%d", n%1000, n), Title: fmt.Sprint("t", n)}
		a.Text = fmt.Sprintf("w%d x%d y%d z%d a b c d %d", n, n, n, n, n*7)
		if _, err := run.Add(near.Look(a)); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	b.ReportMetric(float64(onDisk(folder))/float64(i), "disk-B/article")
	repeats, err := run.Finish(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	b.ReportMetric(float64(u.Maxrss)/1024, "MB-peak")
	b.ReportMetric(float64(u.Maxrss)*1024/float64(i), "peak-B/article")
	b.Logf("%d repeated", repeats.Inputs[0].Repeated)
	runtime.KeepAlive(repeats)
}
