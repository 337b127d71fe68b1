package near

import (
	"bufio"
	"errors"
	"io/fs"
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
		file, err := temporary(s.temp, "laundromat-signatures-*")
		if err != nil {
			return err
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
	file := s.file
	s.file = nil
	return closed(file)
}

// temporary makes a temporary file, which has no name from the beginning where the system allows that: nothing is
// left of it however the process ends.
func temporary(folder, pattern string) (*os.File, error) {
	file, err := os.CreateTemp(folder, pattern)
	if err != nil {
		return nil, localDisk(err)
	}
	_ = os.Remove(file.Name()) // else when it is closed
	return file, nil
}

// closed closes a temporary file and removes it.
func closed(file *os.File) error {
	if file == nil {
		return nil
	}
	file.Close()
	if err := os.Remove(file.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return localDisk(err)
	}
	return nil
}

// localDisk marks trouble with temporary files as ours.
func localDisk(err error) error {
	return fault.New("near", fault.Local, fault.LocalDisk, "repeats: temporary file: %w", err)
}
