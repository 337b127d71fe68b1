package jsonread

import (
	"encoding/binary"
	"strings"

	"laundromat/markup/jsontext"
)

// word reads true, false and null.
func (p *parser) word(v *Value) bool {
	for _, word := range [...]string{"true", "false", "null"} {
		if b, _ := p.peek(); b != word[0] {
			continue
		}
		for i := range len(word) {
			if b, _ := p.ahead(i); b != word[i] {
				return false
			}
		}
		p.at += len(word)
		if v.Kind = Null; word != "null" {
			v.Kind, v.Text = Boolean, word
		}
		b, ok := p.peek()
		return !ok && !p.long || isBound(b) || p.unseenAt(0, b)
	}
	return false
}

// isBound says that b can follow a number or a word.
func isBound(b byte) bool {
	switch b {
	case ',', ']', '}', ' ', '\t', '\n', '\r':
		return true
	}
	return false
}

// unseenAt says that b, the n-th byte from here, begins a mark that can't be seen: it ends what stands before it.
func (s *source) unseenAt(n int, b byte) bool {
	return mayFill[b] && (b < ' ' || b >= 0x7F) && s.unseen(n) > 0
}

// number reads what RFC 8259 §6 calls a number.
func (p *parser) number() (string, bool) {
	start := p.at - p.keep
	for b, ok := p.peek(); ok && !isBound(b) && !p.unseenAt(0, b); b, ok = p.peek() {
		p.at++
	}
	raw := p.window[p.keep+start : p.at]
	switch {
	case p.long || !isNumber(raw):
		return "", false
	case p.skipping:
		return "", true
	}
	return p.text(raw), true
}

func isNumber(b []byte) bool {
	digits := func() bool {
		n := 0
		for n < len(b) && '0' <= b[n] && b[n] <= '9' {
			n++
		}
		b = b[n:]
		return n > 0
	}
	if len(b) > 0 && b[0] == '-' {
		b = b[1:]
	}
	if len(b) > 0 && b[0] == '0' {
		b = b[1:]
	} else if !digits() {
		return false
	}
	if len(b) > 0 && b[0] == '.' {
		if b = b[1:]; !digits() {
			return false
		}
	}
	if len(b) > 0 && (b[0] == 'e' || b[0] == 'E') {
		if b = b[1:]; len(b) > 0 && (b[0] == '+' || b[0] == '-') {
			b = b[1:]
		}
		if !digits() {
			return false
		}
	}
	return len(b) == 0
}

// string reads a string, the quotation mark being next.
func (p *parser) string() (string, bool) {
	raw, escaped, ok := p.quoted()
	switch {
	case !ok:
		return "", false
	case p.skipping:
		return "", true
	case escaped:
		raw, _, _ = p.unescape(raw)
	}
	return p.text(raw), true
}

// textsBytes is how many bytes of text are allocated at once.
const textsBytes = 8 << 10

// text makes a string, in one piece of memory with those before.
func (p *parser) text(raw []byte) string {
	if len(raw) > textsBytes/8 {
		return string(raw)
	}
	if p.texts.Cap()-p.texts.Len() < len(raw) {
		p.texts = strings.Builder{}
		p.texts.Grow(textsBytes)
	}
	from := p.texts.Len()
	p.texts.Write(raw)
	return p.texts.String()[from:]
}

// quoted takes a string and returns what stands between its quotation marks, which is
// valid until more is read.
func (p *parser) quoted() (raw []byte, escaped, ok bool) {
	p.at++
	start := p.at - p.keep
	for {
		w, i := p.window, p.at
		for i+8 <= len(w) && isPlain(binary.LittleEndian.Uint64(w[i:])) {
			i += 8
		}
		for i < len(w) && w[i] != '"' && w[i] != '\\' && w[i] >= 0x20 {
			i++
		}
		p.at = i
		switch {
		case i == len(w):
			if !p.fill() {
				return nil, false, false
			}
		case w[i] == '"':
			p.at++
			return w[p.keep+start : i], escaped, true
		case w[i] == '\\':
			escaped = true
			c, _ := p.ahead(1)
			if c == 'u' {
				p.ahead(5)
				if _, ok := jsontext.Hex4(p.window[min(p.at+2, len(p.window)):]); !ok {
					return nil, false, false
				}
			} else if strings.IndexByte(`"\/bfnrt`, c) < 0 {
				return nil, false, false
			}
			p.at += 2
		default:
			return nil, false, false // a raw control character
		}
	}
}

// isPlain says that none of eight bytes ends a string or is special in one. It may take one for
// such that stands behind one.
func isPlain(x uint64) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	quote, slash := x^'"'*ones, x^'\\'*ones
	return ((quote-ones)&^quote|(slash-ones)&^slash|(x-0x20*ones)&^x)&high == 0
}

// unescape decodes the escapes of a string. What is returned is valid until the next
// call; see jsontext.AppendUnescaped.
func (p *parser) unescape(raw []byte) (decoded []byte, apostrophe bool, bad int) {
	out, apostrophe, bad := jsontext.AppendUnescaped(p.scratch[:0], raw)
	if bad >= 0 {
		return nil, false, bad
	}
	p.scratch = out
	return out, apostrophe, -1
}
