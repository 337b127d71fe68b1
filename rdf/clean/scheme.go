package clean

import (
	"bytes"
	"unicode/utf8"

	"laundromat/rdf"
)

// judgeScheme judges the scheme of an IRI, and what follows its colon by the
// scheme's own rules.
func (f *iris) judgeScheme(at place, scheme, rest []byte) (faults iriFaults) {
	var kept [32]byte
	small := kept[:0]
	for _, b := range scheme {
		if 'A' <= b && b <= 'Z' {
			b |= 0x20
			faults = letterCase
		}
		small = append(small, b)
	}
	switch string(small) {
	case "http", "https":
		return faults
	case "urn":
		return faults | judgeURN(rest)
	case "file":
		return faults | judgeFile(rest)
	case "mailto":
		return faults | judgeMail(rest)
	}
	switch {
	case len(small) == 1 && isBehindDrive(rest):
		return windowsPath // C:\data, C:%5Cdata
	case isRegistered(small):
		if faults == 0 && !isHTTP(scheme) {
			f.scheme = append(f.scheme[:0], scheme...)
		}
		return faults
	case at == datatype && (string(small) == "xsd" || string(small) == "xs"):
		return faults // package xsd knows what is meant
	case rdf.InitialContext[string(scheme)] != "" && !bytes.HasPrefix(rest, []byte("/")):
		return unresolvedPrefix
	}
	return faults | unregisteredScheme
}

// judgeMail judges what follows mailto: (RFC 6068 §2).
func judgeMail(rest []byte) iriFaults {
	if bytes.HasPrefix(rest, []byte("//")) || len(rest) > 0 && rest[0] != '?' && bytes.IndexByte(rest, '@') < 0 {
		return badSyntax
	}
	return 0
}

// isBehindDrive says that rest may follow the letter of a drive of Windows and its colon.
func isBehindDrive(rest []byte) bool {
	return len(rest) > 0 && (rest[0] == '\\' || rest[0] == '/' || bytes.HasPrefix(rest, []byte("%5C"))) &&
		!bytes.HasPrefix(rest, []byte("//"))
}

// judgeFile judges what follows file: (RFC 8089 §2): a path from the root, with a
// host before it at most.
func judgeFile(rest []byte) (faults iriFaults) {
	path := bytes.TrimLeft(rest, "/")
	slashes := len(rest) - len(path)
	switch {
	case bytes.IndexByte(rest, '\\') >= 0, bytes.Contains(rest, []byte("%5C")), slashes != 3 && isDrive(path):
		return windowsPath
	case slashes == 0:
		return badSyntax
	case slashes == 2:
		host := path
		if end := bytes.IndexAny(path, "/?#"); end >= 0 {
			host = path[:end]
		}
		if bytes.ContainsAny(host, ":@") && host[0] != '[' {
			faults |= badSyntax
		} else if len(host) > 0 && host[0] != '[' {
			faults |= judgeHost(host)
		}
	}
	return faults
}

// isDrive says that a path begins with the letter of a drive of Windows.
func isDrive(path []byte) bool {
	return len(path) >= 2 && isASCIILetter(path[0]) && (path[1] == ':' || path[1] == '|') &&
		(len(path) == 2 || path[2] == '/' || path[2] == '\\')
}

// judgeURN judges what follows urn: (RFC 8141 §2). First comes the name of a namespace, of 2 to 32
// letters, digits and hyphens with none of these at its ends. A colon and a name in it follow. Of a
// UUID, the form of that is judged too (RFC 9562 §4).
func judgeURN(rest []byte) iriFaults {
	colon := bytes.IndexByte(rest, ':')
	if colon < 2 || colon > 32 || colon+1 == len(rest) || rest[0] == '-' || rest[colon-1] == '-' {
		return badSyntax
	}
	for _, b := range rest[:colon] {
		if !isASCIILetter(b) && !isDigit(b) && b != '-' {
			return badSyntax
		}
	}
	if name := rest[colon+1:]; colon == 4 && (string(rest[:4]) == "uuid" || string(rest[:4]) == "UUID") {
		if end := bytes.IndexAny(name, "?#"); end >= 0 {
			name = name[:end]
		}
		if len(name) != 36 {
			return badSyntax
		}
		for i, b := range name {
			hyphen := i == 8 || i == 13 || i == 18 || i == 23
			if hyphen && b != '-' || !hyphen && !isHex(b) {
				return badSyntax
			}
		}
	}
	return 0
}

// judgeSegments finds segments of a path that are . or .., and so would go when the
// IRI is resolved (RFC 3986 §5.2.4). Schemes without a host have them as text.
func judgeSegments(path []byte, hasHost bool) iriFaults {
	if end := bytes.IndexAny(path, "?#"); end >= 0 {
		path = path[:end]
	}
	for i := 0; hasHost || len(path) > 0 && path[0] == '/'; {
		next := bytes.Index(path[i:], []byte("/."))
		if next < 0 {
			break
		}
		i += next + 2
		rest := path[i:]
		if len(rest) > 0 && rest[0] == '.' {
			rest = rest[1:]
		}
		if len(rest) == 0 || rest[0] == '/' {
			return dotSegment
		}
	}
	return 0
}

// judgePercent judges the percent sign at i (RFC 3986 §2.1, §2.3, §2.4).
func judgePercent(iri []byte, i, hostEnd int, inQuery bool) (faults iriFaults) {
	octet, ok := octetAt(iri, i)
	if !ok {
		return percent
	}
	if i < hostEnd || iri[i+1] >= 'a' || iri[i+2] >= 'a' || isUnreserved(octet) {
		faults |= percentForm
	}
	if octet >= 0x80 && !isEncodedText(iri, i) {
		faults |= percentOctets
	}
	switch {
	case octet < 0x20 || octet == 0x7F, octet == ' ' && i+3 == len(iri):
		faults |= percentControl
	case octet == '%' && !inQuery && isEncodedTwice(iri[i:]):
		faults |= percentTwice
	}
	return faults
}

// isUnreserved says that an octet of ASCII needs no percent sign anywhere (RFC 3986 §2.3).
func isUnreserved(octet byte) bool {
	return octet < 0x80 && (isASCIILetter(octet) || isDigit(octet) || octet == '-' || octet == '.' || octet == '_' || octet == '~')
}

// isEncodedTwice says that text begins with a space or a sequence of UTF-8 that was encoded twice, %25C3%25A9.
func isEncodedTwice(text []byte) bool {
	var kept [8]byte
	decoded := kept[:0]
	for rest := text; len(decoded) < 4 && len(rest) >= 5 && rest[0] == '%'; rest = rest[5:] {
		again, ok := octetAt(rest[:5], 2)
		if !ok || string(rest[1:3]) != "25" {
			break
		}
		decoded = append(decoded, again)
	}
	return len(decoded) > 0 && (decoded[0] == ' ' || decoded[0] >= 0xC2 && len(decoded) > 1 && decoded[1]&0xC0 == 0x80)
}

// isEncodedText says that the percent-encoded octets from i on, as far as they are
// not ASCII, are UTF-8 (RFC 3987 §3.2, RFC 3986 §2.5). It looks at the first of a run
// only, and says so of the others, so that the run is reported once.
func isEncodedText(iri []byte, i int) bool {
	if i >= 3 && iri[i-3] == '%' {
		if before, ok := octetAt(iri, i-3); ok && before >= 0x80 {
			return true
		}
	}
	var kept [utf8.UTFMax]byte
	for {
		char := kept[:0]
		for len(char) == 0 || !utf8.FullRune(char) {
			octet, ok := byte(0), i < len(iri) && iri[i] == '%'
			if ok {
				octet, ok = octetAt(iri, i)
			}
			if !ok || octet < 0x80 {
				return len(char) == 0 // cut short, or at the end
			}
			char = append(char, octet)
			i += 3
		}
		if r, size := utf8.DecodeRune(char); r == utf8.RuneError && size == 1 {
			return false
		}
	}
}

// octetAt is the octet that the percent sign at i encodes.
func octetAt(iri []byte, i int) (byte, bool) {
	if i+2 >= len(iri) || !isHex(iri[i+1]) || !isHex(iri[i+2]) {
		return 0, false
	}
	digit := func(b byte) byte {
		if isDigit(b) {
			return b - '0'
		}
		return b | 0x20 - 'a' + 10
	}
	return digit(iri[i+1])<<4 | digit(iri[i+2]), true
}
