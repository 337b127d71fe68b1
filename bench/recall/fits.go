package main

import "strings"

// fits says that a kind of fault can be made at a piece of a document.
type fits = func(*document, int) bool

func is(k kind) fits { return func(d *document, i int) bool { return d.pieces[i].kind == k } }
func either(a, b kind) fits {
	return func(d *document, i int) bool { return d.pieces[i].kind == a || d.pieces[i].kind == b }
}
func both(a, b fits) fits { return func(d *document, i int) bool { return a(d, i) && b(d, i) } }
func starts(text string) fits {
	return func(d *document, i int) bool {
		return strings.HasPrefix(d.pieces[i].text, text) && d.pieces[i].block > 0
	}
}

// neededDot is a dot that a statement needs: before the } of a graph none does.
func neededDot(d *document, i int) bool {
	if !is(dot)(d, i) {
		return false
	}
	for i++; i < len(d.pieces) && d.pieces[i].kind == space; {
		i++
	}
	return i == len(d.pieces) || d.pieces[i].kind != closeGraph
}

// breakable is a token after which a line can't end with another meaning. In Turtle what is left of a
// name, a number or a row of values is often legal.
func breakable(d *document, i int) bool {
	if d.format == "Turtle" || d.format == "TriG" {
		return inBlock(d, i) && (is(iri)(d, i) || is(quoted)(d, i))
	}
	return inBlock(d, i)
}

// inner2 is is, but not for the last piece of all.
func inner2(k kind) fits {
	return func(d *document, i int) bool { return d.pieces[i].kind == k && i < len(d.pieces)-1 }
}

// has says that a piece is all of a part of a statement.
func has(r role) fits {
	return func(d *document, i int) bool {
		p := &d.pieces[i]
		return p.role == r && p.kind != openBracket && p.kind != openList
	}
}

func wholeObject(d *document, i int) bool {
	if !has(object)(d, i) || i+1 < len(d.pieces) && (d.pieces[i+1].kind == language || d.pieces[i+1].kind == datatype) {
		return false
	}
	return (len(d.pieces[i].needs) == 1 || d.origin != nil) && !strings.HasPrefix(d.statements[d.pieces[i].needs[0]].predicate, "<"+rdfNS+
		"first")
}

func behind(name string) fits {
	return func(d *document, i int) bool {
		return i >= 3 && d.pieces[i-3].text == name && d.pieces[i].kind == quoted
	}
}

func simpleValue(d *document, i int) bool {
	k := d.pieces[i].kind
	return i >= 2 && d.pieces[i-2].kind == colon && (k == quoted || k == number || k == word)
}

func token(d *document, i int) bool {
	p := &d.pieces[i]
	return p.kind != space && p.kind != newline && p.block > 0
}

func text(d *document, i int) bool {
	k := d.pieces[i].kind
	return k == quoted && d.pieces[i].role == object || k == long || k == content
}

// withoutNUL is a token that may not hold the character U+0000: the strings of the text
// formats may.
func withoutNUL(d *document, i int) bool {
	k := d.pieces[i].kind
	return token(d, i) && (d.format == "JSON-LD" || k != quoted && k != long)
}

// beginsBlock says that a piece is the first of a block.
func (d *document) beginsBlock(i int) bool {
	block := d.pieces[i].block
	for i--; i >= 0 && (d.pieces[i].kind == space || d.pieces[i].kind == newline); {
		i--
	}
	return i < 0 || d.pieces[i].block != block
}

func inBlock(d *document, i int) bool { return token(d, i) }

// lineToLose says that what is left without the line is not legal with another meaning. A node of
// JSON-LD that loses its @id only becomes another node, and a list of RDF/XML that loses a member
// another list. Two strings over several lines that the line parts become one. Nor is it the only one.
func lineToLose(d *document, i int) bool {
	if d.layout == "one line" || !inBlock(d, i) {
		return false
	}
	from := d.lineStart(d.at[i])
	line, _, _ := strings.Cut(d.text[from:], "\n")
	for j := d.pieceAt(from); j < len(d.pieces) && d.at[j] < from+len(line); j++ {
		if p := &d.pieces[j]; p.kind == tagOpen && p.role == object {
			return false
		}
	}
	return !d.joinsStrings(from, from+len(line)) && !strings.HasPrefix(strings.TrimLeft(line, " "), `"@id"`)
}

// joinsStrings says that a string over several lines ends in a stretch and another begins: without
// the stretch they are one, and nothing is wrong.
func (d *document) joinsStrings(from, to int) bool {
	ends, begins := false, false
	for i := d.pieceAt(from); i < len(d.pieces) && d.at[i] < to; i++ {
		ends = ends || d.pieces[i].kind == long && d.at[i] < from
		begins = begins || d.pieces[i].kind == long && d.at[i] >= from
	}
	return ends && begins
}

// makeOneString says that two faults are none together: the end of a string over several lines is gone,
// and the beginning of the next one.
func (d *document) makeOneString(a, b edit) bool {
	if a.from > b.from {
		a, b = b, a
	}
	if a.fault.name != "unclosed long string" || b.fault.name != "unopened long string" {
		return false
	}
	for i := d.pieceAt(a.to); i < len(d.pieces) && d.at[i] < b.from; i++ {
		if d.pieces[i].kind == long {
			return false
		}
	}
	return true
}

// lineBegins says that a piece is the first on its line.
func lineBegins(d *document, i int) bool {
	if i == 0 || d.pieces[i].kind == space || d.pieces[i].block == 0 && d.pieces[i-1].block == 0 {
		return false
	}
	before := strings.TrimRight(d.text[:d.at[i]], " ")
	return strings.HasSuffix(before, "\n")
}

func (d *document) lineStart(at int) int { return strings.LastIndexByte(d.text[:at], '\n') + 1 }

// depthOf is how many brackets are open in the block at a piece.
func (d *document) depthOf(i int) int {
	depth := 0
	for j := i - 1; j >= 0 && d.pieces[j].block == d.pieces[i].block; j-- {
		switch d.pieces[j].kind {
		case openBracket, openList:
			depth++
		case closeBracket, closeList:
			depth--
		}
	}
	return depth
}

func topSemicolon(d *document, i int) bool { return is(semicolon)(d, i) && d.depthOf(i) == 0 }
func topSeparator(d *document, i int) bool {
	return (is(semicolon)(d, i) || is(comma)(d, i) || is(dot)(d, i)) && d.depthOf(i) == 0
}
func topObject(d *document, i int) bool { return wholeObject(d, i) && d.depthOf(i) == 0 }

func renamable(d *document, i int) bool {
	p := &d.pieces[i]
	if p.kind == attribute {
		return strings.HasPrefix(p.text, " ex:")
	}
	if p.kind != tagOpen || !strings.HasPrefix(p.text, "<ex:") {
		return false
	}
	for ; d.pieces[i].kind != tagClose; i++ {
	}
	return d.pieces[i].text == "/>"
}

func unquotable(d *document, i int) bool {
	return is(attribute)(d, i) && !strings.Contains(d.pieces[i].text[1:], " ") && d.pieces[i+1].text != "/>"
}

func textAttribute(d *document, i int) bool { return starts(" ex:")(d, i) && is(attribute)(d, i) }

// unlessQuad leaves out lines of four terms: without one of them they are often legal,
// and say something else.
func unlessQuad(f fits) fits {
	return func(d *document, i int) bool {
		if !f(d, i) {
			return false
		}
		return d.format != "N-Quads" || d.statements[d.pieces[i].needs[0]].graph == ""
	}
}
