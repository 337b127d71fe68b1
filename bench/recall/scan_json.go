package main

import "regexp"

var (
	jsonString = regexp.MustCompile(`^"(?:[^"\\\n]|\\.)*"`)
	jsonNumber = regexp.MustCompile(`^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?`)
	jsonWord   = regexp.MustCompile(`^(?:true|false|null)`)
	jsonSpace  = regexp.MustCompile(`^[ \t\r\n]+`)
	jsonColon  = regexp.MustCompile(`^[ \t\r\n]*:`)
)

var jsonMarks = map[byte]kind{'{': openObject, '}': closeObject, '[': openArray, ']': closeArray, ',': comma, ':': colon}

// scanJSON cuts JSON-LD into pieces. The blocks are the objects in the outermost array, or in the arrays of the
// outermost object, but for its context.
func scanJSON(d *document, text string) bool {
	s := jsonScan{d: d, home: -1}
	for len(text) > 0 {
		n, k := jsonToken(text)
		if n == 0 || !s.take(k, text[:n]) {
			return false
		}
		text = text[n:]
	}
	return s.blocks > 0
}

// jsonToken is the length of the token that a text begins with, and its kind; 0 if there is none.
func jsonToken(text string) (n int, k kind) {
	switch {
	case jsonSpace.MatchString(text):
		return len(jsonSpace.FindString(text)), space
	case text[0] == '"':
		n = len(jsonString.FindString(text))
		if jsonColon.MatchString(text[n:]) {
			return n, key
		}
		return n, quoted
	case jsonNumber.MatchString(text):
		return len(jsonNumber.FindString(text)), number
	case jsonWord.MatchString(text):
		return len(jsonWord.FindString(text)), word
	case jsonMarks[text[0]] != 0:
		return 1, jsonMarks[text[0]]
	}
	return 0, head
}

// jsonScan is what is open while JSON is cut into pieces.
type jsonScan struct {
	d      *document
	open   []byte // brackets
	blocks int
	home   int    // how many brackets are open around the blocks; -1 before them
	last   string // the last name
}

// take adds a token; false if it closes what is not open.
func (s *jsonScan) take(k kind, text string) bool {
	opens, closes := k == openObject || k == openArray, k == closeObject || k == closeArray
	if closes {
		if len(s.open) == 0 {
			return false
		}
		s.open = s.open[:len(s.open)-1]
	}
	if k == key {
		s.last = text
	}
	if k == openObject && len(s.open) == s.home {
		s.blocks++
	}
	s.d.block = 0
	if inside := len(s.open) > s.home || len(s.open) == s.home && (k == openObject || k == closeObject); s.home > 0 && inside {
		s.d.block = s.blocks
	} else if k != space {
		k = head
	}
	s.d.add(k, noRole, text)
	if opens {
		s.open = append(s.open, text[0])
		if s.home < 0 && text[0] == '[' && (len(s.open) == 1 || len(s.open) == 2 && s.last != `"@context"`) {
			s.home = len(s.open)
		}
	}
	if closes && len(s.open) < s.home {
		s.home = -1 // the array has ended
	}
	return true
}
