package near

import (
	"bufio"
	"os"

	"laundromat/internal/fault"
)

// signatures keeps the signatures of all articles, one after another: in memory, and in a temporary file once they
// are many.
type signatures struct {
	temp   string
	most   int // bytes in memory
	memory []byte
	file   *os.File
	out    *bufio.Writer
}

func (s *signatures) add(signature *[hashes]byte) error {
	if s.file == nil && len(s.memory)+hashes <= s.most {
		s.memory = append(s.memory, signature[:]...)
		return nil
	}
	if s.file == nil {
		file, err := os.CreateTemp(s.temp, "laundromat-signatures-*")
		if err != nil {
			return localDisk(err)
		}
		s.file, s.out = file, bufio.NewWriterSize(file, 256<<10)
	}
	if _, err := s.out.Write(signature[:]); err != nil {
		return localDisk(err)
	}
	return nil
}

func (s *signatures) flush() error {
	if s.out == nil {
		return nil
	}
	if err := s.out.Flush(); err != nil {
		return localDisk(err)
	}
	return nil
}

func (s *signatures) read(number int, into *[hashes]byte) error {
	at := number * hashes
	if at < len(s.memory) {
		copy(into[:], s.memory[at:])
		return nil
	}
	if _, err := s.file.ReadAt(into[:], int64(at-len(s.memory))); err != nil {
		return localDisk(err)
	}
	return nil
}

func (s *signatures) close() error {
	if s.file == nil {
		return nil
	}
	name := s.file.Name()
	s.file.Close()
	if err := os.Remove(name); err != nil {
		return localDisk(err)
	}
	s.file = nil
	return nil
}

// localDisk marks trouble with temporary files as ours.
func localDisk(err error) error {
	return fault.New("near", fault.Local, fault.LocalDisk, "repeats: temporary file: %w", err)
}
