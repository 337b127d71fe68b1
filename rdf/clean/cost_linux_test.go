package clean_test

import (
	"bytes"
	"context"
	"runtime"
	"syscall"
	"testing"
	"time"

	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/ttl"
)

// BenchmarkCostInProcessorTime measures what BenchmarkCost does in the processor time
// of the thread, which other work on the machine disturbs less.
func BenchmarkCostInProcessorTime(b *testing.B) {
	const ofThread = 1 // RUSAGE_THREAD
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(ofThread, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	text := people()
	var took [2]time.Duration
	for b.Loop() {
		for i, sink := range []rdf.Sink{end{}, clean.Checks(end{})} {
			begin := used()
			for range 20 {
				if _, err := ttl.Read(context.Background(), bytes.NewReader(text), rdf.Input{}, ttl.Options{Syntax: ttl.NTriples}, sink); err != nil {
					b.Fatal(err)
				}
			}
			took[i] += used() - begin
		}
	}
	statements := float64(20 * b.N * bytes.Count(text, []byte("\n")))
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(took[0].Nanoseconds())/statements, "reader-ns/statement")
	b.ReportMetric(float64((took[1]-took[0]).Nanoseconds())/statements, "checks-ns/statement")
	b.ReportMetric(100*float64(took[1]-took[0])/float64(took[0]), "share-%")
}
