package daemon

import (
	"sync"
	"sync/atomic"

	"laundromat/seedlist"
)

// accounts count the entries of all archives that lie in each other, so that one limit holds for
// all of them together. These are opened apart and at different times. They live as long as the
// process: after that, of a file only its own entries are known.
type accounts struct {
	mu sync.Mutex
	of map[string]*account // by the hash of the outermost file
}

// account is that of one outermost file.
type account struct {
	met atomic.Int64
	by  map[string]int64 // how many entries an archive in it has put on it
}

// accountsKept is how many files have accounts at a time. One is opened only for an
// archive within an archive, so few do.
const accountsKept = 4096

// open returns the account of an outermost file, for an archive that lies in it to be read. If that
// was read before, what it put on the account is taken off.
func (a *accounts) open(outermost *seedlist.Seed, hash string) *account {
	a.mu.Lock()
	defer a.mu.Unlock()
	of := a.of[outermost.Hash]
	if of == nil {
		for other := range a.of {
			if len(a.of) < accountsKept {
				break
			}
			delete(a.of, other)
		}
		of = &account{by: map[string]int64{}}
		if outermost.ChildrenTotal != nil {
			of.met.Store(*outermost.ChildrenTotal)
		}
		if a.of == nil {
			a.of = map[string]*account{}
		}
		a.of[outermost.Hash] = of
	}
	of.met.Add(-of.by[hash])
	delete(of.by, hash)
	return of
}

// read notes how many entries an archive has put on an account.
func (a *accounts) read(of *account, hash string, entries int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	of.by[hash] += entries
}

// forget closes the account of an outermost file, which is read again.
func (a *accounts) forget(hash string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.of, hash)
}
