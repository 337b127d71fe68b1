package transform

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/pattern"
	"laundromat/records"
	"laundromat/records/spec"
)

// splitting is the verb split.
type splitting struct {
	pattern *regexp.Regexp
	groups  []int // which group fills a field; nil where the pattern is a separator
	into    []string
	within  bool // whether the rule's own field is one of into
}

// maxPattern bounds the text of a regular expression, maxGroups its groups.
const (
	maxPattern = 2000
	maxGroups  = 200
)

func compileSplit(r *rule, n *spec.Node, _ Options) (verb, error) {
	if err := n.Only("key of split", "pattern", "into"); err != nil {
		return nil, err
	}
	s := &splitting{}
	p := n.Get("pattern")
	if p == nil {
		return nil, n.Errorf("split needs a pattern, a regular expression")
	}
	if err := p.Want(spec.Text); err != nil {
		return nil, err
	}
	var err error
	if s.pattern, err = compilePattern(p); err != nil {
		return nil, err
	}
	named := s.pattern.SubexpNames()
	if into := n.Get("into"); into != nil {
		if s.into, err = texts(into); err != nil {
			return nil, err
		}
		if g := s.pattern.NumSubexp(); g > 0 && g != len(s.into) {
			return nil, into.Errorf("the pattern has %d groups for %d fields", g, len(s.into))
		}
		for i := range s.into {
			if s.pattern.NumSubexp() > 0 {
				s.groups = append(s.groups, i+1)
			}
		}
	} else {
		for i, name := range named {
			if name != "" {
				s.groups, s.into = append(s.groups, i), append(s.into, name)
			}
		}
		if len(s.into) == 0 {
			return nil, n.Errorf("split needs into, the list of the fields that are made")
		}
	}
	for _, f := range s.into {
		if f == "was" || strings.HasPrefix(f, "_") {
			return nil, n.Errorf("the name %q is kept for what the program adds", f)
		}
		if f == r.out {
			s.within = true
			continue
		}
		r.makes = append(r.makes, f)
	}
	return s, nil
}

// compilePattern reads a regular expression, of bounded size.
func compilePattern(n *spec.Node) (*regexp.Regexp, error) {
	if len(n.Text) > maxPattern {
		return nil, n.Errorf("the regular expression is longer than %d bytes", maxPattern)
	}
	p, err := regexp.Compile(pattern.Plain(n.Text))
	if err != nil {
		if e, ok := err.(*syntax.Error); ok {
			return nil, n.Errorf("not a regular expression: %s: %q", e.Code, e.Expr)
		}
		return nil, n.Errorf("not a regular expression: %v", err)
	}
	if p.NumSubexp() > maxGroups {
		return nil, n.Errorf("the regular expression has more than %d groups", maxGroups)
	}
	return p, nil
}

// apply fills the fields by the groups of the pattern, or by what it sets apart. Only where
// all is filled is the value taken apart; else it is kept whole.
func (s *splitting) apply(c *call) outcome {
	if c.value.Kind == records.Null || c.value.Kind == records.Text && c.value.Text == "" {
		return outcome{value: c.value, absent: !c.present}
	}
	if c.value.Kind != records.Text && c.value.Kind != records.Number {
		return c.stays(fault.MapKind, "split reads a text, and this is a %s", c.value.Kind)
	}
	var parts []records.Field
	if s.groups == nil {
		pieces := s.pattern.Split(c.value.Text, len(s.into)+1)
		if len(pieces) != len(s.into) {
			return c.stays(fault.MapSplit, "the pattern %s does not part the value into %d; it is kept whole",
				s.pattern, len(s.into))
		}
		for i, p := range pieces {
			parts = append(parts, records.Field{Name: s.into[i], Value: records.TextOf(p)})
		}
	} else {
		m := s.pattern.FindStringSubmatchIndex(c.value.Text)
		if m == nil {
			return c.stays(fault.MapSplit, "the pattern %s does not match; the value is kept whole", s.pattern)
		}
		for i, g := range s.groups {
			if m[2*g] >= 0 {
				v := records.TextOf(c.value.Text[m[2*g]:m[2*g+1]])
				parts = append(parts, records.Field{Name: s.into[i], Value: v})
			}
		}
	}
	return outcome{absent: true, parts: parts}
}

// defaulting is the verb default.
type defaulting struct{ value records.Value }

func compileDefault(r *rule, n *spec.Node, _ Options) (verb, error) {
	r.missing = true
	v, err := constant(n)
	return defaulting{v}, err
}

// constant is a value as a spec writes it.
func constant(n *spec.Node) (records.Value, error) {
	switch n.Kind {
	case spec.Text:
		return records.TextOf(n.Text), nil
	case spec.Number:
		if !records.IsNumber(n.Text) {
			return records.Value{}, n.Errorf("%s isn't a number as JSON writes it: write it so, or in quotation "+
				"marks", n.Text)
		}
		return records.NumberOf(n.Text), nil
	case spec.Bool:
		return records.BoolOf(n.Text == "true"), nil
	case spec.List:
		v := records.Value{Kind: records.List}
		for _, i := range n.Items {
			item, err := constant(i)
			if err != nil {
				return v, err
			}
			v.Items = append(v.Items, item)
		}
		return v, nil
	case spec.Map:
		v := records.Value{Kind: records.Object}
		for _, e := range n.Entries {
			field, err := constant(e.Value)
			if err != nil {
				return v, err
			}
			v.Fields = append(v.Fields, records.Field{Name: e.Key, Value: field})
		}
		return v, nil
	}
	return records.Value{}, nil
}

// apply gives the default where the field is absent, null or an empty text.
func (d defaulting) apply(c *call) outcome {
	if !c.present || c.value.Kind == records.Null || c.value.Kind == records.Text && c.value.Text == "" {
		return outcome{value: d.value}
	}
	return outcome{value: c.value}
}

// joining is the verb concat.
type joining struct {
	separator string
	all       bool // nothing is made unless every field has something
}

func compileConcat(r *rule, n *spec.Node, _ Options) (verb, error) {
	j := joining{separator: " "}
	switch n.Kind {
	case spec.Text:
		return joining{separator: n.Text}, nil
	case spec.List:
		fields, err := texts(n)
		r.from = fields
		return j, err
	}
	if err := n.Only("key of concat", "fields", "separator", "all"); err != nil {
		return nil, err
	}
	if f := n.Get("fields"); f != nil {
		fields, err := texts(f)
		if err != nil {
			return nil, err
		}
		r.from = fields
	}
	if s := n.Get("separator"); s != nil {
		if err := s.Want(spec.Text); err != nil {
			return nil, err
		}
		j.separator = s.Text
	}
	if a := n.Get("all"); a != nil {
		if err := a.Want(spec.Bool); err != nil {
			return nil, err
		}
		j.all = a.Text == "true"
	}
	return j, nil
}

// apply joins the texts of the fields that the record has, and of the items of lists.
// What is absent, null or empty leaves no separator behind.
func (j joining) apply(c *call) outcome {
	var all []string
	for _, name := range c.rule.from {
		f, before := c.record.Field(name), len(all)
		if f == nil {
			if j.all {
				return outcome{absent: true}
			}
			continue
		}
		items := []records.Value{f.Value}
		if f.Value.Kind == records.List {
			items = f.Value.Items
		}
		for _, v := range items {
			switch v.Kind {
			case records.List, records.Object:
				return c.stays(fault.MapKind, "concat joins texts, and the field %q holds a %s", name, v.Kind)
			case records.Null:
				continue
			}
			if v.Text != "" {
				all = append(all, v.Text)
			}
		}
		if j.all && len(all) == before {
			return outcome{absent: true}
		}
	}
	if len(all) == 0 {
		return outcome{absent: true}
	}
	return outcome{value: records.TextOf(strings.Join(all, j.separator))}
}
