package article

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/text"
	"laundromat/text/link"
)

// evidence is what a page says of itself.
type evidence struct {
	page           *page.Texts
	base, language string
	canonical      string
	title          string // of Open Graph, or of a heading

	facts facts
	nodes []node // of JSON-LD
	meta  []when
	times []when

	path    []*page.Element                 // what is around the present element, and that
	parents map[*page.Element]*page.Element // of articles and items: the one around
	headed  map[*page.Element]bool          // articles and items with a heading of the first level
}

// said is a date as the page has it.
type said struct {
	value string
	at    int64
	rank  int // the lower, the better
}

// metaDates are the names and properties of meta elements that say when a page was published, the best first.
var metaDates = ranks("article:published_time og:article:published_time og:published_time datepublished dcterms.issued dc.date.issued " +
	"dc.issued dct.issued " +
	"dcterms.available dc.date.available dc.available dc.date.published dc.date.publication dc.published " +
	"dc.date.x-metadatalastmodified-published parsely-pub-date sailthru.date " +
	"cxenseparse:recs:publishtime publishdate publish-date publish_date pubdate publicationdate publication_date publication-date " +
	"date_published date-published " +
	"published published_date published_at published_time citation_publication_date citation_date citation_online_date bt:pubdate " +
	"article.published " +
	"article:published article:publicationdate article_date_original article:date originalpublicationdate " +
	"rnews:datepublished displaydate " +
	lastPublished + " dcterms.date dc.date dct.date date dcterms.created dc.date.created dc.created dct.created created date.created " +
	"datecreated article.created timestamp")

// lastPublished is the last of metaDates that is about publication. Those behind it say when something was made, or
// not what they mean.
const lastPublished = "publishtime"

// ranks gives each name of a list its place in it.
func ranks(list string) map[string]int {
	all := map[string]int{}
	for i, name := range strings.Fields(list) {
		all[name] = i
	}
	return all
}

// metaRank is the rank of a name of meta elements; not ok if it says nothing of publication. The vocabulary of Dublin
// Core is written with a period or a colon.
func metaRank(name string) (rank int, ok bool) {
	if rest, isDC := strings.CutPrefix(name, "dc"); isDC {
		name = "dc" + strings.ReplaceAll(rest, ":", ".")
	}
	rank, ok = metaDates[name]
	return rank, ok
}

// metaProperty is the rank of a list of properties of Microdata or RDFa.
func metaProperty(list string) (rank int, ok bool) {
	switch rank, ok := propertyRank(list); {
	case !ok:
		return 0, false
	case rank == isPublished:
		return metaDates["datepublished"], true
	}
	return metaDates["datecreated"], true
}

// read goes through the tree of a page.
func (e *evidence) read(p *page.Texts) {
	e.page = p
	e.element(p.Root)
	slices.SortStableFunc(e.nodes, func(a, b node) int { return a.rank - b.rank })
	slices.SortStableFunc(e.meta, func(a, b when) int { return a.rank - b.rank })
}

func (e *evidence) element(el *page.Element) {
	switch el.Name {
	case "style", "iframe", "noembed":
		return // nothing in them is said of the page
	case "script":
		if script := el.Script(); script != nil && isData(el.MediaType()) {
			e.script(string(script.Text), el.Pos.Offset)
		}
		return
	}
	e.path = append(e.path, el)
	var says marks
	if len(el.Attrs) > 0 || el.Name == "article" {
		if says = marksOf(el); says.isGroup {
			e.noteGroup(el)
		}
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
	case "h1":
		e.noteHeading()
	}
	if el.Name != "meta" {
		e.timeElement(el, says)
		if len(el.Attrs) > 0 {
			e.elementFacts(el)
		}
	}
	for i := range el.Children {
		if c := el.Children[i].Element; c != nil {
			e.element(c)
		}
	}
	e.path = e.path[:len(e.path)-1]
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
		if note := metaFacts[name]; note != nil {
			note(&e.facts, content)
		}
		switch {
		case name == "og:title" && e.title == "":
			e.title = strings.Join(strings.Fields(content), " ")
		case name == "content-language" && e.language == "" && !strings.Contains(content, ","):
			e.language = content
		case name == "og:url" && e.canonical == "":
			e.canonical = content
		}
		rank, ok := metaRank(name)
		if !ok && key == "property" || key == "itemprop" {
			rank, ok = metaProperty(name)
		}
		if !ok || key == "http-equiv" && name == "date" {
			continue
		}
		w := when{said: said{content, el.Pos.Offset, rank}}
		if key != "name" && key != "http-equiv" {
			var isOther bool
			if w.in, isOther = e.around(true); isOther {
				continue
			}
		}
		e.meta = append(e.meta, w)
		return
	}
}

func hasWord(list, word string) bool {
	if len(list) < len(word) {
		return false
	}
	return slices.ContainsFunc(strings.Fields(list), func(w string) bool { return strings.EqualFold(w, word) })
}

// fill writes what the page says into the article.
func (e *evidence) fill(a *text.Article, base string) {
	a.Language = strings.Clone(e.language) // parts of the page would hold all of it
	a.Title = firstOf(a.Title, strings.Clone(e.title))
	if url, ok := link.Resolve(base, e.canonical); ok && e.canonical != "" && strings.Contains(url, "://") {
		a.URL = firstOf(a.URL, strings.Clone(url))
	}
	nodes, meta := e.oneNode(a.URL), e.oneMeta()
	for _, source := range []struct {
		name string
		said []said
		most int // the last rank that counts
	}{
		{"json-ld", nodes, byCreation - 1}, {"meta", meta, metaDates[lastPublished]}, {"time", e.oneTime(isPublished), isPublished},
		{"json-ld", nodes, math.MaxInt}, {"meta", meta, math.MaxInt}, {"time", e.oneTime(outside), outside},
	} {
		for _, s := range source.said {
			if date, ok := ParseDate(s.value); ok && s.rank <= source.most {
				a.Created, a.CreatedFrom = date, source.name
				return
			}
		}
	}
}

// oneMeta are the dates of meta elements. Those in an item of Microdata count as other dates of elements.
func (e *evidence) oneMeta() (all []said) {
	for i := 0; i < len(e.meta); {
		end := i
		for end < len(e.meta) && e.meta[end].rank == e.meta[i].rank {
			end++
		}
		all = append(all, saidOf(e.oneOf(e.meta[i:end]))...)
		i = end
	}
	return all
}

// teasers is how many articles with dates that differ are a list of others.
const teasers = 3

// oneNode are the dates of JSON-LD that may be the page's, the best first. Of several articles it is that of the one
// whose address is the page's.
func (e *evidence) oneNode(url string) (all []said) {
	days := map[string]bool{}
	for _, n := range e.nodes {
		if n.rank != e.nodes[0].rank {
			break
		}
		if date, ok := ParseDate(n.value); ok {
			if n.url != "" && (sameAddress(n.url, e.canonical) || sameAddress(n.url, url)) {
				return []said{n.said}
			}
			days[date[:10]] = true
		}
	}
	for _, n := range e.nodes {
		if len(days) < teasers || n.rank != e.nodes[0].rank {
			all = append(all, n.said)
		}
	}
	return all
}

// sameAddress says that two URLs are the same but for their scheme, fragment and the slash at the end.
func sameAddress(a, b string) bool {
	bare := func(s string) string {
		s, _, _ = strings.Cut(s, "#")
		if _, rest, ok := strings.Cut(s, "://"); ok {
			s = rest
		}
		return strings.TrimRight(s, "/")
	}
	return a != "" && b != "" && bare(a) == bare(b)
}

// tellDate tells that an article has no date, and what the page says instead.
func (e *evidence) tellDate(a *text.Article, source []byte, to Listener) {
	if a.Created != "" {
		return
	}
	n := fault.Notice{Code: fault.TextNoDate, Severity: fault.Note, Message: "nothing says when the page was published"}
	var first []said
	readable := false
	for _, d := range e.nodes {
		first = append(first, d.said)
	}
	first = append(append(first, saidOf(e.meta)...), saidOf(e.times)...)
	for _, s := range first {
		if _, ok := ParseDate(s.value); ok {
			readable = true
			first[0] = s
			break
		}
	}
	if len(first) > 0 {
		n.Pos = position(source, int(first[0].at))
		n.Excerpt = fault.Excerpt([]byte(first[0].value))
		n.Message = fmt.Sprintf("what the page says of its date can't be read as one: %s", n.Excerpt)
		if readable {
			n.Message = fmt.Sprintf("the page names dates, of which none says that it is the article's, such as %s", n.Excerpt)
		}
	}
	to.Notice(n)
}
