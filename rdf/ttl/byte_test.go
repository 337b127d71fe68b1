package ttl_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/ttl"
)

// samples are documents of some 2 kB, statement by statement. The text before them declares prefixes, and no
// two statements have a term in common but predicates.
var samples = []struct {
	syntax ttl.Syntax
	blocks []string
}{
	{ttl.NTriples, []string{
		"# a comment\n",
		"<http://e/s1> <http://e/p> <http://e/o1> .\n",
		"<http://e/s2> <http://e/p> \"two\" .\n",
		"_:b3 <http://e/p> \"dr\u00e9i\\n\\\"3\\\"\"@fr-CA .\n",
		"<http://e/s4> <http://e/p> \"4\"^^<http://www.w3.org/2001/XMLSchema#integer> .\r\n",
		"<http://e/s5> <http://e/p> <<( <http://e/a5> <http://e/q> \"5\"@ar--rtl )>> .\n",
		"<http://e/s6> <http://e/p> _:b6 .\n",
		"\n",
		"<http://e/s7> <http://e/p> \"seven. it is; so, there\" . # why\n",
		"<http://e/s8> <http://e/p> <http://e/o8> .\n",
		"<http://e/s9> <http://e/p> \"nine\" .\n",
	}},
	{ttl.NQuads, []string{
		"<http://e/s1> <http://e/p> <http://e/o1> <http://e/g> .\n",
		"<http://e/s2> <http://e/p> \"two\" _:g .\n",
		"_:b3 <http://e/p> \"dr\u00e9i\\n\\\"3\\\"\"@fr-CA <http://e/g> .\n",
		"<http://e/s4> <http://e/p> \"4\"^^<http://www.w3.org/2001/XMLSchema#integer> <http://e/g> .\r\n",
		"<http://e/s5> <http://e/p> <<( <http://e/a5> <http://e/q> _:c5 )>> <http://e/g> .\n",
		"<http://e/s6> <http://e/p> _:b6 .\n",
		"<http://e/s7> <http://e/p> \"seven\" <http://e/g> .\n",
		"<http://e/s8> <http://e/p> <http://e/o8> <http://e/g> .\n",
		"<http://e/s9> <http://e/p> \"nine\" <http://e/g> .\n",
	}},
	{ttl.Turtle, []string{
		"@prefix ex: <http://e/> .\nPREFIX x: <http://x/>\n",
		"ex:s1 ex:p ex:o1 .\n",
		"ex:s2 ex:p \"two\" , 'zwei' ;\n   ex:q 2 , 2.5e2 ;\n   a ex:T .\n",
		"<http://e/s3> ex:p \"\"\"three\nlines; of \"text\" .\n\"\"\"@en ;\n   ex:q true .\n",
		"ex:s4 ex:p [ ex:q \"four\" ;\n     ex:r [ ex:q \"fo\" , \"ur\" ] ] ;\n   ex:q ( 41 \"42\" [ ex:q 43 ] ex:o44 ) .\n",
		"_:b5 ex:p \"f\u00fcnf\"^^x:dt ; # five; [of] \"them\"\n   ex:q x:y%20z , ex:a\\,b .\n",
		"[] ex:p \"six\" .\n",
		"[ ex:q \"seven\" ] ex:p ex:o7 .\n",
		"( ex:o8 ) ex:p \"eight\" .\n",
		"ex:s9 ex:p ex:o9 ~ ex:r9 {| ex:q \"nine\" ; ex:r 9 |} ;\n   ex:q << ex:a9 ex:p ex:b9 ~ _:r9 >> , <<( ex:c9 ex:p \"99\"@en--ltr )>> .\n",
		"<< ex:a10 ex:p ex:b10 >> ex:q \"ten\" .\n",
		"ex:s11 ex:p ex:o11 .\nex:s12 ex:p ex:o12 .\n",
		"ex:s13 ex:p \"thirteen\" ;\n   ex:q ex:o13 .\n",
		"ex:s14 ex:p \"fourteen\" .\n",
	}},
	{ttl.TriG, []string{
		"@prefix ex: <http://e/> .\n",
		"ex:s1 ex:p ex:o1 .\n",
		"ex:g2 {\n  ex:s2 ex:p \"two\" ;\n     ex:q 2 .\n",
		"  ex:s3 ex:p [ ex:q \"three\" ] .\n",
		"  ex:s4 ex:p ( \"four\" ex:o4 ) .\n}\n",
		"GRAPH <http://e/g5> {\n  ex:s5 ex:p \"five\" .\n",
		"  ex:s6 ex:p ex:o6 , ex:o66\n}\n",
		"ex:s7 ex:p \"seven\" ;\n   ex:q ex:o7 .\n",
		"{ ex:s8 ex:p \"eight\" . }\n",
		"_:g9 { ex:s9 ex:p \"nine\" . ex:s10 ex:p \"ten\" }\n",
		"ex:g11 {\n  ex:s11 ex:p \"eleven\" ;\n     ex:q \"onze\"@fr .\n",
		"  ex:s12 ex:p ex:o12 .\n}\n",
		"ex:s13 ex:p \"thirteen\" .\n",
		"ex:s14 ex:p \"fourteen\" .\n",
	}},
}

// TestWhatStandsBeforeACutIsKept cuts the samples at every byte. What ends before the cut is kept.
// Nothing is read that the whole does not say, such as a literal without its end.
func TestWhatStandsBeforeACutIsKept(t *testing.T) {
	for _, s := range samples {
		text := strings.Join(s.blocks, "")
		clean, _ := read(t, strings.NewReader(text), ttl.WithBlock(ttl.Options{Syntax: s.syntax}, 4096))
		if len(clean.Notices) > 0 {
			t.Fatal(clean.Notices)
		}
		whole := clean.Lines()
		for cut := range len(text) {
			c, _ := read(t, strings.NewReader(text[:cut]), ttl.WithBlock(ttl.Options{Syntax: s.syntax}, 4096))
			if s.syntax == ttl.NQuads && cut < len(s.blocks[0]) {
				continue // that lines have graphs is not known yet
			}
			lines, end := c.Lines(), 0
			for _, block := range s.blocks {
				if end+len(strings.TrimRight(block, "\r\n")) > cut {
					break
				}
				end += len(block)
			}
			for i, line := range whole {
				if int(clean.Quads[i].Object.Pos.Offset) < end && !slices.Contains(lines, line) {
					t.Errorf("%v, cut behind %q: lost %s", s.syntax, text[max(cut-30, 0):cut], line)
				}
			}
			for _, line := range lines {
				if !slices.Contains(whole, line) {
					t.Errorf("%v, cut behind %q: invented %s", s.syntax, text[max(cut-30, 0):cut], line)
				}
			}
		}
	}
}

// TestAByteCostsNoOtherLine deletes, doubles and replaces every byte of the samples of line
// formats. All lines but that and the one after it are kept, and no others are read.
func TestAByteCostsNoOtherLine(t *testing.T) {
	edits := []string{"", "\x00", "\xff", "\ufeff"}
	for _, c := range "\"<>.;[](){}\\\n\r x#',@^_:~|5-" {
		edits = append(edits, string(c))
	}
	for _, s := range samples[:2] {
		text := strings.Join(s.blocks, "")
		clean, _ := read(t, strings.NewReader(text), ttl.WithBlock(ttl.Options{Syntax: s.syntax}, 4096))
		whole := clean.Lines()
		for at := range len(text) {
			from := strings.LastIndexByte(text[:at], '\n') + 1
			// the next line is a part of this one without the line end
			to := at + strings.IndexByte(text[at:], '\n') + 1
			if at == to-1 || at == to-2 {
				to += strings.IndexByte(text[to:], '\n') + 1
			}
			for _, with := range append(edits, text[at:at+1]+text[at:at+1]) {
				broken := text[:at] + with + text[at+1:]
				c, _ := read(t, strings.NewReader(broken), ttl.WithBlock(ttl.Options{Syntax: s.syntax}, 4096))
				lines := c.Lines()
				for i, line := range whole {
					if p := int(clean.Quads[i].Object.Pos.Offset); (p < from || p >= to) && !slices.Contains(lines, line) {
						t.Errorf("%v, %q for %q behind %q: lost %s", s.syntax, with, text[at], text[from:at], line)
					}
				}
				for i, line := range lines {
					if p := int(c.Quads[i].Object.Pos.Offset); (p < from || p >= to+len(with)-1) && !slices.Contains(whole, line) {
						t.Errorf("%v, %q for %q behind %q: invented %s", s.syntax, with, text[at], text[from:at], line)
					}
				}
			}
		}
	}
}

// TestABraceInTurtleCostsItsStatementAlone puts a { at each place in a statement of Turtle. The
// documents are short, or longer than what is looked ahead. It begins no graph there, and what
// follows is kept.
func TestABraceInTurtleCostsItsStatementAlone(t *testing.T) {
	for _, n := range []int{30, 2500} {
		var b strings.Builder
		b.WriteString("@prefix ex: <http://e/> .\n")
		for i := range n {
			fmt.Fprintf(&b, "ex:s%d ex:p ex:o%d ;\n   ex:q \"x\" .\n", i, i)
		}
		text := b.String()
		const line = "ex:s9 ex:p ex:o9 ;\n   ex:q \"x\" .\n"
		from := strings.Index(text, line)
		for i := range len(line) {
			c, _ := read(t, strings.NewReader(text[:from+i]+"{"+text[from+i:]), ttl.Options{Syntax: ttl.Turtle})
			lost, graphs := 2*n-len(c.Quads), 0
			for i := range c.Quads {
				if c.Quads[i].Graph.Kind != rdf.NoTerm {
					graphs++
				}
			}
			isOpen(t, fmt.Sprintf("{ behind %q of %d statements", line[:i], 2*n), graphs > 0 || lost > 4)
		}
	}
}
