package articles_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/records"
	"laundromat/report"
	"laundromat/states/articles"
	"laundromat/states/inputs"
	"laundromat/text/job"
)

// pages are a page, what is no text, a plain text, and a file that is not there.
func pages(t *testing.T) (names []string) {
	t.Helper()
	root := t.TempDir()
	for _, file := range [][2]string{
		{"a.html", "<html><title>One</title><body><p>The first page.</p></body></html>"},
		{"b.nt", "<http://a/a> <http://a/b> <http://a/c> .\n<http://a/a> <http://a/b> <http://a/d> .\n"},
		{"c.txt", "The second text.\n"},
	} {
		name := filepath.Join(root, file[0])
		if err := os.WriteFile(name, []byte(file[1]), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return append(names, filepath.Join(root, "d.html"))
}

func TestArticlesComeInTheOrderOfTheInputsWithAReportForEach(t *testing.T) {
	for _, as := range job.Outputs() {
		var out bytes.Buffer
		var reported []report.Document
		output := job.WriterOptions{Output: job.Output{Format: as}, Temp: t.TempDir()}
		run := articles.New(&out, articles.Options{Output: output, Memory: 64 << 20, Samples: 5,
			Each: func(d *report.Document) { reported = append(reported, *d) }})
		names := pages(t)
		if _, err := run.Read(t.Context(), names, &inputs.Opener{}); err != nil {
			t.Fatal(err)
		}
		if err := run.Close(); err != nil {
			t.Error(err)
		}
		first, second := bytes.Index(out.Bytes(), []byte("first")), bytes.Index(out.Bytes(), []byte("second"))
		if as != "f5" && as != "full5" && as != "parquet" && (first < 0 || second < first) {
			t.Errorf("%s: %q", as, out.Bytes())
		}
		if len(reported) != len(names) {
			t.Fatalf("%s: %d reports of %d inputs", as, len(reported), len(names))
		}
		for i, d := range reported {
			if failed := i == 1 || i == 3; d.Name != names[i] || (d.Error != nil) != failed {
				t.Errorf("%s: %s: error %v", as, d.Name, d.Error)
			} else if !failed && d.Articles.Kept != 1 {
				t.Errorf("%s: %s: %+v", as, d.Name, d.Articles)
			}
		}
		for line := range bytes.Lines(out.Bytes()) {
			if as == "jsonl" && !json.Valid(line) {
				t.Errorf("no JSON: %s", line)
			}
		}
	}
}

// full is an output that takes nothing.
type full struct{}

var errFull = errors.New("no space is left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// What people don't read makes no article, also where nothing but its content says what it is.
func TestWhatIsNoTextMakesNoArticle(t *testing.T) {
	controls := make([]byte, 3000)
	for i := range controls {
		controls[i] = byte(i * i >> 3)
	}
	for name, content := range map[string]string{
		"RTF": `{\rtf1\ansi hello}`, "PDF": "%PDF-1.4\n1 0 obj\n<<>>\nendobj\n", "PostScript": "%!PS-Adobe-3.0\n/a 1 def\n",
		"binary data": string(controls), "SQL": "CREATE TABLE a (id int, n text);\nINSERT INTO a VALUES (1, 'x');\nINSERT INTO a VALUES (2, 'y');\n",
		"log":      strings.Repeat("2024-01-01 10:00:00 INFO started the thing\n", 9),
		"calendar": "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:1\nEND:VEVENT\nEND:VCALENDAR\n", "list of addresses": strings.Repeat(
			"http://e.example/data.ttl\n", 3),
	} {
		file := filepath.Join(t.TempDir(), "unnamed")
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		var reported []report.Document
		run := articles.New(&out, articles.Options{Output: job.WriterOptions{Output: job.Output{Format: "jsonl"}, Temp: t.TempDir()},
			Memory: 64 << 20, Each: func(d *report.Document) { reported = append(reported, *d) }})
		if _, err := run.Read(t.Context(), []string{file}, &inputs.Opener{}); err != nil {
			t.Fatal(err)
		}
		if err := run.Close(); err != nil || out.Len() > 0 || len(reported) != 1 || reported[0].Error == nil ||
			!strings.Contains(reported[0].Error.Message, name) {
			t.Errorf("%s: %.60q, %+v, %v", name, out.Bytes(), reported, err)
		}
	}
}

func TestAnOutputThatFailsEndsTheRunAndIsNoFaultOfADocument(t *testing.T) {
	long := filepath.Join(t.TempDir(), "long.txt")
	if err := os.WriteFile(long, bytes.Repeat([]byte("A sentence of the text.\n"), 40_000), 0o600); err != nil {
		t.Fatal(err)
	}
	run := articles.New(full{}, articles.Options{Output: job.WriterOptions{Output: job.Output{Format: "jsonl"}}, Memory: 64 << 20,
		Each: func(d *report.Document) {
			if d.Error != nil {
				t.Errorf("the document is blamed: %v", d.Error)
			}
		}})
	defer run.Close()
	_, err := run.Read(t.Context(), []string{long, long}, &inputs.Opener{})
	if !errors.As(err, new(*records.SinkError)) || !errors.Is(err, errFull) {
		t.Error(err)
	}
}
