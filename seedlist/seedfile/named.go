package seedfile

import (
	"fmt"
	"io/fs"
	"iter"

	"laundromat/internal/files"
	"laundromat/seedlist"
)

// Named is a file that a record names.
type Named struct {
	Key    string
	Suffix files.Suffix
	// Packed says that SHA256 and Bytes are those of the content before compression.
	Packed bool
	SHA256 string // "" where the record does not have it
	Bytes  int64  // -1 where the record does not have it
	// Product is that which the file holds, or belongs to; "" for what is of the document.
	Product string
	Version int64 // of the document; 0 where that is not known
}

// Is says that the file has this name.
func (n *Named) Is(key string, suffix files.Suffix) bool { return n.Key == key && n.Suffix == suffix }

// name is what tells files apart.
type name struct {
	key    string
	suffix files.Suffix
}

// All gives every file that a record names, of all versions, each once. What is served comes first. Clean files that a
// dirty seed was washed to are among them, without their indexes: these are named by the clean seeds.
func All(seed *seedlist.Seed) iter.Seq[Named] {
	return func(yield func(Named) bool) {
		// Few files are looked through faster than a map.
		var seen []name
		for n := range each(seed) {
			isSeen := false
			for _, s := range seen {
				isSeen = isSeen || n.Is(s.key, s.suffix)
			}
			if isSeen {
				continue
			}
			if seen = append(seen, name{n.Key, n.Suffix}); !yield(n) {
				return
			}
		}
	}
}

// IsNamed says whether a record names a file.
func IsNamed(seed *seedlist.Seed, key string, suffix files.Suffix) bool {
	for n := range each(seed) {
		if n.Is(key, suffix) {
			return true
		}
	}
	return false
}

// each is All, in which a file may come twice.
func each(seed *seedlist.Seed) iter.Seq[Named] {
	return func(yield func(Named) bool) {
		if seed.Status == seedlist.Cleaned {
			cleanFiles(seed, yield)
			return
		}
		own := seed
		if seed.Good != nil {
			served := seed.Served()
			number, _ := seed.ServedVersion()
			if !ofReading(&served, number, yield) {
				return
			}
			last := *seed
			own, last.Previous = &last, ""
		}
		if ofReading(own, seed.LastVersion(), yield) && ofProducts(seed, yield) {
			ofVersions(seed, yield)
		}
	}
}

// cleanFiles are those of a clean seed.
func cleanFiles(seed *seedlist.Seed, yield func(Named) bool) {
	clean := Named{Key: seed.Hash, Suffix: files.Clean, Packed: true, Bytes: -1, Product: seedlist.ProductStatements}
	if seed.Content != nil {
		clean.SHA256, clean.Bytes = seed.Content.SHA256, seed.Content.NumberOfBytes
	}
	if yield(clean) && yield(Named{Key: seed.Hash, Suffix: files.Index, Bytes: -1, Product: seedlist.ProductStatements}) {
		yield(Named{Key: seed.Hash, Suffix: files.Statistics, Packed: true, Bytes: -1, Product: seedlist.ProductStatements})
	}
}

// ofReading are the files of one reading of a document, but those of its products other than statements.
func ofReading(seed *seedlist.Seed, version int64, yield func(Named) bool) bool {
	if clean := seed.ServedClean(); clean != "" {
		n := Named{Key: clean, Suffix: files.Clean, Packed: true, Bytes: -1, Product: seedlist.ProductStatements, Version: version}
		if p := seed.Product(seedlist.ProductStatements); p != nil && p.Bytes != nil && seed.Clean != "" {
			n.SHA256, n.Bytes = p.SHA256, *p.Bytes
		}
		if !yield(n) {
			return false
		}
	}
	if seed.HasDirty() {
		form := DirtyForm(seed)
		n := Named{Key: Key(seed, form), Suffix: form, Packed: form == files.DirtyGzip, Version: version,
			SHA256: seed.Content.SHA256, Bytes: seed.Content.NumberOfBytes}
		if !yield(n) {
			return false
		}
	}
	if seed.HasNotices() &&
		!yield(Named{Key: Key(seed, files.Notices), Suffix: files.Notices, Packed: true, Bytes: -1, Version: version}) {
		return false
	}
	if c := seed.Changes; c != nil && c.Error == "" {
		for i, of := range [...]seedlist.ChangeFile{c.Removed, c.Added, c.Renamed} {
			suffix := changes[i]
			n := Named{Key: Key(seed, suffix), Suffix: suffix, Packed: true, SHA256: of.SHA256, Bytes: of.NumberOfBytes,
				Product: seedlist.ProductStatements, Version: version}
			if !yield(n) {
				return false
			}
		}
	}
	return true
}

// changes are the suffixes of what a wash changed, in the order of [seedlist.Changes].
var changes = [...]files.Suffix{files.Removed, files.Added, files.Renamed}

// ofProducts are the files of what is served of the products other than statements, and the bytes that they were made
// of.
func ofProducts(seed *seedlist.Seed, yield func(Named) bool) bool {
	for i := range seed.Products {
		p := &seed.Products[i]
		version := p.Good
		if version == 0 {
			version = seed.LastVersion()
		}
		if suffix := SuffixOf(p.Name); suffix != files.Clean && suffix != "" && p.SHA256 != "" {
			kept := seedlist.KeptProduct{Name: p.Name, Fence: p.Fence, SHA256: p.SHA256, Schema: p.Schema, Bytes: -1}
			if p.Bytes != nil {
				kept.Bytes = *p.Bytes
			}
			if !ofKept(seed, &kept, version, yield) {
				return false
			}
		}
		if p.Of == nil || p.Of.Removed != nil {
			continue
		}
		form := formOf(seed, p.Of.Content.NumberOfBytes)
		n := Named{Key: files.Key(seed.Hash, p.Of.Fence), Suffix: form, Packed: form == files.DirtyGzip, Version: version,
			SHA256: p.Of.Content.SHA256, Bytes: p.Of.Content.NumberOfBytes}
		if !yield(n) {
			return false
		}
	}
	return true
}

// ofKept are the files of one product of a version.
func ofKept(seed *seedlist.Seed, p *seedlist.KeptProduct, version int64, yield func(Named) bool) bool {
	key := files.Key(seed.Hash, p.Fence)
	file := Named{Key: key, Suffix: SuffixOf(p.Name), Packed: true, SHA256: p.SHA256, Bytes: p.Bytes, Product: p.Name, Version: version}
	if !yield(file) {
		return false
	}
	return p.Schema == "" ||
		yield(Named{Key: key, Suffix: files.Schema, SHA256: p.Schema, Bytes: -1, Product: p.Name, Version: version})
}

// ofVersions are the files of older versions that are kept.
func ofVersions(seed *seedlist.Seed, yield func(Named) bool) {
	for _, v := range seed.Versions() {
		if v.Kept && v.Clean != "" && !yield(Named{Key: v.Clean, Suffix: files.Clean, Packed: true, Bytes: -1,
			Product: seedlist.ProductStatements, Version: v.Number}) {
			return
		}
		for i := range v.Products {
			if !ofKept(seed, &v.Products[i], v.Number, yield) {
				return
			}
		}
	}
}

// SuffixOf is the suffix of the file of a product; "" for one that is not known.
func SuffixOf(product string) files.Suffix {
	switch product {
	case seedlist.ProductStatements:
		return files.Clean
	case seedlist.ProductRecords:
		return files.Records
	case seedlist.ProductArticles:
		return files.Articles
	}
	return ""
}

// Kinds of files that [Find] knows beside products.
const (
	Dirty   = "dirty"
	Notices = "notices"
	Schema  = "schema" // of the records
)

// Find is one file of a seed: that of a product, or Dirty, Notices or Schema. With the version 0 it is that which is
// served. The error is [fs.ErrNotExist] where the record names none.
func Find(seed *seedlist.Seed, what string, version int64) (Named, error) {
	for n := range each(seed) {
		if version != 0 && n.Version != version {
			continue
		}
		isIt := false
		switch what {
		case Dirty:
			isIt = n.Suffix == files.Dirty || n.Suffix == files.DirtyGzip
		case Notices:
			isIt = n.Suffix == files.Notices
		case Schema:
			isIt = n.Suffix == files.Schema
		default:
			isIt = n.Product == what && n.Suffix == SuffixOf(what)
		}
		if isIt {
			return n, nil
		}
	}
	if version != 0 {
		return Named{}, fmt.Errorf("no %s of version %d of %s: %w", what, version, seed.Hash, fs.ErrNotExist)
	}
	return Named{}, fmt.Errorf("no %s of %s: %w", what, seed.Hash, fs.ErrNotExist)
}

// MaxPlainEntry is the longest entry of an archive that is kept as it is, in bytes. There are many small entries, which
// compression would only make slower.
const MaxPlainEntry = 64 << 10

// DirtyForm is how the bytes of a seed are kept. A longer entry of an archive is compressed, all else is as it came.
func DirtyForm(seed *seedlist.Seed) files.Suffix {
	if seed.Content == nil {
		return files.Dirty
	}
	return formOf(seed, seed.Content.NumberOfBytes)
}

func formOf(seed *seedlist.Seed, bytes int64) files.Suffix {
	if seed.Parent != "" && bytes > MaxPlainEntry {
		return files.DirtyGzip
	}
	return files.Dirty
}
