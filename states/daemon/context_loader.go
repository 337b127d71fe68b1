package daemon

import (
	"context"
	"errors"
	"time"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/seedlist"
)

// contextPause is how long a document waits at least for a context that is being fetched. It waits half as long as the
// context is waited for already: one that is long on its way has it read seldom.
const contextPause = time.Second

// contextLoader gives one document the contexts that it names, as the list has them. One that nobody has named is
// wanted from then on, and the reading ends: the document waits until it came, or could not be had.
type contextLoader struct {
	runner *Runner
	uses   []seedlist.ContextUse
	due    time.Time // when the document is to be read again, since a context is being fetched
	failed error     // what the list could not do
}

// LoadContext finds a context in the list.
func (l *contextLoader) LoadContext(ctx context.Context, iri string) (d format.ContextDocument, err error) {
	c, err := l.runner.contexts.want(ctx, iri)
	switch {
	case err != nil:
		l.failed = err
		return d, format.ErrContextDue // the reading ends
	case c.IsComing():
		l.wait(&c)
		return d, format.ErrContextDue
	}
	l.use(&c)
	if c.SHA256 == "" {
		why := "it could not be fetched"
		if c.Error != nil {
			why = c.Error.Message
		}
		return d, errors.New(why)
	}
	return format.ContextDocument{Text: c.Text, IRI: c.From}, nil
}

// wait sets when the document is read again, since a context is being fetched.
func (l *contextLoader) wait(c *seedlist.Context) {
	now := time.Now()
	l.due = now.Add(max(contextPause, min(now.Sub(c.Wanted)/2, l.runner.opt.retries().Most)))
}

// use notes that the document names a context, which it may in several readings.
func (l *contextLoader) use(c *seedlist.Context) {
	use := seedlist.ContextUse{IRI: c.IRI, SHA256: c.SHA256, Retrieved: c.Retrieved}
	for i := range l.uses {
		if l.uses[i].IRI == c.IRI {
			l.uses[i] = use
			return
		}
	}
	l.uses = append(l.uses, use)
}

// judge says how a reading ended: a document whose context is being fetched is given back, to be read again then.
func (l *contextLoader) judge(err error) error {
	switch {
	case err == nil || !errors.Is(err, format.ErrContextDue):
		return err
	case l.failed != nil:
		return l.failed
	}
	return &fault.Error{Op: "states.parsing", Kind: fault.Stopped, Code: fault.LocalStopped, Err: format.ErrContextDue,
		After: max(0, time.Until(l.due))}
}
