package xmltext

import (
	"fmt"
	"html"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// entity is a general entity that the document declares.
type entity struct {
	value    []byte // replacement text, line ends normalised
	external bool   // its text is elsewhere, and is not loaded
	plain    bool   // value holds neither references nor markup
	open     bool   // it is being expanded
	badName  bool   // XML allows no such name
}

// reference is what is at an &.
type reference struct {
	size      int    // 0 if more text is needed to decide
	name      []byte // of a general entity; nil else
	char      rune   // of a character reference
	character bool
	unclosed  bool // the semicolon is missing
	pair      bool // two surrogates, taken together
}

// longestName is how long the name of an entity can be; beyond, an & is taken for itself.
const longestName = 256

// parseReference reads the reference at the beginning of b, which holds all there
// is if whole. An & that begins none is a reference without name and character.
func parseReference(b []byte, whole bool) (ref reference) {
	if len(b) > 1 && b[1] == '#' {
		char, n, ok := parseCharacter(b)
		if n == len(b) && !whole {
			return reference{}
		}
		if !ok {
			return reference{size: 1}
		}
		ref = reference{size: n, char: char, character: true, unclosed: b[n-1] != ';'}
		if char>>10 == 0xD800>>10 {
			low, m, ok := parseCharacter(b[n:])
			if n+m == len(b) && !whole {
				return reference{}
			}
			if ok && low>>10 == 0xDC00>>10 {
				ref.size, ref.pair = n+m, true
				ref.char = (char-0xD800)<<10 + (low - 0xDC00) + 0x10000
			}
		}
		return ref
	}
	n := 1
	for n < len(b) && n < longestName && class[b[n]]&nameByte != 0 {
		n++
	}
	switch {
	case n == len(b) && !whole:
		return reference{}
	case n == len(b) || b[n] != ';' || n == 1 || class[b[1]]&nameStart == 0:
		return reference{size: 1}
	}
	return reference{size: n + 1, name: b[1:n]}
}

// parseCharacter reads a character reference. n is how much was looked at: the
// whole of b if it ends before the reference does.
func parseCharacter(b []byte) (char rune, n int, ok bool) {
	if len(b) < 2 || b[0] != '&' || b[1] != '#' {
		if len(b) < 2 && (len(b) == 0 || b[0] == '&') {
			return 0, len(b), false
		}
		return 0, 0, false
	}
	n = 2
	base := rune(10)
	if n < len(b) && (b[n] == 'x' || b[n] == 'X') {
		base = 16
		n++
	}
	for ; n < len(b); n++ {
		digit := rune(255)
		switch c := b[n]; {
		case '0' <= c && c <= '9':
			digit = rune(c - '0')
		case base == 16 && 'a' <= c|0x20 && c|0x20 <= 'f':
			digit = rune(c|0x20-'a') + 10
		}
		if digit == 255 {
			break
		}
		char = min(char*base+digit, utf8.MaxRune+1)
		ok = true
	}
	if n < len(b) && b[n] == ';' && ok {
		n++
	}
	return char, n, ok
}

// judge says what is wrong with a reference that names no entity; lost if nothing
// can be made of it. A finding without a message is none.
func (ref *reference) judge() (f finding, lost bool) {
	switch {
	case !ref.character:
		return finding{code: fault.XMLBareAmpersand, message: "an & stands for itself; it should have been written &amp;"}, false
	case ref.pair:
		return finding{code: fault.XMLBadCharacter, message: "two references to surrogates were taken for the one character that they " +
			"make in UTF-16"}, false
	case ref.char > utf8.MaxRune || ref.char>>11 == 0xD800>>11:
		return finding{code: fault.XMLBadCharacter, message: "a reference names a character that does not exist"}, true
	case forbidden(ref.char):
		return finding{code: fault.XMLControl, message: "a reference names a control character that XML 1.0 forbids; it was kept"}, false
	case ref.unclosed:
		return finding{code: fault.XMLBadCharacter, message: "a character reference has no semicolon"}, false
	}
	return finding{}, false
}

// appendText appends what a sound reference that names no entity stands for.
func (ref *reference) appendText(dst []byte) []byte {
	if !ref.character {
		return append(dst, '&')
	}
	return utf8.AppendRune(dst, ref.char)
}

// lookUp finds what a reference to an entity stands for, and counts it. In an
// attribute's value at its start, what Options.Entity knows counts too.
func (r *Reader) lookUp(name []byte, valueStart bool) (text []byte, e *entity, f finding) {
	switch string(name) {
	case "lt":
		return []byte("<"), nil, finding{}
	case "gt":
		return []byte(">"), nil, finding{}
	case "amp":
		return []byte("&"), nil, finding{}
	case "quot":
		return []byte(`"`), nil, finding{}
	case "apos":
		return []byte("'"), nil, finding{}
	}
	e = r.entities[string(name)]
	switch {
	case e == nil:
		if valueStart && r.opt.Entity != nil {
			if meaning, ok := r.opt.Entity(string(name)); ok {
				return []byte(meaning), nil, finding{code: fault.XMLNamespaceEntity, severity: fault.Repair,
					message: fmt.Sprintf("the entity &%s; is not declared; it was taken for <%s>", name, meaning)}
			}
		}
		whole := "&" + string(name) + ";"
		if meaning := html.UnescapeString(whole); meaning != whole && isOneReference(meaning) {
			return []byte(meaning), nil, finding{code: fault.XMLHTMLEntity, severity: fault.Repair,
				message: fmt.Sprintf("the entity &%s; is one of HTML, and not declared here; it was taken for its character", name)}
		}
		return nil, nil, r.unknownEntity(name)
	case e.external:
		return nil, nil, finding{code: fault.XMLExternalEntity, severity: fault.Drop,
			message: fmt.Sprintf("the text of the entity &%s; is outside the document, and is not loaded", name)}
	case e.open:
		return nil, nil, finding{code: fault.XMLBadEntity, severity: fault.Drop,
			message: fmt.Sprintf("the entity &%s; holds itself", name)}
	}
	if r.expands(len(e.value)) {
		return nil, nil, finding{code: fault.LimitEntities, severity: fault.Drop,
			message: fmt.Sprintf("entities expand to more than they may; &%s; and what comes after it is lost", name)}
	}
	if e.badName {
		f = finding{code: fault.XMLBadName, severity: fault.Repair,
			message: fmt.Sprintf("&%s; has a name that XML does not allow; it was taken for the entity that the document declares so",
				name)}
	}
	return e.value, e, f
}

// unended judges what follows the & that a value begins with, where no semicolon ends its name. The
// name of an entity that the document declares is one. Where such a name begins it, nobody knows where
// that ends.
func (r *Reader) unended(raw []byte) (name []byte, f finding) {
	n := 0
	for n < len(raw) && n < longestName && class[raw[n]]&nameByte != 0 {
		n++
	}
	if n == 0 || len(r.entities) == 0 {
		return nil, finding{}
	}
	if _, ok := r.entities[string(raw[:n])]; ok {
		return raw[:n], finding{code: fault.XMLBadEntity, severity: fault.Repair,
			message: fmt.Sprintf("the reference &%s has no semicolon; it was read as if it had", raw[:n])}
	}
	for short := n - 1; short > 1; short-- {
		if _, ok := r.entities[string(raw[:short])]; ok {
			return nil, finding{code: fault.XMLBadEntity, severity: fault.Drop,
				message: fmt.Sprintf("the reference &%s has no semicolon after it, so that nobody knows where its name ends", raw[:short])}
		}
	}
	return nil, finding{}
}

// expands counts what a reference expands to; true if that is more than all may.
func (r *Reader) expands(bytes int) bool {
	r.expanded += int64(bytes) + 1
	return r.expanded > int64(r.opt.MaxEntity)+amplification*r.EndOffset()
}

// isOneReference distinguishes an entity that HTML knows by its whole name ("&eacute;") from
// one of which it knows the beginning ("&copyright;").
func isOneReference(meaning string) bool {
	return meaning[len(meaning)-1] != ';' && utf8.RuneCountInString(meaning) <= 2
}

// expandValue appends the value of an attribute to the scratch buffer, references expanded, white space
// as spaces (XML 1.0 §3.3.3). If raw is the text of an entity, within is that entity.
func (r *Reader) expandValue(raw []byte, attr *Attr, within *entity) {
	start := len(r.scratch)
	for i := 0; i < len(raw); {
		from := i
		for i < len(raw) && class[raw[i]]&delicate == 0 {
			i++
		}
		r.scratch = append(r.scratch, raw[from:i]...)
		if i == len(raw) {
			return
		}
		switch c := raw[i]; {
		case c == '&':
			at := -1
			if within == nil {
				at = attr.ValueAt + i
			}
			size, ok := r.valueReference(raw[i:], attr, at, within == nil && len(r.scratch) == start)
			if !ok {
				return
			}
			i += size
		case c == '\r' && i+1 < len(raw) && raw[i+1] == '\n':
			r.scratch = append(r.scratch, ' ')
			i += 2
		case class[c]&space != 0:
			r.scratch = append(r.scratch, ' ')
			i++
		case c == '<':
			f := r.repairValue(attr, fault.XMLBareLess, "a < is in the value of an attribute; it should have been written &lt;")
			if within == nil {
				r.editIn(f, attr.ValueAt+i, attr.ValueAt+i+1, "&lt;")
			}
			r.scratch = append(r.scratch, c)
			i++
		case c == 0xEF && !isNoncharacter(raw[i:]):
			r.scratch = append(r.scratch, c)
			i++
		default:
			n := 1
			if c == 0xEF {
				n = 3
			}
			r.repairValue(attr, fault.XMLControl, "XML 1.0 forbids a control character in this value; it was kept")
			r.scratch = append(r.scratch, raw[i:i+n]...)
			i += n
		}
	}
}

// repairValue reports a repair in the value of an attribute. One notice of each kind will do for one value.
func (r *Reader) repairValue(attr *Attr, code fault.Code, message string) *finding {
	attr.Repaired = true
	for i := range r.faults {
		if f := &r.faults[i]; f.code == code && f.at == attr.ValueAt {
			return f
		}
	}
	r.repair(code, attr.ValueAt, message)
	return &r.faults[len(r.faults)-1]
}

// valueReference appends what the reference means with which raw begins, in the value of an attribute. It
// returns the length of the reference. It is not ok if the value is lost. at is its place in the token; -1 in the text
// of an entity.
func (r *Reader) valueReference(raw []byte, attr *Attr, at int, valueStart bool) (size int, ok bool) {
	ref := parseReference(raw, true)
	if valueStart && !ref.character && ref.name == nil {
		name, f := r.unended(raw[1:])
		if f.severity == fault.Drop {
			r.lose(f.code, attr.ValueAt, f.message)
			return 0, false
		}
		if len(name) > 0 {
			r.editIn(r.repairValue(attr, f.code, f.message), at+1+len(name), at+1+len(name), ";")
			ref.name, ref.size = name, 1+len(name)
		}
	}
	if ref.name != nil {
		r.valueEntity(&ref, attr, at, valueStart)
		return ref.size, !attr.faulty
	}
	f, lost := ref.judge()
	if lost {
		r.lose(f.code, attr.ValueAt, f.message)
		return 0, false
	}
	if f.message != "" {
		if told := r.repairValue(attr, f.code, f.message); at >= 0 {
			editReference(r, told, at, &ref)
		}
	}
	r.scratch = ref.appendText(r.scratch)
	return ref.size, true
}

// valueEntity appends the text of an entity to the value of an attribute.
func (r *Reader) valueEntity(ref *reference, attr *Attr, at int, valueStart bool) {
	text, e, f := r.lookUp(ref.name, valueStart)
	if f.code != "" && f.severity != fault.Drop {
		if told := r.repairValue(attr, f.code, f.message); at >= 0 {
			editEntity(r, told, at, ref.size, text)
		}
	}
	switch {
	case f.severity == fault.Drop:
		r.lose(f.code, attr.ValueAt, f.message)
	case e == nil:
		r.scratch = append(r.scratch, text...)
	case len(r.scratch)+len(text) > r.opt.MaxToken:
		r.lose(fault.LimitToken, attr.ValueAt, "the values of the attributes of a tag are too long")
	case e.plain:
		for _, b := range text {
			if class[b]&space != 0 {
				b = ' '
			}
			r.scratch = append(r.scratch, b)
		}
	default:
		e.open = true
		r.expandValue(text, attr, e)
		e.open = false
	}
}
