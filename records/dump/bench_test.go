//go:build unix

package dump_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"laundromat/records"
	"laundromat/records/dump"
)

// benchRecord is a row of five fields; each row differs from the others.
func benchRecord(r *records.Record, i int) {
	r.Fields = append(r.Fields[:0],
		records.Field{Name: "id", Value: records.IntOf(int64(i))},
		records.Field{Name: "name", Value: records.TextOf(fmt.Sprintf("Station %d, north", i%5000))},
		records.Field{Name: "price", Value: records.NumberOf(fmt.Sprintf("%d.%02d", i%1000, i%100))},
		records.Field{Name: "day", Value: records.TextOf(fmt.Sprintf("2020-%02d-%02d", 1+i%12, 1+i%28))},
		records.Field{Name: "open", Value: records.BoolOf(i%3 == 0)})
}

// BenchmarkRecords measures how many rows a second are written, from the records to the file
// with its name. It also measures the most memory of the heap meanwhile.
func BenchmarkRecords(b *testing.B) {
	const rows = 300_000
	made := make([]records.Record, 10_000)
	for i := range made {
		benchRecord(&made[i], i)
	}
	for _, format := range dump.Formats() {
		b.Run(format, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "r."+format)
			peak := watchHeap()
			before := processorTime()
			for b.Loop() {
				sink, err := dump.Open(dump.Options{Fields: []dump.Column{{Name: "id"}, {Name: "name"}, {Name: "price"},
					{Name: "day", Type: "date"}, {Name: "open"}},
					Files: []dump.File{{Format: format, Path: path}}})
				if err != nil {
					b.Fatal(err)
				}
				for i := range rows {
					if err := sink.Record(&made[i%len(made)]); err != nil {
						b.Fatal(err)
					}
				}
				if err := sink.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*rows/b.Elapsed().Seconds(), "rows/s")
			b.ReportMetric(float64(b.N)*rows/(processorTime()-before).Seconds(), "rows/cpu-s")
			b.ReportMetric(float64(peak())/(1<<20), "MiB-heap")
		})
	}
}

// processorTime is what the program took so far, on all cores and in the system. Other programs
// on the machine lengthen the clock's time, not this.
func processorTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// watchHeap looks at the memory that the program has of the system, until it is asked.
func watchHeap() (peak func() uint64) {
	runtime.GC()
	var most atomic.Uint64
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		var m runtime.MemStats
		for {
			runtime.ReadMemStats(&m)
			most.Store(max(most.Load(), m.HeapInuse))
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return func() uint64 {
		close(done)
		<-ended
		return most.Load()
	}
}

// The memory does not grow with the rows. Three times the rows, with texts that all differ,
// in all formats at once, stay within the same bound.
func TestMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a million rows")
	}
	dir := t.TempDir()
	for _, rows := range []int{100_000, 300_000} {
		peak := watchHeap()
		opt := dump.Options{}
		for _, format := range dump.Formats() {
			opt.Files = append(opt.Files, dump.File{Format: format, Path: filepath.Join(dir, "r."+format)})
		}
		sink, err := dump.Open(opt)
		if err != nil {
			t.Fatal(err)
		}
		var r records.Record
		for i := range rows {
			benchRecord(&r, i)
			r.Set("text", records.TextOf(fmt.Sprintf("a text of some length, which differs in each row: %d", i*7919)))
			if err := sink.Record(&r); err != nil {
				t.Fatal(err)
			}
		}
		if err := sink.Close(); err != nil {
			t.Fatal(err)
		}
		most := peak()
		t.Logf("%d rows: %d MiB", rows, most>>20)
		if most > 256<<20 {
			t.Errorf("%d rows took %d MiB", rows, most>>20)
		}
	}
}
