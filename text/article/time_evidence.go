package article

import (
	"slices"
	"strings"

	"laundromat/markup/page"
	"laundromat/text/block"
)

// when is a date that an element of the page says.
type when struct {
	said
	in *page.Element // the article or item that it stands in; nil if it is in none
}

// The ranks of dates of elements, the best first.
const (
	isPublished = iota // Microdata or RDFa say so
	isCreated
	isPubdate // the attribute of old drafts
	isMarked  // a microformat says so
	inArticle // it does not say what it is
	outside
	ofAnother // in a footer, a comment, a related post or the like
)

// publishing are the properties of Microdata and RDFa that say when something was published, without their prefix.
// Those of Dublin Core need it.
var publishing = map[string]int{"datepublished": isPublished, "published_time": isPublished, "issued": isPublished,
	"datecreated": isCreated, "available": isCreated,
	"date": isCreated, "created": isCreated}

// propertyRank is what a list of properties says of a date; not ok if it says nothing of publication.
func propertyRank(list string) (rank int, ok bool) {
	rank = ofAnother
	for _, name := range strings.Fields(strings.ToLower(list)) {
		at := strings.LastIndexAny(name, ":/#")
		local := name[at+1:]
		found, known := publishing[local]
		if !known || at < 0 && local != "datepublished" && local != "datecreated" {
			continue
		}
		if local == "created" && strings.HasPrefix(name, "og:") {
			continue
		}
		rank, ok = min(rank, found), true
	}
	return rank, ok
}

// timeElement looks for a date in a time element, and in those that microformats, Microdata and RDFa mark as one.
func (e *evidence) timeElement(el *page.Element, says marks) {
	if says.itemprop == "" && says.property == "" && el.Name != "time" && el.Name != "abbr" {
		return
	}
	itemprop := says.itemprop
	rank, hasProperty := propertyRank(itemprop)
	if byRDFa, ok := propertyRank(says.property); ok {
		rank, hasProperty = min(rank, byRDFa), true
	}
	if !hasProperty && el.Name != "time" && el.Name != "abbr" {
		return
	}
	class, _ := el.Get("class")
	marked := hasWord(class, "published") || hasWord(class, "dt-published") || hasWord(class, "entry-date")
	if !hasProperty && el.Name == "abbr" && !marked {
		return
	}
	if hasWord(itemprop, "dateModified") || hasWord(class, "updated") && !marked {
		return
	}
	value := e.dateOf(el)
	if value == "" {
		return
	}
	in, isOther := e.around(hasProperty)
	switch {
	case isOther:
		rank = ofAnother
	case hasProperty:
	case el.Has("pubdate"):
		rank = isPubdate
	case marked:
		rank = isMarked
	case in != nil:
		rank = inArticle
	default:
		rank = outside
	}
	e.times = append(e.times, when{said: said{value, el.Pos.Offset, rank}, in: in})
}

// dateOf is what an element says for machines, else its text.
func (e *evidence) dateOf(el *page.Element) string {
	first := ""
	for _, key := range []string{"datetime", "content", "title"} {
		v, _ := el.Get(key)
		if _, ok := ParseDate(v); ok {
			return strings.TrimSpace(v)
		}
		first = firstOf(first, strings.TrimSpace(v))
	}
	text := e.textOf(el)
	if _, ok := ParseDate(text); ok {
		return text
	}
	return firstOf(first, text)
}

// longestDate is more than the text of any date.
const longestDate = 100

// textOf is the text of an element as one line; empty if it is longer than a date.
func (e *evidence) textOf(el *page.Element) string {
	var b strings.Builder
	var walk func(el *page.Element, deep int)
	walk = func(el *page.Element, deep int) {
		for i := range el.Children {
			c := &el.Children[i]
			switch s, ok := e.page.Stretch(c); {
			case b.Len() > longestDate || deep > maxDepth:
				return
			case ok && int(s.End-s.Start) > 2*longestDate:
				b.WriteString(e.page.Source[s.Start : s.Start+2*longestDate])
			case ok:
				if s.Spaced {
					b.WriteByte(' ')
				}
				decoded, _ := block.Decode(nil, nil, e.page.Source[s.Start:s.End], 0)
				b.Write(decoded)
			case c.Element != nil:
				walk(c.Element, deep+1)
			}
		}
	}
	walk(el, 0)
	if b.Len() > longestDate {
		return ""
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// ofThePage are the properties whose items are what the page is about.
var ofThePage = []string{"mainentity", "mainentityofpage", "maincontentofpage", "blogpost", "blogposts"}

// otherParts are what the names of classes begin with that hold what is not of the page's own article.
var otherParts = []string{"comment", "related", "sidebar", "widget", "teaser", "recommended", "recent-posts", "popular-posts"}

// around is the article or the item around the present element, and whether that is another than the page's.
func (e *evidence) around(hasProperty bool) (in *page.Element, isOther bool) {
	for i := len(e.path) - 2; i >= 0; i-- {
		el := e.path[i]
		switch el.Name {
		case "nav", "aside":
			isOther = true
		case "footer":
			isOther = isOther || !hasProperty
		case "html", "body":
			continue
		case "article":
			if in == nil {
				in = el
			}
		}
		if len(el.Attrs) == 0 {
			continue
		}
		isOther = isOther || namesAnother(el)
		itemtype, _ := el.Get("itemtype")
		typeOf, isRDFa := el.Get("typeof")
		if !el.Has("itemscope") && !isRDFa {
			continue
		}
		if in == nil {
			in = el
		}
		isOther = isOther || isOtherItem(el, itemtype+" "+typeOf)
	}
	return in, isOther
}

// isOtherItem says that an item of Microdata or RDFa is none that a page is about.
func isOtherItem(el *page.Element, types string) bool {
	for _, name := range strings.Fields(types) {
		if typeRank(name) == 3 || strings.HasSuffix(name, "/Review") || name == "Review" {
			return true
		}
	}
	prop, _ := el.Get("itemprop")
	property, _ := el.Get("property")
	for _, name := range strings.Fields(strings.ToLower(prop + " " + property)) {
		if !slices.Contains(ofThePage, name[strings.LastIndexAny(name, ":/#")+1:]) {
			return true
		}
	}
	return false
}

func namesAnother(el *page.Element) bool {
	for i := range el.Attrs {
		if a := &el.Attrs[i]; a.Name == "class" || a.Name == "id" {
			for _, word := range strings.Fields(a.Value) {
				for _, part := range otherParts {
					if len(word) >= len(part) && strings.EqualFold(word[:len(part)], part) {
						return true
					}
				}
			}
		}
	}
	return false
}

// marks are what the attributes of an element say of dates in it.
type marks struct {
	itemprop, property string
	isGroup            bool
}

// marksOf reads them. It is asked of each element of a page.
func marksOf(el *page.Element) (m marks) {
	m.isGroup = el.Name == "article"
	for i := range el.Attrs {
		switch a := &el.Attrs[i]; a.Name {
		case "itemprop":
			m.itemprop = a.Value
		case "property":
			m.property = a.Value
		case "itemscope", "typeof":
			m.isGroup = true
		}
	}
	return m
}

// isGroup says that dates in an element may be those of another than the page.
func isGroup(el *page.Element) bool {
	return marksOf(el).isGroup
}

// noteGroup remembers which group the present element is in, which is one.
func (e *evidence) noteGroup(el *page.Element) {
	for i := len(e.path) - 2; i >= 0; i-- {
		if isGroup(e.path[i]) {
			if e.parents == nil {
				e.parents = map[*page.Element]*page.Element{}
			}
			e.parents[el] = e.path[i]
			return
		}
	}
}

// noteHeading remembers in which articles and items the title of a page stands.
func (e *evidence) noteHeading() {
	for _, el := range e.path {
		if isGroup(el) {
			if e.headed == nil {
				e.headed = map[*page.Element]bool{}
			}
			e.headed[el] = true
		}
	}
}

// oneOf are those of several dates that are the page's own. They stand in no article or item, or in the only one, or in
// the only one that holds a heading of the first level. Of several teasers it is none.
func (e *evidence) oneOf(dates []when) []when {
	groups := map[*page.Element][]when{}
	var order []*page.Element
	days := map[string]bool{}
	for _, w := range dates {
		date, ok := ParseDate(w.value)
		if !ok {
			continue
		}
		if groups[w.in] == nil {
			order = append(order, w.in)
		}
		groups[w.in] = append(groups[w.in], w)
		days[date[:10]] = true
	}
	switch {
	case len(order) == 0:
		return nil
	case len(groups[nil]) > 0:
		return groups[nil]
	case len(order) == 1 || len(days) == 1:
		return groups[order[0]]
	}
	order = slices.DeleteFunc(order, func(el *page.Element) bool {
		up := e.parents[el]
		for up != nil && groups[up] == nil {
			up = e.parents[up]
		}
		return up != nil
	})
	headed := slices.DeleteFunc(slices.Clone(order), func(el *page.Element) bool { return !e.headed[el] })
	switch {
	case len(order) == 1:
		return groups[order[0]]
	case len(headed) == 1:
		return groups[headed[0]]
	}
	return nil
}

// oneTime are the dates of elements that may be that of the article: the best rank of those that can be read. No rank
// beyond most counts. Times that do not say what they are count if they name one day.
func (e *evidence) oneTime(most int) []said {
	best := ofAnother
	for _, w := range e.times {
		if _, ok := ParseDate(w.value); ok {
			best = min(best, w.rank)
		}
	}
	if best == ofAnother || best > most {
		return nil
	}
	ranked := slices.DeleteFunc(slices.Clone(e.times), func(w when) bool { return w.rank != best })
	if best == outside {
		days := map[string]bool{}
		for _, w := range ranked {
			if date, ok := ParseDate(w.value); ok {
				days[date[:10]] = true
			}
		}
		if len(days) != 1 {
			return nil
		}
	}
	return saidOf(e.oneOf(ranked))
}

func saidOf(dates []when) (all []said) {
	for _, w := range dates {
		all = append(all, w.said)
	}
	return all
}
