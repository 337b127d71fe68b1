package csvw

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
	"laundromat/rdf/bcp47"
)

// object is a description of a metadata document, with the names of its own properties.
type object struct {
	*reader
	v     *jsonread.Value
	scope *scope
	kind  string
	own   []string
}

func (r *reader) object(v *jsonread.Value, s *scope, kind string, own ...string) *object {
	return &object{r, v, s, kind, own}
}

// inheritedNames are the properties that descriptions pass on to those in them.
var inheritedNames = []string{"aboutUrl", "datatype", "default", "lang", "null", "ordered", "propertyUrl", "required", "separator",
	"textDirection", "valueUrl"}

// id reads the members @id and @type.
func (o *object) id() (string, error) {
	if kind := o.v.Get("@type"); kind != nil && (kind.Kind != jsonread.Text || kind.Text != o.kind) {
		return "", o.bad(kind, "the @type here is %s", o.kind)
	}
	id := o.v.Get("@id")
	switch {
	case id == nil:
		return "", nil
	case id.Kind != jsonread.Text:
		o.warn(id, "@id is a text; that of the document is taken")
		return o.scope.base, nil
	case strings.HasPrefix(id.Text, "_:"):
		return "", o.bad(id, "an @id is no blank node")
	}
	return resolve(o.scope.base, id.Text), nil
}

// flag reads a truth value.
func (o *object) flag(name string, otherwise bool) bool {
	v := o.v.Get(name)
	switch {
	case v == nil:
		return otherwise
	case v.Kind != jsonread.Boolean:
		o.warn(v, "%s is true or false; %t is taken", name, otherwise)
		return otherwise
	}
	return v.Text == "true"
}

// rest reports members that mean nothing here, and wrong values of those that change no statement.
func (o *object) rest() error {
	passes := o.kind == "TableGroup" || o.kind == "Table" || o.kind == "Schema" || o.kind == "Column"
	for _, m := range o.v.Members {
		switch {
		case m.Name == "@id" || m.Name == "@type" || m.Name == "@context" && o.kind != "Column":
		case m.Name == "tableDirection" && slices.Contains(o.own, m.Name):
			if m.Value.Kind != jsonread.Text || !slices.Contains([]string{"rtl", "ltr", "auto"}, m.Value.Text) {
				o.warn(m.Value, "tableDirection is rtl, ltr or auto")
			}
		case m.Name == "transformations" && slices.Contains(o.own, m.Name):
			if err := o.transformations(m.Value); err != nil {
				return err
			}
		case m.Name == "notes" && slices.Contains(o.own, m.Name):
			if m.Value.Kind != jsonread.Array {
				o.warn(m.Value, "notes is an array; it is not used")
			}
		case slices.Contains(o.own, m.Name), passes && slices.Contains(inheritedNames, m.Name):
		case passes && strings.Contains(m.Name, ":"):
		default:
			o.warn(m.Value, "a description of kind %s has no property %q; it is not used", o.kind, m.Name)
		}
	}
	return nil
}

// transformations checks what can't be run here, and names it.
func (o *object) transformations(v *jsonread.Value) error {
	if v.Kind != jsonread.Array {
		o.warn(v, "transformations is an array; it is not used")
		return nil
	}
	for _, item := range v.Items {
		if item.Kind != jsonread.Object {
			o.warn(item, "a transformation is an object; it is not used")
			continue
		}
		t := o.object(item, o.scope, "Template", "url", "scriptFormat", "targetFormat", "source", "titles")
		if _, err := t.id(); err != nil {
			return err
		}
		for _, name := range []string{"url", "scriptFormat", "targetFormat"} {
			if p := item.Get(name); p == nil || p.Kind != jsonread.Text {
				t.warn(item, "a transformation has the property %s, which is a URL", name)
			}
		}
		for _, m := range item.Members {
			if !slices.Contains(t.own, m.Name) && m.Name != "@id" && m.Name != "@type" && !strings.Contains(m.Name, ":") {
				t.warn(m.Value, "a transformation has no property %q", m.Name)
			}
		}
		name := ""
		if u := item.Get("url"); u != nil {
			name = resolve(o.scope.base, u.Text)
		}
		o.notice(placedIn(o.where, fault.Notice{Code: fault.CSVWTransformation, Severity: fault.Note, Pos: item.Pos, Excerpt: name,
			Message: "transformations are not run: the statements are those of the table itself"}))
	}
	return nil
}

// inherit reads the properties that are passed on.
func (o *object) inherit(in *inherited) error {
	for _, m := range o.v.Members {
		v := m.Value
		isText := v.Kind == jsonread.Text
		switch m.Name {
		case "aboutUrl", "propertyUrl", "valueUrl":
			o.inheritTemplate(in, m.Name, v)
		case "datatype":
			d, err := o.datatype(v)
			if err != nil {
				return err
			}
			in.datatype = d
		case "default":
			if in.byDefault = v.Text; !isText {
				in.byDefault = ""
				o.warn(v, "default is a text; it is not used")
			}
		case "lang":
			if !isText || !isLanguage(v.Text) {
				o.warn(v, "lang is a language tag; it is not used")
				continue
			}
			in.language = v.Text
		case "null":
			o.inheritNulls(in, v)
		case "ordered", "required":
			is := o.flag(m.Name, false)
			if m.Name == "ordered" {
				in.ordered = is
			} else {
				in.required = is
			}
		case "separator":
			switch {
			case isText && v.Text != "":
				in.separator, in.separates = v.Text, true
			case v.Kind == jsonread.Null:
				in.separator, in.separates = "", false
			default:
				o.warn(v, "separator is a text or null; it is not used")
			}
		case "textDirection":
			if !isText || !slices.Contains([]string{"ltr", "rtl", "auto", "inherit"}, v.Text) {
				o.warn(v, "textDirection is ltr, rtl, auto or inherit; it is not used")
			}
		}
	}
	return nil
}

func (o *object) inheritTemplate(in *inherited, name string, v *jsonread.Value) {
	t := &template{}
	if v.Kind == jsonread.Text {
		t = compileTemplate(v.Text)
	} else {
		o.warn(v, "%s is a URI template; an empty one is taken, which is the URL of the table", name)
	}
	if t == nil {
		o.warn(v, "%s is a URI template; it is not used", name)
		return
	}
	switch name {
	case "aboutUrl":
		in.about = t
	case "propertyUrl":
		in.property = t
	default:
		in.value = t
	}
}

func (o *object) inheritNulls(in *inherited, v *jsonread.Value) {
	var all []string
	for _, item := range v.List() {
		if item.Kind != jsonread.Text {
			o.warn(item, "null is a text or an array of texts; this is not used")
			continue
		}
		all = append(all, item.Text)
	}
	if len(all) > 0 || v.Kind == jsonread.Array {
		in.nulls = all
	}
}

// dialect reads how tables are written.
func (o *object) dialect(otherwise *Dialect) (*Dialect, error) {
	v := o.v.Get("dialect")
	if v == nil {
		return otherwise, nil
	}
	s := o.scope
	if v.Kind == jsonread.Text {
		loaded, where, err := o.load(o.ctx, resolve(s.base, v.Text))
		if err != nil {
			return nil, err
		}
		inner := *o.reader
		inner.where = where
		return inner.dialectOf(loaded, &scope{base: where})
	}
	if v.Kind != jsonread.Object {
		o.warn(v, "dialect is an object or a URL; it is not used")
		return otherwise, nil
	}
	return o.dialectOf(v, s)
}

func (r *reader) dialectOf(v *jsonread.Value, s *scope) (*Dialect, error) {
	d := DefaultDialect()
	o := r.object(v, s, "Dialect", "commentPrefix", "delimiter", "doubleQuote", "encoding", "header", "headerRowCount", "lineTerminators",
		"quoteChar", "skipBlankRows", "skipColumns", "skipInitialSpace", "skipRows", "trim", "@context")
	if _, err := o.id(); err != nil {
		return nil, err
	}
	if err := o.rest(); err != nil {
		return nil, err
	}
	text := func(name string, to *string, most int, null bool) {
		p := v.Get(name)
		switch {
		case p == nil:
		case p.Kind == jsonread.Null && null:
			*to = ""
		case p.Kind == jsonread.Text && p.Text != "" && (most == 0 || utf8.RuneCountInString(p.Text) <= most):
			*to = p.Text
		default:
			o.warn(p, "%s of a dialect is not used", name)
		}
	}
	count := func(name string, to *int) {
		if p := v.Get(name); p != nil {
			if n, ok := whole(p); ok {
				*to = n
			} else {
				o.warn(p, "%s of a dialect is a number from 0; it is not used", name)
			}
		}
	}
	text("commentPrefix", &d.CommentPrefix, 0, true)
	text("delimiter", &d.Delimiter, 0, false)
	text("encoding", &d.Encoding, 0, false)
	if _, err := htmlindex.Get(d.Encoding); err != nil {
		o.warn(v.Get("encoding"), "there is no encoding of this name; utf-8 is taken")
		d.Encoding = "utf-8"
	}
	text("quoteChar", &d.QuoteChar, 1, true)
	d.DoubleQuote = o.flag("doubleQuote", true)
	d.SkipBlankRows = o.flag("skipBlankRows", false)
	d.SkipInitialSpace = o.flag("skipInitialSpace", false)
	d.Header = o.flag("header", true)
	if !d.Header {
		d.HeaderRowCount = 0
	}
	count("headerRowCount", &d.HeaderRowCount)
	count("skipRows", &d.SkipRows)
	count("skipColumns", &d.SkipColumns)
	d.TrimStart, d.TrimEnd = d.SkipInitialSpace, false
	o.trim(d)
	o.lineTerminators(d)
	return d, nil
}

func (o *object) trim(d *Dialect) {
	p := o.v.Get("trim")
	switch {
	case p == nil:
	case p.Kind == jsonread.Boolean:
		d.TrimStart, d.TrimEnd = p.Text == "true", p.Text == "true"
	case p.Kind == jsonread.Text && slices.Contains([]string{"true", "false", "start", "end"}, p.Text):
		d.TrimStart, d.TrimEnd = p.Text == "true" || p.Text == "start", p.Text == "true" || p.Text == "end"
	default:
		o.warn(p, "trim is true, false, start or end; it is not used")
	}
}

func (o *object) lineTerminators(d *Dialect) {
	p := o.v.Get("lineTerminators")
	if p == nil {
		return
	}
	for _, item := range p.List() {
		if item.Kind != jsonread.Text || item.Text == "" {
			o.warn(item, "a line terminator is a text; it is not used")
			continue
		}
		d.LineTerminators = append(d.LineTerminators, item.Text)
	}
}

// isLanguage says that a text is a language tag.
func isLanguage(text string) bool { return bcp47.WellFormed([]byte(strings.ToLower(text))) }
