package jsonld

import (
	"bufio"
	"bytes"
	"io"
	"sort"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// Word processors make quotation marks curly, and programs that write tables double them. Where all marks at the
// beginning of a text are of one such kind, the text is edited before it is read. Where they are mixed, nothing
// is edited, and the reader tells each in its place.

// requoted is a text with its quotation marks, and a sink for what is read of it. Both are those given where its marks
// are as they should be.
func requoted(text io.Reader, to rdf.Sink) (io.Reader, rdf.Sink) {
	head := make([]byte, firstMarkBytes)
	n, err := io.ReadFull(text, head)
	head = head[:n]
	switch err {
	case nil:
		text = io.MultiReader(bytes.NewReader(head), text)
	case io.ErrUnexpectedEOF, io.EOF:
		text = bytes.NewReader(head) // which is all
	default:
		return io.MultiReader(bytes.NewReader(head), failing{err}), to
	}
	at := bytes.IndexAny(head, `"“”„‟`)
	if at < 0 || head[at] == '"' && !bytes.HasPrefix(head[at:], []byte(`""`)) {
		return text, to
	}
	from := bufio.NewReaderSize(text, marksBytes)
	head, _ = from.Peek(marksBytes)
	r := &requoter{from: from, doubled: head[at] == '"'}
	if r.doubled && !allDoubled(head) || !r.doubled && !allCurly(head) {
		return from, to
	}
	n = bytes.LastIndexByte(head[:at], '\n') + 1
	what := "curly"
	if r.doubled {
		what = "doubled"
	}
	to.Notice(fault.Notice{Code: fault.JSONQuotes, Severity: fault.Repair, Excerpt: fault.Excerpt(head[at:]),
		Pos: fault.Pos{Line: int64(1 + bytes.Count(head[:at], []byte("\n"))), Column: int64(1 + utf8.RuneCount(head[n:at])),
			Offset: int64(at)},
		Message: "all quotation marks are " + what + "; they were read as those of JSON"})
	return r, repaired{to, r}
}

const (
	firstMarkBytes = 512      // among which the first quotation mark is looked for
	marksBytes     = 64 << 10 // in which all marks must be of one kind
)

// failing is a reader whose reading failed.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// repaired is a sink for statements that are all repaired. Places in what the requoter gave become those of the text.
type repaired struct {
	rdf.Sink
	from *requoter
}

func (r repaired) Notice(n fault.Notice) {
	n.Pos = r.from.place(n.Pos)
	r.Sink.Notice(n)
}

func (r repaired) Quad(q *rdf.Quad) error {
	q.Repaired = true
	return r.Sink.Quad(q)
}

// allCurly says that the marks around the strings of a text are curly, and some of these are keywords or IRIs.
func allCurly(text []byte) bool {
	for at, b := range text {
		if b == '"' && isAtEdge(text, at) {
			return false
		}
	}
	for _, mark := range []string{"“", "”", "„", "‟"} {
		if bytes.Contains(text, []byte(mark+"@")) || bytes.Contains(text, []byte(mark+"http")) {
			return true
		}
	}
	return false
}

// isAtEdge says that a mark stands where a string of JSON begins or ends, and not in a text.
func isAtEdge(text []byte, at int) bool {
	before, behind := bytes.TrimRight(text[max(0, at-64):at], " \t\r\n"), bytes.TrimLeft(text[at+1:min(len(text), at+65)], " \t\r\n")
	return len(before) > 0 && bytes.IndexByte([]byte("{[,:"), before[len(before)-1]) >= 0 ||
		len(behind) > 0 && bytes.IndexByte([]byte(":,}]"), behind[0]) >= 0
}

// allDoubled says that the marks in a text stand in pairs, and some around keywords or IRIs.
func allDoubled(text []byte) bool {
	if !bytes.Contains(text, []byte(`""@`)) && !bytes.Contains(text, []byte(`""http`)) {
		return false
	}
	for at := 0; at < len(text); {
		n := 0
		for at+n < len(text) && text[at+n] == '"' {
			n++
		}
		if n%2 != 0 && at+n < len(text) {
			return false
		}
		at += n + 1
	}
	return true
}

// requoter gives a text the quotation marks of JSON. What it takes away beside strings it fills with spaces, so that
// offsets stay.
type requoter struct {
	from     *bufio.Reader
	doubled  bool
	inString bool
	out      []byte // that was not read yet
	err      error

	given  int64 // bytes that were given out before those of out
	line   int64 // how many lines ended
	last   rune  // the character before
	shifts []shift
}

// shift is where the text given out differs from the text: by how much from there on.
type shift struct {
	at, width      int64 // what stands in place of a character: its offset, and its bytes
	line           int64
	bytes, columns int64 // to be added behind it; columns on the same line
}

// mostShifts is how many are kept, of the latest. The readers report what they read last.
const mostShifts = 1 << 16

// shift notes that the last bytes of out, width of them, stand for a character of the text.
func (r *requoter) shift(width, bytes, columns int64) {
	s := shift{r.given + int64(len(r.out)) - width, width, r.line, bytes, columns}
	if n := len(r.shifts); n > 0 {
		s.bytes += r.shifts[n-1].bytes
		if r.shifts[n-1].line == r.line {
			s.columns += r.shifts[n-1].columns
		}
	}
	if len(r.shifts) == mostShifts {
		r.shifts = append(r.shifts[:0], r.shifts[mostShifts/2:]...)
	}
	r.shifts = append(r.shifts, s)
}

// place is the place in the text of a place in what was given out.
func (r *requoter) place(p fault.Pos) fault.Pos {
	n := sort.Search(len(r.shifts), func(i int) bool { return r.shifts[i].at > p.Offset })
	if n > 0 && p.Offset < r.shifts[n-1].at+r.shifts[n-1].width { // within what stands for one character
		n--
		p.Column -= p.Offset - r.shifts[n].at
		p.Offset = r.shifts[n].at
	}
	if n > 0 {
		p.Offset += r.shifts[n-1].bytes
		if r.shifts[n-1].line == p.Line-1 {
			p.Column += r.shifts[n-1].columns
		}
	}
	return p
}

func (r *requoter) Read(p []byte) (int, error) {
	for len(r.out) == 0 && r.err == nil {
		r.out = r.out[:0]
		for len(r.out) < 4<<10 && r.err == nil {
			r.step()
		}
	}
	n := copy(p, r.out)
	r.given += int64(n)
	if r.out = r.out[n:]; n > 0 {
		return n, nil
	}
	return 0, r.err
}

// step takes a character.
func (r *requoter) step() {
	c, n, err := r.from.ReadRune()
	if err != nil {
		r.err = err
		return
	}
	if c == utf8.RuneError && n == 1 { // a byte that is no UTF-8 stays
		r.from.UnreadRune()
		b, _ := r.from.ReadByte()
		r.out = append(r.out, b)
		return
	}
	switch next, _ := r.from.Peek(1); {
	case r.inString && c == '\\':
		r.escape()
	case r.doubled && c == '"' && len(next) > 0 && next[0] == '"':
		r.from.ReadByte()
		r.mark(1)
	case !r.doubled && isCurly(c) && (!r.inString || r.closes()):
		r.mark(n - 1)
	case !r.doubled && r.inString && c == '"': // which is text, between curly marks
		r.out = append(r.out, '\\', '"')
		r.shift(2, -1, -1)
	default:
		r.out = utf8.AppendRune(r.out, c)
	}
	if c == '\r' || c == '\n' && r.last != '\r' {
		r.line++
	}
	r.last = c
}

// escape takes what is behind a backslash in a string.
func (r *requoter) escape() {
	r.out = append(r.out, '\\')
	c, _, err := r.from.ReadRune()
	if err != nil {
		r.err = err
		return
	}
	if next, _ := r.from.Peek(1); r.doubled && c == '"' && len(next) > 0 && next[0] == '"' {
		r.from.ReadByte()
		r.out = append(r.out, '"')
		r.shift(1, 1, 1)
		return
	}
	r.out = utf8.AppendRune(r.out, c)
}

// mark writes a quotation mark, with as many spaces outside the string as bytes are missing.
func (r *requoter) mark(missing int) {
	spaces := bytes.Repeat([]byte(" "), missing)
	if r.inString {
		r.out = append(append(r.out, '"'), spaces...)
	} else {
		r.out = append(append(r.out, spaces...), '"')
	}
	if !r.doubled {
		r.shift(int64(missing)+1, 0, -int64(missing))
	}
	r.inString = !r.inString
}

func isCurly(c rune) bool { return c >= '“' && c <= '‟' }

// closes says that what follows a mark is what follows a string.
func (r *requoter) closes() bool {
	for n := 1; n < 1<<10; n++ {
		next, _ := r.from.Peek(n)
		if len(next) < n {
			return true
		}
		switch next[n-1] {
		case ' ', '\t', '\r', '\n':
		case ':', ',', '}', ']':
			return true
		default:
			return false
		}
	}
	return false
}
