package linesort

import (
	"errors"
	"os"

	"laundromat/internal/disk"
)

// reserver is a file that knows how to take disk itself.
type reserver interface {
	reserve(offset, length int64) error
}

// reserve ensures that n more bytes can be written.
func (s *spill) reserve(n int64) error {
	if s.room == nil {
		s.room = disk.NewRoom(s.dir, func(offset, length int64) error { return reserve(s.file, offset, length) })
	}
	if s.allowed != nil && s.room.Wants(s.size, n) {
		if err := s.allowed(); err != nil {
			return err
		}
	}
	return s.room.Need(s.size, n)
}

// reserve takes disk for a stretch of a file, as [disk.Reserve] does.
func reserve(f tempFile, offset, length int64) error {
	switch file := f.(type) {
	case reserver:
		return file.reserve(offset, length)
	case *os.File:
		return disk.Reserve(file, offset, length)
	}
	return errors.ErrUnsupported
}

// trim gives back what was taken and not written: no more lines are to come.
func (s *spill) trim() {
	if file, ok := s.file.(*os.File); ok && s.room != nil {
		s.room.Trim(file, s.size)
	}
}
