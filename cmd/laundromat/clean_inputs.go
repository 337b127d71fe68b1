package main

import (
	"context"
	"errors"
	"io"
	"net/url"

	"laundromat/internal/files"
	"laundromat/internal/linemerge"
	"laundromat/seedlist"
	"laundromat/states/inputs"
	"laundromat/storage"
)

// mergeable are the clean files of the store, or those that the arguments name; there is one at least. The files that
// are written are no inputs. done closes what is open.
func mergeable(ctx context.Context, u *ui, stored bool, args []string, written ...string) (all []linemerge.Input, done func() error,
	err error) {
	done = func() error { return nil }
	if stored {
		all, done, err = storedInputs(ctx, u)
	} else {
		all, err = cleanInputs(ctx, u, args, written...)
	}
	if err == nil && len(all) == 0 {
		err = errors.Join(errors.New("there is no clean file to read"), done())
	}
	return all, done, err
}

// cleanInputs are the clean files that the arguments name. The files that are written are no inputs.
func cleanInputs(ctx context.Context, u *ui, args []string, written ...string) (all []linemerge.Input, err error) {
	found, err := inputs.CleanFiles(ctx, args, inputs.Existing(written...), u.noteIgnored)
	if failed := new(inputs.WrittenError); errors.As(err, &failed) {
		return nil, usage("%w: name another output", err)
	}
	for _, file := range found {
		all = append(all, linemerge.Input(file))
	}
	return all, err
}

// storedInputs are the clean files of the store. done closes it.
func storedInputs(ctx context.Context, u *ui) (all []linemerge.Input, done func() error, err error) {
	api, err := connect(ctx, u, toRead)
	if err != nil {
		return nil, nil, err
	}
	store, err := storage.OpenFilesToRead(ctx, u.dataDir())
	if err != nil {
		api.Close()
		return nil, nil, err
	}
	done = func() error { return errors.Join(store.Close(), api.Close()) }
	err = api.EachSeed(ctx, "/seeds", url.Values{"state": {string(seedlist.Cleaned)}}, 0, func(seed seedlist.Seed) error {
		all = append(all, linemerge.Input{Name: seed.Hash, Open: func() (io.ReadCloser, error) {
			blob, err := store.Open(seed.Hash, files.Clean)
			if err != nil {
				return nil, err
			}
			return inputs.Unpacked(struct {
				io.Reader
				io.Closer
			}{files.Sequential(blob), blob})
		}})
		return nil
	})
	if err != nil {
		done()
	}
	return all, done, err
}
