// Package expr evaluates the expressions of a spec. They are written in CEL, the Common
// Expression Language (https://cel.dev), which has no loops without end and no effects.
//
// An expression is checked when the spec is read. An unknown name and a wrong type are
// refused, with the line and column within the spec. It sees these names:
//
//	value     the present value; null where there is none
//	record    the record's fields: record.title, record["two words"], has(record.title)
//	page_url  the address of the page, a string; empty where there is none
//	title     a field by its bare name, if [Options] name it; null where the record lacks it
//
// A field whose name is no identifier of CEL, or is one of the names above, is had by
// record["…"] alone. Where a record lacks a field that is had through record, the
// evaluation fails with a word.
//
// Texts are strings, whole numbers within 64 bits are int, other numbers double. A number
// whose digits a double can't hold is an error where it is used, never another number.
//
// With the build tag lean every expression is refused.
package expr

import (
	"errors"

	"laundromat/records"
)

// Options are what an expression may use. The zero value serves.
type Options struct {
	// Fields are the names of fields that may be used bare.
	Fields []string
	// CostLimit ends an evaluation; zero means [DefaultCostLimit].
	CostLimit uint64
	// ResultLimit bounds the bytes of a result's texts; zero means [DefaultResultLimit].
	ResultLimit int
}

// DefaultCostLimit is enough for a pass over some hundred thousand items, about 0.1 s.
const DefaultCostLimit = 1_000_000

// DefaultResultLimit is the longest result that a field of a table can sensibly hold.
const DefaultResultLimit = 1 << 20

// maxLength bounds the text of an expression, in characters.
const maxLength = 10_000

// Input is what one evaluation sees.
type Input struct {
	Record  *records.Record // may be nil: no fields
	Value   records.Value
	PageURL string
}

// ErrLimit says that an evaluation was ended by a limit.
var ErrLimit = errors.New("the expression was ended by its limit")

func (o *Options) applyDefaults() {
	if o.CostLimit == 0 {
		o.CostLimit = DefaultCostLimit
	}
	if o.ResultLimit == 0 {
		o.ResultLimit = DefaultResultLimit
	}
}
