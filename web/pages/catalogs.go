package pages

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"laundromat/seedlist"
	"laundromat/seedlist/catalog"
	"laundromat/web"
)

// catalogsShown is how many catalogs, and seeds of one, a page has.
const catalogsShown = 50

// catalogList is a page of the catalogs, oldest first.
type catalogList struct {
	Catalogs []seedlist.Catalog
	Next     string
	Form     catalogForm
	MayAdd   bool
}

// catalogForm is the form that adds a catalog, with what was typed into it.
type catalogForm struct {
	URI, Kind, Interval string
	Wrong               string // why it was refused; "" where it was not
}

// Kinds are those of catalogs.
func (f catalogForm) Kinds() []catalog.Kind { return catalog.Kinds() }

// harvestPause is after which time a catalog is harvested again.
type harvestPause struct{ Seconds, Words string }

// Intervals are the pauses that the form offers.
func (f catalogForm) Intervals() []harvestPause {
	return []harvestPause{{"86400", "each day"}, {"604800", "each week"}, {"2592000", "each month"}, {"0", "when asked for"}}
}

func (s *site) catalogs(r *http.Request) (page, error) { return catalogsWith(s, r, catalogForm{}) }

// catalogsWith is the page with a form as it was typed.
func catalogsWith(s *site, r *http.Request, form catalogForm) (page, error) {
	all, next, err := s.read.Catalogs(r.Context(), r.URL.Query().Get("cursor"), catalogsShown)
	if err != nil {
		return page{}, err
	}
	return page{title: "Catalogs", template: "catalogs.html", data: catalogList{all, next, form, mayAdd(r)},
		status: statusOf(form.Wrong)}, nil
}

// catalogPage is one catalog: its settings, what its last harvests found and refused, and the first seeds.
type catalogPage struct {
	web.Catalog
	Refused    []refusedCount
	Attempts   attempts
	MayOperate bool
}

// refusedCount is how many entries were refused for a reason.
type refusedCount struct {
	Reason string
	N      int64
}

func (s *site) catalog(r *http.Request) (page, error) {
	found, err := s.read.Catalog(r.Context(), r.PathValue("hash"))
	if err != nil {
		return page{}, err
	}
	c := catalogPage{Catalog: found, MayOperate: mayOperate(r)}
	for reason, n := range found.Catalog.Refused {
		c.Refused = append(c.Refused, refusedCount{reason, n})
	}
	slices.SortFunc(c.Refused, func(a, b refusedCount) int { return int(min(max(b.N-a.N, -1), 1)) })
	all, err := attemptsOf(r.Context(), s.read, found.Catalog.Hash, 0)
	if err != nil {
		return page{}, err
	}
	c.Attempts = all
	return page{title: seedlist.Shown(found.Catalog.URI), template: "catalog.html", data: c}, nil
}

func (s *site) addCatalog(r *http.Request) (page, error) {
	if err := parseForm(r, mostForm); err != nil {
		return page{}, err
	}
	form := catalogForm{URI: strings.TrimSpace(r.PostForm.Get("uri")), Kind: r.PostForm.Get("kind"), Interval: r.PostForm.Get("interval")}
	wanted := web.NewCatalog{URI: form.URI}
	wanted.Kind = form.Kind
	if form.Interval != "" {
		seconds, err := strconv.ParseInt(form.Interval, 10, 64)
		if err != nil || seconds < 0 {
			form.Wrong = "the time after which it is harvested again is a number of seconds, not " + strconv.Quote(form.Interval)
			return catalogsWith(s, r, form)
		}
		wanted.Interval = seconds
	}
	added, err := s.read.AddCatalog(r.Context(), wanted)
	if form.Wrong = wrongIn(err); form.Wrong != "" {
		if meant := uriMeant(form.URI); meant != "" {
			form.Wrong += ": did you mean " + meant + "?"
		}
		return catalogsWith(s, r, form)
	}
	if err != nil {
		return page{}, err
	}
	return page{location: "/catalogs/" + added.Catalog.Hash}, nil
}

// statusOf is the status of a page that shows a form again, which was refused for a reason.
func statusOf(wrong string) int {
	if wrong == "" {
		return http.StatusOK
	}
	return http.StatusUnprocessableEntity
}

// wrongIn is what is wrong with what somebody typed, where an error says that; else "".
func wrongIn(err error) string {
	if err == nil {
		return ""
	}
	if problem := web.ProblemOf(err); problem.Status == http.StatusUnprocessableEntity {
		return problem.Detail
	}
	return ""
}

// uriMeant is what somebody probably meant who typed a host and a path without a scheme; "" for all else.
func uriMeant(typed string) string {
	host, _, _ := strings.Cut(typed, "/")
	name, port, _ := strings.Cut(host, ":")
	if !strings.Contains(strings.Trim(name, "."), ".") || strings.ContainsAny(host, "?#@ ") || strings.Trim(port, "0123456789") != "" {
		return ""
	}
	u, err := seedlist.ParseURI("https://" + typed)
	if err != nil || u.Relative {
		return ""
	}
	return u.Shown()
}

// mostForm is the longest form, but for that of the basket, in bytes.
const mostForm = 64 << 10

func (s *site) harvest(r *http.Request) (page, error) {
	hash := r.PathValue("hash")
	if err := parseForm(r, mostForm); err != nil {
		return page{}, err
	}
	return page{location: "/catalogs/" + hash}, s.read.Harvest(r.Context(), hash, r.PostForm.Has("accept"))
}

func (s *site) removeCatalog(r *http.Request) (page, error) {
	return page{location: "/catalogs"}, s.read.RemoveCatalog(r.Context(), r.PathValue("hash"))
}
