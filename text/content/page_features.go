package content

import (
	"math/bits"
	"strings"

	"laundromat/text"
)

// typeWords are parts of types of JSON-LD and Open Graph, and of addresses, that say what a page is.
var typeWords = [...]string{"article", "posting", "product", "forum", "discussion", "question", "qapage", "itemlist",
	"collection", "faq", "service", "business",
	"organization", "website", "techarticle", "software", "recipe", "event", "review", "offer", "breadcrumb", "video", "job", "search"}

var addressWords = [...]string{"forum", "thread", "topic", "question", "viewtopic", "showthread", "comments", "product",
	"/p/", "/dp/", "item", "collection", "categor", "shop",
	"/c/", "docs", "doc.", "documentation", "guide", "reference", "manual", "api", "wiki", "blog", "news", "article", "post",
	"service", "solution", "pricing", "features",
	"about", "search", "list", "tag", "jobs", "archive", "best", "community", "discuss", "support", "help", "learn", "tutorial", ".html"}

const (
	pTypes   = 0
	pOpen    = pTypes + len(typeWords)
	pAddress = pOpen + 6
	pCounts  = pAddress + len(addressWords) + 4
	pKinds   = pCounts + 35 // sums of weights, one for each kind
	// PageFeatures is how many features a page has.
	PageFeatures = pKinds + 7
)

// page fills the features of the page as a whole, and those of its blocks that are the same for all.
func (t *Table) page(p *Page) {
	t.Page = make([]uint8, PageFeatures)
	f := t.Page
	types := lower(strings.Join(p.Facts.Types, " "))
	for i, w := range typeWords {
		f[pTypes+i] = flag(strings.Contains(types, w))
	}
	open := lower(p.Facts.OpenGraph)
	for i, w := range [...]string{"article", "product", "website", "video", "profile", "object"} {
		f[pOpen+i] = flag(strings.Contains(open, w))
	}
	t.address(p)
	all := &t.nodes[0]
	var kinds [16]int
	var kindWords [16]int
	prices, years, links, headings, paragraphs, longest := 0, 0, 0, 0, 0, 0
	for i := range t.blocks {
		b := &t.blocks[i]
		kinds[b.kind]++
		kindWords[b.kind] += int(b.words)
		prices += int(flag(b.marks&hasPrice != 0))
		years += int(flag(b.marks&hasYear != 0))
		links += int(b.links)
		if b.kind == text.Heading {
			headings++
		}
		if b.prose > 0 {
			paragraphs++
			longest = max(longest, int(b.words))
		}
	}
	var repeated, repeatedWords group
	for i := range t.shapes {
		if g := t.shapes[i]; g.blocks > 3 {
			if g.blocks > repeated.blocks {
				repeated = g
			}
			if g.words > repeatedWords.words {
				repeatedWords = g
			}
		}
	}
	articles, tables, forms, lists := 0, 0, 0, 0
	for i := range t.nodes {
		switch n := &t.nodes[i]; n.name {
		case articleName:
			articles++
		case tableName:
			tables++
		case formName:
			forms++
		case listName:
			lists++
		}
	}
	base := &t.nodes[t.base]
	counts := [35]uint8{lg(t.Rows), lg(int(all.words)), share(int(all.linked), int(all.chars)), share(int(all.prose),
		int(all.chars)), lg(paragraphs), lg(longest),
		lg(prices), lg(years), lg(links), lg(headings), lg(kinds[text.Code]), share(kindWords[text.Code], int(all.words)),
		share(kindWords[text.ListItem], int(all.words)),
		share(kindWords[text.TableCell], int(all.words)), share(kindWords[text.Navigation], int(all.words)),
		share(kindWords[text.Quotation], int(all.words)),
		lg(kinds[text.Control]), lg(articles), lg(tables), lg(forms), lg(lists), lg(int(repeated.blocks)),
		lg(int(repeatedWords.words)), lg(int(repeatedWords.blocks)),
		share(int(base.prose), int(all.prose)), lg(int(base.words)), share(int(base.linked), int(base.chars)),
		lg(int(base.blocks)), base.name,
		flag(p.Facts.HasDate), flag(p.Facts.HasAuthor), lg(len(p.Facts.Body)),
		lg(p.Facts.Told[ToldTexts]), lg(p.Facts.Told[ToldNames]), lg(p.Facts.Told[ToldReviews])}
	copy(f[pCounts:], counts[:])
	same := []uint8{lg(int(all.words)), share(int(all.linked), int(all.chars)), lg(t.Rows), lg(int(all.prose)),
		share(int(base.chars), int(all.chars)), lg(headings),
		flag(strings.Contains(types, "article") || strings.Contains(types, "posting")) | flag(strings.Contains(types,
			"product"))<<1 | flag(open == "article")<<2 | flag(p.Facts.HasDate)<<3 | flag(p.Facts.HasAuthor)<<4}
	for k, value := range same {
		column := t.Columns[fPage+k]
		for i := range column {
			column[i] = value
		}
	}
}

// address fills what the URL of the page says, and what names its program has for things.
func (t *Table) address(p *Page) {
	f := t.Page
	_, path, _ := strings.Cut(p.Facts.URL, "://")
	host, path, _ := strings.Cut(lower(path), "/")
	path = "/" + path
	for i, w := range addressWords {
		f[pAddress+i] = flag(strings.Contains(path, w)) | flag(strings.Contains(host, w))<<1
	}
	at := pAddress + len(addressWords)
	f[at] = uint8(min(255, strings.Count(strings.Trim(path, "/"), "/")))
	f[at+1] = flag(len(path) < 2)
	f[at+2] = lg(strings.Count(path, "-"))
	f[at+3] = lg(strings.IndexFunc(path, func(r rune) bool { return '0' <= r && r <= '9' }) + 1)
	var seen [PageEntries / 64]uint64
	take := func(h Hash) { seen[h%PageEntries/64] |= 1 << (h % 64) }
	tokens(p.Facts.Generator, take)
	tokens(path, take)
	tokens(host, take)
	tokens(p.Facts.Title, take)
	for i := 1; i < len(t.nodes) && i < 400; i++ {
		if n := &t.nodes[i]; n.name == bodyName || n.flags&(inMain|inArticle) != 0 || n.prose*3 > t.nodes[0].prose {
			for _, h := range t.NodeHashes[n.from:n.to] {
				take(h)
			}
		}
	}
	for i, word := range seen {
		for ; word != 0; word &= word - 1 {
			t.PageHashes = append(t.PageHashes, Hash(64*i+bits.TrailingZeros64(word)))
		}
	}
}

// kindWeights fills what the names say of each kind of page.
func (t *Table) kindWeights(weights [][]int8) {
	for k := range Kinds {
		sum := 0
		for _, h := range t.PageHashes {
			sum += int(weights[k][h])
		}
		t.Page[pKinds+k] = around(sum / 4)
	}
}

func lower(s string) string { return strings.ToLower(s) }
