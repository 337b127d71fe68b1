// Package urilist reads lists of URIs that people write: text in UTF-8 or UTF-16, a URI a line.
package urilist

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"laundromat/encoding"
)

// maxLine is the longest line of a list of URIs, in bytes.
const maxLine = 1 << 20

// Read calls each with every line that is neither blank nor a comment, without the space around
// it. LF, CRLF and CR end lines.
func Read(r io.Reader, each func(string) error) error {
	buffered := bufio.NewReader(r)
	head, _ := buffered.Peek(4)
	text, err := encoding.NewReader(buffered, encodingOf(head), encoding.Options{Tolerate: true})
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, maxLine)
	lines.Split(splitLines)
	for lines.Scan() {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\uFEFF"))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := each(line); err != nil {
			return err
		}
	}
	return lines.Err()
}

// encodingOf is the encoding of a list that begins with these four bytes, or fewer. UTF-16 is known
// by its mark, or by the zero bytes between its first letters.
func encodingOf(head []byte) string {
	zero := func(at int) bool { return at < len(head) && head[at] == 0 }
	switch {
	case bytes.HasPrefix(head, []byte("\xFF\xFE")), zero(1) && zero(3):
		return "utf-16le"
	case bytes.HasPrefix(head, []byte("\xFE\xFF")), zero(0) && zero(2):
		return "utf-16be"
	}
	return "utf-8"
}

// splitLines cuts text into lines, each up to LF, CRLF or CR. CR and LF may come in two pieces:
// then there is an empty line between them.
func splitLines(data []byte, atEOF bool) (advance int, line []byte, err error) {
	if end := bytes.IndexAny(data, "\r\n"); end >= 0 {
		return end + 1, data[:end], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}
