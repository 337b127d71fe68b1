package extract

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
)

// element is what the beginning of a document in XML shows of elements that have the same path of names from the
// root on.
type element struct {
	name     string
	around   *element // nil for that which stands for the document
	in       []*element
	depth    int
	now      int  // how many there are in the element around, as far as it is read
	most     int  // in one element around
	rich     bool // it has attributes or elements
	labelled bool // it has an attribute that is data
	text     bool // it has text of its own
	isRecord bool
}

// named is the element of a name in e, which is made if need be.
func (e *element) named(name string) *element {
	if in := e.find(name); in != nil {
		return in
	}
	in := &element{name: name, around: e, depth: e.depth + 1}
	e.in = append(e.in, in)
	return in
}

// find is the element of a name in e; nil if there is none, as in no element.
func (e *element) find(name string) *element {
	if e == nil {
		return nil
	}
	for _, in := range e.in {
		if in.name == name {
			return in
		}
	}
	return nil
}

// repeats says that several such elements stand in one element. So they are a list everywhere, also
// where there is one.
func (e *element) repeats() bool { return e != nil && e.most > 1 }

// path names an element by those around it.
func (e *element) path() string {
	if e.around == nil || e.around.around == nil {
		return e.name
	}
	return e.around.path() + "/" + e.name
}

// sketch reads the beginning of a document. The result stands for the document, and has the root in it.
func sketch(ctx context.Context, head []byte, opt *Options) (*element, error) {
	r := xmltext.NewReader(bytes.NewReader(head), xmltext.Options{MaxDepth: opt.MaxDepth}, unheard{})
	defer r.Free()
	document := &element{depth: -1}
	at := document
	for {
		kind, err := r.Next(ctx)
		if err != nil {
			return nil, err
		}
		switch kind {
		case xmltext.End:
			return document, nil
		case xmltext.StartTag:
			at.rich = true
			at = at.named(tagName(r))
			at.now++
			at.most = max(at.most, at.now)
			for i := range r.Attrs() {
				at.rich = true
				at.labelled = at.labelled || !declares(&r.Attrs()[i])
			}
		case xmltext.Text:
			at.text = at.text || len(bytes.TrimSpace(r.Text())) > 0
		case xmltext.EndTag:
			for _, in := range at.in {
				in.now = 0
			}
			if at.around != nil {
				at = at.around
			}
		}
	}
}

// declares says that an attribute declares a namespace, and is no data.
func declares(a *xmltext.Attr) bool {
	return string(a.Prefix) == "xmlns" || len(a.Prefix) == 0 && string(a.Local) == "xmlns"
}

func tagName(r *xmltext.Reader) string {
	if p := r.Prefix(); len(p) > 0 {
		return string(p) + ":" + string(r.Local())
	}
	return string(r.Local())
}

type unheard struct{}

func (unheard) Notice(fault.Notice) {}

// markRecords finds the elements that are records: those that repeat, which are nearest to the root and more
// than texts. In a document of several roots, as databases write a forest of rows, these are the roots where nothing
// but texts repeats in them. Where none repeats it is the only element in the root, if there is one that looks like
// one of several.
func (e *element) markRecords() (names []string) {
	var best *element
	e.each(func(s *element) {
		if s.most < 2 || s.depth == 0 { // a root that repeats is weighed below
			return
		}
		if best == nil || s.rich && !best.rich || s.rich == best.rich && (s.depth < best.depth || s.depth == best.depth &&
			s.around != best.around && s.most > best.most) {
			best = s
		}
	})
	if best == nil || !best.rich {
		if i := slices.IndexFunc(e.in, func(s *element) bool { return s.repeats() && s.rich }); i >= 0 {
			best = e.in[i]
		}
	}
	if best == nil {
		return e.only()
	}
	for _, s := range best.around.in {
		if s.most > 1 && s.rich == best.rich {
			s.isRecord = true
			names = append(names, s.name)
		}
	}
	return names
}

// only marks the element that would be the record if there were several. From the root on it goes in as long as
// an element holds nothing but one. That has elements or attributes itself, or the outer is named as its plural.
func (e *element) only() []string {
	if len(e.in) == 0 {
		return nil
	}
	root := e.in[0]
	at := root
	for len(at.in) == 1 && !at.text && (isPlural(at.name, at.in[0].name) || at.in[0].rich && !at.labelled) {
		at = at.in[0]
	}
	at.isRecord = true
	if at == root {
		return nil
	}
	return []string{at.name}
}

// isPlural says that a name is one for several of what another names: books of book, ArrayOfBook, bookList.
func isPlural(several, one string) bool {
	plain := func(s string) string {
		s = s[strings.LastIndexByte(s, ':')+1:]
		return strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(s))
	}
	several, one = plain(several), plain(one)
	if one == "" || several == one {
		return false
	}
	if stem, ok := strings.CutSuffix(one, "y"); ok && strings.Contains(several, stem+"ies") {
		return true
	}
	rest, ok := strings.CutPrefix(several, one)
	return ok && slices.Contains([]string{"s", "es", "list", "set", "collection", "array", "table"}, rest) ||
		several == "arrayof"+one || several == "listof"+one || several == one+"slist" || several == "listof"+one+"s"
}

// each calls f with all elements in e, each before those in it.
func (e *element) each(f func(*element)) {
	for _, in := range e.in {
		f(in)
		in.each(f)
	}
}

// beside are the names of what is in no record, as far as the sketch shows it.
func (e *element) beside() (names []string) {
	for _, in := range e.in {
		if in.isRecord {
			continue
		}
		if in.text || len(in.in) == 0 || in.labelled {
			names = append(names, in.path())
		}
		names = append(names, in.beside()...)
	}
	return names
}
