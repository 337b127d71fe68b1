package catalog

import "strings"

// feedReader reads a feed, an entry at a time.
type feedReader struct {
	*reading
	x     *xmlText
	attrs map[int]map[string]string // of the open elements, by depth
	entry feedEntry                 // the current one
	// license and publisher are those of the feed, for entries without their own.
	license, publisher string
}

// feedEntry is what a feed says of an entry.
type feedEntry struct {
	about, guid, title, updated, license, publisher string
	links                                           []feedLink
}

// feedLink is a link of an entry.
type feedLink struct{ uri, rel, kind, length, title string }

// feed reads RSS (0.9x, 1.0, 2.0) and Atom (RFC 4287, paged as in RFC 5005). An entry
// gives its enclosures; one without any, the link that is said to be RDF, or its only one. One
// without a link gives what it is about, or its permanent link (guid).
func (r *reading) feed() error {
	r.hyper = true
	f := &feedReader{reading: r, x: r.xml(), attrs: map[int]map[string]string{}}
	return f.x.walk(f.start, f.end)
}

func isEntry(name string) bool { return name == "item" || name == "entry" }

func (f *feedReader) inEntry() bool { return f.x.in("item") || f.x.in("entry") }

func (f *feedReader) start(name string, attrs map[string]string) error {
	f.attrs[len(f.x.open)] = attrs
	if isEntry(name) {
		f.entry = feedEntry{about: f.x.absolute(attrs["about"])}
	}
	return nil
}

func (f *feedReader) end(name, text string) error {
	attrs := f.attrs[len(f.x.open)]
	delete(f.attrs, len(f.x.open))
	switch {
	case isEntry(name):
		e := f.entry
		e.about = firstOf(e.about)
		e.license, e.publisher = firstOf(e.license, f.license), firstOf(e.publisher, f.publisher)
		return f.give(&e)
	case f.x.in("source"): // of another feed, that the entry was taken from
	case name == "link" && !f.inEntry():
		if attrs["rel"] == "next" {
			f.next(f.x.absolute(attrs["href"]), Feed)
		}
	case name == "link" || name == "enclosure":
		link := feedLink{uri: firstOf(attrs["href"], attrs["url"], text), rel: strings.ToLower(attrs["rel"]), kind: attrs["type"],
			length: attrs["length"], title: attrs["title"]}
		if name == "enclosure" {
			link.rel = "enclosure"
		}
		return f.link(link)
	case name == "content" && attrs["src"] != "" && f.inEntry():
		return f.link(feedLink{uri: attrs["src"], kind: attrs["type"], rel: "enclosure"})
	case name == "content" && attrs["url"] != "" && f.inEntry(): // of Media RSS; mostly a picture
		if media := (feedLink{uri: attrs["url"], kind: attrs["type"], rel: "enclosure", length: attrs["filesize"]}); media.isRDF() {
			return f.link(media)
		}
	case name == "guid" && f.inEntry() && !strings.EqualFold(attrs["ispermalink"], "false"):
		f.entry.guid = f.x.absolute(text)
	default:
		f.describe(name, text, attrs)
	}
	return nil
}

// link notes a link of the entry at hand.
func (f *feedReader) link(link feedLink) error {
	link.uri = f.x.absolute(link.uri)
	f.entry.links = append(f.entry.links, link)
	return f.hold(len(link.uri) / 4)
}

func (l feedLink) isRDF() bool { return natureOf(l.kind) == isRDF || natureOfName(l.uri) == isRDF }

// describe notes what an element says of the entry that it is in, or of the feed.
func (f *feedReader) describe(name, text string, attrs map[string]string) {
	inEntry := f.inEntry()
	switch name {
	case "title":
		if isEntry(f.x.parent()) && inEntry {
			f.entry.title = firstOf(f.entry.title, text)
		}
	case "updated", "pubdate", "modified", "date":
		if inEntry {
			f.entry.updated = firstOf(text, f.entry.updated)
		}
	case "rights", "license", "copyright":
		if s := firstOf(text, attrs["resource"]); inEntry {
			f.entry.license = s
		} else {
			f.license = s
		}
	case "publisher", "creator":
		f.publishedBy(text, inEntry)
	case "name":
		if f.x.parent() == "author" {
			f.publishedBy(text, inEntry)
		}
	}
}

func (f *feedReader) publishedBy(name string, inEntry bool) {
	if inEntry {
		f.entry.publisher = firstOf(f.entry.publisher, name)
	} else {
		f.publisher = firstOf(f.publisher, name)
	}
}

// chosen are the links of an entry that lead to its documents.
func (e *feedEntry) chosen() []feedLink {
	chosen := []feedLink{}
	for _, want := range []func(feedLink) bool{
		func(l feedLink) bool { return l.rel == "enclosure" },
		feedLink.isRDF,
		func(l feedLink) bool { return l.rel == "" || l.rel == "alternate" },
	} {
		for _, link := range e.links {
			if len(chosen) == 0 || want(chosen[0]) {
				if want(link) && link.uri != "" {
					chosen = append(chosen, link)
				}
			}
		}
		if len(chosen) > 0 {
			return chosen
		}
	}
	if uri := firstOf(e.about, e.guid); uri != "" {
		chosen = append(chosen, feedLink{uri: uri})
	}
	return chosen
}

// give takes the documents of an entry.
func (r *reading) give(e *feedEntry) error {
	chosen := e.chosen()
	if len(chosen) == 0 {
		return r.refuse(clean(e.title), NoURI, "an entry without a link")
	}
	for _, link := range chosen {
		claims := Claims{}
		claims.set(License, e.license)
		claims.set(Publisher, e.publisher)
		if link.rel == "enclosure" || len(chosen) == 1 {
			claims.setModified(e.updated)
		}
		claims.setSize(link.length)
		kind := mediaType(link.kind)
		if strings.Contains(kind, "/") {
			claims.set(MediaType, kind)
		}
		if err := r.take(found{uri: link.uri, title: firstOf(e.title, link.title), formats: []string{kind}, claims: claims}); err != nil {
			return err
		}
	}
	return nil
}
