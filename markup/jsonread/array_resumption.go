package jsonread

import (
	"bytes"
	"cmp"
	"slices"
)

// A broken item of an array of nodes ends at the latest where sound ones follow it. A bracket that is
// misjudged in it costs no others. These differ from nodes in an array within the item by where they
// end: with the array around all, or not at all for long. How many brackets are open there differs,
// too.

// resumeItems is how many sound items in a row show that the array goes on with them, if what follows
// these is broken itself. Once the item is known to take in others, fewItems are enough. They are
// followed for resumeBytes.
const resumeItems, fewItems, resumeBytes = 6, 1, 64 << 10

// fewInObject is how many do where they stand in an object, in which a name follows a value.
const fewInObject = 2

// verdict is what nodes behind a place in a broken item are.
type verdict uint8

const (
	unsure verdict = iota
	inside         // of an array in the item
	next           // the items behind it
)

// search is how the place is looked for where the item behind a broken one begins.
type search struct {
	head    int // bytes of the broken one that mean nothing
	most    int // bytes of it that are looked at
	longest int // bytes that sound ones had
	enough  int // sound ones in a row that are needed where brackets do not tell
}

// resumption is a search on its way through a broken item.
type resumption struct {
	*parser
	search
	outer    []shape
	last     byte     // that is no white space
	open     int      // brackets
	brackets []byte   // what opened them, as far as they balance
	heads    []string // with each of these, the first name in the objects of an array; "" if that is not known
	first    string   // the first name in the broken item
	maybe    int      // where the next item may begin; 0 if that is not known
}

// resume looks for the place where the next item follows the broken one at the mark; 0 if there is none.
func (p *parser) resume(at mark, s search, outer []shape) int {
	p.rewind(at)
	skipping := p.skipping
	p.skipping = true
	defer func() { p.skipping, p.deep = skipping, false }()
	r := resumption{parser: p, search: s, outer: outer}
	if b, _ := p.ahead(s.head); b == '{' {
		r.open = 1
		p.at = p.keep
		r.first, _ = p.nameBehind(s.head + 1)
	}
	for n := s.head + 1; n < s.most; n++ {
		p.at = p.keep
		b, ok := p.ahead(n)
		switch {
		case !ok || p.err != nil:
			return r.maybe
		case b == ' ' || b == '\t' || b == '\n' || b == '\r':
			continue
		case b == '}' || b == ']':
			r.open--
			r.brackets = r.brackets[:max(0, len(r.brackets)-1)]
			r.heads = r.heads[:len(r.brackets)]
		case b == '[' && p.isTypeArray(n):
			r.opens(typeArray)
		case b == '[':
			r.opens(b)
		case b == '{':
			end, found := r.brace(n)
			if found {
				return n
			}
			n = end
			p.at = p.keep
			b, _ = p.ahead(n)
		}
		r.last = b
	}
	return r.maybe
}

// opens notes a bracket.
func (r *resumption) opens(bracket byte) {
	r.open++
	r.brackets, r.heads = append(r.brackets, bracket), append(r.heads, "")
}

// opensObject notes the brace at n.
func (r *resumption) opensObject(n int) {
	if i := len(r.brackets) - 1; r.last == '[' && i >= 0 {
		r.at = r.keep
		r.heads[i], _ = r.nameBehind(n + 1)
	}
	r.opens('{')
}

// isInner says that the object at n begins as those of an array within the item do. The item begins with
// another name.
func (r *resumption) isInner(n int) bool {
	r.at = r.keep
	name, end := r.nameBehind(n + 1)
	return end > 0 && r.first != "" && name != r.first && slices.Contains(r.heads, name)
}

// innermost is the bracket that was opened last of those that balance; 0 if there is none.
func (r *resumption) innermost() byte {
	if n := len(r.brackets); n > 0 {
		return r.brackets[n-1]
	}
	return 0
}

// brace looks whether the next item begins with the brace at n. If not, the search goes on behind the
// byte at end.
func (r *resumption) brace(n int) (end int, found bool) {
	s := &r.outer[len(r.outer)-1]
	switch {
	case r.innermost() == typeArray && r.beginsNode(n) && !r.refersAt(n) && !r.isInward(n, s) && r.rules.on(itemOfTypes):
		return n, true
	case (r.last == ':' || r.last == '[') && !r.beginsLine(n), !s.refers && r.refersAt(n), r.isInward(n, s),
		r.isInner(n) && r.rules.on(itemOfInner):
		r.opensObject(n)
		return n, false
	}
	// Where one bracket is wrong, as many are open before the next item as should be, or one more or less.
	// Within an array of this one there is one more at least.
	switch v, items, end := r.follow(n, resumeBytes+2*r.longest, r.outer); {
	case v == next, v == unsure && r.open <= 0 && r.last == ',' && r.beginsNode(n):
		return n, true
	case v == unsure && items >= r.enough && (r.open <= 1 || r.beginsLine(n)), // the line before may be cut off
		// no value has another behind it
		v == unsure && items >= fewInObject && r.innermost() == '{':
		r.maybe = cmp.Or(r.maybe, n)
		r.opensObject(n)
	case end > n:
		return end - 1, false
	default:
		r.opensObject(n)
	}
	return n, false
}

// typeArray stands for the bracket of an array of types among those that are open: no node stands in one.
const typeArray = 't'

// isTypeArray says that the bracket at n opens the array of an @type.
func (p *parser) isTypeArray(n int) bool {
	before := bytes.TrimRight(p.window[p.keep:p.keep+n], " \t\r\n")
	before, colon := bytes.CutSuffix(before, []byte(":"))
	return colon && bytes.HasSuffix(bytes.TrimRight(before, " \t\r\n"), []byte(`"`+p.words.Type+`"`))
}

// beginsLine says that the byte at n is the first of its line, in a text that is not indented.
func (p *parser) beginsLine(n int) bool {
	b := p.window[p.keep+n-1]
	return b == '\n' || b == '\r'
}

// isInward says that the line which the byte at n begins is indented more than those that begin items.
func (p *parser) isInward(n int, s *shape) bool {
	first, column := p.lineAt(p.keep + n)
	return first && s.rows.trusted() && s.column > 0 && column > s.column
}

// beginsNode says that a name follows the brace at n.
func (p *parser) beginsNode(n int) bool {
	p.at = p.keep
	i := p.behind(n + 1)
	b, _ := p.ahead(i)
	return b == '"' && p.nameAt(i)
}

// follow passes over the sound items from the n-th byte on, which is a brace. It says what they are,
// how many there are and where they end.
func (p *parser) follow(n, most int, outer []shape) (v verdict, items, end int) {
	p.at += n
	for end = n; ; items++ {
		if end-n > most {
			return next, items, end
		}
		p.depth = len(outer)
		if p.value() == nil {
			return unsure, items, end
		}
		end = p.at - p.keep
		i := p.behind(0)
		b, _ := p.ahead(i)
		if b == ']' {
			if p.at += i + 1; p.endsAll(outer[:len(outer)-1]) {
				return next, items, end
			}
			return inside, items, end
		}
		comma := b == ','
		i = p.behind(i + 1)
		if b, _ = p.ahead(i); !comma || b != '{' {
			return unsure, items + 1, end
		}
		p.at += i
	}
}

// endsAll says that only sound members and items of the open brackets are here, and their ends. Then
// comes the end of the text or a line that begins another value.
func (p *parser) endsAll(open []shape) bool {
	for {
		p.at += p.behind(0)
		b, ok := p.peek()
		n := len(open)
		switch {
		case !ok:
			return n == 0 && !p.long
		case n == 0:
			first, indent := p.lineAt(p.at)
			return first && indent == 1 && (b == '{' || b == '[') && p.begins(0)
		case tokenKind(b) == open[n-1].closer():
			p.at++
			open = open[:n-1]
			continue
		case b != ',':
			return false
		}
		p.at++
		if p.depth = n; open[n-1].object && (!p.passName() || p.value() == nil) || !open[n-1].object && p.value() == nil {
			return false
		}
	}
}

// passName passes over a name, and the colon behind it.
func (p *parser) passName() bool {
	p.space()
	return p.name(&Member{})
}

// begins says that the value at n may be one of its own behind the present one: an object that
// begins with the same name.
func (p *parser) begins(n int) bool {
	if b, _ := p.ahead(n); b != '{' || p.head == "" {
		return true
	}
	name, end := p.nameBehind(n + 1)
	return end < 0 || name == p.head
}
