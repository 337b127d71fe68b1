package daemon_test

import (
	"archive/tar"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"laundromat/seedlist"
)

// manyEntries writes a tar of so many entries, of a line each.
func manyEntries(to io.Writer, n int) error {
	w := tar.NewWriter(to)
	for i := range n {
		body := fmt.Sprintf("<http://example.org/%d> <http://example.org/p> \"%d\" .\n", i, i)
		if err := w.WriteHeader(&tar.Header{Name: fmt.Sprintf("folder/of/many/entries/%07d.nt", i), Mode: 0o644,
			Size: int64(len(body))}); err != nil {
			return err
		}
		if _, err := io.WriteString(w, body); err != nil {
			return err
		}
	}
	return w.Close()
}

// highest samples how many bytes of the process's own memory are in use, until stop is
// called, which returns the most.
func highest() (stop func() uint64) {
	var most atomic.Uint64
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		for {
			metrics.Read(sample)
			most.Store(max(most.Load(), sample[0].Value.Uint64()))
			select {
			case <-done:
				return
			case <-tick.C:
			}
		}
	}()
	return func() uint64 { close(done); <-ended; return most.Load() }
}

func TestAnArchiveOfManyEntriesIsFiledInBoundedMemory(t *testing.T) {
	n := 12_000
	if text := os.Getenv("LAUNDROMAT_TEST_ENTRIES"); text != "" {
		n, _ = strconv.Atoi(text)
	} else if testing.Short() {
		t.Skip("an archive of many entries is long")
	}
	w := newWorld(t, seedlist.Options{})
	w.mux.HandleFunc("/many.tar", func(reply http.ResponseWriter, _ *http.Request) {
		if err := manyEntries(reply, n); err != nil {
			t.Error(err)
		}
	})
	w.add("/many.tar")
	w.opt.Workers[seedlist.Unarchiving] = 1
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // what is garbage does not count
	runtime.GC()
	stop := highest()
	finished := make(chan error, 1)
	go func() { finished <- w.runner().Run(ctx, ctx) }()
	start := time.Now()
	for w.seed("/many.tar").Status != seedlist.Depleted {
		select {
		case err := <-finished:
			t.Fatalf("ended before the archive was depleted: %v; %s", err, w.log.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
	peak := stop()
	spent := time.Since(start)
	cancel()
	<-finished
	if total := *w.seed("/many.tar").ChildrenTotal; total != int64(n) {
		t.Errorf("%d children of %d", total, n)
	}
	if most := uint64(24 << 20); peak > most && os.Getenv("LAUNDROMAT_TEST_ENTRIES") == "" {
		t.Errorf("%d MB of heap were in use, of %d", peak>>20, most>>20)
	}
	t.Logf("%d entries: %d MB of heap at most, in %v", n, peak>>20, spent)
}
