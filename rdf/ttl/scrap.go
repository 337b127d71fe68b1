package ttl

import (
	"bytes"

	"laundromat/internal/fault"
)

// scrap deals with the present token if it is a piece of a web page, or a mark for text
// that was left out, and not of the document: it is passed over, with the rest of its line if
// that makes no sense either, and what is open goes on. False means that the token is to be read.
//
// The marks of a merge that was not ended are passed over, too, and both versions are read.
//
// <p> and </p> are IRI references as good as any. So they are scrap only at the
// beginning of a line, where the statement breaks right behind them and would not without them.
func (r *turtle) scrap() bool {
	sure := r.isRemark()
	if !sure && (!r.startsLine() || !r.isTag() && !r.isEndTag() || r.standsBeforeTerm()) {
		return false
	}
	w := r.here()
	switch r.state {
	case expectStatement, expectVerb, expectObject, expectEnd, expectMember:
	default:
		return false
	}
	if !sure {
		read, looked := w, r.looked
		read.limit = 4
		v := r.walk(read)
		if r.looked = looked; v.sound() || v.tokens >= read.limit {
			return false
		}
	}
	alone := r.walk(w.behindToken(r, false))
	if !alone.sound() && !sure {
		if line := r.walk(w.behindToken(r, true)); !line.sound() {
			return false
		}
	}
	r.passOver(!alone.sound(), "mark-up, the mark of a merge or a sign for text left out is no part of a statement; it was passed over")
	return true
}

// standsBeforeTerm looks ahead whether the present IRI is followed by a term as those of a
// statement are: on its line, or indented below it. Then it is one of them, whatever else is wrong,
// and not mark-up between statements. Of what looks like tags too, three make a statement.
func (r *turtle) standsBeforeTerm() bool {
	m := r.mark()
	defer r.reset(m)
	const triple = 3
	for tags := 1; tags < triple; tags++ {
		to := r.tok.to
		r.next()
		switch k := r.tok.kind; {
		case !k.isTerm() && k != unclosedToken, k == brokenToken, k == unclosedToken && tags == 1:
			return false
		case r.tok.pos.Line > m.tok.pos.Line:
			return tags == 1 && r.tok.pos.Column > m.tok.pos.Column && !r.isTag() && !r.isEndTag()
		case r.tok.from == to && k != iriToken:
			return false
		case !r.isTag() && !r.isEndTag():
			return true
		}
	}
	return true
}

// here is a walker that goes on as the reader would.
func (r *turtle) here() walker {
	w := walker{frames: r.depth, inGraph: r.inGraph, state: r.state}
	if r.state == expectVerb {
		f := r.top()
		w.may = f.started || f.complete
	}
	return w
}

// passOver goes behind the present token, or its line, and says so.
func (r *turtle) passOver(line bool, message string) {
	n := r.notice(fault.SyntaxUnexpected, fault.Drop, r.tok.pos, "%s", message)
	from := r.tok.from
	r.skipLine = line
	r.next()
	n.Lost, n.Bytes = 1, r.tok.from-from
	r.to.Notice(n)
}

// scrapLine deals with the present token, which is at fault and begins a line, if the line is none
// of the document's but of a log, a message or a text: what is open makes no sense with the line,
// be its first word read as any term, and goes on soundly behind it; nor does it go on behind a
// sign within the line. The line is passed over. False means that the token is to be read.
func (r *turtle) scrapLine() bool {
	if !r.startsLine() || r.hasGraphs() && !r.hasNoGraphs() && r.lineOpens() {
		return false
	}
	w := r.here()
	asTerm := w
	asTerm.may = false
	switch r.state {
	case expectStatement:
		asTerm.state, asTerm.own = expectVerb, []walkFrame{{kind: statementFrame}}
	case expectVerb:
		asTerm.state = expectObject
	case expectObject:
		asTerm.state = expectEnd
	case expectEnd:
	default:
		return false
	}
	if k := r.tok.kind; r.state != expectEnd && (k == brokenToken || k == nameToken) {
		asTerm.skip = true
		if v := r.walk(asTerm); v.sound() || v.tokens > 1 && r.tok.code != fault.SyntaxWord {
			return false
		}
	}
	if r.nextLine() == r.tok.pos.Line {
		if v := r.walk(w.behindToken(r, false)); v.sound() {
			return false
		}
	}
	if behind := r.walk(w.behindToken(r, true)); !behind.sound() && behind.pairs < enoughPairs || r.goesOnInLine() {
		return false
	}
	r.passOver(true, "this line is no part of what stands around it; it was passed over")
	return true
}

// lineOpens looks ahead whether the line of the present token ends with a {: what stands before it
// is the label of a graph, be it broken, and without the line the graph's statements would seem to
// be of none.
func (r *turtle) lineOpens() bool {
	m := r.mark()
	defer r.reset(m)
	const most = 8
	last := endOfText
	for n, line := 0, r.tok.pos.Line; n < most && r.tok.pos.Line == line && r.tok.kind != endOfText && r.tok.kind != stopped && !r.beyond(); n++ {
		last = r.tok.kind
		r.next()
	}
	return last == openGraph && r.tok.pos.Line > m.tok.pos.Line
}

// goesOnInLine looks ahead whether what is open makes sense from a sign on that divides or ends a
// statement, within the line of the present token.
func (r *turtle) goesOnInLine() bool {
	m := r.mark()
	defer r.reset(m)
	const most = 64
	for n, line := 0, r.tok.pos.Line; n < most; n++ {
		k := r.tok.kind
		if k == endOfText || k == stopped || r.tok.pos.Line > line || r.beyond() || !r.spend(r.tok.to-r.tok.from) {
			return false
		}
		if (k == comma || k == semicolon || k == dot) && r.nextLine() == line {
			w := walker{frames: r.depth, inGraph: r.inGraph, state: expectEnd, may: true}
			if r.depth == 0 {
				w.own = []walkFrame{{kind: statementFrame}}
			}
			if v := r.walk(w); v.sound() {
				return true
			}
		}
		r.next()
	}
	return true // nobody knows
}

// nextLine is the line of the token behind the present one.
func (r *turtle) nextLine() int64 {
	m := r.mark()
	r.next()
	line := r.tok.pos.Line
	r.reset(m)
	return line
}

// behindToken is w for a walk that begins behind the present token, or behind its line.
func (w walker) behindToken(r *turtle, line bool) walker {
	w.skip, w.skipLine = true, line
	return w
}

// isRemark says that the present token can't be part of a statement: a comment or the first
// line of a web page, which would be an IRI with blanks, or [...].
func (r *turtle) isRemark() bool {
	switch r.tok.kind {
	case iriToken:
		if text := r.bytes(&r.tok); r.tok.forbidden && text[1] == '!' {
			return bytes.HasPrefix(text, []byte("<!--")) || len(text) > 9 && bytes.EqualFold(text[:9], []byte("<!doctype"))
		}
	case symbolToken:
		first := r.buf[r.tok.from-r.base]
		return first == '[' || first == '.' || r.tok.pos.Column == 1 && r.tok.to-r.tok.from >= markLength && isMark(r.bytes(&r.tok))
	}
	return false
}

// mayBeTag says that the present token is a relative IRI, as tags of HTML seem to be.
func (r *turtle) mayBeTag() bool {
	text := r.bytes(&r.tok)
	return r.tok.kind == iriToken && !absolute(text[1:len(text)-1])
}

// isTag says that the present token looks like the start tag of an element of HTML.
func (r *turtle) isTag() bool {
	if r.tok.kind != iriToken || r.tok.to-r.tok.from > 12 {
		return false
	}
	text := r.bytes(&r.tok)
	text = bytes.TrimRight(text[1:len(text)-1], " /")
	switch string(bytes.ToLower(text)) {
	case "html", "head", "body", "title", "meta", "style", "script", "p", "br", "hr", "div", "span", "pre", "center",
		"h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "table", "tr", "td", "th", "b", "i", "a":
		return true
	}
	return false
}
