package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/spec"
)

// jsonSchema is a compiled JSON Schema.
type jsonSchema struct {
	compiled *jsonschema.Schema
	printer  *message.Printer
}

// noLoader refuses what is not given: nothing is ever fetched or read.
type noLoader struct{}

var errNotGiven = errors.New("the schema is not given, and nothing is fetched")

func (noLoader) Load(string) (any, error) { return nil, errNotGiven }

// schemaURI is the base of a schema without "$id".
const schemaURI = "urn:laundromat:schema"

func compileJSONSchema(node *spec.Node, opt Options) (*jsonSchema, error) {
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.UseLoader(noLoader{})
	if opt.AssertFormat {
		compiler.AssertFormat()
	}
	for uri, document := range opt.Documents {
		plain, err := plainOf(document)
		if err != nil {
			return nil, err
		}
		if err := compiler.AddResource(uri, plain); err != nil {
			return nil, document.Errorf("the schema %s: %v", uri, err)
		}
	}
	plain, err := plainOf(node)
	if err != nil {
		return nil, err
	}
	if object, ok := plain.(map[string]any); ok && opt.Partial {
		delete(object, "required")
	}
	if err := compiler.AddResource(schemaURI, plain); err != nil {
		return nil, node.Errorf("%v", err)
	}
	s := &jsonSchema{printer: message.NewPrinter(language.English)}
	if s.compiled, err = compiler.Compile(schemaURI); err != nil {
		return nil, s.refusal(node, err)
	}
	return s, nil
}

// refusal finds the place of what is wrong in a schema.
func (s *jsonSchema) refusal(node *spec.Node, err error) error {
	var wrong *jsonschema.SchemaValidationError
	var invalid *jsonschema.ValidationError
	var missing *jsonschema.LoadURLError
	var pattern *jsonschema.InvalidRegexError
	switch {
	case errors.As(err, &wrong) && errors.As(wrong.Err, &invalid):
		path, why := s.leaf(invalid)
		at := nodeAt(node, path)
		if at.Kind == spec.Text && len(path) > 0 && path[len(path)-1] == "type" {
			why = fmt.Sprintf("unknown type %q%s", at.Text, spec.Meant(at.Text, "string", "number", "integer", "boolean",
				"object", "array", "null"))
		}
		return at.Errorf("%s", why)
	case errors.As(err, &missing):
		return refTo(node, missing.URL).Errorf("%s: %v", missing.URL, errNotGiven)
	case errors.As(err, &pattern):
		return textAt(node, pattern.Regex).Errorf("%q isn't a regular expression of RE2: %v", pattern.Regex, pattern.Err)
	}
	var pointer *jsonschema.JSONPointerNotFoundError
	if errors.As(err, &pointer) {
		_, fragment, _ := strings.Cut(pointer.URL, "#")
		return refTo(node, "#"+fragment).Errorf("there is no schema #%s", fragment)
	}
	return node.Errorf("%v", err)
}

// nodeAt follows a path as far as it goes.
func nodeAt(node *spec.Node, path []string) *spec.Node {
	for _, step := range path {
		next := node.Get(step)
		if i, err := strconv.Atoi(step); err == nil && node.Kind == spec.List && i < len(node.Items) {
			next = node.Items[i]
		}
		if next == nil {
			break
		}
		node = next
	}
	return node
}

// refTo finds the "$ref" that ends as an address; the root if there is none.
func refTo(node *spec.Node, address string) *spec.Node {
	if found := find(node, func(n *spec.Node) bool {
		return n.Kind == spec.Text && n.Text != "" && strings.HasSuffix(address, strings.TrimLeft(n.Text, "./"))
	}); found != nil {
		return found
	}
	return node
}

func textAt(node *spec.Node, text string) *spec.Node {
	if found := find(node, func(n *spec.Node) bool { return n.IsText(text) }); found != nil {
		return found
	}
	return node
}

func find(node *spec.Node, is func(*spec.Node) bool) *spec.Node {
	if is(node) {
		return node
	}
	for _, item := range node.Items {
		if found := find(item, is); found != nil {
			return found
		}
	}
	for _, e := range node.Entries {
		if found := find(e.Value, is); found != nil {
			return found
		}
	}
	return nil
}

// plainOf makes values of encoding/json of a node.
func plainOf(n *spec.Node) (any, error) {
	switch n.Kind {
	case spec.Bool:
		return n.Text == "true", nil
	case spec.Number:
		if records.IsNumber(n.Text) {
			return json.Number(n.Text), nil
		}
		// YAML also writes +1, 0x1F, .5 and 0o17.
		if f, ok := new(big.Float).SetString(n.Text); ok && !f.IsInf() {
			return json.Number(f.Text('g', -1)), nil
		}
		return nil, n.Errorf("%q isn't a number of JSON", n.Text)
	case spec.Text:
		return n.Text, nil
	case spec.List:
		list := make([]any, 0, len(n.Items))
		for _, item := range n.Items {
			v, err := plainOf(item)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case spec.Map:
		object := make(map[string]any, len(n.Entries))
		for _, e := range n.Entries {
			v, err := plainOf(e.Value)
			if err != nil {
				return nil, err
			}
			object[e.Key] = v
		}
		return object, nil
	}
	return nil, nil
}

// maxDigits bounds the digits and the exponent of a number that is compared exactly.
const maxDigits = 1000

var errHuge = errors.New("the number has more than 1,000 digits or so large an exponent, and is not checked")

// plainValue makes values of encoding/json of a value, with all digits of its numbers. The
// path is that of a number that is too large.
func plainValue(v *records.Value) (plain any, path []string, err error) {
	switch v.Kind {
	case records.Text:
		return v.Text, nil, nil
	case records.Bool:
		return v.Text == "true", nil, nil
	case records.Number:
		if len(v.Text) > 18 {
			if d := decimalOf(v.Text); len(v.Text) > maxDigits || d.point > maxDigits || d.point < -maxDigits {
				return nil, nil, errHuge
			}
		} else if at := strings.IndexAny(v.Text, "eE"); at >= 0 {
			if e, err := strconv.Atoi(v.Text[at+1:]); err != nil || e > maxDigits || e < -maxDigits {
				return nil, nil, errHuge
			}
		}
		return json.Number(v.Text), nil, nil
	case records.List:
		list := make([]any, len(v.Items))
		for i := range v.Items {
			if list[i], path, err = plainValue(&v.Items[i]); err != nil {
				return nil, append([]string{strconv.Itoa(i)}, path...), err
			}
		}
		return list, nil, nil
	case records.Object:
		return plainFields(v.Fields)
	}
	return nil, nil, nil
}

func plainFields(fields []records.Field) (any, []string, error) {
	object := make(map[string]any, len(fields))
	for i := range fields {
		v, path, err := plainValue(&fields[i].Value)
		if err != nil {
			return nil, append([]string{fields[i].Name}, path...), err
		}
		object[fields[i].Name] = v
	}
	return object, nil, nil
}

// maxFindings is how many faults of one record are reported.
const maxFindings = 20

// check holds a record to the schema; each fault is reported with its path.
func (s *jsonSchema) check(c *Checker, r *records.Record) {
	plain, path, err := plainFields(r.Fields)
	if err != nil {
		s.tell(c, r, path, err.Error())
		return
	}
	var invalid *jsonschema.ValidationError
	if err := s.compiled.Validate(plain); errors.As(err, &invalid) {
		s.leaves(invalid, func(path []string, why string) {
			if len(c.faults) < maxFindings {
				s.tell(c, r, path, why)
			}
		})
	}
}

func (s *jsonSchema) tell(c *Checker, r *records.Record, path []string, why string) {
	at := -1
	if len(path) > 0 {
		for i := range r.Fields {
			if r.Fields[i].Name == path[0] {
				at = i
				break
			}
		}
	}
	where := "the record"
	if len(path) > 0 {
		where = strings.Join(path, "/")
	}
	c.fault(fault.SchemaJSON, at, strings.Join(path, "/"), where+": "+why)
}

// first is the first fault of a value; "" if it is sound.
func (s *jsonSchema) first(v *records.Value) string {
	plain, _, err := plainValue(v)
	if err != nil {
		return err.Error()
	}
	var invalid *jsonschema.ValidationError
	if err := s.compiled.Validate(plain); errors.As(err, &invalid) {
		path, why := s.leaf(invalid)
		return strings.TrimPrefix(strings.Join(path, "/")+": ", ": ") + why
	}
	return ""
}

// leaf is the first fault that has no further cause.
func (s *jsonSchema) leaf(e *jsonschema.ValidationError) (path []string, why string) {
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	return e.InstanceLocation, e.ErrorKind.LocalizedString(s.printer)
}

// leaves gives every fault that has no further cause.
func (s *jsonSchema) leaves(e *jsonschema.ValidationError, give func(path []string, why string)) {
	if len(e.Causes) == 0 {
		give(e.InstanceLocation, e.ErrorKind.LocalizedString(s.printer))
	}
	for _, cause := range e.Causes {
		s.leaves(cause, give)
	}
}
