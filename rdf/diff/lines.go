package diff

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

var (
	errNoStatement = errors.New("not a statement of N-Quads")
	errChanged     = errors.New("a file changed while it was read")
)

// lines reads a clean file.
type lines struct {
	in     *bufio.Reader
	closer io.Closer
	line   []byte // without its end; nil after the last
	long   []byte // a line that is longer than the buffer
	last   []byte
	n      int64
}

func openLines(source Source) (*lines, error) {
	r, err := source()
	if err != nil {
		return nil, err
	}
	return &lines{in: bufio.NewReaderSize(r, 64<<10), closer: r}, nil
}

// next goes on to the next line; the message says why it can't be in a clean file.
func (l *lines) next() (message string, err error) {
	l.last = append(l.last[:0], l.line...)
	line, err := l.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = l.long[:0]
		for err == bufio.ErrBufferFull {
			l.long = append(l.long, line...)
			line, err = l.in.ReadSlice('\n')
		}
		l.long = append(l.long, line...)
		line = l.long
	}
	if err != nil && err != io.EOF {
		return "", err
	}
	l.line = nil
	if len(line) == 0 {
		return "", nil
	}
	l.n++
	if err == io.EOF {
		return "the line is not ended", nil
	}
	line = line[:len(line)-1]
	if !bytes.HasSuffix(line, []byte(" .")) || line[0] != '<' && line[0] != '_' {
		return errNoStatement.Error(), nil
	}
	if l.n > 1 {
		switch c := bytes.Compare(l.last, line); {
		case c == 0:
			return "the line is there twice", nil
		case c > 0:
			return "the line is smaller than the one before it", nil
		}
	}
	l.line = line
	return "", nil
}

// sound goes on to the next line, and returns its number. The error names the side of the file.
func (l *lines) sound(side Side) (int64, error) {
	message, err := l.next()
	switch {
	case err != nil:
		return 0, fmt.Errorf("read the file %s, line %d: %w", side, l.n+1, err)
	case message != "":
		return 0, &Unclean{side, l.n, message}
	}
	return l.n, nil
}

// progressLines is how many lines are read between two signs of life.
const progressLines = 1 << 18

// merge reads both files and calls each for their lines in order. For a line that is in both it is
// called for either, before the other.
func (c *comparison) merge(each func(side Side, line []byte, both bool) error) error {
	var in [2]*lines
	for side, source := range c.sources {
		opened, err := openLines(source)
		if err != nil {
			return err
		}
		defer opened.closer.Close()
		in[side] = opened
	}
	read := [2]*int64{&c.result.Before, &c.result.After}
	next := func(side Side) error {
		n, err := in[side].sound(side)
		if err == nil {
			*read[side] = n
		}
		return err
	}
	take := func(side Side, both bool) error {
		err := each(side, in[side].line, both)
		if err == errNoStatement {
			err = &Unclean{side, in[side].n, err.Error()}
		}
		return err
	}
	for _, side := range bothSides {
		if err := next(side); err != nil {
			return err
		}
	}
	for n := int64(1); ; n++ {
		if err := c.alive(n); err != nil {
			return err
		}
		a, b := in[Before].line, in[After].line
		if a == nil && b == nil {
			return nil
		}
		order := compare(a, b)
		sides := bothSides[:]
		if order < 0 {
			sides = bothSides[:1]
		} else if order > 0 {
			sides = bothSides[1:]
		}
		for _, side := range sides {
			if err := take(side, order == 0); err != nil {
				return err
			}
		}
		for _, side := range sides {
			if err := next(side); err != nil {
				return err
			}
		}
	}
}

// bothSides are the sides, in the order in which their lines are taken.
var bothSides = [...]Side{Before, After}

// compare orders two lines; nil, after the last line, is larger than any.
func compare(a, b []byte) int {
	switch {
	case b == nil:
		return -1
	case a == nil:
		return +1
	}
	return bytes.Compare(a, b)
}

// alive is called before step n, and gives signs of life. The error is that of the context.
func (c *comparison) alive(n int64) error {
	if n%4096 != 0 {
		return nil
	}
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if c.opt.Progress != nil && n%progressLines == 0 {
		c.opt.Progress(n)
	}
	return nil
}
