package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/postgres/pgtest"
)

// options are those of a list whose downloads are not polite.
var options = seedlist.Options{HostDelay: -1, HostConnections: 1 << 20, Interval: -1}

// openList makes the list of seeds: in the folder, or in a database.
func openList(ctx context.Context, dir, store string) (list seedlist.RowTarget, stop func(), err error) {
	if store == "" {
		file, err := bolt.Open(filepath.Join(dir, "seeds.db"), options)
		if err != nil {
			return nil, nil, err
		}
		return file, func() { file.Close() }, nil
	}
	stop = func() {}
	if store == "new" {
		if err := os.Chmod(dir, 0o755); err != nil { // the server runs as another user
			return nil, nil, err
		}
		folder := filepath.Join(dir, "server")
		if err := os.Mkdir(folder, 0o755); err != nil {
			return nil, nil, err
		}
		server, err := pgtest.Start(folder, true)
		if err != nil {
			return nil, nil, err
		}
		store, stop = server.Address, server.Stop
		fmt.Println("a server was started at", store)
	}
	database, err := postgres.Open(ctx, store, options)
	if err != nil {
		stop()
		return nil, nil, err
	}
	end := stop
	return database, func() { database.Close(); end() }, nil
}

// sizes says what the tables of a database take on its disk.
func sizes(ctx context.Context, list seedlist.List, seeds int64) error {
	all, err := list.(*postgres.Store).Sizes(ctx)
	if err != nil {
		return err
	}
	var lists, rest int64
	for _, size := range all {
		if strings.HasPrefix(size.Table, "view_") {
			lists += size.Bytes
		} else {
			rest += size.Bytes
		}
		if n := float64(size.Bytes) / float64(seeds); n >= 1 {
			fmt.Printf("%-14s %6.0f bytes a seed, %.0f of it indexes\n", size.Table, n, float64(size.Indexes)/float64(seeds))
		}
	}
	fmt.Printf("the database has %.0f bytes a seed, and %.0f more for lists\n", float64(rest)/float64(seeds), float64(lists)/float64(seeds))
	return nil
}
