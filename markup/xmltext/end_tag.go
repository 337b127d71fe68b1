package xmltext

import (
	"bytes"
	"context"
	"fmt"

	"laundromat/internal/fault"
)

// endTag reads an end tag, and finds the element that it closes. The window has lead bytes
// before its name: 1 if its < is missing, else 2.
func (r *Reader) endTag(ctx context.Context, lead int) (bool, error) {
	var n, end int
	for {
		b, whole := r.whole(r.opt.MaxToken)
		end, _ = nameEnd(b, lead)
		if n = angleFrom(b, end); n < len(b) {
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
	r.repairEndTag(name, b[:n+1], lead, end)
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

// repairEndTag says what is wrong with an end tag, which ends with its last byte. Its name is at
// lead to end; name is what of that is sound.
func (r *Reader) repairEndTag(name, tag []byte, lead, end int) {
	last := len(tag) - 1
	switch {
	case lead < 2:
		r.repair(fault.XMLUnopenedTag, 0, "a tag has no < before its name; it was read as if it had")
		r.edit(0, 0, "<")
	case tag[last] == '<':
		r.repair(fault.XMLUnclosedTag, 0, "an end tag has no > before the next tag begins")
		r.edit(end, end, ">")
	case !isBlank(tag[end:last]):
		r.repair(fault.XMLBadAttribute, 0, "an end tag holds more than its name; the rest was left out")
		r.edit(end, last, "")
	case len(name) < end-lead || lead > 2:
		r.repair(fault.XMLControl, lead, "the name in an end tag holds signs, control characters, or bytes that aren't text; they were "+
			"left out of it")
	}
}

// angleFrom is the index of the first angle bracket from i on; the length of b if there is none.
func angleFrom(b []byte, i int) int {
	for i < len(b) && b[i] != '>' && b[i] != '<' {
		i++
	}
	return i
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
		r.edit(0, r.pos-r.start, "")
		return false
	}
	switch innermost, more := r.unclosed(plan.Close); {
	case more == 0:
		r.repair(fault.XMLUnclosedElement, 0, fmt.Sprintf("</%s> closes an element while <%s> is open in it; that was closed too", name,
			innermost))
		r.edit(0, 0, "</"+string(innermost)+">")
	case more > 0:
		r.repair(fault.XMLUnclosedElement, 0,
			fmt.Sprintf("</%s> closes an element while <%s> and %d more are open in it; they were closed too", name, innermost, more))
	}
	last := &r.open[top-plan.Close]
	r.misnamedEnd = !last.supposed && !bytes.Equal(r.Name(top-plan.Close), name)
	if r.misnamedEnd {
		r.repair(fault.XMLMismatchedEnd, 0, fmt.Sprintf("</%s> is in the place of </%s>; it was taken for that", name,
			r.Name(top-plan.Close)))
		r.edit(2, 2+len(name), string(r.Name(top-plan.Close)))
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
