package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"laundromat/seedlist"
)

var _ seedlist.Copier = (*Store)(nil)

// Settle refuses a list on which somebody works.
func (s *Store) Settle(ctx context.Context) error {
	return s.read(ctx, func() error {
		for r := range s.since(0) {
			if r.lease != nil {
				return seedlist.ErrAtWork
			}
		}
		return nil
	})
}

// Rows returns rows of a part that follow a place.
func (s *Store) Rows(ctx context.Context, part seedlist.Part, after seedlist.Place, limit int) (rows []seedlist.Row, err error) {
	err = s.read(ctx, func() error {
		rows = seedlist.Following(s.rows(part), after, limit)
		return nil
	})
	return rows, err
}

// rows are all rows of a part.
func (s *Store) rows(part seedlist.Part) (rows []seedlist.Row) {
	at := func(number, other uint64, name string) seedlist.Row {
		return seedlist.Row{Place: seedlist.Place{Number: number, Other: other, Name: name}}
	}
	log := func(all []attempt, hash string, ofCatalog bool) {
		for _, a := range all {
			row := at(a.number, 0, "")
			row.Hash, row.Data, row.Flag = hash, slices.Clone(a.data), ofCatalog
			rows = append(rows, row)
		}
	}
	for r := range s.since(0) {
		switch part {
		case seedlist.PartSeeds:
			rows = append(rows, s.seedRow(r))
		case seedlist.PartLinks:
			for _, dirty := range r.dirty {
				rows = append(rows, at(r.number, dirty, ""))
			}
		case seedlist.PartAttempts:
			log(r.attempts, r.hash, false)
		}
	}
	for _, c := range s.catalogs {
		switch part {
		case seedlist.PartCatalogs:
			row, known := at(c.number, 0, ""), c.known()
			row.Hash, row.More = c.hash, slices.Clone(c.refusals)
			row.Data, _ = known.Encode() // it was decoded
			rows = append(rows, row)
		case seedlist.PartListings:
			for seed, l := range c.listings {
				row := at(c.number, seed, "")
				row.Sums[0], row.Flag = int64(l.harvest), l.gone
				rows = append(rows, row)
			}
		case seedlist.PartAttempts:
			log(c.attempts, c.hash, true)
		}
	}
	switch part {
	case seedlist.PartHosts:
		for name, h := range s.hosts {
			if h.settings != (seedlist.HostSettings{Host: name}) {
				row := at(0, 0, name)
				row.Data, _ = seedlist.EncodeJSON(h.settings)
				rows = append(rows, row)
			}
		}
	case seedlist.PartOrphans:
		for hash := range s.orphans {
			rows = append(rows, at(0, 0, hash))
		}
	case seedlist.PartContexts:
		for key, c := range s.contexts {
			row := at(0, 0, key)
			row.Data, row.More, _ = c.Pack() // it has no part that can't be written
			rows = append(rows, row)
		}
	case seedlist.PartWashed:
		for span, sums := range s.washed {
			for begin, w := range sums {
				row := at(uint64(begin), 0, string(span))
				row.Sums = [3]int64{w.Documents, w.Bytes, w.Statements}
				rows = append(rows, row)
			}
		}
	case seedlist.PartSums:
		for name, n := range map[string]int64{seedlist.SumAttempts: int64(s.logged), seedlist.SumNumbers: int64(s.number),
			seedlist.SumUnchanged: s.unchanged} {
			row := at(0, 0, name)
			row.Sums[0] = n
			rows = append(rows, row)
		}
	}
	return rows
}

func (s *Store) seedRow(r *record) seedlist.Row {
	row := seedlist.Row{Place: seedlist.Place{Number: r.number}, Hash: r.hash, Data: slices.Clone(r.data), Moves: seedlist.Moves{
		State: r.state, Last: r.last, Stage: r.stage, Fence: r.fence, Tries: r.tries, Failures: r.failures, Priority: r.priority,
		Relative: r.relative, Fragment: r.fragment, Fetchable: r.fetchable, Clean: r.clean, Gone: r.gone, IsArchive: r.isArchive,
		Host: r.host,
	}}
	if !r.due.IsZero() {
		row.Moves.Due = r.due.UnixNano()
	}
	if r.parent != nil {
		row.Moves.Parent = r.parent.number
	}
	if r.oldKey != "" && s.oldKeys[r.oldKey] == r.hash {
		row.Moves.OldKey = r.oldKey
	}
	return row
}

// PutRows writes rows of a part.
func (s *Store) PutRows(ctx context.Context, part seedlist.Part, rows []seedlist.Row) error {
	return s.write(ctx, func(now time.Time) error {
		for i := range rows {
			if err := s.putRow(part, &rows[i], now); err != nil {
				return fmt.Errorf("%s: %w", part, err)
			}
		}
		if s.copying != nil && len(rows) > 0 {
			s.copying.Part, s.copying.At = part, rows[len(rows)-1].Place
		}
		return nil
	})
}

func (s *Store) putRow(part seedlist.Part, row *seedlist.Row, now time.Time) error {
	switch part {
	case seedlist.PartSeeds:
		s.putSeed(row, now)
	case seedlist.PartLinks:
		if r := s.seeds[row.Number]; r != nil {
			r.dirty = insertNumber(r.dirty, row.Other)
		}
	case seedlist.PartCatalogs:
		c := &catalog{number: row.Number, hash: row.Hash, data: slices.Clone(row.Data), listings: map[uint64]listing{}}
		if len(row.More) > 0 {
			c.refusals = slices.Clone(row.More)
		}
		s.catalogs[c.number] = c
	case seedlist.PartListings:
		c, r := s.catalogs[row.Number], s.seeds[row.Other]
		if c == nil || r == nil {
			return fmt.Errorf("no catalog %d, or no seed %d", row.Number, row.Other)
		}
		c.listings[r.number] = listing{uint64(row.Sums[0]), row.Flag}
		r.catalogs = insertNumber(r.catalogs, c.number)
	case seedlist.PartAttempts:
		entry := attempt{row.Number, slices.Clone(row.Data)}
		if c := s.catalogOf(row.Hash); row.Flag && c != nil {
			c.attempts = append(c.attempts, entry)
		} else if r := s.byHash(row.Hash); !row.Flag && r != nil {
			r.attempts = append(r.attempts, entry)
		}
	case seedlist.PartHosts:
		return json.Unmarshal(row.Data, &s.host(row.Name).settings)
	case seedlist.PartOrphans:
		s.orphans[row.Name] = true
	case seedlist.PartContexts:
		c, err := seedlist.UnpackContext(row.Data, row.More)
		if err != nil {
			return err
		}
		s.contexts[row.Name] = c
	case seedlist.PartWashed:
		s.washed[seedlist.Span(row.Name)][int64(row.Number)] = seedlist.Washed{
			Begin: time.Unix(int64(row.Number), 0).UTC(), Documents: row.Sums[0], Bytes: row.Sums[1], Statements: row.Sums[2],
		}
	case seedlist.PartSums:
		switch row.Name {
		case seedlist.SumAttempts:
			s.logged = uint64(row.Sums[0])
		case seedlist.SumNumbers:
			s.number = uint64(row.Sums[0])
		case seedlist.SumUnchanged:
			s.unchanged = row.Sums[0]
		}
	}
	return nil
}

func (s *Store) putSeed(row *seedlist.Row, now time.Time) {
	m := &row.Moves
	r := &record{
		hash: row.Hash, data: slices.Clone(row.Data), state: m.State, last: m.Last, stage: m.Stage, fence: m.Fence, tries: m.Tries,
		failures: m.Failures, priority: m.Priority, relative: m.Relative, fragment: m.Fragment, fetchable: m.Fetchable, clean: m.Clean,
		gone: m.Gone, isArchive: m.IsArchive, host: m.Host, oldKey: m.OldKey,
	}
	if m.Due != 0 {
		r.due = time.Unix(0, m.Due).UTC()
	}
	if m.OldKey != "" {
		s.oldKeys[m.OldKey] = r.hash
	}
	s.number = row.Number - 1
	s.insert(r, now)
	if parent := s.seeds[m.Parent]; parent != nil {
		r.parent = parent
		parent.children = insertNumber(parent.children, r.number)
	}
}

// Came is where PutRows has come to.
func (s *Store) Came(ctx context.Context) (c *seedlist.Copying, err error) {
	err = s.read(ctx, func() error {
		if s.copying != nil {
			copied := *s.copying
			c = &copied
		}
		return nil
	})
	return c, err
}

// SetCopying begins or ends a copy.
func (s *Store) SetCopying(ctx context.Context, c *seedlist.Copying) error {
	return s.write(ctx, func(time.Time) error {
		if s.copying = nil; c != nil {
			copied := *c
			s.copying = &copied
		}
		return nil
	})
}
