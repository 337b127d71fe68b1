package engine

import "laundromat/seedlist"

// rootsOf are those of the members of archives among some seeds. One whose record can't be read is left out.
func rootsOf(s *Session, seeds []*Seed) (map[uint64]*seedlist.Root, error) {
	of, err := rootNumbers(s, seeds)
	if err != nil || len(of) == 0 {
		return nil, err
	}
	var numbers []uint64
	for _, root := range of {
		numbers = append(numbers, root)
	}
	tops, err := s.among(distinct(numbers))
	if err == nil {
		err = s.documents(tops)
	}
	if err != nil {
		return nil, err
	}
	listings, err := s.listings(tops)
	if err != nil {
		return nil, err
	}
	known := map[uint64]*seedlist.Root{}
	for _, r := range tops {
		stored, err := s.document(r)
		if r.Damage != nil {
			continue
		}
		if err != nil {
			return nil, err
		}
		known[r.Number] = &seedlist.Root{URI: stored.URI, Catalogs: listings[r.Number], Claims: stored.Claims}
	}
	all := map[uint64]*seedlist.Root{}
	for member, root := range of {
		if is := known[root]; is != nil {
			all[member] = is
		}
	}
	return all, nil
}

// rootNumbers are the numbers of the roots of members.
func rootNumbers(s *Session, seeds []*Seed) (map[uint64]uint64, error) {
	of := map[uint64]uint64{}
	for _, r := range seeds {
		if r.Parent != 0 {
			of[r.Number] = r.Parent
		}
	}
	for isDone := len(of) == 0; !isDone; {
		var archives []uint64
		for _, archive := range of {
			archives = append(archives, archive)
		}
		if err := s.load(archives...); err != nil {
			return nil, err
		}
		isDone = true
		for member, archive := range of {
			if r := s.seeds[archive]; r != nil && r.Parent != 0 {
				of[member], isDone = r.Parent, false
			}
		}
	}
	return of, nil
}

// rootsOfHost is rootsOf where a host is asked for.
func rootsOfHost(s *Session, seeds []*Seed, host string) (map[uint64]*seedlist.Root, error) {
	if host == "" {
		return nil, nil
	}
	return rootsOf(s, seeds)
}
