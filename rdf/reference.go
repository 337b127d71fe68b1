package rdf

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
)

// What is in the place of an IRI is judged before it is resolved. Afterwards it is an absolute IRI,
// and nothing shows any more that it was never meant as a reference.

// TrimReference cuts off the white space around the text of an IRI reference.
//
// White space of ASCII and U+0085 can't be part of an IRI. Other white space can
// (RFC 3987 §2.2): it stays at the end of an IRI, where package clean warns of it.
// Before a scheme it can't, and then that after it goes too.
func TrimReference(ref []byte) []byte {
	if n := len(ref); n == 0 || isInk(ref[0]) && isInk(ref[n-1]) {
		return ref
	}
	ref = bytes.TrimFunc(ref, isNeverInIRI)
	if all := bytes.TrimFunc(ref, IsBlank); len(all) < len(ref) && rfc3986.IsAbsolute(all) && !bytes.HasPrefix(ref, all) {
		return all
	}
	return ref
}

// isInk says that b is an ASCII character that can be seen.
func isInk(b byte) bool { return b > ' ' && b < 0x7F }

// isNeverInIRI says that r is white space that no IRI may hold.
func isNeverInIRI(r rune) bool { return r == ' ' || '\t' <= r && r <= '\r' || r == 0x85 }

// IsBlank says that r is white space of Unicode, or a mark without width that comes in with copied
// text. Those are the soft hyphen, U+200B, U+2060 and the byte order mark.
func IsBlank(r rune) bool {
	return unicode.IsSpace(r) || r == 0xAD || r == 0x200B || r == 0x2060 || r == 0xFEFF
}

// BlankNodeIn is the label if ref is that of a blank node in the notation of Turtle, as in <_:x>. The
// parameter ref is all of what is in the place of an IRI.
func BlankNodeIn(ref []byte) (label []byte, ok bool) {
	if len(ref) < 3 || ref[0] != '_' || ref[1] != ':' {
		return nil, false
	}
	label = ref[2:]
	for _, r := range string(label) {
		if !isLabelRune(r) {
			return nil, false
		}
	}
	if first, last := label[0], label[len(label)-1]; first == '.' || first == '-' || last == '.' {
		return nil, false
	}
	return label, true
}

// NodeForIRI is the message of a notice fault.BlankNodeIRI.
const NodeForIRI = "the label of a blank node is where an IRI is due; it was taken for that node"

// isLabelRune says that labels may hold r. Those of N-Triples 1.1 may hold colons.
func isLabelRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isHostByte(byte(r)) || r == '_' || r == '.' || r == ':'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == 0xB7)
}

// JudgeReference judges the text of a reference without a scheme, white space cut off. If
// it is none, code is fault.IRINoReference. If it is one and hardly anybody means it, code
// is fault.IRIUnlikely, else "". The result message is the reason.
func JudgeReference(ref []byte) (code fault.Code, message string) {
	if len(ref) == 0 || ref[0] == '#' && !isPlaceholder(ref) {
		return "", ""
	}
	n := 0 // of the first segment
	for n < len(ref) && ref[n] != '/' && ref[n] != '?' && ref[n] != '#' {
		if ref[n] == ':' { // RFC 3986 §4.2
			return fault.IRINoReference, "neither an IRI nor a relative reference: the part before its first colon isn't a scheme"
		}
		n++
	}
	first, rest := ref[:n], ref[n:]
	switch {
	case isPlaceholder(ref):
		return fault.IRIUnlikely, "a word that programs write for a value that is missing, as a relative IRI"
	case isWebScheme(first) && bytes.HasPrefix(rest, []byte("//")):
		return fault.IRIUnlikely, "a web address without the colon after its scheme, which makes it a relative IRI"
	case isMailAddress(first) && (len(rest) == 0 || rest[0] == '?'):
		return fault.IRIUnlikely, "a mail address without mailto:, which makes it a relative IRI"
	case isWebHost(first, len(rest) > 0):
		return fault.IRIUnlikely, "a web address without http:// or https://, which makes it a relative IRI"
	}
	return "", ""
}

// isPlaceholder knows what languages and spreadsheets write where there is no value.
func isPlaceholder(ref []byte) bool {
	switch string(ref) {
	case "null", "NULL", "Null", "(null)", "nil", "<nil>", "None", "undefined", "NaN", "N/A", "n/a", "#N/A",
		"[object Object]", "[object%20Object]":
		return true
	}
	return false
}

// isWebScheme says that a word is the scheme of web addresses.
func isWebScheme(word []byte) bool {
	for _, scheme := range []string{"http", "https", "ftp"} {
		if len(word) == len(scheme) && bytes.EqualFold(word, []byte(scheme)) {
			return true
		}
	}
	return false
}

// isMailAddress says that text is one: a name, one @, and a host with a point in it.
func isMailAddress(text []byte) bool {
	name, host, found := bytes.Cut(text, []byte("@"))
	if !found || len(name) == 0 || countLabels(host) < 2 {
		return false
	}
	for _, b := range name {
		if !isHostByte(b) && bytes.IndexByte([]byte(".!#$%&'*+/=?^_`{|}~"), b) < 0 {
			return false
		}
	}
	return true
}

// isWebHost says that the first segment of a reference is a host. One that begins with
// www. is; another only if more follows and it ends as few files and folders do.
func isWebHost(segment []byte, more bool) bool {
	labels := countLabels(segment)
	if labels < 2 || len(segment) > 253 {
		return false
	}
	if labels > 2 && bytes.EqualFold(segment[:4], []byte("www.")) {
		return true
	}
	switch string(bytes.ToLower(segment[bytes.LastIndexByte(segment, '.')+1:])) {
	case "com", "org", "net", "edu", "gov":
		return more
	}
	return false
}

// countLabels is the number of labels of a host in ASCII; 0 if host is none.
func countLabels(host []byte) (n int) {
	for label := range bytes.SplitSeq(host, []byte(".")) {
		if len(label) == 0 || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return 0
		}
		for _, b := range label {
			if !isHostByte(b) {
				return 0
			}
		}
		n++
	}
	return n
}

func isHostByte(b byte) bool {
	return 'a' <= b|0x20 && b|0x20 <= 'z' || '0' <= b && b <= '9' || b == '-'
}

// HostNames finds namespaces that lack the slash after their host, so that names which
// are put after them run into the host. It remembers which were reported.
type HostNames struct{ told map[string]bool }

// RunInto says that name becomes a part of the host of the namespace before it, the first
// time that this is so with the namespace.
func (h *HostNames) RunInto(namespace, name []byte) bool {
	if !EndsWithHost(namespace) || len(name) == 0 || bytes.IndexByte([]byte("/?#:"), name[0]) >= 0 ||
		h.told[string(namespace)] {
		return false
	}
	if h.told == nil {
		h.told = map[string]bool{}
	}
	h.told[string(namespace)] = true
	return true
}

// EndsWithHost says that a namespace is a web address that ends with its host.
func EndsWithHost(namespace []byte) bool {
	last := len(namespace) - 1
	if last < 0 || namespace[last] < utf8.RuneSelf && (!isHostByte(namespace[last]) || namespace[last] == '-') {
		return false // with / or #, most often
	}
	n := rfc3986.SchemeLength(namespace)
	if n == 0 || !isWebScheme(namespace[:n]) || !bytes.HasPrefix(namespace[n+1:], []byte("//")) {
		return false
	}
	host := namespace[n+3:]
	return len(host) > 0 && !bytes.ContainsAny(host, "/?#")
}

// NameInHost is the message of a notice fault.IRINamespaceEnd.
func NameInHost(namespace []byte) string {
	return "the namespace <" + string(namespace) + "> ends with its host, and this name runs into it: " +
		"a / or # is missing between them"
}
