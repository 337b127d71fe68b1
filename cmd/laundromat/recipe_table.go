package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"

	"laundromat/internal/linesort"
	"laundromat/internal/outfile"
	"laundromat/records"
	"laundromat/records/dump"
	"laundromat/seedlist"
	"laundromat/states/recordset"
	"laundromat/states/recordtables"
	"laundromat/web"
)

// recipeTable is the records of all documents of a recipe, as the API gives them.
type recipeTable struct {
	u      *ui
	name   string
	in     *json.Decoder
	schema []byte
	line   web.TableLine // that was read ahead
	sums   recordtables.TableSums
	close  func()
}

// openTable asks for the table of a recipe, in a format of records or, where that is "", as lines.
func openTable(ctx context.Context, u *ui, name, as string, places bool) (*recipeTable, error) {
	if !seedlist.IsRecipeName(name) {
		return nil, usage("%q isn't the name of a recipe: %w", name, seedlist.ErrRecipeName)
	}
	api, err := connect(ctx, u, toRead)
	if err != nil {
		return nil, err
	}
	query := url.Values{"accounted": {"true"}}
	if places {
		query.Set("places", "true")
	}
	if as != "" && recordset.IsTyped(as) {
		query.Set("schema", "true")
	}
	stream, err := api.Open(ctx, "/recipes/"+name+"/records", query)
	if err != nil {
		return nil, errors.Join(err, api.Close())
	}
	t := &recipeTable{u: u, name: name, in: json.NewDecoder(stream), close: func() {
		stream.Close()
		api.Close()
	}}
	if err := t.next(); err != nil {
		t.close()
		return nil, err
	}
	if t.schema = slices.Clone([]byte(t.line.Schema)); t.schema != nil {
		err = t.next()
	}
	if err != nil {
		t.close()
	}
	return t, err
}

// next reads a line.
func (t *recipeTable) next() error {
	t.line = web.TableLine{}
	err := t.in.Decode(&t.line)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the records of %s came to an end before their sums: not all are here", t.name)
	}
	return err
}

// rows gives each row as a line of JSON, which is good until the next one. What can't be read is told.
func (t *recipeTable) rows(visit func(row []byte) error) error {
	for {
		switch line := &t.line; {
		case line.Sums != nil:
			t.sums = *line.Sums
			return nil
		case line.Unread != nil:
			fmt.Fprintf(t.u.err, "laundromat: the records of %s can't be read: %s\n", line.Unread.Name, line.Unread.Problem)
		case line.Row != nil:
			if err := visit(line.Row); err != nil {
				return err
			}
		}
		if err := t.next(); err != nil {
			return err
		}
	}
}

// write writes the rows in a format of records.
func (t *recipeTable) write(as string, to io.Writer) error {
	writing := recordset.Writing{As: as, Schema: t.schema}
	return writing.Write(to, func(out records.Sink) error {
		return t.rows(func(row []byte) error { return dump.ReadLines(bytes.NewReader(append(row, '\n')), nil, out) })
	})
}

// tell says what became of the documents, and of their records. Its error is that some could not be read.
func (t *recipeTable) tell(output string) error {
	s := &t.sums
	if t.u.json && output != "" && output != "-" {
		if err := encodeTo(t.u.out, s); err != nil {
			return err
		}
	} else {
		t.u.note("%s: %s", t.name, tableWords(s))
	}
	if s.Unread > 0 {
		return exit(exitFailed, fmt.Errorf("the records of %s can't be read; \"laundromat verify\" says more",
			counted(int(s.Unread), "document", "documents")))
	}
	return nil
}

func tableWords(s *recordtables.TableSums) string {
	words := fmt.Sprintf("%s = %d read + %d without records + %d unread; %s = %s + %d joined",
		counted(int(s.Documents), "document", "documents"), s.Read, s.Without, s.Unread,
		counted(int(s.Records), "record", "records"), counted(int(s.Rows), "row", "rows"), s.Joined)
	if s.Waiting > 0 {
		words += fmt.Sprintf("; %s no record of the page of its details", counted(int(s.Waiting), "row has", "rows have"))
	}
	return words
}

// getTable writes the records of all documents of a recipe.
func (o *getOptions) getTable(ctx context.Context, u *ui) error {
	as := o.as
	if as == "" {
		as = "jsonl"
	}
	t, err := openTable(ctx, u, o.recipe, as, o.places)
	if err != nil {
		return err
	}
	return t.writeTo(as, o.output)
}

// writeTo writes the table into a file, or where there is none, to standard output, and closes it.
func (t *recipeTable) writeTo(as, output string) error {
	defer t.close()
	if err := t.u.writeWhole(output, func(out io.Writer) error { return t.write(as, out) }); err != nil {
		return err
	}
	return t.tell(output)
}

// uniqueRecords writes the records of all documents of a recipe as sorted lines of JSON, each once.
func uniqueRecords(ctx context.Context, u *ui, o *uniqueOptions) error {
	t, err := openTable(ctx, u, o.records, "", false)
	if err != nil {
		return err
	}
	defer t.close()
	sorter := linesort.New(linesort.Options{Memory: o.memory - outputMemory, Temp: o.temp, Workers: o.lines.Workers})
	defer sorter.Close()
	if err := t.rows(func(row []byte) error { return sorter.Add(0, row) }); err != nil {
		return err
	}
	out := outfile.Stream(u.out)
	if o.output != "" && o.output != "-" {
		if out, err = o.lines.Create(o.output); err != nil {
			return err
		}
	}
	defer out.Abort()
	written := int64(0)
	_, err = sorter.Write(ctx, nil, func(line []byte) error {
		written++
		return out.Line(line)
	})
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		return err
	}
	if !u.json {
		u.note("%s read = %d written + %d that were there before", counted(int(t.sums.Rows), "row", "rows"), written, t.sums.Rows-written)
	}
	return t.tell(o.output)
}
