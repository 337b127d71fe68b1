package ttl

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// readObject reads
//
//	object ::= iri | BlankNode | collection | blankNodePropertyList | literal | tripleTerm | reifiedTriple
func (r *turtle) readObject() {
	f := r.top()
	f.atObject = r.Repairs()
	switch k := r.Tok.Kind; {
	case k == lex.OpenList && r.listIsBracket():
		r.lose(r.Notice(fault.SyntaxUnexpected, fault.Drop, r.Tok.Pos, "a ( stands before predicates and objects; it was taken for the [ of a node"))
		r.Tok.Kind = lex.OpenProperties
		r.bracket(asObject)
	case k == lex.OpenProperties || k == lex.OpenList:
		r.bracket(asObject)
	case k == lex.OpenGraph && r.standsForBracket():
		r.lose(r.Notice(fault.SyntaxUnexpected, fault.Drop, r.Tok.Pos, "a { stands where an object was expected; it was taken for the [ of a node"))
		depth := r.depth
		if r.bracket(asObject); r.depth > depth {
			r.top().braced = true
		}
	case k == lex.A:
		r.keywordAsObject(f)
	case k.IsTerm():
		r.readTerm()
	case k == lex.OpenReified || k == lex.OpenTriple:
		r.triple(asObject)
	case k == lex.Comma || k == lex.Semicolon || k == lex.Dot || k == lex.CloseProperties || k == lex.CloseGraph || k == lex.CloseNotes:
		r.object.Clear()
		if f.afterComma {
			r.stray("no object follows the comma before; it was ignored")
			r.state = expectEnd
			return
		}
		n := r.Notice(fault.SyntaxIncomplete, fault.Drop, r.Tok.Pos, "the predicate before has no object")
		r.foresee()
		if is := r.habits.isVerb(f.predicate.Value); k == lex.Comma && f.predicate.Dead == "" && is != likely && (is == unlikely || !r.habits.isSpaceOfVerbs(f.predicate.Value)) {
			f.predicate.Dead = n.Code // it is an object whose predicate is missing
		}
		if f.kind == propertiesFrame && f.verbs == 1 && k != lex.CloseProperties {
			f.hollow = f.predicate.Dead == fault.SyntaxMisplacedTerm && k == lex.Comma
			r.recover(n, true) // perhaps the bracket is what is wrong
			return
		}
		f.hollow = f.hollow || f.kind == propertiesFrame && f.verbs == 1 && f.predicate.Dead == fault.SyntaxMisplacedTerm
		r.lose(n)
		r.doubtSubject(f)
		r.state = expectEnd
	case k == lex.OpenGraph && r.verbIsLabel(f):
		r.stray("the semicolon before ends the statement: the dot is missing, or more")
		r.spare.Copy(&f.predicate)
		column := f.column
		r.finish()
		r.enterGraph(&r.spare, column)
	default:
		n := r.unexpected("an object")
		if r.Tok.From == r.Ended.Offset && f.predicate.Dead == "" && n.Code != fault.SyntaxUnclosedIRI {
			f.predicate.Dead = n.Code // who knows where that ends
		}
		r.recover(n, true)
	}
}

// standsForBracket looks ahead whether what follows the current { makes sense as predicates and
// objects that are in brackets, and not as statements of a graph.
func (r *turtle) standsForBracket() bool {
	v := r.walkInto(walkFrame{kind: propertiesFrame, role: asObject, braced: true}, expectVerb)
	return (v.sound() || v.pairs >= enoughPairs) && !r.opensSoundly()
}

// listIsBracket looks ahead whether the current ( is a mistaken [. One of the document's predicates
// follows. What is after it makes no sense in a list, but does as predicates and objects up to a
// ].
func (r *turtle) listIsBracket() bool {
	m := r.Mark()
	r.Next()
	verb := r.Tok.Kind == lex.A || r.Tok.Kind.IsVerb() && r.looksLikeVerb() == likely
	r.Reset(m)
	if !verb {
		return false
	}
	if v := r.walkInto(walkFrame{kind: listFrame, role: asObject}, expectMember); v.sound() {
		return false
	}
	v := r.walkInto(walkFrame{kind: propertiesFrame, role: asObject}, expectVerb)
	return v.sound()
}

// walkInto looks ahead after the current token, which is taken to begin f, in which then is expected.
func (r *turtle) walkInto(f walkFrame, then state) verdict {
	return r.walk(walker{frames: r.depth, own: []walkFrame{f}, inGraph: r.inGraph, state: then, skip: true})
}

// beginsBehindSemicolon says that the predicate of f, right after a semicolon, may be the subject
// of another statement. The semicolon should then be a dot. What was read of them needs no repair,
// that the statement may be split there.
func (r *turtle) beginsBehindSemicolon(f *frame) bool {
	return f.kind == statementFrame && f.started && f.fresh && !f.afterComma && !f.lost && !f.isA && r.odd < 0 && f.notes == nil &&
		!f.verbTag && f.predicate.Dead == "" && !f.predicate.Repaired && r.habits.isVerb(f.predicate.Value) != likely
}

// isBehindVerb says that the object before the current token, which can't follow it, is a
// predicate. It is a known predicate, or the one before it is where statements begin.
func (r *turtle) isBehindVerb() bool {
	f, h := r.top(), r.habits
	switch is := h.isVerb(r.object.Value); {
	case f.column > 0 && r.beginsByLayout(f.column) == unlikely, is == unlikely:
		return false
	case is == likely, f.column > 0 && r.beginsByLayout(f.column) == likely, h.isVerb(f.predicate.Value) == unlikely:
	case !h.isSpaceOfVerbs(r.object.Value) || h.isSpaceOfVerbs(f.predicate.Value):
		return false
	}
	return r.standsBeforeObject(walker{state: expectObject, inGraph: r.inGraph, own: []walkFrame{{kind: statementFrame}}})
}

// standsBeforeObject says that the object before the current token is an IRI that needed no repair.
// The walker w must make sense of what follows as its objects.
func (r *turtle) standsBeforeObject(w walker) bool {
	if !r.Tok.Kind.BeginsObject() && !r.Tok.Kind.Opens() || r.object.Kind != rdf.IRI || r.object.Repaired {
		return false
	}
	v := r.walk(w)
	return v.sound() || v.pairs > 0 && v.tokens > 1
}

// isVerbBehindComma says that the object before the current token, which can't follow it, is a
// known predicate after a comma. The comma should then be a semicolon.
func (r *turtle) isVerbBehindComma(f *frame) bool {
	return f.hasPairs() && f.afterComma && !f.lost && f.notes == nil && r.habits.isVerb(r.object.Value) == likely &&
		r.standsBeforeObject(walker{frames: r.depth, inGraph: r.inGraph, state: expectObject})
}

// splitAtSemicolon ends the current statement before its last predicate, or what is in its place.
// That becomes the subject of another statement, which begins in a column. The semicolon before it
// should be a dot.
func (r *turtle) splitAtSemicolon(verb *terms.Held, column int64) {
	var subject terms.Held
	subject.Copy(verb)
	if r.finish(); r.inGraph {
		r.inGraphStatements++
	}
	if !r.push(statementFrame, asObject) {
		return
	}
	f := r.top()
	f.named, f.start = true, column
	f.subject.Copy(&subject)
	f.subject.Repaired = true
	n := r.Notice(fault.SyntaxMissingDot, fault.Repair, subject.Pos, "a statement begins here: the semicolon before it stands for a dot")
	n.Excerpt = r.Excerpt(subject.Pos.Offset)
	r.Pending = append(r.Pending, n)
	f.atPredicate = r.Repairs()
	r.state = expectVerb
}

// givePredicate makes predicate, which was read as an object, the next of f. If a ] too many
// follows, a [ is missing before it.
func (r *turtle) givePredicate(f *frame, predicate *terms.Held) {
	r.beginOdd()
	f.odd = true
	f.predicate.Copy(predicate)
	r.object.Clear()
	f.fresh, f.isA, f.verbs = true, false, f.verbs+1
	f.atObject = r.Repairs()
	r.state = expectObject
}

// keywordAsObject deals with the keyword a where an object should be. Either the line
// breaks off after the predicate before, or that is the subject of another statement.
func (r *turtle) keywordAsObject(f *frame) {
	r.foresee()
	begins := unlikely
	if !f.afterComma && !f.isA && f.predicate.Dead == "" {
		switch {
		case f.column > 0 && (r.beginsByLayout(f.column) == likely || r.hasBegun(f.column)) && r.isSubject():
			begins = likely
		case f.kind == statementFrame && f.verbs > 1:
			begins = r.beginsByLayout(f.column)
		}
	}
	n := r.Misplaced("an object")
	if !r.startsLine() && r.beginsBehindSemicolon(f) && (f.column == 0 || r.beginsByLayout(f.column) != unlikely) && r.isSubject() {
		r.splitAtSemicolon(&f.predicate, f.column)
		return
	}
	if f.predicate.Dead == "" && !f.isA && !f.afterComma && r.mayStandUnopened(f, walker{state: expectVerb, inGraph: true, own: []walkFrame{{kind: statementFrame}}}) {
		r.openUnopened(goOnPredicate)
		return
	}
	if f.predicate.Dead == "" && !f.isA && !f.afterComma && r.isDoubtfulLabel(f) {
		f.subject.Dead = fault.SyntaxUnclosedGraph
		r.openUnopened(goOnPredicate)
		return
	}
	if begins == likely || begins == unknown && f.column > 0 && f.column <= f.start && !r.startsLine() && r.isSubject() {
		r.object.Clear()
		r.beginAgain(goOnPredicate, n)
		return
	}
	lacks, depth, pos := f.predicate.Dead == "" && !f.afterComma && !r.startsLine() && f.kind != listFrame, r.depth, f.pos
	if r.recover(n, begins == unlikely); lacks && r.depth == depth && r.top().pos == pos {
		r.beginOdd() // a [ is missing, and its ] as well if none comes
		r.oddSure, r.top().odd = true, true
	}
}

// isSubject says that what follows from the current token on, which is a, makes sense after
// the predicate before it as after a subject.
func (r *turtle) isSubject() bool {
	v := r.walk(walker{state: expectVerb, inGraph: r.inGraph, own: []walkFrame{{kind: statementFrame}}})
	return v.sound()
}

// readTerm makes object of the current token, whose kind is that of a term.
func (r *turtle) readTerm() {
	k := r.Tok.Kind
	switch {
	case k == lex.A:
		r.object.Clear()
		r.object.Dead = fault.SyntaxMisplacedTerm
		r.lose(r.Misplaced("an object"))
	case !r.Take(&r.object):
		r.lose(r.Problem)
	}
	r.objectColumn = r.column()
	if r.Back = -1; k == lex.String {
		r.text.Kind, r.text.Quote, r.text.From, r.text.To, r.text.Pos = k, r.Tok.Quote, r.Tok.From, r.Tok.To, r.Tok.Pos
		r.Back = r.Tok.From
	}
	r.Next()
	if r.state = r.afterTerm(); k == lex.String {
		r.state = expectTag
	}
}

// afterTerm is the state after an object or a member of a list.
func (r *turtle) afterTerm() state {
	switch f := r.top(); f.kind {
	case listFrame:
		f.member = true
		return expectMember
	case reifiedFrame, tripleFrame:
		return expectTripleEnd
	}
	return expectEnd
}

// tag reads what may follow the string of a literal.
//
//	RDFLiteral ::= String (LANG_DIR | '^^' iri)?
func (r *turtle) tag() {
	switch k := r.Tok.Kind; {
	case k == lex.Carets:
		r.Next()
		r.state = expectDatatype
		return
	case k == lex.Language, (k == lex.Prefix || k == lex.Base || k == lex.Version) && r.Tok.From == r.Ended.Offset:
		if r.object.Dead == "" {
			r.TakeLanguage(&r.object)
		}
		if r.Next(); r.Tok.Kind == lex.Carets {
			if r.object.Dead == "" {
				r.tagged = r.Notice(fault.SyntaxUnexpected, fault.Drop, r.Tok.Pos, terms.NotBoth)
			}
			r.Next()
			r.state = expectDatatype
			return
		}
	case k == lex.Symbol && r.Tok.From == r.Ended.Offset && r.isOneCaret():
		r.object.Dead = r.Tok.Code
		r.lose(r.Notice(r.Tok.Code, fault.Drop, r.Tok.Pos, "one ^ stands before what may be the IRI of a datatype, and not two"))
		r.Next()
		r.state = expectDatatype
		return
	case k == lex.Broken && (r.Tok.Code == fault.LanguageTag || r.Tok.Code == fault.LanguageDirection) && r.Tok.From == r.Ended.Offset:
		r.object.Dead = r.Tok.Code
		r.lose(r.Notice(r.Tok.Code, fault.Drop, r.Tok.Pos, "%s", r.Tok.Message))
		r.Next()
	}
	r.state = r.afterTerm()
}

// isOneCaret says that the current token is a single ^, with an IRI right after it.
func (r *turtle) isOneCaret() bool {
	if r.Tok.To-r.Tok.From != 1 || r.Bytes(&r.Tok)[0] != '^' {
		return false
	}
	m := r.Mark()
	r.Next()
	is := (r.Tok.Kind == lex.IRI || r.Tok.Kind == lex.Name) && r.Tok.From == r.Ended.Offset
	r.Reset(m)
	return is
}

func (r *turtle) datatype() {
	switch k := r.Tok.Kind; {
	case (k == lex.IRI || k == lex.Name) && r.startsLine() && r.breaksOff():
		r.object.Dead = fault.SyntaxMisplacedTerm
		r.lose(r.unexpected("the IRI of a datatype"))
	case k == lex.IRI, k == lex.Name:
		if r.object.Dead == "" && !r.TakeDatatype(&r.object, &r.spare) {
			r.lose(r.Problem)
		}
		if h := &r.object; h.Dead == "" && len(h.Language) > 0 && rdf.LanguageType(h.Datatype) == "" {
			h.Dead = fault.SyntaxUnexpected
			r.lose(r.tagged)
		}
		r.Next()
		if r.Tok.Kind == lex.Language && r.Tok.From == r.Ended.Offset && r.object.Dead == "" && r.LacksLanguage(&r.object) {
			r.TakeLanguage(&r.object)
			r.Next()
		}
	default:
		r.object.Dead = fault.SyntaxMisplacedTerm
		r.lose(r.Misplaced("the IRI of a datatype"))
		if k.IsTerm() {
			r.Next()
		}
	}
	r.state = r.afterTerm()
}

// breaksOff says that the current term, which begins a line, begins a statement. It is in a
// column where others have begun, and makes sense as one: the line before breaks off.
func (r *turtle) breaksOff() bool {
	if column := r.column(); r.beginsByLayout(column) != likely && !r.hasBegun(column) {
		return false
	}
	v := r.walk(walker{state: expectStatement, inGraph: r.inGraph})
	return v.sound()
}

// endOfObject reads what may follow an object.
func (r *turtle) endOfObject() {
	f := r.top()
	switch k := r.Tok.Kind; {
	case k == lex.Comma:
		r.commit()
		r.Next()
		f.afterComma = true
		r.state = expectObject
	case k == lex.Semicolon:
		r.commit()
		r.Next()
		f.started = true
		r.state = expectVerb
	case f.kind == propertiesFrame && f.closedBy(k):
		r.commit()
		f.started = true
		r.closeBracket()
	case k == lex.Dot && f.kind == statementFrame, k == lex.CloseGraph && f.kind == statementFrame && r.inGraph && !r.closesTooEarly():
		r.commit()
		r.learnColumn(f)
		r.finish()
		if k == lex.Dot {
			r.Next()
		}
	case k == lex.Tilde && f.kind == statementFrame && r.standsForDot():
		if r.object.Kind != rdf.NoTerm && !f.lost {
			r.object.Repaired = true
			r.Pending = append(r.Pending, r.Notice(fault.SyntaxMissingDot, fault.Repair, r.Tok.Pos, "this ~ stands for the dot at the end of the statement"))
		} else {
			r.stray("this ~ stands for the dot at the end of the statement")
		}
		r.commit()
		r.finish()
		r.Next()
	case k == lex.Tilde, k == lex.OpenNotes:
		r.annotate(f)
	case k == lex.CloseNotes && f.kind == notesFrame:
		r.commit()
		r.closeNotes()
	case k == lex.Dot && (f.kind == propertiesFrame || f.kind == notesFrame):
		r.dotInBrackets(f)
	default:
		r.faultBehindObject(f)
	}
}

// faultBehindObject deals with the current token, which may not follow an object.
func (r *turtle) faultBehindObject(f *frame) {
	r.foresee()
	switch {
	case r.beginsBehindSemicolon(f) && r.isBehindVerb():
		r.splitAtSemicolon(&f.predicate, f.column)
		r.givePredicate(r.top(), &r.object)
	case r.isVerbBehindComma(f):
		var predicate terms.Held
		predicate.Copy(&r.object)
		n := r.Notice(fault.SyntaxUnexpected, fault.Drop, predicate.Pos, "a predicate stands behind a comma, as another value of the predicate before")
		n.Excerpt = r.Excerpt(predicate.Pos.Offset)
		r.lose(n)
		r.commit()
		f.afterComma, f.column, f.atPredicate = false, r.objectColumn, r.Repairs()
		r.givePredicate(f, &predicate)
	case f.kind == statementFrame && r.plainlyNew():
		if r.object.Kind != rdf.NoTerm && !f.lost {
			r.object.Repaired = true
			r.Pending = append(r.Pending, r.Notice(fault.SyntaxMissingDot, fault.Repair, r.Ended, "the dot at the end of this statement is missing"))
		} else if f.notes != nil {
			r.stray("the dot at the end of the statement before is missing")
		}
		r.commit()
		r.finish()
	default:
		r.recover(r.unexpected("a comma, semicolon or dot"), true)
	}
}

// standsForDot looks ahead whether another statement begins on the line after the current ~.
func (r *turtle) standsForDot() bool {
	m := r.Mark()
	r.Next()
	is := r.plainlyNew()
	r.Reset(m)
	return is
}

// dotInBrackets deals with a dot before the ] of [ … ] or the |} of {| … |}: one that is just before
// it is ignored, another means that the ] is missing.
func (r *turtle) dotInBrackets(f *frame) {
	m := r.Mark()
	r.Next()
	closes := f.closedBy(r.Tok.Kind)
	r.Reset(m)
	if closes {
		r.stray("a dot before the end of a bracket was ignored")
		r.Next()
		return
	}
	n := r.Notice(fault.SyntaxUnclosedBracket, fault.Drop, r.Tok.Pos, "a dot stands here, but the bracket that was opened on line %d is not closed", f.pos.Line)
	r.commit()
	f.lost = true // nothing of this frame is lost any more
	r.recover(n, true)
}

// closeBracket ends the [ or ( on top, and gives its node to the frame below.
func (r *turtle) closeBracket() {
	child := r.top()
	r.Withdraw(child.atObject)
	if child.kind == listFrame && child.role == asPredicate && r.stack[r.depth-2].subject.Dead != "" && !r.isObjectOf(child, &r.stack[r.depth-2]) {
		r.dropFrom(child.firstHeld, "a list stands where none can, behind what is no subject: most likely these brackets are those of a text")
	}
	if child.doubtful {
		r.doubt(child)
	}
	if r.learnColumn(child); child.withholds() {
		r.closed()
	}
	kind, as, started, pos, hollow := child.kind, child.role, child.started, child.pos, child.hollow && child.verbs == 1
	node, complete := child.subject.Anonymous, child.started
	if kind == listFrame {
		node, complete = child.head, false
	}
	r.depth--
	f := r.top()
	target := &r.object
	switch as {
	case asSubject:
		target = &f.subject
		f.complete, f.label = complete, kind == propertiesFrame && !started
		f.atPredicate = r.Repairs()
		r.state = expectVerb
	case asPredicate:
		target = &r.spare
		r.state = expectObject
	default:
		r.state = r.afterTerm()
	}
	if node == 0 {
		target.SetIRI(rdf.Nil, pos)
	} else {
		target.SetNode(node, pos)
	}
	switch {
	case hollow && as == asSubject:
		target.Dead = fault.SyntaxIncomplete // [1] is most likely of no statement
	case hollow && as == asObject:
		target.Dead = fault.SyntaxIncomplete
		r.lose(r.Notice(target.Dead, fault.Drop, pos, "values stand in this bracket, and no predicate: most likely it is none"))
	}
	r.Next()
}

// isObjectOf says that list child is the object of a predicate whose subject is missing. The list
// is in the place of the predicate of statement f, after what is no subject, and its ) is
// present. What is in the place of the subject may be a predicate, no member is at fault, and
// what ends an object follows.
func (r *turtle) isObjectOf(child, f *frame) bool {
	if f.kind != statementFrame || f.verbs != 1 || f.subject.Kind != rdf.IRI || r.habits.isVerb(f.subject.Value) == unlikely ||
		child.flawed || child.unsure || r.reached > child.pos.Offset {
		return false
	}
	k := r.nextKind()
	return k == lex.Comma || k == lex.Semicolon || k == lex.Dot || k == lex.CloseGraph && r.inGraph
}
