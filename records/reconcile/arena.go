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
	if a.held = a.held[:0]; cap(a.held) > 2*a.limit {
		a.held = nil
	}
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

// pieces are the numbered pieces of an arena. Memory holds 2.5 bytes for each: its length, and where each sixteenth
// begins.
type pieces struct {
	arena
	begins  []int64
	lengths []uint16
	long    map[uint32]int // the lengths that two bytes do not hold
}

const (
	piecesTogether = 16
	longPiece      = 1<<16 - 1
)

// append adds the next piece.
func (p *pieces) append(piece []byte) error {
	at, err := p.add(piece)
	if len(p.lengths)%piecesTogether == 0 {
		p.begins = append(p.begins, at)
	}
	if len(piece) >= longPiece {
		if p.long == nil {
			p.long = map[uint32]int{}
		}
		p.long[uint32(len(p.lengths))] = len(piece)
	}
	p.lengths = append(p.lengths, uint16(min(len(piece), longPiece)))
	return err
}

func (p *pieces) lengthOf(n uint32) int {
	if p.lengths[n] == longPiece {
		return p.long[n]
	}
	return int(p.lengths[n])
}

// get reads a piece. It is valid until buffer is used again.
func (p *pieces) get(n uint32, buffer *[]byte) ([]byte, error) {
	offset := p.begins[n/piecesTogether]
	for i := n - n%piecesTogether; i < n; i++ {
		offset += int64(p.lengthOf(i))
	}
	return p.at(offset, p.lengthOf(n), buffer)
}
