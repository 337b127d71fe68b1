package ttl_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl"
)

// blockLayouts write node k of a document of nodes that are alike; %[1]d is k. With braces, a graph is around each;
// with graph, around all.
var blockLayouts = []struct {
	name        string
	block       string
	trig, graph bool
}{
	{"pretty", "d:s%[1]d a v:T ;\n    v:title \"T, of; %[1]d.\"@en , 'b%[1]d' ;\n    v:part [\n        v:name \"N%[1]d\" ;\n        v:at d:x%[1]d\n    ] ;\n" +
		"    v:list ( d:l%[1]d \"m%[1]d\" %[1]d ) ;\n    v:note \"\"\"two (%[1]d)\nlines\"\"\" ;\n    v:date \"%[1]d\"^^v:dt ;\n    v:see <http://e/%[1]d?a=b> .\n\n",
		false, false},
	{"compact", "d:s%[1]d a v:T;v:title \"T, of; %[1]d.\"@en,'b%[1]d';v:part[v:name \"N%[1]d\";v:at d:x%[1]d];v:list(d:l%[1]d \"m%[1]d\" %[1]d);v:see <http://e/%[1]d?a=b>.\n",
		false, false},
	{"graphs", "d:g%[1]d {\n  d:s%[1]d a v:T ;\n    v:title \"T, of; %[1]d.\"@en , 'b%[1]d' ;\n    v:part [ v:name \"N%[1]d\" ; v:at d:x%[1]d ] .\n" +
		"  d:t%[1]d v:list ( d:l%[1]d \"m%[1]d\" %[1]d ) ;\n    v:see <http://e/%[1]d?a=b> .\n}\n\n", true, false},
	{"keyword", "GRAPH d:g%[1]d {\n  d:s%[1]d v:title \"T, of; %[1]d.\" ;\n    v:date \"%[1]d\"^^v:dt .\n  d:t%[1]d v:see <http://e/%[1]d?a=b> , d:y%[1]d .\n}\n",
		true, false},
	{"one graph", "  d:s%[1]d a v:T ;\n    v:title \"T, of; %[1]d.\"@en , 'b%[1]d' ;\n    v:part [\n      v:name \"N%[1]d\"\n    ] ;\n    v:list ( d:l%[1]d %[1]d ) .\n",
		true, true},
	{"one graph to the left",
		"d:s%[1]d a v:T ; v:title \"T, of; %[1]d.\"@en , 'b%[1]d' ; v:part [ v:name \"N%[1]d\" ] ; v:list ( d:l%[1]d %[1]d ) .\n", true,
		true},
}

const blockHead = "@prefix d: <http://e/> .\n@prefix v: <http://v/> .\n"

// blockCheck checks what is read of nodes in a layout, one of which is broken, against the laws.
// All that the others say is read, and once. Nothing is read that nobody wrote, except what the
// broken node says. A notice is in the broken node.
type blockCheck struct {
	layout         string
	syntax         ttl.Syntax
	before, behind string
	text           string // of the node before it is broken
	others, own    []string
	bad, cases     int
}

func newBlockCheck(t *testing.T, layout int) *blockCheck {
	t.Helper()
	l := &blockLayouts[layout]
	b := &blockCheck{layout: l.name, syntax: ttl.Turtle}
	if l.trig {
		b.syntax = ttl.TriG
	}
	n, broken, head, tail := 8, 5, blockHead, ""
	if l.graph {
		n, broken, head, tail = 24, 20, blockHead+"GRAPH d:g {\n", "}\n"
	}
	b.before = head
	for k := range n {
		text := fmt.Sprintf(l.block, k+10)
		c, _ := read(t, strings.NewReader(head+text+tail), ttl.Options{Syntax: b.syntax})
		if len(c.Notices) > 0 {
			t.Fatal(dump(c))
		}
		lines := withoutNames(c.Lines())
		switch {
		case k == broken:
			b.text, b.own = text, lines
			continue
		case k < broken:
			b.before += text
		default:
			b.behind += text
		}
		b.others = append(b.others, lines...)
	}
	b.behind += tail
	slices.Sort(b.others)
	return b
}

func withoutNames(lines []string) []string {
	lines = slices.Clone(lines)
	for i := range lines {
		lines[i] = anonymous.ReplaceAllString(lines[i], "_:x")
	}
	return lines
}

// check reads the document with text for the broken node. What is in the node may be what
// nobody wrote only if content is true: then its terms may have changed.
func (b *blockCheck) check(t *testing.T, text string, content bool) {
	t.Helper()
	b.cases++
	c, _ := read(t, strings.NewReader(b.before+text+b.behind), ttl.Options{Syntax: b.syntax})
	from, to := int64(len(b.before)), int64(len(b.before)+len(text))
	var wrong, others []string
	for i, line := range withoutNames(c.Lines()) {
		at := c.Quads[i].Object.Pos.Offset
		if at < from || at >= to {
			others = append(others, line)
		} else if !content && !slices.Contains(b.own, line) && !c.Quads[i].Repaired {
			wrong = append(wrong, "invented in it: "+line)
		}
	}
	slices.Sort(others)
	if missing, more := minus(b.others, others), minus(others, b.others); len(missing)+len(more) > 0 {
		wrong = append(wrong, fmt.Sprintf("%d lost, such as %.1q; invented %.3q", len(missing), missing, more))
	}
	if len(c.Notices) > 0 && !slices.ContainsFunc(c.Notices, func(n fault.Notice) bool { return n.Offset >= from && n.Offset <= to+16 }) {
		wrong = append(wrong, "told elsewhere: "+fmt.Sprint(c.Notices[0].Pos))
	}
	if len(wrong) == 0 {
		return
	}
	if b.bad++; b.bad <= 3 {
		t.Logf("%s: %q\n%s", b.layout, text, strings.Join(wrong[:min(len(wrong), 3)], "\n"))
	}
}

// finish holds the texts that a test has checked to the table.
func (b *blockCheck) finish(t *testing.T, test string) {
	t.Helper()
	t.Logf("%s, %s: %d of %d", test, b.layout, b.bad, b.cases)
	if most := mostBad[test+", "+b.layout]; b.bad > most {
		t.Errorf("%s, %s: %d of %d, and at most %d are known", test, b.layout, b.bad, b.cases, most)
	}
}

// minus is what a holds more often than b, both being sorted.
func minus(a, b []string) (more []string) {
	for _, line := range a {
		for len(b) > 0 && b[0] < line {
			b = b[1:]
		}
		if len(b) > 0 && b[0] == line {
			b = b[1:]
		} else {
			more = append(more, line)
		}
	}
	return more
}

// TestAByteInABlockCostsNoOther deletes, doubles and puts in each sign of punctuation at the places
// of a node in the middle of others.
func TestAByteInABlockCostsNoOther(t *testing.T) {
	const signs = ".;,[](){}<>\"'@^:#\\"
	stride := 3 // all places take five times as long as all other tests
	if testing.Short() {
		stride = 17
	}
	for l := range blockLayouts {
		b := newBlockCheck(t, l)
		for i := range len(b.text) {
			if strings.IndexByte(signs, b.text[i]) >= 0 {
				b.check(t, b.text[:i]+b.text[i+1:], true)
				b.check(t, b.text[:i]+b.text[i:i+1]+b.text[i:], true)
			}
			for k, sign := range signs {
				if (i+k)%stride == 0 {
					b.check(t, b.text[:i]+string(sign)+b.text[i:], true)
				}
			}
		}
		b.finish(t, "byte")
	}
}

// TestHalfABlockCostsNoOther cuts a node off at each byte, and takes away what is before it.
func TestHalfABlockCostsNoOther(t *testing.T) {
	for l := range blockLayouts {
		b := newBlockCheck(t, l)
		for i := 1; i < len(b.text)-1; i++ {
			b.check(t, b.text[:i]+"\n", true)
			b.check(t, b.text[i:], true)
			b.check(t, b.text[:i]+"\n<html>502 Bad Gateway</html>\n", true)
		}
		b.finish(t, "half")
	}
}

// TestRubbishInABlockCostsNoOther puts what is no part of the format at each place of a node.
func TestRubbishInABlockCostsNoOther(t *testing.T) {
	stride := 2
	if testing.Short() {
		stride = 11
	}
	for l := range blockLayouts {
		b := newBlockCheck(t, l)
		for _, rubbish := range []string{"{{ title }}", "<br/>", "\n<<<<<<< HEAD\n", "\n=======\n", "“", "// todo\n", "/* x */", "$VAR ",
			"NULL,", "\x00\x00", "%s", "&nbsp;", "null", "-- ", "{\"a\": [1, {}]}"} {
			for i := 0; i < len(b.text); i += stride {
				b.check(t, b.text[:i]+rubbish+b.text[i:], true)
			}
		}
		b.finish(t, "rubbish")
	}
}

// TestPlacesOfFaultsInBlocks reads single broken texts: of each, lines that are read and such as are not.
func TestPlacesOfFaultsInBlocks(t *testing.T) {
	for _, c := range []struct{ name, text, kept, not string }{
		{"a statement without its subject behind a fault",
			":s :p 1 ;\n   :q 2 .\n:r :p 1 ;\n   :q 2 .\n:t :p 1 ;\n   :q \"x\" \"y\" ) .\n a :C ;\n   :p ( :m ) .\n:u :p :o .\n",
			"_:x <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> <a:m> .",
			"<a:t> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <a:C> ."},
		{"a } before a semicolon", ":g { :s :p 1 } ;\n :q 2 .\n :t :p 3 .\n:h { :u :p 4 }\n",
			"<a:t> <a:p> \"3\"^^<http://www.w3.org/2001/XMLSchema#integer> <a:g> .",
			"<a:t> <a:p> \"3\"^^<http://www.w3.org/2001/XMLSchema#integer> ."},
		{"rubbish before GRAPH", ":g { :s :p 1 . }\n:t :p 502 Bad Gateway\nGRAPH :h {\n:u :p :o ; :q 1-2\" .\n:v :p 5 . }\n",
			"<a:v> <a:p> \"5\"^^<http://www.w3.org/2001/XMLSchema#integer> <a:h> .", ""},
		{"a bare value before words with a quotation mark", ":s :p ( \"m\" 2 B\" <x:y> ) .\n",
			"_:x <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> <x:y> .",
			"_:x <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> \"2\"^^<http://www.w3.org/2001/XMLSchema#integer> ."},
		{"a word and a string behind it", ":s :p ( \"m\" B\" 2 B\" <x:y> ) .\n",
			"_:x <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> <x:y> .",
			"_:x <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> \" 2 B\" ."},
		{"a bracket with a value alone before a statement", "[1] Done\n:s a :C ;\n :p 1 .\n",
			"<a:s> <a:p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .",
			"_:x <a:p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> ."},
		{"a bracket too many before another fault", ":r :p 1 ; :q 2 .\n:s a :C ; :p 3 ] ; :q 4 ; :l ( 5 6 , 7 ; :p 8 .\n",
			"<a:s> <a:q> \"4\"^^<http://www.w3.org/2001/XMLSchema#integer> .", ""},
		{"both brackets missing", ":r a :C ; :p 1 ; :q 2 .\n:s a :C ; :p a :D ; :q 4 .\n",
			"<a:s> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <a:C> .",
			"<a:s> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <a:D> ."},
		{"a } in the place of a predicate's object", ":g {\n  :r :p 1 ;\n    :q 2 .\n  :s :p } \"x\" .\n  :t :q 3 .\n}\n",
			"<a:t> <a:q> \"3\"^^<http://www.w3.org/2001/XMLSchema#integer> <a:g> .",
			"<a:t> <a:q> \"3\"^^<http://www.w3.org/2001/XMLSchema#integer> ."},
		{"two braces before a predicate", ":g {\n  :r :p 1 ;\n    :q 2 .\n  :s :p 1 ;\n    } }:q 2 .\n  :t :q 3 .\n}\n",
			"<a:t> <a:q> \"3\"^^<http://www.w3.org/2001/XMLSchema#integer> <a:g> .",
			"<a:t> <a:q> \"3\"^^<http://www.w3.org/2001/XMLSchema#integer> ."},
		{"a graph that ends before a statement about a predicate", ":g {\n  :r :p 1 .\n  :s :p 2 . } :p :q :o .\n", "<a:p> <a:q> <a:o> .",
			""},
		{"a statement that is indented less", ":g {\n  :r :p 1 .\n  :s :p 2 .\n  :u :p 2 .\n:t :q 3 .\n  :v :q 3 .\n}\n:h { :w :q 1 }\n",
			"<a:v> <a:q> \"3\"^^<http://www.w3.org/2001/XMLSchema#integer> <a:g> .", ""},
		{"a semicolon behind a subject where none begins", ":g {\n  :s :p 1 ;\n    :q 2 .\n  :t :p 1 ;\n    :q 2 .\n :u ;\n    :q 3 .\n}\n",
			"<a:t> <a:q> \"2\"^^<http://www.w3.org/2001/XMLSchema#integer> <a:g> .",
			"<a:u> <a:q> \"3\"^^<http://www.w3.org/2001/XMLSchema#integer> <a:g> ."},
	} {
		got, _ := read(t, strings.NewReader("@prefix : <a:> .\n"+c.text), ttl.Options{Syntax: ttl.TriG})
		lines := withoutNames(got.Lines())
		isOpen(t, c.name, !slices.Contains(lines, c.kept) || c.not != "" && slices.Contains(lines, c.not))
	}
}

// TestAFaultInALargeGraphDoesNotEndIt reads a graph of which nobody can look to the end: a brace
// within one of its statements neither ends it nor begins another.
func TestAFaultInALargeGraphDoesNotEndIt(t *testing.T) {
	for _, fault := range []string{"\"x\"}en ;", "\"x\" } ;", "1 ; d:p{{ title }}q 2 ;", "{{ title }} 1 ;", "1 ;\n    {   v:r 3 ;",
		"\"x\" { ;"} {
		var b strings.Builder
		b.WriteString(blockHead + "GRAPH d:g {\n")
		const n, broken = 2500, 40
		for k := range n {
			object := "\"x\"@en ;"
			if k == broken {
				object = fault
			}
			fmt.Fprintf(&b, "  d:s%d v:p %s\n    v:q %d .\n", k, object, k)
		}
		b.WriteString("}\n")
		c, _ := read(t, strings.NewReader(b.String()), ttl.Options{Syntax: ttl.TriG})
		kept := 0
		for i := range c.Quads {
			if string(c.Quads[i].Graph.Value) == "http://e/g" {
				kept++
			}
		}
		isOpen(t, fmt.Sprintf("large graph %q", fault), kept < 2*n-3 || len(c.Quads) > kept+1)
	}
}

// A { that is superfluous in one node and a } that is superfluous in another do not make what is between a block.
func TestStrayBracesFarFromEachOtherCostTheirStatementsAlone(t *testing.T) {
	for i := range blockLayouts {
		l := &blockLayouts[i]
		if l.trig {
			continue
		}
		const n, first, second = 12, 3, 9
		var nodes []string
		for k := range n {
			nodes = append(nodes, fmt.Sprintf(l.block, k+10))
		}
		for _, sign := range []string{" \"T", " d:l", " <http", ":x", "v:title"} {
			all := slices.Clone(nodes)
			all[first] = strings.Replace(all[first], sign, sign[:1]+"{"+sign[1:], 1)
			all[second] = strings.Replace(all[second], " \"m", " }\"m", 1)
			c, _ := read(t, strings.NewReader(blockHead+strings.Join(all, "")), ttl.Options{Syntax: ttl.Turtle})
			got := strings.Join(c.Lines(), "\n")
			for k := range n {
				if want := fmt.Sprintf("<http://e/s%d> <http://v/see>", k+10); k != first && k != second && !strings.Contains(got, want) {
					t.Errorf("%s, { in %q: %s is lost: %d notices", l.name, sign, want, len(c.Notices))
				}
			}
		}
	}
}

// One fault in the braces costs only the statements that it touches, also where a superfluous }
// is far after it. The graph holds all statements, or is one among others.
func TestABraceInALargeGraphCostsItsStatement(t *testing.T) {
	const n, first = 40, 6
	for _, row := range []struct{ name, old, new string }{
		{"a { in the place of a semicolon", "%d ;\n\t\tv:see", "%d {\n\t\tv:see"},
		{"a } in a name", "\td:s", "\td}s"},
		{"a subject that is doubled", "\td:s%d", "\td:s%d d:s%[1]d"},
	} {
		for _, extra := range []string{"", "}\n"} {
			var all []string
			for k := range n {
				text := "\td:s%d a v:T ;\n\t\tv:size %[1]d ;\n\t\tv:see <http://e/%[1]d> .\n"
				if k == first {
					text = strings.Replace(strings.ReplaceAll(text, "%[1]d", "%d"), row.old, row.new, 1)
				}
				all = append(all, strings.NewReplacer("%d", fmt.Sprint(k), "%[1]d", fmt.Sprint(k)).Replace(text))
			}
			c, _ := read(t, strings.NewReader(blockHead+"GRAPH d:g {\n"+strings.Join(all, "")+"}\n"+extra), ttl.Options{Syntax: ttl.TriG})
			got, lost := strings.Join(c.Lines(), "\n"), 0
			for k := range n {
				want := fmt.Sprintf("<http://e/s%d> <http://v/see> <http://e/%[1]d> <http://e/g> .", k)
				if k != first && !strings.Contains(got, want) {
					lost++
				}
			}
			isOpen(t, fmt.Sprintf("%s%q", row.name, extra), lost > 0)
		}
	}
	var graphs []string
	for k := range n {
		graphs = append(graphs, fmt.Sprintf("d:g%d {\n  d:s%[1]d v:see <http://e/%[1]d> .\n}\n", k))
	}
	graphs[first] = strings.Replace(graphs[first], "{", "{{", 1)
	graphs[first+9] = strings.Replace(graphs[first+9], ".\n", ". }\n", 1)
	c, _ := read(t, strings.NewReader(blockHead+strings.Join(graphs, "")), ttl.Options{Syntax: ttl.TriG})
	lost := 0
	for k := range n {
		if want := fmt.Sprintf("<http://e/s%d> <http://v/see> <http://e/%[1]d> <http://e/g%[1]d> .", k); k != first &&
			!strings.Contains(strings.Join(c.Lines(), "\n"), want) {
			lost++
		}
	}
	isOpen(t, "two {", lost > 0)
}

// A fault or two in the only graph of a text cost the statements that they are in. The text is
// longer than what is looked at for every brace. The graph does not end there, nor does another
// begin.
func TestFaultsInTheOnlyGraphLeaveTheOthersInIt(t *testing.T) {
	const n, first, second = 2500, 40, 1900
	for _, indent := range []string{"", "  "} {
		clean := indent + "d:s%d a v:T ;" + strings.Repeat(" ", len(indent)) + " v:q %[1]d .\n"
		for _, row := range [][2]string{
			{strings.Replace(clean, "d .\n", "d }.\n", 1), ""},
			{strings.Replace(clean, "d:s%d", "d:s%d d:s%[1]d", 1), ""},
			{strings.Replace(clean, "v:q", "v}q", 1), ""},
			{strings.Replace(clean, "v:T ;", "v:T {", 1), ""},
			{strings.Replace(clean, "v:T ;", "v:T {", 1), strings.Replace(clean, "v:T ;", "v:T {", 1)},
			{strings.Replace(clean, "v:q", "v:q{q", 1), strings.Replace(clean, "v:q", "{v:q", 1)},
			{strings.Replace(clean, "d:s%d", "d:s{%d", 1), strings.Replace(clean, "d:s", "d{d:s", 1)},
			{strings.Replace(clean, "v:T ;", "v:T } <http://e/o> ;", 1), strings.Replace(clean, "v:T ;", "v:T , }http://e/o> ;", 1)},
			{strings.Replace(clean, "v:T ;", "v:T }", 1), strings.Replace(clean, "v:T ;", "v}T[ d:s , d:t ;", 1)},
			{strings.Replace(clean, "v:q", "{v:q", 1), strings.Replace(clean, "v:q", "v}:q", 1)},
			{strings.Replace(clean, "v:T", "v:\n\n:T", 1), strings.Replace(clean, "d:s%d", "d:s%d d:s%[1]d", 1)},
		} {
			var b strings.Builder
			b.WriteString(blockHead + "GRAPH d:g {\n")
			for k := range n {
				switch text := clean; {
				case k == first:
					fmt.Fprintf(&b, row[0], k)
				case k == second && row[1] != "":
					fmt.Fprintf(&b, row[1], k)
				default:
					fmt.Fprintf(&b, text, k)
				}
			}
			b.WriteString("}\n")
			c, _ := read(t, strings.NewReader(b.String()), ttl.Options{Syntax: ttl.TriG})
			kept := 0
			for i := range c.Quads {
				if string(c.Quads[i].Graph.Value) == "http://e/g" {
					kept++
				}
			}
			isOpen(t, fmt.Sprintf("only graph %q, %q", row[0], row[1]), kept < 2*n-6 || len(c.Quads) > kept+1)
		}
	}
}

// A sound text is read as it is, however long it is: nothing that was looked at before shows a fault in it.
func TestStatementsBehindManyGraphsStandInNone(t *testing.T) {
	for _, behind := range []string{":x%d :p :o .", ":p :about%d :o .", "( %d ) :p \"}\" , \"{\" .", "\n  :x%d :p :o ."} {
		const graphs, statements = 3000, 20
		var b strings.Builder
		b.WriteString("@prefix : <a:> .\n")
		for k := range graphs {
			fmt.Fprintf(&b, ":g%d {\n%s} "+behind+"\n", k, strings.Repeat(":s :p :o .\n", statements), k)
		}
		c, _ := read(t, strings.NewReader(b.String()), ttl.Options{Syntax: ttl.TriG})
		outside := 0
		for i := range c.Quads {
			if c.Quads[i].Graph.Kind == rdf.NoTerm {
				outside++
			}
		}
		if len(c.Notices) > 0 || len(c.Quads)-outside != graphs*statements || outside%graphs != 0 || outside == 0 {
			t.Errorf("%q: %d notices, %d statements in graphs, %d outside", behind, len(c.Notices), len(c.Quads)-outside, outside)
		}
	}
}
