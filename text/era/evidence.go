package era

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"laundromat/encoding"
)

// Evidence is what a text shows of its phase.
type Evidence struct {
	Words    int
	Capitals int  // capital letters of Latin-1
	High     int  // characters outside ASCII
	Beyond   int  // those outside Latin-1
	Lost     int  // question marks in place of letters
	Double   bool // its characters outside ASCII are there as several
}

// newline is the mark of a line end in the content of f5.
const newline = "*NL*"

// Look looks at a text.
func Look(text string) (e Evidence) {
	from := 0
	for from < len(text) {
		if text[from] <= ' ' {
			from++
			continue
		}
		end := from + 1
		for end < len(text) && text[end] > ' ' {
			end++
		}
		e.word(text[from:end])
		from = end
	}
	if e.High > 0 {
		e.Double = encoding.IsDouble([]byte(text))
	}
	return e
}

// word counts what is between two spaces.
func (e *Evidence) word(word string) {
	e.Words++
	questions := 0
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case 'A' <= c && c <= 'Z':
			e.Capitals++
		case c == '?':
			questions++
		case c >= utf8.RuneSelf:
			e.high(word[i:])
			return
		}
	}
	if questions > 0 {
		e.Lost += lostIn(word)
	}
	if strings.Contains(word, newline) {
		e.Capitals -= 2 * strings.Count(word, newline)
	}
}

// high counts in the rest of a word, from a character outside ASCII on.
func (e *Evidence) high(rest string) {
	for _, r := range rest {
		switch {
		case r > 0xFF:
			e.Beyond++
			e.High++
		case r >= utf8.RuneSelf:
			e.High++
			if unicode.IsUpper(r) {
				e.Capitals++
			}
		case 'A' <= r && r <= 'Z':
			e.Capitals++
		}
	}
	e.Lost += lostIn(rest)
	if strings.Contains(rest, newline) {
		e.Capitals -= 2 * strings.Count(rest, newline)
	}
}

// lostIn counts the question marks of a word that are in place of letters. One at the end of a word is a question.
// One in an address begins its query.
func lostIn(word string) (n int) {
	if strings.IndexByte(word, '?') < 0 || strings.ContainsAny(word, "/=&@") {
		return 0
	}
	for i := 0; i < len(word); i++ {
		if word[i] != '?' || i+1 == len(word) {
			continue
		}
		next := word[i+1]
		switch {
		case 'a' <= next && next <= 'z', '0' <= next && next <= '9', next >= utf8.RuneSelf && isSmall(word[i+1:]):
			n++
		case next == '?' && i > 0 && isLetter(word[i-1]):
			n++
		}
	}
	return n
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

func isSmall(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}
