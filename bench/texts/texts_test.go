package texts_test

import (
	"bytes"
	"context"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"codeberg.org/readeck/go-readability/v2"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
	"laundromat/text"
	"laundromat/text/article"
)

type silent struct{}

func (silent) Notice(fault.Notice) {}

func pages(b *testing.B) (all [][]byte, total int) {
	b.Helper()
	names, _ := filepath.Glob(filepath.Join(rdftest.Shared(b, "text"), "readability", "*", "source.html"))
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		all, total = append(all, data), total+len(data)
	}
	return all, total
}

// cpu is the time that the process has had of processors, in seconds.
func cpu(b *testing.B) float64 {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

func measure(b *testing.B, one func(page []byte)) {
	all, total := pages(b)
	b.SetBytes(int64(total))
	n, from := 0, cpu(b)
	for b.Loop() {
		for _, page := range all {
			one(page)
		}
		n++
	}
	b.ReportMetric(float64(total)*float64(n)/1e6/(cpu(b)-from), "MB/cpu-s")
}

// BenchmarkLaundromat makes lines of JSON with all blocks, links and dates.
func BenchmarkLaundromat(b *testing.B) {
	var line []byte
	measure(b, func(page []byte) {
		a, err := article.FromPage(context.Background(), page, article.Options{Source: "p", URL: "http://fakehost/test/page.html"}, silent{})
		if err != nil {
			b.Fatal(err)
		}
		if a != nil {
			line = a.AppendJSON(line[:0], text.CodePoints)
		}
	})
}

// BenchmarkReadability finds the main content as text.
func BenchmarkReadability(b *testing.B) {
	address, err := url.Parse("http://fakehost/test/page.html")
	if err != nil {
		b.Fatal(err)
	}
	var out bytes.Buffer
	measure(b, func(page []byte) {
		a, err := readability.FromReader(bytes.NewReader(page), address)
		if err != nil {
			return
		}
		out.Reset()
		if err := a.RenderText(&out); err != nil {
			b.Log(err)
		}
	})
}
