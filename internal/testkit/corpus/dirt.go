package corpus

import (
	"bytes"
	"io"
)

// Dirt passes a document on with one line in every so many broken: a character that its
// syntax cannot do without is left out.
type Dirt struct {
	To    io.Writer
	Every int // a line in so many; 0 breaks none

	random generator
	line   []byte
}

// Write takes text in any pieces, and writes its whole lines to To, some of them broken. It returns the
// length of text, or the error of To.
func (d *Dirt) Write(text []byte) (int, error) {
	n := len(text)
	if d.Every <= 0 {
		return d.To.Write(text)
	}
	if d.random == 0 {
		d.random = 1
	}
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n') + 1
		if end == 0 {
			d.line = append(d.line, text...)
			break
		}
		d.line = append(d.line, text[:end]...)
		text = text[end:]
		if err := d.pass(); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// pass writes the line, or what is left of it.
func (d *Dirt) pass() error {
	line := d.line
	if d.random.next(d.Every) == 0 {
		from := d.random.next(len(line))
		if i := bytes.IndexAny(line[from:], `<>"{}.;`); i >= 0 {
			line = append(line[:from+i], line[from+i+1:]...)
		}
	}
	_, err := d.To.Write(line)
	d.line = d.line[:0]
	return err
}

// Close writes the last line, if it has no end.
func (d *Dirt) Close() error {
	if len(d.line) == 0 {
		return nil
	}
	return d.pass()
}
