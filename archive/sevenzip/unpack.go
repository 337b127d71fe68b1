package sevenzip

import (
	"bufio"
	"compress/bzip2"
	"encoding/binary"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/stangelandcl/ppmd"

	"laundromat/internal/branch"
	"laundromat/internal/inflate"
	"laundromat/internal/lzma"
)

const packedBuffer = 36 << 10

// chain is what the coders of a folder are joined in.
type chain struct {
	in      io.ReaderAt
	folder  *Folder
	memory  int
	closers []func()
}

// Unpack unpacks a folder from its beginning to its end. Each window takes memory as the data
// comes, up to so many bytes. The stream may go on after the size of the folder. Its errors
// are those of the source, io.ErrUnexpectedEOF, lzma.ErrMemory, or say what is damaged.
func Unpack(in io.ReaderAt, f *Folder, memory int) (io.ReadCloser, error) {
	c := &chain{in: in, folder: f, memory: memory}
	out, err := c.output(f.main)
	if err != nil {
		c.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{out, c}, nil
}

func (c *chain) Close() error {
	for _, close := range c.closers {
		close()
	}
	return nil
}

// output is what comes out of a coder. Each output is the input of one coder at most, so this
// comes to an end.
func (c *chain) output(number int) (io.Reader, error) {
	coder := &c.folder.Coders[number]
	inputs := make([]*bufio.Reader, coder.inputs)
	for i := range inputs {
		in, err := c.input(coder.first + uint64(i))
		if err != nil {
			return nil, err
		}
		inputs[i] = bufio.NewReaderSize(in, packedBuffer)
	}
	if coder.ID == bcj2 {
		if len(inputs) != 4 {
			return nil, ErrCorrupt
		}
		return newBCJ2(inputs), nil
	}
	open := decoders[coder.ID]
	if open == nil || len(inputs) != 1 {
		return nil, ErrUnsupported
	}
	return open(c, coder, inputs[0], c.folder.sizes[number])
}

// input is what goes into a coder.
func (c *chain) input(number uint64) (io.Reader, error) {
	if from, ok := c.folder.bonds[number]; ok {
		out, err := c.output(from)
		if err != nil {
			return nil, err
		}
		return io.LimitReader(out, int64(c.folder.sizes[from])), nil
	}
	s := c.folder.Packed[c.folder.feeds[number]]
	return io.NewSectionReader(c.in, s.At, s.Length), nil
}

// opener opens the decoder of a coder with one input, from which so many bytes come.
type opener func(c *chain, coder *Coder, in *bufio.Reader, size uint64) (io.Reader, error)

// decoders are the coders that are read, by their identifiers. BCJ2, which has several inputs,
// is not among them.
var decoders = map[string]opener{
	Copy:      func(_ *chain, _ *Coder, in *bufio.Reader, _ uint64) (io.Reader, error) { return in, nil },
	LZMA2:     openLZMA2,
	lzma1:     openLZMA,
	ppmd7:     openPPMd,
	deflate:   openDeflate,
	deflate64: openDeflate,
	bzip2Code: func(_ *chain, _ *Coder, in *bufio.Reader, _ uint64) (io.Reader, error) {
		return bzip2.NewReader(in), nil
	},
	zstdCode: openZstd,
	brotliID: openBrotli,
	lz4Code:  func(_ *chain, _ *Coder, in *bufio.Reader, _ uint64) (io.Reader, error) { return lz4.NewReader(in), nil },
	delta:    openDelta,

	"\x04": openBranch(branch.X86), "\x03\x03\x01\x03": openBranch(branch.X86),
	"\x05": openBranch(branch.PPC), "\x03\x03\x02\x05": openBranch(branch.PPC),
	"\x06": openBranch(branch.IA64), "\x03\x03\x04\x01": openBranch(branch.IA64),
	"\x07": openBranch(branch.ARM), "\x03\x03\x05\x01": openBranch(branch.ARM),
	"\x08": openBranch(branch.ARMThumb), "\x03\x03\x07\x01": openBranch(branch.ARMThumb),
	"\x09": openBranch(branch.SPARC), "\x03\x03\x08\x05": openBranch(branch.SPARC),
	"\x0A": openBranch(branch.ARM64),
}

func openLZMA(c *chain, coder *Coder, in *bufio.Reader, size uint64) (io.Reader, error) {
	if len(coder.Properties) != 5 {
		return nil, ErrCorrupt
	}
	p, err := lzma.PropertiesOf(coder.Properties[0])
	if err != nil {
		return nil, err
	}
	return lzma.NewReader(in, p, uint64(binary.LittleEndian.Uint32(coder.Properties[1:])), size, c.memory), nil
}

func openLZMA2(c *chain, coder *Coder, in *bufio.Reader, _ uint64) (io.Reader, error) {
	if len(coder.Properties) != 1 || coder.Properties[0] > 40 {
		return nil, ErrCorrupt
	}
	return lzma.NewReader2(in, lzma.Window2(coder.Properties[0]), c.memory), nil
}

// maxPPMd is how much memory PPMd may have. It takes all that the archive asks for at once.
const maxPPMd = 256 << 20

func openPPMd(c *chain, coder *Coder, in *bufio.Reader, size uint64) (io.Reader, error) {
	if len(coder.Properties) != 5 {
		return nil, ErrCorrupt
	}
	order, memory := coder.Properties[0], binary.LittleEndian.Uint32(coder.Properties[1:])
	switch {
	case order < 2 || order > 64 || memory < 1<<11:
		return nil, ErrCorrupt
	case int64(memory) > max(maxPPMd, int64(c.memory)):
		return nil, lzma.ErrMemory
	}
	z, err := ppmd.NewH7zReader(in, int(order), int(memory), int(size))
	return &z, err
}

func openDeflate(_ *chain, coder *Coder, in *bufio.Reader, _ uint64) (io.Reader, error) {
	z := new(inflate.Reader)
	if coder.ID == deflate64 {
		z.Reset64(in)
	} else {
		z.Reset(in)
	}
	return z, nil
}

func openZstd(c *chain, _ *Coder, in *bufio.Reader, _ uint64) (io.Reader, error) {
	z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(uint64(c.memory)))
	if err == nil {
		c.closers = append(c.closers, z.Close)
	}
	return z, err
}

// openBrotli skips the frame that 7-Zip's packer puts before brotli: its mark, its length, the
// length of what is packed, and two more numbers.
func openBrotli(_ *chain, _ *Coder, in *bufio.Reader, _ uint64) (io.Reader, error) {
	const frame = 16
	if head, _ := in.Peek(frame); len(head) == frame && binary.LittleEndian.Uint32(head) == 0x184D2A50 && string(head[12:14]) == "BR" {
		in.Discard(frame)
	}
	return brotli.NewReader(in), nil
}

// openDelta reads the distance, less one, from the properties.
func openDelta(_ *chain, coder *Coder, in *bufio.Reader, _ uint64) (io.Reader, error) {
	if len(coder.Properties) != 1 {
		return nil, ErrCorrupt
	}
	return branch.NewDelta(in, int(coder.Properties[0])+1), nil
}

func openBranch(kind branch.Kind) opener {
	return func(_ *chain, coder *Coder, in *bufio.Reader, _ uint64) (io.Reader, error) {
		start := uint32(0)
		if len(coder.Properties) == 4 {
			start = binary.LittleEndian.Uint32(coder.Properties)
		}
		return branch.NewReader(in, kind, start), nil
	}
}
