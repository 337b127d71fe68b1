package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
)

// FileChildren makes entries of an archive seeds before the claim on it is completed.
func (s *Store) FileChildren(ctx context.Context, c seedlist.Claim, children []seedlist.Child,
	update func(*seedlist.Record)) (filed seedlist.FiledChildren, err error) {
	for {
		was, err := s.recordOf(ctx, &c)
		if err != nil {
			return nil, err
		}
		stored, err := seedlist.DecodeStored(was.data)
		if err != nil {
			return nil, err
		}
		if update != nil {
			kept := stored.Record
			update(&stored.Record)
			stored.Parent, stored.Added = kept.Parent, kept.Added
			if kept.Parent != "" {
				stored.Archive = kept.Archive.WithFilters(stored.Archive)
			}
		}
		data, err := stored.Encode()
		if err != nil {
			return nil, err
		}
		made, err := seedlist.Entries(&stored, children, s.now())
		if err != nil {
			return nil, err
		}
		err = s.writePatiently(ctx, func(t *tx) error {
			r, err := t.held(&c)
			switch {
			case err != nil:
				return err
			case r == nil:
				return seedlist.ErrLost
			case r.revision != was.revision:
				return errRevised
			}
			if update != nil {
				r.put(data)
			}
			here, err := t.file(r, made)
			filed = seedlist.FiledAs(here)
			return err
		})
		if err != errRevised {
			return filed, err
		}
	}
}

// file makes seeds of entries and returns their numbers.
func (t *tx) file(parent *record, entries []seedlist.Entry) (here []uint64, err error) {
	if len(entries) == 0 {
		return nil, nil
	}
	var hashes []string
	for i := range entries {
		e := &entries[i]
		hashes = append(hashes, e.Hash)
	}
	if err := t.loadHashes(hashes...); err != nil {
		return nil, err
	}
	var made []*record
	newHashes := map[string]bool{}
	for i := range entries {
		e := &entries[i]
		child, err := t.byHash(e.Hash)
		switch {
		case err != nil:
			return nil, err
		case child == nil && !newHashes[e.Hash]:
			child = &record{hash: e.Hash, data: e.Data, hot: hot{priority: parent.priority, parent: parent.number}}
			child.makeReady(seedlist.Filed, t.now)
			made, newHashes[e.Hash] = append(made, child), true
		case child != nil:
			if err := t.refile(child, parent, e); err != nil {
				return nil, err
			}
		}
	}
	if err := t.insert(made...); err != nil {
		return nil, err
	}
	if len(made) > 0 {
		parent.isArchive, parent.linked = true, true
	}
	for i := range entries {
		e := &entries[i]
		here = append(here, t.hashes[e.Hash])
	}
	return here, nil
}

// refile files a child again if its bytes changed, or if it was marked or is to be worked on again.
func (t *tx) refile(child, parent *record, e *seedlist.Entry) error {
	if child.parent != parent.number {
		return nil
	}
	old, err := child.stored()
	if err != nil {
		return err
	}
	if !old.RefilesAs(&e.Stored.Record, e.Again) {
		child.gone = false
		return nil
	}
	if child.state != seedlist.Filed && !seedlist.ByDepletion.Allows(child.state, seedlist.Filed) {
		return nil
	}
	cleans := old.Cleans()
	old.Refile(&e.Stored.Record, e.Within)
	data, err := old.Encode()
	if err != nil {
		return err
	}
	child.put(data)
	child.gone = false
	child.restart(seedlist.Filed, t.now)
	return t.unlinkOld(child, cleans, &old)
}

// deplete marks the children that are not among the entries of an archive.
func (t *tx) deplete(parent *record, here []uint64) error {
	if !parent.isArchive || parent.isNew {
		return nil
	}
	gone, err := query(t, pgx.RowTo[int64], "SELECT id FROM hot WHERE parent = $1 AND parent > 0 AND NOT gone AND NOT id = ANY($2)",
		int64(parent.number), signed(here))
	if err != nil {
		return err
	}
	if err := t.load(unsigned(gone)...); err != nil {
		return err
	}
	for _, id := range gone {
		if child := t.records[uint64(id)]; child != nil && !slices.Contains(here, child.number) {
			child.gone = true
		}
	}
	return nil
}

// archivesRest says that all archives above a seed rest. Were one at work, it might
// replace the seed's bytes.
func (t *tx) archivesRest(r *record) (bool, error) {
	for r.parent != 0 {
		above, err := t.at(r.parent)
		if err != nil || above == nil {
			return true, err
		}
		if !above.state.IsFinal() {
			return false, nil
		}
		r = above
	}
	return true, nil
}
