package main

import (
	"math/rand/v2"
	"strings"
)

const page = "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>\n<body bgcolor=white>\n<h1>502 Bad Gateway</h1><hr>\n<p>The server isn't there; try again.<br>\n</body></html>\n"

// faults is every kind of fault that is made. The letters of formats are those of
// N-Triples, N-Quads, Turtle (t), TriG (g), RDF/XML (x) and JSON-LD (j).
var faults = []fault{
	// what the four text formats share
	{name: "missing dot", sentence: "The dot that ends a statement is gone.", formats: "nqtg", fits: neededDot, make: gone},
	{name: "doubled dot", sentence: "A second dot follows the dot.", formats: "nqtg", fits: is(dot), make: with(" .")},
	{name: "missing opening quote", sentence: "The quotation mark before a string is gone.", formats: "nqtgj", fits: is(quoted),
		make: quoteGone(true)},
	{name: "missing closing quote", sentence: "The quotation mark after a string is gone.", formats: "nqtgj", fits: is(quoted),
		make: quoteGone(false)},
	{name: "unopened IRI", sentence: "The < before an IRI is gone.", formats: "nqtg", fits: is(iri),
		make: func(r *rand.Rand, d *document, i int) edit {
			e := d.without(i, 0, 1)
			if d.at[i] > 0 && inWord(d.text[d.at[i]-1]) {
				e.with = " " // else it would be one word with the one before
			}
			return e
		}},
	{name: "unclosed IRI", sentence: "The > after an IRI is gone.", formats: "nqtg", fits: is(iri),
		make: func(r *rand.Rand, d *document, i int) edit {
			n := len(d.pieces[i].text)
			return d.restOfLine(d.without(i, n-1, n), i)
		}},
	{name: "space in an IRI", sentence: "An IRI holds a space.", formats: "nqtg", fits: is(iri), make: inner(" ")},
	{name: "control character in an IRI", sentence: "An IRI holds the character U+0001.", formats: "nqtg", fits: is(iri),
		make: inner("\x01")},
	{name: "unknown escape", sentence: `A string holds \q.`, formats: "nqtgj", fits: is(quoted), make: inner(`\q`)},
	{name: "bad numeric escape", sentence: `A string holds \u12G4.`, formats: "nqtgj", fits: is(quoted), make: inner(`\u12G4`)},
	{name: "escape of no character", sentence: `A string holds \uD800, half of a pair.`, formats: "nqtg", fits: is(quoted),
		make: inner(`\uD800`)},
	{name: "missing subject", sentence: "A statement has no subject.", formats: "nqtg", fits: unlessQuad(has(subject)), make: gone},
	{name: "missing predicate", sentence: "A statement has no predicate.", formats: "nqtg", fits: unlessQuad(has(predicate)), make: gone},
	{name: "missing object", sentence: "A statement has no object.", formats: "nqtg", fits: unlessQuad(wholeObject), make: gone},
	{name: "literal as subject", sentence: "A string is used in the place of a subject.", formats: "nqtg", fits: has(subject),
		make: other(`"subject"`)},
	{name: "literal as predicate", sentence: "A string is used in the place of a predicate.", formats: "nqtg", fits: has(predicate),
		make: other(`"predicate"`)},
	{name: "blank node as predicate", sentence: "A blank node is used in the place of a predicate.", formats: "nqtg", fits: has(predicate),
		make: other(`_:predicate`)},
	{name: "bad language tag", sentence: "A language tag is none.", formats: "nqtg", fits: is(language), make: other("@1x")},
	{name: "missing datatype", sentence: "Nothing follows ^^.", formats: "nqtg", fits: unlessQuad(is(datatype)), make: other("^^")},
	{name: "literal as datatype", sentence: "A string follows ^^.", formats: "nqtg", fits: is(datatype), make: other(`^^"date"`)},
	{name: "joined lines", sentence: "The end of a line is gone.", formats: "nq", fits: inner2(newline), make: other(" ")},

	// Turtle and TriG
	{name: "undeclared prefix", sentence: "A prefix is used that nothing declares.", formats: "tg", fits: is(name),
		make: func(r *rand.Rand, d *document, i int) edit {
			return d.over(d.at[i], d.at[i]+strings.IndexByte(d.pieces[i].text, ':'), "nope")
		}},
	{name: "broken prefix declaration", sentence: "The > of a declaration is gone.", formats: "tg", alone: true, fits: is(directive),
		make: brokenDirective},
	{name: "missing comma", sentence: "A comma between two values is gone.", formats: "tgj", fits: is(comma), make: gone},
	{name: "doubled comma", sentence: "A second comma follows the comma.", formats: "tgj", fits: is(comma), make: with(",")},
	{name: "missing semicolon", sentence: "The semicolon before a predicate is gone.", formats: "tg", fits: is(semicolon), make: gone},
	{name: "doubled semicolon", sentence: "A second semicolon follows: the format allows it.", formats: "tg", quiet: true,
		fits: is(semicolon), make: with(" ;")},
	{name: "dot for a semicolon", sentence: "A dot stands for a semicolon: the rest has no subject.", formats: "tg", fits: topSemicolon,
		make: func(r *rand.Rand, d *document, i int) edit {
			return d.restOfBlock(d.instead(i, "."), i)
		}},
	{name: "unclosed long string", sentence: "The three quotation marks after a string are gone.", formats: "tg", fits: is(long),
		make: quoteGone(false)},
	{name: "unopened long string", sentence: "The three quotation marks before a string are gone.", formats: "tg", fits: is(long),
		make: quoteGone(true)},
	{name: "unclosed bracket", sentence: "The ] is gone: what follows has another subject, up to the dot.", formats: "tg",
		fits: is(closeBracket), make: bracketGone},
	{name: "unopened bracket", sentence: "The [ is gone: what follows has another subject, up to the dot.", formats: "tg",
		fits: is(openBracket), make: bracketGone},
	{name: "superfluous ]", sentence: "A ] is after a value.", formats: "tg", fits: topSeparator, make: before("] ")},
	{name: "superfluous [", sentence: "A [ is before a value: what follows has another subject, up to the dot.", formats: "tg",
		fits: topObject, make: func(r *rand.Rand, d *document, i int) edit {
			return d.restOfBlock(d.over(d.at[i], d.at[i], "[ "), i)
		}},
	{name: "unclosed list", sentence: "The ) is gone.", formats: "tg", fits: is(closeList), make: closerGone},
	{name: "unopened list", sentence: "The ( is gone.", formats: "tg", fits: is(openList), make: gone},
	{name: "superfluous )", sentence: "A ) is after a value.", formats: "tg", fits: topSeparator, make: before(") ")},
	{name: "unclosed graph", sentence: "The } is gone: the graph of what follows is not known, up to the next graph.", formats: "g",
		fits: is(closeGraph), make: braceGone},
	{name: "unopened graph", sentence: "The { is gone.", formats: "g", fits: is(openGraph), make: gone},
	{name: "superfluous }", sentence: "A second } follows the }.", formats: "g", fits: is(closeGraph), make: with(" }")},
	{name: "stray {", sentence: "A { is after a value.", formats: "tg", fits: topSeparator, make: before("{ ")},
	{name: "stray }", sentence: "A } is after a value.", formats: "tg", fits: topSeparator, make: before("} ")},

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
	{name: "undeclared namespace prefix", sentence: "The name of an element or attribute has a prefix that nothing declares.", formats: "x",
		fits: renamable, make: func(r *rand.Rand, d *document, i int) edit {
			return d.over(d.at[i]+1, d.at[i]+3, "nope")
		}},
	{name: "unquoted attribute", sentence: "The value of an attribute has no quotation marks.", formats: "x", fits: unquotable,
		make: func(r *rand.Rand, d *document, i int) edit {
			return d.instead(i, strings.ReplaceAll(d.pieces[i].text, `"`, ""))
		}},
	{name: "unclosed attribute", sentence: "The quotation mark after the value of an attribute is gone.", formats: "x",
		fits: is(attribute), make: func(r *rand.Rand, d *document, i int) edit {
			n := len(d.pieces[i].text)
			return d.wholeTag(d.without(i, n-1, n), i)
		}},
	{name: "unopened attribute", sentence: "The quotation mark before the value of an attribute is gone.", formats: "x",
		fits: is(attribute), make: func(r *rand.Rand, d *document, i int) edit {
			n := strings.IndexByte(d.pieces[i].text, '"')
			return d.wholeTag(d.without(i, n, n+1), i)
		}},
	{name: "duplicate attribute", sentence: "An attribute occurs twice in a tag.", formats: "x", fits: is(attribute),
		make: func(r *rand.Rand, d *document, i int) edit {
			return d.instead(i, d.pieces[i].text+d.pieces[i].text)
		}},
	{name: "less-than in an attribute", sentence: "The value of an attribute holds a <.", formats: "x", fits: textAttribute,
		make: func(r *rand.Rand, d *document, i int) edit {
			return d.inside(i, len(d.pieces[i].text)-2, "<")
		}},
	{name: "bad rdf:ID", sentence: "rdf:ID isn't a name.", formats: "x", fits: starts(` rdf:about="`),
		make: func(r *rand.Rand, d *document, i int) edit {
			return d.instead(i, ` rdf:ID="1 2"`)
		}},
	{name: "conflicting attributes", sentence: "A node has rdf:about and rdf:nodeID.", formats: "x", fits: starts(` rdf:about="`),
		make: func(r *rand.Rand, d *document, i int) edit {
			return d.instead(i, d.pieces[i].text+` rdf:nodeID="x"`)
		}},
	{name: "parseType and rdf:resource", sentence: "A property element has rdf:parseType and rdf:resource.", formats: "x",
		fits: starts(` rdf:parseType="Collection"`), make: with(` rdf:resource="http://example.org/x"`)},
	{name: "second root", sentence: "The root ends, and another begins.", formats: "x", alone: true, fits: starts("<ex:"),
		make: secondRoot},
	{name: "unclosed comment", sentence: "A comment begins and does not end.", formats: "x", alone: true, fits: lineBegins,
		make: atLine("<!-- note\n")},

	// JSON-LD
	{name: "trailing comma", sentence: "A comma is before a closing bracket.", formats: "j", fits: either(closeObject, closeArray),
		make: before(",")},
	{name: "unquoted key", sentence: "A name has no quotation marks.", formats: "j", fits: is(key), make: stripped("")},
	{name: "single quotes", sentence: "A string is in apostrophes.", formats: "j", fits: either(key, quoted), make: stripped("'")},
	{name: "missing colon", sentence: "The colon after a name is gone.", formats: "j", fits: is(colon), make: gone},
	{name: "missing value", sentence: "Nothing follows a colon.", formats: "j", fits: simpleValue, make: gone},
	{name: "unclosed object", sentence: "The } of a node is gone: what follows has another subject.", formats: "j", fits: is(closeObject),
		make: braceLost},
	{name: "unopened object", sentence: "The { of a node is gone.", formats: "j", fits: is(openObject), make: braceLost},
	{name: "unclosed array", sentence: "The ] of an array is gone.", formats: "j", fits: is(closeArray), make: closerGone},
	{name: "superfluous brace", sentence: "A second } follows the } of a node.", formats: "j", fits: is(closeObject),
		make: func(r *rand.Rand, d *document, i int) edit {
			return d.restOfBlock(d.over(d.at[i+1], d.at[i+1], "}"), i)
		}},
	{name: "duplicate key", sentence: "A name occurs twice in an object, with two values.", formats: "j",
		fits: both(is(key), starts(`"ex:`)), make: func(r *rand.Rand, d *document, i int) edit {
			e := d.instead(i, d.pieces[i].text+": \"another\", "+d.pieces[i].text)
			return e
		}},
	{name: "broken term", sentence: "The name of a prefix in the context lacks its second quotation mark.", formats: "j", alone: true,
		fits: func(d *document, i int) bool {
			return i == 0 && is(head)(d, i) && strings.Contains(d.pieces[i].text, `"d":`)
		}, make: func(_ *rand.Rand, d *document, i int) edit {
			at := strings.Index(d.pieces[i].text, `"d":`) + len(`"d`)
			e := edit{from: at, to: at + 1}
			for j := range d.pieces {
				if strings.HasPrefix(d.pieces[j].text, `"d:`) {
					e.touch(d, j)
				}
			}
			return e
		}},
	{name: "NaN", sentence: "NaN stands for a number.", formats: "j", fits: is(number), make: other("NaN")},
	{name: "bad @id", sentence: "@id is a number.", formats: "j", fits: behind(`"@id"`), make: other("5")},
	{name: "bad @type", sentence: "@type is a number.", formats: "j", fits: behind(`"@type"`), make: other("5")},
	{name: "bad @language", sentence: "@language is a number.", formats: "j", fits: behind(`"@language"`), make: other("5")},
	{name: "line end in a string", sentence: "A string holds a raw line end.", formats: "j", fits: is(quoted), make: inner("\n")},
	{name: "comment in JSON", sentence: "A comment // is on a line of its own.", formats: "j", fits: lineBegins,
		make: atLine("// a note\n")},

	// every format
	{name: "truncated line", sentence: "The rest of a line is gone.", formats: "nqtgxj", fits: breakable, make: truncated},
	{name: "lost line", sentence: "A line is gone, its end too.", formats: "nqtgxj", quiet: true, fits: lineToLose, make: lostLine},
	{name: "garbage line", sentence: "A line of another text is between two.", formats: "nqtgxj", fits: lineBegins,
		make: atLine("=== server (restarted) ===\n")},
	{name: "HTML error page", sentence: "The error page of a server is between two lines.", formats: "nqtgxj", fits: lineBegins,
		make: atLine(page)},
	{name: "NUL bytes", sentence: "A token holds NUL bytes (a string of Turtle, N-Triples and their like may).", formats: "nqtgxj",
		fits: withoutNUL, make: inner("\x00\x00\x00")},
	{name: "invalid UTF-8 in a string", sentence: "A string holds the bytes FF FE.", formats: "nqtgxj", fits: text,
		make: inner("\xff\xfe")},
	{name: "invalid UTF-8 between tokens", sentence: "The bytes FF FE are before a token.", formats: "nqtgxj", fits: token,
		make: before("\xff\xfe ")},
	{name: "cut at the end", sentence: "The document ends in the middle.", formats: "nqtgxj", alone: true,
		fits: both(inBlock, func(d *document, i int) bool { return !is(number)(d, i) }), make: func(r *rand.Rand, d *document, i int) edit {
			from := d.at[i] + r.IntN(len(d.pieces[i].text))
			if from == d.at[i] && d.beginsBlock(i) { // what ends between two statements is whole
				from++
			}
			e := d.over(from, len(d.text), "")
			if d.format == "Turtle" || d.format == "TriG" {
				e = d.restOfLine(e, i)
			}
			for j := i; j > 0 && d.pieces[j].block == d.pieces[i].block && d.format == "JSON-LD"; j-- {
				e.since = d.at[j]
			}
			return d.wholeTag(e, i)
		}},
}
