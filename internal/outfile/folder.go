package outfile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Folder names a file for each document, all in one folder.
type Folder struct {
	path, suffix string
	inputs       []os.FileInfo
	taken        map[string]bool // in lower case, as some file systems compare names
}

// NewFolder names files in the folder of that path, which end in suffix. None is one of the inputs.
func NewFolder(path, suffix string, inputs []os.FileInfo) *Folder {
	return &Folder{path: path, suffix: suffix, inputs: inputs, taken: map[string]bool{}}
}

// Path is the file for the document of that name: its last parts, joined by "!",
// with the suffix after. A name that is taken, or is that of an input, gets a number.
func (f *Folder) Path(document string) string {
	parts := strings.Split(document, "!/")
	parts[0] = filepath.Base(strings.TrimRight(parts[0], "/"))
	flat := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, strings.Join(parts, "!"))
	if flat == "-" || flat == "" || flat == "." {
		flat = "stdin"
	}
	if len(flat) > 200 {
		flat = flat[:200]
	}
	candidate := flat + f.suffix
	for n := 2; f.taken[strings.ToLower(candidate)] || f.isInput(candidate); n++ {
		candidate = fmt.Sprintf("%s-%d%s", flat, n, f.suffix)
	}
	f.taken[strings.ToLower(candidate)] = true
	return filepath.Join(f.path, candidate)
}

// isInput says that a file of that name in the folder is one that is read.
func (f *Folder) isInput(name string) bool {
	info, err := os.Stat(filepath.Join(f.path, name))
	return err == nil && slices.ContainsFunc(f.inputs, func(input os.FileInfo) bool { return os.SameFile(info, input) })
}
