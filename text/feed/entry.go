package feed

import (
	"strings"

	"laundromat/markup/page"
	"laundromat/text"
	"laundromat/text/article"
	"laundromat/text/block"
)

// entry is what an entry of a feed holds.
type entry struct {
	at          int // where it begins
	isAtom      bool
	base, about string
	language    string

	title                               value
	encoded, body, description, summary value
	link, alternate, guid               string
	isPermalink                         bool
	dates                               [4]string // the best first
	content                             decoded   // what the article is made of
}

// value is the content of an element, as it is written.
type value struct {
	found      bool
	start, end int
	base       string
	isPlain    bool // text, in which nothing is markup
	isXHTML    bool
	isMedia    bool // a picture or the like, or content that is elsewhere
}

// decoded is a value without its escapes, and where each byte of it stands.
type decoded struct {
	text     []byte
	places   text.Places
	isMarkup bool // it has elements that are not escaped: text is as it is written
}

// decode takes the escapes of XML off a value.
func (v *value) decode(source []byte) decoded {
	inner := source[v.start:v.end]
	tags := page.NewTags(inner)
	var d decoded
	for {
		switch tags.Next() {
		case page.EndOfTags:
			if rest := inner[tags.From:]; len(rest) > 0 { // a tag that the value ends in
				d.text, d.places = block.Decode(d.text, d.places, string(rest), v.start+tags.From)
			}
			return d
		case page.Chars:
			d.text, d.places = block.Decode(d.text, d.places, string(inner[tags.From:tags.To]), v.start+tags.From)
		case page.Section:
			section := inner[tags.Inner[0]:tags.Inner[1]]
			if len(section) > 0 {
				d.places = d.places.Append(text.Run{Text: len(d.text), Length: len(section), Source: v.start + tags.Inner[0], SourceLength: len(section)})
				d.text = append(d.text, section...)
			}
		case page.StartTag, page.EndTag:
			if tags.Kind == page.StartTag {
				return decoded{inner, text.Places{{Text: 0, Length: len(inner), Source: v.start, SourceLength: len(inner)}}, true}
			}
		}
	}
}

// shown is a value as one line of text.
func (v *value) shown(source []byte) string {
	return strings.Join(strings.Fields(string(v.decode(source).text)), " ")
}

// readEntry reads the elements of an entry up to its end tag; not whole if the feed ends before that.
func (f *reader) readEntry(e *entry, name string) (whole bool) {
	for {
		switch f.tags.Next() {
		case page.EndOfTags:
			return false
		case page.EndTag:
			if strings.EqualFold(f.tags.Name(), name) {
				return true
			}
		case page.StartTag:
			if !f.field(e, name) {
				return false
			}
		}
	}
}

// field reads an element of an entry.
func (f *reader) field(e *entry, around string) (whole bool) {
	name := f.tags.Name()
	lower := strings.ToLower(name)
	tag := *f.tags // its attributes are asked for when it is known what it is
	v := value{found: true, start: f.tags.To, end: f.tags.To}
	whole = true
	if !f.tags.SelfEnds() {
		v.end, whole = f.endOf(name, around)
	}
	switch lower {
	case "title", "atom:title", "rss:title":
		if !e.title.found {
			e.title = v.typed(&tag, e.isAtom)
		}
	case "content:encoded", "encoded", "content-encoded":
		e.encoded = v
	case "content", "atom:content":
		if typed := v.typed(&tag, true); !e.body.found || e.body.isMedia {
			e.body = typed
		}
	case "xhtml:body", "body":
		if !e.body.found {
			e.body = v
			e.body.isXHTML = true
		}
	case "description", "rss:description":
		e.description = v
	case "summary", "atom:summary":
		e.summary = v.typed(&tag, true)
	case "link", "atom:link", "rss:link":
		f.link(e, &tag, &v)
	case "guid", "id", "atom:id":
		e.guid = v.shown(f.source)
		e.isPermalink = lower == "guid" && !strings.EqualFold(tag.Attr("ispermalink"), "false")
	case "feedburner:origlink":
		e.alternate = v.shown(f.source)
	default:
		if rank, ok := dateElements[lower]; ok && e.dates[rank] == "" {
			e.dates[rank] = v.shown(f.source)
		}
	}
	return whole
}

// dateElements are the elements that say when an entry was published. Atom demands only when it was last updated,
// which is taken where nothing else is there.
var dateElements = map[string]int{"pubdate": 0, "published": 0, "atom:published": 0, "issued": 0, "dc:date": 1, "dcterms:issued": 1, "dc:issued": 1, "date": 1,
	"created": 2, "dcterms:created": 2, "dc:created": 2, "updated": 3, "atom:updated": 3, "modified": 3, "dcterms:modified": 3}

// typed reads the attributes that say how a value of Atom is written.
func (v value) typed(tag *page.Tags, isAtom bool) value {
	v.base = tag.Attr("xml:base")
	if !isAtom {
		return v
	}
	typ := strings.ToLower(strings.TrimSpace(tag.Attr("type")))
	switch {
	case tag.Attr("src") != "" || tag.Attr("url") != "":
		v.isMedia = true
	case typ == "" || typ == "text" || typ == "text/plain":
		v.isPlain = true
	case typ == "xhtml" || typ == "application/xhtml+xml":
		v.isXHTML = true
	case typ == "html" || typ == "text/html" || strings.HasSuffix(typ, "xml"):
	default:
		v.isMedia = true
	}
	return v
}

// link takes a link: that of RSS is its content, that of Atom an attribute.
func (f *reader) link(e *entry, tag *page.Tags, v *value) {
	href := strings.TrimSpace(tag.Attr("href"))
	rel := strings.ToLower(strings.TrimSpace(tag.Attr("rel")))
	switch {
	case href == "":
		if e.link == "" {
			e.link = v.shown(f.source)
		}
	case (rel == "" || rel == "alternate") && e.alternate == "":
		e.alternate = href
	}
}

// url is where the entry's page is.
func (e *entry) url(f *reader) string {
	url := firstOf(e.alternate, e.link)
	if url == "" && e.isPermalink && strings.Contains(e.guid, "://") {
		url = e.guid
	}
	if url = firstOf(url, e.about); url == "" {
		return ""
	}
	return f.resolve(e.base, url)
}

// endOf finds the end of an element within an entry: before its end tag, or before that of the entry.
func (f *reader) endOf(name, around string) (end int, whole bool) {
	depth := 1
	for {
		switch f.tags.Next() {
		case page.EndOfTags:
			return len(f.source), false
		case page.StartTag:
			if f.tags.Name() == name && !f.tags.SelfEnds() {
				depth++
			}
		case page.EndTag:
			switch tag := f.tags.Name(); {
			case tag == name:
				if depth--; depth == 0 {
					return f.tags.From, true
				}
			case strings.EqualFold(tag, around):
				end = f.tags.From
				f.tags.Back()
				return end, true
			}
		}
	}
}

// date is when the entry was published; if nothing can be read, said is what stands there.
func (e *entry) date() (date, said string, ok bool) {
	for _, s := range e.dates {
		if date, ok := article.ParseDate(s); ok {
			return date, s, true
		}
		said = firstOf(said, s)
	}
	return "", said, false
}
