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

func (*gzipMembers) is(head []byte) bool { return isGzip(head) }

func (*gzipMembers) found(head []byte) bool { return isGzip(head) }

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
	switch {
	case errors.Is(err, gzip.ErrChecksum):
		err = errWrongSum
	case err == io.EOF && m.zr.WrongHeadSum:
		err = errWrongHead
	}
	return n, err
}

// errWrongHead ends a member that is sound but for the checksum of its header.
var errWrongHead = errors.New("archive: wrong checksum of a header")
