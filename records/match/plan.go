package match

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/records"
	"laundromat/records/spec"
)

// Plan is the part pages of a spec: which further pages are read. It fetches nothing itself.
//
// With {next: SELECTOR}, reading goes from page to page of a list. With {detail: SELECTOR},
// the element of each record has a link to a page of its own. The fields that select finds
// there join the record; those that it has already stay. With {match: PATTERN, depth: n}, all
// links are followed whose URL fits the pattern, up to n links from the first page, depth
// first.
type Plan struct {
	next, detail *selector
	parts        []string // of the pattern, between its asterisks
	depth, limit int
}

// Depth is how many links from the first page are followed, Limit how many pages are read in all.
func (p *Plan) Depth() int { return p.depth }
func (p *Plan) Limit() int { return p.limit }

// HasDetails says that records have pages of their own.
func (p *Plan) HasDetails() bool { return p.detail != nil }

// PlanOptions are the limits of a plan; zero values mean what is said here.
type PlanOptions struct {
	MaxPages int // how many pages are read in all: 1,000; limit in the spec lowers it
	MaxDepth int // how many links from the first page: 1,000; depth in the spec lowers it
}

const usualPages = 1000

// CompilePages compiles the part pages of a spec.
func CompilePages(node *spec.Node, opt PlanOptions) (*Plan, error) {
	if err := node.Only("key of pages", "next", "detail", "match", "depth", "limit"); err != nil {
		return nil, err
	}
	p := &Plan{depth: opt.MaxDepth, limit: opt.MaxPages}
	if p.depth <= 0 {
		p.depth = usualPages
	}
	if p.limit <= 0 {
		p.limit = usualPages
	}
	c := &compiler{opt: Options{Source: HTML}}
	for _, e := range node.Entries {
		var err error
		switch v := e.Value; e.Key {
		case "next":
			p.next, err = c.link(v)
		case "detail":
			p.detail, err = c.link(v)
		case "match":
			if err = v.Want(spec.Text); err == nil {
				err = p.pattern(v)
			}
		case "depth":
			err = count(v, &p.depth)
		case "limit":
			err = count(v, &p.limit)
		}
		if err != nil {
			return nil, err
		}
	}
	switch {
	case p.next == nil && p.detail == nil && p.parts == nil:
		return nil, node.Errorf("pages needs one of next, detail and match")
	case p.parts != nil && (p.next != nil || p.detail != nil):
		return nil, node.Errorf("pages has match, or next and detail, not both")
	}
	return p, nil
}

func (c *compiler) link(node *spec.Node) (*selector, error) {
	if err := node.Want(spec.Text); err != nil {
		return nil, err
	}
	if strings.TrimSpace(node.Text) == "" {
		return nil, node.Errorf("the selector of a link is wanted here")
	}
	return c.selector(node)
}

// count reads a number that lowers a limit.
func count(node *spec.Node, limit *int) error {
	n, err := strconv.Atoi(node.Text)
	if node.Kind != spec.Number || err != nil || n < 0 {
		return node.Errorf("a whole number from 0 is wanted here, not %q", node.Text)
	}
	*limit = min(*limit, n)
	return nil
}

func (p *Plan) pattern(node *spec.Node) error {
	text := strings.TrimSpace(node.Text)
	c := rfc3986.Split([]byte(text))
	if scheme := string(c.Scheme); scheme != "http" && scheme != "https" {
		return node.Errorf("a pattern of URLs begins with http:// or https://, and has * for any characters: %q", text)
	}
	if len(c.Authority) == 0 || strings.Contains(string(c.Authority), "*") {
		return node.Errorf("a pattern of URLs names its host: %q", text)
	}
	if strings.Count(text, "*") > 10 {
		return node.Errorf("a pattern of URLs has at most 10 asterisks")
	}
	text, _, _ = strings.Cut(text, "#")
	p.parts = strings.Split(text, "*")
	return nil
}

// fits says that a URL fits the pattern.
func (p *Plan) fits(url string) bool {
	last := len(p.parts) - 1
	if last == 0 {
		return url == p.parts[0]
	}
	rest, ok := strings.CutPrefix(url, p.parts[0])
	if !ok {
		return false
	}
	for _, part := range p.parts[1:last] {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	return strings.HasSuffix(rest, p.parts[last])
}

// Links are the URLs that a page leads to by the plan: resolved, without fragments, each once,
// in the order of the page. Detail pages are not among them; see Read.
func (p *Plan) Links(ctx context.Context, d Document, page []byte) ([]string, error) {
	t, err := htmlTree(ctx, page, &Options{}, unheard{})
	if err != nil {
		return nil, err
	}
	m := &Matcher{}
	m.opt.applyDefaults()
	r := m.run(ctx, d, unheard{})
	r.tree = t
	return p.links(r), nil
}

func (p *Plan) links(r *run) (urls []string) {
	seen := map[string]bool{withoutFragment(r.document.URL): true}
	add := func(n *html.Node) bool {
		if url, ok := r.follow(n); ok && !seen[url] && (p.parts == nil || p.fits(url)) {
			seen[url] = true
			urls = append(urls, url)
		}
		return !r.over()
	}
	document := item{kind: elementItem, el: r.tree.document}
	switch {
	case p.parts != nil:
		eachNode(r.tree.document, func(n *html.Node) bool { return n.Data != "a" && n.Data != "area" || add(n) })
	case p.next != nil:
		r.each(p.next, document, func(i item) bool { return i.el == nil || add(i.el) })
	}
	return urls
}

// follow is the URL that an element leads to, or the first link in it.
func (r *run) follow(n *html.Node) (string, bool) {
	href, ok := attrOf(n, "href")
	if !ok || n.Data == "base" {
		eachNode(n, func(c *html.Node) bool {
			href, ok = attrOf(c, "href")
			return !ok
		})
	}
	if !ok {
		return "", false
	}
	v, ok := r.link(href)
	url := withoutFragment(v.Text)
	scheme := strings.ToLower(string(rfc3986.Split([]byte(url)).Scheme))
	return url, ok && (scheme == "http" || scheme == "https")
}

func withoutFragment(url string) string {
	url, _, _ = strings.Cut(url, "#")
	return url
}

// Fetch gives the text of a page, decoded, and the URL that it has after redirects.
type Fetch func(ctx context.Context, url string) (text []byte, final string, err error)

// Read makes the records of a page and of all pages that the plan leads to from it, depth
// first, each once. What fetch can't give is a warning; an error of ctx ends the reading.
func (p *Plan) Read(ctx context.Context, m *Matcher, d Document, page []byte, fetch Fetch, to records.Sink) (records.Counts, error) {
	w := &walk{plan: p, m: m, fetch: fetch, to: to, seen: map[string]bool{withoutFragment(d.URL): true}, left: p.limit - 1}
	err := w.page(ctx, d, page, 0)
	return w.counts, err
}

// PageSink is a Sink that wants to know which page the findings that follow are about.
type PageSink interface {
	records.Sink
	Page(name string)
}

type walk struct {
	plan   *Plan
	m      *Matcher
	fetch  Fetch
	to     records.Sink
	seen   map[string]bool
	left   int
	told   bool
	counts records.Counts

	details map[string][]records.Field // what detail pages gave, for records that share one
}

func (w *walk) page(ctx context.Context, d Document, text []byte, depth int) error {
	if err := w.m.check(HTML); err != nil {
		return err
	}
	w.about(d.Name)
	t, err := htmlTree(ctx, text, &w.m.opt, w.to)
	if err != nil {
		return err
	}
	sink := w.to
	r := w.m.run(ctx, d, nil)
	r.tree = t
	if w.plan.detail != nil {
		sink = &detailing{Sink: w.to, w: w, ctx: ctx, r: r}
	}
	r.to = sink
	counts, err := r.all(item{kind: elementItem, el: t.document})
	w.counts.Add(counts)
	if err != nil {
		return err
	}
	if counts.Read == 0 && depth > 0 {
		w.to.Notice(fault.Notice{Code: nothingFound, Severity: fault.Warning, Message: w.m.nothing()})
	}
	follow := w.m.run(ctx, d, unheard{})
	follow.tree = t
	for _, url := range w.plan.links(follow) {
		if depth >= w.plan.depth {
			break
		}
		next, final, err := w.get(ctx, url)
		if err != nil {
			return err
		}
		if next == nil {
			continue
		}
		if err := w.page(ctx, Document{Name: url, URL: final, Accessed: d.Accessed}, next, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// about says which page the findings that follow are about.
func (w *walk) about(name string) {
	if to, ok := w.to.(PageSink); ok {
		to.Page(name)
	}
}

// get fetches a page that was not read yet; nil if there is none.
func (w *walk) get(ctx context.Context, url string) ([]byte, string, error) {
	if w.seen[url] {
		return nil, "", nil
	}
	if w.left <= 0 {
		if !w.told {
			w.told = true
			w.to.Notice(fault.Notice{Code: fault.RecordLimitPages, Severity: fault.Warning,
				Message: fmt.Sprintf("there are more than %d pages; from %s on none is read", w.plan.limit, url)})
		}
		return nil, "", nil
	}
	w.seen[url] = true
	w.left--
	text, final, err := w.fetch(ctx, url)
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	if err != nil {
		w.to.Notice(fault.Notice{Code: fault.RecordPageMissing, Severity: fault.Warning, Message: fmt.Sprintf("%s: %v", url, err)})
		return nil, "", nil
	}
	if final == "" {
		final = url
	}
	if final = withoutFragment(final); final != url && w.seen[final] {
		return nil, "", nil // a redirect to a page that was read
	}
	w.seen[final] = true
	return text, final, nil
}

// detailing is a sink that reads the detail page of each record, and adds its fields.
type detailing struct {
	records.Sink
	w   *walk
	ctx context.Context
	r   *run
}

func (s *detailing) Record(rec *records.Record) error {
	if url, ok := s.w.plan.detailOf(s.r); ok {
		if err := s.join(rec, url); err != nil {
			return err
		}
	}
	return s.Sink.Record(rec)
}

// join adds the fields that the matchers of a record find on its own page.
func (s *detailing) join(rec *records.Record, url string) error {
	if fields, ok := s.w.details[url]; ok {
		add(rec, fields)
		return nil
	}
	text, final, err := s.w.get(s.ctx, url)
	if err != nil || text == nil {
		return err
	}
	s.w.about(url)
	defer s.w.about(s.r.document.Name)
	t, err := htmlTree(s.ctx, text, &s.w.m.opt, s.Sink)
	if err != nil {
		return err
	}
	r := s.w.m.run(s.ctx, Document{Name: url, URL: final, Accessed: s.r.document.Accessed}, s.Sink)
	r.tree = t
	v, ok := s.w.m.root.find(r, item{kind: elementItem, el: t.document})
	if !ok || v.value.Kind != records.Object {
		return nil
	}
	if s.w.details == nil {
		s.w.details = map[string][]records.Field{}
	}
	s.w.details[url] = v.value.Fields
	add(rec, v.value.Fields)
	return nil
}

// add adds the fields that a record does not have.
func add(rec *records.Record, fields []records.Field) {
	for _, f := range fields {
		if rec.Field(f.Name) == nil {
			f.Value = f.Value.Clone()
			rec.Fields = append(rec.Fields, f)
		}
	}
}
