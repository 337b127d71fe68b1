package encoding

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"laundromat/internal/fault"
)

// Presume chooses the encoding in which a document is first read, from its first bytes and
// from the hints. Some kilobytes are enough; 64 kB is plenty.
//
// The order is: what the user gives; a byte order mark; the pattern of zero bytes that
// UTF-16 and UTF-32 have. Then comes a declared encoding whose bytes are all below 0x80
// (ISO-2022-JP, UTF-7, HZ), or its escape sequences; else UTF-8. Every declaration found is
// among the evidence, so that Decide may fall back on it. The notices report declarations
// that the first bytes refute already.
func Presume(prefix []byte, h Hints) (Choice, []fault.Notice) {
	var c Choice
	var notices []fault.Notice
	if h.Given != "" {
		c.Name, _ = known(h.Given)
		c.add("given", h.Given, 0)
		if c.Name == "utf-16le" && !saysOrder(h.Given) {
			if name, _ := wideWithoutMark(prefix); strings.HasPrefix(name, "utf-16") {
				c.Name = name
			}
		}
		return c, nil
	}

	name, n := byteOrderMark(prefix)
	if n > 0 {
		c.Name = name
		c.add("bom", name, 0)
	} else if name, share := wideWithoutMark(prefix); name != "" {
		c.Name = name
		c.add("bytes", name, share)
	}
	if d, ok := declaredInText(prefix, c.Name); ok {
		c.Evidence = append(c.Evidence, d)
	}
	if charset := parameter(h.ContentType, "charset"); charset != "" {
		c.add("http", charset, 0)
	}

	if c.Name != "" {
		for _, d := range c.declarations() {
			if declared, ok := known(d.Value); ok && !sameFamily(declared, c.Name) {
				notices = append(notices, warning(fault.EncodingDeclarationRefuted,
					fmt.Sprintf("%s is declared (%s), but the first bytes are %s", d.Value, wordFor(d.From), c.Name)))
			}
		}
		return c, notices
	}

	c.Name = "utf-8"
	notices = c.presumeDeclared(prefix)
	if c.Name == "utf-8" && isASCII(prefix) {
		c.presumeEscapes(prefix)
	}
	return c, notices
}

// presumeDeclared takes a declared encoding that bytes below 0x80 may be in, or EBCDIC, in place of
// UTF-8. The notices are of declarations that the first bytes refute.
func (c *Choice) presumeDeclared(prefix []byte) (notices []fault.Notice) {
	for _, d := range c.declarations() {
		declared, ok := known(d.Value)
		switch {
		case wide(declared) && len(prefix) >= 4:
			notices = append(notices, warning(fault.EncodingDeclarationRefuted,
				fmt.Sprintf("%s is declared (%s), but the bytes are ASCII as they are; read as UTF-8", d.Value, wordFor(d.From))))
		case stateful(declared) && ok && !isASCII(prefix):
			notices = append(notices, warning(fault.EncodingDeclarationRefuted,
				fmt.Sprintf("%s is declared (%s), but there are bytes that it has not; read as UTF-8", d.Value, wordFor(d.From))))
		case stateful(declared) && (ok || bytes.ContainsAny(prefix, "\x0E\x1B")):
			// A charset that is refused later is still presumed, if its escapes are there.
			if c.Name == "utf-8" {
				c.Name = declared
			}
		case ebcdic(declared) && looksEBCDIC(prefix):
			c.Name = declared
		}
	}
	return notices
}

// presumeEscapes takes the encoding whose escape sequences are in the first bytes, all of ASCII.
func (c *Choice) presumeEscapes(prefix []byte) {
	for _, e := range escapes {
		if bytes.Contains(prefix, []byte(e.sequence)) {
			c.Name = e.name
			c.add("bytes", c.Name, 0.9)
			return
		}
	}
	if looksHZ(prefix) {
		c.Name = "hz-gb-2312"
		c.add("bytes", c.Name, 0.9)
	}
}

// looksHZ says that p holds something between ~{ and ~}. All of it must be pairs of bytes
// for common characters of GB 2312 in HZ (RFC 1843).
func looksHZ(p []byte) bool {
	found := false
	for {
		begin := bytes.Index(p, []byte("~{"))
		if begin < 0 {
			return found
		}
		p = p[begin+2:]
		end := bytes.Index(p, []byte("~}"))
		if end < 0 {
			return found && len(p) < 256 // cut there
		}
		if end == 0 || end%2 != 0 || bytes.IndexByte(p[:end], '\n') >= 0 {
			return false
		}
		for i := 0; i < end; i += 2 {
			isIdeograph := 0x30 <= p[i] && p[i] <= 0x77
			isSign := 0x21 <= p[i] && p[i] <= 0x23
			if !isIdeograph && !isSign || p[i+1] < 0x21 || p[i+1] > 0x7E {
				return false
			}
		}
		found = true
		p = p[end+2:]
	}
}

// escapes are the sequences that show an encoding whose bytes are all below 0x80.
var escapes = []struct{ sequence, name string }{
	{"\x1B$B", "iso-2022-jp"}, {"\x1B$@", "iso-2022-jp"},
	{"\x1B$)C", "iso-2022-kr"},
	{"\x1B$)A", "iso-2022-cn"}, {"\x1B$)G", "iso-2022-cn"},
}

// Proved reports the declarations that disagree with a document. The document was read to
// its end as c presumed, and not refuted. If ascii is true, it has no character outside
// ASCII, and nearly every declaration agrees.
func (c Choice) Proved(ascii bool) (notices []fault.Notice) {
	if c.Name != "utf-8" || ascii || fromMark(c) {
		return nil // Presume has said what there is to say
	}
	for _, e := range c.Evidence {
		if e.From == "given" || e.From == "bytes" { // as Decide has
			return nil
		}
	}
	for _, d := range c.declarations() {
		if name, _ := known(d.Value); name != "utf-8" && !wide(name) {
			notices = append(notices, warning(fault.EncodingDisagreement,
				fmt.Sprintf("%s is declared (%s), but the whole document is well-formed UTF-8; that is believed", d.Value,
					wordFor(d.From))))
		}
	}
	return notices
}

// wordFor words where a declaration was found.
func wordFor(from string) string {
	switch from {
	case "xml":
		return "XML declaration"
	case "html":
		return "meta element"
	case "css":
		return "@charset"
	case "http":
		return "Content-Type"
	default:
		return from
	}
}

// sameFamily says that two declarations don't contradict each other: UTF-16 is
// declared without the order of its bytes, and ISO-8859-1 where Windows-1252 is meant.
func sameFamily(a, b string) bool {
	if wide(a) && wide(b) {
		return a[:6] == b[:6]
	}
	return a == b || defaultLike(a) && defaultLike(b)
}

func saysOrder(label string) bool {
	label = strings.ToLower(label)
	return strings.HasSuffix(label, "le") || strings.HasSuffix(label, "be")
}

// byteOrderMark returns the encoding and the length of the byte order mark that p
// begins with; n is 0 if there is none.
func byteOrderMark(p []byte) (name string, n int) {
	for _, m := range []struct{ mark, name string }{
		{bom, "utf-8"},
		{"\xFF\xFE\x00\x00", "utf-32le"}, // before UTF-16, whose mark it begins with
		{"\x00\x00\xFE\xFF", "utf-32be"},
		{"\xFF\xFE", "utf-16le"},
		{"\xFE\xFF", "utf-16be"},
		{"\x84\x31\x95\x33", "gb18030"},
		{"+/v8-", "utf-7"},
	} {
		if bytes.HasPrefix(p, []byte(m.mark)) {
			return m.name, len(m.mark)
		}
	}
	return "", 0
}

// looksEBCDIC says that p begins with "<?xml" in EBCDIC.
func looksEBCDIC(p []byte) bool { return bytes.HasPrefix(p, []byte("\x4C\x6F\xA7\x94\x93")) }

func isASCII(p []byte) bool {
	for _, b := range p {
		if b >= 0x80 {
			return false
		}
	}
	return true
}

// declaredInText finds what the document itself says: in an XML declaration, a meta element
// of HTML, or an @charset rule. If the bytes were found to be in a Unicode encoding, as is
// its name, else "".
func declaredInText(prefix []byte, as string) (Evidence, bool) {
	const far = 4096 // HTML wants it within 1,024 bytes; real pages are less exact
	head := prefix[:min(len(prefix), 4*far)]
	switch {
	case wide(as):
		dst := make([]byte, 3*len(head)+16)
		n, _, _, _ := newDecoder(charset{name: as}).decode(dst, head, true, nil)
		head = bytes.TrimPrefix(dst[:n], []byte(bom))
	case looksEBCDIC(prefix):
		dst := make([]byte, 0, 200)
		for _, b := range head[:min(len(head), 200)] {
			dst = append(dst, byte(charmap.CodePage037.DecodeByte(b)))
		}
		head = dst
	default:
		head = bytes.TrimPrefix(head, []byte(bom))
	}
	head = head[:min(len(head), far)]
	trimmed := bytes.TrimLeft(head, " \t\r\n")

	if bytes.HasPrefix(trimmed, []byte("<?xml")) {
		declaration := trimmed
		if end := bytes.Index(declaration, []byte("?>")); end >= 0 {
			declaration = declaration[:end]
		} else if end := bytes.IndexByte(declaration[1:], '<'); end >= 0 {
			declaration = declaration[:end+1]
		}
		if value := attribute(declaration[5:], "encoding"); value != "" {
			return Evidence{From: "xml", Value: value}, true
		}
	}
	if rest, ok := bytes.CutPrefix(trimmed, []byte(`@charset "`)); ok {
		if end := bytes.IndexByte(rest, '"'); end > 0 && end < 40 {
			return Evidence{From: "css", Value: string(rest[:end])}, true
		}
	}
	if bytes.IndexByte(trimmed, '<') == 0 {
		if value := metaCharset(trimmed); value != "" {
			return Evidence{From: "html", Value: value}, true
		}
	}
	return Evidence{}, false
}

// metaCharset finds the charset of a meta element: its own attribute, or the
// parameter in the content of http-equiv="Content-Type".
func metaCharset(head []byte) string {
	if !bytes.Contains(head, []byte("<m")) && !bytes.Contains(head, []byte("<M")) {
		return ""
	}
	lower := smallLetters(head)
	for at := 0; ; {
		i := bytes.Index(lower[at:], []byte("<"))
		if i < 0 {
			return ""
		}
		at += i
		if bytes.HasPrefix(lower[at:], []byte("<!--")) {
			end := bytes.Index(lower[at+4:], []byte("-->"))
			if end < 0 {
				return ""
			}
			at += end + 7
			continue
		}
		if !bytes.HasPrefix(lower[at:], []byte("<meta")) || at+5 >= len(lower) || !strings.ContainsRune(" \t\r\n\f/", rune(lower[at+5])) {
			at++
			continue
		}
		end := bytes.IndexByte(lower[at:], '>')
		if end < 0 {
			end = len(lower) - at
		}
		element := head[at+5 : at+end]
		if value := attribute(element, "charset"); value != "" {
			return value
		}
		if strings.EqualFold(attribute(element, "http-equiv"), "content-type") {
			if value := parameter(attribute(element, "content"), "charset"); value != "" {
				return value
			}
		}
		at += end
	}
}

// smallLetters writes the letters of ASCII in lower case, and leaves all other bytes: text that
// is not UTF-8 must not become longer by it.
func smallLetters(text []byte) []byte {
	lower := bytes.Clone(text)
	for i, b := range lower {
		if 'A' <= b && b <= 'Z' {
			lower[i] = b + 'a' - 'A'
		}
	}
	return lower
}

// attribute finds the value of an attribute in the inside of a tag; "" if there
// is none. Names are compared without regard to case.
func attribute(tag []byte, name string) string {
	const space = " \t\r\n\f/"
	for {
		tag = bytes.TrimLeft(tag, space)
		end := bytes.IndexAny(tag, space+"=")
		if len(tag) == 0 || end < 0 {
			return ""
		}
		found := end > 0 && strings.EqualFold(string(tag[:end]), name)
		rest, ok := bytes.CutPrefix(bytes.TrimLeft(tag[end:], space), []byte("="))
		if !ok {
			tag = tag[end:]
			continue
		}
		rest = bytes.TrimLeft(rest, space[:5])
		var value []byte
		if len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'') {
			quote := rest[0]
			if end = bytes.IndexByte(rest[1:], quote); end < 0 {
				return ""
			}
			value, tag = rest[1:end+1], rest[end+2:]
		} else {
			if end = bytes.IndexAny(rest, space[:5]); end < 0 {
				end = len(rest)
			}
			value, tag = rest[:end], rest[end:]
		}
		if found {
			return string(bytes.TrimSpace(value))
		}
	}
}

// parameter finds a parameter of a media type. It is more lenient than package
// mime, since a header that is wrong elsewhere may still be right here.
func parameter(contentType, name string) string {
	parts := strings.FieldsFunc(contentType, func(r rune) bool { return r == ';' || r == ',' })
	for i, part := range parts {
		key, value, ok := strings.Cut(part, "=")
		if i > 0 && ok && strings.EqualFold(strings.TrimSpace(key), name) {
			return strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return ""
}
