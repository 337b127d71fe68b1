// Package inputs opens what people name to be read: files, folders, URLs, parts of archives, and standard
// input. It also fetches the pages and contexts that documents lead to.
//
//	opener := inputs.Opener{Stdin: os.Stdin}
//	err := opener.With(ctx, "data.ttl.gz", washer.Wash, washer.Each)
package inputs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"laundromat/archive"
	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/internal/fileurl"
	"laundromat/internal/spelling"
	"laundromat/report"
	"laundromat/seedlist"
	"laundromat/states"
)

// Opener opens inputs one after another, by their names.
type Opener struct {
	Stdin io.Reader // the input "-"
	Temp  string    // folder for temporary files; "" for the system's
	// Base is the base IRI of every input; "" for that of each.
	Base string
	// Several says that more than one input may come.
	Several bool
	// Entries are those of an archive that are opened as files; nil for none.
	Entries *Entries
	// Fetch says how URLs are fetched: UserAgent, AllowPrivate and MaxBytes.
	Fetch fetch.Options

	joined map[string]bool // archives in several parts that were read, by their first
}

// With opens an input and reads it. An input that can't be opened is given to each as a document that ended in an
// error. An error means that the run must stop.
func (o *Opener) With(ctx context.Context, name string, read func(context.Context, states.Input) error,
	each func(*report.Document)) error {
	if parts, _ := archive.Parts(name, fileExists); parts != nil {
		if o.joined[parts[0]] {
			return nil // it was read with the part before
		}
		if o.joined == nil {
			o.joined = map[string]bool{}
		}
		o.joined[parts[0]] = true
	}
	in, closer, err := o.open(ctx, name)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, context.Canceled) { // standard input may end a moment before ctx
			return err
		}
		each(failed(seedlist.Shown(name), err))
		return nil
	}
	defer closer.Close()
	return read(ctx, in)
}

// failed is the report of an input that could not be opened.
func failed(name string, err error) *report.Document {
	code := fault.CodeOf(err)
	if code == "" {
		code = fault.LocalFile
	}
	document := report.NewCollector(name, 0).Document()
	document.Error = &report.DocumentError{
		Stage: "downloading", Kind: fault.KindOf(err).String(), Code: code, Message: err.Error(),
	}
	return document
}

func (o *Opener) open(ctx context.Context, arg string) (states.Input, io.Closer, error) {
	var in states.Input
	var closer io.Closer
	var err error
	switch {
	case arg == "-":
		in, closer, err = o.stream(ctx, "-", o.Stdin)
	case IsWeb(arg):
		in, closer, err = o.download(ctx, arg)
	case fetch.IsFile(arg):
		var name string
		if name, err = fetch.FilePath(arg); err == nil {
			in, closer, err = o.file(ctx, name)
			in.Name = arg
		}
	default:
		in, closer, err = o.file(ctx, arg)
	}
	if err != nil {
		return in, nil, err
	}
	if o.Base != "" {
		in.Base, in.BaseIsFile = o.Base, false
		in.Key = seedlist.Key(o.Base)
		if o.Several {
			// One KEY for several documents would make one node of two that only
			// share a label.
			in.Key = seedlist.ChildKey(in.Key, in.Name, 1)
		}
	}
	return in, closer, nil
}

// IsWeb says that arg is a URL to download, its scheme in any case.
func IsWeb(arg string) bool {
	scheme, _, found := strings.Cut(arg, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "ftp"))
}

// heldMemory is how much of standard input is held in memory before it goes to a
// temporary file.
const heldMemory = 4 << 20

// stream holds what can be read only once: standard input, or a pipe that is named.
func (o *Opener) stream(ctx context.Context, name string, from io.Reader) (states.Input, io.Closer, error) {
	spooled, err := archive.Spool(ctx, from, o.Temp, heldMemory)
	if err != nil {
		return states.Input{}, nil, err
	}
	return states.Input{Name: name, Source: spooled}, spooled, nil
}

func (o *Opener) download(ctx context.Context, uri string) (states.Input, io.Closer, error) {
	options := o.Fetch
	options.IgnoreRobots = true
	return o.fetch(ctx, fetch.New(options), uri)
}

// fetch downloads a body into a temporary file.
func (o *Opener) fetch(ctx context.Context, fetcher *fetch.Fetcher, uri string) (states.Input, io.Closer, error) {
	file, err := os.CreateTemp(o.Temp, "laundromat-*")
	if err != nil {
		return states.Input{}, nil, err
	}
	closer := &Temporary{file}
	result, err := fetcher.Do(ctx, fetch.Request{URI: uri, KeepShort: true, Restart: closer.restart, Whole: closer.isWhole}, file)
	if err != nil {
		closer.Close()
		return states.Input{}, nil, err
	}
	in := states.Input{
		Name: seedlist.Shown(uri), FileName: states.FileNameIn(result.FinalURI), ContentType: result.ContentType,
		Codings: result.Codings, Base: result.FinalURI, Notices: result.Notices,
	}
	if last := len(result.Exchanges) - 1; last >= 0 {
		in.Links = result.Exchanges[last].Headers["link"]
	}
	in.Source, err = SourceOf(file)
	return in, closer, err
}

// Temporary is a file that is removed when it is closed.
type Temporary struct{ *os.File }

// Close closes the file, and removes it.
func (t *Temporary) Close() error {
	return errors.Join(t.File.Close(), os.Remove(t.Name()))
}

// restart empties the file.
func (t *Temporary) restart() error {
	if err := t.Truncate(0); err != nil {
		return err
	}
	_, err := t.Seek(0, io.SeekStart)
	return err
}

// isWhole says that what came has an end of its own, where another length was said.
func (t *Temporary) isWhole(said int64) bool {
	source, err := SourceOf(t.File)
	return err == nil && archive.IsWhole(source, said)
}

func (o *Opener) file(ctx context.Context, name string) (states.Input, io.Closer, error) {
	place, isEntry, err := o.Entries.path(name)
	if err != nil {
		return states.Input{}, nil, err
	}
	if !isEntry {
		place = name
	}
	file, err := OpenFile(ctx, place)
	if err != nil {
		return states.Input{}, nil, missingFile(name, err)
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a folder: name the files in it", name)
	}
	if err == nil && !info.Mode().IsRegular() {
		defer file.Close()
		return o.stream(ctx, name, NewInterruptible(ctx, file))
	}
	var source archive.Source
	if err == nil {
		source, err = SourceOf(file)
	}
	if err != nil {
		file.Close()
		return states.Input{}, nil, err
	}
	in := states.Input{Name: name, FileName: filepath.Base(name), Source: source, Base: FileIRI(name), BaseIsFile: true}
	if parts, whole := archive.Parts(name, fileExists); parts != nil && !isEntry {
		file.Close()
		in.FileName = filepath.Base(whole)
		var closer io.Closer
		in.Source, closer, err = o.parts(ctx, parts)
		return in, closer, err
	}
	return in, file, nil
}

// IsFile says that an input is a file by itself, or is opened as one.
func (o *Opener) IsFile(name string) bool {
	_, isEntry, err := o.Entries.path(name)
	return err == nil && (isEntry || fileExists(name))
}

func fileExists(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// parts opens the parts of an archive as one file.
func (o *Opener) parts(ctx context.Context, names []string) (archive.Source, io.Closer, error) {
	var files openFiles
	var sources []archive.Source
	for _, name := range names {
		file, err := OpenFile(ctx, name)
		if err == nil {
			files = append(files, file)
			var source archive.Source
			source, err = SourceOf(file)
			sources = append(sources, source)
		}
		if err != nil {
			files.Close()
			return nil, nil, err
		}
	}
	return archive.Join(sources...), files, nil
}

type openFiles []*os.File

func (f openFiles) Close() (err error) {
	for _, file := range f {
		err = cmp.Or(err, file.Close())
	}
	return err
}

// missingFile adds to the error of a file that is not there what its name may have been meant for.
func missingFile(name string, err error) error {
	if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	var refused *seedlist.URIError
	if _, wrong := seedlist.ParseURI(name); errors.As(wrong, &refused) && refused.Meant != "" {
		return fmt.Errorf("%w; did you mean %s?", err, refused.Meant)
	}
	folder := filepath.Dir(name)
	entries, unread := os.ReadDir(folder)
	if unread != nil || len(entries) > mostNames {
		return err
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	if near := spelling.Nearest(filepath.Base(name), names...); near != "" {
		return fmt.Errorf("%w; did you mean %s?", err, filepath.Join(folder, near))
	}
	return err
}

// mostNames is of how many files in a folder the nearest name is looked for.
const mostNames = 10_000

// FileIRI is the file: IRI of a file on this machine (RFC 8089).
func FileIRI(name string) string {
	absolute, err := filepath.Abs(name)
	if err != nil {
		absolute = name
	}
	return fileurl.Of(absolute).String()
}
