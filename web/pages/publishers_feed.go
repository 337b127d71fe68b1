package pages

import (
	"encoding/xml"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"laundromat/seedlist"
	"laundromat/web"
)

// atomFeed is a feed as RFC 4287 has it.
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  atomAuthor  `xml:"author"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomAuthor struct {
	Name string `xml:"name"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Link    atomLink `xml:"link"`
	Summary string   `xml:"summary"`
}

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
	feed := atomFeed{
		ID: absolute("/publishers.atom"), Title: "Hosts that turned", Updated: time.Unix(0, 0).UTC().Format(time.RFC3339),
		Author: atomAuthor{"Laundromat " + s.read.Version()},
		Links:  []atomLink{{"self", absolute("/publishers.atom")}, {"", absolute("/publishers")}},
	}
	for i := range hosts {
		h := &hosts[i]
		since := h.Turned.Since.UTC().Format(time.RFC3339)
		if i == 0 {
			feed.Updated = since
		}
		to := absolute("/hosts/" + h.Host)
		feed.Entries = append(feed.Entries, atomEntry{
			ID: to + "#" + since, Title: h.Host + " turned", Updated: since, Link: atomLink{Href: to},
			Summary: "Something else is given in the place of its data: " + strconv.Itoa(h.Turned.Documents) + " of " +
				strconv.Itoa(h.Turned.Asked) + " documents that were asked for within a day. What was washed before stays served.",
		})
	}
	text, err := xml.MarshalIndent(feed, "", " ")
	if err != nil {
		http.Error(w, "this feed could not be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/atom+xml; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Write([]byte(xml.Header))
	w.Write(append(text, '\n'))
}
