// Package changes says what changed between two versions of records or articles, which are lines of JSON: those that
// went, those that came, and those of one key whose values are others. Lines are sorted outside the memory, so that a
// version may be of any length.
package changes

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"laundromat/internal/linesort"
)

// Side is one of the two versions.
type Side int

// The two versions.
const (
	Before Side = iota
	After
)

// Output takes what changed, in the order of the keys. The lines are valid until the call returns.
type Output interface {
	Removed(line []byte) error
	Added(line []byte) error
	Changed(before, after []byte) error
}

// Counts are the sums: After is Before - Removed + Added.
type Counts struct {
	Before  int64 `json:"before"`
	After   int64 `json:"after"`
	Removed int64 `json:"removed"`
	Added   int64 `json:"added"`
	Changed int64 `json:"changed"`
}

// Same says that nothing changed but the order.
func (c *Counts) Same() bool { return c.Removed+c.Added+c.Changed == 0 }

// Options of a comparison.
type Options struct {
	// Key are the fields by which a line is known. A line without one of them is known as a whole, and so are lines of
	// a key that comes twice in a version.
	Key    []string
	Memory int64
	Temp   string
}

// LineError says that a line of a version isn't an object of JSON.
type LineError struct {
	Side Side
	Line int64 // from 1
	Err  error
}

// Error names the line.
func (e *LineError) Error() string {
	return fmt.Sprintf("line %d isn't an object of JSON: %s", e.Line, e.Err)
}

// Unwrap is what is wrong with it.
func (e *LineError) Unwrap() error { return e.Err }

// Compare compares two versions.
func Compare(ctx context.Context, before, after io.Reader, to Output, o Options) (Counts, error) {
	c := &comparison{options: o, to: to, sorter: linesort.New(linesort.Options{Memory: o.Memory, Temp: o.Temp, Workers: 1})}
	defer c.sorter.Close()
	for side, in := range [...]io.Reader{Before: before, After: after} {
		if err := c.read(ctx, Side(side), in); err != nil {
			return c.counts, err
		}
	}
	_, err := c.sorter.Write(ctx, func(int) string { return "" }, c.line)
	if err == nil {
		err = c.endLine()
	}
	if err == nil {
		err = c.endKey()
	}
	return c.counts, err
}

// comparison is one run of Compare. A line is sorted as its key, itself, and its side with its number. What differs of
// a key is held as long as it may be one change of it.
type comparison struct {
	options Options
	to      Output
	sorter  *linesort.Sorter
	counts  Counts
	sorted  []byte // a line of the sort, while it is made

	key, at []byte   // of the lines that come now
	met     [2]int64 // how often the line came, by side
	held    [2][]byte
	isHeld  [2]bool
	isMany  bool // more of the key differs than one line a side
}

// separator is between the parts of a line of the sort. JSON without white space has none.
const separator = '\t'

// tailSize is the length of the last part.
const tailSize = 1 + 1 + 16

func (c *comparison) read(ctx context.Context, side Side, in io.Reader) error {
	lines := bufio.NewReaderSize(in, 64<<10)
	var compact bytes.Buffer
	for n := int64(1); ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if len(bytes.TrimSpace(line)) > 0 {
			compact.Reset()
			var fields map[string]json.RawMessage
			bad := json.Compact(&compact, line)
			if bad == nil {
				bad = json.Unmarshal(compact.Bytes(), &fields)
			}
			if bad == nil && fields == nil {
				bad = errors.New("it is null")
			}
			if bad != nil {
				return &LineError{side, n, bad}
			}
			c.sorted = c.appendKey(c.sorted[:0], fields, compact.Bytes())
			c.sorted = append(append(c.sorted, separator), compact.Bytes()...)
			c.sorted = fmt.Appendf(c.sorted, "%c%d%016x", separator, side, n)
			if err := c.sorter.Add(int(side), c.sorted); err != nil {
				return err
			}
			if side == Before {
				c.counts.Before++
			} else {
				c.counts.After++
			}
		}
		if err != nil {
			return nil
		}
	}
}

// appendKey appends what a line is known by.
func (c *comparison) appendKey(to []byte, fields map[string]json.RawMessage, line []byte) []byte {
	begin := len(to)
	to = append(to, 'k')
	for _, name := range c.options.Key {
		value, ok := fields[name]
		if !ok || string(value) == "null" {
			to = to[:begin]
			break
		}
		to = append(append(to, value...), ',')
	}
	if len(to) <= begin+1 {
		return append(append(to[:begin], 'w'), line...)
	}
	return to
}

// line takes a line of the sort.
func (c *comparison) line(sorted []byte) error {
	key, rest, _ := bytes.Cut(sorted, []byte{separator})
	at, tail := rest[:len(rest)-tailSize], rest[len(rest)-tailSize:]
	isOther := !bytes.Equal(key, c.key)
	if isOther || !bytes.Equal(at, c.at) {
		if err := c.endLine(); err != nil {
			return err
		}
		c.at = append(c.at[:0], at...)
	}
	if isOther {
		if err := c.endKey(); err != nil {
			return err
		}
		c.key = append(c.key[:0], key...)
	}
	c.met[tail[1]-'0']++
	return nil
}

// endLine takes what came of one line: as often as it came more in one version, it differs there.
func (c *comparison) endLine() error {
	more := c.met[After] - c.met[Before]
	c.met = [2]int64{}
	side := After
	if more < 0 {
		side, more = Before, -more
	}
	for ; more > 0; more-- {
		if !c.isMany && !c.isHeld[side] && len(c.key) > 0 && c.key[0] == 'k' {
			c.held[side], c.isHeld[side] = append(c.held[side][:0], c.at...), true
			continue
		}
		c.isMany = true
		if err := c.release(); err != nil {
			return err
		}
		if err := c.tell(side, c.at); err != nil {
			return err
		}
	}
	return nil
}

// endKey ends the lines of a key: one that went and one that came are a change.
func (c *comparison) endKey() (err error) {
	if c.isHeld[Before] && c.isHeld[After] {
		c.counts.Changed++
		c.isHeld = [2]bool{}
		err = c.to.Changed(c.held[Before], c.held[After])
	} else {
		err = c.release()
	}
	c.isMany = false
	return err
}

// release tells what is held as lines of their own.
func (c *comparison) release() error {
	for side := range c.held {
		if c.isHeld[side] {
			c.isHeld[side] = false
			if err := c.tell(Side(side), c.held[side]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *comparison) tell(side Side, line []byte) error {
	if side == Before {
		c.counts.Removed++
		return c.to.Removed(line)
	}
	c.counts.Added++
	return c.to.Added(line)
}
