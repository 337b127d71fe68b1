package archive

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"

	"laundromat/internal/inflate"
)

// gzipMembers reads the members of a gzip file (RFC 1952 §2.2).
type gzipMembers struct{ zr inflate.Gzip }

func (*gzipMembers) fresh() memberKind { return &gzipMembers{} }

// is wants a system that RFC 1952 lists or "unknown", since three bytes alone are by
// chance in much packed data.
func (*gzipMembers) is(head []byte) bool {
	return isGzip(head) && (head[9] <= 13 || head[9] == 255)
}

func (g *gzipMembers) found(head []byte) bool { return g.is(head) }

func (g *gzipMembers) open(in *bufio.Reader) (io.Reader, error) {
	err := g.zr.Reset(in)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	return gzipMember{&g.zr}, nil
}

type gzipMember struct{ zr *inflate.Gzip }

func (m gzipMember) Read(p []byte) (int, error) {
	n, err := m.zr.Read(p)
	if errors.Is(err, gzip.ErrChecksum) {
		err = errWrongSum
	}
	return n, err
}
