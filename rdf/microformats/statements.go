package microformats

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/pattern"
	"laundromat/internal/rfc3986"
	"laundromat/markup/page"
	"laundromat/rdf"
)

// Process hands the statements in the microformats of a page to a sink. It returns an
// error if the sink fails (as *rdf.SinkError) or if ctx ends.
func Process(ctx context.Context, p *page.Page, in rdf.Input, to rdf.Sink) error {
	if !slices.ContainsFunc(p.Roots, holdsItem) {
		return nil
	}
	parser := newParser(p, in.Base)
	w := &writer{ctx: ctx, in: in, to: to, usesBase: parser.base == in.Base}
	for _, item := range parser.parse(p).Items {
		w.item(item)
	}
	if e := parser.deepest; e != nil {
		w.lose(fault.LimitNesting, e, "more than %d items are nested one in another; what is deeper is lost", maxItems)
	}
	if e := parser.cut; e != nil {
		w.lose(fault.LimitExpansion, e,
			"inclusions have items go through the same elements again and again, more than %d times in all; what the items would still get is lost", parser.visited-1)
	}
	return w.failed
}

// holdsItem says that an element, or one in it, is an item.
func holdsItem(e *page.Element) bool {
	if rootOf(e) != nil {
		return true
	}
	for i := range e.Children {
		if c := e.Children[i].Element; c != nil && holdsItem(c) {
			return true
		}
	}
	return false
}

// writer makes statements of items.
type writer struct {
	ctx      context.Context
	in       rdf.Input
	to       rdf.Sink
	usesBase bool // URLs are resolved against the base of the input

	nodes    uint64 // blank nodes so far
	fileTold bool
	failed   error
}

// subject is the node of an item, with what is said of it.
type subject struct {
	item  *Item
	node  uint64
	parts map[string]uint64 // nodes between it and its values, by predicate
}

// isMapped says that an item has a type with a vocabulary.
func (i *Item) isMapped() bool {
	return slices.ContainsFunc(i.Types, func(t string) bool { return vocabulary[t].iri != "" })
}

// item writes an item and all in it, and returns its node; 0 if it has none.
func (w *writer) item(i *Item) (node uint64) {
	if w.failed != nil {
		return 0
	}
	if err := w.ctx.Err(); err != nil {
		w.failed = fmt.Errorf("read microformats: %w", err)
		return 0
	}
	if lost := i.Element.Lost(matters); lost != nil {
		w.to.Notice(*lost)
		return 0
	}
	s := subject{item: i, parts: map[string]uint64{}}
	switch isMapped := i.isMapped(); {
	case !isMapped:
		w.note(i.Element, strings.Join(i.Types, " "),
			"the item is a microformat of the type %s, which has no vocabulary here; it is read and makes no statements",
			strings.Join(i.Types, " "))
	case len(i.Properties) == 0:
		w.note(i.Element, strings.Join(i.Types, " "), "the item says nothing of itself; it makes no statements")
	default:
		s.node = w.number()
		for _, typ := range i.Types {
			if iri := vocabulary[typ].iri; iri != "" {
				w.write(s.node, rdf.Type, object{kind: rdf.IRI, value: iri}, i.Element)
			} else {
				w.note(i.Element, typ, "the item is also a microformat of the type %s, which has no vocabulary here", typ)
			}
		}
	}
	for _, p := range i.Properties {
		for _, v := range p.Values {
			w.property(&s, p.Name, v)
		}
	}
	for _, c := range i.Children {
		w.item(c)
	}
	return s.node
}

// property writes one value of a property.
func (w *writer) property(s *subject, name string, v Value) {
	inner := uint64(0)
	if v.Item != nil && len(v.Item.Properties)+len(v.Item.Children) > 0 {
		inner = w.item(v.Item)
	}
	if s.node == 0 || w.failed != nil {
		return
	}
	isKnown := false
	for _, typ := range s.item.Types {
		m, ok := vocabulary[typ].properties[name]
		if !ok {
			continue
		}
		isKnown = true
		if inner == 0 {
			if _, _, lost := v.Element.Content(matters); lost != nil {
				n := *lost
				n.Severity, n.Lost, n.Bytes = fault.Drop, 1, 0
				w.to.Notice(n)
				continue
			}
		}
		at := s.node
		if m.of != "" {
			at = w.part(s, m.of, v.Element)
		}
		w.value(s, at, m, v, inner)
	}
	if !isKnown {
		w.note(v.Element, name, "the vocabulary of %s has no term for the property %q; it makes no statement",
			strings.Join(s.item.Types, " "), name)
	}
}

// part is the node between an item and some of its values, which is written when first asked for.
func (w *writer) part(s *subject, predicate string, e *page.Element) uint64 {
	if s.parts[predicate] == 0 {
		node := w.number()
		s.parts[predicate] = node
		w.write(s.node, predicate, object{kind: rdf.BlankNode, node: node}, e)
		w.write(node, rdf.Type, object{kind: rdf.IRI, value: parts[predicate]}, e)
	}
	return s.parts[predicate]
}

var pairOfNumbers = pattern.New(`^\s*([+-]?\d+(?:\.\d+)?)\s*[;,]\s*([+-]?\d+(?:\.\d+)?)\s*$`)

// value writes a value as its kind has it; inner is the node of the item that it is, 0 if it isn't one.
func (w *writer) value(s *subject, at uint64, m mapped, v Value, inner uint64) {
	literal := object{kind: rdf.Literal, value: v.Text, language: v.Language}
	switch {
	case inner != 0:
		w.write(at, m.predicate, object{kind: rdf.BlankNode, node: inner}, v.Element)
		if m.kind == organization {
			w.write(inner, rdf.Type, object{kind: rdf.IRI, value: parts[m.predicate]}, v.Element)
			w.write(inner, vcard+"organization-name", literal, v.Element)
		}
	case strings.TrimFunc(v.Text, isSpace) == "", v.prefix == 'u' && v.reference == "" && !isLink(v.Element):
		w.note(v.Element, m.predicate, "the property has no value; it makes no statement")
	case m.kind == iri || m.kind == mail:
		w.reference(at, m, v)
	case m.kind == when:
		literal.value, literal.datatype = timeOf(v.Text)
		if literal.datatype != "" {
			literal.language = ""
		}
		w.write(at, m.predicate, literal, v.Element)
	case m.kind == organization:
		w.write(w.part(s, m.predicate, v.Element), vcard+"organization-name", literal, v.Element)
	case m.kind == address:
		w.write(at, vcard+"label", literal, v.Element)
	case (m.kind == place || m.kind == coordinates) && pairOfNumbers.MatchString(v.Text):
		pair := pairOfNumbers.FindStringSubmatch(v.Text)
		node := at
		if m.kind == place {
			node = w.part(s, vcard+"geo", v.Element)
		}
		w.write(node, vcard+"latitude", object{kind: rdf.Literal, value: pair[1]}, v.Element)
		w.write(node, vcard+"longitude", object{kind: rdf.Literal, value: pair[2]}, v.Element)
	case v.prefix == 'u' && v.words == "":
		w.reference(at, m, v)
	default:
		w.write(at, m.predicate, literal, v.Element)
	}
}

// isLink says that an empty reference of an element leads to the page itself. Of others, as an image without a source
// or a text that is empty, it says nothing.
func isLink(e *page.Element) bool {
	_, has := e.Get("href")
	return has && urlAttributes[e.Name] == "href"
}

// reference writes a value that is an IRI. A text that isn't one where an IRI is meant stays a text, and an
// address of mail gets its scheme.
func (w *writer) reference(at uint64, m mapped, v Value) {
	switch {
	case v.words == "" || rfc3986.IsAbsolute([]byte(v.words)):
	case m.kind == mail && strings.Count(v.words, "@") == 1 && !strings.ContainsFunc(v.words, page.IsSpace):
		w.write(at, m.predicate, object{kind: rdf.IRI, value: "mailto:" + v.words}, v.Element)
		return
	default:
		w.write(at, m.predicate, object{kind: rdf.Literal, value: v.words, language: v.Language}, v.Element)
		return
	}
	if w.usesBase && w.in.BaseIsFile && !w.fileTold && !rfc3986.IsAbsolute([]byte(v.reference)) {
		w.fileTold = true
		w.to.Notice(fault.Notice{Code: fault.IRIRelative, Severity: fault.Warning, Pos: v.Element.Pos,
			Message: "a relative IRI was resolved against the place of the file on this machine", Excerpt: fault.Excerpt([]byte(v.Text))})
	}
	w.write(at, m.predicate, object{kind: rdf.IRI, value: v.Text}, v.Element)
}

var dateAndClock = pattern.New(`^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(?:([Zz])|([+-]\d\d):?(\d\d)?)?$`)

// timeOf writes a date or time in the form of XML Schema, with the datatype of that. A time of day without
// seconds gets those that XML Schema asks for. Other forms stay as they are.
func timeOf(written string) (value, datatype string) {
	m := dateAndClock.FindStringSubmatch(written)
	if m == nil {
		return written, page.TimeType(written)
	}
	value = m[1] + "T" + m[2] + cmp.Or(m[3], ":00") + strings.ToUpper(m[4])
	if m[5] != "" {
		value += m[5] + ":" + cmp.Or(m[6], "00")
	}
	return value, rdf.XSD + "dateTime"
}

// object is the object of a statement.
type object struct {
	kind                      rdf.Kind
	node                      uint64
	value, datatype, language string
}

func (w *writer) number() uint64 { w.nodes++; return w.nodes }

// write hands on a statement about a node.
func (w *writer) write(node uint64, predicate string, o object, e *page.Element) {
	if w.failed != nil {
		return
	}
	q := rdf.Quad{
		Subject:   rdf.Term{Kind: rdf.BlankNode, Anonymous: node, Pos: e.Pos},
		Predicate: rdf.Term{Kind: rdf.IRI, Value: []byte(predicate), Pos: e.Pos},
		Object: rdf.Term{Kind: o.kind, Anonymous: o.node, Value: []byte(o.value), Datatype: []byte(o.datatype),
			Language: []byte(o.language), Pos: e.Pos},
		Repaired: e.Mended(matters),
	}
	if err := w.to.Quad(&q); err != nil {
		w.failed = &rdf.SinkError{Err: err}
	}
}

// matters says that microformats read the attribute of that name.
func matters(name string) bool {
	switch name {
	case "class", "id", "rel", "href", "src", "data", "poster", "title", "alt", "value", "datetime", "itemref", "headers", "lang",
		"xml:lang":
		return true
	}
	return false
}

func (w *writer) note(e *page.Element, excerpt, format string, args ...any) {
	w.to.Notice(fault.Notice{Code: fault.MicroformatUnmapped, Severity: fault.Note, Pos: e.Pos, Excerpt: fault.Excerpt([]byte(excerpt)),
		Message: fmt.Sprintf(format, args...)})
}

func (w *writer) lose(code fault.Code, e *page.Element, format string, args ...any) {
	class, _ := e.Get("class")
	w.to.Notice(fault.Notice{Code: code, Severity: fault.Drop, Lost: 1, Pos: e.Pos, Excerpt: fault.Excerpt([]byte(class)),
		Message: fmt.Sprintf(format, args...)})
}
