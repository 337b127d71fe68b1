package jsonld

import "laundromat/internal/fault"

// array reads the items of an array up to its bracket. A broken item costs only
// itself. nodes says that it is the value of @graph: an end of the document within it
// keeps the items before, and a name in it belongs to a node whose brace is missing.
func (p *parser) array(v *value, nodes bool) *value {
	if !p.open(array) {
		return nil
	}
	level := p.depth
	last := int64(-1)
	for comma, first := true, true; ; first = false {
		p.space()
		if p.offset() == last {
			p.at++ // so that there is an end
			p.space()
		}
		b, ok := p.peek()
		if !ok {
			return p.cutArray(v, level, nodes)
		}
		place := p.pos()
		last = place.Offset
		p.see(place)
		comma, p.ate = comma || p.ate, false
		if nodes && b == '{' && comma && place.Column == p.indent && p.leftTo == 0 {
			p.hurt = false // a node that stands where it should
		}
		p.hurt = p.hurt || b == '}'
		if p.leftTo == 0 && p.disordered(b, place, level) {
			p.mend(fault.JSONBracket, place, "a bracket that closes nothing was left out")
			p.at++
			continue
		}
		if p.leftTo == level {
			p.leftTo, comma = 0, true
			first = first || b == ']'
		} else if p.leftTo > 0 {
			v.unclosed, v.partial = true, true
			p.depth = level - 1
			return v
		}
		switch {
		case b == ']' && nodes && p.closesNothing():
			p.mend(fault.JSONBracket, place, "a bracket that closes nothing was left out")
			p.at++
			continue
		case b == ']':
			if comma && !first {
				p.mend(fault.JSONComma, place, "a comma before the closing bracket was left out")
				v.touchLast()
			}
			return p.close(v)
		case b == ',' && comma:
			p.mend(fault.JSONComma, place, "a comma that separates nothing was left out")
			v.touchLast()
			p.at++
			continue
		case b == ',':
			p.at++
			comma = true
			continue
		case b == '}' && p.goesOn(nodes):
			p.mend(fault.JSONBracket, place, "a brace that closes nothing was left out")
			p.at++
			continue
		case b == '}', b == '"' && !nodes && p.inColumn(place.Column) && p.keyFollows():
			// An array holds neither: its bracket is missing.
			p.mend(fault.JSONBracket, place, "the bracket that closes an array is missing")
			v.touchLast()
			v.repaired, v.unclosed, v.partial, p.ate = true, true, true, comma
			p.depth = level - 1
			return v
		}
		mended := false
		switch {
		case comma:
		case b == '{' || b == '"' || b == '[':
			p.mend(fault.JSONComma, place, "a comma between two items was missing")
			mended = true
			v.touchLast()
		default:
			p.fail(fault.JSONSyntax, "a comma or a closing bracket should follow here")
			if n := len(v.items); n > 0 && !v.items[n-1].closed() {
				v.items[n-1] = &value{kind: lost, pos: v.items[n-1].pos, compound: &noCompound}
				v.partial = true
			}
			comma = p.resume(place, level)
			continue
		}
		comma = false
		item := p.value(true)
		if p.err != nil || p.fatal() {
			return nil
		}
		if item != nil && item.kind == text {
			p.space()
			if b, _ := p.peek(); b == ':' {
				p.fail(fault.JSONBracket, "the brace before %q is missing", item.text)
				p.unopened(place)
				if p.err != nil || p.fatal() {
					return nil
				}
				v.partial = true
				v.items = append(v.items, &value{kind: lost, pos: place, compound: &noCompound})
				continue
			}
		}
		if item == nil {
			item = &value{kind: lost, pos: place, compound: &noCompound}
			comma = p.resume(place, level)
		}
		if item.kind == lost {
			v.partial = true
		} else {
			item.repaired = item.repaired || mended
			v.partial = v.partial || item.partial && !nodes
		}
		v.items = append(v.items, item)
	}
}

func (v *value) touchLast() {
	if n := len(v.items); n > 0 {
		v.items[n-1].repaired = true
	}
}

// goesOn says whether the array goes on behind the brace that is next, which then
// closes nothing. nodes says that objects follow one another in it.
func (p *parser) goesOn(nodes bool) bool {
	n := p.behindSpace(1)
	switch b, ok := p.ahead(n); {
	case !ok:
		return false
	case b == ']':
		return true
	case b == '{':
		return nodes
	case b != ',':
		return false
	}
	if nodes {
		return true
	}
	n = p.behindSpace(n + 1)
	b, _ := p.ahead(n)
	return b == '-' || '0' <= b && b <= '9' || b == '"' && !p.keyAt(n)
}

// closesNothing says whether the bracket that is next is one too many: a value
// follows it, though in the object around the array only a name can.
func (p *parser) closesNothing() bool {
	if !p.hurt || p.depth < 2 || p.stack[p.depth-2].kind != object {
		return false
	}
	n := p.behindSpace(1)
	if b, _ := p.ahead(n); b != ',' {
		return false
	}
	n = p.behindSpace(n + 1)
	b, _ := p.ahead(n)
	return b == '{' || b == '"' && !p.keyAt(n)
}

// behindSpace is how far from here, from n on, the first byte is that is no white space.
func (p *parser) behindSpace(n int) int {
	for ; n < maxKeyAhead; n++ {
		if b, _ := p.ahead(n); b != ' ' && b != '\t' && b != '\n' && b != '\r' {
			break
		}
	}
	return n
}

// resume tells of the broken item that began at a place, and goes on behind it. True
// means that an item may follow without a comma.
func (p *parser) resume(began fault.Pos, level int) bool {
	if p.broken == nil {
		p.fail(fault.JSONSyntax, "this is not JSON")
	}
	where := p.resync(level, false)
	if where == atEnd {
		p.tellCut("the document ends within an array")
		return true
	}
	p.lose(began)
	if where == atComma {
		p.at++
	}
	return true
}

// cutArray ends an array that the end of the document cuts off.
func (p *parser) cutArray(v *value, level int, nodes bool) *value {
	if nodes {
		p.tellCut("the document ends within the array of @graph")
	} else {
		p.tellCut("the document ends within an array")
	}
	if p.err != nil {
		return nil
	}
	p.depth = level - 1
	v.partial = true
	if !nodes {
		return &value{kind: lost, pos: v.pos, compound: &noCompound}
	}
	return v
}

// inColumn says that the present member of the object around begins in a column.
func (p *parser) inColumn(column int64) bool {
	return p.depth > 1 && p.stack[p.depth-2].kind == object && p.stack[p.depth-2].column == column
}
