package archive

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"laundromat/archive/sevenzip"
	"laundromat/internal/fault"
	"laundromat/internal/lzma"
)

// filter is a way of compressing one stream.
type filter struct {
	name     string
	suffixes []string // that say so in a name
	is       func(head []byte) bool
	byName   bool // has no mark of its own: the name must say so too
	window   bool // keeps a window that the data chooses the size of
	open     func(*layer) (io.ReadCloser, error)
}

// headSize is how many bytes recognition looks at: brotli is tried on them.
const headSize = 4096

// filters is every filter there is, in the order in which they are asked.
var filters = []filter{
	{name: "gzip", suffixes: []string{".gz", ".tgz"}, is: isGzip, open: openMembers(format{"gzip", "a gzip member"},
		func(*layer) memberKind { return &gzipMembers{} })},
	{name: "bzip2", suffixes: []string{".bz2", ".tbz2", ".tbz"}, is: isBzip2, open: openBzip2},
	{name: "xz", suffixes: []string{".xz", ".txz"}, is: begins(xzMark), window: true, open: openMembers(format{"xz", "an xz block"},
		func(l *layer) memberKind { return &xzBlocks{memory: l.window(), tell: l.say} })},
	{name: "zstd", suffixes: []string{".zst", ".tzst"}, is: isZstd, window: true, open: openMembers(format{"zstd", "a zstd frame"},
		func(l *layer) memberKind { return &zstdFrames{memory: l.window()} })},
	{name: "lz4", suffixes: []string{".lz4"}, is: isLz4, open: openMembers(format{"lz4", "an lz4 frame"},
		func(*layer) memberKind { return &lz4Frames{} })},
	{name: "lzip", suffixes: []string{".lz"}, is: isLzip, window: true, open: openMembers(format{"lzip", "an lzip member"},
		func(l *layer) memberKind { return lzipMembers{l.window()} })},
	{name: "lzma", suffixes: []string{".lzma"}, is: isLzma, window: true, open: openMembers(format{"lzma", "an LZMA stream"},
		func(l *layer) memberKind { return lzmaMembers{l.window()} })},
	{name: "lzop", suffixes: []string{".lzo", ".tzo"}, is: isLzop, window: true, open: openMembers(format{"lzop", "a file of lzop"},
		func(*layer) memberKind { return &lzopFiles{} })},
	{name: "snappy", suffixes: []string{".sz", ".snappy", ".s2"}, is: isSnappy, open: func(l *layer) (io.ReadCloser, error) {
		return io.NopCloser(&snappyStream{s2.NewReader(l.in, s2.ReaderMaxBlockSize(4<<20)), l.in}), nil
	}},
	{name: "compress", suffixes: []string{".z"}, is: isCompress, open: openCompress},
	{name: "uuencode", suffixes: []string{".uu", ".uue"}, is: isUuencode, open: openUuencode},
	{name: "brotli", suffixes: []string{".br"}, is: isBrotli, byName: true, open: func(l *layer) (io.ReadCloser, error) {
		return io.NopCloser(brotli.NewReader(l.in)), nil
	}},
}

// zstdOptions keep a decoder on its caller's goroutine. Its window is within bounds by what
// zstdFrame makes of the header.
var zstdOptions = []zstd.DOption{
	zstd.WithDecoderConcurrency(1),
	zstd.WithDecoderLowmem(true),
	zstd.WithDecoderMaxWindow(1 << 32),
}

// snappyStream distinguishes a stream that is cut short from a damaged one.
type snappyStream struct {
	r  *s2.Reader
	in *bufio.Reader
}

func (s *snappyStream) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if errors.Is(err, s2.ErrCorrupt) {
		if _, end := s.in.Peek(1); end == io.EOF {
			err = io.ErrUnexpectedEOF
		}
	}
	return n, err
}

// filterOf finds the filter that bytes beginning with head went through.
func filterOf(head []byte, name string) (filter, bool) {
	for _, f := range filters {
		if f.byName && !hasSuffix(name, f.suffixes) {
			continue
		}
		if f.is(head) {
			return f, true
		}
	}
	return filter{}, false
}

func hasSuffix(name string, suffixes []string) bool {
	return trimSuffix(name, suffixes) != name
}

func trimSuffix(name string, suffixes []string) string {
	lower := strings.ToLower(name)
	for _, s := range suffixes {
		if strings.HasSuffix(lower, s) {
			return name[:len(name)-len(s)]
		}
	}
	return name
}

func begins(magic string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }
}

// isGzip wants deflate as the method and no reserved flag (RFC 1952 §2.3.1). The system that the header
// names is of no account, nor is all else in it.
func isGzip(head []byte) bool {
	return len(head) >= 10 && head[0] == 0x1F && head[1] == 0x8B && head[2] == 8 && head[3]&0xE0 == 0
}

// isBzip2 wants the mark of a block or of the end after "BZh", which a text may begin with.
func isBzip2(head []byte) bool {
	return len(head) >= 10 && string(head[:3]) == "BZh" && head[3] >= '1' && head[3] <= '9' &&
		(string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17\x72\x45\x38\x50\x90")
}

func isZstd(head []byte) bool { return bytes.HasPrefix(head, []byte(zstdMark)) }

func isLz4(head []byte) bool {
	return bytes.HasPrefix(head, []byte(lz4Mark)) || bytes.HasPrefix(head, []byte(lz4OldMark))
}

// isLzip wants version 1 and a window that version knows.
func isLzip(head []byte) bool {
	return len(head) >= lzipHeader && string(head[:4]) == "LZIP" && head[4] == 1 && lzipWindow(head[5]) > 0
}

func isSnappy(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\xFF\x06\x00\x00sNaPpY")) || bytes.HasPrefix(head, []byte("\xFF\x06\x00\x00S2sTwO"))
}

// isBrotli decodes the head. Brotli has no mark, so this is asked only where the
// name ends in .br. A text of that name almost surely fails within the head.
func isBrotli(head []byte) bool {
	r := brotli.NewReader(bytes.NewReader(head))
	n, err := io.Copy(io.Discard, io.LimitReader(r, 1<<20))
	cut := len(head) == headSize && errors.Is(err, io.ErrUnexpectedEOF)
	isNothing := n == 0 && len(head) == 1 && err == nil // packed
	return isNothing || n > 0 && (err == nil || cut)
}

// unsupported names a way of packing that is known by sight only.
func unsupported(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte(cabinetMark)) && !isCabinet(head):
		return "a cabinet file of another version"
	case len(head) > 6 && head[0] == 0x60 && head[1] == 0xEA && head[3] < 11 && head[4] >= 30:
		return "an arj archive"
	case len(head) > 21 && head[2] == '-' && head[3] == 'l' && (head[4] == 'h' || head[4] == 'z') && head[6] == '-':
		return "an lha archive"
	case bytes.HasPrefix(head, []byte(arcMark)) && !isArc(head):
		return "a crawl in another form of ARC, which came before WARC,"
	case bytes.HasPrefix(head, []byte("\xED\xAB\xEE\xDB")):
		return "a package of rpm"
	case len(head) > 14 && string(head[7:14]) == "**ACE**":
		return "an ace archive"
	case bytes.HasPrefix(head, []byte("LRZI\x00")):
		return "a file of lrzip"
	case bytes.HasPrefix(head, []byte("zPQ")), bytes.HasPrefix(head, []byte("7kSt\xA0\x31\x83\xD3\x8C\xB2\x28\xB0\xD3")):
		return "a file of zpaq"
	case bytes.HasPrefix(head, []byte("hsqs")):
		return "a squashfs image"
	}
	return ""
}

// damageCode distinguishes what may be wrong with packed data.
func damageCode(err error) fault.Code {
	for _, row := range damageCodes {
		for _, e := range row.errs {
			if errors.Is(err, e) {
				return row.code
			}
		}
	}
	return fault.ArchiveCorrupt
}

// damageCodes are the codes of what decoders say; all else is corrupt.
var damageCodes = []struct {
	code fault.Code
	errs []error
}{
	{fault.LimitArchiveStalled, []error{errStalled}},
	{fault.LimitMemory, []error{lzma.ErrMemory}},
	{fault.ArchiveTruncated, []error{io.ErrUnexpectedEOF, io.EOF}},
	{fault.ArchiveUnsupported, []error{zstd.ErrWindowSizeExceeded, zstd.ErrDecoderSizeExceeded, zstd.ErrUnknownDictionary,
		errXzOptions, s2.ErrUnsupported, zip.ErrAlgorithm, errLz4Dict, sevenzip.ErrUnsupported}},
	{fault.ArchiveChecksum, []error{gzip.ErrChecksum, zlib.ErrChecksum, zstd.ErrCRCMismatch, s2.ErrCRC, errWrongSum}},
}
