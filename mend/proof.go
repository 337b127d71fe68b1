package mend

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf8"
)

// Witness is a writer that sees whether a source is what its text encodes to, byte by byte. Only then
// can lines of the source be made of lines of the text. It takes the text as it is read.
type Witness struct {
	source *bufio.Reader
	encode func(dst, text []byte) ([]byte, error)
	rest   []byte // of the text: a character that is not complete
	buffer []byte
	block  []byte
	mark   string
	begun  bool
	differ bool
}

// utf8Mark is the byte order mark in UTF-8.
const utf8Mark = "\uFEFF"

// NewWitness returns a Witness of a source; encode is nil for UTF-8, whose byte order
// mark is not part of the text.
func NewWitness(source io.Reader, encode func(dst, text []byte) ([]byte, error)) *Witness {
	return &Witness{source: bufio.NewReaderSize(source, 64<<10), encode: encode}
}

// Write takes a piece of the text. An error is that of the source.
func (w *Witness) Write(text []byte) (int, error) {
	if w.differ {
		return len(text), nil
	}
	if !w.begun {
		w.begun = true
		if head, _ := w.source.Peek(len(utf8Mark)); w.encode == nil && string(head) == utf8Mark {
			w.mark = utf8Mark
			w.source.Discard(len(utf8Mark))
		}
	}
	encoded := text
	if w.encode != nil {
		whole := append(w.rest, text...)
		n := len(whole)
		for n > 0 && n > len(whole)-utf8.UTFMax && !utf8.FullRune(whole[lastRune(whole[:n]):]) {
			n = lastRune(whole[:n])
		}
		var err error
		w.buffer, err = w.encode(w.buffer[:0], whole[:n])
		w.differ = err != nil
		w.rest = append(w.rest[:0], whole[n:]...)
		encoded = w.buffer
	}
	if cap(w.block) < len(encoded) {
		w.block = make([]byte, len(encoded))
	}
	n, err := io.ReadFull(w.source, w.block[:len(encoded)])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return 0, err
	}
	w.differ = w.differ || !bytes.Equal(w.block[:n], encoded)
	return len(text), nil
}

// lastRune is where the last character of text begins.
func lastRune(text []byte) int {
	i := len(text) - 1
	for i > 0 && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// Agrees says, when all of the text was written, that the two are the same. It returns the byte order
// mark that the source begins with.
func (w *Witness) Agrees() (mark string, ok bool) {
	_, err := w.source.ReadByte()
	return w.mark, !w.differ && len(w.rest) == 0 && err == io.EOF
}
