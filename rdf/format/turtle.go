package format

import "bytes"

// lookTurtle recognises N-Triples, N-Quads, Turtle, TriG, and what is none of them.
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
	if v := t.lookNear(all); v.certain > 0 {
		return v
	}
	sound := t.sound()
	weight := 1
	if t.sure > 0 || sound > 1 && (hint == NTriples || hint == NQuads || hint == Turtle || hint == TriG) {
		weight = 4
	}
	if sound+t.directives == 0 || t.good*weight < t.bad {
		return begun(all, t.lines, hint)
	}
	if t.n3 > 0 && t.n3*3 >= t.statements && t.triples+t.quads == 0 {
		return verdict{format: N3, certain: sureOfFormulae}
	}
	certain := 0.99 * float64(t.good) / float64(t.good+t.bad)
	if t.sure == 0 {
		certain *= 0.7
	}
	certain = max(certain, 0.2)

	switch {
	case t.graphs > 0 && t.bad > 0 && holdsShapes(in, sound):
		return verdict{not: "ShEx", certain: 0.8}
	case t.isTriG(hint, all):
		return verdict{format: TriG, certain: certain, unnamed: !beginsGraph(all)}
	}
	if f := t.lineFormat(hint, whole); f != "" {
		return verdict{format: f, certain: certain}
	}
	return larger(Turtle, hint, certain)
}

// sureOfFormulae is how sure a formula makes of N3.
const sureOfFormulae = 0.95

// sound is how many statements could be of a format that is read.
func (t *tally) sound() int { return t.triples + t.quads + t.statements }

// lookNear names the language of a text that looks like Turtle and is none.
func (t *tally) lookNear(all []token) verdict {
	sound := t.sound()
	switch {
	case isUpdate(all):
		return verdict{not: "SPARQL update", certain: 0.9}
	case t.queries > 0 && t.queries*strays >= sound && isQuery(all), beginsQuery(all):
		return verdict{not: "SPARQL query", certain: 0.9}
	case t.quads*2 <= sound && isFormulae(all, sound): // else it is one broken line of N-Quads
		return verdict{format: N3, certain: sureOfFormulae}
	case sound == 0 && isShapes(all):
		return verdict{not: "ShEx", certain: 0.85}
	}
	return verdict{}
}

// holdsShapes says that a text holds more shapes of ShEx than may be dirt among so many sound statements.
func holdsShapes(in []byte, sound int) bool {
	return len(shapes.FindAllSubmatch(in[:min(len(in), 64<<10)], sound/strays+1)) > sound/strays
}

// isTriG says that there are graphs in braces, and enough of them to be no dirt.
func (t *tally) isTriG(hint Format, all []token) bool {
	return t.graphs > 0 && !t.mostlyQuads(hint) && (t.quads == 0 || t.directives > 0 || t.graphs >= t.quads) &&
		(hint == TriG || t.graphs*strays >= t.statements || beginsGraph(all))
}

// mostlyQuads says that most statements have four terms. Nothing but N-Quads has such, so that a directive or the brace
// of a graph among them is the fault, and not they.
// A few with names that have prefixes are more likely Turtle with the same fault.
func (t *tally) mostlyQuads(hint Format) bool {
	const enough = 8
	return t.quads > 2*(t.triples+t.statements) && (t.plainQuads > 0 || t.quads >= enough || hint == NQuads)
}

// isTriples says that lines which are called N-Triples are so. A few may have a fourth term, or what only Turtle has.
func (t *tally) isTriples(lines, others int) bool {
	return t.quads < t.triples && t.directives == 0 && lines >= others
}

// isQuads says that the lines, or as many as matter, are N-Quads.
func (t *tally) isQuads(hint Format, lines, others, statements int) bool {
	return t.mostlyQuads(hint) || t.plainQuads > 0 && t.directives == 0 && lines >= others || hint == NQuads && t.quads >= statements
}

// lineFormat is N-Triples or N-Quads, or TriG where that is hinted at and no graph was seen. It is "" where
// statements are of Turtle.
func (t *tally) lineFormat(hint Format, whole bool) Format {
	lines, statements, turtle := t.triples+t.quads, t.statements, t.turtle
	if hint == NTriples || hint == NQuads { // what is on one line may be a fault there
		lines, statements, turtle = lines+t.lineLike, statements-t.lineLike, turtle-t.lineLike
	}
	others := statements + t.directives + t.graphs
	switch {
	case hint == NTriples && t.isTriples(lines, others):
		return NTriples
	case t.quads > 0 && t.isQuads(hint, lines, others, statements):
		return NQuads
	case t.directives > 0 || turtle > 0 && turtle*20 >= lines || others > lines:
		return ""
	case t.relatives > 0 && (hint == Turtle || hint == TriG), lines > 0 && t.relatives*10 > lines && hint != NTriples && hint != NQuads:
		return ""
	case hint == NQuads || hint == TriG && t.quads == 0 && !whole:
		return hint
	case lines > 0 || hint == NTriples:
		return NTriples
	}
	return ""
}

// strays is how many sound statements there are, at most, for each graph, formula or sign of another
// language. With more, the document is not taken for TriG or that language. Where more do, it is dirt:
// a stray brace, or words of a text. What is taken for Turtle then may still be TriG, to which the
// first sound graph turns it.
const strays = 16

// beginsGraph says that a brace is after a label that begins a statement.
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

// begun is the verdict on a text in which no statement is sound, or few are. Half of its lines begin with a
// subject and a predicate in angle brackets, which nothing but broken statements do. Or it is called Turtle or TriG,
// and begins with a directive.
func begun(all []token, lines int, hint Format) verdict {
	if (hint == Turtle || hint == TriG) && all[0].kind == directive {
		return verdict{format: hint, certain: 0.3} // each statement has the same fault
	}
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
