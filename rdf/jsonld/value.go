package jsonld

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// value is a JSON value that knows its place. encoding/json keeps neither places
// nor the order of members nor bytes that are not UTF-8, all of which are needed here.
type value struct {
	kind     kind
	repaired bool   // the text was wrong here, and mended
	text     string // of a string, decoded; of a number, as written
	items    []*value
	members  []member
	index    map[string]int // of members by name, once many have been asked for
	pos      fault.Pos
	end      int64 // the offset behind the value
}

type member struct {
	name  string
	pos   fault.Pos
	value *value
}

type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	array
	object
)

var kindNames = [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}

func (v *value) isNull() bool { return v == nil || v.kind == null }

// get finds a member of an object; nil if there is none.
func (v *value) get(name string) *value {
	if v == nil {
		return nil
	}
	if len(v.members) > 16 {
		if v.index == nil {
			v.index = make(map[string]int, len(v.members))
			for i := range v.members {
				v.index[v.members[i].name] = i
			}
		}
		if i, ok := v.index[name]; ok {
			return v.members[i].value
		}
		return nil
	}
	for i := range v.members {
		if v.members[i].name == name {
			return v.members[i].value
		}
	}
	return nil
}

// list is the items of an array, or the value itself as the only one.
func (v *value) list() []*value {
	if v.kind == array {
		return v.items
	}
	return []*value{v}
}

// sample shows the beginning of a value as JSON, for a notice.
func (v *value) sample() string {
	var b strings.Builder
	v.write(&b)
	return fault.Excerpt([]byte(b.String()))
}

func (v *value) write(b *strings.Builder) {
	if b.Len() > fault.MaxExcerpt {
		return
	}
	switch v.kind {
	case null:
		b.WriteString("null")
	case text:
		b.WriteByte('"')
		b.WriteString(v.text)
		b.WriteByte('"')
	case array:
		b.WriteByte('[')
		for i, item := range v.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
			if b.Len() > fault.MaxExcerpt {
				return
			}
		}
		b.WriteByte(']')
	case object:
		b.WriteByte('{')
		for i := range v.members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteByte('"')
			b.WriteString(v.members[i].name)
			b.WriteString(`":`)
			v.members[i].value.write(b)
			if b.Len() > fault.MaxExcerpt {
				return
			}
		}
		b.WriteByte('}')
	default:
		b.WriteString(v.text)
	}
}

// same says that two values mean the same; numbers are compared as written.
func same(a, b *value) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.kind != b.kind || a.text != b.text || len(a.items) != len(b.items) || len(a.members) != len(b.members) {
		return false
	}
	for i := range a.items {
		if !same(a.items[i], b.items[i]) {
			return false
		}
	}
	for i := range a.members {
		other := b.get(a.members[i].name)
		if other == nil || !same(a.members[i].value, other) {
			return false
		}
	}
	return true
}

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
	v := &value{pos: p.pos()}
	p.last = v.pos.Line
	switch {
	case b == '{':
		v.kind = object
		v = p.object(v)
	case b == '[':
		v.kind = array
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
			m.value = &value{kind: array, pos: p.pos()}
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

// word reads true, false and null, and the NaN and Infinity that JSON does not have
// but many programs write.
func (p *parser) word(v *value) *value {
	start, n := p.at, 0
	for ; n < 12; n++ {
		b, ok := p.peek()
		if !ok || !('a' <= b && b <= 'z' || 'A' <= b && b <= 'Z') {
			break
		}
		p.at++
		start = p.at - n - 1 // the window may have moved
	}
	word := string(p.window[start:p.at])
	switch word {
	case "null":
		v.kind = null
	case "true", "false":
		v.kind, v.text = boolean, word
	case "NaN", "Infinity":
		return p.notANumber(v, word)
	default:
		p.at = max(start, p.knownAt)
		return p.fail(fault.JSONSyntax, "a value should stand here")
	}
	return v
}

func (p *parser) notANumber(v *value, word string) *value {
	v.kind, v.text, v.repaired = number, strings.Replace(word, "Infinity", "INF", 1), true
	p.mend(fault.JSONNumber, v.pos, "JSON has no number %s; it is read as the xsd:double %s", word, v.text)
	return v
}

// number reads what RFC 8259 §6 calls a number.
func (p *parser) number(v *value) *value {
	p.keep = p.at
	digits := func() (n int) {
		for b, ok := p.peek(); ok && '0' <= b && b <= '9'; b, ok = p.peek() {
			p.at++
			n++
		}
		return n
	}
	if p.window[p.at] == '-' {
		p.at++
		if b, _ := p.peek(); b == 'I' {
			p.keep = -1
			if inner := p.word(&value{pos: v.pos}); inner == nil || inner.text != "INF" {
				return p.fail(fault.JSONSyntax, "a value should stand here")
			}
			v.text, v.repaired = "-INF", true
			return v
		}
	}
	sound := true
	if b, _ := p.peek(); b == '0' {
		p.at++
	} else {
		sound = digits() > 0
	}
	if b, _ := p.peek(); sound && b == '.' {
		p.at++
		sound = digits() > 0
	}
	if b, _ := p.peek(); sound && (b == 'e' || b == 'E') {
		p.at++
		if b, _ := p.peek(); b == '+' || b == '-' {
			p.at++
		}
		sound = digits() > 0
	}
	v.text = string(p.window[p.keep:p.at])
	p.keep = -1
	if b, ok := p.peek(); !sound || ok && ('0' <= b && b <= '9' || b == '.' || b == '_' || 'a' <= b|0x20 && b|0x20 <= 'z') {
		return p.fail(fault.JSONSyntax, "%s is not the beginning of a JSON number", v.text)
	}
	return v
}

// string reads a string, the quotation mark being next. A raw control character in
// it is mended if the string is plainly closed: a comma, colon or bracket follows.
func (p *parser) string() (decoded string, repaired, ok bool) {
	began := p.pos()
	p.at++
	p.keep = p.at
	defer func() { p.keep = -1 }()
	line, control, escaped := -1, false, false // line: of the first raw line end, from keep
	for {
		b, more := p.peek()
		if !more {
			return p.unclosed(began, line)
		}
		if b == '"' {
			break
		}
		switch {
		case b == '\\':
			escaped = true
			p.at++
			if _, more = p.peek(); !more {
				return p.unclosed(began, line)
			}
		case b == '\n' && line < 0:
			line, control = p.at-p.keep, true
		case b < 0x20:
			control = true
		}
		p.at++
	}
	raw := p.window[p.keep:p.at]
	p.at++
	if control {
		n := len(raw) + 1
		p.space()
		raw = p.window[p.keep : p.keep+n-1]
		if b, more := p.peek(); more && (b != ',' && b != ':' && b != '}' && b != ']') {
			return p.unclosed(began, line)
		}
		p.mend(fault.JSONControl, began, "a control character in a string should be written as an escape")
	}
	if !escaped {
		return string(raw), control, true
	}
	decoded, apostrophe, bad := p.unescape(raw)
	if bad >= 0 {
		p.fail(fault.JSONSyntax, "%q is no escape in a JSON string", string(raw[bad:min(bad+2, len(raw))]))
		p.broken.pos = began
		return "", false, false
	}
	if apostrophe {
		p.mend(fault.JSONEscape, began, `\' is no escape in a JSON string; it is read as an apostrophe`)
	}
	return decoded, control || apostrophe, true
}

// unclosed tells of a string without an end. What follows its first line, which
// begins line bytes behind keep, is looked at again.
func (p *parser) unclosed(began fault.Pos, line int) (string, bool, bool) {
	switch {
	case p.err != nil:
	case line >= 0 && p.keep+line >= p.knownAt:
		p.at = p.keep + line
		fallthrough
	case line >= 0:
		p.fail(fault.JSONSyntax, "the string that begins in line %d, column %d, is not closed", began.Line, began.Column)
	default:
		p.fail(fault.JSONCutShort, "the document ends within the string that begins in line %d, column %d", began.Line, began.Column)
	}
	return "", false, false
}

// unescape decodes the escapes of a string (RFC 8259 §7). Half of a surrogate pair
// becomes the three bytes that UTF-8 forbids, for package clean to judge. bad is the
// index of an escape that there is not, or -1.
func (p *parser) unescape(raw []byte) (decoded string, apostrophe bool, bad int) {
	out := p.scratch[:0]
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			i++
			continue
		}
		if i+1 >= len(raw) {
			return "", false, i
		}
		switch c := raw[i+1]; c {
		case '"', '\\', '/':
			out = append(out, c)
		case '\'':
			out, apostrophe = append(out, c), true
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, ok := hex4(raw[i+2:])
			if !ok {
				return "", false, i
			}
			if 0xD800 <= r && r < 0xDC00 && i+12 <= len(raw) && raw[i+6] == '\\' && raw[i+7] == 'u' {
				if low, ok := hex4(raw[i+8:]); ok && 0xDC00 <= low && low < 0xE000 {
					r = 0x10000 + (r-0xD800)<<10 + (low - 0xDC00)
					i += 6
				}
			}
			if 0xD800 <= r && r < 0xE000 {
				out = append(out, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
			} else {
				out = utf8.AppendRune(out, r)
			}
			i += 4
		default:
			return "", false, i
		}
		i += 2
	}
	p.scratch = out
	return string(out), apostrophe, -1
}

func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
