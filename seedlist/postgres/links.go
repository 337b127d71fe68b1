package postgres

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// A relation is read from these rows: of and to are what it links, hash is that of to.
var relations = [...]struct{ rows, of, to, hash, harvest, gone string }{
	engine.Children: {"hot l", "l.parent", "l.id", "l.hash", "0::bigint", "l.gone"},
	engine.Dirty:    {"links l", "l.clean", "l.dirty", "(SELECT hash FROM hot WHERE id = l.dirty)", "0::bigint", "false"},
	engine.Listed:   {"listings l", "l.seed", "l.catalog", "(SELECT hash FROM catalogs WHERE id = l.catalog)", "l.harvest", "l.gone"},
	engine.Listings: {"listings l", "l.catalog", "l.seed", "(SELECT hash FROM hot WHERE id = l.seed)", "l.harvest", "l.gone"},
}

// Links reads the links of all at once, the first of each.
func (t *tx) Links(q engine.LinkQuery) (links []engine.Link, totals map[uint64]int64, err error) {
	r := relations[q.Relation]
	var args []any
	put := func(condition string, value any) string {
		args = append(args, value)
		return fmt.Sprintf(" AND "+condition, len(args))
	}
	where := ""
	if q.Relation == engine.Children {
		where += " AND l.parent > 0" // which the index has
	}
	if q.Gone != nil {
		where += put(r.gone+" = $%d", *q.Gone)
	}
	if q.From > 0 {
		where += put(r.harvest+" >= $%d", int64(q.From))
	}
	if q.Before > 0 {
		where += put(r.harvest+" < $%d", int64(q.Before))
	}
	hash := "''"
	if q.Hashes {
		hash = r.hash
	}
	columns := fmt.Sprintf("%s, %s, %s, %s, %s", r.of, r.to, hash, r.harvest, r.gone)
	scan := func(row pgx.CollectableRow) (l engine.Link, err error) {
		var of, to, harvest int64
		err = row.Scan(&of, &to, &l.Hash, &harvest, &l.Gone)
		l.Relation, l.Of, l.To, l.Harvest = q.Relation, uint64(of), uint64(to), uint64(harvest)
		return l, err
	}
	if q.Of == nil { // all, in their order
		args = append(args, int64(q.AfterOf), int64(q.After), q.Most)
		n := len(args)
		links, err = query(t, scan, fmt.Sprintf("SELECT %s FROM %s WHERE (%s, %s) > ($%d, $%d)%s ORDER BY %s, %s LIMIT $%d", columns, r.rows,
			r.of, r.to, n-2, n-1, where, r.of, r.to, n), args...)
		return links, nil, err
	}
	args = append(args, signed(q.Of))
	from := fmt.Sprintf("FROM unnest($%d::bigint[]) AS u (id)", len(args))
	var b pgx.Batch
	if q.Totals {
		totals = map[uint64]int64{}
		counted := fmt.Sprintf("SELECT u.id, (SELECT count(*) FROM %s WHERE %s = u.id%s) %s", r.rows, r.of, where, from)
		b.Queue(counted, args...).Query(func(rows pgx.Rows) error {
			all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (n [2]int64, err error) {
				err = row.Scan(&n[0], &n[1])
				return n, err
			})
			for _, n := range all {
				totals[uint64(n[0])] = n[1]
			}
			return err
		})
	}
	if q.Most > 0 {
		args := append([]any{}, args...)
		if q.Among != nil {
			args = append(args, signed(q.Among))
			where += fmt.Sprintf(" AND %s = ANY($%d)", r.to, len(args))
		}
		args = append(args, int64(q.After), min(q.Most, math.MaxInt32))
		b.Queue(fmt.Sprintf("SELECT s.* %s, LATERAL (SELECT %s FROM %s WHERE %s = u.id%s AND %s > $%d ORDER BY %s LIMIT $%d) s", from, columns,
			r.rows, r.of, where, r.to, len(args)-1, r.to, len(args)), args...).Query(func(rows pgx.Rows) (err error) {
			links, err = pgx.CollectRows(rows, scan)
			return err
		})
	}
	err = t.send(&b)
	slices.SortFunc(links, func(a, b engine.Link) int { return cmp.Or(cmp.Compare(a.Of, b.Of), cmp.Compare(a.To, b.To)) })
	return links, totals, err
}

func scanCatalog(row pgx.CollectableRow) (*engine.Catalog, error) {
	c := new(engine.Catalog)
	var id int64
	var data []byte
	var refusals string
	err := row.Scan(&id, &c.Hash, &c.Holder, &refusals, &data)
	if err != nil {
		return nil, err
	}
	if c.Number = uint64(id); refusals != "" {
		c.Refusals = []byte(refusals)
	}
	c.Known, err = seedlist.DecodeCatalog(data)
	return c, err
}

const selectCatalogs = "SELECT c.id, c.hash, c.holder, c.refusals, c.data FROM catalogs c WHERE "

// Catalogs reads catalogs.
func (t *tx) Catalogs(q engine.CatalogQuery) ([]*engine.Catalog, error) {
	isMoving := "harvesting OR due > 0 AND due <= $1 OR data->>'status' = 'waiting'"
	switch {
	case q.Numbers != nil:
		return query(t, scanCatalog, selectCatalogs+"c.id = ANY($1) ORDER BY c.id"+t.locking(), signed(q.Numbers))
	case q.Hash != "":
		return query(t, scanCatalog, selectCatalogs+"c.hash = $1"+t.locking(), q.Hash)
	case q.IsAll:
		return query(t, scanCatalog, selectCatalogs+"c.id > $1 ORDER BY c.id LIMIT $2", int64(q.After), q.Most)
	case !q.Due.IsZero():
		return query(t, scanCatalog, selectCatalogs+"due > 0 AND due <= $1 AND NOT harvesting ORDER BY due, id LIMIT $2 FOR UPDATE SKIP LOCKED",
			q.Due.UnixNano(), q.Most)
	case !q.Moving.IsZero():
		return query(t, scanCatalog, selectCatalogs+"("+isMoving+") LIMIT $2", q.Moving.UnixNano(), q.Most)
	case q.Left:
		return query(t, scanCatalog, selectCatalogs+"harvesting AND c.holder <> $1 AND NOT EXISTS (SELECT FROM holders WHERE "+
			"holders.holder = c.holder) ORDER BY c.id LIMIT $2 FOR UPDATE", t.store.holder, q.Most)
	}
	return nil, nil
}

// Log reads entries of the log.
func (t *tx) Log(of []string, after uint64, most int) ([]engine.Entry, error) {
	sql, args := "SELECT number, hash, of_catalog, data FROM attempts WHERE number > $1 ORDER BY number LIMIT $2", []any{int64(after), most}
	if of != nil {
		sql, args = `SELECT last.* FROM unnest($1::text[]) AS u (hash), (VALUES (false), (true)) AS o (of_catalog), LATERAL
			(SELECT number, hash, of_catalog, data FROM attempts a WHERE a.hash = u.hash AND a.of_catalog = o.of_catalog AND number > $2
			ORDER BY number DESC LIMIT $3) last ORDER BY number`, []any{of, int64(after), most}
	}
	return query(t, func(row pgx.CollectableRow) (e engine.Entry, err error) {
		var n int64
		err = row.Scan(&n, &e.Hash, &e.OfCatalog, &e.Data)
		e.Number = uint64(n)
		return e, err
	}, sql, args...)
}

func scanChange(row pgx.CollectableRow) (c seedlist.Change, err error) {
	var revision, at, id int64
	var was, became int16
	err = row.Scan(&revision, &at, &id, &was, &became, &c.Hash)
	c.Revision, c.Time, c.Number, c.From, c.To = uint64(revision), engine.TimeOf(at), uint64(id), stateOf(was), stateOf(became)
	c.Hash, c.Name, _ = strings.Cut(c.Hash, " ")
	return c, err
}

// Changes reads the feed. Where none is asked for, that is one number.
func (t *tx) Changes(after uint64, most int) (all []seedlist.Change, first, last uint64, err error) {
	var is, kept int64
	if most == 0 {
		is, err = t.number("SELECT last FROM feed")
		return nil, uint64(is) + 1, uint64(is), err
	}
	err = t.sql.QueryRow(t.ctx, "SELECT last, coalesce((SELECT min(revision) FROM changes), last + 1) FROM feed").Scan(&is, &kept)
	if err != nil || after >= uint64(is) || after+1 < uint64(kept) {
		return nil, uint64(kept), uint64(is), err
	}
	all, err = query(t, scanChange, "SELECT revision, at, id, was, became, hash FROM changes WHERE revision > $1 ORDER BY revision LIMIT $2",
		int64(after), most)
	return all, uint64(kept), uint64(is), err
}

// Counts adds up the parts of the sums.
func (t *tx) Counts() (map[string]int64, error) {
	all := map[string]int64{}
	found, err := query(t, scanNumbered, "SELECT name, sum(n)::bigint FROM counts GROUP BY name HAVING sum(n) <> 0")
	for _, n := range found {
		all[n.Name] = int64(n.Number)
	}
	return all, err
}

// Washed reads sums of spans.
func (t *tx) Washed(span seedlist.Span, from, to time.Time) ([]seedlist.Washed, error) {
	begin, end := int64(math.MinInt64), int64(math.MaxInt64)
	if !to.IsZero() {
		begin, end = from.UnixNano(), to.UnixNano()
	}
	return query(t, func(row pgx.CollectableRow) (w seedlist.Washed, err error) {
		var begins int64
		err = row.Scan(&begins, &w.Documents, &w.Bytes, &w.Statements)
		w.Begin = engine.TimeOf(begins)
		return w, err
	}, "SELECT begins, documents, bytes, statements FROM washed WHERE span = $1 AND begins >= $2 AND begins < $3 ORDER BY begins",
		string(span), begin, end)
}

// Items reads contexts of JSON-LD, or rows about recipes.
func (t *tx) Items(q engine.ItemQuery) ([]engine.Item, error) {
	sql := "SELECT key, data, NULL::bytea FROM recipes"
	if q.Kind == engine.Contexts {
		sql = "SELECT key, data, CASE WHEN " + strconv.FormatBool(q.Texts) + " THEN body END FROM contexts"
	}
	scan := func(row pgx.CollectableRow) (i engine.Item, err error) {
		i.Kind = q.Kind
		err = row.Scan(&i.Key, &i.Data, &i.Text)
		return i, err
	}
	if q.Keys != nil {
		return query(t, scan, sql+" WHERE key = ANY($1) ORDER BY key"+t.locking(), q.Keys)
	}
	return query(t, scan, sql+" WHERE key > $1 AND starts_with(key, $2) ORDER BY key LIMIT $3", q.After, q.Prefix, q.Most)
}

// logSequence is that of the numbers of attempts.
const logSequence = "pg_get_serial_sequence('attempts', 'number')"

// Meta reads what was written of a name.
func (t *tx) Meta(name string) (data []byte, err error) {
	sql := "SELECT data::text FROM copying"
	switch name {
	case engine.MetaNumbers:
		sql = "SELECT coalesce(pg_sequence_last_value('numbers'::regclass), 0)::text"
	case engine.MetaAttempts:
		sql = "SELECT coalesce(pg_sequence_last_value(" + logSequence + "::regclass), 0)::text"
	}
	found, err := query(t, pgx.RowTo[string], sql)
	if len(found) == 0 {
		return nil, err
	}
	return []byte(found[0]), err
}
