// Package atom has feeds (RFC 4287) as encoding/xml writes them.
package atom

import "encoding/xml"

// Feed is a feed. Times are as RFC 3339 has them.
type Feed struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Author  string   `xml:"author>name"`
	Links   []Link   `xml:"link"`
	Entries []Entry  `xml:"entry"`
}

// Link leads from a feed or an entry to something else. Without Rel, that is what it tells of.
type Link struct {
	Rel  string `xml:"rel,attr,omitempty"`
	Type string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

// Entry is something that a feed tells of.
type Entry struct {
	ID        string `xml:"id"`
	Title     string `xml:"title"`
	Updated   string `xml:"updated"`
	Published string `xml:"published,omitempty"`
	Links     []Link `xml:"link"`
	Summary   string `xml:"summary"`
}
