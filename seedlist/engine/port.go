// Package engine has every move of a seed list, once: what a claim takes, what a completion leads to, what is done
// again, what goes with what is removed. [Moves] makes them over a [Store], which keeps rows and knows no rule.
//
// A move runs in a [Session], which is one transaction. The session reads seeds with a lock, changes them in
// memory, and has written what changed: at the end, or before it asks the store for something that the change has a
// part in (a queue, turns, links, what is below a seed).
package engine

import (
	"context"
	"time"

	"laundromat/seedlist"
)

// Store is what keeps the rows of a list.
type Store interface {
	// View looks at the rows. Nothing is written. In one transaction all is seen as it is at one moment. Without one,
	// each question may be of its own moment, and the look may be taken again.
	View(ctx context.Context, inOne bool, look func(Tx) error) error
	// Do runs an operation in a transaction, perhaps with others, and returns its error: see [Moves.Begin]. What it
	// wrote is durable then. Where another transaction stood in its way, it runs again.
	Do(ctx context.Context, o *Op) error
	// Now is the machine's clock, or that of the server.
	Now() time.Time
	// Holder is this process among those that share the rows; "" for one alone.
	Holder() string
	// HostKey is what the store calls a host in [Hot.Host]: its name, or a key made of it.
	HostKey(name string) string
}

// Op is a caller's part of a transaction.
type Op struct {
	// Run makes the moves. It refuses before it changes anything. It may run twice, each time in another session.
	Run func(*Session) error
	// Wants is read for all operations of a batch at once.
	Wants Wants
	// Shared says that it is small, and better written together with others.
	Shared bool
	// Volatile says that what it changes need not be durable when Do returns, only seen by all who ask afterwards.
	Volatile bool
	// Late says that it runs after all others of its batch: a claim.
	Late bool
	// Claims says that it may give seeds or catalogs to this process.
	Claims bool
	// Patient says that it is tried again for a while when there is trouble with the machine.
	Patient bool
	// GaveUp is called when that did not help; nil: nobody is.
	GaveUp func()
	// Changed says that Run has changed something, also where it then failed.
	Changed bool
	// Err is what Run answered. A [Store] returns it from Do.
	Err error
}

// Wants are seeds that an operation will ask for.
type Wants struct {
	Numbers []uint64
	// Hashes are those of files, too, that the operation writes down. None of them may be taken for removal then.
	Hashes []string
	// Clean is the hash of the clean file that it writes down; "" for none.
	Clean string
}

// Tx is a transaction. A call that takes several reads them at once. Where the transaction writes, it locks what it
// returns, in the order of their numbers or names. Seeds are asked for before hosts. What is returned is the
// caller's.
type Tx interface {
	// Seeds are those of some numbers and of some hashes, which are in lower case, in no order. With old, a hash
	// that no seed has may be an identifier of 2018. What is not there is left out.
	Seeds(numbers []uint64, hashes []string, old bool) ([]*Seed, error)
	// Documents fills in Hash and Data of seeds, where they were not read yet.
	Documents(seeds ...*Seed) error
	// Ready are the first of a queue that are due at a time, with documents, by priority, due time and age:
	// suspects by crashes first, what rests by due time alone. What others hold, and what rests above something
	// that moves, is skipped. Of [QueueWork] these are the seeds of processes that are gone.
	Ready(q Queue, at time.Time, most int) ([]*Seed, error)
	// Turns are the free hosts (see [Moves.Slots]) with a seed that is due, in the order of their turns, each with
	// its first seeds, with documents: no more of a host than it has slots. What others hold is skipped.
	Turns(at time.Time, most int) ([]Turn, error)
	// Blocked are the hosts with a seed that is due that are not free, in the order of their turns, and how many
	// there are.
	Blocked(at time.Time, most int) ([]*Host, int, error)
	// Next says when a queue, or all with [QueueReady], has something to take. Of [QueueDue] only First is filled in,
	// which may lie before the time.
	Next(q Queue, at time.Time, most int) (Outlook, error)
	// Hosts are those of some names or keys, as [Store.HostKey] has them; nil: all with settings of their own, by
	// name. One that is not known is returned as new. Waiting is counted up to so many, if that is above 0.
	Hosts(keys []string, count int) ([]*Host, error)
	// Links are those of seeds and catalogs, by Of and To, and with Totals how many each has.
	Links(q LinkQuery) (links []Link, totals map[uint64]int64, err error)
	// Unrest are those of some seeds that have something below them in no final state.
	Unrest(of []uint64) ([]uint64, error)
	// Scan are seeds after a number, oldest first, with documents.
	Scan(f Scan, after uint64, most int) ([]*Seed, error)
	// Catalogs are those of numbers, hashes, or all after a number, oldest first, or the one that is due first.
	Catalogs(q CatalogQuery) ([]*Catalog, error)
	// Log are entries of the log, oldest first: of each seed and each catalog of some hashes the last, no more than
	// so many; nil: the first of all after a number.
	Log(of []string, after uint64, most int) ([]Entry, error)
	// Changes are the first after a revision that are kept, with the first revision that is kept and the last of all.
	Changes(after uint64, most int) (all []seedlist.Change, first, last uint64, err error)
	// Counts are all sums, by their names.
	Counts() (map[string]int64, error)
	// Washed are the sums of a span that begin in [from, to), oldest first; all of it with zero times.
	Washed(span seedlist.Span, from, to time.Time) ([]seedlist.Washed, error)
	// Orphans are hashes without a record.
	Orphans(q OrphanQuery) ([]string, error)
	// Items are those of some keys, or the first after a key, by key.
	Items(q ItemQuery) ([]Item, error)
	// Meta is what was written of a name: how far a copy has come, the last numbers; nil for none.
	Meta(name string) ([]byte, error)
	// Numbers are so many new numbers of seeds and catalogs, rising.
	Numbers(n int) ([]uint64, error)
	// Write writes all that changed.
	Write(w *Writes) error
}

// Hot is what moves change of a seed, and what never changes of it but decides moves. It is comparable.
type Hot struct {
	State seedlist.State
	Last  seedlist.State // the last final state; "" before the first
	Stage seedlist.State // the working state that failed last; kept until another end
	Queue Queue          // by QueueOf: that in which the seed is found

	Fence    uint64
	Parent   uint64 // the archive that it is an entry of; 0 for none
	Due      int64  // nanoseconds; 0 for none
	Revision int64  // rises with every write of the document
	Tries    int
	Failures int // ends in failed in a row that were tried again by themselves
	Crashes  int // of workers that held it; above 0: a suspect
	Priority int32

	Relative  bool
	Fragment  bool
	Fetchable bool
	Clean     bool
	Gone      bool
	IsArchive bool // it has had children, or was depleted
	Asking    bool // it counts among the requests to its host
	Host      string

	Holder string // the process that holds its claim; "" for none, or for one alone
	Worker string // a store that one process has need not keep it
	Since  int64  // when it was claimed; the same
}

// Seed is a seed in a transaction.
type Seed struct {
	Number uint64
	Hash   string
	Hot           // as it is
	Saved  Hot    // as the store has it
	Data   []byte // of [seedlist.Stored], as JSON. It is replaced, never changed; nil: not read yet
	Alike  string // the SHA-256 of bytes whose wash holds for any URI; kept with Data where that is to be written
	Served bool   // it has a clean file that is served; the same
	OldKey string // the identifier of 2018 that leads to it, in hexadecimal digits; of a new one and of a scan
	Damage *seedlist.Damage

	IsNew     bool // the store does not have it
	Erased    bool // to be removed, with its place in catalogs, its entries of the log and its old key
	IsWritten bool // Data is to be written

	was     Hot  // at the begin of the transaction
	began   bool // was is known
	born    bool // it was made in this transaction
	dirty   bool
	linked  bool // what it is linked with has changed
	told    *sums
	sums    *sums // of Data
	changed bool  // Data was replaced in this transaction

	entries    []uint64 // of an archive that is to be removed, if they were looked for
	hasEntries bool
	links      *seedlist.Links // that it was held against a condition with
	listed     []Link          // the catalogs that name it, if they were looked for
	hasListed  bool
}

// Turn is a host whose turn it is, with its first seeds.
type Turn struct {
	Host  *Host
	Seeds []*Seed
}

// Outlook says when there is something to take.
type Outlook struct {
	IsReady bool
	At      int64 // when there may be next, in nanoseconds; 0: not by itself
	Later   int   // how many are due later, counted up to a bound
	First   int64 // when the first of those is due
}

// Host is what is known of a host.
type Host struct {
	Key      string // as [Store.HostKey] has it
	Settings seedlist.HostSettings
	Claims   int // requests to it now
	Rest     time.Time
	Pace     time.Duration
	Waiting  int // seeds that could be claimed, if they were counted

	// These are of a store whose hosts belong to one process at a time: see [Sharer].
	Holder string
	Lease  int64
	Crawl  time.Duration
	Wish   string
	Wished int64

	Was     seedlist.HostSettings // as the store has them
	changed bool
}

// Sharer is a [Store] whose hosts belong to one process at a time.
type Sharer interface {
	// Take notes that a host is to be asked for a claimed seed, before its claim is counted. after is called once
	// the transaction is committed.
	Take(h *Host, r *Seed, began time.Time) (after func())
	// IsCounted says that the claim of a seed is among those of its host.
	IsCounted(h *Host, r *Seed) bool
	// Left notes that a host is not asked any more for a seed, once the transaction is committed.
	Left(seed uint64)
	// EndLost ends the use of a host by a claim whose seed was removed or given to another.
	EndLost(c *seedlist.Claim)
}

// Relation is between what two numbers are of.
type Relation uint8

const (
	Children Relation = iota // of an archive: its entries. They are known by [Hot.Parent], and never written
	Dirty                    // of a clean seed: those that were washed to it
	Listed                   // of a seed: the catalogs that name it, the other side of Listings; never written
	Listings                 // of a catalog: the seeds that it names, or did
)

// Link is one link.
type Link struct {
	Relation Relation
	Of, To   uint64
	Hash     string // of To, if it was asked for
	Harvest  uint64 // of a listing: the last that found the seed there
	Gone     bool   // of a listing: a later one did not; of a child, its own
}

// LinkQuery asks for links.
type LinkQuery struct {
	Relation Relation
	Of       []uint64 // nil: of all, after AfterOf and After
	AfterOf  uint64
	After    uint64   // those to larger numbers
	Most     int      // of each of Of; of all together where that is nil
	Among    []uint64 // not nil: only those to these
	Gone     *bool    // not nil: only those that are gone, or are not
	From     uint64   // listings of this harvest and later ones
	Before   uint64   // above 0: listings of harvests before
	Hashes   bool
	Totals   bool // whatever After and Most are
}

// Scan chooses seeds.
type Scan struct {
	State    seedlist.State // "": any
	Host     string         // a key; "": any. Members of archives, which have none of their own, are returned too
	Parent   uint64         // 0: any
	Relative *bool
	Alike    string // not "": those with these bytes, see [Seed.Alike]
	OldKeys  bool   // with OldKey, as far as they have one
	// Beyond says that it goes on behind seeds that can't be reached, as where a page of a file is damaged. In their
	// place there is one with the Damage, whose number is the last of theirs.
	Beyond bool
}

// Catalog is a catalog in a transaction. Known has Listed and Gone as they are kept.
type Catalog struct {
	Number   uint64
	Hash     string
	Holder   string
	Known    seedlist.Catalog
	Refusals []byte // nil for none

	IsNew  bool
	Erased bool // to be removed with its entries of the log; its listings were
}

// CatalogQuery asks for catalogs.
type CatalogQuery struct {
	Numbers []uint64
	Hash    string // in lower case; "" for none
	IsAll   bool   // all after a number
	After   uint64
	Most    int
	Due     time.Time // not zero: the one that has been due longest at that time, and nobody holds
	Left    bool      // those that processes hold which are gone
	Moving  time.Time // not zero: one that is harvested, waits, or is due at that time
}

// Entry is one of the log.
type Entry struct {
	Number    uint64 // 0: the next; numbers rise over all seeds and catalogs
	Hash      string
	OfCatalog bool
	Data      []byte
}

// OrphanQuery asks for orphans.
type OrphanQuery struct {
	// Taken, if not nil, asks which of these are taken for removal. None of the others is until the transaction ends.
	Taken []string
	Take  bool // takes what it returns for removal, where nobody is about to write such files down
	After string
	Most  int
}

// ItemKind is a kind of what a list keeps by keys.
type ItemKind uint8

const (
	// Contexts are those of JSON-LD, as [seedlist.Context.Pack] made them.
	Contexts ItemKind = iota
	// Recipes are rows about recipes, as JSON. The key of the row of the version is [RecipesVersion]; it is there from
	// the first recipe on. Those of names and of forms begin with [RecipeNamed] and [RecipeForm].
	Recipes
)

// Item is what a list keeps by a key.
type Item struct {
	Kind ItemKind
	Key  string
	Data []byte // nil, in [Writes]: it is removed
	Text []byte // of a context
	// IsNew says that it was not there: where another made it meanwhile, the transaction begins again.
	IsNew bool
}

// ItemQuery asks for items of a kind.
type ItemQuery struct {
	Kind   ItemKind
	Keys   []string // nil: of all that begin with Prefix, those after After
	Prefix string   // of recipes
	After  string
	Most   int
	Texts  bool // with their texts
}

// The keys of [Recipes].
const (
	RecipesVersion = "version"
	RecipeNamed    = "name:"
	RecipeForm     = "form:"
)

// The names of [Tx.Meta].
const (
	MetaCopying  = "copying"
	MetaNumbers  = "numbers"  // the last number of a seed or a catalog, in decimal digits
	MetaAttempts = "attempts" // the last number of an entry of the log
)

// Writes is all that changed in a part of a transaction. Seeds come in the order in which they were changed.
type Writes struct {
	Now      time.Time
	Seeds    []*Seed
	OldKeys  map[string]uint64 // identifiers of 2018 that lead to a seed, unless they lead to another already
	Links    []Link            // written, or replaced
	Unlinks  []Link
	Hosts    []*Host
	Waits    []Waits // hosts for which seeds wait now, or wait no more, in the order in which they were met
	Served   []string
	Catalogs []*Catalog
	Log      []Entry
	Unlog    []Entry // to be removed from the log, by their numbers and hashes
	Items    []Item
	Orphans  []string // that have no record
	Swept    []string
	Meta     map[string][]byte // nil: removed

	// The rest is there when the transaction ends.
	Last    bool
	Changes []seedlist.Change // by number; the store gives them their revisions and times
	Counts  map[string]int64  // to be added
	Washed  map[seedlist.Span][]seedlist.Washed
	News    News // to all who wait, in whatever process
}

// Waits says that a host has got a seed which waits for it, or has lost one. A host that had none gets the last
// turn; one that has none any more has no turn. Of each in [Writes.Served] that has a turn, it is the last from
// then on.
type Waits struct {
	Host string
	Due  int64 // of the seed that it has got; 0 where it has lost one
}
