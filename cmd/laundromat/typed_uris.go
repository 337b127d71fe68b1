package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"laundromat/seedlist"
	"laundromat/states/inputs"
	"laundromat/storage"
)

// checkTyped refuses arguments that have no scheme. Each is a slip, such as the name of a file, or a URI
// that was typed in part. In lists and catalogs such references are kept, since how often
// they occur is of interest; what a person types is meant to be fetched. The function meant names what
// a file of this machine may have been meant for.
func checkTyped(args []string, meant func(file string) string) error {
	for _, arg := range args {
		if arg == "-" {
			continue
		}
		uri, err := seedlist.ParseURI(arg)
		var refused *seedlist.URIError
		switch {
		case errors.As(err, &refused) && refused.Schemeless, err != nil && isFileHere(arg):
			return usage("%s", typedSlip(arg, refused.Meant, meant))
		case err == nil && uri.Relative:
			return usage("%s", typedSlip(arg, "", meant))
		}
	}
	return nil
}

// typedSlip says what is wrong with an argument that has no scheme, and what to type in its place.
func typedSlip(arg, host string, meant func(file string) string) string {
	shown := seedlist.Shown(arg)
	if isFileHere(arg) {
		return fmt.Sprintf("%s is a file of this machine, not a URI; did you mean %s?", shown, meant(arg))
	}
	if host == "" {
		host = "http://HOST/" + strings.TrimLeft(seedlist.Shown(arg), "./")
	}
	return fmt.Sprintf("%s has no scheme, and no file here has that name; did you mean %s or %s?", shown, host, meant("FILE"))
}

func isFileHere(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

// meantSeeds is what the name of a file may be meant for, as a seed.
func meantSeeds(file string) string {
	if file == "FILE" {
		return "--seeds FILE (--relative records it as it is)"
	}
	return fmt.Sprintf("--seeds %s, which reads URIs from it, or %s, which is data for a daemon with --allow-file "+
		"(--relative records it as it is; \"laundromat wash %s\" washes it now)", file, inputs.FileIRI(file), file)
}

// meantCatalog is what the name of a file may be meant for, as a catalog.
func meantCatalog(string) string { return "the name of a FILE that is there" }

// checkTypedCatalogs is checkTyped for catalogs; of them, a file of this machine may be named as it is.
func checkTypedCatalogs(args []string) error {
	typed := slices.DeleteFunc(slices.Clone(args), isFileHere)
	return checkTyped(typed, meantCatalog)
}

// hasStore says whether dir holds a store. With --init there is one by the time that it is opened.
func hasStore(u *ui, dir string) bool {
	if u.init {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, storage.ListFile))
	return !errors.Is(err, os.ErrNotExist) || storage.IsInDatabase(dir)
}

// initStore makes the store of --init, which a verb that only reads would not; one that is there stays.
func initStore(u *ui, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, storage.ListFile)); !errors.Is(err, os.ErrNotExist) || storage.IsInDatabase(dir) {
		return err
	}
	folder, err := storage.Open(dir)
	if err != nil {
		return err
	}
	u.note("made the seed list in %s", dir)
	return folder.Close()
}
