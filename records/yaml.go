package records

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// AppendYAMLText appends s as a text of YAML 1.2 on one line. It is plain where every reader takes it for a text, of
// YAML 1.1 as well, and else in quotation marks.
func AppendYAMLText(dst []byte, s string) []byte {
	if isPlainYAML(s) {
		return append(dst, s...)
	}
	return AppendPrintable(dst, string(AppendJSONText(nil, s)))
}

// AppendPrintable appends a value in JSON in which all characters are printable. JSON leaves some that YAML, XML or
// HTML can't have within a line; they become escapes.
func AppendPrintable(dst []byte, json string) []byte {
	if strings.IndexFunc(json, isUnprintable) < 0 {
		return append(dst, json...)
	}
	const hex = "0123456789abcdef"
	for _, r := range json {
		if !isUnprintable(r) {
			dst = utf8.AppendRune(dst, r)
			continue
		}
		dst = append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
	}
	return dst
}

// isUnprintable says that a character above the space is not printable, or ends a line in YAML.
func isUnprintable(r rune) bool {
	return r >= 0x7F && r < 0xA0 || r == 0x2028 || r == 0x2029 || r == 0xFEFF || r == 0xFFFE || r == 0xFFFF
}

// wordsOfYAML are plain words that are no texts, or not in YAML 1.1, in small letters.
var wordsOfYAML = map[string]bool{"null": true, "true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "y": true,
	"n": true}

// isPlainYAML says that s begins with a letter and has nothing but letters, digits, single spaces and a few signs.
func isPlainYAML(s string) bool {
	if s == "" || len(s) > 200 || strings.HasSuffix(s, " ") || wordsOfYAML[strings.ToLower(s)] {
		return false
	}
	for i, r := range s {
		switch {
		case r == utf8.RuneError:
			return false
		case unicode.IsLetter(r):
		case i == 0:
			return false
		case unicode.IsDigit(r), r == '_', r == '.', r == ' ' && s[i-1] != ' ', r == '-' && s[i-1] != ' ':
		default:
			return false
		}
	}
	return true
}

// longestYAMLKey is how long a key may be that stands on the line of its value; YAML has 1,024 characters.
const longestYAMLKey = 500

// AppendYAMLKey appends a key of a mapping in blocks, and its colon. A long key has a line of its own, and the value
// the next, which is indented by so many spaces.
func AppendYAMLKey(dst []byte, name string, indent int) []byte {
	if len(name) <= longestYAMLKey {
		return append(AppendYAMLText(dst, name), ':')
	}
	dst = append(AppendYAMLText(append(dst, "? "...), name), '\n')
	for range indent {
		dst = append(dst, ' ')
	}
	return append(dst, ':')
}
