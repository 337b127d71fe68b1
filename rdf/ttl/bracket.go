package ttl

import (
	"laundromat/rdf/ttl/lex"
)

// bracketIsStray looks whether the [ that begins the statement is superfluous. What is after it
// must make sense as a statement, and none in the bracket. If so, reading goes on after it.
func (r *turtle) bracketIsStray() bool {
	if r.depth != 2 || r.stack[0].verbs > 0 || r.odd >= 0 {
		return false
	}
	f := r.top()
	if f.kind != propertiesFrame || f.role != asSubject || f.verbs != 1 || f.started || f.lost || f.afterComma ||
		f.pos.Offset < r.Base || r.Tok.From-f.pos.Offset > lex.Slack/2 {
		return false
	}
	m := r.Mark()
	r.Seek(f.pos, f.pos.Offset)
	r.Next()
	bracket := r.Mark()
	r.Next()
	if v := r.walk(walker{state: expectStatement, inGraph: r.inGraph}); !v.sound() {
		r.Reset(m)
		return false
	}
	r.Reset(bracket)
	r.Keep = m.Keep
	r.Withdraw(r.stack[0].atSubject)
	r.stray("nothing closes this bracket, and what follows is a statement without it; it was ignored")
	r.object.Clear()
	r.depth = 0
	r.closed()
	r.Next()
	r.state = expectStatement
	return true
}
