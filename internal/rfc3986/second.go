package rfc3986

import (
	"bytes"
	"slices"
)

// joining are the words that people write between the parts of a list.
var joining = [][]byte{
	[]byte("and"), []byte("or"), []byte("und"), []byte("oder"), []byte("et"), []byte("ou"), []byte("y"), []byte("e"), []byte("o"),
	[]byte("en"), []byte("of"),
	[]byte("see"), []byte("also"),
}

// SecondIRI looks for another whole IRI in text, which stands in the place of one. The two have something
// between them that no IRI may hold: a space, a line end, a bar, an angle bracket or a quotation mark. It returns
// the index of the second, or 0 if there is none.
//
// An IRI in a query that is a text with words is part of it, as in ?status=Reading this http://…
func SecondIRI(text []byte) int {
	gap := 0                         // the index of the first sign that no IRI may hold
	isParted, isText := false, false // since the last sign that one may hold; by a word
	first := slices.IndexFunc(text, func(b byte) bool { return !parts(b) })
	for i := first + 1; 0 < i && i < len(text); i++ {
		if !parts(text[i-1]) {
			continue
		}
		if gap == 0 {
			gap = i - 1
		}
		isParted = isParted || text[i-1] <= ' ' || text[i-1] == '|'
		if parts(text[i]) {
			continue
		}
		wasParted := isParted
		if isParted = false; !wasParted {
			continue // quotation marks or brackets around one
		}
		if startsIRI(text[i:]) {
			if !isText || bytes.IndexByte(text[:gap], '?') < 0 {
				return i
			}
			continue
		}
		isText = isText || isWord(text[i:])
	}
	return 0
}

// parts says that b may not be in an IRI and often parts two.
func parts(b byte) bool {
	return b <= ' ' || b == '|' || b == '<' || b == '>' || b == '"'
}

// isWord says that text begins with a word, which is none of those between the parts of a list.
func isWord(text []byte) bool {
	if end := slices.IndexFunc(text, parts); end >= 0 {
		text = text[:end]
	}
	text = bytes.Trim(text, ",;/&+-.()[]:")
	return len(text) > 0 && !slices.ContainsFunc(joining, func(word []byte) bool { return bytes.EqualFold(word, text) })
}

// startsIRI says that text begins with a whole IRI, which can't be mistaken for a word with a colon behind it.
func startsIRI(text []byte) bool {
	n := SchemeLength(text)
	if n < 2 || n+2 > len(text) {
		return false
	}
	rest := text[n+1:]
	if end := slices.IndexFunc(rest, parts); end >= 0 {
		rest = rest[:end]
	}
	if name, ok := bytes.CutPrefix(rest, []byte("//")); ok {
		return len(name) > 0 && (name[0] != '/' || len(name) > 1)
	}
	switch string(bytes.ToLower(text[:n])) {
	case "urn", "tag", "info":
		return bytes.ContainsAny(rest, ":,/") // urn:isbn:…, tag:NAME,2020:…, info:doi/…
	case "mailto":
		return bytes.IndexByte(rest, '@') > 0
	case "doi":
		return bytes.HasPrefix(rest, []byte("10."))
	case "file":
		return bytes.HasPrefix(rest, []byte("/"))
	}
	return false
}
