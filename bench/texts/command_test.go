package texts_test

import (
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"laundromat/rdf/rdftest"
)

// rounds is how often a run of the command reads each page, so that its start counts as little as that of a benchmark.
const rounds = 10

// BenchmarkCommand runs the program itself, from files to a file of lines, with all that it does by default.
func BenchmarkCommand(b *testing.B) {
	names, _ := filepath.Glob(filepath.Join(rdftest.Shared(b, "text"), "readability", "*", "source.html"))
	_, total := pages(b)
	program := filepath.Join(b.TempDir(), "laundromat")
	build := exec.Command("go", "build", "-o", program, "./cmd/laundromat")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	args := []string{"text", "-q", "--base", "http://fakehost/test/page.html", "-o", filepath.Join(b.TempDir(), "out.jsonl")}
	for range rounds {
		args = append(args, names...)
	}
	b.SetBytes(int64(total) * rounds)
	var spent time.Duration
	n := 0
	for b.Loop() {
		run := exec.Command(program, args...)
		if out, err := run.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		spent += run.ProcessState.UserTime() + run.ProcessState.SystemTime()
		n++
	}
	b.ReportMetric(float64(total)*rounds*float64(n)/1e6/spent.Seconds(), "MB/cpu-s")
}
