package lint

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"laundromat/records"
	"laundromat/records/extract"
	"laundromat/records/job"
	"laundromat/records/match"
	"laundromat/records/spec"
)

// fixture is an input that is kept with a spec, and what it should give.
type fixture struct {
	file string
	text []byte
	expectation
}

// expectation is what a fixture should give. Its file, in JSON or YAML, holds the list of the
// records, or a mapping:
//
//	url       the address that the page had, for its links
//	accessed  when it was fetched, for access_time
//	records   the records that it gives
//	selected  the records as the part select makes them, where map or schema change them
//	statements  the clean N-Quads that the part rdf makes of them, a list of lines or one text, in any order
type expectation struct {
	from     string // the file; "" if there is none
	url      string
	accessed time.Time
	known    bool // that there are expected records
	records  []records.Value
	nodes    []*spec.Node // of the records, for their places
	selected []records.Value
	states   bool         // that there are expected statements
	lines    []string     // these
	lineNode []*spec.Node // of these, for their places
}

// expectedSuffixes are what the files of expectations end in.
var expectedSuffixes = []string{".expected.json", ".expected.yaml", ".expected.yml"}

// fixturesOf reads the inputs, or the fixtures that are kept beside a spec.
func fixturesOf(specFile string, inputs []string, expected string) (all []*fixture, err error) {
	if len(inputs) == 0 {
		if inputs, err = beside(specFile); err != nil {
			return nil, err
		}
	}
	for _, name := range inputs {
		f := &fixture{file: name}
		if f.text, err = os.ReadFile(name); err != nil {
			return nil, err
		}
		if !utf8.Valid(f.text) && !bytes.HasPrefix(f.text, []byte("PK\x03\x04")) {
			return nil, fmt.Errorf("%s: a fixture is kept in UTF-8; recode it, with the declaration in it", name)
		}
		f.text = bytes.TrimPrefix(f.text, []byte("\uFEFF"))
		f.from = expected
		if err := f.findExpectation(); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// beside are the names of the fixtures of a spec.
func beside(specFile string) (names []string, err error) {
	folder := strings.TrimSuffix(specFile, filepath.Ext(specFile)) + ".fixtures"
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		folder = filepath.Join(filepath.Dir(specFile), "fixtures")
	}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
next:
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		for _, suffix := range expectedSuffixes {
			if strings.HasSuffix(e.Name(), suffix) {
				continue next
			}
		}
		names = append(names, filepath.Join(folder, e.Name()))
	}
	return names, err
}

// expectedFile is where expected records are written.
func (f *fixture) expectedFile() string {
	if f.from != "" {
		return f.from
	}
	return strings.TrimSuffix(f.file, filepath.Ext(f.file)) + expectedSuffixes[0]
}

func (f *fixture) findExpectation() error {
	if f.from != "" {
		text, err := os.ReadFile(f.from)
		if err != nil {
			return err
		}
		return f.parseExpectation(text)
	}
	for _, stem := range []string{strings.TrimSuffix(f.file, filepath.Ext(f.file)), f.file} {
		for _, suffix := range expectedSuffixes {
			text, err := os.ReadFile(stem + suffix)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			f.from = stem + suffix
			return f.parseExpectation(text)
		}
	}
	return nil
}

func (f *fixture) parseExpectation(text []byte) error {
	root, err := spec.Parse(f.from, text)
	if err != nil {
		return err
	}
	return f.readExpectation(root)
}

func (e *expectation) readExpectation(root *spec.Node) (err error) {
	list := root
	if root.Kind != spec.List {
		if err := root.Only("key of expected records", "url", "accessed", "selected", "records", "statements"); err != nil {
			return err
		}
		for _, entry := range root.Entries {
			if entry.Key == "url" || entry.Key == "accessed" {
				if err := entry.Value.Want(spec.Text); err != nil {
					return err
				}
			}
		}
		if n := root.Get("url"); n != nil {
			e.url = n.Text
		}
		if n := root.Get("accessed"); n != nil {
			if e.accessed, err = time.Parse(time.RFC3339, n.Text); err != nil {
				return n.Errorf("a time is written as 2024-03-01T12:00:00Z, not %q", n.Text)
			}
		}
		if n := root.Get("selected"); n != nil {
			if e.selected, err = objects(n); err != nil {
				return err
			}
		}
		if n := root.Get("statements"); n != nil {
			if err := e.readLines(n); err != nil {
				return err
			}
		}
		if list = root.Get("records"); list == nil {
			return nil
		}
	}
	e.known, e.nodes = true, list.Items
	e.records, err = objects(list)
	return err
}

// readLines reads expected statements.
func (e *expectation) readLines(n *spec.Node) error {
	e.states = true
	items := n.Items
	if n.Kind == spec.Text {
		items = []*spec.Node{n}
	} else if err := n.Want(spec.List); err != nil {
		return err
	}
	for _, item := range items {
		if err := item.Want(spec.Text); err != nil {
			return err
		}
		for line := range strings.Lines(item.Text) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				e.lines, e.lineNode = append(e.lines, line), append(e.lineNode, item)
			}
		}
	}
	return nil
}

func objects(list *spec.Node) (all []records.Value, err error) {
	if err := list.Want(spec.List); err != nil {
		return nil, err
	}
	all = []records.Value{}
	for _, item := range list.Items {
		if err := item.Want(spec.Map); err != nil {
			return nil, err
		}
		all = append(all, item.Value())
	}
	return all, nil
}

// document is the fixture as a job reads it.
func (f *fixture) document() job.Document {
	d := job.Document{URL: f.url, Accessed: f.accessed}
	d.Document = extract.Document{Name: f.url, FileName: f.file, Text: bytes.NewReader(f.text)}
	if d.Name == "" {
		d.Name = f.file
	}
	return d
}

// about is the same for a matcher.
func (f *fixture) about() match.Document {
	d := f.document()
	return match.Document{Name: d.Name, URL: d.URL, Accessed: d.Accessed}
}

// write writes the expectation as JSON.
func (f *fixture) write() error {
	b := []byte("{")
	line := func(key string) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(b, "\n  "...), '"')
		b = append(append(b, key...), "\": "...)
	}
	if f.url != "" {
		line("url")
		b = records.AppendJSONText(b, f.url)
	}
	if !f.accessed.IsZero() {
		line("accessed")
		b = records.AppendJSONText(b, f.accessed.UTC().Format(time.RFC3339))
	}
	if f.selected != nil {
		line("selected")
		b = appendList(b, f.selected)
	}
	line("records")
	b = appendList(b, f.records)
	if f.states {
		line("statements")
		b = append(b, '[')
		for i, text := range f.lines {
			if i > 0 {
				b = append(b, ',')
			}
			b = records.AppendJSONText(append(b, "\n    "...), text)
		}
		if len(f.lines) > 0 {
			b = append(b, "\n  "...)
		}
		b = append(b, ']')
	}
	b = append(b, "\n}\n"...)
	f.from = f.expectedFile()
	if strings.HasSuffix(f.from, ".json") {
		return os.WriteFile(f.from, b, 0o666)
	}
	return fmt.Errorf("%s: expected records are written as JSON; remove this file to have them written", f.from)
}

// appendList appends records, a member a line.
func appendList(b []byte, all []records.Value) []byte {
	b = append(b, '[')
	for i := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "\n    {"...)
		for k := range all[i].Fields {
			if k > 0 {
				b = append(b, ',')
			}
			b = append(records.AppendJSONText(append(b, "\n      "...), all[i].Fields[k].Name), ": "...)
			b = all[i].Fields[k].Value.AppendJSON(b)
		}
		b = append(b, "\n    }"...)
	}
	if len(all) > 0 {
		b = append(b, "\n  "...)
	}
	return append(b, ']')
}
