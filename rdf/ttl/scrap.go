package ttl

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl/lex"
)

// scrap deals with the current token if it is a piece of a web page, or a mark for text that was
// left out. It is skipped, with the rest of its line if that makes no sense either. What is
// open goes on. False means that the token is to be read.
//
// The marks of a merge that was not ended are skipped, too, and both versions are read.
//
// <p> and </p> are IRI references as good as any. So they are scrap only at the
// beginning of a line, where the statement breaks right after them and would not without them.
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
	m := r.Mark()
	defer r.Reset(m)
	const triple = 3
	for tags := 1; tags < triple; tags++ {
		to := r.Tok.To
		r.Next()
		switch k := r.Tok.Kind; {
		case !k.IsTerm() && k != lex.Unclosed, k == lex.Broken, k == lex.Unclosed && tags == 1:
			return false
		case r.Tok.Pos.Line > m.Tok.Pos.Line:
			return tags == 1 && r.Tok.Pos.Column > m.Tok.Pos.Column && !r.isTag() && !r.isEndTag()
		case r.Tok.From == to && k != lex.IRI:
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

// passOver goes after the current token, or its line, and says so.
func (r *turtle) passOver(line bool, message string) {
	n := r.Notice(fault.SyntaxUnexpected, fault.Drop, r.Tok.Pos, "%s", message)
	from := r.Tok.From
	r.SkipLine = line
	r.Next()
	n.Lost, n.Bytes = 1, r.Tok.From-from
	r.To.Notice(n)
}

// scrapLine deals with the current token, which begins a line, if the line comes from a log, a
// message or a text. The token is at fault. What is open makes no sense with the line, with its
// first word read as any term, and goes on soundly after it. Nor does it go on after a sign
// within the line. The line is skipped. False means that the token is to be read.
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
	if k := r.Tok.Kind; r.state != expectEnd && (k == lex.Broken || k == lex.Name) {
		asTerm.skip = true
		if v := r.walk(asTerm); v.sound() || v.tokens > 1 && r.Tok.Code != fault.SyntaxWord {
			return false
		}
	}
	if r.nextLine() == r.Tok.Pos.Line {
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

// lineOpens looks ahead whether the line of the current token ends with a {. What is before it is
// the label of a graph, even if broken. Without the line, the graph's statements would seem to be
// in no graph.
func (r *turtle) lineOpens() bool {
	m := r.Mark()
	defer r.Reset(m)
	const most = 8
	last := lex.EndOfText
	for n, line := 0, r.Tok.Pos.Line; n < most && r.Tok.Pos.Line == line && r.Tok.Kind != lex.EndOfText && r.Tok.Kind != lex.Stopped && !r.Beyond(); n++ {
		last = r.Tok.Kind
		r.Next()
	}
	return last == lex.OpenGraph && r.Tok.Pos.Line > m.Tok.Pos.Line
}

// goesOnInLine looks ahead, within the line of the current token, for a sign that divides or ends
// a statement. From there on, what is open must make sense.
func (r *turtle) goesOnInLine() bool {
	m := r.Mark()
	defer r.Reset(m)
	const most = 64
	for n, line := 0, r.Tok.Pos.Line; n < most; n++ {
		k := r.Tok.Kind
		if k == lex.EndOfText || k == lex.Stopped || r.Tok.Pos.Line > line || r.Beyond() || !r.spend(r.Tok.To-r.Tok.From) {
			return false
		}
		if (k == lex.Comma || k == lex.Semicolon || k == lex.Dot) && r.nextLine() == line {
			w := walker{frames: r.depth, inGraph: r.inGraph, state: expectEnd, may: true}
			if r.depth == 0 {
				w.own = []walkFrame{{kind: statementFrame}}
			}
			if v := r.walk(w); v.sound() {
				return true
			}
		}
		r.Next()
	}
	return true // nobody knows
}

// nextLine is the line of the token after the current one.
func (r *turtle) nextLine() int64 {
	m := r.Mark()
	r.Next()
	line := r.Tok.Pos.Line
	r.Reset(m)
	return line
}

// behindToken is w for a walk that begins after the current token, or after its line.
func (w walker) behindToken(r *turtle, line bool) walker {
	w.skip, w.skipLine = true, line
	return w
}

// isRemark says that the current token can't be part of a statement. It is a comment or the
// first line of a web page, which would be an IRI with blanks, or [...].
func (r *turtle) isRemark() bool {
	switch r.Tok.Kind {
	case lex.IRI:
		if text := r.Bytes(&r.Tok); r.Tok.Forbidden && text[1] == '!' {
			return bytes.HasPrefix(text, []byte("<!--")) || len(text) > 9 && bytes.EqualFold(text[:9], []byte("<!doctype"))
		}
	case lex.Symbol:
		first := r.Buf[r.Tok.From-r.Base]
		return first == '[' || first == '.' || r.Tok.Pos.Column == 1 && r.Tok.To-r.Tok.From >= lex.MergeMarkLength && lex.IsMergeMark(r.Bytes(&r.Tok))
	}
	return false
}

// mayBeTag says that the current token is a relative IRI, as tags of HTML seem to be.
func (r *turtle) mayBeTag() bool {
	text := r.Bytes(&r.Tok)
	return r.Tok.Kind == lex.IRI && !lex.Absolute(text[1:len(text)-1])
}

// isTag says that the current token looks like the start tag of an element of HTML.
func (r *turtle) isTag() bool {
	if r.Tok.Kind != lex.IRI || r.Tok.To-r.Tok.From > 12 {
		return false
	}
	text := r.Bytes(&r.Tok)
	text = bytes.TrimRight(text[1:len(text)-1], " /")
	switch string(bytes.ToLower(text)) {
	case "html", "head", "body", "title", "meta", "style", "script", "p", "br", "hr", "div", "span", "pre", "center",
		"h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "table", "tr", "td", "th", "b", "i", "a":
		return true
	}
	return false
}
