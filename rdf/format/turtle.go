package format

import (
	"bytes"
	"slices"
)

// tally is what the statements of a text look like.
type tally struct {
	triples    int // lines of N-Triples
	quads      int // lines of N-Quads with a graph
	relatives  int // such lines with a relative IRI
	undotted   int // such lines without the dot
	statements int // other statements that could be Turtle
	sure       int // of all these, what nothing else looks like
	turtle     int // statements with what only Turtle has
	directives int
	graphs     int // blocks in braces
	queries    int // variables
	n3         int
	good, bad  int // tokens in statements; tokens that are junk
	lines      int // lines that hold tokens
}

// lookTurtle tells N-Triples, N-Quads, Turtle, TriG, and what is none of them.
func lookTurtle(in []byte, whole bool, hint Format) verdict {
	cut := false
	if !whole { // the last line may be cut
		if end := bytes.LastIndexAny(in, "\r\n"); end > 0 {
			in = in[:end]
		} else {
			cut = true
		}
	}
	var few [fewTokens]token
	all := tokens(few[:0], in, cut)
	if cut {
		all = completed(all)
	}
	if len(all) == 0 {
		return nothing(hint, whole)
	}
	t := count(all)
	sound := t.triples + t.quads + t.statements
	switch {
	case isUpdate(all):
		return verdict{not: "SPARQL update", certain: 0.9}
	case t.queries > 0 && t.queries*strays >= sound && isQuery(all), beginsQuery(all):
		return verdict{not: "SPARQL query", certain: 0.9}
	case isFormulae(all, sound):
		return verdict{not: "N3 with rules", certain: 0.85}
	case sound == 0 && isShapes(all):
		return verdict{not: "ShEx", certain: 0.85}
	}
	found := sound + t.directives
	weight := 1
	if t.sure > 0 || sound > 1 && (hint == NTriples || hint == NQuads || hint == Turtle || hint == TriG) {
		weight = 4
	}
	if found == 0 || t.good*weight < t.bad {
		return begun(all, t.lines, hint)
	}
	if t.n3 > 0 && t.n3*3 >= t.statements && t.triples+t.quads == 0 {
		return verdict{not: "N3 with rules", certain: 0.8}
	}
	certain := 0.99 * float64(t.good) / float64(t.good+t.bad)
	if t.sure == 0 {
		certain *= 0.7
	}
	certain = max(certain, 0.2)

	onlyLines := t.triples + t.quads
	others := t.statements + t.directives + t.graphs
	switch {
	case t.graphs > 0 && t.bad > 0 && len(shapes.FindAllSubmatch(in[:min(len(in), 64<<10)], sound/strays+1)) > sound/strays:
		return verdict{not: "ShEx", certain: 0.8}
	case t.graphs > 0 && (t.quads == 0 || t.directives > 0 || t.graphs >= t.quads) && (hint == TriG || t.graphs*strays >= t.statements || beginsGraph(all)):
		return verdict{format: TriG, certain: certain}
	case t.quads > 0 && t.directives == 0 && onlyLines >= others:
		return verdict{format: NQuads, certain: certain}
	case t.directives > 0 || t.turtle > 0 && t.turtle*20 >= onlyLines || others > onlyLines:
		return larger(Turtle, hint, certain)
	case t.relatives > 0 && (hint == Turtle || hint == TriG), onlyLines > 0 && t.relatives*10 > onlyLines && hint != NTriples && hint != NQuads:
		return larger(Turtle, hint, certain)
	case hint == NQuads || hint == TriG && t.quads == 0 && !whole:
		return verdict{format: hint, certain: certain}
	case onlyLines > 0 || hint == NTriples:
		return verdict{format: NTriples, certain: certain}
	default:
		return larger(Turtle, hint, certain)
	}
}

// strays is how many sound statements there are, at most, for each graph, formula or sign of another
// language. With more, the document is not taken for TriG or that language. Where more do, it is dirt:
// a stray brace, or words of a text. What is taken for Turtle then may still be TriG, to which the
// first sound graph turns it.
const strays = 16

// beginsGraph says that a brace stands behind a label that begins a statement.
func beginsGraph(all []token) bool {
	for i := 1; i < len(all); i++ {
		if all[i].kind != brace || !all[i-1].resource() {
			continue
		}
		if i == 1 {
			return true
		}
		switch all[i-2].kind {
		case dot, unbrace, directive, graph:
			return true
		}
	}
	return false
}

// begun is the verdict on a text in which no statement is sound. Half of its lines begin with a
// subject and a predicate in angle brackets, which nothing but broken statements do.
func begun(all []token, lines int, hint Format) verdict {
	n := 0
	for i := range all[:len(all)-1] {
		if all[i].first && (all[i].kind == absolute || all[i].kind == blank) && all[i+1].kind == absolute && !all[i+1].first {
			n++
		}
	}
	if n == 0 || n*2 < lines {
		if pairs := pairsOf(all); (hint == Turtle || hint == TriG) && pairs > 1 {
			return verdict{format: hint, certain: 0.3} // a string without its end may have swallowed the rest
		}
		return verdict{}
	}
	switch hint {
	case NQuads, Turtle, TriG:
		return verdict{format: hint, certain: 0.3}
	}
	return verdict{format: NTriples, certain: 0.3}
}

// pairsOf counts predicates in angle brackets or with a prefix whose first object is followed by a
// sign that divides or ends statements.
func pairsOf(all []token) (n int) {
	for i := 0; i+2 < len(all); i++ {
		if all[i].resource() && all[i].predicate() && all[i+1].term() && (all[i+2].kind == more || all[i+2].kind == dot) {
			n++
		}
	}
	return n
}

// completed adds what is missing of a statement that is the only one in a text, and longer than that.
// A single term may go on for megabytes.
func completed(all []token) []token {
	if len(all) == 0 || len(all) > 4 || all[0].kind != absolute && all[0].kind != blank {
		return all
	}
	line := all[0].line
	for _, kind := range []kind{absolute, absolute, lineText}[min(len(all), 3):] {
		all = append(all, token{kind: kind, line: line})
	}
	if all[len(all)-1].kind != dot {
		all = append(all, token{kind: dot, line: line})
	}
	return all
}

// larger is TriG rather than Turtle where that is hinted at: graphs may come later.
func larger(f, hint Format, certain float64) verdict {
	if hint == TriG {
		f = TriG
	}
	return verdict{format: f, certain: certain}
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
	n, terms := 0, 0
	for n < len(rest) && terms < 5 && rest[n].line == rest[0].line {
		if terms == 2 {
			if size := tripleTerm(rest[n:]); size > 0 {
				n += size
				terms++
				continue
			}
		}
		if !rest[n].term() {
			break
		}
		n++
		terms++
	}
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
	s, p, o := rest[0], rest[1], rest[2]
	if !isClosed && relativeOrNamed(s, p) { // of Turtle, most likely; its reader knows what is missing
		return 0
	}
	if !s.resource() || !p.predicate() || terms == 4 && !rest[n-1].resource() {
		return 0
	}
	relatives, absolutes := 0, 0
	for _, term := range rest[:n] {
		switch term.kind {
		case prefixed, text:
			return 0 // a statement of Turtle, on one line
		case relative:
			relatives++
		case absolute:
			absolutes++
		}
	}
	if terms == 4 {
		t.quads++
	} else {
		t.triples++
	}
	if relatives > 0 {
		t.relatives++
	}
	if absolutes >= 2 || absolutes == 1 && (s.kind == blank || o.kind == blank || o.kind == lineText) {
		t.sure++
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
	depth, wrong, n := 0, 0, 0
	var features, resources int
	closed, sure := false, false
loop:
	for n < len(rest) && n < maxStatement {
		token := rest[n]
		if n > 0 && token.first {
			if token.kind == directive {
				break
			}
			// After junk, a line that is sound by itself begins anew.
			var probe tally
			if wrong > 0 && probe.line(rest[n:]) > 0 {
				break
			}
		}
		n++
		switch token.kind {
		case junk:
			wrong++
		case variable:
			wrong++
			t.queries++
		case n3:
			t.n3++
		case open:
			depth++
			features++
		case shut:
			if depth == 0 {
				wrong++
			} else {
				depth--
			}
		case more:
			if depth == 0 {
				features++
			}
		case note:
			features++
		case prefixed, verb, text:
			features++
			resources++
		case absolute, relative:
			resources++
		case dot:
			if depth == 0 || n < len(rest) && rest[n].first {
				closed = true
				break loop
			}
		case brace, unbrace:
			if depth == 0 {
				if token.kind == brace && n > 1 {
					n-- // of a graph, whose name is what came before
				} else {
					closed = true
				}
				break loop
			}
		case directive, graph:
			break loop
		}
	}
	if n == 0 {
		n = 1
	}
	taken := rest[:n]
	if wrong == 0 && sound(taken) && (closed || len(taken) >= 4) {
		t.statements++
		t.good += len(taken)
		if features > 0 {
			t.turtle++
		}
		for _, token := range taken {
			sure = sure || token.kind == absolute
		}
		if sure {
			t.sure++
		}
		return n
	}
	if wrong == 0 {
		// Not sound, but of the right words: half of it speaks for nothing.
		t.bad += (len(taken) + 1) / 2
		return n
	}
	t.bad += wrong
	return n
}

// sound says that the tokens of a statement begin as one: subject, predicate,
// object; or a subject in brackets that may stand alone.
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
