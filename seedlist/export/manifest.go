package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"laundromat/internal/filenames"
	"laundromat/internal/outfile"
)

// Kinds of lines in the sort: what was there before, and what is there now.
const (
	rowBefore = "0"
	rowNow    = "1"
)

// readBefore puts the rows of an earlier export into the sort.
func (e *run) readBefore(name string) error {
	file, err := os.Open(filepath.Join(e.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	for row, err := range filenames.Rows(file, name == partFile) {
		if err != nil {
			return fmt.Errorf("%s: %w (move it away, and export into a new folder)", file.Name(), err)
		}
		if err := e.add(row, rowBefore); err != nil {
			return err
		}
	}
	return nil
}

func (e *run) add(row filenames.Row, kind string) error {
	key, rest, _ := strings.Cut(row.String(), "\t")
	path, rest, _ := strings.Cut(rest, "\t")
	return e.rows.Add(0, []byte(key+"\t"+path+"\t"+kind+"\t"+rest))
}

// manifest writes the manifest, in the order of keys, and removes what is no more.
func (e *run) manifest(ctx context.Context) error {
	root, err := os.OpenRoot(e.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	whole, err := outfile.Create(filepath.Join(e.dir, filenames.Manifest))
	if err != nil {
		return err
	}
	defer whole.Abort()
	out := bufio.NewWriter(whole)
	fmt.Fprintln(out, filenames.Header)
	var last exportedRow // of a file, of which both kinds may come
	flush := func() error {
		if last.path == "" {
			return nil
		}
		if last.kind == rowBefore && !e.options.Keep {
			return e.remove(root, last.path)
		}
		if last.kind == rowBefore {
			info, err := root.Lstat(filepath.FromSlash(last.path))
			if err != nil {
				return nil // an interrupted export did not come to it, or somebody removed it
			}
			last.row.Bytes = info.Size()
		}
		fmt.Fprintln(out, last.row.String())
		e.sums.Files++
		e.sums.Bytes += last.row.Bytes
		return nil
	}
	_, err = e.rows.Write(ctx, func(int) string { return "" }, func(line []byte) error {
		row, err := readExported(string(line))
		if err != nil {
			return err
		}
		if row.path != last.path {
			if err := flush(); err != nil {
				return err
			}
		}
		last = row
		return nil
	})
	if err == nil {
		err = flush()
	}
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = whole.Sync()
	}
	if err != nil {
		return err
	}
	return whole.Close()
}

// exportedRow is a line of the sort.
type exportedRow struct {
	kind, path string
	row        filenames.Row
}

func readExported(line string) (r exportedRow, err error) {
	cells := strings.SplitN(line, "\t", 4)
	if len(cells) != 4 {
		return r, errors.New("a line of the export is damaged")
	}
	r.kind = cells[2]
	r.row, err = filenames.ParseRow(cells[0] + "\t" + cells[1] + "\t" + cells[3])
	r.path = r.row.Path
	return r, err
}

// remove removes a file that an earlier export put there, and the folders that it leaves
// empty. A file without the key in its name is not taken for such, and stays.
func (e *run) remove(root *os.Root, path string) error {
	name := filepath.FromSlash(path)
	if !filepath.IsLocal(name) || strings.Count(filepath.Base(name), "+") != 2 {
		return nil
	}
	if err := root.Remove(name); err == nil {
		e.sums.Removed++
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for folder := filepath.Dir(name); folder != "."; folder = filepath.Dir(folder) {
		if root.Remove(folder) != nil {
			break
		}
	}
	return nil
}

// Find gives the rows of the files of a seed, by its hash, from the manifest of a folder. The first
// error ends it.
func Find(dir, hash string) iter.Seq2[filenames.Row, error] {
	return func(yield func(filenames.Row, error) bool) {
		file, err := os.Open(filepath.Join(dir, filenames.Manifest))
		if err != nil {
			yield(filenames.Row{}, err)
			return
		}
		defer file.Close()
		for row, err := range filenames.Rows(file, false) {
			switch {
			case err != nil:
				yield(row, fmt.Errorf("%s: %w", file.Name(), err))
				return
			case row.Key > hash:
				return // the manifest is in the order of keys
			case row.Key == hash && !yield(row, nil):
				return
			}
		}
	}
}

// URI is the URI that a file was named by, as [filenames.Parse] reads it. The manifest of the folder that the file
// is in
// is asked for names that were cut: the error is then [filenames.ErrCut] where there is none, or where the manifest
// doesn't have the file.
func URI(path string) (string, error) {
	name, err := filenames.Parse(filepath.ToSlash(path))
	if err == nil {
		return strings.Join(append([]string{name.URI}, name.Entries...), "!/"), nil
	}
	if !errors.Is(err, filenames.ErrCut) {
		return "", err
	}
	for dir, last := filepath.Dir(path), path; dir != last; dir, last = filepath.Dir(dir), dir {
		for row, failure := range Find(dir, name.Key) {
			if failure != nil {
				break // no manifest here
			}
			if filepath.Join(dir, filepath.FromSlash(row.Path)) == filepath.Clean(path) {
				return row.URI, nil
			}
		}
	}
	return "", err
}
