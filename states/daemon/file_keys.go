package daemon

import (
	"slices"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// newKey is what a file of a seed is called that a claim writes. In a store that keeps the files of claims apart
// it has the fence of the lease. No other claim ever has that; what a chain foresees is not claimed yet.
func (r *Runner) newKey(claim *seedlist.Claim) string {
	if !r.files.Fenced() && claim.Seed.ServedClean() == "" {
		return claim.Seed.Hash
	}
	return files.Key(claim.Seed.Hash, claim.Lease()) // beside the files of what is served
}

// changeKey is what new files of what a wash changed are called. Those of the wash before are not served any more then.
func (r *Runner) changeKey(claim *seedlist.Claim) string {
	if !r.files.Fenced() {
		return claim.Seed.Hash
	}
	return files.Key(claim.Seed.Hash, claim.Lease())
}

// old is the file of a suffix that the record of a seed names, or named last: to be removed.
func (r *Runner) old(seed *seedlist.Seed, suffix files.Suffix) discarded {
	return discarded{seedfile.Key(seed, suffix), suffix}
}

// noteFiles lets a record say which claim wrote the files that were made for it.
func noteFiles(record *seedlist.Record, hash string, made []files.Pending) {
	for _, p := range made {
		if files.HashOf(p.Hash()) == hash {
			seedfile.Note(record, p.Hash(), p.Suffix())
		}
	}
}

// replaced are the files of a seed in whose place others are that have another name.
func (r *Runner) replaced(seed *seedlist.Seed, made []files.Pending) (old []discarded) {
	for _, p := range made {
		was := r.old(seed, p.Suffix())
		if files.HashOf(p.Hash()) != seed.Hash || was.Key == p.Hash() {
			continue
		}
		_, fence, _ := files.SplitKey(was.Key)
		if fence != 0 || seedfile.IsNamed(seed, was.Key, p.Suffix()) {
			old = append(old, was)
		}
	}
	return old
}

// goodFiles are the files of what is served of a seed, other than the clean one: its bytes, and its notices.
func goodFiles(seed *seedlist.Seed) (all []discarded) {
	if seed.ServedClean() == "" || seed.Clean == "" && seed.Good == nil {
		return nil
	}
	served := seed.Served()
	if served.Content != nil {
		form := seedfile.DirtyForm(&served)
		all = append(all, discarded{seedfile.Key(&served, form), form})
	}
	if len(served.Notices) > 0 {
		all = append(all, discarded{seedfile.Key(&served, files.Notices), files.Notices})
	}
	return all
}

// spare takes the files of what is served of a seed off those that are to be removed.
func spare(seed *seedlist.Seed, discard []discarded) []discarded {
	good := goodFiles(seed)
	return slices.DeleteFunc(discard, func(old discarded) bool { return slices.Contains(good, old) })
}
