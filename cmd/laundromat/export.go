package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/docker/go-units"
	"github.com/spf13/cobra"

	"laundromat/internal/files"
	"laundromat/internal/layout"
	"laundromat/internal/linesort"
	"laundromat/internal/outfile"
	"laundromat/seedlist"
	"laundromat/web/client"
)

// exportOptions are the flags of export.
type exportOptions struct {
	layout string
	what   string
	copied bool
	keep   bool
	find   string
	temp   string
}

func (p *program) exportCommand() *cobra.Command {
	var o exportOptions
	c := &cobra.Command{
		Use:   "export DIR",
		Short: "The downloaded files in folders named by their URIs, with a manifest",
		Long: "Export puts hard links to the downloaded files, or copies of them, into DIR, named by\n" +
			"reversed host, path, key and time, and writes MANIFEST.tsv, which tells the URI of each.\n" +
			"A second export brings DIR up to date. A hard link is the store's own file: do not write\n" +
			"into it.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if o.find != "" {
				return p.findExported(args[0], o.find)
			}
			return p.export(c.Context(), args[0], &o)
		},
	}
	flags := c.Flags()
	flags.StringVar(&o.layout, "layout", "uri", "how files are named: uri")
	flags.StringVar(&o.what, "what", "raw", "raw: as they came; clean: clean N-Quads in gzip, of what is in archives too; both")
	flags.BoolVar(&o.copied, "copy", false, "copies, which may be written into")
	flags.BoolVar(&o.keep, "keep", false, "keep what an earlier export put there of older versions and of seeds that are gone")
	flags.StringVar(&o.find, "find", "", "only print where DIR has the files of this HASH or URI")
	flags.StringVar(&o.temp, "temp", "", "folder for temporary files (default the system's)")
	return c
}

// partFile tells what an export that was interrupted put there.
const partFile = "MANIFEST.part"

// exporting is one run of export.
type exporting struct {
	program *program
	options *exportOptions
	api     *client.Client
	files   *files.Store
	dir     string
	began   time.Time

	part   *os.File
	writer *bufio.Writer
	rows   *linesort.Sorter
	roots  map[string]*place // of what is in archives, by the key of the archive

	sums exportSums
}

// exportSums are the numbers that an export ends with.
type exportSums struct {
	Files   int64 `json:"files"`   // in DIR
	Bytes   int64 `json:"bytes"`   // of these
	Linked  int64 `json:"linked"`  // made now
	Copied  int64 `json:"copied"`  // made now
	Removed int64 `json:"removed"` // that were of older versions, or of seeds that are gone
	Missing int64 `json:"missing"` // that a record names and that are not there
	Changed int64 `json:"changed"` // that were fetched anew meanwhile
}

// place is where a document is among others.
type place struct {
	uri     string
	entries []string
	time    time.Time
}

// Numbers of rows that are written before their files are made, and of archives whose
// places are remembered.
const (
	exportBatch = 500
	exportRoots = 10_000
)

func (p *program) export(ctx context.Context, dir string, o *exportOptions) error {
	switch {
	case o.layout != "uri":
		return usage("--layout is uri, not %q", o.layout)
	case o.what != "raw" && o.what != "clean" && o.what != "both":
		return usage("--what is raw, clean or both, not %q", o.what)
	}
	if err := isExport(dir); err != nil {
		return err
	}
	api, err := p.connect(ctx, toRead)
	if err != nil {
		return err
	}
	defer api.Close()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	// The daemon, if there is one, stays the one that writes to the store.
	store, err := files.Open(p.dataDir())
	if err != nil {
		return err
	}
	defer store.Close()
	e := &exporting{
		program: p, options: o, api: api, files: store, dir: dir, began: time.Now(), roots: map[string]*place{},
		rows: linesort.New(linesort.Options{Memory: 64 << 20, Temp: o.temp, Workers: 1}),
	}
	defer e.rows.Close()
	if err := e.run(ctx); err != nil {
		return err
	}
	if err := e.tell(); err != nil {
		return err
	}
	if e.sums.Missing > 0 {
		return exit(exitFailed, fmt.Errorf("%d files that records name are not there; \"laundromat verify\" tells more", e.sums.Missing))
	}
	return nil
}

// isExport refuses a folder that holds what no export put there.
func isExport(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.Name() == layout.Manifest || entry.Name() == partFile {
			return nil
		}
	}
	return usage("%s is not empty, and holds no %s: name a new folder, or one that export made", dir, layout.Manifest)
}

// Kinds of lines in the sort: what stood there before, and what is there now.
const (
	rowBefore = "0"
	rowNow    = "1"
)

func (e *exporting) run(ctx context.Context) error {
	for _, name := range []string{layout.Manifest, partFile} {
		if err := e.readBefore(name); err != nil {
			return err
		}
	}
	var err error
	if e.part, err = os.OpenFile(filepath.Join(e.dir, partFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666); err != nil {
		return err
	}
	defer e.part.Close()
	e.writer = bufio.NewWriter(e.part)
	// What an interrupted export wrote last may have no line end.
	if info, err := e.part.Stat(); err == nil && info.Size() > 0 {
		e.writer.WriteString("\n")
	}
	if err := e.seeds(ctx); err != nil {
		return err
	}
	if err := e.part.Close(); err != nil {
		return err
	}
	if err := e.manifest(ctx); err != nil {
		return err
	}
	return os.Remove(filepath.Join(e.dir, partFile))
}

// readBefore puts the rows of an earlier export into the sort.
func (e *exporting) readBefore(name string) error {
	file, err := os.Open(filepath.Join(e.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	for row, err := range layout.Rows(file, name == partFile) {
		if err != nil {
			return fmt.Errorf("%s: %w (move it away, and export into a new folder)", file.Name(), err)
		}
		if err := e.add(row, rowBefore); err != nil {
			return err
		}
	}
	return nil
}

func (e *exporting) add(row layout.Row, kind string) error {
	key, rest, _ := strings.Cut(row.String(), "\t")
	path, rest, _ := strings.Cut(rest, "\t")
	return e.rows.Add(0, []byte(key+"\t"+path+"\t"+kind+"\t"+rest))
}

// wanted is a file that is to be placed.
type wanted struct {
	row    layout.Row
	hash   string
	suffix files.Suffix
}

// seeds places the files of every seed.
func (e *exporting) seeds(ctx context.Context) error {
	var batch []wanted
	raw, clean := e.options.what != "clean", e.options.what != "raw"
	query := url.Values{}
	err := e.api.EachSeed(ctx, "/seeds", query, 0, func(seed seedlist.Seed) error {
		if seed.Document != "" {
			return nil // its document is there itself
		}
		isRaw := raw && seed.URI != "" && seed.Content != nil && !seed.Relative
		isClean := clean && seed.Clean != ""
		if !isRaw && !isClean {
			return ctx.Err()
		}
		at, err := e.place(ctx, &seed)
		if err != nil {
			return err
		}
		row := layout.Row{Key: seed.Hash, URI: at.shown(), Time: at.time}
		name := layout.Name{URI: at.uri, Entries: at.entries, Key: seed.Hash, Time: at.time}
		if isRaw {
			row.What, row.Path, row.Hash = "raw", name.Path(), seed.Content.MD5
			row.Bytes = seed.Content.NumberOfBytes
			batch = append(batch, wanted{row, seed.Hash, files.Dirty})
		}
		if isClean {
			name.Clean = true
			row.What, row.Path, row.Hash, row.Bytes = "clean", name.Path(), seed.Clean, -1
			batch = append(batch, wanted{row, seed.Clean, files.Clean})
		}
		if len(batch) < exportBatch {
			return nil
		}
		defer func() { batch = batch[:0] }()
		return e.placeAll(ctx, batch)
	})
	if err != nil {
		return err
	}
	return e.placeAll(ctx, batch)
}

// placeAll places files, after it has written down which.
func (e *exporting) placeAll(ctx context.Context, batch []wanted) error {
	for _, w := range batch {
		e.writer.WriteString(w.row.String() + "\n")
	}
	if err := e.writer.Flush(); err != nil {
		return err
	}
	for _, w := range batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		placed, err := e.files.Place(w.hash, w.suffix, filepath.Join(e.dir, filepath.FromSlash(w.row.Path)), e.options.copied)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			e.sums.Missing++
			e.program.note("missing: %s of %s", w.row.What, w.row.URI)
			continue
		case err != nil:
			return err
		}
		if w.row.What == "raw" && (placed.Size != w.row.Bytes || placed.Changed.After(e.began) && placed.Changed.After(w.row.Time)) {
			// The record is of the file before.
			e.sums.Changed++
			e.program.note("fetched anew meanwhile: %s", w.row.URI)
			os.Remove(filepath.Join(e.dir, filepath.FromSlash(w.row.Path)))
			continue
		}
		w.row.Bytes = placed.Size
		switch {
		case placed.Already:
		case placed.Copied:
			e.sums.Copied++
		default:
			e.sums.Linked++
		}
		if err := e.add(w.row, rowNow); err != nil {
			return err
		}
	}
	return nil
}

// place finds where a seed is: at its URI, or in an archive at one.
func (e *exporting) place(ctx context.Context, seed *seedlist.Seed) (*place, error) {
	if seed.Parent == "" {
		return &place{uri: seed.URI, time: seed.Retrieved}, nil
	}
	parent := e.roots[seed.Parent]
	if parent == nil {
		var archive seedlist.Seed
		if err := e.api.Get(ctx, "/seeds/"+seed.Parent, nil, &archive); err != nil {
			return nil, err
		}
		var err error
		if parent, err = e.place(ctx, &archive); err != nil {
			return nil, err
		}
		if len(e.roots) >= exportRoots {
			clear(e.roots)
		}
		e.roots[seed.Parent] = parent
	}
	entry := ""
	if seed.Archive != nil {
		entry = seed.Archive.Entry
	}
	return &place{uri: parent.uri, entries: append(parent.entries[:len(parent.entries):len(parent.entries)], entry), time: parent.time}, nil
}

func (at *place) shown() string {
	return seedlist.ShownIn(strings.Join(append([]string{at.uri}, at.entries...), "!/"))
}

// manifest writes the manifest, in the order of keys, and removes what is no more.
func (e *exporting) manifest(ctx context.Context) error {
	root, err := os.OpenRoot(e.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	whole, err := outfile.Create(filepath.Join(e.dir, layout.Manifest))
	if err != nil {
		return err
	}
	defer whole.Abort()
	out := bufio.NewWriter(whole)
	fmt.Fprintln(out, layout.Header)
	var last exportedRow // of a file, of which both kinds may come
	flush := func() error {
		if last.path == "" {
			return nil
		}
		if last.kind == rowBefore && !e.options.keep {
			return e.remove(root, last.path)
		}
		if last.kind == rowBefore {
			info, err := root.Lstat(filepath.FromSlash(last.path))
			if err != nil {
				return nil // an interrupted export did not come to it, or somebody removed it
			}
			last.row.Bytes = info.Size()
		}
		fmt.Fprintln(out, last.row.String())
		e.sums.Files++
		e.sums.Bytes += last.row.Bytes
		return nil
	}
	_, err = e.rows.Write(ctx, func(int) string { return "" }, func(line []byte) error {
		row, err := readExported(string(line))
		if err != nil {
			return err
		}
		if row.path != last.path {
			if err := flush(); err != nil {
				return err
			}
		}
		last = row
		return nil
	})
	if err == nil {
		err = flush()
	}
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = whole.Sync()
	}
	if err != nil {
		return err
	}
	return whole.Close()
}

// exportedRow is a line of the sort.
type exportedRow struct {
	kind, path string
	row        layout.Row
}

func readExported(line string) (r exportedRow, err error) {
	cells := strings.SplitN(line, "\t", 4)
	if len(cells) != 4 {
		return r, errors.New("a line of the export is damaged")
	}
	r.kind = cells[2]
	r.row, err = layout.ParseRow(cells[0] + "\t" + cells[1] + "\t" + cells[3])
	r.path = r.row.Path
	return r, err
}

// remove removes a file that an earlier export put there, and the folders that it leaves
// empty. Only what has the key in its name is taken for such.
func (e *exporting) remove(root *os.Root, path string) error {
	name := filepath.FromSlash(path)
	if !filepath.IsLocal(name) || strings.Count(filepath.Base(name), "+") != 2 {
		return nil
	}
	if err := root.Remove(name); err == nil {
		e.sums.Removed++
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for folder := filepath.Dir(name); folder != "."; folder = filepath.Dir(folder) {
		if root.Remove(folder) != nil {
			break
		}
	}
	return nil
}

func (e *exporting) tell() error {
	if e.program.json {
		return encodeTo(e.program.out, e.sums)
	}
	e.program.note("%d files, %s in %s: %d linked, %d copied, %d removed", e.sums.Files, units.BytesSize(float64(e.sums.Bytes)), e.dir, e.sums.Linked, e.sums.Copied, e.sums.Removed)
	if e.sums.Changed > 0 {
		e.program.note("%d were fetched anew meanwhile: export again", e.sums.Changed)
	}
	return nil
}

// note writes a message for people.
func (p *program) note(format string, args ...any) {
	if !p.quiet {
		fmt.Fprintf(p.err, "laundromat: "+format+"\n", args...)
	}
}

// findExported prints where the files of a seed are.
func (p *program) findExported(dir, ref string) error {
	hash, err := client.HashOf(ref)
	if err != nil {
		return err
	}
	file, err := os.Open(filepath.Join(dir, layout.Manifest))
	if err != nil {
		return err
	}
	defer file.Close()
	found := false
	for row, err := range layout.Rows(file, false) {
		if err != nil {
			return fmt.Errorf("%s: %w", file.Name(), err)
		}
		if row.Key > hash {
			break // the manifest is in the order of keys
		}
		if row.Key < hash {
			continue
		}
		found = true
		if p.json {
			err = encodeTo(p.out, row)
		} else {
			_, err = fmt.Fprintln(p.out, filepath.Join(dir, filepath.FromSlash(row.Path)))
		}
		if err != nil {
			return err
		}
	}
	if !found {
		return exit(exitNotFound, fmt.Errorf("%s has no file of %s", dir, seedlist.Shown(ref)))
	}
	return nil
}
