// Package faces gives programs the descriptions of what was washed: of each dataset by its IRI, in a catalog that is
// followed page by page, in one dump, and where search engines and readers of feeds look. What they say is made by
// [laundromat/web/metadata]; who may read is decided before, as for every page.
package faces

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"laundromat/rdf/write"
	"laundromat/seedlist"
	"laundromat/web"
	"laundromat/web/metadata"
)

// faces is the handler's state.
type faces struct {
	read web.Datasets
}

// New makes the faces. What is none of them goes to otherwise.
func New(read *web.Reader, otherwise http.Handler) http.Handler {
	f := &faces{web.Datasets{Reader: read}}
	mux := http.NewServeMux()
	all := []route{
		{"/id/{name}", nil, (*faces).identified},
		{"/catalog", []string{"cursor", "limit"}, (*faces).catalogPage},
		{web.DumpPath, nil, (*faces).dump},
		{"/.well-known/void", nil, (*faces).root},
		{"/quality", nil, (*faces).quality},
		{"/robots.txt", nil, (*faces).robots},
		{"/sitemap.xml", nil, (*faces).sitemapIndex},
		{"/sitemaps/{name}", nil, (*faces).sitemap},
		{"/feed", []string{"cursor"}, (*faces).feed},
	}
	for _, form := range metadata.Forms() {
		all = append(all, route{"/catalog." + form.Extension, []string{"cursor", "limit"},
			func(f *faces, w http.ResponseWriter, r *http.Request) error { return f.writeCatalog(w, r, &form) }})
	}
	for _, one := range all {
		mux.HandleFunc("GET "+one.path, func(w http.ResponseWriter, r *http.Request) {
			err := web.Unknown(r.URL.Query(), one.takes)
			if err == nil {
				err = one.answer(f, w, r)
			}
			if err != nil {
				web.WriteProblem(w, err)
			}
		})
	}
	mux.Handle("/", otherwise)
	return mux
}

// route is an address, the parameters that it takes, and what answers.
type route struct {
	path   string
	takes  []string
	answer func(*faces, http.ResponseWriter, *http.Request) error
}

func (f *faces) site(r *http.Request) metadata.Site {
	return metadata.Site{Base: web.BaseOf(r), Version: f.read.Version()}
}

// face is a form in which something is given: by itself, or somewhere else.
type face struct {
	mediaType string
	form      *metadata.Form // nil: it is at location
	location  string
}

// negotiated is the face of those that a request asks for; the error says that none will do, and names them.
func negotiated(w http.ResponseWriter, r *http.Request, all []face) (face, error) {
	w.Header().Set("Vary", "Accept, Accept-Encoding")
	types := make([]string, len(all))
	for i := range all {
		types[i] = all[i].mediaType
	}
	chosen := web.Negotiated(r.Header.Values("Accept"), types...)
	if i := slices.Index(types, chosen); i >= 0 {
		return all[i], nil
	}
	return face{}, web.Refused(http.StatusNotAcceptable, "this is given as "+strings.Join(types, ", ")+
		": name one of them in Accept, or ask for its address")
}

// formNamed is the form of an extension.
func formNamed(extension string) *metadata.Form {
	for _, form := range metadata.Forms() {
		if form.Extension == extension {
			return &form
		}
	}
	return nil
}

// identified leads from the IRI of a dataset to what describes it (303), or gives a description by its extension.
func (f *faces) identified(w http.ResponseWriter, r *http.Request) error {
	hash, extension, hasExtension := strings.Cut(r.PathValue("name"), ".")
	seed, err := f.read.Seed(r.Context(), strings.ToLower(hash))
	if err == nil {
		seed, err = f.read.Document(r.Context(), seed)
	}
	if err != nil {
		return err
	}
	page, record := "/seeds/"+seed.Hash, "/api/v1/seeds/"+seed.Hash
	switch form := formNamed(extension); {
	case form != nil:
		return f.describe(w, r, seed, form)
	case extension == "html":
		seeOther(w, page)
		return nil
	case extension == "json":
		seeOther(w, record)
		return nil
	case hasExtension:
		return web.Nothing(r.URL.Path)
	}
	at := "/id/" + seed.Hash
	var all []face
	for _, form := range metadata.Forms() {
		all = append(all, face{mediaType: form.MediaType, location: at + "." + form.Extension})
	}
	all = append(all, face{mediaType: "text/html", location: page}, face{mediaType: "application/json", location: record})
	for _, one := range all {
		w.Header().Add("Link", "<"+one.location+`>; rel="alternate"; type="`+one.mediaType+`"`)
	}
	chosen, err := negotiated(w, r, all)
	if err == nil {
		seeOther(w, chosen.location)
	}
	return err
}

// seeOther leads to what tells of a thing that isn't itself sent.
func seeOther(w http.ResponseWriter, to string) {
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusSeeOther)
}

// describe gives the description of a seed.
func (f *faces) describe(w http.ResponseWriter, r *http.Request, seed seedlist.Seed, form *metadata.Form) error {
	described, err := f.read.Described(r.Context(), seed, true)
	if err != nil {
		return err
	}
	var g metadata.Graph
	f.site(r).Describe(&g, &described)
	setChanged(w, described.Changed())
	w.Header().Add("Link", "</id/"+seed.Hash+`>; rel="describes"`)
	return send(w, &g, form)
}

// setChanged says when something changed last. What changed within the last seconds may change again within the second
// that the header tells, so that it says nothing then.
func setChanged(w http.ResponseWriter, at time.Time) {
	if !at.IsZero() && time.Since(at) > 2*time.Second {
		w.Header().Set("Last-Modified", at.UTC().Format(http.TimeFormat))
	}
}

// send gives a graph in a form.
func send(w http.ResponseWriter, g *metadata.Graph, form *metadata.Form) error {
	var whole bytes.Buffer
	if err := g.Write(&whole, form.Syntax); err != nil {
		return err
	}
	contentType := form.MediaType
	if form.Syntax == write.Turtle {
		contentType += "; charset=utf-8"
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, err := w.Write(whole.Bytes())
	if err != nil {
		panic(http.ErrAbortHandler) // nobody reads any more
	}
	return nil
}

// given are the forms, in which something is given by itself.
func given() (all []face) {
	for _, form := range metadata.Forms() {
		all = append(all, face{mediaType: form.MediaType, form: &form})
	}
	return all
}

// pageLength is how many datasets a page of the catalog has without a limit, and mostOfPage how many it may have.
const (
	pageLength = 100
	mostOfPage = 1000
)

// catalogPage gives a page of the catalog. People are led to the list.
func (f *faces) catalogPage(w http.ResponseWriter, r *http.Request) error {
	chosen, err := negotiated(w, r, append(given(), face{mediaType: "text/html", location: "/seeds?product=statements"}))
	if err != nil {
		return err
	}
	if chosen.form == nil {
		seeOther(w, chosen.location)
		return nil
	}
	return f.writeCatalog(w, r, chosen.form)
}

func (f *faces) writeCatalog(w http.ResponseWriter, r *http.Request, form *metadata.Form) error {
	query := r.URL.Query()
	limit, err := limitIn(query)
	if err != nil {
		return err
	}
	ctx := r.Context()
	total, err := f.read.Count(ctx)
	if err != nil {
		return err
	}
	listed, err := f.read.Page(ctx, query.Get("cursor"), limit)
	if err != nil {
		return err
	}
	page := metadata.Page{Cursor: query.Get("cursor"), Next: listed.Next, Limit: limit, Total: total}
	for _, seed := range listed.Seeds {
		one, err := f.read.Described(ctx, seed, false)
		if err != nil {
			return err
		}
		page.Datasets = append(page.Datasets, one)
	}
	var g metadata.Graph
	site := f.site(r)
	site.Catalog(&g, &page)
	if listed.Next != "" {
		next := r.URL.Path + "?" + metadata.PageQuery(listed.Next, page.Limit) // the path has the form
		w.Header().Set("Link", "<"+next+`>; rel="next"`)
	}
	return send(w, &g, form)
}

// root gives what the service says of itself.
func (f *faces) root(w http.ResponseWriter, r *http.Request) error {
	chosen, err := negotiated(w, r, given())
	if err != nil {
		return err
	}
	total, err := f.read.Count(r.Context())
	if err != nil {
		return err
	}
	var g metadata.Graph
	f.site(r).Root(&g, total)
	return send(w, &g, chosen.form)
}

// quality says what is measured.
func (f *faces) quality(w http.ResponseWriter, r *http.Request) error {
	chosen, err := negotiated(w, r, given())
	if err != nil {
		return err
	}
	var g metadata.Graph
	f.site(r).Quality(&g)
	return send(w, &g, chosen.form)
}

// dump gives the descriptions of all datasets as lines of N-Quads, in gzip. It holds one dataset at a time.
func (f *faces) dump(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	total, err := f.read.Count(ctx)
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", "application/gzip")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Disposition", `attachment; filename="laundromat-descriptions.nq.gz"`)
	header.Set("Cache-Control", "no-cache")
	if r.Method == http.MethodHead {
		return nil
	}
	if err := f.writeDump(ctx, w, f.site(r), total); err != nil {
		panic(http.ErrAbortHandler) // the reader must not take what came for all
	}
	return nil
}

func (f *faces) writeDump(ctx context.Context, w http.ResponseWriter, site metadata.Site, total int64) error {
	packed := gzip.NewWriter(w)
	var first metadata.Graph
	site.Root(&first, total)
	site.Quality(&first)
	if err := first.Write(packed, write.NQuads); err != nil {
		return err
	}
	for cursor := ""; ; {
		page, err := f.read.Page(ctx, cursor, pageLength)
		if err != nil {
			return err
		}
		for _, seed := range page.Seeds {
			described, err := f.read.Described(ctx, seed, true)
			if err != nil {
				return err
			}
			var g metadata.Graph
			site.DescribeIn(&g, &described)
			if err := g.Write(packed, write.NQuads); err != nil {
				return err
			}
		}
		if cursor = page.Next; cursor == "" {
			return packed.Close()
		}
	}
}

// limitIn is the limit of a page.
func limitIn(query url.Values) (int, error) {
	return numberIn(query, "limit", pageLength, mostOfPage)
}
