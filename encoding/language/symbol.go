package language

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// Symbol is a character as the models see it.
type Symbol struct {
	Rune   rune
	ID     uint16 // of a letter that some alphabet has, in lower case; 0 for all others
	Class  Class
	Script Script
	base   uint8 // its cost among those of its class, where no language is known better
}

// Class says what a character does in a word. How one follows another says nearly as much as the
// letters: no capital is after a small letter, few signs between two.
type Class uint8

// The classes. The letters of the script that is written come in three kinds, those of
// another in the same three.
const (
	Edge  Class = iota // white space, and what is around the text
	Digit              // of ASCII
	Point              // other ASCII characters
	Lower
	Upper
	Caseless // letters without case, ideographs, syllables, and marks of one script
	ForeignLower
	ForeignUpper
	ForeignCaseless
	Mark    // a combining mark of no script
	Quote   // punctuation outside ASCII
	Sign    // symbols and all else outside ASCII
	Space   // white space outside ASCII
	Wrong   // what no text holds: C1 controls, private use, box drawing, U+FFFD
	Classes // how many there are
)

// Script is one that has encodings of its own.
type Script uint8

// The scripts. Ideographs and syllables are one: texts mix them.
const (
	NoScript Script = iota
	Latin
	Cyrillic
	Greek
	Hebrew
	Arabic
	Thai
	Ideographs
	OtherScript
)

// Group is what scripts share their transitions of classes with.
func (s Script) Group() int {
	switch s {
	case Latin:
		return 0
	case Cyrillic, Greek:
		return 1
	case Ideographs:
		return 3
	default:
		return 2
	}
}

// Groups is the number of groups.
const Groups = 4

// direct is where the characters end that are looked up in a table.
const direct = 0x2E80

var symbols = sync.OnceValue(func() *[direct]Symbol {
	m := load()
	all := new([direct]Symbol)
	for r := range rune(direct) {
		s := Classify(r)
		if s.Class.IsLetter() || s.Class == Mark {
			s.ID = m.ids[Small(r)]
		}
		s.base = m.baseOf(s)
		all[r] = s
	}
	return all
})

// SymbolOf classes a character.
func SymbolOf(r rune) Symbol {
	if uint32(r) < direct {
		return symbols()[r]
	}
	s := Classify(r)
	s.base = load().baseOf(s)
	return s
}

// Small is the small letter that the models count a letter as. The capital I with a dot
// is a letter of its own: as i it would be at home in every language.
func Small(r rune) rune {
	if r == 'İ' {
		return r
	}
	return unicode.ToLower(r)
}

// IsLetter says that a class is one of letters.
func (c Class) IsLetter() bool { return Lower <= c && c <= ForeignCaseless }

// Classify is [SymbolOf] without what was learnt of the character.
func Classify(r rune) Symbol {
	s := Symbol{Rune: r}
	switch {
	case r < utf8.RuneSelf:
		s.Class, s.Script = classifyASCII(r)
	case r < 0xA0 || 0x2500 <= r && r < 0x25A0 || 0xE000 <= r && r < 0xF900 || r == utf8.RuneError || r > 0x1FFFF:
		s.Class = Wrong
	case r >= direct && r < 0xFB00 || 0xFE30 <= r:
		s.Class, s.Script = Caseless, Ideographs
	case r == 'ª' || r == 'º':
		s.Class = Sign
	case unicode.Is(unicode.Inherited, r):
		s.Class = Mark
	case unicode.IsLetter(r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r):
		s.Script = scriptOf(r)
		switch {
		case unicode.IsLower(r):
			s.Class = Lower
		case unicode.IsUpper(r):
			s.Class = Upper
		default:
			s.Class = Caseless
		}
	case unicode.IsSpace(r):
		s.Class = Space
	case unicode.IsPunct(r) && r != '§' && r != '¶':
		s.Class = Quote
	default:
		s.Class = Sign
	}
	return s
}

func classifyASCII(r rune) (Class, Script) {
	switch {
	case 'a' <= r && r <= 'z':
		return Lower, Latin
	case 'A' <= r && r <= 'Z':
		return Upper, Latin
	case '0' <= r && r <= '9':
		return Digit, NoScript
	case r <= ' ' || r == 0x7F:
		return Edge, NoScript
	}
	return Point, NoScript
}

func scriptOf(r rune) Script {
	for i, script := range []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Hebrew, unicode.Arabic,
		unicode.Thai} {
		if unicode.Is(script, r) {
			return Latin + Script(i)
		}
	}
	return OtherScript
}

// In is the class that a symbol has where script is written.
func (s Symbol) In(script Script) Class {
	if s.Script != script && Lower <= s.Class && s.Class <= Caseless {
		return s.Class + (ForeignLower - Lower)
	}
	return s.Class
}
