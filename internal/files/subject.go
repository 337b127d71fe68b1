package files

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sort"

	"github.com/klauspost/compress/gzip"
)

// EachOfSubject passes the lines of a clean file whose subject is the IRI on, in order,
// without their ends; a line is valid until line returns, and its error ends the work.
// The IRI is compared as the file writes it: in canonical form, without < and >. With
// the index, the members that can't hold such lines are not read; a file without one is
// read from its beginning. Damage is an error that says where.
func (s *Store) EachOfSubject(hash, iri string, line func([]byte) error) error {
	clean, err := s.Open(hash, Clean)
	if err != nil {
		return err
	}
	defer clean.Close()
	info, err := clean.Stat()
	if err != nil {
		return err
	}
	lookup := lookup{clean: clean, size: info.Size(), prefix: []byte("<" + iri + "> ")}
	index, err := s.Open(hash, Index)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		defer index.Close()
		if err := lookup.narrow(index); err != nil {
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
	from   int64  // where the member begins in which the first of them may stand
}

// narrow finds the last member that begins before the lines sought.
func (l *lookup) narrow(index io.Reader) error {
	x, err := newIndexReader(index)
	if err != nil {
		return err
	}
	subject := bytes.TrimSuffix(l.prefix, []byte(" "))
	cut := subject[:min(len(subject), longestSubject)]
	// The members that begin with the same 64 bytes, when the subject is longer: only
	// their first lines tell which of them come before it.
	var alike []int64
	for {
		member, err := x.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		at := int64(x.total.packed - member.packed)
		switch c := bytes.Compare(member.subject, cut); {
		case c < 0:
			l.from = at
		case c == 0 && len(subject) > longestSubject:
			alike = append(alike, at)
		}
	}
	if int64(x.total.packed) != l.size {
		return errIndex
	}
	n := sort.Search(len(alike), func(i int) bool {
		if err != nil {
			return true
		}
		var before bool
		before, err = l.beginsBefore(alike[i])
		return !before
	})
	if n > 0 {
		l.from = alike[n-1]
	}
	return err
}

// beginsBefore says that the first line of the member at that place comes before the
// lines sought.
func (l *lookup) beginsBefore(at int64) (bool, error) {
	in, err := gzip.NewReader(bufio.NewReader(io.NewSectionReader(l.clean, at, l.size-at)))
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

// each passes on the lines sought.
func (l *lookup) each(line func([]byte) error) error {
	packed := bufio.NewReaderSize(io.NewSectionReader(l.clean, l.from, l.size-l.from), 64<<10)
	in, err := gzip.NewReader(packed)
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	text := bufio.NewReaderSize(in, max(64<<10, len(l.prefix)))
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
