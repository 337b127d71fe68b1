package ttl

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
