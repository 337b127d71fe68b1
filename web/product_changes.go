package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/records/changes"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
	"laundromat/states/articles"
	"laundromat/states/kind"
	"laundromat/states/recordset"
)

// ProductChanges is what changed in a product from one version of a document to another.
type ProductChanges struct {
	changes.Counts
	From, To int64    // the versions
	Key      []string // the fields by which a line is known
	// Removed, Added and Changed are the first of each, in the order of the keys.
	Removed, Added []json.RawMessage
	Changed        []ChangedLine
}

// ChangedLine is a line whose key is in both versions.
type ChangedLine struct{ Before, After json.RawMessage }

// Comparison asks what changed in a product.
type Comparison struct {
	Product  string
	From, To int64 // versions
	// Key are the fields by which a line is known: nil for those of the schema, or else the field id.
	Key []string
	// Limit is how many lines of each kind are given. With 0, only the counts are made, and of little files alone.
	Limit int
}

// VersionBefore is the last version before one whose file of a product is there; 0 without one.
func VersionBefore(seed *seedlist.Seed, name string, version int64) (before int64) {
	for _, v := range seed.Versions() {
		isThere := slices.ContainsFunc(v.Products, func(p seedlist.KeptProduct) bool { return p.Name == name })
		if isThere && v.Number < version {
			before = max(before, v.Number)
		}
	}
	return before
}

// The bounds of a comparison that a page asks for, in bytes of both files.
const (
	mostCompared   = 32 << 20
	littleCompared = 1 << 20
	compareMemory  = 16 << 20
)

// ProductChanges compares the files of a product of two versions. It is nil where a comparison without a limit is not
// made.
func (r *Reader) ProductChanges(ctx context.Context, hash string, of Comparison) (*ProductChanges, error) {
	name, key, limit := of.Product, of.Key, of.Limit
	seed, err := documentOf(ctx, r.a, hash)
	if err != nil {
		return nil, err
	}
	most := int64(mostCompared)
	if limit == 0 {
		most = littleCompared
	}
	if of.From == 0 {
		return nil, huma.Error404NotFound(fmt.Sprintf("no %s of a version before %d are kept: \"laundromat serve --keep-versions\" keeps some", name,
			of.To))
	}
	size := int64(0)
	for _, version := range []int64{of.From, of.To} {
		file, err := seedfile.Find(&seed, name, version)
		if err != nil {
			return nil, huma.Error404NotFound(whyNoVersion(&seed, name, version))
		}
		size += max(file.Bytes, 0)
	}
	if size > most {
		if limit == 0 {
			return nil, nil
		}
		return nil, huma.Error422UnprocessableEntity(fmt.Sprintf("the versions have %d bytes of %s, and at most %d are compared here: "+
			"\"laundromat diff --%s %s@%d %s@%d\" compares any", size, name, most, name, hash, of.From, hash, of.To))
	}
	if len(key) == 0 {
		key = keyOfSchema(schemaOf(r.a, &seed, of.To))
	}
	found := &ProductChanges{From: of.From, To: of.To, Key: key}
	before, closeBefore, err := r.linesOf(&seed, name, of.From)
	if err != nil {
		return nil, err
	}
	defer closeBefore()
	after, closeAfter, err := r.linesOf(&seed, name, of.To)
	if err != nil {
		return nil, err
	}
	defer closeAfter()
	found.Counts, err = changes.Compare(ctx, before, after, &firstChanges{found, limit}, changes.Options{Key: key, Memory: compareMemory})
	return found, problem(err)
}

// linesOf are the lines of a product of a version, as a download gives them: without the fields that say where a record
// is. What it returns beside them has to be called.
func (r *Reader) linesOf(seed *seedlist.Seed, name string, version int64) (io.Reader, func(), error) {
	file, err := openProductOf(r.a, *seed, name, version)
	if err != nil {
		return nil, nil, err
	}
	lines, to := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		var err error
		if name == kind.Articles {
			err = articles.WriteStored(file, "jsonl", time.Time{}, to)
		} else {
			stored := recordset.Stored{Lines: file}
			err = stored.Write("jsonl", to)
		}
		to.CloseWithError(err)
	}()
	return lines, func() {
		lines.CloseWithError(errors.New("nobody reads on"))
		<-done
		file.Close()
	}, nil
}

// keyOfSchema is the primary key that a schema names, or else the field id.
func keyOfSchema(schema []byte) (key []string) {
	var is struct{ PrimaryKey json.RawMessage }
	if json.Unmarshal(schema, &is) == nil && len(is.PrimaryKey) > 0 {
		var one string
		if json.Unmarshal(is.PrimaryKey, &one) == nil && one != "" {
			return []string{one}
		}
		if json.Unmarshal(is.PrimaryKey, &key) == nil && len(key) > 0 {
			return key
		}
	}
	return []string{"id"}
}

// firstChanges keeps the first of what changed.
type firstChanges struct {
	found *ProductChanges
	limit int
}

func (f *firstChanges) Removed(line []byte) error {
	if len(f.found.Removed) < f.limit {
		f.found.Removed = append(f.found.Removed, slices.Clone(line))
	}
	return nil
}

func (f *firstChanges) Added(line []byte) error {
	if len(f.found.Added) < f.limit {
		f.found.Added = append(f.found.Added, slices.Clone(line))
	}
	return nil
}

func (f *firstChanges) Changed(before, after []byte) error {
	if len(f.found.Changed) < f.limit {
		f.found.Changed = append(f.found.Changed, ChangedLine{slices.Clone(before), slices.Clone(after)})
	}
	return nil
}
