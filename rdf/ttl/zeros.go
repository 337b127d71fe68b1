package ttl

import (
	"laundromat/rdf/ttl/lex"
)

// parted deals with a hole before the current token, if it is within a statement.
func (r *turtle) parted() bool {
	if r.state == expectStatement || r.Tok.Kind == lex.EndOfText || r.Tok.Kind == lex.Stopped {
		return false
	}
	n := r.HoleWithin(r.Ended.Offset)
	r.BehindHole = false
	if r.Tok.Kind.BeginsSubject() {
		if behind := r.walk(walker{state: expectStatement, inGraph: r.inGraph}); behind.sound() {
			r.giveUp(n, r.Tok.From)
			return true
		}
	}
	r.recover(n, false)
	return true
}
