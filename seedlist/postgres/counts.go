package postgres

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// The names of sums in the table of counts. Those that end in a colon are followed by what is counted.
const (
	countSeeds     = "seeds"
	countRelative  = "relative"
	countFragments = "fragments"
	countUnchanged = "unchanged"
	countWashed    = "washed"
	countRefreshed = "refreshed"
	countBytes     = "bytes"
	countFiles     = "clean_files"
	countCleanSize = "clean_bytes"
	countLines     = "clean_lines"
	countState     = "state:"
	countFormat    = "format:"
	countError     = "error:"
	countNotice    = "notice:" // documents that have it
	countTimes     = "times:"  // how often in all
	countStatement = "statements:"
)

// tally adds what a record counts for, or with a sign of -1 takes it away.
func (t *tx) tally(h *hot, data []byte, sign int64) error {
	add := func(name string, n int64) { t.counts[name] += sign * n }
	add(countSeeds, 1)
	add(countState+string(h.state), 1)
	if h.relative {
		add(countRelative, 1)
	}
	if h.fragment {
		add(countFragments, 1)
	}
	stored, err := seedlist.DecodeStored(data)
	if err != nil {
		return err
	}
	if h.clean {
		add(countFiles, 1)
		add(countCleanSize, stored.Content.NumberOfBytes)
		if stored.Content.NumberOfLines != nil {
			add(countLines, *stored.Content.NumberOfLines)
		}
		return nil
	}
	if h.state == seedlist.Parsed || stored.ServedClean() != "" {
		add(countWashed, 1)
		if !h.state.IsFinal() {
			add(countRefreshed, 1)
		}
	}
	of := stored.Summed()
	for _, name := range of.Syntaxes() {
		add(countFormat+name, 1)
	}
	if stored.Error != nil {
		add(countError+string(stored.Error.Code), 1)
	}
	for code, n := range of.Notices {
		add(countNotice+string(code), 1)
		add(countTimes+string(code), n)
	}
	if stored.Content != nil {
		add(countBytes, stored.Content.NumberOfBytes)
	}
	if n := of.Statements; n != nil {
		for name, field := range statementsOf(n) {
			add(countStatement+name, *field)
		}
	}
	return nil
}

func statementsOf(n *digest.Statements) map[string]*int64 {
	return map[string]*int64{
		"read": &n.Read, "kept": &n.Kept, "repaired": &n.Repaired, "dropped": &n.Dropped, "duplicates": &n.Duplicates,
		"written": &n.Written,
	}
}

// sum is a row of the counts, added up.
type sum struct {
	Name string
	N    int64
}

// Counts are the sums over the list.
func (s *Store) Counts(ctx context.Context) (seedlist.Counts, error) {
	c := seedlist.Counts{
		States: map[seedlist.State]int64{}, Formats: map[string]int64{},
		Errors: map[fault.Code]int64{}, Notices: map[fault.Code]seedlist.Found{},
	}
	for _, state := range seedlist.States() {
		c.States[state] = 0
	}
	err := s.read(ctx, func(t *tx) (err error) {
		if c.Waiting, err = t.number("SELECT count(*) FROM hot WHERE later AND due > $1", t.now.UnixNano()); err != nil {
			return err
		}
		sums, err := query(t, pgx.RowToStructByPos[sum], "SELECT name, sum(n)::bigint FROM counts GROUP BY name HAVING sum(n) <> 0")
		for _, n := range sums {
			n.addTo(&c)
		}
		return err
	})
	return c, err
}

func (n sum) addTo(c *seedlist.Counts) {
	plain := map[string]*int64{
		countSeeds: &c.Seeds, countRelative: &c.Relative, countFragments: &c.Fragments, countUnchanged: &c.Unchanged,
		countWashed: &c.Washed, countRefreshed: &c.Refreshed, countBytes: &c.Bytes,
		countFiles: &c.Clean.Files, countCleanSize: &c.Clean.Bytes, countLines: &c.Clean.Lines,
	}
	if field := plain[n.Name]; field != nil {
		*field = n.N
		return
	}
	kind, what, _ := strings.Cut(n.Name, ":")
	switch kind + ":" {
	case countState:
		c.States[seedlist.State(what)] = n.N
	case countFormat:
		c.Formats[what] = n.N
	case countError:
		c.Errors[fault.Code(what)] = n.N
	case countNotice:
		found := c.Notices[fault.Code(what)]
		found.Seeds = n.N
		c.Notices[fault.Code(what)] = found
	case countTimes:
		found := c.Notices[fault.Code(what)]
		found.Times = n.N
		c.Notices[fault.Code(what)] = found
	case countStatement:
		if field := statementsOf(&c.Statements)[what]; field != nil {
			*field = n.N
		}
	}
}
