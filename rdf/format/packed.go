package format

import (
	"bytes"
	"unicode/utf8"
)

// packedCut is the size from which bytes may be the beginning of more, so that a value
// which goes on after them is no fault.
const packedCut = 64 << 10

// packed names the binary forms of JSON, which begin with no mark: CBOR (RFC 8949), MessagePack and
// BSON. Every byte must be of a value, and the outer values must be objects or arrays. No text in any
// encoding comes to that.
func packed(raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	if isBSON(raw) {
		return "BSON"
	}
	for _, form := range []struct {
		is    string
		value func(*unpacker, int) bool
		outer func(byte) bool
	}{
		{"CBOR", (*unpacker).cbor, func(b byte) bool { return b>>5 == 4 || b>>5 == 5 }},
		{"MessagePack", (*unpacker).messagePack, func(b byte) bool { return b>>4 == 8 || b>>4 == 9 || 0xDC <= b && b <= 0xDF }},
	} {
		u := unpacker{in: raw}
		sound := true
		for sound && u.at < len(raw) {
			sound = form.outer(raw[u.at]) && form.value(&u, 0)
		}
		isCut := u.short && len(raw) >= packedCut && u.values >= 16
		if (sound || isCut) && (u.letters > 0 || !seemsText(raw)) {
			return form.is
		}
	}
	return ""
}

// unpacker skips values of CBOR or MessagePack.
type unpacker struct {
	in      []byte
	at      int
	values  int
	letters int  // bytes of strings
	short   bool // a value goes on after the end
}

// maxNesting is how deep arrays and objects may be in each other.
const maxNesting = 64

// number takes an unsigned number of size bytes.
func (u *unpacker) number(size int) (uint64, bool) {
	if len(u.in)-u.at < size {
		u.short = true
		return 0, false
	}
	n := uint64(0)
	for _, b := range u.in[u.at : u.at+size] {
		n = n<<8 | uint64(b)
	}
	u.at += size
	return n, true
}

// bytes passes n bytes, which are UTF-8 if they are a string.
func (u *unpacker) bytes(n uint64, isString bool) bool {
	if n > uint64(len(u.in)-u.at) {
		u.short = true
		return false
	}
	piece := u.in[u.at : u.at+int(n)]
	u.at += int(n)
	if !isString {
		return true
	}
	u.letters += len(piece)
	return utf8.Valid(piece)
}

// each passes n values, or up to the break if n is endless.
func (u *unpacker) each(n uint64, isObject bool, value func(*unpacker, int) bool, depth int) bool {
	for i := uint64(0); i < n; i++ {
		if u.at >= len(u.in) {
			u.short = true
			return false
		}
		if n == endless && u.in[u.at] == 0xFF {
			u.at++
			return true
		}
		begin, letters := u.at, u.letters
		if !value(u, depth+1) {
			return false
		}
		// The names of members are strings, now and then numbers.
		if isObject && u.letters == letters && !isPackedName(u.in[begin]) {
			return false
		}
		if isObject && !value(u, depth+1) {
			return false
		}
	}
	return true
}

// isPackedName says that a byte begins a small number or an empty string, in either form.
func isPackedName(b byte) bool { return b < 0x3C || b == 0x60 || b == 0xA0 || 0xCC <= b && b <= 0xD3 }

const endless = ^uint64(0)

// cbor passes a value of CBOR.
func (u *unpacker) cbor(depth int) bool {
	first, ok := u.number(1)
	if !ok || depth > maxNesting {
		return false
	}
	u.values++
	major, low := first>>5, first&0x1F
	n := low
	switch {
	case 24 <= low && low <= 27:
		if n, ok = u.number(1 << (low - 24)); !ok {
			return false
		}
	case 28 <= low && low <= 30, low == 31 && (major < 2 || major > 5):
		return false
	case low == 31:
		n = endless
	}
	switch major {
	case 0, 1:
		return true
	case 2, 3:
		if n == endless { // in pieces
			return u.each(n, false, (*unpacker).cbor, depth)
		}
		return u.bytes(n, major == 3)
	case 4, 5:
		return u.each(n, major == 5, (*unpacker).cbor, depth)
	case 6:
		return u.cbor(depth + 1)
	default: // simple values and floating point
		return low >= 20 && low <= 27 && (low != 24 || n >= 32)
	}
}

// messagePack passes a value of MessagePack.
func (u *unpacker) messagePack(depth int) bool {
	first, ok := u.number(1)
	if !ok || depth > maxNesting {
		return false
	}
	u.values++
	sized := func(size int, then func(n uint64) bool) bool {
		n, ok := u.number(size)
		return ok && then(n)
	}
	str := func(n uint64) bool { return u.bytes(n, true) }
	bin := func(n uint64) bool { return u.bytes(n, false) }
	extension := func(n uint64) bool { return u.bytes(n+1, false) }
	array := func(n uint64) bool { return u.each(n, false, (*unpacker).messagePack, depth) }
	object := func(n uint64) bool { return u.each(n, true, (*unpacker).messagePack, depth) }
	switch b := byte(first); {
	case b < 0x80, b >= 0xE0, b == 0xC0, b == 0xC2, b == 0xC3:
		return true
	case b < 0x90:
		return object(first & 0x0F)
	case b < 0xA0:
		return array(first & 0x0F)
	case b < 0xC0:
		return str(first & 0x1F)
	case b == 0xC1:
		return false
	case b <= 0xC6:
		return sized(1<<(b-0xC4), bin)
	case b <= 0xC9:
		return sized(1<<(b-0xC7), extension)
	case b <= 0xCB:
		return bin(4 << (b - 0xCA))
	case b <= 0xCF:
		return bin(1 << (b - 0xCC))
	case b <= 0xD3:
		return bin(1 << (b - 0xD0))
	case b <= 0xD8:
		return extension(1 << (b - 0xD4))
	case b <= 0xDB:
		return sized(1<<(b-0xD9), str)
	case b <= 0xDD:
		return sized(2<<(b-0xDC), array)
	default:
		return sized(2<<(b-0xDE), object)
	}
}

// isBSON recognises documents of BSON, one or more: each says its length, holds an element with
// a name, and ends in a NUL.
func isBSON(raw []byte) bool {
	isWhole := len(raw) < packedCut
	for n := 0; ; n++ {
		switch {
		case len(raw) == 0:
			return n > 0
		case len(raw) < 5:
			return n > 0 && !isWhole
		}
		size := uint32(raw[0]) | uint32(raw[1])<<8 | uint32(raw[2])<<16 | uint32(raw[3])<<24
		if size < 8 || size > 16<<20 {
			return false
		}
		if kind := raw[4]; kind == 0 || kind > 0x13 && kind != 0x7F && kind != 0xFF {
			return false
		}
		name, _, found := bytes.Cut(raw[5:min(len(raw), 300)], []byte{0})
		if !found || len(name) == 0 || !utf8.Valid(name) || bytes.ContainsFunc(name, func(r rune) bool { return r < 0x20 }) {
			return false
		}
		if int64(size) > int64(len(raw)) {
			return !isWhole
		}
		if raw[size-1] != 0 {
			return false
		}
		raw = raw[size:]
	}
}
