package postgres

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

const hotColumns = `h.id, h.hash, h.state, h.last, h.stage, h.queue, h.fence, h.tries, h.failures, h.crashes, h.priority, h.due,
	h.relative, h.fragment, h.fetchable, h.clean, h.gone, h.is_archive, h.host, h.parent, h.holder, h.worker, h.since, h.asking,
	h.revision, c.revision, c.data`

// scanned is a seed as it was read, with the revision of its document.
type scanned struct {
	*engine.Seed
	revision int64
}

func scanSeed(row pgx.CollectableRow) (scanned, error) {
	r := scanned{Seed: new(engine.Seed)}
	var state, last, stage, queue int16
	var id, fence, parent int64
	err := row.Scan(&id, &r.Hash, &state, &last, &stage, &queue, &fence, &r.Tries, &r.Failures, &r.Crashes, &r.Priority, &r.Due,
		&r.Relative, &r.Fragment, &r.Fetchable, &r.Clean, &r.Gone, &r.IsArchive, &r.Host, &parent, &r.Holder, &r.Worker, &r.Since,
		&r.Asking, &r.Revision, &r.revision, &r.Data)
	r.Number, r.Fence, r.Parent, r.Queue = uint64(id), uint64(fence), uint64(parent), engine.Queue(queue)
	r.State, r.Last, r.Stage = stateOf(state), stateOf(last), stateOf(stage)
	r.Saved = r.Hot
	return r, err
}

func stateOf(n int16) seedlist.State { return seedlist.StateOf(uint8(n)) }

func numberOf(s seedlist.State) int16 {
	if s == "" {
		return 0
	}
	return int16(s.Number())
}

// seeds reads seeds with their documents. rest is what follows in the query.
func (t *tx) seeds(rest string, args ...any) ([]*engine.Seed, error) {
	found, err := query(t, scanSeed, "SELECT "+hotColumns+" FROM hot h JOIN cold c USING (id) "+rest, args...)
	if err != nil {
		return nil, err
	}
	return t.withDocuments(found)
}

// withDocuments reads the documents anew that are older than their rows: a row that was waited for is read as it is
// then, and what it is joined with as it was before.
func (t *tx) withDocuments(found []scanned) (seeds []*engine.Seed, err error) {
	var stale []*engine.Seed
	for _, r := range found {
		if seeds = append(seeds, r.Seed); r.revision != r.Revision {
			stale = append(stale, r.Seed)
		}
	}
	if len(stale) > 0 {
		err = t.Documents(stale...)
	}
	return seeds, err
}

// Documents reads documents as they are now.
func (t *tx) Documents(seeds ...*engine.Seed) error {
	of := map[uint64]*engine.Seed{}
	var ids []int64
	for _, r := range seeds {
		of[r.Number], ids = r, append(ids, int64(r.Number))
	}
	_, err := query(t, func(row pgx.CollectableRow) (struct{}, error) {
		var id int64
		var data []byte
		err := row.Scan(&id, &data)
		of[uint64(id)].Data = data
		return struct{}{}, err
	}, "SELECT id, data FROM cold WHERE id = ANY($1)", ids)
	return err
}

// Seeds reads seeds. A lock waits for whoever changes a seed now; what is read after it is read by another statement,
// which sees what that has written.
func (t *tx) Seeds(numbers []uint64, hashes []string, old bool) ([]*engine.Seed, error) {
	if old {
		ids, err := query(t, pgx.RowTo[int64], "SELECT id FROM old_keys WHERE old = ANY($1)", hashes)
		if err != nil || len(ids)+len(numbers) == 0 {
			return nil, err
		}
		numbers, hashes = append(unsigned(ids), numbers...), nil
	}
	where, args := "h.id = ANY($1) OR h.hash = ANY($2)", []any{signed(numbers), hashes}
	switch {
	case len(numbers)+len(hashes) == 0:
		return nil, nil
	case len(hashes) == 0:
		where, args = "h.id = ANY($1)", args[:1]
	case len(numbers) == 0:
		where, args = "h.hash = ANY($1)", args[1:]
	}
	var found []scanned
	var b pgx.Batch
	if t.writes {
		b.Queue("SELECT h.id FROM hot h WHERE "+where+" ORDER BY h.id FOR UPDATE", args...)
	}
	b.Queue("SELECT "+hotColumns+" FROM hot h JOIN cold c USING (id) WHERE "+where+" ORDER BY h.id", args...).Query(
		func(rows pgx.Rows) (err error) {
			found, err = pgx.CollectRows(rows, scanSeed)
			return err
		})
	if err := t.send(&b); err != nil {
		return nil, err
	}
	return t.withDocuments(found)
}

// Ready are the first of a queue.
func (t *tx) Ready(q engine.Queue, at time.Time, most int) ([]*engine.Seed, error) {
	rest, args := "ORDER BY h.priority DESC, h.due, h.id", []any{most, at.UnixNano()}
	// A number of a queue that is an argument would hide the index from the planner.
	where := fmt.Sprintf("WHERE h.queue = %d AND h.due <= $2 ", q)
	switch q {
	case engine.QueueSuspects:
		rest = "ORDER BY h.crashes, h.due, h.id"
	case engine.QueueRests:
		rest = "AND (NOT h.is_archive OR at_rest(h.id)) ORDER BY h.due"
	case engine.QueueWork:
		if err := t.exec("DELETE FROM holders WHERE lease < $1", at.UnixNano()); err != nil {
			return nil, err
		}
		where = fmt.Sprintf("WHERE h.queue = %d AND h.holder <> '' AND h.holder <> $2 ", q)
		rest, args[1] = "AND NOT EXISTS (SELECT FROM holders WHERE holders.holder = h.holder)", t.store.holder
	}
	lock := ""
	if t.writes {
		lock = " FOR UPDATE OF h SKIP LOCKED"
	}
	found, err := t.seeds(where+rest+" LIMIT $1"+lock, args...)
	slices.SortFunc(found, q.Order)
	return found, err
}

// Unrest asks for all at once.
func (t *tx) Unrest(of []uint64) ([]uint64, error) {
	moving, err := query(t, pgx.RowTo[int64], "SELECT id FROM unnest($1::bigint[]) AS u (id) WHERE NOT at_rest(id)", signed(of))
	return unsigned(moving), err
}

// Scan reads seeds by their number.
func (t *tx) Scan(f engine.Scan, after uint64, most int) ([]*engine.Seed, error) {
	if f.Alike != "" {
		return t.seeds("WHERE c.alike = $1 AND c.alike <> '' AND c.id > $2 ORDER BY c.id LIMIT $3", f.Alike, int64(after), most)
	}
	where, args := "WHERE h.id > $1", []any{int64(after)}
	also := func(condition string, value any) {
		args = append(args, value)
		where += fmt.Sprintf(" AND "+condition, len(args))
	}
	if f.State != "" {
		also("h.state = $%d", numberOf(f.State))
	}
	if f.Host != "" {
		also("(h.host = $%d OR h.parent > 0)", f.Host)
	}
	if f.Parent != 0 {
		also("h.parent = $%d AND h.parent > 0", int64(f.Parent))
	}
	if f.Relative != nil {
		also("h.relative = $%d", *f.Relative)
	}
	args = append(args, most)
	seeds, err := t.seeds(where+fmt.Sprintf(" ORDER BY h.id LIMIT $%d", len(args)), args...)
	if err != nil || len(seeds) == 0 || !f.OldKeys {
		return seeds, err
	}
	old, err := query(t, scanNumbered, "SELECT old, id FROM old_keys WHERE id BETWEEN $1 AND $2",
		int64(seeds[0].Number), int64(seeds[len(seeds)-1].Number))
	for _, key := range old {
		at, isThere := slices.BinarySearchFunc(seeds, key.Number, func(r *engine.Seed, n uint64) int { return cmp.Compare(r.Number, n) })
		if isThere {
			seeds[at].OldKey = key.Name
		}
	}
	return seeds, err
}

func scanNumbered(row pgx.CollectableRow) (p seedlist.Place, err error) {
	var n int64
	err = row.Scan(&p.Name, &n)
	p.Number = uint64(n)
	return p, err
}

// Numbers are the next numbers.
func (t *tx) Numbers(n int) ([]uint64, error) {
	numbers, err := query(t, pgx.RowTo[int64], "SELECT nextval('numbers') FROM generate_series(1, $1)", n)
	slices.Sort(numbers)
	return unsigned(numbers), err
}

// Next says when a queue has something to take.
func (t *tx) Next(q engine.Queue, at time.Time, most int) (o engine.Outlook, err error) {
	now := at.UnixNano()
	var due []int64
	switch q {
	case engine.QueueHosts:
		o.IsReady, o.At, err = t.canDownload(at)
		return o, err
	case engine.QueueReady:
		err = t.sql.QueryRow(t.ctx, `SELECT count(*), coalesce(min(l.due), 0) FROM unnest('{1,2,3,4,5}'::smallint[]) AS q (queue), LATERAL
			(SELECT h.due FROM hot h WHERE h.queue = q.queue AND h.queue BETWEEN 1 AND 6 AND h.due > $1 ORDER BY h.due LIMIT $2) l`,
			now, most).Scan(&o.Later, &o.First)
		o.At, o.Later = o.First, min(o.Later, most)
		return o, err
	case engine.QueueDue:
		o.First, err = t.number(`SELECT coalesce(min(l.due), 0) FROM unnest('{1,2,3,4,5,6}'::smallint[]) AS q (queue), LATERAL
			(SELECT h.due FROM hot h WHERE h.queue = q.queue AND h.queue BETWEEN 1 AND 6 AND h.due > 0 ORDER BY h.due LIMIT 1) l`)
		return o, err
	case engine.QueueCatalogs:
		due, err = query(t, pgx.RowTo[int64], "SELECT due FROM catalogs WHERE due > 0 AND NOT harvesting ORDER BY due LIMIT 1")
	case engine.QueueRests:
		due, err = query(t, pgx.RowTo[int64], "SELECT due FROM hot WHERE queue = 6 AND (NOT is_archive OR at_rest(id)) ORDER BY due LIMIT 1")
	default:
		due, err = query(t, pgx.RowTo[int64], fmt.Sprintf("SELECT due FROM hot WHERE queue = %d ORDER BY due LIMIT 1", q))
	}
	if len(due) > 0 {
		o.IsReady, o.At = due[0] <= now, due[0]
	}
	return o, err
}

// signed are numbers as the driver takes them.
func signed(numbers []uint64) []int64 {
	all := make([]int64, len(numbers))
	for i, n := range numbers {
		all[i] = int64(n)
	}
	return all
}

func unsigned(numbers []int64) []uint64 {
	all := make([]uint64, len(numbers))
	for i, n := range numbers {
		all[i] = uint64(n)
	}
	return all
}

func distinct[T cmp.Ordered](all []T) []T { return slices.Compact(slices.Sorted(slices.Values(all))) }
