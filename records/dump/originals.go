package dump

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"

	"laundromat/internal/fault"
	"laundromat/records"
)

// originalsSuffix is what the file of originals is called after the name of its table.
const originalsSuffix = ".was.jsonl"

// originals writes the file of originals for a table. It has a line for each changed cell,
// in the order of the rows. The last line names the table and its hash.
//
//	{"row":2,"field":"price","value":"1,50","rule":"number"}
//	{"table":"prices.csv","bytes":120,"hash":"sha256:…"}
//
// A table without changes has no such file. One that is there from an earlier run is removed.
type originals struct {
	target *target // the table
	to     io.Writer
	tell   func(fault.Notice)
	file   *target // nil before the first line
	out    *bufio.Writer
	line   []byte
}

// keep writes the originals of a row.
func (o *originals) keep(r *row) error {
	for i := range r.was {
		if err := o.add(r.number, r.was[i]); err != nil {
			return err
		}
	}
	return nil
}

func (o *originals) add(number int64, w original) error {
	if o.out == nil {
		if err := o.begin(); err != nil {
			return err
		}
	}
	o.line = append(strconv.AppendInt(append(o.line[:0], `{"row":`...), number, 10), `,"field":`...)
	o.line = append(records.AppendJSONText(o.line, w.field), `,"value":`...)
	o.line = append(append(o.line, w.value...), `,"rule":`...)
	o.line = append(records.AppendJSONText(o.line, w.rule), '}', '\n')
	_, err := o.out.Write(o.line)
	return err
}

func (o *originals) begin() error {
	switch {
	case o.target.path != "":
		file, err := createTarget(File{Path: o.target.path + originalsSuffix}, "")
		if err != nil {
			return err
		}
		o.file, o.out = file, file.out
	case o.to != nil:
		o.out = bufio.NewWriter(o.to)
	default:
		o.out = bufio.NewWriter(io.Discard)
		o.tell(fault.Notice{Code: fault.DumpOriginals, Severity: fault.Warning,
			Message: "the table has no file beside it for the originals of what was changed; they are not written"})
	}
	return nil
}

// complete writes the last line, when the table is complete.
func (o *originals) complete(table string) error {
	if o.out == nil {
		return nil
	}
	if o.file == nil {
		return o.out.Flush()
	}
	o.line = append(records.AppendJSONText(append(o.line[:0], `{"table":`...), table), `,"bytes":`...)
	o.line = append(strconv.AppendInt(o.line, o.target.size, 10), `,"hash":`...)
	o.line = append(records.AppendJSONText(o.line, o.target.hash), '}', '\n')
	if _, err := o.out.Write(o.line); err != nil {
		return err
	}
	return o.file.complete()
}

// rename gives the file its name, when the table has its own.
func (o *originals) rename() error {
	if o.file != nil {
		return o.file.rename()
	}
	if o.target.path == "" {
		return nil
	}
	if err := os.Remove(o.target.path + originalsSuffix); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (o *originals) abort() {
	if o.file != nil {
		o.file.abort()
	}
}
