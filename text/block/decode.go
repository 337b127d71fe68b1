package block

import (
	"strings"

	"golang.org/x/net/html"

	"laundromat/text"
)

// longestReference is more than the longest name of a character of HTML.
const longestReference = 40

// reference decodes the character reference that s begins with. It is the text that it stands for, and its length; not
// ok if there is none. If twice is set, what is a reference once more is decoded again.
func reference(s string, twice bool) (decoded string, length int, again, ok bool) {
	decoded, length, ok = referenceOnce(s)
	if !ok || !twice || decoded != "&" {
		return decoded, length, false, ok
	}
	for decoded == "&" {
		inner, n := name(s[length:])
		if n == 0 || s[length+n-1] != ';' {
			break
		}
		next, used, ok := referenceOnce("&" + inner)
		if !ok || used != n+1 {
			break
		}
		decoded, length, again = next, length+n, true
	}
	return decoded, length, again, true
}

// name is what may be the rest of a reference behind its &, with a semicolon if there is one.
func name(s string) (name string, length int) {
	n := 0
	for n < len(s) && n < longestReference && (isAlphanumeric(s[n]) || n == 0 && s[n] == '#') {
		n++
	}
	if n < len(s) && n > 0 && s[n] == ';' {
		n++
	}
	return s[:n], n
}

func isAlphanumeric(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }

func referenceOnce(s string) (decoded string, length int, ok bool) {
	_, n := name(s[1:])
	if n == 0 {
		return "", 0, false
	}
	whole := s[:n+1]
	switch whole {
	case "&amp;":
		return "&", n + 1, true
	case "&nbsp;":
		return "\u00a0", n + 1, true
	case "&quot;":
		return "\"", n + 1, true
	case "&#39;":
		return "'", n + 1, true
	}
	decoded = html.UnescapeString(whole)
	if decoded == whole {
		return "", 0, false
	}
	if !strings.HasSuffix(decoded, whole[n:]) {
		return decoded, n + 1, true
	}
	// Some names need no semicolon, and end before the word does: &notit; is ¬it;
	for i := 2; i <= n; i++ {
		if d := html.UnescapeString(whole[:i]); d != whole[:i] && d+whole[i:] == decoded {
			return d, i, true
		}
	}
	return decoded, n + 1, true
}

// Decode appends a stretch of text of an XML document, which begins at an offset, with its references decoded. It
// tells where each byte stands. References end in a semicolon there; those of HTML are known, declared or not.
func Decode(dst []byte, places text.Places, raw string, offset int) ([]byte, text.Places) {
	for len(raw) > 0 {
		n := strings.IndexByte(raw, '&')
		if n < 0 {
			n = len(raw)
		}
		if n > 0 {
			places = places.Append(text.Run{Text: len(dst), Length: n, Source: offset, SourceLength: n})
			dst = append(dst, raw[:n]...)
		}
		raw, offset = raw[n:], offset+n
		if raw == "" {
			break
		}
		decoded, n, ok := referenceOnce(raw)
		if !ok || raw[n-1] != ';' {
			decoded, n = "&", 1
		}
		places = places.Append(text.Run{Text: len(dst), Length: len(decoded), Source: offset, SourceLength: n})
		dst = append(dst, decoded...)
		raw, offset = raw[n:], offset+n
	}
	return dst, places
}
