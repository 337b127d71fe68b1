package archive

import (
	"bufio"
	"io"

	"github.com/mholt/archives"
)

// sevenStream reads what one coder alone has packed, from its beginning to its end, once
// for all files in it. The library would unpack it again for each file that lies
// after damage. Of LZMA2, which has places where nothing before is needed, what lies
// after damage is read too.
type sevenStream struct {
	solid
	in     *tap
	info   *sevenFolderInfo
	number int
	out    io.ReadCloser
	lzma2  *lzma2Stream // out, if it is one
	start  int64        // where that begins in the file
	hops   int
	buffer []byte
}

// reads says whether a folder is read here.
func (f *sevenFolderInfo) reads() bool {
	return len(f.coders) == 1 && sevenCoders[f.coders[0].id].read >= sevenOurs && f.unknown == "" && !f.encrypted
}

func newSevenStream(in *tap, info *sevenFolderInfo, number int) *sevenStream {
	f := &sevenStream{in: in, info: info, number: number, hops: lzma2Hops, buffer: make([]byte, 32<<10)}
	f.solid = solid{format: "7z", more: f.unpack}
	f.open(info.at)
	return f
}

// open unpacks from a place of the file on, which is the beginning except for LZMA2.
func (f *sevenStream) open(at int64) {
	f.start = at
	packed := bufio.NewReaderSize(io.NewSectionReader(f.in, at, f.info.at+f.info.length-at), layerBuffer)
	f.out, f.lzma2 = nil, nil
	switch coder := f.info.coders[0]; coder.id {
	case sevenCopy:
		f.out = io.NopCloser(packed)
	case sevenLzma:
		var z *lzmaStream
		if z, f.err = newLzma(packed, [5]byte(coder.properties), f.info.size); f.err == nil {
			f.out = io.NopCloser(z)
		}
	case sevenLzma2:
		if f.lzma2, f.err = newLzma2(packed, coder.properties[0]); f.err == nil {
			f.out = io.NopCloser(f.lzma2)
		}
	case sevenDeflate64:
		f.out = io.NopCloser(newDeflate64(packed))
	case sevenZstd:
		f.out, f.err = archives.Zstd{DecoderOptions: zstdOptions}.OpenReader(packed)
	}
}

func (f *sevenStream) close() {
	if f.out != nil {
		f.out.Close()
	}
}

// unpack ends with io.EOF only at the folder's size.
func (f *sevenStream) unpack() {
	left := int64(f.info.size) - f.at
	if left <= 0 {
		f.err = io.EOF
		return
	}
	n, err := f.out.Read(f.buffer[:min(left, int64(len(f.buffer)))])
	f.ready = f.buffer[:n]
	switch {
	case err == nil:
	case n > 0 && err == io.EOF: // it is met again
	case f.in.trouble.err != nil:
		f.err = f.in.trouble.err
	default:
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		f.lost = f.start
		if f.lzma2 != nil {
			f.lost += f.lzma2.lost
		}
		if f.lzma2 == nil || !f.resume(left-int64(n)) {
			f.err = err
		}
	}
}

// resume goes on after damage with the next chunk that needs nothing before it. From there
// to the end, so many bytes must come out that their place is known.
func (f *sevenStream) resume(left int64) bool {
	end := f.info.at + f.info.length
	at, chain, found := nextLzma2Start(f.in, f.lost+1, end, &f.hops, func(c lzma2Chain) bool {
		return c.marked && c.end == end && c.unpacked <= left
	})
	if !found {
		return false
	}
	f.open(at)
	f.gap = left - chain.unpacked
	return f.err == nil
}
