package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"laundromat/internal/linesort"
	"laundromat/internal/outfile"
	"laundromat/rdf/diff"
	"laundromat/report"
	"laundromat/seedlist"
	"laundromat/states"
	"laundromat/states/inputs"
	"laundromat/web/client"
)

// diffInputs opens what the arguments of diff name. All of it stays open until close.
type diffInputs struct {
	ui      *ui
	options *diffOptions
	api     *client.Client // of the store, once it is asked
	closers []io.Closer
	hashes  []string // of the clean files of documents of the store
}

func (i *diffInputs) close() {
	for _, c := range i.closers {
		c.Close()
	}
	if i.api != nil {
		i.api.Close()
	}
}

// open finds the lines of an argument; all are the arguments.
func (i *diffInputs) open(ctx context.Context, arg string, all []string) (diff.Source, error) {
	if _, err := os.Stat(arg); arg != "-" && errors.Is(err, os.ErrNotExist) && isSeedRef(arg) {
		return i.seed(ctx, arg)
	}
	if i.options.wash {
		return i.washed(ctx, arg, all)
	}
	lines, spooled, err := inputs.OpenClean(ctx, arg, i.ui.in, i.options.temp)
	if spooled != nil {
		i.closers = append(i.closers, spooled)
	}
	return lines, err
}

// seed opens the clean file of a document of the store, or of one of its versions.
func (i *diffInputs) seed(ctx context.Context, ref string) (diff.Source, error) {
	if i.api == nil {
		api, err := connect(ctx, i.ui, toRead)
		if err != nil {
			return nil, err
		}
		i.api = api
	}
	seed, hash, err := i.api.Find(ctx, ref)
	if err != nil {
		return nil, err
	}
	if hash == "" {
		return nil, exit(exitNotFound, fmt.Errorf("the seed %s is %s: it has no clean file", seed.Hash, seed.Status))
	}
	i.hashes = append(i.hashes, hash)
	open := func() (io.ReadCloser, error) {
		stream, err := i.api.Open(ctx, "/seeds/"+hash+"/clean.nq.gz", nil)
		if err != nil {
			return nil, err
		}
		return inputs.Unpacked(stream)
	}
	first, err := open() // so that the error for what is not there comes before anything is written
	if err != nil {
		return nil, err
	}
	return open, first.Close()
}

// washed washes a file into a temporary one.
func (i *diffInputs) washed(ctx context.Context, arg string, all []string) (diff.Source, error) {
	var o washOptions
	o.addReading(&cobra.Command{}) // for the defaults
	o.level, o.workers = 6, runtime.NumCPU()
	o.memory, o.temp, o.given.Format = max(i.options.memory, minMemory), i.options.temp, i.options.format
	// One base for both: a relative IRI means the same in either.
	if o.base = i.options.base; o.base == "" {
		o.base = all[0]
		if !inputs.IsWeb(o.base) {
			o.base = inputs.FileIRI(o.base)
		}
	}
	settings, err := o.settings()
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(o.temp, "laundromat-*")
	if err != nil {
		return nil, err
	}
	i.closers = append(i.closers, &inputs.Temporary{File: file})
	sort := linesort.Options{Memory: o.memory * 2 / 5, Temp: o.temp, Workers: o.workers}
	target := states.NewSorted(sort, func() (states.LineWriter, error) { return outfile.Stream(file), nil })
	defer target.Close()
	run := &washRun{ui: i.ui, options: &o, settings: settings, target: target, unlisted: true}
	if err := run.read(ctx, []string{arg}); err != nil {
		return nil, err
	}
	if !i.ui.quiet && run.whole.Total() > 0 {
		if err := report.WriteVerdict(i.ui.err, run.whole, coloured(i.ui.err)); err != nil {
			return nil, err
		}
	}
	if code := run.whole.ExitCode(); code != exitOK && code != exitDropped {
		return nil, fmt.Errorf("%s could not be washed", seedlist.Shown(arg))
	}
	return func() (io.ReadCloser, error) {
		_, err := file.Seek(0, io.SeekStart)
		return io.NopCloser(file), err
	}, nil
}
