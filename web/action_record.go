package web

import (
	"time"

	"laundromat/seedlist"
)

// Deed is what an action does with each seed.
type Deed string

// The deeds. Each is that of the request for many seeds, or of the verb, of its name.
const (
	DoRetry  Deed = "retry"  // from Action.From, or as far as something may have changed
	DoForce  Deed = "force"  // fetched without conditions, and washed whatever comes
	DoRewash Deed = "rewash" // washed from the stored bytes
	DoRemove Deed = "remove" // with what goes with it
	DoSet    Deed = "set"    // settings are changed
)

// Deeds are all deeds.
func Deeds() []Deed { return []Deed{DoRetry, DoForce, DoRewash, DoRemove, DoSet} }

// ActionState says where an action stands.
type ActionState string

// The states of an action. The first two lead to the others, which are ends.
const (
	ActionWaiting ActionState = "waiting" // for its turn, or for the daemon to run again
	ActionWorking ActionState = "working"
	ActionDone    ActionState = "done"    // all that matched was looked at
	ActionStopped ActionState = "stopped" // somebody stopped it
	ActionFailed  ActionState = "failed"  // the store could not go on: Error says why
	// ActionInterrupted says that the daemon was killed. Up to one page more than what is counted may be done.
	ActionInterrupted ActionState = "interrupted"
)

// IsEnd says that an action works no more.
func (s ActionState) IsEnd() bool { return s != ActionWaiting && s != ActionWorking }

// ActionFilter says which seeds an action is about: those of the filters of every verb, and of those that
// lists have besides.
type ActionFilter struct {
	SeedFilter
	ViewFilter
}

// SeedSettings are what can be set of seeds.
type SeedSettings = seedlist.SeedSettings

// ActionRequest asks for an action.
type ActionRequest struct {
	Do     Deed          `json:"do" enum:"retry,force,rewash,remove,set"`
	From   string        `json:"from,omitempty" doc:"with retry: the stage that failed, to begin again with"`
	Set    *SeedSettings `json:"set,omitempty" doc:"with set: what is changed"`
	Filter *ActionFilter `json:"filter" doc:"which seeds; {} lets all through"`
}

// Action is the record of an action. It is kept for some time after its end.
type Action struct {
	ID    string      `json:"id" doc:"a number that rises"`
	State ActionState `json:"state"`
	ActionRequest
	// By is the name of the token that asked for it, or "socket".
	By    string    `json:"by"`
	Asked time.Time `json:"asked"`
	Begun time.Time `json:"begun,omitzero"`
	Ended time.Time `json:"ended,omitzero"`
	// Matched is how many seeds the filter let through when the work began; absent before.
	Matched *int64 `json:"matched,omitempty"`
	// Looked is how many seeds were looked at: Done and Refused. Seeds that began to match, or ceased to,
	// make it another number than Matched.
	Looked  int64     `json:"looked"`
	Done    int64     `json:"done"`
	Refused int64     `json:"refused"`
	Reasons []Refusal `json:"reasons,omitempty" doc:"why seeds were refused, the most frequent first"`
	Error   string    `json:"error,omitempty"`
	// Cursor is the place in the list from which the work goes on.
	Cursor string `json:"cursor,omitempty"`
}

// Refusal is a reason for which an action did nothing with some seeds.
type Refusal struct {
	Reason string       `json:"reason"`
	Seeds  int64        `json:"seeds"`
	First  []RefusedOne `json:"first,omitempty"`
}

// RefusedOne is one of the seeds that were refused first.
type RefusedOne struct {
	Hash string `json:"hash"`
	URI  string `json:"uri"`
}

const (
	mostReasons     = 50 // that are told apart
	mostRefusedOnes = 10 // that are named of each reason
	otherReasons    = "other reasons"
)

// count adds what was done with some seeds.
func (a *Action) count(answers []ActedOn) {
	for i := range answers {
		one := &answers[i]
		a.Looked++
		if one.Error == "" {
			a.Done++
			continue
		}
		a.Refused++
		a.reason(one.Error).add(one)
	}
	// In order of frequency, those of the same in that of their first seeds.
	for i := 1; i < len(a.Reasons); i++ {
		for j := i; j > 0 && a.Reasons[j].Seeds > a.Reasons[j-1].Seeds; j-- {
			a.Reasons[j], a.Reasons[j-1] = a.Reasons[j-1], a.Reasons[j]
		}
	}
}

// reason is the entry of a reason, which is made if need be.
func (a *Action) reason(text string) *Refusal {
	for i := range a.Reasons {
		if a.Reasons[i].Reason == text {
			return &a.Reasons[i]
		}
	}
	if len(a.Reasons) >= mostReasons && text != otherReasons {
		return a.reason(otherReasons)
	}
	a.Reasons = append(a.Reasons, Refusal{Reason: text})
	return &a.Reasons[len(a.Reasons)-1]
}

func (r *Refusal) add(one *ActedOn) {
	r.Seeds++
	if len(r.First) < mostRefusedOnes {
		r.First = append(r.First, RefusedOne{one.Hash, one.URI})
	}
}

// listing is the list that an action goes through.
func (f *ActionFilter) listing(cursor string, limit int) *listRequest {
	return &listRequest{SeedFilter: f.SeedFilter, ViewFilter: f.ViewFilter, Cursor: cursor, Limit: limit}
}

// meansClean says that clean files are meant. They go with what they were washed from, unless
// somebody asks for them.
func (f *ActionFilter) meansClean() bool { return f.State != "" }

// shown is the record as people see it.
func (a Action) shown() Action {
	if a.Filter != nil {
		filter := *a.Filter
		filter.Source = seedlist.ShownIn(filter.Source)
		a.Filter = &filter
	}
	return a
}
