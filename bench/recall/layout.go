package main

import (
	"math/rand/v2"
	"strings"
)

// layout is how a document is laid out. What it says is the same in all.
type layout struct {
	name     string
	sentence string
	formats  string // the letters of those that it is for
	// apply changes the white space between tokens.
	apply func(r *rand.Rand, d *document)
}

var layouts = []layout{
	{"pretty", "a line for each predicate, indented", "nqtgxj", func(*rand.Rand, *document) {}},
	{"compact", "a line for each outermost node, and no white space that can be spared", "tgxj", compact},
	{"crlf", "as pretty, with CRLF at the ends of lines", "nqtgxj", func(_ *rand.Rand, d *document) {
		d.eachSpace(func(text string, _ *piece) string { return strings.ReplaceAll(text, "\n", "\r\n") })
	}},
	{"comments", "as pretty, with comments at the ends of lines, or in XML between elements", "nqtgx", comments},
	{"one line", "all on one line", "tgxj", func(r *rand.Rand, d *document) {
		compact(r, d)
		d.eachSpace(func(text string, p *piece) string {
			if p.kind == declaration || p.kind == head {
				return strings.ReplaceAll(text, "\n", " ")
			}
			return strings.ReplaceAll(text, "\n", "")
		})
		d.pieces = append(d.pieces, piece{kind: newline, text: "\n"})
	}},
}

// in says that a layout is for a format.
func (l *layout) in(format string) bool {
	for _, known := range formats {
		if known.name == format {
			return strings.Contains(l.formats, known.letter)
		}
	}
	return false
}

// eachSpace changes the pieces that are, or hold, white space between tokens.
func (d *document) eachSpace(change func(text string, p *piece) string) {
	for i := range d.pieces {
		switch p := &d.pieces[i]; p.kind {
		case space, newline, head, declaration:
			p.text = change(p.text, p)
		}
	}
}

// compact keeps the white space that parts two tokens that would else be one, and the
// line ends between outermost nodes.
func compact(_ *rand.Rand, d *document) {
	for i := range d.pieces {
		p := &d.pieces[i]
		if p.kind != space || i == 0 || i == len(d.pieces)-1 {
			continue
		}
		before, after := &d.pieces[i-1], &d.pieces[i+1]
		switch {
		case before.kind == space || after.kind == space:
			// the line end and the indent of XML are two
			if p.text = strings.TrimLeft(p.text, " "); p.block > 0 && !(before.kind == endTag && before.block != after.block) {
				p.text = ""
			}
		case before.block != after.block || before.kind == directive:
			p.text = "\n"
		case d.format == "JSON-LD" || d.format == "RDF/XML":
			p.text = ""
		case d.format == "Turtle" || d.format == "TriG":
			p.text = ""
			if !parts(before) && !parts(after) {
				p.text = " "
			}
		}
	}
}

// parts says that a token of Turtle needs no space before or after it. A dot does, next
// to names and numbers.
func parts(p *piece) bool {
	switch p.kind {
	case iri, quoted, long, comma, semicolon, openBracket, closeBracket, openList, closeList, openGraph, closeGraph:
		return true
	}
	return false
}

// remarks are what people write in comments: with quotation marks, brackets and dots.
var remarks = []string{
	"it isn't sure", `the "old" name`, "see <http://example.org/notes>; more there.", "TODO: [check] (all) {of} this",
	"ex:name is deprecated .", "", "1 < 2 & 3 > 2",
}

// comments puts comments after lines.
func comments(r *rand.Rand, d *document) {
	for i := range d.pieces {
		p := &d.pieces[i]
		if p.kind != space && p.kind != newline || !strings.Contains(p.text, "\n") || r.IntN(4) > 0 {
			continue
		}
		remark := remarks[r.IntN(len(remarks))]
		if d.format == "RDF/XML" {
			p.text = strings.Replace(p.text, "\n", " <!-- "+remark+" -->\n", 1)
		} else {
			p.text = strings.Replace(p.text, "\n", " # "+remark+"\n", 1)
		}
	}
}
