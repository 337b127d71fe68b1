package xmltext

import "bytes"

// XML and XMLNS are the namespaces that need no declaration.
const (
	XML   = "http://www.w3.org/XML/1998/namespace"
	XMLNS = "http://www.w3.org/2000/xmlns/"
)

// Scope knows which prefixes are declared where in the tree of elements
// (Namespaces in XML 1.0). The zero Scope knows xml alone.
type Scope struct {
	bindings []Binding
	names    []byte
}

// Binding is a declared prefix. Its slices live until the element that declares it is left.
type Binding struct {
	Prefix, IRI []byte
	Depth       int  // of the element that declares it
	Repaired    bool // the declaration was
	Lost        bool // the declaration can't be trusted: neither can any name with this prefix
	mark        int  // length of Scope.names before
}

// Bind declares prefix at depth, until Leave(depth).
func (s *Scope) Bind(prefix, iri []byte, depth int, repaired, lost bool) {
	mark := len(s.names)
	s.names = append(append(s.names, prefix...), iri...)
	end := mark + len(prefix)
	s.bindings = append(s.bindings, Binding{
		Prefix: s.names[mark:end:end], IRI: s.names[end:len(s.names):len(s.names)],
		Depth: depth, Repaired: repaired, Lost: lost, mark: mark,
	})
}

// Leave forgets what was declared at depth or deeper.
func (s *Scope) Leave(depth int) {
	for n := len(s.bindings) - 1; n >= 0 && s.bindings[n].Depth >= depth; n-- {
		s.names = s.names[:s.bindings[n].mark]
		s.bindings = s.bindings[:n]
	}
}

// Find returns the innermost declaration of prefix; nil if there is none.
func (s *Scope) Find(prefix []byte) *Binding {
	for i := len(s.bindings) - 1; i >= 0; i-- {
		if bytes.Equal(s.bindings[i].Prefix, prefix) {
			return &s.bindings[i]
		}
	}
	return nil
}
