package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// maxRows is the number of rows that one transaction reads: while it lasts, the
// file keeps what was replaced meanwhile.
const maxRows = 1000

// List returns seeds, oldest first, and the cursor that the next call goes on
// from; "" at the end. It reads as many transactions as it needs, so that what is written
// meanwhile may or may not be in it. But no seed comes twice, and none that matches all the
// while is left out.
func (s *Store) List(ctx context.Context, f seedlist.Filter) (seeds []seedlist.Seed, next string, err error) {
	after, err := seedlist.ReadCursor(f.Cursor)
	if err != nil {
		return nil, "", err
	}
	if f.Limit <= 0 {
		f.Limit = 100
	}
	f.Host = strings.ToLower(f.Host)
	for {
		p := listPage{filter: &f, store: s, after: after, seeds: seeds}
		err := s.view(ctx, p.read)
		seeds = p.seeds
		var damage *seedlist.Damage
		if errors.As(err, &damage) && p.prefix != nil {
			if after, err = s.beyond(ctx, &f, &p, damage); err != nil || after == 0 {
				return seeds, "", err
			}
			continue
		}
		after = p.after
		switch {
		case err != nil:
			return seeds, "", err
		case p.full:
			return seeds, seedlist.CursorAfter(after), nil
		case p.rows < maxRows:
			return seeds, "", nil
		}
	}
}

// listPage is what one transaction reads of a list.
type listPage struct {
	filter *seedlist.Filter
	store  *Store
	which  int    // the bucket that is read
	prefix []byte // of the keys; not nil once it is known
	after  uint64
	rows   int
	full   bool
	seeds  []seedlist.Seed
}

func (p *listPage) read(t *tables) error {
	look := &tx{tables: t, store: p.store}
	session := p.store.Begin(look)
	which, prefix, err := index(p.filter, t)
	if err != nil {
		return err
	}
	p.which, p.prefix = which, append([]byte{}, prefix...)
	var failure error
	t.scan(which, prefix, appendNumber(bytes.Clone(prefix), p.after+1), func(key, _ []byte) bool {
		p.rows++
		p.after = lastNumber(key)
		seed, ok, err := readGuarded(p.filter, session, look, p.after)
		var damage *seedlist.Damage
		switch {
		case errors.As(err, &damage):
			if p.filter.Damaged != nil {
				p.filter.Damaged(damage)
			}
		case err != nil:
			failure = err
			return false
		case ok:
			p.seeds = append(p.seeds, seed)
		}
		p.full = len(p.seeds) == p.filter.Limit
		return !p.full && p.rows < maxRows
	})
	return failure
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
			return 0, nil, fmt.Errorf("list: %q isn't a state", f.State)
		}
		return inStates, []byte{f.State.Number()}, nil
	}
	return inHot, nil, nil
}

// read reads a seed if it matches f; it looks at the cheapest first.
func read(f *seedlist.Filter, s *engine.Session, t *tx, id uint64) (seed seedlist.Seed, ok bool, err error) {
	h, is, damage := t.standing(id)
	switch {
	case damage != nil:
		return seed, false, damage
	case !is:
		return seed, false, nil
	}
	if f.State != "" && h.state != f.State ||
		f.Relative != nil && h.is(isRelative) != *f.Relative ||
		f.Host != "" && !t.isOfHost(h, hostKey(f.Host)) {
		return seed, false, nil
	}
	data := t.get(inCold, appendNumber(nil, id))
	for _, text := range []string{f.Format, f.Source, string(f.Error), string(f.Notice)} {
		if text != "" && !bytes.Contains(data, []byte(quoted(text))) {
			return seed, false, nil
		}
	}
	// A build of the release may be there.
	if f.Washer != "" && !bytes.Contains(data, []byte(strings.TrimSuffix(quoted(f.Washer), `"`))) {
		return seed, false, nil
	}
	seed, err = s.Seen(t.seedOf(id, &h))
	return seed, f.MatchesRecord(&seed.Record), err
}

// isOfHost says that a seed, or the root of a member of an archive, has a host.
func (t *tables) isOfHost(h hot, host uint64) bool {
	for h.parent != 0 {
		archive, ok := t.hot(h.parent)
		if !ok {
			return false
		}
		h = archive
	}
	return h.host == host && !h.is(isRelative)
}

// quoted is a text as the stored JSON has it.
func quoted(text string) string {
	data, err := seedlist.EncodeJSON(text)
	if err != nil {
		return text
	}
	return string(data)
}

// claimOf is what the claim on a seed is known by.
func claimOf(number uint64, seed *seedlist.Seed) *engine.Seed {
	return &engine.Seed{Number: number, Hot: engine.Hot{Fence: seed.Fence, State: seed.Status}}
}
