// Package schema checks records against a Table Schema (Data Package 2) or a JSON Schema
// (2020-12) and gives them typed values. It also finds the schema that a table follows.
//
//	schema, err := schema.Compile(node, schema.Options{})
//	checker, err := schema.Check(next)   // a records.Flusher and records.HeaderSink
//
// A record that breaks its schema is dropped, with a notice for each fault. The key
// "onError" of a field asks for something else: see [Compile].
package schema

import (
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/spelling"
	"laundromat/records"
	"laundromat/records/spec"
)

// Options say what a schema may refer to, and its limits.
type Options struct {
	// Resources are the tables that foreign keys refer to, by name.
	Resources map[string]Resource
	// Documents are JSON Schemas that "$ref" may name, by URI. Nothing is ever fetched.
	Documents map[string]*spec.Node
	// AssertFormat makes "format" of a JSON Schema a condition; by default it is a remark.
	AssertFormat bool
	// Strict drops what "onError" would mend.
	Strict bool
	// Partial says that records are parts of others: fields that are required, and those of a key, may be absent.
	Partial bool
	// KeyMemory is how many bytes a set of keys, or records held back for a foreign key,
	// may take before they go to disk. The default is 64 MiB.
	KeyMemory int64
	// MaxKeys is how many keys a set may hold, in memory and on disk; default 100 million.
	MaxKeys int64
	// Temp is the folder of temporary files; default that of the system.
	Temp string
	// FieldCount and RowCount are what a descriptor says of the table; 0 where it does not.
	FieldCount int
	RowCount   int64
}

// Resource is a table that foreign keys refer to.
type Resource struct {
	Schema *Schema // of the table; nil where it has none
	// Read gives its records to a sink.
	Read func(records.Sink) error
}

func (o Options) withDefaults() Options {
	if o.KeyMemory <= 0 {
		o.KeyMemory = 64 << 20
	}
	if o.MaxKeys <= 0 {
		o.MaxKeys = 100_000_000
	}
	return o
}

// Schema is a compiled schema. It may be used for any number of checks at a time.
type Schema struct {
	node    *spec.Node
	options Options
	table   *table      // of a Table Schema
	json    *jsonSchema // of a JSON Schema
}

// Compile makes a schema of its description. A Table Schema has "fields"; a JSON Schema
// has "$schema" of json-schema.org, or no "fields". What is wrong is refused with its place.
//
// Two keys of a field are ours. The key "onError" says what becomes of a value that breaks
// it. With "drop", the default, the record is lost. With "null" the value is null, with
// "default" it is the value of "default". With "keep", it stays as it is, with a warning.
// With "mend" it is what it says in another form, where only one reading is possible, and else the record is lost.
func Compile(node *spec.Node, opt Options) (*Schema, error) {
	s := &Schema{node: node, options: opt.withDefaults()}
	var err error
	switch {
	case node.Kind == spec.Bool:
		s.json, err = compileJSONSchema(node, opt)
	case node.Kind != spec.Map:
		return nil, node.Errorf("a schema is a mapping, not %s", node.Kind)
	case isJSONSchema(node):
		s.json, err = compileJSONSchema(node, opt)
	default:
		s.table, err = compileTable(node, s.options)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Within is the same schema with another limit of memory for keys, which go to the folder temp.
func (s *Schema) Within(keyMemory int64, temp string) *Schema {
	within := *s
	within.options.KeyMemory, within.options.Temp = keyMemory, temp
	within.options = within.options.withDefaults()
	return &within
}

func isJSONSchema(node *spec.Node) bool {
	if name := node.Get("$schema"); name != nil && name.Kind == spec.Text {
		return strings.Contains(name.Text, "json-schema.org/") ||
			node.Entry("fields") == nil && !strings.Contains(name.Text, "tableschema")
	}
	if node.Entry("fields") != nil {
		return false
	}
	return slices.ContainsFunc(node.Entries, func(e *spec.Entry) bool { return slices.Contains(jsonKeywords, e.Key) })
}

// jsonKeywords are what a JSON Schema has at its root.
var jsonKeywords = []string{"type", "properties", "required", "$ref", "$id", "$defs", "allOf", "anyOf", "oneOf", "not",
	"if", "enum", "const", "items", "prefixItems", "additionalProperties", "patternProperties", "propertyNames",
	"minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties", "$dynamicRef"}

// IsTable says that it is a Table Schema.
func (s *Schema) IsTable() bool { return s.table != nil }

// FieldNames are the names of the fields of a Table Schema, in order; none of a JSON Schema.
func (s *Schema) FieldNames() (names []string) {
	if s.table != nil {
		for _, f := range s.table.fields {
			names = append(names, f.name)
		}
	}
	return names
}

// Required are the names of the fields that are required.
func (s *Schema) Required() (names []string) {
	if s.table != nil {
		for _, f := range s.table.fields {
			if f.required {
				names = append(names, f.name)
			}
		}
	}
	return names
}

// FieldType is the type, and the rdfType where one is given, of a field of a Table Schema.
func (s *Schema) FieldType(name string) (kind, rdfType string) {
	if s.table != nil {
		if f := s.table.byName[name]; f != nil {
			return f.kind, f.rdfType
		}
	}
	return "", ""
}

// Check makes a sink that checks records and hands the sound ones to the next. The tables
// that foreign keys refer to are read at once.
func (s *Schema) Check(to records.Sink) (*Checker, error) {
	c := &Checker{schema: s, to: to}
	if s.table != nil {
		return c, c.prepareKeys()
	}
	return c, nil
}

// refuseTypos refuses a key that is nearly a known one. Other unknown keys are allowed:
// the standard lets anybody add some.
func refuseTypos(node *spec.Node, what string, valid []string) error {
	for _, e := range node.Entries {
		if slices.Contains(valid, e.Key) {
			continue
		}
		for _, v := range valid {
			d := spelling.Distance([]byte(e.Key), []byte(v))
			if d <= 1 || d == 2 && len(v) >= 7 {
				return node.Unknown(e, what, valid...)
			}
		}
	}
	return nil
}

// limitError ends the work at a limit of the options.
func limitError(err error) error {
	return &fault.Error{Op: "schema.Check", Kind: fault.Limit, Err: err}
}
