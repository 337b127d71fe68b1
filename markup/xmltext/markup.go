package xmltext

import (
	"bytes"
	"context"

	"laundromat/internal/fault"
)

// comment skips a comment, or hands it out.
func (r *Reader) comment(ctx context.Context) (bool, error) {
	r.indent = -1
	if ended, err := r.endEndless(ctx, &r.noComment, commentMarks); ended || err != nil {
		return ended, err
	}
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
// after it; -1 if it is not there.
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

// pass skips what is from byte at to end, without holding it.
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

// longestEndless is how far the end of a comment or CDATA section is looked for before
// it is doubted that there is one.
const longestEndless = 1 << 20

// marks are what a kind of mark-up begins and ends with.
type marks struct {
	begin, end string
	code       fault.Code // for one that does not end
	what       string     // its name in messages
}

var (
	commentMarks     = marks{"<!--", "-->", fault.XMLUnclosedComment, "a comment"}
	instructionMarks = marks{"<?", "?>", fault.XMLBadMarkup, "a processing instruction"}
)

// endEndless ends what begins here where sound mark-up goes on, if it has no end of its own. The result
// says whether it was ended. Only the document itself is mended so, and only with a Guide.
func (r *Reader) endEndless(ctx context.Context, free *int64, m marks) (bool, error) {
	if r.opt.Guide == nil || r.over != 0 || len(r.outer) != 0 {
		return false, nil
	}
	at, err := r.endless(ctx, free, m.begin, m.end)
	if err != nil || at <= 0 {
		return false, err
	}
	f := finding{code: m.code, severity: fault.Repair, message: m.what + " does not end; it was taken to end where sound mark-up goes on"}
	if begun := r.window()[:at]; m == commentMarks && !bytes.Contains(begun[len(m.begin):], []byte("--")) && begun[at-1] != '-' {
		r.editIn(&f, at, at, m.end)
	}
	fresh := r.fresh
	r.resume(&f, at)
	r.fresh = fresh
	return true, nil
}

// endless looks whether what begins here, with the text begin, has an end. It may have none, or a
// second may begin before it ends that has no end of its own. If sound mark-up goes on inside of it
// then, at is where. free is up to where the document is known to hold no end.
func (r *Reader) endless(ctx context.Context, free *int64, begin, end string) (at int, err error) {
	limit := longestEndless
	n := -1
	for {
		b, whole := r.whole(limit)
		from := max(len(begin), int(*free-r.offset(r.start)))
		if from < len(b) {
			if i := bytes.Index(b[from:], []byte(end)); i >= 0 {
				n = from + i
				break
			}
			*free = max(*free, r.offset(r.start)+int64(len(b)-len(end)+1))
		}
		if whole {
			break
		}
		if _, err := r.grow(ctx); err != nil {
			return 0, err
		}
	}
	b, _ := r.whole(limit)
	to := len(b)
	if n >= 0 {
		second := bytes.Index(b[len(begin):n], []byte(begin))
		if second < 0 {
			return 0, nil
		}
		to = len(begin) + second
		// If one more end comes before the next begins, they are nested.
		const far = 64 << 10
		behind := n + len(end)
		if err := r.need(ctx, behind+far); err != nil {
			return 0, err
		}
		b = r.window()
		b = b[behind:min(len(b), behind+far)]
		if i := bytes.Index(b, []byte(end)); i >= 0 && !bytes.Contains(b[:i], []byte(begin)) {
			return 0, nil
		}
		if b = r.window()[len(begin):to]; begin == "<!--" && bytes.IndexByte(b, '<') < 0 {
			return to, nil
		}
	}
	at, err = r.opt.Guide.Resume(ctx, len(begin), to)
	return max(at, 0), err
}

// resume ends at a byte of the token what has no end of its own.
func (r *Reader) resume(f *finding, at int) {
	notice := r.notice(f, at)
	r.pos = r.start + at
	r.lostText(notice)
	r.indent = behind(r.buf[r.start:r.pos])
	r.resumed = true
}

// instruction reads a processing instruction or an XML declaration.
func (r *Reader) instruction(ctx context.Context) (bool, error) {
	r.indent = -1
	if r.Offset() > 0 {
		if ended, err := r.endEndless(ctx, &r.noInstruction, instructionMarks); ended || err != nil {
			return ended, err
		}
	}
	n, err := r.find(ctx, 2, "?>")
	if err != nil {
		return false, err
	}
	b, _ := r.whole(r.opt.MaxToken)
	target := 2
	for target < len(b) && class[b[target]]&nameByte != 0 {
		target++
	}
	if target < n && isBadName(b[2:target]) {
		r.repair(fault.XMLBadName, 0, "the target of a processing instruction isn't a name that XML allows; it was taken as it is")
		r.repaired = true
	}
	declaration := bytes.EqualFold(b[2:target], []byte("xml"))
	if i := bytes.IndexAny(b[target:], "<>") + target; declaration && i >= target && (n < 0 || i < n-1) {
		missing := "?>"
		if n = i; b[i] == '>' {
			n++
			missing = "?"
		}
		r.repair(fault.XMLBadMarkup, 0, "an XML declaration ends without its ?>")
		r.edit(i, i, missing)
	}
	if n < 0 {
		return r.incomplete(ctx, "a processing instruction")
	}
	if declaration && r.Offset() > 0 {
		r.repair(fault.XMLMisplacedDeclaration, 0, "an XML declaration is elsewhere than at the very beginning; it was left out")
		r.edit(0, n, "")
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

// declaration skips a declaration that belongs into a DTD.
func (r *Reader) declaration(ctx context.Context) (bool, error) {
	if err := r.need(ctx, lookahead); err != nil {
		return false, err
	}
	b := r.window()
	if len(b) < 3 || class[b[2]]&nameStart == 0 && b[2] != '[' {
		return r.bareLess(ctx)
	}
	f := finding{code: fault.XMLBadMarkup, severity: fault.Repair, message: "a declaration is outside the document type; it was " +
		"left out"}
	if r.opt.Edits {
		n, err := r.find(ctx, 2, ">")
		if err != nil {
			return false, err
		}
		if n > 0 {
			r.editIn(&f, 0, n, "")
		}
	}
	r.out.Notice(r.notice(&f, lookahead))
	return false, r.pass(ctx, 2, ">", "a declaration")
}
