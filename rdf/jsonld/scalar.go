package jsonld

import (
	"strings"
	"unicode/utf8"
)

// word reads true, false and null.
func (p *parser) word(v *value) bool {
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
		if v.kind = null; word != "null" {
			v.kind, v.text = boolean, word
		}
		b, ok := p.peek()
		return !ok && !p.long || isBound(b)
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

// number reads what RFC 8259 §6 calls a number.
func (p *parser) number() (string, bool) {
	start := p.at - p.keep
	for b, ok := p.peek(); ok && !isBound(b); b, ok = p.peek() {
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
				if _, ok := hex4(p.window[min(p.at+2, len(p.window)):]); !ok {
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

// unescape decodes the escapes of a string (RFC 8259 §7). Half of a surrogate pair
// becomes the three bytes that UTF-8 forbids, for package clean to judge. bad is the
// index of an escape that there is not, or -1. What is returned is valid until the
// next call.
func (p *parser) unescape(raw []byte) (decoded []byte, apostrophe bool, bad int) {
	out := p.scratch[:0]
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			i++
			continue
		}
		if i+1 >= len(raw) {
			return nil, false, i
		}
		switch c := raw[i+1]; c {
		case '"', '\\', '/':
			out = append(out, c)
		case '\'':
			out, apostrophe = append(out, c), true
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, ok := hex4(raw[i+2:])
			if !ok {
				return nil, false, i
			}
			if 0xD800 <= r && r < 0xDC00 && i+12 <= len(raw) && raw[i+6] == '\\' && raw[i+7] == 'u' {
				if low, ok := hex4(raw[i+8:]); ok && 0xDC00 <= low && low < 0xE000 {
					r = 0x10000 + (r-0xD800)<<10 + (low - 0xDC00)
					i += 6
				}
			}
			if 0xD800 <= r && r < 0xE000 {
				out = append(out, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
			} else {
				out = utf8.AppendRune(out, r)
			}
			i += 4
		default:
			return nil, false, i
		}
		i += 2
	}
	p.scratch = out
	return out, apostrophe, -1
}

func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
