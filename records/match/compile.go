package match

import (
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/spelling"
	"laundromat/records/spec"
)

// Compile compiles the part select of a spec. The error is a *spec.Error with the place.
func Compile(node *spec.Node, opt Options) (*Matcher, error) {
	opt.applyDefaults()
	c := &compiler{opt: opt}
	m := &Matcher{opt: opt}
	var err error
	switch node.Kind {
	case spec.Map:
		if m.root, err = c.value(node, nil); err == nil && !m.root.makesRecord() {
			err = node.Errorf("select makes records, and %q alone makes a value; a record with this one field is written {record: {…}}",
				node.Entries[0].Key)
		}
	case spec.List:
		if len(node.Items) != 2 {
			return nil, node.Errorf("select is a mapping, or a list of two: a selector, and a mapping for each match; this list has %d",
				len(node.Items))
		}
		if err = node.Items[0].Want(spec.Text); err != nil {
			return nil, err
		}
		if m.each, err = c.optional(node.Items[0]); err != nil {
			return nil, err
		}
		if m.root, err = c.value(node.Items[1], nil); err == nil && !m.root.makesRecord() {
			err = node.Items[1].Errorf("select makes a record for each match: a mapping is wanted here")
		}
	default:
		err = node.Errorf("select is a mapping, or a list of a selector and a mapping, not %s", node.Kind)
	}
	if err != nil {
		return nil, err
	}
	m.findings, m.selectors, m.elements = c.findings, c.selectors, c.elements
	return m, nil
}

type compiler struct {
	opt       Options
	depth     int
	findings  []Finding
	selectors []*selector
	elements  bool
}

func (c *compiler) note(node *spec.Node, code fault.Code, message string) {
	severity := fault.Note
	if info, ok := fault.Explain(code); ok {
		severity = info.Severity
	}
	c.findings = append(c.findings, Finding{node.File, fault.Notice{Code: code, Severity: severity, Message: message,
		Pos: fault.Pos{Line: int64(node.Line), Column: int64(node.Column)}}})
}

// maker makes the matcher of a name out of the value of its key. The parameter names has
// the fields that the value may fill, where its key names several.
type maker func(c *compiler, node *spec.Node, names []string) (*matcher, error)

// matcherNames are the matchers that are written as a mapping with one key.
var matcherNames = []string{"record", "one", "attr", "href", "link", "regexp", "text", "html", "no_html", "html_encoded",
	"to_i", "to_f", "to_date", "to_bool", "const", "page_url", "access_time", "expr", "or"}

func makerOf(name string) maker {
	switch name {
	case "record":
		return func(c *compiler, n *spec.Node, _ []string) (*matcher, error) { return c.record(n) }
	case "one":
		return (*compiler).one
	case "attr":
		return (*compiler).attr
	case "href", "html", "link":
		return func(c *compiler, n *spec.Node, names []string) (*matcher, error) { return c.ofElement(name, n, names) }
	case "regexp":
		return (*compiler).regexp
	case "text", "no_html", "html_encoded", "to_i", "to_f", "to_date", "to_bool":
		return func(c *compiler, n *spec.Node, names []string) (*matcher, error) { return c.conversion(name, n, names) }
	case "const":
		return func(c *compiler, n *spec.Node, _ []string) (*matcher, error) {
			return &matcher{node: n, do: constant{n.Value()}}, nil
		}
	case "page_url", "access_time":
		return func(c *compiler, n *spec.Node, _ []string) (*matcher, error) { return c.ofDocument(name, n) }
	case "expr":
		return (*compiler).expr
	case "or":
		return (*compiler).or
	}
	return nil
}

// value compiles any matcher.
func (c *compiler) value(node *spec.Node, names []string) (*matcher, error) {
	if c.depth++; c.depth > c.opt.MaxDepth {
		return nil, node.Errorf("matchers are nested more than %d deep", c.opt.MaxDepth)
	}
	defer func() { c.depth-- }()
	switch node.Kind {
	case spec.Text:
		sel, err := c.optional(node)
		return &matcher{node: node, sel: sel, do: itself{}}, err
	case spec.List:
		return c.list(node)
	case spec.Map:
		if len(node.Entries) == 1 {
			e := node.Entries[0]
			if make := makerOf(e.Key); make != nil {
				return make(c, e.Value, names)
			}
			c.resembles(node, e)
		}
		return c.record(node)
	}
	return nil, node.Errorf("a matcher is a text, a list or a mapping, not %s; a value that is always the same is written {const: …}",
		node.Kind)
}

// resembles warns of a record whose one field is called nearly as a matcher is.
func (c *compiler) resembles(node *spec.Node, e *spec.Entry) {
	for _, name := range matcherNames {
		if len(name) > 2 && len(e.Key) > 2 && spelling.Distance([]byte(e.Key), []byte(name)) <= 1+len(name)/8 {
			n := *node
			n.Line, n.Column = e.Line, e.Column
			c.note(&n, likeMatcher, "this mapping is a record with the one field "+quoted(e.Key)+"; there is a matcher of the name "+
				quoted(name))
			return
		}
	}
}

// optional compiles a selector; "" and null are the present node.
func (c *compiler) optional(node *spec.Node) (*selector, error) {
	switch {
	case node.Kind == spec.Null:
		return nil, nil
	case node.Kind != spec.Text:
		return nil, node.Errorf("a selector is wanted here, which is a text, not %s", node.Kind)
	case strings.TrimSpace(node.Text) == "" && (c.opt.Source != JSON || node.Text == ""):
		return nil, nil
	}
	return c.selector(node)
}

// list compiles a list of one, the values of all matches, or of two, a record for each match.
func (c *compiler) list(node *spec.Node) (*matcher, error) {
	switch len(node.Items) {
	case 1:
		return c.all(node, node.Items[0])
	case 2:
		if node.Items[0].Kind != spec.Text && node.Items[0].Kind != spec.Null {
			return nil, node.Items[0].Errorf("a list of two is a selector and what is made of each match; a selector is a text, not %s",
				node.Items[0].Kind)
		}
		sel, err := c.optional(node.Items[0])
		if err != nil {
			return nil, err
		}
		of, err := c.value(node.Items[1], nil)
		if err != nil {
			return nil, err
		}
		return &matcher{node: node, do: all{sel, of}, late: of.lateOutside()}, nil
	}
	return nil, node.Errorf("a list is of one, the values of all matches, or of two, a selector and what is made of each match; this "+
		"one has %d", len(node.Items))
}

func (c *compiler) all(node, of *spec.Node) (*matcher, error) {
	if of.Kind == spec.Map && len(of.Entries) == 1 && of.Entries[0].Key == "or" && of.Entries[0].Value.Kind == spec.List {
		return c.alternatives(of.Entries[0].Value, nil, true)
	}
	m, err := c.value(of, nil)
	if err != nil {
		return nil, err
	}
	if of.Kind == spec.List {
		return nil, of.Errorf("a list of one has a selector or a matcher in it, not a list")
	}
	if _, ok := m.do.(*record); ok && m.sel == nil {
		return nil, of.Errorf("a record for each match needs the selector of the matches before it: [selector, {…}]")
	}
	inner := *m
	inner.sel = nil
	return &matcher{node: node, do: all{m.sel, &inner}, late: m.late}, nil
}

// one compiles [selector, matcher]: the matcher on the first match.
func (c *compiler) one(node *spec.Node, names []string) (*matcher, error) {
	parts := node.Items
	switch {
	case node.Kind == spec.Text:
		return c.value(node, names)
	case node.Kind == spec.List && len(parts) == 1 && parts[0].Kind == spec.Text:
		return c.value(parts[0], names)
	case node.Kind != spec.List || len(parts) != 2:
		return nil, node.Errorf("one is a list of two: a selector, and a matcher for its first match")
	}
	sel, err := c.optional(parts[0])
	if err != nil {
		return nil, err
	}
	of, err := c.value(parts[1], names)
	if err != nil {
		return nil, err
	}
	return &matcher{node: node, sel: sel, do: within{of}, spreads: of.spreads, late: of.lateOutside()}, nil
}

// attr compiles [selector, name].
func (c *compiler) attr(node *spec.Node, _ []string) (*matcher, error) {
	c.elements = true
	name, of := node, (*spec.Node)(nil)
	if node.Kind == spec.List {
		switch len(node.Items) {
		case 1:
			name = node.Items[0]
		case 2:
			of, name = node.Items[0], node.Items[1]
		default:
			return nil, node.Errorf("attr is a list of two: a selector and the name of an attribute; this one has %d", len(node.Items))
		}
	}
	if name.Kind != spec.Text || strings.TrimSpace(name.Text) == "" {
		return nil, name.Errorf("the name of an attribute is wanted here, not %s", name.Kind)
	}
	m := &matcher{node: node, do: attribute{[]string{strings.TrimPrefix(strings.TrimSpace(name.Text), "@")}}}
	if c.opt.Source == JSON {
		return nil, node.Errorf("%s has no attributes", sourceNames[JSON])
	}
	if of == nil {
		return m, nil
	}
	var err error
	m.sel, err = c.optional(of)
	return m, err
}

// ofElement compiles what is made of an element alone. Only a link may also be made of the
// result of a matcher.
func (c *compiler) ofElement(name string, node *spec.Node, names []string) (*matcher, error) {
	m := &matcher{node: node}
	c.elements = true
	switch name {
	case "href":
		m.do = attribute{[]string{"href"}}
	case "html":
		m.do = innerHTML{}
	case "link":
		m.do = conversion{of: &matcher{node: node, do: attribute{[]string{"href", "src"}}}, name: name, node: node}
	}
	switch {
	case node.Kind == spec.Text || node.Kind == spec.Null:
		var err error
		m.sel, err = c.optional(node)
		return m, err
	case node.Kind == spec.List && len(node.Items) == 1:
		of, err := c.ofElement(name, node.Items[0], nil)
		if err != nil {
			return nil, err
		}
		inner := *of
		inner.sel = nil
		return &matcher{node: node, do: all{of.sel, &inner}}, nil
	case name == "link":
		return c.through(name, node, names)
	}
	return nil, node.Errorf("%s takes a selector, not %s", name, node.Kind)
}

// conversion compiles what takes a selector or a matcher, and changes the value.
func (c *compiler) conversion(name string, node *spec.Node, names []string) (*matcher, error) {
	if node.Kind == spec.Null {
		return &matcher{node: node, do: conversion{&matcher{node: node, do: itself{}}, name, node}}, nil
	}
	return c.through(name, node, names)
}

func (c *compiler) through(name string, node *spec.Node, names []string) (*matcher, error) {
	of, err := c.value(node, names)
	if err != nil {
		return nil, err
	}
	if of.makesRecord() {
		return nil, node.Errorf("%s takes a value, and this makes a record", name)
	}
	inner := *of
	inner.sel = nil
	return &matcher{node: node, sel: of.sel, do: conversion{&inner, name, node}, spreads: of.spreads, late: of.late}, nil
}

// ofDocument compiles what is known of the document beside its text.
func (c *compiler) ofDocument(name string, node *spec.Node) (*matcher, error) {
	if node.Kind == spec.Null || node.Kind == spec.Bool && node.Text == "true" || node.IsText("") ||
		node.Kind == spec.List && len(node.Items) == 0 || node.Kind == spec.Map && len(node.Entries) == 0 {
		if name == "access_time" {
			return &matcher{node: node, do: accessTime{}}, nil
		}
		return &matcher{node: node, do: pageURL{}}, nil
	}
	return nil, node.Errorf("%s takes nothing: {%s: true}", name, name)
}

func (c *compiler) expr(node *spec.Node, _ []string) (*matcher, error) {
	if c.opt.Expr == nil {
		return nil, node.Errorf("expressions are left out of this program")
	}
	eval, err := c.opt.Expr(node)
	if err != nil {
		return nil, err
	}
	return &matcher{node: node, do: expression{node, eval}, late: true}, nil
}

// or compiles a list of matchers, of which the first that finds counts. Null, booleans, numbers
// and "" are values of their own here.
func (c *compiler) or(node *spec.Node, names []string) (*matcher, error) {
	return c.alternatives(node, names, false)
}

func (c *compiler) alternatives(node *spec.Node, names []string, each bool) (*matcher, error) {
	if node.Kind != spec.List || len(node.Items) == 0 {
		return nil, node.Errorf("or is a list of matchers, the first of which that finds something counts")
	}
	result := &matcher{node: node}
	var of []*matcher
	for _, i := range node.Items {
		var m *matcher
		var err error
		switch {
		case i.Kind == spec.Null || i.Kind == spec.Bool || i.Kind == spec.Number || i.IsText(""):
			m = &matcher{node: i, do: constant{i.Value()}}
		case each && (i.Kind == spec.Text || i.Kind == spec.Map && i.Get("const") == nil):
			m, err = c.all(i, i)
		default:
			m, err = c.value(i, names)
		}
		if err != nil {
			return nil, err
		}
		result.spreads = result.spreads || m.spreads
		result.late = result.late || m.lateOutside()
		of = append(of, m)
	}
	for _, m := range of {
		constant, isConstant := m.do.(constant)
		if result.spreads && !m.spreads {
			if !isConstant {
				return nil, m.node.Errorf("this gives one value, and the key names %d fields", len(names))
			}
			m.do, m.spreads = spreadConstant{names, constant.value}, true
		}
	}
	result.do = alternatives{of}
	return result, nil
}

// record compiles a mapping of fields.
func (c *compiler) record(node *spec.Node) (*matcher, error) {
	if err := node.Want(spec.Map); err != nil {
		return nil, err
	}
	if len(node.Entries) == 0 {
		return nil, node.Errorf("a record has at least one field")
	}
	r := &record{}
	var seen []string
	for _, e := range node.Entries {
		names := fieldNames(e.Key)
		m, err := c.value(e.Value, names)
		if err != nil {
			return nil, err
		}
		f := recordField{name: e.Key, matcher: m}
		switch own := ownNames(m); {
		case e.Key == "" && own != nil:
			own = slices.DeleteFunc(slices.Clone(own), func(n string) bool { return n == "" })
			joining := *m
			joining.spreads = true
			f.matcher, f.names, names = &joining, own, own
		case m.spreads:
			f.names = names
		default:
			names = []string{e.Key}
		}
		for _, name := range names {
			if name != "" && slices.Contains(seen, name) {
				return nil, node.EntryErrorf(e, "the field %q is filled twice", name)
			}
			seen = append(seen, name)
		}
		r.fields = append(r.fields, f)
		r.late = r.late || m.late
	}
	return &matcher{node: node, do: r}, nil
}

// ownNames are the fields of the record that a matcher makes; nil if it makes none. Under an empty key they join the
// record around it.
func ownNames(m *matcher) (names []string) {
	switch do := m.do.(type) {
	case *record:
		for i := range do.fields {
			names = append(names, do.fields[i].name)
		}
	case *expressionMatcher:
		if !do.single {
			names = do.names
		}
	case within:
		return ownNames(do.of)
	case conversion:
		return ownNames(do.of)
	case alternatives:
		if m.spreads {
			for _, of := range do.of {
				names = append(names, ownNames(of)...)
			}
		}
	}
	return names
}

// fieldNames are the names in a key, which commas part.
func fieldNames(key string) []string {
	names := strings.Split(key, ",")
	if len(names) == 1 {
		return []string{key}
	}
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return names
}
