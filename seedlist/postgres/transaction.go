package postgres

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"laundromat/seedlist"
)

// tx is a transaction, with the records that it has read. A record is changed in memory. It is written
// at the end, or when the database is asked for something that the change has a part in.
// Every record and host that a transaction which writes has read is locked.
type tx struct {
	ctx    context.Context
	store  *Store
	sql    statements
	now    time.Time
	began  time.Time // now, by the clock that nobody sets
	writes bool

	records map[uint64]*record
	hashes  map[string]uint64 // 0: there is none
	hosts   map[string]*host
	fresh   []*record // that were made here, in order

	attempts []attempt
	links    [2][]int64 // clean and dirty seeds that were linked
	unlinked [2][]int64
	met      []string        // hosts, in the order in which they got seeds
	left     []string        // hosts of which seeds that waited were removed
	swept    map[string]bool // hashes without a record whose files are being removed
	oldKeys  map[string]uint64
	counts   map[string]int64
	washed   []seedlist.Washed
	claims   bool     // something was claimed
	tells    news     // to all processes
	frees    news     // that concerns this process alone
	after    []func() // once it is committed
}

// attempt is an entry of the log.
type attempt struct {
	hash      string
	ofCatalog bool
	data      []byte
}

// statements are those of a transaction, or of no transaction: then each sees the list as it is at its own moment.
type statements interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

func (s *Store) newTx(ctx context.Context, sql statements, writes bool) *tx {
	return &tx{
		ctx: ctx, store: s, sql: sql, began: time.Now(), now: s.now(), writes: writes,
		records: map[uint64]*record{}, hashes: map[string]uint64{}, hosts: map[string]*host{}, oldKeys: map[string]uint64{},
		counts: map[string]int64{},
	}
}

// query collects the rows of a query.
func query[T any](t *tx, scan pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	rows, err := t.sql.Query(t.ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scan)
}

// number is the one number that a query gives.
func (t *tx) number(sql string, args ...any) (n int64, err error) {
	err = t.sql.QueryRow(t.ctx, sql, args...).Scan(&n)
	return n, err
}

func (t *tx) is(sql string, args ...any) (is bool, err error) {
	err = t.sql.QueryRow(t.ctx, sql, args...).Scan(&is)
	return is, err
}

func (t *tx) exec(sql string, args ...any) error {
	_, err := t.sql.Exec(t.ctx, sql, args...)
	return err
}

// fetch reads records. A lock waits for whoever changes a record now; what is read after it is
// read by another statement, which sees what that has written.
func (t *tx) fetch(where string, arg any) (found []*record, err error) {
	var b pgx.Batch
	if t.writes {
		b.Queue("SELECT h.id FROM hot h WHERE "+where+" ORDER BY h.id FOR UPDATE", arg)
	}
	b.Queue("SELECT "+hotColumns+" FROM hot h JOIN cold c USING (id) WHERE "+where+" ORDER BY h.id", arg).Query(func(rows pgx.Rows) error {
		found, err = pgx.CollectRows(rows, scanRecord)
		return err
	})
	if err := t.sql.SendBatch(t.ctx, &b).Close(); err != nil {
		return nil, err
	}
	for i, r := range found {
		if known := t.records[r.number]; known != nil {
			found[i] = known // it may have been changed here
			continue
		}
		t.records[r.number], t.hashes[r.hash] = r, r.number
	}
	return slices.DeleteFunc(found, func(r *record) bool { return r.erased }), nil
}

// load reads the records of numbers, those that were not read before.
func (t *tx) load(numbers ...uint64) error {
	missing := slices.DeleteFunc(distinct(numbers), func(n uint64) bool {
		_, known := t.records[n]
		return known || n == 0
	})
	if len(missing) == 0 {
		return nil
	}
	if _, err := t.fetch("h.id = ANY($1)", signed(missing)); err != nil {
		return err
	}
	for _, n := range missing {
		if t.records[n] == nil {
			t.records[n] = nil // looked for, and not there
		}
	}
	return nil
}

// at is a record; nil if there is none.
func (t *tx) at(number uint64) (*record, error) {
	if err := t.load(number); err != nil {
		return nil, err
	}
	if r := t.records[number]; r != nil && !r.erased {
		return r, nil
	}
	return nil, nil
}

// loadHashes reads the records of hashes, those that were not looked for before.
func (t *tx) loadHashes(hashes ...string) error {
	missing := slices.DeleteFunc(distinct(hashes), func(hash string) bool {
		_, known := t.hashes[hash]
		return known || hash == ""
	})
	if len(missing) == 0 {
		return nil
	}
	if _, err := t.fetch("h.hash = ANY($1)", missing); err != nil {
		return err
	}
	for _, hash := range missing {
		t.hashes[hash] += 0
	}
	return nil
}

// byHash finds a record; nil if there is none.
func (t *tx) byHash(hash string) (*record, error) {
	hash = strings.ToLower(hash)
	if err := t.loadHashes(hash); err != nil {
		return nil, err
	}
	if n := t.hashes[hash]; n != 0 {
		return t.at(n)
	}
	return nil, nil
}

// find is byHash that knows the identifiers of 2018 too.
func (t *tx) find(hash string) (*record, error) {
	r, err := t.byHash(hash)
	if r != nil || err != nil {
		return r, err
	}
	numbers, err := query(t, pgx.RowTo[int64], "SELECT id FROM old_keys WHERE old = $1", strings.ToLower(hash))
	if err != nil || len(numbers) == 0 {
		return nil, err
	}
	return t.at(uint64(numbers[0]))
}

// insert gives records their numbers and their place.
func (t *tx) insert(records ...*record) error {
	if len(records) == 0 {
		return nil
	}
	numbers, err := query(t, pgx.RowTo[int64], "SELECT nextval('numbers') FROM generate_series(1, $1)", len(records))
	if err != nil {
		return err
	}
	slices.Sort(numbers)
	for i, r := range records {
		r.number, r.isNew = uint64(numbers[i]), true
		t.records[r.number], t.hashes[r.hash] = r, r.number
		t.fresh = append(t.fresh, r)
		t.met = append(t.met, r.host)
	}
	return nil
}

func (t *tx) log(hash string, data []byte) {
	t.attempts = append(t.attempts, attempt{hash, false, data})
}

// link notes that a clean seed was washed from another.
func (t *tx) link(clean, dirty *record) {
	t.links[0], t.links[1] = append(t.links[0], int64(clean.number)), append(t.links[1], int64(dirty.number))
	clean.linked = true
}

// atRest says that neither a seed nor anything below it will move by itself.
func (t *tx) atRest(r *record) (bool, error) {
	if !r.state.IsFinal() || !r.isArchive {
		return r.state.IsFinal(), nil
	}
	if err := t.save(); err != nil {
		return false, err
	}
	return t.is("SELECT at_rest($1)", int64(r.number))
}

// sorted are all records of the transaction, by their numbers.
func (t *tx) sorted() []*record {
	all := make([]*record, 0, len(t.records))
	for _, n := range slices.Sorted(maps.Keys(t.records)) {
		if r := t.records[n]; r != nil {
			all = append(all, r)
		}
	}
	return all
}

// save writes what was changed of records, links and hosts until now.
func (t *tx) save() error {
	var b pgx.Batch
	if err := t.queueRecords(&b); err != nil {
		return err
	}
	t.queueLinks(&b)
	if err := t.queueHosts(&b); err != nil {
		return err
	}
	return t.send(&b)
}

func (t *tx) send(b *pgx.Batch) error {
	if b.Len() == 0 {
		return nil
	}
	return t.sql.SendBatch(t.ctx, b).Close()
}

// columns are the hot columns of several records.
type columns struct {
	id, fence, due, parent, since, revision []int64
	hash, host, holder, worker              []string
	state, last, stage                      []int16
	tries, failures, crashes, priority      []int32
	later, relative, fragment, fetchable    []bool
	clean, gone, isArchive, asking          []bool
}

func (c *columns) add(r *record, now int64) {
	c.id, c.hash, c.fence = append(c.id, int64(r.number)), append(c.hash, r.hash), append(c.fence, int64(r.fence))
	c.state, c.last, c.stage = append(c.state, numberOf(r.state)), append(c.last, numberOf(r.last)), append(c.stage, numberOf(r.stage))
	c.tries, c.failures = append(c.tries, int32(r.tries)), append(c.failures, int32(r.failures))
	c.crashes, c.priority = append(c.crashes, int32(r.crashes)), append(c.priority, r.priority)
	isLater := r.state.IsReady() && !r.relative && !r.fragment && r.due > now
	c.due, c.later = append(c.due, r.due), append(c.later, isLater)
	c.host, c.parent = append(c.host, r.host), append(c.parent, int64(r.parent))
	c.relative, c.fragment, c.fetchable = append(c.relative, r.relative), append(c.fragment, r.fragment), append(c.fetchable, r.fetchable)
	c.clean, c.gone, c.isArchive = append(c.clean, r.clean), append(c.gone, r.gone), append(c.isArchive, r.isArchive)
	c.holder, c.worker, c.since = append(c.holder, r.holder), append(c.worker, r.worker), append(c.since, r.since)
	c.asking, c.revision = append(c.asking, r.asking), append(c.revision, r.revision)
}

const insertHot = `INSERT INTO hot (id, hash, state, last, stage, fence, tries, failures, crashes, priority, due, later, host, parent,
	relative, fragment, fetchable, clean, gone, is_archive, holder, worker, since, asking, revision)
	SELECT * FROM unnest($1::bigint[], $2::text[], $3::smallint[], $4::smallint[], $5::smallint[], $6::bigint[], $7::int[], $8::int[],
	$9::int[], $10::int[], $11::bigint[], $12::bool[], $13::text[], $14::bigint[], $15::bool[], $16::bool[], $17::bool[], $18::bool[],
	$19::bool[], $20::bool[], $21::text[], $22::text[], $23::bigint[], $24::bool[], $25::bigint[])`

// What relative, fragment, fetchable, clean, host and parent say of a seed never changes.
const updateHot = `UPDATE hot SET state = u.state, last = u.last, stage = u.stage, fence = u.fence, tries = u.tries, failures = u.failures,
	crashes = u.crashes, priority = u.priority, due = u.due, later = u.later, gone = u.gone, is_archive = u.is_archive,
	holder = u.holder, worker = u.worker, since = u.since, asking = u.asking, revision = u.revision
	FROM unnest($1::bigint[], $2::smallint[], $3::smallint[], $4::smallint[], $5::bigint[], $6::int[], $7::int[], $8::int[], $9::int[],
	$10::bigint[], $11::bool[], $12::bool[], $13::bool[], $14::text[], $15::text[], $16::bigint[], $17::bool[], $18::bigint[])
	AS u (id, state, last, stage, fence, tries, failures, crashes, priority, due, later, gone, is_archive, holder, worker, since, asking, revision)
	WHERE hot.id = u.id`

// queueRecords queues what was changed of records.
func (t *tx) queueRecords(b *pgx.Batch) error {
	var made, changed columns
	var cold, newCold struct {
		id          []int64
		alike, data []string
	}
	var gone []int64
	var goneHashes []string
	waits := map[string]int64{} // host → the earliest due time of a seed that waits for it
	now := t.now.UnixNano()
	for _, r := range t.sorted() {
		isKnown := !r.isNew || r.written != nil
		switch {
		case r.erased:
			if isKnown && r.written != nil {
				gone, goneHashes = append(gone, int64(r.number)), append(goneHashes, r.hash)
			}
			r.written = nil
			continue
		case !isKnown:
			made.add(r, now)
		case r.saved != r.hot:
			changed.add(r, now)
		}
		if !isSameDocument(r.written, r.data) {
			to := &cold
			if !isKnown {
				to = &newCold
			}
			alike, err := alikeOf(r)
			if err != nil {
				return err
			}
			to.id, to.alike, to.data = append(to.id, int64(r.number)), append(to.alike, alike), append(to.data, string(r.data))
		}
		if r.awaits() && (!isKnown || r.saved.state != r.state || r.saved.due != r.due) {
			waits[r.host] = sooner(waits[r.host], r.due)
		}
		r.saved, r.written = r.hot, r.data
	}
	if len(gone) > 0 {
		b.Queue("DELETE FROM hot WHERE id = ANY($1)", gone)
		b.Queue("DELETE FROM cold WHERE id = ANY($1)", gone)
		b.Queue("DELETE FROM old_keys WHERE id = ANY($1)", gone)
		b.Queue("DELETE FROM attempts WHERE hash = ANY($1) AND NOT of_catalog", goneHashes)
		b.Queue("DELETE FROM listings WHERE seed = ANY($1)", gone)
	}
	if c := &made; len(c.id) > 0 {
		b.Queue(insertHot, c.id, c.hash, c.state, c.last, c.stage, c.fence, c.tries, c.failures, c.crashes, c.priority, c.due, c.later,
			c.host,
			c.parent, c.relative, c.fragment, c.fetchable, c.clean, c.gone, c.isArchive, c.holder, c.worker, c.since, c.asking, c.revision)
		b.Queue("INSERT INTO cold SELECT * FROM unnest($1::bigint[], $2::text[], $3::json[])", newCold.id, newCold.alike, newCold.data)
		b.Queue("DELETE FROM orphans WHERE hash = ANY($1)", c.hash)
	}
	if c := &changed; len(c.id) > 0 {
		b.Queue(updateHot, c.id, c.state, c.last, c.stage, c.fence, c.tries, c.failures, c.crashes, c.priority, c.due, c.later, c.gone,
			c.isArchive,
			c.holder, c.worker, c.since, c.asking, c.revision)
	}
	if len(cold.id) > 0 {
		b.Queue(`UPDATE cold SET alike = u.alike, data = u.data FROM unnest($1::bigint[], $2::text[], $3::json[]) AS u (id, alike, data)
			WHERE cold.id = u.id`, cold.id, cold.alike, cold.data)
	}
	if len(t.oldKeys) > 0 {
		var keys []string
		var ids []int64
		for _, key := range slices.Sorted(maps.Keys(t.oldKeys)) {
			keys, ids = append(keys, key), append(ids, int64(t.oldKeys[key]))
		}
		b.Queue("INSERT INTO old_keys SELECT * FROM unnest($1::text[], $2::bigint[]) ON CONFLICT DO NOTHING", keys, ids)
		clear(t.oldKeys)
	}
	t.queueWaits(b, waits)
	return nil
}

// alikeOf is what a seed is found by whose wash holds for any URI with the same bytes.
func alikeOf(r *record) (string, error) {
	stored, err := r.stored()
	if err != nil || !stored.Shareable() {
		return "", err
	}
	return stored.Content.SHA256, nil
}

func (t *tx) queueLinks(b *pgx.Batch) {
	if len(t.unlinked[0]) > 0 {
		b.Queue("DELETE FROM links USING unnest($1::bigint[], $2::bigint[]) AS u (clean, dirty) WHERE links.clean = u.clean AND "+
			"links.dirty = u.dirty", t.unlinked[0], t.unlinked[1])
	}
	if len(t.links[0]) > 0 {
		b.Queue("INSERT INTO links SELECT * FROM unnest($1::bigint[], $2::bigint[]) ON CONFLICT DO NOTHING", t.links[0], t.links[1])
	}
	t.links, t.unlinked = [2][]int64{}, [2][]int64{}
}
