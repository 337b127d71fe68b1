package extract

import (
	"bytes"
	"fmt"
	"strconv"

	"laundromat/internal/fault"
	"laundromat/records"
)

// first reads the object that a document begins with. If it is alone and has one list of objects, or the list
// that the spec names, the items of that are the records.
func (d *jsonDocument) first() (done bool, err error) {
	p := d.jsonReader
	from, pos := p.i, p.place(p.i)
	if d.isLong() {
		list := false
		if err := d.around("", 0, &list); err != nil {
			return true, err
		}
		if !list && d.key != "" {
			d.to.Notice(noRecords("list "+strconv.Quote(d.key), d.key, pos, nil))
		}
		d.rest()
		d.tell()
		return true, nil
	}
	v, ok := p.value()
	if !ok {
		d.resync(from, 0)
		p.depth = 0
		return false, d.finish(v, pos, false, p.i-from)
	}
	end := p.i
	p.space()
	if d.key != "" || p.ended() || p.at(0) == ';' || p.at(0) == ')' {
		repaired := p.repaired
		if l, found := recordsIn(v, pos, d.key, d.to); found {
			d.tell()
			for i := range l.Value.Items {
				if err := d.emit(l.Value.Items[i], l.at(i), repaired); err != nil {
					return true, err
				}
				repaired = false
			}
			return false, nil
		}
	}
	return false, d.finish(v, pos, true, end-from)
}

// isLong says that more follows than may be held, and that it has a list of records. That is the one which the
// spec names, or one of objects that begins in what may be held.
func (d *jsonDocument) isLong() bool {
	p := d.jsonReader
	for len(p.buf)-p.i <= p.maxItem && p.fill() {
	}
	if len(p.buf)-p.i <= p.maxItem {
		return false
	}
	for i := p.i; d.key == ""; i++ {
		n := bytes.IndexByte(p.buf[i:], '[')
		if n < 0 {
			return false
		}
		i += n
		before := bytes.TrimRight(p.buf[p.i:i], " \t\r\n")
		if bytes.HasSuffix(before, []byte{':'}) && opensObject(p.buf[i+1:]) {
			return true
		}
	}
	return true
}

// opensObject says that an object is next.
func opensObject(text []byte) bool {
	after := bytes.TrimLeft(text[:min(len(text), 200)], " \t\r\n")
	return len(after) > 0 && after[0] == '{'
}

// around reads the object that begins here, which is too long to be held. The items of the list in it are
// records, and its other members stand beside them.
func (d *jsonDocument) around(outer string, depth int, found *bool) error {
	p := d.jsonReader
	p.i++
	for p.err == nil {
		p.settle()
		p.space()
		switch {
		case p.at(0) == '}':
			p.i++
			return nil
		case p.at(0) == ',':
			p.i++
			continue
		case p.ended():
			p.mend(fault.RecordBracket, p.i, "the text ends before a closing bracket, which is put in")
			return nil
		}
		from := p.i
		name, _, ok := p.name()
		if !ok {
			if err := d.lostMember(from); err != nil {
				return err
			}
			continue
		}
		at := p.place(p.i)
		p.at(200)
		switch {
		case !*found && p.at(0) == '[' && (name == d.key || d.key == "" && opensObject(p.buf[p.i+1:])):
			*found = true
			d.to.Notice(fault.Notice{Code: fault.RecordList, Severity: fault.Note, Pos: at, Field: name,
				Message: fmt.Sprintf("the records are the items of %q", name)})
			if err := d.items(&records.Value{}); err != nil {
				return err
			}
		case !*found && p.at(0) == '{' && depth < p.maxDepth:
			if err := d.around(outer+name+".", depth+1, found); err != nil {
				return err
			}
		default:
			v, ok := p.value()
			if !ok {
				if err := d.lostMember(from); err != nil {
					return err
				}
				continue
			}
			p.depth = 0
			d.tell()
			d.to.Notice(beside(outer+name, at, excerptOf(&v)))
		}
	}
	return p.err
}

// lostMember reports a member that can't be read, and goes on behind it.
func (d *jsonDocument) lostMember(from int) error {
	p := d.jsonReader
	p.i, p.depth = from, 0
	size := 0
	for open := 0; !p.ended(); {
		before := p.i
		switch c := p.at(0); {
		case c == '"':
			p.passString()
		case c == '{' || c == '[':
			open++
		case (c == '}' || c == ']' || c == ',') && open == 0:
			if size == 0 {
				p.i++ // whatever it is, it is passed over
			}
			return d.finish(records.Value{}, fault.Pos{}, false, size)
		case c == '}' || c == ']':
			open--
		}
		p.i++
		if size += p.i - before; p.i-p.start > 1<<20 {
			p.settle()
		}
	}
	return d.finish(records.Value{}, fault.Pos{}, false, size)
}
