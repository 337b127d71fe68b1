package outfile

import "os"

// Stdout is standard output that remembers the first error of a write. So no verb
// can end well after a line that was lost, whoever wrote it.
type Stdout struct {
	file    *os.File
	written int64
	err     error
}

// NewStdout writes to the file.
func NewStdout(file *os.File) *Stdout { return &Stdout{file: file} }

// Write writes p to the file. The first error is kept for later.
func (s *Stdout) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	s.written += int64(n)
	if s.err == nil {
		s.err = err
	}
	return n, err
}

// Written is how many bytes the file has taken.
func (s *Stdout) Written() int64 { return s.written }

// Err is the first error of a write.
func (s *Stdout) Err() error { return s.err }

// Fd is the descriptor of the file: whoever asks for a terminal looks at it.
func (s *Stdout) Fd() uintptr { return s.file.Fd() }
