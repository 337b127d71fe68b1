package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"laundromat/internal/fault"
	"laundromat/rdf/jsonld"
)

// jsonText reads a JSON text value by value, so that a page of any length is held one
// record at a time.
type jsonText struct {
	*json.Decoder
	bounded *boundedReader
}

// boundedReader ends the text where one value takes more than may be held.
type boundedReader struct {
	from       io.Reader
	left, most int64
	failed     error // that from gave, but the end
}

// elementFactor is how many bytes of memory a decoded value takes for each byte of
// its text, at most.
const elementFactor = 16

// json opens the page as JSON. A broken page that can be held is first read with recovery, and its
// faults are reported with their lines. Of a longer one all before the first fault is read.
func (r *reading) json() (*jsonText, error) {
	most := max(64<<10, r.opt.MaxMemory/elementFactor)
	text, err := r.soundText(most)
	if err != nil {
		return nil, err
	}
	bounded := &boundedReader{from: text, left: most, most: most}
	decoder := json.NewDecoder(bounded)
	decoder.UseNumber()
	return &jsonText{decoder, bounded}, nil
}

// soundText is the page as JSON without a fault, if it has at most so many bytes.
func (r *reading) soundText(most int64) (io.Reader, error) {
	var held bytes.Buffer
	_, err := io.CopyN(&held, r.text, most)
	switch {
	case err == nil: // there may be more
		return io.MultiReader(&held, r.text), nil
	case !errors.Is(err, io.EOF):
		return io.MultiReader(&held, failing{err}), nil
	case isSound(held.Bytes()):
		return &held, nil
	}
	if lines := bytes.Split(held.Bytes(), []byte("\n")); areRecords(lines) {
		return r.soundLines(lines)
	}
	var found []fault.Notice
	sound, err := jsonld.Sound(r.ctx, held.Bytes(), r.opt.MaxMemory/2, func(n fault.Notice) { found = append(found, n) })
	if fault.KindOf(err) == fault.Limit {
		return &held, nil // read as it is, up to the fault
	}
	if err != nil || sound == nil {
		return &held, err
	}
	for _, n := range found {
		r.brokenJSON(n)
	}
	return bytes.NewReader(sound), nil
}

// isSound says that a text is a value of JSON, or several.
func isSound(text []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(text))
	for n := 0; ; n++ {
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			return n > 0 && errors.Is(err, io.EOF)
		}
	}
}

// areRecords says that each line is a record of its own: more than one begins as an object, and the
// first that does is whole.
func areRecords(lines [][]byte) bool {
	begun := 0
	for _, line := range lines {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if line[0] != '{' || begun == 0 && !json.Valid(line) {
			return false
		}
		begun++
	}
	return begun > 1
}

// soundLines are lines of records as JSON without a fault. Those with one are read with recovery, each by itself.
func (r *reading) soundLines(lines [][]byte) (io.Reader, error) {
	var all bytes.Buffer
	for i, line := range lines {
		if !json.Valid(line) && len(bytes.TrimSpace(line)) > 0 {
			sound, err := jsonld.Sound(r.ctx, line, r.opt.MaxMemory/2, func(n fault.Notice) {
				n.Line = int64(i) + 1
				r.brokenJSON(n)
			})
			if err != nil && fault.KindOf(err) != fault.Limit {
				return nil, err
			}
			line = sound
		}
		all.Write(line)
		all.WriteByte('\n')
	}
	return &all, nil
}

// brokenJSON reports a fault in a page: what is lost may have been an entry.
func (r *reading) brokenJSON(n fault.Notice) {
	reason := Mended
	switch n.Severity {
	case fault.Drop:
		reason = Damaged
	case fault.Repair:
	default:
		return
	}
	r.refuse(r.doc.URI, reason, fmt.Sprintf("line %d, column %d: %s: %s", n.Line, n.Column, n.Code, n.Message))
}

func (b *boundedReader) Read(p []byte) (int, error) {
	if b.left <= 0 {
		b.failed = fault.New("catalog.Read", fault.Limit, fault.LimitMemory, "a record of more than %d bytes", b.most)
		return 0, b.failed
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if err != nil && err != io.EOF {
		b.failed = err
	}
	return n, err
}

// value decodes the next value into v.
func (t *jsonText) value(v any) error {
	t.bounded.left = t.bounded.most
	return t.Decode(v)
}

// hasMore says that another value follows the one that was read at the top. A text of several is one of
// JSON lines.
func (t *jsonText) hasMore() bool {
	t.bounded.left = t.bounded.most
	return t.More()
}

// skip skips the next value.
func (t *jsonText) skip() error {
	for depth := 0; ; {
		t.bounded.left = t.bounded.most
		token, err := t.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// members calls each for every key of the object whose brace was read; each reads the value.
func (t *jsonText) members(each func(key string) error) error {
	for t.More() {
		t.bounded.left = t.bounded.most
		key, err := t.Token()
		if err != nil {
			return err
		}
		if err := each(key.(string)); err != nil {
			return err
		}
	}
	_, err := t.Token()
	return err
}

// array calls each for every value of the array that comes next; each reads it.
func (t *jsonText) array(each func() error) error {
	token, err := t.open()
	switch {
	case err != nil || token == nil:
		return err
	case token != json.Delim('['):
		return errShape
	}
	return t.elements(each)
}

// elements is array after the bracket.
func (t *jsonText) elements(each func() error) error {
	for t.More() {
		if err := each(); err != nil {
			return err
		}
	}
	_, err := t.Token()
	return err
}

func (t *jsonText) open() (json.Token, error) {
	t.bounded.left = t.bounded.most
	return t.Token()
}

var errShape = errors.New("the JSON has another shape than such a catalog has")

// jsonErr gives an error of reading JSON its kind.
func jsonErr(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax), errors.As(err, &kind), errors.Is(err, errShape), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, io.EOF):
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return damaged("the JSON can't be read further: %w", err)
	}
	return err
}

// text is a value of JSON where people write strings, numbers, null, or lists of
// these, as it comes.
type text string

// UnmarshalJSON never fails: what is no text is "".
func (t *text) UnmarshalJSON(data []byte) error {
	*t = ""
	if len(data) == 0 {
		return nil
	}
	switch data[0] {
	case '"':
		var s string
		if err := json.Unmarshal(data, &s); err == nil {
			*t = text(s)
		}
	case '[':
		var list []text
		if err := json.Unmarshal(data, &list); err == nil {
			for _, item := range list {
				if item != "" {
					*t = item
					break
				}
			}
		}
	case '{', 'n':
	default:
		*t = text(data)
	}
	return nil
}

func (t text) String() string { return strings.TrimSpace(string(t)) }

// firstOf is the first text that is not empty.
func firstOf[T ~string](texts ...T) string {
	for _, t := range texts {
		if s := strings.TrimSpace(string(t)); s != "" {
			return s
		}
	}
	return ""
}
