package ttl_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

const testBaseIRI = "http://base.example/dir/file"

func read(t testing.TB, text io.Reader, opt ttl.Options) (*rdftest.Collector, ttl.Syntax) {
	t.Helper()
	var c rdftest.Collector
	syntax, err := ttl.Read(context.Background(), text, rdf.Input{Base: testBaseIRI}, opt, &c)
	if err != nil {
		t.Fatal(err)
	}
	return &c, syntax
}

// dump is all that a sink got, with places.
func dump(c *rdftest.Collector) string {
	var b strings.Builder
	for i, line := range c.Lines() {
		q := &c.Quads[i]
		fmt.Fprintln(&b, line, q.Repaired, q.Subject.Pos, q.Predicate.Pos, q.Object.Pos, q.Graph.Pos)
	}
	for _, n := range c.Notices {
		fmt.Fprintf(&b, "%+v\n", n)
	}
	return b.String()
}

// checkLaws holds one text against the laws of reading.
func checkLaws(t *testing.T, text []byte, opt ttl.Options, blocks ...int) {
	t.Helper()
	whole, syntax := read(t, bytes.NewReader(text), opt)
	want := dump(whole)
	for _, block := range blocks {
		cut, s := read(t, iotest.OneByteReader(bytes.NewReader(text)), ttl.WithBlock(opt, block))
		if got := dump(cut); got != want || s != syntax {
			t.Errorf("%v: read in blocks of %d:\n%s%v\nwhole:\n%s%v\ntext: %q", opt, block, got, s, want, syntax, text)
			return
		}
	}
	steps, s := read(t, bytes.NewReader(text), ttl.Stepwise(opt))
	if got := dump(steps); got != want || s != syntax {
		t.Errorf("%v: read token by token:\n%s%v\nelse:\n%s%v\ntext: %q", opt, got, s, want, syntax, text)
	}
	// each loss is reported once, at its place
	for _, n := range whole.Notices {
		if n.Lost < 0 || n.Lost > 1 || n.Lost == 1 && n.Severity != fault.Drop {
			t.Errorf("%v: a notice that loses %d: %+v\ntext: %q", opt, n.Lost, n, text)
		}
		if n.Line < 1 || n.Column < 1 || n.Offset < 0 || n.Offset > int64(len(text)) {
			t.Errorf("%v: a notice at no place: %+v\ntext: %q", opt, n, text)
		}
		if line, column := place(text, n.Offset); line != n.Line || column != n.Column {
			t.Errorf("%v: offset %d is %d:%d, not %d:%d: %+v\ntext: %q", opt, n.Offset, line, column, n.Line, n.Column, n, text)
		}
		if _, ok := fault.Explain(n.Code); !ok {
			t.Errorf("no explanation of %s", n.Code)
		}
		if len(n.Excerpt) > fault.MaxExcerpt || n.Message == "" {
			t.Errorf("%+v", n)
		}
	}
	repaired := slices.ContainsFunc(whole.Quads, func(q rdf.Quad) bool { return q.Repaired })
	if repaired && !slices.ContainsFunc(whole.Notices, func(n fault.Notice) bool { return n.Severity == fault.Repair }) {
		t.Errorf("%v: a repaired quad without a repair\ntext: %q", opt, text)
	}
	for i := range whole.Quads {
		q := &whole.Quads[i]
		all := []*rdf.Term{&q.Subject, &q.Predicate, &q.Object, &q.Graph}
		for depth, triple := 1, q.Object.Triple; triple != nil; depth, triple = depth+1, triple.Object.Triple {
			all = append(all, &triple.Subject, &triple.Predicate, &triple.Object)
			if depth > rdf.MaxTriples {
				t.Fatalf("more triple terms in one another than may be")
			}
		}
		for _, term := range all {
			if term.Kind == rdf.NoTerm && term != &q.Graph {
				t.Errorf("a quad without a term: %v\ntext: %q", whole.Lines()[i], text)
			}
			if term.Kind == rdf.NoTerm {
				continue
			}
			if want := rdf.BytesOf(term.Value); term.Bytes != want && term.Bytes&rdf.BytesSeen != 0 {
				t.Errorf("%v: term %q was seen as %b, and is %b\ntext: %q", opt, term.Value, term.Bytes, want, text)
			}
			if line, column := place(text, term.Pos.Offset); term.Pos.Line != line || term.Pos.Column != column {
				t.Errorf("%v: term %s at offset %d is %d:%d, not %d:%d\ntext: %q", opt, term.Value, term.Pos.Offset, line, column,
					term.Pos.Line, term.Pos.Column, text)
			}
		}
	}
	// the output, read again, is the same, and right
	lines := strings.Join(whole.Lines(), "\n")
	again, _ := read(t, strings.NewReader(lines+"\n"), ttl.Options{Syntax: ttl.NQuads})
	isLabel := func(n fault.Notice) bool { return n.Code == fault.BlankNodeLabel && n.Severity == fault.Repair }
	if slices.ContainsFunc(whole.Notices, isLabel) { // labels are handed on as they are written
		again.Notices = slices.DeleteFunc(again.Notices, isLabel)
	}
	if got := strings.Join(again.Lines(), "\n"); got != lines || len(again.Notices) > 0 {
		t.Errorf("%v: output %s\nread again: %s\nnotices: %+v\ntext: %q", opt, lines, got, again.Notices, text)
	}
}

// place counts line and column of an offset the slow way.
func place(text []byte, offset int64) (line, column int64) {
	line, column = 1, 1
	for i := int64(0); i < offset; i++ {
		switch c := text[i]; {
		case c == '\n' && i > 0 && text[i-1] == '\r':
			column = 1
		case c == '\n', c == '\r':
			line++
			column = 1
		case c&0xC0 != 0x80:
			column++
		}
	}
	return line, column
}

var fuzzSeeds = []string{
	"<< <a:s> <a:p> [] ~ [] >> <a:q> <a:z> .",
	"",
	"<http://a/s> <http://a/p> <http://a/o> .\n",
	"<http://a/s> <http://a/p> \"é\\u00e9\\\"\"@en-GB .\r\n_:a <http://a/p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> <http://a/g> . # x\r",
	"<http://a/s b> <p> \"x\"@en_US\n<http://a/s> a 'x' . <s> <p> 5 .",
	"@prefix : <http://a/> .\n:s :p :o , \"a\"@en , 1, 2.5, .5e3, true ; a :C ; .\n[ :p ( 1 [ :q :r ] () \"\"\"x\ny\"\"\" ) ] :p [] .\n",
	"PREFIX p: <ns#>\nBASE <http://b/>\np:s\\,x p:p%20 <../x> . { p:s p:p p:o } GRAPH <g> { [] p:p p:o . } _:g {<a> <b> <c>}",
	":s :p \"open\n:s :p :o . :s = :o ; :q :r . bad:x :p ( :a bad:b :c ) .",
	"<s> <p> \"\"\"never closed\n<s> <p> <o> .\n<s> <p> <o>\n<s> <p> <o> , , <q> ; <r> . . }",
	"<http://a/s> <http://a/p> [ <http://a/q> ( 1 2 \"x\"@1 ) .\n<http://a/s> a foaf:Person ; dct:title \"C:\\data\\ud83d\\ude00\" .",
	"<http://a/s> <http://a/p> <http://a/o> ;\n <http://a/q> <http://a/r> .\n",
	"<http://a/g> {\n<http://a/s> <http://a/p> <http://a/o> }\n",
	"<http://a/s> <http://a/p> <<( _:b <http://a/p> <<( <s> a \"x\"@EN--LTR )>> )>> <http://a/g> .\nVERSION \"1.2\"\n<http://a/s> <http://a/p> <<(<a><b><c> .\n",
	"@prefix : <http://a/> . @version '1.2' .\n:s :p :o ~ :r {| :q [ :r \"x\"@ar--rtl ] ; :t 5 {| :u :v |} |} ~ , << <<:s :p []>> :q <<( :a :b <<( _:c a 1 )>> )>> ~_:i >> .\n",
	"<< <s> <p> ( 1 ) >> <p> <<( <s> bad:p <o> )>> ; <q> <o>~<r>~ {| |} , <o> {| <p> ^ |} . <<<s> <p> <o> .\n<a> <b> <c> .",
	"<http://a/s> <http://a/p> \"one\n# two\n<http://a/t> <http://a/p> <http://a/o> .\r\nthree \\\"\"@en <http://a/g> . # x\n<http://a/u> <http://a/p> \"\"\"one\n\ntwo",
	"\x00<http://a/s>\x00 <http://a/p> <http://a/o>\x00.\x00\n" + hole + "<http://a/t> <http://a/p> <http://a/o> <http://a/g> ." + hole +
		"\n_:b\x00 <http://a/p> " + hole + "\"x\" .\n\x00 \x00",
	"<http://a/s> <http://a/p> \"\xff\xfe\" .\n<http://a/\xc3> <http://a/p> _:\xc3 .",
}

// formulaSeeds are documents of N3.
var formulaSeeds = []string{
	"@prefix : <a:> .\n:s :p 1 .\n{ ?x :p ?y . # }\n ?y :q \"}\", '''{''' } => { ?x :q <a:{x}> } .\n:s :p 2 .\n",
	"@prefix : <a:> .\n{?x :p {?y :q {}}}<={?x ?p ( ?y 1 )}.\n:s :says { :a :b :c } , :o ; = :t .\n{ :a :b :c } a :T .\n:s :p 2 .",
	"@prefix : <a:> .\n@forAll :x, <y> .\n@forSome :z\n:x :p 1 .\n:s :x :o . [ :p { :a :b :c } ] :q ( { } 1 ) .\n{ :a :b :c } .\n:g = { :a :b :c } .\n",
	"@prefix : <a:> .\n{ :a :b :c\n:s :p 1 .\n{ :a \"open } => { :b } .\n:s :p 2 .\n}\n:s => :t .\n:s <= :t\n{ :a :b :c } => { :d",
}

func FuzzLaws(f *testing.F) {
	for _, seed := range fuzzSeeds {
		for options := range byte(16) {
			f.Add([]byte(seed), options, byte(7))
		}
		f.Add([]byte(seed), byte(16), byte(7))
	}
	for _, seed := range formulaSeeds {
		for _, options := range []byte{2, 3, 6, 16, 24} {
			f.Add([]byte(seed), options, byte(7))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, options, block byte) {
		if len(text) > 4096 {
			return
		}
		opt := ttl.Options{Syntax: ttl.Syntax(options & 3), MayHandOver: options&4 != 0, CalledTurtle: options&8 != 0}
		if options&16 != 0 {
			opt.Syntax = ttl.N3
		}
		if options&8 != 0 {
			opt.MaxToken = 24
		}
		checkLaws(t, text, opt, int(block)+1, 1, max(len(text), 1))
	})
}

// TestTheEndOfAGraphEndsItsLastStatementAsADotDoes reads faults before the last statement of a
// graph, with and without a dot at its end. The same statements are kept.
func TestTheEndOfAGraphEndsItsLastStatementAsADotDoes(t *testing.T) {
	for _, before := range []string{
		":s :p \"x\"\n", ":s :p 1 ; :q 2\n", ":s :p \"x\" ;\n", ":s :p \"x\" ,\n", ":s :p\n", ":s\n", ":s :p \"x\n", ":s :p <x\n",
		":s :p ( :a\n", ":s :p [ :q :b\n",
		":s :p [ :q :b ]\n", ":s :p ( :b )\n", "_:s :p 1\n", ":s :p 1 ; :q\n", "bad:s :p 1\n", ":s bad:p 1\n", ":s :p bad:o\n", ":s word\n",
		":s :p :o ]\n", ":s :p 1 ",
	} {
		for _, last := range []string{":t :p \"y\"", ":t :p \"y\"@en , 2", ":t :p <a:y> ; :q 2", "_:t a :C", ":t :p [ :q 3 ]",
			":t :p ( 4 )", "[] :p \"y\"^^:d"} {
			text := "@prefix : <a:> .\n:g { :a :p :b ; :q 5 .\n" + before + last + "%s }\n:h { :s :p \"x\" }\n"
			dotted, _ := read(t, strings.NewReader(fmt.Sprintf(text, " .")), ttl.Options{Syntax: ttl.TriG})
			bare, _ := read(t, strings.NewReader(fmt.Sprintf(text, "")), ttl.Options{Syntax: ttl.TriG})
			if got, want := strings.Join(bare.Lines(), "\n"), strings.Join(dotted.Lines(), "\n"); got != want {
				t.Errorf("%q\n%s\nwant\n%s", before+last, got, want)
			}
		}
	}
}

// TestABlockMayEndWhereTheTextEnds reads texts in blocks, one of which is full at the last byte. The end of the text
// is found by a read that brings nothing.
func TestABlockMayEndWhereTheTextEnds(t *testing.T) {
	lines := strings.Repeat("<http://a/s> <http://a/p> <http://a/o> .\n", 40)
	graphs := "@prefix : <http://a/> .\n" + strings.Repeat(":g { :s :p :o . :s :q 5 }\n", 40)
	for text, syntax := range map[string]ttl.Syntax{
		lines + "<http://a/s> <http://a/p> \"x\"\n<http://a/s> <http://a/p> \"the last line":      ttl.NTriples,
		lines + "<http://a/s> <http://a/p> \"x\"\n<http://a/s> <http://a/p> \"x\" .":              ttl.NQuads,
		lines + "<http://a/s> <http://a/p> \"x\"\r\n.":                                            ttl.NTriples,
		lines + "<http://a/s> <http://a/p> \"x":                                                   ttl.NTriples,
		graphs + ":h { :s :p :o . :s :p 5 .":                                                      ttl.TriG,
		"@prefix : <http://a/> .\n" + lines + ":h { :s :p :o . :s :p 5 .\n:s :q \"y\"@en .":       ttl.TriG,
		"@prefix : <http://a/> .\n" + lines + ":h { :s :p :o . :s :p 5 }\n":                       ttl.TriG,
		"@prefix : <http://a/> .\n" + lines + ":h { :s :p :o . :s :p 5 }\n:i { :s :p :o . }\n":    ttl.TriG,
		graphs + ":h { :s :p :o . :s :p \"x":                                                      ttl.TriG,
		graphs + ":h { :s :p :o . :s :p ( 1 2 \n:i { :s :p :o }":                                  ttl.TriG,
		graphs + ":h { :s :p :o ; :q \"x\"@en } }\n:i { :s :p [ :q 5 ] .\n:j { :s :p 5 . :s :q }": ttl.TriG,
	} {
		whole, _ := read(t, strings.NewReader(text), ttl.Options{Syntax: syntax})
		want := dump(whole)
		for block := 1; block <= len(text)+1; block++ {
			cut, _ := read(t, strings.NewReader(text), ttl.WithBlock(ttl.Options{Syntax: syntax}, block))
			if got := dump(cut); got != want {
				t.Fatalf("read in blocks of %d:\n%s\nwhole:\n%s\ntext: %q", block, got, want, text)
			}
		}
	}
}
