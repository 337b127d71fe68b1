package reconcile

import (
	"os"
)

// arena holds pieces of bytes one after another: in memory, or in a temporary file where they are many. Pieces are
// added first, and read when all are there.
type arena struct {
	temp  string
	limit int // bytes that memory may hold

	held []byte // all of it, or what is not yet in the file
	file *os.File
	size int64 // of the file
}

// add appends a piece, and says where it begins.
func (a *arena) add(piece []byte) (offset int64, err error) {
	offset = a.size + int64(len(a.held))
	if len(a.held) > 0 && len(a.held)+len(piece) > a.limit {
		if err := a.flush(); err != nil {
			return 0, err
		}
	}
	a.held = append(a.held, piece...)
	return offset, nil
}

func (a *arena) flush() error {
	if a.file == nil {
		file, err := os.CreateTemp(a.temp, "laundromat-merge-*")
		if err != nil {
			return err
		}
		// A file that has no name any more is gone when the program ends, however it ends. Windows does not
		// let it go; there close removes it.
		os.Remove(file.Name())
		a.file = file
		a.limit = min(a.limit, 1<<20) // from now on memory is but a buffer
	}
	n, err := a.file.Write(a.held)
	a.size += int64(n)
	a.held = a.held[:0]
	return err
}

// seal ends the adding.
func (a *arena) seal() error {
	if a.file == nil {
		return nil
	}
	if err := a.flush(); err != nil {
		return err
	}
	a.held = nil
	return nil
}

// at reads n bytes. They are valid until buffer is used again; several goroutines may read at once.
func (a *arena) at(offset int64, n int, buffer *[]byte) ([]byte, error) {
	if a.file == nil {
		return a.held[offset : offset+int64(n)], nil
	}
	if cap(*buffer) < n {
		*buffer = make([]byte, n+n/2)
	}
	b := (*buffer)[:n]
	_, err := a.file.ReadAt(b, offset)
	return b, err
}

func (a *arena) close() {
	if a.file != nil {
		a.file.Close()
		os.Remove(a.file.Name())
	}
	a.held = nil
}
