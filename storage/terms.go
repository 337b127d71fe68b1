package storage

import (
	"context"
	"path/filepath"
	"sync"

	"github.com/rs/zerolog"

	"laundromat/seedlist/termfilter"
)

// folderFilters is what knows which clean files may hold a term.
type folderFilters struct {
	mu     sync.Mutex
	opened *termfilter.Index
}

func (t *folderFilters) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.opened != nil {
		t.opened.Close()
		t.opened = nil
	}
}

// OpenTerms opens the filters of terms for a daemon, which makes those that are missing from then on. Trouble is
// logged: it makes answers slower, not wrong.
func (f *Folder) OpenTerms(log zerolog.Logger) *termfilter.Index {
	trouble := func(err error) { log.Warn().Err(err).Msg("the filters of terms") }
	opened, err := termfilter.Open(filepath.Join(f.Dir, termsFile), f.Seeds, f.Files, termfilter.Options{Log: trouble})
	if err != nil {
		trouble(err)
		return nil
	}
	f.filters.mu.Lock()
	defer f.filters.mu.Unlock()
	f.filters.opened = opened
	return opened
}

// Terms is the index that answers. Where no daemon runs, it is opened to be read.
func (f *Folder) Terms(context.Context) (*termfilter.Index, error) {
	f.filters.mu.Lock()
	defer f.filters.mu.Unlock()
	if f.filters.opened == nil {
		opened, err := termfilter.Open(filepath.Join(f.Dir, termsFile), f.Seeds, f.Files, termfilter.Options{OnlyRead: true})
		if err != nil {
			return nil, err
		}
		f.filters.opened = opened
	}
	return f.filters.opened, nil
}
