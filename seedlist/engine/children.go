package engine

import (
	"context"

	"laundromat/seedlist"
)

// FileChildren makes entries of an archive seeds before the claim on it is completed.
func (l *Moves) FileChildren(
	ctx context.Context, c seedlist.Claim, children []seedlist.Child, update func(*seedlist.Record),
) (filed seedlist.FiledChildren, err error) {
	for {
		was, revision, err := l.recordOf(ctx, &c)
		if err != nil {
			return nil, err
		}
		stored, err := seedlist.DecodeStored(was)
		if err != nil {
			return nil, err
		}
		if update != nil {
			kept := stored.Record
			update(&stored.Record)
			stored.KeepOrigin(&kept)
		}
		data, err := stored.Encode()
		if err != nil {
			return nil, err
		}
		made, err := seedlist.Entries(&stored, children, l.store.Now())
		if err != nil {
			return nil, err
		}
		is := sumsOf(&stored, false)
		err = l.do(ctx, &Op{Patient: true, Run: func(s *Session) error {
			r := s.held(&c)
			switch {
			case r == nil:
				return seedlist.ErrLost
			case r.Revision != revision:
				return errRevised
			}
			if update != nil {
				s.put(r, data, is)
			}
			filed = seedlist.FiledAs(s.file(r, made))
			return nil
		}})
		if err != errRevised {
			return filed, err
		}
	}
}

// file makes seeds of entries and returns their numbers.
func (s *Session) file(parent *Seed, entries []seedlist.Entry) (here []uint64) {
	if len(entries) == 0 {
		return nil
	}
	var hashes []string
	for i := range entries {
		hashes = append(hashes, entries[i].Hash)
	}
	s.loadHashes(hashes...)
	s.loadRefiled(parent, entries)
	var made []*Seed
	isMade := map[string]bool{}
	for i := range entries {
		e := &entries[i]
		child := s.byHash(e.Hash)
		switch {
		case child == nil && !isMade[e.Hash]:
			child = &Seed{Hash: e.Hash, Data: e.Data, Hot: Hot{
				State: seedlist.Filed, Due: s.now.UnixNano(), Priority: parent.Priority, Parent: parent.Number, Revision: 1,
			}}
			made, isMade[e.Hash] = append(made, child), true
		case child != nil:
			s.refile(child, parent, e)
		}
	}
	s.insert(made...)
	if len(made) > 0 {
		s.touch(parent)
		parent.IsArchive, parent.linked = true, true
	}
	for i := range entries {
		here = append(here, s.hashes[entries[i].Hash])
	}
	return here
}

// loadRefiled reads what is needed of the entries that were here before.
func (s *Session) loadRefiled(parent *Seed, entries []seedlist.Entry) {
	var here []*Seed
	for i := range entries {
		if r := s.seeds[s.hashes[entries[i].Hash]]; r != nil && r.Parent == parent.Number && !r.IsNew {
			here = append(here, r)
		}
	}
	s.loadDirty(here, nil)
}

// refile files a child again if its bytes changed, or if it was marked or is to be worked on again.
func (s *Session) refile(child, parent *Seed, e *seedlist.Entry) {
	if child.Parent != parent.Number {
		return
	}
	old := s.document(child)
	if !old.RefilesAs(&e.Stored.Record, e.Again) {
		s.touch(child)
		child.Gone = false
		if old.Removed.Dirty != nil {
			old.Removed.Dirty = nil // its bytes were written with the others
			s.encode(child, &old)
		}
		return
	}
	if child.State != seedlist.Filed && !seedlist.ByDepletion.Allows(child.State, seedlist.Filed) {
		return
	}
	cleans := old.Cleans()
	old.Refile(&e.Stored.Record, e.Within)
	s.encode(child, &old)
	child.Gone = false
	s.restart(child, seedlist.Filed, s.now.UnixNano())
	s.unlinkOld(child, cleans, &old)
}

// deplete marks the children that are not among the entries of an archive.
func (s *Session) deplete(parent *Seed, here []uint64) {
	if !parent.IsArchive || parent.born {
		return
	}
	s.flush()
	isHere := map[uint64]bool{}
	for _, n := range here {
		isHere[n] = true
	}
	no := false
	for after := uint64(0); ; {
		links := s.linksOf(LinkQuery{Relation: Children, Of: []uint64{parent.Number}, After: after, Most: atOnce, Gone: &no})
		var gone []uint64
		for _, link := range links {
			if after = link.To; !isHere[link.To] {
				gone = append(gone, link.To)
			}
		}
		for _, child := range s.among(gone) {
			s.touch(child)
			child.Gone = true
		}
		if len(links) < atOnce {
			return
		}
	}
}
