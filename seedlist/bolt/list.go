package bolt

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"laundromat/seedlist"
)

// maxRows is the number of rows that one transaction reads: while it lasts, the
// file keeps what was replaced meanwhile.
const maxRows = 1000

// List returns seeds, oldest first, and the cursor that the next call goes on
// from; "" at the end. It reads as many transactions as it needs, so that what is written
// meanwhile may or may not be in it. But no seed comes twice, and none that matches all the
// while is left out.
func (s *Store) List(ctx context.Context, f seedlist.Filter) (seeds []seedlist.Seed, next string, err error) {
	var after uint64
	if f.Cursor != "" {
		if after, err = seedlist.ReadCursor(f.Cursor); err != nil {
			return nil, "", err
		}
	}
	if f.Limit <= 0 {
		f.Limit = 100
	}
	f.Host = strings.ToLower(f.Host)
	for {
		rows := 0
		full := false
		err := s.view(ctx, func(t *tables) error {
			which, prefix, err := index(&f, t)
			if err != nil {
				return err
			}
			var failure error
			t.scan(which, prefix, appendNumber(bytes.Clone(prefix), after+1), func(key, _ []byte) bool {
				rows++
				after = lastNumber(key)
				seed, ok, err := read(&f, t, after)
				if err != nil {
					failure = err
					return false
				}
				if ok {
					s.attend(after, &seed)
					seeds = append(seeds, seed)
				}
				full = len(seeds) == f.Limit
				return !full && rows < maxRows
			})
			return failure
		})
		switch {
		case err != nil:
			return seeds, "", err
		case full:
			return seeds, seedlist.CursorAfter(after), nil
		case rows < maxRows:
			return seeds, "", nil
		}
	}
}

// index is the bucket whose rows are the fewest for f; its keys end in the number.
func index(f *seedlist.Filter, t *tables) (which int, prefix []byte, err error) {
	switch {
	case f.Parent != "":
		id := t.number(f.Parent)
		if id == 0 {
			return 0, nil, seedlist.ErrNotFound
		}
		return inChildren, appendNumber(nil, id), nil
	case f.State != "":
		if f.State.Number() == 0 {
			return 0, nil, fmt.Errorf("list: %q is no state", f.State)
		}
		return inStates, []byte{f.State.Number()}, nil
	}
	return inHot, nil, nil
}

// read reads a seed if it matches f; it looks at the cheapest first.
func read(f *seedlist.Filter, t *tables, id uint64) (seed seedlist.Seed, ok bool, err error) {
	h, ok := t.hot(id)
	if !ok ||
		f.State != "" && h.state != f.State ||
		f.Relative != nil && h.is(isRelative) != *f.Relative ||
		f.Host != "" && (h.host != hostKey(f.Host) || h.is(isRelative)) {
		return seed, false, nil
	}
	data := t.get(inCold, appendNumber(nil, id))
	for _, text := range []string{f.Format, f.Source, f.Washer, string(f.Error), string(f.Notice)} {
		if text != "" && !bytes.Contains(data, []byte(quoted(text))) {
			return seed, false, nil
		}
	}
	seed, err = t.seed(id)
	if err != nil {
		return seed, false, err
	}
	_, noticed := seed.Notices[f.Notice]
	ok = (f.Format == "" || seed.Format == f.Format) &&
		(f.Source == "" || seed.Source == f.Source) &&
		(f.Washer == "" || seed.Washer == f.Washer) &&
		(f.Error == "" || seed.Error != nil && seed.Error.Code == f.Error) &&
		(f.Notice == "" || noticed)
	return seed, ok, nil
}

// quoted is a text as the stored JSON has it.
func quoted(text string) string {
	data, err := seedlist.EncodeJSON(text)
	if err != nil {
		return text
	}
	return string(data)
}

// Seed returns the record of a hash; [seedlist.ErrNotFound] if there is none.
func (s *Store) Seed(ctx context.Context, hash string) (seedlist.Seed, error) {
	var seed seedlist.Seed
	err := s.view(ctx, func(t *tables) error {
		id := t.find(strings.ToLower(hash))
		if id == 0 {
			return seedlist.ErrNotFound
		}
		var err error
		seed, err = t.seed(id)
		s.attend(id, &seed)
		return err
	})
	return seed, err
}

// Record returns the record of a hash without its links (Children, Dirty, Catalogs and their totals)
// and without what the memory knows of its claim. Each entry of an archive asks for the archive's
// record, which may have a thousand links. If there is none, it returns [seedlist.ErrNotFound].
func (s *Store) Record(ctx context.Context, hash string) (seed seedlist.Seed, err error) {
	err = s.view(ctx, func(t *tables) error {
		id := t.number(hash)
		h, ok := t.hot(id)
		if !ok {
			return seedlist.ErrNotFound
		}
		c, err := t.cold(id)
		seed = seedlist.Seed{Hash: c.Hash, URI: c.URI, Standing: h.standing(), Record: c.Record}
		return err
	})
	return seed, err
}
