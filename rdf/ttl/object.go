package ttl

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
)

// readObject reads
//
//	object ::= iri | BlankNode | collection | blankNodePropertyList | literal | tripleTerm | reifiedTriple
func (r *turtle) readObject() {
	f := r.top()
	f.atObject = r.seen()
	switch k := r.tok.kind; {
	case k == openProperties || k == openList:
		r.bracket(asObject)
	case k == aToken:
		r.keywordAsObject(f)
	case k.isTerm():
		r.readTerm()
	case k == openReified || k == openTriple:
		r.triple(asObject)
	case k == comma || k == semicolon || k == dot || k == closeProperties || k == closeGraph || k == closeNotes:
		r.object.clear()
		if f.afterComma {
			r.stray("no object follows the comma before; it was ignored")
			r.state = expectEnd
			return
		}
		n := r.notice(fault.SyntaxIncomplete, fault.Drop, r.tok.pos, "the predicate before has no object")
		if k == comma && f.predicate.dead == "" && r.habits.isVerb(f.predicate.Value) == unlikely {
			f.predicate.dead = n.Code // it is an object whose predicate is missing
		}
		if f.kind == propertiesFrame && f.verbs == 1 && k != closeProperties {
			f.hollow = f.predicate.dead == fault.SyntaxMisplacedTerm && k == comma
			r.recover(n, true) // perhaps the bracket is what is wrong
			return
		}
		f.hollow = f.hollow || f.kind == propertiesFrame && f.verbs == 1 && f.predicate.dead == fault.SyntaxMisplacedTerm
		r.lose(n)
		r.doubtSubject(f)
		r.state = expectEnd
	case k == openGraph && r.verbIsLabel(f):
		r.stray("the semicolon before ends the statement: the dot is missing, or more")
		r.spare.copy(&f.predicate)
		column := f.column
		r.finish()
		r.enterGraph(&r.spare, column)
	default:
		n := r.unexpected("an object")
		if r.tok.from == r.ended.Offset && f.predicate.dead == "" && n.Code != fault.SyntaxUnclosedIRI {
			f.predicate.dead = n.Code // who knows where that ends
		}
		r.recover(n, true)
	}
}

// keywordAsObject deals with the keyword a where an object should stand. Either the line
// breaks off behind the predicate before, or that is the subject of another statement.
func (r *turtle) keywordAsObject(f *frame) {
	begins := unlikely
	if !f.afterComma && !f.isA && f.predicate.dead == "" {
		switch {
		case f.column > 0 && (r.beginsByLayout(f.column) == likely || r.hasBegun(f.column)) && r.isSubject():
			begins = likely
		case f.kind == statementFrame && f.verbs > 1:
			begins = r.beginsByLayout(f.column)
		}
	}
	n := r.misplaced("an object")
	if f.predicate.dead == "" && !f.isA && !f.afterComma && r.mayStandUnopened(f, walker{state: expectVerb, inGraph: true, own: []walkFrame{{kind: statementFrame}}}) {
		r.openUnopened(goOnPredicate)
		return
	}
	if f.predicate.dead == "" && !f.isA && !f.afterComma && r.isDoubtfulLabel(f) {
		f.subject.dead = fault.SyntaxUnclosedGraph
		r.openUnopened(goOnPredicate)
		return
	}
	if begins == likely || begins == unknown && f.column > 0 && f.column <= f.start && !r.startsLine() && r.isSubject() {
		r.object.clear()
		r.beginAgain(goOnPredicate, n)
		return
	}
	lacks, depth, pos := f.predicate.dead == "" && !f.afterComma && !r.startsLine() && f.kind != listFrame, r.depth, f.pos
	if r.recover(n, begins == unlikely); lacks && r.depth == depth && r.top().pos == pos {
		r.beginOdd() // a [ is missing, and its ] as well if none comes
		r.oddSure, r.top().odd = true, true
	}
}

// isSubject says that what follows from the present token on, which is a, makes sense behind
// the predicate before it as behind a subject.
func (r *turtle) isSubject() bool {
	v := r.walk(walker{state: expectVerb, inGraph: r.inGraph, own: []walkFrame{{kind: statementFrame}}})
	return v.sound()
}

// readTerm makes object of the present token, whose kind is that of a term.
func (r *turtle) readTerm() {
	k := r.tok.kind
	switch {
	case k == aToken:
		r.object.clear()
		r.object.dead = fault.SyntaxMisplacedTerm
		r.lose(r.misplaced("an object"))
	case !r.take(&r.object):
		r.lose(r.problem)
	}
	r.objectColumn = r.column()
	if r.back = -1; k == stringToken {
		r.text.kind, r.text.quote, r.text.from, r.text.to, r.text.pos = k, r.tok.quote, r.tok.from, r.tok.to, r.tok.pos
		r.back = r.tok.from
	}
	r.next()
	if r.state = r.afterTerm(); k == stringToken {
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
	switch k := r.tok.kind; {
	case k == carets:
		r.next()
		r.state = expectDatatype
		return
	case k == languageToken, (k == prefixToken || k == baseToken || k == versionToken) && r.tok.from == r.ended.Offset:
		if r.object.dead == "" {
			r.takeLanguage(&r.object)
		}
		r.next()
	case k == brokenToken && (r.tok.code == fault.LanguageTag || r.tok.code == fault.LanguageDirection) && r.tok.from == r.ended.Offset:
		r.object.dead = r.tok.code
		r.lose(r.notice(r.tok.code, fault.Drop, r.tok.pos, "%s", r.tok.message))
		r.next()
	}
	r.state = r.afterTerm()
}

func (r *turtle) datatype() {
	switch k := r.tok.kind; {
	case (k == iriToken || k == nameToken) && r.startsLine() && r.breaksOff():
		r.object.dead = fault.SyntaxMisplacedTerm
		r.lose(r.unexpected("the IRI of a datatype"))
	case k == iriToken, k == nameToken:
		if r.object.dead == "" && !r.takeDatatype(&r.object, &r.spare) {
			r.lose(r.problem)
		}
		r.next()
	default:
		r.object.dead = fault.SyntaxMisplacedTerm
		r.lose(r.misplaced("the IRI of a datatype"))
		if k.isTerm() {
			r.next()
		}
	}
	r.state = r.afterTerm()
}

// breaksOff says that the present term, which begins a line, begins a statement, since it stands where others have begun and makes
// sense as one: the line before breaks off.
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
	switch k := r.tok.kind; {
	case k == comma:
		r.commit()
		r.next()
		f.afterComma = true
		r.state = expectObject
	case k == semicolon:
		r.commit()
		r.next()
		f.started = true
		r.state = expectVerb
	case k == closeProperties && f.kind == propertiesFrame:
		r.commit()
		f.started = true
		r.closeBracket()
	case k == dot && f.kind == statementFrame, k == closeGraph && f.kind == statementFrame && r.inGraph && !r.closesTooEarly():
		r.commit()
		r.learnColumn(f)
		r.finish()
		if k == dot {
			r.next()
		}
	case k == tilde && f.kind == statementFrame && r.standsForDot():
		if r.object.Kind != rdf.NoTerm && !f.lost {
			r.object.repaired = true
			r.pending = append(r.pending, r.notice(fault.SyntaxMissingDot, fault.Repair, r.tok.pos, "this ~ stands for the dot at the end of the statement"))
		} else {
			r.stray("this ~ stands for the dot at the end of the statement")
		}
		r.commit()
		r.finish()
		r.next()
	case k == tilde, k == openNotes:
		r.annotate(f)
	case k == closeNotes && f.kind == notesFrame:
		r.commit()
		r.closeNotes()
	case k == dot && (f.kind == propertiesFrame || f.kind == notesFrame):
		r.dotInBrackets(f)
	case f.kind == statementFrame && r.plainlyNew():
		if r.object.Kind != rdf.NoTerm && !f.lost {
			r.object.repaired = true
			r.pending = append(r.pending, r.notice(fault.SyntaxMissingDot, fault.Repair, r.ended, "the dot at the end of this statement is missing"))
		} else if f.notes != nil {
			r.stray("the dot at the end of the statement before is missing")
		}
		r.commit()
		r.finish()
	default:
		r.recover(r.unexpected("a comma, semicolon or dot"), true)
	}
}

// standsForDot looks ahead whether another statement begins on the line behind the present ~.
func (r *turtle) standsForDot() bool {
	m := r.mark()
	r.next()
	is := r.plainlyNew()
	r.reset(m)
	return is
}

// dotInBrackets deals with a dot before the ] of [ … ] or the |} of {| … |}: one that stands just before
// it is ignored, another means that the ] is missing.
func (r *turtle) dotInBrackets(f *frame) {
	m := r.mark()
	r.next()
	closes := f.closedBy(r.tok.kind)
	r.reset(m)
	if closes {
		r.stray("a dot before the end of a bracket was ignored")
		r.next()
		return
	}
	n := r.notice(fault.SyntaxUnclosedBracket, fault.Drop, r.tok.pos, "a dot stands here, but the bracket that was opened on line %d is not closed", f.pos.Line)
	r.commit()
	f.lost = true // nothing of this frame is lost any more
	r.recover(n, true)
}

// closeBracket ends the [ or ( on top, and gives its node to the frame below.
func (r *turtle) closeBracket() {
	child := r.top()
	r.withdraw(child.atObject)
	if child.kind == listFrame && child.role == asPredicate && r.stack[r.depth-2].subject.dead != "" && !r.isObjectOf(child, &r.stack[r.depth-2]) {
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
		f.atPredicate = r.seen()
		r.state = expectVerb
	case asPredicate:
		target = &r.spare
		r.state = expectObject
	default:
		r.state = r.afterTerm()
	}
	if node == 0 {
		target.name(rdf.Nil, pos)
	} else {
		target.anonymous(node, pos)
	}
	switch {
	case hollow && as == asSubject:
		target.dead = fault.SyntaxIncomplete // [1] is most likely of no statement
	case hollow && as == asObject:
		target.dead = fault.SyntaxIncomplete
		r.lose(r.notice(target.dead, fault.Drop, pos, "values stand in this bracket, and no predicate: most likely it is none"))
	}
	r.next()
}

// isObjectOf says that list child, which stands as the predicate of statement f behind what is no subject and the ) of which is
// present, is the object of a predicate whose subject is missing: what stands for the subject may be a predicate, no member is at
// fault, and what ends an object follows.
func (r *turtle) isObjectOf(child, f *frame) bool {
	if f.kind != statementFrame || f.verbs != 1 || f.subject.Kind != rdf.IRI || r.habits.isVerb(f.subject.Value) == unlikely ||
		child.flawed || child.unsure || r.reached > child.pos.Offset {
		return false
	}
	k := r.nextKind()
	return k == comma || k == semicolon || k == dot || k == closeGraph && r.inGraph
}
