package daemon

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"

	"github.com/klauspost/compress/gzip"

	"laundromat/archive"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/report"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
	"laundromat/states"
)

// What opening a file draws from the budget, in bytes: the windows and tables of its
// decoders.
const (
	needOpen   = 16 << 20
	leastOpen  = 1 << 20
	openSpread = 64 // a small file draws so many times its bytes, in addition to the least
)

// sizeOf is the length of a seed's file as it came, in bytes.
func sizeOf(seed seedlist.Seed) int64 {
	if seed.Content == nil {
		return needOpen
	}
	return seed.Content.NumberOfBytes
}

// unarchiving opens the dirty file of a seed. An archive is depleted, and its entries become seeds.
// Anything else is a document, whose filters are recorded.
func (r *Runner) unarchiving(ctx context.Context, claim seedlist.Claim) (outcome, error) {
	need := min(needOpen, leastOpen+openSpread*sizeOf(claim.Seed), r.opt.Memory)
	if err := r.draw(ctx, claim, need); err != nil {
		return nil, err
	}
	defer r.budget.Release(need)
	source, err := r.openDirty(ctx, claim.Seed)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	d := &depletion{runner: r, claim: claim, collector: report.NewCollector(claim.Seed.Hash, report.SamplesListed)}
	d.list = report.NewList(r.opt.Temp, r.opt.NoticesMax)
	defer d.list.Close()
	d.collector.Keep(d.list)
	for _, n := range transportNotices(claim.Seed.Record) {
		d.collector.Notice(n)
	}
	before := d.collector.Count()
	limits, outermost := r.limitsOf(ctx, claim.Seed)
	d.opened, err = archive.OpenCoded(ctx, source, archive.Said{Name: fileName(claim.Seed), Codings: codingsOf(&claim.Seed)}, limits,
		d.collector.Notice)
	if err != nil {
		return nil, err
	}
	defer d.opened.Close()
	if d.opened.Format == "" {
		return d.unpacked(ctx, before), nil
	}
	if claim.Foreseen() {
		return nil, errOwnClaim
	}
	return d.run(ctx, outermost)
}

// depletion is the work on a file that may be an archive.
type depletion struct {
	runner    *Runner
	claim     seedlist.Claim
	collector *report.Collector
	list      *report.List // of what the collector is given
	opened    *archive.Opened
	entries   *entryFiler
}

// unpacked is the outcome of what is no archive. Its bytes without their filters may be kept for the
// stages after, unless something is found in these; before were found about the transport.
func (d *depletion) unpacked(ctx context.Context, before int64) outcome {
	seed, opened := d.claim.Seed, d.opened
	if b := d.runner.fresh.of(&seed); b != nil && !(b.unpack(ctx, opened, fileName(seed)) && d.collector.Count() == before) {
		b.leaf = nil
	}
	filters := opened.Filters
	return &unarchiveOutcome{work: work{next: seedlist.Unarchived, update: func(record *seedlist.Record) {
		setLayers(record, "", filters)
	}}}
}

// run files the entries. outermost is the file that the archive lies in, or itself.
func (d *depletion) run(ctx context.Context, outermost seedlist.Seed) (_ outcome, err error) {
	r := d.runner
	claimed, err := r.claimedOfBytes(ctx, d.claim.Seed)
	if err != nil {
		return nil, err
	}
	for _, n := range claimed {
		d.collector.Notice(n)
	}
	d.entries = r.newEntryFiler(ctx, d.claim, d.opened.Format)
	ended := false
	defer func() {
		if err != nil || !ended { // also after a panic
			d.entries.end()
		}
	}()
	defer d.count(ctx, outermost)()
	err = d.file(ctx)
	done := d.outcome(err == nil && d.entries.spilled == nil)
	ended = true
	if len(d.collector.Document().Notices) == 0 {
		done.files.discard = append(done.files.discard, r.old(&d.claim.Seed, files.Notices))
		return done, err
	}
	listed, listErr := r.sealNotices(&d.claim, d.list)
	if listErr != nil {
		return nil, listErr // this machine's trouble, whatever the archive's is
	}
	done.files.notices = listed
	return done, err
}

// count lets the entries of an archive within an archive count on the account of the outermost
// file. What it returns notes how many they were.
func (d *depletion) count(ctx context.Context, outermost seedlist.Seed) func() {
	r, hash := d.runner, d.claim.Seed.Hash
	if d.claim.Seed.Parent == "" {
		r.accounts.forget(hash)
		return func() {}
	}
	if counted, err := r.seeds.Seed(ctx, outermost.Hash); err == nil {
		outermost = counted // with the number of its entries
	}
	account := r.accounts.open(&outermost, hash)
	d.opened.CountOn(&account.met)
	return func() { r.accounts.read(account, hash, d.opened.Met()) }
}

// file unpacks the entries, and files those that do not wait for the end of the archive.
func (d *depletion) file(ctx context.Context) error {
	err := states.Safely(func() error { return d.opened.Entries(ctx, d.entries.file) })
	switch kind := fault.KindOf(err); {
	case err == nil && d.entries.spilled != nil:
		return d.entries.fileAll(d.layers)
	case errors.Is(err, archive.ErrNothing):
		// Its entries are empty for this loss alone: those of before stay as they are.
	case err != nil && (kind == fault.Limit || kind == fault.Bug):
		// What came before it is sound: the seed fails, its entries are seeds all the same.
		d.entries.drop()
		if again := d.entries.fileAll(d.layers); again != nil {
			return again
		}
	}
	return err
}

// layers puts into a record what the archive is, and how much was in it.
func (d *depletion) layers(record *seedlist.Record) {
	setLayers(record, d.opened.Format, d.opened.Filters)
	record.Archive.Unpacked = d.entries.bytes
}

// outcome is what the work came to. isHeld says that the entries become seeds with the archive's
// own record.
func (d *depletion) outcome(isHeld bool) *unarchiveOutcome {
	r, entries := d.runner, d.entries
	counts := d.collector.Document().Notices
	done := &unarchiveOutcome{filed: entries.filed, entries: entries}
	done.next = seedlist.Depleted
	done.log.InsertCount, done.log.Counts = entries.n, map[string]int64{"entries": entries.n}
	done.update = func(record *seedlist.Record) {
		d.layers(record)
		record.Notices = counts
		record.Washer = r.opt.Version
		record.WashedWith = r.opt.Clean.Asked()
	}
	if isHeld {
		done.children = entries.held.children
		done.files.made, done.files.discard = entries.held.pending, entries.held.old
	}
	return done
}

// setLayers records what was peeled off. A child's format says what it was found in and stays; the
// outermost file has none before it, so its own is recorded.
func setLayers(record *seedlist.Record, format string, filters []string) {
	layers := seedlist.Archive{}
	if record.Archive != nil {
		layers = *record.Archive
	}
	if record.Parent == "" {
		layers.Format = format
	}
	layers.Filters = slices.Clone(filters)
	if layers.Format == "" && len(filters) == 0 && record.Parent == "" {
		record.Archive = nil
		return
	}
	record.Archive = &layers
}

// limitsOf are the limits for opening a seed: those of the daemon, less the depth of the
// archives it lies in. The parameter outermost is the file that all of these lie in.
func (r *Runner) limitsOf(ctx context.Context, seed seedlist.Seed) (limits archive.Limits, outermost seedlist.Seed) {
	limits = r.opt.Limits
	chain := []seedlist.Seed{seed}
	for seed.Parent != "" {
		parent, err := r.seeds.Record(ctx, seed.Parent)
		if err != nil {
			break
		}
		chain = append(chain, parent)
		seed = parent
	}
	for i := len(chain) - 1; i > 0; i-- { // from the outermost to the parent
		parent, child := &chain[i], &chain[i-1]
		share := limits.Share
		if parent.Archive != nil && parent.Archive.Unpacked > 0 {
			share = limits.ShareOf(sizeOf(*parent), sizeOf(*child), parent.Archive.Unpacked)
		}
		limits = limits.Below(1 + len(filtersOf(parent.Record)))
		limits.Share = share
	}
	return limits, seed
}

func filtersOf(record seedlist.Record) []string {
	if record.Archive == nil {
		return nil
	}
	return record.Archive.Filters
}

// dirtySource is the dirty file of a seed, which must be closed.
type dirtySource interface {
	archive.Source
	io.Closer
}

// openDirty opens the bytes of a seed as they came.
func (r *Runner) openDirty(ctx context.Context, seed seedlist.Seed) (dirtySource, error) {
	if source := r.fresh.open(&seed); source != nil {
		return source, nil
	}
	return OpenDirty(ctx, r.files, seed, r.opt.Temp)
}

// OpenDirty opens the bytes of a seed as they came, in a form that can be sought. An entry that is
// kept compressed is unpacked for that, in temp if it is long.
func OpenDirty(ctx context.Context, blobs files.Blobs, seed seedlist.Seed, temp string) (dirtySource, error) {
	if removal := seed.Removed.Dirty; removal != nil {
		return nil, fault.New("states.OpenDirty", fault.Data, fault.LocalFile, "the bytes of the seed are not stored: they were %s; "+
			"\"laundromat seed retry --force\" fetches them again", removal)
	}
	form := seedfile.DirtyForm(&seed)
	file, err := blobs.Open(seedfile.Key(&seed, form), form)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New("states.OpenDirty", fault.Data, fault.LocalFile, "the bytes of the seed are not there; \"laundromat verify "+
			"--repair\" has them fetched again: %w", err)
	}
	if err != nil {
		return nil, err
	}
	if form == files.Dirty {
		return file, nil
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(files.Sequential(file))
	if err != nil {
		return nil, fault.New("states.OpenDirty", fault.Data, fault.LocalFile, "the stored bytes of the seed are damaged: %w", err)
	}
	return archive.Spool(ctx, unzipped, temp, states.SpoolMemory)
}

func otherForm(suffix files.Suffix) files.Suffix {
	if suffix == files.Dirty {
		return files.DirtyGzip
	}
	return files.Dirty
}

// sealNotices writes a list of notices as a file of the seed.
func (r *Runner) sealNotices(claim *seedlist.Claim, list *report.List) (files.Pending, error) {
	pending, err := r.files.Create()
	if err != nil {
		return nil, err
	}
	if _, err := list.WriteTo(pending); err == nil {
		err = pending.Seal(r.newKey(claim), files.Notices)
		if err == nil {
			return pending, nil
		}
	}
	pending.Abort()
	return nil, err
}
