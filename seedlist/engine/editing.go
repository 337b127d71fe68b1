package engine

import (
	"context"
	"encoding/hex"
	"math"
	"slices"

	"laundromat/seedlist"
)

func clampPriority(n int) int32 { return int32(max(math.MinInt32, min(math.MaxInt32, n))) }

// newSeeds makes the seed of a URI, and before it that of the document if it names a thing in one.
func (s *Session) newSeeds(u seedlist.URI, seed seedlist.NewSeed) (made []*Seed, err error) {
	stored := seed.Stored(u, s.now, &s.list.options)
	r := &Seed{Hash: stored.Hash, Hot: Hot{State: seedlist.Added, Priority: clampPriority(seed.Priority), Relative: u.Relative}}
	if old := seedlist.OldKey(u.Given, r.Hash); old != nil {
		r.OldKey = hex.EncodeToString(old)
	}
	document, isFragment := u.Document()
	switch {
	case isFragment:
		r.Fragment, r.Host = true, s.list.store.HostKey(u.Host)
		seed.Title = "" // of the thing, not of the document
		if made, err = s.newSeeds(document, seed); err != nil {
			return nil, err
		}
	case !u.Relative:
		r.Fetchable, r.Host, r.Due = true, s.list.store.HostKey(u.Host), s.now.UnixNano()
	}
	r.Data, err = stored.Encode()
	r.sums = sumsOf(&stored, false)
	return append(made, r), err
}

// addition is what a new seed comes to, and its seeds.
func (s *Session) addition(seed seedlist.NewSeed) (added seedlist.Addition, made []*Seed) {
	u, err := seedlist.ParseURI(seed.URI)
	if err != nil {
		return seedlist.Addition{Err: err}, nil
	}
	added = seedlist.Addition{Hash: u.Hash(), Relative: u.Relative}
	if document, ok := u.Document(); ok {
		added.Document = document.Hash()
	}
	made, added.Err = s.newSeeds(u, seed)
	return added, made
}

// additions are what new seeds come to; their records are looked for at once.
func (s *Session) additions(seeds []seedlist.NewSeed) (added []seedlist.Addition, made [][]*Seed) {
	var hashes []string
	for _, seed := range seeds {
		a, records := s.addition(seed)
		added, made = append(added, a), append(made, records)
		for _, r := range records {
			hashes = append(hashes, r.Hash)
		}
	}
	s.loadHashes(hashes...)
	return added, made
}

// Add puts seeds into the list.
func (l *Moves) Add(ctx context.Context, seeds []seedlist.NewSeed) ([]seedlist.Addition, error) {
	if len(seeds) == 0 {
		return []seedlist.Addition{}, l.read(ctx, func(*Session) error { return nil })
	}
	return inParts(ctx, seeds, l.write, func(s *Session, part []seedlist.NewSeed) ([]seedlist.Addition, error) {
		added, made := s.additions(part)
		s.createAll(added, made)
		return added, nil
	})
}

// createAll puts seeds into the list that are not there yet, and answers which of the last of each are new.
func (s *Session) createAll(added []seedlist.Addition, made [][]*Seed) {
	var fresh []*Seed
	isNew := map[string]bool{}
	for i, records := range made {
		if added[i].Err != nil {
			continue
		}
		for _, r := range records {
			if added[i].New = s.byHash(r.Hash) == nil && !isNew[r.Hash]; added[i].New {
				isNew[r.Hash] = true
				fresh = append(fresh, r)
			}
		}
	}
	s.insert(fresh...)
	for i, records := range made {
		for _, r := range records {
			if r.OldKey != "" && added[i].Err == nil {
				s.leadTo(r.OldKey, s.hashes[r.Hash])
			}
		}
	}
}

// leadTo lets an identifier of 2018 lead to a seed. The first to have it keeps it.
func (s *Session) leadTo(old string, number uint64) {
	if s.next.OldKeys == nil {
		s.next.OldKeys = map[string]uint64{}
	}
	if _, taken := s.next.OldKeys[old]; !taken {
		s.touched++
		s.next.OldKeys[old] = number
	}
}

// each changes seeds, and answers for each: up to a thousand in one transaction. With first, what all of them need is
// read at once.
func (l *Moves) each(
	ctx context.Context, hashes []string,
	first func(s *Session, seeds []*Seed), change func(s *Session, r *Seed) (answer error),
) (answers []error, err error) {
	return inParts(ctx, hashes, l.write, func(s *Session, part []string) (answers []error, err error) {
		first(s, s.named(part))
		for _, hash := range part {
			r := s.byHash(hash)
			answer := seedlist.ErrNotFound
			switch {
			case r == nil:
			case r.Damage != nil:
				answer = r.Damage
			default:
				answer = change(s, r)
			}
			answers = append(answers, answer)
		}
		return answers, nil
	})
}

// named are the seeds of hashes that are there, with their documents, and with the documents that they name things
// in.
func (s *Session) named(hashes []string) (seeds []*Seed) {
	lower := lowered(hashes)
	s.loadHashes(lower...)
	for _, hash := range distinct(lower) {
		if r := s.seeds[s.hashes[hash]]; r != nil {
			seeds = append(seeds, r)
		}
	}
	s.documents(seeds)
	var documents []string
	for _, r := range seeds {
		if r.Fragment && r.Damage == nil {
			stored := s.document(r)
			documents = append(documents, stored.Document)
		}
	}
	s.loadHashes(documents...)
	for _, hash := range distinct(documents) {
		if r := s.seeds[s.hashes[hash]]; r != nil && !slices.Contains(lower, hash) {
			seeds = append(seeds, r)
		}
	}
	return seeds
}

// Remove takes seeds out of the list.
func (l *Moves) Remove(ctx context.Context, hashes ...string) ([]error, error) {
	return l.removeAll(ctx, nil, hashes)
}

// RemoveIf removes one seed for which a condition holds.
func (l *Moves) RemoveIf(ctx context.Context, condition seedlist.Condition, hash string) error {
	answers, err := l.removeAll(ctx, condition, []string{hash})
	if err == nil {
		err = answers[0]
	}
	return err
}

func (l *Moves) removeAll(ctx context.Context, condition seedlist.Condition, hashes []string) ([]error, error) {
	first := func(s *Session, seeds []*Seed) {
		if condition == nil {
			s.loadErased(seeds)
		}
	}
	return l.each(ctx, hashes, first, func(s *Session, r *Seed) error {
		if refused := s.holds(r, condition); refused != nil {
			return refused
		}
		if r.Clean || r.Parent != 0 {
			return seedlist.ErrDerived
		}
		s.erase(r)
		return nil
	})
}

// loadErased reads at once what is needed to remove seeds: all below them, their clean seeds, hosts and catalogs.
func (s *Session) loadErased(seeds []*Seed) {
	all := slices.DeleteFunc(slices.Clone(seeds), func(r *Seed) bool { return r.Clean || r.Parent != 0 })
	for below := all; len(below) > 0; {
		var archives []uint64
		for _, r := range below {
			if r.IsArchive && !r.IsNew {
				archives = append(archives, r.Number)
			}
		}
		children := s.childrenOf(archives)
		all, below = append(all, children...), children
	}
	var hosts []string
	for _, r := range all {
		if r.Asking {
			hosts = append(hosts, r.Host)
		}
	}
	s.loadListed(all)
	s.loadDirty(all, nil)
	s.loadHosts(hosts...)
}

// childrenOf are all entries of archives.
func (s *Session) childrenOf(archives []uint64) (all []*Seed) {
	if len(archives) == 0 {
		return nil
	}
	s.flush()
	links := s.linksOf(LinkQuery{Relation: Children, Of: archives, Most: math.MaxInt32})
	numbers := make([]uint64, len(links))
	for i, link := range links {
		numbers[i] = link.To
		if r := s.seeds[link.Of]; r != nil {
			r.entries = append(r.entries, link.To)
		}
	}
	for _, n := range archives {
		if r := s.seeds[n]; r != nil {
			r.hasEntries = true
		}
	}
	return s.among(numbers)
}

// erase removes a seed with all below it.
func (s *Session) erase(r *Seed) {
	s.touch(r)
	if r.IsArchive && !r.hasEntries {
		s.childrenOf([]uint64{r.Number})
	}
	for _, n := range r.entries {
		if child := s.at(n); child != nil {
			if child.Damage != nil && child.Parent == 0 {
				child.Parent = r.Number // it can't say so itself
			}
			s.erase(child)
		}
	}
	if r.Parent != 0 {
		if above := s.at(r.Parent); above != nil {
			s.touch(above)
			above.linked = true
		}
	}
	if s.documents([]*Seed{r}); r.Damage == nil {
		s.tellBefore(r)
		stored := s.document(r)
		r.Hash = stored.Hash
		s.unlinkOld(r, stored.Cleans(), nil)
	}
	s.unlist(r)
	if r.State.IsWorking() {
		s.leaveLost(r)
		s.endLease(r, seedlist.Load{})
	}
	s.touch(r) // what was asked meanwhile may have had it written
	r.Erased, s.isLinked = true, true
	s.stirs(r)
}
