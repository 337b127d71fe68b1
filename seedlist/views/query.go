package views

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"time"

	"laundromat/internal/ordered"
	"laundromat/seedlist"
	"laundromat/seedlist/quality"
)

// MostLooked is how many rows are looked at for a page.
const MostLooked = 10_000

// Query says which seeds to list, and in which order. What is left out filters nothing.
type Query struct {
	Where      map[Facet]string // all of them hold
	Relative   *bool
	NoFiles    bool // leave clean files out, which are no documents; a state that is asked for says that itself
	Sort       Sort
	Descending bool // the last first; of the same place those that were added last
	// Turn asks for the documents that turned so since a time, the last first; it is the order too. "" asks for none.
	Turn   string
	Since  time.Time
	Cursor string // what the page before gave; "" begins
	Limit  int    // of seeds; 0: 100
}

// Page is one page of a list.
type Page struct {
	Numbers []uint64 // of seeds, in order
	Next    string   // the cursor of the next page; "" at the end
	Looked  int      // the rows that were looked at
	AsOf    AsOf
}

// IsCut says that the page was ended by [MostLooked], and not by the limit of seeds.
func (p *Page) IsCut(limit int) bool { return p.Next != "" && len(p.Numbers) < limit }

// place is that of a seed in a list: in its order, and by its age.
type place struct {
	order  uint64
	number uint64
}

// canonical tells queries apart: a cursor is good for the one that it was made by.
func (q *Query) canonical() string {
	var b strings.Builder
	for f := range facetCount {
		if value, ok := q.Where[f]; ok {
			fmt.Fprintf(&b, "%s=%q ", f, value)
		}
	}
	if q.Relative != nil {
		fmt.Fprintf(&b, "relative=%v ", *q.Relative)
	}
	if q.NoFiles {
		b.WriteString("nofiles ")
	}
	if q.Turn != "" {
		fmt.Fprintf(&b, "%s=%d ", q.Turn, q.Since.Unix())
	}
	fmt.Fprintf(&b, "%d %v", q.Sort, q.Descending)
	return b.String()
}

// cursor is that of what follows a place. In order of age it is that of the seed list, which may
// go on with the list, or have begun it.
func (q *Query) cursor(p place) string {
	if q.Sort == ByAge && !q.Descending {
		return seedlist.CursorAfter(p.number)
	}
	text := strconv.FormatUint(p.order, 36) + "." + strconv.FormatUint(p.number, 36)
	sum := crc32.ChecksumIEEE([]byte(q.canonical() + "\x00" + text))
	return text + "." + hex.EncodeToString(binary.BigEndian.AppendUint32(nil, sum))
}

// after reads the cursor; nil at the beginning.
func (q *Query) after() (*place, error) {
	if q.Cursor == "" {
		return nil, nil
	}
	if q.Sort == ByAge && !q.Descending {
		number, err := seedlist.ReadCursor(q.Cursor)
		return &place{number: number}, err
	}
	parts := strings.Split(q.Cursor, ".")
	if len(parts) != 3 {
		return nil, seedlist.ErrCursor
	}
	order, err1 := strconv.ParseUint(parts[0], 36, 64)
	number, err2 := strconv.ParseUint(parts[1], 36, 64)
	p := place{order, number}
	if err1 != nil || err2 != nil || q.cursor(p) != q.Cursor {
		return nil, seedlist.ErrCursor
	}
	return &p, nil
}

// search is a query being answered.
type search struct {
	*tables
	query *Query
	ids   map[Facet]uint32
	files uint32 // the number of the state of clean files, where these are left out; else 0
	after *place
	// walked is the facet whose list is walked: its seeds need not be asked for it. It is
	// facetCount where another list is.
	walked Facet
	blocks [facetCount + 1]knownBlock // of the lists that the seeds are asked for, and of relative references
	key    [16]byte
	page   Page
	last   place // the last that was looked at
}

// knownBlock is the block of a list that was looked at last.
type knownBlock struct {
	at     uint32
	isRead bool
	block  block
	// The blocks from first on, or before, as many as ahead, were fetched together.
	first   uint32
	ahead   uint32
	fetched map[uint32]bool // where seeds come in no order: the stretches of blocks that were fetched
}

// List returns a page of a list. Views that are being made list what they hold.
func (v *Views) List(ctx context.Context, q Query) (Page, error) {
	if turn := slices.Index(quality.TurnNames(), q.Turn); turn >= 0 {
		q.Sort, q.Descending = ByTurn+Sort(turn), true
	}
	after, err := q.after()
	if err != nil {
		return Page{}, err
	}
	if q.Limit <= 0 {
		q.Limit = 100
	}
	var s search
	err = v.tables.View(ctx, func(tx ordered.Tx) error {
		t := tablesOf(tx)
		s = search{tables: &t, query: &q, ids: map[Facet]uint32{}, after: after}
		s.page.AsOf = v.asOfIn(&t)
		s.run()
		return nil
	})
	return s.page, err
}

// asOfIn is how far the views have come in a transaction.
func (v *Views) asOfIn(t *tables) AsOf {
	known := t.stored()
	if known.asOf.Building || known.layout != layout {
		return v.AsOf()
	}
	return known.asOf
}

func (s *search) run() {
	shortest, fewest := facetCount, int64(0)
	for f, value := range s.query.Where {
		id := s.tables[inValues].Get(append([]byte{byte(f)}, value...))
		if len(id) != 4 {
			return // no seed has it
		}
		s.ids[f] = binary.BigEndian.Uint32(id)
		n := readCount(s.tables[inCounts].Get(appendValue(nil, f, s.ids[f])))
		if shortest == facetCount || n < fewest {
			shortest, fewest = f, n
		}
	}
	s.walked, s.files = shortest, s.tables.filesLeftOut(s.query)
	switch {
	case s.query.Sort == ByAge && shortest == facetCount:
		s.walk(s.entries())
	case s.query.Sort == ByAge:
		s.walk(s.places(inRows, appendValue(nil, shortest, s.ids[shortest]), s.after))
	case shortest != facetCount && fewest <= MostLooked:
		s.gather(shortest)
	default:
		s.walked = facetCount
		s.walk(s.places(inOrders, []byte{byte(s.query.Sort)}, s.after))
	}
}

// walk looks at places of seeds, in the order of the query, after the cursor.
func (s *search) walk(next func() (place, bool)) {
	for {
		p, ok := next()
		if !ok || p.order < s.least() {
			return
		}
		if len(s.page.Numbers) == s.query.Limit || s.page.Looked == MostLooked {
			s.page.Next = s.query.cursor(s.last)
			return
		}
		s.page.Looked++
		s.last = p
		if s.matching(p.number) {
			s.page.Numbers = append(s.page.Numbers, p.number)
		}
	}
}

// least is the first place that a query asks for, where the places are times that descend.
func (s *search) least() uint64 {
	if s.query.Turn == "" {
		return 0
	}
	return orderOf(s.query.Since)
}

// entries are the places of all seeds by age.
func (s *search) entries() func() (place, bool) {
	var from []byte
	if s.after != nil {
		from = appendSeed(nil, s.after.number)
	}
	next := s.tables[inEntries].walk(nil, from, s.query.Descending)
	key, _ := next()
	if from != nil && bytes.Equal(key, from) {
		key, _ = next()
	}
	return func() (p place, ok bool) {
		if key == nil {
			return p, false
		}
		p.number = lastSeed(key)
		key, _ = next()
		return p, true
	}
}

// places are those of the seeds in lists whose keys begin with a prefix, after one of them; nil: from the
// first on.
func (s *search) places(which int, prefix []byte, after *place) func() (place, bool) {
	var from []byte
	var gone uint16 // the offset in the first block up to which all were told
	if after != nil {
		at, offset := blockOf(after.number)
		if gone = offset; which == inOrders {
			from = appendOrder(nil, s.query.Sort, after.order)
		} else {
			from = bytes.Clone(prefix)
		}
		from = appendBlock(from, at)
	}
	var offsets []uint16 // of the block at hand, those to come
	next := s.tables[which].walk(prefix, from, s.query.Descending)
	key, value := next()
	if key != nil {
		offsets = block(value).appendOffsets(nil)
		if bytes.Equal(key, from) {
			offsets = s.behind(offsets, gone)
		}
	}
	var all [blockSeeds]uint16
	return func() (p place, ok bool) {
		for len(offsets) == 0 {
			if key != nil {
				key, value = next()
			}
			if key == nil {
				return p, false
			}
			offsets = block(value).appendOffsets(all[:0])
		}
		if which == inOrders {
			p.order = orderIn(key)
		}
		offset := offsets[0]
		if s.query.Descending {
			offset = offsets[len(offsets)-1]
			offsets = offsets[:len(offsets)-1]
		} else {
			offsets = offsets[1:]
		}
		p.number = uint64(lastBlock(key))<<blockBits | uint64(offset)
		return p, true
	}
}

// behind are the offsets that follow one in the order of the query.
func (s *search) behind(offsets []uint16, gone uint16) []uint16 {
	at, isThere := slices.BinarySearch(offsets, gone)
	if s.query.Descending {
		return offsets[:at]
	}
	if isThere {
		at++
	}
	return offsets[at:]
}

// matching says that the query asks for a seed. Seeds that follow each other are in the same blocks:
// thousands are looked at for a page.
func (s *search) matching(number uint64) bool {
	for f, id := range s.ids {
		if f != s.walked && !s.isIn(f, id, number) {
			return false
		}
	}
	if s.files != 0 && s.isIn(State, s.files, number) {
		return false
	}
	return s.query.Relative == nil || s.isIn(relativeList, 0, number) == *s.query.Relative
}

// filesLeftOut is the number of the state of clean files, where a query leaves them out; 0 where it does not, or where
// there are none.
func (t *tables) filesLeftOut(q *Query) uint32 {
	if _, isAsked := q.Where[State]; isAsked || !q.NoFiles {
		return 0
	}
	id := t[inValues].Get(append([]byte{byte(State)}, seedlist.Cleaned...))
	if len(id) != 4 {
		return 0
	}
	return binary.BigEndian.Uint32(id)
}

// isIn says that a seed has a value.
func (s *search) isIn(f Facet, id uint32, number uint64) bool {
	at, offset := blockOf(number)
	known := &s.blocks[min(f, facetCount)]
	if !known.isRead || known.at != at {
		if s.isFar() {
			s.fetchAhead(known, f, id, at)
		}
		known.at, known.isRead = at, true
		known.block = s.tables[inRows].Get(appendBlock(appendValue(s.key[:0], f, id), at))
	}
	return known.block.has(offset)
}

// mostAhead is how many blocks are fetched together.
const mostAhead = 64

// fetchAhead fetches a block with those that follow in the order of the query, twice as many each time. In
// another order than that of age, any may follow: then it fetches those around it.
func (s *search) fetchAhead(known *knownBlock, f Facet, id, at uint32) {
	if s.query.Sort != ByAge && s.walked == facetCount {
		stretch := at / mostAhead
		if known.fetched[stretch] {
			return
		}
		if known.fetched == nil {
			known.fetched = map[uint32]bool{}
		}
		known.fetched[stretch] = true
		var keys [][]byte
		for i := range uint32(mostAhead) {
			keys = append(keys, appendBlock(appendValue(nil, f, id), stretch*mostAhead+i))
		}
		s.tables[inRows].Prefetch(keys...)
		return
	}
	isAhead := at - known.first
	if s.query.Descending {
		isAhead = known.first - at
	}
	if known.isRead && isAhead < known.ahead {
		return
	}
	known.first, known.ahead = at, min(max(2*known.ahead, 2), mostAhead)
	var keys [][]byte
	for i := range known.ahead {
		one := at + i
		if s.query.Descending {
			if i > at {
				break
			}
			one = at - i
		}
		keys = append(keys, appendBlock(appendValue(nil, f, id), one))
	}
	s.tables[inRows].Prefetch(keys...)
}

// gather looks at all seeds of a short list, and puts those that match in order.
func (s *search) gather(f Facet) {
	var found []place
	var e entry
	var numbers []uint64
	next := s.places(inRows, appendValue(nil, f, s.ids[f]), nil)
	for p, ok := next(); ok; p, ok = next() {
		s.page.Looked++
		if s.matching(p.number) {
			numbers = append(numbers, p.number)
		}
	}
	s.prefetchSeeds(numbers)
	for _, number := range numbers {
		e.decode(s.tables[inEntries].Get(appendSeed(s.key[:0], number)))
		if at := e.order[s.query.Sort]; at >= s.least() {
			found = append(found, place{at, number})
		}
	}
	direction := 1
	if s.query.Descending {
		direction = -1
	}
	byPlace := func(a, b place) int {
		return direction * cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.number, b.number))
	}
	slices.SortFunc(found, byPlace)
	if s.after != nil {
		at, isThere := slices.BinarySearchFunc(found, *s.after, byPlace)
		if isThere {
			at++
		}
		found = found[at:]
	}
	for i, p := range found {
		if i == s.query.Limit {
			s.page.Next = s.query.cursor(found[i-1])
			return
		}
		s.page.Numbers = append(s.page.Numbers, p.number)
	}
}

// Unread are the oldest of the seeds whose record the list could not read when it changed, or when the views
// were made. What they would match is not known.
func (v *Views) Unread(ctx context.Context, limit int) (numbers []uint64, err error) {
	err = v.tables.View(ctx, func(tx ordered.Tx) error {
		numbers = nil
		t := tablesOf(tx)
		s := search{tables: &t, query: &Query{}}
		next := s.places(inRows, appendValue(nil, unreadList, 0), nil)
		for p, ok := next(); ok && len(numbers) < limit; p, ok = next() {
			numbers = append(numbers, p.number)
		}
		return nil
	})
	return numbers, err
}
