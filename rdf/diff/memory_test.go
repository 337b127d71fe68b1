package diff_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"laundromat/rdf/diff"
)

// TestMatchingKeepsToItsMemory: what is counted of a node and a statement is not less
// than what they take.
func TestMatchingKeepsToItsMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("holds some hundred megabytes")
	}
	const nodes = 150_000
	made := func(shift int) []byte {
		var b bytes.Buffer
		for i := range nodes {
			n := (i + shift) % nodes
			fmt.Fprintf(&b, "<https://lodlaundromat.org/.well-known/genid/0123456789abcdef0123456789abcdef/-%07d> <http://e/p> \"%d\" .\n",
				i, n)
			fmt.Fprintf(&b, "<https://lodlaundromat.org/.well-known/genid/0123456789abcdef0123456789abcdef/-%07d> <http://e/q> <https://lodlaundromat.org/.well-known/genid/0123456789abcdef0123456789abcdef/-%07d> .\n",
				i, (i+1)%nodes)
		}
		return b.Bytes()
	}
	before, after := made(0), made(1)
	open := func(text []byte) diff.Source {
		return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	}
	run := func(memory int64) (result diff.Result, most uint64) {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		was := stats.HeapAlloc
		var peak atomic.Uint64
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for {
				runtime.ReadMemStats(&stats)
				peak.Store(max(peak.Load(), stats.HeapAlloc))
				select {
				case <-stop:
					return
				case <-time.After(5 * time.Millisecond):
				}
			}
		}()
		result, err := diff.Compare(context.Background(), open(before), open(after), diff.Output{
			Removed: func([]byte) error { return nil }, Added: func([]byte) error { return nil },
			Renamed: func(_, _ []byte) error { return nil },
		}, diff.Options{Memory: memory})
		close(stop)
		<-stopped
		if err != nil {
			t.Fatal(err)
		}
		return result, peak.Load() - min(was, peak.Load())
	}
	const enough = 2 * nodes * (220 + 8 + 2*110 + 3*24 + 50)
	result, most := run(enough)
	if result.ByName || !result.Same() || result.Renamed != nodes {
		t.Errorf("%+v", result)
	}
	t.Logf("%d nodes, %d statements: %d MB at most, %d MB allowed", 2*nodes, 4*nodes, most>>20, enough>>20)
	if most > enough*3/2 { // what is garbage counts, too
		t.Errorf("%d MB at most, %d MB allowed", most>>20, enough>>20)
	}
	if result, most = run(32 << 20); !result.ByName || most > 64<<20 {
		t.Errorf("%+v, %d MB", result, most>>20)
	}
}
