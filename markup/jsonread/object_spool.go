package jsonread

import (
	"fmt"
	"io"
	"os"

	"laundromat/internal/fault"
)

// spool keeps text that may have to be read a second time: in memory while there is
// little of it, then in a temporary file.
type spool struct {
	folder string
	format string // the name of what is read, for errors
	began  int64  // the offset of its first byte in the text
	memory []byte
	file   *os.File
	size   int64
}

// spoolMemory is how much text a spool holds in memory, in bytes.
const spoolMemory = 2 << 20

func (s *spool) write(text []byte) error {
	s.size += int64(len(text))
	if s.file == nil && len(s.memory)+len(text) <= spoolMemory {
		s.memory = append(s.memory, text...)
		return nil
	}
	if s.file == nil {
		file, err := os.CreateTemp(s.folder, "laundromat-json-")
		if err != nil {
			return s.trouble(err)
		}
		s.file = file
	}
	for _, part := range [][]byte{s.memory, text} {
		if _, err := s.file.Write(part); err != nil {
			return s.trouble(err)
		}
	}
	s.memory = nil
	return nil
}

// from reads the text from an offset on.
func (s *spool) from(begin int64) io.Reader {
	return &spooled{s, begin - s.began}
}

// spooled reads a spool from an offset on, up to what was written last.
type spooled struct {
	spool *spool
	at    int64
}

func (s *spooled) left() int64 { return s.spool.size - s.at }

func (s *spooled) Read(into []byte) (int, error) {
	if s.left() <= 0 {
		return 0, io.EOF
	}
	into = into[:min(int64(len(into)), s.left())]
	if s.spool.file == nil {
		n := copy(into, s.spool.memory[s.at:])
		s.at += int64(n)
		return n, nil
	}
	n, err := s.spool.file.ReadAt(into, s.at)
	s.at += int64(n)
	return n, err
}

// close gives the space back. It may be called twice.
func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
		s.file, s.size = nil, 0
	}
}

func (s *spool) trouble(err error) error {
	return &fault.Error{Op: "jsonread.Read", Kind: fault.Local, Code: fault.LocalDisk, Err: fmt.Errorf("keep %s for a second reading: %w",
		s.format, err)}
}
