package recordset

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/dump"
	"laundromat/records/schema"
	"laundromat/records/spec"
)

// Row is a record of a stored product, with where it comes from.
type Row struct {
	Number int64 // in the file, from 1
	Record records.Record
	Bytes  int // of its line
}

// Rows reads rows from one number on. With a table, only its rows are counted. The visitor says whether it wants more;
// the row is its own until it returns.
func (s *Stored) Rows(ctx context.Context, table string, from int64, visit func(*Row) (bool, error)) error {
	typed, err := s.typing()
	if err != nil {
		return err
	}
	in := bufio.NewReaderSize(s.Lines, 256<<10)
	wanted := from
	for number := int64(1); ; number++ {
		if number%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if table == "" && number < from {
			if err := skipLine(in); err != nil {
				return atEnd(err)
			}
			continue
		}
		line, err := readLine(in)
		if err != nil {
			return atEnd(err)
		}
		row := Row{Number: number, Bytes: len(line)}
		if row.Record, err = storedRecord(line); err != nil {
			return fmt.Errorf("line %d is no record: %w", number, err)
		}
		if table != "" {
			if row.Record.Table != table {
				continue
			}
			if wanted--; wanted > 0 {
				continue
			}
		}
		if err := typed.apply(&row.Record); err != nil {
			return err
		}
		if more, err := visit(&row); err != nil || !more {
			return err
		}
	}
}

func atEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// longestLine is the longest record that is read again, in bytes.
const longestLine = 64 << 20

// skipLine reads past a line.
func skipLine(in *bufio.Reader) error {
	for isBegun := false; ; isBegun = true {
		part, err := in.ReadSlice('\n')
		switch {
		case err == nil:
			return nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && (isBegun || len(part) > 0):
			return nil
		default:
			return err
		}
	}
}

// readLine reads a line, without its end. It is good until the next one.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		isLast := err == nil || errors.Is(err, io.EOF)
		switch {
		case err == nil:
			part = part[:len(part)-1]
		case errors.Is(err, bufio.ErrBufferFull):
		case !isLast || len(part) == 0 && len(line) == 0:
			return nil, err
		}
		if isLast && line == nil {
			return part, nil
		}
		if len(line)+len(part) > longestLine {
			return nil, fmt.Errorf("the line is longer than %d MiB", longestLine>>20)
		}
		if line = append(line, part...); isLast {
			return line, nil
		}
	}
}

// storedRecord is a record of a stored line. The fields that say where it comes from become its place.
func storedRecord(line []byte) (r records.Record, err error) {
	value, err := dump.ReadJSON(line)
	if err == nil && value.Kind != records.Object {
		err = errors.New("it is no object")
	}
	if err != nil {
		return r, err
	}
	r.Fields, r.Was = dump.Originals(value.Fields)
	kept := r.Fields[:0]
	for i := range r.Fields {
		switch f := r.Fields[i]; f.Name {
		case PlaceLine:
			fmt.Sscan(f.Value.Text, &r.Pos.Line)
		case PlaceElement:
			r.Element = f.Value.Text
		case PlaceTable:
			r.Table = f.Value.Text
		case PlaceDetail:
			r.Detail = f.Value.Text
		default:
			kept = append(kept, f)
		}
	}
	r.Fields = kept
	return r, nil
}

// typing gives values the types of a schema.
type typing struct {
	checker *schema.Checker
	came    *records.Record
}

// typing is that of the schema beside the records; nil without one.
func (s *Stored) typing() (*typing, error) {
	if len(s.Schema) == 0 {
		return nil, nil
	}
	node, err := spec.Parse("schema", s.Schema)
	if err != nil {
		return nil, fmt.Errorf("the schema of the records: %w", err)
	}
	compiled, err := schema.Compile(node, schema.Options{Temp: s.Temp})
	if err != nil {
		return nil, fmt.Errorf("the schema of the records: %w", err)
	}
	t := &typing{}
	t.checker, err = compiled.Check(t)
	return t, err
}

// Record takes what fits.
func (t *typing) Record(r *records.Record) error {
	t.came = r
	return nil
}

// Notice hears of what doesn't fit, which stays as it is written.
func (t *typing) Notice(fault.Notice) {}

func (t *typing) apply(r *records.Record) error {
	if t == nil {
		return nil
	}
	written := r.Clone()
	t.came = nil
	err := t.checker.Record(r)
	switch {
	case errors.Is(err, records.ErrLost), err == nil && t.came == nil:
		*r = *written
	case err != nil:
		return err
	default:
		*r = *t.came
	}
	return nil
}
