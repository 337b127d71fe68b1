package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

const page = "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>\n<body bgcolor=white>\n<h1>502 Bad Gateway</h1><hr>\n<p>The server isn't there; try again.<br>\n</body></html>\n"

// faults is every kind of fault that is made. The letters of formats are those of
// N-Triples, N-Quads, Turtle (t), TriG (g), RDF/XML (x) and JSON-LD (j).
var faults = []fault{
	// what the four text formats share
	{name: "missing dot", sentence: "The dot that ends a statement is gone.", formats: "nqtg", fits: is(dot), make: gone},
	{name: "doubled dot", sentence: "A second dot follows the dot.", formats: "nqtg", fits: is(dot), make: with(" .")},
	{name: "missing opening quote", sentence: "The quotation mark before a string is gone.", formats: "nqtgj", fits: is(quoted), make: quoteGone(true)},
	{name: "missing closing quote", sentence: "The quotation mark behind a string is gone.", formats: "nqtgj", fits: is(quoted), make: quoteGone(false)},
	{name: "unopened IRI", sentence: "The < before an IRI is gone.", formats: "nqtg", fits: is(iri), make: func(r *rand.Rand, d *document, i int) edit { return d.without(i, 0, 1) }},
	{name: "unclosed IRI", sentence: "The > behind an IRI is gone.", formats: "nqtg", fits: is(iri), make: func(r *rand.Rand, d *document, i int) edit {
		n := len(d.pieces[i].text)
		return d.restOfLine(d.without(i, n-1, n), i)
	}},
	{name: "space in an IRI", sentence: "An IRI holds a space.", formats: "nqtg", fits: is(iri), make: inner(" ")},
	{name: "control character in an IRI", sentence: "An IRI holds the character U+0001.", formats: "nqtg", fits: is(iri), make: inner("\x01")},
	{name: "unknown escape", sentence: `A string holds \q.`, formats: "nqtgj", fits: is(quoted), make: inner(`\q`)},
	{name: "bad numeric escape", sentence: `A string holds \u12G4.`, formats: "nqtgj", fits: is(quoted), make: inner(`\u12G4`)},
	{name: "escape of no character", sentence: `A string holds \uD800, half of a pair.`, formats: "nqtg", fits: is(quoted), make: inner(`\uD800`)},
	{name: "missing subject", sentence: "A statement has no subject.", formats: "nqtg", fits: unlessQuad(has(subject)), make: gone},
	{name: "missing predicate", sentence: "A statement has no predicate.", formats: "nqtg", fits: unlessQuad(has(predicate)), make: gone},
	{name: "missing object", sentence: "A statement has no object.", formats: "nqtg", fits: unlessQuad(wholeObject), make: gone},
	{name: "literal as subject", sentence: "A string stands in the place of a subject.", formats: "nqtg", fits: has(subject), make: other(`"subject"`)},
	{name: "literal as predicate", sentence: "A string stands in the place of a predicate.", formats: "nqtg", fits: has(predicate), make: other(`"predicate"`)},
	{name: "blank node as predicate", sentence: "A blank node stands in the place of a predicate.", formats: "nqtg", fits: has(predicate), make: other(`_:predicate`)},
	{name: "bad language tag", sentence: "A language tag is none.", formats: "nqtg", fits: is(language), make: other("@1x")},
	{name: "missing datatype", sentence: "Nothing follows ^^.", formats: "nqtg", fits: unlessQuad(is(datatype)), make: other("^^")},
	{name: "literal as datatype", sentence: "A string follows ^^.", formats: "nqtg", fits: is(datatype), make: other(`^^"date"`)},
	{name: "joined lines", sentence: "The end of a line is gone.", formats: "nq", fits: inner2(newline), make: other(" ")},

	// Turtle and TriG
	{name: "undeclared prefix", sentence: "A prefix is used that nothing declares.", formats: "tg", fits: is(name), make: func(r *rand.Rand, d *document, i int) edit {
		return d.over(d.at[i], d.at[i]+strings.IndexByte(d.pieces[i].text, ':'), "nope")
	}},
	{name: "broken prefix declaration", sentence: "The > of a declaration is gone.", formats: "tg", alone: true, fits: is(directive), make: brokenDirective},
	{name: "missing comma", sentence: "A comma between two values is gone.", formats: "tgj", fits: is(comma), make: gone},
	{name: "doubled comma", sentence: "A second comma follows the comma.", formats: "tgj", fits: is(comma), make: with(",")},
	{name: "missing semicolon", sentence: "The semicolon before a predicate is gone.", formats: "tg", fits: is(semicolon), make: gone},
	{name: "doubled semicolon", sentence: "A second semicolon follows: the format allows it.", formats: "tg", quiet: true, fits: is(semicolon), make: with(" ;")},
	{name: "dot for a semicolon", sentence: "A dot stands for a semicolon: the rest has no subject.", formats: "tg", fits: topSemicolon, make: func(r *rand.Rand, d *document, i int) edit {
		return d.restOfBlock(d.instead(i, "."), i)
	}},
	{name: "unclosed long string", sentence: "The three quotation marks behind a string are gone.", formats: "tg", fits: is(long), make: func(r *rand.Rand, d *document, i int) edit {
		n := len(d.pieces[i].text)
		return d.restOfLine(d.without(i, n-3, n), i)
	}},
	{name: "unopened long string", sentence: "The three quotation marks before a string are gone.", formats: "tg", fits: is(long), make: func(r *rand.Rand, d *document, i int) edit {
		return d.restOfLine(d.without(i, 0, 3), i)
	}},
	{name: "unclosed bracket", sentence: "The ] is gone: what follows has another subject, up to the dot.", formats: "tg", fits: is(closeBracket), make: bracketGone},
	{name: "unopened bracket", sentence: "The [ is gone: what follows has another subject, up to the dot.", formats: "tg", fits: is(openBracket), make: bracketGone},
	{name: "superfluous ]", sentence: "A ] stands behind a value.", formats: "tg", fits: topSeparator, make: before("] ")},
	{name: "superfluous [", sentence: "A [ stands before a value: what follows has another subject, up to the dot.", formats: "tg", fits: topObject, make: func(r *rand.Rand, d *document, i int) edit {
		return d.restOfBlock(d.over(d.at[i], d.at[i], "[ "), i)
	}},
	{name: "unclosed list", sentence: "The ) is gone.", formats: "tg", fits: is(closeList), make: gone},
	{name: "unopened list", sentence: "The ( is gone.", formats: "tg", fits: is(openList), make: gone},
	{name: "superfluous )", sentence: "A ) stands behind a value.", formats: "tg", fits: topSeparator, make: before(") ")},
	{name: "unclosed graph", sentence: "The } is gone: the graph of what follows is not known, up to the next graph.", formats: "g", fits: is(closeGraph), make: braceGone},
	{name: "unopened graph", sentence: "The { is gone.", formats: "g", fits: is(openGraph), make: gone},
	{name: "superfluous }", sentence: "A second } follows the }.", formats: "g", fits: is(closeGraph), make: with(" }")},

	// RDF/XML
	{name: "missing end tag", sentence: "The end tag of an element is gone.", formats: "x", fits: is(endTag), make: endGone("")},
	{name: "mismatched end tag", sentence: "An end tag has another name.", formats: "x", fits: is(endTag), make: endGone("</ex:another>")},
	{name: "unclosed tag", sentence: "The > of a tag is gone.", formats: "x", fits: is(tagClose), make: tagBroken(-1, "")},
	{name: "unopened tag", sentence: "The < of a tag is gone.", formats: "x", fits: is(tagOpen), make: tagBroken(1, "")},
	{name: "bare ampersand", sentence: "Text holds an & that begins nothing.", formats: "x", fits: is(content), make: inner(" & ")},
	{name: "bare less-than", sentence: "Text holds a < that begins nothing.", formats: "x", fits: is(content), make: inner(" < ")},
	{name: "unknown entity", sentence: "Text holds &nope;.", formats: "x", fits: is(content), make: inner("&nope;")},
	{name: "bad character reference", sentence: "Text holds &#xD800;.", formats: "x", fits: is(content), make: inner("&#xD800;")},
	{name: "control character in text", sentence: "Text holds the character U+0001.", formats: "x", fits: is(content), make: inner("\x01")},
	{name: "undeclared namespace prefix", sentence: "The name of an element or attribute has a prefix that nothing declares.", formats: "x", fits: renamable, make: func(r *rand.Rand, d *document, i int) edit {
		return d.over(d.at[i]+1, d.at[i]+3, "nope")
	}},
	{name: "unquoted attribute", sentence: "The value of an attribute has no quotation marks.", formats: "x", fits: unquotable, make: func(r *rand.Rand, d *document, i int) edit {
		return d.instead(i, strings.ReplaceAll(d.pieces[i].text, `"`, ""))
	}},
	{name: "unclosed attribute", sentence: "The quotation mark behind the value of an attribute is gone.", formats: "x", fits: is(attribute), make: func(r *rand.Rand, d *document, i int) edit {
		n := len(d.pieces[i].text)
		return d.wholeTag(d.without(i, n-1, n), i)
	}},
	{name: "unopened attribute", sentence: "The quotation mark before the value of an attribute is gone.", formats: "x", fits: is(attribute), make: func(r *rand.Rand, d *document, i int) edit {
		n := strings.IndexByte(d.pieces[i].text, '"')
		return d.wholeTag(d.without(i, n, n+1), i)
	}},
	{name: "duplicate attribute", sentence: "An attribute stands twice in a tag.", formats: "x", fits: is(attribute), make: func(r *rand.Rand, d *document, i int) edit {
		return d.instead(i, d.pieces[i].text+d.pieces[i].text)
	}},
	{name: "less-than in an attribute", sentence: "The value of an attribute holds a <.", formats: "x", fits: textAttribute, make: func(r *rand.Rand, d *document, i int) edit {
		return d.inside(i, len(d.pieces[i].text)-2, "<")
	}},
	{name: "bad rdf:ID", sentence: "rdf:ID is no name.", formats: "x", fits: starts(` rdf:about="`), make: func(r *rand.Rand, d *document, i int) edit {
		return d.instead(i, ` rdf:ID="1 2"`)
	}},
	{name: "conflicting attributes", sentence: "A node has rdf:about and rdf:nodeID.", formats: "x", fits: starts(` rdf:about="`), make: func(r *rand.Rand, d *document, i int) edit {
		return d.instead(i, d.pieces[i].text+` rdf:nodeID="x"`)
	}},
	{name: "unknown parseType and text", sentence: "A property element says an unknown parseType.", formats: "x", fits: starts(` rdf:parseType="Collection"`), make: other(` rdf:parseType="Colection"`)},
	{name: "second root", sentence: "The root ends, and another begins.", formats: "x", alone: true, fits: starts("<ex:"), make: secondRoot},
	{name: "unclosed comment", sentence: "A comment begins and does not end.", formats: "x", alone: true, fits: lineBegins, make: atLine("<!-- note\n")},

	// JSON-LD
	{name: "trailing comma", sentence: "A comma stands before a closing bracket.", formats: "j", fits: either(closeObject, closeArray), make: before(",")},
	{name: "unquoted key", sentence: "A name has no quotation marks.", formats: "j", fits: is(key), make: stripped("")},
	{name: "single quotes", sentence: "A string stands in apostrophes.", formats: "j", fits: either(key, quoted), make: stripped("'")},
	{name: "missing colon", sentence: "The colon behind a name is gone.", formats: "j", fits: is(colon), make: gone},
	{name: "missing value", sentence: "Nothing follows a colon.", formats: "j", fits: simpleValue, make: gone},
	{name: "unclosed object", sentence: "The } of a node is gone: what follows has another subject.", formats: "j", fits: is(closeObject), make: braceLost},
	{name: "unopened object", sentence: "The { of a node is gone.", formats: "j", fits: is(openObject), make: braceLost},
	{name: "unclosed array", sentence: "The ] of an array is gone.", formats: "j", fits: is(closeArray), make: gone},
	{name: "superfluous brace", sentence: "A second } follows the } of a node.", formats: "j", fits: is(closeObject), make: func(r *rand.Rand, d *document, i int) edit {
		return d.restOfBlock(d.over(d.at[i+1], d.at[i+1], "}"), i)
	}},
	{name: "duplicate key", sentence: "A name stands twice in an object, with two values.", formats: "j", fits: both(is(key), starts(`"ex:`)), make: func(r *rand.Rand, d *document, i int) edit {
		e := d.instead(i, d.pieces[i].text+": \"another\", "+d.pieces[i].text)
		return e
	}},
	{name: "NaN", sentence: "NaN stands for a number.", formats: "j", fits: is(number), make: other("NaN")},
	{name: "bad @id", sentence: "@id is a number.", formats: "j", fits: behind(`"@id"`), make: other("5")},
	{name: "bad @type", sentence: "@type is a number.", formats: "j", fits: behind(`"@type"`), make: other("5")},
	{name: "bad @language", sentence: "@language is a number.", formats: "j", fits: behind(`"@language"`), make: other("5")},
	{name: "line end in a string", sentence: "A string holds a raw line end.", formats: "j", fits: is(quoted), make: inner("\n")},
	{name: "comment in JSON", sentence: "A comment // stands on a line of its own.", formats: "j", fits: lineBegins, make: atLine("// a note\n")},

	// every format
	{name: "truncated line", sentence: "The rest of a line is gone.", formats: "nqtgxj", fits: inBlock, make: truncated},
	{name: "lost line", sentence: "A line is gone, its end too.", formats: "nqtgxj", quiet: true, fits: lineToLose, make: lostLine},
	{name: "garbage line", sentence: "A line of another text stands between two.", formats: "nqtgxj", fits: lineBegins, make: atLine("=== server (restarted) ===\n")},
	{name: "HTML error page", sentence: "The error page of a server stands between two lines.", formats: "nqtgxj", fits: lineBegins, make: atLine(page)},
	{name: "NUL bytes", sentence: "A token holds NUL bytes.", formats: "nqtgxj", fits: token, make: inner("\x00\x00\x00")},
	{name: "invalid UTF-8 in a string", sentence: "A string holds the bytes FF FE.", formats: "nqtgxj", fits: text, make: inner("\xff\xfe")},
	{name: "invalid UTF-8 between tokens", sentence: "The bytes FF FE stand before a token.", formats: "nqtgxj", fits: token, make: before("\xff\xfe ")},
	{name: "cut at the end", sentence: "The document ends in the middle.", formats: "nqtgxj", alone: true, fits: inBlock, make: func(r *rand.Rand, d *document, i int) edit {
		e := d.over(d.at[i]+r.IntN(len(d.pieces[i].text)), len(d.text), "")
		for j := i; j > 0 && d.pieces[j].block == d.pieces[i].block && d.format == "JSON-LD"; j-- {
			e.since = d.at[j]
		}
		return d.wholeTag(e, i)
	}},
}

type fits = func(*document, int) bool
type makes = func(*rand.Rand, *document, int) edit

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
	return len(d.pieces[i].needs) == 1 && !strings.HasPrefix(d.statements[d.pieces[i].needs[0]].predicate, "<"+rdfNS+"first")
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

func inBlock(d *document, i int) bool { return token(d, i) }

// lineToLose says that what is left without the line is not legal with another meaning:
// a node of JSON-LD that loses its @id only becomes another node.
func lineToLose(d *document, i int) bool {
	if !inBlock(d, i) {
		return false
	}
	from := d.lineStart(d.at[i])
	line := d.text[from : from+strings.IndexByte(d.text[from:], '\n')]
	return !strings.HasPrefix(strings.TrimLeft(line, " "), `"@id"`)
}

func lineBegins(d *document, i int) bool {
	return i > 0 && d.pieces[i].kind != space && d.lineStart(d.at[i]) == d.at[i]-d.indent(i) && d.at[i] > 0 &&
		(d.pieces[i].block > 0 || d.pieces[i-1].block > 0)
}

func (d *document) lineStart(at int) int { return strings.LastIndexByte(d.text[:at], '\n') + 1 }

func (d *document) indent(i int) int {
	start := d.lineStart(d.at[i])
	return len(d.text[start:d.at[i]]) - len(strings.TrimLeft(d.text[start:d.at[i]], " "))
}

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

func gone(_ *rand.Rand, d *document, i int) edit { return d.instead(i, "") }

func other(text string) makes {
	return func(_ *rand.Rand, d *document, i int) edit { return d.instead(i, text) }
}

// with puts text behind a piece, which is touched.
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

// inner puts text somewhere into a token, behind its first byte.
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
		n := len(d.pieces[i].text)
		if first {
			return d.restOfLine(d.without(i, 0, 1), i)
		}
		return d.restOfLine(d.without(i, n-1, n), i)
	}
}

func bracketGone(_ *rand.Rand, d *document, i int) edit {
	e := d.restOfBlock(d.instead(i, ""), i)
	return e
}

func braceGone(_ *rand.Rand, d *document, i int) edit {
	e := d.instead(i, "")
	e.touched = append(e.touched, d.pieces[i].after...)
	return e
}

// braceLost takes a brace of JSON away, which touches all behind it in its node.
func braceLost(_ *rand.Rand, d *document, i int) edit { return d.restOfBlock(d.instead(i, ""), i) }

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
	to := from + strings.IndexByte(d.text[from:], '\n')
	if to == from {
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
				return d.restOfBlock(e, j)
			}
		}
	}
	return e
}
