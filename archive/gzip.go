package archive

import (
	"bufio"
	"errors"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// gzipMembers reads the members of a gzip file (RFC 1952 §2.2).
type gzipMembers struct{ zr *gzip.Reader }

func (*gzipMembers) fresh() memberKind { return &gzipMembers{} }

// is wants a system that RFC 1952 lists or "unknown", since three bytes alone stand by
// chance in much packed data.
func (*gzipMembers) is(head []byte) bool {
	return isGzip(head) && (head[9] <= 13 || head[9] == 255)
}

func (g *gzipMembers) found(head []byte) bool { return g.is(head) }

func (g *gzipMembers) open(in *bufio.Reader) (io.Reader, error) {
	if g.zr == nil {
		g.zr, _ = gunzippers.Get().(*gzip.Reader)
	}
	var err error
	if g.zr == nil {
		g.zr, err = gzip.NewReader(in)
	} else {
		err = g.zr.Reset(in)
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		g.zr = nil
		return nil, err
	}
	g.zr.Multistream(false)
	return gzipMember{g.zr}, nil
}

// gunzippers serve again: one takes more memory than most documents.
var gunzippers sync.Pool

func (g *gzipMembers) end() {
	if g.zr != nil {
		gunzippers.Put(g.zr)
		g.zr = nil
	}
}

type gzipMember struct{ zr *gzip.Reader }

func (m gzipMember) Read(p []byte) (int, error) {
	n, err := m.zr.Read(p)
	if errors.Is(err, gzip.ErrChecksum) {
		err = errWrongSum
	}
	return n, err
}
