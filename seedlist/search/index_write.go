//go:build !lean

package search

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
)

// step is a word of FTS5 put or taken back.
type step struct {
	row    int64
	puts   bool
	folded string
}

// writing is a transaction that makes the index say what is so of some documents.
type writing struct {
	*index
	ctx   context.Context // never done: a statement with one that may be costs a goroutine
	tx    *sql.Tx
	put   statements // those of the index, in the transaction
	batch int64      // that documents are put into
	isNew bool       // nothing was in the batch before
	steps []step
	uses  map[use]*useChange
	made  map[int64]bool // terms that came in this transaction
}

// mostInBatch is how many documents a batch has at least before another begins: then what a term has of it is a few
// hundred bytes.
const mostInBatch = 512

// write makes the index say of some documents what is so now.
func (x *index) write(ctx context.Context, known, next standing, documents []document) (bool, error) {
	return x.update(ctx, known, func(tx *sql.Tx, is standing) (standing, error) {
		next.Batch, next.InBatch = is.Batch, is.InBatch
		if len(documents) == 0 {
			return next, nil
		}
		if next.InBatch >= mostInBatch {
			next.Batch, next.InBatch = next.Batch+1, 0
		}
		w := writing{index: x, ctx: context.WithoutCancel(ctx), tx: tx, batch: next.Batch, isNew: next.InBatch == 0,
			uses: map[use]*useChange{}, made: map[int64]bool{}}
		next.InBatch += int64(len(documents))
		w.prepare()
		for i := range documents {
			if err := ctx.Err(); err != nil {
				return next, err
			}
			if err := w.replace(&documents[i]); err != nil {
				return next, err
			}
		}
		if err := w.changeUses(); err != nil {
			return next, err
		}
		return next, w.apply()
	})
}

// prepare takes the prepared statements into the transaction.
func (w *writing) prepare() {
	from, to := &w.index.statements, &w.put
	for _, one := range [...]struct{ from, to **sql.Stmt }{
		{&from.putDocument, &to.putDocument}, {&from.putPack, &to.putPack}, {&from.putWords, &to.putWords},
		{&from.takeWords, &to.takeWords}, {&from.findTerm, &to.findTerm}, {&from.putTerm, &to.putTerm},
		{&from.dropTerm, &to.dropTerm}, {&from.findUse, &to.findUse}, {&from.putUse, &to.putUse},
		{&from.dropUse, &to.dropUse}, {&from.anyUse, &to.anyUse},
	} {
		*one.to = w.tx.StmtContext(w.ctx, *one.from)
	}
}

// replace writes what is known of a document, and notes what changes of its words and terms.
func (w *writing) replace(d *document) error {
	for i := range d.entries {
		if e := &d.entries[i]; e.isTerm() {
			var err error
			if e.term, err = w.number(e.Text); err != nil {
				return err
			}
		}
	}
	if !d.isNew {
		done, err := w.take(d)
		if done || err != nil {
			return err
		}
	}
	if d.mark == "" {
		_, err := w.tx.ExecContext(w.ctx, "delete from documents where id = ?", d.number)
		return err
	}
	for i := range d.entries {
		if e := &d.entries[i]; e.isTerm() {
			c := w.change(use{e.term, w.batch})
			c.put = append(c.put, place{d.number, i})
		} else {
			w.steps = append(w.steps, stepOf(d.number, i, e, true))
		}
	}
	first := d.number << entryBits
	_, err := w.put.putDocument.ExecContext(w.ctx, d.number, d.hash, d.mark, len(d.entries), d.left, w.batch,
		w.packed(d.entries[:min(mostInPack, len(d.entries))]))
	for at := mostInPack; at < len(d.entries) && err == nil; at += mostInPack {
		_, err = w.put.putPack.ExecContext(w.ctx, first+int64(at), w.packed(d.entries[at:min(at+mostInPack, len(d.entries))]))
	}
	return err
}

// take takes back what the index has of a document, unless that is the same as is so now: then all is done.
func (w *writing) take(d *document) (done bool, err error) {
	was, batch, err := w.entriesIn(w.ctx, w.tx, d.number, 0, mostEntries)
	if err != nil {
		return false, err
	}
	if slices.EqualFunc(was, d.entries, func(a, b entry) bool { return a.isTerm() && a.term == b.term && a.Field == b.Field || a == b }) &&
		len(was) > 0 {
		_, err = w.tx.ExecContext(w.ctx, "update documents set mark = ?, left = ? where id = ?", d.mark, d.left, d.number)
		return true, err
	}
	for i := range was {
		if e := &was[i]; e.isTerm() {
			c := w.change(use{e.term, batch})
			if n := len(c.take); n == 0 || c.take[n-1] != d.number {
				c.take = append(c.take, d.number)
			}
		} else {
			w.steps = append(w.steps, stepOf(d.number, i, e, false))
		}
	}
	first := d.number << entryBits
	_, err = w.tx.ExecContext(w.ctx, "delete from packs where id between ? and ?", first, first+mostEntries-1)
	return false, err
}

func stepOf(document int64, number int, e *entry, puts bool) step {
	words := e.words()
	return step{rowOf(e.tier(len(words)), document, number), puts, strings.Join(words, " ")}
}

// leastPacked is the length in bytes from which a pack is compressed: shorter ones gain little.
const leastPacked = 128

// The first byte of a pack as it is stored.
const (
	asItIs = iota
	compressed
)

func (x *index) packed(entries []entry) []byte {
	pack := appendPack([]byte{asItIs}, entries)
	if len(pack) < leastPacked {
		return pack
	}
	if small := x.pack.EncodeAll(pack[1:], []byte{compressed}); len(small) < len(pack) {
		return small
	}
	return pack
}

func (x *index) unpacked(stored []byte) ([]byte, error) {
	switch {
	case len(stored) == 0:
		return nil, errPack
	case stored[0] == asItIs:
		return stored[1:], nil
	}
	return x.unpack.DecodeAll(stored[1:], nil)
}

// apply has FTS5 take the steps, in the order of rows: where a row is smaller than the one before, it begins another
// segment.
func (w *writing) apply() error {
	slices.SortStableFunc(w.steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.row, b.row), -last(a.puts, b.puts))
	})
	for i := range w.steps {
		s := &w.steps[i]
		by := w.put.takeWords
		if s.puts {
			by = w.put.putWords
		}
		if _, err := by.ExecContext(w.ctx, s.row, s.folded); err != nil {
			return err
		}
	}
	return nil
}

// number is that of the term of an IRI, which is put in if it isn't there.
func (w *writing) number(iri string) (term int64, err error) {
	term, ok := w.terms[iri]
	if ok {
		return term, nil
	}
	err = w.put.findTerm.QueryRowContext(w.ctx, iri).Scan(&term)
	if errors.Is(err, sql.ErrNoRows) {
		var made sql.Result
		if made, err = w.put.putTerm.ExecContext(w.ctx, iri); err == nil {
			term, err = made.LastInsertId()
		}
		w.made[term] = true
		w.steps = append(w.steps, step{rowOfTerm(term), true, wordsOfTerm(iri)})
	}
	if err != nil {
		return 0, err
	}
	if len(w.terms) >= mostTermsHeld {
		clear(w.terms)
	}
	w.terms[iri] = term
	return term, nil
}

// mostTermsHeld is how many terms are remembered: most documents use the same.
const mostTermsHeld = 10_000

func wordsOfTerm(iri string) string { return strings.Join(NameWords(iri), " ") }
