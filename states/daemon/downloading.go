package daemon

import (
	"context"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"laundromat/archive"
	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
	"laundromat/states"
)

// downloading fetches the bytes of a seed with a URI into its dirty file. What is at
// hand and did not change is not sent again.
func (r *Runner) downloading(ctx context.Context, claim seedlist.Claim) (outcome, error) {
	body := r.broken.take(claim.Seed.Hash)
	if body != nil && claim.Seed.Marked != nil && claim.Try == 1 {
		body.pending.Abort() // it was begun before the whole was asked for
		body = nil
	}
	if body == nil {
		pending, err := r.files.Create()
		if err != nil {
			return nil, err
		}
		body = newPartial(pending)
	}
	d := &download{runner: r, claim: claim, body: body, exchanges: body.exchanges}
	defer func() {
		if !d.isKept {
			body.pending.Abort() // also after a panic
		}
	}()
	err := d.fetch(ctx)
	if err != nil {
		d.keepBroken(ctx)
		return &d.done, err
	}
	return &d.done, d.file(ctx)
}

// download is the work of downloading one seed.
type download struct {
	runner *Runner
	claim  seedlist.Claim
	body   *partial
	told   *told
	isKept bool // what came has a place: its pending file is not given up

	fetched   *fetch.Result // of the last place that was asked
	exchanges []seedlist.Exchange
	of        int64  // how long what comes is to be; 0 if the server did not say
	mirror    string // that gave the document; "" for the seed's own URI
	done      downloadOutcome
}

// isServedWhole says that a wash of the whole document is served. What is left of a body that broke off each time
// doesn't take its place: statements would go that the document may still have.
func isServedWhole(seed *seedlist.Seed) bool {
	served := seed.Served()
	return seed.ServedClean() != "" && served.Notices[fault.HTTPShortBody] == 0
}

// fetch fetches the document from the seed's own URI or, where that fails for good, from a mirror.
func (d *download) fetch(ctx context.Context) (err error) {
	r, claim, seed, body := d.runner, &d.claim, &d.claim.Seed, d.body
	request := fetch.Request{
		URI: seed.URI, Part: body.part, Restart: body.restart, KeepShort: claim.Try >= r.opt.retries().Tries && !isServedWhole(seed),
		Whole: func(said int64) bool { return archive.IsWhole(body.pending, said) }, Patience: patience, Claimed: true,
		Sized: func(of int64) { d.of = of },
	}
	if r.atHand(ctx, *claim) && (claim.Last == seedlist.Failed || claimsStand(seed.Record)) {
		request.Known = validators(seed)
	}
	before := body.pending.Size()
	d.told = &told{to: body, n: before, tell: func(int64) {
		came, of := body.pending.Size(), d.of // what a body begun anew brought before is no part of it
		if of < came {
			of = 0
		}
		r.progress(ctx, *claim, seedlist.Progress{Bytes: came, Of: of, Message: "downloading"})
	}}
	had := int64(0)
	if request.Part != nil {
		had = request.Part.Bytes
	}
	d.fetched, err = r.fetcher.Do(ctx, request, d.told)
	if r.opt.Meter != nil && d.fetched.Bytes > had {
		r.opt.Meter.Fetched(d.fetched.Bytes - had)
	}
	d.exchanges = append(d.exchanges, exchangesOf(d.fetched)...)
	d.done.load = r.shown(ctx, d.fetched, seed)
	log := &d.done.log
	log.Counts = map[string]int64{}
	if err != nil && r.failsForGood(*claim, err) && len(mirrorsOf(seed)) > 0 {
		err = d.fromMirrors(ctx, request, err)
		d.fetched.Part = nil // another place to go on with than the seed's own
		log.Counts["mirrors"] = 1
	}
	log.Counts["bytes"] = d.told.n - before
	log.Counts["replies"] = int64(len(d.exchanges))
	log.SourceText, log.HTTP = d.fetched.SourceText, conditional(d.exchanges)
	d.done.update = func(record *seedlist.Record) { record.HTTP = d.exchanges }
	if n := len(d.exchanges); n > 0 && !d.exchanges[n-1].Robots {
		d.done.reply = d.exchanges[n-1].Status
	}
	return err
}

// keepBroken keeps what came of a download that broke off, if the next try can go on with it.
func (d *download) keepBroken(ctx context.Context) {
	if d.done.log.SourceText == "" {
		d.done.log.SourceText = excerpt(d.told.head)
	}
	if d.body.part = d.fetched.Part; d.body.part != nil && len(d.exchanges) < maxExchanges && ctx.Err() == nil {
		d.body.exchanges = d.exchanges
		d.isKept = d.runner.broken.keep(d.claim.Seed.Hash, d.body)
	}
}

// file makes what came the seed's dirty file, if it is not what was washed before.
func (d *download) file(ctx context.Context) error {
	r, claim, seed, body, done := d.runner, d.claim, &d.claim.Seed, d.body, &d.done
	exchanges, mirror := d.exchanges, d.mirror
	if d.fetched.NotModified {
		done.unchanged = true
		done.log.Counts["not_modified"] = 1
		done.update = func(record *seedlist.Record) { freshen(record, exchanges) }
		return nil
	}
	bytes := body.measure.Content()
	claimed := seed.Record
	claimed.HTTP, claimed.Content = exchanges, &bytes
	if r.same(ctx, claim, bytes, exchanges) && (claim.Last == seedlist.Failed || claimsStand(claimed)) {
		done.unchanged = true
		return nil
	}
	if err := body.pending.Seal(r.newKey(&claim), files.Dirty); err != nil {
		return err
	}
	d.isKept = true
	done.body = body.small()
	done.next = seedlist.Filed
	done.files.made = []files.Pending{body.pending}
	done.files.discard = []discarded{r.old(seed, files.Notices)}
	now := time.Now()
	done.update = func(record *seedlist.Record) {
		record.ForgetReading()
		record.Archive = nil
		record.HTTP = exchanges
		record.Mirror = mirror
		record.Content = &bytes
		record.Retrieved = now
	}
	return nil
}

// patience is how long a download waits for the turn of a host. A seed whose host is to
// be asked later than that gives its worker to others meanwhile.
const patience = 3 * time.Second

// shown reports to the list of seeds what the hosts on the way to a seed showed, and returns what
// its own did.
func (r *Runner) shown(ctx context.Context, fetched *fetch.Result, seed *seedlist.Seed) (own seedlist.Load) {
	host, _ := seedlist.HostOf(seed.URI)
	for _, s := range fetched.Shown {
		load := loadOf(s, r.opt.retries().Most)
		if s.Host == host {
			own = load
		} else if err := r.seeds.Showed(context.WithoutCancel(ctx), s.Host, load); err != nil {
			r.log.Warn().Err(err).Str("host", s.Host).Msg("what a host showed could not be noted")
		}
	}
	return own
}

// loadOf is what a host showed; how long it asked to be left alone holds within a bound.
func loadOf(s fetch.Shown, most time.Duration) seedlist.Load {
	return seedlist.Load{Busy: s.Busy, Latency: s.Latency, Delay: s.Delay, Rest: min(s.Rest, most)}
}

// maxExchanges is how many exchanges one download may have.
const maxExchanges = 100

// atHand says that the last wash, by this version with these flags, came to an end that the bytes
// alone decided. Its files are still there, and nobody asked for a fetch whatever is known.
func (r *Runner) atHand(ctx context.Context, claim seedlist.Claim) bool {
	seed := &claim.Seed
	if claim.Last == "" || seed.Marked != nil || r.isStale(&seed.Record) || seed.Content == nil || r.recipes.isStale(ctx, seed) {
		return false
	}
	if seed.Good != nil && seed.Good.Empty > 0 || slices.ContainsFunc(seed.Products, func(p seedlist.Product) bool { return p.Empty > 0 }) {
		return false // whether it is still without is for a reading to say
	}
	if seed.HasDirty() { // what was made of bytes that are not kept is there all the same
		size, err := r.files.Size(seedfile.Key(seed, files.Dirty), files.Dirty)
		if err != nil || size != seed.Content.NumberOfBytes {
			return false
		}
	}
	switch claim.Last {
	case seedlist.Failed:
		// A failed download says nothing of the bytes, and a limit may have been raised.
		e := seed.Error
		if e != nil && e.Code == fault.FormatNotRDF && len(r.recipes.makes(ctx, seed, r.opt.wanted())) > 0 {
			return false // other products are wanted now
		}
		return e != nil && e.Kind == fault.Data && e.Stage != seedlist.Downloading && e.Code != fault.LocalFile
	case seedlist.Parsed:
		return hasProducts(ctx, r, seed) && sound(seed.Error)
	default:
		return sound(seed.Error)
	}
}

// hasProducts says that the files of the last wash are there, and are what is wanted now.
func hasProducts(ctx context.Context, r *Runner, seed *seedlist.Seed) bool {
	wanted := r.opt.asked(r.recipes.of(ctx, seed))
	for _, name := range r.recipes.makes(ctx, seed, r.opt.wanted()) {
		if seed.Product(name) == nil {
			return false
		}
	}
	for i := range seed.Products {
		p := &seed.Products[i]
		key, suffix := files.Key(seed.Hash, p.Fence), seedfile.SuffixOf(p.Name)
		if p.Name == seedlist.ProductStatements {
			key = seed.Clean
		}
		if !slices.Contains(wanted, p.Name) {
			return false
		}
		if p.SHA256 == "" {
			continue
		}
		if _, err := r.files.Size(key, suffix); err != nil {
			return false
		}
	}
	return seed.Clean != "" || len(seed.Products) > 0
}

// sound says that a record that came to a good end has no error but that of a try to fetch it
// again. What was washed is unchanged then.
func sound(e *seedlist.Error) bool { return e == nil || e.Stage == seedlist.Downloading }

// same says that what came is what was washed before. It came from the same place under the same
// name, which decide its base and its format.
func (r *Runner) same(ctx context.Context, claim seedlist.Claim, bytes digest.Content, exchanges []seedlist.Exchange) bool {
	seed := &claim.Seed
	if !r.atHand(ctx, claim) || seed.Content.SHA256 != bytes.SHA256 {
		return false
	}
	was, is := lastReply(seed.Record), lastReply(seedlist.Record{HTTP: exchanges})
	if was == nil || is == nil || was.URI != is.URI ||
		len(transportNotices(seed.Record)) != len(transportNotices(seedlist.Record{HTTP: exchanges})) {
		return false
	}
	for _, name := range []string{"content-type", "content-encoding", "content-disposition"} {
		if !slices.Equal(was.Headers[name], is.Headers[name]) {
			return false
		}
	}
	return true
}

// validators are what the server said of the version that is at hand; nil if it said
// nothing, or that version is not whole.
func validators(seed *seedlist.Seed) *fetch.Validators {
	reply := lastReply(seed.Record)
	if reply == nil || len(transportNotices(seed.Record)) > 0 {
		return nil
	}
	known := fetch.Validators{URI: reply.URI, ETag: first(reply.Headers["etag"]), LastModified: first(reply.Headers["last-modified"])}
	if seed.Content != nil {
		known.Size = seed.Content.NumberOfBytes
	}
	if known.ETag == "" && known.LastModified == "" {
		return nil
	}
	return &known
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// freshen puts what a reply 304 said of the current version into its record (RFC 9111
// §3.2). The exchanges that brought the bytes stay: they say what the bytes are.
func freshen(record *seedlist.Record, exchanges []seedlist.Exchange) {
	reply := lastReply(*record)
	if reply == nil || len(exchanges) == 0 {
		return
	}
	headers := maps.Clone(reply.Headers)
	for _, name := range []string{"etag", "last-modified", "date", "expires", "cache-control"} {
		if values := exchanges[len(exchanges)-1].Headers[name]; len(values) > 0 {
			headers[name] = values
		}
	}
	for i := range record.HTTP {
		if &record.HTTP[i] == reply {
			record.HTTP = slices.Clone(record.HTTP)
			record.HTTP[i].Headers = headers
			return
		}
	}
}

// conditional are the exchanges for the log, if any asked for less than the whole.
func conditional(exchanges []seedlist.Exchange) []seedlist.Exchange {
	if !slices.ContainsFunc(exchanges, func(e seedlist.Exchange) bool { return len(e.Conditions) > 0 }) {
		return nil
	}
	short := slices.Clone(exchanges)
	for i := range short {
		short[i].Headers, short[i].Version = nil, nil
	}
	return short
}

// exchangesOf puts what a fetch recorded into the words of a record. What was found about the
// transport of a body is kept with the exchange that brought it, so that later stages find it
// there.
func exchangesOf(fetched *fetch.Result) []seedlist.Exchange {
	exchanges := make([]seedlist.Exchange, len(fetched.Exchanges))
	for i, e := range fetched.Exchanges {
		exchanges[i] = seedlist.Exchange{
			URI: e.URI, Time: e.Time, Status: e.Status, Headers: e.Headers, Walltime: e.Walltime, Error: e.Error,
			Conditions: e.Conditions, Robots: e.Robots,
		}
		if e.Version != nil {
			exchanges[i].Version = &seedlist.HTTPVersion{Major: e.Version.Major, Minor: e.Version.Minor}
		}
	}
	for _, n := range fetched.Notices {
		if last := len(exchanges) - 1; n.Code == fault.HTTPShortBody && last >= 0 {
			exchanges[last].Error = n.Message
		}
	}
	return exchanges
}

// lastReply is the reply that brought the document, or the beginning of it; nil for
// seeds without a URI.
func lastReply(record seedlist.Record) *seedlist.Exchange {
	// After it there may be what brought the rest, or tried to: those name a range.
	for i := len(record.HTTP) - 1; i >= 0; i-- {
		if e := &record.HTTP[i]; !e.Robots && e.Status/100 == 2 && (e.Status != partialContent || e.Conditions["range"] == "") {
			return e
		}
	}
	for i := len(record.HTTP) - 1; i >= 0; i-- {
		if e := &record.HTTP[i]; !e.Robots {
			return e
		}
	}
	return nil
}

// codingsOf are the codings of the content that the reply named which brought a seed, in order. Those of an
// entry of an archive were undone when it was read.
func codingsOf(seed *seedlist.Seed) (all []string) {
	reply := lastReply(seed.Record)
	if reply == nil || seed.Parent != "" {
		return nil
	}
	for _, value := range reply.Headers["content-encoding"] {
		all = append(all, strings.Split(value, ",")...)
	}
	return all
}

// partialContent is the status of a reply that brings a range.
const partialContent = 206

// transportNotices are the findings about how the bytes of a seed came.
func transportNotices(record seedlist.Record) []fault.Notice {
	reply := lastReply(record)
	if reply == nil || reply.Status == 0 {
		return nil
	}
	last := record.HTTP[len(record.HTTP)-1]
	if last.Error == "" {
		return nil // what broke off was gone on with
	}
	return []fault.Notice{{Code: fault.HTTPShortBody, Severity: fault.Drop, Lost: 1, Message: last.Error}}
}

// told counts what is written, and reports it now and then.
type told struct {
	to      io.Writer // nil: to count only
	tell    func(int64)
	n, last int64
	at      time.Time // of the last report
	head    []byte    // the beginning of what was written
}

func (t *told) Write(p []byte) (n int, err error) {
	if n = len(p); t.to != nil {
		n, err = t.to.Write(p)
	}
	t.n += int64(n)
	if len(t.head) < excerptBytes {
		t.head = append(t.head, p[:min(n, excerptBytes-len(t.head))]...)
	}
	if now := time.Now(); t.n-t.last >= states.ProgressBytes || now.Sub(t.at) >= states.ProgressPause {
		t.last, t.at = t.n, now
		t.tell(t.n)
	}
	return n, err
}
