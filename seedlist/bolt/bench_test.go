package bolt_test

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laundromat/internal/content"
	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
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
						if err := store.Complete(ctx, c, usual(c)); err != nil {
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

// usual is an outcome as a plain N-Triples file has it.
func usual(c seedlist.Claim) seedlist.Outcome {
	n := int64(1234)
	o := seedlist.Outcome{Next: c.Stage.Next()[0], Attempt: seedlist.Attempt{ParserVersion: "1"}}
	switch c.Stage {
	case seedlist.Downloading:
		o.Update = func(r *seedlist.Record) {
			r.HTTP = []seedlist.Exchange{{
				URI: c.Seed.URI, Time: time.Now(), Status: 200, Version: &seedlist.HTTPVersion{Major: 1, Minor: 1}, Walltime: 0.4,
				Headers: map[string][]string{
					"content-type": {"application/n-triples"}, "content-length": {"1234"}, "etag": {`"abc-123456789"`}, "server": {"nginx/1.2"},
					"last-modified": {"Mon, 02 Jan 2006 15:04:05 GMT"}, "date": {"Mon, 02 Jan 2006 15:04:05 GMT"},
				},
			}}
			r.Content = contentOf(c.Seed.URI)
		}
	case seedlist.Guessing:
		o.Update = func(r *seedlist.Record) {
			r.Encoding = &seedlist.Encoding{Presumed: "utf-8", Evidence: []seedlist.Evidence{{From: "http", Value: "utf-8"}}}
			r.Format = "N-Triples"
		}
	case seedlist.Parsing:
		o.Update = func(r *seedlist.Record) {
			r.Encoding.Chosen = "utf-8"
			r.Text = &content.Text{Newline: content.LF, NumberOfBytes: n, NumberOfChars: n, NumberOfLines: 10}
			r.Statements = &content.Statements{Read: 10, Kept: 9, Repaired: 1, Written: 10}
			r.Notices = map[fault.Code]int64{"iri/space": 1}
		}
		o.Clean = &seedlist.Clean{Content: *contentOf(c.Seed.URI + " clean")}
	}
	return o
}

func contentOf(text string) *content.Content {
	m, s := md5.Sum([]byte(text)), sha256.Sum256([]byte(text))
	lines := int64(10)
	return &content.Content{MD5: hex.EncodeToString(m[:]), SHA256: hex.EncodeToString(s[:]), NumberOfBytes: int64(len(text)), NumberOfLines: &lines}
}
