package daemon_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"laundromat/internal/fault"
	"laundromat/internal/linesort"
	"laundromat/internal/outfile"
	"laundromat/seedlist"
	"laundromat/states"
	"laundromat/states/daemon"
	"laundromat/states/kind"
)

// repairedByCommand is the diff that wash and check --repairs write of bytes that came from a URI, as a [states.Washer]
// does for them.
func repairedByCommand(t *testing.T, uri, contentType string, body []byte) string {
	t.Helper()
	target := states.NewSorted(linesort.Options{}, func() (states.LineWriter, error) { return outfile.Nowhere{}, nil })
	defer target.Close()
	var diff bytes.Buffer
	washer := &states.Washer{Target: target, Diffs: &states.Diffs{To: &diff}}
	washer.Temp = t.TempDir()
	in := states.Input{Name: uri, FileName: states.FileNameIn(uri), Source: bytes.NewReader(body), ContentType: contentType, Base: uri}
	if err := washer.Wash(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	return diff.String()
}

// The diff of a stored document is the one that the command writes of the same bytes under the same name.
func TestRepairsOfAStoredDocumentAreThoseOfTheCommand(t *testing.T) {
	const nt = "<http://e/1> <http://e/p> <http://e/a b> .\n<http://e/2> <http://e/p> \"x\"@en_GB\n"
	const turtle = "@PREFIX e: <http://e/> .\n# 1\n# 2\n# 3\n# 4\n# 5\n" +
		"e:s foaf:name \"x\"@en_gb ;\n  e:p <http://e/a b>\ne:t e:p \"C:\\data\" .\n"
	latin, err := charmap.ISO8859_1.NewEncoder().String("<http://e/s> <http://e/p> \"Zo\u00eb\"@nl_BE .\n")
	if err != nil {
		t.Fatal(err)
	}
	wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(nt)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for _, name := range []string{"a.nt", "deep/b c.ttl"} {
		to, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(to, map[string]string{"a.nt": nt, "deep/b c.ttl": turtle}[name])
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	const xml = "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"http://e/\">\n" +
		"<rdf:Description rdf:about=\"http://e/a b\"><e:p>R & D</e:p></rdf:Description>\n</rdf:RDF>\n"
	const json = "{\"@id\":\"http://e/s\",\"http://e/q\":\"a\tb\",\"http://e/p\":[1,,],}\n"
	const page = "<!DOCTYPE html>\n<p about=\"http://e/s\" property=\"http://e/p\" lang=\"en_GB\">x</p>\n<a rel=\"http://e/r\" href=\"/a b\">y</a>\n"
	open := strings.ReplaceAll(strings.TrimSuffix(turtle, "\n"), "\n", "\r\n")
	cases := map[string]struct {
		path, contentType, body string
		entries                 []string
		has                     []string // in the diff
	}{
		"Turtle": {"/a.ttl", "text/turtle", turtle, nil,
			[]string{": 6 of 6 repairs\n", "\n+@prefix foaf: ", "\n+e:s foaf:name \"x\"@en-gb ;\n"}},
		"CRLF, no end": {"/c.ttl", "text/turtle", open, nil, []string{"\\ No newline", "\r\n"}},
		"N-Triples": {"/a.nt", "application/n-triples", nt, nil,
			[]string{": 3 of 3 repairs\n", "\n+<http://e/1> <http://e/p> <http://e/a%20b> .\n"}},
		"RDF/XML": {"/a.rdf", "application/rdf+xml", xml, nil, []string{"\n+", "R &amp; D"}},
		"JSON-LD": {"/a.jsonld", "application/ld+json", json, nil,
			[]string{"# not here: ", "a\\tb"}},
		"HTML": {"/a.html", "text/html", page, nil, []string{"\n+"}},
		"Latin 1": {"/l.nt", "application/n-triples; charset=iso-8859-1", latin, nil,
			[]string{"\n+<http://e/s> <http://e/p> \"Zo\xeb\"@nl-BE .\n"}},
		"UTF-16": {"/w.nt", "application/n-triples", wide, nil,
			[]string{": 0 of 3 repairs\n", "can't be written back into utf-16le as it was\n"}},
		"members": {"/z.zip", "application/zip", packed.String(), []string{"a.nt", "deep/b c.ttl"},
			[]string{"/z.zip!/a.nt: 3 of 3", "/z.zip!/deep/b c.ttl: 6 of 6"}},
		"no repair":    {"/s.nt", "application/n-triples", "<http://e/1> <http://e/p> <http://e/a> .\n", nil, nil},
		"no base":      {"/r.nt", "application/n-triples", "<1> <http://e/p> <http://e/a> .\n", nil, []string{": 1 of 1 repairs\n"}},
		"another name": {"/a+b&c.nt", "text/plain", nt, nil, []string{"/a+b&c.nt\n"}},
	}
	w := newWorld(t, seedlist.Options{})
	for _, c := range cases {
		w.serve(c.path, c.contentType, c.body)
		w.add(c.path)
	}
	w.run()
	for name, c := range cases {
		made := daemon.Repairs{Files: w.files, Seeds: w.seeds, Settings: w.opt.Settings}
		seeds := []seedlist.Seed{w.seed(c.path)}
		names := []string{w.uri(c.path)}
		if c.entries != nil {
			seeds, names = nil, nil
			for _, entry := range c.entries {
				seeds = append(seeds, w.child(c.path, entry))
				names = append(names, w.uri(c.path)+"!/"+entry)
			}
		}
		var got bytes.Buffer
		for i := range seeds {
			if err := made.Write(t.Context(), seeds[i], names[i], &got); err != nil {
				t.Errorf("%s: %s: %v", name, names[i], err)
			}
		}
		want := repairedByCommand(t, w.uri(c.path), c.contentType, []byte(c.body))
		if got.String() != want {
			t.Errorf("%s: the daemon's is\n%q\nand the command's\n%q", name, got.String(), want)
		}
		for _, part := range c.has {
			if !strings.Contains(got.String(), part) {
				t.Errorf("%s: there is no %q in\n%s", name, part, got.String())
			}
		}
		if c.has == nil && got.Len() > 0 {
			t.Errorf("%s: %s", name, got.String())
		}
	}
}

// A document of which no diff can be made is refused with the reason, and nothing is written.
func TestRepairsSayWhyThereAreNone(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.opt.Products = []string{kind.Statements, kind.Records}
	const text = "<http://e/1> <http://e/p> <http://e/a b> .\n"
	w.serve("/t.csv", "text/csv", "a,b\n1,2\n")
	w.serve("/a.nt", "application/n-triples", text)
	w.add("/t.csv", "/a.nt")
	w.run()
	gone := w.seed("/a.nt")
	gone.Removed.Dirty = &seedlist.Removal{By: "--keep-dirty none"}
	for name, c := range map[string]struct {
		seed seedlist.Seed
		most int64
		kind fault.Kind
		says string
	}{
		"a table":       {w.seed("/t.csv"), 0, fault.Data, "CSV"},
		"bytes removed": {gone, 0, fault.Data, "--keep-dirty none"},
		"too long":      {w.seed("/a.nt"), int64(len(text)) - 1, fault.Limit, "too long"},
		"long enough":   {w.seed("/a.nt"), int64(len(text)), fault.Unknown, ""},
	} {
		made := daemon.Repairs{Files: w.files, Seeds: w.seeds, Settings: w.opt.Settings, Most: c.most}
		var got bytes.Buffer
		err := made.Write(t.Context(), c.seed, "x", &got)
		if fault.KindOf(err) != c.kind || err != nil && !strings.Contains(err.Error(), c.says) || (err == nil) != (got.Len() > 0) {
			t.Errorf("%s: %v, %q", name, err, got.String())
		}
	}
}
