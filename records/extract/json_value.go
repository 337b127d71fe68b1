package extract

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/markup/jsontext"
	"laundromat/records"
)

// jsonReader reads values of JSON, one at a time, and forgives what is plain. It holds the text
// of the value that is read.
type jsonReader struct {
	ctx  context.Context
	from io.Reader
	to   records.Sink
	buf  []byte
	i    int // what is read next, in buf
	eof  bool
	err  error // of the source

	marked   fault.Pos // the place of buf[markedAt]
	markedAt int

	maxItem, maxDepth int
	start             int // of the item, in buf
	depth             int
	lineBound         bool // the value ends with its line
	limit             int  // with lineBound: where the line ends, in buf

	locates bool // it is noted where objects begin
	begins  []int64

	pending  []fault.Notice // of the item, reported when it is known what became of it
	repaired bool
	failed   *fault.Notice // what costs the item
}

func newJSONReader(ctx context.Context, doc *Document, opt *Options, to records.Sink) *jsonReader {
	p := &jsonReader{ctx: ctx, from: doc.Text, to: to, maxItem: opt.MaxItem, maxDepth: opt.MaxDepth, marked: fault.Pos{Line: 1, Column: 1}}
	if p.maxItem <= 0 {
		p.maxItem = 16 << 20
	}
	if p.maxDepth <= 0 {
		p.maxDepth = 500
	}
	return p
}

// fill reads more; false at the end.
func (p *jsonReader) fill() bool {
	if p.eof || p.err != nil {
		return false
	}
	if p.err = p.ctx.Err(); p.err != nil {
		return false
	}
	if len(p.buf) == cap(p.buf) {
		p.buf = append(make([]byte, 0, max(64<<10, 2*cap(p.buf))), p.buf...)
	}
	for range 100 {
		n, err := p.from.Read(p.buf[len(p.buf):cap(p.buf)])
		p.buf = p.buf[:len(p.buf)+n]
		if err == io.EOF {
			p.eof = true
			return n > 0
		}
		if err != nil {
			p.err = err
			return false
		}
		if n > 0 {
			return true
		}
	}
	p.err = io.ErrNoProgress
	return false
}

// at is the byte that is n bytes ahead; 0 at the end.
func (p *jsonReader) at(n int) byte {
	for p.i+n >= len(p.buf) {
		if !p.fill() {
			return 0
		}
	}
	if p.lineBound && p.i+n >= p.limit {
		return 0
	}
	return p.buf[p.i+n]
}

func (p *jsonReader) ended() bool {
	p.at(0)
	return p.i >= len(p.buf) || p.lineBound && p.i >= p.limit
}

// place is the place of a byte of buf; places are asked for in order, but for a few.
func (p *jsonReader) place(i int) fault.Pos {
	if i < p.markedAt {
		return p.marked
	}
	p.marked = advance(p.marked, string(p.buf[p.markedAt:i]))
	p.markedAt = i
	return p.marked
}

// settle lets go of what was read.
func (p *jsonReader) settle() {
	p.start = p.i
	if p.i > 32<<10 && p.i > len(p.buf)/2 {
		p.place(p.i)
		n := copy(p.buf, p.buf[p.i:])
		p.buf = p.buf[:n]
		p.limit -= p.i
		p.i, p.markedAt, p.start = 0, 0, 0
	}
}

// mend notes a repair of the item that is read.
func (p *jsonReader) mend(code fault.Code, at int, message string) {
	p.repaired = true
	p.pending = append(p.pending, fault.Notice{Code: code, Severity: fault.Repair, Pos: p.place(at), Message: message,
		Excerpt: p.excerpt(at)})
}

func (p *jsonReader) warn(code fault.Code, at int, message string) {
	p.pending = append(p.pending, fault.Notice{Code: code, Severity: fault.Warning, Pos: p.place(at), Message: message,
		Excerpt: p.excerpt(at)})
}

func (p *jsonReader) fail(code fault.Code, at int, message string) bool {
	if p.failed == nil {
		p.failed = &fault.Notice{Code: code, Severity: fault.Drop, Lost: 1, Pos: p.place(at), Message: message, Excerpt: p.excerpt(at)}
	}
	return false
}

func (p *jsonReader) excerpt(at int) string {
	line, _, _ := bytes.Cut(p.buf[at:min(len(p.buf), at+100)], []byte{'\n'})
	return fault.Excerpt(line)
}

// space passes over white space and comments.
func (p *jsonReader) space() {
	for {
		switch c := p.at(0); {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.i++
		case c == '/' && p.at(1) == '/', c == '#':
			p.mend(fault.RecordComment, p.i, "a comment, which JSON has not, is passed over")
			for !p.ended() && p.at(0) != '\n' && p.at(0) != '\r' {
				p.i++
			}
		case c == '/' && p.at(1) == '*':
			at := p.i
			for p.i += 2; !p.ended() && (p.at(0) != '*' || p.at(1) != '/'); p.i++ {
			}
			p.i = min(p.i+2, len(p.buf))
			p.mend(fault.RecordComment, at, "a comment, which JSON has not, is passed over")
		case c >= 0x80 && jsontext.Unseen(p.buf[p.i:]) > 0:
			p.i += jsontext.Unseen(p.buf[p.i:])
		default:
			return
		}
	}
}

// value reads a value; false if the item is lost, where failed says why.
func (p *jsonReader) value() (v records.Value, ok bool) {
	if p.i-p.start > p.maxItem {
		return v, p.fail(fault.LimitRecord, p.i, "the record is larger than may be held")
	}
	switch c := p.at(0); {
	case c == '{' || c == '[':
		if p.depth++; p.depth > p.maxDepth {
			p.depth--
			return v, p.fail(fault.LimitNesting, p.i, fmt.Sprintf("lists and objects are nested more than %d deep", p.maxDepth))
		}
		if p.locates {
			p.begins = append(p.begins, p.place(p.i).Offset)
		}
		if c == '{' {
			v, ok = p.object()
		} else {
			v, ok = p.list()
		}
		if ok { // else it says where recovery begins
			p.depth--
		}
		return v, ok
	case c == '"' || c == '\'':
		text, ok := p.text()
		return records.TextOf(text), ok
	case p.ended():
		return v, p.fail(fault.RecordCutShort, p.i, "the text ends where a value should be")
	}
	return p.word()
}

// closes says how a list or object goes on behind a member: it ends, or another member follows.
func (p *jsonReader) closes(end byte) (done, ok bool) {
	p.space()
	at := p.i
	switch c := p.at(0); {
	case c == end:
		p.i++
		return true, true
	case c == ',':
		for p.i++; ; p.i++ {
			if p.space(); p.at(0) != ',' {
				break
			}
			p.mend(fault.RecordComma, p.i, "a comma too many is passed over")
		}
		if p.at(0) == end {
			p.mend(fault.RecordComma, at, "a comma before the closing bracket is passed over")
			p.i++
			return true, true
		}
		if p.ended() {
			p.mend(fault.RecordBracket, p.i, "the text ends before a closing bracket, which is put in")
			return true, true
		}
		return false, true
	case p.ended():
		p.mend(fault.RecordBracket, p.i, "the text ends before a closing bracket, which is put in")
		return true, true
	case c == '"' || end == ']' && (c == '{' || c == '['):
		p.mend(fault.RecordComma, p.i, "a comma is missing, and is put in")
		return false, true
	}
	return false, p.fail(fault.RecordSyntax, p.i, fmt.Sprintf("a comma or %c is wanted here", end))
}

func (p *jsonReader) list() (v records.Value, ok bool) {
	v.Kind = records.List
	p.i++
	if p.space(); p.at(0) == ']' {
		p.i++
		return v, true
	}
	for {
		p.space()
		item, ok := p.value()
		if !ok {
			return v, false
		}
		v.Items = append(v.Items, item)
		done, ok := p.closes(']')
		if done || !ok {
			return v, ok
		}
	}
}

func (p *jsonReader) object() (v records.Value, ok bool) {
	v.Kind = records.Object
	p.i++
	if p.space(); p.at(0) == '}' {
		p.i++
		return v, true
	}
	for {
		name, at, ok := p.name()
		if !ok {
			return v, false
		}
		pos := p.place(p.i)
		value, ok := p.value()
		if !ok {
			return v, false
		}
		p.add(&v, records.Field{Name: name, Value: value, Pos: pos}, at)
		done, ok := p.closes('}')
		if done || !ok {
			return v, ok
		}
	}
}

// add adds a field, and reports a name that is there already.
func (p *jsonReader) add(v *records.Value, f records.Field, at fault.Pos) {
	if told := addField(v, f); told != nil {
		told.Pos = at
		p.pending = append(p.pending, *told)
	}
}

// name reads the name of a member, and the colon behind it.
func (p *jsonReader) name() (name string, pos fault.Pos, ok bool) {
	p.space()
	at := p.i
	pos = p.place(at)
	switch c := p.at(0); {
	case c == '"' || c == '\'':
		if name, ok = p.text(); !ok {
			return "", pos, false
		}
	case isWordByte(c) && c != '-':
		for isWordByte(p.at(0)) || p.at(0) == '$' {
			p.i++
		}
		name = string(p.buf[at:p.i])
		p.mend(fault.RecordQuotes, at, "a name has no quotation marks")
	case p.ended():
		return "", pos, p.fail(fault.RecordCutShort, p.i, "the text ends where a name should be")
	default:
		return "", pos, p.fail(fault.RecordSyntax, p.i, "the name of a member is wanted here")
	}
	p.space()
	switch {
	case p.at(0) == ':':
		p.i++
	case p.at(0) == '"' || p.at(0) == '{' || p.at(0) == '[':
		p.mend(fault.RecordColon, p.i, "a colon is missing, and is put in")
	default:
		return "", pos, p.fail(fault.RecordSyntax, p.i, "a colon is wanted here")
	}
	p.space()
	return name, pos, true
}

// text reads a string.
func (p *jsonReader) text() (string, bool) {
	at, quote := p.i, p.at(0)
	if quote == '\'' {
		p.mend(fault.RecordQuotes, at, "a string has apostrophes around it, not quotation marks")
	}
	p.i++
	from, escaped, control := p.i, false, false
	for {
		if p.ended() {
			return "", p.fail(fault.RecordCutShort, at, "a string does not end")
		}
		window := p.buf[p.i:]
		if p.lineBound {
			window = p.buf[p.i:p.limit]
		}
		n := 0
		for n < len(window) && window[n] != quote && window[n] != '\\' && window[n] >= ' ' {
			n++
		}
		p.i += n
		if p.i-p.start > p.maxItem {
			return "", p.fail(fault.LimitRecord, p.start, "the record is larger than may be held")
		}
		if n == len(window) {
			continue
		}
		switch c := window[n]; {
		case c == quote:
			raw := p.buf[from:p.i]
			p.i++
			if control {
				p.mend(fault.RecordControl, at, "a string holds a line end, a tab or the like as it is")
			}
			if !escaped {
				return validText(raw), true
			}
			return p.unescape(raw, from), true
		case c == '\\':
			escaped = true
			p.at(1)
			p.i = min(p.i+2, len(p.buf))
		case c == '\n' && p.looksLikeMember(p.i):
			return "", p.fail(fault.RecordSyntax, at, "a string does not end before the next member begins")
		default:
			control = true
			p.i++
		}
	}
}

// looksLikeMember says that behind a line end a name and a colon follow: the string before
// it has lost its end.
func (p *jsonReader) looksLikeMember(i int) bool {
	for len(p.buf)-i < 200 && p.fill() {
	}
	line := bytes.TrimLeft(p.buf[i:min(len(p.buf), i+200)], "\r\n\t ")
	if len(line) == 0 || line[0] != '"' {
		return len(line) > 0 && (line[0] == '}' || line[0] == ']')
	}
	n := bytes.IndexByte(line[1:], '"')
	if n < 0 {
		return false
	}
	rest := bytes.TrimLeft(line[n+2:], " \t")
	return len(rest) > 0 && rest[0] == ':'
}

func validText(raw []byte) string {
	if utf8.Valid(raw) {
		return string(raw)
	}
	return string(bytes.ToValidUTF8(raw, []byte("\uFFFD")))
}

// unescape decodes the escapes of a string. One that JSON has not is kept as written.
func (p *jsonReader) unescape(raw []byte, at int) string {
	out := make([]byte, 0, len(raw))
	for {
		decoded, apostrophe, bad := jsontext.AppendUnescaped(nil, raw)
		if bad < 0 {
			if apostrophe {
				p.mend(fault.RecordEscape, at, "an apostrophe is escaped")
			}
			out = append(out, decoded...)
			break
		}
		sound, _, _ := jsontext.AppendUnescaped(nil, raw[:bad])
		out = append(append(out, sound...), '\\')
		p.mend(fault.RecordEscape, at+bad, "an escape that JSON has not is kept as written")
		raw, at = raw[bad+1:], at+bad+1
	}
	if !utf8.Valid(out) {
		p.mend(fault.RecordEscape, at, "half of a pair of \\u escapes isn't a character; it becomes U+FFFD")
	}
	return validText(out)
}

func isWordByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '.' || c == '+' || c == '-' || c >= 0x80
}

// word reads a number, true, false or null, and what is meant as one.
func (p *jsonReader) word() (v records.Value, ok bool) {
	at := p.i
	for isWordByte(p.at(0)) {
		p.i++
	}
	word := string(p.buf[at:p.i])
	if (p.eof && p.i == len(p.buf) || p.lineBound && p.i == p.limit) && p.depth > 0 {
		return v, p.fail(fault.RecordCutShort, at, "the text ends in the middle of a value")
	}
	switch word {
	case "true", "false":
		return records.BoolOf(word == "true"), true
	case "null":
		return v, true
	case "True", "False", "TRUE", "FALSE":
		p.mend(fault.RecordWord, at, "true and false are written in small letters")
		return records.BoolOf(strings.EqualFold(word, "true")), true
	case "None", "undefined", "NULL", "Null", "nil":
		p.mend(fault.RecordWord, at, "null is meant")
		return v, true
	case "NaN", "Infinity", "-Infinity", "+Infinity", "nan", "inf", "-inf", "INF", "-INF":
		p.mend(fault.RecordNumber, at, "JSON has no such number; it is kept as a text")
		return records.TextOf(word), true
	}
	if records.IsNumber(word) {
		return records.NumberOf(word), true
	}
	if word == "" {
		return v, p.fail(fault.RecordSyntax, at, "a value is wanted here")
	}
	plain := strings.TrimPrefix(word, "+")
	if strings.HasPrefix(plain, ".") {
		plain = "0" + plain
	} else if strings.HasPrefix(plain, "-.") {
		plain = "-0" + plain[1:]
	}
	if plain = strings.TrimSuffix(plain, "."); records.IsNumber(plain) {
		p.mend(fault.RecordNumber, at, "the number is not written as JSON writes it: "+plain+" is meant")
		return records.NumberOf(plain), true
	}
	if c := word[0]; c == '-' || '0' <= c && c <= '9' {
		p.warn(fault.RecordNumber, at, "it isn't a number as JSON writes one; it is kept as a text")
		return records.TextOf(word), true
	}
	return v, p.fail(fault.RecordSyntax, at, "a word without quotation marks isn't a value")
}
