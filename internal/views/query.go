package views

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"

	"go.etcd.io/bbolt"

	"laundromat/seedlist"
)

// MostLooked is how many rows are looked at for a page.
const MostLooked = 10_000

// Query says which seeds to list, and in which order. What is left out filters nothing.
type Query struct {
	Where      map[Facet]string // all of them hold
	Relative   *bool
	Sort       Sort
	Descending bool   // the last first; of the same place those that were added last
	Cursor     string // what the page before gave; "" begins
	Limit      int    // of seeds; 0: 100
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
	after *place
	// walked is the facet whose list is walked: its seeds need not be asked for it. It is
	// facetCount where another list is.
	walked Facet
	key    [numberSize]byte // of an entry
	page   Page
	last   place // the last that was looked at
}

// List returns a page of a list. Views that are being made list what they hold.
func (v *Views) List(q Query) (Page, error) {
	after, err := q.after()
	if err != nil {
		return Page{}, err
	}
	if q.Limit <= 0 {
		q.Limit = 100
	}
	s := search{query: &q, ids: map[Facet]uint32{}, after: after}
	s.page.AsOf = v.AsOf()
	err = v.db.View(func(tx *bbolt.Tx) error {
		t := openTables(tx)
		s.tables = &t
		s.run()
		return nil
	})
	return s.page, err
}

func (s *search) run() {
	shortest, fewest := facetCount, int64(0)
	for f, value := range s.query.Where {
		id := s.tables[inValues].Get(append([]byte{byte(f)}, value...))
		if len(id) != 4 {
			return // no seed has it
		}
		s.ids[f] = binary.BigEndian.Uint32(id)
		n := readCount(s.tables[inCounts].Get(valueKey(f, s.ids[f])))
		if shortest == facetCount || n < fewest {
			shortest, fewest = f, n
		}
	}
	s.walked = shortest
	switch {
	case s.query.Sort == ByAge && shortest == facetCount:
		s.walk(inEntries, nil, func(p place) []byte { return appendSeed(nil, p.number) })
	case s.query.Sort == ByAge:
		prefix := valueKey(shortest, s.ids[shortest])
		s.walk(inRows, prefix, func(p place) []byte { return appendSeed(slices.Clone(prefix), p.number) })
	case shortest != facetCount && fewest <= MostLooked:
		s.gather(shortest)
	default:
		s.walked = facetCount
		s.walk(inOrders, []byte{byte(s.query.Sort)}, func(p place) []byte { return orderKey(s.query.Sort, p.order, p.number) })
	}
}

// walk looks at the keys that begin with prefix, in the order of the query, after the cursor. Each ends
// in the number of a seed; key is the place of one.
func (s *search) walk(which int, prefix []byte, key func(place) []byte) {
	c := s.tables[which].Cursor()
	var at []byte
	next := c.Next
	if s.query.Descending {
		next = c.Prev
	}
	switch {
	case s.after != nil && s.query.Descending:
		at = lastBelow(c, key(*s.after))
	case s.after != nil:
		from := key(*s.after)
		if at, _ = c.Seek(from); bytes.Equal(at, from) {
			at, _ = c.Next()
		}
	case s.query.Descending:
		at = lastBelow(c, prefixEnd(prefix))
	default:
		at, _ = c.Seek(prefix)
	}
	for ; at != nil && bytes.HasPrefix(at, prefix); at, _ = next() {
		if len(s.page.Numbers) == s.query.Limit || s.page.Looked == MostLooked {
			s.page.Next = s.query.cursor(s.last)
			return
		}
		s.page.Looked++
		s.last = place{number: lastSeed(at)}
		if which == inOrders {
			s.last.order = orderIn(at)
		}
		if s.matching(s.last.number) {
			s.page.Numbers = append(s.page.Numbers, s.last.number)
		}
	}
}

// lastBelow is the last key before one; nil if there is none. Without a key, it is the last of all.
func lastBelow(c *bbolt.Cursor, key []byte) []byte {
	if key == nil {
		at, _ := c.Last()
		return at
	}
	if at, _ := c.Seek(key); at == nil {
		last, _ := c.Last()
		return last
	}
	at, _ := c.Prev()
	return at
}

// prefixEnd is the first key after all that begin with prefix; nil if that is no key.
func prefixEnd(prefix []byte) []byte {
	end := slices.Clone(prefix)
	for len(end) > 0 {
		if end[len(end)-1]++; end[len(end)-1] != 0 {
			return end
		}
		end = end[:len(end)-1]
	}
	return nil
}

// orderIn is the number in the key of an order.
func orderIn(key []byte) (n uint64) {
	for _, b := range key[2 : len(key)-numberSize] {
		n = n<<8 | uint64(b)
	}
	return n
}

// matching says that the query asks for a seed. It takes nothing of the entry but what it compares:
// thousands are looked at for a page.
func (s *search) matching(number uint64) bool {
	if len(s.ids) == 0 && s.query.Relative == nil {
		return true
	}
	e := packedEntry(s.tables[inEntries].Get(appendSeed(s.key[:0], number)))
	for f, id := range s.ids {
		if f != s.walked && !e.has(f, id) {
			return false
		}
	}
	return s.query.Relative == nil || e.isRelative() == *s.query.Relative
}

// gather looks at all seeds of a short list, and puts those that match in order.
func (s *search) gather(f Facet) {
	var found []place
	prefix := valueKey(f, s.ids[f])
	c := s.tables[inRows].Cursor()
	for at, _ := c.Seek(prefix); bytes.HasPrefix(at, prefix); at, _ = c.Next() {
		s.page.Looked++
		if number := lastSeed(at); s.matching(number) {
			e := decodeEntry(s.tables[inEntries].Get(appendSeed(nil, number)))
			found = append(found, place{e.order[s.query.Sort], number})
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
