// Package jsontext knows how JSON (RFC 8259) writes text, for the readers of formats
// that are made of it.
package jsontext

import "unicode/utf8"

// AppendUnescaped appends to dst the text of a string of JSON, with its escapes decoded (RFC 8259 §7). The
// parameter raw is what is between its quotation marks. Half of a surrogate pair becomes the three bytes that
// UTF-8 forbids, for package clean to judge. An apostrophe may be escaped too, which JSON does not allow;
// apostrophe says that one is. The result bad is the index of an escape that JSON does not have, -1 if there is
// none.
func AppendUnescaped(dst, raw []byte) (decoded []byte, apostrophe bool, bad int) {
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			dst = append(dst, raw[i])
			i++
			continue
		}
		if i+1 >= len(raw) {
			return nil, false, i
		}
		switch c := raw[i+1]; c {
		case '"', '\\', '/':
			dst = append(dst, c)
		case '\'':
			dst, apostrophe = append(dst, c), true
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r, ok := Hex4(raw[i+2:])
			if !ok {
				return nil, false, i
			}
			if 0xD800 <= r && r < 0xDC00 && i+12 <= len(raw) && raw[i+6] == '\\' && raw[i+7] == 'u' {
				if low, ok := Hex4(raw[i+8:]); ok && 0xDC00 <= low && low < 0xE000 {
					r = 0x10000 + (r-0xD800)<<10 + (low - 0xDC00)
					i += 6
				}
			}
			if 0xD800 <= r && r < 0xE000 {
				dst = append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
			} else {
				dst = utf8.AppendRune(dst, r)
			}
			i += 4
		default:
			return nil, false, i
		}
		i += 2
	}
	return dst, apostrophe, -1
}

// Hex4 reads the four hexadecimal digits at the beginning of b.
func Hex4(b []byte) (r rune, ok bool) {
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
