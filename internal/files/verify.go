package files

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"

	"laundromat/internal/digest"
	"laundromat/internal/inflate"
)

// Damage says what is wrong with a clean file or its index. It is no trouble of
// reading: reading again gives the same.
type Damage struct {
	Line    int64 // in the clean file, from 1; 0 if no line can be known
	Message string
}

// Error is the message, after the line if that is known.
func (d *Damage) Error() string {
	if d.Line > 0 {
		return fmt.Sprintf("line %d: %s", d.Line, d.Message)
	}
	return d.Message
}

// VerifyClean reads a clean file whole. Its members unpack, its lines are in order, each is
// there once and ended, and the index, unless it is nil, says the same. It returns what the
// N-Quads are, so that the caller can compare their hash with the file's name. Otherwise it
// returns a *Damage, the first found, or what kept it from reading.
func VerifyClean(ctx context.Context, clean, index io.Reader) (digest.Content, error) {
	v := &verification{in: &counted{r: clean}, hasher: digest.NewHasher()}
	v.buffered = bufio.NewReaderSize(v.in, 256<<10)
	var same *sameIndex
	if index != nil {
		same = &sameIndex{is: bufio.NewReader(index)}
		if err := same.head(); err != nil {
			return digest.Content{}, indexTrouble(err)
		}
		v.index.out = same
	}
	if err := v.members(ctx); err != nil {
		return digest.Content{}, err
	}
	if same != nil {
		err := v.index.end()
		if err == nil {
			err = same.end()
		}
		if err != nil {
			return digest.Content{}, indexTrouble(err)
		}
	}
	measured := v.hasher.Content()
	measured.NumberOfChars, measured.NumberOfLines, measured.Newline = &v.chars, &v.lines, digest.LF
	if v.lines == 0 {
		measured.Newline = digest.None
	}
	return measured, nil
}

type verification struct {
	in       *counted
	buffered *bufio.Reader
	index    indexWriter // makes the index again, to be compared with what there is
	hasher   *digest.Hasher
	lines    int64
	chars    int64
	last     []byte
	line     []byte // one that is longer than a buffer
}

// counted counts the bytes read.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// offset is the place up to which the clean file is unpacked.
func (v *verification) offset() int64 { return v.in.n - int64(v.buffered.Buffered()) }

func (v *verification) members(ctx context.Context) error {
	z := new(inflate.Gzip)
	text := bufio.NewReaderSize(nil, 256<<10)
	for n := 0; ; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		start := v.offset()
		if _, err := v.buffered.Peek(1); err == io.EOF {
			if n == 0 {
				return &Damage{0, "the file is empty: not even a gzip member"}
			}
			return nil
		}
		if err := z.Reset(v.buffered); err != nil {
			return v.unpacking(err)
		}
		text.Reset(z)
		found, err := v.text(text)
		if err != nil {
			return err
		}
		found.packed = uint64(v.offset() - start)
		if err := v.index.add(0, found); err != nil {
			return indexTrouble(err)
		}
	}
}

// text reads the lines of a member.
func (v *verification) text(in *bufio.Reader) (found indexEntry, err error) {
	for {
		line, err := v.readLine(in)
		if err != nil && err != io.EOF {
			return found, v.unpacking(err)
		}
		if len(line) == 0 {
			return found, nil
		}
		if err == io.EOF {
			return found, &Damage{v.lines + 1, "a line goes on over the end of a member, or is not ended"}
		}
		if found.lines == 0 {
			found.subject = bytes.Clone(subjectOf(line))
		}
		found.lines++
		found.text += uint64(len(line))
		v.lines++
		v.chars += digest.CountChars(line)
		v.hasher.Write(line)
		line = line[:len(line)-1]
		if v.lines > 1 {
			switch c := bytes.Compare(v.last, line); {
			case c == 0:
				return found, &Damage{v.lines, "the line is there twice"}
			case c > 0:
				return found, &Damage{v.lines, "the line is smaller than the one before it"}
			}
		}
		v.last = append(v.last[:0], line...)
	}
}

// readLine reads up to a line end, with it, or to the end of the member.
func (v *verification) readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return line, err
	}
	v.line = v.line[:0]
	for err == bufio.ErrBufferFull {
		v.line = append(v.line, line...)
		line, err = in.ReadSlice('\n')
	}
	v.line = append(v.line, line...)
	return v.line, err
}

// unpacking distinguishes damage from trouble with reading.
func (v *verification) unpacking(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &Damage{v.lines + 1, "the file is cut short"}
	case errors.Is(err, gzip.ErrHeader):
		return &Damage{v.lines + 1, "what follows is not a gzip member"}
	case errors.Is(err, gzip.ErrChecksum):
		return &Damage{v.lines, "the checksum of the member that ends here is wrong"}
	case errors.As(err, &corrupt):
		return &Damage{v.lines + 1, "the member can't be unpacked"}
	default:
		return fmt.Errorf("read clean file: %w", err)
	}
}

// sameIndex holds what is written to it against an index.
type sameIndex struct {
	is     *bufio.Reader
	buffer []byte
}

var errOtherIndex = errors.New("the index is damaged, or that of another file")

func (s *sameIndex) head() error {
	head, err := s.is.Peek(headSize)
	if err != nil {
		return cutShort(err, errIndex)
	}
	return checkHead(head)
}

func (s *sameIndex) Write(p []byte) (int, error) {
	s.buffer = append(s.buffer[:0], p...)
	if _, err := io.ReadFull(s.is, s.buffer); err != nil {
		return 0, cutShort(err, errOtherIndex)
	}
	if !bytes.Equal(s.buffer, p) {
		return 0, errOtherIndex
	}
	return len(p), nil
}

// end says whether the index ends where it should.
func (s *sameIndex) end() error {
	switch _, err := s.is.ReadByte(); err {
	case io.EOF:
		return nil
	case nil:
		return errOtherIndex
	default:
		return err
	}
}

// indexTrouble distinguishes damage of the index from trouble with reading it.
func indexTrouble(err error) error {
	for _, damage := range []error{errIndex, errOtherIndex, errVersion} {
		if errors.Is(err, damage) {
			return &Damage{0, err.Error()}
		}
	}
	return fmt.Errorf("read index: %w", err)
}

// cutShort returns instead if err says that the bytes ended too early.
func cutShort(err, instead error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return instead
	}
	return err
}
