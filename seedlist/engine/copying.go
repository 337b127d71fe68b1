package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"laundromat/seedlist"
)

// Rows returns rows of a part that follow a place.
func (l *Moves) Rows(ctx context.Context, part seedlist.Part, after seedlist.Place, limit int) ([]seedlist.Row, error) {
	return found(ctx, l.read, func(s *Session) ([]seedlist.Row, error) { return s.rows(part, after, limit), nil })
}

func (s *Session) rows(part seedlist.Part, after seedlist.Place, limit int) (rows []seedlist.Row) {
	named := func(name string, data []byte) seedlist.Row {
		return seedlist.Row{Place: seedlist.Place{Name: name}, Data: data}
	}
	switch part {
	case seedlist.PartSeeds:
		for _, r := range s.scan(Scan{OldKeys: true}, after.Number, limit) {
			rows = append(rows, s.seedRow(r))
		}
		return rows
	case seedlist.PartLinks:
		return s.linkRows(Dirty, after, limit)
	case seedlist.PartListings:
		return s.linkRows(Listings, after, limit)
	case seedlist.PartCatalogs:
		for _, c := range s.catalogsOf(CatalogQuery{IsAll: true, After: after.Number, Most: limit}) {
			data, err := c.Known.Encode()
			s.fail(err)
			rows = append(rows, seedlist.Row{Place: seedlist.Place{Number: c.Number}, Hash: c.Hash, Data: data, More: c.Refusals})
		}
		return rows
	case seedlist.PartAttempts:
		for _, e := range s.entries(nil, after.Number, limit) {
			rows = append(rows, seedlist.Row{Place: seedlist.Place{Number: e.Number}, Hash: e.Hash, Flag: e.OfCatalog, Data: e.Data})
		}
		return rows
	case seedlist.PartHosts:
		rows = hostRows(s)
	case seedlist.PartOrphans:
		for _, hash := range s.orphans(OrphanQuery{After: after.Name, Most: limit}) {
			rows = append(rows, named(hash, nil))
		}
		return rows
	case seedlist.PartContexts:
		for _, c := range s.items(ItemQuery{After: after.Name, Most: limit, Texts: true}) {
			row := named(c.Key, c.Data)
			row.More = c.Text
			rows = append(rows, row)
		}
		return rows
	case seedlist.PartRecipes:
		return recipeSession{s}.rows(after, limit)
	case seedlist.PartWashed:
		for _, span := range seedlist.Spans() {
			for _, w := range s.washedIn(span, time.Time{}, time.Time{}) {
				rows = append(rows, seedlist.Row{
					Place: seedlist.Place{Number: uint64(w.Begin.Unix()), Name: string(span)},
					Sums:  [3]int64{w.Documents, w.Bytes, w.Statements},
				})
			}
		}
	case seedlist.PartSums:
		rows = s.sumRows()
	}
	return seedlist.Following(rows, after, limit)
}

// hostRows are the settings of all hosts.
func hostRows(s *Session) (rows []seedlist.Row) {
	for _, h := range s.hostsOf(nil, 0) {
		data, err := seedlist.EncodeJSON(h.Settings)
		s.fail(err)
		rows = append(rows, seedlist.Row{Place: seedlist.Place{Name: h.Settings.Host}, Data: data})
	}
	return rows
}

func (s *Session) seedRow(r *Seed) seedlist.Row {
	stored := s.document(r)
	if r.Hash == "" {
		r.Hash = stored.Hash
	}
	moves := MovesOf(&r.Hot)
	moves.Host, moves.OldKey = stored.HostName(), r.OldKey
	return seedlist.Row{Place: seedlist.Place{Number: r.Number}, Hash: r.Hash, Data: r.Data, Moves: moves}
}

// MovesOf is what a row of a seed has of it, but for its host and its identifier of 2018.
func MovesOf(h *Hot) seedlist.Moves {
	return seedlist.Moves{
		State: h.State, Last: h.Last, Stage: h.Stage, Fence: h.Fence, Tries: h.Tries, Failures: h.Failures, Crashes: h.Crashes,
		Priority: h.Priority, Due: h.Due, Relative: h.Relative, Fragment: h.Fragment, Fetchable: h.Fetchable, Clean: h.Clean, Gone: h.Gone,
		IsArchive: h.IsArchive, Parent: h.Parent,
	}
}

func (s *Session) linkRows(relation Relation, after seedlist.Place, limit int) (rows []seedlist.Row) {
	for _, link := range s.linksOf(LinkQuery{Relation: relation, AfterOf: after.Number, After: after.Other, Most: limit}) {
		place := seedlist.Place{Number: link.Of, Other: link.To}
		rows = append(rows, seedlist.Row{Place: place, Sums: [3]int64{int64(link.Harvest)}, Flag: link.Gone})
	}
	return rows
}

// sumRows are what is derived from nothing.
func (s *Session) sumRows() (rows []seedlist.Row) {
	add := func(name string, n int64) {
		rows = append(rows, seedlist.Row{Place: seedlist.Place{Name: name}, Sums: [3]int64{n}})
	}
	for _, of := range []struct{ sum, meta string }{{seedlist.SumAttempts, MetaAttempts}, {seedlist.SumNumbers, MetaNumbers}} {
		n, err := strconv.ParseInt(string(s.meta(of.meta)), 10, 64)
		if err != nil {
			s.fail(fmt.Errorf("the last number of %s: %w", of.sum, err))
		}
		add(of.sum, n)
	}
	counts := s.allCounts()
	for i, name := range trimmedNames {
		add(seedlist.SumRemoved+trimmedNames[i], counts[CountRemoved+name])
	}
	add(seedlist.SumUnchanged, counts[CountUnchanged])
	return rows
}

// PutRows writes rows of a part.
func (l *Moves) PutRows(ctx context.Context, part seedlist.Part, rows []seedlist.Row) error {
	if len(rows) == 0 {
		return nil
	}
	return l.write(ctx, func(s *Session) error {
		s.touched++
		for i := range rows {
			if err := s.putRow(part, &rows[i]); err != nil {
				return fmt.Errorf("%s: %w", part, err)
			}
		}
		if c := s.copying(); c != nil {
			c.Part, c.At = part, rows[len(rows)-1].Place
			putCopying(s, c)
		}
		return nil
	})
}

func (s *Session) putRow(part seedlist.Part, row *seedlist.Row) error {
	w := &s.next
	switch part {
	case seedlist.PartSeeds:
		s.putSeed(row)
	case seedlist.PartLinks:
		w.Links = append(w.Links, Link{Relation: Dirty, Of: row.Number, To: row.Other})
	case seedlist.PartCatalogs:
		c := &Catalog{Number: row.Number, Hash: row.Hash, IsNew: true}
		if len(row.More) > 0 {
			c.Refusals = row.More
		}
		var err error
		if c.Known, err = seedlist.DecodeCatalog(row.Data); err != nil {
			return err
		}
		c.Known.Listed, c.Known.Gone = 0, 0 // its listings follow
		s.putCatalog(s.keepCatalog(c))
	case seedlist.PartListings:
		return s.putListing(row)
	case seedlist.PartAttempts:
		w.Log = append(w.Log, Entry{Number: row.Number, Hash: row.Hash, OfCatalog: row.Flag, Data: row.Data})
	case seedlist.PartHosts:
		h := s.host(s.list.store.HostKey(row.Name))
		s.putHost(h)
		return json.Unmarshal(row.Data, &h.Settings)
	case seedlist.PartOrphans:
		w.Orphans = append(w.Orphans, row.Name)
	case seedlist.PartContexts:
		w.Items = append(w.Items, Item{Key: row.Name, Data: row.Data, Text: row.More, IsNew: true})
	case seedlist.PartRecipes:
		w.Items = append(w.Items, Item{Kind: Recipes, Key: row.Name, Data: row.Data})
	case seedlist.PartWashed:
		if w.Washed == nil {
			w.Washed = map[seedlist.Span][]seedlist.Washed{}
		}
		w.Washed[seedlist.Span(row.Name)] = append(w.Washed[seedlist.Span(row.Name)], seedlist.Washed{
			Begin: time.Unix(int64(row.Number), 0).UTC(), Documents: row.Sums[0], Bytes: row.Sums[1], Statements: row.Sums[2],
		})
	case seedlist.PartSums:
		s.putSum(row.Name, row.Sums[0])
	}
	return nil
}

// putSeed gives a record its place. Counts, the feed and the turns of hosts follow from it at the end.
func (s *Session) putSeed(row *seedlist.Row) {
	m := &row.Moves
	r := &Seed{Number: row.Number, Hash: row.Hash, Data: row.Data, Hot: Hot{
		State: m.State, Last: m.Last, Stage: m.Stage, Fence: m.Fence, Tries: m.Tries, Failures: m.Failures, Crashes: m.Crashes,
		Priority: m.Priority, Due: m.Due, Relative: m.Relative, Fragment: m.Fragment, Fetchable: m.Fetchable, Clean: m.Clean, Gone: m.Gone,
		IsArchive: m.IsArchive, Parent: m.Parent, Revision: 1,
	}}
	if m.Host != "" {
		r.Host = s.list.store.HostKey(m.Host)
	}
	if m.OldKey != "" {
		s.leadTo(m.OldKey, r.Number)
	}
	s.place(r)
}

func (s *Session) putListing(row *seedlist.Row) error {
	c := s.catalog(row.Number)
	if c == nil {
		return fmt.Errorf("no catalog %d", row.Number)
	}
	if row.Flag {
		c.Known.Gone++
	} else {
		c.Known.Listed++
	}
	s.putCatalog(c)
	s.next.Links = append(s.next.Links, Link{Relation: Listings, Of: c.Number, To: row.Other, Harvest: uint64(row.Sums[0]), Gone: row.Flag})
	return nil
}

func (s *Session) putSum(name string, n int64) {
	switch {
	case n == 0:
	case strings.HasPrefix(name, seedlist.SumRemoved):
		s.counts[counted{CountRemoved, strings.TrimPrefix(name, seedlist.SumRemoved)}] += n
	case name == seedlist.SumUnchanged:
		s.counts[counted{name: CountUnchanged}] += n
	default:
		key := map[string]string{seedlist.SumAttempts: MetaAttempts, seedlist.SumNumbers: MetaNumbers}[name]
		s.putMeta(key, strconv.AppendInt(nil, n, 10))
	}
}

// copying says how far a copy has come; nil if none was begun.
func (s *Session) copying() (c *seedlist.Copying) {
	if data := s.meta(MetaCopying); data != nil {
		s.fail(json.Unmarshal(data, &c))
	}
	return c
}

func putCopying(s *Session, c *seedlist.Copying) {
	if c == nil {
		s.putMeta(MetaCopying, nil)
		return
	}
	data, err := json.Marshal(c)
	s.fail(err)
	s.putMeta(MetaCopying, data)
}

func (s *Session) putMeta(name string, data []byte) {
	if s.next.Meta == nil {
		s.next.Meta = map[string][]byte{}
	}
	s.touched++
	s.next.Meta[name] = data
}

// Came is where PutRows has come to.
func (l *Moves) Came(ctx context.Context) (*seedlist.Copying, error) {
	return found(ctx, l.read, func(s *Session) (*seedlist.Copying, error) { return s.copying(), nil })
}

// SetCopying begins or ends a copy.
func (l *Moves) SetCopying(ctx context.Context, c *seedlist.Copying) error {
	return l.write(ctx, func(s *Session) error {
		putCopying(s, c)
		return nil
	})
}

// Settle gives back what processes hold that are gone, and refuses a list on which this one works.
func (l *Moves) Settle(ctx context.Context) error {
	for {
		if l.Leases() > 0 {
			return seedlist.ErrAtWork
		}
		if l.options.ReadOnly {
			return l.read(ctx, func(*Session) error { return nil })
		}
		if n, err := l.Rescue(ctx); err != nil || n == 0 {
			return err
		}
	}
}
