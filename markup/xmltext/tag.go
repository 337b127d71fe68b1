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

// startTag reads a start tag or an empty-element tag. The window has lead bytes before its
// name: 0 if its < is missing, else 1.
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
				r.repair(fault.XMLUnclosedElement, 0, "a start tag occurs twice, and there is an end tag for one; it was left out once")
				r.report(n)
				r.fresh, r.indent = true, behind(r.buf[r.start:r.pos])
				return false, nil
			}
			if r.plan.Open && r.emptyTag {
				r.repair(fault.XMLStrayEnd, 0, "an empty-element tag is followed by text and an end tag of its name; it was read "+
					"without its /")
				r.repaired, r.emptyTag = true, false
			}
			if r.renamed != "" {
				name, r.renamed = []byte(r.renamed), ""
				r.tagName = name
				r.prefix, r.local = splitName(name)
			}
		}
		r.pos = r.start + n
		r.repairLead(lead)
		if r.opt.CheckNames {
			r.prefix, r.local = splitName(name)
			r.checkNames()
		}
		if r.garbled {
			r.tellGarbled(lead, n)
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

// repairLead says what is wrong with what precedes the name of a start tag; see startTag.
func (r *Reader) repairLead(lead int) {
	switch lead {
	case 0:
		r.repair(fault.XMLUnopenedTag, 0, "a tag has no < before its name; it was read as if it had")
		r.edit(0, 0, "<")
		r.repaired = true
	case 2:
		r.repair(fault.XMLBadMarkup, 0, "a sign is between the < of a tag and its name; it was left out")
		r.edit(1, 2, "")
		r.repaired = true
	}
}

// tellGarbled says that the name of an element can't be trusted. With a Guide that is the element's loss.
func (r *Reader) tellGarbled(lead, n int) {
	f := finding{code: fault.XMLControl, severity: fault.Drop, at: lead, message: "control characters are in the name of an element, " +
		"so that nobody knows which is meant"}
	if r.signs {
		f.code, f.message = fault.XMLBadName, "signs that no name holds are in that of an element, so that nobody knows which is meant"
	}
	if notice := r.notice(&f, n); r.opt.Guide != nil {
		r.lost = &notice
	} else {
		notice.Severity = fault.Warning
		r.out.Notice(notice)
	}
}

// parseStart reads a start tag at the beginning of b, which holds all there is if
// whole, and whose name begins at lead. It returns its length and name.
func (r *Reader) parseStart(b []byte, lead int, whole bool) (int, []byte, outcome) {
	name, i, ok := r.parseName(b, lead)
	if !ok {
		return 0, nil, noTag
	}
	r.emptyTag = false
	valued := false // an attribute with a value was seen: this is a tag, whatever follows
	// If the tag has no >, these are text.
	var words trail
	junk := false // what came last is no attribute, and reported
	r.junk, r.bare = false, -1
	word := func(at int) {
		if words.at == 0 {
			words = trail{at, len(r.attrs), len(r.faults), len(r.losses)}
		}
	}
	for {
		gap := i
		if i = passSpace(b, i); i == len(b) {
			return 0, nil, unfinished
		}
		switch c := b[i]; {
		case c == '>':
			r.endAttrs(name, words.at > 0)
			return i + 1, name, done
		case c == '/':
			next := passUnseen(b, i+1)
			if next == len(b) {
				return 0, nil, unfinished
			}
			if b[next] == '>' {
				if next > i+1 {
					r.repair(fault.XMLBadAttribute, i, "something is between / and >; it was left out")
					r.edit(i+1, next, "")
					r.repaired = true
				}
				r.endAttrs(name, words.at > 0)
				r.emptyTag = true
				return next + 1, name, done
			}
			if r.emptyTag = valued && words.at == 0 && b[next] == '<'; r.emptyTag {
				i++
				continue
			}
			if !junk {
				r.repair(fault.XMLBadAttribute, i, "a / is inside a tag; it was left out")
				r.edit(i, i+1, " ")
			}
			r.repaired, junk = true, true
			i++
		case c == '<':
			if !valued {
				return 0, nil, noTag
			}
			return r.endUnclosed(name, words, i), name, done
		case class[c]&(nameStart|dubious) != 0:
			bare := r.bare
			next, hasValue, result := r.parseAttr(b, i, gap == i, whole, word)
			if result != done {
				return 0, nil, result
			}
			if hasValue {
				r.settleBare(bare, words.at > 0)
				words.at = 0
			}
			i, valued, junk = next, valued || hasValue, false
		default:
			word(i)
			from := i
			for i < len(b) && isInWord(b[i]) {
				i++
			}
			if !junk {
				r.repair(fault.XMLBadAttribute, from, "something inside a tag isn't an attribute; it was left out")
				r.edit(from, i, "")
			}
			r.junk = r.junk || bytes.ContainsFunc(b[from:i], isWord)
			r.repaired, junk = true, true
		}
	}
}

// trail is where the words begin that follow the last attribute with a value. It also has how many
// attributes, faults and losses there were before them. If there are none, at is 0.
type trail struct{ at, attrs, faults, losses int }

// endUnclosed ends a tag without a > at end, or before the words that follow its last attribute with a value.
func (r *Reader) endUnclosed(name []byte, words trail, end int) int {
	if words.at > 0 {
		r.attrs, r.faults, r.losses = r.attrs[:words.attrs], r.faults[:words.faults], r.losses[:words.losses]
		end = words.at
	}
	r.repair(fault.XMLUnclosedTag, 0, "a tag has no >; it was taken to end before what can't be part of it")
	r.edit(end, end, ">")
	r.repaired = true
	r.applyDefaultAttrs(name)
	return end
}

// passSpace is the index of the first byte from i on that is no white space.
func passSpace(b []byte, i int) int {
	for i < len(b) && class[b[i]]&space != 0 {
		i++
	}
	return i
}

// passUnseen is the index of the first byte from i on that is neither white space nor a control character.
func passUnseen(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' {
		i++
	}
	return i
}

// parseName reads the name of a start tag, which begins at lead, and returns where it ends. It is not ok
// if nothing of it is sound.
func (r *Reader) parseName(b []byte, lead int) (name []byte, end int, ok bool) {
	i, odd := nameEnd(b, lead)
	name = b[lead:i]
	r.garbled, r.signs, r.odd = false, false, odd
	if odd && i < len(b) {
		if len(SoundName(name)) == 0 {
			return nil, i, false
		}
		whole := len(name)
		name = cleanName(name)
		r.garbled = len(name) < whole
	}
	if i < len(b) && isInWord(b[i]) {
		r.garbled, r.signs = true, true
	}
	return name, i, true
}

// isInWord says that a byte ends no word inside of a tag.
func isInWord(b byte) bool { return class[b]&space == 0 && b != '>' && b != '/' && b != '<' }

// endAttrs does what is left to do where a tag ends; words says that some are after the last attribute.
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

// settleBare is loseBare where one more attribute with a value was read; bare was the last one before that.
func (r *Reader) settleBare(bare int, words bool) {
	r.loseBare(bare, words)
	if bare == r.bare {
		r.bare = -1
	}
}

// isWord says that a word may hold a letter.
func isWord(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r >= 0x80
}

// incomplete ends a token that does not: the document was cut short in it, or it is too long.
func (r *Reader) incomplete(ctx context.Context, what string) (bool, error) {
	r.faults, r.losses, r.attrs, r.repaired = r.faults[:0], r.losses[:0], r.attrs[:0], false
	switch {
	case len(r.outer) > 0:
		f := finding{code: fault.XMLBadEntity, severity: fault.Drop, message: fmt.Sprintf("an entity ends inside %s", what)}
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
	f := finding{code: fault.LimitToken, severity: fault.Drop, message: fault.TooLong(what, r.opt.MaxToken)}
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

// skipTo moves after the next byte c, or to the end of the text, and holds nothing of it.
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

// tooDeep skips the element whose start tag was read.
func (r *Reader) tooDeep(ctx context.Context, empty bool) (bool, error) {
	f := finding{code: fault.LimitNesting, severity: fault.Drop, message: fmt.Sprintf("elements are nested more than %d deep",
		r.opt.MaxDepth)}
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
	r.faults = append(r.faults, finding{code: code, severity: fault.Repair, at: at, message: message})
}
