package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/quality"
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
	feed := newFeed(r, s.read.Version(), "/publishers.atom", "Hosts that turned", "/publishers")
	for i := range hosts {
		h := &hosts[i]
		feed.add("/hosts/"+h.Host, h.Turned.Since, h.Host+" turned", "Something else is given in the place of its data: "+
			strconv.Itoa(h.Turned.Documents)+" of "+strconv.Itoa(h.Turned.Asked)+
			" documents that were asked for within a day. What was washed before stays served.")
	}
	feed.send(w)
}

// turnsInFeed is how many documents of each turn a feed has.
const turnsInFeed = 100

// publisherFeed tells of the documents of a publisher that began to fail, and that were mended, within a month, the
// last first.
func (s publisherSite) publisherFeed(w http.ResponseWriter, r *http.Request) {
	p, err := s.reported(r)
	var turned []turnedDocument
	if err == nil {
		turned, err = s.turned(r, &p)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	here := address("/publishers/"+p.By+"/turned.atom", "value", p.Value)
	feed := newFeed(r, s.read.Version(), here, p.Name+": documents that turned", address("/publishers/"+p.By, "value", p.Value))
	for i := range turned {
		d := &turned[i]
		name, summary := plainName(&d.Seed), "It is washed well again."
		title := name + " was mended"
		if d.turn == quality.Broken {
			title, summary = name+" began to fail", "It fails."
			if e := d.Error; e != nil {
				summary = string(e.Code) + ": " + seedlist.ShownIn(e.Message)
			}
			if d.ServedClean() != "" {
				summary += " What was washed before stays served."
			}
		}
		feed.add("/seeds/"+d.Hash, d.at, title, summary)
	}
	feed.send(w)
}

// turnedDocument is a document, and how and when it turned.
type turnedDocument struct {
	seedlist.Seed
	turn quality.Turn
	at   time.Time
}

// turned are the documents of a publisher that are broken or were mended within a month.
func (s publisherSite) turned(r *http.Request, p *publisherPage) (all []turnedDocument, err error) {
	for _, turn := range []quality.Turn{quality.Broken, quality.Mended} {
		q := p.listed()
		q.Turn, q.Limit = quality.TurnNames()[turn], turnsInFeed
		list, err := s.read.List(r.Context(), q)
		if err != nil {
			return nil, err
		}
		for i := range list.Seeds {
			all = append(all, turnedDocument{list.Seeds[i], turn, quality.TurnTimes(&list.Seeds[i])[turn]})
		}
	}
	slices.SortStableFunc(all, func(a, b turnedDocument) int { return b.at.Compare(a.at) })
	return all, nil
}

// feedOf is a feed of this site. What is added first is the last that happened.
type feedOf struct {
	atom.Feed
	base string
}

// newFeed begins a feed at a path, about another.
func newFeed(r *http.Request, version, path, title, about string) *feedOf {
	f := &feedOf{base: web.BaseOf(r)}
	f.Feed = atom.Feed{
		ID: f.base + path, Title: title, Updated: time.Unix(0, 0).UTC().Format(time.RFC3339), Author: "Laundromat " + version,
		Links: []atom.Link{{Rel: "self", Href: f.base + path}, {Href: f.base + about}},
	}
	return f
}

// add adds what happened to the thing at a path.
func (f *feedOf) add(path string, at time.Time, title, summary string) {
	since, to := at.UTC().Format(time.RFC3339), f.base+(&url.URL{Path: path}).EscapedPath()
	if len(f.Entries) == 0 {
		f.Updated = since
	}
	f.Entries = append(f.Entries, atom.Entry{
		ID: to + "#" + since, Title: title, Updated: since, Links: []atom.Link{{Href: to}}, Summary: summary,
	})
}

func (f *feedOf) send(w http.ResponseWriter) {
	if err := web.SendXML(w, "application/atom+xml; charset=utf-8", &f.Feed); err != nil {
		http.Error(w, "this feed could not be made: "+err.Error(), http.StatusInternalServerError)
	}
}
