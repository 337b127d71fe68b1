package dump

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"laundromat/records"
)

// deepest is how deep values may be nested that are read again.
const deepest = 10000

// readJSON reads one JSON value, with the order of members and the digits of numbers.
func readJSON(text []byte) (records.Value, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := readValue(d, 0)
	if err != nil {
		return v, err
	}
	if _, err := d.Token(); err != io.EOF {
		return v, errors.New("there is more behind the value")
	}
	return v, nil
}

func readValue(d *json.Decoder, depth int) (v records.Value, err error) {
	token, err := d.Token()
	if err != nil {
		return v, err
	}
	switch token := token.(type) {
	case string:
		return records.TextOf(token), nil
	case json.Number:
		return records.NumberOf(token.String()), nil
	case bool:
		return records.BoolOf(token), nil
	case json.Delim:
		if depth == deepest {
			return v, errors.New("the value is nested too deeply")
		}
		v.Kind = records.List
		if token == '{' {
			v.Kind = records.Object
		}
		for d.More() {
			var name json.Token
			if v.Kind == records.Object {
				if name, err = d.Token(); err != nil {
					return v, err
				}
			}
			member, err := readValue(d, depth+1)
			if err != nil {
				return v, err
			}
			if v.Kind == records.List {
				v.Items = append(v.Items, member)
			} else {
				v.Fields = append(v.Fields, records.Field{Name: name.(string), Value: member})
			}
		}
		_, err = d.Token() // the bracket at the end
	}
	return v, err
}

// cells reads the rows of a table as textTable writes them. Text that was quoted, and text that
// is not empty, is of kind text; what is empty is absent.
type cells struct {
	in    *bufio.Reader
	tabs  bool
	cells []cell
	line  int64 // at which the row begins
	lines int64
	err   error
	part  []byte
}

func newCells(from io.Reader, tabs bool) *cells {
	return &cells{in: bufio.NewReaderSize(from, 1<<16), tabs: tabs}
}

var errQuote = errors.New("a quotation mark is not closed, or not where one may be")

// next reads a row; false at the end, and where the table is broken.
func (c *cells) next() bool {
	c.cells = c.cells[:0]
	if _, err := c.in.Peek(1); err != nil {
		if err != io.EOF {
			c.err = err
		}
		return false
	}
	c.line = c.lines + 1
	for {
		more, err := c.cell()
		if err != nil {
			c.err = err
			return false
		}
		if !more {
			return true
		}
	}
}

// cell reads a cell, and says whether a further one follows.
func (c *cells) cell() (more bool, err error) {
	c.part = c.part[:0]
	quoted := false
	for {
		b, err := c.in.ReadByte()
		switch {
		case err == io.EOF, err == nil && b == '\n':
			if err == nil {
				c.lines++
			}
			c.put(quoted)
			return false, nil
		case err != nil:
			return false, err
		case len(c.part) > longestLine:
			return false, errors.New("a cell is too long")
		case c.tabs && b == '\t' || !c.tabs && b == ',':
			c.put(quoted)
			return true, nil
		case c.tabs && b == '\\':
			if err := c.escape(); err != nil {
				return false, err
			}
		case !c.tabs && b == '"':
			if quoted || len(c.part) > 0 {
				return false, errQuote
			}
			quoted = true
			if err := c.quotes(); err != nil {
				return false, err
			}
		case b == '\r':
			if next, err := c.in.Peek(1); err == nil && next[0] != '\n' || err != nil && err != io.EOF {
				return false, errors.New("a carriage return is not followed by a line feed")
			}
		case quoted:
			return false, errQuote
		default:
			c.part = append(c.part, b)
		}
	}
}

// escape reads what is behind a backslash.
func (c *cells) escape() error {
	b, err := c.in.ReadByte()
	if err != nil {
		return err
	}
	if at := bytes.IndexByte([]byte("tnr\\"), b); at >= 0 {
		b = "\t\n\r\\"[at]
	} else {
		c.part = append(c.part, '\\')
	}
	c.part = append(c.part, b)
	return nil
}

// quotes reads to the quotation mark that closes.
func (c *cells) quotes() error {
	for {
		b, err := c.in.ReadByte()
		if err != nil {
			return errQuote
		}
		if b == '"' {
			if next, err := c.in.Peek(1); err != nil || next[0] != '"' {
				return nil
			}
			c.in.ReadByte()
		}
		if b == '\n' {
			c.lines++
		}
		if len(c.part) > longestLine {
			return errors.New("a cell is too long")
		}
		c.part = append(c.part, b)
	}
}

func (c *cells) put(quoted bool) {
	if quoted || len(c.part) > 0 {
		c.cells = append(c.cells, cell{text, string(c.part)})
		return
	}
	c.cells = append(c.cells, cell{})
}
