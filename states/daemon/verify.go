package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/report"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// Damage is one fault that Verify found.
type Damage struct {
	Hash, File, Problem string
	// Stray says that the file belongs to no record: rubbish, but no loss.
	Stray bool
	// InList says that the list itself is damaged there, which nothing that is washed again mends.
	InList bool
	// Seed is the key of the seed that the file is of; of a clean file, that of one that was washed
	// to it. Name is how people know that seed. Both are "" for strays.
	Seed, Name string
	// Mending is what [Repair] did about it; nil for strays, and from [Verify].
	Mending *Mending
}

// Verified counts what Verify looked at. Marked are the faults, of those that are Bad, about which
// [Repair] could do something.
type Verified struct{ Seeds, Files, Bad, Strays, Marked int64 }

// Verify compares the store with the files. Every file that a record names is there and its hash is
// right, and no file is there that no record names. It reads every file whole. found is called for
// each fault; its error ends the work.
func Verify(ctx context.Context, seeds seedlist.Reader, blobs files.Blobs, found func(Damage) error) (Verified, error) {
	v := verification{ctx: ctx, seeds: seeds, blobs: blobs, found: found, names: seedNames{seeds: seeds}}
	if err := v.list(); err != nil {
		return v.sums, err
	}
	cursor := ""
	for {
		page, next, err := seeds.List(ctx, seedlist.Filter{Cursor: cursor, Limit: 1000})
		if err != nil {
			return v.sums, err
		}
		for i := range page {
			v.sums.Seeds++
			if err := v.seed(&page[i]); err != nil {
				return v.sums, err
			}
		}
		if next == "" {
			break
		}
		cursor = next
	}
	return v.sums, blobs.Walk(ctx, v.stray)
}

type verification struct {
	ctx    context.Context
	seeds  seedlist.Reader
	blobs  files.Blobs
	found  func(Damage) error
	sums   Verified
	names  seedNames
	faults []Damage // of the seed that is being looked at
}

func (v *verification) bad(hash string, file files.Suffix, format string, args ...any) error {
	v.faults = append(v.faults, Damage{Hash: hash, File: string(file), Problem: fmt.Sprintf(format, args...)})
	return nil
}

// seed holds one record against its files. A seed that moved meanwhile, since a
// daemon is at work, is looked at again.
func (v *verification) seed(seed *seedlist.Seed) (err error) {
	for {
		v.faults = v.faults[:0]
		if err := v.look(seed); err != nil || len(v.faults) == 0 {
			return err
		}
		now, err := v.seeds.Seed(v.ctx, seed.Hash)
		if errors.Is(err, seedlist.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if now.Fence == seed.Fence && now.Status == seed.Status && now.Clean == seed.Clean {
			break
		}
		seed = &now
	}
	for _, fault := range v.faults {
		v.sums.Bad++
		if fault.Seed, fault.Name, err = v.ownerOf(seed); err != nil {
			return err
		}
		if err := v.found(fault); err != nil {
			return err
		}
	}
	return nil
}

func (v *verification) look(seed *seedlist.Seed) error {
	if err := v.ctx.Err(); err != nil {
		return err
	}
	if seed.Status == seedlist.Cleaned {
		return v.clean(seed)
	}
	if seed.HasDirty() && !seed.Status.IsWorking() {
		if err := v.dirty(seed); err != nil {
			return err
		}
	}
	if seed.Changes != nil && seed.Changes.Error == "" && !seed.Status.IsWorking() && !seed.Status.IsReady() {
		if err := v.changes(seed); err != nil {
			return err
		}
	}
	if seed.Clean != "" {
		if _, err := v.seeds.Seed(v.ctx, seed.Clean); err != nil {
			if err := v.bad(seed.Hash, files.Clean, "names the clean seed %s, which is not there", seed.Clean); err != nil {
				return err
			}
		}
	}
	if seed.HasNotices() {
		if err := v.notices(seed); err != nil {
			return err
		}
	}
	if err := v.products(seed); err != nil {
		return err
	}
	return v.served(seed)
}

// products holds the files of products other than statements, and the bytes that they were made of, against the record.
func (v *verification) products(seed *seedlist.Seed) error {
	for n := range seedfile.All(seed) {
		if !isProductFile(n.Suffix) && !isOfProducts(seed, &n) {
			continue
		}
		problem, err := namedTrouble(v.ctx, v.blobs, &n)
		if err := v.hashed(seed.Hash, n.Suffix, problem, err); err != nil {
			return err
		}
	}
	return nil
}

// served holds the files of the last good wash against the record, where they are others than those of what came last.
func (v *verification) served(seed *seedlist.Seed) error {
	if seed.Previous == "" || seed.Clean != "" {
		return nil
	}
	if _, err := v.seeds.Seed(v.ctx, seed.Previous); err != nil {
		if err := v.bad(seed.Hash, files.Clean, "names the clean seed %s, which is not there", seed.Previous); err != nil {
			return err
		}
	}
	if seed.Good == nil {
		return nil
	}
	served := seed.Served()
	if served.HasDirty() && seedfile.Key(&served, files.Dirty) != seedfile.Key(seed, files.Dirty) {
		if err := v.dirty(&served); err != nil {
			return err
		}
	}
	if served.HasNotices() && seedfile.Key(&served, files.Notices) != seedfile.Key(seed, files.Notices) {
		return v.notices(&served)
	}
	return nil
}

// ownerOf is the seed that a file of seed is of, and how people know it.
func (v *verification) ownerOf(seed *seedlist.Seed) (hash, name string, err error) {
	if seed.Dirty != "" {
		dirty, err := v.seeds.Record(v.ctx, seed.Dirty)
		if errors.Is(err, seedlist.ErrNotFound) {
			return seed.Dirty, seed.Dirty, nil
		}
		if err != nil {
			return "", "", err
		}
		seed = &dirty
	}
	name, err = v.names.nameOf(v.ctx, seed)
	return seed.Hash, name, err
}

func (v *verification) dirty(seed *seedlist.Seed) error {
	problem, err := dirtyTrouble(v.ctx, v.blobs, seed)
	return v.hashed(seed.Hash, seedfile.DirtyForm(seed), problem, err)
}

// hashed notes what is wrong with a file that was read whole.
func (v *verification) hashed(hash string, suffix files.Suffix, problem string, err error) error {
	if err != nil {
		return err
	}
	if problem != missingFile {
		v.sums.Files++
	}
	if problem != "" {
		return v.bad(hash, suffix, "%s", problem)
	}
	return nil
}

// changes holds the files of what the last wash changed against the record.
func (v *verification) changes(seed *seedlist.Seed) error {
	said := [...]seedlist.ChangeFile{seed.Changes.Removed, seed.Changes.Added, seed.Changes.Renamed}
	for i, suffix := range changeSuffixes {
		problem, err := changeTrouble(v.ctx, v.blobs, seed, suffix, said[i])
		if err := v.hashed(seed.Hash, suffix, problem, err); err != nil {
			return err
		}
	}
	return nil
}

func (v *verification) clean(seed *seedlist.Seed) error {
	file, err := v.blobs.Open(seed.Hash, files.Clean)
	if errors.Is(err, fs.ErrNotExist) {
		return v.bad(seed.Hash, files.Clean, missingFile)
	}
	if err != nil {
		return err
	}
	defer file.Close()
	v.sums.Files++
	var index io.Reader
	indexFile, err := v.blobs.Open(seed.Hash, files.Index)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if seed.Content == nil || files.Indexed(seed.Content.NumberOfBytes) {
			if err := v.bad(seed.Hash, files.Index, missingFile); err != nil {
				return err
			}
		}
	case err != nil:
		return err
	default:
		defer indexFile.Close()
		v.sums.Files++
		index = files.Sequential(indexFile)
	}
	if seed.Content == nil || files.Indexed(seed.Content.NumberOfBytes) {
		if err := v.statistics(seed.Hash); err != nil {
			return err
		}
	}
	is, err := files.VerifyClean(v.ctx, files.Sequential(file), index)
	var damage *files.Damage
	switch {
	case errors.As(err, &damage):
		return v.bad(seed.Hash, files.Clean, "damaged: %v", err)
	case err != nil:
		return err
	case is.MD5 != seed.Hash:
		return v.bad(seed.Hash, files.Clean, "its N-Quads have the MD5 %s", is.MD5)
	case seed.Content != nil && is.SHA256 != seed.Content.SHA256:
		return v.bad(seed.Hash, files.Clean, "its N-Quads have the SHA-256 %s, the record says %s", is.SHA256, seed.Content.SHA256)
	}
	return nil
}

// statistics unpacks what is kept of what a clean file says.
func (v *verification) statistics(hash string) error {
	file, err := v.blobs.Open(hash, files.Statistics)
	if errors.Is(err, fs.ErrNotExist) {
		return v.bad(hash, files.Statistics, missingFile)
	}
	if err != nil {
		return err
	}
	defer file.Close()
	v.sums.Files++
	packed, err := gzip.NewReader(files.Sequential(file))
	if err == nil {
		_, err = io.Copy(io.Discard, packed)
	}
	if err != nil {
		return v.bad(hash, files.Statistics, "damaged: %v", err)
	}
	return nil
}

func (v *verification) notices(seed *seedlist.Seed) error {
	file, err := v.blobs.Open(seedfile.Key(seed, files.Notices), files.Notices)
	if errors.Is(err, fs.ErrNotExist) {
		return v.bad(seed.Hash, files.Notices, missingFile)
	}
	if err != nil {
		return err
	}
	defer file.Close()
	v.sums.Files++
	counts, full := map[fault.Code]int64{}, true
	err = report.ReadList(files.Sequential(file), func(n fault.Notice) error {
		if n.Code == fault.LimitNotices {
			full = false
		}
		counts[n.Code]++
		return v.ctx.Err()
	})
	if err != nil {
		return v.bad(seed.Hash, files.Notices, "damaged: %v", err)
	}
	for code, n := range seed.Notices {
		if full && counts[code] != n {
			return v.bad(seed.Hash, files.Notices, "lists %d × %s, the record says %d", counts[code], code, n)
		}
	}
	return nil
}

// stray looks whether a record names a file.
func (v *verification) stray(key string, suffix files.Suffix, _ int64) error {
	seed, err := v.seeds.Seed(v.ctx, files.HashOf(key))
	named := err == nil && seedfile.IsNamed(&seed, key, suffix)
	if errors.As(err, new(*seedlist.Damage)) {
		return nil // a record names it that can't be read, which was told of
	}
	if err != nil && !errors.Is(err, seedlist.ErrNotFound) {
		return err
	}
	if named {
		return nil
	}
	v.sums.Strays++
	return v.found(Damage{Hash: key, File: string(suffix), Problem: "no record names it", Stray: true})
}
