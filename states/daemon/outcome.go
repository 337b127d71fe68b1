package daemon

import (
	"slices"

	"laundromat/internal/digest"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/states"
)

// outcome is what the work of a stage came to. It holds also where the work failed, as far as
// that came. Each stage has a type of its own.
type outcome interface {
	// common is what the outcome of every stage has.
	common() *work
	// succeed adds what the stage alone found to what is written down of a success.
	succeed(*seedlist.Outcome)
	// fail adds what is written down also of a failure.
	fail(*seedlist.Outcome)
	// end gives back what the work holds until its outcome is written down.
	end()
}

// work is what the outcome of every stage has, and the outcome of one that found nothing.
type work struct {
	next   seedlist.State
	update func(*seedlist.Record) // also called if the work failed; nil: nothing changes
	files  changedFiles
	load   seedlist.Load // what the host of a download showed
	reply  int           // the status of the last reply of a download; 0 for none
	// log is what the stage says in the log of attempts: Counts, InsertCount, HTTP and SourceText.
	// InsertCount is of records made, or statements written. SourceText is the beginning of what
	// came back.
	log seedlist.Attempt
}

func (w *work) common() *work             { return w }
func (w *work) succeed(*seedlist.Outcome) {}
func (w *work) fail(*seedlist.Outcome)    {}
func (w *work) end()                      {}

// downloadOutcome is that of downloading.
type downloadOutcome struct {
	work
	unchanged bool
	// body is all that was downloaded, if it is little enough to be worked on at once.
	body []byte
}

func (d *downloadOutcome) succeed(o *seedlist.Outcome) { o.Unchanged = d.unchanged }

// unarchiveOutcome is that of unarchiving: of an archive, its entries.
type unarchiveOutcome struct {
	work
	children []seedlist.Child
	filed    seedlist.FiledChildren // those that were filed before
	entries  *entryFiler            // nil for what is no archive
}

func (u *unarchiveOutcome) succeed(o *seedlist.Outcome) { o.Children, o.Filed = u.children, u.filed }

func (u *unarchiveOutcome) end() {
	if u.entries != nil {
		u.entries.end()
	}
}

// guessOutcome is that of guessing.
type guessOutcome struct {
	work
	named []seedlist.NewSeed // documents that a page leads to, to be followed
}

func (g *guessOutcome) succeed(o *seedlist.Outcome) { o.Named = g.named }

// fail adds them too: what is no data may still lead to some.
func (g *guessOutcome) fail(o *seedlist.Outcome) { o.Named = g.named }

// parseOutcome is that of parsing.
type parseOutcome struct {
	work
	clean   *seedlist.Clean
	changes *seedlist.Changes // what the wash changed; nil for the first
	// changesKept says that a wash before found them: this one came to the same.
	changesKept bool
	named       []seedlist.NewSeed // documents that the data names, to be followed
	duplicates  int64              // lines that the sort left out

	// products are those beside a clean file; nil where statements alone were asked for.
	products []seedlist.Product
	records  *digest.Records
	// ofRecords are the statements that were made of records; nil where none were wanted.
	ofRecords *states.StatementsMade
	articles  *digest.Articles
	evidence  []seedlist.Evidence // of the form of the document, that readers found
}

func (p *parseOutcome) succeed(o *seedlist.Outcome) {
	o.Clean, o.Named, o.Products = p.clean, p.named, p.products
}

// fail adds why each product was not made; files that were made of others are given up.
func (p *parseOutcome) fail(o *seedlist.Outcome) {
	if !slices.ContainsFunc(p.products, func(p seedlist.Product) bool { return p.SHA256 != "" }) {
		o.Products = p.products
	}
}

// changedFiles are the files that the work of a stage made, and those that it made useless.
type changedFiles struct {
	made    []files.Pending // made durable before the record names them
	notices files.Pending   // the list of notices, which the record names also if the work failed
	discard []discarded     // files that no record names any more
}

// discarded is a file to be removed once the record is written.
type discarded struct {
	Key    string
	Suffix files.Suffix
}

// lists are the list of notices, if there is one.
func (c *changedFiles) lists() []files.Pending {
	if c.notices == nil {
		return nil
	}
	return []files.Pending{c.notices}
}

// all are those that were made, the list of notices included.
func (c *changedFiles) all() []files.Pending { return append(slices.Clip(c.made), c.lists()...) }

// named are those that the record names after work that came to an end.
func (c *changedFiles) named(v verdict) []files.Pending {
	if v == succeeded {
		return c.all()
	}
	return c.lists()
}

// abort gives up all that were made.
func (c *changedFiles) abort() {
	abort(c.made)
	abort(c.lists())
}

func abort(pending []files.Pending) {
	for _, p := range pending {
		p.Abort()
	}
}
