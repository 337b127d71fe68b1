package jsonread

import (
	"slices"

	"laundromat/internal/fault"
)

// heldNotices is how many findings in an array are held until it is known whether it
// is read again.
const heldNotices = 1 << 12

// outline is a top-level object that is long, or not sound, while its members are read.
type outline struct {
	*Reader
	spool  *spool
	spills []*Spill
	held   int64 // bytes of its arrays that are held
}

// Spill is an array that was passed over for its length.
type Spill struct {
	Array *Value // without its items
	Name  string // of the member whose value it is

	of    *outline
	outer []shape
	// sample is what was known of the layout then, so that it is judged alike again.
	sample sample
	// faulty and certain are likewise what was known.
	faulty, certain bool
}

// outline reads the object at the mark for the second time, and returns those of the
// brackets around it that are still open. It is long, or not sound.
func (r *Reader) outline(at mark, outer []shape, long bool) []shape {
	r.rewind(at)
	before := min(r.keep, lookback)
	o := &outline{Reader: r, spool: &spool{folder: r.opt.Temp, format: r.opt.Format, began: at.pos.Offset - int64(before)}}
	defer o.end()
	r.maxBytes = r.opt.MaxBytes
	if r.err = o.spool.write(r.window[r.keep-before:]); r.err != nil {
		return nil
	}
	if long {
		o.prove(at, outer)
	}
	if r.err != nil {
		return nil
	}
	r.tee = o.spool
	m := mender{tokens: tokens{parser: &r.parser}, outer: slices.Clone(outer)}
	m.last = at.pos
	m.array = func(f *frame, one token) { o.array(&m, f, one) }
	m.mend(at)
	r.mended = r.mended || m.faults > 0
	switch {
	case r.err != nil:
		return nil
	case r.long || r.deep:
		r.found = r.found[:0]
		r.tooMuch(at.pos, m.marked, m.opened, r.deep)
		return ended(outer)
	}
	r.release()
	if !m.each(func(v *Value) bool {
		return (v.Kind == Lost || r.sink.Value(v, r.inArray, o.spills)) && r.err == nil
	}) {
		return nil
	}
	return m.left()
}

// array reads an array that is the value of a member, its bracket being next.
func (o *outline) array(m *mender, f *frame, one token) {
	p := &o.parser
	v := &Value{Kind: Array, Pos: one.pos, compound: new(compound)}
	p.at = p.keep + one.to
	graph := o.isGraph(f.m.Name)
	nodes, refers := graph, false
	if !graph && len(m.frames) == 1 && f.m.Name != p.words.Context {
		if nodes, refers = p.nodesAhead(m.now()); nodes && !p.rules.on(nodesInMember) {
			nodes, refers = false, false
		}
	}
	outer := append(slices.Clone(m.now()), shape{nodes: nodes, refers: refers, placed: !graph, indent: one.indent,
		sort: sort{context: f.m.Name == p.words.Context}})
	initial, layout := slices.Clone(outer), p.sample
	p.release()
	p.unclosed, p.ranOut = false, false
	before, spilled := len(p.found), false
	p.touchLast = func() bool {
		n := len(v.Items)
		if n > 0 {
			v.Items[n-1].touch()
		}
		return n > 0
	}
	most := o.opt.Hold
	if name := f.m.Name; name == p.words.Context || name == p.words.Type || o.aliases[name] == p.words.Type {
		most = o.opt.MaxBytes // what all others need
	}
	p.holding = true
	weight := p.weight
	p.between = func() {
		if !spilled && (p.weight > p.maxWeight/2 || o.held+p.offset()-one.pos.Offset > most || len(p.found)-before > heldNotices) {
			spilled, p.skipping, v.Items, v.passed = true, true, nil, true
			p.holding, p.weight = false, weight
			p.memory.detach()
			o.spills = append(o.spills, &Spill{v, f.m.Name, o, initial, layout, p.faulty, p.certain})
		}
		if spilled {
			p.found = p.found[:before]
		}
	}
	left := p.records(outer, one.pos, func(item *Value) bool {
		if !spilled {
			v.Items = append(v.Items, item)
		}
		v.Partial, v.Gaps = v.Partial || item.Kind == Lost || item.Partial, v.Gaps || item.Gaps
		return p.err == nil
	})
	if p.ranOut {
		v.Cut, v.Partial = true, true
	}
	p.touchLast, p.holding = nil, false
	f.end = p.pos()
	v.End = f.end.Offset
	if p.skipping = false; spilled {
		p.found = p.found[:before]
	} else {
		o.held += v.End - v.Pos.Offset
	}
	if p.unclosed {
		v.Repaired, v.unclosed = true, true
		f.torn = graph
	}
	m.restart()
	m.add(f, v)
	if len(p.found) > 4*heldNotices {
		p.deep, p.hopeless, p.deepAt = true, true, f.end
	}
	for len(m.frames) > max(len(left), 0) {
		m.pop(false)
	}
	if n := len(left); n > 0 {
		m.frames[n-1].state = left[n-1].state
	}
}

func (o *outline) isGraph(name string) bool {
	return name == o.words.Graph || o.aliases[name] == o.words.Graph
}

// Each reads the items of the array, one by one, and hands them on; false ends that. What it finds is
// told. An item holds until the next one.
func (s *Spill) Each(hand func(*Value) bool) { s.of.again(s, false, hand) }

// Load reads the items of the array into memory, if it may be so long. Else v, the object that it is in,
// is lost with it, which is told.
func (s *Spill) Load(v *Value) bool {
	o := s.of
	if o.load(s) {
		return true
	}
	if o.err == nil {
		n := v.End - v.Pos.Offset
		o.found = append(o.found, fault.Notice{Code: fault.LimitJSONValue, Severity: fault.Drop, Pos: v.Pos, Lost: 1, Bytes: n,
			Message: longerThan(o.opt.MaxBytes, n), Excerpt: v.Sample()})
	}
	return false
}

// again reads the items of an array that was passed over; holding says that they are
// held together.
func (o *outline) again(s *Spill, holding bool, hand func(*Value) bool) {
	began := s.Array.Pos
	from := max(o.spool.began, began.Offset-lookback)
	p := &parser{rules: o.rules, source: newSource(o.ctx, o.spool.from(from), o.opt.MaxBytes, o.opt.Format), guide: o.guide, words: o.words,
		maxDepth: o.maxDepth, edits: o.edits, maxWeight: o.maxWeight, names: o.names, aliases: o.aliases, intricate: o.intricate,
		habit:  o.habit,
		sample: s.sample, faulty: s.faulty, certain: s.certain, until: o.until, head: o.head}
	for p.at = int(began.Offset - from); len(p.window) <= p.at && p.fill(); {
	}
	p.known, p.knownAt = began, p.at
	p.at++
	p.weight, p.holding = o.weight, holding
	p.between = func() {
		o.weight = p.weight
		o.found, p.found = append(o.found, p.found...), p.found[:0]
		o.flush()
	}
	tell := p.between
	p.records(slices.Clone(s.outer), began, func(item *Value) bool {
		tell()
		more := hand(item)
		if !holding {
			p.memory.reset()
		}
		return more
	})
	tell()
	if o.err == nil {
		o.err = p.err
	}
}

// load reads an array that was passed over into memory, if it may be so long.
func (o *outline) load(s *Spill) bool {
	if o.held += s.Array.End - s.Array.Pos.Offset; o.held > o.opt.MaxBytes {
		return false
	}
	light := true
	o.again(s, true, func(item *Value) bool {
		s.Array.Items = append(s.Array.Items, item)
		light = o.weight <= o.maxWeight
		return light
	})
	return light && o.err == nil
}
