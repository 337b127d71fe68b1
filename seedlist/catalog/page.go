package catalog

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"laundromat/internal/weblink"
	"laundromat/rdf/format"
)

// anchor is a link of a page, with the text in it and after it.
type anchor struct {
	tag, href, rel, kind, title string
	class, download             string
	text                        string // inside
	after                       string // up to the next link, or the end of its line
}

// anchorReader finds the links of a page in HTML. Two pieces of text and a tag are all that is held.
type anchorReader struct {
	*reading
	tokens *html.Tokenizer
	each   func(anchor) error
	base   string  // the first that the page names
	at     *anchor // the last link; nil where there is none, or it leads nowhere
	inside bool    // of the element of the last link
	ended  bool    // the line of the last link is over
}

// anchors calls each with every link of a page in HTML, in order, and returns the base that the
// page names.
func (r *reading) anchors(each func(anchor) error) (base string, err error) {
	a := &anchorReader{reading: r, tokens: html.NewTokenizer(r.text), each: each}
	a.tokens.SetMaxBuf(int(min(r.opt.MaxMemory/4, 64<<20)))
	for {
		switch kind := a.tokens.Next(); kind {
		case html.ErrorToken:
			return a.base, a.end()
		case html.TextToken:
			a.readText()
		case html.StartTagToken, html.SelfClosingTagToken:
			if err := a.readTag(); err != nil {
				return a.base, err
			}
		case html.EndTagToken:
			switch name, _ := a.tokens.TagName(); string(name) {
			case "a":
				a.inside = false
			case "tr", "li":
				a.ended = true
			}
		}
	}
}

// flush gives the last link, whose text is complete.
func (a *anchorReader) flush() error {
	if a.at == nil {
		return nil
	}
	last := *a.at
	a.at = nil
	last.text, last.after = strings.TrimSpace(last.text), strings.Join(strings.Fields(last.after), " ")
	return a.each(last)
}

// end gives the last link, unless the page could not be read to its end for reasons of its source.
func (a *anchorReader) end() error {
	err := a.tokens.Err()
	if errors.Is(err, html.ErrBufferExceeded) {
		return errors.Join(a.flush(), damaged("a tag that does not end"))
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	return a.flush()
}

// readText keeps the text in the last link, or after it.
func (a *anchorReader) readText() {
	if a.at == nil {
		return
	}
	text := string(a.tokens.Text())
	if a.inside && len(a.at.text) < maxClaim {
		a.at.text += text[:min(len(text), maxClaim)]
	} else if !a.inside && !a.ended && len(a.at.after) < maxClaim {
		a.at.after += " " + text[:min(len(text), maxClaim)]
	}
}

func (a *anchorReader) readTag() error {
	token := a.tokens.Token()
	switch token.DataAtom {
	case atom.A, atom.Link, atom.Area:
		if err := a.flush(); err != nil {
			return err
		}
		a.inside, a.ended = token.DataAtom == atom.A, false
		a.at = anchorOf(token)
	case atom.Base:
		a.readBase(token)
	case atom.Br, atom.Tr, atom.Li:
		a.ended = true
	case atom.Td, atom.Th:
		if a.at != nil {
			a.at.after += " "
		}
	case atom.Noscript: // nothing of the page runs here
		a.tokens.NextIsNotRawText()
	}
	return nil
}

// anchorOf is the link of a tag; nil if it leads nowhere.
func anchorOf(token html.Token) *anchor {
	at := &anchor{tag: token.Data}
	for _, attr := range token.Attr {
		switch attr.Key {
		case "href":
			at.href = attr.Val
		case "rel":
			at.rel = strings.ToLower(attr.Val)
		case "type":
			at.kind = attr.Val
		case "title":
			at.title = attr.Val
		case "class":
			at.class = attr.Val
		case "download":
			at.download = attr.Val
		}
	}
	if at.href == "" {
		return nil
	}
	return at
}

// readBase resolves what follows by the base that the page names first.
func (a *anchorReader) readBase(token html.Token) {
	for _, attr := range token.Attr {
		if attr.Key == "href" && a.base == "" {
			a.base = attr.Val
			if absolute, err := a.resolve(a.base); err == nil {
				a.doc.URI = absolute
			}
		}
	}
}

func withoutQuery(uri string) string {
	uri, _, _ = strings.Cut(uri, "#")
	uri, _, _ = strings.Cut(uri, "?")
	return uri
}

// catalogRels are relations that lead to a description of the data.
var catalogRels = []string{"void", "describedby", "meta", "http://rdfs.org/ns/void#indataset", "https://www.w3.org/ns/dcat#catalog",
	"http://www.w3.org/ns/dcat#catalog", "api-catalog"}

func isDescription(rels []string) bool {
	return slices.ContainsFunc(rels, func(rel string) bool { return slices.Contains(catalogRels, rel) })
}

// page reads a page in HTML: the links to dumps, the descriptions that its head names, and the
// embedded DCAT, VoID or schema.org.
func (r *reading) page() error {
	if isBareList(r.head, r.doc.URI) {
		return r.listing()
	}
	r.hyper, r.given = true, map[string]bool{}
	// It is read twice, so it must be held.
	var whole bytes.Buffer
	most := max(64<<10, r.opt.MaxMemory/max(format.HTML.MemoryFactor(), 1))
	n, err := io.Copy(&whole, io.LimitReader(r.text, most+1))
	if err != nil {
		return err
	}
	rest := io.Reader(bytes.NewReader(whole.Bytes()))
	if n > most {
		rest = io.MultiReader(rest, r.text)
		r.refuse(r.doc.URI, OverLimit, "the page is too long to be searched for what is embedded in it; its links are read")
	}
	var links []anchor
	r.text = rest
	uri := r.doc.URI
	if _, err := r.anchors(func(a anchor) error {
		links = append(links, a)
		return r.hold(len(a.href) + len(a.text) + 200)
	}); err != nil {
		return err
	}
	embedded := false
	if n <= most {
		at := r.doc.URI
		r.doc.URI, r.text = uri, bytes.NewReader(whole.Bytes())
		g := &graph{r: r, nodes: map[string]*node{}}
		if err := r.statements(format.HTML, g); err != nil {
			return err
		}
		embedded = len(g.order) > 0
		if err := g.giveOut(false); err != nil {
			return err
		}
		r.doc.URI = at
	}
	seen := map[string]bool{}
	for _, a := range links {
		if err := r.pageLink(a, seen, embedded); err != nil {
			return err
		}
	}
	return nil
}

func (r *reading) pageLink(a anchor, seen map[string]bool, embedded bool) error {
	rels := strings.Fields(a.rel)
	uri, err := r.resolve(a.href)
	if err != nil {
		if natureOfName(a.href) == isRDF {
			return r.refuse(a.href, reasonOf(a.href, err), err.Error())
		}
		return r.refuse(a.href, OtherLink, "")
	}
	if seen[uri] || r.given[uri] {
		return nil
	}
	seen[uri] = true
	kind := natureOf(a.kind)
	named := natureOfName(uri)
	formats := []string{a.kind}
	if saved := natureOfName(a.download); saved == isRDF || named == unknown && saved != unknown {
		named, formats = saved, append(formats, extensionOfRDF(a.download))
	}
	switch {
	case slices.Contains(rels, "next"):
		r.next(uri, HTML)
		return nil
	case isDescription(rels) && kind != notRDF && named != notRDF:
		r.lead(uri, Any)
		return nil
	case a.tag == "link" && !slices.Contains(rels, "alternate"):
		return r.refuse(uri, OtherLink, "")
	case a.tag == "link" && (kind == isRDF || named == isRDF):
		// Most often what the page itself says, as RDF: perhaps a catalog.
		if isFeed(a.kind) {
			r.lead(uri, Feed)
			return nil
		}
		return r.take(found{uri: uri, title: firstOf(a.title, a.text), formats: []string{a.kind}, needsSign: true})
	case a.tag == "link":
		return r.refuse(uri, OtherLink, "")
	case kind == isRDF, named == isRDF, named == packed:
		claims := Claims{}
		if m := listingTime.FindString(a.after); m != "" {
			claims.setModified(m)
		}
		return r.take(found{uri: uri, title: firstOf(a.title, a.text), formats: formats, claims: claims, needsSign: named != packed})
	case named == notRDF, kind == notRDF:
		return r.refuse(uri, NotRDF, "by its name")
	}
	return r.refuse(uri, OtherLink, "")
}

func isFeed(kind string) bool {
	m := mediaType(kind)
	return m == "application/rss+xml" || m == "application/atom+xml"
}

// linkHeaders follows the Link headers of the page: descriptions, and the next page.
func (r *reading) linkHeaders() {
	for _, link := range weblink.Parse(r.doc.Links) {
		if about, err := resolve(r.doc.URI, link.Anchor, true); link.Anchor != "" &&
			(err != nil || withoutFragment(about) != withoutFragment(r.doc.URI)) {
			continue // of another page (RFC 8288, section 3.2)
		}
		for _, rel := range link.Rel {
			switch {
			case rel == "next":
				r.next(link.Target, r.opt.Kind)
			case rel != "meta" && slices.Contains(catalogRels, rel):
				r.lead(link.Target, Any)
			}
		}
	}
}
