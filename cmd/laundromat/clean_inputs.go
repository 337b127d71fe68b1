package main

import (
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"strings"

	"laundromat/internal/files"
	"laundromat/internal/linemerge"
	"laundromat/seedlist"
)

// mergeable are the clean files of the store, or those that the arguments name; there is one at least. The files that
// are written are no inputs. done closes what is open.
func mergeable(ctx context.Context, u *ui, all bool, args []string, written ...string) (inputs []linemerge.Input, done func() error,
	err error) {
	done = func() error { return nil }
	if all {
		inputs, done, err = storedInputs(ctx, u)
	} else {
		inputs, err = cleanInputs(u, args, written...)
	}
	if err == nil && len(inputs) == 0 {
		err = errors.Join(errors.New("there is no clean file to read"), done())
	}
	return inputs, done, err
}

// cleanNames are the ends of the names of clean files.
var cleanNames = []string{".nq", ".nt", ".nq.gz", ".nt.gz"}

// cleanInputs are the clean files that the arguments name. Of a folder those that are passed over are told. The files
// that are written are no inputs.
func cleanInputs(u *ui, args []string, written ...string) (inputs []linemerge.Input, err error) {
	var outputs []os.FileInfo
	for _, name := range written {
		if info, err := os.Stat(name); err == nil {
			outputs = append(outputs, info)
		}
	}
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, err
		}
		names := []string{arg}
		if info.IsDir() {
			var ignored []string
			if names, ignored, err = filesUnder(arg, outputs); err != nil {
				return nil, err
			}
			names, ignored = cleanOnes(names, ignored)
			if len(ignored) > 0 {
				u.note("%s: %s ignored: %s", arg, counted(len(ignored), "name is", "names are"), shortList(ignored))
			}
		}
		for _, output := range outputs {
			if os.SameFile(info, output) {
				return nil, usage("%s is read and written: name another output", arg)
			}
		}
		for _, name := range names {
			inputs = append(inputs, linemerge.Input{Name: name, Open: func() (io.ReadCloser, error) {
				file, err := openFile(u.stopping, name)
				if err != nil {
					return nil, err
				}
				return unpacked(file)
			}})
		}
	}
	return inputs, nil
}

// cleanOnes are the names that a clean file may have; the others are ignored.
func cleanOnes(names, ignored []string) (clean, rest []string) {
	for _, name := range names {
		isClean := false
		for _, end := range cleanNames {
			isClean = isClean || strings.HasSuffix(name, end)
		}
		if isClean {
			clean = append(clean, name)
		} else {
			ignored = append(ignored, name)
		}
	}
	return clean, ignored
}

// storedInputs are the clean files of the store. done closes it.
func storedInputs(ctx context.Context, u *ui) (inputs []linemerge.Input, done func() error, err error) {
	api, err := connect(ctx, u, toRead)
	if err != nil {
		return nil, nil, err
	}
	store, err := openBlobsToRead(ctx, u.dataDir())
	if err != nil {
		api.Close()
		return nil, nil, err
	}
	done = func() error { return errors.Join(store.Close(), api.Close()) }
	err = api.EachSeed(ctx, "/seeds", url.Values{"state": {string(seedlist.Cleaned)}}, 0, func(seed seedlist.Seed) error {
		inputs = append(inputs, linemerge.Input{Name: seed.Hash, Open: func() (io.ReadCloser, error) {
			blob, err := store.Open(seed.Hash, files.Clean)
			if err != nil {
				return nil, err
			}
			return unpacked(&both{files.Sequential(blob), []io.Closer{blob}})
		}})
		return nil
	})
	if err != nil {
		done()
	}
	return inputs, done, err
}
