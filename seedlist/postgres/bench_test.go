package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/postgres/pgtest"
	"laundromat/seedlist/storetest"
)

// BenchmarkMoves claims and completes. A move takes a seed into a stage, and out of it with its record, its
// attempt, its counts and a change. The server waits for its disk at each commit.
func BenchmarkMoves(b *testing.B) {
	need(b)
	server, err := startServer(pgtest.Folder(b), true)
	if err != nil {
		b.Fatal(err)
	}
	defer server.Stop()
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			address := server.schema(b)
			first := begin(b, address, quick)
			var seeds []seedlist.NewSeed
			for i := range b.N/4 + 1 {
				seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://h%d.example/%d", i%500, i)})
			}
			if _, err := first.Add(b.Context(), seeds); err != nil {
				b.Fatal(err)
			}
			server.exec(b, "ANALYZE")
			b.ResetTimer()
			var moves atomic.Int64
			var all sync.WaitGroup
			for w := range workers {
				store := first
				if w > 0 {
					store = begin(b, address, quick)
				}
				for _, stage := range seedlist.Stages() {
					all.Go(func() {
						for moves.Load() < int64(b.N) {
							waiting, cancel := context.WithTimeout(b.Context(), 100*time.Millisecond)
							store.Wait(waiting, stage)
							cancel()
							claims, err := store.Claim(b.Context(), stage, "w", 64)
							if err != nil {
								b.Error(err)
								return
							}
							var ending sync.WaitGroup
							for _, c := range claims {
								ending.Go(func() {
									if err := store.Complete(b.Context(), c, storetest.Usual(c)); err != nil {
										b.Error(err)
									}
									moves.Add(1)
								})
							}
							ending.Wait()
						}
					})
				}
			}
			all.Wait()
			b.ReportMetric(float64(moves.Load())/b.Elapsed().Seconds(), "moves/s")
		})
	}
}
