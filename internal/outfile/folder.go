package outfile

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Folder names a file for each document, all in one folder.
type Folder struct {
	path  string
	taken map[string]bool // in lower case, as some file systems compare names
}

// NewFolder names files in the folder of that path.
func NewFolder(path string) *Folder { return &Folder{path: path, taken: map[string]bool{}} }

// Path is the file for the document of that name: its last parts, joined by "!",
// with ".nq" after. A name that is taken gets a number.
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
	candidate := flat + ".nq"
	for n := 2; f.taken[strings.ToLower(candidate)]; n++ {
		candidate = fmt.Sprintf("%s-%d.nq", flat, n)
	}
	f.taken[strings.ToLower(candidate)] = true
	return filepath.Join(f.path, candidate)
}
