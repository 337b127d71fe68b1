package ttl

import (
	"fmt"

	"laundromat/internal/fault"
)

// leastHole is how many zero bytes make a hole of a file, in which something may be lost: the least
// that a disk reads or leaves out. Fewer were put in by a program that ends or fills its texts with them.
const leastHole = 512

// unseenMark is a mark before a token that was passed over: one that can't be seen, or zero bytes.
type unseenMark struct {
	at    fault.Pos
	zeros int64 // 0 if it is another mark
}

// skipZeros goes over the zero bytes at index i, which are passed over as white space is. told is the number of
// those in the gap between two tokens so far. It returns the index behind them.
func (l *lexer) skipZeros(i int, told *int64) int {
	from := l.base + int64(i)
	end := i
	for end < len(l.buf) && l.buf[end] == 0 {
		end++
	}
	first := *told == 0
	if *told += int64(end - i); *told >= leastHole && !l.behindHole {
		l.behindHole = true
		l.holes++
	}
	to := l.base + int64(end)
	if fresh := to - max(from, l.marked+1); fresh > 0 { // else they were met before in a look ahead
		if first || len(l.marks) == 0 || l.marks[len(l.marks)-1].zeros == 0 {
			l.pos = i
			l.marks = append(l.marks, unseenMark{at: l.place()})
		}
		l.marks[len(l.marks)-1].zeros += fresh
		l.marked = to - 1
	}
	return end
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

// skipIndent goes over white space and zero bytes at the beginning of a line, of which nothing is held.
// Behind a hole, the line may be the rest of a statement.
func (l *lines) skipIndent() {
	for ; l.pos < len(l.buf); l.pos++ {
		switch c := l.buf[l.pos]; {
		case class[c]&space != 0:
		case c != 0:
			l.tellIndent()
			return
		default:
			if l.indent.zeros == 0 {
				l.extra = 0
				l.indent.at = l.place()
			}
			l.indent.zeros++
			if l.indent.zeros == leastHole {
				l.broken, l.holed = true, true
			}
		}
	}
}

// tellIndent tells of the zero bytes before the line.
func (l *lines) tellIndent() {
	if l.indent.zeros > 0 {
		l.tellZeros(l.indent, l.to.Notice)
		l.indent.zeros = 0
	}
}

// parted deals with a hole before the present token, if it stands within a statement.
func (r *turtle) parted() bool {
	if r.state == expectStatement || r.tok.kind == endOfText || r.tok.kind == stopped {
		return false
	}
	n := r.holeWithin(r.ended.Offset)
	r.behindHole = false
	if r.tok.kind.beginsSubject() {
		if behind := r.walk(walker{state: expectStatement, inGraph: r.inGraph}); behind.sound() {
			r.giveUp(n, r.tok.from)
			return true
		}
	}
	r.recover(n, false)
	return true
}
