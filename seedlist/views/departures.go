package views

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"slices"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/quality"
)

// A document departs when it is removed from the list, or no longer has a value of a group: a catalog does not name it
// any more, or names another publisher. Departures are kept as long as days are, in the table of pairs. What is known
// of them is known here alone, so that tables that are made anew know those since alone: see knownKey.
const (
	departed    byte = 0xF4 + iota // day, facet, id, seconds, seed → who it was; nothing: as in the list of everything
	departedSum                    // day, facet, id → documents, and the statements that they had
)

// knownKey is the key of the time since which departures are known, in seconds.
var knownKey = []byte("departures since")

// departure is what an entry remembers of a value that the document has no longer.
type departure struct {
	f          Facet
	id         uint32
	at         int64 // in seconds since 1970
	statements int64 // that the document had
}

func (d *departure) day() int64 { return d.at / (24 * 60 * 60) }

func (d *departure) append(b []byte) []byte {
	b = binary.AppendUvarint(append(b, byte(d.f)), uint64(d.id))
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(d.at)), uint64(d.statements))
}

// decode reads a departure, and returns what follows it.
func (d *departure) decode(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	d.f, b = Facet(b[0]), b[1:]
	next := func() uint64 {
		n, size := binary.Uvarint(b)
		b = b[max(size, 0):]
		return n
	}
	d.id, d.at, d.statements = uint32(next()), int64(next()), int64(next())
	return b
}

func appendDay(key []byte, kind byte, day int64, f Facet, id uint32) []byte {
	return appendValue(binary.BigEndian.AppendUint32(append(key, kind), uint32(day)), f, id)
}

// appendKey appends the key of the departure of a seed.
func (d *departure) appendKey(key []byte, number uint64) []byte {
	key = appendDay(key, departed, d.day(), d.f, d.id)
	return appendSeed(binary.BigEndian.AppendUint32(key, uint32(d.at)), number)
}

// departedKey is the key of the sums of a day and a value.
type departedKey struct {
	day int64
	f   Facet
	id  uint32
}

// depart notes the values that a seed has no longer; nil: the seed was removed.
func (c *change) depart(number uint64, seed *seedlist.Seed) {
	if seed != nil {
		c.returnTo(number)
	}
	if c.was.sums.Documents == 0 || seed != nil && c.is.unread { // of which the values are not known
		return
	}
	if seed == nil {
		c.leave(number, everything, 0, nil)
	}
	for _, f := range groups {
		if seed != nil && sameValues(&c.was, &c.is, f) {
			continue
		}
		for _, id := range c.was.values(f) {
			if seed == nil || !c.is.has(f, id) {
				c.leave(number, f, id, seed)
			}
		}
	}
}

// leave notes that a seed has a value no longer; nil: the seed was removed.
func (c *change) leave(number uint64, f Facet, id uint32, seed *seedlist.Seed) {
	last := c.lastTold(number)
	d := departure{f, id, max(0, last.Time.Unix()), int64(max(c.was.order[ByStatements], 1) - 1)}
	if d.day() < c.sums.firstDay {
		return
	}
	who := []byte{} // as in the list of everything
	switch {
	case seed != nil:
		c.is.left = append(c.is.left, d)
		who = appendDeparted(who, d.statements, seed.Hash, seedlist.NameOf(&seedlist.Stored{URI: seed.URI, Record: seed.Record}))
	case f == everything:
		who = appendDeparted(who, d.statements, last.Hash, last.Name)
	}
	c.tables[inPairs].Put(d.appendKey(nil, number), who)
	c.sums.depart(&d, 1)
}

// lastTold is the last change of a seed that the feed told; one of now, where it told none. Few seeds leave a list, so
// that it is looked for only then.
func (c *change) lastTold(number uint64) seedlist.Change {
	if c.lastOf == nil {
		c.lastOf = make(map[uint64]int, len(c.told))
		for i := range c.told {
			c.lastOf[c.told[i].Number] = i
		}
	}
	if i, isTold := c.lastOf[number]; isTold {
		return c.told[i]
	}
	return seedlist.Change{Number: number, Time: c.now}
}

// returnTo keeps the departures of a document, except those that are over and those from values that it has again.
func (c *change) returnTo(number uint64) {
	for i := range c.was.left {
		d := &c.was.left[i]
		switch {
		case d.day() < c.sums.firstDay:
		case c.is.has(d.f, d.id):
			c.tables[inPairs].Delete(d.appendKey(nil, number))
			c.sums.depart(d, -1)
		default:
			c.is.left = append(c.is.left, *d)
		}
	}
}

func (d *sumDeltas) depart(one *departure, times int64) {
	key := departedKey{one.day(), one.f, one.id}
	n := d.departed[key]
	d.departed[key] = finding{n.documents + times, n.times + times*one.statements}
}

// writeDepartures writes the sums of departures that changed.
func (c *change) writeDepartures() {
	if len(c.sums.departed) == 0 {
		return
	}
	keys := make([][]byte, 0, len(c.sums.departed))
	for k := range c.sums.departed {
		keys = append(keys, appendDay(nil, departedSum, k.day, k.f, k.id))
	}
	c.tables[inPairs].Prefetch(keys...)
	for k, delta := range c.sums.departed {
		key := appendDay(c.key[:0], departedSum, k.day, k.f, k.id)
		was := readFinding(c.tables[inPairs].Get(key))
		is := finding{was.documents + delta.documents, was.times + delta.times}
		if is == (finding{}) {
			c.tables[inPairs].Delete(key)
			continue
		}
		from := len(c.stored)
		c.stored = binary.AppendVarint(binary.AppendVarint(c.stored, is.documents), is.times)
		c.tables[inPairs].Put(key, c.keep(from))
	}
}

// Departed is a document that was removed, or that left what it is listed by.
type Departed struct {
	Number uint64    `json:"-"`
	Hash   string    `json:"hash,omitempty"`
	Name   string    `json:"uri,omitempty" doc:"the URI, or what it was called in its archive"`
	Left   time.Time `json:"left" doc:"when it was removed, or found to be listed there no longer"`
	// Statements are those that it had.
	Statements int64 `json:"statements"`
}

const hashBytes = 16

// appendDeparted appends who departed.
func appendDeparted(b []byte, statements int64, hash, name string) []byte {
	raw, _ := hex.DecodeString(hash)
	var fixed [hashBytes]byte
	copy(fixed[:], raw)
	return append(append(binary.AppendUvarint(b, uint64(statements)), fixed[:]...), name...)
}

func (d *Departed) decode(b []byte) {
	n, size := binary.Uvarint(b)
	if b = b[max(size, 0):]; len(b) < hashBytes {
		return
	}
	d.Statements, d.Hash, d.Name = int64(n), hex.EncodeToString(b[:hashBytes]), string(b[hashBytes:])
}

// departures are how many documents left a value since a day, with the statements that they had, and since when that
// is known.
func (t *tables) departures(f Facet, id uint32, day int64, now time.Time) (sum finding, known time.Time) {
	for _, n := range t.departedDays(f, id, day, now) {
		sum = finding{sum.documents + n.documents, sum.times + n.times}
	}
	known = now.UTC().Truncate(time.Second) // while they are being made
	if is := t.number64(knownKey); is > 0 {
		known = time.Unix(int64(is), 0).UTC()
	}
	if first := dayTime(firstDay(now)); first.After(known) {
		known = first
	}
	return sum, known
}

// departedDays are the sums of the days since a day on which documents left a value.
func (t *tables) departedDays(f Facet, id uint32, day int64, now time.Time) map[int64]finding {
	var keys [][]byte
	first := max(day, firstDay(now))
	for one := first; one <= quality.DayOf(now); one++ {
		keys = append(keys, appendDay(nil, departedSum, one, f, id))
	}
	t[inPairs].Prefetch(keys...)
	days := map[int64]finding{}
	for i, key := range keys {
		if n := readFinding(t[inPairs].Get(key)); n != (finding{}) {
			days[first+int64(i)] = n
		}
	}
	return days
}

// departedAfter are the documents that left a value on some days, the last first, after a place; up to limit, and
// whether there are more.
func (t *tables) departedAfter(f Facet, id uint32, days map[int64]finding, after *place, limit int) (all []Departed, more bool) {
	for _, day := range slices.Backward(slices.Sorted(maps.Keys(days))) {
		var from []byte
		if after != nil {
			last := departure{f: f, id: id, at: int64(after.order)}
			switch from = last.appendKey(nil, after.number); {
			case day > last.day():
				continue
			case day < last.day():
				from = nil
			}
		}
		prefix := appendDay(nil, departed, day, f, id)
		next := t[inPairs].walk(prefix, from, true)
		for key, value := next(); key != nil; key, value = next() {
			if bytes.Equal(key, from) {
				continue
			}
			if len(all) == limit {
				more = true
				break
			}
			d := Departed{Number: lastSeed(key), Left: time.Unix(int64(binary.BigEndian.Uint32(key[len(prefix):])), 0).UTC()}
			d.decode(value)
			all = append(all, d)
		}
		if more {
			break
		}
	}
	t.whoDeparted(all)
	return all, more
}

// whoDeparted fills in who was removed from the list.
func (t *tables) whoDeparted(all []Departed) {
	keys := make([][]byte, len(all))
	for i := range all {
		keys[i] = (&departure{f: everything, at: all[i].Left.Unix()}).appendKey(nil, all[i].Number)
	}
	t[inPairs].Prefetch(keys...)
	for i := range all {
		if all[i].Hash == "" {
			all[i].decode(t[inPairs].Get(keys[i]))
		}
	}
}

// endedKinds are what is kept by day, and ends with its day.
var endedKinds = []byte{byDay, departed, departedSum}

// endDays removes days that are over.
func (c *change) endDays() {
	if c.number64(endedKey) == uint64(c.sums.firstDay) {
		return
	}
	var over [][]byte
	for _, kind := range endedKinds {
		next := c.tables[inPairs].Walk([]byte{kind})
		for key, _ := next(); key != nil && len(over) < mostEnded; key, _ = next() {
			if int64(binary.BigEndian.Uint32(key[1:])) >= c.sums.firstDay {
				break
			}
			over = append(over, slices.Clone(key))
		}
	}
	for _, key := range over {
		c.tables[inPairs].Delete(key)
	}
	if len(over) < mostEnded {
		c.setNumber64(endedKey, uint64(c.sums.firstDay))
	}
}
