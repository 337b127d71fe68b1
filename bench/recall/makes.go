package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// makes makes a fault at a piece of a document, where it fits.
type makes = func(*rand.Rand, *document, int) edit

// gone takes a piece away, but does not make one token of those on both sides.
func gone(_ *rand.Rand, d *document, i int) edit {
	if d.at[i] > 0 && inWord(d.text[d.at[i]-1]) && d.at[i+1] < len(d.text) && inWord(d.text[d.at[i+1]]) {
		return d.instead(i, " ")
	}
	return d.instead(i, "")
}

// inWord says that a byte may be in a name or a number.
func inWord(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= 0x80 || strings.IndexByte("_:.-@^", b) >= 0
}

func other(text string) makes {
	return func(_ *rand.Rand, d *document, i int) edit { return d.instead(i, text) }
}

// with puts text after a piece, which is touched.
func with(text string) makes {
	return func(_ *rand.Rand, d *document, i int) edit { return d.instead(i, d.pieces[i].text+text) }
}

func before(text string) makes {
	return func(_ *rand.Rand, d *document, i int) edit {
		e := d.over(d.at[i], d.at[i], text)
		e.touch(d, i)
		return e
	}
}

// inner puts text somewhere into a token, after its first byte.
func inner(text string) makes {
	return func(r *rand.Rand, d *document, i int) edit {
		t := d.pieces[i].text
		at := 1
		if len(t) > 2 {
			at += r.IntN(len(t) - 2)
		}
		for at < len(t) && t[at]&0xC0 == 0x80 {
			at++
		}
		if at > 0 && t[at-1] == '\\' {
			at++
		}
		if d.pieces[i].kind == iri {
			at = max(at, strings.Index(t, ".org/")+6)
		}
		if d.pieces[i].kind == long {
			at = max(3, min(at, len(t)-3))
		}
		return d.wholeTag(d.inside(i, min(at, len(t)-1), text), i)
	}
}

func quoteGone(first bool) makes {
	return func(_ *rand.Rand, d *document, i int) edit {
		n, marks := len(d.pieces[i].text), 1
		if d.pieces[i].kind == long {
			marks = 3
		}
		if first {
			e := d.without(i, 0, marks)
			if (d.format == "Turtle" || d.format == "TriG") && d.at[i] > 0 && inWord(d.text[d.at[i]-1]) {
				e.with = " " // else the text would be one word with the one before
			}
			return d.restOfLine(e, i)
		}
		return d.restOfLine(d.without(i, n-marks, n), i)
	}
}

// closerGone takes a bracket away that closes something.
func closerGone(r *rand.Rand, d *document, i int) edit {
	e := gone(r, d, i)
	e.since = d.at[d.opener(i)]
	if d.pieces[i].kind == closeArray {
		// The name of the next member may be one more string of the array: the colon shows.
		next := i
		for range 3 {
			for next++; next < len(d.pieces) && d.pieces[next].kind == space; {
				next++
			}
			if next < len(d.pieces) && d.pieces[next].kind == colon {
				e.until = d.at[next+1]
			}
		}
	}
	return e
}

// opener is the piece that opens what a piece closes; the piece itself if it closes nothing.
func (d *document) opener(i int) int {
	pairs := map[kind]kind{closeBracket: openBracket, closeList: openList, closeGraph: openGraph, closeObject: openObject,
		closeArray: openArray}
	open, closes := pairs[d.pieces[i].kind]
	if !closes {
		return i
	}
	depth := 0
	for j := i; j >= 0; j-- {
		switch d.pieces[j].kind {
		case d.pieces[i].kind:
			depth++
		case open:
			if depth--; depth == 0 {
				return j
			}
		}
	}
	return i
}

// bracketGone takes a [ or ] away. Where a ] is gone, nothing can say which of the
// brackets around lacks it.
func bracketGone(r *rand.Rand, d *document, i int) edit {
	e := d.restOfBlock(closerGone(r, d, i), i)
	if d.pieces[i].kind == closeBracket {
		e = d.unsureBefore(e, i)
	}
	for j := d.opener(i); j >= 0 && d.pieces[j].block == d.pieces[i].block; j-- {
		if d.pieces[j].kind == openBracket && d.depthOf(j) == 0 {
			e.since = d.at[j]
			break
		}
	}
	return e
}

func braceGone(r *rand.Rand, d *document, i int) edit {
	e := closerGone(r, d, i)
	e.touched = append(e.touched, d.pieces[i].after...)
	e = d.unsureGraph(e, i)
	e.until = len(d.text)
	for j := i; j < len(d.pieces); j++ {
		if d.pieces[j].kind == openGraph {
			e.until = d.at[j+1]
			break
		}
	}
	return e
}

// braceLost takes a brace of JSON away, which touches all after it in its node.
func braceLost(r *rand.Rand, d *document, i int) edit {
	e := d.restOfBlock(closerGone(r, d, i), i)
	for j := i; j < len(d.pieces); j++ { // it may show first in the next node
		if d.pieces[j].kind == openObject && d.pieces[j].block > d.pieces[i].block {
			e.until = d.at[j+1]
			break
		}
	}
	return e
}

func brokenDirective(_ *rand.Rand, d *document, i int) edit {
	e := d.without(i, len(d.pieces[i].text)-3, len(d.pieces[i].text)-2)
	prefix := strings.Fields(d.pieces[i].text)[1]
	for j := range d.pieces {
		if strings.HasPrefix(strings.TrimPrefix(d.pieces[j].text, "^^"), prefix) {
			e.touch(d, j)
		}
	}
	return e
}

func endGone(text string) makes {
	return func(_ *rand.Rand, d *document, i int) edit {
		e := d.instead(i, text)
		name := strings.Trim(d.pieces[i].text, "</>")
		for j, open := i-1, 0; j >= 0; j-- {
			if d.pieces[j].text == d.pieces[i].text {
				open++
			}
			if d.pieces[j].text == "<"+name {
				if open--; open < 0 {
					e.since = d.at[j]
					break
				}
			}
		}
		return e
	}
}

// tagBroken cuts the first bytes (n > 0) or the last (n < 0) off a part of a tag.
func tagBroken(n int, _ string) makes {
	return func(_ *rand.Rand, d *document, i int) edit {
		if n < 0 {
			return d.wholeTag(d.without(i, len(d.pieces[i].text)+n, len(d.pieces[i].text)), i)
		}
		return d.wholeTag(d.without(i, 0, n), i)
	}
}

func secondRoot(_ *rand.Rand, d *document, i int) edit {
	for i > 0 && d.pieces[i-1].block == d.pieces[i].block {
		i--
	}
	return d.over(d.at[i], d.at[i], fmt.Sprintf("</rdf:RDF>\n<rdf:RDF xmlns:rdf=%q xmlns:ex=%q>\n", rdfNS, namespace))
}

func stripped(quote string) makes {
	return func(_ *rand.Rand, d *document, i int) edit {
		t := d.pieces[i].text
		return d.instead(i, quote+t[1:len(t)-1]+quote)
	}
}

// atLine puts lines before the line on which a piece is the first.
func atLine(text string) makes {
	return func(_ *rand.Rand, d *document, i int) edit {
		at := d.lineStart(d.at[i])
		e := d.over(d.at[i], d.at[i], text) // for what it touches
		if d.pieces[d.pieceAt(at)].kind == newline || strings.HasPrefix(d.format, "N-") {
			e.touched = nil
		}
		e.from, e.to, e.with = at, at, text
		if e.since > at {
			e.since = 0
		}
		return e
	}
}

func truncated(r *rand.Rand, d *document, i int) edit {
	from := d.at[i] + r.IntN(len(d.pieces[i].text))
	if strings.Trim(d.text[d.lineStart(from):from], " ") == "" { // an empty line is no fault
		from = d.at[i] + 1
	}
	to := from + strings.IndexByte(d.text[from:], '\n')
	if strings.Trim(d.text[from:to], "\r") == "" { // nor is a CR that is gone
		from--
	}
	e := d.over(from, to, "")
	if d.format == "RDF/XML" {
		e = d.wholeTag(e, d.pieceAt(from))
		e = d.wholeTag(e, d.pieceAt(to-1))
	}
	if strings.HasPrefix(d.format, "N-") {
		e.touch(d, i)
	}
	if d.format == "Turtle" || d.format == "TriG" {
		return d.cutOff(e, from, to)
	}
	return e
}

// cutOff adds what depends on brackets, dots and braces in a stretch of Turtle that is cut out. Where
// a string over several lines begins in it, and no indent shows what follows, it adds the rest of the
// block. Nothing shows whether another statement began in the stretch.
func (d *document) cutOff(e edit, from, to int) edit {
	until := e.until
	// the members of a list that are cut off, and their number
	for j := d.pieceAt(from); j < len(d.pieces) && d.at[j] < to; j++ {
		for _, s := range d.pieces[j].needs {
			if d.statements[s].predicate == "<"+rdfNS+"first>" {
				e.touched = append(e.touched, s+1) // see cells
			}
		}
	}
	for j := d.pieceAt(from); j < len(d.pieces) && d.at[j] < to; j++ {
		switch d.pieces[j].kind {
		case openBracket, closeBracket:
			e = d.unsureBefore(d.restOfBlock(e, j), j)
		case openList, closeList, dot:
			e = d.restOfBlock(e, j)
		case closeGraph:
			e.touched = append(e.touched, d.pieces[j].after...)
			e = d.unsureGraph(e, j)
		case long:
			if !d.indented() {
				e = d.restOfBlock(e, j)
			}
			if d.layout == "one line" && d.format == "TriG" { // nor another graph
				for n := j; n < len(d.pieces) && d.pieces[n].kind != openGraph; n++ {
					e.touch(d, n)
				}
			}
		}
	}
	e.until = until
	return e
}

// indented says that the layout shows how deep a line is.
func (d *document) indented() bool { return d.layout != "compact" && d.layout != "one line" }

// unsureBefore adds the statements that a lost ] may have been before: in each bracket that is open
// there all after its first object. Where lines are indented, they are only the objects of the last
// predicate after its first. So it is in each bracket around that no line shows to go on.
func (d *document) unsureBefore(e edit, i int) edit {
	for end, open := i, d.enclosing(i); open >= 0; end, open = open, d.enclosing(open) {
		from := open
		if d.indented() {
			if d.goesOn(end, open) {
				continue
			}
			for j := open; j < end; j++ {
				if d.pieces[j].role == predicate && d.enclosing(j) == open && strings.Contains(d.pieces[j-1].text, "\n") {
					from = j
				}
			}
		}
		objects := 0
		for j := from + 1; j < end; j++ {
			if p := &d.pieces[j]; p.role == object && d.enclosing(j) == open {
				if objects++; objects > 1 {
					e.touched = append(e.touched, p.needs[0])
				}
			}
		}
	}
	return e
}

// goesOn says that a line after the bracket that ends at end shows that the bracket around,
// opened at open, is not closed before.
func (d *document) goesOn(end, open int) bool {
	if d.pieces[end].kind != openBracket {
		return false
	}
	for j := end; j < len(d.pieces) && d.pieces[j].block == d.pieces[end].block; j++ {
		if d.pieces[j].role == predicate && d.enclosing(j) == open && strings.Contains(d.pieces[j-1].text, "\n") {
			return true
		}
	}
	return false
}

// enclosing is the [ around a piece, -1 if there is none.
func (d *document) enclosing(i int) int {
	depth := 0
	for j := i - 1; j >= 0 && d.pieces[j].block == d.pieces[i].block; j-- {
		switch d.pieces[j].kind {
		case closeBracket, closeList:
			depth++
		case openBracket, openList:
			if depth--; depth < 0 {
				if d.pieces[j].kind == openBracket {
					return j
				}
				depth = 0
			}
		}
	}
	return -1
}

// unsureGraph adds the statements of a graph whose } is gone, except for those of its first node. It does
// nothing where an indent shows which are in it. The } may have been before each.
func (d *document) unsureGraph(e edit, i int) edit {
	if d.indented() {
		return e
	}
	first := 0
	for j := d.opener(i); j < i; j++ {
		if p := &d.pieces[j]; p.block > 0 {
			if first == 0 {
				first = p.block
			}
			if p.block != first {
				e.touched = append(e.touched, p.needs...)
			}
		}
	}
	return e
}

func lostLine(_ *rand.Rand, d *document, i int) edit {
	from := d.lineStart(d.at[i])
	to := d.at[i] + strings.IndexByte(d.text[d.at[i]:], '\n') + 1
	e := d.over(from, to, "")
	if strings.HasPrefix(d.format, "N-") {
		e.touched = nil
		e.touch(d, i)
	}
	// a bracket that is gone changes the subject of what follows
	for j := d.pieceAt(from); j < len(d.pieces) && d.at[j] < to; j++ {
		switch d.pieces[j].kind {
		case openBracket, closeBracket, openList, closeList, openObject, closeObject, openArray, closeArray, dot:
			if !strings.HasPrefix(d.format, "N-") {
				if e = d.restOfBlock(e, j); d.format == "Turtle" || d.format == "TriG" {
					e = d.cutOff(e, from, to)
				}
				return e
			}
		}
	}
	if d.format == "Turtle" || d.format == "TriG" {
		return d.cutOff(e, from, to)
	}
	return e
}
