package format_test

import (
	"bytes"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
)

// soundWriter writes sound documents of Turtle and TriG at random, by the productions of the grammars.
type soundWriter struct {
	*rand.Rand
	strings.Builder
	trig  bool
	newer bool // with what RDF 1.2 has
	iris  []string
}

// soundDocument is a document of Turtle or TriG that is sound and states something.
func soundDocument(r *rand.Rand, trig, newer bool) string {
	w := soundWriter{Rand: r, trig: trig, newer: newer, iris: []string{
		"<a>", "<b>", "<c>", "<i>", "<p>", "<br>", "<table>", "<html>", "<s>", "</a>", "</a/b>", "<#a>", "<>", "<?q=1>", "<../x>", "<a.b>",
		"<a/>", "<title>", "<td>",
	}}
	if newer && w.IntN(3) == 0 {
		w.WriteString(w.of(`VERSION "1.2"`+"\n", `version '1.2' `, `@version "1.2" .`+"\n"))
	}
	if w.IntN(4) == 0 {
		w.WriteString(w.of("# a note\n", "@base <http://example.net/d/> .\n", "BASE <x/>\n"))
	}
	if w.IntN(3) == 0 {
		w.WriteString(w.of("@prefix : <#> .\n", "PREFIX : <n/>\n", "@prefix : <http://example.net/> .\n"))
		w.iris = append(w.iris, ":a", ":b.c", ":", ":d-1")
	}
	if w.IntN(3) == 0 {
		w.iris = append(w.iris, "<http://example.org/a>", "<urn:x:b>", "<http://example.org/c#d>")
	}
	for n := 1 + w.IntN(4); n > 0; n-- {
		if w.trig && w.IntN(3) > 0 {
			w.graph(n == 1)
		} else {
			w.triples(0)
			end := w.of(" .", ".", "\n.")
			if !newer { // serd takes 1. for a string
				end = " ."
			}
			w.WriteString(end)
		}
		w.WriteString(w.of("\n", "\n\n", " ", " # behind\n"))
	}
	return w.String()
}

func (w *soundWriter) of(all ...string) string { return all[w.IntN(len(all))] }

func (w *soundWriter) space() { w.WriteString(w.of(" ", " ", " ", " ", "\n  ", "\t", " # within\n")) }

func (w *soundWriter) iri() { w.WriteString(w.of(w.iris...)) }

func (w *soundWriter) blank() { w.WriteString(w.of("_:b", "_:b1", "_:c", "[]", "[ ]")) }

func (w *soundWriter) iriOrBlank() {
	if w.IntN(4) == 0 {
		w.blank()
	} else {
		w.iri()
	}
}

func (w *soundWriter) graph(last bool) {
	switch w.IntN(4) {
	case 0:
		w.WriteString("GRAPH ")
		fallthrough
	case 1, 2:
		w.iriOrBlank()
		w.WriteString(w.of(" ", "\n", ""))
	}
	w.WriteString("{")
	n := w.IntN(3)
	if last {
		n++
	}
	for ; n > 0; n-- {
		w.space()
		w.triples(0)
		if n > 1 || w.IntN(2) == 0 {
			w.WriteString(" .")
		}
	}
	w.WriteString(w.of(" }", "\n}", "}"))
}

func (w *soundWriter) triples(depth int) {
	switch k := w.IntN(8); {
	case k == 0:
		w.properties(depth + 1)
		if w.IntN(2) == 0 {
			return
		}
	case k == 1:
		w.list(depth + 1)
	case k == 2 && w.newer:
		w.reified(depth + 1)
		if w.IntN(3) == 0 {
			return
		}
	default:
		w.iriOrBlank()
	}
	w.space()
	w.pairs(depth)
}

func (w *soundWriter) pairs(depth int) {
	for n := 1 + w.IntN(2); ; n-- {
		w.WriteString(w.of(slices.Concat(w.iris, []string{"a"})...))
		w.space()
		for m := 1 + w.IntN(4)/3; ; m-- {
			w.object(depth)
			if w.newer {
				w.annotation(depth)
			}
			if m == 1 {
				break
			}
			w.WriteString(w.of(", ", " ,\n"))
		}
		if n == 1 {
			break
		}
		w.WriteString(w.of(" ; ", ";", " ;\n", ";; "))
	}
	if w.IntN(8) == 0 {
		w.WriteString(" ;")
	}
}

func (w *soundWriter) object(depth int) {
	k := w.IntN(12)
	switch {
	case k == 0 && depth < 3:
		w.properties(depth + 1)
	case k == 1 && depth < 3:
		w.list(depth + 1)
	case k == 2 && w.newer && depth < 3:
		w.reified(depth + 1)
	case k == 3 && w.newer && depth < 3:
		w.term(depth + 1)
	case k < 7:
		w.literal()
	default:
		w.iriOrBlank()
	}
}

func (w *soundWriter) literal() {
	w.WriteString(w.of(`"x"`, `"x"@en`, `'x'`, `"""x "y" <b>z</b>"""`, `'''x
y'''`, `1`, `-1.5`, `1e0`, `true`, `"1"^^<dt>`, `""`, `"<p>"`, `"a { b } c"`))
	if w.newer {
		if text := w.String(); strings.HasSuffix(text, "@en") {
			w.WriteString(w.of("", "--ltr", "--rtl"))
		}
	}
}

func (w *soundWriter) properties(depth int) {
	w.WriteString("[ ")
	w.pairs(depth)
	w.WriteString(" ]")
}

func (w *soundWriter) list(depth int) {
	w.WriteString("(")
	for n := w.IntN(3); n > 0; n-- {
		w.WriteString(" ")
		w.object(depth)
	}
	w.WriteString(" )")
}

// reified is << >>, with or without the name of the reifier.
func (w *soundWriter) reified(depth int) {
	w.WriteString("<< ")
	if depth < 3 && w.IntN(5) == 0 {
		w.reified(depth + 1)
	} else {
		w.iriOrBlank()
	}
	w.WriteString(" ")
	w.iri()
	w.WriteString(" ")
	switch k := w.IntN(5); {
	case k == 0 && depth < 3:
		w.reified(depth + 1)
	case k == 1 && depth < 3:
		w.term(depth + 1)
	case k == 2:
		w.literal()
	default:
		w.iriOrBlank()
	}
	switch w.IntN(4) {
	case 0:
		w.WriteString(" ~")
	case 1:
		w.WriteString(" ~ ")
		w.iriOrBlank()
	}
	w.WriteString(" >>")
}

// term is a triple term.
func (w *soundWriter) term(depth int) {
	w.WriteString("<<( ")
	w.iriOrBlank()
	w.WriteString(" ")
	w.iri()
	w.WriteString(" ")
	switch k := w.IntN(4); {
	case k == 0 && depth < 3:
		w.term(depth + 1)
	case k == 1:
		w.literal()
	default:
		w.iriOrBlank()
	}
	w.WriteString(" )>>")
}

func (w *soundWriter) annotation(depth int) {
	for w.IntN(4) == 0 {
		switch w.IntN(3) {
		case 0:
			w.WriteString(w.of(" ~", "~"))
		case 1:
			w.WriteString(w.of(" ~ ", "~"))
			w.iriOrBlank()
		case 2:
			w.WriteString(w.of(" {| ", "{|"))
			w.pairs(depth + 1)
			w.WriteString(w.of(" |}", "|}"))
		}
	}
}

func isFaulty(n fault.Notice) bool { return n.Severity == fault.Repair || n.Severity == fault.Drop }

// What the grammar of Turtle or TriG accepts is read as that, whatever it looks like. The name or the
// media type says so, or neither.
func TestSoundTurtleAndTriGAreNeverRefused(t *testing.T) {
	failed := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 23))
		of, name := format.Turtle, "d.ttl"
		if seed%2 == 1 {
			of, name = format.TriG, "d.trig"
		}
		text := soundDocument(r, of == format.TriG, seed%4 > 1)
		want, _ := read(t, of, []byte(text), "http://example.org/d/x", false)
		if len(want.Quads) == 0 || slices.ContainsFunc(want.Notices, isFaulty) {
			t.Fatalf("%s is not sound: %d statements, %v\n%s", of, len(want.Quads), want.Notices, text)
		}
		for _, hints := range [][2]string{{"", name}, {of.MediaType(), ""}, {"text/html", name}, {"", ""}, {"text/plain", "d.txt"}} {
			g := format.Guess([]byte(text), true, hints[0], hints[1])
			if g.Format == "" {
				failed++
				t.Errorf("%d, %q: no RDF, but %s\n%s", seed, hints, g.NotRDF, text)
				break
			}
			got, _ := read(t, g.Format, []byte(text), "http://example.org/d/x", true)
			if !slices.Equal(got.Lines(), want.Lines()) || slices.ContainsFunc(got.Notices, isFaulty) {
				failed++
				t.Errorf("%d, %q: read as %s, %v\n%s", seed, hints, g.Format, got.Notices, text)
				break
			}
		}
		for len(text) < 4<<10 {
			text += soundDocument(r, of == format.TriG, seed%4 > 1)
		}
		cut := len(text) - r.IntN(len(text)/4+1)
		if g := format.Guess([]byte(text[:cut]), false, "", name); g.Format == "" {
			t.Errorf("%d, cut: no RDF, but %s\n%s", seed, g.NotRDF, text[:cut])
			failed++
		}
		if failed > 20 {
			t.FailNow()
		}
	}
}

// Of RDF 1.1, a second reader says that the documents are sound, and what they state.
func TestSerdReadsSoundDocumentsAsWeDo(t *testing.T) {
	serdi, err := exec.LookPath("serdi")
	if err != nil {
		t.Skip("skipped: no serdi")
	}
	const base = "http://example.org/d/x"
	for seed := range uint64(200) {
		of, syntax, name := format.Turtle, "turtle", "d.ttl"
		if seed%2 == 1 {
			of, syntax, name = format.TriG, "trig", "d.trig"
		}
		text := []byte(soundDocument(rand.New(rand.NewPCG(seed, 24)), of == format.TriG, false))
		command := exec.Command(serdi, "-i", syntax, "-o", "nquads", "-", base)
		command.Stdin = bytes.NewReader(text)
		made, err := command.Output()
		if err != nil {
			t.Errorf("%d: serdi: %v\n%s", seed, err, text)
			continue
		}
		want, _ := read(t, format.NQuads, made, base, false)
		got, _ := read(t, format.Guess(text, true, "", name).Format, text, base, true)
		if !rdftest.Isomorphic(got.Quads, want.Quads) {
			t.Errorf("%d: %d statements, serdi finds %d\n%s\n%s", seed, len(got.Quads), len(want.Quads), text, made)
		}
	}
}

// acceptances are sound documents that look like something else, or like nothing.
var acceptances = []struct {
	in, contentType, name string
	want                  format.Format // "" where the text is refused
}{
	{"<a> <b> <c> .\n", "", "", format.Turtle},
	{"<a> <b> <c> .\n", "text/turtle", "", format.Turtle},
	{"<a> <b> <c> .", "", "d.ttl", format.Turtle},
	{"<a> <b> <c> .", "application/trig", "", format.TriG},
	{"<a> <b> <c> .", "text/html", "d.ttl", format.Turtle},
	{"</a> </b> </c> .", "text/turtle; charset=utf-8", "", format.Turtle},
	{"<#a> <#b> \"x\" .", "", "d.ttl", format.Turtle},
	{"<> a <T> .", "", "", format.Turtle},
	{"<html> <head> <title> .", "", "d.ttl", format.Turtle},
	{"<p> <b> \"x\" ; <i> <br> .", "", "d.ttl", format.Turtle},
	{"VERSION \"1.2\"\n<a> <b> <c> ~ <r> .\n", "", "d.ttl", format.Turtle},
	{"@version '1.2' .\n<a> <b> <c> ~ .\n", "", "", format.Turtle},
	{"<a> <b> <c> {| <d> <e> |} .", "", "", format.Turtle},
	{"<a> <b> \"c\"@en--ltr ~ _:r {| a <T> |} , 1 .", "", "d.ttl", format.Turtle},
	{"<< <a> <b> <c> >> <d> <e> .", "", "", format.Turtle},
	{"<< <a> <b> <c> ~ <r> >> .", "", "", format.Turtle},
	{"<a> <b> <<( <c> <d> <<( _:e <f> \"g\" )>> )>> .", "", "", format.Turtle},
	{"[ <b> [ <c> <d> ] ] .", "", "", format.Turtle},
	{"(1 <a>) <b> () .", "", "", format.Turtle},
	{"<g> { [ <b> <c> ] }", "", "", format.TriG},
	{"<g> { [ <b> <c> ] . (1) <b> <c> }", "", "d.trig", format.TriG},
	{"GRAPH _:g { (<a>) <b> <c> }", "", "", format.TriG},
	{"{ << <a> <b> <c> ~ _:r >> <d> <e> }", "", "", format.TriG},
	{"[] { <a> <b> <c> {| <d> <e> |} }", "", "d.trig", format.TriG},
	{"{ [] a <T> } <g> { <a> <b> <c> }", "application/trig", "", format.TriG},
	{"{}", "", "d.trig", format.TriG},
	{"VERSION \"1.2\"", "", "d.ttl", format.Turtle},
	{"<g> {}", "application/trig", "", format.TriG},
	{`<Book xmlns="http://example.org/terms#"><title>x</title></Book>`, "application/rdf+xml", "", format.RDFXML},
	{`<Book xmlns="http://purl.org/dc/terms/"><title>x</title></Book>`, "", "d.rdf", format.RDFXML},

	{"<p> <b> text", "", "d.ttl", ""},
	{"{}", "", "", ""},
	{"VERSION \"1.2\"", "", "", ""},
	{"<g> {}", "", "", ""},
	{"Not a word of RDF.\n", "text/turtle", "d.ttl", ""},
	{"{| class=\"wikitable\"\n| a || b\n|}\n", "", "d.ttl", ""},
	{"~/a ~/b ~/c .\n", "", "d.ttl", ""},
	{"<S> { <p> . }", "", "d.ttl", ""},
	{"SELECT * { <a> <b> <c> }", "", "d.ttl", ""},
	{"{ <a> <b> ?x } => { <a> <c> ?x } .", "", "d.n3", format.N3},
	{`<rss version="2.0"><channel><title>x</title></channel></rss>`, "", "d.rdf", ""},
	{`<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="http://e/"><Declaration><Class IRI="#A"/></Declaration></Ontology>`, "",
		"d.owl", ""},
}

func TestWhatAGrammarAcceptsIsNeverRefused(t *testing.T) {
	for _, test := range acceptances {
		g := format.Guess([]byte(test.in), true, test.contentType, test.name)
		if g = g.Try(t.Context(), []byte(test.in), true); g.Format != test.want {
			t.Errorf("%q, %q, %q: %s %s, want %s", test.in, test.contentType, test.name, g.Format, g.NotRDF, test.want)
		}
	}
}
