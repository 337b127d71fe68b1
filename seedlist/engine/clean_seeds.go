package engine

import (
	"slices"

	"laundromat/seedlist"
)

// dirts are the seeds that a clean seed was washed from, as far as they were asked for.
type dirts struct {
	from  map[uint64]bool // false: it is known not to be
	total int64
}

// loadDirty finds of which of their clean seeds some seeds are noted as washed to. It asks the same of one more clean
// seed for some of them, named by hash.
func (s *Session) loadDirty(seeds []*Seed, also map[*Seed]string) {
	s.documents(seeds)
	var hashes []string
	dirty := map[string][]*Seed{}
	for _, r := range seeds {
		if r.Clean || r.Damage != nil || r.Erased {
			continue
		}
		stored := s.document(r)
		cleans := stored.Cleans()
		if hash := also[r]; hash != "" && !slices.Contains(cleans, hash) {
			cleans = append(cleans, hash)
		}
		for _, hash := range cleans {
			hashes, dirty[hash] = append(hashes, hash), append(dirty[hash], r)
		}
	}
	s.loadHashes(hashes...)
	var of, among []uint64
	pairs := map[uint64][]uint64{}
	for _, hash := range distinct(hashes) {
		n := s.hashes[hash]
		if n == 0 || s.seeds[n] == nil || s.seeds[n].born {
			continue
		}
		for _, r := range dirty[hash] {
			if known := s.cleans[n]; known != nil {
				if _, isKnown := known.from[r.Number]; isKnown {
					continue
				}
			}
			pairs[n] = append(pairs[n], r.Number)
			of, among = append(of, n), append(among, r.Number)
		}
	}
	s.readDirty(distinct(of), distinct(among), pairs)
}

// readDirty asks which of some pairs of clean and dirty seeds are linked.
func (s *Session) readDirty(of, among []uint64, pairs map[uint64][]uint64) {
	if len(of) == 0 {
		return
	}
	s.flush()
	links, totals := s.linksAndTotals(LinkQuery{Relation: Dirty, Of: of, Among: among, Most: len(among), Totals: true})
	for _, n := range of {
		known := s.dirtOf(n)
		known.total = totals[n]
		for _, dirty := range pairs[n] {
			known.from[dirty] = false
		}
	}
	for _, link := range links {
		s.dirtOf(link.Of).from[link.To] = true
	}
}

func (s *Session) dirtOf(clean uint64) *dirts {
	known := s.cleans[clean]
	if known == nil {
		known = &dirts{from: map[uint64]bool{}}
		put(&s.cleans, clean, known)
	}
	return known
}

// isFrom says whether a clean seed is noted as washed from another.
func (s *Session) isFrom(clean, dirty *Seed) bool {
	if clean.born && s.cleans[clean.Number] == nil {
		s.dirtOf(clean.Number) // nothing but what this transaction links
	}
	if known := s.cleans[clean.Number]; known != nil {
		if is, isKnown := known.from[dirty.Number]; isKnown || clean.born || dirty.born {
			return is
		}
	}
	s.readDirty([]uint64{clean.Number}, []uint64{dirty.Number}, map[uint64][]uint64{clean.Number: {dirty.Number}})
	return s.dirtOf(clean.Number).from[dirty.Number]
}

// link notes that a clean seed was washed from another. Where that was known, nothing is told.
func (s *Session) link(clean, dirty *Seed) {
	if s.isFrom(clean, dirty) {
		return
	}
	s.touch(clean)
	clean.linked = true
	known := s.dirtOf(clean.Number)
	known.from[dirty.Number] = true
	known.total++
	s.isLinked = true
	s.next.Links = append(s.next.Links, Link{Relation: Dirty, Of: clean.Number, To: dirty.Number})
}

// unlinkOld ends the links with clean seeds that a record no longer names. One goes with the last that names it.
func (s *Session) unlinkOld(r *Seed, old []string, is *seedlist.Stored) {
	var names []string
	if is != nil {
		names = is.Cleans()
	}
	for _, hash := range old {
		if slices.Contains(names, hash) {
			continue
		}
		clean := s.byHash(hash)
		if clean == nil || !s.isFrom(clean, r) {
			continue
		}
		s.touch(clean)
		clean.linked, s.isLinked = true, true
		known := s.dirtOf(clean.Number)
		known.from[r.Number] = false
		known.total--
		s.unlink(Link{Relation: Dirty, Of: clean.Number, To: r.Number})
		if known.total == 0 {
			s.erase(clean)
		}
	}
}

// unlink has a link removed, also one that was not written yet.
func (s *Session) unlink(link Link) {
	s.next.Links = slices.DeleteFunc(s.next.Links, func(l Link) bool {
		return l.Relation == link.Relation && l.Of == link.Of && l.To == link.To
	})
	s.next.Unlinks = append(s.next.Unlinks, link)
}
