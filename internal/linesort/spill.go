package linesort

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/s2"

	"laundromat/internal/disk"
)

// spill is the temporary file. It is made when first needed, and has no name where the
// operating system allows that. A goroutine of its own writes it, chunk after chunk. Chunks
// are written as they are while the file is written at the speed of memory, which means by
// the page cache. The file must not be large, and must have ample room. Else each chunk is
// compressed by itself.
type spill struct {
	dir    string
	memory *memory
	create func(dir string) (tempFile, error) // replaced by tests

	allowed func() error // asked before disk is taken; nil: it always is

	extentSize int // of most extents, at most

	file    tempFile
	size    int64
	room    *disk.Room
	jobs    chan job
	waiting sync.WaitGroup // for jobs under way
	ended   chan struct{}
	packs   bool  // from now on chunks are compressed
	plain   int64 // bytes that were written as they are, by so many calls
	calls   int
	slow    [judgedAt]bool // which of the last were
	parts   [][]byte       // of what is written: used again

	mu  sync.Mutex
	err error // the first; all later jobs are thrown away
}

// tempFile is what is needed of an os.File.
type tempFile interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
}

// extent is a stretch of the file with consecutive chunks of one bucket, each
// after a head of blockHead bytes. Its place is known once the goroutine wrote it.
type extent struct {
	offset, length int64
	cost           int64
}

type job struct {
	extent *extent
	chunks []chunk
	giant  [][]byte // instead of chunks: the parts of a record, which stay the caller's
	last   bool     // instead of all that: hardly anything more will come
}

// blockHead: length on disk, length of the records, lines; each 8 bytes. The two
// lengths are equal if the chunk is not compressed.
const blockHead = 24

func (s *spill) init(dir string, m *memory) {
	s.dir, s.memory, s.create = dir, m, createTemp
}

// failed returns the first error of the goroutine that writes.
func (s *spill) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// send gives chunks to be written. Their memory is released when they are; trouble
// is reported by failed.
func (s *spill) send(e *extent, chunks []chunk) {
	var n int64
	for _, c := range chunks {
		n += int64(cap(c.data))
	}
	s.memory.send(n)
	s.enqueue(job{extent: e, chunks: chunks})
}

// writeGiant writes a line of any length without a copy, and waits until it is.
func (s *spill) writeGiant(e *extent, head, line []byte) error {
	s.enqueue(job{extent: e, giant: [][]byte{head, line}})
	return s.settle()
}

func (s *spill) enqueue(j job) {
	if s.jobs == nil {
		s.jobs = make(chan job, 16)
		s.ended = make(chan struct{})
		go s.run(s.jobs)
	}
	s.waiting.Add(1)
	s.jobs <- j // run always takes, after an error too
}

// settle waits for all that was sent.
func (s *spill) settle() error {
	s.waiting.Wait()
	return s.failed()
}

// release gives back the disk that was taken and is not needed.
func (s *spill) release() {
	if s.jobs != nil {
		s.enqueue(job{last: true})
	}
}

// close ends the goroutine and removes the file.
func (s *spill) close() error {
	if s.jobs != nil {
		close(s.jobs)
		<-s.ended
		s.jobs = nil
	}
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.file = nil
	return err
}

func (s *spill) run(jobs <-chan job) {
	defer close(s.ended)
	var buffer []byte
	for j := range jobs {
		if s.failed() == nil {
			var err error
			if buffer, err = s.write(j, buffer[:0]); err != nil {
				s.mu.Lock()
				s.err = err
				s.mu.Unlock()
			}
		}
		for i := range j.chunks {
			s.memory.release(true, j.chunks[i].data)
		}
		s.waiting.Done()
	}
}

func (s *spill) write(j job, buffer []byte) ([]byte, error) {
	if j.last {
		s.trim()
		return buffer, nil
	}
	if s.file == nil {
		file, err := s.create(s.dir)
		if err != nil {
			return buffer, err
		}
		s.file = file
		left, err := disk.Free(s.dir)
		s.packs = err != nil || left < roomyDisk // else the disk is the shorter of the two
	}
	j.extent.offset = s.size
	if j.giant != nil {
		length := uint64(len(j.giant[0]) + len(j.giant[1]))
		buffer = appendBlockHead(buffer, length, length, 1)
		for _, part := range [][]byte{buffer, j.giant[0], j.giant[1]} {
			if err := s.append(part); err != nil {
				return buffer, err
			}
		}
		j.extent.length = s.size - j.extent.offset
		return buffer, nil
	}
	var err error
	if s.packs {
		buffer, err = s.writePacked(j.chunks, buffer)
	} else {
		buffer, err = s.writePlain(j.chunks, buffer)
	}
	j.extent.length = s.size - j.extent.offset
	return buffer, err
}

// writePlain writes chunks from where they are, by one call: one for each would take longer. The heads are made in
// buffer.
func (s *spill) writePlain(chunks []chunk, buffer []byte) ([]byte, error) {
	buffer, s.parts = slices.Grow(buffer, len(chunks)*blockHead), s.parts[:0]
	size := 0
	for i := range chunks {
		c, from := &chunks[i], len(buffer)
		buffer = appendBlockHead(buffer, uint64(len(c.data)), uint64(len(c.data)), uint64(c.lines))
		s.parts = append(s.parts, buffer[from:], c.data)
		size += blockHead + len(c.data)
	}
	defer func() { clear(s.parts) }()
	if err := s.reserve(int64(size)); err != nil {
		return buffer, err
	}
	start := time.Now()
	n, err := writeParts(s.file, s.parts, s.size)
	s.size += n
	s.judge(size, time.Since(start))
	return buffer, err
}

// writePacked writes chunks compressed.
func (s *spill) writePacked(chunks []chunk, buffer []byte) ([]byte, error) {
	for i := range chunks {
		c := &chunks[i]
		if len(c.data) <= giantBlock {
			buffer = appendBlock(buffer, c)
			continue
		}
		// Not compressed, since that would take as much memory again.
		buffer = appendBlockHead(buffer, uint64(len(c.data)), uint64(len(c.data)), uint64(c.lines))
		for _, part := range [][]byte{buffer, c.data} {
			if err := s.append(part); err != nil {
				return buffer, err
			}
		}
		buffer = buffer[:0]
	}
	return buffer, s.append(buffer)
}

const (
	// plainFile is the size, in bytes, up to which a file is not worth compressing if a gigabyte
	// of it is written in plainSecond. Compressing would take longer.
	plainFile   = 3 << 30
	plainSecond = 1500 * time.Millisecond
	roomyDisk   = 4 << 30 // bytes that are free, fewer of which are saved
	judgedAt    = 31      // calls, fewer of which show no speed
)

// judge looks at how long n bytes took. Of the last calls half must have been slow: where the
// processor was given to others meanwhile, some are.
func (s *spill) judge(n int, took time.Duration) {
	if s.packs || n == 0 {
		return
	}
	s.plain += int64(n)
	s.slow[s.calls%judgedAt] = took > plainSecond*time.Duration(n)>>30
	s.calls++
	if s.packs = s.plain > plainFile; s.packs || s.calls < judgedAt {
		return
	}
	slow := 0
	for _, is := range s.slow {
		if is {
			slow++
		}
	}
	s.packs = slow > judgedAt/2
}

func (s *spill) append(data []byte) error {
	if err := s.reserve(int64(len(data))); err != nil {
		return err
	}
	n, err := s.file.WriteAt(data, s.size)
	s.size += int64(n)
	return err
}

func appendBlockHead(dst []byte, disk, raw, lines uint64) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, disk)
	dst = binary.LittleEndian.AppendUint64(dst, raw)
	return binary.LittleEndian.AppendUint64(dst, lines)
}

// appendBlock appends a chunk after its head, compressed if that saves an eighth.
func appendBlock(dst []byte, c *chunk) []byte {
	head, raw := len(dst), len(c.data)
	dst = appendBlockHead(dst, uint64(raw), uint64(raw), uint64(c.lines))
	body := len(dst)
	if need := body + s2.MaxEncodedLen(raw); cap(dst) < need {
		grown := make([]byte, body, max(need, 2*cap(dst)))
		copy(grown, dst)
		dst = grown
	}
	if packed := len(s2.Encode(dst[body:cap(dst)], c.data)); packed <= raw/8*7 {
		binary.LittleEndian.PutUint64(dst[head:], uint64(packed))
		return dst[:body+packed]
	}
	return append(dst, c.data...)
}

// extentReader reads extents into buffers that it uses again. The zero value is
// ready; it is used from one goroutine.
type extentReader struct {
	in  *bufio.Reader // with room for an extent as a rule
	raw []byte
}

// giantBlock is the length from which on a chunk holds a single line, is written as
// it is.
const giantBlock = 1 << 20

var errSpill = errors.New("the temporary file does not hold what was written to it")

// each passes the chunks of e on, in order. A chunk is valid until fn returns.
func (r *extentReader) each(s *spill, e *extent, fn func(chunk) error) error {
	section := io.NewSectionReader(s.file, e.offset, e.length)
	if r.in == nil {
		r.in = bufio.NewReaderSize(section, max(s.extentSize, 64<<10))
	} else {
		r.in.Reset(section)
	}
	var head [blockHead]byte
	for {
		switch _, err := io.ReadFull(r.in, head[:]); {
		case err == io.EOF:
			return nil
		case err != nil:
			return damaged(err)
		}
		disk := int(binary.LittleEndian.Uint64(head[:]))
		raw := int(binary.LittleEndian.Uint64(head[8:]))
		lines := int64(binary.LittleEndian.Uint64(head[16:]))
		if disk < 0 || int64(disk) > e.length || disk != raw && raw > giantBlock {
			return errSpill
		}
		data, err := r.block(disk, raw)
		if err != nil {
			return err
		}
		if err := fn(chunk{data: data, lines: lines}); err != nil {
			return err
		}
	}
}

// block reads a chunk that takes so many bytes on disk, and so many in memory. It is valid until
// more is read.
func (r *extentReader) block(disk, raw int) ([]byte, error) {
	if disk > r.in.Size() {
		r.raw = room(r.raw, disk)
		_, err := io.ReadFull(r.in, r.raw)
		return r.raw, damaged(err)
	}
	data, err := r.in.Peek(disk)
	if err != nil {
		return nil, damaged(err)
	}
	if disk != raw {
		if n, err := s2.DecodedLen(data); err != nil || n != raw {
			return nil, errSpill
		}
		r.raw = room(r.raw, raw)
		if _, err := s2.Decode(r.raw, data); err != nil {
			return nil, damaged(err)
		}
		data = r.raw
	}
	r.in.Discard(disk) // is there, and stays in the buffer until more is read
	return data, nil
}

func damaged(err error) error {
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		return errSpill
	}
	return err
}

func room(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// discard reports to the operating system that an extent is no longer needed, unless there
// is space for the file again. Otherwise what is in the page cache would have to be written
// out.
func (s *spill) discard(e *extent) {
	file, ok := s.file.(*os.File)
	if !ok {
		return
	}
	if info, err := file.Stat(); err == nil {
		if left, err := disk.Free(s.dir); err == nil && left > info.Size() {
			return
		}
	}
	discard(file, e.offset, e.length)
}
