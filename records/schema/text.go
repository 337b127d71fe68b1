package schema

import (
	"strings"

	"laundromat/records"
)

// castString holds a text to its format.
func castString(f *field, v *records.Value) string {
	if v.Kind != records.Text {
		return "it is " + article(v.Kind) + ", no text"
	}
	if f.format == "default" {
		return ""
	}
	s := v.Text
	switch {
	case f.format == "email" && !isEmail(s):
		return "it isn't an address of e-mail"
	case f.format == "uri" && !isURI(s):
		return "it isn't a URI of RFC 3986"
	case f.format == "uuid" && !isUUID(s):
		return "it isn't a UUID of RFC 9562"
	case f.format == "binary" && !isBase64(s):
		return "it isn't base64 of RFC 4648"
	}
	return ""
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c-'0' <= 9 }
func isHex(c byte) bool    { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// isEmail takes an addr-spec of RFC 5322 with a dot-atom before the @, and the name of a
// host after it. Letters beyond ASCII are those of RFC 6532.
func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 1 || at > 64 || len(s) > 254 {
		return false
	}
	for _, atom := range strings.Split(s[:at], ".") {
		for i := range len(atom) {
			if c := atom[i]; c < 0x80 && !isLetter(c) && !isDigit(c) && strings.IndexByte("!#$%&'*+-/=?^_`{|}~", c) < 0 {
				return false
			}
		}
		if atom == "" {
			return false
		}
	}
	for _, label := range strings.Split(s[at+1:], ".") {
		for i := range len(label) {
			if c := label[i]; c < 0x80 && !isLetter(c) && !isDigit(c) && c != '-' {
				return false
			}
		}
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
	}
	return true
}

// isURI takes an absolute URI: a scheme, and characters of RFC 3986 alone.
func isURI(s string) bool {
	scheme, rest, found := strings.Cut(s, ":")
	if !found || scheme == "" || !isLetter(scheme[0]) || rest == "" {
		return false
	}
	for i := range len(scheme) {
		if c := scheme[i]; !isLetter(c) && !isDigit(c) && strings.IndexByte("+-.", c) < 0 {
			return false
		}
	}
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '%':
			if i+2 >= len(rest) || !isHex(rest[i+1]) || !isHex(rest[i+2]) {
				return false
			}
		case !isLetter(c) && !isDigit(c) && strings.IndexByte("-._~:/?#[]@!$&'()*+,;=", c) < 0:
			return false
		}
	}
	return strings.Count(rest, "#") < 2 && rest != "//"
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (s[i] == '-') || !dash && !isHex(s[i]) {
			return false
		}
	}
	return true
}

func isBase64(s string) bool {
	if len(s)%4 != 0 {
		return false
	}
	s = strings.TrimSuffix(strings.TrimSuffix(s, "="), "=")
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && !isDigit(c) && c != '+' && c != '/' {
			return false
		}
	}
	return true
}
