package recordset

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"laundromat/records"
	"laundromat/records/dump"
	"laundromat/records/schema"
	"laundromat/records/spec"
)

// Stored is the file of the product records, read again.
type Stored struct {
	Lines  io.Reader
	Schema []byte // the Table Schema beside it; nil without
	// Places keeps the fields that say where a record comes from.
	Places bool
	Temp   string // the folder of what is held
}

// Write writes the records in one of [dump.Formats]. In JSON lines, CSV and TSV, values are as they are written. In all
// others they are of the types of the schema; what does not fit stays as it is written.
func (s *Stored) Write(as string, to io.Writer) error {
	drop := []string{PlaceLine, PlaceElement, PlaceTable, PlaceDetail}
	if s.Places {
		drop = nil
	}
	return Writing{As: as, Schema: s.Schema, Temp: s.Temp}.Write(to, func(out records.Sink) error {
		return dump.ReadLines(s.Lines, drop, out)
	})
}

// Writing says how stored records are written again.
type Writing struct {
	As     string // one of [dump.Formats]
	Schema []byte // a Table Schema, of which their values are; nil: none is known
	Temp   string // the folder of what is held
}

// IsTyped says that a format of [dump.Formats] has types.
func IsTyped(format string) bool { return format != "jsonl" && format != "csv" && format != "tsv" }

// Write writes the records that fill gives.
func (w Writing) Write(to io.Writer, fill func(records.Sink) error) error {
	folder, err := os.MkdirTemp(w.Temp, "records-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	file := dump.File{Format: w.As, Writer: to}
	isFile := IsTyped(w.As) && w.As != "json"
	if isFile {
		file.Writer, file.Path = nil, filepath.Join(folder, "records."+w.As)
	}
	out, err := dump.Open(dump.Options{Files: []dump.File{file}, Temp: folder})
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := w.typed(out, fill); err != nil {
		return err
	}
	if err := out.Close(); err != nil || !isFile {
		return err
	}
	made, err := os.Open(file.Path)
	if err != nil {
		return err
	}
	defer made.Close()
	_, err = io.Copy(to, made)
	return err
}

// typed gives the values of records the types of the schema, where the format has types.
func (w Writing) typed(out records.Sink, fill func(records.Sink) error) error {
	if !IsTyped(w.As) || len(w.Schema) == 0 {
		return fill(out)
	}
	node, err := spec.Parse("schema", w.Schema)
	if err != nil {
		return fmt.Errorf("the schema of the records: %w", err)
	}
	typed, err := schema.Compile(node, schema.Options{Temp: w.Temp})
	if err != nil {
		return fmt.Errorf("the schema of the records: %w", err)
	}
	checker, err := typed.Check(out)
	if err != nil {
		return err
	}
	if err := fill(checker); err != nil {
		return err
	}
	if err := checker.Settle(); err != nil {
		return err
	}
	return checker.Flush()
}
