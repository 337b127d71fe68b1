package xmltext

import (
	"bytes"
	"context"
	"fmt"

	"laundromat/internal/fault"
)

// Attr is an attribute of a start tag.
type Attr struct {
	Prefix, Local []byte
	// Value has its references expanded and its white space normalised as that of
	// an attribute of type CDATA.
	Value []byte
	// NameAt and ValueAt are where name and value begin, from the beginning of the
	// tag; see [Reader.PosAt]. Those of a default attribute are the tag's own.
	NameAt, ValueAt int
	// Repaired says that a fault of this attribute was repaired and told.
	Repaired bool
	// Lost is the notice, not told yet, of why Value can't be trusted; nil if it
	// can. The caller sets what it costs, and tells it.
	Lost *fault.Notice

	faulty bool // Lost will be set when the tag stands
}

// outcome is how far a try to read a tag came.
type outcome uint8

const (
	done       outcome = iota
	unfinished         // the window ended first
	noTag              // it is no tag at all
)

// startTag reads a start tag or an empty-element tag.
func (r *Reader) startTag(ctx context.Context) (bool, error) {
	for expanded := r.expanded; ; {
		b, whole := r.whole(r.opt.MaxToken)
		r.expanded = expanded
		r.repaired, r.attrs = false, r.attrs[:0]
		r.faults, r.losses, r.scratch = r.faults[:0], r.losses[:0], r.scratch[:0]
		n, name, result := r.parseStart(b, whole)
		switch {
		case result == noTag:
			r.faults, r.losses, r.attrs, r.repaired = r.faults[:0], r.losses[:0], r.attrs[:0], false
			return r.bareLess(ctx)
		case result == unfinished && whole:
			return r.incomplete(ctx, "a tag")
		case result == unfinished:
			if _, err := r.grow(ctx); err != nil {
				return false, err
			}
			continue
		}
		r.pos = r.start + n
		empty := bytes.HasSuffix(r.buf[r.start:r.pos], []byte("/>"))
		if r.over > 0 {
			r.faults, r.losses = r.faults[:0], r.losses[:0]
			if !empty {
				r.over++
			}
			return false, nil
		}
		r.report(n)
		for i := range r.losses {
			f := &r.losses[i]
			notice := r.notice(f, n)
			r.attrs[f.attr].Lost = &notice
		}
		if len(r.open) >= r.opt.MaxDepth {
			return r.tooDeep(ctx, empty)
		}
		r.prefix, r.local = splitName(name)
		r.push(name)
		r.pendingEnd = empty
		r.kind = StartTag
		return true, nil
	}
}

// parseStart reads a start tag at the beginning of b, which holds all there is if
// whole. It returns its length and name.
func (r *Reader) parseStart(b []byte, whole bool) (int, []byte, outcome) {
	i := 1
	for i < len(b) && class[b[i]]&nameByte != 0 {
		i++
	}
	name := b[1:i]
	valued := false // an attribute with a value was seen: this is a tag, whatever follows
	for {
		gap := i
		for i < len(b) && class[b[i]]&space != 0 {
			i++
		}
		if i == len(b) {
			return 0, nil, unfinished
		}
		switch c := b[i]; {
		case c == '>':
			r.applyDefaultAttrs(name)
			return i + 1, name, done
		case c == '/':
			if i+1 == len(b) {
				return 0, nil, unfinished
			}
			if b[i+1] == '>' {
				r.applyDefaultAttrs(name)
				return i + 2, name, done
			}
			r.repair(fault.XMLBadAttribute, i, "a / stands inside a tag; it was left out")
			r.repaired = true
			i++
		case c == '<':
			if !valued {
				return 0, nil, noTag
			}
			r.repair(fault.XMLUnclosedTag, 0, "a tag has no > before the next begins; it was taken to end there")
			r.repaired = true
			r.applyDefaultAttrs(name)
			return i, name, done
		case class[c]&nameStart != 0:
			if last := len(r.attrs) - 1; gap == i && !(last >= 0 && r.attrs[last].faulty) {
				r.repair(fault.XMLMissingSpace, i, "two attributes stand without a space between them")
				r.repaired = true
			}
			next, hasValue, result := r.parseAttr(b, i, whole)
			if result != done {
				return 0, nil, result
			}
			i, valued = next, valued || hasValue
		default:
			from := i
			for i < len(b) && class[b[i]]&space == 0 && b[i] != '>' && b[i] != '/' && b[i] != '<' {
				i++
			}
			r.repair(fault.XMLBadAttribute, from, "something inside a tag is no attribute; it was left out")
			r.repaired = true
		}
	}
}

// parseAttr reads the attribute at b[i]. It returns where it ends.
func (r *Reader) parseAttr(b []byte, i int, whole bool) (next int, hasValue bool, result outcome) {
	attr := Attr{NameAt: i, ValueAt: i}
	for i < len(b) && class[b[i]]&nameByte != 0 {
		i++
	}
	name, end := b[attr.NameAt:i], i
	for i < len(b) && class[b[i]]&space != 0 {
		i++
	}
	if i == len(b) {
		return 0, false, unfinished
	}
	attr.Prefix, attr.Local = splitName(name)
	if b[i] != '=' {
		if r.add(&attr, name) {
			r.lose(fault.XMLBadAttribute, attr.NameAt, fmt.Sprintf("the attribute %s has no value", name))
		}
		return end, false, done
	}
	i++
	for i < len(b) && class[b[i]]&space != 0 {
		i++
	}
	if i == len(b) {
		return 0, false, unfinished
	}
	if q := b[i]; q == '"' || q == '\'' {
		next, result = r.parseQuoted(b, i, whole, &attr, name)
		return next, true, result
	}
	attr.ValueAt = i
	for i < len(b) && class[b[i]]&space == 0 && b[i] != '>' && b[i] != '<' {
		i++
	}
	if i == len(b) {
		return 0, false, unfinished
	}
	if b[i] == '>' && i > attr.ValueAt && b[i-1] == '/' {
		i--
	}
	if i == attr.ValueAt {
		if r.add(&attr, name) {
			r.lose(fault.XMLBadAttribute, attr.NameAt, fmt.Sprintf("the attribute %s has no value", name))
		}
		return i, true, done
	}
	if r.add(&attr, name) {
		r.repair(fault.XMLUnquotedValue, attr.ValueAt, fmt.Sprintf("the value of the attribute %s has no quotation marks", name))
		r.setValue(b[attr.ValueAt:i])
		r.attrs[len(r.attrs)-1].Repaired = true
	}
	return i, true, done
}

// parseQuoted reads the value that begins with the quotation mark b[i].
//
// A value that holds a < or runs into what follows, and ends with =, is no value:
// its closing mark is missing, and what looks like it opens the next one.
func (r *Reader) parseQuoted(b []byte, i int, whole bool, attr *Attr, name []byte) (int, outcome) {
	quote := b[i]
	attr.ValueAt = i + 1
	value := b[i+1:]
	n := bytes.IndexByte(value, quote)
	if n < 0 && !whole {
		return 0, unfinished
	}
	if n >= 0 {
		value = value[:n]
		after := i + 1 + n + 1
		if after == len(b) {
			return 0, unfinished
		}
		c := b[after]
		suspect := class[c]&space == 0 && c != '>' && c != '/' || bytes.IndexByte(value, '<') >= 0
		if !suspect || !endsInEquals(value) {
			if r.add(attr, name) {
				r.setValue(value)
			}
			return after, done
		}
	}
	if r.add(attr, name) {
		r.lose(fault.XMLUnclosedQuote, attr.NameAt, fmt.Sprintf("the value of the attribute %s has no closing quotation mark", name))
	}
	if n >= 0 && !bytes.ContainsAny(value, "<>") {
		// The next attribute stands in what was taken for the value: name=.
		k := len(bytes.TrimRight(value, " \t\r\n")) - 1
		k = len(bytes.TrimRight(value[:k], " \t\r\n"))
		for k > 0 && class[value[k-1]]&nameByte != 0 {
			k--
		}
		if k > 0 && class[value[k-1]]&space != 0 {
			return attr.ValueAt + k, done
		}
		return i + 1 + n + 1, done
	}
	k := bytes.IndexAny(value, "<>")
	if k < 0 {
		return 0, unfinished
	}
	if value[k] == '>' && k > 0 && value[k-1] == '/' {
		k--
	}
	return attr.ValueAt + k, done
}

func endsInEquals(value []byte) bool {
	return bytes.HasSuffix(bytes.TrimRight(value, " \t\r\n"), []byte("="))
}

// add appends attr, unless there is one of that name: of two with one name no value can be trusted.
func (r *Reader) add(attr *Attr, name []byte) bool {
	same := -1
	if len(r.attrs) < manyAttrs {
		for i := range r.attrs {
			if bytes.Equal(r.attrs[i].Local, attr.Local) && bytes.Equal(r.attrs[i].Prefix, attr.Prefix) {
				same = i
			}
		}
	} else {
		same = r.addToMany(name)
	}
	if same < 0 {
		r.attrs = append(r.attrs, *attr)
		return true
	}
	if r.attrs[same].faulty {
		return false
	}
	r.attrs[same].faulty = true
	r.losses = append(r.losses, finding{fault.XMLDuplicateAttribute, fault.Drop, attr.NameAt,
		fmt.Sprintf("the attribute %s stands twice in one tag", name), same})
	return false
}

// manyAttrs is how many attributes are compared one by one; beyond, by a map.
const manyAttrs = 32

func (r *Reader) addToMany(name []byte) int {
	if len(r.attrs) == manyAttrs || r.seen == nil {
		r.seen = map[string]int{}
		for i := range r.attrs {
			r.seen[attrKey(r.attrs[i].Prefix, r.attrs[i].Local)] = i
		}
	}
	key := attrKey(splitName(name))
	if i, ok := r.seen[key]; ok {
		return i
	}
	r.seen[key] = len(r.attrs)
	return -1
}

func attrKey(prefix, local []byte) string { return string(prefix) + ":" + string(local) }

// setValue gives the attribute added last its value.
func (r *Reader) setValue(raw []byte) {
	attr := &r.attrs[len(r.attrs)-1]
	attr.Value = raw
	for _, b := range raw {
		if class[b]&delicate != 0 {
			from := len(r.scratch)
			r.expandValue(raw, attr, nil)
			attr.Value = r.scratch[from:len(r.scratch):len(r.scratch)]
			return
		}
	}
}

func (r *Reader) repair(code fault.Code, at int, message string) {
	r.faults = append(r.faults, finding{code, fault.Repair, at, message, 0})
}

// lose notes that the attribute added last can't be trusted, unless that is known.
func (r *Reader) lose(code fault.Code, at int, message string) {
	last := len(r.attrs) - 1
	if r.attrs[last].faulty {
		return
	}
	r.attrs[last].faulty = true
	r.losses = append(r.losses, finding{code, fault.Drop, at, message, last})
}

// endTag reads an end tag, and finds the element that it closes.
func (r *Reader) endTag(ctx context.Context) (bool, error) {
	var n, nameEnd int
	for {
		b, whole := r.whole(r.opt.MaxToken)
		nameEnd = 2
		for nameEnd < len(b) && class[b[nameEnd]]&nameByte != 0 {
			nameEnd++
		}
		n = nameEnd
		for n < len(b) && b[n] != '>' && b[n] != '<' {
			n++
		}
		if n < len(b) {
			break
		}
		if whole {
			return r.incomplete(ctx, "a tag")
		}
		if _, err := r.grow(ctx); err != nil {
			return false, err
		}
	}
	b := r.window()
	name := b[2:nameEnd]
	switch {
	case len(name) == 0 && b[n] == '<':
		return r.bareLess(ctx)
	case b[n] == '<':
		r.repair(fault.XMLUnclosedTag, 0, "an end tag has no > before the next tag begins")
	case !isBlank(b[nameEnd:n]):
		r.repair(fault.XMLBadAttribute, 0, "an end tag holds more than its name; the rest was left out")
	}
	if b[n] == '>' {
		n++
	}
	r.pos = r.start + n
	if r.over > 0 {
		r.faults = r.faults[:0]
		r.over--
		return false, nil
	}
	token := r.match(name)
	r.report(n)
	return token, nil
}

// match finds the element that an end tag closes, and pops it.
func (r *Reader) match(name []byte) bool {
	top := len(r.open) - 1
	if top >= 0 && bytes.Equal(r.name(top), name) {
		r.pop()
		return true
	}
	for i := top - 1; i >= 0; i-- {
		if !bytes.Equal(r.name(i), name) {
			continue
		}
		message := fmt.Sprintf("</%s> closes an element while <%s> is open in it; that was closed too", name, r.name(top))
		if i < top-1 {
			message = fmt.Sprintf("</%s> closes an element while <%s> and %d more are open in it; they were closed too", name, r.name(top), top-1-i)
		}
		r.repair(fault.XMLUnclosedElement, 0, message)
		r.closing, r.implied = top-i, true
		r.pop()
		return true
	}
	if top >= 0 && r.meant(top, name) {
		r.repair(fault.XMLMismatchedEnd, 0, fmt.Sprintf("</%s> stands where </%s> is due; it was taken for that", name, r.name(top)))
		r.misnamed = true
		r.pop()
		return true
	}
	r.repair(fault.XMLStrayEnd, 0, fmt.Sprintf("</%s> closes nothing that is open; it was left out", name))
	return false
}

// meant says that an end tag whose name no open element has is plainly that of the
// innermost: the names differ in case or prefix only, or it ends a text.
func (r *Reader) meant(top int, name []byte) bool {
	_, have := splitName(r.name(top))
	_, local := splitName(name)
	e := &r.open[top]
	return bytes.EqualFold(have, local) || len(name) == 0 || e.text && !e.child
}

// incomplete ends a token that does not: the document was cut short in it, or it is too long.
func (r *Reader) incomplete(ctx context.Context, what string) (bool, error) {
	r.faults, r.losses, r.attrs, r.repaired = r.faults[:0], r.losses[:0], r.attrs[:0], false
	switch {
	case len(r.outer) > 0:
		f := finding{fault.XMLBadEntity, fault.Drop, 0, fmt.Sprintf("an entity ends inside %s", what), 0}
		notice := r.notice(&f, len(r.window()))
		r.pos = r.end
		return r.lostText(notice), nil
	case r.end-r.start < r.opt.MaxToken:
		r.cut = Cut{what, r.Pos(), int64(r.end - r.start), r.ExcerptAt(0, r.end-r.start)}
		r.pos = r.end
		return false, nil
	}
	if err := r.need(ctx, lookahead); err != nil {
		return false, err
	}
	f := finding{fault.LimitToken, fault.Drop, 0, fmt.Sprintf("%s is longer than %d bytes", what, r.opt.MaxToken), 0}
	notice := r.notice(&f, lookahead)
	from := r.Offset()
	if err := r.skipTo(ctx, '>'); err != nil {
		return false, err
	}
	notice.Bytes = r.EndOffset() - from
	if r.over > 0 {
		return false, nil
	}
	r.lost = &notice
	r.kind = TooLong
	return true, nil
}

// skipTo moves behind the next byte c, or to the end of the text, and holds nothing of it.
func (r *Reader) skipTo(ctx context.Context, c byte) error {
	for {
		if i := bytes.IndexByte(r.window(), c); i >= 0 {
			r.pos = r.start + i + 1
			return nil
		}
		r.start, r.pos = r.end, r.end
		if more, err := r.grow(ctx); !more {
			return err
		}
	}
}

// tooDeep passes over the element whose start tag was read.
func (r *Reader) tooDeep(ctx context.Context, empty bool) (bool, error) {
	f := finding{fault.LimitNesting, fault.Drop, 0, fmt.Sprintf("elements are nested more than %d deep", r.opt.MaxDepth), 0}
	notice := r.notice(&f, r.pos-r.start)
	from, inside := r.Offset(), len(r.outer)
	if !empty {
		r.over = 1
	}
	for r.over > 0 && (r.pos < r.end || !r.ended || len(r.outer) > 0) {
		r.clear()
		if _, err := r.step(ctx); err != nil {
			return false, err
		}
	}
	r.clear()
	r.over = 0
	if inside == 0 {
		notice.Bytes = r.EndOffset() - from
	}
	r.lost = &notice
	r.kind = TooDeep
	return true, nil
}
