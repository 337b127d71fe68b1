package linesort

import (
	"errors"
	"fmt"
	"math"
	"os"
	"syscall"
)

// Disk is taken before it is written, in large steps: what is written by others meanwhile
// can't take it away, and a disk that is short is told of before the lines are in hand
// that do not fit.

// reserveStep is how much is taken at a time, in bytes, where there is so much.
const reserveStep = 64 << 20

// reserver is a file that knows how to take disk itself.
type reserver interface {
	reserve(offset, length int64) error
}

// reserve sees to it that n more bytes can be written.
func (s *spill) reserve(n int64) error {
	missing := s.size + n - s.reserved
	if missing <= 0 {
		return nil
	}
	if s.allowed != nil {
		if err := s.allowed(); err != nil {
			return err
		}
	}
	for step := max(reserveStep, missing); ; step = max(step/2, missing) {
		err := reserve(s.file, s.reserved, step)
		switch {
		case err == nil:
			s.reserved += step
			return nil
		case !errors.Is(err, syscall.ENOSPC):
			s.reserved = math.MaxInt64 // it can't be done here; what is short shows when it is written
			return nil
		case step == missing:
			return s.short(missing, err)
		}
	}
}

// short says what is missing, and where.
func (s *spill) short(missing int64, err error) error {
	left := ""
	if n, err := free(s.dir); err == nil {
		left = fmt.Sprintf(" with %d bytes left", n)
	}
	return fmt.Errorf("%w: %d bytes more than the %d that are written there have no room in %s%s", err, missing, s.size, s.dir, left)
}

// trim gives back what was taken and not written: no more lines are to come.
func (s *spill) trim() {
	if s.reserved <= s.size || s.reserved == math.MaxInt64 {
		return
	}
	if file, ok := s.file.(*os.File); ok && file.Truncate(s.size) == nil {
		s.reserved = s.size
	}
}
