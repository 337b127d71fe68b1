package jsonld

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
)

// A context that can't be had, and a definition with a fault, cost what needs them and nothing else.
// An active context therefore remembers what it lacks: the IRI of a context (active.lacks), and the
// terms whose definition is lost (term.lost). What an IRI, a compact IRI with a sound prefix or a term
// defined in another context means is certain all the same. What a name means that nothing at hand
// defines is not. That holds even where @vocab would give it a meaning, since the missing context may
// give another. Statements made under a context that lacks another are repaired ones.

// absence is a context that could not be had.
type absence struct {
	iri, why string
	at       fault.Pos
	lost     int64 // statements that need it
}

// absent notes that a context could not be had; at is where the document names it.
func (e *expander) absent(iri, why string, at fault.Pos) {
	if len(e.missing) > 10_000 {
		e.tellAbsences()
	}
	e.missing[iri] = &absence{iri: iri, why: why, at: at}
}

// tellAbsences says of each context that could not be had what that cost, in the order of their places.
func (e *expander) tellAbsences() {
	for _, a := range slices.SortedFunc(maps.Values(e.missing), func(a, b *absence) int {
		return cmp.Or(cmp.Compare(a.at.Offset, b.at.Offset), strings.Compare(a.iri, b.iri))
	}) {
		e.tell(fault.Notice{Code: fault.JSONContextMissing, Severity: fault.Warning, Pos: a.at, Excerpt: fault.Excerpt([]byte(a.iri)),
			Message: fmt.Sprintf("%s; this cost %s; give a copy (--context IRI=FILE), or have it fetched (wash --fetch-contexts)", a.why,
				statements(a.lost))})
	}
	clear(e.missing)
}

func statements(n int64) string {
	switch n {
	case 0:
		return "no statement"
	case 1:
		return "1 statement"
	}
	return fmt.Sprintf("%d statements", n)
}

// without is a context that goes on without another, which can't be had.
func (e *expander) without(a *active, name *jsonread.Value, iri string, f *failure, w where) *active {
	if w.unresolved {
		return a // told when it is used
	}
	result := a.copy()
	result.lacks, result.mended = iri, true
	result.vocab, result.hasVocab = "", false
	if e.missing[iri] == nil {
		n := fault.Notice{Code: f.code, Severity: fault.Repair, Pos: f.at.Pos, Excerpt: "@context",
			Message: "this context is not at hand; names that only it defines are lost, and the rest is read without it"}
		if w.at != nil {
			n.Pos = w.at.Pos
		}
		e.absent(iri, f.message, n.Pos)
		e.say(n)
	}
	return result
}

// withoutFaulty is a context that goes on without another, which has a fault as a whole. That may have
// defined any name, and another base or language.
func (e *expander) withoutFaulty(a *active, local *jsonread.Value, f *failure, w where) *active {
	result := a.copy()
	result.faulty = true
	result.vocab, result.hasVocab = "", false
	for _, word := range [...]string{"@base", "@language"} {
		if local.Kind == jsonread.Object && local.Get(word) != nil {
			result.ownBreaks().note(word, e.opt.Direction)
		}
	}
	if e.flaw == nil {
		e.flaw = f
	}
	e.toldLost(f.at, f, w)
	return result
}

// uncertain says that a name can't be known in a context that lacks another, since that may
// define it. The flags relative and vocab are those of expandIRI. The name is not that of a
// term that is at hand.
func (a *active) uncertain(s string, relative, vocab bool) bool {
	if a.lacks == "" && !a.faulty {
		return false
	}
	if colon := strings.IndexByte(s, ':'); colon > 0 {
		// What looks like a compact IRI may be one.
		prefix := s[:colon]
		return prefix != "_" && !strings.HasPrefix(s[colon+1:], "//") && !knownSchemes[strings.ToLower(prefix)]
	}
	return vocab || !relative
}

// knownSchemes are those of IRIs without // that nobody takes for prefixes.
var knownSchemes = map[string]bool{"urn": true, "mailto": true, "tel": true, "did": true, "data": true, "cid": true, "mid": true}

// doubt is the failure of what needs a context that can't be had.
func (a *active) doubt(name string, at *jsonread.Value) *failure {
	if a.lacks == "" {
		return failed(fault.JSONContext, at, "%q can't be known, since a context has a fault", name)
	}
	f := failed(fault.JSONContextNotAvailable, at, "%q can't be known without the context that is not at hand", name)
	f.lacks = a.lacks
	return f
}

// lose marks a term as one whose definition is lost, and tells of it.
func (d *defining) lose(name string, f *failure) {
	v := d.local.Get(name)
	d.active.set(name, &term{lost: f})
	d.defined[name] = true
	d.toldLost(v, f, d.where)
}

// unknown is the failure of what needs a term whose definition is lost.
func (t *term) unknown(name string, at *jsonread.Value) *failure {
	f := failed(t.lost.code, at, "%q can't be known, since its definition in the context is lost", name)
	f.lacks = t.lost.lacks
	return f
}
