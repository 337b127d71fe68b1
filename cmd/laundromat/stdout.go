package main

import "os"

// stdout is standard output that remembers the first error of a write, so that no
// verb can end well after a line that was lost, whoever wrote it.
type stdout struct {
	file *os.File
	err  error
}

func (s *stdout) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	if s.err == nil {
		s.err = err
	}
	return n, err
}

// Fd lets isTerminal look at it.
func (s *stdout) Fd() uintptr { return s.file.Fd() }
