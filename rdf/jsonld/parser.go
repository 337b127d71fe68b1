package jsonld

import (
	"fmt"

	"laundromat/internal/fault"
)

// parser makes values of a source.
type parser struct {
	*source
	notice   func(fault.Notice)
	maxDepth int

	depth   int     // open brackets
	broken  *broken // the fault that ends the present value
	names   map[string]string
	scratch []byte
	last    int64 // the line of the last sound token
}

// broken is a fault in the JSON text.
type broken struct {
	code    fault.Code
	pos     fault.Pos
	message string
	excerpt string
}

func (p *parser) fail(code fault.Code, format string, args ...any) *value {
	if p.broken == nil {
		p.broken = &broken{code, p.pos(), fmt.Sprintf(format, args...), p.excerpt()}
	}
	return nil
}

func (p *parser) mend(code fault.Code, pos fault.Pos, format string, args ...any) {
	p.notice(fault.Notice{Code: code, Severity: fault.Repair, Pos: pos,
		Message: fmt.Sprintf(format, args...), Excerpt: p.excerpt()})
}

// value reads a JSON value; nil if it is broken.
func (p *parser) value() *value {
	p.space()
	b, ok := p.peek()
	if !ok {
		return p.fail(fault.JSONCutShort, "the document ends where a value should begin")
	}
	v := &value{pos: p.pos(), compound: &noCompound}
	p.last = v.pos.Line
	switch {
	case b == '{':
		v.kind, v.compound = object, new(compound)
		v = p.object(v)
	case b == '[':
		v.kind, v.compound = array, new(compound)
		v = p.array(v, false)
	case b == '"':
		v.kind = text
		v.text, v.repaired, ok = p.string()
		if !ok {
			return nil
		}
	case b == '-' || '0' <= b && b <= '9':
		v.kind = number
		v = p.number(v)
	default:
		v = p.word(v)
	}
	if v != nil {
		v.end = p.offset()
	}
	return v
}

func (p *parser) open() bool {
	p.at++
	p.depth++
	if p.depth > p.maxDepth {
		p.fail(fault.LimitNesting, "brackets are nested more than %d deep", p.maxDepth)
		return false
	}
	return true
}

func (p *parser) close(v *value) *value {
	p.at++
	p.depth--
	p.last = p.pos().Line
	return v
}

func (p *parser) object(v *value) *value {
	if !p.open() {
		return nil
	}
	top := p.depth == 1
	var seen map[string]int
	for first := true; ; first = false {
		p.space()
		b, ok := p.peek()
		if !ok {
			return p.fail(fault.JSONCutShort, "the document ends within an object")
		}
		if b == '}' {
			if !first {
				p.mend(fault.JSONComma, p.pos(), "a comma before the closing brace was left out")
				v.members[len(v.members)-1].value.repaired = true
			}
			return p.close(v)
		}
		if b != '"' {
			return p.fail(fault.JSONSyntax, "a name in quotation marks should stand here")
		}
		m := member{pos: p.pos()}
		p.last = m.pos.Line
		var repaired bool
		m.name, repaired, ok = p.string()
		if !ok {
			return nil
		}
		m.name = p.intern(m.name)
		p.space()
		if b, ok = p.peek(); !ok {
			return p.fail(fault.JSONCutShort, "the document ends within an object")
		} else if b != ':' {
			return p.fail(fault.JSONSyntax, "a colon should follow the name %q", m.name)
		}
		p.at++
		p.space()
		if b, _ := p.peek(); top && b == '[' && m.name == "@graph" {
			m.value = &value{kind: array, pos: p.pos(), compound: new(compound)}
			if m.value = p.array(m.value, true); m.value != nil {
				m.value.end = p.offset()
			}
		} else {
			m.value = p.value()
		}
		if m.value == nil {
			return nil
		}
		m.value.repaired = m.value.repaired || repaired
		// Few members: a scan is quicker than a map.
		old := -1
		if len(v.members) < 12 {
			for i := range v.members {
				if v.members[i].name == m.name {
					old = i
				}
			}
		} else {
			if seen == nil {
				seen = make(map[string]int, 2*len(v.members))
				for i := range v.members {
					seen[v.members[i].name] = i
				}
			}
			if i, found := seen[m.name]; found {
				old = i
			}
			seen[m.name] = len(v.members)
		}
		if old >= 0 {
			p.duplicate(&v.members[old], &m)
			v.members[old] = m
			if seen != nil {
				seen[m.name] = old
			}
		} else {
			v.members = append(v.members, m)
		}
		p.space()
		b, ok = p.peek()
		switch {
		case !ok && top && m.name == "@graph":
			return v // cut short, which the array has told
		case !ok:
			return p.fail(fault.JSONCutShort, "the document ends within an object")
		case b == ',':
			p.at++
		case b == '}':
			return p.close(v)
		default:
			return p.fail(fault.JSONSyntax, "a comma or a closing brace should follow the value of %q", m.name)
		}
	}
}

// duplicate tells that a name stands twice in an object: the later value counts.
func (p *parser) duplicate(old, m *member) {
	n := fault.Notice{Code: fault.JSONDuplicateKey, Severity: fault.Warning, Pos: m.pos,
		Message: fmt.Sprintf("the name %q stands twice in one object, with the same value", m.name),
		Excerpt: fault.Excerpt([]byte(m.name))}
	if !same(old.value, m.value) {
		n.Severity, n.Lost, n.Bytes = fault.Drop, 1, old.value.end-old.pos.Offset
		n.Pos = old.pos
		n.Message = fmt.Sprintf("the name %q stands again in the same object, in line %d; only the later value counts", m.name, m.pos.Line)
		n.Excerpt = old.value.sample()
	}
	p.notice(n)
}

// intern saves memory: the same names stand in object after object.
func (p *parser) intern(name string) string {
	if known, ok := p.names[name]; ok {
		return known
	}
	if len(p.names) < 1<<14 && len(name) < 256 {
		p.names[name] = name
	}
	return name
}

// array reads an array. If lenient, a broken item costs only itself, and an end of
// the document within the array keeps the items before it.
func (p *parser) array(v *value, lenient bool) *value {
	if !p.open() {
		return nil
	}
	level := p.depth
	for first := true; ; first = false {
		p.space()
		b, ok := p.peek()
		if ok && b == ']' {
			if !first {
				p.mend(fault.JSONComma, p.pos(), "a comma before the closing bracket was left out")
				if len(v.items) > 0 {
					v.items[len(v.items)-1].repaired = true
				}
			}
			return p.close(v)
		}
		began := p.pos()
		item := p.value()
		switch {
		case item != nil:
			v.items = append(v.items, item)
		case !lenient || p.err != nil:
			return nil
		default:
			cut := p.broken.code == fault.JSONCutShort
			p.resume(began, level)
			if cut {
				return v
			}
		}
		p.space()
		b, ok = p.peek()
		switch {
		case !ok && lenient:
			if p.err == nil {
				p.fail(fault.JSONCutShort, "the document ends within the array of @graph")
				p.resume(p.pos(), level)
			}
			return v
		case !ok:
			return p.fail(fault.JSONCutShort, "the document ends within an array")
		case b == ',':
			p.at++
		case b == ']':
			return p.close(v)
		case lenient && b == '{':
			p.mend(fault.JSONComma, p.pos(), "a comma between two objects was missing")
		case lenient:
			p.fail(fault.JSONSyntax, "a comma or a closing bracket should follow here")
			p.at++ // so that there is an end
			p.resume(p.pos(), level)
			if b, ok := p.peek(); ok && b == ',' {
				p.at++
			}
		default:
			return p.fail(fault.JSONSyntax, "a comma or a closing bracket should follow here")
		}
	}
}

// resume tells of the broken value that began at a place, and goes on behind it: at
// the comma or bracket that ends it, in an array level brackets deep.
func (p *parser) resume(began fault.Pos, level int) {
	p.skip(level, false)
	p.lose(began)
}

// lose tells of the broken value that began at a place and has been passed over.
func (p *parser) lose(began fault.Pos) {
	if p.broken == nil || p.err != nil {
		return
	}
	p.notice(fault.Notice{Code: p.broken.code, Severity: fault.Drop, Pos: p.broken.pos,
		Message: p.broken.message, Excerpt: p.broken.excerpt, Lost: 1, Bytes: p.offset() - began.Offset})
	p.broken = nil
}

// skip passes over broken text: up to where the brackets are closed again down to
// level, to the comma or closing bracket that stands there; or to the line's end.
func (p *parser) skip(level int, line bool) {
	p.keep = -1
	for {
		b, ok := p.peek()
		if !ok {
			p.depth = level
			return
		}
		p.began = max(p.began, p.offset()-p.maxBytes) // what is passed over needs no memory
		switch b {
		case '"':
			p.at++
			for b, ok = p.peek(); ok && b != '"' && b != '\n'; b, ok = p.peek() {
				if p.at++; b == '\\' {
					if _, ok = p.peek(); ok {
						p.at++
					}
				}
				p.began = max(p.began, p.offset()-p.maxBytes)
			}
			if b != '"' {
				continue
			}
		case '\n':
			if line {
				p.depth = level
				return
			}
		case '{', '[':
			p.depth++
		case '}', ']':
			if p.depth <= level && level > 0 && !line {
				p.depth = level
				return
			}
			p.depth = max(p.depth-1, 0)
			if p.depth == level && !line {
				p.at++
				return
			}
		case ',':
			if p.depth <= level && !line {
				p.depth = level
				return
			}
		}
		p.at++
	}
}
