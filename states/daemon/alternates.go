package daemon

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"sync"

	"laundromat/encoding"
	"laundromat/internal/rfc3986"
	"laundromat/internal/weblink"
	"laundromat/rdf/format"
	"laundromat/seedlist"
	"laundromat/states"
)

// A page where data was asked for leads to the data; each request prefers RDF. It does by its link
// elements, and by the Link headers that it came with. What came in another form that is no RDF
// leads there by its headers alone.

// sameData are the relations to the same in another form; of such the ones in the
// format that is read best are followed.
var sameData = []string{"alternate"}

// otherData are relations to other documents about the page or its subject: all of an RDF format
// are followed. By "meta" FOAF was found; "item" is of https://signposting.org.
var otherData = []string{"describedby", "item", "meta"}

// preferred are the formats that are followed to, what is read best first.
var preferred = []format.Format{
	format.NQuads, format.NTriples, format.TriG, format.Turtle, format.RDFXML, format.JSONLD, format.TriX, format.RDFJSON, format.N3,
}

// alternates finds the documents that a seed's document leads to, by what was found out
// of it; nil where nothing is followed.
func (r *Runner) alternates(ctx context.Context, seed seedlist.Seed, d states.Document, guessed *states.Guessed) (*follower, error) {
	isPage := guessed.Format == format.HTML || guessed.Format == "" && strings.HasPrefix(guessed.NotRDF, "HTML")
	if !r.opt.Follow.Alternate || seed.URI == "" || seed.Parent != "" || !isPage && guessed.NotRDF == "" {
		return nil, nil
	}
	f, err := r.newFollower(ctx, seed)
	if f == nil || err != nil {
		return nil, err
	}
	f.source = "alternate:" + seed.Hash
	var links []weblink.Link
	for _, e := range seed.HTTP {
		if u, err := seedlist.ParseURI(e.URI); err == nil {
			f.seen[u.Hash()] = true // where redirects led: that gave the page
		}
	}
	if reply := lastReply(seed.Record); reply != nil {
		links = weblink.Parse(reply.Headers["link"])
	}
	f.links(d.Base, d.Base, links)
	if isPage {
		base, links, err := pageLinks(ctx, d, guessed.Encoding)
		if err != nil {
			return nil, err
		}
		f.links(string(rfc3986.AppendResolved(nil, []byte(d.Base), []byte(base))), d.Base, links)
	}
	return f, nil
}

// maxPage is how much of a page is searched for links, in bytes; they are at its head.
const maxPage = 8 << 20

// keptPage is the longest buffer of a page that serves again, in bytes.
const keptPage = 1 << 20

var pageBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// pageLinks reads the links of a page. That its encoding is not proved yet does no harm: references
// are in ASCII, or are refused as no URI.
func pageLinks(ctx context.Context, d states.Document, presumed encoding.Choice) (string, []weblink.Link, error) {
	raw, err := d.Bytes(ctx)
	if err != nil {
		return "", nil, err
	}
	defer raw.Close()
	from := states.WithContext(ctx, raw)
	page, _ := pageBuffers.Get().(*bytes.Buffer)
	defer func() {
		if page.Cap() <= keptPage {
			page.Reset()
			pageBuffers.Put(page)
		}
	}()
	page.Grow(int(max(0, min(d.Size, maxPage))) + bytes.MinRead)
	if _, err := page.ReadFrom(io.LimitReader(from, maxPage)); err != nil && ctx.Err() != nil {
		return "", nil, err
	}
	isPlain := presumed.Name == "utf-8" || presumed.Name == "windows-1252"
	if isPlain && page.Len() < maxPage && !weblink.MayLeadTo(page.Bytes(), isData) {
		return "", nil, nil
	}
	text, err := encoding.NewReader(io.MultiReader(page, from), presumed.Name, encoding.Options{Tolerate: true})
	if err != nil {
		return "", nil, nil // it can't be read; another stage reports that
	}
	base, links, err := weblink.Page(io.LimitReader(text, maxPage))
	if err != nil && ctx.Err() == nil {
		err = nil // damage, which another stage reports: what is before it counts
	}
	return base, links, err
}

// isData says that a media type is that of a format which links are followed to.
func isData(mediaType string) bool { return rankOf(mediaType) >= 0 }

// rankOf is the place of the format of a media type in preferred; -1 if it is not there.
func rankOf(mediaType string) int {
	if !strings.Contains(mediaType, "/") {
		return -1
	}
	named, err := format.Named(mediaType)
	if err != nil {
		return -1
	}
	return slices.Index(preferred, named)
}

// links follows those of an RDF format. page is what they are links of.
func (f *follower) links(base, page string, links []weblink.Link) {
	best := len(preferred)
	rank := func(l *weblink.Link) int {
		if l.Anchor != "" && string(rfc3986.AppendResolved(nil, []byte(base), []byte(l.Anchor))) != page {
			return -1
		}
		return rankOf(l.Type)
	}
	for i := range links {
		if at := rank(&links[i]); at >= 0 && slices.ContainsFunc(sameData, links[i].Has) {
			best = min(best, at)
		}
	}
	for i := range links {
		l := &links[i]
		at := rank(l)
		if at >= 0 && (at == best && slices.ContainsFunc(sameData, l.Has) || slices.ContainsFunc(otherData, l.Has)) {
			f.uri(string(rfc3986.AppendResolved(nil, []byte(base), []byte(l.Target))))
		}
	}
}
