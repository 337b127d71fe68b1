package pages

import (
	"encoding/csv"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/views"
	"laundromat/web"
)

const (
	publishersShown = 50
	codesToMend     = 20 // of notices on a page
	documentsShown  = 50 // of those that failed, on a page
	spansShown      = 24
)

// publisherTakes are the parameters of the ranking.
var publisherTakes = []string{"by", "sort", "find", "least", "from"}

// publisherSite has the pages about who publishes documents.
type publisherSite struct{ *site }

// publisherRoutes are the pages about who publishes documents.
func publisherRoutes() []route {
	return []route{
		{pattern: "GET /publishers", nav: "Publishers", takes: publisherTakes,
			fill: func(s *site, r *http.Request) (page, error) { return publisherSite{s}.publishers(r) }},
		{pattern: "GET /compare", takes: []string{"by", "value", "since"},
			fill: func(s *site, r *http.Request) (page, error) { return publisherSite{s}.compare(r) }},
		{pattern: "GET /removed", takes: []string{"by", "value", "since", "cursor"},
			fill: func(s *site, r *http.Request) (page, error) { return publisherSite{s}.removed(r) }},
		{pattern: "GET /publishers/{by}", takes: []string{"value", "cursor"},
			fill: func(s *site, r *http.Request) (page, error) { return publisherSite{s}.publisher(r) }},
	}
}

// ranking is a page of the ranking.
type ranking struct {
	web.Publishers
	Query      web.PublisherQuery
	Kinds      []kindLink
	Sorts      []column
	CSV, Next  string
	First      string
	IsFiltered bool
}

// publisherQuery reads the address of the ranking.
func publisherQuery(r *http.Request) (q web.PublisherQuery, err error) {
	query := r.URL.Query()
	q = web.PublisherQuery{By: query.Get("by"), Sort: query.Get("sort"), Limit: publishersShown}
	q.Find = strings.TrimSpace(query.Get("find"))
	if q.By == "" {
		q.By = views.Host.String()
	}
	if q.Sort == "" {
		q.Sort = "score"
	}
	for name, to := range map[string]*int64{"least": &q.Least} {
		if text := query.Get(name); text != "" {
			if *to, err = strconv.ParseInt(text, 10, 64); err != nil || *to < 0 {
				return q, web.Invalid(name + " is a number from 0, not " + strconv.Quote(text))
			}
		}
	}
	if text := query.Get("from"); text != "" {
		if q.From, err = strconv.Atoi(text); err != nil || q.From < 0 {
			return q, web.Invalid("from is a number from 0, not " + strconv.Quote(text))
		}
	}
	return q, nil
}

// groupWords say what there are sums by.
var groupWords = map[string]string{"host": "by host", "catalog": "by catalog", "publisher": "by publisher", "licence": "by licence"}

func (s publisherSite) publishers(r *http.Request) (page, error) {
	q, err := publisherQuery(r)
	if err != nil {
		return page{}, err
	}
	all, err := s.read.Publishers(r.Context(), q)
	if err != nil {
		return page{}, err
	}
	query := r.URL.Query()
	p := ranking{Publishers: all, Query: q, IsFiltered: q.Find != "" || q.Least > 0}
	query.Del("from")
	for _, by := range views.Groups() {
		p.Kinds = append(p.Kinds, kindLink{groupWords[by], changedAt("/publishers", query, "by", by), by == q.By})
	}
	now, isTurned := strings.CutPrefix(q.Sort, "-")
	for _, sort := range web.PublisherOrders() {
		c := column{Label: sort, Path: changedAt("/publishers", query, "sort", sort)}
		if sort == now {
			c.Direction, c.Path = "ascending", changedAt("/publishers", query, "sort", "-"+sort)
			if isTurned {
				c.Direction, c.Path = "descending", changedAt("/publishers", query, "sort", sort)
			}
		}
		p.Sorts = append(p.Sorts, c)
	}
	p.CSV = changedAt("/publishers.csv", query, "from", "")
	if q.From > 0 {
		p.First = changedAt("/publishers", query, "from", "")
	}
	if q.From+len(all.Publishers) < all.Total {
		p.Next = changedAt("/publishers", query, "from", strconv.Itoa(q.From+len(all.Publishers)))
	}
	return page{title: "Publishers", template: "publishers.html", data: p, listens: true}, nil
}

// publisherPage is one publisher: its score, what to mend first, and what failed.
type publisherPage struct {
	web.PublisherWhole
	Mends   []mending // of Mend, those that are shown
	More    int       // notices that are not shown
	Failing web.SeedPage
	Next    string
	Spans   []spanRow
	// ScoreLists are the documents behind each part of the score.
	ScoreLists []scoreList
	Report     string
	CSV        string
	Made       time.Time
}

// spanRow is a month in the picture.
type spanRow struct {
	views.Span
	Kept, Failed bar
}

// listed is the list of its documents, or of those with one more value.
func (p *publisherPage) listed() web.ListQuery {
	q := web.ListQuery{}
	switch p.By {
	case "host":
		q.Host = p.Value
	case "catalog":
		q.Catalog = p.Value
	case "publisher":
		q.Publisher = p.Value
	default:
		q.Licence = p.Value
	}
	return q
}

// scoreList is how many documents count in full for a part of the score, and how many lose something in it.
type scoreList struct {
	Part               string
	Full, Lost         int64
	FullList, LostList string
}

// scoreLists counts the documents behind each part of the score.
func (s publisherSite) scoreLists(r *http.Request, p *publisherPage) (all []scoreList, err error) {
	parts := []string{"reach", "syntax", "terms", "honesty"}
	among, err := s.read.Among(r.Context(), p.listed(), []views.Facet{views.Judged}, 2*len(parts))
	if err != nil {
		return nil, err
	}
	documents := map[string]int64{}
	for _, c := range among.Facets[views.Judged].Counts {
		documents[c.Values[0]] = c.Seeds
	}
	for _, part := range parts {
		lost := part + seedlist.FailedMark
		all = append(all, scoreList{part, documents[part], documents[lost], p.List("score", part), p.List("score", lost)})
	}
	return all, nil
}

// List is the address of the list of its documents with one more filter.
func (p publisherPage) List(name string, value any) string {
	return address("/seeds", p.By, p.Value, name, value)
}

// publisherOf reads what a page or a report of a publisher needs.
func (s publisherSite) publisherOf(r *http.Request) (p publisherPage, err error) {
	by, value := r.PathValue("by"), r.URL.Query().Get("value")
	if p.PublisherWhole, err = s.read.Publisher(r.Context(), by, value); err != nil {
		return p, err
	}
	p.Report = address("/publishers/"+by+"/report.html", "value", p.Value)
	p.CSV = address("/publishers/"+by+"/report.csv", "value", p.Value)
	p.Made = time.Now().UTC()
	for _, m := range p.Months[max(0, len(p.Months)-spansShown):] {
		p.Spans = append(p.Spans, spanRow{m, bar{m.Read - m.Repaired - m.Dropped, m.Read}, bar{m.Failed, m.Failed + m.Clean}})
	}
	slices.Reverse(p.Spans)
	return p, nil
}

func (s publisherSite) publisher(r *http.Request) (page, error) {
	p, err := s.publisherOf(r)
	if err != nil {
		return page{}, err
	}
	if p.ScoreLists, err = s.scoreLists(r, &p); err != nil {
		return page{}, err
	}
	if p.More = max(0, len(p.Mend)-codesToMend); p.More > 0 {
		p.Mend = p.Mend[:codesToMend]
	}
	if p.Mends, err = s.samples(r.Context(), &p); err != nil {
		return page{}, err
	}
	q := p.listed()
	q.State, q.Limit, q.Cursor = string(seedlist.Failed), documentsShown, r.URL.Query().Get("cursor")
	if p.Failing, err = s.read.List(r.Context(), q); err != nil {
		return page{}, err
	}
	if p.Failing.Next != "" {
		p.Next = address("/publishers/"+p.By, "value", p.Value, "cursor", p.Failing.Next) + "#failed"
	}
	return page{title: p.Name, template: "publisher.html", data: p, listens: q.Cursor == ""}, nil
}

// publishersCSV gives the whole ranking as a table.
func (s publisherSite) publishersCSV(w http.ResponseWriter, r *http.Request) {
	err := web.Unknown(r.URL.Query(), publisherTakes)
	var q web.PublisherQuery
	if err == nil {
		q, err = publisherQuery(r)
	}
	q.Limit, q.From = 1<<30, 0
	var all web.Publishers
	if err == nil {
		all, err = s.read.Publishers(r.Context(), q)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	sent(w, "text/csv; charset=utf-8", "publishers.csv")
	table := csv.NewWriter(w)
	defer table.Flush()
	table.Write([]string{q.By, "score", "formula", "documents", "washed", "failed", "read", "kept", "repaired", "dropped",
		"doubtful", "format_found", "told_wrongly"})
	for i := range all.Publishers {
		p := &all.Publishers[i]
		score := ""
		if p.Score.Score != nil {
			score = strconv.FormatFloat(*p.Score.Score, 'f', 1, 64)
		}
		row := []string{cellText(p.Name), score, strconv.Itoa(p.Version)}
		for _, n := range []int64{p.Documents, p.Washed, p.Failed.All(), p.Statements.Read, p.Statements.Kept, p.Statements.Repaired,
			p.Statements.Dropped, p.Doubtful, p.Read, p.Told.Any} {
			row = append(row, strconv.FormatInt(n, 10))
		}
		table.Write(row)
	}
}
