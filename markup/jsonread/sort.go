package jsonread

// sort is what kind of thing an object is, as far as the names in it tell. Two ways to
// mend a fault may both give JSON, of which one gives an object that means nothing.
type sort struct {
	kind sortKind
	// context: it is one, or a definition in one, where names mean something else;
	// next: the next value is one.
	context, next bool
	// graph: the next value is that of @graph; inGraph: it is such a value, an array of nodes.
	graph, inGraph bool
	had            keywords // which it has already; none of them can stand twice
}

// keywords are some of those that an object has no more than once.
type keywords uint8

// once is the mark of one of them; 0 for any other name.
func (w *Words) once(name string) keywords {
	switch name {
	case w.ID:
		return 1
	case w.Type:
		return 2
	case w.Value:
		return 4
	case w.Language:
		return 8
	case w.List:
		return 16
	case w.Set:
		return 32
	case w.Graph:
		return 64
	}
	return 0
}

type sortKind uint8

const (
	anySort sortKind = iota
	nodeSort
	valueSort
	listSort // or a set
)

// with is the sort of an object with one name more; ok says that it can have it.
func (s sort) with(w *Words, name string) (_ sort, ok bool) {
	s.next, s.graph = name == w.Context, name == w.Graph
	if s.context || s.next {
		s.graph = false
		return s, true
	}
	mark := w.once(name)
	again := s.had&mark != 0
	s.had |= mark
	kind := s.kind
	switch name {
	case w.Index:
		return s, true
	case w.Type:
		return s, kind != listSort && !again
	case w.Value, w.Language, w.Direction:
		kind = valueSort
	case w.List, w.Set:
		kind = listSort
	default:
		kind = nodeSort
	}
	if s.kind == anySort {
		s.kind = kind
	}
	return s, s.kind == kind && !again
}

// inner is the sort of an object that stands in one of a sort, of which no name is known.
func (s sort) inner() sort { return sort{context: s.context || s.next, inGraph: s.graph} }

// sorted is the sort of an object with one name more, which is a token.
func (t *tokens) sorted(s sort, one *token) (sort, bool) {
	raw := t.inside(one)
	if name, ok := t.aliases[string(raw)]; ok {
		return s.with(t.words, name)
	}
	if len(raw) > 0 && raw[0] == t.words.Sign {
		return s.with(t.words, string(raw))
	}
	return s.with(t.words, "")
}
