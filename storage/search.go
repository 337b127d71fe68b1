package storage

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/rs/zerolog"

	"laundromat/internal/lean"
	"laundromat/rdf/statistics"
	"laundromat/seedlist/search"
)

// folderSearch is the search of a folder.
type folderSearch struct {
	mu     sync.Mutex
	opened *search.Search
	temp   string // the folder of an index that ends with this process; "" for none
}

func (s *folderSearch) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened != nil {
		s.opened.Close()
		s.opened = nil
	}
	if s.temp != "" {
		os.RemoveAll(s.temp)
	}
}

// DefaultLabels is how many labels of a document are found, unless a setting says another number.
const DefaultLabels = 1000

// OpenSearch opens the search of a daemon, which follows the list from then on. A lean program has none. One that can't
// be opened is logged, and keeps no daemon from its work.
func (f *Folder) OpenSearch(labels statistics.LabelOptions, log zerolog.Logger) {
	if lean.Built {
		return
	}
	trouble := func(err error) { log.Warn().Err(err).Msg("search") }
	options := search.Options{Labels: labels, Counts: &f.Counts, Log: trouble}
	opened, err := search.Open(filepath.Join(f.Dir, searchFile), f.Seeds, f.Files, options)
	if err != nil {
		log.Error().Err(err).Msg("nothing is found by words until the next start")
		return
	}
	f.search.mu.Lock()
	f.search.opened = opened
	f.search.mu.Unlock()
}

// openSearch is the search that answers. Where no daemon runs, it is brought up to date first; where nothing may be
// written, in a copy.
func (f *Folder) openSearch(ctx context.Context) (*search.Search, error) {
	if lean.Built {
		return nil, lean.Lacks("search")
	}
	f.search.mu.Lock()
	defer f.search.mu.Unlock()
	if f.search.opened != nil || f.Serves {
		return f.search.opened, nil
	}
	path := filepath.Join(f.Dir, searchFile)
	if f.OnlyRead {
		temp, err := os.MkdirTemp(f.Temp, "search-")
		if err != nil {
			return nil, err
		}
		f.search.temp = temp
		if path, err = copySearch(f.Dir, temp); err != nil {
			return nil, err
		}
	}
	opened, err := search.Open(path, f.Seeds, f.Files, search.Options{Labels: statistics.LabelOptions{Most: DefaultLabels}, AsMade: true})
	if err != nil {
		return nil, err
	}
	f.search.opened = opened
	return opened, opened.Wait(ctx)
}

// copySearch copies the index of a folder, if there is one, with what was not yet put into its file.
func copySearch(from, to string) (path string, err error) {
	for _, end := range [...]string{"", "-wal"} {
		in, err := os.Open(filepath.Join(from, searchFile+end))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		out, err := os.OpenFile(filepath.Join(to, searchFile+end), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			_, err = io.Copy(out, in)
			err = errors.Join(err, out.Close())
		}
		in.Close()
		if err != nil {
			return "", err
		}
	}
	return filepath.Join(to, searchFile), nil
}
