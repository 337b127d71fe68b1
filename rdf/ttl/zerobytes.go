package ttl

import (
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
