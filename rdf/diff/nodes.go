package diff

import (
	"bytes"

	"laundromat/rdf"
)

// genid is where the path of an IRI begins that stands for a blank node (RDF 1.1 Concepts §3.5).
const genid = "/.well-known/genid/"

// hasNode says that a line may hold a blank node: those it says no of hold none.
func hasNode(line []byte) bool {
	return bytes.Contains(line, []byte(genid)) || bytes.Contains(line, []byte("_:"))
}

// appendNodes appends where the blank nodes of a line begin and end, in order; ok is
// false if the line is no statement.
func appendNodes(spans [][2]int, line []byte) (_ [][2]int, ok bool) {
	var terms [rdf.MaxTriples + 2]uint8 // of each triple that is open: terms so far
	depth := 0
	for i := 0; i < len(line); {
		rest := line[i:]
		end := 0
		switch {
		case rest[0] == ' ':
			i++
			continue
		case rest[0] == '.':
			return spans, depth == 0 && (terms[0] == 3 || terms[0] == 4) && len(rest) == 1
		case bytes.HasPrefix(rest, []byte("<<(")):
			if depth++; depth == len(terms) {
				return spans, false
			}
			terms[depth] = 0
			i += 3
			continue
		case bytes.HasPrefix(rest, []byte(")>>")):
			if depth == 0 || terms[depth] != 3 {
				return spans, false
			}
			depth--
			terms[depth]++
			i += 3
			continue
		case rest[0] == '<':
			end = bytes.IndexByte(rest, '>') + 1
		case rest[0] == '_':
			end = bytes.IndexByte(rest, ' ')
		case rest[0] == '"':
			end = literalEnd(rest)
		}
		if end <= 0 {
			return spans, false
		}
		if terms[depth] != 1 && isNode(rest[:end]) {
			spans = append(spans, [2]int{i, i + end})
		}
		if terms[depth]++; terms[depth] > 4 {
			return spans, false
		}
		i += end
	}
	return spans, false
}

// literalEnd is the length of the literal that text begins with; 0 if it does not end.
func literalEnd(text []byte) int {
	for i := 1; ; {
		n := bytes.IndexAny(text[i:], `"\`)
		if n < 0 {
			return 0
		}
		if i += n; text[i] == '\\' {
			if i += 2; i > len(text) {
				return 0
			}
			continue
		}
		i++
		if bytes.HasPrefix(text[i:], []byte("^^<")) {
			if n = bytes.IndexByte(text[i:], '>'); n < 0 {
				return 0
			}
			return i + n + 1
		}
		if n = bytes.IndexByte(text[i:], ' '); n < 0 {
			return 0
		}
		return i + n
	}
}

// isNode says that a term is a blank node, or an IRI that stands for one.
func isNode(term []byte) bool {
	if term[0] == '_' {
		return true
	}
	if term[0] != '<' {
		return false
	}
	_, rest, found := bytes.Cut(term, []byte("://"))
	if !found {
		return false
	}
	slash := bytes.IndexByte(rest, '/')
	return slash >= 0 && bytes.HasPrefix(rest[slash:], []byte(genid))
}
