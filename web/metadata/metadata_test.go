package metadata_test

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
	"laundromat/rdf/statistics"
	"laundromat/rdf/write"
	"laundromat/seedlist"
	"laundromat/seedlist/catalog"
	"laundromat/web/metadata"
)

var at = time.Date(2026, 11, 29, 18, 0, 0, 123456789, time.UTC)

// rich is a dataset of which everything is known, and hostile texts in all that others write.
func rich(text string) metadata.Dataset {
	n := func(n int64) *int64 { return &n }
	sum := strings.Repeat("ab", 32)
	seed := seedlist.Seed{Hash: strings.Repeat("0a", 16), URI: "http://example.org/data.ttl?q=" + text}
	if strings.Contains(text, "secret") {
		seed.URI = "http://user:secret@example.org/data"
	}
	seed.Status = seedlist.Parsed
	seed.Children = []string{strings.Repeat("0b", 16)}
	seed.Added, seed.Retrieved, seed.Processed, seed.Clean = at, at, at, strings.Repeat("0c", 16)
	seed.Title, seed.Parent, seed.Format = text, strings.Repeat("0d", 16), "Turtle"
	seed.Claims = map[string]string{catalog.Publisher: text, catalog.License: text}
	seed.Content = &digest.Content{MD5: strings.Repeat("0e", 16), SHA256: sum, NumberOfBytes: 12}
	seed.Statements = &digest.Statements{Read: 10, Kept: 7, Repaired: 2, Dropped: 1, Written: 9}
	seed.Notices = map[fault.Code]int64{fault.LiteralIllTyped: 1}
	seed.Products = []seedlist.Product{
		{Name: seedlist.ProductStatements, SHA256: sum, Bytes: n(500)},
		{Name: seedlist.ProductRecords, SHA256: sum, Bytes: n(50)}, {Name: seedlist.ProductArticles, SHA256: sum, Bytes: n(5)},
	}
	seed.History = []seedlist.Version{{Number: 1, Retrieved: at, Washed: at, Clean: "x", Written: n(3)},
		{Number: 2, Retrieved: at, Washed: at, Clean: seed.Clean, Written: n(9), Kept: true}}
	lines := "<http://example.org/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://xmlns.com/foaf/0.1/Person> .\n"
	counted, err := statistics.Read(strings.NewReader(lines))
	if err != nil {
		panic(err)
	}
	return metadata.Dataset{Seed: seed, Name: seed.URI, Statistics: counted, Attempts: []seedlist.Attempt{
		{ParserName: "downloading", ParserVersion: "0.1.0 " + text, AccessDatetime: at, Result: text, Fence: 1, SourceURL: seed.URI},
		{ParserName: "parsing", ParserVersion: "0.1.0", AccessDatetime: at, ParserRuntime: 1.5, Result: "success", Fence: 2},
		{ParserName: "parsing", ParserVersion: "0.1.0", AccessDatetime: at, Result: "limit/memory", Kind: "limit", Fence: 2},
	}}
}

// whole is all that can be described of a site with one dataset.
func whole(base string, d metadata.Dataset) *metadata.Graph {
	var g metadata.Graph
	site := metadata.Site{Base: base, Version: "0.1.0"}
	site.Describe(&g, &d)
	site.Root(&g, 1)
	site.Catalog(&g, &metadata.Page{Cursor: "a&b", Next: "c", Limit: 7, Total: 1, Datasets: []metadata.Dataset{d}})
	file := metadata.Dataset{Seed: seedlist.Seed{Hash: d.Seed.Clean}}
	file.Seed.Status, file.Seed.Content, file.Seed.Dirty = seedlist.Cleaned, d.Seed.Content, d.Seed.Hash
	site.Describe(&g, &file)
	return &g
}

func written(t *testing.T, g *metadata.Graph, syntax write.Syntax) string {
	t.Helper()
	var b bytes.Buffer
	if err := g.Write(&b, syntax); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// washed are the clean lines of a text, sorted, and what was found in it.
func washed(t *testing.T, text string, f format.Format) (lines []string, notices []fault.Notice) {
	t.Helper()
	chain, _ := clean.Chain(clean.Options{}, clean.EachLine(func(line []byte) error {
		lines = append(lines, string(line))
		return nil
	}), func(n fault.Notice) { notices = append(notices, n) })
	options := format.Options{Input: rdf.Input{Base: "http://base.example/"}}
	_, err := format.Parse(context.Background(), f, strings.NewReader(text), options, chain)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	return slices.Compact(lines), notices
}

// What is written is clean already, whatever others wrote into titles, claims and addresses, and each form says the
// same. What they wrote in a doubtful way stays as they wrote it: of that there are warnings, and of nothing else.
func TestADescriptionIsWashedWithoutANotice(t *testing.T) {
	doubtful := []string{"http://[::1]:80/", "\xff\xfe", "<b>&amp;</b>]]>", "http://%41/"}
	for _, text := range append(doubtful,
		"Books", "http://example.org/", "http://user:secret@example.org/", "http://[::1]:8080/", "http://exa mple/", "mailto:a@b",
		"urn:x:y",
		"a \" b \\ c \n d \t e", "\x00\x01\x7f", "http://example.org/%zz", "http://example.org/ä?ö#ü", "http:", "https:///x",
		"\uFFFE\uFFFF", "http://example.org/|^`{}", "", "  ", "file:///etc/passwd", "http://example.org/a[b]", "日本語",
		"http://example.org/\u202e", "data:,x", "http://例え.jp/", "javascript:alert(1)", "_:b", "0-1",
	) {
		g := whole("https://example.org/laundromat", rich(text))
		lines := written(t, g, write.NQuads)
		for _, form := range []struct {
			syntax write.Syntax
			format format.Format
		}{{write.NQuads, format.NQuads}, {write.Turtle, format.Turtle}, {write.JSONLD, format.JSONLD}} {
			all, notices := washed(t, written(t, g, form.syntax), form.format)
			notices = slices.DeleteFunc(notices, func(n fault.Notice) bool {
				return n.Severity == fault.Warning && slices.Contains(doubtful, text)
			})
			if len(notices) > 0 {
				t.Errorf("%q as %s: %v", text, form.format, notices)
			}
			if got := strings.Join(all, "\n") + "\n"; got != lines {
				t.Errorf("%q: %s says something else than the lines", text, form.format)
			}
		}
		if strings.Contains(lines, "secret") {
			at := strings.Index(lines, "secret")
			t.Errorf("%q: a password is told: %s", text, lines[max(0, at-200):at+50])
		}
	}
}

// Every term is one that its vocabulary has.
func TestTermsAreThoseOfTheirVocabularies(t *testing.T) {
	text, err := os.ReadFile("testdata/terms.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		for _, word := range words[1:] {
			known[words[0]+":"+word] = true
		}
	}
	turtle := written(t, whole("https://example.org", rich("Books")), write.Turtle)
	seen := map[string]bool{}
	for _, term := range regexp.MustCompile(`(?m)(?:^|[\s^])([a-z]+:[A-Za-z0-9_-]+)`).FindAllStringSubmatch(withoutTexts(turtle), -1) {
		seen[term[1]] = true
		if !known[term[1]] && term[1] != "foaf:Person" {
			t.Errorf("no vocabulary has %s", term[1])
		}
	}
	for wanted := range strings.FieldsSeq("dcat:byteSize spdx:checksumValue void:classPartition dqv:value prov:Activity hydra:next") {
		if !seen[wanted] {
			t.Errorf("%s was not looked at", wanted)
		}
	}
}

// withoutTexts takes literals and IRIs out of a text in Turtle, and the declarations.
func withoutTexts(turtle string) string {
	turtle = regexp.MustCompile(`(?m)^@prefix.*$`).ReplaceAllString(turtle, "")
	turtle = regexp.MustCompile(`"(?:[^"\\]|\\.)*"(?:@[a-z-]+)?`).ReplaceAllString(turtle, "x")
	return regexp.MustCompile(`<[^>]*>`).ReplaceAllString(turtle, "x")
}

// An activity began before what it made was there, and ended after (PROV-CONSTRAINTS, constraint 34).
func TestWhatWasMadeWasMadeWithinItsActivity(t *testing.T) {
	d := rich("Books")
	d.Attempts[0].AccessDatetime = at.Truncate(time.Second)
	lines := written(t, whole("https://example.org", d), write.NQuads)
	when := func(subject, property string) string {
		m := regexp.MustCompile(`(?m)^<https://example.org/id/` + d.Seed.Hash + `#` + subject + `> <http://www.w3.org/ns/prov#` + property +
			`> "([^"]*)"`).FindStringSubmatch(lines)
		if m == nil {
			t.Fatalf("%s of %s is not told", property, subject)
		}
		return m[1]
	}
	made := "#dirty> <http://www.w3.org/ns/prov#wasGeneratedBy> <https://example.org/id/" + d.Seed.Hash + "#downloading-1>"
	if !strings.Contains(lines, made) {
		t.Error("nobody made the bytes")
	}
	begin, there, end := when("downloading-1", "startedAtTime"), when("dirty", "generatedAtTime"), when("downloading-1", "endedAtTime")
	if begin > there || there > end {
		t.Error(begin, there, end)
	}
}
