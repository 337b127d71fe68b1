package xmltext

import (
	"bytes"
	"context"
	"fmt"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// defaultAttrs are those that the start tags of an element have without naming them.
type defaultAttrs struct {
	list  []defaultAttr
	named map[string]bool
}

type defaultAttr struct {
	name []byte
	raw  []byte // its value, references not expanded
	odd  bool   // its name holds bytes beyond ASCII
}

func isNotASCII(c rune) bool { return c >= utf8.RuneSelf }

// doctype reads the document type declaration at the start of the window, with its
// internal subset, declaration by declaration. What it declares outside of the
// document is not loaded.
func (r *Reader) doctype(ctx context.Context) error {
	if len(r.outer) > 0 || r.sawRoot || r.sawDoctype {
		f := finding{code: fault.XMLBadMarkup, severity: fault.Repair, message: "a document type is where none may; it was read all " +
			"the same"}
		if err := r.need(ctx, lookahead); err != nil {
			return err
		}
		r.out.Notice(r.notice(&f, lookahead))
	}
	r.sawDoctype = true
	n, subset, err := r.doctypeHead(ctx)
	if err != nil || n < 0 {
		return err
	}
	r.pos = r.start + n
	for subset {
		if subset, err = r.subsetItem(ctx); err != nil {
			return err
		}
	}
	return nil
}

// doctypeHead reads up to the internal subset, or to the end if there is none.
func (r *Reader) doctypeHead(ctx context.Context) (n int, subset bool, err error) {
	for {
		b, whole := r.whole(r.opt.MaxToken)
		i := 9
		for i < len(b) && b[i] != '[' && b[i] != '>' && b[i] != '<' {
			if b[i] == '"' || b[i] == '\'' {
				k := bytes.IndexByte(b[i+1:], b[i])
				if k < 0 {
					i = len(b)
					break
				}
				i += k + 1
			}
			i++
		}
		if i < len(b) {
			head := b[9:i]
			r.external = r.external || bytes.Contains(head, []byte("SYSTEM")) || bytes.Contains(head, []byte("PUBLIC"))
			if b[i] == '<' {
				r.repair(fault.XMLUnclosedTag, 0, "the document type has no > before the next tag begins")
				r.edit(i, i, ">")
				r.report(i)
				return i, false, nil
			}
			return i + 1, b[i] == '[', nil
		}
		if whole {
			_, err := r.incomplete(ctx, "the document type")
			return -1, false, err
		}
		if _, err := r.grow(ctx); err != nil {
			return -1, false, err
		}
	}
}

// subsetItem reads one thing of the internal subset; false after its end.
func (r *Reader) subsetItem(ctx context.Context) (more bool, err error) {
	r.clear()
	if r.cur.offset <= r.offset(r.pos) && len(r.outer) == 0 {
		r.mark = r.cur
	}
	r.start = r.pos
	if err := r.need(ctx, lookahead); err != nil {
		return false, err
	}
	b := r.window()
	switch {
	case len(b) == 0:
		r.cut = Cut{Inside: "the document type", Pos: r.Pos()}
		return false, nil
	case class[b[0]]&space != 0:
		n := 1
		for n < len(b) && class[b[n]]&space != 0 {
			n++
		}
		r.pos += n
		return true, nil
	case b[0] == ']' && len(r.outer) > 0: // which ends nothing in a parameter entity
		r.pos++
		return true, nil
	case b[0] == ']':
		n, err := r.find(ctx, 1, ">")
		if err != nil || n < 0 {
			_, err = r.missing(ctx, "the document type", err)
			return false, err
		}
		r.pos = r.start + n
		return false, nil
	case bytes.HasPrefix(b, []byte("<!--")):
		return true, r.pass(ctx, 4, "-->", "a comment")
	case bytes.HasPrefix(b, []byte("<?")):
		return true, r.pass(ctx, 2, "?>", "a processing instruction")
	case bytes.HasPrefix(b, []byte("<!")):
		return r.declare(ctx)
	case b[0] == '<':
		f := finding{code: fault.XMLBadMarkup, severity: fault.Repair, message: "the document type is not closed before the first tag"}
		r.out.Notice(r.notice(&f, lookahead))
		return false, nil
	case b[0] == '%':
		return r.parameter(ctx)
	default:
		f := finding{code: fault.XMLBadMarkup, severity: fault.Repair, message: "something in the document type isn't a declaration; it " +
			"was left out"}
		r.out.Notice(r.notice(&f, lookahead))
		return true, r.skipJunk(ctx)
	}
}

// parameter reads the declarations that a reference to a parameter entity stands for (XML 1.0 §4.4.8), if the
// document declares that.
func (r *Reader) parameter(ctx context.Context) (more bool, err error) {
	b := r.window()
	n := 1
	for n < len(b) && class[b[n]]&nameByte != 0 {
		n++
	}
	e := r.parameters[string(b[1:n])]
	whole := n < len(b) && b[n] == ';'
	f := finding{code: fault.XMLExternalEntity, severity: fault.Warning}
	switch {
	case e == nil || e.external:
		f.message = "a parameter entity was skipped; its declarations are not known"
	case !whole || e.open:
		f.message = "a reference to a parameter entity has no semicolon, or is in that entity; its declarations are not known"
	case r.expands(len(e.value)):
		f.code, f.message = fault.LimitEntities, "parameter entities expand to more than they may; what this one and those after it "+
			"declare is not known"
	}
	if f.message != "" || r.spent {
		if !r.spent {
			r.out.Notice(r.notice(&f, lookahead))
		}
		r.spent = r.spent || f.code == fault.LimitEntities
		r.external = true
		if r.pos += n; whole {
			r.pos++
		}
		return true, nil
	}
	r.pos += n + 1
	e.open = true
	r.outer = append(r.outer, input{r.buf, r.start, r.pos, r.end, e})
	r.buf, r.start, r.pos, r.end = e.value, 0, 0, len(e.value)
	for more = true; more && err == nil && r.pos < r.end; {
		more, err = r.subsetItem(ctx)
	}
	r.leave()
	return true, err
}

// skipJunk moves on to what could be a declaration or the end of the subset.
func (r *Reader) skipJunk(ctx context.Context) error {
	for {
		if i := bytes.IndexAny(r.window(), "<]%"); i >= 0 {
			r.pos = r.start + i
			return nil
		}
		r.start, r.pos = r.end, r.end
		if more, err := r.grow(ctx); !more {
			return err
		}
	}
}

// declare reads a markup declaration: ENTITY and ATTLIST count, the others are skipped.
func (r *Reader) declare(ctx context.Context) (bool, error) {
	for {
		b, whole := r.whole(r.opt.MaxToken)
		n, broken := declarationLength(b, whole)
		if broken {
			r.repair(fault.XMLBadMarkup, 0, "a value in a declaration has no closing quotation mark; its declaration is not known")
			r.report(n)
			r.pos = r.start + n
			return true, nil
		}
		if n < 0 {
			if !whole {
				if _, err := r.grow(ctx); err != nil {
					return false, err
				}
				continue
			}
			token, err := r.incomplete(ctx, "a declaration")
			if token && r.lost != nil {
				r.lost.Lost = 0
				r.out.Notice(*r.lost)
			}
			return err == nil && r.pos < r.end, err
		}
		r.pos = r.start + n
		if b[n-1] != '>' {
			r.repair(fault.XMLUnclosedTag, 0, "a declaration has no > before the next begins")
			r.edit(n, n, ">")
			r.report(n)
			n++ // so that the text of the declaration is b[:n-1] either way
		}
		text := declarationText{b[2 : n-1]}
		switch string(text.word()) {
		case "ENTITY":
			r.declareEntity(&text, n)
		case "ATTLIST":
			r.declareDefaults(&text)
		}
		return true, nil
	}
}

// declarationLength is the length of the declaration at the beginning of b; -1 if it does not end
// there. If whole is true, b holds all there is. One that runs into the next ends before it. The
// quotation mark after a value is missing if broken is true: what would be that mark is in the
// middle of something else.
func declarationLength(b []byte, whole bool) (n int, broken bool) {
	for i := 2; i < len(b); i++ {
		switch b[i] {
		case '>':
			return i + 1, false
		case '<':
			return i, false
		case '"', '\'':
			k := bytes.IndexByte(b[i+1:], b[i])
			after := i + 1 + k + 1
			if k < 0 && !whole || k >= 0 && after == len(b) {
				return -1, false
			}
			if k < 0 || b[after] != '>' && class[b[after]]&space == 0 {
				end := bytes.IndexAny(b[i+1:], "<>")
				if end < 0 {
					return -1, false
				}
				if end += i + 1; b[end] == '>' {
					end++
				}
				return end, true
			}
			i += k + 1
		}
	}
	return -1, false
}

// declarationText is what is not read yet of a declaration.
type declarationText struct{ rest []byte }

// word reads a name, a bracketed list or another run without spaces; nil at the end.
func (d *declarationText) word() []byte {
	d.rest = bytes.TrimLeft(d.rest, " \t\r\n")
	n := 0
	if len(d.rest) > 0 && d.rest[0] == '(' {
		if n = bytes.IndexByte(d.rest, ')') + 1; n == 0 {
			n = len(d.rest)
		}
	}
	for n < len(d.rest) && class[d.rest[n]]&space == 0 && d.rest[n] != '"' && d.rest[n] != '\'' {
		n++
	}
	word := d.rest[:n]
	d.rest = d.rest[n:]
	return word
}

// quoted reads a literal in quotation marks; false if there is none.
func (d *declarationText) quoted() ([]byte, bool) {
	d.rest = bytes.TrimLeft(d.rest, " \t\r\n")
	if len(d.rest) == 0 || d.rest[0] != '"' && d.rest[0] != '\'' {
		return nil, false
	}
	n := bytes.IndexByte(d.rest[1:], d.rest[0])
	if n < 0 {
		return nil, false
	}
	value := d.rest[1 : n+1]
	d.rest = d.rest[n+2:]
	return value, true
}

// declareEntity keeps an entity, general or parameter; the first declaration of a name counts.
func (r *Reader) declareEntity(text *declarationText, n int) {
	name, all := text.word(), &r.entities
	if string(name) == "%" {
		name, all = text.word(), &r.parameters
	}
	if len(name) == 0 {
		return
	}
	e := &entity{badName: isBadName(name)}
	if e.badName {
		f := finding{code: fault.XMLBadName, severity: fault.Repair, message: fmt.Sprintf("%s isn't a name that XML allows for an entity; "+
			"it was taken as it is", name)}
		r.out.Notice(r.notice(&f, n))
	}
	if value, ok := text.quoted(); ok {
		e.value = replacementText(value)
		e.plain = !bytes.ContainsAny(e.value, "&<") && !hasForbidden(e.value)
	} else {
		e.external = true
	}
	if _, ok := (*all)[string(name)]; ok || !r.declares(len(name)+len(e.value), n) {
		return
	}
	if *all == nil {
		*all = map[string]*entity{}
	}
	(*all)[string(name)] = e
}

// declares counts what a declaration takes; false, with a notice the first time, when it is too much.
func (r *Reader) declares(bytes, n int) bool {
	const overhead = 64
	before := r.declared
	if before <= r.opt.MaxEntity {
		r.declared += bytes + overhead
	}
	if r.declared <= r.opt.MaxEntity {
		return true
	}
	if before <= r.opt.MaxEntity {
		f := finding{code: fault.LimitEntities, severity: fault.Warning,
			message: fmt.Sprintf("the declarations of the document type take more than %d bytes; those from here on are not known",
				r.opt.MaxEntity)}
		r.out.Notice(r.notice(&f, n))
	}
	return false
}

// replacementText makes the text of an entity from its literal (XML 1.0 §4.5):
// character references are expanded, those to entities stay.
func replacementText(literal []byte) []byte {
	text := make([]byte, 0, len(literal))
	for i := 0; i < len(literal); {
		switch c := literal[i]; {
		case c == '\r':
			text = append(text, '\n')
			if i++; i < len(literal) && literal[i] == '\n' {
				i++
			}
			continue
		case c == '&':
			ref := parseReference(literal[i:], true)
			if _, lost := ref.judge(); ref.character && !lost {
				text = ref.appendText(text)
				i += ref.size
				continue
			}
		}
		text = append(text, literal[i])
		i++
	}
	return text
}

func hasForbidden(text []byte) bool {
	for i, b := range text {
		if b < 0x20 && class[b]&space == 0 || b == '\r' || isNoncharacter(text[i:]) {
			return true
		}
	}
	return false
}

// declareDefaults keeps the default values of an attribute list.
func (r *Reader) declareDefaults(text *declarationText) {
	element := string(text.word())
	for {
		name := text.word()
		if len(name) == 0 {
			return
		}
		if kind := text.word(); string(kind) == "NOTATION" {
			text.word()
		}
		value, ok := text.quoted()
		if !ok {
			if string(text.word()) != "#FIXED" {
				continue
			}
			if value, ok = text.quoted(); !ok {
				return
			}
		}
		d := r.defaults[element]
		if d != nil && d.named[string(name)] || !r.declares(len(element)+len(name)+len(value), r.pos-r.start) {
			continue
		}
		if r.defaults == nil {
			r.defaults = map[string]*defaultAttrs{}
		}
		if d == nil {
			d = &defaultAttrs{named: map[string]bool{}}
			r.defaults[element] = d
		}
		d.named[string(name)] = true
		d.list = append(d.list, defaultAttr{bytes.Clone(name), bytes.Clone(value), bytes.ContainsFunc(name, isNotASCII)})
	}
}

// applyDefaultAttrs adds the attributes that the start tag of an element has without naming them. They count as what
// entities expand to: the first that is too much is lost, and those after it are left out.
func (r *Reader) applyDefaultAttrs(element []byte) {
	d := r.defaults[string(element)]
	if d == nil {
		return
	}
	for i := range d.list {
		name, raw := d.list[i].name, d.list[i].raw
		r.odd = r.odd || d.list[i].odd
		var attr Attr
		attr.Prefix, attr.Local = splitName(name)
		if r.sameName(&attr, name) >= 0 {
			continue
		}
		r.attrs = append(r.attrs, attr)
		if r.expands(len(name) + len(raw)) {
			r.lose(fault.LimitEntities, 0, fmt.Sprintf("the default values of attributes make more than they may; that of %s, and what "+
				"comes after it, is lost", name))
			return
		}
		r.setValue(raw)
	}
}
