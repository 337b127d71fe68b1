package archive

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/fault"
)

// gzipStream reads the members of a gzip file one by one (RFC 1952 §2.2), so
// that a member whose checksum is wrong does not cost those that follow, zero
// bytes between them (as tapes pad) are passed over, and other bytes after the
// last are told from damage.
type gzipStream struct {
	layer *layer
	in    *bufio.Reader
	zr    *gzip.Reader
}

func openGzip(l *layer) (io.ReadCloser, error) {
	zr, err := gzip.NewReader(l.in)
	if err != nil {
		return nil, err
	}
	zr.Multistream(false)
	return &gzipStream{l, l.in, zr}, nil
}

func (g *gzipStream) Read(p []byte) (int, error) {
	for {
		n, err := g.zr.Read(p)
		if errors.Is(err, gzip.ErrChecksum) {
			g.layer.note(fault.ArchiveChecksum, fault.Warning, "a gzip member fails its checksum; its data is kept")
			err = io.EOF
		}
		if err == io.EOF {
			err = g.next()
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// next goes to the next member; io.EOF means that there is none.
func (g *gzipStream) next() error {
	for {
		b, err := g.in.Peek(2)
		switch {
		case len(b) == 2 && b[0] == 0x1F && b[1] == 0x8B:
			err := g.zr.Reset(g.in)
			g.zr.Multistream(false)
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return err
		case len(b) > 0 && b[0] == 0:
			g.in.Discard(1)
		case len(b) > 0:
			g.layer.note(fault.ArchiveTrailingBytes, fault.Warning, "gzip data is followed by bytes that are none; they are passed over")
			return io.EOF
		default:
			return err
		}
	}
}

func (g *gzipStream) Close() error { return g.zr.Close() }
