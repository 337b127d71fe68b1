package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/postgres/pgtest"
	"laundromat/seedlist/storetest"
)

// openList makes the list of seeds: in the folder, or in a database.
func openList(ctx context.Context, dir, store string) (list seedlist.List, address string, stop func(), err error) {
	options := seedlist.Options{HostDelay: -1, HostConnections: 1 << 20, Interval: -1}
	if store == "" {
		file, err := bolt.Open(filepath.Join(dir, "seeds.db"), options)
		if err != nil {
			return nil, "", nil, err
		}
		return file, "", func() { file.Close() }, nil
	}
	stop = func() {}
	if store == "new" {
		if err := os.Chmod(dir, 0o755); err != nil { // the server runs as another user
			return nil, "", nil, err
		}
		folder := filepath.Join(dir, "server")
		if err := os.Mkdir(folder, 0o755); err != nil {
			return nil, "", nil, err
		}
		server, err := pgtest.Start(folder, true)
		if err != nil {
			return nil, "", nil, err
		}
		store, stop = server.Address, server.Stop
		fmt.Println("a server was started at", store)
	}
	database, err := postgres.Open(ctx, store, options)
	if err != nil {
		stop()
		return nil, "", nil, err
	}
	end := stop
	return database, store, func() { database.Close(); end() }, nil
}

// washedTenths is how many of ten seeds are washed, or fail.
const washedTenths = 7

// sample is how many seeds of a database the program makes. All others are copies that the server makes.
const sample = 10_000

//go:embed copies.sql
var copies string

// fill makes seeds. It says how, where not all of them are made by the program.
func fill(ctx context.Context, list seedlist.List, address string, seeds int) error {
	described := &claimed{seedList: list}
	if address == "" || seeds < 2*sample {
		return storetest.AddMany(ctx, described, seeds, washedTenths)
	}
	if err := storetest.AddMany(ctx, described, sample, washedTenths); err != nil {
		return err
	}
	fmt.Printf("%d of the seeds are made as a daemon does, the others are copies of them\n", sample)
	psql := exec.CommandContext(ctx, "psql", "-q", "-v", "ON_ERROR_STOP=1", "-v", fmt.Sprintf("copies=%d", seeds/sample-1), "-f", "-",
		address)
	psql.Stdin, psql.Stderr = strings.NewReader(copies), os.Stderr
	return psql.Run()
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
