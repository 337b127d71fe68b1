package web

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/klauspost/compress/gzip"

	"laundromat/internal/filenames"
	"laundromat/internal/files"
	"laundromat/internal/inflate"
	"laundromat/rdf/columns"
	"laundromat/rdf/format"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// DownloadForms are the forms in which the clean files of all documents that match a filter are given.
func DownloadForms() []string {
	if columns.Available() != nil {
		return []string{"nq", "zip"}
	}
	return []string{"nq", "parquet", "zip"}
}

const (
	// mostZipped is how many files a zip has: what it says of each is held in memory until its end.
	mostZipped = 100_000
	// downloadGroup is how many bytes of text a group of rows has in Parquet; one is held in memory.
	downloadGroup = 16 << 20
	// downloadPage is how many seeds are read at once.
	downloadPage = 500
)

// downloadAPI is the part of the API that sends the clean files of all documents that match.
type downloadAPI struct{ *api }

// downloadFilters are the filters of a download, by their parameters.
func downloadFilters(r *listRequest) map[string]*string {
	return map[string]*string{
		"state": &r.State, "format": &r.Format, "host": &r.Host, "source": &r.Source, "error": &r.Error, "notice": &r.Notice,
		"http_status": &r.HTTPStatus, "product": &r.Product, "washer": &r.Washer, "parent": &r.Parent, "encoding": &r.Encoding,
		"catalog": &r.Catalog, "score": &r.Score, "publisher": &r.Publisher, "licence": &r.Licence, "recipe": &r.Recipe,
		"class": &r.Class, "property": &r.Property, "vocabulary": &r.Vocabulary, "datatype": &r.Datatype, "language": &r.Language,
		"links_to": &r.LinksTo, "statistics": &r.Statistics,
	}
}

// downloadParameters are those of a download.
func downloadParameters() []string {
	all := []string{"as"}
	for name := range downloadFilters(&listRequest{}) {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// download is one reply.
type download struct {
	a      *api
	ctx    context.Context
	first  SeedPage
	asked  listRequest
	places seedfile.Places
}

// send sends the clean files of the documents that match, each once, in the order of the list. A reply that breaks
// off has no sound end: the connection is cut, a zip has no directory, Parquet no footer, and N-Quads not the last
// comment.
func (d downloadAPI) send(w http.ResponseWriter, r *http.Request) {
	run := &download{a: d.api, ctx: r.Context(), places: seedfile.Places{Record: d.Seeds.Record}}
	run.asked.Limit = downloadPage
	query := r.URL.Query()
	for name, to := range downloadFilters(&run.asked) {
		*to = strings.TrimSpace(query.Get(name))
	}
	as := query.Get("as")
	if err := columns.Available(); as == "parquet" && err != nil {
		writeProblem(w, huma.Error501NotImplemented(err.Error()))
		return
	}
	if !slices.Contains(DownloadForms(), as) {
		writeProblem(w, huma.Error422UnprocessableEntity("as is "+strings.Join(DownloadForms(), ", ")))
		return
	}
	if err := run.begin(as); err != nil {
		writeProblem(w, problem(err))
		return
	}
	endings := map[string][2]string{
		"nq": {"application/gzip", ".nq.gz"}, "parquet": {"application/vnd.apache.parquet", ".parquet"}, "zip": {"application/zip", ".zip"},
	}
	w.Header().Set("Content-Type", endings[as][0])
	w.Header().Set("X-Content-Type-Options", "nosniff")
	attachAs(w.Header(), run.name()+endings[as][1])
	if r.Method == http.MethodHead {
		return
	}
	out := bufio.NewWriterSize(w, 64<<10)
	var err error
	switch as {
	case "nq":
		err = run.lines(out)
	case "parquet":
		err = run.table(out)
	case "zip":
		err = run.zip(out)
	}
	if err = errors.Join(err, out.Flush()); err != nil {
		panic(http.ErrAbortHandler) // the reader must not take what came for all
	}
}

// begin reads the first page, and refuses what can't be sent.
func (d *download) begin(as string) (err error) {
	if message := cmp.Or(d.a.strangeValue(d.ctx, &d.asked.SeedFilter), d.asked.TermFilter.strange()); message != "" {
		return huma.Error422UnprocessableEntity(message)
	}
	if d.first, err = d.page(""); err != nil || as != "zip" {
		return err
	}
	n := 0
	many := errors.New("many")
	err = d.each(func(*seedlist.Seed, string) error {
		if n++; n > mostZipped {
			return many
		}
		return nil
	})
	if errors.Is(err, many) {
		return huma.Error422UnprocessableEntity(fmt.Sprintf("more than %d clean files match, as many as a zip may have: narrow the "+
			"filter, or take them as nq or parquet", mostZipped))
	}
	return err
}

func (d *download) page(cursor string) (SeedPage, error) {
	asked := d.asked // which page may change
	asked.Cursor = cursor
	return d.a.page(d.ctx, &asked)
}

// name is what the file is called: by the filter.
func (d *download) name() string {
	parts := []string{"laundromat"}
	filters := downloadFilters(&d.asked)
	for _, name := range downloadParameters() {
		if to := filters[name]; to != nil && *to != "" {
			parts = append(parts, safeName(*to))
		}
	}
	return safeName(strings.Join(parts, "-"))
}

// each calls do with each clean file that matches, and a document that it is of.
func (d *download) each(do func(seed *seedlist.Seed, clean string) error) error {
	seen := map[string]bool{}
	for page := d.first; ; {
		for i := range page.Seeds {
			seed := &page.Seeds[i]
			clean := seed.CleanFile()
			if clean == "" || seen[clean] || seed.Document != "" {
				continue
			}
			seen[clean] = true
			if err := errors.Join(d.ctx.Err(), do(seed, clean)); err != nil {
				return err
			}
		}
		if len(page.Damaged) > 0 {
			return errors.New(page.Damaged[0]) // what it names is not known
		}
		if page.Next == "" {
			return nil
		}
		next, err := d.page(page.Next)
		if err != nil {
			return err
		}
		page = next
	}
}

// of is the document that people know a clean file by: of a clean seed that which washes to it.
func (d *download) of(seed *seedlist.Seed) (seedlist.Seed, error) {
	if seed.Status != seedlist.Cleaned {
		return *seed, nil
	}
	whole, err := d.a.Seeds.Seed(d.ctx, seed.Hash)
	if err != nil || whole.Dirty == "" {
		return whole, err
	}
	return d.a.Seeds.Record(d.ctx, whole.Dirty)
}

// errOther says that a file isn't the one that it is named after.
var errOther = errors.New("the file does not hold what it is named after")

// read reads a clean file, whose stored bytes go to raw meanwhile, if that is not nil. The file must hold the text
// whose MD5 it is named by. What was cut between two members of gzip unpacks without an error, and shows here alone.
func (d *download) read(clean string, raw io.Writer, do func(text io.Reader) error) error {
	file, err := d.a.Files.Open(clean, files.Clean)
	if err != nil {
		return err
	}
	defer file.Close()
	in := io.Reader(files.Sequential(file))
	if raw != nil {
		in = io.TeeReader(in, raw)
	}
	hash := md5.New()
	members, err := inflate.NewMembers(bufio.NewReaderSize(in, 64<<10))
	switch {
	case errors.Is(err, io.EOF): // without members, and so without statements
		err = do(strings.NewReader(""))
	case err == nil:
		text := io.TeeReader(members, hash)
		if err = do(text); err == nil {
			_, err = io.Copy(io.Discard, text)
		}
	}
	if err == nil && hex.EncodeToString(hash.Sum(nil)) != clean {
		err = fmt.Errorf("clean file %s: %w", clean, errOther)
	}
	return err
}

// copied copies a clean file as it is stored, and says how many bytes that are.
func (d *download) copied(to io.Writer, clean string) (int64, error) {
	out := &counted{to: to}
	err := d.read(clean, out, func(io.Reader) error { return nil })
	return out.n, err
}

// lines sends N-Quads in gzip: the stored members, and before those of each document one with a comment that names it.
func (d *download) lines(to io.Writer) error {
	packed, _ := gzip.NewWriterLevel(to, gzip.BestSpeed) // the level is known
	comment := func(what string, value any) error {
		text, err := seedlist.EncodeJSON(value)
		if err != nil {
			return err
		}
		packed.Reset(to)
		fmt.Fprintf(packed, "# %s %s\n", what, text)
		return packed.Close()
	}
	n := 0
	err := d.each(func(seed *seedlist.Seed, clean string) error {
		of, err := d.of(seed)
		if err == nil {
			err = comment("document", StatementsOf{Hash: of.Hash, Name: d.a.name(d.ctx, &of), Clean: clean})
		}
		if err != nil {
			return err
		}
		n++
		_, err = d.copied(to, clean)
		return err
	})
	if err != nil {
		return err
	}
	return comment("end", map[string]int{"files": n})
}

// table sends a table in Parquet, a statement a row.
func (d *download) table(to io.Writer) error {
	table, err := columns.NewWriter(to, columns.Options{GroupBytes: downloadGroup, Creator: "laundromat " + d.a.Version})
	if err != nil {
		return err
	}
	err = d.each(func(seed *seedlist.Seed, clean string) error {
		of, err := d.of(seed)
		if err != nil {
			return err
		}
		table.Dataset(d.a.name(d.ctx, &of))
		return d.read(clean, nil, func(text io.Reader) error {
			_, err := format.Parse(d.ctx, format.NQuads, text, format.Options{}, table)
			return cmp.Or(err, table.Lost())
		})
	})
	if err != nil {
		return err
	}
	return table.Close()
}

// zip sends the files under names that people know, with a manifest.
func (d *download) zip(to io.Writer) error {
	archive := zip.NewWriter(to)
	var manifest bytes.Buffer
	fmt.Fprintln(&manifest, filenames.Header)
	err := d.each(func(seed *seedlist.Seed, clean string) error {
		of, err := d.of(seed)
		if err != nil {
			return err
		}
		at, err := d.places.Of(d.ctx, &of)
		if err != nil {
			return err
		}
		name := filenames.Name{URI: at.URI, Entries: at.Entries, Key: of.Hash, Time: at.Time, Clean: true}
		entry, err := archive.CreateHeader(&zip.FileHeader{Name: name.Path(), Method: zip.Store, Modified: at.Time})
		if err != nil {
			return err
		}
		n, err := d.copied(entry, clean)
		row := filenames.Row{
			Key: of.Hash, Path: name.Path(), What: "clean", Time: at.Time, Bytes: n, Hash: clean,
			URI: seedlist.ShownIn(at.String()),
		}
		fmt.Fprintln(&manifest, row.String())
		return err
	})
	if err != nil {
		return err
	}
	entry, err := archive.CreateHeader(&zip.FileHeader{Name: filenames.Manifest, Method: zip.Deflate, Modified: time.Now()})
	if err == nil {
		_, err = entry.Write(manifest.Bytes())
	}
	return errors.Join(err, archive.Close())
}

// DownloadPath is the address of a download of what a list shows, whose query is given.
func DownloadPath(as string, list url.Values) string {
	query := url.Values{"as": {as}}
	for name := range downloadFilters(&listRequest{}) {
		if value := list.Get(name); value != "" {
			query.Set(name, value)
		}
	}
	return "/api/v1/download?" + query.Encode()
}
