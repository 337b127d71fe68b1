package pages

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/views"
	"laundromat/web"
)

// wardrobe is a list of seeds, with what narrows it.
type wardrobe struct {
	Among  views.Among
	Chips  []chip
	Facets []facet
	List   web.SeedPage
	Sorts  []column
	First  string // the address of the first page; "" on it
	Next   string // of the next page; "" at the end
	As     ways
	// WithFiles is the address of the list with its clean files, WithoutFiles that without them; "" where there is
	// no such list.
	WithFiles, WithoutFiles string
	// Turn says in words how the documents turned that are listed: that list has no counts and no actions; else "".
	Turn string
	// Downloads lead to the clean files of all that match.
	Downloads []downloadLink
}

// turnWords say what one document or several went through, for people.
var turnWords = map[string]string{
	"added": "came into the list", "broken": "began to fail, and did not recover", "mended": "recovered from a failure",
	"rewritten": "got other statements than before",
}

// downloadLink leads to the clean files of all that match in one form.
type downloadLink struct{ Label, Path string }

// downloadsOf are the forms in which the clean files of a list can be had.
func downloadsOf(q web.ListQuery, query url.Values) (all []downloadLink) {
	if q.Relative == "true" {
		return nil // these have none
	}
	labels := map[string]string{"nq": "N-Quads in gzip", "parquet": "Parquet", "zip": "a zip with names and a manifest"}
	for _, form := range web.DownloadForms() {
		all = append(all, downloadLink{labels[form], web.DownloadPath(form, query)})
	}
	return all
}

// chip is a filter that holds; Without is the address of the list without it.
type chip struct {
	Name, Value, Without string
	Label, Shown         string // for people
}

// chipOf is a filter with the words that people have for it.
func chipOf(ctx context.Context, s *site, name, value, without string) chip {
	c := chip{Name: name, Value: value, Without: without, Label: strings.ReplaceAll(name, "_", " "), Shown: value}
	f, isFacet := views.FacetNamed(name)
	switch {
	case name == "turn":
		c.Label, c.Shown = "turned", turnWords[value]
	case !isFacet:
	case f == views.State || f == views.Catalog:
		c.Shown = cmp.Or(valueName(ctx, s, f, value), value)
		fallthrough
	default:
		for _, one := range facetLabels {
			if one.facet == f {
				c.Label = one.label
			}
		}
	}
	if f == views.Judged && isFacet {
		c.Shown = cmp.Or(wordsOf(f, value), value)
	}
	return c
}

// facet is a property by which a list can be narrowed.
type facet struct {
	Name, Label string
	Values      []facetValue
	Total       int
	IsPartial   bool
	IsOpen      bool
	More        string // the address of the same list with more values; "" if all are shown
}

// facetValue leads to the list narrowed by a value, whose length is N.
type facetValue struct {
	Value, Words, Path string
	Name               string // what people know the value by, where that is something else; else ""
	N                  int64
}

// column is an order; Path turns it on, or round.
type column struct{ Label, Path, Direction string }

const (
	seedsShown  = 50  // of a page, unless its address says another limit
	valuesShown = 8   // of a facet
	moreShown   = 200 // of the one that more was asked of
)

// facetLabels are the facets in the order of the page, with what they are called there.
var facetLabels = []struct {
	facet views.Facet
	label string
}{
	{views.State, "State"}, {views.Format, "Format"}, {views.Product, "Product"},
	{views.Error, "Error"}, {views.HTTPStatus, "HTTP status"}, {views.Notice, "Notice"}, {views.Host, "Host"},
	{views.Encoding, "Encoding"}, {views.Source, "Source"}, {views.Catalog, "Catalog"}, {views.Publisher, "Publisher"},
	{views.Licence, "Licence"}, {views.Recipe, "Recipe"}, {views.Judged, "Score"}, {views.Class, "Class"}, {views.Property, "Property"},
	{views.Vocabulary, "Vocabulary"},
	{views.Datatype, "Datatype"}, {views.Language, "Language"}, {views.LinksTo, "Links to host"}, {views.Statistics, "Statistics"},
	{views.Washer, "Washed by version"},
}

// listTakes are the parameters of a list's address.
var listTakes = append(slices.Clone(actionFilters), "turn", "since", "sort", "limit", "cursor", "q", "more", "files")

// listQuery reads a list's address.
func listQuery(query url.Values) (q web.ListQuery, err error) {
	get := func(name string) string { return strings.TrimSpace(query.Get(name)) }
	q = web.ListQuery{
		SeedFilter: web.SeedFilter{
			State: get("state"), Format: get("format"), Host: strings.ToLower(get("host")), Source: query.Get("source"),
			Error:  get("error"),
			Notice: get("notice"), Product: get("product"),
			Washer: get("washer"), Parent: strings.ToLower(get("parent")), Relative: get("relative"),
			HTTPStatus: get("http_status"),
		},
		ViewFilter: web.ViewFilter{
			Encoding: get("encoding"), Catalog: strings.ToLower(get("catalog")), Publisher: get("publisher"), Licence: get("licence"),
			Recipe: get("recipe"), Score: get("score"),
			TermFilter: web.TermFilter{
				Class: get("class"), Property: get("property"), Vocabulary: get("vocabulary"), Datatype: get("datatype"),
				Language: get("language"), LinksTo: get("links_to"), Statistics: get("statistics"),
			},
		},
		TurnFilter: web.TurnFilter{Turn: get("turn"), Since: get("since")}, Sort: get("sort"), Cursor: get("cursor"),
		Files: cmp.Or(get("files"), "false"), // these are files, not documents
	}
	if limit := get("limit"); limit != "" {
		if q.Limit = positive(limit); q.Limit == 0 {
			return q, web.Invalid("limit is 1 to 1,000")
		}
	}
	return q, nil
}

// positive is a small number from 1; 0 for what is none.
func positive(text string) (n int) {
	for _, c := range text {
		if c < '0' || c > '9' || n > 1e6 {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}

func (s *site) wardrobe(r *http.Request) (page, error) {
	query := r.URL.Query()
	q, err := listQuery(query)
	if err != nil {
		return page{}, err
	}
	if typed := strings.TrimSpace(query.Get("q")); typed != "" {
		return page{location: address("/search", "q", typed, "cursor", q.Cursor)}, nil
	}
	w := wardrobe{}
	q.Limit = cmp.Or(q.Limit, seedsShown)
	if w.List, err = s.read.List(r.Context(), q); err != nil {
		return page{}, err
	}
	more := query.Get("more")
	if q.Turn != "" {
		w.Turn = turnWords[q.Turn]
	} else if err := s.fillFacets(r.Context(), &w, q, query, more); err != nil {
		return page{}, err
	}
	for _, name := range append([]string{"turn", "since"}, actionFilters...) {
		if value := query.Get(name); value != "" {
			w.Chips = append(w.Chips, chipOf(r.Context(), s, name, value, changed(query, name, "")))
		}
	}
	for _, one := range []struct{ label, sort string }{
		{"added", "added"}, {"size", "size"}, {"statements", "statements"}, {"dropped", "dropped"}, {"finished", "processed"},
	} {
		w.Sorts = append(w.Sorts, sortColumn(query, one.label, one.sort))
	}
	if q.Cursor != "" {
		w.First = changed(query, "cursor", "")
	}
	if w.List.Next != "" {
		w.Next = changed(query, "cursor", w.List.Next)
	}
	w.As = waysOf(r, q)
	switch {
	case q.State != "" || q.Turn != "":
	case q.Files == "false":
		w.WithFiles = changed(query, "files", "true")
	default:
		w.WithoutFiles = changed(query, "files", "")
	}
	if len(w.List.Seeds) > 0 && q.Turn == "" {
		w.Downloads = downloadsOf(q, query)
	}
	return page{title: "Wardrobe", template: "wardrobe.html", data: w, listens: q.Cursor == "", events: eventsOf(q)}, nil
}

// eventsOf are the filters of the events that may change a list. Of a seed that is removed the stream knows
// the state alone, so no other filter may hold. It tells more then, and the page is fetched and is the same.
func eventsOf(q web.ListQuery) string {
	if q.State == "" {
		return ""
	}
	return url.Values{"state": {q.State}}.Encode()
}

// changed is the address of a list in which one parameter is another, from its first page on. What turned since a day
// has an order of its own: another order ends that filter.
func changed(query url.Values, name, value string) string {
	other, left := url.Values{}, []string{"cursor", "more", name}
	switch name {
	case "sort":
		left = append(left, "turn", "since")
	case "turn":
		left = append(left, "since")
	}
	for known, values := range query {
		if !slices.Contains(left, known) && values[0] != "" {
			other[known] = values[:1]
		}
	}
	if value != "" {
		other.Set(name, value)
	}
	if len(other) == 0 {
		return "/seeds"
	}
	return "/seeds?" + other.Encode()
}

// sortColumn turns an order on, the largest first, or round.
func sortColumn(query url.Values, label, sort string) column {
	now, isDown := strings.CutPrefix(query.Get("sort"), "-")
	if now == "" {
		now = "added"
	}
	c := column{Label: label}
	switch {
	case now == sort && isDown:
		c.Direction, c.Path = "descending", changed(query, "sort", strings.TrimPrefix(sort, "added"))
	case now == sort:
		c.Direction, c.Path = "ascending", changed(query, "sort", "-"+sort)
	default:
		c.Path = changed(query, "sort", "-"+sort)
	}
	return c
}

// fillFacets counts the values that the seeds of a list have.
func (s *site) fillFacets(ctx context.Context, w *wardrobe, q web.ListQuery, query url.Values, more string) error {
	limit := valuesShown
	if more != "" {
		if _, ok := views.FacetNamed(more); !ok {
			return web.Invalid("there is no facet " + more)
		}
		limit = moreShown
	}
	var by []views.Facet
	for _, f := range facetLabels {
		by = append(by, f.facet)
	}
	among, err := s.read.Among(ctx, q, by, limit)
	if err != nil {
		return err
	}
	w.Among = among
	for _, labelled := range facetLabels {
		name := labelled.facet.String()
		counts := among.Facets[labelled.facet]
		if query.Get(name) != "" || counts.Total == 0 {
			continue
		}
		f := facet{
			Name: name, Label: labelled.label, Total: counts.Total, IsPartial: counts.IsPartial,
			IsOpen: more == name || more == "" && (len(w.Facets) < 4 || counts.Total <= valuesShown),
		}
		shown := valuesShown
		if more == name {
			shown = moreShown
		}
		for _, c := range counts.Counts[:min(len(counts.Counts), shown)] {
			value := c.Values[0]
			one := facetValue{Value: value, Words: wordsOf(labelled.facet, value), Path: changed(query, name, value), N: c.Seeds}
			if labelled.facet == views.State || labelled.facet == views.Catalog {
				one.Name = valueName(ctx, s, labelled.facet, value)
			}
			f.Values = append(f.Values, one)
		}
		if counts.Total > len(f.Values) && shown == valuesShown {
			f.More = changed(query, "more", name) + "#facet-" + name
		}
		w.Facets = append(w.Facets, f)
	}
	return nil
}

// valueName is what people know a value by: a state in plain words, a catalog's address. It is "" where that is the
// value itself.
func valueName(ctx context.Context, s *site, f views.Facet, value string) string {
	if f == views.State {
		return wordsOf(f, value)
	}
	if name := web.CatalogName(ctx, s.read, value); name != value {
		return name
	}
	return ""
}

// wordsOf say what a value means; "" if it says that itself.
func wordsOf(f views.Facet, value string) string {
	switch f {
	case views.State:
		if words := seedlist.State(value).Words(); words != value {
			return words
		}
	case views.Judged:
		part, isLost := strings.CutSuffix(value, seedlist.FailedMark)
		if isLost {
			return "loses something in " + part
		}
		return "counts in full for " + part
	case views.Statistics:
		return map[string]string{
			views.StatisticsCut: "may use more than is listed", views.StatisticsUnread: "could not be read: in no list of terms",
		}[value]
	case views.Error, views.Notice:
		info, _ := fault.Explain(fault.Code(value))
		return info.Title
	}
	return ""
}
