package linemerge

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
)

// A line of a group's temporary file is the line, a NUL, and the number of the one input that has it. Where several
// have it there is no number. No line of N-Quads has a NUL of its own; if one had, the last would count.

// groupWriter writes the lines of a group.
type groupWriter struct {
	out    *bufio.Writer
	number []byte
}

func newGroupWriter(w io.Writer) *groupWriter {
	return &groupWriter{out: bufio.NewWriterSize(w, 256<<10)}
}

func (g *groupWriter) line(text []byte, of origin) error {
	g.out.Write(text)
	g.number = append(g.number[:0], 0)
	if of != shared {
		g.number = strconv.AppendInt(g.number, int64(of), 10)
	}
	g.out.Write(g.number)
	return g.out.WriteByte('\n') // it has the error of the writes before, too
}

func (g *groupWriter) flush() error { return g.out.Flush() }

// splitGrouped takes a line of a group apart.
func splitGrouped(line []byte) (text []byte, of origin, err error) {
	end := bytes.LastIndexByte(line, 0)
	if end < 0 {
		return nil, 0, fmt.Errorf("a temporary file is damaged: %s", excerpt(line))
	}
	number := line[end+1:]
	if len(number) == 0 {
		return line[:end], shared, nil
	}
	n, err := strconv.Atoi(string(number))
	if err != nil {
		return nil, 0, fmt.Errorf("a temporary file is damaged: %w", err)
	}
	return line[:end], origin(n), nil
}
