package jsonread

import (
	"bytes"

	"laundromat/internal/fault"
)

// repeats are the contexts that a document has written out lately, as bytes. Where every line or
// node brings its context along, it is the same each time, and is neither read nor applied again.
type repeats struct {
	all  []repeat
	next int // the one that is given up for another
}

// repeat is such a context.
type repeat struct {
	raw   []byte
	value *Value
	depth int // of the brackets in it
}

// manyRepeats is how many contexts are remembered, and repeatBytes how long each may be.
const manyRepeats, repeatBytes = 8, 16 << 10

// again takes the context that is next if it is one of those that were read before; else nil.
func (p *parser) again() *Value {
	for i := range p.repeats.all {
		r := &p.repeats.all[i]
		if p.depth+r.depth > p.maxDepth || !p.stands(r.raw) {
			continue
		}
		v := p.fresh()
		pos, from := v.Pos, r.value
		*v = *from
		v.Pos = pos
		p.at += len(r.raw)
		v.End = p.offset()
		return v
	}
	return nil
}

// stands says that some text is next. No more is read than is needed to tell.
func (p *parser) stands(text []byte) bool {
	for {
		at := p.window[p.at:]
		if len(at) >= len(text) {
			return bytes.Equal(at[:len(text)], text)
		}
		if !bytes.Equal(at, text[:len(at)]) || !p.fill() {
			return false
		}
	}
}

// repeated remembers a context that was read from a place in the text on.
func (p *parser) repeated(v *Value, from int64) {
	n := p.offset() - from
	if v.compound == &noCompound || n > repeatBytes || n > int64(p.at) {
		return
	}
	r := repeat{raw: bytes.Clone(p.window[p.at-int(n) : p.at]), value: v, depth: v.depth()}
	v.Origin = v
	if len(p.repeats.all) < manyRepeats {
		p.repeats.all = append(p.repeats.all, r)
		return
	}
	p.repeats.all[p.repeats.next] = r
	p.repeats.next = (p.repeats.next + 1) % manyRepeats
}

// depth is how deeply brackets are nested in a value, its own included.
func (v *Value) depth() int {
	inner := 0
	for _, item := range v.Items {
		inner = max(inner, item.depth())
	}
	for i := range v.Members {
		inner = max(inner, v.Members[i].Value.depth())
	}
	if v.Kind != Array && v.Kind != Object {
		return 0
	}
	return inner + 1
}

// Own is a context as it would have been read here. One that was read elsewhere has the places of that
// in it, which must not be reported.
func (v *Value) Own() *Value {
	if v.Origin == nil || v.Origin.Pos == v.Pos {
		return v
	}
	return v.movedFrom(v.Origin.Pos, v.Pos)
}

// movedFrom is a copy of a value that stands in a text that began at one place, and begins at
// another now.
func (v *Value) movedFrom(was, is fault.Pos) *Value {
	place := func(pos fault.Pos) fault.Pos {
		if pos.Line == was.Line {
			pos.Column += is.Column - was.Column
		}
		pos.Line += is.Line - was.Line
		pos.Offset += is.Offset - was.Offset
		return pos
	}
	var move func(v *Value) *Value
	move = func(v *Value) *Value {
		c := *v
		c.Pos, c.End = place(v.Pos), v.End+is.Offset-was.Offset
		if v.compound != &noCompound {
			c.compound = &compound{Items: make([]*Value, len(v.Items)), Members: make([]Member, len(v.Members))}
			for i, item := range v.Items {
				c.Items[i] = move(item)
			}
			for i, m := range v.Members {
				c.Members[i] = Member{m.Name, place(m.Pos), move(m.Value)}
			}
		}
		return &c
	}
	at := *v
	at.Pos, at.End = was, v.End-is.Offset+was.Offset
	return move(&at)
}
