package texts_test

import (
	"bytes"
	"context"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"

	"codeberg.org/readeck/go-readability/v2"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
	"laundromat/text"
	"laundromat/text/article"
	"laundromat/text/content"
	"laundromat/text/job"
	"laundromat/text/language"
)

type silent struct{}

func (silent) Notice(fault.Notice) {}

func pages(b testing.TB) (all [][]byte, total int) {
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
		a, err := article.FromPage(context.Background(), page, article.Options{Source: "p", URL: "http://fakehost/test/page.html"},
			silent{})
		if err != nil {
			b.Fatal(err)
		}
		if a != nil {
			line = a.AppendJSON(line[:0], text.CodePoints)
		}
	})
}

// BenchmarkJudged does the same, and says of each block what part of the page it is, and in which languages.
func BenchmarkJudged(b *testing.B) {
	var line []byte
	measure(b, func(page []byte) {
		a, err := article.FromPage(context.Background(), page, article.Options{Source: "p", URL: "http://fakehost/test/page.html",
			Judge: content.Judge}, silent{})
		if err != nil {
			b.Fatal(err)
		}
		if a != nil {
			language.Complete(a)
			line = a.AppendJSON(line[:0], text.CodePoints)
		}
	})
}

// BenchmarkEverything makes lines of JSON as the verb text does: with quotations and repaired tokens, too.
func BenchmarkEverything(b *testing.B) {
	var line []byte
	out := job.Output{Format: "jsonl"}
	measure(b, func(page []byte) {
		var err error
		if line, err = everything(line[:0], page, &out); err != nil {
			b.Fatal(err)
		}
	})
}

func everything(line, page []byte, out *job.Output) ([]byte, error) {
	doc := job.Document{Name: "p", Form: job.HTML, URL: "http://fakehost/test/page.html"}
	_, err := job.Options{}.Whole(context.Background(), page, doc, silent{}, func(item *job.Item) error {
		line = out.Append(line, item, silent{})
		return nil
	})
	return line, err
}

// BenchmarkEverythingBeside does the same on all processors: MB/s is by the clock.
func BenchmarkEverythingBeside(b *testing.B) {
	all, total := pages(b)
	b.SetBytes(int64(total / len(all)))
	var next atomic.Int64
	from := cpu(b)
	b.RunParallel(func(pb *testing.PB) {
		var line []byte
		out := job.Output{Format: "jsonl"}
		for pb.Next() {
			var err error
			if line, err = everything(line[:0], all[int(next.Add(1))%len(all)], &out); err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(total)/float64(len(all))*float64(b.N)/1e6/(cpu(b)-from), "MB/cpu-s")
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
