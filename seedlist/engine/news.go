package engine

import "sync"

// News is a set of things that others wait for, and a transaction may have brought. Who waits looks into the list
// when there is news of its kind. Most changes of the list bring it nothing.
type News uint8

const (
	OfFeed      News = 1 << QueueNone      // the feed has grown
	OfDownloads News = 1 << QueueHosts     // a seed may be downloaded
	OfArchives  News = 1 << QueueArchives  // a seed is ready to be looked at for archives
	OfGuesses   News = 1 << QueueGuesses   // … to have its format guessed
	OfDocuments News = 1 << QueueDocuments // … to be parsed
	OfSuspects  News = 1 << QueueSuspects  // a suspect is ready
	OfCatalogs  News = 1 << QueueRests     // a catalog is to be harvested, or waits; nobody waits for that queue
	kindsOfNews      = int(QueueRests) + 1
	AllNews     News = 1<<kindsOfNews - 1
)

// newsOf is the news for who waits for seeds of a queue.
func newsOf(q Queue) News {
	switch {
	case QueueHosts <= q && q <= QueueSuspects:
		return 1 << q
	case q == QueueCatalogs:
		return OfCatalogs
	}
	return 0
}

// newsOfSeed is what a seed that changed brings to those who wait.
func newsOfSeed(r *Seed, now int64) News {
	switch {
	case r.Erased, !r.born && r.was.Queue == r.Queue && r.was.Due == r.Due:
	case r.Queue == QueueRests && r.Due <= now:
		return OfDownloads
	default:
		return newsOf(r.Queue)
	}
	return 0
}

// wakers wake those who wait.
type wakers struct {
	mu      sync.Mutex
	changed [kindsOfNews]chan struct{} // each closed, and replaced, when there is news of its kind
}

// Wake wakes those who wait for some news.
func (l *Moves) Wake(of News) {
	l.wakers.mu.Lock()
	defer l.wakers.mu.Unlock()
	for kind, changed := range l.wakers.changed {
		if of>>kind&1 != 0 && changed != nil {
			close(changed)
			l.wakers.changed[kind] = nil
		}
	}
}

// expect is a channel that is closed when there is news of a kind.
func (w *wakers) expect(of News) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	for kind := range w.changed {
		if of>>kind&1 != 0 {
			if w.changed[kind] == nil {
				w.changed[kind] = make(chan struct{})
			}
			return w.changed[kind]
		}
	}
	return nil
}
