package archive

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zlib"
)

// Codings of the content of a reply (RFC 9110 §8.4.1) are filters that a header names. Most are
// known by sight as well, and their names add nothing. Brotli and deflate have no mark:
// they are undone where the header names them and the bytes can be them. A coding whose name
// the bytes refute, or that nobody knows, is skipped: servers name codings that
// they did not apply.

// codedFilter is the filter of the outermost of some codings that a head can be, with those that are left inside.
func codedFilter(head []byte, codings []string) (filter, []string, bool) {
	for n := len(codings); n > 0; n-- {
		for _, f := range codedFilters {
			if f.name == codingName(codings[n-1]) && f.is(head) {
				return f, codings[:n-1], true
			}
		}
	}
	return filter{}, nil, false
}

// withoutCoding are the codings inside of a filter that was known by sight.
func withoutCoding(codings []string, f filter) []string {
	if n := len(codings); n > 0 && codingName(codings[n-1]) == f.name {
		return codings[:n-1]
	}
	return codings
}

// codingName is the name of the filter that a coding is.
func codingName(coding string) string {
	switch coding = strings.ToLower(strings.TrimSpace(coding)); coding {
	case "br":
		return "brotli"
	case "x-gzip":
		return "gzip"
	case "x-compress":
		return "compress"
	default:
		return coding
	}
}

// codedFilters are those that have no mark.
var codedFilters = []filter{
	{name: "brotli", suffixes: []string{".br"}, is: isBrotli, open: func(l *layer) (io.ReadCloser, error) {
		return io.NopCloser(brotli.NewReader(l.in)), nil
	}},
	{name: "deflate", is: isDeflate, open: func(l *layer) (io.ReadCloser, error) {
		return io.NopCloser(inflated(l.in)), nil
	}},
}

// isDeflate says that bytes can be those of the coding "deflate", which is zlib, but is often deflate alone.
func isDeflate(head []byte) bool { return isZlib(head) || isRawDeflate(head) }

func isZlib(head []byte) bool {
	if len(head) < 2 || head[0]&15 != 8 || (int(head[0])<<8|int(head[1]))%31 != 0 {
		return false
	}
	r, err := zlib.NewReader(bytes.NewReader(head))
	if err != nil {
		return false
	}
	n, err := io.CopyN(io.Discard, r, 64)
	return err == nil || err == io.EOF || err == io.ErrUnexpectedEOF && n > 0
}

func isRawDeflate(head []byte) bool {
	if len(head) == 0 {
		return false
	}
	_, err := io.CopyN(io.Discard, flate.NewReader(bytes.NewReader(head)), 64)
	return err == nil || err == io.EOF
}

// inflated undoes the coding "deflate"; what isDeflate refuses is left as it is.
func inflated(in *bufio.Reader) io.Reader {
	head, _ := in.Peek(headSize)
	switch {
	case isZlib(head):
		if r, err := zlib.NewReader(in); err == nil {
			return r
		}
	case isRawDeflate(head):
		return flate.NewReader(in)
	}
	return in
}
