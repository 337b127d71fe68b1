package pages

import (
	"net/http"
	"slices"
	"strconv"

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
	Kinds    []catalog.Kind
	MayAdd   bool
}

func (s *site) catalogs(r *http.Request) (page, error) {
	all, next, err := s.read.Catalogs(r.Context(), r.URL.Query().Get("cursor"), catalogsShown)
	if err != nil {
		return page{}, err
	}
	return page{title: "Catalogs", template: "catalogs.html", data: catalogList{all, next, catalog.Kinds(), mayAdd(r)}}, nil
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
	wanted := web.NewCatalog{URI: r.PostForm.Get("uri")}
	wanted.Kind = r.PostForm.Get("kind")
	if text := r.PostForm.Get("interval"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil || seconds < 0 {
			return page{}, unprocessable("interval is a number of seconds, not " + strconv.Quote(text))
		}
		wanted.Interval = seconds
	}
	added, err := s.read.AddCatalog(r.Context(), wanted)
	if err != nil {
		return page{}, err
	}
	return page{location: "/catalogs/" + added.Catalog.Hash}, nil
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
