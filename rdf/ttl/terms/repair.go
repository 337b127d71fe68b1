package terms

import (
	"bytes"
	"fmt"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl/lex"
)

// Repair notes a repair of the current statement, the notice of which is given before its quad.
func (t *Reader) Repair(code fault.Code, pos fault.Pos, format string, args ...any) {
	t.Pending = append(t.Pending, t.Notice(code, fault.Repair, pos, format, args...))
}

// Edit adds an edit to a repair, if edits are asked for.
func (t *Reader) Edit(n *fault.Notice, from, to int64, with string) {
	if t.Edits {
		n.Edits = append(n.Edits, fault.Edit{From: from, To: to, With: with})
	}
}

// EditLast is Edit for the repair that was noted last.
func (t *Reader) EditLast(from, to int64, with string) {
	t.Edit(&t.Pending[len(t.Pending)-1], from, to, with)
}

// EditAround adds to the last repair that other signs are around the current token: so many bytes at both its ends
// become others.
func (t *Reader) EditAround(n int64, before, after string) {
	last := &t.Pending[len(t.Pending)-1]
	t.Edit(last, t.Tok.From, t.Tok.From+n, before)
	t.Edit(last, t.Tok.To-n, t.Tok.To, after)
}

// Repairs is the number of repairs so far, to be given to withdraw.
func (t *Reader) Repairs() int64 { return t.Told + int64(len(t.Pending)) }

// Withdraw forgets the repairs after the first n: what they touched is lost.
func (t *Reader) Withdraw(n int64) {
	if keep := max(n-t.Told, 0); keep < int64(len(t.Pending)) {
		t.Pending = t.Pending[:keep]
	}
}

// Tell gives the pending repairs to the sink.
func (t *Reader) Tell() {
	for i := range t.Pending {
		t.To.Notice(t.Pending[i])
	}
	t.Told += int64(len(t.Pending))
	t.Pending = t.Pending[:0]
}

// fail says why the current token makes no term.
func (t *Reader) fail(h *Held, code fault.Code, pos fault.Pos, format string, args ...any) bool {
	t.Problem = t.Notice(code, fault.Drop, pos, format, args...)
	h.Dead = code
	return false
}

// doubt warns of a term that is kept. A line may be lost yet: there the warning waits for its quad.
func (t *Reader) doubt(code fault.Code, pos fault.Pos, message string) {
	n := t.Notice(code, fault.Warning, pos, "%s", message)
	if t.LineFormat {
		t.Pending = append(t.Pending, n)
	} else {
		t.To.Notice(n)
	}
}

// Unexpected is the notice that something else was wanted than the current token. A token that is broken by itself
// keeps its own code and message. An IRI that is lost is in its place as any other.
func (t *Reader) Unexpected(wanted string) fault.Notice {
	if t.Tok.Code != "" && t.Tok.Kind != lex.IRI {
		return t.Notice(t.Tok.Code, fault.Drop, t.Tok.Pos, "%s", t.Tok.Message)
	}
	return t.Notice(fault.SyntaxUnexpected, fault.Drop, t.Tok.Pos, "%s is where %s was expected", t.Tok.Kind, wanted)
}

// Misplaced is the notice that a term may not be here, whatever it says.
func (t *Reader) Misplaced(wanted string) fault.Notice {
	if t.Tok.Code != "" && t.Tok.Code != fault.SyntaxWord && t.Tok.Kind != lex.IRI {
		return t.Notice(t.Tok.Code, fault.Drop, t.Tok.Pos, "%s", t.Tok.Message)
	}
	return t.Notice(fault.SyntaxMisplacedTerm, fault.Drop, t.Tok.Pos, "%s can't be %s", t.Tok.Kind, wanted)
}

// TellMarks reports the marks and zero bytes that were skipped. No statement is touched by them.
func (t *Reader) TellMarks(tell func(fault.Notice)) {
	for _, m := range t.Marks {
		n := t.Notice(fault.SyntaxUnseen, fault.Repair, m.At, "a mark that can't be seen is before this; it was ignored")
		if m.Zeros == 0 && t.Edits {
			t.editMarks(&n, m.At.Offset)
		}
		switch {
		case m.Zeros == 1:
			n = fault.Notice{Code: fault.SyntaxZeroBytes, Severity: fault.Repair, Pos: m.At, Message: "a zero byte is here; it was " +
				"passed over"}
		case m.Zeros > 1:
			n = fault.Notice{Code: fault.SyntaxZeroBytes, Severity: fault.Repair, Pos: m.At, Bytes: m.Zeros}
			n.Message = fmt.Sprintf("%d zero bytes are here; they were passed over", m.Zeros)
		}
		tell(n)
	}
	t.Marks = t.Marks[:0]
}

// editMarks takes the marks that can't be seen out of the white space and comments from an offset on.
func (t *Reader) editMarks(n *fault.Notice, from int64) {
	text := t.Buf[max(from-t.Base, 0):]
	for i := 0; i < len(text); {
		switch b := text[i]; {
		case lex.Unseen(text[i:]) > 0:
			at, size := from+int64(i), lex.Unseen(text[i:])
			t.Edit(n, at, at+int64(size), "")
			i += size
		case b == '#':
			i += max(bytes.IndexAny(text[i:], "\r\n"), 1)
		case b == ' ', b == '\t', (b == '\n' || b == '\r') && !t.LineFormat:
			i++
		default:
			return
		}
	}
}

// HoleWithin is the notice that a hole before the current token parts the statement. What is before
// the hole and after it are of different statements, most likely. The mark of the hole is taken back,
// since this notice says it.
func (t *Reader) HoleWithin(from int64) fault.Notice {
	n := t.Notice(fault.SyntaxZeroBytes, fault.Drop, t.Tok.Pos, "zero bytes are within this statement; they may hide its end and the "+
		"beginning of another one")
	kept := t.Marks[:0]
	for _, m := range t.Marks {
		if m.Zeros >= lex.LeastHole && m.At.Offset >= from {
			n.Pos, n.Bytes = m.At, m.Zeros
			continue
		}
		kept = append(kept, m)
	}
	t.Marks = kept
	return n
}
