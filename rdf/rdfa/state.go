package rdfa

import (
	"strings"

	"laundromat/markup/page"
	"laundromat/rdf"
)

// state is an element being processed.
type state struct {
	*processor
	e        *page.Element
	ctx      *evaluation
	isRoot   bool
	names    *names
	language string

	hasLink     bool // @rel or @rev
	rel, rev    []term
	hasProperty bool
	properties  []term
	skip        bool
	named       bool // an attribute gives the subject, even if it is the same as that of the parent
	subject     term
	object      term
	typed       term
	lists       *lists
	incomplete  []incomplete
}

func (s *state) setLanguage() {
	order := [...]string{"lang", "xml:lang"}
	switch s.host {
	case page.XML:
		order[0] = "xml:lang"
	case page.XHTML1, page.XHTML5:
		order = [...]string{"xml:lang", "lang"}
	}
	for _, name := range order {
		if v, ok := s.e.Get(name); ok {
			s.language = strings.TrimFunc(v, page.IsSpace)
			return
		}
	}
}

// readWords reads @property, @rel and @rev. In HTML and XHTML 5, a term in
// @rel or @rev with @property is meant for browsers (HTML+RDFa 1.1 §3.1, rule 7).
func (s *state) readWords() {
	property, hasProperty := s.e.Get("property")
	s.hasProperty = hasProperty
	if hasProperty {
		s.properties = s.words(s.names, property, "property", s.e)
	}
	for _, name := range [...]string{"rel", "rev"} {
		v, ok := s.e.Get(name)
		if !ok {
			continue
		}
		present := true
		if hasProperty && (s.host == page.HTML || s.host == page.XHTML5) {
			var kept []string
			for word := range strings.FieldsFuncSeq(v, page.IsSpace) {
				if strings.Contains(word, ":") {
					kept = append(kept, word)
				}
			}
			v = strings.Join(kept, " ")
			present = len(kept) > 0
		}
		s.hasLink = s.hasLink || present
		if all := s.words(s.names, v, name, s.e); name == "rel" {
			s.rel = all
		} else {
			s.rev = all
		}
	}
}

// about is the resource of an attribute that holds a safe CURIE, CURIE or IRI.
func (s *state) about(name string) (term, bool) {
	v, ok := s.e.Get(name)
	if !ok {
		return term{}, false
	}
	return s.resource(s.names, v, s.e)
}

// link is the IRI of @href or @src.
func (s *state) link(name string) (term, bool) {
	v, ok := s.e.Get(name)
	if !ok {
		return term{}, false
	}
	return s.reference(strings.TrimFunc(v, page.IsSpace), s.e), true
}

// target is the first of @resource, @href and @src.
func (s *state) target() (term, bool) {
	if t, ok := s.about("resource"); ok {
		return t, true
	}
	if t, ok := s.link("href"); ok {
		return t, true
	}
	return s.link("src")
}

func (s *state) isHeadOrBody() bool {
	return s.host != page.XML && (s.e.Name == "head" || s.e.Name == "body") && s.e.Prefix == ""
}

// findSubject settles the new subject, the current object and the typed resource.
func (s *state) findSubject() {
	about, hasAbout := s.about("about")
	hasTypes := s.e.Has("typeof")
	s.named = hasAbout
	switch {
	case !s.hasLink && s.hasProperty && !s.e.Has("content") && !s.e.Has("datatype"): // 5.1
		s.subjectOfProperty(about, hasAbout)
	case !s.hasLink: // 5.2
		s.subjectOfElement(about, hasAbout)
		if hasTypes {
			s.typed = s.subject
		}
	default: // 6
		s.subject = s.aboutOr(about, hasAbout)
		if hasTypes && hasAbout {
			s.typed = about
		}
		if target, ok := s.target(); ok {
			s.object = target
		} else if hasTypes && !hasAbout {
			s.object = s.fresh(s.e)
		}
		if hasTypes && !hasAbout {
			s.typed = s.object
		}
	}
}

// aboutOr is the resource that @about names. Else it is the page in its root element, and the object of the parent
// in others.
func (s *state) aboutOr(about term, hasAbout bool) term {
	switch {
	case hasAbout:
		return about
	case s.isRoot:
		return s.rootTerm()
	}
	return s.ctx.object
}

// subjectOfProperty is step 5.1: an element with @property, and neither @rel, @rev, @content nor @datatype.
func (s *state) subjectOfProperty(about term, hasAbout bool) {
	s.subject = s.aboutOr(about, hasAbout)
	if !s.e.Has("typeof") {
		return
	}
	target, hasTarget := s.target()
	switch {
	case hasAbout || s.isRoot:
		s.typed = s.subject
	case hasTarget:
		s.typed = target
	default:
		s.typed = s.fresh(s.e)
	}
	s.object = s.typed
}

// subjectOfElement is step 5.2: any other element without @rel and @rev.
func (s *state) subjectOfElement(about term, hasAbout bool) {
	target, hasTarget := s.target()
	hasTypes := s.e.Has("typeof")
	switch {
	case hasAbout:
		s.subject = about
	case hasTarget:
		s.subject, s.named = target, true
	case s.isRoot:
		s.subject = s.rootTerm()
	case s.isHeadOrBody():
		s.subject = s.ctx.object
		s.skip = !s.hasProperty && !hasTypes
	case hasTypes:
		s.subject = s.fresh(s.e)
	default:
		s.subject = s.ctx.object
		s.skip = !s.hasProperty
	}
}

// rootTerm is the subject of the root element: the page.
func (s *state) rootTerm() term {
	t := s.ctx.object
	t.pos = s.e.Pos
	return t
}

func (s *state) writeTypes() {
	if s.typed.kind == rdf.NoTerm {
		return
	}
	v, _ := s.e.Get("typeof")
	for _, t := range s.words(s.names, v, "typeof", s.e) {
		s.add(s.typed, iriTerm(rdf.Type, s.e), t, s.e)
	}
}

func (s *state) writeLinks() {
	inList := s.e.Has("inlist")
	for _, t := range s.rel {
		if inList {
			l := s.lists.get(t, s.e)
			l.members = append(l.members, s.object)
		} else {
			s.add(s.subject, t, s.object, s.e)
		}
	}
	for _, t := range s.rev {
		s.add(s.object, t, s.subject, s.e)
	}
}

func (s *state) writeIncomplete() {
	s.object = s.fresh(s.e)
	inList := s.e.Has("inlist")
	for _, t := range s.rel {
		one := incomplete{predicate: t, from: s.e}
		if inList {
			one.list = s.lists.get(t, s.e)
		}
		s.incomplete = append(s.incomplete, one)
	}
	for _, t := range s.rev {
		s.incomplete = append(s.incomplete, incomplete{predicate: t, reverse: true, from: s.e})
	}
}

func (s *state) writeProperties() {
	if len(s.properties) == 0 {
		return
	}
	o, ok := s.propertyValue()
	if !ok {
		return
	}
	inList := s.e.Has("inlist")
	for _, t := range s.properties {
		if inList {
			l := s.lists.get(t, s.e)
			l.members = append(l.members, o)
		} else {
			s.add(s.subject, t, o, s.e)
		}
	}
}

func (s *state) complete() {
	for _, one := range s.ctx.incomplete {
		switch {
		case one.list != nil:
			one.list.members = append(one.list.members, s.subject)
		case one.reverse:
			s.add(s.subject, one.predicate, s.ctx.subject, one.from)
		default:
			s.add(s.ctx.subject, one.predicate, s.subject, one.from)
		}
	}
}

func (s *state) children() {
	var inner evaluation
	if s.skip {
		inner = *s.ctx
		inner.language, inner.names = s.language, s.names
		inner.lists = s.lists
	} else {
		inner = evaluation{subject: s.ctx.subject, object: s.ctx.subject, incomplete: s.incomplete,
			lists: s.lists, language: s.language, names: s.names}
		if s.subject.kind != rdf.NoTerm {
			inner.subject, inner.object = s.subject, s.subject
		}
		if s.object.kind != rdf.NoTerm {
			inner.object = s.object
		}
	}
	if !s.skip && !inner.object.is(&inner.lists.subject) {
		inner.lists = &lists{subject: inner.object}
	}
	for i := range s.e.Children {
		if c := s.e.Children[i].Element; c != nil {
			s.processor.element(c, &inner, false)
		}
	}
	if inner.lists != s.lists {
		s.writeLists(inner.lists)
	}
}

func (s *state) writeLists(mapping *lists) {
	for _, l := range mapping.all {
		from, predicate := mapping.subject, l.predicate
		for _, member := range l.members {
			cell := s.fresh(l.from)
			s.add(from, predicate, cell, l.from)
			s.add(cell, iriTerm(rdf.First, l.from), member, l.from)
			from, predicate = cell, iriTerm(rdf.Rest, l.from)
		}
		s.add(from, predicate, iriTerm(rdf.Nil, l.from), l.from)
	}
}
