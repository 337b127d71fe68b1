//go:build !lean

package search

import (
	"context"
	"database/sql"
	"errors"
)

// entries are those of a document of the packs that entries from one up to another are in.
func (x *index) entries(ctx context.Context, document int64, from, to int) ([]entry, error) {
	all, _, err := x.entriesIn(ctx, x.reads, document, from, to)
	for i := range all {
		if err != nil {
			break
		}
		if e := &all[i]; e.isTerm() {
			e.Text, err = x.iri(ctx, e.term)
		}
	}
	return all, err
}

// iri is that of a term; "" if it went meanwhile.
func (x *index) iri(ctx context.Context, term int64) (iri string, err error) {
	iri, ok := x.names.get(term)
	if ok {
		return iri, nil
	}
	err = x.reads.QueryRowContext(ctx, "select iri from terms where id = ?", term).Scan(&iri)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err == nil {
		x.names.put(term, iri)
	}
	return iri, err
}

// entriesIn are those of the packs that entries from one up to another are in, and the batch that the document is in.
// Terms have their numbers alone.
func (x *index) entriesIn(ctx context.Context, in querier, document int64, from, to int) (all []entry, batch int64, err error) {
	add := func(stored []byte) error {
		pack, err := x.unpacked(stored)
		if err == nil {
			all, err = readPack(all, pack)
		}
		return err
	}
	if from < mostInPack {
		var stored []byte
		err := in.QueryRowContext(ctx, "select batch, pack from documents where id = ?", document).Scan(&batch, &stored)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, 0, nil
		}
		if err == nil {
			err = add(stored)
		}
		if err != nil || len(all) < mostInPack || to <= mostInPack {
			return all, batch, err
		}
	}
	first := document << entryBits
	rows, err := in.QueryContext(ctx, "select pack from packs where id between ? and ? order by id",
		first+int64(from/mostInPack*mostInPack), first+int64(to-1))
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var stored sql.RawBytes
		if err := rows.Scan(&stored); err != nil {
			return nil, 0, err
		}
		if err := add(stored); err != nil {
			return nil, 0, err
		}
	}
	return all, batch, rows.Err()
}

// rows are the first of those that match, in their order. In place of a term there are the entries of the documents
// that use it.
func (x *index) rows(ctx context.Context, match string, most int) (all []int64, err error) {
	tx, err := x.reads.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // so that terms and their uses are of one time
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	found, err := numbers(ctx, tx, "select rowid from words where words match ? order by rowid limit ?", match, most)
	if err != nil {
		return nil, err
	}
	for _, row := range found {
		term, isTerm := termOf(row)
		if !isTerm {
			all = append(all, row)
		} else if all, err = x.usesOf(ctx, tx, all, term, most); err != nil {
			return nil, err
		}
		if len(all) >= most {
			return all[:most], nil
		}
	}
	return all, nil
}

// usesOf adds the entries of the documents that use a term, until there are so many.
func (x *index) usesOf(ctx context.Context, tx *sql.Tx, all []int64, term int64, most int) ([]int64, error) {
	rows, err := tx.QueryContext(ctx, "select documents from uses where term = ? order by batch", term)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for len(all) < most && rows.Next() {
		var stored sql.RawBytes
		if err := rows.Scan(&stored); err != nil {
			return nil, err
		}
		places, err := readPlaces(nil, stored)
		if err != nil {
			return nil, err
		}
		for _, p := range places {
			all = append(all, rowOf(0, p.document, p.number))
		}
	}
	return all, rows.Err()
}

func numbers(ctx context.Context, in querier, query string, values ...any) (all []int64, err error) {
	rows, err := in.QueryContext(ctx, query, values...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, rows.Err()
}
