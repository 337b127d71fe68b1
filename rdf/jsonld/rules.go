package jsonld

import "laundromat/internal/rule"

// ruleNumber is a rule of recovery. Each is a row of [Rules].
type ruleNumber uint8

const (
	misspeltKeyword ruleNumber = iota
	brokenContextName
	missingContext
)

// Rules are the rules by which this package goes on behind faults. Those for what is no JSON are
// jsonread.Rules.
var Rules = &rule.Table{Package: "rdf/jsonld", Rules: []rule.Rule{
	misspeltKeyword:   {Name: "misspelt keyword", Does: "A name near a keyword that its object lacks loses what needs the keyword."},
	brokenContextName: {Name: "broken name in a context", Does: "Names that a broken part of a context may have defined are lost."},
	missingContext:    {Name: "missing context", Does: "Names that a missing context may define are lost."},
}}

// ruleSwitch says which rules hold: in the program, all.
type ruleSwitch struct{ *rule.Switch }

func (s ruleSwitch) on(number ruleNumber) bool { return s.On(int(number)) }

// hides is active.hides, where its rule holds.
func (e *expander) hides(a *active, s string, as iriRole) bool {
	return a.hides(s, as.relative, as.vocab) && e.rules.on(brokenContextName)
}

// isUncertain is active.uncertain, where its rule holds.
func (e *expander) isUncertain(a *active, s string, as iriRole) bool {
	return a.uncertain(s, as.relative, as.vocab) && e.rules.on(missingContext)
}
