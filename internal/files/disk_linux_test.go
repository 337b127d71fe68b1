package files

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// BenchmarkDurableFiles writes small files from several goroutines, each of which
// commits some at a time. The ways to make them durable are compared; "chosen" is
// what the store does by itself.
func BenchmarkDurableFiles(b *testing.B) {
	for _, way := range []struct {
		name string
		many int
	}{{"chosen", syncedWhole}, {"each by itself", 1 << 30}, {"file system", 1}} {
		for _, load := range []struct{ goroutines, batch int }{{1, 1}, {16, 1}, {1, 100}, {16, 100}} {
			b.Run(fmt.Sprintf("%s/%d goroutines/%d a commit", way.name, load.goroutines, load.batch), func(b *testing.B) {
				s, err := Open(b.TempDir())
				if err != nil {
					b.Fatal(err)
				}
				defer s.Close()
				s.disk.many = way.many
				data := make([]byte, 2000)
				var next atomic.Int64
				var wait sync.WaitGroup
				b.ResetTimer()
				for range load.goroutines {
					wait.Go(func() {
						for {
							var batch []Pending
							for range load.batch {
								i := next.Add(1)
								if i > int64(b.N) {
									break
								}
								p, err := s.Create()
								if err != nil {
									b.Error(err)
									return
								}
								p.Write(data)
								sum := md5.Sum(fmt.Append(nil, b.Name(), i))
								if err := p.Seal(hex.EncodeToString(sum[:]), Dirty); err != nil {
									b.Error(err)
									return
								}
								batch = append(batch, p)
							}
							if len(batch) == 0 {
								return
							}
							if err := s.Commit(b.Context(), batch...); err != nil {
								b.Error(err)
								return
							}
						}
					})
				}
				wait.Wait()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "files/s")
			})
		}
	}
}
