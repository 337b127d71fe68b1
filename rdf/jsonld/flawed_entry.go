package jsonld

import (
	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/jsonread"
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
func settles(v *jsonread.Value, word string) bool {
	is := v.Get(word)
	return is != nil && (is.Kind == jsonread.Null || is.Kind == jsonread.Text &&
		(word == "@language" || rfc3986.IsAbsolute([]byte(is.Text))))
}

// toldLost tells of an entry of a context, v, that is lost by a failure; once of each.
func (e *expander) toldLost(v *jsonread.Value, f *failure, w where) {
	if e.toldTerms[v] {
		return
	}
	if len(e.toldTerms) > 10_000 {
		clear(e.toldTerms)
	}
	e.toldTerms[v] = true
	n := fault.Notice{Code: f.code, Severity: fault.Drop, Pos: v.Pos, Message: f.message, Excerpt: v.Sample()}
	if w.at != nil {
		// A place in another file would mislead. Nothing of this one is lost yet, and what needs the entry is told
		// where it stands.
		n.Severity, n.Pos, n.Message = fault.Warning, w.at.Pos, "in the context <"+w.from+">: "+f.message
	} else {
		n.Bytes = max(0, v.End-v.Pos.Offset) // what needs it is told, and counted, where it stands
	}
	e.tell(n)
}

// isAlias says that a definition gives a name to a keyword.
func isAlias(v *jsonread.Value) bool {
	if id := v.Get("@id"); id != nil {
		v = id
	}
	return v.Kind == jsonread.Text && len(v.Text) > 0 && v.Text[0] == '@'
}
