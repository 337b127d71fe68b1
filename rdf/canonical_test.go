package rdf_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/rdf"
)

func TestLinesAreCanonical(t *testing.T) {
	iri := func(v string) rdf.Term { return rdf.Term{Kind: rdf.IRI, Value: []byte(v)} }
	literal := func(v, datatype, language string) rdf.Term {
		return rdf.Term{Kind: rdf.Literal, Value: []byte(v), Datatype: []byte(datatype), Language: []byte(language)}
	}
	for _, c := range []struct {
		object, graph rdf.Term
		want          string
	}{
		{iri("http://e/é"), rdf.Term{}, `<http://e/é> .`},
		{iri("o"), iri("g"), `<o> <g> .`},
		{rdf.Term{Kind: rdf.BlankNode, Value: []byte("a")}, rdf.Term{Kind: rdf.BlankNode, Anonymous: 12}, `_:a _:0-12 .`},
		{literal("", "", ""), rdf.Term{}, `"" .`},
		{literal("x", rdf.String, ""), rdf.Term{}, `"x" .`},
		{literal("1", rdf.XSD+"integer", ""), rdf.Term{}, `"1"^^<http://www.w3.org/2001/XMLSchema#integer> .`},
		{literal("x", rdf.LangString, "en"), rdf.Term{}, `"x"@en .`},
		{literal("x", "", "EN"), rdf.Term{}, `"x"@EN .`},
		{literal("\b\t\n\f\r\"\\'", "", ""), rdf.Term{}, `"\b\t\n\f\r\"\\'" .`},
		{literal("\x00\x07\x0B\x0E\x1F\x7F", "", ""), rdf.Term{}, `"\u0000\u0007\u000B\u000E\u001F\u007F" .`},
		{literal("\u0080\u00A0\uD7FF\uE000\uFDD0\uFFFD\uFFFE\uFFFF\U00010000\U0010FFFF", "", ""), rdf.Term{},
			"\"\u0080\u00A0\uD7FF\uE000\uFDD0\uFFFD\\uFFFE\\uFFFF\U00010000\U0010FFFF\" ."},
	} {
		q := rdf.Quad{Subject: iri("s"), Predicate: iri("p"), Object: c.object, Graph: c.graph}
		if got := string(rdf.AppendQuad(nil, &q)); got != "<s> <p> "+c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// What is escaped is found wherever it is, and nothing else is.
func TestEscapesAreFoundAtEachPlace(t *testing.T) {
	for length := range 20 {
		for at := range length {
			for b := range 256 {
				text := []byte(strings.Repeat("x", length))
				text[at] = byte(b)
				want := text
				if escaped := map[byte]string{'\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`, '"': `\"`,
					'\\': `\\`}[byte(b)]; escaped != "" {
					want = []byte(string(text[:at]) + escaped + string(text[at+1:]))
				} else if b < ' ' || b == 0x7F {
					want = fmt.Appendf(nil, `%s\u%04X%s`, text[:at], b, text[at+1:])
				}
				term := rdf.Term{Kind: rdf.Literal, Value: text}
				if got := string(rdf.AppendTerm(nil, &term)); got != `"`+string(want)+`"` {
					t.Fatalf("%q: got %s", text, got)
				}
			}
		}
	}
}

// A literal's canonical form is one line, and the escapes mean what they stand for.
func FuzzLiteralsAreOneLine(f *testing.F) {
	f.Add("a\"b\\c\nd\re\x00\uFFFE\xEF\xEF\xBF")
	f.Fuzz(func(t *testing.T, value string) {
		term := rdf.Term{Kind: rdf.Literal, Value: []byte(value)}
		got := string(rdf.AppendTerm(nil, &term))
		if len(got) < 2 || got[0] != '"' || got[len(got)-1] != '"' || strings.ContainsAny(got, "\n\r\x00") {
			t.Fatalf("%q: %q", value, got)
		}
		back := strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n", `\r`, "\r", `\t`, "\t", `\b`, "\b", `\f`, "\f",
			`\uFFFE`, "\uFFFE", `\uFFFF`, "\uFFFF").Replace(got[1 : len(got)-1])
		for b := range rune(0x80) {
			if b < 0x20 || b == 0x7F {
				const hex = "0123456789ABCDEF"
				back = replaceEscape(back, `\u00`+string(hex[b>>4])+string(hex[b&15]), string(b), value)
			}
		}
		if !strings.Contains(value, `\u`) && back != value {
			t.Fatalf("%q: %q means %q", value, got, back)
		}
	})
}

// replaceEscape replaces an escape, unless the text held it as plain text before.
func replaceEscape(text, escape, by, original string) string {
	if strings.Contains(original, escape) {
		return text
	}
	return strings.ReplaceAll(text, escape, by)
}

func BenchmarkAppendQuad(b *testing.B) {
	q := rdf.Quad{
		Subject:   rdf.Term{Kind: rdf.IRI, Value: []byte("http://dbpedia.org/resource/Amsterdam")},
		Predicate: rdf.Term{Kind: rdf.IRI, Value: []byte("http://www.w3.org/2000/01/rdf-schema#comment")},
		Object: rdf.Term{Kind: rdf.Literal, Value: []byte(strings.Repeat("Amsterdam is the capital of the Netherlands. ", 6)),
			Language: []byte("en")},
	}
	var line []byte
	for b.Loop() {
		line = rdf.AppendQuad(line[:0], &q)
	}
	b.SetBytes(int64(len(line)))
}

func TestTripleTermsAndDirectionsAreCanonical(t *testing.T) {
	iri := func(s string) rdf.Term { return rdf.Term{Kind: rdf.IRI, Value: []byte(s)} }
	inner := rdf.Triple{Subject: rdf.Term{Kind: rdf.BlankNode, Anonymous: 2}, Predicate: iri("http://a/p"),
		Object: rdf.Term{Kind: rdf.Literal, Value: []byte(`a "b"`), Language: []byte("ar"), Direction: rdf.RightToLeft}}
	outer := rdf.Triple{Subject: iri("http://a/s"), Predicate: iri("http://a/q"), Object: rdf.Term{Kind: rdf.TripleTerm, Triple: &inner}}
	q := rdf.Quad{Subject: iri("http://a/r"), Predicate: iri(rdf.Reifies), Object: rdf.Term{Kind: rdf.TripleTerm, Triple: &outer}}
	const want = `<http://a/r> <http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies> <<( <http://a/s> <http://a/q> <<( _:0-2 <http://a/p> "a \"b\""@ar--rtl )>> )>> .`
	if got := string(rdf.AppendQuad(nil, &q)); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
