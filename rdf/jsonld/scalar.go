package jsonld

import (
	"strings"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// word reads true, false and null, and the NaN and Infinity that JSON does not have
// but many programs write.
func (p *parser) word(v *value) *value {
	start, n := p.at, 0
	for ; n < 12; n++ {
		b, ok := p.peek()
		if !ok || !('a' <= b && b <= 'z' || 'A' <= b && b <= 'Z') {
			break
		}
		p.at++
		start = p.at - n - 1 // the window may have moved
	}
	word := string(p.window[start:p.at])
	switch word {
	case "null":
		v.kind = null
	case "true", "false":
		v.kind, v.text = boolean, word
	case "NaN", "Infinity":
		return p.notANumber(v, word)
	default:
		p.at = max(start, p.knownAt)
		return p.fail(fault.JSONSyntax, "a value should stand here")
	}
	return v
}

func (p *parser) notANumber(v *value, word string) *value {
	v.kind, v.text, v.repaired = number, strings.Replace(word, "Infinity", "INF", 1), true
	p.mend(fault.JSONNumber, v.pos, "JSON has no number %s; it is read as the xsd:double %s", word, v.text)
	return v
}

// number reads what RFC 8259 §6 calls a number.
func (p *parser) number(v *value) *value {
	p.keep = p.at
	digits := func() (n int) {
		for b, ok := p.peek(); ok && '0' <= b && b <= '9'; b, ok = p.peek() {
			p.at++
			n++
		}
		return n
	}
	if p.window[p.at] == '-' {
		p.at++
		if b, _ := p.peek(); b == 'I' {
			p.keep = -1
			if inner := p.word(&value{pos: v.pos, compound: &noCompound}); inner == nil || inner.text != "INF" {
				return p.fail(fault.JSONSyntax, "a value should stand here")
			}
			v.text, v.repaired = "-INF", true
			return v
		}
	}
	sound := true
	if b, _ := p.peek(); b == '0' {
		p.at++
	} else {
		sound = digits() > 0
	}
	if b, _ := p.peek(); sound && b == '.' {
		p.at++
		sound = digits() > 0
	}
	if b, _ := p.peek(); sound && (b == 'e' || b == 'E') {
		p.at++
		if b, _ := p.peek(); b == '+' || b == '-' {
			p.at++
		}
		sound = digits() > 0
	}
	v.text = string(p.window[p.keep:p.at])
	p.keep = -1
	if b, ok := p.peek(); !sound || ok && ('0' <= b && b <= '9' || b == '.' || b == '_' || 'a' <= b|0x20 && b|0x20 <= 'z') {
		return p.fail(fault.JSONSyntax, "%s is not the beginning of a JSON number", v.text)
	}
	return v
}

// string reads a string, the quotation mark being next. A raw control character in
// it is mended if the string is plainly closed: a comma, colon or bracket follows.
func (p *parser) string() (decoded string, repaired, ok bool) {
	began := p.pos()
	p.at++
	p.keep = p.at
	defer func() { p.keep = -1 }()
	line, control, escaped := -1, false, false // line: of the first raw line end, from keep
	for {
		b, more := p.peek()
		if !more {
			return p.unclosed(began, line)
		}
		if b == '"' {
			break
		}
		switch {
		case b == '\\':
			escaped = true
			p.at++
			if _, more = p.peek(); !more {
				return p.unclosed(began, line)
			}
		case b == '\n' && line < 0:
			line, control = p.at-p.keep, true
		case b < 0x20:
			control = true
		}
		p.at++
	}
	raw := p.window[p.keep:p.at]
	p.at++
	if control {
		n := len(raw) + 1
		p.space()
		raw = p.window[p.keep : p.keep+n-1]
		if b, more := p.peek(); more && (b != ',' && b != ':' && b != '}' && b != ']') {
			return p.unclosed(began, line)
		}
		p.mend(fault.JSONControl, began, "a control character in a string should be written as an escape")
	}
	if !escaped {
		return string(raw), control, true
	}
	decoded, apostrophe, bad := p.unescape(raw)
	if bad >= 0 {
		p.fail(fault.JSONSyntax, "%q is no escape in a JSON string", string(raw[bad:min(bad+2, len(raw))]))
		p.broken.pos = began
		return "", false, false
	}
	if apostrophe {
		p.mend(fault.JSONEscape, began, `\' is no escape in a JSON string; it is read as an apostrophe`)
	}
	return decoded, control || apostrophe, true
}

// unclosed tells of a string without an end. What follows its first line, which
// begins line bytes behind keep, is looked at again.
func (p *parser) unclosed(began fault.Pos, line int) (string, bool, bool) {
	switch {
	case p.err != nil:
	case line >= 0 && p.keep+line >= p.knownAt:
		p.at = p.keep + line
		fallthrough
	case line >= 0:
		p.fail(fault.JSONSyntax, "the string that begins in line %d, column %d, is not closed", began.Line, began.Column)
	default:
		p.fail(fault.JSONCutShort, "the document ends within the string that begins in line %d, column %d", began.Line, began.Column)
	}
	return "", false, false
}

// unescape decodes the escapes of a string (RFC 8259 §7). Half of a surrogate pair
// becomes the three bytes that UTF-8 forbids, for package clean to judge. bad is the
// index of an escape that there is not, or -1.
func (p *parser) unescape(raw []byte) (decoded string, apostrophe bool, bad int) {
	out := p.scratch[:0]
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			i++
			continue
		}
		if i+1 >= len(raw) {
			return "", false, i
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
				return "", false, i
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
			return "", false, i
		}
		i += 2
	}
	p.scratch = out
	return string(out), apostrophe, -1
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
