// Package interchange writes a whole seed list as JSON lines, for people and programs, and reads it back: seeds
// with their
// titles, claims, settings and states, catalogs, attempts, the settings of hosts, contexts and sums. A list that is
// read
// from what was written of another is equal to it, whatever store it is in.
//
// The first line is a [Head], the last an [End]; each other line is a row, in the order of [seedlist.Parts]. The
// files of
// documents are not part of it.
package interchange

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"laundromat/seedlist"
)

// Layout is the version of the form.
const Layout = 1

// Head is the first line.
type Head struct {
	Layout   int    `json:"seed_list"` // [Layout]
	Washer   string `json:"washer"`    // the version of the program that wrote it
	Revision uint64 `json:"revision"`  // that of the list
	Written  string `json:"written"`   // the time, as RFC 3339 has it
}

// End is the last line.
type End struct {
	Rows map[seedlist.Part]int64 `json:"rows"`
}

// line is a row as it is written.
type line struct {
	Part   seedlist.Part   `json:"part"`
	Number uint64          `json:"number,omitempty"`
	Other  uint64          `json:"other,omitempty"`
	Name   string          `json:"name,omitempty"`
	Hash   string          `json:"hash,omitempty"`
	Moves  *seedlist.Moves `json:"moves,omitempty"`
	Flag   bool            `json:"flag,omitempty"`
	Sums   *[3]int64       `json:"sums,omitempty"`
	// Data is the record, the catalog, the attempt, the settings or the context.
	Data json.RawMessage `json:"data,omitempty"`
	More []byte          `json:"more,omitempty"` // in base64
}

// maxLine is the longest line, in bytes: a context of JSON-LD is at most a few megabytes.
const maxLine = 64 << 20

// SecretsError says that URIs of the list hold users and passwords.
type SecretsError struct{ Rows int64 }

// Error says in how many rows.
func (e *SecretsError) Error() string {
	return fmt.Sprintf("%d rows of the list hold users or passwords of URIs", e.Rows)
}

// FindSecrets returns a [SecretsError] where a row holds the user or the password of a URI.
func FindSecrets(ctx context.Context, list seedlist.RowSource) error {
	var found int64
	for _, part := range seedlist.Parts() {
		err := seedlist.EachRows(ctx, list, part, seedlist.Place{}, func(rows []seedlist.Row) error {
			for i := range rows {
				if data := string(rows[i].Data); seedlist.ShownIn(data) != data {
					found++
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if found > 0 {
		return &SecretsError{found}
	}
	return nil
}

// Write writes the list. Nothing may be at work on it.
func Write(ctx context.Context, list seedlist.RowSource, to io.Writer, head Head) (End, error) {
	end := End{Rows: map[seedlist.Part]int64{}}
	out := bufio.NewWriterSize(to, 64<<10)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	head.Layout = Layout
	if err := encoder.Encode(head); err != nil {
		return end, err
	}
	for _, part := range seedlist.Parts() {
		err := seedlist.EachRows(ctx, list, part, seedlist.Place{}, func(rows []seedlist.Row) error {
			for i := range rows {
				if err := encoder.Encode(lineOf(part, &rows[i])); err != nil {
					return fmt.Errorf("%s %s: %w", part, rows[i].Hash, err)
				}
			}
			end.Rows[part] += int64(len(rows))
			return nil
		})
		if err != nil {
			return end, err
		}
	}
	if err := encoder.Encode(end); err != nil {
		return end, err
	}
	return end, out.Flush()
}

func lineOf(part seedlist.Part, row *seedlist.Row) *line {
	l := &line{Part: part, Number: row.Number, Other: row.Other, Name: row.Name, Hash: row.Hash, Flag: row.Flag,
		Data: row.Data, More: row.More}
	if part == seedlist.PartSeeds {
		l.Moves = &row.Moves
	}
	if row.Sums != [3]int64{} {
		l.Sums = &row.Sums
	}
	return l
}

func (l *line) row() seedlist.Row {
	row := seedlist.Row{Place: seedlist.Place{Number: l.Number, Other: l.Other, Name: l.Name}, Hash: l.Hash, Flag: l.Flag,
		Data: l.Data, More: l.More}
	if l.Moves != nil {
		row.Moves = *l.Moves
	}
	if l.Sums != nil {
		row.Sums = *l.Sums
	}
	return row
}

// LineError is a fault of the text.
type LineError struct {
	Line int64
	Err  error
}

// Error names the line.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// Faults of a text, within a [LineError].
var (
	errCut    = errors.New("the text ends before its last line, which says how many rows there are")
	errAfter  = errors.New("there is more after the last line")
	errOrder  = errors.New("the rows are out of order")
	errLayout = errors.New("a seed list of another layout")
)

// ErrNotEmpty refuses a list that has seeds or catalogs.
var ErrNotEmpty = errors.New("the seed list isn't empty")

// CheckEmpty refuses a list that has seeds or catalogs with [ErrNotEmpty].
func CheckEmpty(ctx context.Context, list seedlist.List) error {
	counts, err := list.Counts(ctx)
	if err != nil {
		return err
	}
	if counts.Seeds > 0 {
		return fmt.Errorf("%w: it has %d seeds", ErrNotEmpty, counts.Seeds)
	}
	catalogs, _, err := list.Catalogs(ctx, "", 1)
	if err == nil && len(catalogs) > 0 {
		err = fmt.Errorf("%w: it has catalogs", ErrNotEmpty)
	}
	return err
}

// IsHead reports whether a line is the first of a seed list.
func IsHead(text []byte) bool {
	var head struct {
		Layout *int `json:"seed_list"`
	}
	return json.Unmarshal(text, &head) == nil && head.Layout != nil
}

// Read reads what [Write] wrote into an empty list, in steps of a thousand rows. A list into which the same text
// was begun
// to be read goes on where that ended. Until the last line was read, the list is refused to all other uses
// ([seedlist.ErrUnfinished]).
func Read(ctx context.Context, from io.Reader, to seedlist.RowTarget) (End, error) {
	r := &reader{ctx: ctx, to: to, lines: bufio.NewScanner(from), end: End{Rows: map[seedlist.Part]int64{}}, part: seedlist.Parts()[0]}
	r.lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	err := r.whole()
	if failure := r.lines.Err(); err == nil || errors.Is(err, errCut) && failure != nil {
		err = errors.Join(err, failure)
	}
	return r.end, err
}

type reader struct {
	ctx   context.Context
	to    seedlist.RowTarget
	lines *bufio.Scanner
	n     int64 // of the line
	came  *seedlist.Copying
	part  seedlist.Part // of the rows
	rows  []seedlist.Row
	end   End
}

func (r *reader) next() ([]byte, error) {
	if !r.lines.Scan() {
		return nil, &LineError{r.n + 1, errCut}
	}
	r.n++
	return r.lines.Bytes(), nil
}

func (r *reader) whole() error {
	text, err := r.next()
	if err != nil {
		return err
	}
	var head Head
	if err := json.Unmarshal(text, &head); err != nil {
		return &LineError{r.n, err}
	}
	if head.Layout != Layout {
		return &LineError{r.n, fmt.Errorf("%w: %d, and this program reads %d", errLayout, head.Layout, Layout)}
	}
	if err := r.begin(&head); err != nil {
		return err
	}
	for {
		text, err := r.next()
		if err != nil {
			return err
		}
		var end End
		if bytes.HasPrefix(text, []byte(`{"rows":`)) {
			if err := json.Unmarshal(text, &end); err != nil {
				return &LineError{r.n, err}
			}
			return r.finish(&end)
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return &LineError{r.n, err}
		}
		if err := r.add(&l); err != nil {
			return err
		}
	}
}

// begin marks the list, or finds the mark of an earlier call.
func (r *reader) begin(head *Head) error {
	name := fmt.Sprintf("a text of %s, of revision %d", head.Written, head.Revision)
	came, err := r.to.Came(r.ctx)
	if err != nil {
		return err
	}
	if came != nil {
		if came.From != name {
			return fmt.Errorf("%w: it holds an unfinished copy of %s, and this is %s", ErrNotEmpty, came.From, name)
		}
		r.came = came
		return nil
	}
	if err := CheckEmpty(r.ctx, r.to); err != nil {
		return err
	}
	return r.to.SetCopying(r.ctx, &seedlist.Copying{From: name, Part: seedlist.PartSeeds})
}

// add takes a row. Those that an earlier call wrote are only counted.
func (r *reader) add(l *line) error {
	parts := seedlist.Parts()
	at, now := slices.Index(parts, r.part), slices.Index(parts, l.Part)
	if now < at {
		return &LineError{r.n, errOrder}
	}
	if l.Part != r.part {
		if err := r.flush(); err != nil {
			return err
		}
		r.part = l.Part
	}
	r.end.Rows[l.Part]++
	if r.came != nil {
		before := slices.Index(parts, r.came.Part)
		if now < before || now == before && (seedlist.Place{Number: l.Number, Other: l.Other, Name: l.Name}).Compare(r.came.At) <= 0 {
			return nil
		}
	}
	r.rows = append(r.rows, l.row())
	if len(r.rows) < seedlist.RowsAtOnce {
		return nil
	}
	return r.flush()
}

func (r *reader) flush() error {
	if len(r.rows) == 0 {
		return nil
	}
	err := r.to.PutRows(r.ctx, r.part, r.rows)
	r.rows = r.rows[:0]
	return err
}

// finish holds the number of rows against what was read, and lets the list be used.
func (r *reader) finish(end *End) error {
	if r.lines.Scan() {
		return &LineError{r.n + 1, errAfter}
	}
	if err := r.flush(); err != nil {
		return err
	}
	if !maps.Equal(end.Rows, r.end.Rows) {
		return &LineError{r.n, fmt.Errorf("the last line names %v, and the text has %v", end.Rows, r.end.Rows)}
	}
	return r.to.SetCopying(r.ctx, nil)
}
