//go:build lean

package expr

import (
	"laundromat/internal/lean"
	"laundromat/records"
	"laundromat/records/spec"
)

// Program is a compiled expression.
type Program struct{}

// Compile refuses every expression: this program is built without CEL.
func Compile(n *spec.Node, opt Options) (*Program, error) {
	opt.applyDefaults()
	return nil, n.Errorf("%v", lean.Lacks("expressions"))
}

// Eval is never called: no Program is made.
func (p *Program) Eval(Input) (records.Value, error) { return records.Value{}, ErrLimit }
