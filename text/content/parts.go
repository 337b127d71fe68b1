package content

import (
	"strings"

	"laundromat/markup/page"
	"laundromat/text"
)

// partWords are the parts of classes and ids that say what a part of a page is, if it holds no main content.
var partWords = map[string]string{
	"comments": "comment comments commentlist disqus respond replies",
	"related": "related recommended recommendation recommendations suggested suggestions trending popular similar " +
		"upsell upsells crosssell readmore teaser teasers",
	"advertisement": "ad ads adv advert adverts advertisement advertising sponsor sponsored adsense adslot adunit " +
		"doubleclick outbrain taboola",
	"notice": "cookie cookies consent gdpr ccpa onetrust notice alert modal popup overlay newsletter subscribe subscription " +
		"signup paywall announcement optin " +
		"disclaimer toast",
	"social":     "share sharing social sharedaddy addtoany follow",
	"navigation": "nav navbar navigation menu submenu megamenu breadcrumb breadcrumbs pagination pager toc skip dropdown tabs",
	"header":     "header masthead topbar",
	"footer":     "footer colophon copyright",
	"aside":      "sidebar widget widgets aside",
	"form":       "form search searchform login filter filters facet facets",
}

// partOf is the part that a word says, and mayBePart a set of the entries of such words, so that few have to be
// looked up.
var partOf, mayBePart = func() (map[string]string, *[1 << lexiconBits]bool) {
	known, entries := map[string]string{}, &[1 << lexiconBits]bool{}
	for part, words := range partWords {
		for w := range strings.FieldsSeq(words) {
			known[w] = part
			tokens(w, func(h Hash) { entries[h] = true })
		}
	}
	return known, entries
}()

// named is a part that a class or an id names.
type named struct{ part, reason string }

// partNamed is what the class and id of an element say that it is.
func partNamed(e *page.Element) named {
	for _, name := range [...]string{"class", "id"} {
		value, _ := e.Get(name)
		for from, i := 0, 0; i <= len(value); i++ {
			if i < len(value) && value[i] != ' ' && value[i] != '\t' && value[i] != '\n' {
				continue
			}
			if part := partIn(value[from:i]); part != "" {
				return named{part, name + " " + value[from:i]}
			}
			from = i + 1
		}
	}
	return named{}
}

// longestWord is more than the length of each word of partWords.
const longestWord = 24

// partIn is the part that a word of a class says; "" if none does. Words are apart by what is no letter of ASCII, and
// where a capital follows a small letter.
func partIn(class string) string {
	var word [longestWord]byte // in lower case
	n := 0
	for i := 0; i <= len(class); i++ {
		var c byte
		if i < len(class) {
			c = class[i]
		}
		isCapital := 'A' <= c && c <= 'Z'
		isLetter := isCapital || 'a' <= c && c <= 'z'
		if n > 0 && (!isLetter || isCapital && 'a' <= class[i-1] && class[i-1] <= 'z') {
			if part := partOf[string(word[:min(n, longestWord)])]; part != "" {
				return part
			}
			n = 0
		}
		if isLetter {
			if n < longestWord {
				word[n] = c | 0x20
			}
			n++
		}
	}
	return ""
}

// parter finds what blocks are that are no main content.
type parter struct {
	page  *Page
	table *Table
	named []named // what the nearest element around each node says that names a part, and holds no main content
}

// partsOf reads the names of the elements that hold no main content.
func partsOf(p *Page, t *Table, main []bool) *parter {
	found := make([]named, len(t.nodes))
	for i := 1; i < len(t.nodes); i++ {
		n := &t.nodes[i]
		if main[i] || n.first < 0 {
			continue
		}
		for _, h := range t.NodeHashes[n.from:n.to] {
			if mayBePart[h] {
				found[i] = partNamed(p.Nodes[i].Element)
				break
			}
		}
		if found[i].part == "" {
			found[i] = found[n.parent]
		}
	}
	return &parter{p, t, found}
}

// regions are the parts that kinds of blocks and the elements around them say.
var regions = []struct {
	flag   uint32
	part   string
	reason string
}{
	{inNav, "navigation", "in navigation"}, {inFooter, "footer", "in a footer"}, {inAside, "aside", "in an aside"},
	{inDialog, "notice", "in a dialog"},
	{inHeader, "header", "in a header"}, {inHidden, "hidden", "not shown"}, {inForm, "form", "in a form"},
}

// part is what a block is that is no main content, with the reason.
func (p *parter) part(i int) (part, reason string) {
	b, facts := &p.page.Blocks[i], &p.table.blocks[i]
	if n := p.named[p.table.within[i]]; n.part != "" {
		return n.part, n.reason
	}
	flags := p.table.nodes[p.table.within[i]].flags
	for _, r := range regions {
		if flags&r.flag != 0 {
			return r.part, r.reason
		}
	}
	switch {
	case b.Kind == text.Hidden:
		return "hidden", "not shown"
	case b.Kind == text.Control:
		return "form", "text of a form"
	case facts.marks&hasCopyright != 0:
		return "footer", "copyright"
	case facts.linked*10 >= facts.chars*6:
		return "navigation", "mostly links"
	}
	return "other", "unlike main content"
}

// mainReason is why a block is main content: the plainest of the facts that the trees see.
func (p *parter) mainReason(i int) string {
	facts, n := &p.table.blocks[i], &p.table.nodes[p.table.within[i]]
	inStory := p.table.Columns[fStory][i] > 0
	switch {
	case facts.inBody > 200:
		return "in articleBody of JSON-LD"
	case facts.prose > 0 && inStory:
		return "prose, where most of it is"
	case facts.prose > 0:
		return "prose"
	case facts.kind == text.Heading:
		return "heading of main content"
	case facts.kind == text.Code:
		return "code"
	case p.table.shapes[n.shape].blocks > 5 && inStory:
		return "one of a series, among prose"
	case p.table.shapes[n.shape].blocks > 5:
		return "one of a series"
	case inStory:
		return "among prose"
	case n.flags&(inMain|inArticle) != 0:
		return "in main or article"
	}
	return "near main content"
}

// Judge gives each block its part, score and reason, and says what page it is.
func Judge(p *Page) Verdict {
	m := model()
	t := Read(p)
	scores, kinds := m.Scores(t)
	from, expected := t.Choose(scores)
	main := make([]bool, len(t.nodes)) // whether each node holds main content
	for i, s := range scores {
		if s >= from {
			for n := t.within[i]; !main[n]; n = t.nodes[n].parent {
				main[n] = true
			}
		}
	}
	parts := partsOf(p, t, main)
	for i, s := range scores {
		b := &p.Blocks[i]
		b.Score = float64(s) / 1000
		if s >= from {
			b.Part, b.Reason = text.Main, parts.mainReason(i)
		} else {
			b.Part, b.Reason = parts.part(i)
		}
	}
	best := 0
	for k := range kinds {
		if kinds[k] > kinds[best] {
			best = k
		}
	}
	return Verdict{Kind: Kinds[best], Confidence: int(expected)}
}
