package files

import (
	"fmt"

	room "laundromat/internal/disk"
)

// KeepFree makes writing end with an error of kind Local while the file system has less
// than n bytes left. A disk that is full to its last byte stops more than this program.
// With 0, no bytes are kept free.
func (s *Folder) KeepFree(n int64) { s.keepFree.Store(n) }

// Short says, as an error of kind Local, that fewer bytes are left than are to be kept
// free. It is nil if there are more, or the system does not say.
func (s *Folder) Short() error {
	keep := s.keepFree.Load()
	if keep <= 0 {
		return nil
	}
	free, err := room.Free(s.dir)
	if err != nil || free >= keep {
		return nil
	}
	return local("files.Short", fmt.Errorf("%d bytes are free, and %d are to be kept free", free, keep))
}

// Left is how many bytes are free where the files are, and how many of these are to be kept free.
func (s *Folder) Left() (free, keep int64, err error) {
	free, err = room.Free(s.dir)
	return free, s.keepFree.Load(), err
}

// lookEvery is how many bytes are written to a file between two looks at what is left.
const lookEvery = 16 << 20
