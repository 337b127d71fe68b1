package seedlist

import (
	"errors"
	"fmt"
)

// Wish is what was asked of a seed that is to be worked on again. Records hold it.
type Wish string

const (
	Retry  Wish = ""       // again, as far as something may have changed: see [Again]
	Force  Wish = "force"  // fetched whatever the server says, and washed whatever came
	Rewash Wish = "rewash" // washed from the stored bytes, without the network
	Repair Wish = "repair" // what was found damaged or missing is made again
)

// Mark says of a seed what was asked of it and is not done yet. A marked child rests until
// its archive is opened again, and is then filed. A marked seed with a URI is fetched without
// conditions. The mark ends with the transaction that files the child; that of a seed which
// waits itself ends when its bytes were opened.
type Mark struct {
	Asked Wish `json:"asked"`
	// Entries says that the same is asked of all entries of the archive, and of theirs. A
	// child that is filed for that has this mark until it is opened itself.
	Entries bool `json:"entries,omitempty"`
}

// Again is a request of [Editor.WashAgain].
type Again struct {
	Asked Wish
	// To is the ready state to begin with. With Retry it is the "from" of [Editor.Retry]. With
	// all others it is [Added], to be fetched, or [Filed], to be read again from the stored
	// bytes. That these are whole is for the caller to know. Of a child it is the state that
	// the outermost archive begins with.
	To State
	// Entries asks the same of all entries, if the seed is an archive.
	Entries bool
	// DryRun writes nothing. The answers are those that a call without it would give now.
	DryRun bool
	// If is held against each seed that is named, before all else. A dry run does not ask it.
	If Condition
}

// Check finds mistakes of the caller.
func (a *Again) Check() error {
	switch {
	case a.Asked == Retry && (a.To == "" || a.To.IsReady()) && !a.Entries:
	case a.Asked == Rewash && a.To == Filed:
	case a.Asked == Force && a.To == Added:
	case a.Asked == Repair && (a.To == Filed || a.To == Added):
	default:
		return fmt.Errorf("wash again: %q from %q isn't a request", a.Asked, a.To)
	}
	return nil
}

// AgainAnswer answers for one seed. If Err is nil, Root is the key of what begins again. That is
// the seed itself, its document if it has a fragment, or the outermost archive that it lies in.
// To is the ready state it begins with.
type AgainAnswer struct {
	Root string
	To   State
	Err  error
}

// What [Editor.WashAgain] answers besides what [Editor.Retry] does.
var (
	ErrGone    = errors.New("the entry is no longer in its archive")
	ErrClean   = errors.New("a clean file is made by a wash: name the seed that it was washed from")
	ErrNoBytes = errors.New("no bytes of the seed are stored")
	ErrRemoved = errors.New("the stored bytes were removed by --keep-dirty: \"laundromat seed retry --force\" fetches them again")
)

// MarkAgain adds what is asked to a record. What was asked of its entries before stays asked.
func (r *Record) MarkAgain(asked Wish, entries bool) {
	if r.Marked != nil && r.Marked.Entries {
		entries = true
	}
	r.Marked = &Mark{Asked: asked, Entries: entries}
}

// EndMark ends the mark of a child that is filed. within is what was asked of all that is in
// its archive; nil for nothing.
func (r *Record) EndMark(within *Mark) {
	switch {
	case within != nil && within.Entries:
		mark := *within
		r.Marked = &mark
	case r.Marked != nil && !r.Marked.Entries:
		r.Marked = nil
	}
}

// ReadAgain makes a record that of bytes which were filed and not looked at yet.
func (r *Record) ReadAgain() {
	r.ForgetReading()
	if r.Parent == "" {
		r.Archive = nil
	}
}
