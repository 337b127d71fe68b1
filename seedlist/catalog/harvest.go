package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
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
	Entry(Entry) error
	Refused(Refusal)
}

// Result says what a harvest came to.
type Result struct {
	Kind    Kind             // of the first page
	Pages   int64            // that were read
	Entries int64            // that were given out, each URI once a page
	Refused map[Reason]int64 // by reason
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
// our side, failed; what came before it stands. A further page that can't be had or
// read is refused (Unreachable, Damaged), and makes the harvest incomplete.
func Harvest(ctx context.Context, uri string, opt Options, fetch Fetch, out Output) (Result, error) {
	opt.applyDefaults()
	h := &harvest{
		ctx: ctx, opt: opt, fetch: fetch, out: out,
		result: Result{Refused: map[Reason]int64{}, Complete: true},
		seen:   map[string]bool{},
	}
	first := Page{URI: uri, Kind: opt.Kind, first: true}
	if start := startOf(uri, opt.Kind); start != "" {
		first.URI = start
	}
	h.Page(first)
	err := h.run()
	return h.result, err
}

// startOf is where a catalog of a named kind begins at a site whose root was given.
func startOf(uri string, kind Kind) string {
	root, path, ok := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(uri, "http://"), "https://"), "/")
	if ok && path != "" {
		return ""
	}
	scheme, _, _ := strings.Cut(uri, "://")
	site := scheme + "://" + root
	switch kind {
	case CKAN:
		return site + "/api/3/action/package_search?rows=100&start=0"
	case VoID:
		return site + "/.well-known/void"
	case Sitemap:
		return site + "/sitemap.xml"
	case LOV:
		return site + "/dataset/lov/api/v2/vocabulary/list"
	}
	return ""
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
	named   int64 // entries and pages that the page at hand led to
	over    bool  // a limit was told
	sinkErr error
}

// Entry takes a document of the page at hand.
func (h *harvest) Entry(e Entry) error {
	if err := h.count(); err != nil {
		return err
	}
	h.named++
	h.result.Entries++
	if err := h.out.Entry(e); err != nil {
		h.sinkErr = err
		return err
	}
	return nil
}

// Refused counts an entry that is not taken.
func (h *harvest) Refused(r Refusal) {
	h.entries++
	h.result.Refused[r.Reason]++
	if r.Reason == Damaged {
		h.result.Complete = false // what stood there may have been an entry
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

// limit tells, once, that something was left out.
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
	return nil
}

// turn reads one page.
func (h *harvest) turn() error {
	h.named = 0
	kind, err := h.readPage()
	if h.at.first && kind != Any {
		h.result.Kind = kind
	}
	if err == nil {
		h.result.Pages++
		if h.at.first && h.named == 0 && len(h.result.Refused) == 0 {
			h.probe(kind)
		}
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
				h.Page(Page{URI: list, Kind: CKAN})
				h.Refused(Refusal{URI: h.at.URI, Reason: Unreachable, Message: err.Error()})
				return nil
			}
		}
		h.result.Complete = false
		return err
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
	opt.Kind = h.at.Kind
	return Read(h.ctx, document, opt, h)
}

// probe looks where catalogs are by custom, if the page that was given names nothing.
func (h *harvest) probe(kind Kind) {
	if kind != HTML {
		return
	}
	for _, place := range []struct {
		path string
		kind Kind
	}{{"/.well-known/void", VoID}, {"/sitemap.xml", Sitemap}} {
		if uri, err := resolve(h.at.URI, place.path, true); err == nil {
			h.Page(Page{URI: uri, Kind: place.kind, Optional: true})
		}
	}
}

// Counts are the numbers of a result, for the log.
func (r *Result) Counts() map[string]int64 {
	counts := map[string]int64{"pages": r.Pages, "entries": r.Entries}
	for reason, n := range maps.All(r.Refused) {
		counts["refused/"+string(reason)] = n
	}
	return counts
}
