//go:build unix

package inflate_test

import (
	"bufio"
	"bytes"
	stdgzip "compress/gzip"
	"io"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/inflate"
	"laundromat/internal/testkit/corpus"
)

// BenchmarkMembers reads gzip with its checksum: statements, as compress/gzip and
// klauspost pack them, and a text, if GZIPPED names a file of one member. MB/cpu-s is how
// much comes out in a second of processor time, in the best of the readings.
func BenchmarkMembers(b *testing.B) {
	var statements bytes.Buffer
	if err := (corpus.Corpus{Format: corpus.NTriples, Family: 1, Statements: 200_000, Named: true}).Write(&statements); err != nil {
		b.Fatal(err)
	}
	standard, klauspost := packedBy(stdgzip.NewWriterLevel, statements.Bytes()), packedBy(gzip.NewWriterLevel, statements.Bytes())
	inputs := []struct {
		name string
		data []byte
	}{{"statements,klauspost", klauspost}, {"statements,standard", standard}}
	if name := os.Getenv("GZIPPED"); name != "" {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		inputs = append(inputs, struct {
			name string
			data []byte
		}{"file", data})
	}
	for _, input := range inputs {
		for _, decoder := range []struct {
			name string
			open func(*bufio.Reader) (io.Reader, error)
		}{
			{"ours", func(in *bufio.Reader) (io.Reader, error) { z := new(inflate.Gzip); return z, z.Reset(in) }},
			{"klauspost", func(in *bufio.Reader) (io.Reader, error) { return gzip.NewReader(in) }},
			{"standard", func(in *bufio.Reader) (io.Reader, error) { return stdgzip.NewReader(in) }},
		} {
			b.Run(input.name+"/"+decoder.name, func(b *testing.B) {
				to := make([]byte, 128<<10)
				in := bufio.NewReaderSize(nil, 64<<10)
				best := 0.0
				for b.Loop() {
					began := processorTime()
					in.Reset(bytes.NewReader(input.data))
					r, err := decoder.open(in)
					if err != nil {
						b.Fatal(err)
					}
					n, err := io.CopyBuffer(io.Discard, struct{ io.Reader }{r}, to)
					if err != nil {
						b.Fatal(err)
					}
					best = max(best, float64(n)/1e6/(processorTime()-began).Seconds())
				}
				b.ReportMetric(best, "MB/cpu-s")
			})
		}
	}
}

func processorTime() time.Duration {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used) // can't fail
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func packedBy[W io.WriteCloser](open func(io.Writer, int) (W, error), data []byte) []byte {
	var b bytes.Buffer
	w, err := open(&b, 6)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return b.Bytes()
}
