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

// ReadJSON reads one JSON value, with the order of members and the digits of numbers.
func ReadJSON(text []byte) (records.Value, error) {
	p := jsonText{rest: text}
	v, err := p.value(0)
	if err == nil && len(p.next()) > 0 {
		err = errors.New("there is more text after the value")
	}
	return v, err
}

// jsonText is what is left of a text in JSON.
type jsonText struct{ rest []byte }

var errJSON = errors.New("it isn't JSON")

// next skips white space, and shows what follows.
func (p *jsonText) next() []byte {
	for len(p.rest) > 0 && (p.rest[0] == ' ' || p.rest[0] == '\t' || p.rest[0] == '\n' || p.rest[0] == '\r') {
		p.rest = p.rest[1:]
	}
	return p.rest
}

// takes takes a sign, if it follows.
func (p *jsonText) takes(sign byte) bool {
	if rest := p.next(); len(rest) == 0 || rest[0] != sign {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *jsonText) value(depth int) (v records.Value, err error) {
	switch rest := p.next(); {
	case len(rest) == 0:
		return v, errJSON
	case rest[0] == '"':
		text, err := p.text()
		return records.TextOf(text), err
	case rest[0] == '[', rest[0] == '{':
		if depth == deepest {
			return v, errors.New("the value is nested too deeply")
		}
		return p.members(depth)
	}
	end := bytes.IndexAny(p.rest, ",]} \t\r\n")
	if end < 0 {
		end = len(p.rest)
	}
	word := string(p.rest[:end])
	p.rest = p.rest[end:]
	switch {
	case word == "null":
		return v, nil
	case word == "true", word == "false":
		return records.BoolOf(word == "true"), nil
	case records.IsNumber(word):
		return records.NumberOf(word), nil
	}
	return v, errJSON
}

// members reads a list or an object.
func (p *jsonText) members(depth int) (v records.Value, err error) {
	v.Kind = records.List
	end := byte(']')
	if p.rest[0] == '{' {
		v.Kind, end = records.Object, '}'
	}
	p.rest = p.rest[1:]
	if p.takes(end) {
		return v, nil
	}
	for {
		name := ""
		if v.Kind == records.Object {
			if rest := p.next(); len(rest) == 0 || rest[0] != '"' {
				return v, errJSON
			}
			if name, err = p.text(); err != nil {
				return v, err
			}
			if !p.takes(':') {
				return v, errJSON
			}
		}
		member, err := p.value(depth + 1)
		if err != nil {
			return v, err
		}
		if v.Kind == records.List {
			v.Items = append(v.Items, member)
		} else {
			v.Fields = append(v.Fields, records.Field{Name: name, Value: member})
		}
		switch {
		case p.takes(','):
		case p.takes(end):
			return v, nil
		default:
			return v, errJSON
		}
	}
}

// text reads a text. What is escaped in it, or wrong, is left to the standard library.
func (p *jsonText) text() (s string, err error) {
	plain := true
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '"':
			raw := p.rest[:i+1]
			p.rest = p.rest[i+1:]
			if plain {
				return string(raw[1:i]), nil
			}
			err := json.Unmarshal(raw, &s)
			return s, err
		case c == '\\':
			plain = false
			i++
		case c < ' ' || c >= 0x80:
			plain = false
		}
	}
	return "", errJSON
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
