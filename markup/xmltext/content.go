package xmltext

import (
	"bytes"
	"context"
	"fmt"

	"laundromat/internal/fault"
)

// characters reads a piece of text.
func (r *Reader) characters(ctx context.Context) (bool, error) {
	b := r.window()
	if r.fresh && r.opt.Guide != nil && len(r.outer) == 0 && b[0] != '\r' {
		n := 0
		for n < len(b) && class[b[n]]&(space|special) == space {
			n++
		}
		if n > 0 {
			r.pos = r.start + n
			r.kind, r.text, r.blank = Text, b[:n:n], true
			r.indent = indentation(r.indent, r.text)
			return true, nil
		}
		r.fresh = false
		if class[b[0]]&nameStart != 0 || b[0] == '/' {
			elements, text := r.opt.Guide.Elements()
			lead, err := -1, error(nil)
			if elements {
				lead, err = r.unopened(ctx, text)
			}
			switch {
			case err != nil:
				return false, err
			case lead == 0:
				return r.startTag(ctx, 0)
			case lead == endWithout:
				return r.endTag(ctx, 0)
			case lead == 1:
				return r.endTag(ctx, 1)
			}
		}
		b = r.window()
	}
	if class[b[0]]&special == 0 || b[0] == 0xEF {
		b = b[:min(len(b), longestPlain)]
		if n := bytes.IndexByte(b, '<'); n >= 0 {
			b = b[:n]
		}
		if n := plainLength(b); n > 0 {
			return r.plain(n), nil
		}
	}
	switch b[0] {
	case '&':
		return r.textReference(ctx)
	case ']':
		if err := r.need(ctx, lookahead); err != nil {
			return false, err
		}
		if b = r.window(); bytes.HasPrefix(b, []byte("]]>")) {
			f := finding{code: fault.XMLBadMarkup, message: "]]> is in text that isn't a CDATA section; it was kept as it is"}
			r.editIn(&f, 2, 3, "&gt;")
			r.tellOf(f)
			return r.plain(3), nil
		}
		return r.plain(1), nil
	default:
		return r.delicateByte(ctx)
	}
}

// longestPlain is how much text comes in one piece, so that text full of references does not
// look for its end again and again.
const longestPlain = 4 << 10

// plainLength is how many bytes of b stand for themselves wherever they are. Of the
// characters that begin with 0xEF only U+FFFE and U+FFFF do not.
func plainLength(b []byte) int {
	n := 0
	for n < len(b) && (class[b[n]]&special == 0 || b[n] == 0xEF && n+1 < len(b) && b[n+1] != 0xBF) {
		n++
	}
	return n
}

// cdata reads a piece of a CDATA section.
func (r *Reader) cdata(ctx context.Context) (bool, error) {
	if err := r.need(ctx, 3); err != nil {
		return false, err
	}
	b := r.window()
	if bytes.HasPrefix(b, []byte("]]>")) {
		r.pos = r.start + 3
		r.inCData = false
		return false, nil
	}
	switch n := plainLength(b); {
	case n > 0:
		return r.plain(n), nil
	case b[0] == ']', b[0] == '&':
		return r.plain(1), nil
	default:
		return r.delicateByte(ctx)
	}
}

// delicateByte reads a line end that is not a LF alone, or a character that XML may forbid.
func (r *Reader) delicateByte(ctx context.Context) (bool, error) {
	if err := r.need(ctx, 3); err != nil {
		return false, err
	}
	b := r.window()
	switch {
	case b[0] == '\r' && len(b) > 1 && b[1] == '\n':
		r.pos = r.start + 1 // the LF comes as text
		return false, nil
	case b[0] == '\r':
		r.plain(1)
		r.text = lineEnd
		return true, nil
	case b[0] == 0xEF && !isNoncharacter(b):
		return r.plain(1), nil
	}
	if err := r.need(ctx, longestRun); err != nil {
		return false, err
	}
	b = r.window() // the one before may be another's by now
	if b[0] == 0xEF {
		r.tell(fault.XMLControl, "XML 1.0 forbids this control character; it was kept")
		return r.plain(3), nil
	}
	n := runLength(b, func(c byte) bool { return c < ' ' && class[c]&space == 0 })
	message := "XML 1.0 forbids this control character; it was kept"
	if n > 1 {
		message = "XML 1.0 forbids these control characters; they were kept"
	}
	r.tell(fault.XMLControl, message)
	return r.plain(n), nil
}

// longestRun is how many faulty characters in a row make one finding.
const longestRun = 4 << 10

// runLength is how many of the first bytes of b a run holds, one at least.
func runLength(b []byte, in func(byte) bool) int {
	n := 1
	for n < len(b) && n < longestRun && in(b[n]) {
		n++
	}
	return n
}

var lineEnd = []byte{'\n'}

// isNoncharacter says that b begins with U+FFFE or U+FFFF.
func isNoncharacter(b []byte) bool {
	return len(b) >= 3 && b[0] == 0xEF && b[1] == 0xBF && b[2] >= 0xBE
}

// plain hands out n bytes as they are.
func (r *Reader) plain(n int) bool {
	r.pos = r.start + n
	r.setText(r.buf[r.start:r.pos])
	return true
}

func (r *Reader) setText(text []byte) {
	r.kind, r.text = Text, text
	if r.blank = isBlank(text); r.blank {
		r.indent = indentation(r.indent, text)
		return
	}
	r.fresh, r.indent = false, behind(text)
	if len(r.open) > 0 {
		r.open[len(r.open)-1].text = true
	}
}

// lostText hands out an empty text that can't be trusted.
func (r *Reader) lostText(notice fault.Notice) bool {
	r.setText(nil)
	r.blank, r.fresh, r.indent, r.lost = false, false, -1, &notice
	if len(r.open) > 0 {
		r.open[len(r.open)-1].text = true
	}
	return true
}

// tell reports a repair of a text at its beginning. The window must hold lookahead bytes, if there are so many.
func (r *Reader) tell(code fault.Code, message string) {
	r.tellOf(finding{code: code, message: message})
}

func (r *Reader) tellOf(f finding) {
	f.severity = fault.Repair
	if r.over == 0 {
		r.out.Notice(r.notice(&f, lookahead))
	}
	r.repaired = true
}

// bareLess takes a < that begins no tag for itself.
func (r *Reader) bareLess(ctx context.Context) (bool, error) {
	if err := r.need(ctx, longestRun+1); err != nil {
		return false, err
	}
	b := r.window()
	n := runLength(b, func(c byte) bool { return c == '<' })
	if n > 1 && n < len(b) && (class[b[n]]&(nameStart|dubious) != 0 || b[n] == '/' || b[n] == '?' || b[n] == '!') {
		n-- // the last begins something
	}
	message := "a < stands for itself; it should have been written &lt;"
	if n > 1 {
		message = "these < stand for themselves; they should have been written &lt;"
	}
	f := finding{code: fault.XMLBareLess, message: message}
	editSigns(r, &f, n, "&lt;")
	r.tellOf(f)
	return r.plain(n), nil
}

// textReference expands the reference at the beginning of the window.
func (r *Reader) textReference(ctx context.Context) (bool, error) {
	if err := r.need(ctx, lookahead); err != nil {
		return false, err
	}
	var ref reference
	for {
		b, whole := r.whole(2 * longestName)
		ref = parseReference(b, whole)
		if ref.size > 0 || whole {
			break
		}
		if _, err := r.grow(ctx); err != nil {
			return false, err
		}
	}
	if ref.name != nil {
		return r.textEntity(ref), nil
	}
	f, lost := ref.judge()
	if lost {
		f.severity = fault.Drop
		notice := r.notice(&f, lookahead)
		r.pos = r.start + ref.size
		return r.lostText(notice), nil
	}
	if !ref.character {
		return r.bareAmpersands(ctx, f)
	}
	if f.message != "" {
		editReference(r, &f, 0, &ref)
		r.tellOf(f)
	}
	r.scratch = ref.appendText(r.scratch[:0])
	r.pos = r.start + ref.size
	r.setText(r.scratch)
	return true, nil
}

// bareAmpersands takes the & at the beginning of the window for itself, with those right after it.
func (r *Reader) bareAmpersands(ctx context.Context, f finding) (bool, error) {
	if err := r.need(ctx, longestRun+1); err != nil {
		return false, err
	}
	b := r.window()
	n := runLength(b, func(c byte) bool { return c == '&' })
	if n > 1 && n < len(b) && (class[b[n]]&nameByte != 0 || b[n] == '#') {
		n-- // the last may begin a reference
	}
	if n > 1 {
		f.message = "these & stand for themselves; they should have been written &amp;"
	}
	editSigns(r, &f, n, "&amp;")
	r.tellOf(f)
	return r.plain(n), nil
}

// textEntity expands a general entity in text: at once if its text is plain, else by
// reading on in it.
func (r *Reader) textEntity(ref reference) bool {
	text, e, f := r.lookUp(ref.name, false)
	if f.code == fault.LimitEntities && len(r.outer) > 0 {
		// All else that the outermost reference expands to is beyond the limit too: it is reported once.
		for len(r.outer) > 0 {
			r.leave()
		}
		f.message = fmt.Sprintf("entities expand to more than they may; the rest of %s is lost", r.buf[r.start:r.pos])
		return r.lostText(r.notice(&f, r.pos-r.start))
	}
	if f.code != "" && f.severity == fault.Drop {
		notice := r.notice(&f, lookahead)
		r.pos = r.start + ref.size
		return r.lostText(notice)
	}
	if f.code != "" {
		editEntity(r, &f, 0, ref.size, text)
		r.tellOf(f)
	}
	r.pos = r.start + ref.size
	if e == nil || e.plain {
		r.setText(text)
		return len(text) > 0
	}
	e.open = true
	r.outer = append(r.outer, input{r.buf, r.start, r.pos, r.end, e})
	r.buf, r.start, r.pos, r.end = e.value, 0, 0, len(e.value)
	return false
}

// leave goes on after the reference to the entity that is used up.
func (r *Reader) leave() {
	last := len(r.outer) - 1
	in := r.outer[last]
	in.entity.open = false
	r.outer = r.outer[:last]
	r.buf, r.start, r.pos, r.end = in.buf, in.start, in.pos, in.end
	r.inCData = false
}

// endWithout says that an end tag is here except for its </.
const endWithout = 2

// unopened says whether a tag begins here except for its <, or an end tag except for its </. The result 0 or
// 1 must be passed to startTag or endTag; -1 says that this is text. Where text may be only a start
// tag with attributes of declared prefixes is none.
func (r *Reader) unopened(ctx context.Context, text bool) (int, error) {
	const longest = 4 << 10
	// Most text is distinguished from a tag by its first bytes.
	n := 0
	for b := r.window(); n < len(b) && class[b[n]]&nameByte != 0; {
		n++
	}
	if b := r.window(); text && n < len(b) && (class[b[n]]&space == 0 || bytes.IndexByte(b[:n], ':') < 0) {
		return -1, nil
	}
	if err := r.need(ctx, longest); err != nil {
		return -1, err
	}
	b := r.window()
	b = b[:min(len(b), longest)]
	lead := 0
	if b[0] == '/' {
		lead = 1
	}
	n = lead
	for n < len(b) && class[b[n]]&nameByte != 0 {
		n++
	}
	prefix, local := splitName(b[lead:n])
	if n == len(b) || len(prefix) == 0 || len(local) == 0 || !r.opt.Guide.Declared(prefix) {
		return -1, nil
	}
	if lead == 1 {
		if b[n] == '>' && !text {
			return 1, nil
		}
		return -1, nil
	}
	if top := len(r.open) - 1; b[n] == '>' && !text && top > 0 && bytes.Equal(r.name(top), b[:n]) {
		return endWithout, nil // elements of one name are hardly ever in each other
	}
	if sound, named := r.wouldStart(b, 0); sound && (named || !text) {
		return 0, nil
	}
	return -1, nil
}

// wouldStart says whether a start tag at the beginning of b is sound, and whether an attribute of it
// has a prefix that is declared. The name begins at lead.
func (r *Reader) wouldStart(b []byte, lead int) (sound, named bool) {
	expanded := r.expanded
	n, _, result := r.parseStart(b, lead, true)
	sound = result == done && b[n-1] == '>' && len(r.faults)+len(r.losses) == 0
	for i := range r.attrs {
		named = named || len(r.attrs[i].Prefix) > 0 && r.opt.Guide.Declared(r.attrs[i].Prefix)
	}
	r.discard()
	r.expanded = expanded
	return sound, named
}

// unknownEntity is the finding about an entity that is not declared.
func (r *Reader) unknownEntity(name []byte) finding {
	message := fmt.Sprintf("the entity &%s; is not declared", name)
	if r.external {
		message = fmt.Sprintf("the entity &%s; is not declared in the document; declarations of its DTD outside of it are not loaded", name)
	}
	return finding{code: fault.XMLUnknownEntity, severity: fault.Drop, message: message}
}
