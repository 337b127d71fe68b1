package states_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/internal/linesort"
	"laundromat/report"
)

// dirty are documents of each format, each with the commonest faults of its kind.
var dirty = []struct{ name, text string }{
	{"x.nt", "<http://a/s> <http://a/p> \"café\"@en_US .\n_:b <http://a/p> \"01\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n" +
		"<http://a/s> broken <http://a/o> .\n_:b <http://a/p> <http://a/{x}> .\n<http://a/s> <http://a/p> \"\\u0041\" .\n<s> <http://a/p> _:0-1 .\n"},
	{"x.nq", "<http://a/s> <http://a/p> \"x\"@EN <http://g/> .\n_:b <http://a/p> _:c _:g .\n<http://a/s> <http://a/p> \"x\" \"y\" .\n<http://a/s> <http://a/p> <http://a/b c>\n"},
	{"x.ttl", "@prefix a: <http://a/> .\n@base <http://b/> .\n<s> a a:T ; a:p \"x\", 01, 1.0, 1e0, true, [ a:q ( 1 2 _:x ) ] .\nno:x a:p 1 .\n" +
		"_:x a:p \"\"\"long\nstring\"\"\", '\\q' .\nfoaf:x a:p \"é\"^^a:d"},
	{"x.trig", "@prefix a: <http://a/> .\na:g { a:a a:b a:c . _:x a:p [] }\nGRAPH _:g { a:a a:b \"c\"@EN-us }\n{ a:d a:p 1 }\na:s a:p ( ) .\n"},
	{"handover.dat", "<http://a/s> <http://a/p> \"x\" .\n_:b <http://a/p> _:0-1 .\n<http://a/s> broken .\n@prefix a: <http://a/> .\na:s a:p _:b , [ a:q 1 ] ;\n a:r 2 .\n"},
	{"x.rdf", "<?xml version=\"1.0\"?>\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:a=\"http://a/\">\n" +
		"<rdf:Description rdf:about=\"x y\"><a:p xml:lang=\"en_US\">café &nbsp; &amp;</a:p><a:q rdf:nodeID=\"n\"/>\n<a:r rdf:parseType=\"Collection\"><a:T/></a:r></rdf:Description>\n</rdf:RDF>\n"},
	{"x.jsonld", "{\"@context\":{\"a\":\"http://a/\",\"p\":{\"@id\":\"a:p\"}},\n\"@id\":\"http://a/s\",\"p\":[\"café\",1,1.5,true,{\"@value\":\"x\",\"@language\":\"en_US\"}],\"a:q\":{\"p\":\"z\"}, \"no\": 1}"},
	{"x.html", "<!DOCTYPE html><html prefix=\"a: http://a/\"><body><div about=\"http://a/s\">\n<span property=\"a:p\">café</span><a rel=\"a:q\" href=\"x y\">z</a><p typeof=\"schema:Person no:x\"></p></div></body></html>"},
}

// stains are what a mutation puts into a document.
var stains = []string{"<", ">", "\"", "\n", "\\u12", ".", "{", "[", "@", "\xff", " ", "\\", "'''", "&", ";", "\xed\xa0\x80", "\uFFFE", "\r",
	"\r\n",
	"\u2028", "\x00", "\x01", "_:", "http://", "é", "\xe9", "\U0001F600", "^^", "(", ")", "]", "}", "#", "-->", "]]>", "\u00a0", "a:p",
	"<<", "0-1", "|"}

func stained(text string, random *rand.Rand) []byte {
	out := []byte(text)
	for range 1 + random.IntN(5) {
		at := random.IntN(len(out) + 1)
		switch random.IntN(4) {
		case 0:
			out = out[:at:at]
			if len(out) == 0 {
				return out
			}
		case 1:
			end := min(len(out), at+1+random.IntN(4))
			out = slices.Delete(out, at, end)
		case 2:
			end := min(len(out), at+random.IntN(30))
			out = slices.Insert(out, random.IntN(len(out)+1), slices.Clone(out[at:end])...)
		default:
			out = slices.Insert(out, at, []byte(stains[random.IntN(len(stains))])...)
		}
	}
	return out
}

func TestLawsOfAWash(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, d := range dirty {
		hold(t, d.name, []byte(d.text))
		for range 25 {
			hold(t, d.name, stained(d.text, random))
		}
	}
	var all []string
	for _, d := range dirty {
		all = append(all, d.name, d.text)
	}
	hold(t, "all.zip", zipped(t, all...))
}

func FuzzLawsOfAWash(f *testing.F) {
	for i, d := range dirty {
		f.Add(uint8(i), []byte(d.text))
	}
	f.Add(uint8(1), []byte("<http://a/s><http://a/p> \"x\"@N<p:>.\n_tp://a/p> \"x\" \"y\" .\n<http://a/s> <http://\xb1/p> <http://a/b c>"))
	f.Fuzz(func(t *testing.T, i uint8, in []byte) { hold(t, dirty[int(i)%len(dirty)].name, in) })
}

// hold washes a document in many ways and holds what comes of it to the laws that
// bind them.
func hold(t *testing.T, name string, in []byte) {
	t.Helper()
	bad := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s %q: %s", name, in, fmt.Sprintf(format, args...))
	}
	first := wash(t, washing{}, name, in)
	account(first, bad)
	if !slices.IsSorted(first.lines) || len(slices.Compact(slices.Clone(first.lines))) != len(first.lines) {
		bad("not sorted, or not unique: %q", first.lines)
	}
	for _, d := range first.documents {
		if d.Encoding == "utf-8" && d.Name == name {
			places(d, in, bad)
		}
	}

	if w := wash(t, washing{sort: linesort.Options{Memory: 1, Workers: 1}}, name, in); !slices.Equal(w.lines, first.lines) {
		bad("one worker: %q, not %q", w.lines, first.lines)
	}
	if w := wash(t, washing{separate: true}, name, in); true {
		account(w, bad)
		if got := sortedOnce(w.lines); !slices.Equal(got, first.lines) {
			bad("a file a document: %q, not %q", got, first.lines)
		}
	}
	if w := wash(t, washing{unsorted: true}, name, in); true {
		account(w, bad)
		if got := sortedOnce(w.lines); !slices.Equal(got, first.lines) {
			bad("unsorted: %q, not %q", got, first.lines)
		}
	}

	how := washing{}
	how.settings.Clean.KeepBlankNodes, how.settings.Clean.KeepLiterals = true, true
	if w := wash(t, how, name, in); true {
		account(w, bad)
		how.unsorted = true
		if got := sortedOnce(wash(t, how, name, in).lines); !slices.Equal(got, w.lines) {
			bad("kept, unsorted: %q, not %q", got, w.lines)
		}
		how.unsorted = false
		if again := wash(t, how, "clean.nq", joined(w.lines)); !slices.Equal(again.lines, w.lines) {
			bad("kept, again: %q, not %q", again.lines, w.lines)
		}
		if w.totals.Read != first.totals.Read || w.totals.Dropped != first.totals.Dropped {
			bad("kept: %+v, not %+v", w.totals, first.totals)
		}
	}

	how = washing{}
	how.settings.Clean.Strict = true
	if w := wash(t, how, name, in); true {
		account(w, bad)
		for _, line := range w.lines {
			if _, found := slices.BinarySearch(first.lines, line); !found {
				bad("only strict: %q", line)
			}
		}
		// A literal that RDF knows none for is kept with a warning, and lost with strict.
		least := first.totals.Kept - warned(w)
		if w.totals.Repaired != 0 || w.totals.Read != first.totals.Read || w.totals.Kept > first.totals.Kept || w.totals.Kept < least {
			bad("strict %+v, else %+v", w.totals, first.totals)
		}
	}

	again := wash(t, washing{}, "clean.nq", joined(first.lines))
	if !slices.Equal(again.lines, first.lines) {
		bad("again: %q, not %q", again.lines, first.lines)
	}
	known := map[fault.Code]bool{fault.FormatEmpty: true}
	for _, d := range first.documents {
		for code := range d.Notices {
			known[code] = true
		}
	}
	for _, d := range again.documents {
		for _, n := range d.Samples {
			if !known[n.Code] || n.Severity > fault.Warning || n.Severity == fault.Note && n.Code != fault.FormatEmpty {
				bad("again: %v", n)
			}
		}
	}
}

// warned is how many statements were lost for what is only warned of where nothing is strict.
func warned(w washResult) (n int64) {
	for _, d := range w.documents {
		n += d.Notices[fault.LiteralNoLanguage] + d.Notices[fault.LanguageIllFormed]
	}
	return n
}

// account holds the sums to each other and to the notices.
func account(w washResult, bad func(string, ...any)) {
	for _, d := range w.documents {
		s := d.Statements
		if s.Read != s.Kept+s.Repaired+s.Dropped || s.Written != s.Kept+s.Repaired-s.Duplicates || s.Duplicates < 0 {
			bad("the sums of %s do not add up: %+v", d.Name, s)
		}
		if d.Error != nil {
			if info, known := fault.Explain(d.Error.Code); !known || info.Code != d.Error.Code || d.Error.Kind == fault.Bug.String() {
				bad("error %+v", d.Error)
			}
		}
		lost, repairs := int64(0), 0
		for _, n := range d.Samples {
			lost += int64(n.Lost)
			if n.Severity == fault.Repair {
				repairs++
			}
			if info, known := fault.Explain(n.Code); !known || info.Code != n.Code {
				bad("%s is not explained", n.Code)
			}
			if n.Lost != 0 && n.Severity != fault.Drop {
				bad("lost without a drop: %+v", n)
			}
		}
		if lost != s.Dropped || s.Repaired > 0 && repairs == 0 {
			bad("%s: %d lost and %d repairs told; %+v", d.Name, lost, repairs, s)
		}
	}
	if t := w.totals; t.Written != int64(len(w.lines)) || t.Written != t.Kept+t.Repaired-t.Duplicates {
		bad("%d lines; %+v", len(w.lines), t)
	}
}

// places holds lines and columns to offsets in a text in UTF-8.
func places(d *report.Document, in []byte, bad func(string, ...any)) {
	text := bytes.TrimPrefix(in, []byte("\uFEFF"))
	if !utf8.Valid(text) {
		return
	}
	for _, n := range d.Samples {
		if n.Line == 0 {
			continue
		}
		if n.Offset < 0 || n.Offset > int64(len(text)) {
			bad("%v lies outside", n)
			continue
		}
		before := string(text[:n.Offset])
		before = strings.ReplaceAll(before, "\r\n", "\n")
		line := int64(1 + strings.Count(before, "\n") + strings.Count(before, "\r"))
		column := int64(1 + utf8.RuneCountInString(before[1+strings.LastIndexAny(before, "\r\n"):]))
		if line != n.Line || column != n.Column {
			bad("%s at offset %d is at %d:%d, not %d:%d", n.Code, n.Offset, line, column, n.Line, n.Column)
		}
	}
}

func sortedOnce(lines []string) []string {
	lines = slices.Clone(lines)
	slices.Sort(lines)
	return slices.Compact(lines)
}

func joined(lines []string) []byte {
	if len(lines) == 0 {
		return nil
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}
