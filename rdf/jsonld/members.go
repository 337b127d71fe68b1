package jsonld

import (
	"bytes"

	"laundromat/internal/fault"
)

// objectReader reads the members of one object, and goes on behind those that are
// broken.
type objectReader struct {
	*parser
	v       *value
	level   int // open brackets, this one included
	inArray bool
	comma   bool // a comma, or the brace, stands before
	first   bool // no member has been seen
	broken  bool // something was wrong in this object

	// dead says that a member was lost without which the others mean nothing; typeless
	// that @type was, without which values mean something else.
	// nameless that @id was, without which only the nodes in it can be read.
	dead, typeless, nameless bool
	seen                     map[string]int
}

// read reads up to the brace.
func (o *objectReader) read() *value {
	v := o.members()
	if v == nil || v.kind == lost {
		return v
	}
	if o.dead || o.typeless && v.get("@value") != nil {
		return &value{kind: lost, pos: v.pos, compound: &noCompound}
	}
	if o.nameless {
		if len(v.members) == 0 {
			return &value{kind: lost, pos: v.pos, compound: &noCompound}
		}
		v.nameless = true
	}
	return v
}

func (o *objectReader) members() *value {
	p, v := o.parser, o.v
	for last := int64(-1); ; {
		p.space()
		if p.offset() == last {
			p.at++ // a bracket that nothing can be made of; so that there is an end
			p.space()
		}
		b, ok := p.peek()
		if !ok {
			return o.cut()
		}
		place := p.pos()
		last = place.Offset
		p.see(place)
		o.comma, p.ate = o.comma || p.ate, false
		p.hurt = p.hurt || b == ']'
		if p.leftTo == 0 && p.disordered(b, place, o.level) {
			p.mend(fault.JSONBracket, place, "a bracket that closes nothing was left out")
			p.at++
			continue
		}
		if p.leftTo == o.level {
			p.leftTo, o.comma, o.first = 0, true, true
		} else if p.leftTo > 0 {
			p.depth = o.level - 1
			v.partial, o.dead = true, o.dead || !o.named()
			return v
		}
		switch {
		case b == '}':
			if o.comma && !o.first {
				p.mend(fault.JSONComma, place, "a comma before the closing brace was left out")
				o.touchLast()
			}
			return p.close(v)
		case b == ',' && o.comma:
			p.mend(fault.JSONComma, place, "a comma that separates nothing was left out")
			p.at++
			o.touchLast()
			o.first = false
			continue
		case b == ',':
			p.at++
			o.comma, o.first = true, false
			continue
		case o.endsHere(b, place):
			return o.unclosed(place)
		case b == '"' && !o.comma && p.keyFollows():
			p.mend(fault.JSONComma, place, "a comma between two members was missing")
			o.touchLast()
		case !o.comma:
			p.fail(fault.JSONSyntax, "a comma or a closing brace should follow here")
			o.doubt()
			if v := o.recover(place, "", nil); v != nil {
				return v
			}
			continue
		}
		mended := !o.comma
		o.comma, o.first = false, false
		if done := o.member(place, mended); done != nil {
			return done
		}
		if p.err != nil || p.fatal() {
			return nil
		}
	}
}

// fatal says that the present fault can't be survived within the value.
func (p *parser) fatal() bool { return p.broken != nil && p.broken.code == fault.LimitNesting }

// member reads a member. It returns a value only where the object ends with it.
func (o *objectReader) member(place fault.Pos, mended bool) *value {
	p, v := o.parser, o.v
	var head [8]byte
	p.ahead(len(head) - 1)
	n := copy(head[:], p.window[p.at:])
	if b, _ := p.peek(); b != '"' {
		p.fail(fault.JSONSyntax, "a name in quotation marks should stand here")
		return o.recover(place, "", head[:n])
	}
	m := member{pos: place}
	p.last = place.Line
	var repaired, ok bool
	if m.name, repaired, ok = p.string(); !ok {
		return o.recover(place, "", head[:n])
	}
	m.name = p.intern(m.name)
	p.space()
	if b, ok := p.peek(); !ok {
		return o.cut()
	} else if b != ':' {
		p.fail(fault.JSONSyntax, "a colon should follow the name %q", m.name)
		return o.recover(place, m.name, head[:n])
	}
	p.stack[o.level-1].column = place.Column
	p.at++
	p.space()
	if b, _ := p.peek(); b == '[' {
		m.value = &value{kind: array, pos: p.pos(), compound: new(compound)}
		p.last = m.value.pos.Line
		if m.value = p.array(m.value, m.name == "@graph"); m.value != nil {
			m.value.end = p.offset()
		}
	} else {
		m.value = p.value(false)
	}
	switch {
	case p.err != nil || p.fatal():
		return nil
	case m.value == nil:
		return o.recover(place, m.name, nil)
	case m.value.kind == lost:
		o.lost(m.name)
		return nil
	}
	p.space()
	b, more := p.peek()
	if more && b == ':' && m.value.kind == text {
		// What was read as the value is the first name of an object without its brace.
		p.fail(fault.JSONBracket, "the brace before %q is missing", m.value.text)
		o.lost(m.name)
		return p.unopened(p.broken.pos)
	}
	if more && b != ',' && b != '}' && !o.endsHere(b, p.pos()) && !(b == '"' && p.keyFollows()) && !m.value.closed() {
		p.fail(fault.JSONSyntax, "a comma or a closing brace should follow the value of %q", m.name)
		return o.recover(place, m.name, nil)
	}
	if !more && m.value.kind == number {
		return o.cut()
	}
	m.value.repaired = m.value.repaired || repaired || mended
	if m.value.partial {
		v.partial = true
		if m.name == "@context" || m.name == "@value" || m.name == "@list" && m.value.kind == array && m.value.unclosed {
			o.dead = true
		}
	}
	o.add(m)
	return nil
}

// unopened reads an object whose first brace is missing and whose first name has been
// read, a colon being next; and loses it. What followed in the object around may have
// been taken for a part of it.
func (p *parser) unopened(began fault.Pos) *value {
	fell := p.broken
	p.broken = nil
	p.push(object)
	inner := objectReader{parser: p, v: &value{kind: object, pos: began, compound: new(compound)}, level: p.depth}
	p.at++
	value := p.value(false)
	if p.err != nil || p.fatal() {
		return nil
	}
	if value == nil {
		p.broken = nil
	}
	tell := p.notice
	p.notice = func(fault.Notice) {}
	inner.broken = true
	inner.read()
	p.notice = tell
	if p.err != nil || p.fatal() {
		return nil
	}
	p.broken = fell
	p.lose(began)
	return nil
}

// closed says that a value tells its own end.
func (v *value) closed() bool { return v.kind == array || v.kind == object }

// touchLast marks the last member as repaired.
func (o *objectReader) touchLast() {
	if n := len(o.v.members); n > 0 {
		o.v.members[n-1].value.repaired = true
	}
}

// doubt takes back the last member if only its end tells what it is.
func (o *objectReader) doubt() {
	if n := len(o.v.members); n > 0 && !o.v.members[n-1].value.closed() {
		o.lost(o.v.members[n-1].name)
		o.v.members = o.v.members[:n-1]
		o.seen = nil
	}
}

// lost notes that the member of a name is lost.
func (o *objectReader) lost(name string) {
	o.v.partial, o.broken = true, true
	if alias, ok := o.aliases[name]; ok {
		name = alias
	}
	switch {
	case name == "@type" || name == "type":
		o.typeless = true
	case name == "@graph":
	case name == "@id" || name == "id":
		o.nameless = true
	case len(name) > 0 && name[0] == '@':
		o.dead = true
	}
}

// add adds a sound member. Of two with one name, the later counts.
func (o *objectReader) add(m member) {
	v := o.v
	if m.value.kind == text && len(m.value.text) > 1 && m.value.text[0] == '@' && m.name != "" && m.name[0] != '@' && len(o.aliases) < 1000 {
		if o.aliases == nil {
			o.aliases = map[string]string{}
		}
		o.aliases[m.name] = m.value.text
	}
	// Few members: a scan is quicker than a map.
	old := -1
	if len(v.members) < 12 {
		for i := range v.members {
			if v.members[i].name == m.name {
				old = i
			}
		}
	} else {
		if o.seen == nil {
			o.seen = make(map[string]int, 2*len(v.members))
			for i := range v.members {
				o.seen[v.members[i].name] = i
			}
		}
		if i, found := o.seen[m.name]; found {
			old = i
		}
		o.seen[m.name] = len(v.members)
	}
	if old < 0 {
		v.members = append(v.members, m)
		return
	}
	o.duplicate(&v.members[old], &m)
	v.members[old] = m
	if o.seen != nil {
		o.seen[m.name] = old
	}
}

// endsHere says that the object must have ended before b, which no object holds: its
// brace is missing.
func (o *objectReader) endsHere(b byte, place fault.Pos) bool {
	switch b {
	case ']':
		return o.level > 1
	case '{':
		return o.inArray || o.level == 1 && place.Column == o.v.pos.Column && place.Line > o.v.pos.Line
	}
	return false
}

// unclosed ends an object without its brace. If its last member is an object, that
// one's brace may be the missing one, and the last is lost.
func (o *objectReader) unclosed(place fault.Pos) *value {
	p, v := o.parser, o.v
	p.broken, p.ate = nil, o.comma
	if o.dead || o.nameless { // the notice for that was given
		p.depth = o.level - 1
		return v
	}
	n := len(v.members)
	if n > 0 && v.members[n-1].value.closed() || o.broken || o.level == 1 {
		if n > 0 && v.members[n-1].value.closed() {
			o.lost(v.members[n-1].name)
			v.members = v.members[:n-1]
		} else if o.level == 1 {
			o.dead = true
		}
		p.fail(fault.JSONBracket, "a brace is missing before this place: an object that begins in line %d is not closed", v.pos.Line)
		p.broken.pos = place
		p.lose(place)
	} else {
		p.mend(fault.JSONBracket, place, "the brace that closes an object is missing")
		o.touchLast()
	}
	p.depth = o.level - 1
	return v
}

// cut ends an object that the end of the document cuts off. What was complete is
// kept if it is known what it is about.
func (o *objectReader) cut() *value {
	p, v := o.parser, o.v
	p.tellCut("the document ends within an object")
	if p.err != nil {
		return nil
	}
	p.depth = o.level - 1
	v.partial, o.dead = true, o.dead || !o.named()
	return v
}

// named says that it is known what the members are about, though not all were read.
func (o *objectReader) named() bool {
	named := o.v.get("@graph") != nil && o.level == 1
	for i := range o.v.members {
		name := o.v.members[i].name
		named = named || name == "@id" || name == "id" || o.aliases[name] == "@id"
	}
	return named && o.v.get("@value") == nil
}

// tellCut tells once that the document ends too early.
func (p *parser) tellCut(message string) {
	if p.err != nil {
		return
	}
	if p.broken == nil {
		p.fail(fault.JSONCutShort, "%s", message)
	}
	if p.cutTold {
		p.broken = nil
		return
	}
	p.cutTold = true
	p.lose(p.broken.pos)
}

// recover tells of the broken member that began at a place, and goes on behind it. It
// returns a value only where the object ends there. head is how the member began, if
// its name is not known.
func (o *objectReader) recover(began fault.Pos, name string, head []byte) *value {
	p := o.parser
	if p.err != nil || p.fatal() {
		return nil
	}
	o.lost(name)
	switch {
	case name != "":
	case bytes.Contains(head, []byte("@id")) || bytes.Contains(head, []byte("id")):
		o.nameless = true
	case bytes.Contains(head, []byte("@ty")):
		o.typeless = true
	case bytes.IndexByte(head, '@') >= 0:
		o.dead = true
	}
	if p.broken == nil {
		p.fail(fault.JSONSyntax, "this is not JSON")
	}
	where := p.resync(o.level, true)
	if where == atEnd {
		p.broken.code = fault.JSONCutShort
		p.tellCut("")
		p.broken = nil
		return o.cut()
	}
	p.lose(began)
	o.comma = where == atKey || where == atOuter
	if where == atComma {
		p.at++
		o.comma = true
		o.first = true // so that a brace may follow
	}
	return nil
}

// stop is where resync has come to.
type stop uint8

const (
	atEnd   stop = iota // of the document
	atComma             // of the object or array
	atClose             // its bracket, or one that closes what is around it
	atKey               // a name with its colon, at the beginning of a line
	atOuter             // what by its column belongs to what is around; see leftTo
	atOpen              // a brace at the beginning of a line
)

// resync passes over broken text, up to where the object or array level brackets deep
// goes on or ends.
func (p *parser) resync(level int, inObject bool) stop {
	p.keep = -1
	for {
		b, ok := p.peek()
		if !ok {
			p.depth = level
			return atEnd
		}
		p.began = max(p.began, p.offset()-p.maxBytes) // what is passed over needs no memory
		switch b {
		case '"':
			p.passString()
			continue
		case '\n':
			p.at++
			p.space()
			if where, found := p.layout(level, inObject); found {
				p.depth = level
				return where
			}
			continue
		case '{', '[':
			p.depth++
		case '}', ']':
			if p.depth <= level {
				p.depth = level
				return atClose
			}
			p.depth--
		case ',':
			if p.depth <= level {
				if !inObject || p.keyBehindComma() {
					p.depth = level
					return atComma
				}
			}
		}
		p.at++
	}
}

// disordered judges a closing bracket, or a name that begins a line, by the layout of
// the text, once something was wrong in it. True means that the bracket closes nothing;
// leftTo is set where it belongs to what is around.
func (p *parser) disordered(b byte, place fault.Pos, level int) bool {
	if !p.hurt || b != '}' && b != ']' && b != '"' {
		return false
	}
	top := p.stack[level-1]
	if place.Column == p.indent { // it is the first on its line
		if b != '"' || top.column != 0 && top.column != place.Column || top.kind == array {
			p.layout(level, top.kind == object && top.column == 0)
		}
		return false
	}
	return b != '"' && top.line != place.Line && level > 1
}

// layout judges by its column what stands first on a line in broken text: a name
// belongs to the object whose members begin in that column, a closing bracket to the
// one on whose line the first token does.
func (p *parser) layout(level int, inObject bool) (stop, bool) {
	b, _ := p.peek()
	column := p.pos().Column
	owner := 0
	switch {
	case b == '"' && p.keyFollows():
		for i := level; i > 0 && owner == 0; i-- {
			if p.stack[i-1].kind == object && p.stack[i-1].column == column {
				owner = i
			}
		}
		if owner == 0 && p.depth <= level && inObject {
			owner = level
		}
		if owner == level {
			return atKey, true
		}
	case b == '}' || b == ']':
		kind := object
		if b == ']' {
			kind = array
		}
		for i := level; i > 0 && owner == 0; i-- {
			if p.stack[i-1].kind == kind && p.stack[i-1].indent == column {
				owner = i
			}
		}
		if owner == level {
			return atClose, true
		}
	case b == '{' && (p.depth <= level && !inObject || column == 1):
		return atOpen, true
	case b == '{':
		// a node behind one that was broken
		for i := level; i > 0 && owner == 0; i-- {
			if i > 1 && p.stack[i-1].kind == object && p.stack[i-2].kind == array && p.stack[i-1].indent == column && p.stack[i-1].column > column {
				owner = i - 1
			}
		}
	}
	if owner == 0 {
		return 0, false
	}
	p.leftTo = owner
	return atOuter, true
}

// passString passes over a string, or to the end of its line.
func (p *parser) passString() {
	p.at++
	for {
		b, ok := p.peek()
		switch {
		case !ok || b == '\n':
			return
		case b == '"':
			p.at++
			return
		case b == '\\':
			if c, ok := p.ahead(1); ok && c != '\n' {
				p.at++
			}
		}
		p.at++
		p.began = max(p.began, p.offset()-p.maxBytes)
	}
}

// maxKeyAhead is how far a name is looked for.
const maxKeyAhead = 512

// keyFollows says that a string stands here, on one line, with a colon behind it.
func (p *parser) keyFollows() bool { return p.keyAt(0) }

func (p *parser) keyBehindComma() bool {
	n := 1
	for ; n < maxKeyAhead; n++ {
		b, ok := p.ahead(n)
		if !ok {
			return true
		}
		switch b {
		case ' ', '\t', '\n', '\r':
			continue
		case '"':
			return p.keyAt(n)
		}
		return b == '}'
	}
	return false
}

func (p *parser) keyAt(n int) bool {
	closed := false
	for n++; n < maxKeyAhead; n++ {
		b, ok := p.ahead(n)
		switch {
		case !ok || b == '\n' && !closed:
			return false
		case closed && b == ':':
			return true
		case closed && b != ' ' && b != '\t' && b != '\n' && b != '\r':
			return false
		case b == '\\':
			n++
		case b == '"':
			closed = true
		}
	}
	return false
}
