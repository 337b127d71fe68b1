package seedlist

import "slices"

// State is the state of a seed. Ready states wait to be claimed, working states
// are held by a worker, final states rest.
type State string

const (
	Added       State = "added"       // from people, catalogs, and after the interval; downloading claims it
	Downloading State = "downloading" // the bytes are being fetched
	Filed       State = "filed"       // the bytes are there: from downloading, or a child from its archive
	Unarchiving State = "unarchiving" // is it an archive? then it is being opened
	Unarchived  State = "unarchived"  // a document: no archive, filters known
	Guessing    State = "guessing"    // encoding and format are being guessed
	Guessed     State = "guessed"     // encoding and format presumed
	Parsing     State = "parsing"     // statements are being read and washed
	Parsed      State = "parsed"      // final: washed; its clean seed holds the statements
	Depleted    State = "depleted"    // final: an archive; its entries are seeds of their own
	Failed      State = "failed"      // final: a stage stopped with an error
	Cleaned     State = "cleaned"     // a clean file: made by parsing, never moved
)

// table is the life of a seed: a ready state is claimed into its working state,
// and that is completed into one of next. All else reads it.
var table = []struct {
	ready, working State
	next           []State
}{
	{Added, Downloading, []State{Filed, Failed}},
	{Filed, Unarchiving, []State{Unarchived, Depleted, Failed}},
	{Unarchived, Guessing, []State{Guessed, Failed}},
	{Guessed, Parsing, []State{Parsed, Failed}},
}

// states is every state in the order of a seed's life. Records hold the place of
// a state in it, counted from 1: append only.
var states = []State{
	Added, Downloading, Filed, Unarchiving, Unarchived, Guessing, Guessed, Parsing,
	Parsed, Depleted, Failed, Cleaned,
}

// States returns every state in the order of a seed's life.
func States() []State { return slices.Clone(states) }

// Stages returns the working states in the order of a seed's life.
func Stages() []State {
	stages := make([]State, len(table))
	for i, row := range table {
		stages[i] = row.working
	}
	return stages
}

// IsReady says that a seed in s waits to be claimed.
func (s State) IsReady() bool { return s.Working() != "" }

// IsWorking says that a seed in s is held by a worker.
func (s State) IsWorking() bool { return s.Ready() != "" }

// IsFinal says that a seed in s rests.
func (s State) IsFinal() bool { return s == Cleaned || s.IsEnd() }

// Working is the state that a seed in the ready state s is claimed into; "" if s
// is not ready.
func (s State) Working() State {
	for _, row := range table {
		if row.ready == s {
			return row.working
		}
	}
	return ""
}

// Ready is the state from which a seed in the working state s was claimed, and to which it
// is given back. If s is not a working state, it is "".
func (s State) Ready() State {
	for _, row := range table {
		if row.working == s {
			return row.ready
		}
	}
	return ""
}

// Next returns the states that a seed in the working state s can be completed into.
func (s State) Next() []State { return slices.Clone(s.next()) }

// next is Next; it is not to be changed.
func (s State) next() []State {
	for _, row := range table {
		if row.working == s {
			return row.next
		}
	}
	return nil
}

// IsEnd says that s ends a wash: some row leads to it and none starts from it.
func (s State) IsEnd() bool {
	if s.IsReady() {
		return false
	}
	return slices.ContainsFunc(table, func(row struct {
		ready, working State
		next           []State
	}) bool {
		return slices.Contains(row.next, s)
	})
}

// Number is the place of s in [States], counted from 1, as records hold it; 0 if it is
// no state.
func (s State) Number() uint8 { return uint8(slices.Index(states, s) + 1) }

// StateOf is the state of a stored number; "" for 0 and for numbers of a later version.
func StateOf(n uint8) State {
	if n == 0 || int(n) > len(states) {
		return ""
	}
	return states[n-1]
}

// Cause is why a seed moves. Each allows some pairs of states; a pair that no
// cause allows is no move.
type Cause uint8

const (
	ByClaim     Cause = iota // a worker takes it
	ByOutcome                // the work came to its end
	ByReturn                 // lease ran out, crash, shutdown, or a retry with a due time
	ByNoChange               // downloaded again, and nothing had changed
	ByInterval               // its interval passed, or a person asked for it: from the start
	ByRetry                  // a person asked for the stage that failed, or it is asked again by itself
	ByDepletion              // its archive was depleted again, and its bytes changed or it was marked
	ByRewash                 // its stored bytes are whole, and a person asked for them to be washed again
)

var causes = []Cause{ByClaim, ByOutcome, ByReturn, ByNoChange, ByInterval, ByRetry, ByDepletion, ByRewash}

// Allows says whether a seed may move from one state to another for this cause.
// What else must hold (a URI, the stage that failed, the last final state) is
// checked where the move is made.
func (c Cause) Allows(from, to State) bool {
	switch c {
	case ByClaim:
		return from.IsReady() && from.Working() == to
	case ByOutcome:
		return slices.Contains(from.next(), to)
	case ByReturn:
		return from.IsWorking() && from.Ready() == to
	case ByNoChange:
		return from == table[0].working && to.IsEnd()
	case ByInterval:
		return from.IsEnd() && to == table[0].ready
	case ByRetry:
		return from == Failed && to.IsReady()
	case ByDepletion, ByRewash:
		return from.IsEnd() && to == table[1].ready
	}
	return false
}
