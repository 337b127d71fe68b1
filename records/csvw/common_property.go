package csvw

import (
	"slices"
	"strings"

	"laundromat/markup/jsonread"
	"laundromat/rdf"
)

// classes are the terms of the context that name kinds of things.
var classes = []string{"Cell", "Column", "Datatype", "Dialect", "Direction", "ForeignKey", "JSON", "NumericFormat", "Row", "Schema",
	"Table", "TableGroup", "TableReference", "Transformation", "UriTemplate"}

// common reads the common properties of a description.
func (o *object) common(bool) (all []property, err error) {
	for _, m := range o.v.Members {
		if strings.HasPrefix(m.Name, "@") || !strings.Contains(m.Name, ":") {
			continue
		}
		iri, ok := termIRI(m.Name)
		if !ok {
			o.warn(m.Value, "the name %q has a prefix that is not known; the property is not used", m.Name)
			continue
		}
		if err := o.checkValue(m.Value); err != nil {
			return nil, err
		}
		all = append(all, property{iri, m.Value})
	}
	if notes := o.v.Get("notes"); notes != nil && notes.Kind == jsonread.Array {
		return all, o.checkValue(notes)
	}
	return all, nil
}

// termIRI is the IRI of a name of metadata: prefixed, or absolute.
func termIRI(name string) (string, bool) {
	if iri, ok := expandPrefix(name); ok {
		return iri, true
	}
	if slices.Contains(classes, name) {
		return Namespace + name, true
	}
	scheme, rest, found := strings.Cut(name, ":")
	return name, found && scheme != "_" && (strings.HasPrefix(rest, "//") || scheme == "urn" || scheme == "tag" || scheme == "mailto")
}

// checkValue holds the value of a common property to the rules of its dialect of JSON-LD.
func (o *object) checkValue(v *jsonread.Value) error {
	for _, item := range v.Items {
		if err := o.checkValue(item); err != nil {
			return err
		}
	}
	if v.Kind != jsonread.Object {
		return nil
	}
	isValue := v.Get("@value") != nil
	if isValue {
		if err := o.checkLiteral(v); err != nil {
			return err
		}
	}
	for _, m := range v.Members {
		switch m.Name {
		case "@value":
		case "@language":
			if !isValue {
				return o.bad(m.Value, "@language belongs beside @value")
			}
		case "@id":
			if m.Value.Kind != jsonread.Text || strings.HasPrefix(m.Value.Text, "_:") {
				return o.bad(m.Value, "an @id is an IRI, and no blank node")
			}
		case "@type":
			for _, t := range m.Value.List() {
				if _, ok := termIRI(t.Text); t.Kind != jsonread.Text || !isValue && !ok || isValue && !ok && builtIns[t.Text] == nil {
					return o.bad(t, "a @type is a name from the context, or an absolute IRI")
				}
			}
		default:
			if strings.HasPrefix(m.Name, "@") {
				return o.bad(m.Value, "%s may not be in a common property", m.Name)
			}
			if err := o.checkValue(m.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o *object) checkLiteral(v *jsonread.Value) error {
	for _, m := range v.Members {
		if m.Name != "@value" && m.Name != "@type" && m.Name != "@language" {
			return o.bad(m.Value, "beside @value there may be @type or @language, not %q", m.Name)
		}
	}
	language := v.Get("@language")
	switch {
	case language != nil && v.Get("@type") != nil:
		return o.bad(language, "a value has @type or @language, not both")
	case v.Get("@value").Kind > jsonread.Text:
		return o.bad(v, "a @value is a text, a number or a boolean")
	case language != nil && (language.Kind != jsonread.Text || !isLanguage(language.Text)):
		return o.bad(language, "@language is no language tag")
	}
	return nil
}

// annotation makes statements of a common property.
func (w *writer) annotation(subject *rdf.Term, predicate string, v *jsonread.Value, s *scope) error {
	if v.Kind == jsonread.Array {
		for _, item := range v.Items {
			if err := w.annotation(subject, predicate, item, s); err != nil {
				return err
			}
		}
		return nil
	}
	object := rdf.Term{Kind: rdf.Literal, Value: []byte(v.Text), Pos: w.metadataPos}
	switch v.Kind {
	case jsonread.Null, jsonread.Lost:
		return nil
	case jsonread.Text:
		object.Language = []byte(s.language)
	case jsonread.Boolean:
		object.Datatype = []byte(rdf.XSD + "boolean")
	case jsonread.Number:
		object.Datatype = numberType(v.Text)
	case jsonread.Object:
		if value := v.Get("@value"); value != nil {
			if value.Kind == jsonread.Null {
				return nil
			}
			object.Value = []byte(value.Text)
			switch value.Kind {
			case jsonread.Boolean:
				object.Datatype = []byte(rdf.XSD + "boolean")
			case jsonread.Number:
				object.Datatype = numberType(value.Text)
			}
			if t := v.Get("@type"); t != nil {
				object.Datatype = []byte(typeIRI(t.Text))
			} else if l := v.Get("@language"); l != nil {
				object.Language = []byte(l.Text)
			}
			break
		}
		return w.node(subject, predicate, v, s)
	}
	return w.quad(subject, predicate, &object)
}

func numberType(text string) []byte {
	if strings.ContainsAny(text, ".eE") {
		return []byte(rdf.XSD + "double")
	}
	return []byte(rdf.XSD + "integer")
}

func typeIRI(name string) string {
	if iri, ok := termIRI(name); ok {
		return iri
	}
	if b := builtIns[name]; b != nil {
		return b.iri
	}
	return name
}

// node makes statements of an object with properties.
func (w *writer) node(subject *rdf.Term, predicate string, v *jsonread.Value, s *scope) error {
	object := w.blank()
	if id := v.Get("@id"); id != nil {
		object = iriTerm(appendIRI(nil, s.base, []byte(id.Text)))
	}
	if err := w.quad(subject, predicate, &object); err != nil {
		return err
	}
	for _, m := range v.Members {
		var err error
		switch {
		case m.Name == "@type":
			for _, t := range m.Value.List() {
				class := iriTerm([]byte(typeIRI(t.Text)))
				err = w.quad(&object, rdf.Type, &class)
			}
		case strings.HasPrefix(m.Name, "@"):
		default:
			iri, ok := termIRI(m.Name)
			if !ok {
				iri = Namespace + m.Name
			}
			err = w.annotation(&object, iri, m.Value, s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
