package recordtables

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/files"
	"laundromat/internal/linesort"
	"laundromat/records"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
	"laundromat/states/recordset"
)

// Table is the records of all documents of a recipe, as one table: a row for each record. The record of a page of
// details is a part of the row whose record names that page; where none does, it is a row of its own.
type Table struct {
	Recipe string
	Seeds  interface {
		// Record is that of a hash, without links: see [seedlist.Reader].
		Record(ctx context.Context, hash string) (seedlist.Seed, error)
	}
	Files files.Opener
	// Documents visits the documents that the recipe was found for, each once, in the order of the list.
	Documents func(ctx context.Context, visit func(*seedlist.Seed) error) error
	// Unread is told each document whose records can't be read. Its error ends the reading.
	Unread func(Unread) error
	// Places adds to each row where it comes from.
	Places bool
	// Name is how people know a document; it is asked for with Places and for Unread.
	Name func(ctx context.Context, seed *seedlist.Seed) string
	Temp string // the folder of what is held
}

// Unread is a document whose records can't be read. No row has any of them.
type Unread struct {
	Hash    string `json:"hash"`
	Name    string `json:"name"`
	Problem string `json:"problem"`
}

// TableSums are what became of the documents of a table, and of their records.
type TableSums struct {
	// Documents are those that the recipe was found for: those whose records were Read, those Without any, and those
	// Unread.
	Documents int64 `json:"documents"`
	Read      int64 `json:"read"`
	Without   int64 `json:"without"`
	Unread    int64 `json:"unread"`
	// Records are those of the documents that were read: a row each, but for those Joined, which are a part of the
	// rows of others.
	Records int64 `json:"records"`
	Joined  int64 `json:"joined"`
	Rows    int64 `json:"rows"`
	// Waiting are rows that name a page of details, of which there are no records.
	Waiting int64 `json:"waiting"`
}

// SourceField is the field of a row that says of which document it is.
const SourceField = "_source"

// Read gives the rows to a function, in the order of the documents. Those of pages of details that no row names come
// last.
func (t *Table) Read(ctx context.Context, to func(*records.Record) error) (sums TableSums, err error) {
	r := tableReading{Table: t, to: to}
	r.details = linesort.New(linesort.Options{Memory: detailMemory, Temp: t.Temp, Workers: 1})
	defer r.details.Close()
	if err := t.Documents(ctx, func(seed *seedlist.Seed) error { return r.document(ctx, seed) }); err != nil {
		return r.sums, err
	}
	err = r.settleDetails(ctx)
	return r.sums, err
}

const (
	// detailMemory is for the keys of pages of details; what does not fit goes to the disk.
	detailMemory = 8 << 20
	// mostHeld is how much of a file of records is held; a longer one is read twice.
	mostHeld = 1 << 20
)

// The marks of pages of details, behind their keys: that the page is there, and that its record is a part of a row.
const (
	markThere  = " a"
	markJoined = " b"
)

// tableReading is one reading of a table.
type tableReading struct {
	*Table
	to      func(*records.Record) error
	sums    TableSums
	details *linesort.Sorter // keys of pages of details, each with its mark
}

// isDetail says that a page holds the details of a record of another.
func (r *tableReading) isDetail(seed *seedlist.Seed) bool {
	return seed.PageOf() == r.Recipe && seed.Page.Detail
}

func (r *tableReading) document(ctx context.Context, seed *seedlist.Seed) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.isDetail(seed) {
		return r.details.Add(0, []byte(seed.Hash+markThere))
	}
	return r.rows(ctx, seed)
}

// rows gives the records of a document as rows.
func (r *tableReading) rows(ctx context.Context, seed *seedlist.Seed) error {
	r.sums.Documents++
	source := ""
	if r.Places {
		source = r.Name(ctx, seed)
	}
	is, err := r.records(ctx, seed, func(row *recordset.Row) error {
		r.sums.Records++
		return r.row(ctx, &row.Record, source)
	})
	if err != nil {
		return err
	}
	r.count(is)
	return nil
}

// standing is what became of the records of a document.
type standing uint8

const (
	isRead standing = iota
	isWithout
	isUnread
)

func (r *tableReading) count(is standing) {
	switch is {
	case isRead:
		r.sums.Read++
	case isWithout:
		r.sums.Without++
	default:
		r.sums.Unread++
	}
}

// row gives one row.
func (r *tableReading) row(ctx context.Context, rec *records.Record, source string) error {
	if rec.Detail != "" {
		if err := r.join(ctx, rec); err != nil {
			return err
		}
	}
	if r.Places {
		r.place(rec, source)
	}
	r.sums.Rows++
	if err := r.to(rec); !errors.Is(err, records.ErrLost) {
		return err
	}
	return nil
}

func (r *tableReading) place(rec *records.Record, source string) {
	rec.Set(SourceField, records.TextOf(source))
	if rec.Pos.Line > 0 {
		rec.Set(recordset.PlaceLine, records.IntOf(rec.Pos.Line))
	}
	for _, of := range []struct{ name, text string }{
		{recordset.PlaceElement, rec.Element}, {recordset.PlaceTable, rec.Table}, {recordset.PlaceDetail, rec.Detail},
	} {
		if of.text != "" {
			rec.Set(of.name, records.TextOf(of.text))
		}
	}
}

// join adds the fields of a record's own page that it has not itself.
func (r *tableReading) join(ctx context.Context, rec *records.Record) error {
	seed, err := r.Seeds.Record(ctx, seedlist.Key(rec.Detail))
	if errors.Is(err, seedlist.ErrNotFound) {
		r.sums.Waiting++
		return nil
	}
	if err != nil {
		return err
	}
	if !r.isDetail(&seed) || seed.Recipe == nil || seed.Recipe.Name != r.Recipe {
		r.sums.Waiting++
		return nil
	}
	detail, err := r.detail(ctx, &seed)
	if err != nil {
		return err
	}
	if detail == nil {
		r.sums.Waiting++
		return nil
	}
	for _, f := range detail.Fields {
		if rec.Field(f.Name) != nil {
			continue
		}
		rec.Fields = append(rec.Fields, f)
		for _, was := range detail.Was {
			if was.Field == f.Name {
				rec.Was = append(rec.Was, was)
			}
		}
	}
	return r.details.Add(0, []byte(seed.Hash+markJoined))
}

// errSeveral says that a page of details has more than the record that can be joined.
var errSeveral = errors.New("the page has several records")

// detail is the one record of a page of details; nil where there is none, or more, or where it can't be read.
func (r *tableReading) detail(ctx context.Context, seed *seedlist.Seed) (detail *records.Record, err error) {
	silent := *r
	silent.Table = &Table{Recipe: r.Recipe, Seeds: r.Seeds, Files: r.Files, Name: r.Name}
	_, err = silent.records(ctx, seed, func(row *recordset.Row) error {
		if detail != nil {
			return errSeveral
		}
		detail = row.Record.Clone()
		return nil
	})
	if errors.Is(err, errSeveral) {
		return nil, nil
	}
	return detail, err
}

// settleDetails counts the pages of details, and gives the records of those that no row names.
func (r *tableReading) settleDetails(ctx context.Context) error {
	waits := "" // a page that is there, and that no mark says to be joined yet
	settle := func(isJoined bool) error {
		if waits == "" {
			return nil
		}
		hash := waits
		waits = ""
		if isJoined {
			r.sums.Documents++
			r.sums.Read++
			r.sums.Records++
			r.sums.Joined++
			return nil
		}
		seed, err := r.Seeds.Record(ctx, hash)
		if errors.Is(err, seedlist.ErrNotFound) {
			return nil // it was removed meanwhile
		}
		if err != nil {
			return err
		}
		return r.rows(ctx, &seed)
	}
	_, err := r.details.Write(ctx, nil, func(line []byte) error {
		hash, isJoined := bytes.CutSuffix(line, []byte(markJoined))
		if isJoined && string(hash) == waits {
			return settle(true)
		}
		if err := settle(false); err != nil || isJoined {
			return err
		}
		waits = string(bytes.TrimSuffix(line, []byte(markThere)))
		return nil
	})
	if err == nil {
		err = settle(false)
	}
	return err
}

// records visits the records of a document, if all of them can be read.
func (r *tableReading) records(ctx context.Context, seed *seedlist.Seed, visit func(*recordset.Row) error) (standing, error) {
	for again := false; ; again = true {
		p := seed.Product(seedlist.ProductRecords)
		if p == nil || p.SHA256 == "" {
			return isWithout, nil
		}
		err := r.file(ctx, seed, p, visit)
		var bad *unreadError
		if !errors.As(err, &bad) {
			return isRead, err
		}
		if errors.Is(err, fs.ErrNotExist) && !again {
			// It may have been replaced since its record was read.
			now, err := r.Seeds.Record(ctx, seed.Hash)
			switch {
			case errors.Is(err, seedlist.ErrNotFound):
				return isWithout, nil
			case err != nil:
				return isUnread, err
			}
			if is := now.Product(seedlist.ProductRecords); is == nil || is.SHA256 != p.SHA256 || is.Fence != p.Fence {
				seed = &now
				continue
			}
		}
		if r.Unread == nil {
			return isUnread, nil
		}
		return isUnread, r.Unread(Unread{Hash: seed.Hash, Name: r.Name(ctx, seed), Problem: seedlist.ShownIn(bad.Error())})
	}
}

// unreadError says why the records of one document can't be read.
type unreadError struct{ err error }

func (e *unreadError) Error() string { return e.err.Error() }
func (e *unreadError) Unwrap() error { return e.err }

// file reads a file of records. Nothing is visited before it is known to be whole.
func (r *tableReading) file(ctx context.Context, seed *seedlist.Seed, p *seedlist.Product, visit func(*recordset.Row) error) error {
	named, err := seedfile.Find(seed, seedlist.ProductRecords, 0)
	if err != nil {
		return &unreadError{err}
	}
	packed, err := r.Files.Open(named.Key, named.Suffix)
	if err != nil {
		return ofOne(err)
	}
	defer packed.Close()
	sum := sha256.New()
	lines, err := gzip.NewReader(files.Sequential(packed))
	if err != nil {
		return ofOne(err)
	}
	held, err := io.ReadAll(io.LimitReader(lines, mostHeld+1))
	if err == nil {
		sum.Write(held)
		_, err = io.Copy(sum, lines)
	}
	if err != nil {
		return ofOne(err)
	}
	if is := hex.EncodeToString(sum.Sum(nil)); is != p.SHA256 {
		return &unreadError{fmt.Errorf("the file of its records is damaged: it has the SHA-256 %s, and had %s", is, p.SHA256)}
	}
	var from io.Reader = bytes.NewReader(held)
	if len(held) > mostHeld {
		if from, err = gzip.NewReader(files.Sequential(packed)); err != nil {
			return ofOne(err)
		}
	}
	stored := recordset.Stored{Lines: from}
	return stored.Rows(ctx, "", 1, func(row *recordset.Row) (bool, error) { return true, visit(row) })
}

// ofOne says that an error of a file is that of one document, unless the reading was stopped.
func ofOne(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &unreadError{err}
}
