package rdfjson

import (
	"laundromat/internal/fault"
	"laundromat/markup/jsontext"
)

// token is a piece of JSON that may be broken.
type token struct {
	kind     tokenKind
	from, to int64
	pos      fault.Pos
	text     []byte // of a string, decoded; of a number or word, as it is; until the next token
	flaw     string // of a broken one
	code     fault.Code
	control  bool // a string with control characters that stand for themselves
	single   bool // a string in apostrophes
	long     bool // a string that is not held
	escape   bool // a string with the escape \'
}

type tokenKind byte

const (
	tokenEnd    tokenKind = 0
	tokenText   tokenKind = '"'
	tokenScalar tokenKind = '0' // a number, true, false or null
	tokenBroken tokenKind = '?'
	// Brackets, commas and colons are what they look like.
)

// next reads the next token.
func (p *parser) next() token {
	if p.again {
		p.again = false
		return p.token
	}
	place := p.place
	for p.keep = place; ; p.keep = place {
		if p.isSpace(place) {
			place++
		} else if n := p.stray(place); n > 0 {
			place += n
		} else {
			break
		}
	}
	t := token{from: place, to: place + 1, pos: p.pos(place)}
	b, ok := p.at(place)
	switch {
	case !ok:
		t.to = place
	case contains("{}[],:", b):
		t.kind = tokenKind(b)
	case b == '"' || b == '\'':
		p.quoted(&t, b)
	default:
		p.scalar(&t)
	}
	p.place, p.token = t.to, t
	return t
}

// back has the token read again.
func (p *parser) back() { p.again = true }

// scalar takes a number or word, or what is neither.
func (p *parser) scalar(t *token) {
	for b, ok := p.at(t.to); ok && !contains("{}[],:\"' \t\r\n", b) && p.filler(t.to).size == 0; b, ok = p.at(t.to) {
		if t.to++; t.to-t.from > longestScalar {
			break
		}
	}
	p.scratch = append(p.scratch[:0], p.between(t.from, t.to)...)
	t.text = p.scratch
	switch string(t.text) {
	case "true", "false", "null":
		t.kind = tokenScalar
		return
	}
	if isNumber(t.text) {
		t.kind = tokenScalar
		return
	}
	t.kind, t.code, t.flaw = tokenBroken, fault.JSONSyntax, "this is not JSON"
}

const longestScalar = 100

func isNumber(b []byte) bool {
	digits := 0
	for i, c := range b {
		switch {
		case '0' <= c && c <= '9':
			digits++
		case (c == '-' || c == '+') && (i == 0 && c == '-' || i > 0 && b[i-1]|0x20 == 'e'):
		case c == '.' && digits > 0, c|0x20 == 'e' && digits > 0:
		default:
			return false
		}
	}
	return digits > 0
}

// quoted takes a string.
func (p *parser) quoted(t *token, mark byte) {
	t.single = mark == '\''
	escaped := false
	place := t.from + 1
	for {
		b, ok := p.at(place)
		if !ok {
			t.kind, t.to, t.code, t.flaw = tokenBroken, place, fault.JSONCutShort, "the document ends within a string"
			return
		}
		if place++; b == mark {
			break
		}
		switch {
		case b == '\\':
			escaped = true
			if _, ok := p.at(place); ok {
				place++
			}
		case b < 0x20:
			t.control = true
		}
		if !t.long && place-t.from > int64(p.maxToken) {
			t.long = true
			p.note(t.from)
		}
		if t.long {
			p.keep = place - 1
		}
	}
	t.to = place
	switch b, ok := p.at(p.space(place)); {
	case t.long:
		t.kind, t.code, t.flaw = tokenBroken, fault.LimitToken, fault.TooLong("this string", p.maxToken)
		return
	case ok && !contains(",:}] \t\r\n", b) && !p.followed(place):
		t.kind, t.code, t.flaw = tokenBroken, fault.JSONSyntax, "a string is not closed, a quotation mark in it is not escaped, or what "+
			"is after it means nothing"
		return
	}
	t.kind = tokenText
	if raw := p.between(t.from+1, place-1); !escaped {
		p.scratch = append(p.scratch[:0], raw...) // the window may move
		t.text = p.scratch
	} else if !p.unescape(t, raw) {
		t.kind, t.code, t.flaw = tokenBroken, fault.JSONSyntax, "a string holds an escape that JSON has not"
	}
}

// followed says that the quotation mark before a place ends a string after which a comma or colon is
// missing. The next string begins on another line, or a space after it.
func (p *parser) followed(place int64) bool {
	next := p.space(place)
	b, _ := p.at(next)
	if next == place {
		return false
	}
	switch b {
	case '{', '[':
		return true
	case '"':
		end, ok := p.stringEnd(next)
		if !ok {
			return false
		}
		c, ok := p.at(p.space(end))
		return !ok || contains(",:}]", c)
	}
	return false
}

// unescape decodes the escapes of a string into its token.
func (p *parser) unescape(t *token, raw []byte) bool {
	out, apostrophe, bad := jsontext.AppendUnescaped(p.scratch[:0], raw)
	if bad >= 0 {
		return false
	}
	p.scratch, t.text = out, out
	t.escape = apostrophe && !t.single
	return true
}
