package daemon

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"laundromat/archive"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
	"laundromat/states"
)

// fresh are the bytes of seeds that go through their stages at once. Those of a download get their
// names on the disk only at the end. Those of an entry are read once for all stages.
type fresh struct {
	mu   sync.Mutex
	kept map[string]*freshBytes // by the hash of the seed
}

// freshBytes are those of a seed as they came and, once that is known, as they are after
// their filters.
type freshBytes struct {
	body []byte
	leaf []byte // nil: not known, or too long, or something is to be said of the layers
	name string // of the document, without the endings of its filters
}

// mostUnpacked is the longest document, in bytes after its filters, that is kept unpacked for the
// stages after. A guess looks at as much.
const mostUnpacked = states.GuessPrefix

func (f *fresh) keep(hash string, body []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kept == nil {
		f.kept = map[string]*freshBytes{}
	}
	f.kept[hash] = &freshBytes{body: body}
}

// bring reads the bytes of a seed that is to be taken on at once, if they are few. What is wrong with
// the file shows when the stage opens it.
func (r *Runner) bring(seed seedlist.Seed) bool {
	if !seed.HasDirty() || seed.Content.NumberOfBytes > mostChained || seedfile.DirtyForm(&seed) != files.Dirty {
		return false
	}
	file, err := r.files.Open(seedfile.Key(&seed, files.Dirty), files.Dirty)
	if err != nil {
		return false
	}
	defer file.Close()
	body := make([]byte, seed.Content.NumberOfBytes+1)
	if n, err := io.ReadFull(files.Sequential(file), body); err != io.ErrUnexpectedEOF && err != io.EOF || n != len(body)-1 {
		return false
	}
	r.fresh.keep(seed.Hash, body[:len(body)-1])
	return true
}

func (f *fresh) forget(hash string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.kept, hash)
}

// of are the bytes of a seed; nil if they are not here. Who works on the seed alone uses them.
func (f *fresh) of(seed *seedlist.Seed) *freshBytes {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.kept[seed.Hash]
	if b == nil || seed.Content == nil || seed.Content.NumberOfBytes != int64(len(b.body)) {
		return nil
	}
	return b
}

// open opens the bytes of a seed as they came, if they are here.
func (f *fresh) open(seed *seedlist.Seed) dirtySource {
	b := f.of(seed)
	if b == nil {
		return nil
	}
	return inMemory{bytes.NewReader(b.body)}
}

// unpack keeps a document without its filters, if it is short. It returns false if it did not: the
// later stages open the layers again then, and report what they find in them.
func (b *freshBytes) unpack(ctx context.Context, opened *archive.Opened, name string) bool {
	if len(opened.Filters) == 0 {
		b.leaf, b.name = b.body, name
		return true
	}
	r, err := opened.Reader(ctx)
	if err != nil {
		return false
	}
	defer r.Close()
	var leaf bytes.Buffer
	leaf.Grow(min(8*len(b.body), mostUnpacked) + bytes.MinRead)
	if _, err := io.CopyN(&leaf, r, mostUnpacked+1); !errors.Is(err, io.EOF) {
		return false // longer than that, or not all of it can be read
	}
	b.leaf, b.name = leaf.Bytes(), opened.InnerName(name)
	return true
}

// open opens the document.
func (b *freshBytes) open(ctx context.Context) (io.ReadCloser, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return inMemory{bytes.NewReader(b.leaf)}, nil
}

type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

var _ archive.Source = inMemory{}
