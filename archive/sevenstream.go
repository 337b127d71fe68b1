package archive

import (
	"bufio"
	"io"

	"laundromat/archive/sevenzip"
	"laundromat/internal/lzma"
)

// sevenStream unpacks a folder of a 7z from its beginning to its end, once for all files in it.
// Of LZMA2 alone, which has places where nothing before is needed, what lies after damage
// is read too.
type sevenStream struct {
	solid
	in     *tap
	folder *sevenzip.Folder
	memory int
	guard  *guard
	out    io.ReadCloser
	lzma2  *lzma.Reader2 // out, if it is one
	start  int64         // where that begins in the file
	hops   int
	buffer []byte
}

func newSevenStream(w *walk, in *tap, folder *sevenzip.Folder) *sevenStream {
	f := &sevenStream{in: in, folder: folder, memory: w.o.limits.window(), guard: w.guard(), hops: lzma2Hops, buffer: make([]byte, 32<<10)}
	f.solid = solid{format: "7z", more: f.unpack}
	return f
}

// open unpacks from the beginning on.
func (f *sevenStream) open() {
	if len(f.folder.Packed) > 0 {
		f.start = f.folder.Packed[0].At
	}
	if coders := f.folder.Coders; len(coders) == 1 && coders[0].ID == sevenzip.LZMA2 && len(coders[0].Properties) == 1 &&
		coders[0].Properties[0] <= 40 {
		f.openLZMA2(f.start)
		return
	}
	var out io.ReadCloser
	if out, f.err = sevenzip.Unpack(f.in, f.folder, f.memory); f.err == nil {
		f.out = out
	}
}

// openLZMA2 unpacks from a place of the file on.
func (f *sevenStream) openLZMA2(at int64) {
	f.start = at
	packed := f.folder.Packed[0]
	in := bufio.NewReaderSize(io.NewSectionReader(f.in, at, packed.At+packed.Length-at), layerBuffer)
	f.lzma2 = lzma.NewReader2(in, lzma.Window2(f.folder.Coders[0].Properties[0]), f.memory)
	f.out = io.NopCloser(f.lzma2)
}

func (f *sevenStream) close() {
	if f.out != nil {
		f.out.Close()
	}
}

// unpack ends with io.EOF only at the folder's size.
func (f *sevenStream) unpack() {
	left := int64(f.folder.Size) - f.at
	if left <= 0 {
		f.err = io.EOF
		return
	}
	if f.out == nil {
		if f.open(); f.err != nil {
			f.lost = f.start
			f.judge(f.err)
			return
		}
	}
	n, err := f.guard.read(f.out, f.buffer[:min(left, int64(len(f.buffer)))])
	f.ready = f.buffer[:n]
	switch {
	case err == nil:
	case n > 0 && err == io.EOF: // it is met again
	default:
		f.lost = f.start
		if f.lzma2 != nil {
			f.lost += f.lzma2.Chunk()
		}
		if f.in.trouble.err != nil || f.lzma2 == nil || err == lzma.ErrMemory || !f.resume(left-int64(n)) {
			f.judge(err)
		}
	}
}

// judge keeps why nothing more comes.
func (f *sevenStream) judge(err error) {
	switch f.err = err; {
	case f.in.trouble.err != nil:
		f.err = f.in.trouble.err
	case err == io.EOF:
		f.err = io.ErrUnexpectedEOF
	}
}

// resume goes on after damage with the next chunk that needs nothing before it. From there
// to the end, so many bytes must come out that their place is known.
func (f *sevenStream) resume(left int64) bool {
	packed := f.folder.Packed[0]
	end := packed.At + packed.Length
	at, chain, found := nextLzma2Start(f.in, f.lost+1, end, &f.hops, func(c lzma2Chain) bool {
		return c.marked && c.end == end && c.unpacked <= left
	})
	if !found {
		return false
	}
	f.openLZMA2(at)
	f.gap = left - chain.unpacked
	return true
}
