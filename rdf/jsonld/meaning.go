package jsonld

import "laundromat/markup/jsonread"

// meaning is what a name was found to mean in a context. The same names stand in node after node,
// so that those which were looked up lately are remembered.
type meaning struct {
	in    uint64 // the number of the context
	name  string
	types bool // the name is that of a type
	term  *term
	known bool // what follows is
	iri   string
	ok    bool
}

// manyMeanings is how many are remembered: a power of two.
const manyMeanings = 256

// lookUp finds the place of a name that is no empty one, with its term.
func (e *expander) lookUp(a *active, name string, types bool) *meaning {
	if a.number == 0 {
		e.actives++
		a.number = e.actives
	}
	n := len(name)
	hash := uint(n)*131 + uint(name[n-1])*31 + uint(name[n/2])*7 + uint(name[0]) + uint(a.number)*17
	m := &e.meanings[hash%manyMeanings]
	if m.in != a.number || m.types != types || m.name != name {
		*m = meaning{in: a.number, name: name, types: types, term: a.terms[name]}
	}
	return m
}

// term is the definition of a name; nil if there is none.
func (e *expander) term(a *active, name string) *term {
	if name == "" || len(a.terms) == 0 {
		return nil
	}
	if len(name) > maxMeaning {
		return a.terms[name]
	}
	return e.lookUp(a, name, false).term
}

// mean is expandIRI for the name of a member, or of a type.
func (e *expander) mean(a *active, name string, at *jsonread.Value, types bool) (iri string, ok bool, f *failure) {
	if name == "" || len(name) > maxMeaning || types && needsTrim(name) {
		return e.expandIRI(a, name, at, iriRole{relative: types, vocab: true})
	}
	m := e.lookUp(a, name, types)
	if m.known {
		return m.iri, m.ok, nil
	}
	if iri, ok, f = e.expandIRI(a, name, at, iriRole{relative: types, vocab: true}); f == nil {
		m.known, m.iri, m.ok = true, iri, ok
	}
	return iri, ok, f
}

// maxMeaning is how long a name may be that is remembered.
const maxMeaning = 256

// iriBytes is how many bytes of IRIs are allocated at once.
const iriBytes = 8 << 10

// join makes one string of two, in one piece of memory with those before.
func (e *expander) join(a, b string) string {
	n := len(a) + len(b)
	if n > iriBytes/8 {
		return a + b
	}
	if e.texts.Cap()-e.texts.Len() < n {
		e.texts.Reset()
		e.texts.Grow(iriBytes)
	}
	from := e.texts.Len()
	e.texts.WriteString(a)
	e.texts.WriteString(b)
	return e.texts.String()[from:]
}
