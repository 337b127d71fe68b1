package daemon

import (
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// newKey is what a file of a seed is called that a claim writes. In a store that keeps the files of claims apart
// it has the fence of the lease. No other claim ever has that; what a chain foresees is not claimed yet.
func (r *Runner) newKey(claim *seedlist.Claim) string {
	if !r.files.Fenced() {
		return claim.Seed.Hash
	}
	return files.Key(claim.Seed.Hash, claim.Lease())
}

// old is the file of a suffix that the record of a seed names, or named last: to be removed.
func (r *Runner) old(seed *seedlist.Seed, suffix files.Suffix) discarded {
	return discarded{keyIn(r.files, seed, suffix), suffix}
}

// keyIn is what a store calls the file of a suffix that the record of a seed names.
func keyIn(store files.Upkeep, seed *seedlist.Seed, suffix files.Suffix) string {
	if !store.Fenced() {
		return seed.Hash
	}
	return seedfile.Key(seed, suffix)
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
	if !r.files.Fenced() {
		return nil
	}
	for _, p := range made {
		was := r.old(seed, p.Suffix())
		if files.HashOf(p.Hash()) != seed.Hash || was.Key == p.Hash() {
			continue
		}
		_, fence, _ := files.SplitKey(was.Key)
		if fence != 0 || namesFile(r.files, seed, was.Key, p.Suffix()) {
			old = append(old, was)
		}
	}
	return old
}
