package feed

import (
	"strings"

	"laundromat/markup/page"
	"laundromat/text/article"
)

// entry is what an entry of a feed holds.
type entry struct {
	at, end     int // where it begins, and where its content ends
	scope       scope
	about       string
	language    string
	titles      [titleRanks]value
	texts       [textRanks][]value
	link        string // resolved, as the others
	alternate   string
	guid        string
	isPermalink bool
	dates       [4][]string // the best first
	content     decoded     // what the article is made of
}

// What the text of an entry is taken from: the first that has text. The last four say little more than a title, and
// count where there is nothing else.
const (
	encoded = iota
	body
	description
	summary
	dublinCore
	itunesSummary
	itunesSubtitle
	media
	textRanks
)

// What its title is taken from.
const (
	ownTitle = iota
	dublinCoreTitle
	podcastTitle
	mediaTitle
	titleRanks
)

var textElements = map[string]int{"content:encoded": encoded, "encoded": encoded, "content-encoded": encoded, "content": body,
	"xhtml:body": body, "body": body,
	"description": description, "summary": summary, "dc:description": dublinCore, "dcterms:description": dublinCore,
	"dcterms:abstract": dublinCore,
	"itunes:summary":   itunesSummary, "itunes:subtitle": itunesSubtitle, "media:description": media}

var titleElements = map[string]int{"title": ownTitle, "dc:title": dublinCoreTitle, "dcterms:title": dublinCoreTitle,
	"itunes:title": podcastTitle, "media:title": mediaTitle}

// dateElements are the elements that say when an entry was published. Atom demands only when it was last updated,
// which is taken where nothing else is there.
var dateElements = map[string]int{"pubdate": 0, "published": 0, "issued": 0, "dc:date": 1, "dcterms:issued": 1, "dcterms:date": 1,
	"dc:issued": 1, "date": 1,
	"created": 2, "dcterms:created": 2, "dc:created": 2, "updated": 3, "modified": 3, "dcterms:modified": 3}

// otherElements are those of an entry that are neither text nor title nor date. What an open element swallows ends at
// one of them, too.
var otherElements = map[string]bool{"link": true, "guid": true, "id": true, "feedburner:origlink": true, "author": true, "category": true,
	"comments":  true,
	"enclosure": true, "source": true, "contributor": true, "rights": true, "dc:creator": true, "dc:subject": true, "dc:language": true,
	"dc:identifier": true,
	"itunes:author": true, "itunes:duration": true, "itunes:explicit": true, "media:content": true, "media:thumbnail": true,
	"media:group": true}

func isField(name string) bool {
	_, isText := textElements[name]
	_, isTitle := titleElements[name]
	_, isDate := dateElements[name]
	return isText || isTitle || isDate || otherElements[name]
}

// tag is a tag of an entry.
type tag struct {
	from, to int
	name     int32 // its number; names that differ in case have the same
	isEnd    bool
	selfEnds bool
	closedBy int32 // the number of the end tag that belongs to a start tag; -1 if none does
}

// names gives names of elements numbers, and remembers for each which elements are open.
type names struct {
	numbers map[string]int32
	open    [][]int32 // by number: tags of the present entry
	touched []int32
}

func (n *names) number(name []byte) int32 {
	if number, ok := n.numbers[string(name)]; ok {
		return number
	}
	if n.numbers == nil {
		n.numbers = map[string]int32{}
	}
	lower := strings.ToLower(string(name))
	number, ok := n.numbers[lower]
	if !ok {
		number = int32(len(n.open))
		n.open = append(n.open, nil)
		n.numbers[lower] = number
	}
	n.numbers[string(name)] = number
	return number
}

// forget ends an entry.
func (n *names) forget() {
	for _, number := range n.touched {
		n.open[number] = n.open[number][:0]
	}
	n.touched = n.touched[:0]
}

// readEntry reads an entry up to its end tag; not whole if the feed ends before that. One without an end tag ends with
// what is around it, or where the next begins.
func (f *reader) readEntry(e *entry) (whole bool) {
	own := f.names.number([]byte(e.scope.name))
	tags := f.written[:0]
	defer func() { f.written = tags[:0] }()
	defer f.names.forget()
	for whole = true; ; {
		kind := f.tags.Next()
		if kind == page.EndOfTags {
			e.end, whole = len(f.source), false
			break
		}
		if kind != page.StartTag && kind != page.EndTag {
			continue
		}
		t := tag{from: f.tags.From, to: f.tags.To, name: f.names.number(f.tags.RawName()), isEnd: kind == page.EndTag,
			selfEnds: f.tags.SelfEnds(), closedBy: -1}
		e.end = t.from
		if t.isEnd && t.name == own {
			break
		}
		if f.endsEntry(e, t.isEnd) {
			f.unclosed(e.at, "the entry has no end tag; it is read up to the next")
			f.tags.Back()
			break
		}
		switch open := f.names.open[t.name]; {
		case t.isEnd && len(open) > 0:
			tags[open[len(open)-1]].closedBy = int32(len(tags))
			f.names.open[t.name] = open[:len(open)-1]
		case !t.isEnd && !t.selfEnds:
			f.names.open[t.name] = append(open, int32(len(tags)))
			f.names.touched = append(f.names.touched, t.name)
		}
		tags = append(tags, t)
	}
	f.fields(e, tags, whole)
	return whole
}

// endsEntry says that the present tag can't stand in an entry: it is that of the next one, or ends what is around.
func (f *reader) endsEntry(e *entry, isEnd bool) bool {
	name := strings.ToLower(f.tags.Name())
	if !isEnd {
		if !strings.HasSuffix(name, "item") && !strings.HasSuffix(name, "entry") {
			return false
		}
		s := e.scope.within(f.tags, f.source, f.opt.URL)
		name, _ = f.dialect.name(name, &s)
		return isEntry(name)
	}
	for i := range f.open {
		if f.open[i].name == name {
			return true
		}
	}
	return false
}

// fields takes the elements of an entry. One without an end tag ends where the next begins that entries have.
func (f *reader) fields(e *entry, tags []tag, whole bool) {
	t := page.NewTags(f.source)
	for i := 0; i < len(tags); {
		if tags[i].isEnd {
			i++
			continue
		}
		name, s, isAtom := f.named(e, t, tags[i].from)
		v := value{found: true, start: tags[i].to, end: tags[i].to, scope: s}
		next := i + 1
		switch end := int(tags[i].closedBy); {
		case tags[i].selfEnds:
		case end >= 0:
			v.end, next = tags[end].from, end+1
		default:
			for v.end = e.end; next < len(tags); next++ {
				if tags[next].isEnd {
					continue
				}
				if name, _, _ := f.named(e, t, tags[next].from); isField(name) {
					v.end = tags[next].from
					break
				}
			}
			f.named(e, t, tags[i].from)
			if whole && isField(name) {
				f.unclosed(tags[i].from, "the element <"+t.Name()+"> of an entry has no end tag; it is read up to the next element")
			}
		}
		if name == "media:group" || name == "media:content" {
			next = i + 1 // what is in it says more of the entry
		}
		f.field(e, name, t, v, isAtom)
		i = next
	}
}

// named reads the tag of an element of an entry, and says what its name means.
func (f *reader) named(e *entry, t *page.Tags, from int) (name string, s scope, isAtom bool) {
	t.Seek(from)
	t.Next()
	s = e.scope.within(t, f.source, f.opt.URL)
	name, isAtom = f.dialect.name(t.Name(), &s)
	return name, s, isAtom
}

// field takes an element of an entry.
func (f *reader) field(e *entry, name string, t *page.Tags, v value, isAtom bool) {
	if rank, ok := textElements[name]; ok {
		if isAtom {
			v.typed(t)
		}
		v.isXHTML = v.isXHTML || strings.HasSuffix(name, "body")
		e.texts[rank] = append(e.texts[rank], f.parts(v, 0)...)
		return
	}
	if rank, ok := titleElements[name]; ok {
		if isAtom {
			v.typed(t)
		} else {
			v.isLoose = true
		}
		if old := &e.titles[rank]; !old.found || f.isBlank(old) {
			*old = v
		}
		return
	}
	if rank, ok := dateElements[name]; ok {
		if said := f.shown(&v); said != "" {
			e.dates[rank] = append(e.dates[rank], said)
		}
		return
	}
	switch name {
	case "link":
		f.link(e, t, &v)
	case "guid", "id":
		e.guid = firstOf(e.guid, f.shown(&v))
		e.isPermalink = e.isPermalink || name == "guid" && !strings.EqualFold(t.Attr("ispermalink"), "false")
	case "feedburner:origlink":
		e.alternate = firstOf(f.shown(&v), e.alternate)
	}
}

// link takes a link: that of RSS is its content, that of Atom an attribute.
func (f *reader) link(e *entry, t *page.Tags, v *value) {
	href := strings.TrimSpace(t.Attr("href"))
	rel := strings.ToLower(strings.TrimSpace(t.Attr("rel")))
	switch {
	case href == "":
		if said := f.shown(v); e.link == "" && said != "" {
			e.link = resolve(v.scope.base, f.opt.URL, said)
		}
	case (rel == "" || rel == "alternate" || strings.HasSuffix(rel, "relation/alternate")) && e.alternate == "":
		e.alternate = resolve(v.scope.base, f.opt.URL, href)
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
	return resolve(e.scope.base, f.opt.URL, url)
}

// date is when the entry was published; if nothing can be read, said is what stands there.
func (e *entry) date() (date, said string, ok bool) {
	for _, rank := range e.dates {
		for _, s := range rank {
			if date, ok := article.ParseDate(s); ok {
				return date, s, true
			}
			said = firstOf(said, s)
		}
	}
	return "", said, false
}
