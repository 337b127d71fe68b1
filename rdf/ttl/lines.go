package ttl

type lines struct {
	terms
	syntax  Syntax
	guessed bool
}

func newLines(t terms, s Syntax, g bool) *lines { return &lines{terms: t, syntax: s, guessed: g} }
func (l *lines) run() (Syntax, error)           { return Turtle, nil }
func (l *lines) rest() terms                    { return l.terms }
