package postgres

import (
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
)

// finish writes all that is left, and what follows from it: counts, sums, and the changes that the
// feed tells. One transaction at a time may write these, so that their numbers have no gaps and
// become visible in their order.
func (t *tx) finish() (id string, err error) {
	var b pgx.Batch
	if err := t.queueRecords(&b); err != nil {
		return "", err
	}
	t.queueLinks(&b)
	if err := t.queueHosts(&b); err != nil {
		return "", err
	}
	changes, err := t.changes()
	if err != nil {
		return "", err
	}
	t.queueAttempts(&b)
	t.queueWashed(&b)
	t.queueCounts(&b)
	var orphans []string
	for _, r := range t.sorted() {
		if r.erased && !r.isNew {
			orphans = append(orphans, r.hash)
		}
	}
	if len(orphans) > 0 {
		// One that was added again in the same transaction is none.
		b.Queue("INSERT INTO orphans (hash) SELECT o FROM unnest($1::text[]) o WHERE NOT EXISTS (SELECT FROM hot WHERE hash = o) ON "+
			"CONFLICT DO NOTHING", orphans)
	}
	t.tells |= t.newsOfRecords()
	if len(changes) > 0 {
		t.tells |= ofFeed
	}
	if t.tells != 0 {
		b.Queue("SELECT pg_notify($1, $2)", t.store.channel, t.tells.notice())
	}
	if len(changes) == 0 { // nobody has to wait for a transaction that tells nothing
		b.Queue("SELECT pg_current_xact_id()::text").QueryRow(func(row pgx.Row) error { return row.Scan(&id) })
		err := t.send(&b)
		return id, err
	}
	var last int64
	b.Queue("UPDATE feed SET last = last + $1 RETURNING last, pg_current_xact_id()::text", len(changes)).QueryRow(func(row pgx.Row) error {
		return row.Scan(&last, &id)
	})
	var numbers []int64
	var from, to []int16
	var hashes []string
	for _, c := range changes {
		numbers, hashes = append(numbers, int64(c.Number)), append(hashes, c.Hash)
		from, to = append(from, numberOf(c.From)), append(to, numberOf(c.To))
	}
	b.Queue(`INSERT INTO changes SELECT (SELECT last FROM feed) - $1 + n, $2, id, was, became, hash
		FROM unnest($3::bigint[], $4::smallint[], $5::smallint[], $6::text[]) WITH ORDINALITY AS u (id, was, became, hash, n)`,
		len(changes), t.now.UnixNano(), numbers, from, to, hashes)
	if err := t.send(&b); err != nil {
		return "", err
	}
	keep := int64(t.store.options.KeepChanges)
	if part := max(keep/16, 1); last/part != (last-int64(len(changes)))/part {
		err = t.exec("DELETE FROM changes WHERE revision <= $1", last-keep)
	}
	return id, err
}

// changes are what the transaction did to each seed, and count it.
func (t *tx) changes() (all []seedlist.Change, err error) {
	for _, r := range t.sorted() {
		switch {
		case r.erased && r.isNew:
		case r.erased:
			all = append(all, seedlist.Change{Number: r.number, From: r.was.state, Hash: r.hash})
			err = t.tally(&r.was, r.wasData, -1)
		case r.isNew:
			all = append(all, seedlist.Change{Number: r.number, To: r.state})
			err = t.tally(&r.hot, r.data, +1)
		case r.changed():
			all = append(all, seedlist.Change{Number: r.number, From: r.was.state, To: r.state})
			if isSameDocument(r.data, r.wasData) {
				t.counts[countState+string(r.was.state)]--
				t.counts[countState+string(r.state)]++
				err = t.tallyRefreshed(r)
				break
			}
			if err = t.tally(&r.was, r.wasData, -1); err == nil {
				err = t.tally(&r.hot, r.data, +1)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// tallyRefreshed counts a seed whose record stayed, and which began to be worked on or came to rest.
func (t *tx) tallyRefreshed(r *record) error {
	if r.was.state.IsFinal() == r.state.IsFinal() {
		return nil
	}
	stored, err := seedlist.DecodeStored(r.data)
	switch {
	case err != nil, r.clean, stored.ServedClean() == "":
	case r.state.IsFinal():
		t.counts[countRefreshed]--
	default:
		t.counts[countRefreshed]++
	}
	return err
}

func (t *tx) queueAttempts(b *pgx.Batch) {
	if len(t.attempts) == 0 {
		return
	}
	var hashes, data []string
	var ofCatalog []bool
	for _, a := range t.attempts {
		hashes, ofCatalog, data = append(hashes, a.hash), append(ofCatalog, a.ofCatalog), append(data, string(a.data))
	}
	b.Queue(`INSERT INTO attempts (hash, of_catalog, data)
		SELECT hash, of_catalog, data FROM unnest($1::text[], $2::bool[], $3::json[]) WITH ORDINALITY AS u (hash, of_catalog, data, n) ORDER BY n`,
		hashes, ofCatalog, data)
}

// countWashed adds a document that was washed to the sums.
func (t *tx) countWashed(r *seedlist.Record) {
	var w seedlist.Washed
	w.Count(r)
	t.washed = append(t.washed, w)
}

// queueWashed adds the sums, and forgets the oldest.
func (t *tx) queueWashed(b *pgx.Batch) {
	if len(t.washed) == 0 {
		return
	}
	var sum seedlist.Washed
	for _, w := range t.washed {
		sum.Add(w)
	}
	var spans []string
	var begins []int64
	for _, span := range seedlist.Spans() {
		spans, begins = append(spans, string(span)), append(begins, t.now.UTC().Truncate(span.Length()).UnixNano())
		// Of the first sum that a process adds in a span, the oldest go.
		if kept := span.Kept(); kept > 0 && t.store.beginsSpan(span, begins[len(begins)-1]) {
			b.Queue("DELETE FROM washed WHERE span = $1 AND begins < $2", string(span), t.now.Add(-kept).Truncate(time.Second).UnixNano())
		}
	}
	b.Queue(`INSERT INTO washed SELECT span, begins, $3, $4, $5 FROM unnest($1::text[], $2::bigint[]) AS u (span, begins) ON CONFLICT (span, begins) DO UPDATE SET
		documents = washed.documents + excluded.documents, bytes = washed.bytes + excluded.bytes, statements = washed.statements + excluded.statements`,
		spans, begins, sum.Documents, sum.Bytes, sum.Statements)
}

// beginsSpan says that this process has added nothing to a span of time before.
func (s *Store) beginsSpan(span seedlist.Span, begins int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was, known := s.spans[span]
	s.spans[span] = begins
	return !known || was != begins
}

func (t *tx) queueCounts(b *pgx.Batch) {
	var names []string
	var sums []int64
	for _, name := range slices.Sorted(maps.Keys(t.counts)) {
		if n := t.counts[name]; n != 0 {
			names, sums = append(names, name), append(sums, n)
		}
	}
	if len(names) > 0 {
		b.Queue(`INSERT INTO counts SELECT name, $1, n FROM unnest($2::text[], $3::bigint[]) AS u (name, n)
			ON CONFLICT (name, part) DO UPDATE SET n = counts.n + excluded.n`, t.store.part, names, sums)
	}
}
