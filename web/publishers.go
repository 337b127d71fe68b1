package web

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/internal/fault"
	"laundromat/internal/spelling"
	"laundromat/seedlist"
	"laundromat/seedlist/quality"
	"laundromat/seedlist/views"
)

// publishersAPI is the part of the API that sums up documents by who publishes them.
type publishersAPI struct{ *api }

// ofPublishers are the operations about publishers.
func ofPublishers(a *api) []operation {
	p := publishersAPI{a}
	return []operation{
		get("/api/v1/publishers", p.list),
		get("/api/v1/publishers/{by}", p.show),
		get("/api/v1/compare", p.compareReply),
		get("/api/v1/removed", p.removedReply),
	}
}

// Publisher is the sums of the documents of a host, a catalog, a publisher or a licence, with their score.
type Publisher struct {
	Value string `json:"value"`
	// Name is the address of a catalog, whose value is a hash; of others it is the value.
	Name string `json:"name"`
	quality.Score
	// Age is how old the bytes are on average, in days.
	Age *float64 `json:"age,omitempty" doc:"days since the bytes came, on average"`
	quality.Sums
}

// Publishers are those of a facet.
type Publishers struct {
	By         string      `json:"by"`
	Publishers []Publisher `json:"publishers"`
	Total      int         `json:"total" doc:"of values that match, also of those that are on other pages"`
	AsOf       views.AsOf  `json:"as_of"`
	Note       string      `json:"note,omitempty"`
}

// PublisherQuery says which values of a facet to list, and in which order.
type PublisherQuery struct {
	By    string `query:"by" default:"host" doc:"host, catalog, publisher or licence"`
	Sort  string `query:"sort" default:"score" doc:"score (the worst first), documents, failed, dropped, statements, age or name; a - before it: the other way round"`
	Find  string `query:"find" doc:"only those whose name has this text"`
	Least int64  `query:"least" minimum:"0" doc:"only those with so many documents at least"`
	Limit int    `query:"limit" minimum:"1" maximum:"10000" default:"100"`
	From  int    `query:"from" minimum:"0" doc:"how many are left out at the beginning"`
}

// publisherOrders are the orders of lists of publishers. What is to be looked at first comes first.
var publisherOrders = map[string]func(a, b *rankedPublisher) int{
	"score":     func(a, b *rankedPublisher) int { return cmp.Compare(a.points, b.points) },
	"documents": func(a, b *rankedPublisher) int { return cmp.Compare(b.group.Documents, a.group.Documents) },
	"failed":    func(a, b *rankedPublisher) int { return cmp.Compare(b.group.Failed.All(), a.group.Failed.All()) },
	"dropped": func(a, b *rankedPublisher) int {
		return cmp.Compare(b.group.Statements.Dropped, a.group.Statements.Dropped)
	},
	"statements": func(a, b *rankedPublisher) int {
		return cmp.Compare(b.group.Statements.Written, a.group.Statements.Written)
	},
	"age":  func(a, b *rankedPublisher) int { return cmp.Compare(b.age, a.age) },
	"name": func(a, b *rankedPublisher) int { return strings.Compare(a.name, b.name) },
}

// PublisherOrders are the names of the orders.
func PublisherOrders() []string {
	return []string{"score", "documents", "failed", "dropped", "statements", "age", "name"}
}

func publisherOf(g *views.Group, name string, now time.Time) Publisher {
	p := Publisher{Value: g.Value, Name: name, Score: g.Sums.Score(), Sums: g.Sums}
	if age, ok := g.Age(now); ok {
		days := age.Hours() / 24
		p.Age = &days
	}
	return p
}

// groupNamed is the facet by which there are sums.
func groupNamed(name string) (views.Facet, error) {
	f, ok := views.FacetNamed(name)
	if !ok || !views.IsGroup(f) {
		message := "there are no sums by " + strconv.Quote(name) + "; there are sums by " + strings.Join(views.Groups(), ", ")
		if near := spelling.Nearest(name, views.Groups()...); near != "" {
			message += "; did you mean " + near + "?"
		}
		return f, huma.Error422UnprocessableEntity(message)
	}
	return f, nil
}

func (a publishersAPI) viewed(ctx context.Context) error {
	if a.Views == nil {
		return huma.Error503ServiceUnavailable(`sums of publishers are kept by a daemon: start "laundromat serve"`)
	}
	return problem(a.catchUp(ctx))
}

// names are those of the values of a facet, where they are others than the values.
func (a publishersAPI) names(ctx context.Context, by views.Facet) (names map[string]string, err error) {
	if by != views.Catalog {
		return nil, nil
	}
	names = map[string]string{}
	for cursor := ""; ; {
		page, next, err := a.Seeds.Catalogs(ctx, cursor, mostListed)
		if err != nil {
			return nil, problem(err)
		}
		for i := range page {
			names[page[i].Hash] = seedlist.Shown(page[i].URI)
		}
		if cursor = next; next == "" {
			return names, nil
		}
	}
}

type publishersReply struct{ Body Publishers }

func (a publishersAPI) list(ctx context.Context, r *PublisherQuery) (*publishersReply, error) {
	body, err := a.all(ctx, r)
	if err != nil {
		return nil, err
	}
	return &publishersReply{Body: body}, nil
}

func (a publishersAPI) all(ctx context.Context, r *PublisherQuery) (all Publishers, err error) {
	by, err := groupNamed(r.By)
	if err != nil {
		return all, err
	}
	sort, isTurned := strings.CutPrefix(r.Sort, "-")
	order := publisherOrders[sort]
	if order == nil {
		return all, huma.Error422UnprocessableEntity("there is no order " + strconv.Quote(sort) + "; there are " +
			strings.Join(PublisherOrders(), ", "))
	}
	if err := a.viewed(ctx); err != nil {
		return all, err
	}
	ranked, err := a.rankedBy(ctx, by, r.Sort, func(x, y *rankedPublisher) int {
		c := order(x, y)
		if isTurned {
			c = -c
		}
		return cmp.Or(c, cmp.Compare(y.group.Documents, x.group.Documents), strings.Compare(x.name, y.name))
	})
	if err != nil {
		return all, err
	}
	all = Publishers{By: r.By, Publishers: []Publisher{}, AsOf: ranked.sums.AsOf}
	now, wanted := time.Now(), strings.ToLower(strings.TrimSpace(r.Find))
	for _, at := range ranked.order {
		g := &ranked.sums.Groups[at]
		name := cmp.Or(ranked.names[g.Value], g.Value)
		if g.Documents < r.Least || wanted != "" && !strings.Contains(strings.ToLower(name), wanted) {
			continue
		}
		if all.Total >= r.From && len(all.Publishers) < r.Limit {
			all.Publishers = append(all.Publishers, publisherOf(g, name, now))
		}
		all.Total++
	}
	switch {
	case all.AsOf.Building:
		all.Note = fmt.Sprintf("the sums are being made anew, and are of %d seeds so far", all.AsOf.Seeds)
	case ranked.sums.IsCut:
		all.Note = fmt.Sprintf("%d values were looked at, as many as may be", len(ranked.sums.Groups))
	}
	return all, nil
}

// PublisherWhole is all that is known of the documents of a publisher together.
type PublisherWhole struct {
	By string `json:"by"`
	Publisher
	// Mend are the notices that cost something: those that dropped most first, then repairs, then ill-typed literals.
	Mend   []ToMend     `json:"mend"`
	Months []views.Span `json:"months" doc:"what was so at the end of each month"`
	Days   []views.Span `json:"days" doc:"what was so at the end of each day of the last two months"`
	AsOf   views.AsOf   `json:"as_of"`
	Note   string       `json:"note,omitempty"`
}

// ToMend is a notice of a publisher's documents, and how to mend it.
type ToMend struct {
	fault.Info
	Documents int64 `json:"documents"`
	Times     int64 `json:"times"`
}

type publisherRequest struct {
	By    string `path:"by" doc:"host, catalog, publisher or licence"`
	Value string `query:"value" required:"true" doc:"the host, the hash of the catalog, the publisher or the licence"`
}

type publisherReply struct{ Body PublisherWhole }

func (a publishersAPI) show(ctx context.Context, r *publisherRequest) (*publisherReply, error) {
	body, err := a.one(ctx, r.By, r.Value)
	if err != nil {
		return nil, err
	}
	return &publisherReply{Body: body}, nil
}

func (a publishersAPI) one(ctx context.Context, name, value string) (whole PublisherWhole, err error) {
	by, err := groupNamed(name)
	if err == nil {
		err = a.viewed(ctx)
	}
	if err != nil {
		return whole, err
	}
	if by == views.Host || by == views.Catalog {
		value = strings.ToLower(value)
	}
	found, ok, err := a.Views.Whole(ctx, by, value)
	if err != nil {
		return whole, problem(err)
	}
	if !ok {
		return whole, huma.Error404NotFound("there is no document of the " + name + " " + strconv.Quote(value))
	}
	shown := a.nameOf(ctx, name, value)
	whole = PublisherWhole{By: name, Publisher: publisherOf(&found.Group, shown, time.Now()), Mend: toMend(found.Findings),
		Months: found.Months, Days: found.Days, AsOf: found.AsOf}
	if found.AsOf.Building {
		whole.Note = fmt.Sprintf("the sums are being made anew, and are of %d seeds so far", found.AsOf.Seeds)
	}
	return whole, nil
}

// nameOf is what people know a value of a facet by.
func (a publishersAPI) nameOf(ctx context.Context, by, value string) string {
	if by == views.Catalog.String() {
		if c, err := a.Seeds.Catalog(ctx, value); err == nil {
			return seedlist.Shown(c.URI)
		}
	}
	return value
}

// toMend are the notices that cost something, in the order of what mending them wins: statements that are lost, then
// those that are changed, then ill-typed literals, then other warnings.
func toMend(findings []views.Finding) []ToMend {
	all := []ToMend{}
	for _, f := range findings {
		info, _ := fault.Explain(f.Code)
		if info.Severity >= fault.Warning && f.Times > 0 {
			all = append(all, ToMend{info, f.Documents, f.Times})
		}
	}
	slices.SortStableFunc(all, func(a, b ToMend) int {
		return cmp.Or(cmp.Compare(worth(b), worth(a)), cmp.Compare(b.Times, a.Times), cmp.Compare(b.Documents, a.Documents))
	})
	return all
}

// worth is larger for what is to be mended first.
func worth(m ToMend) int {
	n := 2 * int(m.Severity)
	if m.Code == fault.LiteralIllTyped {
		n++
	}
	return n
}

// Publishers are the sums of the values of a facet.
func (r *Reader) Publishers(ctx context.Context, q PublisherQuery) (Publishers, error) {
	return publishersAPI{r.a}.all(ctx, &q)
}

// Publisher is all that is summed up of one value of a facet.
func (r *Reader) Publisher(ctx context.Context, by, value string) (PublisherWhole, error) {
	return publishersAPI{r.a}.one(ctx, by, value)
}
