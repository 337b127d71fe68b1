package xmltext

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// Classes of bytes.
const (
	space     = 1 << iota
	nameStart // may begin a name: letters, _ and all bytes beyond ASCII; the colon too
	nameByte  // may be in a name
	special   // ends a run of plain text: & ] CR and forbidden controls; UTF-8 of U+FFFE
	delicate  // makes an attribute's value need work: & < TAB LF CR and forbidden controls
	angle     // < and >
	dubious   // makes a name need a look: forbidden controls and all bytes beyond ASCII
	tagByte   // may be in the name of a tag or attribute, and is not dubious
)

var class = func() (t [256]uint8) {
	for b := range t {
		c := byte(b)
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			t[b] |= space
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c == ':', c >= 0x80:
			t[b] |= nameStart | nameByte
		case '0' <= c && c <= '9', c == '-', c == '.':
			t[b] |= nameByte
		}
		if c == '&' || c == ']' || c < 0x20 && c != '\t' && c != '\n' || c == 0xEF {
			t[b] |= special
		}
		if c == '&' || c == '<' || c < 0x20 || c == 0xEF {
			t[b] |= delicate
		}
		if c == '<' || c == '>' {
			t[b] |= angle
		}
		if c >= 0x80 || c < 0x20 && t[b]&space == 0 {
			t[b] |= dubious
		}
		if t[b]&(nameByte|dubious) == nameByte {
			t[b] |= tagByte
		}
	}
	return t
}()

func splitName(name []byte) (prefix, local []byte) {
	for i, c := range name { // names are short
		if c == ':' {
			return name[:i], name[i+1:]
		}
	}
	return nil, name
}

// nameEnd is where the name of a tag or attribute ends that begins at b[i]. If it holds
// dubious bytes, which SoundName or cleanName may leave out, odd is true.
func nameEnd(b []byte, i int) (end int, odd bool) {
	for i < len(b) && class[b[i]]&tagByte != 0 {
		i++
	}
	if i == len(b) || class[b[i]]&dubious == 0 {
		return i, false
	}
	for i < len(b) && class[b[i]]&(tagByte|dubious) != 0 {
		i++
	}
	return i, true
}

// cleanName is name without control characters; name itself if it holds none.
func cleanName(name []byte) []byte {
	isControl := func(b byte) bool { return b < 0x20 }
	if !slices.ContainsFunc(name, isControl) {
		return name
	}
	return slices.DeleteFunc(bytes.Clone(name), isControl)
}

// SoundName is name without control characters and bytes that are not UTF-8, which no text holds. It
// is name itself if there are none. By this names are compared.
func SoundName(name []byte) []byte {
	sound := true
	for i := 0; i < len(name) && sound; {
		r, n := utf8.DecodeRune(name[i:])
		sound = r >= 0x20 && (r != utf8.RuneError || n > 1)
		i += n
	}
	if sound {
		return name
	}
	kept := make([]byte, 0, len(name))
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRune(name[i:])
		if r >= 0x20 && (r != utf8.RuneError || n > 1) {
			kept = append(kept, name[i:i+n]...)
		}
		i += n
	}
	return kept
}

// isBlank says that text is white space alone.
func isBlank(text []byte) bool {
	for _, b := range text {
		if class[b]&space == 0 {
			return false
		}
	}
	return true
}

// IsNCName says that name is a name without a colon (Namespaces in XML 1.0,
// production NCName, with the characters of XML 1.0, fifth edition).
func IsNCName(name []byte) bool {
	for i := 0; i < len(name); {
		r, size := rune(name[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(name[i:])
			if r == utf8.RuneError && size == 1 {
				return false
			}
		}
		if !IsNameStart(r) && (i == 0 || !isNameRune(r)) {
			return false
		}
		i += size
	}
	return len(name) > 0
}

// IsNameRune says that a character may be in a name, if not at its beginning.
func IsNameRune(r rune) bool { return IsNameStart(r) || isNameRune(r) }

// IsBadQName says that the characters, prefix included, make up no name of an element or attribute
// (Namespaces in XML 1.0, production QName). The characters can all be read.
func IsBadQName(prefix, local []byte) bool {
	if prefix != nil && !IsNCName(prefix) {
		return utf8.Valid(prefix)
	}
	return !IsNCName(local) && utf8.Valid(local)
}

// isBadName says that characters which can be read make up no name (XML 1.0, production Name).
func isBadName(name []byte) bool {
	for i, r := range string(name) {
		if r != ':' && !IsNameStart(r) && (i == 0 || !isNameRune(r)) {
			return utf8.Valid(name)
		}
	}
	return false
}

// checkNames reports the names in a start tag that are none, for a reader that makes nothing of them.
func (r *Reader) checkNames() {
	// Only the first byte, a colon and what is not ASCII can be wrong by now.
	bad := func(prefix, local []byte) bool {
		look := r.odd || len(local) == 0 || local[0] < 'A' || prefix != nil && len(prefix) == 0 || bytes.IndexByte(local, ':') >= 0
		return look && IsBadQName(prefix, local)
	}
	if !r.garbled && bad(r.prefix, r.local) {
		r.repair(fault.XMLBadName, 0, "the name of an element isn't one that XML allows; it was taken as it is")
		r.repaired = true
	}
	for i := range r.attrs {
		if a := &r.attrs[i]; !a.faulty && bad(a.Prefix, a.Local) {
			r.repair(fault.XMLBadName, a.NameAt, "the name of an attribute isn't one that XML allows; it was taken as it is")
			a.Repaired = true
		}
	}
}

// IsNameStart says that a character may begin a name without a prefix (Namespaces in XML 1.0, production NCName).
func IsNameStart(r rune) bool {
	switch {
	case r < 0x80:
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_'
	case r < 0x300:
		return r >= 0xC0 && r != 0xD7 && r != 0xF7
	case r < 0x2000:
		return r >= 0x370 && r != 0x37E
	case r < 0x3000:
		return r == 0x200C || r == 0x200D || 0x2070 <= r && r <= 0x218F || 0x2C00 <= r && r <= 0x2FEF
	case r < 0xE000:
		return r >= 0x3001
	default:
		return 0xF900 <= r && r <= 0xFDCF || 0xFDF0 <= r && r <= 0xFFFD || 0x10000 <= r && r <= 0xEFFFF
	}
}

// isNameRune is for what may follow a first character, beyond what may be one.
func isNameRune(r rune) bool {
	return '0' <= r && r <= '9' || r == '-' || r == '.' || r == 0xB7 ||
		0x300 <= r && r <= 0x36F || r == 0x203F || r == 0x2040
}

// forbidden says that XML 1.0 has no such character.
func forbidden(r rune) bool {
	return r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF
}
