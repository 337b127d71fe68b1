package inputs

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Expand puts the files of folders in the place of these, at any depth and in the order of their
// names. Names that begin with a dot, that are no file, or that are among outputs are ignored. So are
// links to folders: they may lead in a circle. found is called for each folder.
func Expand(args []string, outputs []os.FileInfo, found func(folder string, files, ignored []string)) ([]string, error) {
	var all []string
	for _, arg := range args {
		if info, err := os.Stat(arg); err != nil || !info.IsDir() {
			all = append(all, arg)
			continue
		}
		files, ignored, err := under(arg, outputs)
		if err != nil {
			return nil, err
		}
		found(arg, files, ignored)
		all = append(all, files...)
	}
	return all, nil
}

// Existing are the files and folders of these names, as far as there are any.
func Existing(names ...string) (all []os.FileInfo) {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			all = append(all, info)
		}
	}
	return all
}

// under are the files under a folder, and the names in it that are passed over, each with the reason.
func under(folder string, outputs []os.FileInfo) (files, ignored []string, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if path == folder {
			return err
		}
		name, inner := filepath.Rel(folder, path)
		if inner != nil {
			return inner
		}
		pass := func(why string) error {
			ignored = append(ignored, name+why)
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if err != nil {
			return pass(" (can't be read)")
		}
		info, err := os.Stat(path)
		switch {
		case strings.HasPrefix(entry.Name(), "."):
			return pass("")
		case err != nil:
			return pass(" (a link that leads nowhere)")
		case slices.ContainsFunc(outputs, func(output os.FileInfo) bool { return os.SameFile(info, output) }):
			return pass(" (the output)")
		case entry.IsDir():
			return nil
		case info.IsDir():
			return pass(" (a link to a folder)")
		case !info.Mode().IsRegular():
			return pass(" (no file)")
		}
		files = append(files, path)
		return nil
	})
	return files, ignored, err
}
