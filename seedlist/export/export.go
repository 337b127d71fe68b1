// Package export puts the files of a seed list into folders that people can read, with a manifest.
// They are hard links or copies, named by their URIs ([filenames.Name]). A second run brings a
// folder up to date.
package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"laundromat/internal/filenames"
	"laundromat/internal/files"
	"laundromat/internal/linesort"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// Options say what is exported, and how.
type Options struct {
	What string // one of [Kinds]
	Copy bool   // copies, which may be written into, and no links
	Keep bool   // what an earlier run put there of older versions and of seeds that are gone stays
	Temp string // folder for temporary files; "" for the system's
	// Secrets keeps users and passwords of URIs, in names and in the manifest. The seeds must have them.
	Secrets bool
	// Note is called with what people should know of a file.
	Note func(format string, args ...any)
}

// Kinds are what can be exported: raw, the files as they came; clean, what washes made of them, clean files and all
// other products; both; records or articles alone.
func Kinds() []string {
	return []string{"raw", "clean", "both", seedlist.ProductRecords, seedlist.ProductArticles}
}

// Seeds are those whose files are exported.
type Seeds interface {
	// Each calls do with every seed, until that returns an error.
	Each(ctx context.Context, do func(seedlist.Seed) error) error
	// Seed is the one of that hash.
	Seed(ctx context.Context, hash string) (seedlist.Seed, error)
}

// Blobs hold the files. The error is [fs.ErrNotExist] for one that is not there.
type Blobs interface {
	// Place puts a file of the store at path, as a hard link or a copy: see [files.Folder.Place].
	Place(hash string, suffix files.Suffix, path string, copied bool) (files.Placed, error)
}

// Sums are the numbers that an export ends with.
type Sums struct {
	Files   int64 `json:"files"`   // in the folder
	Bytes   int64 `json:"bytes"`   // of these
	Linked  int64 `json:"linked"`  // made now
	Copied  int64 `json:"copied"`  // made now
	Removed int64 `json:"removed"` // that were of older versions, or of seeds that are gone
	Missing int64 `json:"missing"` // that a record names and that are not there
	Changed int64 `json:"changed"` // that were fetched again meanwhile
}

// partFile names what an export that was interrupted put there.
const partFile = "MANIFEST.part"

// FolderError says that a folder holds what no export put there.
type FolderError struct{ Folder string }

// Error names the folder and what it should be.
func (e *FolderError) Error() string {
	return fmt.Sprintf("%s is not empty, and holds no %s: name a new folder, or one that export made", e.Folder, filenames.Manifest)
}

// OldNamesError says that the names in a folder follow an older rule, and were to be kept.
type OldNamesError struct{ Folder string }

// Error names the folder and what can be done.
func (e *OldNamesError) Error() string {
	return fmt.Sprintf("the files in %s are named by an older rule, from which URIs can't be read: "+
		"export without --keep, which replaces them, or into a new folder", e.Folder)
}

// CheckFolder refuses a folder that holds what no export put there, with a [FolderError]; and, where files are to be
// kept, one whose names follow an older rule, with an [OldNamesError].
func CheckFolder(dir string, keep bool) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	isExport := false
	for _, entry := range entries {
		if entry.Name() != filenames.Manifest && entry.Name() != partFile {
			continue
		}
		isExport = true
		if err := checkNames(dir, entry.Name()); keep && err != nil {
			return err
		}
	}
	if !isExport {
		return &FolderError{dir}
	}
	return nil
}

// checkNames refuses a manifest whose names follow an older rule.
func checkNames(dir, manifest string) error {
	file, err := os.Open(filepath.Join(dir, manifest))
	if err != nil {
		return err
	}
	defer file.Close()
	isOfThisRule, err := filenames.IsOfThisRule(file)
	if err == nil && !isOfThisRule {
		err = &OldNamesError{dir}
	}
	return err
}

// run is one run of export.
type run struct {
	options Options
	seeds   Seeds
	blobs   Blobs
	dir     string
	began   time.Time

	part   *os.File
	writer *bufio.Writer
	rows   *linesort.Sorter
	places seedfile.Places
	// files counts the files of each folder, by a hash of its name.
	files map[uint64]int
	seed  maphash.Seed

	sums Sums
}

// Run exports into the folder, which is there. See [CheckFolder].
func Run(ctx context.Context, dir string, seeds Seeds, blobs Blobs, options Options) (Sums, error) {
	e := &run{
		options: options, seeds: seeds, blobs: blobs, dir: dir, began: time.Now(), places: seedfile.Places{Record: seeds.Seed},
		files: map[uint64]int{}, seed: maphash.MakeSeed(),
		rows: linesort.New(linesort.Options{Memory: sortMemory, Temp: options.Temp, Workers: 1}),
	}
	defer e.rows.Close()
	err := e.whole(ctx)
	return e.sums, err
}

// Limits of what is held in memory.
const (
	sortMemory = 64 << 20 // bytes of the sort
	batchRows  = 500      // rows that are written before their files are made
	// crowd is the number of files from which on a folder has tiers.
	crowd = 1_000
)

func (e *run) whole(ctx context.Context) error {
	for _, name := range []string{filenames.Manifest, partFile} {
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
	info, err := e.part.Stat()
	if err != nil {
		return err
	}
	if info.Size() > 0 {
		e.writer.WriteString("\n")
	} else {
		e.writer.WriteString(filenames.Header + "\n")
	}
	if err := e.countFiles(ctx); err != nil {
		return err
	}
	if err := e.placeSeeds(ctx); err != nil {
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

// wanted is a file that is to be placed.
type wanted struct {
	row    filenames.Row
	hash   string
	suffix files.Suffix
}

// exported are the names of a seed's files and the seed, as it is served.
type exported struct {
	seed       seedlist.Seed
	at         *seedfile.Place
	name       filenames.Name // of the raw file
	raw, clean bool           // which there are
	products   []seedfile.Named
}

// productsOf are the files of products other than the clean file that are served, by their names in [filenames.Name].
func (e *run) productsOf(seed *seedlist.Seed) (found []seedfile.Named) {
	for _, name := range [...]string{seedlist.ProductRecords, seedlist.ProductArticles} {
		if e.options.What == "raw" || e.options.What != "clean" && e.options.What != "both" && e.options.What != name {
			continue
		}
		if file, err := seedfile.Find(seed, name, 0); err == nil {
			found = append(found, file)
		}
		if name != seedlist.ProductRecords {
			continue
		}
		if schema, err := seedfile.Find(seed, seedfile.Schema, 0); err == nil {
			schema.Product = seedfile.Schema
			found = append(found, schema)
		}
	}
	return found
}

// each calls do with every seed that has files.
func (e *run) each(ctx context.Context, do func(*exported) error) error {
	isBoth := e.options.What == "both"
	raw, clean := isBoth || e.options.What == "raw", isBoth || e.options.What == "clean"
	return e.seeds.Each(ctx, func(seed seedlist.Seed) error {
		if seed.Document != "" {
			return nil // its document is there itself
		}
		x := exported{seed: seed.Served()}
		x.raw = raw && x.seed.URI != "" && x.seed.HasDirty() && !x.seed.Relative
		x.clean = clean && x.seed.Clean != ""
		x.products = e.productsOf(&seed)
		if !x.raw && !x.clean && len(x.products) == 0 {
			return ctx.Err()
		}
		var err error
		if x.at, err = e.places.Of(ctx, &x.seed); err != nil {
			return err
		}
		x.name = filenames.Name{URI: x.at.URI, Entries: x.at.Entries, Key: x.seed.Hash, Time: x.at.Time, Secrets: e.options.Secrets}
		return do(&x)
	})
}

// countFiles counts the files of each folder, so that crowded ones get tiers.
func (e *run) countFiles(ctx context.Context) error {
	return e.each(ctx, func(x *exported) error {
		e.files[maphash.String(e.seed, x.name.Folder())]++
		return nil
	})
}

// placeSeeds places the files of every seed.
func (e *run) placeSeeds(ctx context.Context) error {
	var batch []wanted
	err := e.each(ctx, func(x *exported) error {
		row := filenames.Row{Key: x.seed.Hash, URI: x.at.String(), Time: x.at.Time}
		if !e.options.Secrets {
			row.URI = seedlist.ShownIn(row.URI)
		}
		x.name.Crowded = e.files[maphash.String(e.seed, x.name.Folder())] >= crowd
		if x.raw {
			row.What, row.Path, row.Hash = "raw", x.name.Path(), x.seed.Content.MD5
			row.Bytes = x.seed.Content.NumberOfBytes
			batch = append(batch, wanted{row, seedfile.Key(&x.seed, files.Dirty), files.Dirty})
		}
		if x.clean {
			x.name.Clean = true
			row.What, row.Path, row.Hash, row.Bytes = "clean", x.name.Path(), x.seed.Clean, -1
			batch = append(batch, wanted{row, x.seed.Clean, files.Clean})
		}
		for _, file := range x.products {
			x.name.Clean, x.name.Product = false, file.Product
			row.What, row.Path, row.Hash, row.Bytes = file.Product, x.name.Path(), file.SHA256, -1
			batch = append(batch, wanted{row, file.Key, file.Suffix})
		}
		if len(batch) < batchRows {
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
func (e *run) placeAll(ctx context.Context, batch []wanted) error {
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
		placed, err := e.blobs.Place(w.hash, w.suffix, filepath.Join(e.dir, filepath.FromSlash(w.row.Path)), e.options.Copy)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			e.sums.Missing++
			e.options.Note("missing: %s of %s", w.row.What, w.row.URI)
			continue
		case err != nil:
			return err
		}
		if w.row.What == "raw" && (placed.Size != w.row.Bytes || placed.Changed.After(e.began) && placed.Changed.After(w.row.Time)) {
			// The record is of the file before.
			e.sums.Changed++
			e.options.Note("fetched anew meanwhile: %s", w.row.URI)
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
