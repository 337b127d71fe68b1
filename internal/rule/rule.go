// Package rule names the rules by which readers go on behind faults, and lets a benchmark read
// without one of them.
//
// A reader has one [Table], in which each of its rules has a name and a sentence. It asks a [Switch]
// where a rule would act. Without a [Trial] in the context of a reading there is no switch, and every
// rule holds: the program never makes one. A trial belongs to one reading, so that readings with
// different rules can go on at the same time.
//
//	trial := &rule.Trial{Without: rule.Ref{Table: rdfxml.Rules, Number: 3}}
//	err := format.Parse(rule.With(ctx, trial), …)
//	if !trial.Asked(trial.Without) {
//		// the reading would have been the same with the rule
//	}
package rule

import (
	"context"
	"sync"
)

// Rule is one way in which a reader goes on, or one thing that it counts as evidence.
type Rule struct {
	Name string // as tables of the documentation have it; one of a table only
	Does string // what it does, as a sentence
}

// Table is the rules of one package. It is made once, and never changed.
type Table struct {
	Package string // below the module, such as rdf/rdfxml
	Rules   []Rule // by their numbers
}

// Ref is a rule of a table. The zero Ref is none.
type Ref struct {
	Table  *Table
	Number int
}

// Rule is what a Ref refers to.
func (r Ref) Rule() Rule { return r.Table.Rules[r.Number] }

// All are the rules of a table.
func (t *Table) All() []Ref {
	all := make([]Ref, len(t.Rules))
	for i := range all {
		all[i] = Ref{t, i}
	}
	return all
}

// Trial is one reading in which a rule does not hold.
type Trial struct {
	Without Ref

	lock     sync.Mutex // parts of a document may be read at the same time
	switches map[*Table]*Switch
}

// Asked says that the reading came to a place where a rule would act. Where it did not, the result is
// the same with the rule and without it.
func (t *Trial) Asked(r Ref) bool {
	t.lock.Lock()
	defer t.lock.Unlock()
	s := t.switches[r.Table]
	return s != nil && s.asked[r.Number]
}

// Switch says which rules of a table hold in a reading. The nil Switch says that all do. It is for one
// goroutine at a time.
type Switch struct {
	asked   []bool
	without int // -1 for none
}

// On says that a rule holds. It is asked where the rule would act, and nowhere else.
func (s *Switch) On(number int) bool {
	if s == nil {
		return true
	}
	s.asked[number] = true
	return number != s.without
}

type key struct{}

// With is a context in which a trial is made.
func With(ctx context.Context, t *Trial) context.Context { return context.WithValue(ctx, key{}, t) }

// Of is the switch of a reading for a table; nil without a trial, as in the program.
func Of(ctx context.Context, table *Table) *Switch {
	t, _ := ctx.Value(key{}).(*Trial)
	if t == nil {
		return nil
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	s := t.switches[table]
	if s == nil {
		s = &Switch{asked: make([]bool, len(table.Rules)), without: -1}
		if t.Without.Table == table {
			s.without = t.Without.Number
		}
		if t.switches == nil {
			t.switches = map[*Table]*Switch{}
		}
		t.switches[table] = s
	}
	return s
}
