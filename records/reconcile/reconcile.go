// Package reconcile finds which records are the same thing, in one table or between two, and merges them by rule. It
// needs no examples and no threshold.
//
//	engine, err := reconcile.New(plan, reconcile.Options{})
//	engine.Input("a.csv")                // the records that follow are of this input
//	err = engine.Add(record)             // each record
//	result, err := engine.Run(ctx)
//	err = engine.Write(sink)             // the merged records, which know their originals
//	engine.Close()
//
// A run has these steps, each in a file of its own:
//
//   - table.go holds the records, and numbers them by the hashes of their ids, so that their order does not matter;
//   - profile.go finds the kind of each field, and which fields of two tables say the same;
//   - words.go, keys.go and index.go find the likest records of each record, its candidates;
//   - likeness.go and features.go compare two records;
//   - one_to_one.go and matching.go learn which candidates of two tables are the same, by hiding those that are sure;
//   - classes.go and clusters.go do so in one table, by classes of pairs and by joining records into clusters;
//   - merged.go makes one record of several, and reason.go says why.
//
// What memory holds grows by some 40 bytes per record of one table, and by some 250 of two; values, originals, keys,
// candidates and likenesses go to temporary files where they are many.
package reconcile

import (
	"context"
	"errors"
	"runtime"

	"laundromat/internal/fault"
	"laundromat/records"
)

// Options of a run; the zero value is usable.
type Options struct {
	Temp    string // the folder of temporary files
	Memory  int64  // bytes, 256 MiB if 0
	Workers int    // goroutines, one per processor if 0
	// Answers are a person's, to whether two records are the same.
	Answers []Answer
	// Apart calls each with the records of sets of which a person said that no two records of a set are the same, with
	// the number of the set, the name of the input and the id. An answer about two of them counts more. nil: there are
	// none.
	Apart func(each func(set int64, in, id string) error) error
	// Model is that of an earlier run; nil to learn.
	Model *Model
	// Notices takes the findings; nil drops them.
	Notices func(fault.Notice)

	many    int // records from which on there are many
	without []mechanism
}

// Answer is a person's, to whether two records are the same.
type Answer struct {
	A, B string // ids
	// In names their inputs, where the ids alone do not say it.
	In   [2]string
	Same bool
}

// Engine reconciles records. It is not for several goroutines at once.
type Engine struct {
	plan  *Plan
	opt   Options
	table *table
	apart bool // one-to-one

	columns  []compared
	columnOf [2][]int          // the column of each field, -1 for none
	keysOf   [][]clusteringKey // of each field of the table; nil where the spec names none
	words    *counts
	grams    *counts
	index    *index
	idfs     []float32 // the weights of keys by how many records have them
	lonely   int       // records with fewer than three candidates

	fixed   map[pairKey]bool
	apartIn []inSet // by record, then set
	same    forest  // records that answers join; nil without apartIn
	groups  groups
	// within calls each with the pairs of the records of a group.
	within func(group []uint32, each func(scoredPair) error) error
	asked  []question // the best of those that may be asked
	model  *regression
	parts  []*regression // those by which pairs are scored
	// learned is what this run learned
	learned *Model
	rows    *matrix
	reason  func(at uint64) ([]reason, error) // of a pair

	places []uint32 // the records in the order of the inputs
	group  []int32  // of each record, -1 for none
}

type pairKey struct{ a, b uint32 }

// scoredPair is a pair that was found to be the same, with how likely it is.
type scoredPair struct {
	a, b  uint32
	score float64
	at    uint64 // what its reasons are found by
}

// Result says what a run found.
type Result struct {
	Mode      Mode
	Records   int     // in all inputs
	Merged    int     // records that have others
	Groups    int     // of these records
	Pairs     int     // within the groups
	Precision float64 // expected, of the pairs
	Few       bool    // there are too few records to say how many of the pairs are right: Precision says nothing
	Expected  float64 // how many pairs there are to find, of two tables
	NoMatches bool    // nothing shows that any two records are the same
	Doubled   bool    // the tables seem to have doubles in themselves
	Cut       int64   // keys that too many records have
	Lonely    int     // records with fewer than three candidates
	Compared  []Field // the fields that were compared
	Oversize  int     // components of which not all pairs were compared
}

// Field is a field that was compared.
type Field struct {
	Name, With string // With is its name in the second table
	Kind       Kind
	Derived    bool // it is made of others, and counts among the words of the record only
}

// New makes an engine.
func New(plan *Plan, opt Options) *Engine {
	if opt.Memory <= 0 {
		opt.Memory = 256 << 20
	}
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	if opt.Notices == nil {
		opt.Notices = func(fault.Notice) {}
	}
	if opt.many <= 0 {
		opt.many = manyRecords
	}
	return &Engine{plan: plan, opt: opt, table: newTable(opt.Temp, opt.Memory), fixed: map[pairKey]bool{}}
}

// Input says that the records that follow are of the input of this name.
func (e *Engine) Input(name string) {
	e.table.inputs = append(e.table.inputs, Input{name, int64(e.table.size())})
}

// Input is where records come from.
type Input struct {
	Name string
	From int64 // the number of its first record, of all records of the run from 0
}

// SetInputs says where all records come from, those that were added and those that follow.
func (e *Engine) SetInputs(inputs []Input) { e.table.inputs = inputs }

// Add adds a record to the last input.
func (e *Engine) Add(r *records.Record) error {
	e.plan.see(r)
	return e.table.add(r, e.plan.idOf(r, len(e.table.inputs)-1), e.plan.skips)
}

// Close removes what is held.
func (e *Engine) Close() {
	e.table.close()
	if e.rows != nil {
		e.rows.close()
	}
	if e.index != nil {
		e.index.close()
	}
}

// Run finds the records that are the same.
func (e *Engine) Run(ctx context.Context) (*Result, error) {
	mode := e.plan.mode
	if mode == 0 {
		mode = Clusters
		if len(e.table.inputs) == 2 {
			mode = OneToOne
		}
	}
	if mode == OneToOne && len(e.table.inputs) != 2 {
		return nil, e.plan.errorf("mode", "one-to-one needs two inputs; in one, records are found by mode: clusters")
	}
	if err := e.plan.check(len(e.table.inputs), e.table.size()); err != nil {
		return nil, err
	}
	if uint64(e.table.size()) >= 1<<32-1 {
		return nil, fault.New("reconcile.Run", fault.Limit, fault.LimitMemory, "more records than can be numbered")
	}
	if m := e.opt.Model; m != nil && m.Mode != mode.String() {
		return nil, e.plan.errorf("mode", "the model is of the mode %s, and this run of %s", m.Mode, mode)
	}
	e.apart = mode == OneToOne
	if err := e.table.seal(e.apart, e.opt.Notices); err != nil {
		return nil, err
	}
	if 2*e.table.compared < e.table.size() {
		return nil, e.plan.errorf("id", "%q is no id: %d of %d records have none, or one that another has", e.plan.id,
			e.table.size()-e.table.compared, e.table.size())
	}
	result := &Result{Mode: mode, Records: e.table.size()}
	if err := e.findColumns(); err != nil {
		return nil, err
	}
	for _, c := range e.columns {
		result.Compared = append(result.Compared, Field{e.table.nameOf(c.fields[0]), e.table.nameOf(c.fields[1]), c.kind, c.derived})
	}
	if err := errors.Join((answering{e}).take(), takeApart(e)); err != nil {
		return nil, err
	}
	if !e.apart {
		e.table.hashes = nil
	}
	e.index = &index{Engine: e}
	if err := e.index.count(ctx); err != nil {
		return nil, err
	}
	var err error
	if e.apart {
		err = e.oneToOne(ctx, result)
	} else {
		err = e.clusters(ctx, result)
	}
	if err != nil {
		return nil, err
	}
	for _, f := range e.index.families {
		result.Cut += f.cut
	}
	result.Lonely, result.Groups = e.lonely, e.groups.len()
	result.Merged = len(e.groups.of)
	return result, e.arrange()
}

// findColumns finds the fields that are compared.
func (e *Engine) findColumns() error {
	e.findKeys()
	if e.opt.Model != nil {
		e.columns = e.modelColumns()
		e.findFields()
		return nil
	}
	t := e.table
	split := t.compared
	if e.apart {
		split = t.firsts
	}
	first, err := t.profile(0, split)
	if err != nil {
		return err
	}
	if e.apart {
		second, err := t.profile(split, t.compared)
		if err != nil {
			return err
		}
		e.columns = t.align(first, second, e.plan.with, !e.opt.lacks(loneCodes))
	} else {
		for _, c := range first {
			e.columns = append(e.columns, compared{[2]int{c.field, c.field}, c.kind, t.names[c.field], c.derived})
		}
	}
	columns := e.columns[:0]
	for _, c := range e.columns {
		if kind, said := e.plan.kinds[c.name]; said {
			c.kind, c.derived = kind, false
		}
		if c.kind != Ignored {
			columns = append(columns, c)
		}
	}
	e.columns = columns
	if !e.apart && len(columns) > mostPatterned {
		e.columns = mostFilled(e.columns)
	}
	e.findFields()
	return nil
}

// findFields finds the column of each field.
func (e *Engine) findFields() {
	for side := range e.columnOf {
		of := make([]int, mostFields+1)
		for i := range of {
			of[i] = -1
		}
		for i, c := range e.columns {
			if !c.derived && c.fields[side] < mostFields {
				of[c.fields[side]] = i
			}
		}
		e.columnOf[side] = of
	}
}
