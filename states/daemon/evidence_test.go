package daemon_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// evidence is that of a record, in one line: where it was found and what it speaks for.
func evidence(all []seedlist.Evidence) string {
	var words []string
	for _, e := range all {
		words = append(words, e.From+"="+e.Value)
		if e.Confidence != nil && (*e.Confidence <= 0 || *e.Confidence > 1) {
			words = append(words, fmt.Sprint("a confidence of ", *e.Confidence))
		}
	}
	return strings.Join(words, " ")
}

// The record of a seed holds what speaks for its encoding, wherever it was found, what was
// presumed and what was chosen. What disagrees, and a declaration that the bytes refute, are notices.
func TestRecordHoldsTheEvidenceForTheEncoding(t *testing.T) {
	const (
		latin = "<http://e/s> <http://e/p> \"caf\xE9 de la gare\" .\n"
		proof = "<http://e/s> <http://e/p> \"café de la gare\" .\n"
		xml   = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"><rdf:Description rdf:about="http://e/s"><e:p>caf%s de la gare</e:p></rdf:Description></rdf:RDF>`
		html  = `<html><head><meta charset="%s"></head><body about="http://e/s"><span property="http://e/p">caf%s de la gare</span></body></html>`
	)
	wide := func(text string, order func(lo, hi byte) string) (raw string) {
		for _, r := range text {
			raw += order(byte(r), byte(r>>8))
		}
		return raw
	}
	le := func(lo, hi byte) string { return string([]byte{lo, hi}) }
	be := func(lo, hi byte) string { return string([]byte{hi, lo}) }
	le32 := func(lo, hi byte) string { return string([]byte{lo, hi, 0, 0}) }
	be32 := func(lo, hi byte) string { return string([]byte{0, 0, hi, lo}) }
	for _, test := range []struct {
		name, contentType, body  string
		presumed, chosen, speaks string
		notices                  string
	}{
		{"nothing is said", "", proof, "utf-8", "", "", ""},
		{"byte order mark", "text/plain; charset=iso-8859-1", "\xEF\xBB\xBF" + proof, "utf-8", "", "bom=utf-8 http=iso-8859-1",
			"encoding/declaration-refuted"},
		{"header, and the bytes are UTF-8", "text/plain; charset=iso-8859-1", proof, "utf-8", "", "http=iso-8859-1",
			"encoding/disagreement"},
		{"header that is true", "text/plain; charset=iso-8859-1", latin, "utf-8", "iso-8859-1", "http=iso-8859-1 bytes=iso-8859-1", ""},
		{"header that the bytes refute", "text/plain; charset=utf-8", latin, "utf-8", "windows-1252", "http=utf-8 guess=windows-1252",
			"encoding/declaration-refuted encoding/guessed"},
		{"statistics", "", latin, "utf-8", "windows-1252", "guess=windows-1252", "encoding/guessed"},
		{"XML declaration", "", `<?xml version="1.0" encoding="ISO-8859-1"?>` + fmt.Sprintf(xml, "\xE9"), "utf-8", "iso-8859-1",
			"xml=ISO-8859-1 bytes=iso-8859-1", ""},
		{"XML declaration against the header", "application/rdf+xml; charset=koi8-r", `<?xml version="1.0" encoding="ISO-8859-1"?>` +
			fmt.Sprintf(xml, "\xE9"),
			"utf-8", "iso-8859-1", "xml=ISO-8859-1 http=koi8-r bytes=iso-8859-1", "encoding/disagreement"},
		{"XML declaration that the bytes refute", "", `<?xml version="1.0" encoding="UTF-16"?>` + fmt.Sprintf(xml, "é"), "utf-8", "",
			"xml=UTF-16", "encoding/declaration-refuted"},
		{"declaration of replacement", "", `<?xml version="1.0" encoding="replacement"?>` + fmt.Sprintf(xml, "\xE9"), "utf-8",
			"windows-1252", "xml=replacement guess=windows-1252", "encoding/guessed"},
		{"meta element", "", fmt.Sprintf(html, "iso-8859-1", "\xE9"), "utf-8", "iso-8859-1", "html=iso-8859-1 bytes=iso-8859-1", ""},
		{"meta element that the bytes refute", "", fmt.Sprintf(html, "utf-8", "\xE9"), "utf-8", "windows-1252",
			"html=utf-8 guess=windows-1252", "encoding/declaration-refuted encoding/guessed"},
		{"@charset", "", "@charset \"iso-8859-1\";\n@prefix e: <http://e/> .\ne:s e:p \"caf\xE9 de la gare\" .\n", "utf-8", "iso-8859-1",
			"css=iso-8859-1 bytes=iso-8859-1", "syntax/directive"},
		{"UTF-16 without a mark, little end first", "", wide(proof, le), "utf-16le", "", "bytes=utf-16le", ""},
		{"UTF-16 without a mark, big end first", "", wide(proof, be), "utf-16be", "", "bytes=utf-16be", ""},
		{"UTF-32 without a mark, little end first", "", wide(proof, le32), "utf-32le", "", "bytes=utf-32le", ""},
		{"UTF-32 without a mark, big end first", "", wide(proof, be32), "utf-32be", "", "bytes=utf-32be", ""},
		{"UTF-7", "text/plain; charset=utf-7", "<http://e/s> <http://e/p> \"caf+AOk- de la gare\" .\n", "utf-7", "", "http=utf-7", ""},
	} {
		w := newWorld(t, seedlist.Options{})
		w.serve("/x", cmp.Or(test.contentType, "application/octet-stream"), test.body)
		w.add("/x")
		w.run()
		seed := w.seed("/x")
		found := seed.Encoding
		if found == nil {
			t.Errorf("%s: no encoding in the record: %+v", test.name, seed.Error)
			continue
		}
		var codes []string
		for code := range seed.Notices {
			if code != fault.HTTPContentType {
				codes = append(codes, string(code))
			}
		}
		slices.Sort(codes)
		if found.Presumed != test.presumed || found.Chosen != test.chosen && !(test.chosen == "" && found.Chosen == test.presumed) ||
			evidence(found.Evidence) != test.speaks || strings.Join(codes, " ") != test.notices {
			t.Errorf("%s: presumed %s, chosen %s, evidence %q, notices %q", test.name, found.Presumed, found.Chosen,
				evidence(found.Evidence), codes)
		}
		if got := w.clean(seed); !strings.Contains(got, `<http://e/s> <http://e/p> "café de la gare" .`) {
			t.Errorf("%s: %s", test.name, got)
		}
		if seed.Statements.Dropped != 0 {
			t.Errorf("%s: %d statements are said to be lost", test.name, seed.Statements.Dropped)
		}
		w.sound()
	}

	// No reader of "replacement" makes one character of a whole document.
	w := newWorld(t, seedlist.Options{})
	w.serve("/x", "text/plain; charset=iso-2022-cn-ext", "\x1B$)A<http://e/s> <http://e/p> \"x\" .\n")
	w.add("/x")
	w.run()
	if e := w.seed("/x").Error; e == nil || e.Code != fault.EncodingUnsupported {
		t.Errorf("an encoding that can't be read: %+v", e)
	}
}

// The record holds the evidence for the format, too. That is the content, the header, the name of
// the file or of the entry, each with how far it can be trusted.
func TestRecordHoldsTheEvidenceForTheFormat(t *testing.T) {
	const turtle = "@prefix e: <http://e/> .\ne:s e:p \"o\" ; e:q 1 .\n"
	for _, test := range []struct {
		path, contentType, body, format, speaks, notices string
	}{
		{"/a", "", turtle, "Turtle", "content=Turtle", ""},
		{"/a.ttl", "text/turtle; charset=utf-8", turtle, "Turtle", "content=Turtle http=text/turtle name=Turtle", ""},
		{"/a.rdf", "application/rdf+xml", turtle, "Turtle", "content=Turtle http=application/rdf+xml name=RDF/XML", "http/content-type"},
		{"/a.ttl", "text/html", "<http://e/s> <http://e/p> <http://e/o> .\n", "N-Triples", "content=N-Triples http=text/html name=Turtle",
			"http/content-type"},
		{"/a.nq", "text/plain", "<http://e/s> <http://e/p> <http://e/o> .\n", "N-Quads", "content=N-Quads name=N-Quads", ""},
	} {
		w := newWorld(t, seedlist.Options{})
		w.serve(test.path, cmp.Or(test.contentType, "application/octet-stream"), test.body)
		w.page("/z.zip", zipOf(t, "folder"+test.path, test.body))
		w.add(test.path, "/z.zip")
		w.run()
		seed := w.seed(test.path)
		if got := evidence(seed.FormatEvidence); seed.Format != test.format || got != test.speaks ||
			len(seed.Notices) != len(strings.Fields(test.notices)) || test.notices != "" && seed.Notices[fault.Code(test.notices)] != 1 {
			t.Errorf("%s, %s: %s, %q, %v", test.path, test.contentType, seed.Format, got, seed.Notices)
		}
		for _, e := range seed.FormatEvidence {
			if e.Confidence == nil {
				t.Errorf("%s: how far %s is trusted is not said", test.path, e.From)
			}
		}
		var named []string
		for word := range strings.FieldsSeq(test.speaks) {
			if !strings.HasPrefix(word, "http=") {
				named = append(named, word)
			}
		}
		entry := w.child("/z.zip", "folder"+test.path)
		if got, want := evidence(entry.FormatEvidence), strings.Join(named, " "); entry.Format != test.format || got != want {
			t.Errorf("%s in an archive: %s, %q, not %q", test.path, entry.Format, got, want)
		}
		w.sound()
	}

	// What is no RDF is failed, and says what it is; nothing, and comments alone, are parsed.
	w := newWorld(t, seedlist.Options{})
	w.serve("/a.ttl", "text/turtle", "name,age\nx,1\ny,2\n")
	w.serve("/b.ttl", "text/turtle", "# nothing\n")
	w.serve("/c.nt", "", "")
	w.add("/a.ttl", "/b.ttl", "/c.nt")
	w.run()
	failedWith(t, w.seed("/a.ttl"), seedlist.Guessing, "data", "format/not-rdf")
	if message := w.seed("/a.ttl").Error.Message; !strings.Contains(message, "CSV, sent as text/turtle") {
		t.Errorf("%q", message)
	}
	for _, path := range []string{"/b.ttl", "/c.nt"} {
		if seed := w.seed(path); seed.Status != seedlist.Parsed || seed.Statements.Read != 0 || len(seed.Notices) != 1 ||
			seed.Notices[fault.FormatEmpty] != 1 {
			t.Errorf("%s: %s, %+v, %v", path, seed.Status, seed.Statements, seed.Notices)
		}
	}
}
