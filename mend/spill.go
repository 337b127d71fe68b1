package mend

import (
	"bytes"
	"io"
	"os"
)

// spill is a text that is held in memory while it is short, else in a temporary file.
type spill struct {
	temp   string // folder; "" for the system's
	memory bytes.Buffer
	file   *os.File
	size   int64
}

// spillMemory is how many bytes of a spill are held in memory.
const spillMemory = 1 << 20

func (s *spill) Write(p []byte) (int, error) {
	s.size += int64(len(p))
	if s.memory.Len()+len(p) <= spillMemory {
		return s.memory.Write(p)
	}
	if err := s.flush(); err != nil {
		return 0, err
	}
	if len(p) > spillMemory {
		return s.file.Write(p)
	}
	return s.memory.Write(p)
}

func (s *spill) flush() (err error) {
	if s.file == nil {
		if s.file, err = os.CreateTemp(s.temp, "laundromat-*"); err != nil {
			return err
		}
	}
	_, err = s.file.Write(s.memory.Bytes())
	s.memory.Reset()
	return err
}

// reader reads all that was written, from its beginning. Nothing may be written then.
func (s *spill) reader() (io.Reader, error) {
	if s.file == nil {
		return bytes.NewReader(s.memory.Bytes()), nil
	}
	if err := s.flush(); err != nil {
		return nil, err
	}
	return io.NewSectionReader(s.file, 0, s.size), nil
}

// empty forgets what was written.
func (s *spill) empty() error {
	s.memory.Reset()
	s.size = 0
	if s.file == nil {
		return nil
	}
	if err := s.file.Truncate(0); err != nil {
		return err
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return err
}

func (s *spill) close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
		s.file = nil
	}
}
