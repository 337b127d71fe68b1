// Package seedlist is the list of seeds: what there is to wash, in which state each
// seed is, and what is known about it. It knows when; what is done in each state is
// the business of others.
//
// A seed is a URI, an entry of an archive, or a clean file. Its life is a table
// of states (see [Stages]); it moves only as that allows. A worker claims seeds
// of a ready state, works, and completes each claim:
//
//	err := list.Wait(ctx, seedlist.Downloading)
//	claims, err := list.Claim(ctx, seedlist.Downloading, "worker-1", 10)
//	…
//	err = list.Complete(ctx, claims[0], seedlist.Outcome{Next: seedlist.Filed})
//
// The package holds the records, the table, the key of a URI, and what is decided
// without looking anything up. What keeps the records is a [List]: the package bolt
// has one in a file, the package memory one for tests. The package storetest holds
// the laws that every one of them obeys.
package seedlist

import (
	"context"
	"time"

	"laundromat/internal/digest"
)

// List is a seed list: it keeps the records and makes the moves. Whoever needs less
// asks for one of the parts.
//
// These duties hold for all methods of an implementation:
//
//   - What a method writes is written in one transaction: all of it or nothing. Where
//     the comment says so, a long call may be several, each of them whole.
//   - It is durable, as far as the implementation ever is, when the method returns nil.
//     Whoever reads afterwards sees it.
//   - A seed moves only as [Cause.Allows]. A mistake of the caller (no such stage, no
//     such move) is an error that names it, and nothing is written.
//   - Counts, children, listings, orphans and the feed of changes change in the transaction
//     that changes what they are derived from.
//   - All methods may be called at once from many goroutines. Nothing that a caller
//     gives or gets is shared with the list afterwards.
//   - A method returns the error of ctx when that ends before its transaction began,
//     and has then written nothing. After Close it returns [ErrClosed]; one that writes
//     returns [ErrReadOnly] if the list was opened to be read.
//   - Times in records are UTC. A record that would take more than [MaxValue] bytes is
//     shortened as [Stored.Encode] does.
//   - Functions that change a record or settings ([Outcome.Update], those of FileChildren and
//     SetHost) are called on the goroutine of the caller, before the transaction. That writes what
//     they made only if what they were given is still there; else they are called again. They
//     hold nobody up, and must not call the list.
//   - An error that is none of those of this package is trouble of the machine, a
//     [laundromat/internal/fault.Error] of the kind Local. It is never the seed's fault.
type List interface {
	Claimer
	Completer
	Reader
	Feed
	Editor
	Harvests
	Catalogs
	Hosts
	HostLeases
	Sweeper
	Retainer
	Holding
	Keeper
	Contexts
	Recipes
}

// Claimer gives out the work and takes back what was not done.
//
// A claim raises the fence of its seed, and nothing lowers it, also no give-back. Work
// with a claim whose fence is not the seed's is refused with [ErrLost]. So a worker that
// was given up can do no harm. A claim is held by a lease, a sign of life that the list
// watches with a clock that nobody sets.
type Claimer interface {
	// Wait returns nil when a claim of stage would find a seed. That is at once, when one
	// becomes ready, when one comes due, or when a host has rested. Another worker may be
	// faster. It must not poll.
	Wait(ctx context.Context, stage State) error
	// Claim takes up to limit ready seeds into the working state stage, in one
	// transaction; none if none is ready now. It must give no seed twice.
	//
	// For [Downloading] it takes turns by host: rounds over the free hosts, the one that
	// has waited longest first, one seed a host a round. Of one host, and in all other
	// stages, the seed of the largest priority comes first, then the earliest due time,
	// then age. Seeds that are relative, or name a thing in a document, are never claimed.
	//
	// In stages other than [Downloading] it takes no suspect: see [Claimer.ClaimSuspect].
	Claim(ctx context.Context, stage State, worker string, limit int) ([]Claim, error)
	// WaitSuspect is Wait for ClaimSuspect.
	WaitSuspect(ctx context.Context) error
	// ClaimSuspect takes one ready suspect into the working state of its stage: a seed
	// that was at work when the process died. Who holds it must wash nothing else until
	// its claim has ended, so that a second death speaks against it alone. The suspect
	// that died alone the fewest times comes first, then the one that waits longest.
	// found is false where none is ready now.
	ClaimSuspect(ctx context.Context, worker string) (c Claim, found bool, err error)
	// GiveBack puts a claimed seed back into the ready state that it came from. Its tries
	// rise by one if the Return says so, else it costs nothing. [ErrLost] means that it
	// was no longer held and that nothing was written.
	GiveBack(ctx context.Context, c Claim, r Return) error
	// Foresee is the function [Foresee] with the options of the list. It writes nothing.
	Foresee(c Claim, outcome Outcome) (Claim, error)
	// Rest lets the host of a claimed seed be asked by others: the download has ended.
	// What a later outcome says of the host's load is then not counted again. A claim that
	// is lost is skipped.
	Rest(ctx context.Context, c Claim, load Load) error
	// Holds says whether a claim still holds its seed. It may be over the moment after.
	Holds(ctx context.Context, c Claim) (bool, error)
	// Progress renews the lease of a claim and shows how far the work has come. It is
	// called often: it must not wait for a disk or a network. A claim that is lost is skipped.
	Progress(ctx context.Context, c Claim, p Progress) error
	// Overdue are the claims without a sign of life for longer than [Options.Lease]. Of
	// their Seed only the hash and the URI are filled in. It takes nothing away: whoever
	// calls it cancels the work, waits for its end, and gives the claim back.
	Overdue(ctx context.Context) ([]Claim, error)
}

// Completer writes down what work came to.
type Completer interface {
	// Complete writes the outcome of a claim in one transaction. That is the new state, the
	// record, the children or the clean seed, and the documents named. It also writes the
	// attempt, the counts and the end of the lease. The error [ErrLost] means that the
	// claim was no longer held and that nothing was written. The error [ErrCollision] means
	// that the hash of the clean file is taken by other bytes. Nothing was written then
	// either, and the claim is still held.
	Complete(ctx context.Context, c Claim, o Outcome) error
	// CompleteAll is Complete for the outcome of the claim's stage and those of the stages
	// that follow (see [Steps]), in one transaction. It leaves what it would leave had
	// each stage been claimed and completed by itself: the same fence, tries and attempts.
	CompleteAll(ctx context.Context, c Claim, outcomes []Outcome) error
	// FileChildren makes entries of an archive seeds before the claim on it is completed,
	// so that nobody must hold all of them. Their files must be in the store. It returns
	// what belongs into [Outcome.Filed]. They may be claimed at once, so its
	// record must hold what they need to know of the archive. The function update changes
	// that record; with nil, it is as it should be. Entries that are there already are met
	// as those of an archive that is depleted again. [ErrLost] means that nothing was
	// written.
	FileChildren(ctx context.Context, c Claim, children []Child, update func(*Record)) (FiledChildren, error)
}

// Reader reads and counts. It sees whole transactions only.
type Reader interface {
	// Seed returns the record of a hash, or of an identifier of 2018 (see [OldKey]);
	// [ErrNotFound] if there is none. It has its links, and the worker and progress of
	// its claim.
	Seed(ctx context.Context, hash string) (Seed, error)
	// Record is Seed without links, worker and progress: each entry of an archive asks for
	// that of the archive, which may have a thousand links.
	Record(ctx context.Context, hash string) (Seed, error)
	// List returns seeds, oldest first, and the cursor that the next call goes on from;
	// "" at the end. Pages may be of several transactions. No seed comes twice, and none
	// that matches all the while is left out. [ErrCursor] refuses what was made up.
	List(ctx context.Context, f Filter) (seeds []Seed, next string, err error)
	// Attempts returns the log's entries of a seed, oldest first: of more than 1,000 the
	// last. Those of a catalog of that hash are among them: a URI may be both.
	Attempts(ctx context.Context, hash string) ([]Attempt, error)
	// FillOutcomes fills in, of seeds that name things in documents, what became of these:
	// their state as Outcome, and what was fetched, read and found. It stores nothing.
	FillOutcomes(ctx context.Context, seeds ...*Seed) error
	// Alike are seeds, up to limit, that were washed, have these bytes, and are
	// [Record.Shareable].
	Alike(ctx context.Context, bytes *digest.Content, limit int) ([]Seed, error)
	// Counts are the sums over the list, as a scan at that moment would find them.
	Counts(ctx context.Context) (Counts, error)
	// Idle says that the list has come to rest. Nothing is worked on, nothing waits to be
	// claimed or tried again, no catalog is to be harvested now. Relative seeds, names in
	// documents, seeds of paused hosts, and what rests until its interval has passed, are
	// at rest.
	Idle(ctx context.Context) (bool, error)
}

// Editor does what people ask for. A call for many seeds may be several transactions; it
// answers for each seed, in order. Its second error is the list's own.
type Editor interface {
	// Add puts seeds into the list. A seed that is there, perhaps in another spelling,
	// stays as it is: that is no error. What is no URI gets a [*URIError] and costs only
	// itself. A URI with a fragment brings the seed of its document with it.
	Add(ctx context.Context, seeds []NewSeed) ([]Addition, error)
	// Set changes settings of seeds, all of them or none of a seed. The answers are nil, [ErrNotFound],
	// [ErrClean], or [ErrNoURI] for the interval of what is not fetched. What already waits moves at
	// once by its priority, and what rests is due by its interval. Children that are made later
	// inherit both. A name in a document stands for its document.
	Set(ctx context.Context, settings SeedSettings, hashes ...string) ([]error, error)
	// Retry lets seeds that rest be worked on again. With from "" they begin again: a seed
	// with a URI is added, a child that failed is put before the stage that failed. With
	// from a ready state, only seeds that failed in its stage are put there; what the
	// stages before it found is kept. A seed that waits for a later try, or for a host that
	// its own led on to, need not wait any longer, and stays in its state. A name in a document
	// stands for its document. The answers are nil, [ErrNotFound], [ErrNotAtRest], [ErrNotFailed]
	// or [ErrNoURI].
	Retry(ctx context.Context, from State, hashes ...string) ([]error, error)
	// WashAgain lets seeds that rest be worked on again, whatever is known of them, and answers
	// for each. A seed with a URI moves to the state that is asked for. A child moves with its
	// archives alone. It and those between are marked, and the outermost one moves. When that
	// is depleted again, what is marked is filed. What waits already in that state is marked,
	// too. The reading before is forgotten, but its clean file stays until the next. Each
	// answer is nil, one of those of Retry, [ErrGone], [ErrClean], [ErrNoBytes] or [ErrRemoved]. With the wish
	// [Retry] it is Retry.
	WashAgain(ctx context.Context, again Again, hashes ...string) ([]AgainAnswer, error)
	// Remove takes seeds out of the list, with their children, attempts and what only they
	// were washed to: nil, [ErrNotFound] or [ErrDerived]. Work on them goes on, to end in
	// [ErrLost]. Their hashes are orphans then: see [Sweeper].
	Remove(ctx context.Context, hashes ...string) ([]error, error)
	// RemoveIf is Remove of one seed for which a condition holds when the removal begins.
	RemoveIf(ctx context.Context, condition Condition, hash string) error
}

// Catalogs keeps the places that name seeds.
type Catalogs interface {
	// AddCatalog puts a catalog into the list, to be harvested at a time (the zero time:
	// now), or gives one that is there other settings. It answers whether it is new.
	AddCatalog(ctx context.Context, uri string, settings CatalogSettings, at time.Time) (c Catalog, added bool, err error)
	// FollowCatalog puts a catalog into the list that another one names, to be harvested
	// now, with the settings of that one but its kind. One that is there stays as it is.
	FollowCatalog(ctx context.Context, from *Catalog, uri string) (added bool, err error)
	// Catalog returns the catalog of a hash; [ErrNotFound] if there is none.
	Catalog(ctx context.Context, hash string) (Catalog, error)
	// Catalogs returns catalogs, oldest first, and the cursor that the next call goes on
	// from; "" at the end.
	Catalogs(ctx context.Context, cursor string, limit int) (all []Catalog, next string, err error)
	// ListedBy returns the seeds that a catalog names, or with gone those that it once
	// named, oldest first. It returns the cursor that the next call goes on from.
	ListedBy(ctx context.Context, hash string, gone bool, cursor string, limit int) (seeds []Seed, next string, err error)
	// Refusals is JSON of what the last harvest of a catalog refused, as [HarvestEnd] has
	// it; nil if there is none.
	Refusals(ctx context.Context, hash string) ([]byte, error)
	// HarvestNow lets a catalog be harvested as soon as may be; with accept it is believed what it
	// does not name any more. Of one that is being harvested that is believed.
	HarvestNow(ctx context.Context, hash string, accept bool) error
	// RemoveCatalog takes a catalog out of the list, with its attempts. Its seeds stay; one
	// that no other catalog names is not gone for that. A harvest at work ends in [ErrLost]. Of a large catalog it may
	// be several transactions: its seeds go first, and the catalog with the last of them.
	RemoveCatalog(ctx context.Context, hash string) error
}

// Harvests gives out catalogs to be read. Their fences are as those of [Claimer]: a
// harvest that no longer holds its catalog is refused with [ErrLost].
type Harvests interface {
	// WaitCatalog returns nil when a catalog is to be harvested. It must not poll.
	WaitCatalog(ctx context.Context) error
	// ClaimCatalog takes the catalog that has been due longest; ok is false if none is.
	ClaimCatalog(ctx context.Context, worker string) (claim HarvestClaim, ok bool, err error)
	// ClaimCatalogOf is ClaimCatalog for the catalog of a hash, due or not; ok is false if
	// it is being harvested.
	ClaimCatalogOf(ctx context.Context, hash, worker string) (claim HarvestClaim, ok bool, err error)
	// AddListed puts what a harvest found into the list, in several transactions, and
	// answers for each, in order. A seed of which this catalog, or nobody, claimed something
	// takes over what it claims now. Where that speaks of other bytes (size, checksum,
	// modified) and the seed rests, it is fetched again. What another catalog claims of a
	// seed is kept.
	AddListed(ctx context.Context, claim HarvestClaim, seeds []NewSeed) ([]Addition, error)
	// EndHarvest writes what a harvest came to, and its attempt. Seeds that a complete one did not
	// name are no longer listed, where [Catalog.Judge] says so; one that no catalog names any more is
	// gone. Of a large catalog it may be several transactions, the last of which ends the harvest.
	EndHarvest(ctx context.Context, claim HarvestClaim, end HarvestEnd) (Catalog, error)
	// GiveBackHarvest ends a harvest that was stopped by us, at no cost. It may be claimed
	// again when it is due; the zero time: at once.
	GiveBackHarvest(ctx context.Context, claim HarvestClaim, due time.Time, a Attempt) error
}

// Hosts says how hosts may be asked, and remembers what they showed. The settings are
// durable; what hosts showed need not be.
type Hosts interface {
	// SetHost changes the settings of a host; change gets those that it has. Settings that
	// say nothing are forgotten, and those out of bounds refused with [ErrHostSettings].
	// What is being downloaded goes on.
	SetHost(ctx context.Context, name string, change func(*HostSettings)) (HostUse, error)
	// Host is a host as it is now; [ErrHost] for what names none.
	Host(ctx context.Context, name string) (HostUse, error)
	// Hosts are those with settings of their own, by name.
	Hosts(ctx context.Context) ([]HostUse, error)
	// Waits are what can't be claimed now, with up to limit hosts.
	Waits(ctx context.Context, limit int) (Waits, error)
	// OldestDue is since when the seed is due that has been due longest, those of paused hosts among them; zero: none
	// is. It may look at all seeds that wait.
	OldestDue(ctx context.Context) (time.Time, error)
	// Manners are how a host may be asked now. It is asked before every request.
	Manners(ctx context.Context, name string) (Manners, error)
	// Showed notes what a host showed that was asked for something else than a claimed seed
	// of its own. Its seeds wait accordingly.
	Showed(ctx context.Context, name string, load Load) error
}

// Sweeper says which files are rubbish: those named by hashes that have no record.
type Sweeper interface {
	// Orphans returns up to limit hashes whose records were removed. One that has a record
	// again is none. Nothing may be written under such a hash between Orphans and the
	// removal of the files. Sweep before the first claim, or while no stage writes.
	Orphans(ctx context.Context, limit int) ([]string, error)
	// Disown makes orphans of those hashes that have no record: files were written for
	// them by work whose seed was removed meanwhile.
	Disown(ctx context.Context, hashes ...string) error
	// Swept takes hashes off the list of orphans, once their files are gone.
	Swept(ctx context.Context, hashes ...string) error
}

// Retainer takes off the list what is not kept. Files go after it, when the records do not name them any more.
type Retainer interface {
	// Retain takes what is not kept off the records of seeds that rest, with all that lies above and below them in
	// archives. It answers for those seeds that had such, as they were before and are now. A dry run writes nothing.
	Retain(ctx context.Context, kept Retention, isDry bool, hashes ...string) ([]Retained, error)
	// RetainAttempts removes entries of the log that are past an age: some of those after a number. The last of each
	// seed and catalog stays. It says how many, and after which number to go on; 0: it has seen all.
	RetainAttempts(ctx context.Context, age Age, isDry bool, after uint64) (removed int64, next uint64, err error)
}

// Holding holds parts of the work back, for all processes of the list, until people let them go on. Nothing is claimed
// of such a part: of all, of a stage, of the seeds of a source with the catalog that is one, or of the harvests. What
// is at work goes on.
type Holding interface {
	// Held are the parts that are held, by name.
	Held(ctx context.Context) ([]string, error)
	// Hold holds a part, or lets it go on; it says whether that is another than before.
	Hold(ctx context.Context, part string, isHeld bool) (changed bool, err error)
}

// Keeper is the list as something that is opened and closed.
type Keeper interface {
	// Close ends what is being written and refuses all else with [ErrClosed]. Claims that
	// are held are given back later: when an embedded list is opened again, when the lease
	// ends in a shared one. A second Close does nothing.
	Close() error
}
