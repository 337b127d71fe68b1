package main

import (
	"math/rand/v2"
	"strings"
)

// slips are what people really write, and programs that know no grammar. The letters of formats are those
// of faults.
var slips = []fault{
	// names of Turtle and TriG
	{name: "slash in a name", sentence: "ex:AC/DC: a name has a sign that must be escaped.", formats: "tg", fits: objectName,
		make: localName("AC/DC")},
	{name: "hash in a name", sentence: "ex:b#c: what is after # is a comment.", formats: "tg", fits: objectName, make: hashName},
	{name: "mail address as a name", sentence: "ex:ann@example.org stands for an object.", formats: "tg", fits: objectName,
		make: localName("ann@example.org")},
	{name: "mail address as a subject", sentence: "ex:ann@example.org stands for a subject.", formats: "tg",
		fits: both(is(name), has(subject)), make: localName("ann@example.org")},
	{name: "parentheses in a name", sentence: "ex:Paris_(France): not escaped.", formats: "tg", fits: objectName,
		make: localName("Paris_(France)")},
	{name: "apostrophe in a name", sentence: "ex:O'Neil: not escaped.", formats: "tg", fits: objectName, make: localName("O'Neil")},
	{name: "ampersand in a name", sentence: "ex:R&D: not escaped.", formats: "tg", fits: objectName, make: localName("R&D")},
	{name: "plus signs in a name", sentence: "ex:C++: not escaped.", formats: "tg", fits: objectName, make: localName("C++")},
	{name: "percent sign in a name", sentence: "ex:100%: not escaped.", formats: "tg", fits: objectName, make: localName("100%")},
	{name: "comma in a name", sentence: "ex:Doe,John: the comma parts two values.", formats: "tg", fits: objectName,
		make: localName("Doe,_John")},
	{name: "space in a name", sentence: "ex:New York: two words.", formats: "tg", fits: objectName, make: localName("New York")},
	{name: "question mark in a name", sentence: "ex:page?id=5: not escaped.", formats: "tg", fits: objectName,
		make: localName("page?id=5")},
	{name: "bare web address", sentence: "http://example.org/x is without < and >.", formats: "tg", fits: both(is(iri), has(object)),
		make: bareAddress},
	{name: "comment after a name", sentence: "ex:b# note: a comment directly after a name, which the format allows.", formats: "tg",
		quiet: true, fits: objectName, make: remark},
	{name: "slashes for a comment", sentence: "A comment begins with //.", formats: "tg", fits: lineBegins, make: atLine("// a note\n")},
	{name: "equals sign for a predicate", sentence: "A predicate is followed by =.", formats: "tg", fits: both(is(name), has(predicate)),
		make: with(" =")},
	{name: "colon after a predicate", sentence: "A predicate is followed by a colon, as in YAML.", formats: "tg",
		fits: both(is(name), has(predicate)), make: with(" :")},
	{name: "capital True", sentence: "True stands for true, as Python writes it.", formats: "tgj", fits: truthValue, make: capital},
	{name: "decimal comma in a number", sentence: "3,14 stands for 3.14.", formats: "tg", fits: is(number), make: other("3,14")},
	{name: "bare date", sentence: "2020-01-31 is without quotation marks.", formats: "tg", fits: both(is(quoted), has(object)),
		make: other("2020-01-31")},
	{name: "bare words", sentence: "A text is without quotation marks.", formats: "tg", fits: both(is(quoted), has(object)),
		make: other("The old town")},
	{name: "underscore in a language", sentence: "@en_US stands for @en-US.", formats: "nqtg", fits: is(language), make: other("@en_US")},
	{name: "dotted name of a column", sentence: "ex:col. is before the dot of the statement.", formats: "tg",
		fits: both(is(name), has(predicate)), make: with("..")},
	{name: "null for a value", sentence: "null stands for an object.", formats: "tg", fits: both(is(quoted), has(object)),
		make: other("null")},

	// texts
	{name: "smart quotes", sentence: "A string is in “ and ”.", formats: "nqtgj", fits: both(is(quoted), notKey),
		make: around("“", "”")},
	{name: "smart apostrophes", sentence: "A string is in ‘ and ’.", formats: "tgj", fits: both(is(quoted), notKey),
		make: around("‘", "’")},
	{name: "German quotes", sentence: "A string is in „ and “.", formats: "tgj", fits: both(is(quoted), notKey),
		make: around("„", "“")},
	{name: "quotation inside", sentence: `He said "yes": the marks in a text are not escaped.`, formats: "nqtgj",
		fits: both(is(quoted), notKey), make: inText(`He said "yes" to it`)},
	{name: "inches", sentence: `A 5" disk: one mark in a text is not escaped.`, formats: "nqtgj", fits: both(is(quoted), notKey),
		make: inText(`a 5" disk`)},
	{name: "Windows path", sentence: `C:\Users\new: backslashes in a text are not escaped.`, formats: "nqtgj",
		fits: both(is(quoted), notKey), make: inText(`C:\Users\new\report.txt`)},
	{name: "share of Windows", sentence: `\\server\pub: a text ends with a backslash.`, formats: "nqtgj", fits: both(is(quoted), notKey),
		make: inText(`\\server\pub\`)},
	{name: "pasted HTML", sentence: "A link of HTML with quotation marks is in a text.", formats: "nqtgj",
		fits: both(is(quoted), notKey), make: inText(`see <a href="http://example.org/x" class="ext">this</a>; <br/> more`)},
	{name: "pasted lines", sentence: "A text goes on over three lines.", formats: "nqtgj", fits: both(is(quoted), notKey),
		make: inText("first line\nsecond line.\n  third, and last")},
	{name: "regular expression", sentence: `^\d+$: backslashes in a text are not escaped.`, formats: "nqtgj",
		fits: both(is(quoted), notKey), make: inText(`^\d+(\.\d+)?$`)},
	{name: "TeX", sentence: `\alpha: a formula stands in a text.`, formats: "nqtgj", fits: both(is(quoted), notKey),
		make: inText(`$\alpha + \mathrm{x}$`)},
	{name: "no-break space", sentence: "A no-break space is before a value.", formats: "tgj", fits: both(is(quoted), notKey),
		make: before("\u00a0")},
	{name: "zero-width space", sentence: "A zero-width space is before a value.", formats: "tgj", fits: both(is(quoted), notKey),
		make: before("\u200b")},
	{name: "merge conflict", sentence: "The marks of a merge are around a line.", formats: "nqtgxj", fits: lineBegins,
		make: atLine("<<<<<<< HEAD\n=======\n>>>>>>> branch\n")},
	{name: "three dots", sentence: "Three dots stand for what was left out.", formats: "nqtgj",
		fits: both(lineBegins, (*document).beginsBlock), make: atLine("...\n")},
	{name: "Markdown fence", sentence: "A line of three backquotes is between two.", formats: "nqtgj", fits: lineBegins,
		make: atLine("```\n")},
	{name: "log line", sentence: "A line of a log is between two.", formats: "nqtgxj", fits: lineBegins,
		make: atLine("2021-03-04 10:11:12,345 WARN [main] o.e.Exporter - slow: 120 ms\n")},

	// RDF/XML
	{name: "ampersand in text", sentence: "AT&T: not escaped.", formats: "x", fits: is(content), make: inText("AT&T and R & D")},
	{name: "HTML entity", sentence: "Text holds &nbsp; and &eacute;.", formats: "x", fits: is(content),
		make: inText("caf&eacute;&nbsp;noir")},
	{name: "HTML in text", sentence: "Text holds tags of HTML, one not closed.", formats: "x", fits: is(content),
		make: inText("one<br>two <b>three</b>")},
	{name: "less-than in text", sentence: "Text holds p < 0.05.", formats: "x", fits: is(content), make: inText("p < 0.05 and x <y")},
	{name: "arrow in text", sentence: "Text holds an arrow <-.", formats: "x", fits: is(content), make: inText("a <- b")},
	{name: "ampersand in an IRI", sentence: "A web address has a query with &.", formats: "x", fits: iriAttribute,
		make: inAttribute("http://example.org/?a=1&b=2&copy=3")},
	{name: "smart quotes around an attribute", sentence: "The value of an attribute is in “ and ”.", formats: "x", fits: is(attribute),
		make: quotesOfAttribute("“", "”")},
	{name: "no quotes around an attribute", sentence: "The value of an attribute is by itself.", formats: "x", fits: unquotable,
		make: quotesOfAttribute("", "")},
	{name: "quotation in an attribute", sentence: `The value of an attribute holds "yes".`, formats: "x", fits: is(attribute),
		make: inAttribute(`he said "yes" to it`)},
	{name: "two hyphens in a comment", sentence: "A comment holds --.", formats: "x", fits: lineBegins,
		make: atLine("<!-- old -- do not use -->\n")},
	{name: "capital end tag", sentence: "An end tag is written in capitals.", formats: "x", fits: is(endTag),
		make: func(_ *rand.Rand, d *document, i int) edit {
			return d.instead(i, strings.ToUpper(d.pieces[i].text))
		}},

	// JSON-LD
	{name: "name of JavaScript", sentence: "A name has no quotation marks, and a string apostrophes.", formats: "j", fits: is(key),
		make: stripped("")},
	{name: "None", sentence: "None stands for null, as Python writes it.", formats: "j", fits: simpleValue, make: other("None")},
	{name: "undefined", sentence: "undefined stands for a value.", formats: "j", fits: simpleValue, make: other("undefined")},
	{name: "string put together", sentence: `"a" + "b" stands for a string.`, formats: "j", fits: both(is(quoted), simpleValue),
		make: other(`"a" + "b"`)},
	{name: "hexadecimal number", sentence: "0x1F stands for a number.", formats: "j", fits: simpleValue, make: other("0x1F")},
	{name: "number with a zero before", sentence: "007 stands for a number.", formats: "j", fits: simpleValue, make: other("007")},
	{name: "semicolon for a comma", sentence: "A semicolon stands for a comma.", formats: "j", fits: is(comma), make: other(";")},
	{name: "comment of a script", sentence: "A comment between /* and */ is before a value.", formats: "j", fits: simpleValue,
		make: before("/* TODO: \"check\" */ ")},
	{name: "comment of YAML", sentence: "A comment # is at the end of a line.", formats: "j", fits: both(is(comma), atLineEnd),
		make: with(" # a note")},
}

func objectName(d *document, i int) bool { return is(name)(d, i) && has(object)(d, i) }
func notKey(d *document, i int) bool     { return d.format != "JSON-LD" || simpleValue(d, i) }

func truthValue(d *document, i int) bool {
	return is(word)(d, i) && (d.pieces[i].text == "true" || d.pieces[i].text == "false")
}

// remark puts a comment and a line end directly behind a name, where it touches nothing.
func remark(_ *rand.Rand, d *document, i int) edit {
	e := d.over(d.at[i+1], d.at[i+1], "# a note\n")
	e.touched = nil
	return e
}

// atLineEnd says that the next piece begins with a line end, or with the sign behind which one is.
func atLineEnd(d *document, i int) bool {
	for i++; i < len(d.pieces) && d.pieces[i].kind == space; i++ {
		if strings.Contains(d.pieces[i].text, "\n") {
			return true
		}
	}
	return false
}

func iriAttribute(d *document, i int) bool {
	return is(attribute)(d, i) && (starts(" rdf:about=")(d, i) || starts(" rdf:resource=")(d, i))
}

// localName puts another local part into a name. The rest of the line is touched, since its signs may mean something.
func localName(local string) makes {
	return func(_ *rand.Rand, d *document, i int) edit {
		prefix := d.pieces[i].text[:strings.IndexByte(d.pieces[i].text, ':')+1]
		return d.instead(i, prefix+local)
	}
}

// hashName makes a comment of what follows, up to the end of the line.
func hashName(r *rand.Rand, d *document, i int) edit {
	e := d.restOfLine(localName("b#c")(r, d, i), i)
	return d.commentedOut(e, i)
}

// commentedOut touches what depends on the pieces that are in a comment now.
func (d *document) commentedOut(e edit, i int) edit {
	end := strings.IndexByte(d.text[d.at[i]:], '\n')
	if end < 0 {
		end = len(d.text) - d.at[i]
	}
	e = d.cutOff(e, d.at[i], d.at[i]+end)
	for j := i; j < len(d.pieces) && d.at[j] < d.at[i]+end; j++ {
		if d.pieces[j].kind == semicolon || d.pieces[j].kind == comma || d.pieces[j].kind == dot {
			e = d.restOfBlock(e, j) // nothing ends the statement
		}
		if d.pieces[j].kind == closeGraph {
			e.touched = append(e.touched, d.pieces[j].after...)
		}
	}
	return e
}

func bareAddress(_ *rand.Rand, d *document, i int) edit {
	return d.instead(i, strings.Trim(d.pieces[i].text, "<>"))
}

func capital(_ *rand.Rand, d *document, i int) edit {
	t := d.pieces[i].text
	return d.instead(i, strings.ToUpper(t[:1])+t[1:])
}

func around(open, shut string) makes {
	return func(_ *rand.Rand, d *document, i int) edit {
		t := d.pieces[i].text
		return d.restOfLine(d.instead(i, open+t[1:len(t)-1]+shut), i)
	}
}

// inText puts text into a string or between tags, in the place of a word. What is open behind it may be the
// rest of the line.
func inText(text string) makes {
	return func(_ *rand.Rand, d *document, i int) edit {
		t := d.pieces[i].text
		if d.pieces[i].kind == content {
			return d.instead(i, text+" "+t)
		}
		return d.restOfLine(d.instead(i, t[:1]+text+t[len(t)-1:]), i)
	}
}

func inAttribute(text string) makes {
	return func(_ *rand.Rand, d *document, i int) edit {
		n := strings.IndexAny(d.pieces[i].text, `"'`) + 1
		return d.wholeTag(d.instead(i, d.pieces[i].text[:n]+text+d.pieces[i].text[n-1:n]), i)
	}
}

func quotesOfAttribute(open, shut string) makes {
	return func(_ *rand.Rand, d *document, i int) edit {
		t := d.pieces[i].text
		n := strings.IndexAny(t, `"'`)
		return d.wholeTag(d.instead(i, t[:n]+open+t[n+1:len(t)-1]+shut), i)
	}
}
