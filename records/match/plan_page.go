package match

import (
	"context"

	"laundromat/records"
)

// Link is a page that another leads to by a plan.
type Link struct {
	URL string
	// IsDetail says that the page holds the details of one record.
	IsDetail bool
}

// Page is one page of a plan, which is read by itself.
type Page struct {
	Document
	Text     []byte
	IsDetail bool // it holds the details of one record
}

// ReadPage makes the records of one page, and gives named the pages that it leads to, each once. Nothing is fetched.
// A record that has a page of its own says so in Detail. A page of details gives one record, and leads nowhere.
func (p *Plan) ReadPage(ctx context.Context, m *Matcher, page Page, named func(Link), to records.Sink) (records.Counts, error) {
	if err := m.check(HTML); err != nil {
		return records.Counts{}, err
	}
	t, err := htmlTree(ctx, page.Text, &m.opt, to)
	if err != nil {
		return records.Counts{}, err
	}
	top := item{kind: elementItem, el: t.document}
	if page.IsDetail {
		r := m.OfPage().run(ctx, page.Document, to)
		r.tree = t
		return r.all(top)
	}
	r := m.run(ctx, page.Document, to)
	r.tree = t
	if p.detail != nil {
		r.to = &leading{Sink: to, plan: p, r: r, named: named, seen: map[string]bool{withoutFragment(page.URL): true}}
	}
	counts, err := r.all(top)
	if err != nil {
		return counts, err
	}
	p.lead(ctx, m, page.Document, t, named)
	return counts, nil
}

func (p *Plan) lead(ctx context.Context, m *Matcher, d Document, t *tree, named func(Link)) {
	follow := m.run(ctx, d, unheard{})
	follow.tree = t
	for _, url := range p.links(follow) {
		named(Link{URL: url})
	}
}

// leading is a sink that finds the page of details of each record.
type leading struct {
	records.Sink
	plan  *Plan
	r     *run
	named func(Link)
	seen  map[string]bool
}

func (s *leading) Record(rec *records.Record) error {
	if url, ok := s.plan.detailOf(s.r); ok {
		rec.Detail = url
		if !s.seen[url] {
			s.seen[url] = true
			s.named(Link{URL: url, IsDetail: true})
		}
	}
	return s.Sink.Record(rec)
}

// detailOf is the page of details of the record at hand.
func (p *Plan) detailOf(r *run) (url string, ok bool) {
	at := item{kind: elementItem, el: r.tree.document}
	if r.m.each != nil && r.at != nil {
		at.el = r.at
	}
	link, ok := r.first(p.detail, at)
	if !ok || link.el == nil {
		return "", false
	}
	return r.follow(link.el)
}

// OfPage makes one record of a whole page, whatever makes them of others.
func (m *Matcher) OfPage() *Matcher {
	one := *m
	one.each = nil
	return &one
}
