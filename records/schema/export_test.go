package schema

import (
	"laundromat/records"
	"laundromat/records/spec"
)

// CompileJSON compiles a JSON Schema whatever its keys are: those of a suite test have "$schema"
// of their own, or none of the usual ones.
func CompileJSON(node *spec.Node, opt Options) (*Schema, error) {
	s, err := compileJSONSchema(node, opt)
	return &Schema{json: s}, err
}

func ParseJSON(s string) (records.Value, error) { return parseJSON(s) }

func (s *Schema) FirstFault(v *records.Value) string { return s.json.first(v) }
