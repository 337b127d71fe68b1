package grammar

import "laundromat/rdf/ttl/lex"

// Walk is the grammar run over tokens without effects: a state, and all that is open. The zero value is before the
// first statement.
type Walk struct {
	State
	open []opened
}

// opened is a statement or bracket.
type opened struct {
	frame Frame
	role  Role
}

// Push notes that a frame is open, within those that were pushed before. State must say the same.
func (w *Walk) Push(f Frame, as Role) { w.open = append(w.open, opened{f, as}) }

// Depth is how many frames are open, with that of the statement.
func (w *Walk) Depth() int { return len(w.open) }

// Take goes over a token of kind k. Nothing has changed if that is refused.
func (w *Walk) Take(k lex.Kind) Act {
	act := Step(&w.State, k)
	switch act {
	case Refused:
		return act
	case Open:
		f, role := Opens(w.State, k)
		if w.In == Outside && role == AsSubject {
			w.Push(Statement, AsObject)
		}
		w.Push(f, role)
		w.State = w.Enter(f)
		return act
	case Close:
		n := len(w.open) - 1
		role, around := w.open[n].role, Outside
		if w.open = w.open[:n]; n > 0 {
			around = w.open[n-1].frame
		}
		w.State = w.Leave(role, around)
		return act
	case TakeSubject:
		if w.In == Outside {
			w.Push(Statement, AsObject)
		}
	case EndStatement, EndAll, OpenGraph:
		w.open = w.open[:0]
	}
	w.Follow(act, k)
	return act
}
