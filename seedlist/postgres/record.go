package postgres

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
)

// hot is what claims and completions change of a seed. It is comparable.
type hot struct {
	state     seedlist.State
	last      seedlist.State // the last final state; "" before the first
	stage     seedlist.State // the working state that failed last; kept until another end
	fence     uint64
	tries     int
	failures  int // ends in failed in a row that were tried again by themselves
	crashes   int // of workers that held it
	priority  int32
	due       int64 // nanoseconds; 0 for none
	relative  bool
	fragment  bool
	fetchable bool
	clean     bool
	gone      bool
	isArchive bool // it has had children, or was depleted
	host      string
	parent    uint64

	holder   string // the process that holds its claim; "" for none
	worker   string
	since    int64
	asking   bool // it counts among the requests to its host
	revision int64
}

// record is a seed in a transaction.
type record struct {
	number uint64
	hash   string
	data   []byte // of seedlist.Stored, as JSON
	hot

	was     hot
	wasData []byte
	isNew   bool
	erased  bool
	linked  bool   // what it is linked with has changed
	saved   hot    // what the table has
	written []byte // the document that the table has
	oldKey  string
}

const hotColumns = `h.id, h.hash, h.state, h.last, h.stage, h.fence, h.tries, h.failures, h.crashes, h.priority, h.due, h.relative,
	h.fragment, h.fetchable, h.clean, h.gone, h.is_archive, h.host, h.parent, h.holder, h.worker, h.since, h.asking, h.revision, c.data`

func scanRecord(row pgx.CollectableRow) (*record, error) {
	r := new(record)
	var state, last, stage int16
	var id, fence, parent int64
	err := row.Scan(&id, &r.hash, &state, &last, &stage, &fence, &r.tries, &r.failures, &r.crashes, &r.priority, &r.due, &r.relative,
		&r.fragment, &r.fetchable, &r.clean, &r.gone, &r.isArchive, &r.host, &parent, &r.holder, &r.worker, &r.since, &r.asking,
		&r.revision, &r.data)
	r.number, r.fence, r.parent = uint64(id), uint64(fence), uint64(parent)
	r.state, r.last, r.stage = stateOf(state), stateOf(last), stateOf(stage)
	r.was, r.wasData = r.hot, r.data
	r.saved, r.written = r.hot, r.data
	return r, err
}

func stateOf(n int16) seedlist.State { return seedlist.StateOf(uint8(n)) }

func numberOf(s seedlist.State) int16 {
	if s == "" {
		return 0
	}
	return int16(s.Number())
}

// stored reads the document of a record.
func (r *record) stored() (seedlist.Stored, error) { return seedlist.DecodeStored(r.data) }

// makeReady puts a seed in a ready state from due on.
func (r *record) makeReady(state seedlist.State, due time.Time) {
	r.state, r.due = state, nanoseconds(due)
}

// restart puts a seed in a ready state for a new round of tries.
func (r *record) restart(state seedlist.State, due time.Time) {
	r.makeReady(state, due)
	r.tries = 0
}

// put replaces the document of a record.
func (r *record) put(data []byte) {
	r.data = data
	r.revision++
}

// changed says that there is something to tell about a record.
func (r *record) changed() bool {
	was, is := r.was, r.hot
	for _, h := range []*hot{&was, &is} {
		h.holder, h.worker, h.since, h.asking, h.revision, h.crashes = "", "", 0, false, 0, 0
	}
	return r.linked || was != is || !isSameDocument(r.data, r.wasData)
}

func isSameDocument(a, b []byte) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// awaits says that a seed waits for its host.
func (r *record) awaits() bool {
	return r.state == seedlist.Added && !r.relative && !r.fragment && !r.erased
}

// isTriedFromItsStage says that the seed, when it is due, goes back to the stage that failed and is not fetched
// again. A process died of it, or it is an entry.
func (r *record) isTriedFromItsStage() bool {
	return r.state == seedlist.Failed && r.stage != "" && r.stage != seedlist.Downloading && (r.crashes > 0 || !r.fetchable)
}

// bare is the record without its links.
func (r *record) bare() (seedlist.Seed, error) {
	stored, err := r.stored()
	seed := seedlist.Seed{Hash: stored.Hash, URI: stored.URI, Record: stored.Record, Standing: seedlist.Standing{
		Relative: r.relative, Status: r.state, Priority: int(r.priority), Due: timeOf(r.due), Fence: r.fence, Tries: r.tries,
	}}
	if r.parent != 0 || r.gone {
		gone := r.gone
		seed.Gone = &gone
	}
	return seed, err
}

// byTurn orders the seeds of one host, or of one state: by priority, due time and age.
func byTurn(a, b *record) int {
	return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.due, b.due), cmp.Compare(a.number, b.number))
}

func clampPriority(n int) int32 { return int32(max(math.MinInt32, min(math.MaxInt32, n))) }

// nanoseconds is a time as the tables have it.
func nanoseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// timeOf is a time as records have it.
func timeOf(nanoseconds int64) time.Time {
	if nanoseconds == 0 {
		return time.Time{}
	}
	return time.Unix(0, nanoseconds).UTC()
}

func sooner(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// signed are numbers as the driver takes them.
func signed(numbers []uint64) []int64 {
	all := make([]int64, len(numbers))
	for i, n := range numbers {
		all[i] = int64(n)
	}
	return all
}

func unsigned(numbers []int64) []uint64 {
	all := make([]uint64, len(numbers))
	for i, n := range numbers {
		all[i] = uint64(n)
	}
	return all
}

func distinct[T cmp.Ordered](all []T) []T { return slices.Compact(slices.Sorted(slices.Values(all))) }
