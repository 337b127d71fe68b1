package mend

import (
	"bytes"
	"html"
	"strconv"
	"strings"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// view is the text around a repair.
type view struct {
	text   []byte
	at     int64 // of text in the document
	here   int   // the place of the repair in text
	ended  bool  // text goes up to the end of the document
	family family
	base   string
}

// family says by which rules a text is read.
type family uint8

const (
	other   family = iota
	lineish        // N-Triples, N-Quads
	turtle         // Turtle, TriG, N3
	markup         // RDF/XML, TriX
	jsonld         // JSON-LD, RDF/JSON
	page           // HTML and RDFa; scripts of JSON-LD in them
)

func familyOf(format string) family {
	switch format {
	case "N-Triples", "N-Quads":
		return lineish
	case "Turtle", "TriG", "N3":
		return turtle
	case "RDF/XML", "TriX":
		return markup
	case "JSON-LD", "RDF/JSON":
		return jsonld
	case "HTML", "RDFa":
		return page
	}
	return other
}

// replace makes text[from:to) into with.
func (v *view) replace(from, to int, with string) []edit {
	return []edit{{from: v.at + int64(from), to: v.at + int64(to), with: []byte(with)}}
}

// asEdit is an edit that came with a notice. Its line ends become those of the text.
func (v *view) asEdit(e fault.Edit) edit {
	return edit{from: e.From, to: e.To, with: []byte(strings.ReplaceAll(e.With, "\n", v.lineEnd()))}
}

// rest is the text from the place on.
func (v *view) rest() []byte { return v.text[v.here:] }

func (v *view) starts(with string) bool { return bytes.HasPrefix(v.rest(), []byte(with)) }

// lineEnd is what ends the lines around the place.
func (v *view) lineEnd() string {
	if i := bytes.IndexByte(v.text, '\n'); i > 0 && v.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

// before is where the blanks before an index begin.
func (v *view) before(i int) int {
	for i > 0 && isBlank(v.text[i-1]) {
		i--
	}
	return i
}

// after is where the blanks from an index on end.
func (v *view) after(i int) int {
	for i < len(v.text) && isBlank(v.text[i]) {
		i++
	}
	return i
}

// extent is a stretch of a view's text.
type extent struct{ from, to int }

// unit is a character of a value and how the source writes it.
type unit struct {
	r    rune
	raw  string // the bytes it is, where they are not UTF-8
	from int
	to   int
}

// units takes the text of a value apart, with the escapes of its format.
func (v *view) units(in extent) (all []unit) {
	for i := in.from; i < in.to; {
		n, r := v.escape(v.text[i:in.to])
		u := unit{r: r, from: i}
		if n == 0 {
			u.r, n = utf8.DecodeRune(v.text[i:in.to])
			if u.r == utf8.RuneError && n == 1 {
				u.raw = string(v.text[i : i+1])
			}
		}
		i += n
		u.to = i
		all = append(all, u)
	}
	return all
}

// escape reads an escape that text begins with; n is 0 if it begins with none.
func (v *view) escape(text []byte) (n int, r rune) {
	switch {
	case text[0] == '\\' && v.family <= turtle || text[0] == '\\' && (v.family == jsonld || v.family == page):
		if len(text) < 2 {
			return 0, 0
		}
		digits := 0
		switch text[1] {
		case 'u':
			digits = 4
		case 'U':
			digits = 8
		case '"', '\\', '/':
			if v.family == jsonld || v.family == page {
				return 2, rune(text[1])
			}
		}
		if digits == 0 || len(text) < 2+digits {
			return 0, 0
		}
		code, err := strconv.ParseUint(string(text[2:2+digits]), 16, 32)
		if err != nil {
			return 0, 0
		}
		return 2 + digits, rune(code)
	case text[0] == '&' && (v.family == markup || v.family == page):
		end := bytes.IndexByte(text[:min(len(text), 40)], ';')
		if end < 0 {
			return 0, 0
		}
		meant := html.UnescapeString(string(text[:end+1]))
		if r, size := utf8.DecodeRuneInString(meant); size == len(meant) {
			return end + 1, r
		}
	}
	return 0, 0
}

// value is the text that units make.
func value(units []unit) string {
	var b strings.Builder
	for _, u := range units {
		if u.raw != "" {
			b.WriteString(u.raw)
		} else {
			b.WriteRune(u.r)
		}
	}
	return b.String()
}
