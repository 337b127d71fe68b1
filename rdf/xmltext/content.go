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
	if n := bytes.IndexByte(b, '<'); n >= 0 {
		b = b[:n]
	}
	if n := plainLength(b); n > 0 {
		return r.plain(n), nil
	}
	switch b[0] {
	case '&':
		return r.textReference(ctx)
	case ']':
		if err := r.need(ctx, lookahead); err != nil {
			return false, err
		}
		if b = r.window(); bytes.HasPrefix(b, []byte("]]>")) {
			r.tell(fault.XMLBadMarkup, "]]> stands in text that is no CDATA section; it was kept as it is")
			return r.plain(3), nil
		}
		return r.plain(1), nil
	default:
		return r.delicateByte(ctx)
	}
}

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
	n := 1
	if b[0] == 0xEF {
		n = 3
	}
	if err := r.need(ctx, lookahead); err != nil {
		return false, err
	}
	r.tell(fault.XMLControl, "XML 1.0 forbids this control character; it was kept")
	return r.plain(n), nil
}

var lineEnd = []byte{'\n'}

// isNoncharacter says that b begins with U+FFFE or U+FFFF.
func isNoncharacter(b []byte) bool {
	return len(b) >= 3 && b[0] == 0xEF && b[1] == 0xBF && b[2] >= 0xBE
}

// plain hands out n bytes as they stand.
func (r *Reader) plain(n int) bool {
	r.pos = r.start + n
	r.setText(r.buf[r.start:r.pos])
	return true
}

func (r *Reader) setText(text []byte) {
	r.kind, r.text = Text, text
	r.blank = isBlank(text)
	if !r.blank && len(r.open) > 0 {
		r.open[len(r.open)-1].text = true
	}
}

// lostText hands out an empty text that can't be trusted.
func (r *Reader) lostText(notice fault.Notice) bool {
	r.setText(nil)
	r.blank, r.lost = false, &notice
	if len(r.open) > 0 {
		r.open[len(r.open)-1].text = true
	}
	return true
}

// tell tells a repair of a text at its beginning. The window must hold lookahead bytes, if there are so many.
func (r *Reader) tell(code fault.Code, message string) {
	f := finding{code: code, severity: fault.Repair, message: message}
	if r.over == 0 {
		r.out.Notice(r.notice(&f, lookahead))
	}
	r.repaired = true
}

// bareLess takes a < that begins no tag for itself.
func (r *Reader) bareLess(ctx context.Context) (bool, error) {
	if err := r.need(ctx, lookahead); err != nil {
		return false, err
	}
	r.tell(fault.XMLBareLess, "a < stands for itself; it should have been written &lt;")
	return r.plain(1), nil
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
	if f.message != "" {
		r.tell(f.code, f.message)
	}
	r.scratch = ref.appendText(r.scratch[:0])
	r.pos = r.start + ref.size
	r.setText(r.scratch)
	return true, nil
}

// textEntity expands a general entity in text: at once if its text is plain, else by
// reading on in it.
func (r *Reader) textEntity(ref reference) bool {
	text, e, f := r.lookUp(ref.name, false)
	if f.code != "" && f.severity == fault.Drop {
		notice := r.notice(&f, lookahead)
		r.pos = r.start + ref.size
		return r.lostText(notice)
	}
	if f.code != "" {
		r.tell(f.code, f.message)
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

// leave goes on behind the reference to the entity that is used up.
func (r *Reader) leave() {
	last := len(r.outer) - 1
	in := r.outer[last]
	in.entity.open = false
	r.outer = r.outer[:last]
	r.buf, r.start, r.pos, r.end = in.buf, in.start, in.pos, in.end
	r.inCData = false
}

// comment passes over a comment, or hands it out.
func (r *Reader) comment(ctx context.Context) (bool, error) {
	if r.opt.Comments && r.over == 0 {
		n, err := r.find(ctx, 4, "-->")
		if err != nil || n < 0 {
			return r.missing(ctx, "a comment", err)
		}
		b := r.window()
		if bytes.Contains(b[4:n-3], []byte("--")) {
			r.tellComment(n)
		}
		r.pos = r.start + n
		r.kind, r.text = Comment, b[4:n-3]
		return true, nil
	}
	return false, r.pass(ctx, 4, "-->", "a comment")
}

func (r *Reader) tellComment(n int) {
	f := finding{code: fault.XMLComment, severity: fault.Warning, message: "a comment holds --, which XML forbids there"}
	r.out.Notice(r.notice(&f, n))
}

// find reads until the window holds end, from byte at on, and returns the place
// behind it; -1 if it is not there.
func (r *Reader) find(ctx context.Context, at int, end string) (int, error) {
	for from := at; ; {
		b, whole := r.whole(r.opt.MaxToken)
		if from < len(b) {
			if i := bytes.Index(b[from:], []byte(end)); i >= 0 {
				return from + i + len(end), nil
			}
			from = max(at, len(b)-len(end)+1)
		}
		if whole {
			return -1, nil
		}
		if _, err := r.grow(ctx); err != nil {
			return -1, err
		}
	}
}

func (r *Reader) missing(ctx context.Context, what string, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	return r.incomplete(ctx, what)
}

// pass passes over what stands from byte at to end, without holding it.
func (r *Reader) pass(ctx context.Context, at int, end, what string) error {
	if err := r.need(ctx, lookahead); err != nil {
		return err
	}
	first := Cut{Inside: what, Pos: r.Pos(), Excerpt: r.ExcerptAt(0, lookahead)}
	double := false
	r.pos = r.start + at
	for {
		b := r.buf[r.pos:r.end]
		i := bytes.Index(b, []byte(end))
		if k := bytes.Index(b, []byte("--")); k >= 0 && end == "-->" && k+2 < len(b) && (i < 0 || k < i) {
			double = true
		}
		if i >= 0 {
			r.pos += i + len(end)
			break
		}
		r.pos = max(r.pos, r.end-len(end)+1)
		r.start = r.pos
		more, err := r.grow(ctx)
		if err != nil {
			return err
		}
		if !more && len(r.outer) > 0 {
			r.pos = r.end
			break
		}
		if !more {
			r.pos = r.end
			first.Bytes = r.offset(r.pos) - first.Pos.Offset
			r.cut = first
			return nil
		}
	}
	if double {
		r.out.Notice(fault.Notice{Code: fault.XMLComment, Severity: fault.Warning, Pos: first.Pos,
			Message: "a comment holds --, which XML forbids there", Excerpt: first.Excerpt})
	}
	return nil
}

// instruction reads a processing instruction or an XML declaration.
func (r *Reader) instruction(ctx context.Context) (bool, error) {
	n, err := r.find(ctx, 2, "?>")
	if err != nil {
		return false, err
	}
	b, _ := r.whole(r.opt.MaxToken)
	target := 2
	for target < len(b) && class[b[target]]&nameByte != 0 {
		target++
	}
	declaration := bytes.EqualFold(b[2:target], []byte("xml"))
	if i := bytes.IndexByte(b, '>'); declaration && i >= 0 && (n < 0 || i < n-1) {
		n = i + 1
		r.repair(fault.XMLBadMarkup, 0, "an XML declaration ends with > where ?> is due")
	}
	if n < 0 {
		return r.incomplete(ctx, "a processing instruction")
	}
	if declaration && r.Offset() > 0 {
		r.repair(fault.XMLMisplacedDeclaration, 0, "an XML declaration stands elsewhere than at the very beginning; it was left out")
	}
	if r.over == 0 {
		r.report(n)
	}
	r.pos = r.start + n
	if declaration || !r.opt.Comments {
		return false, nil
	}
	r.kind = Instruction
	r.local = b[2:target]
	r.text = bytes.TrimLeft(b[min(target, n-2):n-2], " \t\r\n")
	return true, nil
}

// declaration passes over a declaration that belongs into a DTD.
func (r *Reader) declaration(ctx context.Context) (bool, error) {
	if err := r.need(ctx, lookahead); err != nil {
		return false, err
	}
	b := r.window()
	if len(b) < 3 || class[b[2]]&nameStart == 0 && b[2] != '[' {
		return r.bareLess(ctx)
	}
	f := finding{code: fault.XMLBadMarkup, severity: fault.Repair, message: "a declaration stands outside the document type; it was left out"}
	r.out.Notice(r.notice(&f, lookahead))
	return false, r.pass(ctx, 2, ">", "a declaration")
}

// unknownEntity is the finding about an entity that is not declared.
func (r *Reader) unknownEntity(name []byte) finding {
	message := fmt.Sprintf("the entity &%s; is not declared", name)
	if r.external {
		message = fmt.Sprintf("the entity &%s; is not declared in the document; what its DTD declares outside of it is not loaded", name)
	}
	return finding{code: fault.XMLUnknownEntity, severity: fault.Drop, message: message}
}
