package files

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"laundromat/internal/inflate"
)

// EachOfSubject passes the lines of a clean file whose subject is the IRI on, in order,
// without their ends. A line is valid until line returns, and its error ends the work.
// The IRI is compared as the file writes it: in canonical form, without < and >. With
// the index, the members that can't hold such lines are not read; a file without one is
// read from its beginning. Damage is an error that says where.
func EachOfSubject(blobs Opener, hash, iri string, line func([]byte) error) error {
	clean, err := blobs.Open(hash, Clean)
	if err != nil {
		return err
	}
	defer clean.Close()
	lookup := lookup{clean: clean, size: clean.Size(), prefix: []byte("<" + iri + "> ")}
	index, err := blobs.Open(hash, Index)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		defer index.Close()
		// One of another version serves nobody; all can be found without.
		if err := lookup.narrow(index); err != nil && !errors.Is(err, errVersion) {
			return fmt.Errorf("the index of %s: %w", hash, err)
		}
	}
	if err := lookup.each(line); err != nil {
		return fmt.Errorf("the clean file %s: %w", hash, err)
	}
	return nil
}

// lookup looks for the lines of a subject.
type lookup struct {
	clean  io.ReaderAt
	size   int64
	prefix []byte // of such lines: the subject and a space
	from   int64  // where the member begins in which the first of them may be
}

// narrow finds the last member that begins before the lines sought.
func (l *lookup) narrow(file Blob) error {
	x, err := openIndex(file, file.Size())
	if err != nil {
		return err
	}
	if x.packed != uint64(l.size) {
		return errIndex
	}
	subject := bytes.TrimSuffix(l.prefix, []byte(" "))
	cut := subject[:min(len(subject), longestSubject)]
	l.from, err = x.last(func(at int64, first []byte) (bool, error) {
		c := bytes.Compare(first, cut)
		if c == 0 && len(subject) > longestSubject {
			// Only the member's first line says whether it comes before.
			return l.beginsBefore(at)
		}
		return c < 0, nil
	})
	return err
}

// beginsBefore says that the first line of the member at that place comes before the
// lines sought.
func (l *lookup) beginsBefore(at int64) (bool, error) {
	in, err := l.unpacked(at)
	if err != nil {
		return false, err
	}
	first := make([]byte, len(l.prefix))
	n, err := io.ReadFull(in, first)
	if err == io.ErrUnexpectedEOF {
		err = nil
	}
	return bytes.Compare(first[:n], l.prefix) < 0, err
}

// lookupBuffer is small, since most that is sought is.
const lookupBuffer = 32 << 10

// unpacked reads the text from the beginning of a member on.
func (l *lookup) unpacked(at int64) (io.Reader, error) {
	return inflate.NewMembers(bufio.NewReaderSize(io.NewSectionReader(l.clean, at, l.size-at), lookupBuffer))
}

// each passes on the lines sought.
func (l *lookup) each(line func([]byte) error) error {
	in, err := l.unpacked(l.from)
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	text := bufio.NewReaderSize(in, max(lookupBuffer, len(l.prefix)))
	var long []byte // the beginning of a line sought that is longer than the buffer
	passing := false
	for {
		part, err := text.ReadSlice('\n')
		cut := err == bufio.ErrBufferFull
		if err == io.EOF {
			return nil
		}
		if err != nil && !cut {
			return err
		}
		switch {
		case passing: // over the rest of a line that is not sought
			passing = cut
			continue
		case len(long) > 0:
			long = append(long, part...)
		case bytes.HasPrefix(part, l.prefix):
			if cut {
				long = append(long, part...)
			}
		case bytes.Compare(part, l.prefix) > 0:
			return nil
		default:
			passing = cut
			continue
		}
		if cut {
			continue
		}
		if len(long) > 0 {
			part = long
		}
		if err := line(part[:len(part)-1]); err != nil {
			return err
		}
		long = long[:0]
	}
}
