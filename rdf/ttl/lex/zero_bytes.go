package lex

import (
	"laundromat/internal/fault"
)

// LeastHole is how many zero bytes make a hole of a file, in which something may be lost. It is the
// least that a disk reads or leaves out. Fewer were put in by a program that ends or fills its texts
// with them.
const LeastHole = 512

// UnseenMark is a mark before a token that was skipped: one that can't be seen, or zero bytes.
type UnseenMark struct {
	At    fault.Pos
	Zeros int64 // 0 if it is another mark
}

// skipZeros skips the zero bytes at index i, as white space. It adds their number to told,
// which counts those in the gap between two tokens so far. It returns the index after them.
func (l *Lexer) skipZeros(i int, told *int64) int {
	from := l.Base + int64(i)
	end := i
	for end < len(l.Buf) && l.Buf[end] == 0 {
		end++
	}
	first := *told == 0
	if *told += int64(end - i); *told >= LeastHole && !l.BehindHole {
		l.BehindHole = true
		l.Holes++
	}
	to := l.Base + int64(end)
	if fresh := to - max(from, l.Marked+1); fresh > 0 { // else they were met before in a look ahead
		if first || len(l.Marks) == 0 || l.Marks[len(l.Marks)-1].Zeros == 0 {
			l.Pos = i
			l.Marks = append(l.Marks, UnseenMark{At: l.Place()})
		}
		l.Marks[len(l.Marks)-1].Zeros += fresh
		l.Marked = to - 1
	}
	return end
}
