package engine

import "laundromat/seedlist"

// rootsOf are those of the members of archives among some seeds. One whose record can't be read is left out.
func rootsOf(s *Session, seeds []*Seed) map[uint64]*seedlist.Root {
	of := map[uint64]uint64{}
	var numbers []uint64
	for _, r := range seeds {
		if r.Parent != 0 {
			numbers = append(numbers, r.Parent)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	s.loadAbove(s.among(distinct(numbers)))
	numbers = nil
	for _, r := range seeds {
		if r.Parent == 0 {
			continue
		}
		root := r.Parent
		for above := s.seeds[root]; above != nil && above.Parent != 0; above = s.seeds[root] {
			root = above.Parent
		}
		of[r.Number], numbers = root, append(numbers, root)
	}
	tops := s.among(distinct(numbers))
	s.documents(tops)
	listings := s.listings(tops)
	known := map[uint64]*seedlist.Root{}
	for _, r := range tops {
		if r.Damage == nil {
			stored := s.document(r)
			known[r.Number] = &seedlist.Root{URI: stored.URI, Catalogs: listings[r.Number], Claims: stored.Claims}
		}
	}
	all := map[uint64]*seedlist.Root{}
	for member, root := range of {
		if is := known[root]; is != nil {
			all[member] = is
		}
	}
	return all
}
