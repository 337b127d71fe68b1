package format

import (
	"bytes"
	"slices"
)

// tally is what the statements of a text look like.
type tally struct {
	triples    int // lines of N-Triples
	quads      int // lines of N-Quads with a graph
	plainQuads int // of these, such as have no prefixes
	relatives  int // such lines with a relative IRI
	undotted   int // such lines without the dot
	statements int // other statements that could be Turtle
	sure       int // of all these, what nothing else looks like
	turtle     int // statements with what only Turtle has
	lineLike   int // of these, such as are on one line and have a, a number or a string as Turtle writes it
	directives int
	graphs     int // blocks in braces
	queries    int // variables
	n3         int
	good, bad  int // tokens in statements; tokens that are junk
	lines      int // lines that hold tokens
}

// count takes the tokens statement by statement. A line that is a statement by
// itself ends what junk came before it.
func count(all []token) (t tally) {
	for i := 0; i < len(all); {
		if all[i].first {
			t.lines++
		}
		if n := t.single(all[i:]); n > 0 {
			i += n
			continue
		}
		i += t.statement(all[i:])
	}
	return t
}

// single takes a directive, a brace, or a line that is a statement of three or four terms. It returns
// the number of its tokens, or 0.
func (t *tally) single(rest []token) int {
	switch rest[0].kind {
	case directive:
		t.directives++
		t.sure++
		t.good += 4
		n := 1
		if n < len(rest) && rest[n].kind == dot {
			n++
		}
		return n
	case version: // lines and Turtle have it
		t.sure++
		t.good += 2
		return 1
	case unbrace:
		n := 1
		if n < len(rest) && rest[n].kind == dot {
			n++
		}
		return n
	case brace:
		if len(rest) > 1 && (rest[1].resource() || rest[1].kind == open || rest[1].kind == star || rest[1].kind == unbrace) {
			t.graphs++
			t.good++
		} else {
			t.bad++
		}
		return 1
	case graph:
		if len(rest) > 2 && rest[1].resource() && rest[2].kind == brace {
			t.graphs++
			t.sure++
			t.good += 3
			return 3
		}
		return 0
	}
	if len(rest) > 1 && rest[0].resource() && rest[1].kind == brace {
		t.graphs++
		t.good += 2
		return 2
	}
	if len(rest) > 2 && rest[0].kind == open && rest[1].kind == shut && rest[2].kind == brace {
		t.graphs++
		t.good += 3
		return 3
	}
	return t.line(rest)
}

// line takes a line of N-Triples or N-Quads: terms, a dot, and nothing after it. The dot may
// be missing, if what follows on the next line begins a statement too.
func (t *tally) line(rest []token) int {
	if !rest[0].first {
		return 0
	}
	n, terms := termsOf(rest)
	if terms != 3 && terms != 4 {
		return 0
	}
	isClosed := n < len(rest) && rest[n].kind == dot && rest[n].line == rest[0].line
	switch {
	case isClosed && n+1 < len(rest) && !rest[n+1].first:
		return 0
	case !isClosed && n < len(rest) && (!rest[n].first || !rest[n].resource()):
		return 0
	}
	s, p := rest[0], rest[1]
	if !isClosed && relativeOrNamed(s, p) { // of Turtle, most likely; its reader knows what is missing
		return 0
	}
	if !s.resource() || !p.predicate() || terms == 4 && !rest[n-1].resource() || !t.countLine(rest[:n], terms) {
		return 0
	}
	if !isClosed {
		t.undotted++
		t.good += n
		t.bad++
		return n
	}
	t.good += n + 1
	return n + 1
}

// termsOf counts the terms with which a line begins, five at most; n is how many tokens they are. The third
// may be a triple term.
func termsOf(rest []token) (n, terms int) {
	for n < len(rest) && terms < 5 && rest[n].line == rest[0].line {
		size := 0
		if terms == 2 {
			size = tripleTerm(rest[n:])
		}
		if size == 0 {
			if !rest[n].term() {
				break
			}
			size = 1
		}
		n += size
		terms++
	}
	return n, terms
}

// countLine counts the statement of a line, from its tokens without the dot. It is false for one of Turtle.
func (t *tally) countLine(line []token, terms int) bool {
	relatives, absolutes := 0, 0
	for _, term := range line {
		switch term.kind {
		case prefixed, text:
			return false
		case relative:
			relatives++
		case absolute:
			absolutes++
		}
	}
	if terms == 4 {
		t.quads++
		t.plainQuads++
	} else {
		t.triples++
	}
	if relatives > 0 {
		t.relatives++
	}
	s, o := line[0], line[2]
	if absolutes >= 2 || absolutes == 1 && (s.kind == blank || o.kind == blank || o.kind == lineText) {
		t.sure++
	}
	return true
}

func relativeOrNamed(all ...token) bool {
	return slices.ContainsFunc(all, func(t token) bool { return t.kind != absolute && t.kind != blank })
}

// isLine says that the first line of in is a sound one of N-Triples or N-Quads.
func isLine(in []byte) bool {
	if end := bytes.IndexAny(in, "\r\n"); end >= 0 {
		in = in[:end]
	}
	all := tokens(nil, in, false)
	var t tally
	return len(all) > 0 && t.line(all) > 0 && t.sure > 0
}

// tripleTerm is the number of tokens of the triple term with which rest begins; 0 if
// there is none on the line.
func tripleTerm(rest []token) int {
	depth := 0
	for n, token := range rest {
		switch {
		case token.line != rest[0].line:
			return 0
		case token.kind == star && string(token.text) == "<<(":
			depth++
		case token.kind == star && string(token.text) == ")>>" && depth > 0:
			depth--
		case !token.term():
			return 0
		}
		if depth == 0 {
			if n == 0 {
				return 0
			}
			return n + 1
		}
	}
	return 0
}

// maxStatement is how many tokens of a statement are looked at.
const maxStatement = 4000

// statement takes a statement of Turtle up to its dot or brace, and judges it.
func (t *tally) statement(rest []token) int {
	var s statementScan
	n, closed := 0, false
loop:
	for n < len(rest) && n < maxStatement {
		token := rest[n]
		if n > 0 && token.first && s.endsBefore(rest[n:]) {
			break
		}
		n++
		switch token.kind {
		case dot:
			if s.depth == 0 || n < len(rest) && rest[n].first {
				closed = true
				break loop
			}
		case brace, unbrace:
			if s.depth == 0 {
				if token.kind == brace && n > 1 {
					n-- // of a graph, whose name is what came before
				} else {
					closed = true
				}
				break loop
			}
		case directive, graph:
			break loop
		default:
			s.take(token.kind)
		}
	}
	n = max(n, 1)
	t.queries += s.variables
	t.n3 += s.n3
	t.judge(rest[:n], &s, closed)
	return n
}

// statementScan is what was found in a statement so far.
type statementScan struct {
	depth     int // of brackets
	wrong     int // tokens that no statement has
	features  int // tokens that only Turtle has
	variables int
	n3        int
}

// endsBefore says that a statement ends before the tokens of a line, although it has no dot. A directive begins
// there, or after junk a line that is sound by itself.
func (s *statementScan) endsBefore(line []token) bool {
	if line[0].kind == directive {
		return true
	}
	var probe tally
	return s.wrong > 0 && probe.line(line) > 0
}

// take counts a token inside a statement.
func (s *statementScan) take(k kind) {
	switch k {
	case junk:
		s.wrong++
	case variable:
		s.wrong++
		s.variables++
	case n3:
		s.n3++
	case open:
		s.depth++
		s.features++
	case shut:
		if s.depth == 0 {
			s.wrong++
		} else {
			s.depth--
		}
	case more:
		if s.depth == 0 {
			s.features++
		}
	case note, prefixed, verb, text:
		s.features++
	}
}

// judge counts the tokens of a statement as good or bad.
func (t *tally) judge(taken []token, s *statementScan, closed bool) {
	switch {
	case s.wrong > 0:
		t.bad += s.wrong
	case closed && s.depth == 0 && fourTerms(taken):
		t.quads++
		t.good += len(taken)
		if slices.ContainsFunc(taken, func(token token) bool { return token.kind == absolute }) {
			t.sure++
		}
	case !sound(taken) || !closed && len(taken) < 4:
		// Of the right words, but in no order of a statement: half of it speaks for nothing.
		t.bad += (len(taken) + 1) / 2
	default:
		t.statements++
		t.good += len(taken)
		if s.features > 0 {
			t.turtle++
		}
		if _, terms := termsOf(taken); terms == 3 && closed && taken[len(taken)-1].line == taken[0].line && !relativeOrNamed(taken[0]) {
			t.lineLike++
		}
		if slices.ContainsFunc(taken, func(token token) bool { return token.kind == absolute }) {
			t.sure++
		}
	}
}

// fourTerms says that the tokens of a statement are four terms and a dot, as in N-Quads alone. Names with prefixes,
// strings over several lines and quoted triples may be among them.
func fourTerms(s []token) bool {
	n := quotedTriple(s)
	if n == 0 && s[0].resource() {
		n = 1
	}
	if n == 0 || n+1 >= len(s) || !s[n].predicate() {
		return false
	}
	n++
	if size := max(tripleTerm(s[n:]), quotedTriple(s[n:])); size > 0 {
		n += size
	} else if n++; !s[n-1].term() {
		return false
	}
	return n+2 == len(s) && s[n].resource() && s[n+1].kind == dot
}

// quotedTriple is the number of tokens of the << >> with which s begins, else 0.
func quotedTriple(s []token) int {
	if len(s) < 5 || string(s[0].text) != "<<" || string(s[4].text) != ">>" || !s[1].resource() || !s[2].predicate() || !s[3].term() {
		return 0
	}
	return 5
}

// sound says that the tokens of a statement begin as one: subject, predicate,
// object; or a subject in brackets that may occur alone.
func sound(s []token) bool {
	i := 0
	switch {
	case s[0].resource():
		i = 1
	case s[0].kind == open:
		depth := 0
		for i < len(s) {
			switch s[i].kind {
			case open:
				depth++
			case shut:
				depth--
			}
			i++
			if depth == 0 {
				break
			}
		}
		if i < len(s) && (s[i].kind == dot || s[i].kind == unbrace) && i > 3 {
			return true
		}
	case s[0].kind == star:
		return true
	default:
		return false
	}
	return i+1 < len(s) && s[i].predicate() && (s[i+1].term() || s[i+1].kind == open || s[i+1].kind == star)
}
