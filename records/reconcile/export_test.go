package reconcile

import (
	"context"

	"laundromat/internal/fault"
)

// OfMany are the options of a run to which so many records are many.
func OfMany(records int) Options { return Options{many: records} }

// Candidates finds the candidates of the records of one table, and calls each with their ids.
func (e *Engine) Candidates(ctx context.Context, each func(a, b string)) error {
	if err := e.table.seal(false, func(fault.Notice) {}); err != nil {
		return err
	}
	if err := e.findColumns(); err != nil {
		return err
	}
	e.index = &index{Engine: e}
	if err := e.index.count(ctx); err != nil {
		return err
	}
	list, err := e.index.retrieve(ctx, e.candidates())
	if err != nil {
		return err
	}
	defer list.close()
	pairs, err := list.get(0, list.n, nil)
	if err != nil {
		return err
	}
	for _, p := range pairs {
		var ids [2]string
		for i, n := range [...]uint32{p.a, p.b} {
			if ids[i], err = e.table.id(n); err != nil {
				return err
			}
		}
		each(ids[0], ids[1])
	}
	return nil
}

// Mechanisms are all that a run may go without, those of one-to-one first.
var Mechanisms = [2][]mechanism{
	{
		gramCandidates, learning, plainLikeness, laterRounds, fieldFeatures, codeFeatures, elsewhere,
		loneCodes, hardNegatives, otherParts, wholeStanding, decoyThreshold, bothSides,
	},
	{gramCandidates, swappedFields, severalClasses, worthyPairs, splitClasses, datedClasses, dateClause, correlation},
}

// Without are the options of a run without a mechanism.
func Without(m ...mechanism) Options { return Options{without: m} }
