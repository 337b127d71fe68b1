package article

import (
	"strings"

	"laundromat/markup/page"
	"laundromat/text"
	"laundromat/text/content"
)

// facts are what a page says of itself but for its date, the best evidence first.
type facts struct {
	content.Facts
	authors, sites, descriptions [3]string // by evidence
}

// The evidence for authors, sites and descriptions.
const (
	byData = iota
	byMeta
	byElement
)

var evidenceNames = [...]string{"json-ld", "meta", "element"}

func noteFirst(to *string, value string) {
	if value = strings.Join(strings.Fields(value), " "); *to == "" {
		*to = value
	}
}

// metaFacts are the names of meta elements that say something of a page.
var metaFacts = map[string]func(*facts, string){
	"description":         func(f *facts, v string) { noteFirst(&f.descriptions[byMeta], v) },
	"og:description":      func(f *facts, v string) { noteFirst(&f.descriptions[byMeta], v) },
	"dc.description":      func(f *facts, v string) { noteFirst(&f.descriptions[byMeta], v) },
	"twitter:description": func(f *facts, v string) { noteFirst(&f.descriptions[byMeta], v) },
	"og:type":             func(f *facts, v string) { noteFirst(&f.OpenGraph, v) },
	"generator":           func(f *facts, v string) { noteFirst(&f.Generator, v) },
	"og:site_name":        func(f *facts, v string) { noteFirst(&f.sites[byMeta], v) },
	"application-name":    func(f *facts, v string) { noteFirst(&f.sites[byMeta], v) },
	"author":              (*facts).metaAuthor,
	"article:author":      (*facts).metaAuthor,
	"article:author_name": (*facts).metaAuthor,
	"dc.creator":          (*facts).metaAuthor,
	"dcterms.creator":     (*facts).metaAuthor,
	"citation_author":     (*facts).metaAuthor,
	"parsely-author":      (*facts).metaAuthor,
	"sailthru.author":     (*facts).metaAuthor,
	"byl":                 (*facts).metaAuthor,
}

// metaAuthor notes an author; an address is no name.
func (f *facts) metaAuthor(v string) {
	if !strings.Contains(v, "://") {
		noteFirst(&f.authors[byMeta], strings.TrimPrefix(strings.TrimPrefix(v, "By "), "by "))
	}
}

// node notes what a node of JSON-LD says.
func (f *facts) node(v map[string]any, rank int) {
	types := typesOf(v["@type"])
	f.Types = append(f.Types, types...)
	if name, ok := literal(v["name"]); ok && len(types) > 0 && types[0] == "WebSite" {
		noteFirst(&f.sites[byData], name)
	}
	if rank == 3 {
		return
	}
	if body, ok := v["articleBody"].(string); ok && len(body) > len(f.Body) {
		f.Body = body
	}
	for _, key := range []string{"author", "creator"} {
		if name := nameOf(v[key]); name != "" {
			noteFirst(&f.authors[byData], name)
			break
		}
	}
	if rank == 0 {
		noteFirst(&f.sites[byData], nameOf(v["publisher"]))
	}
	if d, ok := v["description"].(string); ok {
		noteFirst(&f.descriptions[byData], d)
	}
}

// toldBy are the properties of JSON-LD whose texts a page may show.
var toldBy = map[string]int{"description": content.ToldTexts, "text": content.ToldTexts, "articleBody": content.ToldTexts,
	"abstract": content.ToldTexts, "name": content.ToldNames, "headline": content.ToldNames, "reviewBody": content.ToldReviews}

// tell counts the texts of a value, which property is what it is of.
func (f *facts) tell(value any, property string, depth int) {
	if depth > maxDepth {
		return
	}
	switch v := value.(type) {
	case string:
		if kind, ok := toldBy[property]; ok {
			f.Told[kind]++
		}
	case []any:
		for _, one := range v {
			f.tell(one, property, depth+1)
		}
	case map[string]any:
		for key, inner := range v {
			f.tell(inner, key, depth+1)
		}
	}
}

func typesOf(v any) (types []string) {
	switch v := v.(type) {
	case string:
		return []string{v[strings.LastIndexAny(v, "/#:")+1:]}
	case []any:
		for _, one := range v {
			if name, ok := one.(string); ok {
				types = append(types, typesOf(name)...)
			}
		}
	}
	return types
}

// nameOf are the names of persons or organisations: a text, or nodes with names.
func nameOf(v any) string {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, "://") {
			return ""
		}
		return v
	case map[string]any:
		name, _ := literal(v["name"])
		return name
	case []any:
		var names []string
		for _, one := range v {
			if name := nameOf(one); name != "" {
				names = append(names, name)
			}
		}
		return strings.Join(names, ", ")
	}
	return ""
}

// elementFacts notes who an element says the author is.
func (e *evidence) elementFacts(el *page.Element) {
	if e.facts.authors[byElement] != "" {
		return
	}
	for i := range el.Attrs {
		a := &el.Attrs[i]
		isAuthor := a.Name == "rel" && strings.EqualFold(a.Value, "author") || a.Name == "itemprop" &&
			strings.EqualFold(a.Value, "author")
		if !isAuthor || el.Name == "link" || el.Name == "meta" {
			continue
		}
		if name := e.textOf(el); len(name) < 100 {
			noteFirst(&e.facts.authors[byElement], name)
		}
		return
	}
}

// best is the best of what was found, with its evidence.
func best(found *[3]string, order ...int) *text.Said {
	for _, i := range order {
		if found[i] != "" {
			return &text.Said{Value: strings.Clone(found[i]), From: evidenceNames[i]}
		}
	}
	return nil
}

// judge lets the blocks of an article be judged, and fills its metadata.
func (e *evidence) judge(a *text.Article, p *content.Page, by func(*content.Page) content.Verdict) {
	m := &a.Metadata
	m.Author = best(&e.facts.authors, byData, byMeta, byElement)
	m.Site = best(&e.facts.sites, byMeta, byData)
	m.Description = best(&e.facts.descriptions, byMeta, byData)
	p.Facts = e.facts.Facts
	// Where the page was found says nothing: it has the same scores wherever it is read.
	p.Facts.URL, p.Facts.Title, p.Facts.HasDate = e.canonical, a.Title, len(e.nodes)+len(e.meta)+len(e.times) > 0
	p.Facts.HasAuthor = m.Author != nil
	verdict := by(p)
	m.Kind, m.Confidence = verdict.Kind, float64(verdict.Confidence)/1000
}
