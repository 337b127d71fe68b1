package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// expandFolders puts the files of folders in the place of these, at any depth and in the order of their
// names. What is passed over is told. That is what begins with a dot, is no file, or is written by this
// run. Links to folders are passed over, too: they may lead in a circle.
func (r *washRun) expandFolders(args []string) ([]string, error) {
	var all []string
	for _, arg := range args {
		if info, err := os.Stat(arg); err != nil || !info.IsDir() {
			all = append(all, arg)
			continue
		}
		files, ignored, err := filesUnder(arg, r.outputs())
		if err != nil {
			return nil, err
		}
		if len(ignored) > 0 {
			r.ui.note("%s: %s ignored: %s", arg, counted(len(ignored), "name is", "names are"), shortList(ignored))
		}
		if len(files) == 0 {
			r.ui.note("%s: no file in this folder is to be read", arg)
		}
		all = append(all, files...)
	}
	return all, nil
}

// outputs are the files and folders that the run writes.
func (r *washRun) outputs() (all []os.FileInfo) {
	for _, name := range []string{r.options.output, r.options.report, r.options.repairs} {
		if info, err := os.Stat(name); err == nil {
			all = append(all, info)
		}
	}
	return all
}

// filesUnder are the files under a folder, and the names in it that are passed over, each with the reason.
func filesUnder(folder string, outputs []os.FileInfo) (files, ignored []string, err error) {
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

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// shortList are the first names of a list, and how many more there are.
func shortList(names []string) string {
	const most = 10
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
