// Package seedfile says under which name a file of a seed is kept.
package seedfile

import (
	"laundromat/internal/files"
	"laundromat/seedlist"
)

// Key is what the file of a suffix is called that the record of a seed names. A clean file and its index have the
// hash of the clean seed. Any other has that of its seed, with the fence of the claim that wrote it, if the record
// has one.
func Key(seed *seedlist.Seed, suffix files.Suffix) string {
	if fence := fenceOf(&seed.Fences, suffix); fence != nil {
		return files.Key(seed.Hash, *fence)
	}
	return seed.Hash
}

// Note notes in a record which claim wrote a file of a key.
func Note(record *seedlist.Record, key string, suffix files.Suffix) {
	fence := fenceOf(&record.Fences, suffix)
	if fence == nil {
		return
	}
	if _, is, err := files.SplitKey(key); err == nil {
		*fence = is
		switch suffix {
		case files.Dirty, files.DirtyGzip:
			record.Removed.Dirty = nil
		case files.Notices:
			record.Removed.Notices = nil
		}
	}
}

// fenceOf is where a record says which claim wrote a file; nil for what is named by what it holds.
func fenceOf(fences *seedlist.Fences, suffix files.Suffix) *uint64 {
	switch suffix {
	case files.Dirty, files.DirtyGzip:
		return &fences.Dirty
	case files.Notices:
		return &fences.Notices
	case files.Removed, files.Added, files.Renamed:
		return &fences.Changes
	}
	return nil
}
