package ttl

// bracketIsStray looks whether the [ that begins the statement is one too many, since what stands
// behind it makes sense as a statement, and does not in the bracket: if so, reading goes on behind
// it.
func (r *turtle) bracketIsStray() bool {
	if r.depth != 2 || r.stack[0].verbs > 0 || r.odd >= 0 {
		return false
	}
	f := r.top()
	if f.kind != propertiesFrame || f.role != asSubject || f.verbs != 1 || f.started || f.lost || f.afterComma ||
		f.pos.Offset < r.base || r.tok.from-f.pos.Offset > slack/2 {
		return false
	}
	m := r.mark()
	r.seek(f.pos, f.pos.Offset)
	r.next()
	bracket := r.mark()
	r.next()
	if v := r.walk(walker{state: expectStatement, inGraph: r.inGraph}); !v.sound() {
		r.reset(m)
		return false
	}
	r.reset(bracket)
	r.keep = m.keep
	r.withdraw(r.stack[0].atSubject)
	r.stray("nothing closes this bracket, and what follows is a statement without it; it was ignored")
	r.object.clear()
	r.depth = 0
	r.closed()
	r.next()
	r.state = expectStatement
	return true
}
