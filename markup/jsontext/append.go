package jsontext

import "strings"

// AppendString appends a string, in its quotation marks, with the fewest escapes (RFC 8785 §3.2.2.2).
func AppendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c >= 0x20:
			b = append(b, c)
		default:
			if at := strings.IndexByte("\b\t\n\f\r", c); at >= 0 {
				b = append(b, '\\', "btnfr"[at])
			} else {
				b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
		}
	}
	return append(b, '"')
}
