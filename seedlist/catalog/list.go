package catalog

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// maxLine is the longest line of a list, in bytes.
const maxLine = 1 << 20

// lines calls each with every line; one that is too long is refused, and the reading
// goes on after it.
func (r *reading) lines(each func(number int64, line string) error) error {
	in := bufio.NewReaderSize(&lineEnds{from: r.text}, 64<<10)
	var line []byte
	for number := int64(1); ; number++ {
		line = line[:0]
		long := false
		var err error
		for {
			var piece []byte
			piece, err = in.ReadSlice('\n')
			if len(line)+len(piece) <= maxLine {
				line = append(line, piece...)
			} else {
				long = true
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				break
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if long {
			r.refuse(string(line[:80]), Damaged, "line "+itoa(number)+" is longer than a line may be")
		} else if len(line) > 0 {
			if number == 1 {
				line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
			}
			if err := each(number, strings.TrimRight(string(line), "\r\n")); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}

// lineEnds makes LF of all line ends: CR alone ends lines on old Macs, and in what
// spreadsheets write there.
type lineEnds struct {
	from    io.Reader
	afterCR bool
}

func (l *lineEnds) Read(p []byte) (int, error) {
	for {
		n, err := l.from.Read(p)
		kept := p[:0]
		for _, b := range p[:n] {
			behind := l.afterCR
			switch l.afterCR = b == '\r'; {
			case b == '\r':
				b = '\n'
			case b == '\n' && behind:
				continue
			}
			kept = append(kept, b)
		}
		if len(kept) > 0 || err != nil || n == 0 {
			return len(kept), err
		}
	}
}

// list reads a URI a line: text/uri-list, sitemaps in text, and what people keep in
// files. Blank lines and lines that begin with # are skipped.
func (r *reading) list() error {
	return r.lines(func(number int64, line string) error {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			return nil
		}
		uri := withoutRemark(line)
		if !strings.ContainsAny(uri, "/.:?#") { // null, unavailable
			return r.refuse(uri, BadURI, "a word, and no address")
		}
		return r.take(found{uri: uri, sure: true})
	})
}

// remarkSigns begin a remark behind a URI: no URI with a space in it goes on so, nor as a media type.
const remarkSigns = "#([{-–—=>←→*;,|\"'"

// withoutRemark is the URI that a line begins with, without angle brackets and a remark behind it.
func withoutRemark(line string) string {
	first := line
	if end := strings.IndexAny(line, " \t"); end > 0 {
		first = line[:end]
		rest := strings.TrimLeft(line[end:], " \t")
		sign, _ := utf8.DecodeRuneInString(rest)
		isRemark := strings.ContainsRune(remarkSigns, sign) || strings.HasPrefix(rest, "//") || strings.Contains(rest, "/") &&
			natureOf(rest) != unknown
		if !hasWebScheme(strings.Trim(first, "<>")) || !isRemark || strings.Contains(rest, "://") {
			first = line
		}
	}
	if len(first) > 2 && first[0] == '<' && first[len(first)-1] == '>' {
		first = first[1 : len(first)-1]
	}
	return first
}
