package clean

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
)

// RepairCodes are the codes of the table of repairs.
func RepairCodes() (codes []fault.Code) {
	for _, r := range repairs {
		codes = append(codes, r.code)
	}
	return codes
}

// The inside of the filters, for laws about single terms.
var (
	IsPlainIRI   = isPlainIRI
	IsWellFormed = isWellFormed
)

// Filters are the filters of a chain, one by one, before a sink of the test's.
func Filters(to rdf.Sink) map[string]rdf.Sink {
	return map[string]rdf.Sink{
		"none":       to,
		"straybytes": &strayBytes{teller: teller{Sink: to}},
		"iris":       newIRIs(to),
		"languages":  &languages{teller: teller{Sink: to}},
		"literals":   newLiterals(false, to),
		"strict":     &strict{Sink: to},
		"skolem":     newSkolemiser(Genid, to),
		"keep":       newKeeper(Options{}, to),
		"line":       &liner{tally: &Tally{}, lines: func([]byte) error { return nil }},
	}
}
