package views_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// synthetic is a list of so many seeds, as a service has them, 20 a host. Of these 6 are washed, 6 are
// their clean files, 2 failed, 4 wait, and 2 are entries of an archive.
type synthetic struct {
	seedlist.Feed
	seeds uint64
}

func (s synthetic) Counts(context.Context) (c seedlist.Counts, err error) { return c, nil }

func (s synthetic) Revision(context.Context) (uint64, error) { return 1, nil }

func (s synthetic) Changes(_ context.Context, after uint64, _ int) ([]seedlist.Change, error) {
	if after > 0 {
		return nil, nil
	}
	return []seedlist.Change{{Revision: 1, Time: time.Unix(1e9, 0), Number: 1}}, nil
}

func (s synthetic) WaitChange(ctx context.Context, _ uint64) error {
	<-ctx.Done()
	return ctx.Err()
}

func (s synthetic) NumberedAfter(_ context.Context, after uint64, limit int) (all []seedlist.Numbered, err error) {
	for n := after + 1; n <= s.seeds && len(all) < limit; n++ {
		all = append(all, seedlist.Numbered{Number: n, Seed: synthetic1(n)})
	}
	return all, nil
}

func synthetic1(n uint64) (s seedlist.Seed) {
	host := n / 20
	code := func(i uint64) fault.Code { return fault.Code(fmt.Sprintf("iri/code-%d", (n*7+i*i*13)%60)) }
	s.Hash = fmt.Sprintf("%032x", n)
	s.URI = fmt.Sprintf("https://host%d.example/data/%d.nt", host, n)
	s.Source, s.Status = fmt.Sprintf("catalog:%032x", host%50), seedlist.Added
	if n%2 == 0 {
		s.Catalogs = []seedlist.Listing{{Catalog: fmt.Sprintf("%032x", host%50)}}
	}
	bytes := &digest.Content{NumberOfBytes: int64(n * 7919 % 10_000_003)}
	read := func() {
		s.Content, s.Washer = bytes, "1.2.3"
		s.Processed = time.Unix(1_700_000_000+int64(n), 0)
		s.Format = []string{"N-Triples", "Turtle", "RDF/XML", "RDFa"}[n%4]
		s.Encoding = &seedlist.Encoding{Chosen: []string{"utf-8", "utf-8", "windows-1252"}[n%3]}
		s.Statements = &digest.Statements{Read: 1000, Dropped: int64(n % 17), Written: int64(n * 31 % 100_003)}
		s.Notices = map[fault.Code]int64{code(1): 1, code(2): 2, code(3): 3}
		s.Status = seedlist.Parsed
	}
	switch k := n % 20; {
	case k < 6:
		read()
	case k < 12:
		s = seedlist.Seed{Hash: s.Hash, Record: seedlist.Record{Format: "N-Quads", Content: bytes},
			Standing: seedlist.Standing{Status: seedlist.Cleaned}}
	case k < 14:
		s.Status, s.Error, s.Washer = seedlist.Failed, &seedlist.Error{Code: code(4)}, "1.2.3"
		s.Processed = time.Unix(1_700_000_000+int64(n), 0)
	case k < 16:
		read()
		s.URI, s.Source, s.Catalogs, s.Parent = "", "", nil, fmt.Sprintf("%032x", n/2000)
	}
	return s
}

// size is that of the file of so many seeds, in bytes a seed.
func size(t testing.TB, seeds uint64) float64 {
	t.Helper()
	path := filepath.Join(t.TempDir(), "views.db")
	v := open(t, path, synthetic{seeds: seeds})
	if err := v.Wait(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return float64(info.Size()) / float64(seeds)
}

func TestAFileOfViewsTakesAtMost600BytesASeed(t *testing.T) {
	if n := size(t, 30_000); n > 600 {
		t.Errorf("%.0f bytes a seed", n)
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, seeds := range []uint64{100_000, 300_000} {
		b.Run(fmt.Sprint(seeds), func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(size(b, seeds), "bytes/seed")
			}
			b.ReportMetric(float64(seeds)*float64(b.N)/b.Elapsed().Seconds(), "seeds/s")
		})
	}
}
