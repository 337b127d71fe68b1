package clean

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/prose"
	"laundromat/rdf"
)

// iriFaults is the set of what is wrong with an IRI.
type iriFaults uint32

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
	unregisteredScheme
	unresolvedPrefix
	windowsPath
	badSyntax
	letterCase
	needlessPort
	dotSegment
	password
	percentForm
	percentControl
	percentTwice
	percentOctets
	notNFC
	blank
	badName
	noReference
	blankNode
	twoIRIs

	fatal    = relative | forbidden | badHost | noReference | blankNode | twoIRIs
	mendable = trimmed | space | character | bracket | fragment | privateUse
	doubtful = ^(fatal | mendable)
)

// Classes of bytes, so that those of an IRI can be joined.
const (
	isPlain = 0
	isHash  = 1  // #, of which there may be one
	isOdd   = 2  // may be in some place only, or nowhere
	isHost  = 4  // as isPlain, and of the kind that ordinary hosts are made of
	isDot   = 8  // ., which may make a segment that goes
	isSign  = 16 // %, which begins an encoded octet
	isHigh  = 32 // of a character outside ASCII

	isAnyOdd = isOdd | isSign | isHigh
)

var classes = func() (t [256]uint8) {
	for b := range t {
		c := byte(b)
		switch {
		case 'a' <= c && c <= 'z', isDigit(c), c == '-':
			t[b] = isHost
		case c == '.':
			t[b] = isHost | isDot
		case isASCIILetter(c), bytes.IndexByte([]byte("_~:/?@!$&'()*+,;="), c) >= 0:
			t[b] = isPlain
		case c == '#':
			t[b] = isHash
		case c == '%':
			t[b] = isSign
		case c >= utf8.RuneSelf:
			t[b] = isHigh
		default:
			t[b] = isOdd
		}
	}
	return t
}()

// isPlainIRI says that iri is without a fault, and of the ordinary kind. That is a web address whose
// host is ASCII and was found good before, or a URN and the like. What it denies may still be right.
func (f *iris) isPlainIRI(iri []byte) bool {
	if len(iri) <= 8 || string(iri[:4]) != "http" {
		return f.isPlainName(iri)
	}
	for _, origin := range &f.origins {
		if n := len(origin); n < len(iri) && iri[n] == '/' && n > 0 && string(iri[:n]) == string(origin) {
			return isPlainPath(iri[n:])
		}
	}
	begin := 7
	if iri[4] == 's' {
		begin = 8
	}
	end := bytes.IndexByte(iri[begin:], '/') + begin
	if end < begin {
		return false // no path: rare, and looked at closely
	}
	if !isPlainPath(iri[end:]) || !f.isGoodHost(iri[:end]) {
		return false
	}
	f.next = (f.next + 1) % len(f.origins)
	f.origins[f.next] = append(f.origins[f.next][:0], iri[:end]...)
	return true
}

// isPlainName says that iri, which has no host, is without a fault and ordinary.
func (f *iris) isPlainName(iri []byte) bool {
	n := rfc3986.SchemeLength(iri)
	if n < 3 || n+2 > len(iri) || iri[n+1] == '/' || !isPlainPath(iri[n+1:]) {
		return false
	}
	return string(iri[:n]) == "urn" && judgeURN(iri[n+1:]) == 0 || bytes.Equal(iri[:n], f.scheme)
}

// isPlainPath says that what follows the host, or the scheme, holds only what may be anywhere in it.
// Those are percent-encodings in their normal form, and of the characters outside ASCII those that
// normal form C leaves alone.
func isPlainPath(path []byte) bool {
	if odd, dots := glance(path); odd == 0 {
		return dots == 0 || !hasDotSegment(path)
	}
	var joined uint8
	for _, b := range path {
		joined |= classes[b]
	}
	return joined&isOdd == 0 &&
		(joined&isHash == 0 || bytes.IndexByte(path, '#') == bytes.LastIndexByte(path, '#')) &&
		(joined&isDot == 0 || !hasDotSegment(path)) &&
		(joined&isSign == 0 || arePlainSigns(path)) &&
		(joined&isHigh == 0 || prose.IsSettled(path))
}

// arePlainSigns says that nothing is wrong with the percent-encodings of path.
func arePlainSigns(path []byte) bool {
	for i, b := range path {
		if b == '%' && judgePercent(path, i, 0, false) != 0 {
			return false
		}
	}
	return true
}

// glance looks at path, eight bytes at a time. If any is neither a letter or digit of ASCII
// nor one of ( ) * + , - . / : ; = ? @ _, odd is not 0. It then needs a closer look, in
// which it may still be right. If any is a full stop, dots is not 0.
func glance(path []byte) (odd, dots uint64) {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
	)
	n := len(path)
	for i := 0; ; i += 8 {
		var word uint64
		switch {
		case i+8 <= n:
			word = binary.LittleEndian.Uint64(path[i:])
		case n >= 8:
			word = binary.LittleEndian.Uint64(path[n-8:]) // some of them once more
		default:
			word = '-' * ones
			for i, b := range path {
				word ^= uint64(b^'-') << (8 * i)
			}
		}
		low := word &^ high
		past := low + (0x80-'(')*ones // has the high bits of those that are not below (
		notAngles := (low&^(2*ones) ^ '<'*ones) + 0x7F*ones
		notGrave := (low ^ '`'*ones) + 0x7F*ones
		upper := low | 0x20*ones // [ \ ] ^ _ become { | } ~ DEL
		brackets := (upper + (0x80-'{')*ones) &^ (upper + ones)
		deletes := low + ones
		notPoints := (low ^ '.'*ones) + 0x7F*ones
		odd |= ^(past & notAngles & notGrave) | brackets | deletes | word
		dots |= ^notPoints
		if i+8 >= n {
			return odd & high, dots & high
		}
	}
}

// hasDotSegment says that a segment of path begins with a point, which most often
// is not one that goes.
func hasDotSegment(path []byte) bool {
	for i := 1; i < len(path); i++ {
		if path[i] == '.' && path[i-1] == '/' {
			return true
		}
	}
	return false
}

// learn remembers scheme and host of a web address in which nothing was found, so
// that the next one need not be looked at closely.
func (f *iris) learn(iri []byte) {
	colon := rfc3986.SchemeLength(iri)
	if colon < 4 || colon > 5 || string(iri[:4]) != "http" || len(iri) < colon+4 {
		return
	}
	end := bytes.IndexAny(iri[colon+3:], "/?#")
	if end <= 0 || isHTTP(iri[colon+3:colon+3+end]) {
		return
	}
	origin := iri[:colon+3+end]
	if len(origin) < 100 {
		slot := f.hosts.miss(origin)
		*slot = append((*slot)[:0], origin...)
	}
}

// isGoodHost says that nothing is wrong with scheme and host, which are
// everything before the path.
func (f *iris) isGoodHost(origin []byte) bool {
	if len(origin) < 8 {
		return false
	}
	slot := f.hosts.slot(origin)
	if bytes.Equal(*slot, origin) {
		return true
	}
	host := origin[7:]
	if origin[4] == 's' {
		host = origin[8:]
	}
	for _, b := range host {
		if classes[b]&isHost == 0 {
			return false
		}
	}
	if string(origin[:len(origin)-len(host)]) != "http://" && string(origin[:len(origin)-len(host)]) != "https://" || isHTTP(host) ||
		judgeHost(host) != 0 {
		return false
	}
	slot = f.hosts.miss(origin)
	*slot = append((*slot)[:0], origin...)
	return true
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
	if t := rdf.TrimReference(iri); len(t) != len(iri) {
		iri, faults = t, trimmed
	}
	if rfc3986.SecondIRI(iri) > 0 {
		return twoIRIs // whatever else is wrong with either
	}
	out := f.buffers[at][:0]
	colon := rfc3986.SchemeLength(iri)
	if colon == 0 {
		f.buffers[at] = out
		return faults | judgeRelative(iri)
	}
	rest := iri[colon+1:]
	hostEnd := 0 // in iri
	if bytes.HasPrefix(rest, []byte("//")) {
		end := bytes.IndexAny(rest[2:], "/?#")
		if end < 0 {
			end = len(rest) - 2
		}
		hostEnd = colon + 3 + end
		faults |= judgeAuthority(rest[2:2+end], rest[2+end:], iri[:colon])
	} else if isHTTP(iri[:colon]) && len(rest) > 0 {
		faults |= authority
	}
	faults |= f.judgeScheme(at, iri[:colon], rest)
	faults |= judgeSegments(iri[max(hostEnd, colon+1):], hostEnd > 0)
	if faults&authority != 0 {
		faults &^= needlessPort
	}
	if len(rest) == 0 {
		faults = faults&^badSyntax | empty
	}
	if !isASCII(iri) && !norm.NFC.IsNormal(iri) && utf8.Valid(iri) {
		faults |= notNFC
	}
	c := characters{iri: iri, hostEnd: hostEnd, out: out}
	faults |= c.judge()
	f.buffers[at] = c.out
	// The label of a blank node may hold anything, and was encoded by a washing before.
	if encoded := percentForm | percentControl | percentTwice | percentOctets; faults&encoded != 0 &&
		bytes.Contains(iri, []byte(genidPath)) {
		faults &^= encoded
	}
	if bytes.EqualFold(iri[:colon], []byte("data")) { // RFC 2397 §3: its octets need not be text
		faults &^= percentOctets
	}
	if c.ofHost != 0 {
		faults &^= badName // which follows
	}
	return faults
}

// characters are those of an IRI, which are judged one after the other.
type characters struct {
	iri                 []byte
	hostEnd             int
	inQuery, inFragment bool
	out                 []byte    // the mended IRI
	ofHost              iriFaults // of the characters of the host
}

// judge judges all, and mends what is mendable.
func (c *characters) judge() (faults iriFaults) {
	for i := 0; i < len(c.iri); {
		b := c.iri[i]
		if b >= utf8.RuneSelf {
			wrong, size := c.wide(i)
			faults |= wrong
			i += size
			continue
		}
		if b == '%' {
			faults |= judgePercent(c.iri, i, c.hostEnd, c.inQuery)
			c.out = append(c.out, b)
			i++
			continue
		}
		wrong := c.narrow(b, i < c.hostEnd)
		faults |= wrong
		if wrong&mendable != 0 {
			c.out = appendPercent(c.out, b)
		} else {
			c.out = append(c.out, b)
		}
		i++
	}
	return faults
}

// narrow judges a character of ASCII that is no percent sign.
func (c *characters) narrow(b byte, inHost bool) iriFaults {
	switch {
	case classes[b]&isAnyOdd == 0:
		switch b {
		case '?':
			c.inQuery = true
		case '#':
			if c.inFragment {
				return fragment
			}
			c.inFragment = true
		}
		return 0
	case b < 0x20 || b == 0x7F:
		return forbidden
	case b == '[' || b == ']':
		if inHost {
			return 0
		}
		return bracket
	case inHost:
		return badHost
	case b == ' ':
		return space
	}
	return character
}

// wide judges and copies the character outside ASCII at index i, which has so many bytes.
func (c *characters) wide(i int) (wrong iriFaults, size int) {
	r, size := utf8.DecodeRune(c.iri[i:])
	wrong = judgeRune(r, c.inQuery && !c.inFragment)
	if i < c.hostEnd {
		if wrong&privateUse != 0 {
			wrong = badHost
		}
		c.ofHost |= wrong
	}
	for _, b := range c.iri[i : i+size] {
		if wrong&privateUse != 0 {
			c.out = appendPercent(c.out, b)
		} else {
			c.out = append(c.out, b)
		}
	}
	return wrong, size
}

// judgeRelative says what an IRI without a scheme is.
func judgeRelative(iri []byte) iriFaults {
	if _, ok := rdf.BlankNodeIn(iri); ok {
		return blankNode
	}
	if code, _ := rdf.JudgeReference(iri); code == fault.IRINoReference {
		return noReference
	}
	return relative
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
	case r == 0x200E, r == 0x200F, 0x202A <= r && r <= 0x202E, // RFC 3987 §4.1
		0x2066 <= r && r <= 0x2069, r == 0x61C: // newer ones, UAX 9 §2
		return bidi
	case rdf.IsBlank(r):
		return blank
	}
	return 0
}

func isHex(b byte) bool { return isDigit(b) || 'a' <= b|0x20 && b|0x20 <= 'f' }

func isASCII(text []byte) bool {
	for _, b := range text {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
