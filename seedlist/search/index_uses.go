//go:build !lean

package search

import (
	"cmp"
	"database/sql"
	"encoding/binary"
	"errors"
	"slices"
	"sync"
)

// use is where the documents of a batch are that use a term.
type use struct{ term, batch int64 }

// place is an entry of a document.
type place struct {
	document int64
	number   int
}

// useChange is what changes of a use: documents are taken out, and then places put in.
type useChange struct {
	take []int64
	put  []place
}

func (w *writing) change(of use) *useChange {
	c := w.uses[of]
	if c == nil {
		c = &useChange{}
		w.uses[of] = c
	}
	return c
}

// changeUses writes what changed of uses. A term that no document uses any more goes.
func (w *writing) changeUses() error {
	order := make([]use, 0, len(w.uses))
	for of := range w.uses {
		order = append(order, of)
	}
	slices.SortFunc(order, func(a, b use) int { return cmp.Or(cmp.Compare(a.term, b.term), cmp.Compare(a.batch, b.batch)) })
	for i, of := range order {
		isEmpty, err := w.changeUse(of, w.uses[of])
		if err != nil {
			return err
		}
		if isLast := i+1 == len(order) || order[i+1].term != of.term; !isLast || !isEmpty {
			continue
		}
		if err := w.dropUnused(of.term); err != nil {
			return err
		}
	}
	return nil
}

func (w *writing) changeUse(of use, c *useChange) (isEmpty bool, err error) {
	var all []place
	if !w.isNew || of.batch != w.batch {
		var stored []byte
		err := w.put.findUse.QueryRowContext(w.ctx, of.term, of.batch).Scan(&stored)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return false, err
		}
		if all, err = readPlaces(nil, stored); err != nil {
			return false, err
		}
		slices.Sort(c.take)
		all = slices.DeleteFunc(all, func(p place) bool {
			_, found := slices.BinarySearch(c.take, p.document)
			return found
		})
	}
	all = append(all, c.put...)
	if len(all) == 0 {
		_, err = w.put.dropUse.ExecContext(w.ctx, of.term, of.batch)
		return true, err
	}
	slices.SortFunc(all, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.document, b.document), cmp.Compare(a.number, b.number))
	})
	_, err = w.put.putUse.ExecContext(w.ctx, of.term, of.batch, appendPlaces(nil, all))
	return false, err
}

func (w *writing) dropUnused(term int64) error {
	var isUsed bool
	if err := w.put.anyUse.QueryRowContext(w.ctx, term).Scan(&isUsed); err != nil || isUsed {
		return err
	}
	var iri string
	if err := w.tx.QueryRowContext(w.ctx, "select iri from terms where id = ?", term).Scan(&iri); err != nil {
		return err
	}
	delete(w.terms, iri)
	if row := rowOfTerm(term); w.made[term] {
		w.steps = slices.DeleteFunc(w.steps, func(s step) bool { return s.row == row })
	} else {
		w.steps = append(w.steps, step{row, false, wordsOfTerm(iri)})
	}
	_, err := w.put.dropTerm.ExecContext(w.ctx, term)
	return err
}

// appendPlaces writes places, which are in order: how much the number of the document is above that of the place
// before, and the number of the entry, as unsigned varints.
func appendPlaces(dst []byte, places []place) []byte {
	before := int64(0)
	for _, p := range places {
		dst = binary.AppendUvarint(dst, uint64(p.document-before))
		dst = binary.AppendUvarint(dst, uint64(p.number))
		before = p.document
	}
	return dst
}

func readPlaces(dst []place, stored []byte) ([]place, error) {
	before := int64(0)
	for r := (packReader{rest: stored}); len(r.rest) > 0; {
		before += int64(r.number())
		number := r.number()
		if r.isBroken || number >= mostEntries {
			return nil, errPack
		}
		dst = append(dst, place{before, int(number)})
	}
	return dst, nil
}

// iris are the IRIs of terms by their numbers, as searches met them. A number is never given again.
type iris struct {
	mu  sync.Mutex
	all map[int64]string
}

func (n *iris) get(term int64) (string, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	iri, ok := n.all[term]
	return iri, ok
}

func (n *iris) put(term int64, iri string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.all == nil || len(n.all) >= mostTermsHeld {
		n.all = map[int64]string{}
	}
	n.all[term] = iri
}
