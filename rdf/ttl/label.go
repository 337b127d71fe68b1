package ttl

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl/lex"
)

// graphBegins looks ahead whether the current token, which begins a line before the { of a graph,
// is its label or the keyword GRAPH. The statement before has not ended. The layout shows it to be
// in no graph, or what follows the { makes sense in one.
func (r *turtle) graphBegins() bool {
	column := r.column()
	if column == 0 || r.Tok.Kind.IsDirective() || !r.isGraph() {
		return false
	}
	if r.standsAsGraph(column) || r.Tok.Kind == lex.Graph {
		return true
	}
	m := r.Mark()
	defer r.Reset(m)
	for r.Tok.Kind != lex.OpenGraph {
		r.Next()
	}
	return r.opensPlainly()
}

// opensPlainly is opensSoundly, except that one predicate with its object is enough. No superfluous { is before a
// subject.
func (r *turtle) opensPlainly() bool {
	m := r.Mark()
	defer r.Reset(m)
	r.Next()
	v := r.walk(walker{state: expectStatement, inGraph: true})
	return v.sound() || v.pairs > 0
}

// labelBegins says that what precedes the current {, which is at fault, is first on its line and
// the label of a graph. The statement before breaks off, and the label was read as a part of it.
func (r *turtle) labelBegins() bool {
	if r.depth == 0 || r.depth == 1 && r.state == expectVerb && r.top().verbs == 0 || !r.hasGraphs() || !r.followsLabel() {
		return false
	}
	label := r.labelPlace()
	if label.Line == 0 || label.Offset <= r.relabelled {
		return false
	}
	m := r.Mark()
	whole := r.toLabel(label)
	k := r.Tok.Kind
	r.Reset(m)
	return (k == lex.IRI || k == lex.Name || k == lex.Label) && whole && (r.standsAsGraph(label.Column) || !r.isLongGraph() && r.opensPlainly())
}

// labelIsVerb says that what is before the current {, the first thing on its line, is one of
// the document's predicates.
func (r *turtle) labelIsVerb() bool {
	label := r.labelPlace()
	if label.Line == 0 {
		return false
	}
	m := r.Mark()
	defer r.Reset(m)
	return r.toLabel(label) && r.Tok.Kind.IsVerb() && r.looksLikeVerb() == likely
}

// toLabel goes back to what is before the current { from its labelPlace on, and says that it is one token.
func (r *turtle) toLabel(label fault.Pos) bool {
	end := r.Ended.Offset
	r.Seek(label, label.Offset)
	r.Next()
	return r.Tok.To == end
}

// labelPlace is where the label before the current { is, if it is the first thing on its line;
// no place if it is not.
func (r *turtle) labelPlace() fault.Pos {
	if r.Tok.From-r.Ended.Offset >= lex.Slack/2 { // it may have left the window
		return fault.Pos{}
	}
	end := int(r.Ended.Offset - r.Base)
	from := bytes.LastIndexAny(r.Buf[max(end-lex.Slack/2, 0):end], "\r\n") + 1
	if from == 0 {
		return fault.Pos{}
	}
	from += max(end-lex.Slack/2, 0)
	text := r.Buf[from:end]
	blanks := len(text) - len(bytes.TrimLeft(text, " \t"))
	if bytes.ContainsAny(text[blanks:], " \t") || bytes.IndexByte(text, '>') >= 0 && bytes.IndexByte(text, '<') != blanks {
		return fault.Pos{}
	}
	return fault.Pos{Line: r.Ended.Line, Column: int64(blanks) + 1, Offset: r.Base + int64(from+blanks)}
}

// beginLabelled gives up what is open, and begins again with the label before the current {.
func (r *turtle) beginLabelled(n fault.Notice) {
	label := r.labelPlace()
	r.relabelled = label.Offset
	end := label.Offset - label.Column // of the line before
	if end > r.Base && r.Buf[end-r.Base] == '\n' && r.Buf[end-1-r.Base] == '\r' {
		end--
	}
	n.Pos, n.Message, n.Code = label, "a graph begins here, but the statement before has not ended", fault.SyntaxUnexpected
	n.Excerpt = r.Excerpt(label.Offset)
	r.giveUp(n, r.Tok.From)
	r.Seek(fault.Pos{Line: label.Line - 1, Column: 1, Offset: end}, end)
	r.Next()
}
