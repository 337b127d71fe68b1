package web

import (
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/klauspost/compress/gzip"

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
	forms := articles.StoredForms()
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
		file, err := seedfile.Find(&seed, name, 0)
		if err != nil {
			writeProblem(w, huma.Error404NotFound(whyNoProduct(&seed, name)))
			return
		}
		packed, err := a.Files.Open(file.Key, file.Suffix)
		if err != nil {
			writeProblem(w, missing(err))
			return
		}
		defer packed.Close()
		lines, err := gzip.NewReader(files.Sequential(packed))
		if err != nil {
			writeProblem(w, missing(err))
			return
		}
		w.Header().Set("Content-Type", contentTypeOfProduct(as))
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Content-Disposition", `attachment; filename="`+seed.Hash+`.`+name+`.`+as+`"`)
		w.Header().Set("ETag", `"`+file.SHA256+"-"+as+`"`)
		if name == kind.Articles {
			err = articles.WriteStored(lines, as, seed.Retrieved, w)
		} else {
			stored := recordset.Stored{Lines: lines, Places: r.URL.Query().Get("places") == "true", Schema: schemaOf(a, &seed)}
			err = stored.Write(as, w)
		}
		if err != nil {
			panic(http.ErrAbortHandler) // the reader must not take what came for all
		}
	}
}

// schemaOf is the schema of the records of a seed; nil without one.
func schemaOf(a *api, seed *seedlist.Seed) []byte {
	file, err := seedfile.Find(seed, seedfile.Schema, 0)
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
	case "csv", "tsv", "text":
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}

// whyNoProduct says why a seed has none of a product.
func whyNoProduct(seed *seedlist.Seed, name string) string {
	p := seed.Product(name)
	switch {
	case p != nil && p.Error != nil:
		return "no " + name + ": " + seedlist.ShownIn(p.Error.Message)
	case p != nil && p.None:
		return "no " + name + ": the document holds none"
	case seed.Error != nil:
		return "no " + name + ": " + seedlist.ShownIn(seed.Error.Message)
	case seed.Status != seedlist.Parsed:
		return "no " + name + " yet: the seed is " + string(seed.Status)
	case seed.Format != "" && kind.Kind(seed.Format).Form(name) != kind.Not:
		return "no " + name + ": they were not asked for when it was washed (serve --products)"
	}
	return "no " + name + ": none are made of " + seed.Format
}
