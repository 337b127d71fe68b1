package article

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/text"
	"laundromat/text/link"
)

// evidence is what a page says of itself.
type evidence struct {
	base, language string
	canonical      string
	title          string // of Open Graph, or of a heading

	jsonLD []said // dates of publication, the best first
	meta   []said
	times  []said
}

// said is a date as the page has it.
type said struct {
	value string
	at    int64
	rank  int // the lower, the better
}

// metaDates are the names and properties of meta elements that say when a page was published, the best first.
var metaDates = []string{"article:published_time", "og:article:published_time", "og:published_time", "datepublished", "dcterms.issued", "dc.date.issued",
	"dcterms.available", "dcterms.created", "dc.date.created", "dcterms.date", "dc.date", "dc.date.x-metadatalastmodified-published", "parsely-pub-date", "sailthru.date",
	"cxenseparse:recs:publishtime", "publishdate", "publish-date", "publish_date", "pubdate", "publicationdate", "publication_date", "publication-date", "date_published",
	"published_time", "citation_publication_date", "citation_date", "citation_online_date", "bt:pubdate", "article.published", "article_date_original",
	"originalpublicationdate", "rnews:datepublished", "displaydate", "created", "date.created", "datecreated", "date", "timestamp"}

// read goes through the tree of a page.
func (e *evidence) read(p *page.Texts) {
	e.element(p.Root, scope{})
	e.sort()
}

// scope is what is around an element.
type scope struct {
	aside   bool // navigation, a footer or the like
	article int  // how many articles are around it
	in      int  // the number of the article
	numbers *int
}

func (e *evidence) element(el *page.Element, s scope) {
	if s.numbers == nil {
		s.numbers = new(int)
	}
	switch el.Name {
	case "html":
		lang, _ := el.Get("lang")
		if lang == "" {
			lang, _ = el.Get("xml:lang")
		}
		e.language = strings.TrimSpace(lang)
	case "base":
		if href, ok := el.Get("href"); ok && e.base == "" {
			e.base = strings.TrimSpace(href)
		}
	case "link":
		if rel, _ := el.Get("rel"); strings.EqualFold(strings.TrimSpace(rel), "canonical") && e.canonical == "" {
			e.canonical, _ = el.Get("href")
		}
	case "meta":
		e.metaElement(el)
		return
	case "script":
		if script := el.Script(); script != nil {
			e.script(string(script.Text), el.Pos.Offset)
		}
		return
	case "nav", "footer", "aside":
		s.aside = true
	case "article":
		*s.numbers++
		s.article++
		s.in = *s.numbers
	}
	e.timeElement(el, s)
	for i := range el.Children {
		if c := el.Children[i].Element; c != nil {
			e.element(c, s)
		}
	}
}

func (e *evidence) metaElement(el *page.Element) {
	content, ok := el.Get("content")
	content = strings.TrimSpace(content)
	if !ok || content == "" {
		return
	}
	for _, key := range []string{"property", "name", "itemprop", "http-equiv"} {
		name, ok := el.Get(key)
		if !ok {
			continue
		}
		name = strings.ToLower(strings.TrimSpace(name))
		switch {
		case name == "og:title" && e.title == "":
			e.title = strings.Join(strings.Fields(content), " ")
		case name == "content-language" && e.language == "" && !strings.Contains(content, ","):
			e.language = content
		case name == "og:url" && e.canonical == "":
			e.canonical = content
		}
		if rank := slices.Index(metaDates, name); rank >= 0 && !(key == "http-equiv" && name == "date") {
			e.meta = append(e.meta, said{content, el.Pos.Offset, rank})
			return
		}
	}
}

// timeElement looks for a date in a time element, and in those that microformats and Microdata mark as one.
func (e *evidence) timeElement(el *page.Element, s scope) {
	itemprop, ok := el.Get("itemprop")
	if !ok && el.Name != "time" && el.Name != "abbr" {
		return
	}
	isPublished := hasWord(itemprop, "datePublished") || hasWord(itemprop, "dateCreated")
	class, _ := el.Get("class")
	marked := hasWord(class, "published") || hasWord(class, "dt-published") || hasWord(class, "entry-date")
	if el.Name != "time" && !isPublished && !(el.Name == "abbr" && marked) {
		return
	}
	var value string
	for _, key := range []string{"datetime", "content", "title"} {
		if v, ok := el.Get(key); ok && strings.TrimSpace(v) != "" {
			value = strings.TrimSpace(v)
			break
		}
	}
	if value == "" || hasWord(itemprop, "dateModified") || hasWord(class, "updated") && !marked {
		return
	}
	rank := unmarked(s)
	switch {
	case s.aside:
	case isPublished:
		rank = 0
	case el.Has("pubdate"):
		rank = 1
	case marked:
		rank = 2
	}
	e.times = append(e.times, said{value, el.Pos.Offset, rank})
}

// unmarked is the rank of a time that does not say what it is: 3 in the first article, 4 outside of all, else 5.
func unmarked(s scope) int {
	switch {
	case s.aside:
		return 5
	case s.article > 0 && s.in == 1:
		return 3
	case s.article == 0:
		return 4
	}
	return 5
}

func hasWord(list, word string) bool {
	if len(list) < len(word) {
		return false
	}
	return slices.ContainsFunc(strings.Fields(list), func(w string) bool { return strings.EqualFold(w, word) })
}

// script looks for dates in JSON-LD. What can't be read says nothing.
func (e *evidence) script(source string, at int64) {
	source = strings.TrimSpace(source)
	for _, around := range [][2]string{{"<!--", "-->"}, {"//<![CDATA[", "//]]>"}, {"<![CDATA[", "]]>"}} {
		source = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(source, around[0]), around[1]))
	}
	source = strings.TrimSuffix(source, ";")
	var value any
	if json.Unmarshal([]byte(source), &value) != nil {
		if json.Unmarshal([]byte(escapeControls(source)), &value) != nil {
			return
		}
	}
	e.value(value, at, 0)
}

// escapeControls replaces line ends and other controls in strings of JSON, which many pages forget to escape.
func escapeControls(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s)
}

// maxDepth is how deeply JSON-LD is looked into.
const maxDepth = 12

func (e *evidence) value(v any, at int64, depth int) {
	if depth > maxDepth {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			e.value(one, at, depth+1)
		}
	case map[string]any:
		rank := typeRank(v["@type"])
		for i, key := range []string{"datePublished", "dateCreated", "uploadDate"} {
			if date, ok := literal(v[key]); ok && rank < 3 {
				e.jsonLD = append(e.jsonLD, said{date, at, rank*4 + i + depth*100})
				break
			}
		}
		for _, key := range []string{"@graph", "mainEntity", "mainEntityOfPage", "itemListElement", "item"} {
			if inner, ok := v[key]; ok {
				more := 1
				if key == "@graph" {
					more = 0 // it is what the document is about
				}
				e.value(inner, at, depth+more)
			}
		}
	}
}

// literal is a text of JSON-LD, which may stand in @value or in a list of one.
func literal(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v), strings.TrimSpace(v) != ""
	case map[string]any:
		return literal(v["@value"])
	case []any:
		if len(v) > 0 {
			return literal(v[0])
		}
	}
	return "", false
}

// typeRank says how well a type fits an article: 0 for articles, 1 for other works, 2 for pages, 3 for what is none.
func typeRank(v any) int {
	switch v := v.(type) {
	case string:
		name := v[strings.LastIndexAny(v, "/#:")+1:]
		switch {
		case strings.HasSuffix(name, "Article"), strings.HasSuffix(name, "Posting"), name == "Report", name == "Recipe", name == "Review", name == "Chapter", name == "Book":
			return 0
		case strings.HasSuffix(name, "Page"):
			return 2
		case name == "Comment", name == "Person", strings.HasSuffix(name, "Organization"), name == "Event", name == "Product", name == "Offer", name == "WebSite",
			name == "ImageObject", name == "JobPosting", name == "BreadcrumbList":
			return 3
		}
		return 1
	case []any:
		best := 3
		for _, one := range v {
			best = min(best, typeRank(one))
		}
		return best
	}
	return 1
}

func (e *evidence) sort() {
	for _, list := range [][]said{e.jsonLD, e.meta, e.times} {
		slices.SortStableFunc(list, func(a, b said) int { return a.rank - b.rank })
	}
}

// fill writes what the page says into the article.
func (e *evidence) fill(a *text.Article, base string) {
	a.Language = strings.Clone(e.language) // parts of the page would hold all of it
	a.Title = firstOf(a.Title, strings.Clone(e.title))
	if url, ok := link.Resolve(base, e.canonical); ok && e.canonical != "" && strings.Contains(url, "://") {
		a.URL = firstOf(a.URL, strings.Clone(url))
	}
	for _, source := range []struct {
		name string
		said []said
	}{{"json-ld", e.jsonLD}, {"meta", e.meta}, {"time", e.oneTime()}} {
		for _, s := range source.said {
			if date, ok := ParseDate(s.value); ok {
				a.Created, a.CreatedFrom = date, source.name
				return
			}
		}
	}
}

// oneTime are the times that may be that of the article. They are those that say so, or those of the first article,
// or the only one of the page. Several that differ, of which none says what it is, are no evidence.
func (e *evidence) oneTime() []said {
	if len(e.times) == 0 || e.times[0].rank <= 3 {
		return e.times[:min(1, len(e.times))]
	}
	days := map[string]bool{}
	for _, s := range e.times {
		if s.rank == e.times[0].rank {
			if date, ok := ParseDate(s.value); ok {
				days[date[:10]] = true
			}
		}
	}
	if len(days) != 1 || e.times[0].rank == 5 {
		return nil
	}
	return e.times
}

// tellDate tells that an article has no date, and what the page says instead.
func (e *evidence) tellDate(a *text.Article, source []byte, to Listener) {
	if a.Created != "" {
		return
	}
	n := fault.Notice{Code: fault.TextNoDate, Severity: fault.Note, Message: "nothing says when the page was published"}
	for _, list := range [][]said{e.jsonLD, e.meta, e.times} {
		if len(list) > 0 {
			n.Pos = position(source, int(list[0].at))
			n.Excerpt = fault.Excerpt([]byte(list[0].value))
			n.Message = fmt.Sprintf("what the page says of its date can't be read as one: %s", fault.Excerpt([]byte(list[0].value)))
			if list[0].rank > 3 && len(e.times) > 1 && len(e.jsonLD)+len(e.meta) == 0 {
				n.Message = "the page has several times, none of which says that it is the article's"
			}
			break
		}
	}
	to.Notice(n)
}
