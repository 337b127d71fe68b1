package shipped

import (
	"errors"
	"io/fs"
	"os"
)

// ErrUnknown says that there is no spec of that name.
var ErrUnknown = errors.New("no such spec")

// Names are those of all specs.
func Names() (names []string) {
	entries, _ := Files.ReadDir(".") // a folder of the program
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Copy writes the files of a spec into a folder. It overwrites none.
func Copy(name, folder string) error {
	if !fs.ValidPath(name) {
		return ErrUnknown
	}
	inside, err := fs.Sub(Files, name)
	if err != nil {
		return ErrUnknown
	}
	if _, err := fs.Stat(inside, "spec.yaml"); err != nil {
		return ErrUnknown
	}
	return os.CopyFS(folder, inside)
}
