package match

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"laundromat/internal/pattern"
	"laundromat/records"
	"laundromat/records/spec"
)

// The limits of a regular expression: its bytes, its groups, and the states of its machine.
const (
	maxExpression = 4000
	maxGroups     = 100
	maxStates     = 5000
)

// expressionMatcher is a regular expression (RE2) over the value of another matcher.
type expressionMatcher struct {
	of     *matcher
	re     *regexp.Regexp
	states int64
	every  bool     // all matches
	names  []string // the fields by the numbers of the groups from 0; "" for none
	single bool     // one field: the value is a text, else an Object
	joins  bool     // the fields of the Object join the record around it
}

// regexp compiles [selector or matcher, expression, "all"].
func (c *compiler) regexp(node *spec.Node, names []string) (*matcher, error) {
	written, of, every := node, (*spec.Node)(nil), false
	if node.Kind == spec.List {
		switch n := len(node.Items); {
		case n == 1:
			written = node.Items[0]
		case n == 2, n == 3:
			of, written = node.Items[0], node.Items[1]
			if n == 3 {
				if every = node.Items[2].IsText("all"); !every {
					return nil, node.Items[2].Errorf("the third item of regexp is \"all\", for every match, or absent")
				}
			}
		default:
			return nil, node.Errorf("regexp is a list: a selector or matcher, an expression, and \"all\" for every match; this one has "+
				"%d items", n)
		}
	}
	if written.Kind != spec.Text {
		return nil, written.Errorf("a regular expression is wanted here, which is a text, not %s", written.Kind)
	}
	e, err := c.expression(written)
	if err != nil {
		return nil, err
	}
	e.every = every
	m := &matcher{node: node, do: e}
	if of != nil && of.Kind != spec.Null {
		inner, err := c.value(of, nil)
		if err != nil {
			return nil, err
		}
		if inner.makesRecord() {
			return nil, of.Errorf("regexp takes a value, and this makes a record")
		}
		own := *inner
		own.sel = nil
		m.sel, m.late, e.of = inner.sel, inner.late, &own
	} else {
		e.of = &matcher{node: node, do: itself{}}
	}
	m.spreads, err = c.groups(e, written, names)
	return m, err
}

// expression compiles a regular expression within its limits.
func (c *compiler) expression(node *spec.Node) (*expressionMatcher, error) {
	text := pattern.Plain(node.Text)
	if len(node.Text) > maxExpression {
		return nil, node.Errorf("a regular expression has at most %d bytes, this one has %d", maxExpression, len(text))
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, node.Errorf("the regular expression is wrong (RE2): %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	if n := parsed.MaxCap(); n > maxGroups {
		return nil, node.Errorf("a regular expression has at most %d groups, this one has %d; groups that fill no field are written (?:…)",
			maxGroups, n)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, node.Errorf("the regular expression is wrong (RE2): %v", err)
	}
	if len(program.Inst) > maxStates {
		return nil, node.Errorf("a regular expression has at most %d states, this one has %d: its counts in braces are too large",
			maxStates, len(program.Inst))
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, node.Errorf("the regular expression is wrong (RE2): %v", err)
	}
	return &expressionMatcher{re: re, states: int64(len(program.Inst))}, nil
}

// groups settles which group fills which field. Named groups fill by name, others in order.
func (c *compiler) groups(e *expressionMatcher, node *spec.Node, names []string) (spreads bool, err error) {
	groups := e.re.SubexpNames()[1:]
	named := slices.ContainsFunc(groups, func(n string) bool { return n != "" })
	if len(names) > 1 {
		if err := c.byName(e, node, groups, names); err != nil {
			return false, err
		}
		e.joins = true
		return true, nil
	}
	switch own := slices.Index(groups, strings.Join(names, "")); {
	case named && len(names) == 1 && names[0] == "":
		e.names, e.joins = groups, true
		return true, nil
	case len(groups) == 0:
		e.single = true
	case named && len(names) == 1 && own >= 0:
		e.single, e.names = true, make([]string, len(groups))
		e.names[own] = "value"
	case named && len(groups) > 1:
		e.names = groups
	default:
		e.single, e.names = true, make([]string, len(groups))
		e.names[0] = "value"
		if len(groups) > 1 {
			c.note(node, groupsUnused, "the expression has several groups, and the key names one field, which the first group fills; "+
				"groups that fill no field are written (?:…)")
		}
	}
	return false, nil
}

func (c *compiler) byName(e *expressionMatcher, node *spec.Node, groups, names []string) error {
	e.names = make([]string, len(groups))
	var free []string
	for _, name := range names {
		if i := slices.Index(groups, name); name != "" && i >= 0 {
			e.names[i] = name
		} else {
			free = append(free, name)
		}
	}
	for i, g := range groups {
		switch {
		case e.names[i] != "":
		case g != "":
			return node.Errorf("the group %q fills none of the fields%s", g, spec.Meant(g, names...))
		case len(free) > 0:
			e.names[i], free = free[0], free[1:]
		default:
			c.note(node, groupsUnused, "the expression has more groups than the key names fields; groups that fill no field are written "+
				"(?:…)")
		}
	}
	free = slices.DeleteFunc(free, func(n string) bool { return n == "" })
	if len(free) > 0 {
		return node.Errorf("the expression has no group for the field %q", free[0])
	}
	return nil
}

func (e *expressionMatcher) make(r *run, at item) (result, bool) {
	v, ok := e.of.find(r, at)
	if !ok {
		return v, false
	}
	return e.inAll(r, v)
}

// inAll matches a value, or each item of a list: lists in it stay lists.
func (e *expressionMatcher) inAll(r *run, v result) (result, bool) {
	switch v.value.Kind {
	case records.Null:
		return v, false
	case records.List:
		var items []records.Value
		for i := range v.value.Items {
			if found, ok := e.inAll(r, result{value: v.value.Items[i], from: v.from}); ok {
				items = append(items, found.value)
			}
		}
		v.value.Items = items
		return v, len(items) > 0
	}
	return e.match(r, v)
}

func (e *expressionMatcher) match(r *run, v result) (result, bool) {
	text := textOfValue(&v.value)
	if _, plain := e.of.do.(itself); plain {
		text = strip(text)
	}
	// A machine goes through the text with all its states at once, at worst.
	if r.steps -= int64(len(text)) * e.states / 8; r.steps <= 0 {
		return result{}, false
	}
	n := 1
	if e.every {
		n = -1
	}
	matches := e.re.FindAllStringSubmatchIndex(text, n)
	if len(matches) == 0 {
		return result{}, false
	}
	if !e.every {
		return e.fields(r, v, text, matches[0])
	}
	list := records.Value{Kind: records.List}
	columns := records.Value{Kind: records.Object}
	for _, m := range matches {
		found, ok := e.fields(r, v, text, m)
		if !ok || !r.items() {
			continue
		}
		list.Items = append(list.Items, found.value)
	}
	if !e.joins {
		return result{value: list, from: v.from}, len(list.Items) > 0
	}
	for _, name := range e.names {
		if name == "" {
			continue
		}
		column := records.Value{Kind: records.List}
		for i := range list.Items {
			value, _ := list.Items[i].Get(name)
			column.Items = append(column.Items, value)
		}
		f := records.Field{Name: name, Value: column}
		f.Pos, f.Element = r.place(v.from)
		columns.Fields = append(columns.Fields, f)
	}
	return result{value: columns, from: v.from}, true
}

// fields makes a value of one match: of an expression for one field its text.
func (e *expressionMatcher) fields(r *run, v result, text string, m []int) (result, bool) {
	from := func(i int) origin {
		o := v.from
		if o.part != ofTag || o.attr != "" {
			o.skip += text[:i]
		}
		return o
	}
	if e.single && e.names == nil {
		return result{value: records.TextOf(r.keep(text[m[0]:m[1]])), from: from(m[0])}, true
	}
	object := records.Value{Kind: records.Object}
	for i, name := range e.names {
		if name == "" || m[2*i+2] < 0 {
			continue
		}
		o := from(m[2*i+2])
		f := records.Field{Name: name, Value: records.TextOf(r.keep(text[m[2*i+2]:m[2*i+3]]))}
		if e.single {
			return result{value: f.Value, from: o}, true
		}
		f.Pos, f.Element = r.place(o)
		object.Fields = append(object.Fields, f)
	}
	return result{value: object, from: v.from}, len(object.Fields) > 0
}
