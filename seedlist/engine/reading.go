package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"laundromat/internal/digest"
	"laundromat/seedlist"
)

// Seed returns the record of a hash, or of an identifier of 2018.
func (l *Moves) Seed(ctx context.Context, hash string) (seed seedlist.Seed, err error) {
	err = l.read(ctx, func(s *Session) error {
		r, err := s.find(hash)
		if err != nil {
			return err
		}
		if r == nil {
			return seedlist.ErrNotFound
		}
		seed, err = s.Seen(r)
		return err
	})
	return seed, err
}

// Record returns the record of a hash without what it is linked with.
func (l *Moves) Record(ctx context.Context, hash string) (seed seedlist.Seed, err error) {
	err = l.read(ctx, func(s *Session) error {
		r, err := s.byHash(hash)
		if err != nil {
			return err
		}
		if r == nil {
			return seedlist.ErrNotFound
		}
		seed, err = s.bare(r)
		return err
	})
	return seed, err
}

// whole are seeds with their links.
func (s *Session) whole(seeds []*Seed) ([]seedlist.Seed, error) {
	if len(seeds) == 0 {
		return nil, nil
	}
	if err := s.documents(seeds); err != nil {
		return nil, err
	}
	links, err := s.links(seeds)
	if err != nil {
		return nil, err
	}
	roots, err := rootsOf(s, seeds)
	if err != nil {
		return nil, err
	}
	all := make([]seedlist.Seed, len(seeds))
	for i, r := range seeds {
		if all[i], err = s.bare(r); err != nil {
			return nil, err
		}
		all[i].Links = links[i]
		all[i].Root = roots[r.Number]
	}
	return all, nil
}

// links are the links of seeds.
func (s *Session) links(seeds []*Seed) ([]seedlist.Links, error) {
	var archives, cleans []uint64
	for _, r := range seeds {
		if r.IsArchive {
			archives = append(archives, r.Number)
		}
		if r.Clean {
			cleans = append(cleans, r.Number)
		}
	}
	if s.isLinked { // no claim has to write what it asks nothing of
		if err := s.flush(); err != nil {
			return nil, err
		}
	}
	children, childTotals, err := s.linkedWith(Children, archives)
	if err != nil {
		return nil, err
	}
	dirty, dirtyTotals, err := s.linkedWith(Dirty, cleans)
	if err != nil {
		return nil, err
	}
	listings, err := s.listings(seeds)
	if err != nil {
		return nil, err
	}
	all := make([]seedlist.Links, len(seeds))
	for i, r := range seeds {
		all[i].Catalogs = listings[r.Number]
		if r.IsArchive {
			total := childTotals[r.Number]
			shown := children[r.Number][:min(len(children[r.Number]), seedlist.MaxLinks)]
			all[i].ChildrenTotal, all[i].Children = &total, append([]string{}, shown...)
		}
		if r.Clean {
			if from := dirty[r.Number]; len(from) > 0 {
				all[i].Dirty, all[i].AlsoDirty = from[0], from[1:]
			}
			total := max(0, dirtyTotals[r.Number]-1)
			all[i].AlsoDirtyTotal = &total
		}
	}
	return all, nil
}

// linkedWith are the first hashes that each of some seeds is linked with, and how many there are.
func (s *Session) linkedWith(relation Relation, of []uint64) (hashes map[uint64][]string, totals map[uint64]int64, err error) {
	if len(of) == 0 {
		return nil, nil, nil
	}
	links, totals, err := s.tx.Links(LinkQuery{Relation: relation, Of: of, Most: seedlist.MaxLinks + 1, Hashes: true, Totals: true})
	hashes = map[uint64][]string{}
	for _, link := range links {
		hashes[link.Of] = append(hashes[link.Of], link.Hash)
	}
	return hashes, totals, err
}

// listings are the catalogs that name seeds, or did.
func (s *Session) listings(seeds []*Seed) (map[uint64][]seedlist.Listing, error) {
	if len(seeds) == 0 {
		return nil, nil
	}
	links, _, err := s.tx.Links(LinkQuery{Relation: Listed, Of: numbersOf(seeds), Most: seedlist.MaxLinks, Hashes: true})
	listings := map[uint64][]seedlist.Listing{}
	for _, link := range links {
		listings[link.Of] = append(listings[link.Of], seedlist.Listing{Catalog: link.Hash, Harvest: link.Harvest, Gone: link.Gone})
	}
	return listings, err
}

// attended are whole seeds of numbers, with what the leases say; those that are there.
func (s *Session) attended(numbers []uint64) ([]seedlist.Seed, error) {
	seeds, err := s.among(numbers)
	if err != nil {
		return nil, err
	}
	return s.attendedOf(seeds)
}

func (s *Session) attendedOf(seeds []*Seed) ([]seedlist.Seed, error) {
	if err := s.documents(seeds); err != nil {
		return nil, err
	}
	kept := make([]*Seed, 0, len(seeds))
	for _, r := range seeds {
		if r.Damage == nil { // what can't be read is left out
			kept = append(kept, r)
		}
	}
	all, err := s.whole(kept)
	for i := range all {
		s.list.Attend(kept[i], &all[i])
	}
	return all, err
}

// Seen is a seed as readers see it. The error is a [*seedlist.Damage] where its document can't be read.
func (s *Session) Seen(r *Seed) (seed seedlist.Seed, err error) {
	all, err := s.whole([]*Seed{r})
	if err == nil {
		seed = all[0]
		s.list.Attend(r, &seed)
	}
	return seed, err
}

// scanned is how many seeds a list looks at in one go.
const scanned = 1000

// List returns seeds, oldest first, and the cursor that the next call goes on from.
func (l *Moves) List(ctx context.Context, f seedlist.Filter) (seeds []seedlist.Seed, next string, err error) {
	after, err := seedlist.ReadCursor(f.Cursor)
	if err != nil {
		return nil, "", err
	}
	if f.State != "" && f.State.Number() == 0 {
		return nil, "", fmt.Errorf("list: %q isn't a state", f.State)
	}
	if f.Limit <= 0 {
		f.Limit = 100
	}
	f.Host = strings.ToLower(f.Host)
	look := Scan{State: f.State, Relative: f.Relative}
	if f.Host != "" {
		look.Host = l.store.HostKey(f.Host)
	}
	err = l.read(ctx, func(s *Session) error {
		seeds, next = nil, ""
		if f.Parent != "" {
			r, err := s.byHash(f.Parent)
			if err != nil {
				return err
			}
			if r == nil {
				return seedlist.ErrNotFound
			}
			look.Parent = r.Number
		}
		most := min(scanned, max(f.Limit, 100))
		for at := after; ; {
			found, err := s.tx.Scan(look, at, most)
			if err != nil || len(found) == 0 {
				return err
			}
			at = found[len(found)-1].Number
			var matching []*Seed
			roots, err := rootsOfHost(s, found, f.Host)
			if err != nil {
				return err
			}
			for _, r := range found {
				is, err := s.matches(r, &f)
				if err != nil {
					return err
				}
				isOfHost := f.Host == "" || r.Parent == 0 || roots[r.Number].IsOfHost(f.Host)
				if is && isOfHost && len(seeds)+len(matching) < f.Limit {
					matching = append(matching, r)
				}
			}
			whole, err := s.attendedOf(matching)
			if err != nil {
				return err
			}
			if seeds = append(seeds, whole...); len(seeds) == f.Limit {
				next = seedlist.CursorAfter(matching[len(matching)-1].Number)
				return nil
			}
			if len(found) < most {
				return nil
			}
		}
	})
	return seeds, next, err
}

// matches looks at what the document of a seed says.
func (s *Session) matches(r *Seed, f *seedlist.Filter) (bool, error) {
	if f.Format == "" && f.Source == "" && f.Washer == "" && f.Error == "" && f.Notice == "" && f.Product == "" {
		return true, nil
	}
	stored, err := s.document(r)
	if r.Damage != nil {
		return false, nil
	}
	return f.MatchesRecord(&stored.Record), err
}

// maxAttempts is the number of attempts that are shown.
const maxAttempts = 1000

// Attempts returns the log's entries of a seed, and of a catalog of that hash.
func (l *Moves) Attempts(ctx context.Context, hash string) (attempts []seedlist.Attempt, err error) {
	err = l.read(ctx, func(s *Session) error {
		attempts = nil
		r, err := s.find(hash)
		if err != nil {
			return err
		}
		hash := strings.ToLower(hash)
		if r != nil {
			hash = r.Hash
		} else if _, err := s.knownCatalog(hash); err != nil {
			return err
		}
		entries, err := s.tx.Log([]string{hash}, 0, maxAttempts)
		for _, entry := range entries[max(0, len(entries)-maxAttempts):] {
			var a seedlist.Attempt
			if err := json.Unmarshal(entry.Data, &a); err != nil {
				return err
			}
			attempts = append(attempts, a)
		}
		return err
	})
	return attempts, err
}

// FillOutcomes fills in what became of the documents that seeds name things in.
func (l *Moves) FillOutcomes(ctx context.Context, seeds ...*seedlist.Seed) error {
	return l.read(ctx, func(s *Session) error { return s.fillOutcomes(seeds...) })
}

func (s *Session) fillOutcomes(seeds ...*seedlist.Seed) error {
	var hashes []string
	for _, seed := range seeds {
		if seed.Document != "" {
			hashes = append(hashes, seed.Document)
		}
	}
	if len(hashes) == 0 {
		return nil
	}
	if err := s.loadHashes(hashes...); err != nil {
		return err
	}
	var there []*Seed
	for _, hash := range distinct(hashes) {
		r, err := s.byHash(hash)
		if err != nil {
			return err
		}
		if r != nil {
			there = append(there, r)
		}
	}
	all, err := s.whole(there)
	if err != nil {
		return err
	}
	found := map[string]seedlist.Seed{}
	for _, document := range all {
		found[document.Hash] = document
	}
	for _, seed := range seeds {
		document, ok := found[seed.Document]
		if seed.Document == "" || !ok {
			continue // no name in a document, or that was removed
		}
		own := seed.Record
		seed.Record = document.Record
		seed.Added, seed.Interval, seed.IntervalAdapts = own.Added, own.Interval, own.IntervalAdapts
		seed.Source, seed.Title, seed.Claims, seed.Depth = own.Source, own.Title, own.Claims, own.Depth
		seed.KeepVersions, seed.Document = own.KeepVersions, own.Document
		seed.Outcome = document.Status
		seed.ChildrenTotal, seed.Children = document.ChildrenTotal, document.Children
	}
	return nil
}

// Alike are seeds whose wash holds for any URI with these bytes.
func (l *Moves) Alike(ctx context.Context, bytes *digest.Content, limit int) (seeds []seedlist.Seed, err error) {
	err = l.read(ctx, func(s *Session) error {
		seeds = nil
		if limit <= 0 || bytes.SHA256 == "" {
			return nil
		}
		found, err := s.tx.Scan(Scan{Alike: bytes.SHA256}, 0, limit)
		if err != nil {
			return err
		}
		all, err := s.whole(s.keep(found))
		for _, seed := range all {
			if seed.Content != nil && seed.Content.NumberOfBytes == bytes.NumberOfBytes {
				seeds = append(seeds, seed)
			}
		}
		return err
	})
	return seeds, err
}
