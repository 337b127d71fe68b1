package search

import (
	"cmp"
	"context"
	"slices"
)

// Hit is a text in which the words were found.
type Hit struct {
	Hash     string `json:"hash"` // of the document
	Field    Field  `json:"field"`
	Property string `json:"property,omitempty"` // of a label
	Text     string `json:"text"`
	Line     int64  `json:"line,omitempty"` // of a label, in the clean file, from 1
}

// Result are the first hits.
type Result struct {
	Hits []Hit `json:"hits"`
	// Count is how many there are: exactly, or at least, if IsMore.
	Count  int     `json:"count"`
	IsMore bool    `json:"is_more,omitempty"`
	AsOf   Reached `json:"as_of"`
}

const (
	// MostHits is how many hits are given at most.
	MostHits = 100
	// mostCounted is how many are counted, and mostRanked how many of the first are put in order.
	mostCounted, mostRanked = 1000, 120
)

// Find gives the first hits, at most limit: texts that hold all words, and the phrases that are in quotation marks.
// Shorter texts come first, and each document once before any comes again. The error is a [*QueryError] where the
// text
// can't be searched for.
func (s *Search) Find(ctx context.Context, text string, limit int) (r Result, err error) {
	q, err := parse(text)
	if err != nil {
		return r, err
	}
	select {
	case s.gate <- struct{}{}:
		defer func() { <-s.gate }()
	case <-ctx.Done():
		return r, ctx.Err()
	}
	index, asOf, done := s.read()
	defer done()
	r.Hits, r.AsOf = []Hit{}, asOf
	// What is begun is ended, in milliseconds: SQLite's driver closes a connection that was interrupted, and opens
	// the file again, which may be another by then.
	ctx = context.WithoutCancel(ctx)
	rows, err := index.rows(ctx, q.match(), mostCounted+1)
	if err != nil {
		return r, err
	}
	if r.IsMore = len(rows) > mostCounted; r.IsMore {
		rows = rows[:mostCounted]
	}
	ranked := rows[:min(len(rows), mostRanked)]
	if len(q.phrases) > 0 {
		ranked = rows // a phrase is proved on the text
	}
	found, err := q.read(ctx, index, ranked)
	if err != nil {
		return r, err
	}
	r.Count = len(rows)
	if len(q.phrases) > 0 {
		r.Count = len(found)
	}
	r.Hits, err = hits(ctx, index, ordered(found), min(limit, MostHits))
	return r, err
}

// candidate is an entry that holds the words.
type candidate struct {
	row      int64
	document int64
	entry
	// whole says that the text has these words alone, begins that it begins with the first of them.
	whole, begins bool
}

// read reads the entries of rows, and leaves those out that do not hold the phrases.
func (q *query) read(ctx context.Context, index store, rows []int64) (all []candidate, err error) {
	type place struct {
		document int64
		pack     int
	}
	packs := map[place][]entry{}
	for _, row := range rows {
		document, number := splitRow(row)
		at := place{document, number / mostInPack}
		some, ok := packs[at]
		if !ok {
			if some, err = index.entries(ctx, document, at.pack*mostInPack, at.pack*mostInPack+1); err != nil {
				return nil, err
			}
			packs[at] = some
		}
		if number -= at.pack * mostInPack; number >= len(some) {
			continue // written anew since its row was read
		}
		c := candidate{row: row, document: document, entry: some[number]}
		words := Words(c.Text)
		if !q.isIn(c.entry.words()) || !q.proves(words) {
			continue
		}
		c.whole = q.prefix == "" && len(words) == len(q.words)
		c.begins = len(words) > 0 && slices.Contains(q.words, words[0])
		all = append(all, c)
	}
	return all, nil
}

// mostInPack is how many entries a pack has.
const mostInPack = 128

// fieldNames are the fields in the order in which they come in a list of hits, and fields their places in it.
var fieldNames = [...]Field{Title, Article, Class, Property, Column, LabelOf, Publisher, Claim}

var fields = func() map[Field]int {
	places := map[Field]int{}
	for at, name := range fieldNames {
		places[name] = at
	}
	return places
}()

// ordered puts candidates in order. The first of each document come first, then the second of each, and so on.
func ordered(all []candidate) []candidate {
	order := func(a, b candidate) int {
		return cmp.Or(last(a.whole, b.whole), last(a.begins, b.begins), cmp.Compare(fields[a.Field], fields[b.Field]),
			cmp.Compare(a.row, b.row))
	}
	slices.SortFunc(all, order)
	seen := map[int64]int{}
	turns := make(map[int64]int, len(all))
	for _, c := range all {
		turns[c.row] = seen[c.document]
		seen[c.document]++
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(turns[a.row], turns[b.row]) })
	return all
}

// last puts what is so before what isn't.
func last(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// hits are the first of what was found, with the keys of their documents.
func hits(ctx context.Context, index store, found []candidate, limit int) ([]Hit, error) {
	all := []Hit{}
	hashes := map[int64]string{}
	for i := range found {
		if len(all) == limit {
			break
		}
		c := &found[i]
		hash, ok := hashes[c.document]
		if !ok {
			var err error
			if hash, err = index.hash(ctx, c.document); err != nil {
				return nil, err
			}
			hashes[c.document] = hash
		}
		if hash != "" {
			all = append(all, Hit{Hash: hash, Field: c.Field, Property: c.Property, Text: c.Text, Line: c.Line})
		}
	}
	return all, nil
}
