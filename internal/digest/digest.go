// Package digest measures streams of bytes: their length and hashes and, where they are
// text, characters, lines and line ends. It also holds the counts of the statements in
// them. Records and reports show these.
package digest

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

// Content says what a stream of bytes was. The counts of text are absent where
// the bytes are not text as they are.
type Content struct {
	MD5           string  `json:"hash"`   // lower-case hex
	SHA256        string  `json:"sha256"` // lower-case hex
	NumberOfBytes int64   `json:"number_of_bytes"`
	Newline       Newline `json:"newline,omitempty"`
	NumberOfChars *int64  `json:"number_of_chars,omitempty"` // Unicode scalar values
	NumberOfLines *int64  `json:"number_of_lines,omitempty"` // line ends, plus one for an unfinished last line
}

// Text is what a document was after filters and decoding.
type Text struct {
	Newline       Newline `json:"newline"`
	NumberOfBytes int64   `json:"number_of_bytes"`
	NumberOfChars int64   `json:"number_of_chars"`
	NumberOfLines int64   `json:"number_of_lines"`
}

// Newline names what ends the lines of a text.
type Newline string

// The line ends of a text are all of one kind, of several kinds, or it has none.
const (
	LF    Newline = "lf"
	CRLF  Newline = "crlf"
	CR    Newline = "cr"
	Mixed Newline = "mixed"
	None  Newline = "none"
)

// Hasher is an io.Writer that hashes and counts the bytes written to it. It never
// returns an error.
type Hasher struct {
	md5, sha256 hash.Hash
	n           int64
}

// NewHasher returns a Hasher that has seen nothing.
func NewHasher() *Hasher { return &Hasher{md5: md5.New(), sha256: sha256.New()} }

// Write hashes and counts p, and keeps none of it.
func (h *Hasher) Write(p []byte) (int, error) {
	h.md5.Write(p)
	h.sha256.Write(p)
	h.n += int64(len(p))
	return len(p), nil
}

// Content returns what was written so far, without the counts of text.
func (h *Hasher) Content() Content {
	return Content{
		MD5:           hex.EncodeToString(h.md5.Sum(nil)),
		SHA256:        hex.EncodeToString(h.sha256.Sum(nil)),
		NumberOfBytes: h.n,
	}
}
