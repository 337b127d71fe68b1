package catalog

import "strings"

// feedLink is a link of an entry.
type feedLink struct{ uri, rel, kind, length, title string }

// feed reads RSS (0.9x, 1.0, 2.0) and Atom (RFC 4287, paged as in RFC 5005). An entry
// gives its enclosures; one without any, the link that is said to be RDF, or its only
// one.
func (r *reading) feed() error {
	r.hyper = true
	x := r.xml()
	var links []feedLink
	var title, updated, license, publisher, feedLicense, feedPublisher, about string
	attrsOf := map[int]map[string]string{}
	return x.walk(
		func(name string, attrs map[string]string) error {
			attrsOf[len(x.open)] = attrs
			if isEntry(name) {
				links, title, updated, license, publisher, about = nil, "", "", "", "", attrs["about"]
			}
			return nil
		},
		func(name, text string) error {
			attrs := attrsOf[len(x.open)]
			delete(attrsOf, len(x.open))
			entry := x.in("item") || x.in("entry")
			switch {
			case isEntry(name):
				return r.feedEntry(links, firstOf(about), title, updated, firstOf(license, feedLicense), firstOf(publisher, feedPublisher))
			case name == "link" && !entry:
				if attrs["rel"] == "next" {
					r.next(attrs["href"], Feed)
				}
			case name == "link" || name == "enclosure":
				link := feedLink{uri: firstOf(attrs["href"], attrs["url"], text), rel: attrs["rel"], kind: attrs["type"], length: attrs["length"], title: attrs["title"]}
				if name == "enclosure" {
					link.rel = "enclosure"
				}
				links = append(links, link)
				return r.hold(len(link.uri) / 4)
			case name == "content" && attrs["src"] != "" && entry:
				links = append(links, feedLink{uri: attrs["src"], kind: attrs["type"], rel: "enclosure"})
			case name == "title" && entry && (x.parent() == "item" || x.parent() == "entry"):
				title = firstOf(title, text)
			case name == "updated" || name == "pubdate" || name == "modified" || name == "date":
				if entry {
					updated = firstOf(text, updated)
				}
			case name == "rights" || name == "license" || name == "copyright":
				if s := firstOf(text, attrs["resource"]); entry {
					license = s
				} else {
					feedLicense = s
				}
			case name == "publisher" || name == "name" && x.parent() == "author" || name == "creator":
				if entry {
					publisher = firstOf(publisher, text)
				} else {
					feedPublisher = firstOf(feedPublisher, text)
				}
			}
			return nil
		})
}

func isEntry(name string) bool { return name == "item" || name == "entry" }

func (r *reading) feedEntry(links []feedLink, about, title, updated, license, publisher string) error {
	chosen := []feedLink{}
	for _, want := range []func(feedLink) bool{
		func(l feedLink) bool { return l.rel == "enclosure" },
		func(l feedLink) bool { return natureOf(l.kind) == isRDF || natureOfName(l.uri) == isRDF },
		func(l feedLink) bool { return l.rel == "" || l.rel == "alternate" },
	} {
		for _, link := range links {
			if len(chosen) == 0 || want(chosen[0]) {
				if want(link) && link.uri != "" {
					chosen = append(chosen, link)
				}
			}
		}
		if len(chosen) > 0 {
			break
		}
	}
	if len(chosen) == 0 && about != "" {
		chosen = append(chosen, feedLink{uri: about})
	}
	if len(chosen) == 0 {
		return r.refuse(clean(title), NoURI, "an entry without a link")
	}
	for _, link := range chosen {
		claims := Claims{}
		claims.set(License, license)
		claims.set(Publisher, publisher)
		if link.rel == "enclosure" || len(chosen) == 1 {
			claims.setModified(updated)
		}
		claims.setSize(link.length)
		kind := mediaType(link.kind)
		if strings.Contains(kind, "/") {
			claims.set(MediaType, kind)
		}
		if err := r.take(found{uri: link.uri, title: firstOf(title, link.title), formats: []string{kind}, claims: claims}); err != nil {
			return err
		}
	}
	return nil
}
