package ttl

import (
	"fmt"

	"laundromat/internal/fault"
)

// repair notes a repair of the present statement, to be told before its quad.
func (t *terms) repair(code fault.Code, pos fault.Pos, format string, args ...any) {
	t.pending = append(t.pending, t.notice(code, fault.Repair, pos, format, args...))
}

// seen is the number of repairs so far, to be given to withdraw.
func (t *terms) seen() int64 { return t.told + int64(len(t.pending)) }

// withdraw forgets the repairs after the first n: what they touched is lost.
func (t *terms) withdraw(n int64) {
	if keep := max(n-t.told, 0); keep < int64(len(t.pending)) {
		t.pending = t.pending[:keep]
	}
}

// tell gives the pending repairs to the sink.
func (t *terms) tell() {
	for i := range t.pending {
		t.to.Notice(t.pending[i])
	}
	t.told += int64(len(t.pending))
	t.pending = t.pending[:0]
}

// fail says why the present token makes no term.
func (t *terms) fail(h *held, code fault.Code, pos fault.Pos, format string, args ...any) bool {
	t.problem = t.notice(code, fault.Drop, pos, format, args...)
	h.dead = code
	return false
}

// doubt warns of a term that is kept. A line may be lost yet: there the warning waits for its quad.
func (t *terms) doubt(code fault.Code, pos fault.Pos, message string) {
	n := t.notice(code, fault.Warning, pos, "%s", message)
	if t.lines {
		t.pending = append(t.pending, n)
	} else {
		t.to.Notice(n)
	}
}

func (t *terms) unexpected(wanted string) fault.Notice {
	if t.tok.code != "" {
		return t.notice(t.tok.code, fault.Drop, t.tok.pos, "%s", t.tok.message)
	}
	return t.notice(fault.SyntaxUnexpected, fault.Drop, t.tok.pos, "%s stands where %s was expected", t.tok.kind, wanted)
}

// misplaced is the notice that a term may not stand here, whatever it says.
func (t *terms) misplaced(wanted string) fault.Notice {
	if t.tok.code != "" && t.tok.code != fault.SyntaxWord {
		return t.notice(t.tok.code, fault.Drop, t.tok.pos, "%s", t.tok.message)
	}
	return t.notice(fault.SyntaxMisplacedTerm, fault.Drop, t.tok.pos, "%s can't be %s", t.tok.kind, wanted)
}

// tellMarks tells of the marks that were passed over. No statement is touched by them.
func (t *terms) tellMarks(tell func(fault.Notice)) {
	for _, m := range t.marks {
		if m.zeros > 0 {
			t.tellZeros(m, tell)
			continue
		}
		tell(t.notice(fault.SyntaxUnseen, fault.Repair, m.at, "a mark that can't be seen stands before this; it was ignored"))
	}
	t.marks = t.marks[:0]
}

// tellZeros tells of zero bytes that were passed over. No statement is touched by them.
func (t *terms) tellZeros(m unseenMark, tell func(fault.Notice)) {
	n := fault.Notice{Code: fault.SyntaxZeroBytes, Severity: fault.Repair, Pos: m.at, Message: "a zero byte stands here; it was passed over"}
	if m.zeros > 1 {
		n.Message = fmt.Sprintf("%d zero bytes stand here; they were passed over", m.zeros)
		n.Bytes = m.zeros
	}
	tell(n)
}

// holeWithin says of the present token that a hole before it parts the statement: what stands
// before the hole and behind it are of different statements, most likely. The mark of the hole is
// taken back, since the notice tells of it.
func (t *terms) holeWithin(from int64) fault.Notice {
	n := t.notice(fault.SyntaxZeroBytes, fault.Drop, t.tok.pos, "zero bytes stand within this statement; they may hide its end and the beginning of another one")
	kept := t.marks[:0]
	for _, m := range t.marks {
		if m.zeros >= leastHole && m.at.Offset >= from {
			n.Pos, n.Bytes = m.at, m.zeros
			continue
		}
		kept = append(kept, m)
	}
	t.marks = kept
	return n
}
