package deflate

import (
	"bytes"
	stdgzip "compress/gzip"
	"io"
	"os"
	"testing"

	"github.com/klauspost/compress/gzip"
)

func BenchmarkSorted(b *testing.B) {
	text, err := os.ReadFile(os.Getenv("SORTED"))
	if err != nil {
		b.Skip(err)
	}
	var members [][]byte
	for rest := text; len(rest) > 1<<20; {
		n := bytes.LastIndexByte(rest[:1<<20], '\n') + 1
		members = append(members, rest[:n])
		rest = rest[n:]
	}
	b.Run("klauspost", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		var out bytes.Buffer
		z, _ := gzip.NewWriterLevel(&out, 1)
		n := 0
		for b.Loop() {
			n = 0
			for _, m := range members {
				out.Reset()
				z.Reset(&out)
				z.Write(m)
				z.Close()
				n += out.Len()
			}
		}
		b.ReportMetric(float64(len(text))/float64(n), "ratio")
	})
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		var e Encoder
		var out []byte
		n := 0
		for b.Loop() {
			n = 0
			for _, m := range members {
				out = e.AppendMember(out[:0], m)
				n += len(out)
			}
		}
		b.ReportMetric(float64(len(text))/float64(n), "ratio")
	})
}

func TestRoundTrip(t *testing.T) {
	text, err := os.ReadFile(os.Getenv("SORTED"))
	if err != nil {
		t.Skip(err)
	}
	var e Encoder
	for rest := text; len(rest) > 0; {
		n := min(len(rest), 1<<20)
		if i := bytes.LastIndexByte(rest[:n], '\n'); i > 0 {
			n = i + 1
		}
		z, err := stdgzip.NewReader(bytes.NewReader(e.AppendMember(nil, rest[:n])))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(z)
		if err != nil || !bytes.Equal(got, rest[:n]) {
			t.Fatalf("%v after %d bytes", err, len(got))
		}
		rest = rest[n:]
	}
}
