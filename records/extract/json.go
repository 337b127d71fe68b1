package extract

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
)

// readJSON reads a list of records, an object that has one, several values, or one.
func readJSON(ctx context.Context, doc *Document, opt *Options, to records.Sink) error {
	return readValues(newJSONReader(ctx, doc, opt, to), doc, opt, false)
}

// readJSONLines reads a record on each line.
func readJSONLines(ctx context.Context, doc *Document, opt *Options, to records.Sink) error {
	return readValues(newJSONReader(ctx, doc, opt, to), doc, opt, true)
}

type jsonDocument struct {
	*jsonReader
	name   string
	key    string // of the list that is wanted
	opt    *Options
	record records.Record
	count  int
}

func readValues(p *jsonReader, doc *Document, opt *Options, lines bool) error {
	d := &jsonDocument{jsonReader: p, name: doc.Name, key: opt.source().Records, opt: opt}
	p.locates = opt.Value != nil
	p.at(2)
	if bytes.HasPrefix(p.buf, []byte("\uFEFF")) {
		p.i, p.markedAt = 3, 3
		p.marked.Offset = 3
	}
	var err error
	if lines {
		err = d.lines()
	} else {
		err = d.document()
	}
	if err == nil {
		err = p.err
	}
	return err
}

// lines reads the values of each line; a broken one costs its line. A sound value may go over several lines.
func (d *jsonDocument) lines() error {
	p := d.jsonReader
	for first := true; ; {
		p.lineBound = false
		p.settle()
		if p.ended() {
			return nil
		}
		end := p.lineLimit()
		p.limit, p.lineBound = end, true
		if p.space(); p.ended() { // blank, or a comment
			d.tell()
			p.i = end
			p.lineBound = false
			d.lineBreak()
			continue
		}
		if first && p.opensList(end) {
			p.lineBound = false
			return d.items(nil)
		}
		first = false
		if err := d.line(end); err != nil {
			return err
		}
		d.lineBreak()
	}
}

// opensList says that the line has nothing but the bracket that a list begins with.
func (p *jsonReader) opensList(end int) bool {
	return p.at(0) == '[' && len(bytes.TrimSpace(p.buf[p.i+1:end])) == 0
}

// line reads the values of a line that ends there in buf.
func (d *jsonDocument) line(end int) error {
	p := d.jsonReader
	for {
		from := p.i
		pos := p.place(from)
		v, ok := p.value()
		if p.openAtEnd(ok) {
			if w, far := p.longer(from); far {
				v, ok, end = w, true, p.lineLimit()
				p.limit = end
			}
		}
		if ok {
			if p.space(); p.at(0) == ',' {
				p.mend(fault.RecordComma, p.i, "a comma after the value of the line is passed over")
				p.i++
				p.space()
			}
			if !p.ended() && p.at(0) != '{' && p.at(0) != '[' {
				ok = p.fail(fault.RecordSyntax, p.i, "something else follows the value of the line")
			}
		}
		more := ok && !p.ended()
		if p.depth = 0; !more {
			p.lineBound, p.i = false, end
		}
		if err := d.finish(v, pos, ok, p.i-from); err != nil || !more {
			return err
		}
	}
}

// openAtEnd says that brackets of a value are open where its line ends.
func (p *jsonReader) openAtEnd(ok bool) bool {
	if !ok {
		return p.i >= p.limit
	}
	return p.i >= p.limit && slices.ContainsFunc(p.pending, func(n fault.Notice) bool { return n.Code == fault.RecordBracket })
}

// longer reads a value over several lines, if it is sound to its end and its line ends there. Else what was found on
// its first line stays.
func (p *jsonReader) longer(from int) (v records.Value, ok bool) {
	at, limit, pending, repaired, failed, depth := p.i, p.limit, p.pending, p.repaired, p.failed, p.depth
	marked, markedAt, begins := p.marked, p.markedAt, len(p.begins)
	p.i, p.lineBound, p.pending, p.repaired, p.failed, p.depth = from, false, nil, false, nil, 0
	if v, ok = p.value(); ok && !p.repaired {
		for p.at(0) == ' ' || p.at(0) == '\t' {
			p.i++
		}
		if c := p.at(0); p.ended() || c == '\n' || c == '\r' || c == ',' || c == '{' || c == '[' {
			p.lineBound = true
			return v, true
		}
	}
	p.i, p.limit, p.lineBound, p.pending, p.repaired, p.failed, p.depth = at, limit, true, pending, repaired, failed, depth
	p.marked, p.markedAt, p.begins = marked, markedAt, p.begins[:begins]
	return v, false
}

func (d *jsonDocument) lineBreak() {
	p := d.jsonReader
	if p.at(0) == '\r' && p.at(1) == '\n' {
		p.i++
	}
	if !p.ended() {
		p.i++
	}
}

// lineLimit is where the line ends, in buf.
func (p *jsonReader) lineLimit() int {
	for from := p.i; ; {
		if n := bytes.IndexAny(p.buf[from:], "\r\n"); n >= 0 {
			return from + n
		}
		from = len(p.buf)
		if len(p.buf)-p.i > 2*p.maxItem || !p.fill() {
			return len(p.buf)
		}
	}
}

// tell passes on what was found beside values.
func (d *jsonDocument) tell() {
	for _, n := range d.pending {
		d.to.Notice(n)
	}
	d.pending, d.repaired, d.failed = d.pending[:0], false, nil
}

// finish makes a record of a value, or tells why there is none.
func (d *jsonDocument) finish(v records.Value, pos fault.Pos, ok bool, size int) error {
	p := d.jsonReader
	if !ok {
		n := p.failed
		for _, other := range p.pending {
			if other.Severity != fault.Repair {
				d.to.Notice(other)
			}
		}
		n.Bytes = int64(size)
		d.to.Notice(*n)
		p.pending, p.repaired, p.failed = p.pending[:0], false, nil
		return nil
	}
	repaired := p.repaired
	d.tell()
	return d.emit(v, pos, repaired)
}

func (d *jsonDocument) emit(v records.Value, pos fault.Pos, repaired bool) error {
	d.count++
	if d.opt.Value != nil {
		begins := d.begins
		d.begins = d.begins[:0]
		return d.opt.give(Whole{Value: v, Pos: pos, Repaired: repaired, Begins: begins})
	}
	d.record = recordOf(v, pos)
	d.record.Document, d.record.Repaired = d.name, repaired
	if err := d.to.Record(&d.record); err != nil {
		return &records.SinkError{Err: err}
	}
	return nil
}

// recordOf is a value as a record: what is no object is its field "value".
func recordOf(v records.Value, pos fault.Pos) records.Record {
	r := records.Record{Pos: pos, Fields: v.Fields}
	if v.Kind != records.Object {
		r.Fields = []records.Field{{Name: "value", Value: v, Pos: pos}}
	}
	return r
}

// document reads a list by its items, or objects.
func (d *jsonDocument) document() error {
	p := d.jsonReader
	d.passWrapping()
	p.space()
	whole := d.opt.Value != nil
	if p.at(0) == '[' && (!whole || d.opt.Items) {
		return d.items(nil)
	}
	for n := 0; ; n++ {
		p.settle()
		p.space()
		for c := p.at(0); c == ';' || c == ')' || c == ','; c = p.at(0) {
			p.mend(fault.RecordStray, p.i, "a sign that isn't a part of JSON is passed over")
			p.i++
			p.space()
		}
		if p.ended() {
			d.tell()
			return nil
		}
		if n == 0 && p.at(0) == '{' && !whole {
			done, err := d.first()
			if done || err != nil {
				return err
			}
			continue
		}
		if err := d.one(); err != nil {
			return err
		}
	}
}

// one reads a value on its own.
func (d *jsonDocument) one() error {
	p := d.jsonReader
	from, pos := p.i, p.place(p.i)
	v, ok := p.value()
	if !ok {
		d.resync(from, 0)
	}
	p.depth = 0
	if p.i == from { // whatever it is, it is passed over
		p.i++
	}
	return d.finish(v, pos, ok, p.i-from)
}

// passWrapping passes over what programs put before JSON: a guard, a call, an assignment.
func (d *jsonDocument) passWrapping() {
	p := d.jsonReader
	if p.space(); p.at(0) == '{' || p.at(0) == '[' || p.at(0) == '"' {
		return
	}
	p.at(200)
	n := bytes.IndexAny(p.buf[p.i:min(len(p.buf), p.i+200)], "{[")
	if n <= 0 || bytes.ContainsAny(p.buf[p.i:p.i+n], `":`) {
		return
	}
	before := strings.TrimSpace(string(p.buf[p.i : p.i+n]))
	if before == "" { // VT, a no-break space and their like
		p.mend(fault.RecordStray, p.i, "white space that JSON does not have is passed over")
		p.i += n
	} else if strings.HasSuffix(before, "(") || strings.HasSuffix(before, "=") || strings.HasPrefix(before, ")") {
		p.mend(fault.RecordStray, p.i, "what a program puts before the value is passed over")
		p.i += n
	}
}

// items reads the items of the list that begins here, each as a record.
func (d *jsonDocument) items(before *records.Value) error {
	p := d.jsonReader
	p.i++
	d.tell()
	for {
		p.settle()
		p.space()
		switch c := p.at(0); {
		case c == ']':
			p.i++
			if before == nil {
				d.rest()
			}
			d.tell()
			return nil
		case c == ',':
			p.mend(fault.RecordComma, p.i, "a comma too many is passed over")
			p.i++
			continue
		case p.ended():
			p.mend(fault.RecordBracket, p.i, "the text ends before a closing bracket, which is put in")
			d.tell()
			return nil
		}
		from, pos := p.i, p.place(p.i)
		p.depth = 1
		v, ok := p.value()
		if !ok {
			d.resync(from, 1)
		} else {
			d.comma()
		}
		p.depth = 0
		if p.i == from {
			p.i++
		}
		if err := d.finish(v, pos, ok, p.i-from); err != nil || p.err != nil {
			return err
		}
	}
}

// comma passes over the comma behind an item.
func (d *jsonDocument) comma() {
	p := d.jsonReader
	p.space()
	switch at := p.i; {
	case p.at(0) == ',':
		p.i++
		if p.space(); p.at(0) == ']' {
			p.mend(fault.RecordComma, at, "a comma before the closing bracket is passed over")
		}
	case p.at(0) == ']' || p.ended():
	case p.at(0) == '{' || p.at(0) == '[' || p.at(0) == '"':
		p.mend(fault.RecordComma, at, "a comma is missing, and is put in")
	}
}

// rest looks at what follows the list.
func (d *jsonDocument) rest() {
	p := d.jsonReader
	p.space()
	if at := p.i; !p.ended() {
		size := 0
		for !p.ended() {
			c := p.at(0)
			if c != ')' && c != ';' && c > ' ' {
				size++
			}
			p.i++
			if p.i > 1<<20 { // a second list is not read into memory
				p.settle()
				at = min(at, p.i)
			}
		}
		if size == 0 {
			p.mend(fault.RecordStray, at, "a sign that isn't a part of JSON is passed over")
			return
		}
		d.to.Notice(fault.Notice{Code: fault.RecordSyntax, Severity: fault.Drop, Lost: 1, Bytes: int64(size), Pos: p.place(at),
			Message: "something follows the list; it is lost"})
	}
}

// resync goes on behind a broken item: at the comma or bracket behind it, or where the next begins on a
// line as it did. Around the item, level brackets are open.
func (d *jsonDocument) resync(from, level int) {
	p := d.jsonReader
	open := max(p.depth-level, 0)
	indent, own := p.indentOf(from)
	begins := p.buf[min(from, len(p.buf)-1)]
	if own && p.i > from && p.at(0) == begins && p.indentIs(from, indent) {
		return // the next item begins here
	}
	for !p.ended() {
		if p.i-p.start > 1<<20 {
			p.settle()
		}
		switch c := p.at(0); {
		case c == '"':
			if !p.passString() {
				continue
			}
		case c == '{' || c == '[':
			open++
		case c == '}' || c == ']':
			if open--; open < 0 && level > 0 && c == ']' {
				return
			}
			if open <= 0 && level == 0 {
				p.i++
				return
			}
		case c == ',' && open <= 0 && level > 0:
			p.i++
			return
		case c == '\n' && own:
			if n := p.indentBehind(); p.endsItem(n, begins, indent, level) {
				p.i += n
				return
			}
		}
		p.i++
	}
}

// indentIs says that a line began behind a place, and that so many bytes of it are before this one.
func (p *jsonReader) indentIs(from, indent int) bool {
	line := bytes.LastIndexByte(p.buf[:p.i], '\n')
	return line >= from && p.i-line-1 == indent
}

// indentOf is how many bytes are before a place on its line, and whether they are all white space.
func (p *jsonReader) indentOf(place int) (indent int, own bool) {
	own = true
	for k := place - 1; k >= 0 && p.buf[k] != '\n'; k-- {
		if p.buf[k] != ' ' && p.buf[k] != '\t' {
			own = false
		}
		indent++
	}
	return indent, own
}

// indentBehind is how far ahead the first byte is that is no white space, behind the line end that is next.
func (p *jsonReader) indentBehind() int {
	n := 1
	for p.at(n) == ' ' || p.at(n) == '\t' || p.at(n) == '\r' {
		n++
	}
	return n
}

// endsItem says that an item is over before the n-th byte ahead, which is the first of its line. It begins
// another, as far in as that one. Or it closes the list, further out.
func (p *jsonReader) endsItem(n int, begins byte, indent, level int) bool {
	c := p.at(n)
	return c == begins && n-1 == indent || level > 0 && n-1 < indent && c == ']'
}

// passString passes over a string up to its quotation mark; false if its line ends before that.
func (p *jsonReader) passString() bool {
	for p.i++; !p.ended() && p.at(0) != '"' && p.at(0) != '\n'; p.i++ {
		if p.at(0) == '\\' && p.at(1) != 0 {
			p.i++
		}
	}
	return p.at(0) == '"'
}
