package daemon

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/rdf/diff"
	"laundromat/seedlist"
	"laundromat/states"
)

// Beside says what another wash of the stored bytes of a document would change.
type Beside struct {
	// From is the clean file that is served, and To the one that would be; "" for none.
	From, To string
	// Added and Removed count statements.
	Added, Removed int64
	// Before and After are the notices.
	Before, After map[fault.Code]int64
	// Failed is why the document would end as failed, and FailedBefore why it did; nil if it would not.
	Failed, FailedBefore error
}

// WashBeside washes the stored bytes of a document with the settings of a runner. Nothing is stored. An error means
// that it could not be washed now, whatever the document is.
func WashBeside(ctx context.Context, r *Runner, seed seedlist.Seed) (b Beside, err error) {
	b = Beside{From: seed.ServedClean(), Before: seed.Notices}
	if seed.Error != nil && seed.Error.Stage != seedlist.Downloading {
		b.FailedBefore = fault.New("daemon.WashBeside", seed.Error.Kind, seed.Error.Code, "%s", seed.Error.Message)
	}
	first := seed
	first.Clean, first.Previous, first.Changes = "", "", nil // it is compared here, and not as a next wash
	if first.Recipe, err = r.recipes.use(ctx, &seed); err != nil {
		return b, err
	}
	claim := seedlist.Claim{Seed: first, Stage: seedlist.Parsing, Fence: seed.Fence, Try: 1}
	r.join(claim)
	defer r.together.RUnlock()
	var done outcome
	err = states.Safely(func() (err error) {
		done, err = r.parsing(ctx, claim)
		return err
	})
	after := seed.Record
	after.Notices = nil
	if done != nil {
		defer done.end()
		defer done.common().files.abort()
		if update := done.common().update; update != nil {
			update(&after)
		}
	}
	b.After = after.Notices
	switch fault.KindOf(err) {
	case fault.Local, fault.Stopped:
		return b, err
	}
	if err != nil {
		b.Failed = err
		return b, nil
	}
	parsed, ok := done.(*parseOutcome)
	if !ok || parsed.clean == nil {
		return b, nil
	}
	if b.To = parsed.clean.Content.MD5; b.From == b.To {
		return b, nil
	}
	return b, b.compare(ctx, r, parsed)
}

// compare counts the statements that differ. A document that had no clean file has all of them added.
func (b *Beside) compare(ctx context.Context, r *Runner, parsed *parseOutcome) error {
	var made files.Pending
	for _, p := range parsed.files.made {
		if p.Suffix() == files.Clean {
			made = p
		}
	}
	if made == nil {
		return nil
	}
	if b.From == "" {
		b.Added = *cmp.Or(parsed.clean.Content.NumberOfLines, new(int64))
		return nil
	}
	_, err := diff.Compare(ctx, r.cleanLines(b.From), func() (io.ReadCloser, error) {
		file, err := made.Open()
		return unpackedLines(file, err)
	}, diff.Output{
		Removed: func([]byte) error { b.Removed++; return nil },
		Added:   func([]byte) error { b.Added++; return nil },
		Renamed: func(_, _ []byte) error { return nil },
	}, diff.Options{Memory: needSort})
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New("daemon.WashBeside", fault.Data, fault.LocalFile, "the clean file of before is not there")
	}
	return err
}
