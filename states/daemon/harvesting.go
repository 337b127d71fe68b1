package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/semaphore"

	"laundromat/archive"
	"laundromat/internal/commands"
	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/seedlist"
	"laundromat/seedlist/catalog"
	"laundromat/states"
)

// HarvestOptions say how catalogs are read; zero values mean what is said here.
type HarvestOptions struct {
	// Catalog bounds a harvest. Its Kind and All are each catalog's own.
	Catalog catalog.Options
	// MaxBytes is the longest page of a catalog, after its filters: 1 GiB.
	MaxBytes int64
	// FollowDepth is how many catalogs may lead to one another from one that a person
	// named: what they name becomes catalogs too. 0: none does.
	FollowDepth int
	// FollowMost is how many catalogs one may lead to: 10,000.
	FollowMost int
	// Watch is given each refusal, if it is not nil.
	Watch func(catalog.Refusal)
}

// Harvester reads catalogs, and puts the documents that they name into the list.
type Harvester struct {
	seeds   seedlist.List
	fetcher *fetch.Fetcher
	log     zerolog.Logger
	opt     RunOptions
	budget  *semaphore.Weighted // nil: none
}

// NewHarvester makes a Harvester. seeds may be nil for one that only Looks. Of the options it uses
// Harvest, Limits, Temp, Retries, Products and Version.
func NewHarvester(seeds seedlist.List, fetcher *fetch.Fetcher, log zerolog.Logger, opt RunOptions) *Harvester {
	if opt.Harvest.MaxBytes <= 0 {
		opt.Harvest.MaxBytes = 1 << 30
	}
	if opt.Harvest.FollowMost <= 0 {
		opt.Harvest.FollowMost = 10_000
	}
	return &Harvester{seeds: seeds, fetcher: fetcher, log: log, opt: opt}
}

// Look reads a catalog and gives what it names to out; nothing is written down.
func (h *Harvester) Look(ctx context.Context, uri string, opt catalog.Options, out catalog.Output) (catalog.Result, error) {
	return catalog.Harvest(ctx, uri, opt, h.page, out)
}

// sooner is how soon a harvest that missed a page is done again, if the interval of
// its catalog is longer.
const sooner = 24 * time.Hour

// HarvestNow harvests a catalog of the list at once. accept believes one that names far less than before. An error
// means that the harvest was stopped, or could not begin; the document's own is that of the catalog.
func (h *Harvester) HarvestNow(ctx context.Context, hash string, accept bool) (seedlist.Catalog, error) {
	if accept {
		if err := h.seeds.HarvestNow(ctx, hash, true); err != nil {
			return seedlist.Catalog{}, err
		}
	}
	claim, ok, err := h.seeds.ClaimCatalogOf(ctx, hash, fmt.Sprintf("harvest/%d", os.Getpid()))
	if err != nil || !ok {
		return seedlist.Catalog{}, errors.Join(err, errors.New("the catalog is being harvested already"))
	}
	ended, err := h.Harvest(ctx, ctx, claim)
	if err != nil && ended.Error == nil {
		return ended, err // it was stopped, or the trouble is ours
	}
	return ended, nil
}

// asksMore says that documents which are no RDF are wanted too.
func (h *Harvester) asksMore(ctx context.Context) (bool, error) {
	if h.opt.makesMoreThanStatements() {
		return true, nil
	}
	set, err := NewRecipes(h.seeds).Current(ctx, time.Now())
	return set.AsksMore(), err
}

// reading says how a catalog is read.
func (h *Harvester) reading(ctx context.Context, c *seedlist.Catalog) (catalog.Options, error) {
	opt := h.opt.Harvest.Catalog
	asksMore, err := h.asksMore(ctx)
	opt.Before, opt.Kind, opt.All, opt.Temp = catalog.Kind(c.Sound.Kind), catalog.Kind(c.Kind), c.All || asksMore, h.opt.Temp
	if err == nil && c.Spec != "" {
		opt.Records, err = catalog.ParseRecords("spec", []byte(c.Spec), "")
	}
	return opt, err
}

// Harvest harvests a claimed catalog and ends the claim. It returns the catalog as it
// is then, and why the harvest failed, if it did; what was found before is kept.
func (h *Harvester) Harvest(stopping, working context.Context, claim seedlist.HarvestClaim) (seedlist.Catalog, error) {
	start := time.Now()
	c := claim.Catalog
	opt, err := h.reading(working, &c)
	filed := &filer{ctx: working, harvester: h, claim: claim}
	var result catalog.Result
	if claim.Crashes >= maxCrashes {
		err = fault.New("states.Harvest", fault.Bug, fault.BugProcessDied, "the process died %d times while it harvested this",
			claim.Crashes)
	} else if err == nil {
		err = states.Safely(func() (err error) {
			result, err = catalog.Harvest(working, c.URI, opt, h.page, filed)
			return errors.Join(err, filed.flush())
		})
	}
	ctx := context.WithoutCancel(working)
	verdict, pause := settle(err, claim.Try-1, stopping.Err() != nil, h.opt.retries())
	attempt := h.attempt(claim, filed, result, err, time.Since(start))
	log := h.log.With().Str("catalog", c.Hash).Str("uri", seedlist.Shown(c.URI)).Uint64("harvest", claim.Fence).Logger()
	if errors.Is(err, seedlist.ErrLost) {
		log.Warn().Msg("the catalog was removed while it was harvested")
		return c, err
	}
	if verdict == givenBack || verdict == paused {
		due := time.Time{}
		switch {
		case verdict == givenBack && pause > 0: // another worker asks its host
			due = time.Now().Add(pause)
		case verdict == paused:
			due = time.Now().Add(h.opt.retries().First)
			log.Error().Err(err).Msg("harvest given back: trouble on this machine")
		}
		return c, errors.Join(err, h.seeds.GiveBackHarvest(ctx, claim, due, attempt))
	}
	end := seedlist.HarvestEnd{
		HarvestFindings: seedlist.HarvestFindings{
			Found: string(result.Kind), Pages: result.Pages, Entries: result.Entries, Relative: result.Relative, New: filed.added,
			Refused: map[string]int64{}, Complete: result.Complete && err == nil,
		},
		Refusals: filed.refusals(),
		Attempt:  attempt,
		Empty:    err == nil && result.IsEmpty(),
	}
	for reason, n := range result.Refused {
		end.Refused[string(reason)] = n
	}
	if filed.bad > 0 {
		end.Refused[string(catalog.BadURI)] += filed.bad
	}
	if err != nil {
		end.Error = &seedlist.Error{Stage: "harvesting", Kind: fault.KindOf(err), Code: codeOf(err), Message: seedlist.ShownIn(err.Error())}
	}
	switch {
	case verdict == retried:
		end.Retry = time.Now().Add(pause)
	case err == nil && result.Refused[catalog.Unreachable] > 0:
		end.Sooner = sooner
	}
	ended, endErr := h.seeds.EndHarvest(ctx, claim, end)
	if endErr != nil {
		log.Error().Err(endErr).Msg("the harvest could not be written down")
		return c, errors.Join(err, endErr)
	}
	event := log.Info()
	if e := ended.Error; e != nil {
		event = log.Warn().Str("code", string(e.Code)).Str("error", e.Message)
	}
	if h.opt.Events != nil && (ended.Error != nil || ended.Entries == 0) {
		item := CatalogTrouble{Catalog: c.Hash, URI: seedlist.Shown(c.URI), Entries: ended.Entries}
		if e := ended.Error; e != nil {
			item.Code, item.Message = e.Code, seedlist.ShownIn(e.Message)
		}
		h.opt.Events.Happened(commands.Catalog, item)
	}
	event.Str("kind", ended.Found).Int64("pages", ended.Pages).Int64("entries", ended.Entries).Int64("new", ended.New).
		Int64("vanished", ended.Vanished).Bool("complete", ended.Complete).Interface("refused", ended.Refused).Msg("harvested")
	return ended, err
}

// attempt is the log's entry of a harvest.
func (h *Harvester) attempt(claim seedlist.HarvestClaim, filed *filer, result catalog.Result, err error,
	runtime time.Duration) seedlist.Attempt {
	name := "catalog"
	if result.Kind != catalog.Any {
		name += "/" + string(result.Kind)
	}
	a := seedlist.Attempt{
		ParserName: name, ParserVersion: h.opt.Version + ", catalogs " + catalog.Version, ParserRuntime: runtime.Seconds(),
		SourceURL: claim.Catalog.URI, AccessDatetime: claim.Since, InsertCount: filed.added,
		Result: "success", Counts: result.Counts(),
	}
	a.Counts["new"] = filed.added
	if err != nil {
		a.Result, a.Kind = string(codeOf(err)), fault.KindOf(err).String()
		a.Traceback = seedlist.ShownIn(traceback(err))
		var reply *replyError
		if errors.As(err, &reply) {
			a.SourceText = reply.text
		}
	}
	return a
}

// replyError is an error of fetching with the beginning of what came with it.
type replyError struct {
	err  error
	text string
}

func (e *replyError) Error() string { return e.err.Error() }
func (e *replyError) Unwrap() error { return e.err }

// page fetches a page of a catalog: onto the disk, out of its filters, into UTF-8.
func (h *Harvester) page(ctx context.Context, uri string) (catalog.Document, io.Closer, error) {
	file, err := os.CreateTemp(h.opt.Temp, "catalog-*")
	if err != nil {
		return catalog.Document{}, nil, err
	}
	closer := closers{closeFunc(func() error { return errors.Join(file.Close(), os.Remove(file.Name())) })}
	document, err := h.fetched(ctx, uri, file, &closer)
	if err != nil {
		closer.Close()
		return catalog.Document{}, nil, err
	}
	return document, closer, nil
}

type closeFunc func() error

func (c closeFunc) Close() error { return c() }

func (h *Harvester) fetched(ctx context.Context, uri string, file *os.File, closer *closers) (d catalog.Document, err error) {
	bounded := &boundedWriter{to: file, left: h.opt.Harvest.MaxBytes}
	got, err := h.fetcher.Get(ctx, uri, bounded)
	if h.seeds != nil {
		for _, s := range got.Shown {
			noted := h.seeds.Showed(context.WithoutCancel(ctx), s.Host, loadOf(s, h.opt.retries().Most))
			if err == nil {
				err = noted
			}
		}
	}
	switch {
	case bounded.over:
		return d, tooLongPage(h.opt.Harvest.MaxBytes)
	case err != nil:
		return d, &replyError{err, got.SourceText}
	}
	d.URI, d.ContentType = got.FinalURI, got.ContentType
	if n := len(got.Exchanges); n > 0 {
		d.Links = got.Exchanges[n-1].Headers["link"]
	}
	// What is held of the page is drawn from the one budget while it is read.
	if need := h.opt.Harvest.Catalog.MaxMemory; h.budget != nil && need > 0 {
		if err := h.budget.Acquire(ctx, need); err != nil {
			return d, err
		}
		*closer = append(*closer, closeFunc(func() error { h.budget.Release(need); return nil }))
	}
	limits := h.opt.Limits
	limits.Temp = h.opt.Temp
	short := len(got.Notices) > 0
	opened, err := archive.OpenCoded(ctx, io.NewSectionReader(file, 0, got.Bytes),
		archive.Said{Name: path.Base(d.URI), Codings: got.Codings}, limits, func(n fault.Notice) {
			short = short || n.Severity == fault.Drop
		})
	if err != nil {
		return d, err
	}
	*closer = append(*closer, opened)
	if opened.Format != "" {
		return d, fault.New("states.Harvest", fault.Data, fault.CatalogUnknown, "no catalog, but an archive (%s): add it as a seed",
			opened.Format)
	}
	document := states.Document{Name: d.URI, Open: opened.Reader, Size: -1, ContentType: d.ContentType}
	text, reader, err := states.ProvedText(ctx, document)
	if err != nil {
		return d, err
	}
	*closer = append(*closer, reader)
	d.Text = &boundedReader{from: text, left: h.opt.Harvest.MaxBytes, short: &short}
	return d, nil
}

func tooLongPage(most int64) error {
	return fault.New("states.Harvest", fault.Limit, fault.LimitBytes, "a page of the catalog is longer than %d bytes", most)
}

// boundedWriter refuses what is past its limit.
type boundedWriter struct {
	to   io.Writer
	left int64
	over bool
}

func (w *boundedWriter) Write(p []byte) (int, error) {
	if int64(len(p)) > w.left {
		w.over = true
		return 0, errors.New("longer than it may be")
	}
	w.left -= int64(len(p))
	return w.to.Write(p)
}

// boundedReader ends a text past its limit with an error, and so one whose end did not come: what
// was there is not known.
type boundedReader struct {
	from  io.Reader
	left  int64
	short *bool
}

func (r *boundedReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, fault.New("states.Harvest", fault.Limit, fault.LimitBytes, "a page of the catalog, unpacked, is longer than it may be")
	}
	n, err := r.from.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	if err == io.EOF && *r.short {
		err = fault.New("states.Harvest", fault.Remote, fault.HTTPShortBody, "the page broke off before its end")
	}
	return n, err
}

// filer puts the entries of a harvest into the list, in batches.
type filer struct {
	ctx       context.Context
	harvester *Harvester
	claim     seedlist.HarvestClaim
	batch     []seedlist.NewSeed
	added     int64
	bad       int64
	followed  map[string]bool // keys of other catalogs that it led to
	samples   []catalog.Refusal
	shown     map[catalog.Reason]int
}

// filedBatch is the number of entries that are added at once.
const filedBatch = 500

// Entry takes a document.
func (f *filer) Entry(e catalog.Entry) error {
	c := &f.claim.Catalog
	seed := seedlist.NewSeed{
		URI: e.URI, Title: e.Title, Priority: c.Priority, Source: "catalog:" + c.URI, Claims: e.Claims, KeepVersions: c.KeepVersions,
		Recipe: c.Recipe,
	}
	seed.Claims[seedlist.ClaimedBy] = c.Hash
	if c.SeedInterval != nil {
		if seed.Interval = time.Duration(*c.SeedInterval) * time.Second; seed.Interval <= 0 {
			seed.Interval = -1
		}
	}
	if f.batch = append(f.batch, seed); len(f.batch) < filedBatch {
		return nil
	}
	return f.flush()
}

func (f *filer) flush() error {
	if len(f.batch) == 0 {
		return nil
	}
	batch := f.batch
	f.batch = nil
	answers, err := f.harvester.seeds.AddListed(context.WithoutCancel(f.ctx), f.claim, batch)
	for i, answer := range answers {
		if answer.New {
			f.added++
		}
		if answer.Err != nil {
			f.bad++
			f.Refused(catalog.Refusal{URI: seedlist.Shown(batch[i].URI), Reason: catalog.BadURI, Message: answer.Err.Error()})
		}
	}
	return err
}

// Catalog takes another catalog that this one names, where catalogs are followed.
func (f *filer) Catalog(uri string) (taken bool, err error) {
	c, opt := &f.claim.Catalog, &f.harvester.opt.Harvest
	u, err := seedlist.ParseURI(uri)
	if c.Depth >= opt.FollowDepth || err != nil || u.Relative || u.IsFile() || slices.Contains(opt.Catalog.Own, u.Host) {
		return false, nil
	}
	key := u.Hash()
	switch {
	case f.followed[key]:
		return true, nil
	case len(f.followed) >= opt.FollowMost:
		return false, nil
	}
	if _, err := f.harvester.seeds.FollowCatalog(context.WithoutCancel(f.ctx), c, uri); err != nil {
		return false, err
	}
	if f.followed == nil {
		f.followed = map[string]bool{}
	}
	f.followed[key] = true
	return true, nil
}

// shownOf is how many refusals of each reason are kept with the catalog.
const shownOf = 20

// Refused keeps the first refusals of each reason.
func (f *filer) Refused(r catalog.Refusal) {
	r.URI, r.Message = seedlist.ShownIn(r.URI), seedlist.ShownIn(r.Message)
	if watch := f.harvester.opt.Harvest.Watch; watch != nil {
		watch(r)
	}
	if f.shown == nil {
		f.shown = map[catalog.Reason]int{}
	}
	if f.shown[r.Reason]++; f.shown[r.Reason] <= shownOf {
		f.samples = append(f.samples, r)
	}
}

// refusals is JSON of the samples, within what a store keeps of them.
func (f *filer) refusals() []byte {
	samples := f.samples
	for len(samples) > 0 {
		if data, err := json.Marshal(samples); err == nil && len(data) <= 60<<10 {
			return data
		}
		samples = samples[:len(samples)*3/4]
	}
	return nil
}

// harvests is how many catalogs are harvested at once.
const harvests = 4

// harvesting claims catalogs that are due, and harvests them.
func (r *Runner) harvesting(stopping, working context.Context) {
	var workers sync.WaitGroup
	defer workers.Wait()
	free := make(chan struct{}, harvests)
	for range harvests {
		free <- struct{}{}
	}
	for {
		select {
		case <-stopping.Done():
			return
		case <-free:
		}
		if err := r.seeds.WaitCatalog(stopping); err != nil {
			if stopping.Err() != nil || errors.Is(err, seedlist.ErrClosed) {
				return
			}
			free <- struct{}{}
			r.log.Error().Err(err).Msg("could not wait for a catalog")
			r.pauseFor(stopping, r.opt.ProbeEvery)
			continue
		}
		r.busy.Add(1) // before the claim: what is claimed is never idle
		claim, ok, err := r.seeds.ClaimCatalog(stopping, r.worker)
		if err != nil || !ok {
			r.busy.Add(-1)
			free <- struct{}{}
			if err != nil && stopping.Err() == nil {
				r.log.Error().Err(err).Msg("could not claim a catalog")
				r.pauseFor(stopping, r.opt.ProbeEvery)
			}
			continue
		}
		workers.Go(func() {
			defer func() { free <- struct{}{} }()
			defer r.busy.Add(-1)
			r.harvester().Harvest(stopping, working, claim)
		})
	}
}

func (r *Runner) pauseFor(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// harvester is the Harvester of the daemon: it draws from the one budget.
func (r *Runner) harvester() *Harvester {
	opt := r.opt
	harvest := &opt.Harvest
	if follow := opt.Follow; follow.Catalogs {
		harvest.FollowDepth, harvest.FollowMost = max(1, follow.Depth), follow.Most
	}
	if most := opt.Memory / 4; harvest.Catalog.MaxMemory <= 0 || harvest.Catalog.MaxMemory > most {
		harvest.Catalog.MaxMemory = most
	}
	h := NewHarvester(r.seeds, r.fetcher, r.log, opt)
	h.budget = r.budget
	return h
}
