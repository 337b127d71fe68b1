package metadata

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"laundromat/internal/rfc3986"
)

// iriOf is a text that others wrote as an IRI that every reader takes without a word; "" for what is none. It is
// absolute, and holds only what RFC 3987 allows where it is. One with a user or a password is none, since it isn't
// told.
func iriOf(text string) string {
	text = strings.TrimSpace(text)
	c := rfc3986.Split([]byte(text))
	if !c.HasScheme || len(c.Authority) == 0 && len(c.Path) == 0 || strings.ContainsRune(string(c.Authority), '@') {
		return ""
	}
	isWeb := strings.EqualFold(string(c.Scheme), "http") || strings.EqualFold(string(c.Scheme), "https")
	if isWeb && len(c.Authority) == 0 {
		return ""
	}
	for _, part := range [][]byte{c.Path, c.Query, c.Fragment} {
		if !isPart(part) {
			return ""
		}
	}
	host := string(c.Authority)
	if strings.HasPrefix(host, "[") { // an address of IPv6, with its port
		host = strings.Replace(strings.TrimPrefix(host, "["), "]", "", 1)
	}
	if !isPart([]byte(host)) || strings.ContainsAny(host, "%") {
		return ""
	}
	return text
}

// isPart says that a part of an IRI holds only characters that may be in it (RFC 3987 §2.2).
func isPart(part []byte) bool {
	for i := 0; i < len(part); {
		b := part[i]
		switch {
		case b == '%':
			if _, ok := rfc3986.Octet(part[i:]); !ok {
				return false
			}
			i += 3
		case b < utf8.RuneSelf:
			isLetter := b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9'
			if !isLetter && strings.IndexByte("-._~:/?@!$&'()*+,;=", b) < 0 {
				return false
			}
			i++
		default:
			r, size := utf8.DecodeRune(part[i:])
			if r == utf8.RuneError || r < 0xA0 || unicode.In(r, unicode.Cf, unicode.Co) || r&0xFFFE == 0xFFFE {
				return false
			}
			i += size
		}
	}
	return true
}
