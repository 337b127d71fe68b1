package pages

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"laundromat/internal/digest"
	"laundromat/seedlist"
	"laundromat/states/articles"
	"laundromat/web"
)

// How much of the articles a page shows, in characters.
const (
	datasetArticles = 10 // of a list, on the page of a dataset
	articlesShown   = 50 // on their own page
	articleLittle   = 3000
	articleMuch     = 200_000
)

// articleList is a part of the articles of a document.
type articleList struct {
	Hash         string
	Sums         *digest.Articles
	Articles     []web.ArticleRow
	From, To     int64
	Total        int64 // 0 if not known
	Next, Before int64
	// Only is the article of a document that has one.
	Only *shownArticle
}

// articlesOf reads a part of a list of articles, or of the only one a part of its text.
func (s *site) articlesOf(ctx context.Context, document *seedlist.Seed, from int64, little bool) (l articleList, err error) {
	l = articleList{Hash: document.Hash, Sums: document.Articles, From: from}
	limit := articlesShown
	if little {
		limit = datasetArticles
	}
	rows, err := s.read.Articles(ctx, document.Hash, from, limit)
	if err != nil {
		return l, err
	}
	l.Articles, l.Next, l.To = rows.Articles, rows.Next, from+int64(len(rows.Articles))-1
	if from > 1 {
		l.Before = max(1, from-articlesShown)
	}
	if rows.Total != nil {
		l.Total = *rows.Total
	}
	if little && from == 1 && len(l.Articles) == 1 && l.Next == 0 {
		l.Only, err = s.articleOf(ctx, document, 1, articleLittle)
	}
	return l, err
}

// articlesPage is a page of the articles of a document.
type articlesPage struct {
	Hash, Name string
	List       articleList
}

// articlesPage lists articles.
func (s *site) articlesPage(r *http.Request) (page, error) {
	_, document, err := s.find(r)
	if err != nil {
		return page{}, err
	}
	document = document.Served()
	p := articlesPage{Hash: document.Hash, Name: s.read.Name(r.Context(), &document)}
	from, err := numberIn(r, "from", 1)
	if err != nil {
		return page{}, err
	}
	if p.List, err = s.articlesOf(r.Context(), &document, from, false); err != nil {
		return page{}, err
	}
	return page{title: "Articles of " + p.Name, template: "dataset_articles.html", data: p}, nil
}

// articlePage is the page of one article.
type articlePage struct {
	Hash, Name   string
	Article      *shownArticle
	Next, Before int64
}

// articlePage shows an article.
func (s *site) articlePage(r *http.Request) (page, error) {
	_, document, err := s.find(r)
	if err != nil {
		return page{}, err
	}
	document = document.Served()
	p := articlePage{Hash: document.Hash, Name: s.read.Name(r.Context(), &document)}
	n, err := numberIn(r, "number", 1)
	if err != nil {
		return page{}, err
	}
	if p.Article, err = s.articleOf(r.Context(), &document, n, articleMuch); err != nil {
		return page{}, err
	}
	p.Before = n - 1
	if of := document.Product(seedlist.ProductArticles); of != nil && of.Written != nil && n < *of.Written {
		p.Next = n + 1
	}
	title := p.Article.Title
	if title == "" {
		title = "Article of " + p.Name
	}
	return page{title: title, template: "dataset_article.html", data: p}, nil
}

// shownArticle is an article whose text is cut into the pieces that a page marks.
type shownArticle struct {
	articles.Stored
	Hash      string
	Number    int64
	Languages []string
	Groups    []blockGroup
	IsCut     bool // the text goes on
	HasPlaces bool
}

// blockGroup are blocks that follow one another: of the main content, or of one other part of the page.
type blockGroup struct {
	Part   string // "" of the main content, and where none was looked for
	Blocks []shownBlock
}

// shownBlock is a block, or a row of cells.
type shownBlock struct {
	Kind   string
	Level  int
	Offset int64 // in the text of the document, in bytes
	Pieces []textPiece
	Cells  [][]textPiece // of a row of a table
}

// articleBlocks are blocks of an article, for a template.
type articleBlocks struct {
	Article *shownArticle
	Blocks  []shownBlock
}

// textPiece is a stretch of text that is marked in one way.
type textPiece struct {
	Text    string
	Link    string // a URL that a browser may be led to
	Other   string // a URL that it may not
	IsQuote bool
}

// articleOf reads an article, of whose text so many characters are shown.
func (s *site) articleOf(ctx context.Context, document *seedlist.Seed, number int64, most int) (a *shownArticle, err error) {
	a = &shownArticle{Hash: document.Hash, Number: number}
	if a.Stored, err = s.read.Article(ctx, document.Hash, number); err != nil {
		return a, err
	}
	a.Languages = a.LanguageNames()
	a.HasPlaces = web.HasPlaces(s.read, document, seedlist.ProductArticles)
	text := []rune(a.Text)
	a.IsCut = len(text) > most
	cut := cuttingOf(&a.Stored, text)
	for i := range a.Attributes.Blocks {
		b := &a.Attributes.Blocks[i]
		if b.Start >= most || b.Start < 0 || b.End > len(text) || b.Start > b.End {
			continue
		}
		part := b.Part
		if part == "main" {
			part = ""
		}
		pieces := cut.pieces(b.Start, min(b.End, most))
		if len(a.Groups) == 0 || a.Groups[len(a.Groups)-1].Part != part {
			a.Groups = append(a.Groups, blockGroup{Part: part})
		}
		group := &a.Groups[len(a.Groups)-1]
		if last := len(group.Blocks) - 1; b.Kind == "table-cell" && last >= 0 && i > 0 && group.Blocks[last].Kind == "row" &&
			isSameRow(text[min(a.Attributes.Blocks[i-1].End, b.Start):b.Start]) {
			group.Blocks[last].Cells = append(group.Blocks[last].Cells, pieces)
			continue
		}
		one := shownBlock{Kind: b.Kind, Level: b.Level, Offset: b.Bytes[0], Pieces: pieces}
		if b.Kind == "table-cell" {
			one.Kind, one.Cells = "row", [][]textPiece{pieces}
		}
		group.Blocks = append(group.Blocks, one)
	}
	return a, nil
}

// isSameRow says of the text between two cells that no row ends in it.
func isSameRow(between []rune) bool { return !slices.Contains(between, '\n') }

// cutting knows where marks begin and end in a text.
type cutting struct {
	text          []rune
	bounds        []int
	links, quotes []articles.StoredSpan
}

func cuttingOf(a *articles.Stored, text []rune) *cutting {
	c := &cutting{text: text}
	take := func(spans []articles.StoredSpan) (sound []articles.StoredSpan) {
		for _, s := range spans {
			if s.Start >= 0 && s.Start < s.End && s.End <= len(text) {
				sound = append(sound, s)
				c.bounds = append(c.bounds, s.Start, s.End)
			}
		}
		slices.SortStableFunc(sound, func(a, b articles.StoredSpan) int { return a.Start - b.Start })
		return sound
	}
	c.links, c.quotes = take(a.Attributes.Links), take(a.Attributes.Quotes)
	slices.Sort(c.bounds)
	c.bounds = slices.Compact(c.bounds)
	return c
}

// pieces cuts a stretch of the text where a mark begins or ends.
func (c *cutting) pieces(start, end int) (all []textPiece) {
	first, _ := slices.BinarySearch(c.bounds, start+1)
	for at := start; at < end; {
		next := end
		if first < len(c.bounds) && c.bounds[first] < end {
			next = c.bounds[first]
			first++
		}
		p := textPiece{Text: string(c.text[at:next])}
		_, p.IsQuote = spanAt(c.quotes, at)
		if link, ok := spanAt(c.links, at); ok && isSafeLink(link) {
			p.Link = link
		} else {
			p.Other = link
		}
		all = append(all, p)
		at = next
	}
	return all
}

// spanAt is what belongs to the stretch that a place is in; the last that begins before it.
func spanAt(spans []articles.StoredSpan, at int) (text string, ok bool) {
	i, _ := slices.BinarySearchFunc(spans, at+1, func(s articles.StoredSpan, at int) int { return s.Start - at })
	// Stretches may lie in each other: a few before it are looked at.
	for back := i - 1; back >= 0 && back >= i-8; back-- {
		if spans[back].End > at {
			return spans[back].Text, true
		}
	}
	return "", false
}

// isSafeLink says that a browser may be led to a URL of others: it is of the web.
func isSafeLink(url string) bool {
	lower := strings.ToLower(url)
	return strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")
}
