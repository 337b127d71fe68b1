package engine

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"laundromat/seedlist"
)

// Session is a transaction, with what it has read. A seed is changed in memory. It is written at the end, or when the
// store is asked for something that the change has a part in. Where the store fails, the session is over: see asking.
type Session struct {
	asking
	list   *Moves
	now    time.Time
	began  time.Time // now, by the clock that nobody sets
	writes bool

	seeds    map[uint64]*Seed  // nil: looked for, and not there
	hashes   map[string]uint64 // 0: there is none
	hosts    map[string]*Host
	catalogs map[uint64]*Catalog
	dirty    []*Seed           // to be written, in the order in which they were changed
	changed  []*Seed           // by the transaction, in that order
	unrest   map[uint64]bool   // of archives, whether something below them moves
	cleans   map[uint64]*dirts // of clean seeds
	taken    map[string]bool   // files that are being removed

	next     Writes // what is to be written but the seeds
	counts   map[counted]int64
	pages    recipePages
	washed   []seedlist.Washed
	spare    []uint64 // numbers that no seed has yet
	isLinked bool     // links were changed
	frees    News     // that concerns this process alone
	claims   int      // that were given out
	ended    []uint64 // seeds whose leases end once it is committed
	after    []func() // once it is committed
}

func (l *Moves) session(tx Tx, writes bool) *Session {
	s := &Session{asking: asking{tx: tx}, list: l, now: l.store.Now(), began: time.Now(), writes: writes}
	if writes {
		s.seeds, s.hashes, s.taken = map[uint64]*Seed{}, map[string]uint64{}, map[string]bool{}
		s.counts, s.pages.made = map[counted]int64{}, map[string]int64{}
	}
	return s
}

// put puts a value into a map, which is made if need be: a session that asks one question needs few of its maps, and
// each document asks several.
func put[K comparable, V any](in *map[K]V, key K, value V) {
	if *in == nil {
		*in = map[K]V{}
	}
	(*in)[key] = value
}

// Run makes the moves of an operation. What it answers is its Err, and nothing was changed then. An error that is
// returned is one with which nothing in the transaction may be written, and nothing more can be done in it.
func (s *Session) Run(o *Op) error {
	before := s.touched
	err := o.Run(s)
	o.Changed = s.touched != before
	if o.Changed || !IsAnswer(err) {
		s.fail(err)
	}
	if s.err != nil {
		o.Err, o.Changed = s.err, s.sound != before
		return s.err
	}
	o.Err = err
	return nil
}

// IsAnswer says that an error is what an operation answers, and none of the store.
func IsAnswer(err error) bool {
	switch err {
	case seedlist.ErrLost, seedlist.ErrCollision, seedlist.ErrNotFound, errRevised:
		return true
	}
	return false
}

// errRevised says that what a change was made from is no longer what is there.
var errRevised = errors.New("changed meanwhile")

// HasClaimed says that seeds or catalogs were given out.
func (s *Session) HasClaimed() bool { return s.claims > 0 }

// Now is the time of the session.
func (s *Session) Now() time.Time { return s.now }

// Gather reads at once what operations will ask for one by one.
func (s *Session) Gather(ops ...*Op) error {
	var numbers []uint64
	var hashes, hosts []string
	for _, o := range ops {
		numbers, hashes = append(numbers, o.Wants.Numbers...), append(hashes, o.Wants.Hashes...)
	}
	if len(numbers)+len(hashes) == 0 {
		return nil
	}
	s.loadBoth(numbers, hashes)
	s.findTaken(hashes)
	for _, n := range numbers {
		if r := s.seeds[n]; r != nil && r.Asking {
			hosts = append(hosts, r.Host)
		}
	}
	s.loadHosts(hosts...)
	var claimed []*Seed
	also := map[*Seed]string{} // clean seeds that they will be linked with
	for _, o := range ops {
		for _, n := range o.Wants.Numbers {
			if r := s.seeds[n]; r != nil {
				claimed = append(claimed, r)
				also[r] = o.Wants.Clean
			}
		}
	}
	s.loadDirty(claimed, also)
	unknown := 0
	for _, hash := range distinct(hashes) {
		if s.hashes[hash] == 0 {
			unknown++
		}
	}
	if unknown > 0 {
		s.spare = s.numbers(unknown)
	}
	return s.err
}

// findTaken finds which of some files are being removed. Until the end of the transaction no others are.
func (s *Session) findTaken(files []string) {
	files = slices.DeleteFunc(distinct(files), func(hash string) bool { return s.hashes[hash] != 0 })
	if len(files) == 0 {
		return
	}
	for _, hash := range s.orphans(OrphanQuery{Taken: files}) {
		s.taken[hash] = true
	}
}

// loadBoth reads the seeds of numbers and of hashes, those that were not looked for before.
func (s *Session) loadBoth(numbers []uint64, hashes []string) {
	missing := slices.DeleteFunc(distinct(numbers), func(n uint64) bool {
		_, known := s.seeds[n]
		return known || n == 0
	})
	unknown := slices.DeleteFunc(distinct(hashes), func(hash string) bool {
		_, known := s.hashes[hash]
		return known || hash == ""
	})
	if len(missing)+len(unknown) == 0 {
		return
	}
	s.keep(answer(&s.asking, func(tx Tx) ([]*Seed, error) { return tx.Seeds(missing, unknown, false) }))
	if s.err != nil {
		return
	}
	for _, n := range missing {
		if s.seeds[n] == nil {
			put(&s.seeds, n, nil) // looked for, and not there
		}
	}
	for _, hash := range unknown {
		put(&s.hashes, hash, s.hashes[hash])
	}
}

func (s *Session) load(numbers ...uint64) { s.loadBoth(numbers, nil) }

func (s *Session) loadHashes(hashes ...string) { s.loadBoth(nil, hashes) }

// keep puts seeds that were read among those of the session. Of one that is there already, that is returned in its
// place: it may have been changed. What was erased is left out.
func (s *Session) keep(found []*Seed) []*Seed {
	kept := found[:0]
	for _, r := range found {
		if known := s.seeds[r.Number]; known != nil {
			if !known.Erased && r.Hash != "" && s.hashes[r.Hash] == 0 { // it was read by its number
				known.Hash = r.Hash
				put(&s.hashes, r.Hash, r.Number)
			}
			r = known
		} else {
			put(&s.seeds, r.Number, r)
			if r.Hash != "" {
				put(&s.hashes, r.Hash, r.Number)
			}
		}
		if !r.Erased {
			kept = append(kept, r)
		}
	}
	return kept
}

// at is a seed; nil if there is none.
func (s *Session) at(number uint64) *Seed {
	s.load(number)
	if r := s.seeds[number]; r != nil && !r.Erased {
		return r
	}
	return nil
}

// among are the seeds of those numbers that are there, in that order.
func (s *Session) among(numbers []uint64) (all []*Seed) {
	s.load(numbers...)
	for _, n := range numbers {
		if r := s.seeds[n]; r != nil && !r.Erased {
			all = append(all, r)
		}
	}
	return all
}

// byHash finds a seed; nil if there is none.
func (s *Session) byHash(hash string) *Seed {
	hash = strings.ToLower(hash)
	s.loadHashes(hash)
	if n := s.hashes[hash]; n != 0 {
		return s.at(n)
	}
	return nil
}

// find is byHash that knows the identifiers of 2018 too.
func (s *Session) find(hash string) *Seed {
	if r := s.byHash(hash); r != nil {
		return r
	}
	old := []string{strings.ToLower(hash)}
	if found := s.keep(answer(&s.asking, func(tx Tx) ([]*Seed, error) { return tx.Seeds(nil, old, true) })); len(found) > 0 {
		return found[0]
	}
	return nil
}

// document reads the document of a seed. Where that is damaged, the session is over.
func (s *Session) document(r *Seed) (stored seedlist.Stored) {
	s.documents([]*Seed{r})
	if r.Damage != nil {
		s.fail(r.Damage)
	}
	if s.err != nil {
		return stored
	}
	stored, err := seedlist.DecodeStored(r.Data)
	s.fail(err)
	return stored
}

// documents reads those of several seeds at once. It notes which are damaged.
func (s *Session) documents(seeds []*Seed) {
	var missing []*Seed
	for _, r := range seeds {
		if r.Data == nil && !r.IsNew && r.Damage == nil {
			missing = append(missing, r)
		}
	}
	if len(missing) > 0 && s.err == nil {
		s.fail(s.tx.Documents(missing...))
	}
}

// touch is called before a seed is changed.
func (s *Session) touch(r *Seed) {
	s.touched++
	if !r.began {
		r.began, r.was = true, r.Hot
		s.changed = append(s.changed, r)
	}
	if !r.dirty {
		r.dirty = true
		s.dirty = append(s.dirty, r)
	}
}

// put replaces the document of a seed. What it counts for may be known already.
func (s *Session) put(r *Seed, data []byte, is *sums) {
	s.touch(r)
	s.tellBefore(r)
	r.Data, r.sums, r.IsWritten, r.changed = data, is, true, true
	r.Alike, r.Served = is.alike, is.served
	r.Revision++
}

// tellBefore notes what the document of a seed counted for when the transaction began.
func (s *Session) tellBefore(r *Seed) {
	if r.told != nil || r.born {
		return
	}
	if r.sums == nil {
		r.sums = s.sumsOf(r)
	}
	r.told = r.sums
}

// encode replaces the document of a seed.
func (s *Session) encode(r *Seed, stored *seedlist.Stored) {
	data, err := stored.Encode()
	s.fail(err)
	s.put(r, data, sumsOf(stored, r.Clean))
}

// makeReady puts a seed in a ready state from due on.
func (s *Session) makeReady(r *Seed, state seedlist.State, due int64) {
	s.touch(r)
	r.State, r.Due = state, due
	s.stirs(r)
}

// restart puts a seed in a ready state for a new round of tries. A suspect remains one.
func (s *Session) restart(r *Seed, state seedlist.State, due int64) {
	s.makeReady(r, state, due)
	r.Tries = 0
}

// insert gives seeds their numbers and their place.
func (s *Session) insert(seeds ...*Seed) {
	if len(seeds) == 0 {
		return
	}
	if missing := len(seeds) - len(s.spare); missing > 0 {
		s.spare = append(s.spare, s.numbers(missing)...)
	}
	if s.err != nil {
		return
	}
	numbers := s.spare[:len(seeds)]
	s.spare = s.spare[len(seeds):]
	for i, r := range seeds {
		r.Number = numbers[i]
		s.place(r)
	}
}

// place puts a new seed among those of the session.
func (s *Session) place(r *Seed) {
	r.IsNew, r.born, r.IsWritten = true, true, true
	s.seeds[r.Number], s.hashes[r.Hash] = r, r.Number
	s.touch(r)
	if r.sums == nil {
		r.sums = s.sumsOf(r)
	}
	r.Alike, r.Served = r.sums.alike, r.sums.served
	s.stirs(r)
}

// log adds to the log of a seed.
func (s *Session) log(hash string, data []byte) {
	s.touched++
	s.next.Log = append(s.next.Log, Entry{Hash: hash, Data: data})
}

// bare is the seed without its links.
func (s *Session) bare(r *Seed) seedlist.Seed {
	stored := s.document(r)
	return bareOf(r, &stored)
}

// bareOf is a seed without its links, of its document.
func bareOf(r *Seed, stored *seedlist.Stored) seedlist.Seed {
	return seedlist.Seed{Hash: stored.Hash, URI: stored.URI, Record: stored.Record, Standing: r.Standing()}
}

// Standing is what readers see of it.
func (h *Hot) Standing() seedlist.Standing {
	s := seedlist.Standing{
		Relative: h.Relative, Status: h.State, Priority: int(h.Priority), Due: TimeOf(h.Due), Fence: h.Fence, Tries: h.Tries,
	}
	if h.Parent != 0 || h.Gone {
		gone := h.Gone
		s.Gone = &gone
	}
	return s
}

// Nanoseconds is a time as stores have it; 0 for the zero time.
func Nanoseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// TimeOf is a time as records have it: the opposite of [Nanoseconds].
func TimeOf(nanoseconds int64) time.Time {
	if nanoseconds == 0 {
		return time.Time{}
	}
	return time.Unix(0, nanoseconds).UTC()
}

func utc(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.Round(0).UTC()
}

func distinct[T cmp.Ordered](all []T) []T { return slices.Compact(slices.Sorted(slices.Values(all))) }
