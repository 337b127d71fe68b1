package files

import "os"

// WriteTo makes what is written to p go to file.
func (p *Pending) WriteTo(file *os.File) {
	p.file.Close()
	p.file = file
}

// Crash ends p as a crash would: the temporary file stays, and nobody uses it.
func (p *Pending) Crash() {
	if p.file != nil {
		p.file.Close()
	}
	p.end()
}

// MakeDurable does the first step of Commit, Rename also the second.
func (p *Pending) MakeDurable() error { return p.store.disk.sync([]string{p.path}, nil) }
func (p *Pending) Rename() error {
	_, err := p.store.rename(&commit{pending: []*Pending{p}})
	return err
}

// Hold takes the turn to commit, and returns what gives it back.
func (s *Store) Hold() (release func()) {
	s.turn <- struct{}{}
	return func() { <-s.turn }
}

// Waiting is the number of commits that wait for their turn.
func (s *Store) Waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting)
}
