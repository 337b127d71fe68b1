package archive

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"laundromat/internal/fault"
)

// members reads a stream made of members, each of which can be decoded without those before
// it. Such are the members of gzip and lzip, the frames of zstd and lz4, the blocks of xz,
// and the streams of LZMA alone.
//
// A damaged member costs what is left of it. The next sound one is searched for after the
// beginning of the damaged one, and tried before it is believed.
type members struct {
	layer *layer
	format
	kind    memberKind
	one     io.Reader // the current member; nil between two
	start   int64     // its place in the input
	from    int64     // and in what comes out of the layer
	n       int64     // bytes that came out of it
	trials  int
	started bool
	late    error  // came with the last bytes of the member
	gap     []byte // to be handed out where data is missing
}

// gapMark marks a gap in the data. Without it, the beginning of one statement and the end
// of another could make a third that nobody wrote. No format allows the mark, and a line
// that begins after it is whole. Its length keeps the characters of UTF-16 in step.
const gapMark = "\n\x00\x00\n"

// memberKind knows the members of one format.
type memberKind interface {
	// is says whether a member may begin with head.
	is(head []byte) bool
	// found says the same of bytes that a search came upon, where much looks alike.
	found(head []byte) bool
	// open reads the beginning of a member. The reader it returns ends with io.EOF just
	// after the member, or with an error. A wrong checksum means that all of the member
	// was read; io.ErrUnexpectedEOF, that the input ended too early. Other errors are
	// possible; after a *gapped it can be read on. A nil reader is a member without data.
	open(in *bufio.Reader) (io.Reader, error)
	// fresh is a kind of the same format for a trial.
	fresh() memberKind
}

// newMemberStream reads all members one after another, as an entry of an archive is read: the
// first fault ends it.
func newMemberStream(in *bufio.Reader, kind memberKind) io.ReadCloser {
	return io.NopCloser(&memberStream{in: in, kind: kind})
}

type memberStream struct {
	in   *bufio.Reader
	kind memberKind
	one  io.Reader
}

func (m *memberStream) Read(p []byte) (int, error) {
	for {
		if m.one == nil {
			head, err := m.in.Peek(headSize)
			if len(head) == 0 {
				return 0, err
			}
			if !m.kind.is(head) {
				return 0, errNoMember
			}
			if m.one, err = m.kind.open(m.in); err != nil {
				return 0, err
			}
			continue
		}
		n, err := m.one.Read(p)
		if err == io.EOF {
			m.one, err = nil, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

var errNoMember = errors.New("archive: no member where one should begin")

// format is what members says of itself.
type format struct {
	name   string // "gzip"
	member string // "a gzip member"
}

// gapped is an error after which the member goes on: some of its data is missing.
type gapped struct{ bytes int64 }

func (g *gapped) Error() string { return "archive: some data of a member is missing" }

// passed is the error of a member that was skipped, with all of its bytes.
type passed struct {
	bytes int64
	why   string
}

func (p *passed) Error() string { return "archive: a member that can't be unpacked" + p.why }

const (
	maxTrials  = 1000      // places that are tried before the search is given up, in one stream
	trialBytes = 256 << 10 // of output after which a trial is believed
)

func openMembers(f format, kind func(*layer) memberKind) func(l *layer) (io.ReadCloser, error) {
	return func(l *layer) (io.ReadCloser, error) {
		l.raw.keep = recentBytes
		return io.NopCloser(&members{layer: l, format: f, kind: kind(l)}), nil
	}
}

func (m *members) Read(p []byte) (int, error) {
	for {
		if len(m.gap) > 0 {
			n := copy(p, m.gap)
			m.gap = m.gap[n:]
			return n, nil
		}
		if m.one == nil {
			if err := m.next(); err != nil {
				return 0, err
			}
			continue
		}
		n, err := m.decode(p)
		var gap *gapped
		switch {
		case errors.As(err, &gap):
			m.layer.lose(fault.ArchiveCorrupt, m.layer.place()-gap.bytes, gap.bytes, "; the reading goes on after the damaged block")
			m.gap, err = []byte(gapMark), nil
		case err != nil:
			m.one = nil
			err = m.ended(err)
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// decode reads from the current member. An error that comes with bytes is kept for the next call: these count as bytes
// of the layer before it is judged.
func (m *members) decode(p []byte) (int, error) {
	if err := m.late; err != nil {
		m.late = nil
		return 0, err
	}
	n, err := m.layer.guard().read(m.one, p)
	m.n += int64(n)
	if n > 0 {
		m.late, err = err, nil
	}
	return n, err
}

// next opens the next member; io.EOF means that there is none.
func (m *members) next() error {
	in := m.layer.in
	head, err := in.Peek(headSize)
	if m.layer.chain.trouble.err != nil {
		return err
	}
	for m.started && !m.kind.is(head) { // zero bytes, as tapes and blocks pad
		zeros := len(head) - len(bytes.TrimLeft(head, "\x00"))
		if in.Discard(zeros); zeros == 0 {
			break
		}
		head, err = in.Peek(headSize)
	}
	if m.started && len(head) == 0 {
		return err
	}
	if m.started && !m.kind.is(head) {
		at := m.layer.place()
		skipped, found := m.search(at)
		what := "they are passed over"
		if found {
			what = "they are passed over, and the reading goes on after them"
		}
		m.layer.say(fault.Notice{Code: fault.ArchiveTrailingBytes, Severity: fault.Warning, Bytes: skipped},
			"%s data is followed by bytes that are none, at byte %s; %s", m.name, m.layer.where(at), what)
		if !found {
			return io.EOF
		}
		return nil
	}
	m.start, m.from, m.n = m.layer.place(), m.layer.n, 0
	m.started = true
	m.one, err = m.kind.open(in)
	if err != nil {
		m.one = nil
		return m.ended(err)
	}
	return nil
}

// ended decides what the end of a member means: nil if the reading goes on.
func (m *members) ended(err error) error {
	if m.layer.chain.trouble.err != nil {
		return m.layer.chain.trouble.err
	}
	if err == io.EOF {
		return nil
	}
	var whole *passed
	if errors.As(err, &whole) {
		m.layer.lose(fault.ArchiveUnsupported, m.start, whole.bytes, whole.why)
		if m.layer.n > 0 {
			m.gap = []byte(gapMark)
		}
		return nil
	}
	code := damageCode(err)
	if errors.Is(err, errWrongHead) {
		m.layer.say(fault.Notice{Code: fault.ArchiveChecksum, Severity: fault.Warning},
			"the header of %s fails its checksum, at byte %s; the data has one of its own, and is sound", m.member, m.layer.where(m.start))
		return nil
	}
	if errors.Is(err, errWrongSum) {
		m.layer.say(fault.Notice{Code: fault.ArchiveChecksum, Severity: fault.Warning},
			"%s fails its checksum, from byte %s on; its %d bytes are kept, but some of the unpacked bytes %d to %d are not what was packed",
			m.member, m.layer.where(m.start), m.n, m.from, m.from+m.n)
		return nil
	}
	at := m.layer.place()
	if code == fault.ArchiveUnsupported || code == fault.LimitMemory {
		return err
	}
	skipped, found := m.search(m.start + 1)
	if !found {
		if code == fault.ArchiveChecksum {
			code = fault.ArchiveCorrupt
		}
		m.layer.lose(code, at, max(m.start+1+skipped-at, 0), m.unchecked(code))
		return io.EOF
	}
	if m.layer.n > 0 {
		m.gap = []byte(gapMark)
	}
	m.layer.lose(fault.ArchiveCorrupt, at, max(m.start+1+skipped-at, 0), m.unchecked(code)+"; the reading goes on after the damage, "+
		"at byte "+m.layer.where(m.layer.place()))
	return nil
}

// unchecked says which unpacked bytes of a damaged member are not confirmed by anything. A
// decoder goes on for a while with wrong data before it meets something impossible.
func (m *members) unchecked(code fault.Code) string {
	if code == fault.ArchiveTruncated || m.n == 0 {
		return ""
	}
	return fmt.Sprintf("; some of the unpacked bytes %d to %d may be made by the damage", m.from, m.from+m.n)
}

// search looks from a place on for the next sound member, and leaves the input
// there; where there is none, at its end. It returns how many bytes it skipped.
func (m *members) search(from int64) (skipped int64, found bool) {
	l := m.layer
	at := l.raw.rewind(from)
	l.in.Reset(l.raw)
	defer func() { skipped = l.place() - from }()
	for {
		head, err := l.in.Peek(l.in.Size())
		if len(head) == 0 {
			return 0, false
		}
		least := 6 // the shortest mark and what follows it
		for i := 0; i+least <= len(head); i++ {
			if !m.kind.found(head[i:]) {
				continue
			}
			if i > 0 { // so that the trial sees as much as there is
				l.in.Discard(i)
				head, err = l.in.Peek(l.in.Size())
				i = 0
			}
			if m.trials++; m.trials > maxTrials {
				io.Copy(io.Discard, l.in)
				return 0, false
			}
			if m.tried(head, err != nil) {
				return 0, true
			}
		}
		step := len(head) - least + 1
		if err != nil {
			step = len(head)
		}
		l.in.Discard(step)
		at += int64(step)
	}
}

// tried decodes the beginning of what may be a member. whole says that the input
// ends with head.
func (m *members) tried(head []byte, whole bool) bool {
	in := bufio.NewReader(bytes.NewReader(head))
	one, err := m.kind.fresh().open(in)
	if err != nil || one == nil {
		return err == nil
	}
	n, err := io.CopyN(io.Discard, guarded{m.layer.guard(), one}, trialBytes)
	switch {
	case err == nil, err == io.EOF, errors.Is(err, errWrongHead):
		return true
	case errors.Is(err, io.ErrUnexpectedEOF):
		return !whole || n > 0
	}
	return false
}

// errWrongSum is wrapped by the errors of members that were read whole and fail
// their checksum.
var errWrongSum = errors.New("archive: wrong checksum")
