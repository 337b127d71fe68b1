package jsonread

import "laundromat/internal/fault"

// another reads the object at the mark, which is on one line with a value that had a fault. It must be
// sound, be alone and say what it is about: that holds, also if it should be in the other.
func (r *Reader) another(at mark) bool {
	r.maxBytes = r.opt.Hold
	r.depth, r.deep = 0, false
	v := r.value()
	if v == nil || !r.alone() || !r.hasID(v) {
		r.found, r.deep = r.found[:0], false
		r.rewind(at)
		return false
	}
	r.tellAstray(at)
	v.touch()
	r.sink.Value(v, r.inArray, nil)
	return true
}

// tellAstray tells of the sound value at the mark, behind one whose brackets may be at fault.
func (p *parser) tellAstray(at mark) {
	p.tell(fault.Notice{Code: fault.JSONBracket, Severity: fault.Repair, Pos: at.pos}, p.keep, "this may belong to what is before "+
		"it, where a bracket may be missing; it was read as it is")
}

// rest loses what is left of a value that seemed to end. It goes up to a line that begins with a
// bracket, or to a sound object behind another with nothing between them.
func (r *Reader) rest(at mark) {
	excerpt := r.around(r.at)
	r.release()
	last := byte(0) // that is no white space
	for b, ok := r.peek(); ok; b, ok = r.peek() {
		if (b == '{' || b == '[') && r.pos().Column == 1 {
			break
		}
		if b == '{' && (last == '}' || last == '{') && r.apartHere() {
			r.mended = false
			break
		}
		if r.at++; b != ' ' && b != '\t' && b != '\n' && b != '\r' {
			last = b
		}
	}
	r.passedOver(at, fault.JSONBracket, excerpt, "the value that ends before has lost a bracket, or has one too many; this is what is "+
		"left of it")
}

// passedOver tells that what stands between the mark and here is lost.
func (r *Reader) passedOver(at mark, code fault.Code, excerpt, message string) {
	r.found = append(r.found, fault.Notice{Code: code, Severity: fault.Drop, Pos: at.pos, Lost: 1, Bytes: r.offset() - at.pos.Offset,
		Excerpt: excerpt, Message: message})
}

// apart says that a sound object is next, and behind it nothing or another one.
func (r *Reader) apart() bool {
	r.depth = 0
	if r.value() == nil {
		return false
	}
	b, ok := r.ahead(r.behind(0))
	return !ok && !r.long || b == '{'
}

// apartToo says so of what is behind the object that was passed over.
func (r *Reader) apartToo() bool {
	r.at += r.behind(0)
	b, _ := r.peek()
	return b == '{' && r.apart()
}

// apartHere is apart, and stays where it is.
func (r *Reader) apartHere() bool {
	defer r.release()
	defer r.lookAhead(r.mark())()
	return r.apart()
}

// triedBytes is how many bytes more than the text has are looked at behind braces that stand where
// a value may, in vain.
const triedBytes = 64 << 10

// nextApart looks for the place where the next value follows the broken one at the mark, as far as one
// is read at once. It is 0 if there is none.
func (r *Reader) nextApart(at mark) int64 {
	defer r.lookAhead(at)()
	last := byte(0) // that is no white space
	n, tried := 1, 0
	if r.barren > at.pos.Offset { // what was looked at for the value before is not looked at again
		if n = int(r.barren - at.pos.Offset); n > 1 {
			r.at = r.keep
			last, _ = r.ahead(n - 1)
		}
	}
	for ; ; n++ {
		r.at = r.keep
		switch b, ok := r.ahead(n); {
		case !ok:
			if r.barren = at.pos.Offset + int64(n); r.long {
				r.barren -= min(int64(n), nearBytes) // one that is not whole may have begun
			}
			return 0
		case b == ' ' || b == '\t' || b == '\n' || b == '\r':
			continue
		case b == '{' && (last == '}' || last == '{' || last == ',' || tried <= triedBytes+n):
			if r.at += n; r.apart() && (last == '}' || last == '{' || r.apartToo()) {
				r.barren = at.pos.Offset + int64(n)
				return r.barren
			}
			tried += r.at - r.keep - n
			last = b
		default:
			last = b
		}
	}
}
