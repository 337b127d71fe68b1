package daemon

import (
	"context"
	"errors"
	"io/fs"

	"laundromat/internal/files"
	"laundromat/seedlist"
)

// washedBefore says that the last version of the document has these bytes, and was washed to this
// clean file already.
func washedBefore(record *seedlist.Record, clean string) bool {
	last := len(record.History) - 1
	return last >= 0 && record.Content != nil && record.History[last].MD5 == record.Content.MD5 && record.History[last].Clean == clean
}

// keepChanges keeps what a wash changed, if it was done again and came to the same. What is said of
// the version before holds still. It is false where files that say it are missing or damaged, and
// the clean file of before is kept. Comparing with that finds it again.
func (r *Runner) keepChanges(ctx context.Context, claim seedlist.Claim, done *parseOutcome) (kept bool, err error) {
	was := claim.Seed.Changes
	if was == nil || was.Error != "" {
		done.changes, done.changesKept = was, true
		return true, nil
	}
	said := [...]seedlist.ChangeFile{was.Removed, was.Added, was.Renamed}
	problem := ""
	for i, suffix := range changeSuffixes {
		if problem, err = changeTrouble(ctx, r.files, &claim.Seed, suffix, said[i]); problem != "" || err != nil {
			break
		}
	}
	switch {
	case err != nil:
		return false, err
	case problem == "":
		done.changes, done.changesKept = was, true
		return true, nil
	}
	lost := *was
	lost.Error = "the files that said it were lost, and the clean file of before is not kept"
	if _, err := r.files.Size(was.From, files.Clean); err == nil {
		return false, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	done.changes, done.changesKept = &lost, true
	for _, suffix := range changeSuffixes {
		done.files.discard = append(done.files.discard, r.old(&claim.Seed, suffix))
	}
	return true, nil
}
