package jsonld

import (
	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
)

// JSON-LD 1.1 calls for an error where a keyword in a context has a value that it can't have (API
// §4.1.2). Here the entry costs what needs it, as one does whose name or value is no JSON, and nothing
// else. Those are relative IRIs where @base is lost, plain names where @vocab is, and texts where
// @language is.

// loseEntry loses what a context says with a keyword.
func (e *expander) loseEntry(a *active, word string, f *failure, w where) {
	a.ownBreaks().note(word, e.opt.Direction)
	if e.flaw == nil {
		e.flaw = f
	}
	e.toldLost(f.at, f, w)
}

// note notes that what a context says with a keyword is lost.
func (b *breaks) note(word string, direction Direction) {
	switch word {
	case "@vocab":
		b.vocab = true
	case "@base":
		b.base = true
	case "@language":
		b.language = true
	case "@direction":
		b.language = b.language || direction != NoDirection
	}
}

// settles says that a context gives a keyword a value that holds whatever it had before.
func settles(v *value, word string) bool {
	is := v.get(word)
	return is != nil && (is.kind == null || is.kind == text && (word == "@language" || rfc3986.IsAbsolute([]byte(is.text))))
}

// toldLost tells of an entry of a context, v, that is lost by a failure; once of each.
func (e *expander) toldLost(v *value, f *failure, w where) {
	if e.toldTerms[v] {
		return
	}
	if len(e.toldTerms) > 10_000 {
		clear(e.toldTerms)
	}
	e.toldTerms[v] = true
	n := fault.Notice{Code: f.code, Severity: fault.Drop, Pos: v.pos, Message: f.message, Excerpt: v.sample()}
	if w.at != nil {
		// A place in another file would mislead, and nothing of this one is lost yet.
		n.Pos, n.Message = w.at.pos, "in the context <"+w.from+">: "+f.message
	} else {
		n.Lost, n.Bytes = 1, max(0, v.end-v.pos.Offset)
	}
	e.tell(n)
}

// isAlias says that a definition gives a name to a keyword.
func isAlias(v *value) bool {
	if id := v.get("@id"); id != nil {
		v = id
	}
	return v.kind == text && len(v.text) > 0 && v.text[0] == '@'
}
