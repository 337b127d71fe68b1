//go:build !lean

package search

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"laundromat/internal/fileurl"

	"github.com/klauspost/compress/zstd"
	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

// index is the file: the words by FTS5, without the text, which packs hold. It may be deleted, so nothing is
// synced.
//
// Classes and properties are those of many documents. So each IRI has its words once, as a term. Which documents use
// it is kept by batches of documents: the numbers of those of a batch that use it are one value.
type index struct {
	path   string
	file   os.FileInfo
	writes *sql.DB // one connection
	reads  *sql.DB
	pack   *zstd.Encoder
	unpack *zstd.Decoder
	names  iris

	// of the connection that writes
	statements
	terms  map[string]int64 // the numbers of IRIs that were met
	writer int64            // the standing.Writes of the last write; terms are as of then
}

// statements are prepared, since they write most.
type statements struct {
	putDocument, putPack, putWords, takeWords, findTerm, putTerm, dropTerm, findUse, putUse, dropUse, anyUse *sql.Stmt
}

func (x *index) prepare() (err error) {
	for _, one := range [...]struct {
		into *(*sql.Stmt)
		text string
	}{
		{&x.putDocument, "insert or replace into documents values(?, ?, ?, ?, ?, ?, ?)"},
		{&x.putPack, "insert into packs values(?, ?)"},
		{&x.putWords, "insert into words(rowid, text) values(?, ?)"},
		{&x.takeWords, "insert into words(words, rowid, text) values('delete', ?, ?)"},
		{&x.findTerm, "select id from terms where iri = ?"},
		{&x.putTerm, "insert into terms(iri) values(?)"},
		{&x.dropTerm, "delete from terms where id = ?"},
		{&x.findUse, "select documents from uses where term = ? and batch = ?"},
		{&x.putUse, "insert or replace into uses values(?, ?, ?)"},
		{&x.dropUse, "delete from uses where term = ? and batch = ?"},
		{&x.anyUse, "select exists(select 1 from uses where term = ?)"},
	} {
		if *one.into, err = x.writes.Prepare(one.text); err != nil {
			return err
		}
	}
	return nil
}

// layout is the version of the tables and of the words in them.
const layout = "4." + foldVersion

// The first pack of a document is in its row. Pages of 16 KiB waste less room than small ones on packs of a few
// kilobytes. The number of a term is never given again.
const tables = `
create table if not exists documents(id integer primary key, hash text not null, mark text not null, entries integer not null, left integer not null,
	batch integer not null, pack blob not null);
create table if not exists packs(id integer primary key, pack blob not null);
create table if not exists terms(id integer primary key autoincrement, iri text not null unique);
create table if not exists uses(term integer not null, batch integer not null, documents blob not null, primary key(term, batch)) without rowid;
create virtual table if not exists words using fts5(text, content='', detail=none, columnsize=0, tokenize='ascii');`

// openIndex opens the file, or makes it. One that can't be read, or is of another layout, is made anew: all in it
// is in the list and its files.
func openIndex(path string) (store, error) {
	x, err := openFile(path)
	if err == nil {
		return x, nil
	}
	os.Remove(path)
	return openFile(path)
}

// isGone says that the file was deleted, or that another is in its place.
func (x *index) isGone() bool {
	file, err := os.Stat(x.path)
	return errors.Is(err, os.ErrNotExist) || err == nil && !os.SameFile(file, x.file)
}

func openFile(path string) (x *index, err error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		for _, end := range [...]string{"-wal", "-shm"} { // of a file that was deleted: they spoil another
			os.Remove(path + end)
		}
	}
	// The files beside it have the mode that it has when they are made.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = errors.Join(file.Close(), os.Chmod(path, 0o600))
	}
	if err != nil {
		return nil, err
	}
	x = &index{path: path, terms: map[string]int64{}}
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
	x.writes, err = sql.Open("sqlite", source("synchronous(off)", "cache_size(-16384)"))
	if err != nil {
		return nil, err
	}
	x.writes.SetMaxOpenConns(1)
	if x.reads, err = sql.Open("sqlite", source("query_only(1)", "cache_size(-8192)")); err != nil {
		x.writes.Close()
		return nil, err
	}
	x.reads.SetMaxOpenConns(readers)
	x.reads.SetMaxIdleConns(readers)
	// The options of both are right. A pack has a few kilobytes.
	x.pack, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(64<<10), zstd.WithLowerEncoderMem(true))
	x.unpack, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err = x.makeTables(); err == nil {
		err = errors.Join(x.prepare(), x.connect())
	}
	if err != nil {
		x.close()
		return nil, err
	}
	return x, nil
}

// readers are the connections that read.
const readers = 3

// connect opens all connections that read, and keeps them: one that is opened later may find that the file was
// deleted, or replaced.
func (x *index) connect() error {
	var all [readers]*sql.Conn
	for i := range all {
		var err error
		if all[i], err = x.reads.Conn(context.Background()); err != nil {
			return err
		}
		defer all[i].Close()
	}
	var err error
	x.file, err = os.Stat(x.path)
	return err
}

// makeTables makes those that aren't there. Tables of another layout are an error.
func (x *index) makeTables() error {
	// In this order, which the driver does not keep among the parameters of a file's name: the size of a page can't
	// be set any more in a file that has a journal of that mode.
	for _, setting := range [...]string{"page_size = 16384", "auto_vacuum = incremental", "journal_mode = wal"} {
		if _, err := x.writes.Exec("pragma " + setting); err != nil {
			return err
		}
	}
	if _, err := x.writes.Exec("create table if not exists state(key text primary key, value text not null)"); err != nil {
		return err
	}
	is, err := standingIn(context.Background(), x.writes)
	if err == nil && is.Layout != layout && is.Layout != "" {
		err = fmt.Errorf("it has the layout %q", is.Layout)
	}
	if err == nil {
		_, err = x.writes.Exec(tables)
	}
	return err
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
func (x *index) update(ctx context.Context, known standing, change func(tx *sql.Tx, is standing) (standing, error)) (done bool, err error) {
	defer func() {
		if !done {
			clear(x.terms) // some may be of what was not written, or removed by another process
		}
	}()
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
	if is.Writes != x.writer {
		clear(x.terms)
	}
	next, err := change(tx, is)
	if err != nil {
		return false, err
	}
	next.Writes = is.Writes + 1
	if err := next.put(ctx, tx); err != nil {
		return false, err
	}
	x.writer = next.Writes
	err = tx.Commit()
	return err == nil, err
}

// clear empties the index.
func (x *index) clear(ctx context.Context, known, next standing) (bool, error) {
	next.Layout = layout
	return x.update(ctx, known, func(tx *sql.Tx, is standing) (standing, error) {
		next.Batch, next.InBatch = is.Batch+1, 0
		for _, statement := range [...]string{
			"delete from documents", "delete from packs", "delete from terms", "delete from uses", "drop table words",
			"create virtual table words using fts5(text, content='', detail=none, columnsize=0, tokenize='ascii')",
		} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return next, err
			}
		}
		clear(x.terms)
		return next, nil
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

// compact merges all segments into one, a step at a time, since in each a word has its text and the whole number of a
// row, and gives the room of the others back.
func (x *index) compact(ctx context.Context) error {
	before, err := x.changes()
	if err != nil {
		return err
	}
	for pages := -stepPages; ctx.Err() == nil; pages = stepPages { // a negative number begins
		_, err = x.writes.ExecContext(context.WithoutCancel(ctx), "insert into words(words, rank) values('merge', ?)", pages)
		if err != nil {
			return err
		}
		after, err := x.changes()
		if err != nil {
			return err
		}
		if after-before < 2 { // as the documentation of FTS5 says that there is nothing more to do
			break
		}
		before = after
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err = x.writes.Exec("pragma incremental_vacuum")
	return err
}

// stepPages is how many pages of four kilobytes a step of compacting writes, while which nothing else is written.
const stepPages = 1000

// changes counts the rows that were written.
func (x *index) changes() (n int64, err error) {
	err = x.writes.QueryRow("select total_changes()").Scan(&n)
	return n, err
}

// tidy merges a part of the segments, while nothing else is to be done.
func (x *index) tidy(ctx context.Context) error {
	_, err := x.writes.ExecContext(context.WithoutCancel(ctx), "insert into words(words, rank) values('merge', 200)")
	return err
}
