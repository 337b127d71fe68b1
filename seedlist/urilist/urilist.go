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
// it. LF, CRLF and CR end lines. UTF-16 is known by its mark, or by the zero bytes between its first letters.
func Read(r io.Reader, each func(string) error) error {
	buffered := bufio.NewReader(r)
	head, _ := buffered.Peek(4)
	text, err := encoding.NewReader(buffered, encoding.PresumeUnicode(head), encoding.Options{Tolerate: true})
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
