//go:build !lean

package search

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"laundromat/internal/fileurl"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

// index is the file: the words by FTS5, without the text, which packs hold. It may be deleted, so nothing is
// synced.
type index struct {
	path   string
	writes *sql.DB // one connection
	reads  *sql.DB
	pack   *zstd.Encoder
	unpack *zstd.Decoder

	// of the connection that writes
	putDocument, putPack, putWords, takeWords *sql.Stmt
	names                                     map[string]string // the words of classes and properties
}

// prepare prepares what is written most.
func (x *index) prepare() (err error) {
	for _, one := range [...]struct {
		into *(*sql.Stmt)
		text string
	}{
		{&x.putDocument, "insert or replace into documents values(?, ?, ?, ?, ?)"},
		{&x.putPack, "insert into packs values(?, ?)"},
		{&x.putWords, "insert into words(rowid, text) values(?, ?)"},
		{&x.takeWords, "insert into words(words, rowid, text) values('delete', ?, ?)"},
	} {
		if *one.into, err = x.writes.Prepare(one.text); err != nil {
			return err
		}
	}
	return nil
}

// layout is the version of the tables and of the words in them.
const layout = "2." + foldVersion

// Pages of 16 KiB waste less room than small ones on packs of a few kilobytes.
const tables = `
create table if not exists documents(id integer primary key, hash text not null, mark text not null, entries integer not null, left integer not null);
create table if not exists packs(id integer primary key, pack blob not null);
create table if not exists state(key text primary key, value text not null);
create virtual table if not exists words using fts5(text, content='', detail=none, columnsize=0, tokenize='ascii');`

// openIndex opens the file, or makes it. One that can't be read is made anew: all in it is in the list and its
// files.
func openIndex(path string) (store, error) {
	x, err := openFile(path)
	if err == nil {
		return x, nil
	}
	for _, end := range [...]string{"", "-wal", "-shm"} {
		os.Remove(path + end)
	}
	return openFile(path)
}

func openFile(path string) (x *index, err error) {
	x = &index{path: path, names: map[string]string{}}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	source := func(pragmas ...string) string {
		q := url.Values{"_pragma": append(pragmas, "busy_timeout(10000)")}
		u := fileurl.Of(absolute)
		u.RawQuery = q.Encode()
		return u.String()
	}
	x.writes, err = sql.Open("sqlite", source("page_size(16384)", "journal_mode(wal)", "synchronous(off)", "cache_size(-16384)"))
	if err != nil {
		return nil, err
	}
	x.writes.SetMaxOpenConns(1)
	if x.reads, err = sql.Open("sqlite", source("query_only(1)", "cache_size(-8192)")); err != nil {
		x.writes.Close()
		return nil, err
	}
	x.reads.SetMaxOpenConns(3)
	x.pack, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)) // the options are right, as those of the next
	x.unpack, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err = os.Chmod(path, 0o600); err != nil && !errors.Is(err, os.ErrNotExist) {
		x.close()
		return nil, err
	}
	if _, err = x.writes.Exec(tables); err == nil {
		err = errors.Join(os.Chmod(path, 0o600), x.prepare())
	}
	if err != nil {
		x.close()
		return nil, err
	}
	return x, nil
}

func (x *index) close() {
	x.reads.Close()
	x.writes.Close()
	x.unpack.Close()
}

// querier is a transaction or a file.
type querier interface {
	QueryContext(ctx context.Context, query string, values ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, values ...any) *sql.Row
}

func (x *index) standing(ctx context.Context) (standing, error) { return standingIn(ctx, x.reads) }

func standingIn(ctx context.Context, from querier) (is standing, err error) {
	var value string
	err = from.QueryRowContext(ctx, "select value from state where key = 'standing'").Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return standing{}, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(value), &is)
	}
	return is, err
}

func (is *standing) put(ctx context.Context, tx *sql.Tx) error {
	value, err := json.Marshal(is)
	if err == nil {
		_, err = tx.ExecContext(ctx, "insert or replace into state values('standing', ?)", string(value))
	}
	return err
}

// update runs a change in a transaction, unless the index isn't as it is known.
func (x *index) update(ctx context.Context, known standing, change func(tx *sql.Tx) error) (done bool, err error) {
	tx, err := x.writes.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	// Another process that writes is waited for here, before what it wrote is read.
	if _, err := tx.ExecContext(ctx, "update state set value = value where key = 'standing'"); err != nil {
		return false, err
	}
	is, err := standingIn(ctx, tx)
	if err != nil || !is.equals(known) {
		return false, err
	}
	if err := change(tx); err != nil {
		return false, err
	}
	return true, tx.Commit()
}

// clear empties the index.
func (x *index) clear(ctx context.Context, known, next standing) (bool, error) {
	next.Layout = layout
	return x.update(ctx, known, func(tx *sql.Tx) error {
		for _, statement := range [...]string{
			"delete from documents", "delete from packs", "drop table words",
			"create virtual table words using fts5(text, content='', detail=none, columnsize=0, tokenize='ascii')",
		} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return next.put(ctx, tx)
	})
}

// marks are what documents were made of when they were written; those that aren't there have none.
func (x *index) marks(ctx context.Context, numbers []int64) (map[int64]string, error) {
	all := make(map[int64]string, len(numbers))
	for some := range slices.Chunk(numbers, 500) {
		rows, err := x.reads.QueryContext(ctx, "select id, mark from documents where id in (?"+strings.Repeat(",?", len(some)-1)+")",
			values(some)...)
		if err != nil {
			return nil, err
		}
		for rows.Next() {
			var id int64
			var mark string
			if err := rows.Scan(&id, &mark); err != nil {
				rows.Close()
				return nil, err
			}
			all[id] = mark
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func values(numbers []int64) []any {
	all := make([]any, len(numbers))
	for i, n := range numbers {
		all[i] = n
	}
	return all
}

// step is a word of FTS5 put or taken back.
type step struct {
	row    int64
	puts   bool
	folded string
}

// write makes the index say of some documents what is so now. The steps are in the order of rows: where a row is
// smaller
// than the one before, FTS5 begins another segment.
func (x *index) write(ctx context.Context, known, next standing, documents []document) (bool, error) {
	return x.update(ctx, known, func(tx *sql.Tx) error {
		var steps []step
		for i := range documents {
			more, err := x.replace(ctx, tx, &documents[i])
			if err != nil {
				return err
			}
			steps = append(steps, more...)
		}
		slices.SortStableFunc(steps, func(a, b step) int {
			switch {
			case a.row != b.row:
				if a.row < b.row {
					return -1
				}
				return 1
			case a.puts == b.puts:
				return 0
			case b.puts:
				return -1
			}
			return 1
		})
		if err := x.apply(ctx, tx, steps); err != nil {
			return err
		}
		return next.put(ctx, tx)
	})
}

func (x *index) apply(ctx context.Context, tx *sql.Tx, steps []step) error {
	if len(steps) == 0 {
		return nil
	}
	put, take := tx.StmtContext(ctx, x.putWords), tx.StmtContext(ctx, x.takeWords)
	for i := range steps {
		s := &steps[i]
		by := take
		if s.puts {
			by = put
		}
		if _, err := by.ExecContext(ctx, s.row, s.folded); err != nil {
			return err
		}
	}
	return nil
}

// replace writes what is known of a document, and gives the steps for its words.
func (x *index) replace(ctx context.Context, tx *sql.Tx, d *document) (steps []step, err error) {
	first := d.number << entryBits
	if !d.isNew {
		was, err := x.entriesIn(ctx, tx, d.number, 0, mostEntries)
		if err != nil {
			return nil, err
		}
		if slices.Equal(was, d.entries) && len(was) > 0 {
			_, err = tx.ExecContext(ctx, "update documents set mark = ?, left = ? where id = ?", d.mark, d.left, d.number)
			return nil, err
		}
		steps = x.stepsOf(d.number, was, false)
		if _, err = tx.ExecContext(ctx, "delete from packs where id between ? and ?", first, first+mostEntries-1); err != nil {
			return nil, err
		}
	}
	steps = append(steps, x.stepsOf(d.number, d.entries, true)...)
	if d.mark == "" {
		_, err = tx.ExecContext(ctx, "delete from documents where id = ?", d.number)
		return steps, err
	}
	if _, err = tx.StmtContext(ctx, x.putDocument).ExecContext(ctx, d.number, d.hash, d.mark, len(d.entries), d.left); err != nil {
		return nil, err
	}
	for at := 0; at < len(d.entries); at += mostInPack {
		text := appendPack(nil, d.entries[at:min(at+mostInPack, len(d.entries))])
		if _, err = tx.StmtContext(ctx, x.putPack).ExecContext(ctx, first+int64(at), x.pack.EncodeAll(text, nil)); err != nil {
			return nil, err
		}
	}
	return steps, nil
}

func (x *index) stepsOf(document int64, entries []entry, puts bool) []step {
	steps := make([]step, len(entries))
	for i := range entries {
		e := &entries[i]
		isTerm := e.Field == Class || e.Field == Property
		words, isKnown := "", false
		if isTerm {
			words, isKnown = x.names[e.Text]
		}
		n := 0
		if !isKnown {
			all := e.words()
			words, n = strings.Join(all, " "), len(all)
		}
		if isTerm && !isKnown {
			if len(x.names) >= mostNames {
				clear(x.names)
			}
			x.names[e.Text] = words
		}
		steps[i] = step{rowOf(e.tier(n), document, i), puts, words}
	}
	return steps
}

// mostNames is how many names of classes and properties have their words kept: most documents use the same.
const mostNames = 10_000

// entries are those of a document from one on.
func (x *index) entries(ctx context.Context, document int64, from, to int) ([]entry, error) {
	return x.entriesIn(ctx, x.reads, document, from, to)
}

// entriesIn are those of the packs that entries from one up to another are in.
func (x *index) entriesIn(ctx context.Context, in querier, document int64, from, to int) (all []entry, err error) {
	first := document << entryBits
	rows, err := in.QueryContext(ctx, "select pack from packs where id between ? and ? order by id",
		first+int64(from/mostInPack*mostInPack), first+int64(to-1))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var pack sql.RawBytes
		if err := rows.Scan(&pack); err != nil {
			return nil, err
		}
		text, err := x.unpack.DecodeAll(pack, nil)
		if err != nil {
			return nil, err
		}
		if all, err = readPack(all, text); err != nil {
			return nil, err
		}
	}
	return all, rows.Err()
}

// rows are the first of those that match, in their order.
func (x *index) rows(ctx context.Context, match string, most int) (all []int64, err error) {
	rows, err := x.reads.QueryContext(ctx, "select rowid from words where words match ? order by rowid limit ?", match, most)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var row int64
		if err := rows.Scan(&row); err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, rows.Err()
}

// hash is the key of a document; "" if it isn't there.
func (x *index) hash(ctx context.Context, document int64) (hash string, err error) {
	err = x.reads.QueryRowContext(ctx, "select hash from documents where id = ?", document).Scan(&hash)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return hash, err
}

// sums counts documents, their entries, and the labels that were too many.
func (x *index) sums(ctx context.Context) (s Sums, err error) {
	err = x.reads.QueryRowContext(ctx, "select count(*), coalesce(sum(entries), 0), coalesce(sum(left), 0) from documents").
		Scan(&s.Documents, &s.Entries, &s.Left)
	if err != nil {
		return s, fmt.Errorf("the search index can't be counted: %w", err)
	}
	return s, nil
}

// tidy merges a part of the segments, while nothing else is to be done.
func (x *index) tidy(ctx context.Context) error {
	ctx, end := context.WithTimeout(ctx, time.Second)
	defer end()
	_, err := x.writes.ExecContext(ctx, "insert into words(words, rank) values('merge', 200)")
	return err
}
