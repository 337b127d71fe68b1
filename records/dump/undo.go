package dump

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"laundromat/internal/fault"
	"laundromat/records"
)

// UndoOptions say what is given back. The zero value gives back everything.
type UndoOptions struct {
	Format string // of the file; empty: what its name ends in
	Rule   string // only what the rule of this name changed; empty: all rules
	Was    string // the file of originals; empty: the one next to the file
	// AsIs passes the records on as they are, with the originals of what rules changed.
	AsIs bool
}

// Undo reads a file that a [Sink] wrote as jsonl, json, csv or tsv. It passes its records on with
// the originals of what rules changed in their fields. What other rules changed stays among
// the originals. It returns how many fields were given back.
//
// Cells of CSV and TSV are text; an empty cell is an absent field (in CSV "" is an empty
// text). The originals themselves are of every kind. A file of originals that belongs to
// another table is refused.
func Undo(path string, opt UndoOptions, to records.Sink) (undone int64, err error) {
	if opt.Format == "" {
		opt.Format = FormatOf(path)
	}
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	u := &undo{name: path, rule: opt.Rule, asIs: opt.AsIs, to: to}
	switch opt.Format {
	case "jsonl", "json":
		err = u.lines(file, opt.Format == "json")
	case "csv", "tsv":
		if opt.Was == "" {
			opt.Was = path + originalsSuffix
		}
		err = u.table(file, opt)
	default:
		return 0, fmt.Errorf("%s: originals are given back of jsonl, json, csv and tsv", path)
	}
	return u.undone, err
}

// undo gives originals back.
type undo struct {
	name, rule string
	asIs       bool
	to         records.Sink
	undone     int64
	moot       map[string]int // the first original of each field that is given back, in a record
	record     records.Record
}

// restore puts originals into their fields, the latest first, and passes the record on.
func (u *undo) restore(was []records.Original) error {
	r := &u.record
	r.Was = r.Was[:0]
	if len(was) == 0 || u.asIs {
		r.Was = append(r.Was, was...)
		return u.to.Record(r)
	}
	if len(was) == 1 && (u.rule == "" || u.rule == was[0].Rule) {
		r.Set(was[0].Field, was[0].Value)
		u.undone++
		return u.to.Record(r)
	}
	if u.moot == nil {
		u.moot = map[string]int{}
	}
	moot := u.moot
	clear(moot)
	for i := len(was) - 1; i >= 0; i-- {
		if w := was[i]; u.rule == "" || u.rule == w.Rule {
			r.Set(w.Field, w.Value)
			moot[w.Field] = i
		}
	}
	for i, w := range was {
		if first, is := moot[w.Field]; !is || i < first {
			r.Was = append(r.Was, w)
		}
	}
	u.undone += int64(len(moot))
	return u.to.Record(r)
}

func (u *undo) broken(line int64, format string, args ...any) error {
	return fault.New("dump.Undo", fault.Data, fault.DumpUnreadable, "%s:%d: %w", u.name, line, fmt.Errorf(format, args...))
}

// lines gives back originals of JSON lines, or of an array with a line for each record.
func (u *undo) lines(file io.Reader, array bool) error {
	in := newLines(file)
	for in.next() {
		if array {
			in.line = bytes.TrimSuffix(bytes.TrimSpace(in.line), []byte{','})
			if len(in.line) < 2 || string(in.line) == "[]" { // its brackets
				continue
			}
		}
		if len(in.line) == 0 {
			continue
		}
		v, err := ReadJSON(in.line)
		if err == nil && v.Kind != records.Object {
			err = errors.New("it isn't an object")
		}
		if err != nil {
			return u.broken(in.number, "%w", err)
		}
		u.record = records.Record{Fields: v.Fields, Document: u.name, Pos: fault.Pos{Line: in.number, Column: 1, Offset: in.begin}}
		var was []records.Original
		if last := len(v.Fields) - 1; last >= 0 && v.Fields[last].Name == "was" {
			if kept, ok := originalsOf(v.Fields[last].Value); ok {
				was = kept
				u.record.Fields = v.Fields[:last]
			}
		}
		if err := u.restore(was); err != nil {
			return err
		}
	}
	return in.err
}

// originalsOf reads the member "was" of a record; false if it is a field of that name.
func originalsOf(v records.Value) (was []records.Original, ok bool) {
	if v.Kind != records.Object || len(v.Fields) == 0 {
		return nil, false
	}
	for i := range v.Fields {
		w := v.Fields[i].Value
		value, has := w.Get("value")
		rule, named := w.Get("rule")
		if !has || !named || len(w.Fields) != 2 || rule.Kind != records.Text {
			return nil, false
		}
		was = append(was, records.Original{Field: v.Fields[i].Name, Value: value, Rule: rule.Text})
	}
	return was, true
}

// table gives back originals of a table, from the file next to it.
func (u *undo) table(file *os.File, opt UndoOptions) error {
	beside, err := openOriginals(opt.Was, file)
	if err != nil {
		return err
	}
	defer beside.close()
	in := newCells(file, opt.Format == "tsv")
	if !in.next() {
		return u.cellsError(in)
	}
	names := make([]string, len(in.cells))
	for i := range in.cells {
		names[i] = in.cells[i].text
	}
	header, err := beside.of(0)
	if err != nil {
		return err
	}
	for _, w := range header { // names are no data: they are given back whatever the rule
		for i := range names {
			if names[i] == w.Field && w.Value.Kind == records.Text {
				names[i] = w.Value.Text
			}
		}
	}
	for number := int64(1); in.next(); number++ {
		if len(in.cells) > len(names) {
			return u.broken(in.line, "the row has %d cells, and the header %d", len(in.cells), len(names))
		}
		u.record = records.Record{Fields: u.record.Fields[:0], Was: u.record.Was[:0], Document: u.name,
			Pos: fault.Pos{Line: in.line, Column: 1}}
		for i, c := range in.cells {
			if c.kind == text {
				u.record.Fields = append(u.record.Fields, records.Field{Name: names[i], Value: records.TextOf(c.text)})
			}
		}
		was, err := beside.of(number)
		if err != nil {
			return err
		}
		if err := u.restore(was); err != nil {
			return err
		}
	}
	return u.cellsError(in)
}

func (u *undo) cellsError(in *cells) error {
	if in.err != nil && in.line > 0 {
		return u.broken(in.line, "%w", in.err)
	}
	return in.err
}

// beside reads a file of originals row by row.
type beside struct {
	file *os.File // nil if there is none
	name string
	in   *lines
	line originalLine
	held bool               // the line is of a later row
	was  []records.Original // of the row
}

// openOriginals opens the file of originals of a table. It is refused unless its last line
// has the hash of the table.
func openOriginals(path string, table *os.File) (*beside, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &beside{}, nil // nothing was changed
	}
	if err != nil {
		return nil, err
	}
	b := &beside{file: file, name: path}
	var last []byte
	for all := newLines(file); all.next(); {
		last = append(last[:0], all.line...)
	}
	var end struct{ Hash string }
	sum := sha256.New()
	if _, err = io.Copy(sum, io.NewSectionReader(table, 0, 1<<62)); err == nil {
		if json.Unmarshal(last, &end); end.Hash != "sha256:"+hex.EncodeToString(sum.Sum(nil)) {
			err = fault.New("dump.Undo", fault.Data, fault.DumpUnreadable,
				"%s holds the originals of another table than %s, or is not whole", path, filepath.Base(table.Name()))
		}
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	b.in = newLines(file)
	return b, nil
}

// of is the originals of a row, valid until the next call; rows are asked for in order.
func (b *beside) of(row int64) (was []records.Original, err error) {
	was = b.was[:0]
	for b.file != nil {
		if !b.held {
			if !b.in.next() {
				return was, b.in.err
			}
			if b.held, err = b.line.read(b.in.line); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", b.name, b.in.number, err)
			}
			continue // the last line has no row
		}
		if b.line.row > row {
			break
		}
		was = append(was, records.Original{Field: b.line.field, Value: b.line.value, Rule: b.line.rule})
		b.held = false
	}
	b.was = was
	return was, nil
}

func (b *beside) close() {
	if b.file != nil {
		b.file.Close()
	}
}

// lines reads lines that end in LF or CR LF.
type lines struct {
	in     *bufio.Scanner
	line   []byte
	number int64
	begin  int64 // of the line, in bytes
	after  int64
	err    error
}

// longestLine is the longest record that is read again.
const longestLine = 64 << 20

func newLines(from io.Reader) *lines {
	l := &lines{in: bufio.NewScanner(from)}
	l.in.Buffer(nil, longestLine)
	l.in.Split(func(data []byte, end bool) (int, []byte, error) {
		n, token, err := bufio.ScanLines(data, end)
		if n > 0 {
			l.begin = l.after
			l.after += int64(n)
		}
		return n, token, err
	})
	return l
}

func (l *lines) next() bool {
	if !l.in.Scan() {
		l.err = l.in.Err()
		return false
	}
	l.line = l.in.Bytes()
	l.number++
	return true
}
