package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"laundromat/archive"
	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/internal/spelling"
	"laundromat/report"
	"laundromat/seedlist"
	"laundromat/states"
)

// inputs opens what the arguments of wash and check name.
type inputs struct {
	ui      *ui
	options *washOptions
	several bool
	joined  map[string]bool // archives in several parts that were read, by their first
}

// with opens arg and reads it, as by washing. What can't be opened is given to each as a
// document that ended in an error; an error means that the run must stop.
func (i *inputs) with(ctx context.Context, arg string, read func(context.Context, states.Input) error, each func(*report.Document)) error {
	if parts, _ := archive.Parts(arg, fileExists); parts != nil {
		if i.joined[parts[0]] {
			return nil // it was read with the part before
		}
		if i.joined == nil {
			i.joined = map[string]bool{}
		}
		i.joined[parts[0]] = true
	}
	in, closer, err := i.open(ctx, arg)
	if err != nil {
		// What it waited for may end a moment before ctx, which hangs on that.
		if stopped := cmp.Or(ctx.Err(), i.ui.stopping.Err()); stopped != nil {
			return stopped
		}
		each(failedInput(seedlist.Shown(arg), err))
		return nil
	}
	defer closer.Close()
	return read(ctx, in)
}

func failedInput(name string, err error) *report.Document {
	code := fault.CodeOf(err)
	if code == "" {
		code = fault.LocalFile
	}
	if code == fault.TransportForbiddenAddress {
		err = fmt.Errorf("%w (--allow-private allows it)", err)
	}
	document := report.NewCollector(name, 0).Document()
	document.Error = &report.DocumentError{
		Stage: "downloading", Kind: fault.KindOf(err).String(), Code: code, Message: err.Error(),
	}
	return document
}

func (i *inputs) open(ctx context.Context, arg string) (states.Input, io.Closer, error) {
	var in states.Input
	var closer io.Closer
	var err error
	switch {
	case arg == "-":
		in, closer, err = i.stream(ctx, "-", i.ui.in)
	case isWeb(arg):
		in, closer, err = i.download(ctx, arg)
	case fetch.IsFile(arg):
		var name string
		if name, err = fetch.FilePath(arg); err == nil {
			in, closer, err = i.file(ctx, name)
			in.Name = arg
		}
	default:
		in, closer, err = i.file(ctx, arg)
	}
	if err != nil {
		return in, nil, err
	}
	if i.options.base != "" {
		in.Base, in.BaseIsFile = i.options.base, false
		in.Key = seedlist.Key(i.options.base)
		if i.several {
			// One KEY for several documents would make one node of two that only
			// share a label.
			in.Key = seedlist.ChildKey(in.Key, in.Name, 1)
		}
	}
	return in, closer, nil
}

// isWeb says that arg is a URL to download, its scheme in any case.
func isWeb(arg string) bool {
	scheme, _, found := strings.Cut(arg, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "ftp"))
}

// stdinMemory is how much of standard input is held in memory before it goes to a
// temporary file.
const stdinMemory = 4 << 20

// stream holds what can be read only once: standard input, or a pipe that is named.
func (i *inputs) stream(ctx context.Context, name string, from io.Reader) (states.Input, io.Closer, error) {
	spooled, err := archive.Spool(ctx, from, i.options.temp, stdinMemory)
	if err != nil {
		return states.Input{}, nil, err
	}
	return states.Input{Name: name, Source: spooled}, spooled, nil
}

func (i *inputs) download(ctx context.Context, uri string) (states.Input, io.Closer, error) {
	return i.fetch(ctx, fetch.New(fetch.Options{
		UserAgent: userAgent(i.options.contact), AllowPrivate: i.options.allowPrivate,
		MaxBytes: i.options.maxBytes, IgnoreRobots: true,
	}), uri)
}

// fetch downloads a body into a temporary file.
func (i *inputs) fetch(ctx context.Context, fetcher *fetch.Fetcher, uri string) (states.Input, io.Closer, error) {
	file, err := os.CreateTemp(i.options.temp, "laundromat-*")
	if err != nil {
		return states.Input{}, nil, err
	}
	closer := &temporary{file}
	result, err := fetcher.Do(ctx, fetch.Request{URI: uri, KeepShort: true, Restart: closer.restart, Whole: closer.isWhole}, file)
	if err != nil {
		closer.Close()
		return states.Input{}, nil, err
	}
	in := states.Input{
		Name: seedlist.Shown(uri), FileName: states.FileNameIn(result.FinalURI), ContentType: result.ContentType,
		Codings: result.Codings, Base: result.FinalURI, Notices: result.Notices,
	}
	in.Source, err = fileSource(file)
	return in, closer, err
}

// temporary is a file that is removed when it is closed.
type temporary struct{ *os.File }

func (t *temporary) Close() error {
	return errors.Join(t.File.Close(), os.Remove(t.Name()))
}

// restart empties the file.
func (t *temporary) restart() error {
	if err := t.Truncate(0); err != nil {
		return err
	}
	_, err := t.Seek(0, io.SeekStart)
	return err
}

// isWhole says that what came has an end of its own, where another length was said.
func (t *temporary) isWhole(said int64) bool {
	source, err := fileSource(t.File)
	return err == nil && archive.IsWhole(source, said)
}

func (i *inputs) file(ctx context.Context, name string) (states.Input, io.Closer, error) {
	file, err := openFile(i.ui.stopping, name)
	if err != nil {
		return states.Input{}, nil, missingFile(name, err)
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a folder: name the files in it", name)
	}
	if err == nil && !info.Mode().IsRegular() {
		defer file.Close()
		return i.stream(ctx, name, newStdin(file, i.ui.stopping))
	}
	var source archive.Source
	if err == nil {
		source, err = fileSource(file)
	}
	if err != nil {
		file.Close()
		return states.Input{}, nil, err
	}
	in := states.Input{Name: name, FileName: filepath.Base(name), Source: source, Base: fileIRI(name), BaseIsFile: true}
	if parts, whole := archive.Parts(name, fileExists); parts != nil {
		file.Close()
		in.FileName = filepath.Base(whole)
		var closer io.Closer
		in.Source, closer, err = i.parts(parts)
		return in, closer, err
	}
	return in, file, nil
}

func fileExists(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// parts opens the parts of an archive as one file.
func (i *inputs) parts(names []string) (archive.Source, io.Closer, error) {
	var files openFiles
	var sources []archive.Source
	for _, name := range names {
		file, err := openFile(i.ui.stopping, name)
		if err == nil {
			files = append(files, file)
			var source archive.Source
			source, err = fileSource(file)
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

// fileIRI is the file: IRI of a file on this machine (RFC 8089).
func fileIRI(name string) string {
	absolute, err := filepath.Abs(name)
	if err != nil {
		absolute = name
	}
	absolute = filepath.ToSlash(absolute)
	if !strings.HasPrefix(absolute, "/") {
		absolute = "/" + absolute // a drive letter
	}
	return (&url.URL{Scheme: "file", Path: absolute}).String()
}

// userAgent is how the program names itself to servers.
func userAgent(contact string) string {
	if contact == "" {
		return "Laundromat/" + release
	}
	return fmt.Sprintf("Laundromat/%s (+%s)", release, contact)
}
