package bolt

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"laundromat/internal/digest"
	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// What is salvaged is written as a copy of a list is: by rows, from which the new list derives all else.

// put writes a row, with others of its part.
func (s *salvage) put(part seedlist.Part, row seedlist.Row) {
	if part != s.part || len(s.rows) == seedlist.RowsAtOnce {
		s.flush()
	}
	s.part, s.rows = part, append(s.rows, row)
}

func (s *salvage) flush() {
	if s.failure == nil {
		s.fail(s.to.PutRows(s.ctx, s.part, s.rows))
	}
	s.rows = s.rows[:0]
}

// putSeeds writes the seeds whose larger record can be read. An entry comes after its archive: one that is read before
// that waits for the next round.
func (s *salvage) putSeeds() {
	for waits := s.source != nil; waits && s.failure == nil; {
		waits = false
		s.each(func(which int, e element, _ bool) {
			if which != inCold || s.failure != nil {
				return
			}
			id := lastNumber(e.key)
			is := s.records[id]
			if s.there[id] || s.numbers[is.hash] != id || sumIn(e.value) != is.sum {
				return
			}
			c, err := readStored(e.key, e.value)
			if err != nil {
				return
			}
			moves, isKnown := s.movesOf(id, &c)
			if archive, isRead := s.records[moves.Parent]; isRead && moves.Parent < id && !s.there[moves.Parent] &&
				s.numbers[archive.hash] == moves.Parent {
				waits = true
				return
			}
			if isKnown {
				s.sums.Whole++
			} else {
				s.sums.Restated++
			}
			said, _ := checkSum(inCold, e.key, e.value)
			s.putSeed(id, &c, moves, slices.Clone(said))
		})
	}
}

// putSeed writes a seed.
func (s *salvage) putSeed(id uint64, c *seedlist.Stored, moves seedlist.Moves, data []byte) {
	moves.Host = c.HostName()
	if c.URI != "" {
		moves.OldKey = hex.EncodeToString(seedlist.OldKey(c.URI, c.Hash))
	}
	s.put(seedlist.PartSeeds, seedlist.Row{Place: seedlist.Place{Number: id}, Hash: c.Hash, Data: data, Moves: moves})
	s.there[id] = true
	s.numbers[rawOf(c.Hash)] = id
	s.sums.Seeds++
	for _, clean := range c.Cleans() {
		s.links = append(s.links, cleanOf{rawOf(clean), id})
	}
}

// putNew writes a seed that is made anew, with a number of its own where it has none.
func (s *salvage) putNew(id uint64, c *seedlist.Stored, moves seedlist.Moves) {
	if id == 0 {
		s.highest++
		id = s.highest
	}
	data, err := c.Encode()
	s.fail(err)
	s.putSeed(id, c, moves, data)
}

// movesOf is where a seed is in its life in the new list, by its small record. Where that can't be read, it is derived
// from the rest.
func (s *salvage) movesOf(id uint64, c *seedlist.Stored) (moves seedlist.Moves, isKnown bool) {
	h, isKnown := s.hots[id]
	if isKnown {
		is := h.moves()
		moves = engine.MovesOf(&is)
		if h.state.IsWorking() {
			moves.State, moves.Due = h.state.Ready(), min(h.due, time.Now().UnixNano())
		}
	} else {
		moves = s.restate(id, c)
	}
	moves.IsArchive = moves.Last == seedlist.Depleted || s.entries[id]
	if c.Parent != "" {
		if archive := s.numbers[rawOf(c.Parent)]; archive != 0 {
			moves.Parent = archive
		}
	}
	if gone, isListed := s.gone[id]; isListed && moves.Parent == 0 {
		moves.Gone = gone
	}
	return moves, isKnown
}

// restate derives from the rest of the list where a seed is in its life.
func (s *salvage) restate(id uint64, c *seedlist.Stored) seedlist.Moves {
	if isCleanRecord(c) {
		return seedlist.Moves{State: seedlist.Cleaned, Clean: true}
	}
	now := time.Now().UnixNano()
	m := seedlist.Moves{State: s.states[id], Fence: s.fences[c.Hash] + 1, Parent: s.keys[rawOf(c.Parent)]}
	if u, err := seedlist.ParseURI(c.URI); c.URI != "" && err == nil {
		_, m.Fragment = u.Document()
		m.Relative = !m.Fragment && u.Relative
		m.Fetchable = !m.Fragment && !m.Relative
	}
	failed := c.Error != nil && c.Error.Stage.IsWorking()
	switch {
	case m.State.Number() != 0:
	case failed:
		m.State = seedlist.Failed
	case c.Clean != "":
		m.State = seedlist.Parsed
	case s.entries[id]:
		m.State = seedlist.Depleted
	case c.Parent != "":
		m.State = seedlist.Filed
	default:
		m.State = seedlist.Added
	}
	if m.State == seedlist.Failed && failed {
		m.Stage = c.Error.Stage
	} else if m.State.IsWorking() {
		m.State = m.State.Ready()
	}
	switch {
	case m.Relative || m.Fragment:
		m.State = seedlist.Added
	case !m.State.IsEnd():
		m.Due = now
	default:
		m.Last = m.State
		if m.Fetchable {
			m.Due = engine.Nanoseconds(seedlist.DueAfter(c.Processed, c.Interval))
		}
	}
	return m
}

// putLost makes seeds again of which the key is known, and no larger record: by their URI, or
// as clean ones by their file.
func (s *salvage) putLost() {
	lost := map[uint64]string{} // number → hash; "" is not known
	for raw, id := range s.keys {
		lost[id] = hex.EncodeToString([]byte(raw))
	}
	for id := range s.hots {
		lost[id] += ""
	}
	for id := range s.states {
		lost[id] += ""
	}
	for _, id := range slices.Sorted(maps.Keys(lost)) {
		hash := lost[id]
		if _, isRead := s.records[id]; isRead || s.numbers[rawOf(hash)] != 0 {
			continue // the second: an index led astray
		}
		if hash == "" {
			s.lose("seed", "", id, "its record and its key can't be read")
		} else if !s.remake(id, hash) {
			s.lose("seed", hash, id, "its record can't be read, and no entry of the log names its URI")
		}
	}
}

// putFiles makes seeds of files that no record is of. These are clean ones, whose name is the sum of what they
// hold, and those as they were downloaded of which the URI is known.
func (s *salvage) putFiles() {
	var without []string
	s.files(func(hash string, isClean, isDirty bool) {
		if isClean || isDirty && s.uri(hash) != "" {
			without = append(without, hash)
		}
	})
	slices.Sort(without)
	for _, hash := range slices.Compact(without) {
		s.remake(0, hash)
	}
}

// remake makes a seed again of what is known of its hash; false if that is not enough. With id 0 it
// gets a new number.
func (s *salvage) remake(id uint64, hash string) (isMade bool) {
	now := time.Now()
	if clean, ok := s.cleanFile(hash); ok {
		c := seedlist.Stored{Hash: clean.MD5, Record: seedlist.Record{Added: now, Content: clean, Format: "N-Quads"}}
		s.putNew(id, &c, s.restate(0, &c))
		s.sums.FromFiles++
		return true
	}
	u, err := seedlist.ParseURI(s.uri(hash))
	if err != nil || u.Hash() != hash {
		return false
	}
	seed := seedlist.NewSeed{URI: u.Given}
	c := seed.Stored(u, now, &s.to.options)
	moves := s.restate(0, &c)
	count := &s.sums.Refetched
	if moves.Fetchable && s.options.Dirty != nil {
		if dirty, fence, ok := s.options.Dirty(hash); ok {
			c.Content, c.Fences.Dirty, moves.State, count = dirty, fence, seedlist.Filed, &s.sums.FromFiles
		}
	}
	if of, isOf := u.Document(); isOf && s.numbers[rawOf(of.Hash())] == 0 {
		document := seed.Stored(of, now, &s.to.options)
		s.putNew(0, &document, s.restate(0, &document))
	}
	s.putNew(id, &c, moves)
	*count++
	return true
}

func (s *salvage) cleanFile(hash string) (*digest.Content, bool) {
	if s.options.Clean == nil {
		return nil, false
	}
	return s.options.Clean(hash)
}

// putLinks links the clean seeds with what they were washed from. One whose file is gone, too, is no seed: verify tells
// of it.
func (s *salvage) putLinks() {
	for _, link := range s.links {
		if clean := s.numbers[link.clean]; clean != 0 {
			s.put(seedlist.PartLinks, seedlist.Row{Place: seedlist.Place{Number: clean, Other: link.seed}})
		}
	}
}

// collectCatalogs finds which catalogs can be read, and which seeds all of these have dropped.
func (s *salvage) collectCatalogs() {
	isRead := map[uint64]bool{}
	for _, key := range slices.Sorted(maps.Keys(s.copied[inCatalogs])) {
		id := lastNumber([]byte(key))
		c, err := readCatalog([]byte(key), s.copied[inCatalogs][key])
		if err != nil {
			s.lose("catalog", "", id, "its record "+err.Error())
		} else if hash := rawOf(c.Hash); s.catalogs[hash] == 0 {
			s.catalogs[hash], isRead[id] = id, true
		}
	}
	for key, value := range s.copied[inListings] {
		if len(key) != 16 || len(value) != 9 || !isRead[binary.BigEndian.Uint64([]byte(key))] {
			delete(s.copied[inListings], key)
			continue
		}
		seed := lastNumber([]byte(key))
		gone, isListed := s.gone[seed]
		s.gone[seed] = value[8] != 0 && (gone || !isListed)
	}
}

// putCatalogs writes the catalogs, and which seeds they list.
func (s *salvage) putCatalogs() {
	for _, id := range s.catalogs {
		key := appendNumber(nil, id)
		c, _ := readCatalog(key, s.copied[inCatalogs][string(key)])
		if c.Status == seedlist.CatalogHarvesting {
			c.Status, c.Worker, c.Due = seedlist.CatalogWaiting, "", time.Now().UTC()
		}
		data, err := c.Encode()
		s.fail(err)
		s.sums.Catalogs++
		s.put(seedlist.PartCatalogs, seedlist.Row{
			Place: seedlist.Place{Number: id}, Hash: c.Hash, Data: data, More: s.copied[inRefusals][string(key)],
		})
	}
	for key, value := range s.copied[inListings] {
		place := seedlist.Place{Number: binary.BigEndian.Uint64([]byte(key)), Other: lastNumber([]byte(key))}
		if s.there[place.Other] {
			harvest := int64(binary.BigEndian.Uint64(value))
			s.put(seedlist.PartListings, seedlist.Row{Place: place, Sums: [3]int64{harvest}, Flag: value[8] != 0})
		}
	}
}

// putLog writes the attempts of the seeds and catalogs that are in the new list.
func (s *salvage) putLog() {
	if s.source == nil {
		return
	}
	last := uint64(0)
	seen := map[uint64]bool{}
	s.each(func(which int, e element, isStray bool) {
		if which != inLog || s.failure != nil {
			return
		}
		a, err := readAttempt(e.key, e.value)
		n := lastNumber(e.key)
		if err != nil || isStray && seen[n] {
			return
		}
		seen[n] = isStray || s.source.headless != nil || seen[n]
		last = max(last, n)
		isOfSeed, isOfCatalog := s.numbers[rawOf(a.Seed)] != 0, s.catalogs[rawOf(a.Seed)] != 0
		if !isOfSeed && !isOfCatalog {
			s.sums.LostAttempts++
			return
		}
		said, _ := checkSum(inLog, e.key, e.value)
		s.sums.Attempts++
		s.put(seedlist.PartAttempts, seedlist.Row{
			Place: seedlist.Place{Number: n}, Hash: a.Seed, Data: slices.Clone(said),
			Flag: isOfCatalog && (a.ParserName == "harvesting" || !isOfSeed),
		})
	})
	s.putSum(seedlist.SumAttempts, int64(last))
}

// putOthers writes what is whole of the settings of hosts, of what is to be swept, of contexts and of what is known of
// recipes. A context that is not is fetched again when a document names it.
func (s *salvage) putOthers() {
	put := func(part seedlist.Part, name string, data, more []byte, isWhole bool) {
		if isWhole {
			s.put(part, seedlist.Row{Place: seedlist.Place{Name: name}, Data: data, More: more})
		}
	}
	for name, data := range s.copied[inHostSettings] {
		put(seedlist.PartHosts, name, data, nil, json.Unmarshal(data, new(seedlist.HostSettings)) == nil)
	}
	for key := range s.copied[inOrphans] {
		put(seedlist.PartOrphans, hex.EncodeToString([]byte(key)), nil, nil, len(key) == hashSize && s.numbers[key] == 0)
	}
	for key, known := range s.copied[inContexts] {
		var text []byte
		for n := range 256 {
			part, isThere := s.copied[inContextTexts][key+string([]byte{byte(n)})]
			if !isThere {
				break
			}
			text = append(text, part...)
		}
		name := hex.EncodeToString([]byte(key))
		c, err := seedlist.UnpackContext(known, text)
		put(seedlist.PartContexts, name, known, text, err == nil && c.Key() == name && (text != nil) == (c.SHA256 != ""))
	}
	for key, data := range s.copied[inRecipes] {
		put(seedlist.PartRecipes, key, data, nil, json.Valid(data))
	}
}

// putSums writes what nothing else says. The last number reserves all that are taken, also those of seeds that are
// lost.
func (s *salvage) putSums() {
	s.putSum(seedlist.SumNumbers, int64(s.highest))
	s.putSum(seedlist.SumUnchanged, s.unchanged)
}

func (s *salvage) putSum(name string, n int64) {
	s.put(seedlist.PartSums, seedlist.Row{Place: seedlist.Place{Name: name}, Sums: [3]int64{n}})
}
