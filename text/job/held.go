package job

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"

	"laundromat/internal/fault"
)

// held keeps what is to be written until it is known which articles repeat others: in memory, and in a temporary file
// once it is much.
type held struct {
	temp   string
	most   int // bytes in memory
	memory bytes.Buffer
	file   *os.File
	out    *bufio.Writer
	head   []byte
}

// add keeps a part: what is written of an article, whose id is kept beside it.
func (h *held) add(p part, text []byte) error {
	h.head = binary.AppendUvarint(h.head[:0], uint64(p.number+1)) // 0: it can't repeat anything
	h.head = binary.AppendUvarint(h.head, uint64(len(p.id)))
	h.head = append(h.head, p.id...)
	h.head = binary.AppendUvarint(h.head, uint64(len(text)))
	if h.file == nil && h.memory.Len()+len(text) <= h.most {
		h.memory.Write(h.head)
		h.memory.Write(text)
		return nil
	}
	if h.file == nil {
		file, err := os.CreateTemp(h.temp, "laundromat-articles-*")
		if err != nil {
			return heldDisk(err)
		}
		_ = os.Remove(file.Name()) // where the system allows that: else when it is closed
		h.file, h.out = file, bufio.NewWriterSize(file, 256<<10)
	}
	if _, err := h.out.Write(h.head); err != nil {
		return heldDisk(err)
	}
	if _, err := h.out.Write(text); err != nil {
		return heldDisk(err)
	}
	return nil
}

// each gives all parts to a function, in their order. The text lives until it returns.
func (h *held) each(fn func(p part, text []byte) error) error {
	var from io.Reader = bytes.NewReader(h.memory.Bytes())
	if h.file != nil {
		if err := h.out.Flush(); err != nil {
			return heldDisk(err)
		}
		if _, err := h.file.Seek(0, io.SeekStart); err != nil {
			return heldDisk(err)
		}
		from = io.MultiReader(from, h.file)
	}
	in := bufio.NewReaderSize(from, 256<<10)
	var id, text []byte
	for {
		number, err := binary.ReadUvarint(in)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			id, err = field(in, id)
		}
		if err == nil {
			text, err = field(in, text)
		}
		if err != nil {
			return heldDisk(err)
		}
		if err := fn(part{number: int(number) - 1, id: string(id)}, text); err != nil {
			return err
		}
	}
}

// field reads a length and as many bytes.
func field(in *bufio.Reader, into []byte) ([]byte, error) {
	n, err := binary.ReadUvarint(in)
	if err != nil {
		return into, err
	}
	if uint64(cap(into)) < n {
		into = make([]byte, n)
	}
	into = into[:n]
	_, err = io.ReadFull(in, into)
	return into, err
}

func (h *held) close() error {
	if h.file == nil {
		return nil
	}
	name := h.file.Name()
	h.file.Close()
	h.file = nil
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return heldDisk(err)
	}
	return nil
}

// heldDisk marks trouble with the temporary file as ours.
func heldDisk(err error) error {
	return fault.New("text", fault.Local, fault.LocalDisk, "articles that wait to be written: temporary file: %w", err)
}
