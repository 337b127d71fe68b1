package rfc3986

// AppendOctet appends a percent-encoded octet, with capital letters (§2.1).
func AppendOctet(dst []byte, octet byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '%', digits[octet>>4], digits[octet&15])
}

// Octet is the octet that a text begins with in percent-encoded form; ok is false if it begins with none.
func Octet[T string | []byte](text T) (octet byte, ok bool) {
	if len(text) < 3 || text[0] != '%' || !isHex(text[1]) || !isHex(text[2]) {
		return 0, false
	}
	return hexValue(text[1])<<4 | hexValue(text[2]), true
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

func hexValue(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
