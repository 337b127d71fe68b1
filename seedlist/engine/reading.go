package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"laundromat/internal/digest"
	"laundromat/seedlist"
)

// Seed returns the record of a hash, or of an identifier of 2018.
func (l *Moves) Seed(ctx context.Context, hash string) (seedlist.Seed, error) {
	return found(ctx, l.read, func(s *Session) (seed seedlist.Seed, err error) {
		if r := s.find(hash); r != nil {
			return s.Seen(r)
		}
		return seed, seedlist.ErrNotFound
	})
}

// Record returns the record of a hash without what it is linked with.
func (l *Moves) Record(ctx context.Context, hash string) (seedlist.Seed, error) {
	return found(ctx, l.read, func(s *Session) (seed seedlist.Seed, err error) {
		if r := s.byHash(hash); r != nil {
			return s.bare(r), nil
		}
		return seed, seedlist.ErrNotFound
	})
}

// whole are seeds with their links.
func (s *Session) whole(seeds []*Seed) []seedlist.Seed {
	if len(seeds) == 0 {
		return nil
	}
	s.documents(seeds)
	links := s.links(seeds)
	roots := rootsOf(s, seeds)
	all := make([]seedlist.Seed, len(seeds))
	for i, r := range seeds {
		all[i] = s.bare(r)
		all[i].Links = links[i]
		all[i].Root = roots[r.Number]
	}
	return all
}

// links are the links of seeds.
func (s *Session) links(seeds []*Seed) []seedlist.Links {
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
		s.flush()
	}
	children, childTotals := s.linkedWith(Children, archives)
	dirty, dirtyTotals := s.linkedWith(Dirty, cleans)
	listings := s.listings(seeds)
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
	return all
}

// linkedWith are the first hashes that each of some seeds is linked with, and how many there are.
func (s *Session) linkedWith(relation Relation, of []uint64) (hashes map[uint64][]string, totals map[uint64]int64) {
	if len(of) == 0 {
		return nil, nil
	}
	links, totals := s.linksAndTotals(LinkQuery{Relation: relation, Of: of, Most: seedlist.MaxLinks + 1, Hashes: true, Totals: true})
	hashes = map[uint64][]string{}
	for _, link := range links {
		hashes[link.Of] = append(hashes[link.Of], link.Hash)
	}
	return hashes, totals
}

// listings are the catalogs that name seeds, or did.
func (s *Session) listings(seeds []*Seed) map[uint64][]seedlist.Listing {
	if len(seeds) == 0 {
		return nil
	}
	listings := map[uint64][]seedlist.Listing{}
	for _, link := range s.linksOf(LinkQuery{Relation: Listed, Of: numbersOf(seeds), Most: seedlist.MaxLinks, Hashes: true}) {
		listings[link.Of] = append(listings[link.Of], seedlist.Listing{Catalog: link.Hash, Harvest: link.Harvest, Gone: link.Gone})
	}
	return listings
}

// attended are whole seeds of numbers, with what the leases say; those that are there.
func (s *Session) attended(numbers []uint64) []seedlist.Seed { return s.attendedOf(s.among(numbers)) }

func (s *Session) attendedOf(seeds []*Seed) []seedlist.Seed {
	s.documents(seeds)
	kept := make([]*Seed, 0, len(seeds))
	for _, r := range seeds {
		if r.Damage == nil { // what can't be read is left out
			kept = append(kept, r)
		}
	}
	all := s.whole(kept)
	for i := range all {
		s.list.Attend(kept[i], &all[i])
	}
	return all
}

// Seen is a seed as readers see it. The error is a [*seedlist.Damage] where its document can't be read.
func (s *Session) Seen(r *Seed) (seed seedlist.Seed, err error) {
	if s.documents([]*Seed{r}); r.Damage != nil {
		return seed, r.Damage // the session goes on
	}
	seed = s.whole([]*Seed{r})[0]
	s.list.Attend(r, &seed)
	return seed, s.err
}

// scanned is how many seeds a list looks at in one transaction at most: while that lasts, a file keeps what was
// replaced meanwhile.
const scanned = 1000

// List returns seeds, oldest first, and the cursor that the next call goes on from; "" at the end. It reads as many
// transactions as it needs, so that what is written meanwhile may or may not be in it. But no seed comes twice, and
// none that matches all the while is left out.
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
	if f.Damaged == nil {
		f.Damaged = func(*seedlist.Damage) {}
	}
	f.Host = strings.ToLower(f.Host)
	for rows := min(scanned, max(f.Limit, 100)); ; rows = scanned {
		var some []seedlist.Seed
		var at uint64
		err = l.read(ctx, func(s *Session) (err error) {
			some, at, err = listed(s, &f, after, rows, f.Limit-len(seeds))
			return err
		})
		switch {
		case err != nil:
			return seeds, "", err
		case at == 0:
			return append(seeds, some...), "", nil
		}
		if seeds, after = append(seeds, some...), at; len(seeds) == f.Limit {
			return seeds, seedlist.CursorAfter(at), nil
		}
	}
}

// listed are seeds of a list among so many rows that follow a number, no more than most, and the number from which it
// goes on; 0 at the end.
func listed(s *Session, f *seedlist.Filter, after uint64, rows, most int) (seeds []seedlist.Seed, at uint64, err error) {
	look := Scan{State: f.State, Relative: f.Relative, Beyond: true}
	if f.Host != "" {
		look.Host = s.list.store.HostKey(f.Host)
	}
	if f.Parent != "" {
		r := s.byHash(f.Parent)
		if r == nil {
			return nil, 0, seedlist.ErrNotFound
		}
		look.Parent = r.Number
	}
	found := s.scan(look, after, rows)
	var roots map[uint64]*seedlist.Root
	if f.Host != "" {
		roots = rootsOf(s, found)
	}
	var matching []*Seed
	for _, r := range found {
		if r.Damage != nil {
			f.Damaged(r.Damage)
		} else if (f.Host == "" || r.Parent == 0 || roots[r.Number].IsOfHost(f.Host)) && s.matches(r, f) {
			matching = append(matching, r)
		}
		if at = r.Number; len(matching) == most {
			break
		}
	}
	if len(found) < rows && len(matching) < most {
		at = 0
	}
	// What a seed is linked with may be damaged, too. That costs it alone.
	all := s.list.session(s.tx, false)
	seeds = all.attendedOf(matching)
	if !errors.As(all.err, new(*seedlist.Damage)) {
		s.fail(all.err)
		return seeds, at, nil
	}
	seeds = nil
	for _, r := range matching {
		seed, err := s.list.session(s.tx, false).Seen(r)
		var damage *seedlist.Damage
		if errors.As(err, &damage) {
			f.Damaged(damage)
			continue
		}
		s.fail(err)
		seeds = append(seeds, seed)
	}
	return seeds, at, nil
}

// matches looks at what the document of a seed says, at the cheapest first: most of the documents of a long list aren't
// decoded.
func (s *Session) matches(r *Seed, f *seedlist.Filter) bool {
	for _, text := range []string{f.Format, f.Source, string(f.Error), string(f.Notice)} {
		if text != "" && !bytes.Contains(r.Data, quoted(text)) {
			return false
		}
	}
	// A build of the release may be there.
	if f.Washer != "" && !bytes.Contains(r.Data, bytes.TrimSuffix(quoted(f.Washer), []byte{'"'})) {
		return false
	}
	if f.Format+f.Source+f.Washer+f.Product == "" && f.Error == "" && f.Notice == "" && f.HTTPStatus == 0 {
		return true
	}
	stored := s.document(r)
	return f.MatchesRecord(&stored.Record)
}

// quoted is a text as a document has it.
func quoted(text string) []byte {
	data, err := seedlist.EncodeJSON(text)
	if err != nil {
		return []byte(text)
	}
	return data
}

// maxAttempts is the number of attempts that are shown.
const maxAttempts = 1000

// Attempts returns the log's entries of a seed, and of a catalog of that hash.
func (l *Moves) Attempts(ctx context.Context, hash string) ([]seedlist.Attempt, error) {
	return found(ctx, l.read, func(s *Session) (attempts []seedlist.Attempt, err error) {
		hash := strings.ToLower(hash)
		if r := s.find(hash); r != nil {
			hash = r.Hash
		} else if s.catalogOf(hash) == nil {
			return nil, seedlist.ErrNotFound
		}
		entries := s.entries([]string{hash}, 0, maxAttempts)
		for _, entry := range entries[max(0, len(entries)-maxAttempts):] {
			var a seedlist.Attempt
			s.fail(json.Unmarshal(entry.Data, &a))
			attempts = append(attempts, a)
		}
		return attempts, nil
	})
}

// FillOutcomes fills in what became of the documents that seeds name things in.
func (l *Moves) FillOutcomes(ctx context.Context, seeds ...*seedlist.Seed) error {
	return l.read(ctx, func(s *Session) error {
		s.fillOutcomes(seeds...)
		return nil
	})
}

func (s *Session) fillOutcomes(seeds ...*seedlist.Seed) {
	var hashes []string
	for _, seed := range seeds {
		if seed.Document != "" {
			hashes = append(hashes, seed.Document)
		}
	}
	if len(hashes) == 0 {
		return
	}
	s.loadHashes(hashes...)
	var there []*Seed
	for _, hash := range distinct(hashes) {
		if r := s.byHash(hash); r != nil {
			there = append(there, r)
		}
	}
	found := map[string]seedlist.Seed{}
	for _, document := range s.whole(there) {
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
}

// Alike are seeds whose wash holds for any URI with these bytes.
func (l *Moves) Alike(ctx context.Context, of *digest.Content, limit int) ([]seedlist.Seed, error) {
	return found(ctx, l.read, func(s *Session) (seeds []seedlist.Seed, err error) {
		if limit <= 0 || of.SHA256 == "" {
			return nil, nil
		}
		for _, seed := range s.whole(s.keep(s.scan(Scan{Alike: of.SHA256}, 0, limit))) {
			if seed.Content != nil && seed.Content.NumberOfBytes == of.NumberOfBytes {
				seeds = append(seeds, seed)
			}
		}
		return seeds, nil
	})
}
