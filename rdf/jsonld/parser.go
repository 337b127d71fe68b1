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
	last    int64     // the line of the last sound token
	stack   []bracket // the open ones, up to depth
	leftTo  int       // the depth at which reading goes on, which a broken value found; 0 if it is that of the value
	line    int64     // the line of the present token, and the column of the first on it
	indent  int64
	hurt    bool              // something was wrong in the present top-level value
	ate     bool              // a value without its bracket has passed over the comma behind it
	cutTold bool              // the end of the document within a value was told
	aliases map[string]string // names that a context gives to keywords
}

// broken is a fault in the JSON text.
type broken struct {
	code    fault.Code
	pos     fault.Pos
	message string
	excerpt string
}

func (p *parser) fail(code fault.Code, format string, args ...any) *value {
	p.hurt = true
	if p.broken == nil {
		p.broken = &broken{code, p.pos(), fmt.Sprintf(format, args...), p.excerpt()}
	}
	return nil
}

func (p *parser) mend(code fault.Code, pos fault.Pos, format string, args ...any) {
	p.hurt = true
	p.notice(fault.Notice{Code: code, Severity: fault.Repair, Pos: pos,
		Message: fmt.Sprintf(format, args...), Excerpt: p.excerpt()})
}

// value reads a JSON value; nil if it is broken.
func (p *parser) value(inArray bool) *value {
	p.space()
	b, ok := p.peek()
	if !ok {
		return p.fail(fault.JSONCutShort, "the document ends where a value should begin")
	}
	v := &value{pos: p.pos(), compound: &noCompound}
	p.last = v.pos.Line
	p.see(v.pos)
	switch {
	case b == '{':
		v.kind, v.compound = object, new(compound)
		v = p.object(v, inArray)
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

// bracket is an open bracket, with the layout of the text around it.
type bracket struct {
	kind   kind
	line   int64 // on which it stands
	indent int64 // the column of the first token on its line
	column int64 // of an object: the column of its present member
}

// see notes the first token of each line.
func (p *parser) see(place fault.Pos) {
	if place.Line != p.line {
		p.line, p.indent = place.Line, place.Column
	}
}

func (p *parser) push(k kind) {
	p.stack = append(p.stack[:min(p.depth, len(p.stack))], bracket{kind: k, line: p.line, indent: p.indent})
	p.depth++
}

func (p *parser) open(k kind) bool {
	p.at++
	for len(p.stack) < p.depth {
		p.stack = append(p.stack, bracket{})
	}
	p.push(k)
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

// object reads the members of an object up to its brace. A broken member costs only
// itself; but where it may have been @id or another keyword that the others depend
// on, the object is lost. inArray says that the object is an item of an array.
func (p *parser) object(v *value, inArray bool) *value {
	if !p.open(object) {
		return nil
	}
	o := objectReader{parser: p, v: v, level: p.depth, inArray: inArray, comma: true, first: true}
	return o.read()
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
