package jsonld

import "laundromat/markup/jsonread"

// manyApplied is how many contexts are kept as they were applied.
const manyApplied = 32

// applied names a context that was written out, and what it was applied to.
type applied struct {
	to      *active
	context *jsonread.Value // the first of its kind
}

// applyAgain applies a context of the document, or finds what that gave before. What told anything,
// or has contexts in it that are read later, is applied anew each time, so that places are right.
func (e *expander) applyAgain(a *active, local *jsonread.Value) (*active, *failure) {
	if local.Origin == nil {
		return e.process(a, local, where{})
	}
	key := applied{a, local.Origin}
	if known := e.applied[key]; known != nil {
		return known, nil
	}
	before := e.said
	result, f := e.process(a, local.Own(), where{})
	if f == nil && e.said == before && !result.placed() {
		if len(e.applied) >= manyApplied {
			clear(e.applied)
		}
		e.applied[key] = result
	}
	return result, f
}

// placed says that a context holds what a place in the document belongs to.
func (a *active) placed() bool {
	for _, t := range a.terms {
		if t.lost != nil || t.contexts != nil && t.from == "" {
			return true
		}
	}
	return a.previous != nil && a.previous.placed()
}
