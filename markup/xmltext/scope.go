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
	index    map[string]int // prefix → its innermost binding, once there were many
}

// manyBindings is how many are searched one by one.
const manyBindings = 32

// Binding is a declared prefix. Its slices live until the element that declares it is left.
type Binding struct {
	Prefix, IRI []byte
	Depth       int  // of the element that declares it
	Repaired    bool // the declaration was
	Lost        bool // the declaration can't be trusted: neither can any name with this prefix
	mark        int  // length of Scope.names before
	outer       int  // the binding that it hides, by the index; -1 if none
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
	switch n := len(s.bindings); {
	case s.index != nil:
		s.note(n - 1)
	case n > manyBindings:
		s.index = map[string]int{}
		for i := range s.bindings {
			s.note(i)
		}
	}
}

// note puts the binding i into the index.
func (s *Scope) note(i int) {
	b := &s.bindings[i]
	outer, ok := s.index[string(b.Prefix)]
	if b.outer = outer; !ok {
		b.outer = -1
	}
	s.index[string(b.Prefix)] = i
}

// Leave forgets what was declared at depth or deeper.
func (s *Scope) Leave(depth int) {
	for n := len(s.bindings) - 1; n >= 0 && s.bindings[n].Depth >= depth; n-- {
		b := &s.bindings[n]
		if s.index != nil && b.outer >= 0 {
			s.index[string(b.Prefix)] = b.outer
		} else if s.index != nil {
			delete(s.index, string(b.Prefix))
		}
		s.names = s.names[:b.mark]
		s.bindings = s.bindings[:n]
	}
}

// Find returns the innermost declaration of prefix; nil if there is none.
func (s *Scope) Find(prefix []byte) *Binding {
	if s.index != nil {
		if i, ok := s.index[string(prefix)]; ok {
			return &s.bindings[i]
		}
		return nil
	}
	for i := len(s.bindings) - 1; i >= 0; i-- {
		b := s.bindings[i].Prefix
		if len(b) == len(prefix) && (len(b) == 0 || b[0] == prefix[0]) && bytes.Equal(b, prefix) {
			return &s.bindings[i]
		}
	}
	return nil
}

// JudgeDeclaration says what Namespaces in XML 1.0 (§3, §5) forbids of the declaration of prefix; "" for nothing. nil
// is the prefix of names without one. If isVoid, it declares nothing.
func JudgeDeclaration(prefix, iri []byte) (message string, isVoid bool) {
	switch {
	case string(prefix) == "xmlns":
		return "the prefix xmlns can't be declared", true
	case string(prefix) == "xml" && string(iri) != XML:
		return "the prefix xml can't be declared for another namespace than its own", true
	case string(prefix) == "xml":
		return "", false
	case prefix != nil && len(iri) == 0:
		return "a prefix can't be declared for the empty namespace", true
	case string(iri) == XML, string(iri) == XMLNS:
		return "no other prefix than its own can be declared for this namespace", false
	}
	return "", false
}
