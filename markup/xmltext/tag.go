package xmltext

import (
	"bytes"
	"context"
	"fmt"

	"laundromat/internal/fault"
)

// outcome is how far a try to read a tag came.
type outcome uint8

const (
	done       outcome = iota
	unfinished         // the window ended first
	noTag              // it is no tag at all
)

// startTag reads a start tag or an empty-element tag. lead is how many bytes of the
// window stand before its name: 0 if its < is missing, else 1.
func (r *Reader) startTag(ctx context.Context, lead int) (bool, error) {
	for expanded := r.expanded; ; {
		b, whole := r.whole(r.opt.MaxToken)
		r.expanded = expanded
		r.repaired, r.attrs = false, r.attrs[:0]
		r.faults, r.losses, r.scratch = r.faults[:0], r.losses[:0], r.scratch[:0]
		n, name, result := r.parseStart(b, lead, whole)
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
		if r.over > 0 {
			r.pos = r.start + n
			r.faults, r.losses = r.faults[:0], r.losses[:0]
			if !r.emptyTag {
				r.over++
			}
			return false, nil
		}
		if r.opt.Guide != nil && len(r.open) < r.opt.MaxDepth {
			r.pos = r.start + n
			r.tagCopy = append(r.tagCopy[:0], name...)
			name = r.tagCopy
			r.tagName = name
			r.prefix, r.local = splitName(name)
			token, again, err := r.guided(ctx, name, n)
			if err != nil || token {
				r.expanded = expanded
				return token, err
			}
			if again {
				continue
			}
			if r.plan.Skip {
				r.renamed = ""
				r.discard()
				r.pos = r.start + n
				r.repair(fault.XMLUnclosedElement, 0, "a start tag stands twice, and there is an end tag for one; it was left out once")
				r.report(n)
				r.fresh, r.indent = true, behind(r.buf[r.start:r.pos])
				return false, nil
			}
			if r.plan.Open && r.emptyTag {
				r.repair(fault.XMLStrayEnd, 0, "an empty-element tag is followed by text and an end tag of its name; it was read without its /")
				r.repaired, r.emptyTag = true, false
			}
			if r.renamed != "" {
				name, r.renamed = []byte(r.renamed), ""
				r.tagName = name
				r.prefix, r.local = splitName(name)
			}
		}
		r.pos = r.start + n
		if lead == 2 {
			r.repair(fault.XMLBadMarkup, 0, "a sign stands between the < of a tag and its name; it was left out")
			r.repaired = true
		}
		if lead == 0 {
			r.repair(fault.XMLUnopenedTag, 0, "a tag has no < before its name; it was read as if it had")
			r.repaired = true
		}
		if r.opt.CheckNames {
			r.prefix, r.local = splitName(name)
			r.checkNames()
		}
		if r.garbled {
			f := finding{code: fault.XMLControl, severity: fault.Drop, at: lead, message: "control characters stand in the name of an element, so that nobody knows which is meant"}
			if r.signs {
				f.code, f.message = fault.XMLBadName, "signs that no name holds stand in that of an element, so that nobody knows which is meant"
			}
			if notice := r.notice(&f, n); r.opt.Guide != nil {
				r.lost = &notice
			} else {
				notice.Severity = fault.Warning
				r.out.Notice(notice)
			}
		}
		r.report(n)
		for i := range r.losses {
			f := &r.losses[i]
			notice := r.notice(f, n)
			r.attrs[f.attr].Lost = &notice
		}
		if len(r.open) >= r.opt.MaxDepth {
			return r.tooDeep(ctx, r.emptyTag)
		}
		if r.opt.Guide == nil {
			r.tagName = name
			r.prefix, r.local = splitName(name)
		}
		r.push(name)
		r.pendingEnd = r.emptyTag
		r.kind = StartTag
		r.fresh, r.indent = true, behind(r.buf[r.start:r.pos])
		return true, nil
	}
}

// parseStart reads a start tag at the beginning of b, which holds all there is if
// whole, and whose name begins at lead. It returns its length and name.
func (r *Reader) parseStart(b []byte, lead int, whole bool) (int, []byte, outcome) {
	i, odd := nameEnd(b, lead)
	name := b[lead:i]
	r.garbled, r.signs, r.odd = false, false, odd
	if odd && i < len(b) {
		if len(SoundName(name)) == 0 {
			return 0, nil, noTag
		}
		whole := len(name)
		name = cleanName(name)
		r.garbled = len(name) < whole
	}
	if i < len(b) && class[b[i]]&space == 0 && b[i] != '>' && b[i] != '/' && b[i] != '<' {
		r.garbled, r.signs = true, true
	}
	r.emptyTag = false
	valued := false // an attribute with a value was seen: this is a tag, whatever follows
	// Where the words begin that follow the last attribute with a value, and what was found before them.
	// If the tag has no >, they are text.
	words, attrs, faults, losses := 0, 0, 0, 0
	junk := false // what came last is no attribute, and told
	r.junk, r.bare = false, -1
	word := func(at int) {
		if words == 0 {
			words, attrs, faults, losses = at, len(r.attrs), len(r.faults), len(r.losses)
		}
	}
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
			r.endAttrs(name, words > 0)
			return i + 1, name, done
		case c == '/':
			if i+1 == len(b) {
				return 0, nil, unfinished
			}
			if b[i+1] == '>' {
				r.endAttrs(name, words > 0)
				r.emptyTag = true
				return i + 2, name, done
			}
			next := i + 1
			for next < len(b) && b[next] <= ' ' {
				next++
			}
			if next == len(b) {
				return 0, nil, unfinished
			}
			if b[next] == '>' {
				r.repair(fault.XMLBadAttribute, i, "something stands between / and >; it was left out")
				r.endAttrs(name, words > 0)
				r.repaired, r.emptyTag = true, true
				return next + 1, name, done
			}
			if r.emptyTag = valued && words == 0 && b[next] == '<'; r.emptyTag {
				i++
				continue
			}
			if !junk {
				r.repair(fault.XMLBadAttribute, i, "a / stands inside a tag; it was left out")
			}
			r.repaired, junk = true, true
			i++
		case c == '<':
			if !valued {
				return 0, nil, noTag
			}
			if words > 0 {
				r.attrs, r.faults, r.losses = r.attrs[:attrs], r.faults[:faults], r.losses[:losses]
				i = words
			}
			r.repair(fault.XMLUnclosedTag, 0, "a tag has no >; it was taken to end before what can't be part of it")
			r.repaired = true
			r.applyDefaultAttrs(name)
			return i, name, done
		case class[c]&(nameStart|dubious) != 0:
			bare := r.bare
			next, hasValue, result := r.parseAttr(b, i, gap == i, whole, word)
			if result != done {
				return 0, nil, result
			}
			if hasValue {
				r.loseBare(bare, words > 0)
				if bare == r.bare {
					r.bare = -1
				}
				words = 0
			}
			i, valued, junk = next, valued || hasValue, false
		default:
			word(i)
			from := i
			for i < len(b) && class[b[i]]&space == 0 && b[i] != '>' && b[i] != '/' && b[i] != '<' {
				i++
			}
			if !junk {
				r.repair(fault.XMLBadAttribute, from, "something inside a tag is no attribute; it was left out")
			}
			r.junk = r.junk || bytes.ContainsFunc(b[from:i], isWord)
			r.repaired, junk = true, true
		}
	}
}

// endAttrs does what is left to do where a tag ends; words says that some stand behind the last attribute.
func (r *Reader) endAttrs(name []byte, words bool) {
	r.loseBare(r.bare, words)
	r.applyDefaultAttrs(name)
}

// loseBare loses the attribute bare, which has a value without quotation marks, if words follow
// that may be a part of it.
func (r *Reader) loseBare(bare int, words bool) {
	if words && bare >= 0 {
		r.loseAttr(bare, fault.XMLBadAttribute, "words follow a value without quotation marks, so that nobody knows where it ends")
	}
}

// isWord says that a word may hold a letter.
func isWord(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r >= 0x80
}

// endTag reads an end tag, and finds the element that it closes. lead is how many bytes
// of the window stand before its name: 1 if its < is missing, else 2.
func (r *Reader) endTag(ctx context.Context, lead int) (bool, error) {
	var n, end int
	for {
		b, whole := r.whole(r.opt.MaxToken)
		end, _ = nameEnd(b, lead)
		n = end
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
	name := b[lead:end]
	top := len(r.open) - 1
	same := top >= 0 && bytes.Equal(r.name(top), name)
	if same && n == end && b[n] == '>' && lead == 2 && r.over == 0 && (top > 0 || r.opt.Guide == nil) {
		r.pos = r.start + n + 1
		r.fresh, r.indent, r.junk = true, -1, false
		r.pop()
		return true, nil
	}
	if end == lead && b[n] == '<' {
		return r.bareLess(ctx)
	}
	if r.over > 0 {
		if r.pos = r.start + n; b[n] == '>' {
			r.pos++
		}
		r.over--
		return false, nil
	}
	if name = SoundName(name); !same {
		same = top >= 0 && bytes.Equal(r.Name(top), name)
	}
	plan := Plan{}
	if !same || top == 0 && r.opt.Guide != nil {
		var err error
		if plan, err = r.judgeEnd(ctx, name, lead); err != nil {
			return false, err
		}
		b = r.window() // it may have moved
		name = SoundName(b[lead:end])
	}
	switch {
	case lead < 2:
		r.repair(fault.XMLUnopenedTag, 0, "a tag has no < before its name; it was read as if it had")
	case b[n] == '<':
		r.repair(fault.XMLUnclosedTag, 0, "an end tag has no > before the next tag begins")
	case !isBlank(b[end:n]):
		r.repair(fault.XMLBadAttribute, 0, "an end tag holds more than its name; the rest was left out")
	case len(name) < end-lead || lead > 2:
		r.repair(fault.XMLControl, lead, "the name in an end tag holds signs, control characters, or bytes that are no text; they were left out of it")
	}
	r.junk = !isBlank(b[end:n])
	if b[n] == '>' {
		n++
	}
	r.pos = r.start + n
	r.fresh, r.indent = true, behind(r.buf[r.start:r.pos])
	token := r.close(name, plan)
	r.report(n)
	return token, nil
}

// judgeEnd finds what an end tag means that is not that of the innermost element.
func (r *Reader) judgeEnd(ctx context.Context, name []byte, lead int) (Plan, error) {
	if r.opt.Guide != nil && len(r.open) > 0 && lead >= 2 { // without its < a guide takes it for text
		return r.opt.Guide.End(ctx, bytes.Clone(name))
	}
	top := len(r.open) - 1
	for i := top; i >= 0; i-- {
		if bytes.Equal(r.Name(i), name) {
			return Plan{Close: top - i}, nil
		}
	}
	if top >= 0 && r.meant(top, name) {
		return Plan{}, nil
	}
	return Plan{Skip: true}, nil
}

// close pops what an end tag closes, as it was planned.
func (r *Reader) close(name []byte, plan Plan) bool {
	top := len(r.open) - 1
	plan.Close = min(plan.Close, top)
	if plan.Skip || top < 0 {
		r.repair(fault.XMLStrayEnd, 0, fmt.Sprintf("</%s> closes nothing that is open; it was left out", name))
		return false
	}
	switch innermost, more := r.unclosed(plan.Close); {
	case more == 0:
		r.repair(fault.XMLUnclosedElement, 0, fmt.Sprintf("</%s> closes an element while <%s> is open in it; that was closed too", name, innermost))
	case more > 0:
		r.repair(fault.XMLUnclosedElement, 0, fmt.Sprintf("</%s> closes an element while <%s> and %d more are open in it; they were closed too", name, innermost, more))
	}
	last := &r.open[top-plan.Close]
	r.misnamedEnd = !last.supposed && !bytes.Equal(r.Name(top-plan.Close), name)
	if r.misnamedEnd {
		r.repair(fault.XMLMismatchedEnd, 0, fmt.Sprintf("</%s> stands where </%s> is due; it was taken for that", name, r.Name(top-plan.Close)))
	}
	r.closing, r.implied = plan.Close, plan.Close > 0
	r.misnamed = r.misnamedEnd && plan.Close == 0
	r.pop()
	return true
}

// meant says that an end tag whose name no open element has is that of the innermost. The names differ
// in case or prefix only, or it ends a text.
func (r *Reader) meant(top int, name []byte) bool {
	_, have := splitName(r.Name(top))
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

func (r *Reader) repair(code fault.Code, at int, message string) {
	r.faults = append(r.faults, finding{code, fault.Repair, at, message, 0})
}
