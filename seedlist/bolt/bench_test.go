package bolt_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
)

// BenchmarkLives drives seeds through their whole life, four claims and four
// completions each, with a record of usual size and fsync on. One goroutine a
// stage claims, many complete, as in the daemon.
func BenchmarkLives(b *testing.B) {
	ctx := context.Background()
	store, err := bolt.Open(filepath.Join(b.TempDir(), "seeds"), seedlist.Options{HostConnections: 64, HostDelay: -1})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	seeds := make([]seedlist.NewSeed, b.N)
	for i := range seeds {
		seeds[i].URI = fmt.Sprintf("https://host%d.example.org/data/%d.nt", i%97, i)
	}
	b.ResetTimer()
	start := time.Now()
	if _, err := store.Add(ctx, seeds); err != nil {
		b.Fatal(err)
	}
	added := time.Since(start)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var done atomic.Int64
	var wg sync.WaitGroup
	for _, stage := range seedlist.Stages() {
		wg.Go(func() {
			work := make(chan seedlist.Claim)
			var workers sync.WaitGroup
			for range 256 {
				workers.Go(func() {
					for c := range work {
						if err := store.Complete(ctx, c, storetest.Usual(c)); err != nil {
							b.Error(err)
							cancel()
						}
						if stage == seedlist.Parsing && done.Add(1) == int64(b.N) {
							cancel()
						}
					}
				})
			}
			for store.Wait(ctx, stage) == nil {
				claims, err := store.Claim(ctx, stage, "w", 256)
				if err != nil {
					break
				}
				for _, c := range claims {
					work <- c
				}
			}
			close(work)
			workers.Wait()
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/time.Since(start).Seconds(), "lives/s")
	b.ReportMetric(float64(b.N)/added.Seconds(), "adds/s")
}
