package clean

import (
	"laundromat/rdf"
)

// The inside of the filters, for laws about single terms.
var (
	IsPlainIRI = newIRIs(nil).isPlainIRI
)

// Filters are the filters of a chain, one by one, before a sink of the test's.
func Filters(to rdf.Sink) map[string]rdf.Sink {
	return map[string]rdf.Sink{
		"none":       to,
		"straybytes": &strayBytes{teller: teller{Sink: to}},
		"iris":       newIRIs(to),
		"languages":  &languages{teller: teller{Sink: to}},
		"texts":      &texts{teller: teller{Sink: to}},
		"literals":   newLiterals(Options{}, to),
		"strict":     &strict{Sink: to},
		"skolem":     newSkolemiser(Genid, &Tally{}, to),
		"keep":       newKeeper(Options{}, &Tally{}, to),
		"line":       &liner{tally: &Tally{}, lines: func([]byte, int) error { return nil }},
	}
}

// Checks are the filters that judge terms, with the gate before them.
func Checks(to rdf.Sink) rdf.Sink { return newChecks(Options{}, to) }

// WithoutGate are the filters that judge terms, alone.
func WithoutGate(to rdf.Sink) rdf.Sink { return newChecks(Options{}, to).Sink }
