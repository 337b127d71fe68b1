package clean

import (
	"bytes"
	"net/netip"
	"unicode/utf8"

	"laundromat/rdf"
)

// iriFaults is the set of what is wrong with an IRI.
type iriFaults uint16

const (
	relative iriFaults = 1 << iota
	forbidden
	badHost
	trimmed
	space
	character
	bracket
	fragment
	privateUse
	authority
	percent
	empty
	bidi

	fatal    = relative | forbidden | badHost
	doubtful = authority | percent | empty | bidi
	mendable = trimmed | space | character | bracket | fragment | privateUse
)

// Classes of bytes. A byte has at most one bit, so that those of an IRI can be joined.
const (
	isPlain = 0
	isHash  = 1 // #, of which there may be one
	isOdd   = 2 // may stand in some place only, or nowhere, or needs a closer look
	isHost  = 4 // as isPlain, and of the kind that ordinary hosts are made of
)

var classes = func() (t [256]uint8) {
	for b := range t {
		c := byte(b)
		switch {
		case isASCIILetter(c), isDigit(c), c == '-', c == '.':
			t[b] = isHost
		case bytes.IndexByte([]byte("_~:/?@!$&'()*+,;="), c) >= 0:
			t[b] = isPlain
		case c == '#':
			t[b] = isHash
		default:
			t[b] = isOdd
		}
	}
	return t
}()

// isPlainIRI says that iri is without a fault, and of the ordinary kind: ASCII, no
// percent-encoding, and, with http and https, a host without port or user. What it
// denies may still be right.
func isPlainIRI(iri []byte) bool {
	var joined uint8
	rest := iri
	for len(rest) >= 8 {
		joined |= classes[rest[0]] | classes[rest[1]] | classes[rest[2]] | classes[rest[3]] |
			classes[rest[4]] | classes[rest[5]] | classes[rest[6]] | classes[rest[7]]
		rest = rest[8:]
	}
	for _, b := range rest {
		joined |= classes[b]
	}
	if joined&isOdd != 0 || joined&isHash != 0 && bytes.IndexByte(iri, '#') != bytes.LastIndexByte(iri, '#') {
		return false
	}
	var host int // where the host begins
	switch {
	case len(iri) > 8 && string(iri[:7]) == "http://":
		host = 7
	case len(iri) > 8 && string(iri[:8]) == "https://":
		host = 8
	default:
		n := rdf.SchemeLength(iri)
		return n > 0 && len(iri) > n+1 && iri[n+1] != '/' && !isHTTP(iri[:n])
	}
	end := host
	for end < len(iri) && classes[iri[end]] == isHost {
		end++
	}
	return end > host && (end == len(iri) || iri[end] == '/' || iri[end] == '#' || iri[end] == '?')
}

// isHTTP says that IRIs of the scheme need a host.
func isHTTP(scheme []byte) bool {
	for _, name := range []string{"http", "https", "ftp"} {
		if len(scheme) == len(name) && bytes.EqualFold(scheme, []byte(name)) {
			return true
		}
	}
	return false
}

// judge looks at an IRI character by character. Where a fault is mendable, and
// none is fatal, the mended IRI is in the place's buffer.
func (f *iris) judge(at place, iri []byte) (faults iriFaults) {
	const white = " \t\r\n\f"
	if t := bytes.Trim(iri, white); len(t) != len(iri) {
		iri, faults = t, trimmed
	}
	out := f.buffers[at][:0]
	defer func() { f.buffers[at] = out }()

	colon := rdf.SchemeLength(iri)
	if colon == 0 {
		return faults | relative
	}
	rest := iri[colon+1:]
	hostEnd := 0 // in iri
	if bytes.HasPrefix(rest, []byte("//")) {
		end := bytes.IndexAny(rest[2:], "/?#")
		if end < 0 {
			end = len(rest) - 2
		}
		hostEnd = colon + 3 + end
		faults |= judgeAuthority(rest[2:2+end], isHTTP(iri[:colon]))
	} else if isHTTP(iri[:colon]) && len(rest) > 0 {
		faults |= authority
	}
	if len(rest) == 0 {
		faults |= empty
	}
	inQuery, inFragment := false, false
	for i := 0; i < len(iri); {
		b := iri[i]
		if b >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(iri[i:])
			wrong := judgeRune(r, inQuery && !inFragment)
			if wrong&privateUse != 0 && i < hostEnd {
				wrong = badHost
			}
			faults |= wrong
			for _, b := range iri[i : i+size] {
				if wrong&privateUse != 0 {
					out = appendPercent(out, b)
				} else {
					out = append(out, b)
				}
			}
			i += size
			continue
		}
		var wrong iriFaults
		switch {
		case classes[b]&isOdd == 0:
			switch b {
			case '?':
				inQuery = true
			case '#':
				if inFragment {
					wrong = fragment
				}
				inFragment = true
			}
		case b < 0x20 || b == 0x7F:
			wrong = forbidden
		case b == '%':
			if i+2 >= len(iri) || !isHex(iri[i+1]) || !isHex(iri[i+2]) {
				faults |= percent
			}
		case b == '[' || b == ']':
			if i >= hostEnd {
				wrong = bracket
			}
		case i < hostEnd:
			wrong = badHost
		case b == ' ':
			wrong = space
		default:
			wrong = character
		}
		faults |= wrong
		if wrong&mendable != 0 {
			out = appendPercent(out, b)
		} else {
			out = append(out, b)
		}
		i++
	}
	return faults
}

// judgeRune judges a character outside ASCII (RFC 3987 §2.2, ucschar and iprivate).
func judgeRune(r rune, inQuery bool) iriFaults {
	switch {
	case r == utf8.RuneError, r < 0xA0, 0xFDD0 <= r && r <= 0xFDEF, 0xFFF0 <= r && r <= 0xFFFF,
		r&0xFFFE == 0xFFFE, 0xE0000 <= r && r <= 0xE0FFF:
		return forbidden
	case 0xE000 <= r && r <= 0xF8FF, r >= 0xF0000:
		if inQuery {
			return 0
		}
		return privateUse
	case r == 0x200E, r == 0x200F, 0x202A <= r && r <= 0x202E: // RFC 3987 §4.1
		return bidi
	}
	return 0
}

// judgeAuthority judges what stands between // and the next / (RFC 3986 §3.2).
// Its characters are judged with the rest.
func judgeAuthority(text []byte, needsHost bool) iriFaults {
	host := text
	if i := bytes.IndexByte(host, '@'); i >= 0 {
		if bytes.IndexByte(host[i+1:], '@') >= 0 || bytes.ContainsAny(host[:i], "[]") {
			return authority
		}
		host = host[i+1:]
	}
	var port []byte
	if len(host) > 0 && host[0] == '[' {
		end := bytes.IndexByte(host, ']')
		if end < 0 || !isIPLiteral(host[1:end]) {
			return authority
		}
		host, port = host[:end+1], host[end+1:]
		if len(port) > 0 && port[0] != ':' {
			return authority
		}
	} else {
		if i := bytes.IndexByte(host, ':'); i >= 0 {
			host, port = host[:i], host[i:]
		}
		if bytes.ContainsAny(host, "[]") {
			return badHost
		}
	}
	for i, b := range port {
		if i > 0 && !isDigit(b) {
			return authority
		}
	}
	if len(host) == 0 && needsHost {
		return authority
	}
	return 0
}

// isIPLiteral says that text is an IPv6 address, or one of a later version
// (RFC 3986 §3.2.2, IP-literal without its brackets).
func isIPLiteral(text []byte) bool {
	if len(text) > 0 && text[0]|0x20 == 'v' {
		version, address, found := bytes.Cut(text[1:], []byte("."))
		for _, b := range version {
			found = found && isHex(b)
		}
		for _, b := range address {
			found = found && classes[b]&(isOdd|isHash) == 0 && b != '/' && b != '?' && b != '@'
		}
		return found && len(version) > 0 && len(address) > 0
	}
	ip, err := netip.ParseAddr(string(text))
	return err == nil && ip.Is6() && ip.Zone() == ""
}

func isHex(b byte) bool { return isDigit(b) || 'a' <= b|0x20 && b|0x20 <= 'f' }
