package postgres

import (
	"strconv"

	"laundromat/seedlist"
)

// news is a set of what others wait for, and a transaction may have brought. Who waits looks into the database when
// there is news of its kind. Most changes of the list bring it nothing.
type news uint8

const (
	ofFeed      news = 1 << iota // the feed has grown
	ofDownloads                  // a seed may be downloaded
	ofArchives                   // a seed is ready to be looked at for archives
	ofGuesses                    // … to have its format guessed
	ofDocuments                  // … to be parsed
	ofSuspects                   // a suspect is ready
	ofCatalogs                   // a catalog is to be harvested, or waits
	kindsOfNews = iota
	allNews     = 1<<kindsOfNews - 1
)

// newsOf is the news for who waits for seeds of a working state.
func newsOf(stage seedlist.State) news {
	switch stage {
	case seedlist.Downloading:
		return ofDownloads
	case seedlist.Unarchiving:
		return ofArchives
	case seedlist.Guessing:
		return ofGuesses
	}
	return ofDocuments
}

// newsOfRecords is what a transaction brings to all processes by its records.
func (t *tx) newsOfRecords() (is news) {
	for _, r := range t.records {
		if r == nil || r.erased || !r.isNew && r.was.state == r.state && r.was.due == r.due && r.was.crashes == r.crashes {
			continue
		}
		switch {
		case r.state == seedlist.Added, r.state.IsEnd() && r.due != 0 && r.due <= t.now.UnixNano():
			is |= ofDownloads
		case r.state.IsReady() && r.crashes > 0:
			is |= ofSuspects
		case r.state.IsReady():
			is |= newsOf(r.state.Working())
		}
	}
	return is
}

// wake wakes those who wait for some news.
func (s *Store) wake(of news) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for kind := range s.changed {
		if of>>kind&1 != 0 {
			close(s.changed[kind])
			s.changed[kind] = make(chan struct{})
		}
	}
}

// expect is a channel that is closed when there is news of a kind.
func (s *Store) expect(of news) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	for kind, changed := range s.changed {
		if of>>kind&1 != 0 {
			return changed
		}
	}
	return nil
}

// notice is how news is told to other processes.
func (n news) notice() string { return strconv.Itoa(int(n)) }

// newsIn reads a notice. One that can't be read may be any.
func newsIn(notice string) news {
	n, err := strconv.ParseUint(notice, 10, 8)
	if err != nil {
		return allNews
	}
	return news(n)
}
