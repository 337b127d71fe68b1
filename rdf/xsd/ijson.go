package xsd

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// faultOfIJSON says, for a person, what in a sound text of JSON is not I-JSON; "" if nothing is. One
// such thing is half a surrogate pair or a noncharacter in a string, written out or escaped (RFC 7493
// §2.1). By its erratum 6861 a string that is the whole text counts as others do. The other is a name
// that is twice in an object, however it is escaped (§2.3).
func faultOfIJSON(text []byte) string {
	if bytes.IndexByte(text, '"') < 0 {
		return ""
	}
	var open []map[string]bool // the names of each object that is open; nil for an array
	isName := false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{':
			open, isName = append(open, map[string]bool{}), true
		case '[':
			open, isName = append(open, nil), false
		case '}', ']':
			open, isName = open[:len(open)-1], false
		case ',':
			isName = open[len(open)-1] != nil
		case ':':
			isName = false
		case '"':
			end := i + 1
			for ; text[end] != '"'; end++ {
				if text[end] == '\\' {
					end++
				}
			}
			value, sound := unescape(text[i+1 : end])
			if !sound {
				return "a string holds half a surrogate pair or a noncharacter (RFC 7493 §2.1)"
			}
			if isName {
				names := open[len(open)-1]
				if names[string(value)] {
					return "two members of an object have the same name (RFC 7493 §2.3)"
				}
				names[string(value)] = true
			}
			i = end
		}
	}
	return ""
}

// unescape gives what a sound string of JSON, without its quotes, stands for. It is not
// sound as I-JSON if that has a surrogate or a noncharacter.
func unescape(raw []byte) (value []byte, sound bool) {
	unit := func(at int) rune {
		n, _ := strconv.ParseUint(string(raw[at:at+4]), 16, 16)
		return rune(n)
	}
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRune(raw[i:])
		switch {
		case r == '\\' && raw[i+1] == 'u':
			r, n = unit(i+2), 6
			if utf16.IsSurrogate(r) {
				if len(raw) < i+12 || raw[i+6] != '\\' || raw[i+7] != 'u' {
					return nil, false
				}
				if r, n = utf16.DecodeRune(r, unit(i+8)), 12; r == utf8.RuneError {
					return nil, false
				}
			}
		case r == '\\':
			r, n = rune(raw[i+1]), 2
			if at := bytes.IndexRune([]byte("bfnrt"), r); at >= 0 {
				r = rune("\b\f\n\r\t"[at])
			}
		}
		if r&0xFFFE == 0xFFFE || 0xFDD0 <= r && r <= 0xFDEF {
			return nil, false
		}
		value = utf8.AppendRune(value, r)
		i += n
	}
	return value, true
}
