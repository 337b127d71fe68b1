package faces

import (
	"encoding/xml"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"laundromat/seedlist"
	"laundromat/web"
	"laundromat/web/atom"
	"laundromat/web/metadata"
)

// numberIn is a parameter that is a number from 1 to most, or its default where it is not given.
func numberIn(query url.Values, name string, otherwise, most int) (int, error) {
	text := query.Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, web.Invalid(name + " is 1 to " + strconv.Itoa(most))
	}
	return n, nil
}

// unlisted are pages that are of no use to a crawler: forms, searches without an end, and streams.
var unlisted = []string{"/actions", "/api/v1/events", "/basket", "/search", "/signin"}

// robots says what crawlers are not to ask for, and where the sitemap is.
func (f *faces) robots(w http.ResponseWriter, r *http.Request) error {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for _, path := range unlisted {
		b.WriteString("Disallow: " + web.SiteOf(r).Path() + path + "\n")
	}
	b.WriteString("\nSitemap: " + web.BaseOf(r) + "/sitemap.xml\n")
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Write([]byte(b.String()))
	return nil
}

// sitemapLength is how many seeds a sitemap is of: so many addresses may be in one (sitemaps.org). Since it is a range
// of numbers, which no seed changes, a page stays in its sitemap.
const sitemapLength = 50_000

// sitemaps.org's elements.
type (
	sitemapIndex struct {
		XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
		Maps    []sitemapURL `xml:"sitemap"`
	}
	sitemapSet struct {
		XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		Pages   []sitemapURL `xml:"url"`
	}
	sitemapURL struct {
		Address string `xml:"loc"`
		Changed string `xml:"lastmod,omitempty"`
	}
)

// sitemapIndex names the sitemaps.
func (f *faces) sitemapIndex(w http.ResponseWriter, r *http.Request) error {
	last, err := f.read.LastNumber(r.Context())
	if err != nil {
		return err
	}
	index := sitemapIndex{}
	for n := uint64(0); n == 0 || n*sitemapLength < last; n++ {
		index.Maps = append(index.Maps, sitemapURL{Address: web.BaseOf(r) + "/sitemaps/" + strconv.FormatUint(n+1, 10) + ".xml"})
	}
	return web.SendXML(w, "application/xml; charset=utf-8", index)
}

// sitemap names the pages of some datasets.
func (f *faces) sitemap(w http.ResponseWriter, r *http.Request) error {
	number, ok := strings.CutSuffix(r.PathValue("name"), ".xml")
	n, err := strconv.ParseUint(number, 10, 32)
	if !ok || err != nil || n == 0 || strconv.FormatUint(n, 10) != number {
		return web.Nothing(r.URL.Path)
	}
	last, err := f.read.LastNumber(r.Context())
	if err != nil {
		return err
	}
	if n > 1 && (n-1)*sitemapLength >= last {
		return web.Nothing(r.URL.Path)
	}
	site, set := f.site(r), sitemapSet{}
	err = f.read.UpTo(r.Context(), (n-1)*sitemapLength, n*sitemapLength, func(seed *seedlist.Seed) {
		set.Pages = append(set.Pages, sitemapURL{site.Page(seed.Hash), timeOf(metadata.Modified(seed))})
	})
	if err != nil {
		return err
	}
	return web.SendXML(w, "application/xml; charset=utf-8", set)
}

// timeOf is a time in the form of RFC 3339; "" for none.
func timeOf(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// feedLength is how many datasets a page of the feed tells of.
const feedLength = 100

// feed tells of new and changed datasets, those that were washed last first.
func (f *faces) feed(w http.ResponseWriter, r *http.Request) error {
	ctx, cursor := r.Context(), r.URL.Query().Get("cursor")
	page, err := f.read.List(ctx, web.ListQuery{SeedFilter: web.SeedFilter{State: string(seedlist.Parsed)}, Sort: "-processed",
		Cursor: cursor, Limit: feedLength})
	if err != nil {
		return err
	}
	site := f.site(r)
	at := func(cursor string) string {
		if cursor == "" {
			return site.Base + "/feed"
		}
		return site.Base + "/feed?cursor=" + url.QueryEscape(cursor)
	}
	all := atom.Feed{ID: at(""), Title: "New and changed datasets", Author: "Laundromat " + site.Version,
		Links: []atom.Link{{Rel: "self", Href: at(cursor)}, {Rel: "alternate", Type: "text/html", Href: site.Base + "/seeds"}}}
	if page.Next != "" { // RFC 5005 §3
		all.Links = append(all.Links, atom.Link{Rel: "next", Href: at(page.Next)})
	}
	last := time.Unix(0, 0)
	for i := range page.Seeds {
		seed := &page.Seeds[i]
		one, err := f.read.Described(ctx, *seed, false)
		if err != nil {
			return err
		}
		changed := metadata.Modified(seed)
		if changed.After(last) {
			last = changed
		}
		title, description := one.Told()
		entry := atom.Entry{ID: site.ID(seed.Hash), Title: title, Updated: timeOf(changed), Published: timeOf(seed.Added),
			Summary: description, Links: []atom.Link{{Rel: "alternate", Type: "text/html", Href: site.Page(seed.Hash)}}}
		for _, form := range metadata.Forms() {
			link := atom.Link{Rel: "alternate", Type: form.MediaType, Href: site.ID(seed.Hash) + "." + form.Extension}
			entry.Links = append(entry.Links, link)
		}
		for _, file := range site.Distributions(seed) {
			entry.Links = append(entry.Links, atom.Link{Rel: "enclosure", Type: file.MediaType, Href: file.URL})
		}
		all.Entries = append(all.Entries, entry)
	}
	all.Updated = timeOf(last)
	return web.SendXML(w, "application/atom+xml; charset=utf-8", &all)
}
