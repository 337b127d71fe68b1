package postgres

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// Write writes all that changed in one round trip. What the end of a transaction tells, one transaction at a time may
// write, so that the numbers of changes have no gaps and become visible in their order.
func (t *tx) Write(w *engine.Writes) error {
	var b pgx.Batch
	t.queueSeeds(&b, w)
	t.queueLinks(&b, w)
	if err := t.queueHosts(&b, w); err != nil {
		return err
	}
	if err := t.queueCatalogs(&b, w); err != nil {
		return err
	}
	t.queueLog(&b, w)
	t.queueFiles(&b, w)
	for _, i := range w.Items {
		switch {
		case i.Kind == engine.Contexts && i.IsNew:
			b.Queue("INSERT INTO contexts VALUES ($1, $2, $3)", i.Key, string(i.Data), i.Text)
		case i.Kind == engine.Contexts:
			b.Queue("UPDATE contexts SET data = $2, body = $3 WHERE key = $1", i.Key, string(i.Data), i.Text)
		case i.Data == nil:
			b.Queue("DELETE FROM recipes WHERE key = $1", i.Key)
		default:
			b.Queue("INSERT INTO recipes VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET data = excluded.data", i.Key, i.Data)
		}
	}
	t.queueMeta(&b, w)
	t.told |= w.News
	if !w.Last {
		return t.send(&b)
	}
	t.queueWashed(&b, w)
	t.queueCounts(&b, w)
	if t.told != 0 {
		b.Queue("SELECT pg_notify($1, $2)", t.store.channel, notice(t.told))
	}
	return t.sendLast(&b, w)
}

// sendLast queues the feed, and sends all.
func (t *tx) sendLast(b *pgx.Batch, w *engine.Writes) error {
	if len(w.Changes) == 0 { // nobody has to wait for a transaction that tells nothing
		b.Queue("SELECT pg_current_xact_id()::text").QueryRow(func(row pgx.Row) error { return row.Scan(&t.id) })
		return t.send(b)
	}
	var last int64
	b.Queue("UPDATE feed SET last = last + $1 RETURNING last, pg_current_xact_id()::text", len(w.Changes)).QueryRow(func(row pgx.Row) error {
		return row.Scan(&last, &t.id)
	})
	var numbers []int64
	var from, to []int16
	var hashes []string
	for _, c := range w.Changes {
		if c.Name != "" {
			c.Hash += " " + c.Name
		}
		numbers, hashes = append(numbers, int64(c.Number)), append(hashes, c.Hash)
		from, to = append(from, numberOf(c.From)), append(to, numberOf(c.To))
	}
	b.Queue(`INSERT INTO changes SELECT (SELECT last FROM feed) - $1 + n, $2, id, was, became, hash
		FROM unnest($3::bigint[], $4::smallint[], $5::smallint[], $6::text[]) WITH ORDINALITY AS u (id, was, became, hash, n)`,
		len(w.Changes), w.Now.UnixNano(), numbers, from, to, hashes)
	if err := t.send(b); err != nil {
		return err
	}
	keep := int64(t.store.options.KeepChanges)
	if part := max(keep/16, 1); last/part != (last-int64(len(w.Changes)))/part {
		return t.exec("DELETE FROM changes WHERE revision <= $1", last-keep)
	}
	return nil
}

// columns are the hot columns of several seeds.
type columns struct {
	id, fence, due, parent, since, revision []int64
	hash, host, holder, worker              []string
	state, last, stage, queue               []int16
	tries, failures, crashes, priority      []int32
	relative, fragment, fetchable           []bool
	clean, gone, isArchive, asking          []bool
}

func (c *columns) add(r *engine.Seed) {
	c.id, c.hash, c.fence = append(c.id, int64(r.Number)), append(c.hash, r.Hash), append(c.fence, int64(r.Fence))
	c.state, c.last, c.stage = append(c.state, numberOf(r.State)), append(c.last, numberOf(r.Last)), append(c.stage, numberOf(r.Stage))
	c.tries, c.failures = append(c.tries, int32(r.Tries)), append(c.failures, int32(r.Failures))
	c.crashes, c.priority = append(c.crashes, int32(r.Crashes)), append(c.priority, r.Priority)
	c.due, c.queue = append(c.due, r.Due), append(c.queue, int16(r.Queue))
	c.host, c.parent = append(c.host, r.Host), append(c.parent, int64(r.Parent))
	c.relative, c.fragment, c.fetchable = append(c.relative, r.Relative), append(c.fragment, r.Fragment), append(c.fetchable, r.Fetchable)
	c.clean, c.gone, c.isArchive = append(c.clean, r.Clean), append(c.gone, r.Gone), append(c.isArchive, r.IsArchive)
	c.holder, c.worker, c.since = append(c.holder, r.Holder), append(c.worker, r.Worker), append(c.since, r.Since)
	c.asking, c.revision = append(c.asking, r.Asking), append(c.revision, r.Revision)
}

const insertHot = `INSERT INTO hot (id, hash, state, last, stage, fence, tries, failures, crashes, priority, due, queue, host, parent,
	relative, fragment, fetchable, clean, gone, is_archive, holder, worker, since, asking, revision)
	SELECT * FROM unnest($1::bigint[], $2::text[], $3::smallint[], $4::smallint[], $5::smallint[], $6::bigint[], $7::int[], $8::int[],
	$9::int[], $10::int[], $11::bigint[], $12::smallint[], $13::text[], $14::bigint[], $15::bool[], $16::bool[], $17::bool[], $18::bool[],
	$19::bool[], $20::bool[], $21::text[], $22::text[], $23::bigint[], $24::bool[], $25::bigint[])`

// What relative, fragment, fetchable, clean, host and parent say of a seed never changes.
const updateHot = `UPDATE hot SET state = u.state, last = u.last, stage = u.stage, fence = u.fence, tries = u.tries, failures = u.failures,
	crashes = u.crashes, priority = u.priority, due = u.due, queue = u.queue, gone = u.gone, is_archive = u.is_archive,
	holder = u.holder, worker = u.worker, since = u.since, asking = u.asking, revision = u.revision
	FROM unnest($1::bigint[], $2::smallint[], $3::smallint[], $4::smallint[], $5::bigint[], $6::int[], $7::int[], $8::int[], $9::int[],
	$10::bigint[], $11::smallint[], $12::bool[], $13::bool[], $14::text[], $15::text[], $16::bigint[], $17::bool[], $18::bigint[])
	AS u (id, state, last, stage, fence, tries, failures, crashes, priority, due, queue, gone, is_archive, holder, worker, since, asking, revision)
	WHERE hot.id = u.id`

// documents are the columns of several documents.
type documents struct {
	id, revision []int64
	alike, data  []string
}

func (c *documents) add(r *engine.Seed) {
	c.id, c.revision = append(c.id, int64(r.Number)), append(c.revision, r.Revision)
	c.alike, c.data = append(c.alike, r.Alike), append(c.data, string(r.Data))
}

// queueSeeds queues what was changed of seeds.
func (t *tx) queueSeeds(b *pgx.Batch, w *engine.Writes) {
	var made, changed columns
	var cold, newCold documents
	var gone []int64
	var goneHashes []string
	for _, r := range w.Seeds {
		switch {
		case r.Erased:
			gone, goneHashes = append(gone, int64(r.Number)), append(goneHashes, r.Hash)
			continue
		case r.IsNew:
			made.add(r)
			newCold.add(r)
			continue
		case r.Saved != r.Hot:
			changed.add(r)
		}
		if r.IsWritten {
			cold.add(r)
		}
	}
	if len(gone) > 0 {
		b.Queue("DELETE FROM hot WHERE id = ANY($1)", gone)
		b.Queue("DELETE FROM cold WHERE id = ANY($1)", gone)
		b.Queue("DELETE FROM old_keys WHERE id = ANY($1)", gone)
		b.Queue("DELETE FROM attempts WHERE hash = ANY($1) AND NOT of_catalog", goneHashes)
	}
	if c := &made; len(c.id) > 0 {
		b.Queue(insertHot, c.id, c.hash, c.state, c.last, c.stage, c.fence, c.tries, c.failures, c.crashes, c.priority, c.due,
			c.queue, c.host, c.parent, c.relative, c.fragment, c.fetchable,
			c.clean, c.gone, c.isArchive, c.holder, c.worker, c.since, c.asking, c.revision)
		b.Queue("INSERT INTO cold (id, revision, alike, data) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::json[])",
			newCold.id, newCold.revision, newCold.alike, newCold.data)
		b.Queue("DELETE FROM orphans WHERE hash = ANY($1)", c.hash)
	}
	if c := &changed; len(c.id) > 0 {
		b.Queue(updateHot, c.id, c.state, c.last, c.stage, c.fence, c.tries, c.failures, c.crashes, c.priority, c.due, c.queue,
			c.gone, c.isArchive, c.holder, c.worker, c.since, c.asking, c.revision)
	}
	if len(cold.id) > 0 {
		b.Queue(`UPDATE cold SET revision = u.revision, alike = u.alike, data = u.data
			FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::json[]) AS u (id, revision, alike, data) WHERE cold.id = u.id`,
			cold.id, cold.revision, cold.alike, cold.data)
	}
	if len(w.OldKeys) > 0 {
		var keys []string
		var ids []int64
		for _, key := range slices.Sorted(maps.Keys(w.OldKeys)) {
			keys, ids = append(keys, key), append(ids, int64(w.OldKeys[key]))
		}
		b.Queue("INSERT INTO old_keys SELECT * FROM unnest($1::text[], $2::bigint[]) ON CONFLICT DO NOTHING", keys, ids)
	}
}

// pairs are the columns of links.
type pairs struct {
	of, to, harvest []int64
	gone            []bool
}

func pairsOf(links []engine.Link) (of [2]pairs) {
	for _, l := range links {
		c := &of[0]
		if l.Relation == engine.Listings {
			c = &of[1]
		}
		c.of, c.to = append(c.of, int64(l.Of)), append(c.to, int64(l.To))
		c.harvest, c.gone = append(c.harvest, int64(l.Harvest)), append(c.gone, l.Gone)
	}
	return of
}

func (t *tx) queueLinks(b *pgx.Batch, w *engine.Writes) {
	if c := pairsOf(w.Unlinks); len(w.Unlinks) > 0 {
		b.Queue("DELETE FROM links USING unnest($1::bigint[], $2::bigint[]) AS u (clean, dirty) WHERE links.clean = u.clean AND "+
			"links.dirty = u.dirty", c[0].of, c[0].to)
		b.Queue("DELETE FROM listings USING unnest($1::bigint[], $2::bigint[]) AS u (catalog, seed) WHERE listings.catalog = u.catalog AND "+
			"listings.seed = u.seed", c[1].of, c[1].to)
	}
	c := pairsOf(w.Links)
	if len(c[0].of) > 0 {
		b.Queue("INSERT INTO links SELECT * FROM unnest($1::bigint[], $2::bigint[]) ON CONFLICT DO NOTHING", c[0].of, c[0].to)
	}
	if len(c[1].of) > 0 {
		b.Queue(`INSERT INTO listings SELECT DISTINCT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bool[])
			ON CONFLICT (catalog, seed) DO UPDATE SET harvest = excluded.harvest, gone = excluded.gone`, c[1].of, c[1].to, c[1].harvest, c[1].gone)
	}
}

func (t *tx) queueCatalogs(b *pgx.Batch, w *engine.Writes) error {
	for _, c := range w.Catalogs {
		if c.Erased {
			b.Queue("DELETE FROM catalogs WHERE id = $1", int64(c.Number))
			b.Queue("DELETE FROM attempts WHERE hash = $1 AND of_catalog", c.Hash)
			continue
		}
		data, err := c.Known.Encode()
		if err != nil {
			return err
		}
		b.Queue(`INSERT INTO catalogs (id, hash, due, harvesting, holder, data, refusals) VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (id) DO UPDATE SET due = excluded.due, harvesting = excluded.harvesting, holder = excluded.holder,
			data = excluded.data, refusals = excluded.refusals`, int64(c.Number), c.Hash, engine.Nanoseconds(c.Known.Due),
			c.Known.Status == seedlist.CatalogHarvesting, c.Holder, string(data), string(c.Refusals))
	}
	return nil
}

func (t *tx) queueLog(b *pgx.Batch, w *engine.Writes) {
	if len(w.Unlog) > 0 {
		var gone []int64
		for _, e := range w.Unlog {
			gone = append(gone, int64(e.Number))
		}
		b.Queue("DELETE FROM attempts WHERE number = ANY($1::bigint[])", gone)
	}
	var numbers []int64
	var hashes, data []string
	var ofCatalog []bool
	for _, e := range w.Log {
		if e.Number > 0 {
			numbers = append(numbers, int64(e.Number))
		}
		hashes, ofCatalog, data = append(hashes, e.Hash), append(ofCatalog, e.OfCatalog), append(data, string(e.Data))
	}
	switch {
	case len(numbers) > 0: // copied, all of them
		b.Queue(`INSERT INTO attempts (number, hash, of_catalog, data) OVERRIDING SYSTEM VALUE
			SELECT * FROM unnest($1::bigint[], $2::text[], $3::bool[], $4::json[])`, numbers, hashes, ofCatalog, data)
	case len(hashes) > 0:
		b.Queue(`INSERT INTO attempts (hash, of_catalog, data)
			SELECT hash, of_catalog, data FROM unnest($1::text[], $2::bool[], $3::json[]) WITH ORDINALITY AS u (hash, of_catalog, data, n) ORDER BY n`,
			hashes, ofCatalog, data)
	}
}

// queueFiles queues which files are rubbish.
func (t *tx) queueFiles(b *pgx.Batch, w *engine.Writes) {
	if len(w.Orphans) > 0 {
		b.Queue("INSERT INTO orphans (hash) SELECT DISTINCT o FROM unnest($1::text[]) o WHERE NOT EXISTS (SELECT FROM hot WHERE hash = o) "+
			"ON CONFLICT DO NOTHING", w.Orphans)
	}
	if len(w.Swept) > 0 {
		b.Queue("DELETE FROM orphans WHERE hash = ANY($1)", w.Swept)
	}
}

func (t *tx) queueMeta(b *pgx.Batch, w *engine.Writes) {
	for name, data := range w.Meta {
		n, _ := strconv.ParseInt(string(data), 10, 64)
		switch name {
		case engine.MetaNumbers:
			b.Queue("SELECT setval('numbers', $1)", n)
		case engine.MetaAttempts:
			b.Queue("SELECT setval("+logSequence+", $1)", n)
		default:
			b.Queue("DELETE FROM copying")
			if data != nil {
				b.Queue("INSERT INTO copying VALUES ($1)", string(data))
			}
		}
	}
}

// queueWashed adds the sums, in one order, since all who wash lock these rows, and forgets the oldest.
func (t *tx) queueWashed(b *pgx.Batch, w *engine.Writes) {
	var spans []string
	var begins, documents, bytes, statements []int64
	for _, span := range seedlist.Spans() {
		for _, sum := range w.Washed[span] {
			spans, begins = append(spans, string(span)), append(begins, sum.Begin.UnixNano())
			documents, bytes, statements = append(documents, sum.Documents), append(bytes, sum.Bytes), append(statements, sum.Statements)
			// Of the first sum that a process adds in a span, the oldest go.
			if kept := span.Kept(); kept > 0 && t.store.beginsSpan(span, sum.Begin.UnixNano()) {
				b.Queue("DELETE FROM washed WHERE span = $1 AND begins < $2", string(span),
					w.Now.Add(-kept).Truncate(time.Second).UnixNano())
			}
		}
	}
	if len(spans) > 0 {
		b.Queue(`INSERT INTO washed SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
			ON CONFLICT (span, begins) DO UPDATE SET documents = washed.documents + excluded.documents,
			bytes = washed.bytes + excluded.bytes, statements = washed.statements + excluded.statements`,
			spans, begins, documents, bytes, statements)
	}
}

// beginsSpan says that this process has added nothing to a span of time before.
func (s *Store) beginsSpan(span seedlist.Span, begins int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was, known := s.spans[span]
	s.spans[span] = begins
	return !known || was != begins
}

func (t *tx) queueCounts(b *pgx.Batch, w *engine.Writes) {
	var names []string
	var sums []int64
	for _, name := range slices.Sorted(maps.Keys(w.Counts)) {
		names, sums = append(names, name), append(sums, w.Counts[name])
	}
	if len(names) > 0 {
		b.Queue(`INSERT INTO counts SELECT name, $1, n FROM unnest($2::text[], $3::bigint[]) AS u (name, n)
			ON CONFLICT (name, part) DO UPDATE SET n = counts.n + excluded.n`, t.store.part, names, sums)
	}
}

// notice is how news is told to other processes.
func notice(n engine.News) string { return strconv.Itoa(int(n)) }

// newsIn reads a notice. One that can't be read may be any.
func newsIn(notice string) engine.News {
	n, err := strconv.ParseUint(notice, 10, 8)
	if err != nil {
		return engine.AllNews
	}
	return engine.News(n)
}
