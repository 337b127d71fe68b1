// Package disk takes room on a disk before it is written. What others write meanwhile can't
// take it away. A lack of room is reported before the data that does not fit is at hand.
package disk

import (
	"errors"
	"fmt"
	"math"
	"os"
	"syscall"
)

// Step is how much is taken at a time, in bytes, where there is so much.
const Step = 64 << 20

// Room is what is taken of a disk for one file that grows. It is used from one goroutine.
type Room struct {
	dir  string
	step int64
	take func(offset, length int64) error
	room int64 // how much of the file there is room for
}

// NewRoom takes room for a file in a folder by take, which takes it for a stretch, as
// [Reserve] does. It returns an error that wraps ENOSPC only if there is none; any other says that
// room can't be taken there. So does a nil take.
func NewRoom(dir string, take func(offset, length int64) error) *Room {
	return &Room{dir: dir, take: take}
}

// Gently lets the steps grow with the file, from 1 MiB: for files of which most are
// small. What is less than the first step is not taken at all.
func (r *Room) Gently() *Room {
	r.step = 1 << 20
	r.room = r.step
	return r
}

// Need ensures that n bytes more can be written to a file of size bytes. Where room can't be
// taken, what is short shows when it is written.
func (r *Room) Need(size, n int64) error {
	missing := size + n - r.room
	if missing <= 0 {
		return nil
	}
	most := int64(Step)
	if r.step > 0 {
		most = min(most, max(r.step, size))
	}
	for step := max(most, missing); ; step = max(step/2, missing) {
		err := errors.ErrUnsupported
		if r.take != nil {
			err = r.take(r.room, step)
		}
		switch {
		case err == nil:
			r.room += step
			return nil
		case !errors.Is(err, syscall.ENOSPC):
			r.room = math.MaxInt64
			return nil
		case step == missing:
			return r.Short(size, missing, err)
		}
	}
}

// Wants says whether Need would take more.
func (r *Room) Wants(size, n int64) bool { return size+n > r.room }

// Short says what is missing after size bytes, and where; err is what the system said.
func (r *Room) Short(size, missing int64, err error) error {
	left := ""
	if n, err := Free(r.dir); err == nil {
		left = fmt.Sprintf(" with %d bytes left", n)
	}
	return fmt.Errorf("%w: %d bytes more than the %d that are written there have no room in %s%s", err, missing, size, r.dir, left)
}

// Trim gives back what was taken beyond size: no more is to come.
func (r *Room) Trim(file *os.File, size int64) {
	if r.room > size && r.room != math.MaxInt64 && file.Truncate(size) == nil {
		r.room = size
	}
}
