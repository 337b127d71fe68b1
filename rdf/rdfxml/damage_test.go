package rdfxml_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// This file writes documents of many layouts and vocabularies, and breaks them at known
// places. Each tag and text knows the statements that can't be read without it.

const rdfNS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

// saying is a statement of a document; blank nodes begin with "_:".
type saying struct{ s, p, o string }

// part is a tag or a text of a document, or the white space between two.
type part struct {
	kind  partKind
	text  string
	needs []int
	// blurs are further statements that depend on where an element without indentation ends.
	blurs []int
}

type partKind uint8

const (
	gap partKind = iota
	openTag
	emptyTag
	closeTag
	words
	markup // XML of a literal, or a comment
	outside
)

// layout is how a document is written.
type layout struct {
	name, newline, indent string
	prefix                string // of RDF
	perLine               bool   // every attribute on a line of its own
}

var layouts = []layout{
	{"indented by two", "\n", "  ", "rdf", false},
	{"indented by tabs", "\n", "\t", "rdf", false},
	{"CRLF", "\r\n", "  ", "rdf", false},
	{"not indented", "\n", "", "rdf", false},
	{"one line", "", "", "rdf", false},
	{"attributes on lines", "\n", "    ", "r", true},
}

// vocabulary is the names of a document: classes with their properties.
var vocabularies = [][]struct {
	class      string
	properties []string
}{
	{{"foaf:Person", []string{"foaf:name", "foaf:mbox", "foaf:knows", "foaf:made", "foaf:nick"}},
		{"foaf:Document", []string{"dc:title", "dc:creator", "dc:date", "dc:description", "dc:subject"}},
		{"", []string{"rdfs:label", "rdfs:comment", "rdfs:seeAlso"}}},
	{{"owl:Class", []string{"rdfs:label", "rdfs:subClassOf", "owl:equivalentClass", "rdfs:comment", "skos:note"}},
		{"owl:Restriction", []string{"owl:onProperty", "owl:someValuesFrom", "rdfs:comment"}},
		{"", []string{"skos:prefLabel", "skos:broader", "skos:altLabel"}}},
	{{"", []string{"a:one", "a:two", "a:three", "a:four", "a:five", "a:six"}}},
	{{"x:person", []string{"x:Name", "x:Address", "x:Friend", "x:Age"}}, {"x:Thing", []string{"x:thing", "x:part", "x:Name"}}},
}

var spaces = map[string]string{"foaf": "http://xmlns.com/foaf/0.1/", "dc": "http://purl.org/dc/elements/1.1/",
	"rdfs": "http://www.w3.org/2000/01/rdf-schema#", "owl": "http://www.w3.org/2002/07/owl#",
	"skos": "http://www.w3.org/2004/02/skos/core#", "a": "http://a.example/", "x": "http://x.example/ns#"}

func iriOf(name string) string {
	prefix, local, _ := strings.Cut(name, ":")
	return "<" + spaces[prefix] + local + ">"
}

// writer writes a document.
type writer struct {
	layout
	rnd     *rand.Rand
	words   int // vocabulary
	parts   []part
	sayings []saying
	n       int
	depth   int
}

func (w *writer) next() int { w.n++; return w.n }

func (w *writer) say(s, p, o string) int {
	w.sayings = append(w.sayings, saying{s, p, o})
	return len(w.sayings) - 1
}

func (w *writer) put(kind partKind, text string, needs ...int) int {
	w.parts = append(w.parts, part{kind: kind, text: text, needs: append([]int(nil), needs...)})
	return len(w.parts) - 1
}

func (w *writer) line() {
	if text := w.newline + strings.Repeat(w.indent, w.depth); text != "" {
		w.put(gap, text)
	}
}

// attrs joins attributes, in the manner of the layout.
func (w *writer) attrs(all ...string) string {
	sep := " "
	if w.perLine {
		sep = w.newline + strings.Repeat(w.indent, w.depth+2)
	}
	var b strings.Builder
	for _, a := range all {
		b.WriteString(sep + a)
	}
	return b.String()
}

func writeDocument(l layout, words int, rnd *rand.Rand, statements int) *writer {
	w := &writer{layout: l, rnd: rnd, words: words}
	var b strings.Builder
	fmt.Fprintf(&b, "<?xml version=\"1.0\"?>%s<%s:RDF xmlns:%[2]s=%q", w.newline, w.prefix, rdfNS)
	for _, prefix := range []string{"foaf", "dc", "rdfs", "owl", "skos", "a", "x"} {
		fmt.Fprintf(&b, " xmlns:%s=%q", prefix, spaces[prefix])
	}
	w.put(outside, b.String()+">")
	w.depth++
	for len(w.sayings) < statements {
		w.line()
		w.node("", 0)
	}
	w.depth--
	w.line()
	w.put(outside, "</"+w.prefix+":RDF>")
	w.put(gap, w.newline)
	return w
}

// node writes a node element and returns its name; needs are the statements that lead to it.
func (w *writer) node(as string, depth int, needs ...int) (string, []int) {
	kinds := vocabularies[w.words]
	kind := kinds[w.rnd.IntN(len(kinds))]
	s, attr := as, ""
	if s == "" {
		n := w.next()
		s = fmt.Sprintf("<http://d.example/thing/%d>", n)
		attr = w.attrs(fmt.Sprintf("%s:about=%q", w.prefix, strings.Trim(s, "<>")))
		switch k := w.rnd.IntN(12); {
		case k == 0:
			s, attr = fmt.Sprintf("_:label%d", n), w.attrs(fmt.Sprintf(`%s:nodeID="label%d"`, w.prefix, n))
		case k < 4 && depth > 0:
			s, attr = fmt.Sprintf("_:none%d", n), ""
		}
	}
	name := w.prefix + ":Description"
	all := append([]int(nil), needs...)
	if kind.class != "" {
		name = kind.class
		all = append(all, w.say(s, "<"+rdfNS+"type>", iriOf(kind.class)))
	}
	at := w.put(openTag, "<"+name+attr+">", all...)
	inner := w.properties(s, kind.properties, depth)
	w.parts[at].needs = append(w.parts[at].needs, inner...)
	w.line()
	w.put(closeTag, "</"+name+">", all...)
	return s, append(all[len(needs):len(all):len(all)], inner...)
}

// properties writes property elements of s.
func (w *writer) properties(s string, names []string, depth int) (all []int) {
	w.depth++
	defer func() { w.depth-- }()
	var resources []int
	for range 2 + w.rnd.IntN(5) {
		name := names[w.rnd.IntN(len(names))]
		w.line()
		k := w.rnd.IntN(14)
		if depth > 4 && k > 8 || k == 11 && len(names) < 4 {
			k = 0
		}
		n := w.next()
		// Where an element before may not have ended, the subject of this is in doubt.
		from := len(w.sayings)
		switch {
		case k < 4:
			text := fmt.Sprintf("text %d of some words, isn't it", n)
			attr, o := "", `"`+text+`"`
			switch k {
			case 1:
				attr, o = w.attrs(`xml:lang="en"`), o+"@en"
			case 2:
				attr, o = w.attrs(w.prefix+`:datatype="http://d.example/type"`), o+"^^<http://d.example/type>"
			}
			i := w.say(s, iriOf(name), o)
			w.put(openTag, "<"+name+attr+">", i)
			w.put(words, text, i)
			w.put(closeTag, "</"+name+">", i)
			all = append(all, i)
		case k < 8:
			o := fmt.Sprintf("<http://d.example/other/%d>", n)
			i := w.say(s, iriOf(name), o)
			w.put(emptyTag, "<"+name+w.attrs(fmt.Sprintf("%s:resource=%q", w.prefix, strings.Trim(o, "<>")))+"/>", i)
			all = append(all, i)
		case k == 8:
			text := fmt.Sprintf(`xml %d <b xmlns="http://www.w3.org/1999/xhtml">bold</b>`, n)
			i := w.say(s, iriOf(name), fmt.Sprintf(`"xml %d <b xmlns=\"http://www.w3.org/1999/xhtml\">bold</b>"^^<%sXMLLiteral>`, n, rdfNS))
			w.put(openTag, "<"+name+w.attrs(w.prefix+`:parseType="Literal"`)+">", i)
			w.put(markup, text, i)
			w.put(closeTag, "</"+name+">", i)
			all = append(all, i)
		case k < 11:
			i := w.say(s, iriOf(name), "")
			w.put(openTag, "<"+name+">", i)
			w.depth++
			w.line()
			w.sayings[i].o, _ = w.node("", depth+1, i)
			w.depth--
			w.line()
			w.put(closeTag, "</"+name+">", i)
			all = append(all, i)
		case k == 11:
			o := fmt.Sprintf("_:resource%d", n)
			i := w.say(s, iriOf(name), o)
			at := w.put(openTag, "<"+name+w.attrs(w.prefix+`:parseType="Resource"`)+">", i)
			// Two elements of one name in each other can't be distinguished by their end tags.
			others := slices.DeleteFunc(slices.Clone(names), func(other string) bool { return other == name })
			inner := w.properties(o, others, depth+1)
			w.line()
			end := w.put(closeTag, "</"+name+">", i)
			w.parts[at].needs = append(w.parts[at].needs, inner...)
			resources = append(resources, at, end)
			all = append(all, i)
		default:
			all = append(all, w.list(s, name, n))
		}
		for _, at := range resources {
			for j := from; j < len(w.sayings); j++ {
				w.parts[at].blurs = append(w.parts[at].blurs, j)
			}
		}
	}
	return all
}

func (w *writer) list(s, name string, n int) int {
	cell := func(i int) string { return fmt.Sprintf("_:cell%d.%d", n, i) }
	count := 2 + w.rnd.IntN(3)
	leads := w.say(s, iriOf(name), cell(0))
	open := w.put(openTag, "<"+name+w.attrs(w.prefix+`:parseType="Collection"`)+">", leads)
	w.depth++
	before := leads
	for i := range count {
		w.line()
		o := fmt.Sprintf("<http://d.example/member/%d>", w.next())
		first := w.say(cell(i), "<"+rdfNS+"first>", o)
		next := cell(i + 1)
		if i == count-1 {
			next = "<" + rdfNS + "nil>"
		}
		rest := w.say(cell(i), "<"+rdfNS+"rest>", next)
		w.put(emptyTag, "<"+w.prefix+":Description"+w.attrs(fmt.Sprintf("%s:about=%q", w.prefix, strings.Trim(o, "<>")))+"/>", first, rest,
			before)
		before = rest
		w.parts[open].needs = append(w.parts[open].needs, first, rest)
	}
	w.depth--
	w.line()
	w.put(closeTag, "</"+name+">", leads, len(w.sayings)-1)
	return leads
}

// wound is a document with faults in it.
type wound struct {
	text    string
	touched map[int]bool
	// places are the stretches in text within which each fault may be reported.
	places [][2]int
}

// harm is a kind of fault: it changes the part i, or returns false.
type harm struct {
	name string
	do   func(w *writer, i int, text string) (string, bool)
	// blurs says that where an element begins or ends is in doubt.
	blurs bool
	quiet bool // it need not be reported
}

func tags(kinds ...partKind) func(k partKind) bool {
	return func(k partKind) bool {
		for _, other := range kinds {
			if k == other {
				return true
			}
		}
		return false
	}
}

// on makes a harm of a change of text to parts of some kinds.
func on(is func(partKind) bool, change func(w *writer, text string) string) func(*writer, int, string) (string, bool) {
	return func(w *writer, i int, text string) (string, bool) {
		if !is(w.parts[i].kind) {
			return "", false
		}
		changed := change(w, text)
		return changed, changed != text
	}
}

const htmlPage = "<!DOCTYPE html><html><head><title>500</title></head><body bgcolor=white><h1>Error<hr><p>It isn't there.</body></html>"

var harms = []harm{
	{"missing end tag", on(tags(closeTag), func(_ *writer, _ string) string { return "" }), true, false},
	{"mismatched end tag", on(tags(closeTag), func(_ *writer, _ string) string { return "</foaf:other>" }), true, false},
	{"end tag in capitals", on(tags(closeTag), func(_ *writer, t string) string { return strings.ToUpper(t) }), false, false},
	{"end tag cut", on(tags(closeTag), func(w *writer, t string) string { return t[:2+w.rnd.IntN(len(t)-2)] }), true, false},
	{"end tag twice", on(tags(closeTag), func(_ *writer, t string) string { return t + t }), false, false},
	{"stray end tag", on(tags(emptyTag, closeTag), func(_ *writer, t string) string { return t + "</a:stray>" }), false, false},
	{"tag without >", on(tags(openTag, emptyTag), func(_ *writer, t string) string { return t[:len(t)-1] }), true, false},
	{"tag without />", on(tags(emptyTag), func(_ *writer, t string) string { return t[:len(t)-2] }), true, false},
	{"tag without /", on(tags(emptyTag), func(_ *writer, t string) string { return t[:len(t)-2] + ">" }), true, false},
	{"tag without <", on(tags(openTag, emptyTag), func(_ *writer, t string) string { return t[1:] }), true, false},
	{"lost start tag", on(tags(openTag), func(_ *writer, _ string) string { return "" }), true, false},
	{"lost empty tag", on(tags(emptyTag), func(_ *writer, t string) string {
		if strings.Contains(t, "/member/") {
			return t // a list with a member less is a sound list
		}
		return ""
	}), false, true},
	{"tag cut", on(tags(openTag, emptyTag), func(w *writer, t string) string { return t[:1+w.rnd.IntN(len(t)-1)] }), true, false},
	{"unclosed quote", on(tags(openTag, emptyTag), func(_ *writer, t string) string {
		if i := strings.LastIndexByte(t, '"'); i > 0 {
			return t[:i] + t[i+1:]
		}
		return t
	}), true, false},
	{"unopened quote", on(tags(openTag, emptyTag), func(_ *writer, t string) string {
		if i := strings.IndexByte(t, '"'); i > 0 {
			return t[:i] + t[i+1:]
		}
		return t
	}), true, false},
	{"NUL bytes", on(tags(openTag, emptyTag, closeTag), func(w *writer, t string) string {
		i := 1 + w.rnd.IntN(len(t)-1)
		return t[:i] + "\x00\x00" + t[i:]
	}), false, false},
	{"no UTF-8", on(tags(openTag, emptyTag), func(w *writer, t string) string {
		i := strings.IndexAny(t, " >\n\r")
		return t[:i] + "\xff\xfe" + t[i:]
	}), false, true}, // package clean judges them
	{"undeclared prefix", on(tags(emptyTag), func(_ *writer, t string) string { return "<nope" + t[strings.IndexByte(t, ':'):] }), false,
		false},
	{"bare signs", on(tags(words), func(_ *writer, t string) string { return t[:5] + " & < " + t[5:] }), false, false},
	{"unknown entity", on(tags(words), func(_ *writer, t string) string { return t[:5] + "&nope;" + t[5:] }), false, false},
	{"garbage", on(tags(gap), func(_ *writer, t string) string { return t + "=== server (restarted) ===" + t }), false, false},
	{"page of HTML", on(tags(gap), func(_ *writer, t string) string { return t + htmlPage + t }), false, false},
	{"unclosed comment", on(tags(gap), func(_ *writer, t string) string { return t + "<!-- a note" + t }), false, false},
	{"unclosed CDATA", on(tags(words), func(_ *writer, t string) string { return "<![CDATA[" + t }), false, false},
	{"unclosed instruction", on(tags(gap), func(_ *writer, t string) string { return t + "<?php echo" + t }), false, false},
	{"duplicate attribute", on(tags(openTag, emptyTag), func(_ *writer, t string) string {
		if i := strings.IndexAny(t, " \n\r"); i > 0 {
			end := strings.LastIndexByte(t, '"') + 1
			return t[:end] + t[i:end] + t[end:]
		}
		return t
	}), false, false},
	{"conflicting attributes", on(tags(openTag, emptyTag), func(w *writer, t string) string {
		if i := strings.Index(t, w.prefix+":about="); i > 0 {
			return t[:i] + w.prefix + `:nodeID="n" ` + t[i:]
		}
		return t
	}), false, false},
	{"unknown parseType", on(tags(openTag), func(_ *writer, t string) string {
		return strings.Replace(t, `parseType="Collection"`, `parseType="List"`, 1)
	}), false, false},
}

// hurt breaks the parts that faults names.
func (w *writer) hurt(faults map[int]*harm) (out wound, ok bool) {
	out.touched = map[int]bool{}
	var b strings.Builder
	prior := 0 // where the last tag or text before begins
	ends := -1
	for i := range w.parts {
		p := &w.parts[i]
		if ends >= 0 && p.kind != gap {
			out.places[len(out.places)-1][1] = b.Len() + len(p.text)
			ends = -1
		}
		h := faults[i]
		if h == nil {
			if p.kind != gap {
				prior = b.Len()
			}
			b.WriteString(p.text)
			continue
		}
		text, possible := h.do(w, i, p.text)
		if !possible {
			return out, false
		}
		for _, n := range p.needs {
			out.touched[n] = true
		}
		if h.blurs && w.indent == "" {
			for _, n := range p.blurs {
				out.touched[n] = true
			}
		}
		from := b.Len()
		if p.kind == closeTag || p.kind == gap {
			from = prior
		}
		if p.kind == closeTag {
			from = w.begins(i, b.String())
		}
		b.WriteString(text)
		if !h.quiet {
			out.places = append(out.places, [2]int{from, b.Len()})
			ends = i
		}
		if p.kind != gap {
			prior = from
		}
	}
	out.text = b.String()
	return out, true
}

// begins is where the element begins, in what is written so far, that the part i ends.
func (w *writer) begins(i int, written string) int {
	name := strings.TrimSuffix(strings.TrimPrefix(w.parts[i].text, "</"), ">")
	for j, open := i-1, 1; j >= 0; j-- {
		p := &w.parts[j]
		switch {
		case p.kind == closeTag && p.text == w.parts[i].text:
			open++
		case p.kind == openTag && strings.HasPrefix(p.text, "<"+name) && strings.ContainsAny(p.text[len(name)+1:len(name)+2], " >\r\n"):
			if open--; open == 0 {
				if at := strings.LastIndex(written, p.text); at >= 0 {
					return at
				}
				return 0
			}
		}
	}
	return 0
}
