package daemon_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// told is what a record says of a document, without what is of its URI and of the time.
func told(t *testing.T, seed seedlist.Seed) string {
	seed.Hash, seed.URI, seed.Worker = "", "", ""
	seed.HTTP, seed.History, seed.Due, seed.Fence, seed.WashedFrom = nil, nil, seed.Added, 0, ""
	seed.Retrieved, seed.Processed = seed.Added, seed.Added
	text, err := json.Marshal(seed)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"added", "due", "retrieved", "processed"} {
		delete(all, key)
	}
	text, _ = json.Marshal(all)
	return string(text)
}

// manyLines are so many statements, in no order.
func manyLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<http://example.org/%d> <http://example.org/p> \"%d\" .\n", i*7919%n, i)
	}
	return b.String()
}

func (w *world) notices(seed seedlist.Seed) string {
	if len(seed.Notices) == 0 {
		return ""
	}
	return w.changeFile(seedfile.Key(&seed, files.Notices), files.Notices)
}

// TestTheSameBytesAreWashedOnceWhereThatIsTheSame: what is taken over is what a wash of its own
// comes to, notices and counts included. Where the base or a blank node has a part in it, each is
// washed.
func TestTheSameBytesAreWashedOnceWhereThatIsTheSame(t *testing.T) {
	plain := nt("a") + nt("b") + nt("b") + `<http://e/x y> <http://e/p> "o"@en_US .` + "\n" + "broken\n" +
		`<http://e/a> <http://e/p> "007"^^<http://www.w3.org/2001/XMLSchema#integer> .` + "\n"
	for _, c := range []struct {
		name, body  string
		first, then string // paths
		kind, kind2 string // media types
		isShared    bool
	}{
		{"lines", plain, "/one/x.nt", "/two/y.nt", "application/n-triples", "application/n-triples", true},
		{"more than a member", manyLines(20_000), "/one/x.nt", "/two/y.nt", "application/n-triples", "application/n-triples", true},
		{"no name", plain, "/one/", "/two/", "text/plain", "text/plain", true},
		{"absolute base", "@base <http://e/> . <a> <p> <b>, <c> .", "/one/x.ttl", "/two/x.ttl", "text/turtle", "text/turtle", true},
		{"XML", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"><rdf:Description rdf:about="http://e/a"><e:p>x</e:p></rdf:Description></rdf:RDF>`,
			"/one/x.rdf", "/two/x.rdf", "application/rdf+xml", "application/rdf+xml", true},
		{"JSON-LD", `{"@id":"http://e/a","http://e/p":"x"}`, "/one/x.jsonld", "/two/x.jsonld", "application/ld+json", "application/ld+json",
			true},
		{"base", "<> <http://e/p> <http://e/b> .", "/one/x.ttl", "/two/x.ttl", "text/turtle", "text/turtle", false},
		{"base in XML", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"><rdf:Description rdf:ID="a"><e:p>x</e:p></rdf:Description></rdf:RDF>`,
			"/one/x.rdf", "/two/x.rdf", "application/rdf+xml", "application/rdf+xml", false},
		{"base in JSON-LD", `{"@id":"a","http://e/p":"x"}`, "/one/x.jsonld", "/two/x.jsonld", "application/ld+json", "application/ld+json",
			false},
		{"blank node", "<http://e/a> <http://e/p> _:b .\n", "/one/x.nt", "/two/x.nt", "application/n-triples", "application/n-triples",
			false},
		{"other type", plain, "/one/x.nt", "/two/x.nt", "application/n-triples", "text/turtle", false},
		{"other extension", plain, "/one/x.nt", "/two/x.ttl", "", "", false},
		{"page", `<html><body><p about="http://e/a" property="http://e/p">x</p></body></html>`, "/one/x.html", "/two/x.html", "text/html",
			"text/html", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			both, alone := newWorld(t, seedlist.Options{}), newWorld(t, seedlist.Options{})
			for _, w := range []*world{both, alone} {
				w.serve(c.first, c.kind, c.body)
				w.serve(c.then, c.kind2, c.body)
			}
			both.add(c.first)
			both.run()
			both.add(c.then)
			both.run()
			alone.add(c.then)
			alone.run()
			source, is, want := both.seed(c.first), both.seed(c.then), alone.seed(c.then)
			if is.Status != seedlist.Parsed || (is.WashedFrom == source.Hash) != c.isShared || want.WashedFrom != "" ||
				source.WashedFrom != "" {
				t.Fatalf("%s, washed from %q: %+v", is.Status, is.WashedFrom, is.Record)
			}
			if *is.BaseUsed != *want.BaseUsed || *is.BlankNodes != *want.BlankNodes || c.isShared && (*is.BaseUsed || *is.BlankNodes) {
				t.Errorf("base used %v, blank nodes %v", *is.BaseUsed, *is.BlankNodes)
			}
			// The two servers have other ports.
			port := func(w *world, text string) string { return strings.ReplaceAll(text, w.http.URL, "http://site") }
			if !strings.Contains(c.name, "base") && !strings.Contains(c.name, "blank") || c.isShared {
				if got, want := port(both, told(t, is)), port(alone, told(t, want)); got != want {
					t.Errorf("the record is\n%s\nalone\n%s", got, want)
				}
				if both.clean(is) != alone.clean(want) {
					t.Errorf("clean\n%s\nalone\n%s", both.clean(is), alone.clean(want))
				}
			}
			if got, want := both.notices(is), alone.notices(want); got != want {
				t.Errorf("notices\n%s\nalone\n%s", got, want)
			}
			mine, others := both.attempts(is.Hash), alone.attempts(want.Hash)
			if got, want := fmt.Sprint(mine[len(mine)-1].Counts, mine[len(mine)-1].InsertCount), fmt.Sprint(others[len(others)-1].Counts,
				others[len(others)-1].InsertCount); got != want {
				t.Errorf("counts %s, alone %s", got, want)
			}
			both.sound()
		})
	}
}

// TestAWashThatWasTakenOverStandsByItself: what becomes of the one it was taken from does
// not matter.
func TestAWashThatWasTakenOverStandsByItself(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	text := nt("a") + "broken\n"
	a := w.page("/a", []byte(text))
	b := w.page("/b", []byte(nt("0")))
	w.add("/a", "/b")
	w.run()
	b.set(200, []byte(text))
	w.retry("/b")
	w.run()
	is := w.seed("/b")
	if is.WashedFrom != w.seed("/a").Hash || is.Changes == nil || is.Changes.Added.Count != 1 || is.Changes.Removed.Count != 1 {
		t.Errorf("washed from %q, %+v", is.WashedFrom, is.Changes)
	}
	list := w.notices(is)
	w.sound()
	a.set(200, []byte(nt("other")))
	w.retry("/a")
	w.run()
	w.sound()
	if is = w.seed("/b"); w.clean(is) != nt("a") || w.notices(is) != list || w.seed("/a").WashedFrom != "" {
		t.Errorf("%s%s", w.clean(is), w.notices(is))
	}
	if answers, err := w.seeds.Remove(t.Context(), w.seed("/a").Hash); err != nil || answers[0] != nil {
		t.Fatal(answers, err)
	}
	w.sound()
	if w.clean(is) != nt("a") {
		t.Error("the clean file went with the other seed")
	}
	// Without its files, a seed is nobody's source.
	if err := w.files.Remove(is.Clean, files.Clean); err != nil {
		t.Fatal(err)
	}
	w.page("/c", []byte(text))
	w.add("/c")
	w.run()
	if c := w.seed("/c"); c.WashedFrom != "" || w.clean(c) != nt("a") {
		t.Errorf("washed from %q", c.WashedFrom)
	}
	w.sound()
}

// TestManyUrisOfTheSameBytesAtOnce: whatever is washed and whatever is taken over.
func TestManyUrisOfTheSameBytesAtOnce(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	var paths []string
	for i := range 40 {
		path := fmt.Sprintf("/%d/x.nt", i)
		w.serve(path, "application/n-triples", nt("same"))
		paths = append(paths, path)
	}
	w.add(paths...)
	w.run()
	for _, path := range paths {
		if seed := w.seed(path); seed.Status != seedlist.Parsed || w.clean(seed) != nt("same") || seed.Statements.Read != 1 {
			t.Errorf("%s: %s", path, seed.Status)
		}
	}
	w.sound()
}
