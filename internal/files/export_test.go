package files

import "os"

// WriteTo makes what is written to p go to file.
func WriteTo(pending Pending, file *os.File) {
	p := pending.(*pendingFile)
	p.file.Close()
	p.file = file
}

// Crash ends p as a crash would: the temporary file stays, and nobody uses it.
func Crash(pending Pending) {
	p := pending.(*pendingFile)
	if p.file != nil {
		p.file.Close()
	}
	p.end()
}

// MakeDurable does the first step of Commit, Rename also the second.
func MakeDurable(pending Pending) error {
	p := pending.(*pendingFile)
	return p.store.disk.sync([]string{p.path}, nil)
}
func Rename(pending Pending) error {
	p := pending.(*pendingFile)
	_, err := p.store.rename(&commit{pending: []*pendingFile{p}})
	return err
}

// Hold takes the turn to commit, and returns what gives it back.
func (s *Folder) Hold() (release func()) {
	s.turn <- struct{}{}
	return func() { <-s.turn }
}

// Waiting is the number of commits that wait for their turn.
func (s *Folder) Waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting)
}
