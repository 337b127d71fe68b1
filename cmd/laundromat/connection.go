package main

import (
	"context"

	"laundromat/storage"
	"laundromat/web"
	"laundromat/web/client"
)

// access is what a verb does with the store.
type access int

const (
	toRead   access = iota
	toChange        // what is there
)

// connect opens the store of the --data folder. Where a daemon holds it, that does
// what is asked.
func connect(ctx context.Context, u *ui, how access) (*client.Client, error) {
	dir, open := u.dataDir(), storage.Open
	if how == toRead {
		open = storage.Look
	}
	if u.init {
		if err := initStore(u, dir); err != nil {
			return nil, err
		}
	}
	if err := storage.RefuseNewList(dir); err != nil {
		return nil, err
	}
	if !hasStore(u, dir) {
		return nil, storage.NoList(dir)
	}
	api, folder, err := client.Reach(ctx, dir, open)
	if err != nil || api != nil {
		return api, err
	}
	return client.InProcess(web.New(apiOf(folder, true)), folder.Close), nil
}

// apiOf is what the HTTP API of an open folder is made of.
func apiOf(folder *storage.Folder, writable bool) web.Options {
	return folder.API(web.Options{Writable: writable, Version: version().String(), Formats: listedFormats})
}
