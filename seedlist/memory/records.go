package memory

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"laundromat/seedlist"
)

// record is a seed. Its document is held as JSON, so that nobody shares it.
type record struct {
	number uint64
	hash   string
	data   []byte // of seedlist.Stored

	state     seedlist.State
	last      seedlist.State // the last final state; "" before the first
	stage     seedlist.State // the working state that failed last; kept until another end
	fence     uint64
	tries     int
	failures  int // ends in failed in a row that were tried again by themselves
	priority  int32
	due       time.Time // without monotonic clock; the zero time for none
	relative  bool
	fragment  bool
	fetchable bool
	clean     bool
	gone      bool
	host      string // "" without one
	waits     bool   // among those of its host that can be claimed

	parent    *record
	children  []uint64 // rising
	isArchive bool     // it has had children, or was depleted
	dirty     []uint64 // of a clean seed, rising
	catalogs  []uint64 // that name it, or did, rising
	attempts  []attempt
	lease     *lease
	oldKey    string
	told      seen // what the feed has told of it
}

// attempt is an entry of the log. Numbers rise over all seeds and catalogs.
type attempt struct {
	number uint64
	data   []byte // JSON of seedlist.Attempt
}

func (s *Store) log(to *[]attempt, data []byte) {
	s.logged++
	*to = append(*to, attempt{s.logged, data})
}

// stored reads the document of a record. It was written by Encode: there is no error.
func (r *record) stored() seedlist.Stored {
	stored, err := seedlist.DecodeStored(r.data)
	if err != nil {
		panic("memory: " + err.Error())
	}
	return stored
}

// insert gives a record its number and its place.
func (s *Store) insert(r *record, now time.Time) {
	s.number++
	r.number = s.number
	s.seeds[r.number] = r
	s.order = append(s.order, r.number)
	s.hashes[r.hash] = r.number
	delete(s.orphans, r.hash)
	s.index(r, now)
}

// byHash finds a record; nil if there is none.
func (s *Store) byHash(hash string) *record { return s.seeds[s.hashes[strings.ToLower(hash)]] }

// find is byHash that knows the identifiers of 2018 too.
func (s *Store) find(hash string) *record {
	if r := s.byHash(hash); r != nil {
		return r
	}
	return s.byHash(s.oldKeys[strings.ToLower(hash)])
}

// since are the seeds after a number, in the order of their age.
func (s *Store) since(after uint64) func(func(*record) bool) {
	at, found := slices.BinarySearch(s.order, after)
	if found {
		at++
	}
	return s.among(s.order[at:])
}

// among are the seeds of those numbers that are there.
func (s *Store) among(numbers []uint64) func(func(*record) bool) {
	return func(yield func(*record) bool) {
		for _, number := range numbers {
			if r := s.seeds[number]; r != nil && !yield(r) {
				return
			}
		}
	}
}

// seed is the whole record, except for what the lease says.
func (s *Store) seed(r *record) seedlist.Seed {
	seed := s.bare(r)
	if r.isArchive {
		total := int64(len(r.children))
		seed.ChildrenTotal, seed.Children = &total, s.hashesOf(r.children, seedlist.MaxLinks)
	}
	for _, number := range r.catalogs[:min(len(r.catalogs), seedlist.MaxLinks)] {
		c := s.catalogs[number]
		l := c.listings[r.number]
		seed.Catalogs = append(seed.Catalogs, seedlist.Listing{Catalog: c.hash, Harvest: l.harvest, Gone: l.gone})
	}
	if r.clean {
		if dirty := s.hashesOf(r.dirty, seedlist.MaxLinks+1); len(dirty) > 0 {
			seed.Dirty, seed.AlsoDirty = dirty[0], dirty[1:]
		}
		total := max(0, int64(len(r.dirty))-1)
		seed.AlsoDirtyTotal = &total
	}
	return seed
}

// bare is the record without its links.
func (s *Store) bare(r *record) seedlist.Seed {
	stored := r.stored()
	seed := seedlist.Seed{Hash: stored.Hash, URI: stored.URI, Record: stored.Record, Standing: seedlist.Standing{
		Relative: r.relative, Status: r.state, Priority: int(r.priority), Due: r.due, Fence: r.fence, Tries: r.tries,
	}}
	if r.parent != nil || r.gone {
		gone := r.gone
		seed.Gone = &gone
	}
	return seed
}

// attended is the whole record with what the lease says.
func (s *Store) attended(r *record) seedlist.Seed {
	seed := s.seed(r)
	if l := r.lease; l != nil && l.claim.Fence == seed.Fence && l.claim.Stage == seed.Status {
		seed.Worker = l.claim.Worker
		if l.progress != nil {
			p := *l.progress
			seed.Progress = &p
		}
	}
	return seed
}

// hashesOf are the first hashes of records; never nil.
func (s *Store) hashesOf(numbers []uint64, most int) []string {
	hashes := []string{}
	for r := range s.among(numbers[:min(len(numbers), most)]) {
		hashes = append(hashes, r.hash)
	}
	return hashes
}

// atRest says that neither a seed nor anything below it will move by itself.
func (s *Store) atRest(r *record) bool {
	if !r.state.IsFinal() {
		return false
	}
	for child := range s.among(r.children) {
		if !s.atRest(child) {
			return false
		}
	}
	return true
}

// makeReady puts a seed in a ready state from due on. The caller indexes it.
func (r *record) makeReady(state seedlist.State, due time.Time) {
	r.state, r.due = state, wall(due)
}

// restart puts a seed in a ready state for a new round of tries.
func (r *record) restart(state seedlist.State, due time.Time) {
	r.makeReady(state, due)
	r.tries = 0
}

// claimable says that a claim of the stage after its state may take a seed.
func (r *record) claimable(now time.Time) bool {
	return r.state.IsReady() && !r.relative && !r.fragment && !r.due.After(now)
}

// byTurn orders the seeds of one host, or of one state: by priority, due time and age.
func byTurn(a, b *record) int {
	return cmp.Or(cmp.Compare(b.priority, a.priority), a.due.Compare(b.due), cmp.Compare(a.number, b.number))
}

func clampPriority(n int) int32 { return int32(max(math.MinInt32, min(math.MaxInt32, n))) }

// wall is a time as a record has it.
func wall(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.Round(0).UTC()
}

// insertNumber puts a number in its place in a rising list, once.
func insertNumber(numbers []uint64, n uint64) []uint64 {
	at, found := slices.BinarySearch(numbers, n)
	if found {
		return numbers
	}
	return slices.Insert(numbers, at, n)
}

// deleteNumber takes a number out of a rising list.
func deleteNumber(numbers []uint64, n uint64) []uint64 {
	if at, found := slices.BinarySearch(numbers, n); found {
		return slices.Delete(numbers, at, at+1)
	}
	return numbers
}
