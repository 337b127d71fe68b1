package recordset

import "laundromat/records/schema"

// Inferred is an output that writes a schema, or a spec, which all records follow.
type Inferred struct {
	*schema.Inference
	spec  bool
	write func(text []byte) error
}

// NewInferred makes an output of a schema, or of a spec; write is called when all records are read.
func NewInferred(spec bool, write func(text []byte) error) *Inferred {
	return &Inferred{schema.NewInference(nil), spec, write}
}

// Abort writes nothing.
func (f *Inferred) Abort() {}

// Close writes the schema or the spec.
func (f *Inferred) Close() error {
	if f.spec {
		return f.write(f.AppendSpec(nil))
	}
	return f.write(f.AppendJSON(nil))
}
