package encoding

import "golang.org/x/text/encoding"

// Encoder appends text, which is UTF-8 and begins and ends between characters, as it
// stands in another encoding. An error says that a character has no place there.
type Encoder func(dst, text []byte) ([]byte, error)

// NewEncoder returns a writer of the encoding of that name (see NewReader); nil for UTF-8,
// in which text needs no change. In some encodings a line end is not the byte of ASCII, or
// bytes depend on those before. No line of those can be written alone: ok is false.
func NewEncoder(name string) (encode Encoder, ok bool) {
	c, ok := lookup(name)
	switch {
	case !ok || wide(c.name) || stateful(c.name) || ebcdic(c.name):
		return nil, false
	case c.name == "utf-8":
		return nil, true
	case c.enc == nil:
		return nil, false
	}
	encoder := c.enc.NewEncoder()
	return func(dst, text []byte) ([]byte, error) { return appendEncoded(dst, text, encoder) }, true
}

func appendEncoded(dst, text []byte, encoder *encoding.Encoder) ([]byte, error) {
	written, err := encoder.Bytes(text)
	return append(dst, written...), err
}
