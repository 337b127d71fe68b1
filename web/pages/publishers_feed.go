package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"laundromat/seedlist"
	"laundromat/web"
	"laundromat/web/atom"
)

// publishersFeed tells of the hosts that give something else in the place of their data, the last that turned first.
func (s publisherSite) publishersFeed(w http.ResponseWriter, r *http.Request) {
	err := web.Unknown(r.URL.Query(), nil)
	var hosts []seedlist.HostUse
	if err == nil {
		hosts, err = s.read.Hosts(r.Context())
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	hosts = slices.DeleteFunc(hosts, func(h seedlist.HostUse) bool { return h.Turned == nil })
	slices.SortFunc(hosts, func(a, b seedlist.HostUse) int { return b.Turned.Since.Compare(a.Turned.Since) })
	base := web.BaseOf(r)
	absolute := func(path string) string { return base + (&url.URL{Path: path}).EscapedPath() }
	feed := atom.Feed{
		ID: absolute("/publishers.atom"), Title: "Hosts that turned", Updated: time.Unix(0, 0).UTC().Format(time.RFC3339),
		Author: "Laundromat " + s.read.Version(),
		Links:  []atom.Link{{Rel: "self", Href: absolute("/publishers.atom")}, {Href: absolute("/publishers")}},
	}
	for i := range hosts {
		h := &hosts[i]
		since := h.Turned.Since.UTC().Format(time.RFC3339)
		if i == 0 {
			feed.Updated = since
		}
		to := absolute("/hosts/" + h.Host)
		feed.Entries = append(feed.Entries, atom.Entry{
			ID: to + "#" + since, Title: h.Host + " turned", Updated: since, Links: []atom.Link{{Href: to}},
			Summary: "Something else is given in the place of its data: " + strconv.Itoa(h.Turned.Documents) + " of " +
				strconv.Itoa(h.Turned.Asked) + " documents that were asked for within a day. What was washed before stays served.",
		})
	}
	if err := web.SendXML(w, "application/atom+xml; charset=utf-8", &feed); err != nil {
		http.Error(w, "this feed could not be made: "+err.Error(), http.StatusInternalServerError)
	}
}
