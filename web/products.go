package web

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/records/dump"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
	"laundromat/states/articles"
	"laundromat/states/kind"
	"laundromat/states/recordset"
)

// productOf sends the records or the articles of a seed that are served. The parameter as says in which form; without
// it they are lines of JSON. With places, records have the fields that say where they come from.
func productOf(a *api, name string) http.HandlerFunc {
	forms := articleForms(a)
	if name == kind.Records {
		forms = dump.Formats()
	}
	return func(w http.ResponseWriter, r *http.Request) {
		seed, ok := a.seedOf(w, r)
		if !ok {
			return
		}
		as := r.URL.Query().Get("as")
		if as == "" {
			as = "jsonl"
		}
		if !slices.Contains(forms, as) {
			writeProblem(w, huma.Error422UnprocessableEntity("as is one of "+strings.Join(forms, ", ")))
			return
		}
		from, limit, err := windowIn(r.URL.Query())
		if err != nil {
			writeProblem(w, err)
			return
		}
		version, err := versionIn(r.URL.Query())
		if err != nil {
			writeProblem(w, err)
			return
		}
		file, err := openProductOf(a, seed, name, version)
		if err != nil {
			writeProblem(w, err)
			return
		}
		defer file.Close()
		if name == kind.Articles && slices.Contains(articles.MadeForms(), as) {
			writeMadeArticles(a, w, r, file, as)
			return
		}
		var lines io.Reader = file
		if from > 1 || limit > 0 {
			lines = &lineWindow{in: bufio.NewReaderSize(file, 64<<10), skip: from - 1, left: limit, isBounded: limit > 0}
		}
		setProductHead(w, &seed, name, as, file.Name.SHA256)
		if name == kind.Articles {
			err = articles.WriteStored(lines, as, retrievedOf(&seed, name, version), w)
		} else {
			stored := recordset.Stored{Lines: lines, Places: r.URL.Query().Get("places") == "true", Schema: schemaOf(a, &seed, version)}
			err = stored.Write(as, w)
		}
		if err != nil {
			panic(http.ErrAbortHandler) // the reader must not take what came for all
		}
	}
}

// articleForms are the formats in which articles are given.
func articleForms(a *api) []string {
	if a.Articles == nil {
		return articles.StoredForms()
	}
	return append(articles.StoredForms(), articles.MadeForms()...)
}

// writeMadeArticles writes articles in a format for which they are made again from the bytes of the document.
func writeMadeArticles(a *api, w http.ResponseWriter, r *http.Request, file *openedProduct, as string) {
	served := file.Seed.Served()
	for _, one := range []string{"from", "limit", "version"} {
		if r.URL.Query().Has(one) {
			writeProblem(w, huma.Error422UnprocessableEntity(one+" goes with "+strings.Join(articles.StoredForms(), " and ")+
				": in other formats the articles are made again from the bytes of the document, all of them"))
			return
		}
	}
	if p := file.Product; served.Content == nil || p != nil && p.Of != nil && p.Of.Content.SHA256 != served.Content.SHA256 {
		writeProblem(w, huma.Error404NotFound("the articles are of older bytes of the document, which are needed for this format: ask for "+
			strings.Join(articles.StoredForms(), " or ")))
		return
	}
	to := &begunWriter{to: w, begin: func() { setProductHead(w, &file.Seed, kind.Articles, as, file.Name.SHA256) }}
	err := a.Articles(r.Context(), served, a.name(r.Context(), &served), as, to)
	switch {
	case err == nil && !to.hasBegun:
		to.begin() // there are none that the format could hold
	case err != nil && !to.hasBegun:
		writeProblem(w, missing(err))
	case err != nil:
		panic(http.ErrAbortHandler) // the reader must not take what came for all
	}
}

// begunWriter calls a function before the first byte.
type begunWriter struct {
	to       io.Writer
	begin    func()
	hasBegun bool
}

func (b *begunWriter) Write(p []byte) (int, error) {
	if !b.hasBegun {
		b.hasBegun = true
		b.begin()
	}
	return b.to.Write(p)
}

// setProductHead says what a product is, before it is written.
func setProductHead(w http.ResponseWriter, seed *seedlist.Seed, name, as, sum string) {
	w.Header().Set("Content-Type", contentTypeOfProduct(as))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	attach(w.Header(), seed, "."+name+"."+as, false)
	w.Header().Set("ETag", `"`+sum+"-"+as+`"`)
}

// windowIn says which lines of a file are asked for: from a number, and how many; 0: all.
func windowIn(query url.Values) (from, limit int64, err error) {
	from = 1
	for name, to := range map[string]*int64{"from": &from, "limit": &limit} {
		if text := query.Get(name); text != "" {
			if *to, err = strconv.ParseInt(text, 10, 64); err != nil || *to < 1 {
				return 0, 0, huma.Error422UnprocessableEntity(name + " is a number from 1")
			}
		}
	}
	return from, limit, nil
}

// lineWindow reads some lines of a text.
type lineWindow struct {
	in         *bufio.Reader
	skip, left int64
	isBounded  bool
	rest       []byte
}

func (l *lineWindow) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		if l.isBounded && l.left == 0 {
			return 0, io.EOF
		}
		part, err := l.in.ReadSlice('\n')
		isEnd := err == nil
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) && len(part) == 0 {
			return 0, err
		}
		switch {
		case l.skip > 0 && isEnd:
			l.skip--
		case l.skip > 0:
		default:
			l.rest = part
			if isEnd {
				l.left--
			}
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// versionIn is the number of the version that is asked for; 0: that which is served.
func versionIn(query url.Values) (version int64, err error) {
	if text := query.Get("version"); text != "" {
		if version, err = strconv.ParseInt(text, 10, 64); err != nil || version < 1 {
			return 0, huma.Error422UnprocessableEntity("version is a number from 1")
		}
	}
	return version, nil
}

// retrievedOf is when the bytes came that a product of a version is of, or with 0 the product that is served.
func retrievedOf(seed *seedlist.Seed, name string, version int64) time.Time {
	if p := seed.Product(name); version == 0 && p != nil {
		version = p.Good // 0 where it is of what came last
	}
	for _, v := range seed.Versions() {
		if v.Number == version {
			return v.Retrieved
		}
	}
	return seed.Retrieved
}

// schemaOf is the schema of the records of a seed, of a version or with 0 of that which is served; nil without one.
func schemaOf(a *api, seed *seedlist.Seed, version int64) []byte {
	file, err := seedfile.Find(seed, seedfile.Schema, version)
	if err != nil {
		return nil
	}
	opened, err := a.Files.Open(file.Key, file.Suffix)
	if err != nil {
		return nil
	}
	defer opened.Close()
	text, err := io.ReadAll(files.Sequential(opened))
	if err != nil {
		return nil
	}
	return text
}

func contentTypeOfProduct(as string) string {
	switch as {
	case "jsonl":
		return "application/jsonl; charset=utf-8"
	case "json":
		return "application/json"
	case "csv", "tsv", "text", "markdown", "f5", "full5":
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}

// whyNoVersion says why there is no file of a product of a version.
func whyNoVersion(seed *seedlist.Seed, name string, version int64) string {
	for _, v := range seed.Versions() {
		if v.Number == version {
			return fmt.Sprintf("no %s of version %d: none were made of it, or they were not kept (serve --keep-versions)", name, version)
		}
	}
	return fmt.Sprintf("no version %d: %d came", version, seed.LastVersion())
}

// whyNoProduct says why a seed has none of a product.
func whyNoProduct(seed *seedlist.Seed, name string) string {
	if seed.Status != seedlist.Parsed && seed.Status != seedlist.Failed && seed.Status != seedlist.Depleted && seed.Error == nil {
		return "no " + name + " yet: the seed is " + string(seed.Status)
	}
	return "no " + name + ": " + whyNotMade(seed, name)
}

// whyNotMade says why none of a product was made of a seed that is in a final state, or had an error.
func whyNotMade(seed *seedlist.Seed, name string) string {
	p := seed.Product(name)
	switch {
	case p != nil && p.Error != nil:
		return seedlist.ShownIn(p.Error.Message)
	case p != nil && p.None:
		return "the document holds none"
	case seed.Error != nil && (seed.Error.Code != fault.FormatNotRDF || seed.Format == ""):
		return seedlist.ShownIn(seed.Error.Message)
	case seed.Status == seedlist.Depleted:
		return fmt.Sprintf("it is an archive, whose entries have their own (%q lists them)", "laundromat show "+seed.Hash)
	case len(kind.Kind(seed.Format).Makes([]string{name})) > 0:
		return "they were not asked for when it was washed (serve --products)"
	}
	return "none are made of " + seed.Format
}
