//go:build !lean

package job_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"laundromat/text"
	"laundromat/text/job"
	"laundromat/text/near"
)

// wrote writes articles of two inputs.
func wrote(t testing.TB, opt job.WriterOptions, articles ...*text.Article) (string, []near.Counts) {
	t.Helper()
	opt.Temp = t.TempDir()
	var out bytes.Buffer
	w, err := job.NewWriter(&out, opt)
	if err != nil {
		t.Fatal(err)
	}
	var n told
	for i, a := range articles {
		b := w.Batch(fmt.Sprint("input ", i/3))
		w.Append(b, &job.Item{Article: a, Source: []byte(a.Text)}, &n)
		if err := w.Put(b); err != nil {
			t.Fatal(err)
		}
		b.Free()
	}
	counts, err := w.Finish(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(opt.Temp); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	return out.String(), counts
}

func repeating() []*text.Article {
	const digits = "0123456789abcdef0123456789abcdef"
	all := []*text.Article{
		{ID: digits, Text: "one two three"}, {ID: "2", Text: "One, two, three!"}, {ID: `an "id"`, Text: "others"},
		{ID: "4", Text: "one two three", Metadata: text.Metadata{Phase: "E"}}, {ID: "5", Text: "others"}, {ID: "6"},
	}
	for _, a := range all {
		if a.Text != "" {
			a.Blocks = []text.Block{{Span: text.Span{End: len(a.Text)}}}
		}
	}
	return all
}

// A line of JSON says which article it repeats, in memory as on disk. Else it is as it would be.
func TestRepeatsAreMarked(t *testing.T) {
	for _, memory := range []int64{0, 16} {
		plain, none := wrote(t, job.WriterOptions{Output: job.Output{Format: "jsonl"}}, repeating()...)
		opt := job.WriterOptions{Output: job.Output{Format: "jsonl"}, Repeats: job.MarkRepeats, Memory: memory}
		marked, counts := wrote(t, opt, repeating()...)
		if none != nil || len(counts) != 2 || counts[0].Repeated != 1 || counts[1].Repeated != 2 || counts[1].Articles != 2 {
			t.Errorf("%+v", counts)
		}
		was, is := strings.Split(plain, "\n"), strings.Split(marked, "\n")
		first := `{"id":"0123456789abcdef0123456789abcdef","likeness":1}`
		want := []string{"", first, "", first, `{"id":"an \"id\"","likeness":1}`}
		if len(is) != 6 || len(was) != 6 {
			t.Fatalf("%d lines of %d", len(is), len(was))
		}
		for i, mark := range want {
			if mark == "" {
				if is[i] != was[i] {
					t.Errorf("%s, not %s", is[i], was[i])
				}
				continue
			}
			var read struct {
				Metadata struct {
					Of json.RawMessage `json:"duplicate_of"`
				}
			}
			if err := json.Unmarshal([]byte(is[i]), &read); err != nil || string(read.Metadata.Of) != mark {
				t.Errorf("%s: %v, not %s", is[i], err, mark)
			}
			without := strings.Replace(strings.Replace(is[i], `,"duplicate_of":`+mark, "", 1), `"duplicate_of":`+mark, "", 1)
			if without != was[i] {
				t.Errorf("%s, not %s", without, was[i])
			}
		}
	}
}

// Blocks say how many articles of their host have them. A host of its own, and one without words, says nothing.
func TestBlocksSayHowManyPagesHaveThem(t *testing.T) {
	page := func(url string, blocks ...string) *text.Article {
		a := &text.Article{URL: url}
		for _, s := range blocks {
			from := len(a.Text)
			a.Text += s
			a.Blocks = append(a.Blocks, text.Block{Span: text.Span{Start: from, End: len(a.Text)}})
		}
		return a
	}
	for _, memory := range []int64{0, 16} {
		opt := job.WriterOptions{Output: job.Output{Format: "jsonl"}, Repeats: job.MarkRepeats, Blocks: true, Memory: memory}
		out, _ := wrote(t, opt,
			page("http://a.example/1", "Home", "one", "About", `"bytes":[`, "***", "Home"),
			page("http://a.example/2", "Home", "two", "***"),
			page("http://b.example/1", "Home", "About"),
			page("http://A.example:80/3", "three", "About", `"bytes":[`),
			page("", "Home"), page("", "Home"))
		var got []string
		for line := range strings.Lines(out) {
			var read struct{ Attributes struct{ Blocks [][]any } }
			if err := json.Unmarshal([]byte(line), &read); err != nil {
				t.Fatal(err)
			}
			for _, b := range read.Attributes.Blocks {
				got = append(got, fmt.Sprint(b[3].(map[string]any)["on_pages"]))
			}
		}
		if got, want := strings.Join(got, " "), "2 <nil> 2 2 <nil> 2 2 <nil> <nil> <nil> <nil> <nil> 2 2 <nil> <nil>"; got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}

// In every format, what repeats is left out if that is asked for, and all else is written in its order.
func TestRepeatsAreLeftOut(t *testing.T) {
	for format, want := range map[string]string{
		"text": "one two three\n\f\nothers\n", "markdown": "", "f5": "", "full5": "", "jsonl": "", "wet": "", "parquet": "",
	} {
		articles := repeating()
		got, counts := wrote(t, job.WriterOptions{Output: job.Output{Format: format}, Repeats: job.DropRepeats}, articles...)
		if want == "" {
			want, _ = wrote(t, job.WriterOptions{Output: job.Output{Format: format}}, articles[0], articles[2], articles[5])
		}
		if len(counts) != 2 {
			t.Errorf("%s: %v", format, counts)
			continue
		}
		if got != want || counts[0].Repeated+counts[1].Repeated != 3 {
			t.Errorf("%s: %q, not %q", format, got, want)
		}
	}
}

// A byte of the source that is not UTF-8 is a character in every format, and a record of WARC is as long as it says.
func TestStrayBytesAreCharactersInEveryFormat(t *testing.T) {
	for _, format := range job.Outputs() {
		if format == "parquet" {
			continue
		}
		article := &text.Article{ID: "1", Text: "Stra\xDFe \xE4\xE4 und W\u00F6rter", URL: "http://a.example/", Source: "a.html",
			Blocks: []text.Block{{Span: text.Span{End: len("Stra?e ?? und W\u00F6rter")}}}}
		out, _ := wrote(t, job.WriterOptions{Output: job.Output{Format: format}}, article)
		escaped := strings.NewReplacer("\uFFFD", "?", `\ufffd`, "?", `\u00f6`, "\u00F6").Replace(out)
		if !utf8.ValidString(out) || !strings.Contains(escaped, "Stra?e ?? und W\u00F6rter") {
			t.Errorf("%s: %q", format, out)
		}
		if _, record, isRecord := strings.Cut(out, "WARC-Type: conversion"); isRecord {
			head, body, _ := strings.Cut(record, "\r\n\r\n")
			_, length, _ := strings.Cut(head, "Content-Length: ")
			if n, err := strconv.Atoi(strings.TrimSpace(length)); err != nil || n != len(strings.TrimSuffix(body, "\r\n\r\n")) {
				t.Errorf("%s: %q", length, body)
			}
		}
	}
}

func TestArticlesAreRowsOfFineWeb(t *testing.T) {
	type row struct {
		Text          string   `parquet:"text"`
		ID            string   `parquet:"id"`
		Dump          *string  `parquet:"dump,optional"`
		URL           *string  `parquet:"url,optional"`
		Date          *string  `parquet:"date,optional"`
		FilePath      string   `parquet:"file_path"`
		Language      *string  `parquet:"language,optional"`
		LanguageScore *float64 `parquet:"language_score,optional"`
		TokenCount    *int64   `parquet:"token_count,optional"`
	}
	full := &text.Article{ID: "1", Text: "Ärger\x00 \"so\"", URL: "http://a.example/", Added: "2024-01-02T03:04:05Z", Source: "a.html",
		Tokens: make([]text.Token, 3)}
	full.Metadata.Languages = []text.Language{{Tag: "de", Probability: 0.75}, {Tag: "en", Probability: 0.25}}
	short, empty := &text.Article{ID: "2", Text: "x", Source: "b.txt"}, &text.Article{ID: "3"}
	out, _ := wrote(t, job.WriterOptions{Output: job.Output{Format: "parquet"}}, full, short, empty)
	rows, err := parquet.Read[row](strings.NewReader(out), int64(len(out)))
	if err != nil || len(rows) != 2 {
		t.Fatal(len(rows), err)
	}
	a, b := rows[0], rows[1]
	if a.Text != full.Text || a.ID != "1" || a.Dump != nil || *a.URL != full.URL || *a.Date != full.Added || a.FilePath != "a.html" ||
		*a.Language != "de" || *a.LanguageScore != 0.75 || *a.TokenCount != 3 {
		t.Errorf("%+v", a)
	}
	if b.Text != "x" || b.URL != nil || b.Date != nil || b.Language != nil || b.LanguageScore != nil || b.TokenCount != nil {
		t.Errorf("%+v", b)
	}
	file, err := parquet.OpenFile(strings.NewReader(out), int64(len(out)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range file.Schema().Fields() {
		names = append(names, f.Name())
	}
	if got := strings.Join(names, " "); got != "text id dump url date file_path language language_score token_count" {
		t.Error(got)
	}
}
