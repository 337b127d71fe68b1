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
	if !r.files.Fenced() && !claim.Seed.IsServed() {
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

// goodFiles are the files of what is served of a seed, other than the clean one: its bytes, and its notices. The bytes
// of products that were made of others are among them.
func goodFiles(seed *seedlist.Seed) (all []discarded) {
	if seed.ServedClean() != "" && (seed.Clean != "" || seed.Good != nil) {
		served := seed.Served()
		all = append(all, readingFiles(&served)...)
		if seed.Clean == "" {
			good := seed.LastGood()
			all = append(all, readingFiles(&good)...)
		}
	}
	if seed.HasOwnProduct() {
		all = append(all, readingFiles(seed)...)
	}
	for n := range seedfile.All(seed) {
		if isProductFile(n.Suffix) || isOfProducts(seed, &n) {
			all = append(all, discarded{n.Key, n.Suffix})
		}
	}
	return all
}

// readingFiles are the bytes and the notices that a record names of one reading.
func readingFiles(seed *seedlist.Seed) (all []discarded) {
	if seed.HasDirty() {
		form := seedfile.DirtyForm(seed)
		all = append(all, discarded{seedfile.Key(seed, form), form})
	}
	if seed.HasNotices() {
		all = append(all, discarded{seedfile.Key(seed, files.Notices), files.Notices})
	}
	return all
}

// mostLost is how many claims before one are looked after that were lost with their processes. Older files gc removes.
const mostLost = 8

// leftOfCrashes are the files that claims before a claim may have left, where processes died that worked on its seed.
func leftOfCrashes(claim *seedlist.Claim) (all []discarded) {
	if claim.Crashes == 0 {
		return nil
	}
	for fence := claim.Lease() - 1; fence > 0 && claim.Lease()-fence <= mostLost; fence-- {
		for _, suffix := range [...]files.Suffix{files.Dirty, files.DirtyGzip, files.Notices, files.Removed, files.Added, files.Renamed,
			files.Records, files.Articles, files.Schema} {
			all = append(all, discarded{files.Key(claim.Seed.Hash, fence), suffix})
		}
	}
	return all
}

// isProductFile says that a file is that of a product other than statements, or the schema beside it.
func isProductFile(suffix files.Suffix) bool {
	return suffix == files.Records || suffix == files.Articles || suffix == files.Schema
}

// isOfProducts says that a file holds bytes that a product was made of, where these are not those of the record.
func isOfProducts(seed *seedlist.Seed, n *seedfile.Named) bool {
	return (n.Suffix == files.Dirty || n.Suffix == files.DirtyGzip) && slices.ContainsFunc(seed.Products, func(p seedlist.Product) bool {
		return p.Of != nil && p.Of.Removed == nil && n.Key == files.Key(seed.Hash, p.Of.Fence)
	})
}

// hasProductFiles says that a seed has files of products other than statements.
func hasProductFiles(seed *seedlist.Seed) bool {
	return slices.ContainsFunc(seed.Products, func(p seedlist.Product) bool { return p.HasFile() }) ||
		slices.ContainsFunc(seed.History, func(v seedlist.Version) bool { return len(v.Products) > 0 })
}

// spare takes the files of what is served of a seed off those that are to be removed.
func spare(seed *seedlist.Seed, discard []discarded) []discarded {
	good := goodFiles(seed)
	return slices.DeleteFunc(discard, func(old discarded) bool { return slices.Contains(good, old) })
}
