package schema

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"laundromat/records"
	"laundromat/records/spec"
)

// check holds a typed value against one constraint; it says why it breaks it.
type check func(*records.Value) string

var constraintKeys = []string{"required", "unique", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum",
	"exclusiveMaximum", "pattern", "enum", "jsonSchema"}

// lawfulFor are the types that a constraint may be given to; all where it is not named.
var lawfulFor = map[string][]string{
	"minLength":  {"string", "array", "list", "object"},
	"maxLength":  {"string", "array", "list", "object"},
	"jsonSchema": {"array", "object", "geojson"},
}

var ordered = []string{"integer", "number", "date", "time", "datetime", "year", "yearmonth", "duration"}

func (f *field) compileConstraints(node *spec.Node) error {
	if err := f.compileCategories(node.Get("categories")); err != nil {
		return err
	}
	constraints := node.Get("constraints")
	if constraints == nil {
		return nil
	}
	if err := constraints.Only("constraint", constraintKeys...); err != nil {
		return err
	}
	for _, e := range constraints.Entries {
		types, limited := lawfulFor[e.Key]
		if e.Key == "minimum" || e.Key == "maximum" || e.Key == "exclusiveMinimum" || e.Key == "exclusiveMaximum" {
			types, limited = ordered, true
		}
		if limited && !slices.Contains(types, f.kind) {
			return constraints.EntryErrorf(e, "the constraint %q is not for the type %s", e.Key, f.kind)
		}
		if err := f.compileConstraint(e.Key, e.Value); err != nil {
			return err
		}
	}
	return nil
}

func (f *field) compileConstraint(key string, n *spec.Node) error {
	switch key {
	case "required", "unique":
		if err := n.Want(spec.Bool); err != nil {
			return err
		}
		if key == "required" {
			f.required = n.Text == "true"
		} else {
			f.unique = n.Text == "true"
		}
	case "minLength", "maxLength":
		length, err := strconv.Atoi(n.Text)
		if n.Kind != spec.Number || err != nil || length < 0 {
			return n.Errorf("a length is a whole number from 0")
		}
		f.checks = append(f.checks, lengthCheck(key == "minLength", length))
	case "pattern":
		if err := n.Want(spec.Text); err != nil {
			return err
		}
		match, err := regexp.Compile(`^(?:` + n.Text + `)$`)
		if err != nil {
			return n.Errorf("the pattern isn't a regular expression of RE2: %v", err)
		}
		f.match = match
	case "enum":
		return f.compileEnum(n, "the values allowed")
	case "jsonSchema":
		s, err := compileJSONSchema(n, Options{})
		if err != nil {
			return err
		}
		f.checks = append(f.checks, func(v *records.Value) string { return s.first(v) })
	default:
		return f.compileBound(key, n)
	}
	return nil
}

func lengthCheck(least bool, length int) check {
	return func(v *records.Value) string {
		n := len(v.Items) + len(v.Fields)
		if v.Kind == records.Text {
			// A text has at most as many characters as bytes, and at least a quarter.
			if n = len(v.Text); least && n/4 >= length || !least && n <= length {
				return ""
			}
			n = utf8.RuneCountInString(v.Text)
		}
		switch {
		case least && n < length:
			return fmt.Sprintf("its length is %d, less than %d", n, length)
		case !least && n > length:
			return fmt.Sprintf("its length is %d, more than %d", n, length)
		}
		return ""
	}
}

func (f *field) compileBound(key string, n *spec.Node) error {
	bound, err := f.constant(n)
	if err != nil {
		return err
	}
	words := map[string]string{"minimum": "is less than", "maximum": "is more than",
		"exclusiveMinimum": "is not more than", "exclusiveMaximum": "is not less than"}[key]
	if f.kind == "integer" || f.kind == "number" || f.kind == "year" {
		if bound.Kind != records.Number {
			return n.Errorf("a bound is a finite number")
		}
		limit := bound.Text
		f.checks = append(f.checks, func(v *records.Value) string {
			if within(key, compareNumbers(v.Text, limit)) {
				return ""
			}
			return v.Text + " " + words + " " + limit
		})
		return nil
	}
	limit, _ := moment(f.kind, bound.Text)
	f.checks = append(f.checks, func(v *records.Value) string {
		if at, ok := moment(f.kind, v.Text); ok && within(key, at.compare(limit)) {
			return ""
		}
		return v.Text + " " + words + " " + bound.Text
	})
	return nil
}

// within says that a value that compares so to the bound is within it.
func within(key string, order int) bool {
	switch {
	case order == unordered:
		return false
	case key == "minimum":
		return order >= 0
	case key == "maximum":
		return order <= 0
	case key == "exclusiveMinimum":
		return order > 0
	}
	return order < 0
}

// constant reads a value of the field's type that the schema itself gives. It is in the
// field's own form, or in that of JSON and ISO 8601.
func (f *field) constant(n *spec.Node) (records.Value, error) {
	v := n.Value()
	why := f.cast(f, &v)
	if why == "" {
		return v, nil
	}
	plain := *f
	plain.pattern, plain.format, plain.decimal, plain.group, plain.bare = nil, "default", ".", "", true
	plain.trues, plain.falses = []string{"true"}, []string{"false"}
	if f.kind == "string" || f.kind == "geopoint" || f.kind == "geojson" {
		plain.format = f.format
	}
	if w := plain.cast(&plain, &v); w == "" {
		return v, nil
	}
	// A number of JSON may be given for a text: an enum of codes, as YAML reads them.
	if v.Kind == records.Number {
		if v = records.TextOf(n.Text); f.cast(f, &v) == "" {
			return v, nil
		}
	}
	return v, n.Errorf("it isn't a value of the type %s: %s", f.kind, why)
}

func (f *field) compileEnum(n *spec.Node, what string) error {
	if err := n.Want(spec.List); err != nil {
		return err
	}
	allowed := map[string]bool{}
	for _, item := range n.Items {
		v, err := f.constant(item)
		if err != nil {
			return err
		}
		allowed[string(appendKey(nil, &v))] = true
	}
	if len(allowed) == 0 {
		return n.Errorf("the list is empty")
	}
	f.checks = append(f.checks, func(v *records.Value) string {
		var room [64]byte
		if allowed[string(appendKey(room[:0], v))] {
			return ""
		}
		return "it is not among " + what
	})
	return nil
}

func (f *field) compileCategories(n *spec.Node) error {
	if n == nil {
		return nil
	}
	if f.kind != "string" && f.kind != "integer" {
		return n.Errorf("categories are for the types string and integer, not %s", f.kind)
	}
	if err := n.Want(spec.List); err != nil {
		return err
	}
	plain := *n
	plain.Items = nil
	for _, item := range n.Items {
		value, err := labelled(item)
		if err != nil {
			return err
		}
		plain.Items = append(plain.Items, value)
	}
	return f.compileEnum(&plain, "the categories")
}
