package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/web/socket"
)

// listFile holds the address of the database that the seed list is in, without a password; absent where
// the list is in the folder.
const listFile = "store.address"

// listAddress is the address of the database of the --data folder; "" if the seed list is in it.
func listAddress(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, listFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), err
}

// ListName is the name of the database that the seed list of a folder is in, the same for all processes that share it;
// "" where the list is in the folder.
func ListName(dir, given string) (string, error) {
	known, err := listAddress(dir)
	if err == nil && known == "" && given != "" {
		known = ShownDatabase(given)
	}
	return known, err
}

// IsInDatabase says that the seed list of the folder is in a database.
func IsInDatabase(dir string) bool {
	address, err := listAddress(dir)
	return err == nil && address != ""
}

// OnlyInFolder refuses a verb that works on the file of a seed list, where that is in a database.
func OnlyInFolder(dir, verb, instead string) error {
	if address, err := listAddress(dir); err != nil || address == "" {
		return err
	}
	return misuse("%s: the seed list of %s is in a database: %s", verb, dir, instead)
}

// SettleList decides where the seed list of a folder is, as --store says; "" for where it is. Where there is one
// already, it stays: only "store migrate" copies it.
func SettleList(dir, given string) (address string, err error) {
	known, err := listAddress(dir)
	if err != nil || given == "" {
		return known, err
	}
	scheme, _, found := strings.Cut(given, "://")
	missing, missErr := bolt.Missing(filepath.Join(dir, ListFile))
	switch {
	case !found || scheme != "postgres" && scheme != "postgresql":
		return "", misuse("--store: want postgres://USER@HOST:PORT/DATABASE, not %s", ShownDatabase(given))
	case known != "" && known != ShownDatabase(given):
		return "", misuse("--store: the seed list of %s is at %s: leave the flag out", dir, known)
	case missErr == nil && !missing:
		return "", misuse("--store: %s holds a seed list: leave the flag out, or begin with another --data (\"laundromat store migrate\" "+
			"copies it)", dir)
	}
	return given, missErr
}

// OpenList opens the seed list of a folder, where store says: see [SettleList].
func OpenList(ctx context.Context, dir, store string, options seedlist.Options) (seedlist.List, error) {
	address, err := SettleList(dir, store)
	if err != nil {
		return nil, err
	}
	if address == "" {
		list, err := openSeeds(dir, options)
		if err != nil {
			return nil, err // not in the interface: a nil list in one is not nil
		}
		return list, nil
	}
	list, err := openDatabase(ctx, address, options)
	if err != nil {
		return nil, err
	}
	if store != "" && !options.ReadOnly && !IsInDatabase(dir) {
		if err := writeAddress(dir, listFile, ShownDatabase(store)); err != nil {
			list.Close()
			return nil, err
		}
	}
	return list, nil
}

// writeAddress writes the file of an address, which is there as a whole or not at all: without it the folder would be
// one whose list is lost.
func writeAddress(dir, name, address string) error {
	part := filepath.Join(dir, Unfinished+name)
	if err := os.WriteFile(part, []byte(address+"\n"), 0o600); err != nil {
		return err
	}
	return os.Rename(part, filepath.Join(dir, name))
}

// RefuseSecond refuses a second daemon in a folder whose list is in a database: no lock guards that.
func RefuseSecond(ctx context.Context, dir, store string) error {
	if store == "" && !IsInDatabase(dir) || socket.Dial(ctx, dir) == nil {
		return nil
	}
	return &AtWorkError{fmt.Errorf("a daemon works in %s already: one more for the same --store wants a folder of its own: --data DIR",
		dir)}
}

// NoList says that there is no seed list in a folder, and how to make one.
func NoList(dir string) error {
	return fmt.Errorf("there is no seed list in %s: \"laundromat serve\" makes one, and so does --init (or name another "+
		"with --data)", dir)
}
