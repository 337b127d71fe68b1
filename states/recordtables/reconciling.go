package recordtables

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/database"
	"laundromat/records/dump"
	"laundromat/records/reconcile"
	"laundromat/records/spec"
	"laundromat/seedlist"
	"laundromat/states/recipe"
	"laundromat/states/recordset"
)

// engineForm is raised when the same rows give other merges than before.
const engineForm = 2

// When a table is reconciled: once the database holds all changes, and not before it has rested as many times as long
// as the last time took, so that it takes a part of a processor only. The end of a run does not wait.
const (
	restAfter  = 10
	leastRest  = time.Second
	pageOfRows = 500
	// leastMemory and mostMemory bound what is held of the records that are reconciled, in bytes, beside what grows
	// with them; what has no room goes into temporary files. heldOfRow is what a row takes of it.
	leastMemory = 8 << 20
	mostMemory  = 64 << 20
	heldOfRow   = 4 << 10
)

// reconciled is a recipe whose records are reconciled.
type reconciled struct {
	recipe, sum string
	part        *spec.Node
	shape       database.Shape
	first       string // the table whose rows are the first input; "" for none
}

// table is the table of the recipe.
func (r *reconciled) table() string { return database.TableOf(r.recipe) }

// reconcilable are the recipes of a list whose records are reconciled.
type reconcilable struct {
	version uint64
	isRead  bool
	all     []reconciled
}

// read reads them again where the recipes have changed.
func (r *reconcilable) read(ctx context.Context, list List) error {
	version, err := list.RecipesVersion(ctx)
	if err != nil || r.isRead && version == r.version {
		return err
	}
	listed, version, err := list.Recipes(ctx)
	if err != nil {
		return err
	}
	sums := make([]string, len(listed))
	for i := range listed {
		sums[i] = listed[i].SHA256
	}
	bodies, err := list.RecipeForms(ctx, sums...)
	if err != nil {
		return err
	}
	var all []reconciled
	for _, l := range listed {
		one, err := reconciledOf(l.Name, bodies[l.SHA256])
		if err != nil {
			return err
		}
		if one != nil {
			all = append(all, *one)
		}
	}
	r.version, r.isRead, r.all = version, true, all
	return nil
}

// reconciledOf is what a recipe says of it; nil if nothing.
func reconciledOf(name string, body []byte) (*reconciled, error) {
	if !bytes.Contains(body, []byte(`"reconcile"`)) {
		return nil, nil
	}
	read, err := recipe.FromBody(name, body)
	if err != nil || read.Spec == nil || read.Spec.Reconcile == nil {
		return nil, err
	}
	plan, err := reconcile.Compile(read.Spec.Reconcile)
	if err != nil {
		return nil, err
	}
	one := &reconciled{recipe: name, sum: read.SHA256, part: read.Spec.Reconcile, shape: recordset.Shape(read.Job(0, ""))}
	if first := plan.Recipe(); first != "" {
		one.first = database.TableOf(first)
	}
	return one, nil
}

// basis is what merges are found from.
type basis struct {
	form string
	was  database.Reconciled
	said []database.Answer
}

// basisOf reads it. Of the same form, the merges are those that are there.
func basisOf(tx *database.Tx, r *reconciled) (b basis, err error) {
	revision, err := tx.Revision(r.table())
	if err != nil {
		return b, err
	}
	var first int64
	if r.first != "" {
		if first, err = tx.Revision(r.first); err != nil {
			return b, err
		}
	}
	if b.was, err = tx.Reconciled(r.table()); err != nil {
		return b, err
	}
	b.form = fmt.Sprintf("%d %s %d %d %d %t", engineForm, r.sum, revision, first, b.was.Answers, b.was.KeepsModel)
	if b.form != b.was.Form {
		b.said, err = tx.Answers(r.table())
	}
	return b, err
}

// reconcile brings the merges of one table up to date that is due. wait is how long none is.
func (f *Follower) reconcile(ctx context.Context, db *database.Database) (wait time.Duration, err error) {
	if err := f.merging.read(ctx, f.opt.List); err != nil {
		return 0, err
	}
	wait = lease / 3
	due := 0
	for i := range f.merging.all {
		r := &f.merging.all[i]
		var b basis
		if err := db.Update(ctx, func(tx *database.Tx) (err error) { b, err = basisOf(tx, r); return err }); err != nil {
			return 0, err
		}
		if b.form == b.was.Form {
			continue
		}
		due++
		now := time.Now()
		pause := max(leastRest, restAfter*time.Duration(b.was.Seconds*float64(time.Second)))
		if rested := f.rested[r.recipe]; !f.hurried.Load() && !rested.IsZero() && now.Before(rested.Add(pause)) {
			wait = min(wait, rested.Add(pause).Sub(now))
			continue
		}
		f.setDue(due)
		err := f.reconcileTable(ctx, db, r, b)
		if f.rested == nil {
			f.rested = map[string]time.Time{}
		}
		f.rested[r.recipe] = time.Now()
		return 0, err
	}
	if err := f.letGo(ctx, db); err != nil {
		return 0, err
	}
	f.setDue(due)
	return wait, nil
}

// setDue notes how many tables are to be reconciled.
func (f *Follower) setDue(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status.Unreconciled = n
	f.settled, f.isSettled = f.cursor.Revision, true
}

// letGo parts the merges of tables whose recipes ask for none any more.
func (f *Follower) letGo(ctx context.Context, db *database.Database) error {
	if f.letGoAt == f.merging.version && f.letGoAt != 0 {
		return nil
	}
	var names []string
	if err := db.Update(ctx, func(tx *database.Tx) (err error) { names, err = tx.AllReconciled(); return err }); err != nil {
		return err
	}
	for _, table := range names {
		if slices.ContainsFunc(f.merging.all, func(r reconciled) bool { return r.table() == table }) {
			continue
		}
		err := f.holding(ctx, db, func(tx *database.Tx) error {
			was, err := tx.Reconciled(table)
			if err != nil || was.Merges == 0 {
				return err
			}
			was.Form, was.Merges, was.Merged, was.Pairs = "", 0, 0, 0
			return errors.Join(tx.PartAll(table, time.Now()), tx.SetReconciled(table, was))
		})
		if err != nil {
			return err
		}
	}
	f.letGoAt = f.merging.version
	return nil
}

// holding does something in one transaction, if this process is the one that follows the list.
func (f *Follower) holding(ctx context.Context, db *database.Database, do func(*database.Tx) error) error {
	return db.Update(ctx, func(tx *database.Tx) error {
		isHeld, err := tx.Hold(f.opt.Name, f.opt.Holder, lease)
		if err == nil && !isHeld {
			err = errLeft
		}
		if err != nil {
			return err
		}
		return do(tx)
	})
}

// reconcileTable finds the merges of all rows of a table, and puts them in the place of those that are there, in one
// transaction. They depend on the rows, on what persons said, and on a model that is kept, and on nothing else: so
// neither on the order in which documents came, nor on what was killed.
func (f *Follower) reconcileTable(ctx context.Context, db *database.Database, r *reconciled, b basis) error {
	began := time.Now()
	now := database.Reconciled{Form: b.form, KeepsModel: b.was.KeepsModel, Model: b.was.Model, Answers: b.was.Answers, At: began}
	memory, release, err := f.drawFor(ctx, db, r)
	if err != nil {
		if fault.CodeOf(err) == fault.LimitMemory {
			return f.unfit(ctx, db, r, b, err)
		}
		return err
	}
	defer release()
	engine, err := f.engine(ctx, db, r, b, memory)
	if err != nil {
		return f.unfit(ctx, db, r, b, err)
	}
	defer engine.Close()
	rows, err := f.rowsInto(ctx, db, r, engine)
	if err != nil {
		return err
	}
	result := &reconcile.Result{}
	if rows[0] > 0 && rows[1] > 0 {
		err = f.beside(ctx, db, func(ctx context.Context) error {
			result, err = engine.Run(ctx)
			return err
		})
	}
	if err != nil {
		if ctx.Err() != nil || fault.KindOf(err) == fault.Local {
			return err
		}
		return f.unfit(ctx, db, r, b, err)
	}
	if model := engine.Model(); model != nil {
		var text bytes.Buffer
		if err := model.Write(&text); err != nil {
			return err
		}
		now.Model = text.String()
	}
	now.Records, now.Merged, now.Merges, now.Pairs = int64(result.Records), int64(result.Merged), int64(result.Groups), int64(result.Pairs)
	if result.Groups > 0 && !result.Few && !math.IsNaN(result.Precision) {
		now.Precision = &result.Precision
	}
	now.Seconds = time.Since(began).Seconds()
	return f.holding(ctx, db, func(tx *database.Tx) error {
		present, err := basisOf(tx, r)
		if err != nil || present.form != b.form {
			return err // what it was found from is another by now
		}
		if err := tx.ReplaceMerges(r.table(), r.shape, began, func(put func(database.Merge) error) error {
			if result.Groups == 0 {
				return nil
			}
			return engine.Groups(ctx, func(g reconcile.Group) error { return put(mergeOf(r, &g)) })
		}); err != nil {
			return err
		}
		return tx.SetReconciled(r.table(), now)
	})
}

// unfit notes why the merges of a table are those of before.
func (f *Follower) unfit(ctx context.Context, db *database.Database, r *reconciled, b basis, why error) error {
	return f.holding(ctx, db, func(tx *database.Tx) error {
		now := b.was
		now.Form, now.Trouble, now.At = b.form, why.Error(), time.Now()
		return tx.SetReconciled(r.table(), now)
	})
}

// drawFor draws what reconciling a table needs from the budget, and waits for it if it must. Memory is that for the
// records. It is an error of [fault.LimitMemory] if the whole budget is too small.
func (f *Follower) drawFor(ctx context.Context, db *database.Database, r *reconciled) (memory int64, release func(), err error) {
	var rows int64
	if err := db.Update(ctx, func(tx *database.Tx) error {
		for _, table := range [...]string{r.first, r.table()} {
			if table == "" {
				continue
			}
			n, err := tx.CountRows(table)
			if err != nil {
				return err
			}
			rows += n
		}
		return nil
	}); err != nil {
		return 0, nil, err
	}
	memory = min(max(rows*heldOfRow, leastMemory), mostMemory)
	if f.opt.Budget == nil {
		return memory, func() {}, nil
	}
	memory = min(memory, max(f.opt.Most/4, leastMemory))
	need := reconcile.MemoryOf(int(rows), memory)
	if need > f.opt.Most {
		return 0, nil, fault.New("recordtables.reconcile", fault.Limit, fault.LimitMemory,
			"%d records need %d bytes of memory to be reconciled, and %d are there for all work", rows, need, f.opt.Most)
	}
	if err := f.beside(ctx, db, func(ctx context.Context) error { return f.opt.Budget.Acquire(ctx, need) }); err != nil {
		return 0, nil, err
	}
	return memory, func() { f.opt.Budget.Release(need) }, nil
}

// engine makes the engine for a table.
func (f *Follower) engine(
	ctx context.Context, db *database.Database, r *reconciled, b basis, memory int64,
) (*reconcile.Engine, error) {
	plan, err := reconcile.Compile(r.part)
	if err != nil {
		return nil, err
	}
	opt := reconcile.Options{Temp: f.opt.Temp, Memory: memory, Workers: max(1, runtime.GOMAXPROCS(0)/2)}
	for _, a := range b.said {
		opt.Answers = append(opt.Answers, reconcile.Answer{A: a.A, B: a.B, Same: a.Same})
	}
	opt.Apart = func(each func(set int64, in, id string) error) error {
		return db.Update(ctx, func(tx *database.Tx) error { return tx.EachUndone(r.table(), each) })
	}
	if b.was.KeepsModel && b.was.Model != "" {
		if opt.Model, err = reconcile.ReadModel(strings.NewReader(b.was.Model)); err != nil {
			return nil, err
		}
	}
	return reconcile.New(plan, opt), nil
}

// rowsInto adds all rows of the table, after those of the first input if there is one. It answers how many of each
// there are; without a first input, how many there are twice. The rows may change meanwhile, which is found out when
// the merges are written.
func (f *Follower) rowsInto(ctx context.Context, db *database.Database, r *reconciled, engine *reconcile.Engine) (rows [2]int, err error) {
	tables := []string{r.table()}
	if r.first != "" {
		tables = []string{r.first, r.table()}
	}
	for i, table := range tables {
		engine.Input(table)
		for after, isMore := "", true; isMore; {
			var page []database.Row
			if err := f.holding(ctx, db, func(tx *database.Tx) (err error) {
				page, err = tx.RowsAfter(table, after, pageOfRows)
				return err
			}); err != nil {
				return rows, err
			}
			for k := range page {
				if err := addRow(engine, &page[k]); err != nil {
					return rows, err
				}
			}
			rows[i] += len(page)
			if isMore = len(page) == pageOfRows; isMore {
				after = page[len(page)-1].Key
			}
		}
	}
	if r.first == "" {
		rows[1] = rows[0]
	}
	return rows, nil
}

// addRow adds a row. Its key, its source and its time are kept as the places of the record are, which the engine does
// not look at.
func addRow(engine *reconcile.Engine, row *database.Row) error {
	return dump.ReadLines(strings.NewReader(row.Record+"\n"), nil, adding{engine, row})
}

type adding struct {
	engine *reconcile.Engine
	row    *database.Row
}

func (a adding) Record(r *records.Record) error {
	r.Document, r.Table, r.Element = a.row.Key, a.row.Source, a.row.Changed.UTC().Format(time.RFC3339)
	return a.engine.Add(r)
}

func (a adding) Notice(fault.Notice) {}

// beside does something that may take long, and stays meanwhile the process that follows the list.
func (f *Follower) beside(ctx context.Context, db *database.Database, do func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			seedlist.Rest(ctx, lease/4)
			if ctx.Err() != nil {
				return
			}
			if err := f.holding(ctx, db, func(*database.Tx) error { return nil }); err != nil {
				cancel(err)
				return
			}
		}
	}()
	err := do(ctx)
	if cause := context.Cause(ctx); cause != nil && err != nil {
		err = cause
	}
	cancel(nil)
	<-done
	return err
}

// mergeOf is a group as the database keeps it, by the key of its first row that is of the table itself.
func mergeOf(r *reconciled, g *reconcile.Group) database.Merge {
	m := database.Merge{Record: g.Merged}
	from := records.Value{Kind: records.List}
	var changed string
	for i, one := range g.Records {
		table := r.table()
		if r.first != "" && g.Inputs[i] == 0 {
			table = r.first
		}
		m.Members = append(m.Members, database.Member{Table: table, Key: one.Document, ID: g.IDs[i], Source: one.Table})
		changed = max(changed, one.Element)
		if table == r.table() && m.Key == "" {
			m.Key, m.Source = one.Document, one.Table
		}
		from.Items = append(from.Items, heldOf(table, one))
	}
	m.Changed, _ = time.Parse(time.RFC3339, changed) // as addRow wrote it
	m.Record.Fields = append(m.Record.Fields, records.Field{Name: records.MergeField, Value: records.Value{Kind: records.Object,
		Fields: []records.Field{{Name: records.MergedFrom, Value: from}, {Name: reconcile.MergedValues, Value: g.Values}}}})
	m.Pairs = pairsOf(g.Pairs)
	return m
}

// heldOf is a row as a merged record holds it.
func heldOf(table string, r *records.Record) records.Value {
	held := records.Record{Fields: r.Fields, Was: r.Was}
	v, err := dump.ReadJSON(held.AppendJSON(nil))
	if err != nil { // which we wrote
		v = records.Value{Kind: records.Object, Fields: r.Fields}
	}
	return records.Value{Kind: records.Object, Fields: []records.Field{
		{Name: "in", Value: records.TextOf(table)}, {Name: "key", Value: records.TextOf(r.Document)},
		{Name: "source", Value: records.TextOf(r.Table)}, {Name: records.OriginalRecord, Value: v},
	}}
}

// Pair is why two records are the same.
type Pair struct {
	A      string   `json:"a"`
	B      string   `json:"b"`
	Score  float64  `json:"score"`
	Fields []string `json:"fields,omitempty"`
	Reason string   `json:"reason"`
}

// pairsOf are pairs as JSON, in an order that depends on their ids alone.
func pairsOf(pairs []reconcile.Pair) string {
	all := make([]Pair, 0, len(pairs))
	for _, p := range pairs {
		all = append(all, Pair{p.A, p.B, math.Round(p.Score*1e4) / 1e4, p.Fields, p.Reason})
	}
	text, err := json.Marshal(all)
	if err != nil { // no number of a score is infinite
		return "[]"
	}
	return string(text)
}
