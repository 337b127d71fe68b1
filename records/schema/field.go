package schema

import (
	"regexp"
	"slices"
	"strings"

	"laundromat/internal/dates"
	"laundromat/records"
	"laundromat/records/spec"
)

// field is a compiled field of a Table Schema.
type field struct {
	name, kind, format, rdfType string
	index                       int

	cast    func(*field, *records.Value) string // why it is no value of the type; "" if it is one
	missing []string
	// onlyEmpty says that the empty text, and no other, is missing.
	onlyEmpty bool

	decimal, group   string // decimalChar, groupChar
	bare             bool   // bareNumber
	trues, falses    []string
	delimiter        string
	item             *field // of a list
	pattern          *dates.Pattern
	match            *regexp.Regexp // constraint "pattern"
	required, unique bool
	checks           []check
	onError          string
	fallback         records.Value // of onError "default"
	mending          *mending      // of onError "mend"

	node *spec.Node
}

var fieldKeys = []string{"name", "type", "format", "title", "description", "example", "examples", "constraints",
	"rdfType",
	"categories", "categoriesOrdered", "missingValues", "decimalChar", "groupChar", "bareNumber", "trueValues",
	"falseValues", "itemType", "delimiter", "onError", "default"}

// kinds are the types of fields and how their values are read.
var kinds = []struct {
	name    string
	cast    func(*field, *records.Value) string
	formats []string // besides "default"
}{
	{"string", castString, []string{"email", "uri", "binary", "uuid"}},
	{"number", castNumber, nil},
	{"integer", castInteger, nil},
	{"boolean", castBoolean, nil},
	{"object", castObject, nil},
	{"array", castArray, nil},
	{"list", castList, nil},
	{"datetime", castDate, []string{"any"}},
	{"date", castDate, []string{"any"}},
	{"time", castDate, []string{"any"}},
	{"year", castYear, nil},
	{"yearmonth", castYearMonth, nil},
	{"duration", castDuration, nil},
	{"geopoint", castGeopoint, []string{"array", "object"}},
	{"geojson", castGeojson, []string{"topojson"}},
	{"any", func(*field, *records.Value) string { return "" }, nil},
}

var itemKinds = []string{"string", "integer", "boolean", "number", "datetime", "date", "time"}

func compileField(node *spec.Node, missing []string) (*field, error) {
	if err := node.Want(spec.Map); err != nil {
		return nil, err
	}
	if err := refuseTypos(node, "key of a field", fieldKeys); err != nil {
		return nil, err
	}
	name := node.Get("name")
	if name == nil {
		return nil, node.Errorf("a field has a name")
	}
	if name.Kind != spec.Text {
		return nil, name.Errorf("the name of a field is a text, not %s: put it in quotation marks", name.Kind)
	}
	f := &field{node: node, name: name.Text, missing: missing, kind: "any", format: "default", decimal: ".", bare: true,
		delimiter: ",", trues: []string{"true", "True", "TRUE", "1"}, falses: []string{"false", "False", "FALSE", "0"}}
	own, err := missingValues(node.Get("missingValues"))
	if err != nil {
		return nil, err
	}
	if own != nil {
		f.missing = own
	}
	f.onlyEmpty = len(f.missing) == 1 && f.missing[0] == ""
	if err := f.compileType(node); err != nil {
		return nil, err
	}
	if err := f.compileForm(node); err != nil {
		return nil, err
	}
	if err := f.compileConstraints(node); err != nil {
		return nil, err
	}
	return f, f.compileOnError(node)
}

func (f *field) compileType(node *spec.Node) error {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	if kind := node.Get("type"); kind != nil {
		var err error
		if f.kind, err = oneOf(kind, "type", names); err != nil {
			return err
		}
	} else if node.Get("format") == nil {
		// The standard: a field without a type is of type any; older files mean a string,
		// of which every text is one too.
		f.kind = "any"
	}
	known := kinds[slices.Index(names, f.kind)]
	f.cast = known.cast
	if t := node.Get("rdfType"); t != nil {
		if err := t.Want(spec.Text); err != nil {
			return err
		}
		f.rdfType = t.Text
	}
	format := node.Get("format")
	if format == nil {
		return nil
	}
	if err := format.Want(spec.Text); err != nil {
		return err
	}
	f.format = format.Text
	dated := f.kind == "date" || f.kind == "time" || f.kind == "datetime"
	if dated && (strings.Contains(f.format, "%") || strings.HasPrefix(f.format, "fmt:")) {
		var err error
		if f.pattern, err = compileDatePattern(strings.TrimPrefix(f.format, "fmt:"), f.kind); err != nil {
			return format.Errorf("%v", err)
		}
		return nil
	}
	_, err := oneOf(format, "format of type "+f.kind, append([]string{"default"}, known.formats...))
	return err
}

// compileForm reads what is said of how values are written.
func (f *field) compileForm(node *spec.Node) error {
	for _, part := range []struct {
		key  string
		into *string
		// empty says that the text may be empty.
		empty bool
	}{{"decimalChar", &f.decimal, false}, {"groupChar", &f.group, true}, {"delimiter", &f.delimiter, false}} {
		if n := node.Get(part.key); n != nil {
			if err := n.Want(spec.Text); err != nil {
				return err
			}
			if n.Text == "" && !part.empty {
				return n.Errorf("%s is at least one character", part.key)
			}
			*part.into = n.Text
		}
	}
	if f.group == f.decimal && f.kind == "number" {
		return node.Get("groupChar").Errorf("groupChar and decimalChar are the same")
	}
	if n := node.Get("bareNumber"); n != nil {
		if err := n.Want(spec.Bool); err != nil {
			return err
		}
		f.bare = n.Text == "true"
	}
	for key, into := range map[string]*[]string{"trueValues": &f.trues, "falseValues": &f.falses} {
		if n := node.Get(key); n != nil {
			texts, err := textsOf(n)
			if err != nil {
				return err
			}
			*into = texts
		}
	}
	if f.kind == "boolean" {
		for _, t := range f.trues {
			if slices.Contains(f.falses, t) {
				return node.Errorf("%q is among the trueValues and the falseValues", t)
			}
		}
	}
	if f.kind == "list" {
		return f.compileItem(node)
	}
	return nil
}

func textsOf(node *spec.Node) (texts []string, err error) {
	if err := node.Want(spec.List); err != nil {
		return nil, err
	}
	for _, item := range node.Items {
		if item.Kind != spec.Text {
			return nil, item.Errorf("%s is wanted here, not %s: put it in quotation marks", spec.Text, item.Kind)
		}
		texts = append(texts, item.Text)
	}
	return texts, nil
}

func (f *field) compileItem(node *spec.Node) error {
	kind := "string"
	if n := node.Get("itemType"); n != nil {
		var err error
		if kind, err = oneOf(n, "itemType", itemKinds); err != nil {
			return err
		}
	}
	item := *f
	item.kind, item.format = kind, "default"
	for _, k := range kinds {
		if k.name == kind {
			item.cast = k.cast
		}
	}
	f.item = &item
	return nil
}

var onErrors = []string{"drop", "null", "default", "keep", "mend"}

func (f *field) compileOnError(node *spec.Node) error {
	f.onError = "drop"
	n := node.Get("onError")
	if n == nil {
		return nil
	}
	if n.Kind == spec.Null {
		f.onError = "null"
	} else {
		var err error
		if f.onError, err = oneOf(n, "value of onError", onErrors); err != nil {
			return err
		}
	}
	switch f.onError {
	case "mend":
		f.compileMend(node)
	case "null":
		if f.required {
			return n.Errorf("the field is required, so that null isn't a mend")
		}
	case "default":
		value := node.Get("default")
		if value == nil {
			return n.Errorf(`the key "default", which onError names, is missing`)
		}
		v := value.Value()
		if f.missed(&v) {
			return value.Errorf("the default is a missing value: write onError: \"null\"")
		}
		if _, why := f.read(&v); why != "" {
			return value.Errorf("the default breaks the field: %s", why)
		}
		f.fallback = v
	}
	return nil
}

// missed says that a value is null or one of the missing values.
func (f *field) missed(v *records.Value) bool {
	switch v.Kind {
	case records.Null:
		return true
	case records.Text:
		if f.onlyEmpty {
			return v.Text == ""
		}
		return slices.Contains(f.missing, v.Text)
	}
	return false
}

// read gives a value that is not missing its type, and checks it. broken says that it has
// the type and breaks a constraint.
func (f *field) read(v *records.Value) (broken bool, why string) {
	text := v.Text
	if why := f.cast(f, v); why != "" {
		return false, why
	}
	if f.match != nil && !f.match.MatchString(text) {
		return true, "it does not match the pattern " + f.match.String()[len(`^(?:`):len(f.match.String())-len(`)$`)]
	}
	for i := range f.checks {
		if why := f.checks[i](v); why != "" {
			return true, why
		}
	}
	return false, ""
}
