package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// Fetch gets a page. Closing it gives back what it holds. An error of kind Remote is
// worth another try.
type Fetch func(ctx context.Context, uri string) (Document, io.Closer, error)

// Output takes what a harvest finds.
type Output interface {
	// Entry takes a document. An error ends the harvest.
	Entry(Entry) error
	// Refused takes an entry that is no seed, with the reason.
	Refused(Refusal)
	// Catalog takes another catalog that this one names; false refuses it
	// ([OtherCatalog]). An error ends the harvest.
	Catalog(uri string) (taken bool, err error)
}

// Result says what a harvest came to.
type Result struct {
	Kind    Kind  // of the first page
	Pages   int64 // that were read
	Entries int64 // that were given out, each URI once a page
	// Relative counts those of them that stand as a relative reference in the catalog.
	Relative int64
	Refused  map[Reason]int64 // by reason
	// Catalogs is how many other catalogs were taken that it names.
	Catalogs int64
	// Complete says that every page was read to its end: what is not among the entries
	// is not in the catalog.
	Complete bool
}

// maxTries is how often a page is asked for that can't be had for now, and tryPause
// the first pause between.
const (
	maxTries = 3
	tryPause = 2 * time.Second
)

// Harvest reads a catalog from its first page on, and all pages that follow from it,
// each once. Entries go to out as they come. An error means that the first page, or
// our side, failed; what came before it is kept. A further page that can't be had or
// read is refused (Unreachable, Damaged), and makes the harvest incomplete.
func Harvest(ctx context.Context, uri string, opt Options, fetch Fetch, out Output) (Result, error) {
	opt.applyDefaults()
	h := &harvest{
		ctx: ctx, opt: opt, fetch: fetch, out: out,
		result: Result{Refused: map[Reason]int64{}, Complete: true},
		seen:   map[string]bool{}, news: newNews(),
	}
	first := Page{URI: uri, Kind: opt.Kind, first: true}
	if start := startOf(uri, opt.Kind); start != "" {
		first.URI = start
	}
	h.Page(first)
	err := h.run()
	return h.result, err
}

// startOf is where a catalog of a named kind begins. What was given is the root of a site, or a
// portal, which may have its root below a path.
func startOf(uri string, kind Kind) string {
	scheme, rest, ok := strings.Cut(uri, "://")
	if !ok {
		return ""
	}
	if end := strings.IndexAny(rest, "?#"); end >= 0 {
		rest = rest[:end]
	}
	host, path, _ := strings.Cut(rest, "/")
	site := scheme + "://" + host
	if kind == CKAN && !isCKANPage(path) {
		return strings.TrimRight(scheme+"://"+rest, "/") + "/api/3/action/package_search?rows=100&start=0"
	}
	if path != "" {
		return ""
	}
	switch kind {
	case VoID:
		return site + "/.well-known/void"
	case Sitemap:
		return site + "/sitemap.xml"
	case LOV:
		return site + "/dataset/lov/api/v2/vocabulary/list"
	}
	return ""
}

// isCKANPage says that a path is that of a reply of CKAN, and not of a portal's root. A reply comes of
// an action of its API, or is a file.
func isCKANPage(p string) bool {
	return strings.Contains("/"+p, "/api/") || strings.Contains("/"+p, "/action/") || path.Ext(p) != ""
}

type harvest struct {
	ctx    context.Context
	opt    Options
	fetch  Fetch
	out    Output
	result Result

	queue   []Page
	again   []Page          // to be asked for once more, at the end
	seen    map[string]bool // keys of pages
	entries int64           // refused ones too
	at      Page
	named   int64 // entries and pages that the current page led to
	told    bool  // it named, or refused, an entry
	fresh   bool  // one that no page before did, or a page
	news    news
	over    bool  // a limit was reported already
	broken  error // that the first page ended in
	instead error // why the first page was asked for in another way
	sinkErr error
}

// Entry takes a document of the current page.
func (h *harvest) Entry(e Entry) error {
	if err := h.count(); err != nil {
		return err
	}
	h.named++
	h.told, h.fresh = true, h.news.see(e.URI) || h.fresh
	h.result.Entries++
	if e.Relative {
		h.result.Relative++
	}
	if err := h.out.Entry(e); err != nil {
		h.sinkErr = err
		return err
	}
	return nil
}

// Refused counts an entry that is not taken as a document.
func (h *harvest) Refused(r Refusal) {
	h.entries++
	if r.Reason == OtherCatalog && h.sinkErr == nil {
		taken, err := h.out.Catalog(r.URI)
		if h.sinkErr = err; taken {
			h.told, h.fresh = true, h.news.see(r.URI) || h.fresh
			h.result.Catalogs++
			return
		}
	}
	h.result.Refused[r.Reason]++
	if r.Reason == Mended { // no entry
		h.out.Refused(r)
		return
	}
	h.told, h.fresh = true, h.news.see(string(r.Reason)+" "+r.URI+" "+r.Message) || h.fresh
	switch r.Reason {
	case Damaged, Incomplete, Repeated: // what did not come may have been an entry
		h.result.Complete = false
	}
	h.out.Refused(r)
}

var errOver = errors.New("more entries than a harvest takes")

func (h *harvest) count() error {
	if h.entries++; h.entries > h.opt.MaxEntries {
		h.limit(fmt.Sprintf("more than %d entries", h.opt.MaxEntries))
		return errOver
	}
	return nil
}

// limit reports, once, that something was left out.
func (h *harvest) limit(message string) {
	h.result.Complete = false
	h.result.Refused[OverLimit]++
	if !h.over {
		h.over = true
		h.out.Refused(Refusal{URI: h.at.URI, Reason: OverLimit, Message: message})
	}
}

// Page puts a page into the queue, if it was not in it before.
func (h *harvest) Page(p Page) {
	key := seedlist.Key(p.URI)
	if h.seen[key] {
		return
	}
	h.named++
	p.depth = h.at.depth
	if !p.Series && !p.first {
		p.depth++
	}
	switch {
	case len(h.seen) >= h.opt.MaxPages:
		h.limit(fmt.Sprintf("more than %d pages", h.opt.MaxPages))
		return
	case p.depth > h.opt.MaxDepth:
		h.limit(fmt.Sprintf("pages that lead to one another more than %d deep", h.opt.MaxDepth))
		return
	}
	h.seen[key] = true
	if p.Series {
		p.series = h.at.series
	} else {
		p.series, h.fresh = &series{}, true
	}
	h.queue = append(h.queue, p)
}

func (h *harvest) run() error {
	pause := tryPause
	for len(h.queue) > 0 || len(h.again) > 0 {
		if len(h.queue) == 0 {
			select {
			case <-time.After(pause):
			case <-h.ctx.Done():
				return h.ctx.Err()
			}
			pause *= 4
			h.queue, h.again = h.again, nil
		}
		h.at, h.queue = h.queue[0], h.queue[1:]
		if err := h.turn(); err != nil {
			return err
		}
	}
	return h.broken
}

// isPassedOver reports whether the current page isn't asked for: its series is over, or the catalog that is looked for
// was found.
func (h *harvest) isPassedOver() bool { return h.at.series.over || h.at.probe && !h.result.IsEmpty() }

// turn reads one page.
func (h *harvest) turn() error {
	if h.isPassedOver() {
		return nil
	}
	h.named, h.told, h.fresh = 0, false, false
	kind, err := h.readPage()
	if h.at.first && kind != Any {
		h.result.Kind = kind
	}
	if err == nil {
		err = h.sinkErr
	}
	if err == nil {
		h.result.Pages++
		h.endPage(kind)
		return nil
	}
	ours := fault.KindOf(err)
	switch {
	case h.ctx.Err() != nil:
		return h.ctx.Err()
	case h.sinkErr != nil:
		return h.sinkErr
	case errors.Is(err, errOver):
		h.queue, h.again = nil, nil
		return nil
	case ours == fault.Local, ours == fault.Stopped, ours == fault.Bug:
		return err
	case h.at.Optional:
		return nil
	case h.at.first:
		if kind == CKAN || h.opt.Kind == CKAN {
			// A portal that is too old for package_search, or has switched it off.
			if list := packageList(h.at.URI); list != "" && fault.KindOf(err) != fault.Remote {
				h.instead = err
				h.Page(Page{URI: list, Kind: CKAN, first: true})
				h.Refused(Refusal{URI: h.at.URI, Reason: Unreachable, Message: err.Error()})
				return nil
			}
		}
		h.result.Complete = false
		if h.instead != nil {
			err = h.instead
		}
		if fault.KindOf(err) == fault.Remote {
			return err
		}
		h.broken = err // what it named before it broke off is read all the same
		return nil
	case ours == fault.Remote && h.at.tries+1 < maxTries:
		h.at.tries++
		h.again = append(h.again, h.at)
		return nil
	}
	h.result.Complete = false
	reason := Unreachable
	if ours == fault.Data || ours == fault.Limit {
		reason = Damaged
	}
	h.Refused(Refusal{URI: h.at.URI, Reason: reason, Message: err.Error()})
	return nil
}

func (h *harvest) readPage() (Kind, error) {
	document, closer, err := h.fetch(h.ctx, h.at.URI)
	if err != nil {
		return Any, err
	}
	defer closer.Close()
	h.seen[seedlist.Key(document.URI)] = true // where redirects led: not to be asked for again
	opt := h.opt
	opt.Kind, opt.series = h.at.Kind, h.at.series
	return Read(h.ctx, document, opt, h)
}

// endPage judges what the current page brought.
func (h *harvest) endPage(kind Kind) {
	h.endPageOfSeries()
	if h.at.probe && h.named > 0 && h.result.Kind == HTML && kind != robots {
		h.result.Kind = kind // the catalog is here
	}
	switch {
	case h.named > 0 || kind != HTML:
	case h.at.first:
		if h.result.IsEmpty() {
			h.probe()
		}
	case !h.at.Optional && h.result.Kind != HTML:
		h.Refused(Refusal{URI: h.at.URI, Reason: Damaged, Message: "a page without data came in place of this part of the catalog"})
	}
}

// endPageOfSeries judges what the current page brought to its series. One that names again what
// was named before is in the place of another; a few in a row end the series.
func (h *harvest) endPageOfSeries() {
	s := h.at.series
	if !h.at.Series || h.fresh {
		s.idle = 0
		return
	}
	s.idle++
	switch {
	case h.at.Optional: // after the end, as counted
		s.over = true
	case s.idle == maxIdle:
		s.over = true
		h.Refused(Refusal{URI: h.at.URI, Reason: Repeated, Message: "three pages in a row named nothing new; the next is not asked for"})
	case h.told:
		h.Refused(Refusal{URI: h.at.URI, Reason: Repeated, Message: "the page names nothing that those before it did not name"})
	}
}

// places are where catalogs are by custom, in the order in which they are asked for. Below says that the place may also
// be below the page that was given, as of a portal with a path.
var places = []struct {
	path  string
	kind  Kind
	below bool
}{
	{"api/3/action/package_search?rows=100&start=0", CKAN, true},
	{"data.json", DCAT, true},
	{"catalog.ttl", DCAT, true},
	{".well-known/void", VoID, false},
	{"robots.txt", robots, false},
	{"sitemap.xml", Sitemap, false},
}

// probe looks where catalogs are by custom, if the page that was given names nothing. The first that names something
// is the catalog: the others are not asked for.
func (h *harvest) probe() {
	base, _, _ := strings.Cut(h.at.URI, "#")
	base, _, _ = strings.Cut(base, "?")
	if path.Ext(base[strings.LastIndexByte(base, '/')+1:]) == "" {
		base = strings.TrimSuffix(base, "/") + "/" // a portal's path may be given without its last stroke
	}
	for _, place := range places {
		if before := h.opt.Before; before != Any && before != HTML && before != place.kind && (before != Sitemap || place.kind != robots) {
			continue
		}
		if below, err := resolve(base, place.path, true); err == nil && place.below {
			h.Page(Page{URI: below, Kind: place.kind, Optional: true, probe: true})
		}
		if uri, err := resolve(base, "/"+place.path, true); err == nil {
			h.Page(Page{URI: uri, Kind: place.kind, Optional: true, probe: true})
		}
	}
}

// IsEmpty says that the catalog named nothing at all: no document, and no other catalog. Nor was
// anything refused but the links of a page for people, and what is no address.
func (r *Result) IsEmpty() bool {
	for reason := range r.Refused {
		switch reason {
		case OtherLink, Mended, Repeated, BadURI, NoURI:
		default:
			return false
		}
	}
	return r.Entries == 0 && r.Catalogs == 0
}

// Counts are the numbers of a result, for the log.
func (r *Result) Counts() map[string]int64 {
	counts := map[string]int64{"pages": r.Pages, "entries": r.Entries}
	if r.Relative > 0 {
		counts["relative"] = r.Relative
	}
	if r.Catalogs > 0 {
		counts["catalogs"] = r.Catalogs
	}
	for reason, n := range maps.All(r.Refused) {
		counts["refused/"+string(reason)] = n
	}
	return counts
}
