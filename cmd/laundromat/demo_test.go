package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/demo"
	"laundromat/report"
	"laundromat/seedlist"
)

// demoRow is what must become of a document of the demo. The numbers were counted
// by hand in the files of internal/demo.
type demoRow struct {
	state    seedlist.State
	format   string
	encoding string
	// written are the statements that the document says, each once; read is how many
	// are there, and of these repaired were mended and dropped lost.
	read, repaired, dropped, written int64
	notices                          []string // "code line", in document order
	sources                          string   // of a page
	failure                          string   // the code of the error
	// of the records that the document has, and how many of these were dropped; of its articles, and how many are empty
	records, recordsDropped, articles, articlesEmpty int64
	replies                                          int // of servers, redirects included
	children                                         int
}

// demoRows are the documents by the path of their URI; members with !/.
var demoRows = map[string]demoRow{
	// Clean documents: what they say, and no more than notes on how they say it.
	"clean.nt": {state: seedlist.Parsed, format: "N-Triples", encoding: "utf-8", read: 4, written: 4, replies: 1},
	// one line is there twice
	"people.nq": {state: seedlist.Parsed, format: "N-Quads", encoding: "utf-8", read: 5, written: 4, replies: 1},
	"books.ttl": {state: seedlist.Parsed, format: "Turtle", encoding: "utf-8", read: 11, written: 11, replies: 1,
		notices: []string{"language/case 6"}},
	"graphs.trig": {state: seedlist.Parsed, format: "TriG", encoding: "utf-8", read: 5, written: 5, replies: 1,
		notices: []string{"literal/non-canonical 7", "literal/non-canonical 11"}},
	"ontology.rdf": {state: seedlist.Parsed, format: "RDF/XML", encoding: "utf-8", read: 6, written: 6, replies: 1},
	"event.jsonld": {state: seedlist.Parsed, format: "JSON-LD", encoding: "utf-8", read: 7, written: 7, replies: 1},
	// Its RDFa and its script say one thing both; the base element gives both their subject.
	"page.html": {state: seedlist.Parsed, format: "HTML", encoding: "utf-8", read: 11, written: 10, replies: 1,
		sources: "5 RDFa, 3 Microdata, 3 JSON-LD", articles: 1, notices: []string{"text/no-date 22"}},

	// A page that is an article with a table, a table in another encoding with two rows of a wrong length, and a feed.
	"lighthouse.html": {state: seedlist.Parsed, format: "HTML", encoding: "utf-8", read: 3, written: 3, replies: 1,
		sources: "0 RDFa, 0 Microdata, 3 JSON-LD", records: 3, articles: 1},
	"tides.csv": {state: seedlist.Parsed, format: "CSV", encoding: "windows-1252", replies: 1, records: 8, recordsDropped: 1,
		notices: []string{"encoding/guessed 0", "table/row-short 7", "table/row-long 8"}},
	"news.rss": {state: seedlist.Parsed, format: "RSS", encoding: "utf-8", replies: 1, articles: 3, articlesEmpty: 1,
		notices: []string{"text/empty 22"}},

	// Dirty ones: every good statement is kept, every fault is a notice at its line.
	"dirty.nt": {state: seedlist.Parsed, format: "N-Triples", encoding: "utf-8", read: 12, repaired: 3, dropped: 3, written: 9, replies: 1,
		notices: []string{
			"syntax/unclosed-string 2", "iri/space 4", "syntax/missing-dot 5", "syntax/unknown-word 6",
			"language/underscore 7", "language/case 7", "literal/ill-typed 9", "literal/non-canonical 10", "syntax/misplaced-term 11",
		}},
	"dirty.ttl": {state: seedlist.Parsed, format: "Turtle", encoding: "utf-8", read: 19, repaired: 2, dropped: 2, written: 17, replies: 1,
		notices: []string{
			"syntax/unknown-escape 3", "syntax/unclosed-string 4", "syntax/undeclared-prefix 6", "syntax/undeclared-prefix 7",
			"syntax/stray-punctuation 9",
		}},
	"dirty.rdf": {state: seedlist.Parsed, format: "RDF/XML", encoding: "utf-8", read: 6, repaired: 3, dropped: 1, written: 5, replies: 1,
		notices: []string{
			"syntax/xml-bare-ampersand 4", "syntax/undeclared-prefix 8", "syntax/undeclared-prefix 9", "syntax/xml-mismatched-end-tag 12",
		}},

	// An archive in an archive.
	"nested.tar.gz": {state: seedlist.Depleted, replies: 1, children: 3},
	"nested.tar.gz!/survey/readme.txt": {state: seedlist.Parsed, format: "text", encoding: "utf-8", articles: 1,
		notices: []string{"text/no-date 0"}},
	"nested.tar.gz!/survey/index.nq":                {state: seedlist.Parsed, format: "N-Quads", encoding: "utf-8", read: 2, written: 2},
	"nested.tar.gz!/survey/seasons.zip":             {state: seedlist.Depleted, children: 2},
	"nested.tar.gz!/survey/seasons.zip!/spring.ttl": {state: seedlist.Parsed, format: "Turtle", encoding: "utf-8", read: 3, written: 3},
	"nested.tar.gz!/survey/seasons.zip!/autumn.nt":  {state: seedlist.Parsed, format: "N-Triples", encoding: "utf-8", read: 2, written: 2},

	// Encodings.
	"latin1.nt": {state: seedlist.Parsed, format: "N-Triples", encoding: "windows-1252", read: 4, written: 4, replies: 1,
		notices: []string{"encoding/guessed 0"}},
	"utf16.ttl": {state: seedlist.Parsed, format: "Turtle", encoding: "utf-16le", read: 3, written: 3, replies: 1},
	"mixed.nt": {state: seedlist.Parsed, format: "N-Triples", encoding: "utf-8", read: 16, repaired: 1, dropped: 1, written: 15, replies: 1,
		notices: []string{
			"encoding/mixed 0", "encoding/mixed-bytes 15", "encoding/invalid-bytes 16",
		}},

	// Servers.
	"missing": {state: seedlist.Failed, failure: "http/status", replies: 1},
	"old":     {state: seedlist.Parsed, format: "Turtle", encoding: "utf-8", read: 1, written: 1, replies: 3},
	"loop":    {state: seedlist.Failed, failure: "http/redirect-loop", replies: 2},
	// 165,836 bytes come out of what is left of the gzip file: 1,507 whole lines and a
	// piece of one. The cut itself counts as one lost.
	"cut.nt.gz": {state: seedlist.Parsed, format: "N-Triples", encoding: "utf-8", read: 1509, dropped: 2, written: 1507, replies: 1,
		notices: []string{
			"archive/truncated 0", "syntax/unclosed-iri 1508",
		}},
	"short.nt": {state: seedlist.Parsed, format: "N-Triples", encoding: "utf-8", read: 4, dropped: 2, written: 2, replies: 1,
		notices: []string{
			"http/short-body 0", "syntax/unclosed-string 3",
		}},
	"lie.ttl": {state: seedlist.Parsed, format: "Turtle", encoding: "utf-8", read: 2, written: 2, replies: 1,
		notices: []string{"http/content-type 0"}},
	"report.pdf":     {state: seedlist.Failed, format: "PDF", failure: "format/not-rdf", replies: 1},
	"../relative.nt": {state: seedlist.Added},
}

// TestDemoEndsAsTheTableSays washes the demo with the program and holds every
// record, every notice and every clean file against the table.
func TestDemoEndsAsTheTableSays(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	output(t, "serve", "--demo", "--until-idle", "--listen", "127.0.0.1:0", "--data", data)
	seeds := map[string]seedlist.Seed{}
	for _, seed := range seedsOf(t, data) {
		seeds[seed.Hash] = seed
	}
	found := map[string]bool{}
	for _, seed := range seeds {
		if seed.Status == seedlist.Cleaned {
			continue
		}
		name := demoName(seeds, seed)
		found[name] = true
		row, ok := demoRows[name]
		if !ok {
			t.Errorf("%s: not in the table", name)
			continue
		}
		t.Run(name, func(t *testing.T) { holdDemoRow(t, data, seed, row) })
	}
	for name := range demoRows {
		if !found[name] {
			t.Errorf("%s: not in the seed list", name)
		}
	}
}

// demoName is the name of a seed in the table.
func demoName(seeds map[string]seedlist.Seed, seed seedlist.Seed) string {
	if seed.Parent != "" {
		return demoName(seeds, seeds[seed.Parent]) + "!/" + seed.Archive.Entry
	}
	return strings.TrimPrefix(seed.URI, "http://"+demo.Host+"/")
}

func holdDemoRow(t *testing.T, data string, seed seedlist.Seed, want demoRow) {
	got := demoRow{state: seed.Status, format: seed.Format, replies: len(seed.HTTP), children: len(seed.Children)}
	if len(seed.Sources) > 0 {
		got.sources = report.Sources(seed.Sources).String()
		sum := int64(0)
		for _, n := range seed.Sources {
			sum += n
		}
		if sum != seed.Statements.Read {
			t.Errorf("the sources don't add up to %d: %v", seed.Statements.Read, seed.Sources)
		}
	}
	if seed.Encoding != nil {
		got.encoding = seed.Encoding.Chosen
	}
	if seed.Error != nil {
		got.failure = string(seed.Error.Code)
	}
	if s := seed.Statements; s != nil {
		got.read, got.repaired, got.dropped, got.written = s.Read, s.Repaired, s.Dropped, s.Written
		if s.Read != s.Kept+s.Repaired+s.Dropped || s.Written != s.Kept+s.Repaired-s.Duplicates {
			t.Errorf("the statements don't add up: %+v", *s)
		}
	}
	if s := seed.Records; s != nil {
		got.records, got.recordsDropped = s.Read, s.Dropped
		if s.Read != s.Kept+s.Repaired+s.Dropped || s.Written != s.Kept+s.Repaired {
			t.Errorf("the records don't add up: %+v", *s)
		}
	}
	if s := seed.Articles; s != nil {
		got.articles, got.articlesEmpty = s.Read, s.Empty
		if s.Read != s.Kept+s.Empty {
			t.Errorf("the articles don't add up: %+v", *s)
		}
	}
	counts := map[string]int64{}
	for _, n := range noticesOfSeed(t, data, seed) {
		got.notices = append(got.notices, fmt.Sprintf("%s %d", n.Code, n.Line))
		counts[string(n.Code)]++
	}
	for code, n := range seed.Notices {
		if counts[string(code)] != n {
			t.Errorf("the record counts %d × %s, the list has %d", n, code, counts[string(code)])
		}
	}
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		t.Errorf("got  %s\nwant %s", g, w)
	}
	if seed.Status != seedlist.Parsed {
		if seed.Clean != "" {
			t.Errorf("it is %s and has a clean file", seed.Status)
		}
		return
	}
	for name, rows := range map[string]int64{"records": got.records - got.recordsDropped, "articles": got.articles - got.articlesEmpty} {
		if rows == 0 {
			continue
		}
		if lines := output(t, "get", "--"+name, seed.Hash, "--data", data); int64(strings.Count(lines, "\n")) != rows {
			t.Errorf("%d %s are wanted, and there are\n%.2000s", rows, name, lines)
		}
	}
	if seed.Clean == "" {
		if want.written > 0 {
			t.Error("it has no clean file")
		}
		return
	}
	clean := output(t, "get", seed.Hash, "--data", data)
	lines := strings.SplitAfter(clean, "\n")
	if int64(len(lines)-1) != want.written || lines[len(lines)-1] != "" {
		t.Errorf("%d lines, want %d:\n%.2000s", len(lines)-1, want.written, clean)
	}
	if sorted := slices.Compact(slices.Sorted(slices.Values(lines[:len(lines)-1]))); !slices.Equal(sorted, lines[:len(lines)-1]) {
		t.Errorf("not sorted, or a line occurs twice:\n%.2000s", clean)
	}
}

// demoSays are lines that the clean files of dirty documents must hold: each fault
// costs only itself.
var demoSays = map[string][]string{
	"dirty.nt": {
		`<http://example.org/1> <http://example.org/p> "a good statement" .`,
		`<http://example.org/3> <http://example.org/sees> <http://example.org/a%20b> .`,
		`<http://example.org/4> <http://example.org/p> "no final dot" .`,
		`<http://example.org/5> <http://example.org/p> "underscore for hyphen"@en-us .`,
		`<http://example.org/6> <http://example.org/p> "31st of February" .`,
		`<http://example.org/7> <http://example.org/born> "2014-02-31"^^<http://www.w3.org/2001/XMLSchema#date> .`,
		`<http://example.org/8> <http://example.org/count> "7"^^<http://www.w3.org/2001/XMLSchema#integer> .`,
		`<http://example.org/9> <http://example.org/p> "the last good one" .`,
	},
	"dirty.ttl": {
		`<http://example.org/a> <http://example.org/q> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .`,
		`<http://example.org/b> <http://example.org/p> "bad escape \\q here" .`,
		`<http://example.org/c> <http://example.org/p> <http://example.org/d> .`,
		`<http://example.org/f> <http://example.org/p> "good again" .`,
		`<http://example.org/i> <http://xmlns.com/foaf/0.1/name> "a prefix that everybody knows" .`,
		`<http://example.org/l> <http://example.org/p> "the end" .`,
	},
	"dirty.rdf": {
		`<http://example.org/1> <http://example.org/name> "Smith & Sons" .`,
		`<http://example.org/2> <http://example.org/name> "good" .`,
		`<http://example.org/2> <http://xmlns.com/foaf/0.1/name> "a prefix that everybody knows" .`,
		`<http://example.org/3> <http://example.org/name> "a tag that is closed by another" .`,
		`<http://example.org/4> <http://example.org/name> "the last good one" .`,
	},
	"latin1.nt": {`<http://example.org/l1> <http://example.org/name> "Müller und Söhne" .`},
	"utf16.ttl": {`<http://example.org/u2> <http://example.org/name> "練習"@ja .`},
	"mixed.nt": {`<http://example.org/m15> <http://example.org/name> "Jürgen Habermas" .`,
		`<http://example.org/m13> <http://example.org/name> "Αριστοτέλης" .`},
	"page.html": {
		`<http://example.org/paintings/7> <http://purl.org/dc/terms/title> "View of Delft"@en .`,
		`<http://example.org/mauritshuis> <http://schema.org/name> "Mauritshuis"@en .`,
		`<http://example.org/paintings/7> <http://schema.org/location> <http://example.org/mauritshuis> .`,
	},
	"old": {`<http://demo.laundromat.test/old.ttl> <http://example.org/moved> "twice, and still here" .`},
}

func TestDemoKeepsEveryGoodStatement(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	output(t, "serve", "--demo", "--until-idle", "--listen", "127.0.0.1:0", "--data", data)
	for _, name := range slices.Sorted(maps.Keys(demoSays)) {
		clean := output(t, "get", "http://"+demo.Host+"/"+name, "--data", data)
		for _, line := range demoSays[name] {
			if !strings.Contains("\n"+clean, "\n"+line+"\n") {
				t.Errorf("%s lost %s", name, line)
			}
		}
	}
	if message := output(t, "why", "http://"+demo.Host+"/report.pdf", "--data", data); !strings.Contains(message, "PDF") {
		t.Errorf("the failure does not name PDF: %s", message)
	}
}
