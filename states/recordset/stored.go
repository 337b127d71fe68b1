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
	folder, err := os.MkdirTemp(s.Temp, "records-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	file := dump.File{Format: as, Writer: to}
	isFile := as != "jsonl" && as != "json" && as != "csv" && as != "tsv"
	if isFile {
		file.Writer, file.Path = nil, filepath.Join(folder, "records."+as)
	}
	out, err := dump.Open(dump.Options{Files: []dump.File{file}, Temp: folder})
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := s.read(as, out); err != nil {
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

func (s *Stored) read(as string, out records.Sink) error {
	drop := []string{PlaceLine, PlaceElement, PlaceTable, PlaceDetail}
	if s.Places {
		drop = nil
	}
	if as == "jsonl" || as == "csv" || as == "tsv" || len(s.Schema) == 0 {
		return dump.ReadLines(s.Lines, drop, out)
	}
	node, err := spec.Parse("schema", s.Schema)
	if err != nil {
		return fmt.Errorf("the schema of the records: %w", err)
	}
	typed, err := schema.Compile(node, schema.Options{Temp: s.Temp})
	if err != nil {
		return fmt.Errorf("the schema of the records: %w", err)
	}
	checker, err := typed.Check(out)
	if err != nil {
		return err
	}
	if err := dump.ReadLines(s.Lines, drop, checker); err != nil {
		return err
	}
	if err := checker.Settle(); err != nil {
		return err
	}
	return checker.Flush()
}
