package archive

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"strings"

	"laundromat/internal/fault"
)

// uuStream decodes what uuencode writes (POSIX.1-2017, uuencode). That is a line "begin
// MODE NAME", lines that each begin with their length, and a line "end". The other form has
// "begin-base64" and "====" at the end. Several may follow each other, with other lines
// between them, as in mails.
type uuStream struct {
	layer  *layer
	in     *bufio.Reader
	inside bool
	base64 bool
	parts  int
	other  bool // lines between two parts were reported
	ready  []byte
}

var errUu = errors.New("archive: a line that is not uuencoded")

// isUuencode wants the first line of it and a second that fits. Before them may be a mail, from
// its header on (RFC 5322 §2.2; mbox begins it with "From ").
func isUuencode(head []byte) bool {
	first, rest, ok := bytes.Cut(head, []byte("\n"))
	mail := isMailHeader(first)
	for ok {
		if in64, begins := isUuBegin(first); begins {
			line, _, _ := bytes.Cut(rest, []byte("\n"))
			if _, err := uuLine(bytes.TrimRight(line, "\r"), in64); err == nil {
				return true
			}
		}
		if !mail {
			return false
		}
		first, rest, ok = bytes.Cut(rest, []byte("\n"))
	}
	return false
}

// isMailHeader says that a line begins a mail: a name of letters, digits and hyphens, and a colon with a space.
func isMailHeader(line []byte) bool {
	name, _, ok := bytes.Cut(line, []byte(": "))
	return bytes.HasPrefix(line, []byte("From ")) || ok && len(name) > 0 && len(bytes.TrimFunc(name, func(r rune) bool {
		return r == '-' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
	})) == 0
}

// isUuBegin reads a first line: three or four octal digits of a mode, and a name.
func isUuBegin(line []byte) (in64, ok bool) {
	word, rest, ok := strings.Cut(strings.TrimRight(string(line), "\r"), " ")
	mode, name, ok2 := strings.Cut(rest, " ")
	if !ok || !ok2 || name == "" || len(mode) < 3 || len(mode) > 4 || strings.Trim(mode, "01234567") != "" {
		return false, false
	}
	return word == "begin-base64", word == "begin" || word == "begin-base64"
}

// uuLine decodes a line of data.
func uuLine(line []byte, in64 bool) ([]byte, error) {
	if in64 {
		out := make([]byte, base64.StdEncoding.DecodedLen(len(line)))
		n, err := base64.StdEncoding.Decode(out, line)
		if err != nil || len(line) == 0 {
			return nil, errUu
		}
		return out[:n], nil
	}
	if len(line) == 0 || line[0] < ' ' || line[0] > '`' {
		return nil, errUu
	}
	size := int(line[0]-' ') & 63
	line = line[1:]
	out := make([]byte, 0, 48)
	for len(out) < size {
		var four [4]byte // spaces at the end of a line are often lost
		n := copy(four[:], line)
		line = line[n:]
		for i := range four {
			if i >= n {
				four[i] = ' '
			}
			if four[i] < ' ' || four[i] > '`' {
				return nil, errUu
			}
			four[i] = (four[i] - ' ') & 63
		}
		out = append(out, four[0]<<2|four[1]>>4, four[1]<<4|four[2]>>2, four[2]<<6|four[3])
	}
	if len(line) > 4 { // some writers add a checksum or padding
		return nil, errUu
	}
	return out[:size], nil
}

func openUuencode(l *layer) (io.ReadCloser, error) {
	return io.NopCloser(&uuStream{layer: l, in: l.in}), nil
}

func (u *uuStream) Read(p []byte) (int, error) {
	for len(u.ready) == 0 {
		at := u.layer.place()
		line, err := u.in.ReadSlice('\n')
		if len(line) == 0 || err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			if err == io.EOF && u.inside {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		if err := u.line(bytes.TrimRight(line, "\r\n"), at); err != nil {
			return 0, err
		}
	}
	n := copy(p, u.ready)
	u.ready = u.ready[n:]
	return n, nil
}

func (u *uuStream) line(line []byte, at int64) error {
	if !u.inside {
		in64, ok := isUuBegin(line)
		switch {
		case ok:
			u.inside, u.base64, u.other = true, in64, false
			u.parts++
		case len(line) > 0 && !u.other:
			u.other = true
			if u.parts == 0 {
				u.layer.say(fault.Notice{Code: fault.ArchiveLeadingBytes, Severity: fault.Warning},
					"lines of a mail are before the uuencoded data; they are passed over")
				return nil
			}
			u.layer.say(fault.Notice{Code: fault.ArchiveTrailingBytes, Severity: fault.Warning},
				"uuencoded data is followed by lines that are none, at byte %s; they are passed over", u.layer.where(at))
		}
		return nil
	}
	switch {
	case u.base64 && string(line) == "====", !u.base64 && string(line) == "end":
		u.inside = false
		return nil
	case !u.base64 && (string(line) == "`" || string(line) == " " || len(line) == 0):
		return nil // a line of no bytes is before the end
	}
	out, err := uuLine(line, u.base64)
	if err != nil {
		u.layer.lose(fault.ArchiveCorrupt, at, int64(len(line)), "; the reading goes on with the next line")
		if u.layer.n > 0 {
			out = []byte(gapMark)
		}
	}
	u.ready = out
	return nil
}
