package repair

import "laundromat/internal/rule"

// Doubt is evidence for or against a reading.
type Doubt uint8

// The doubts. They are numbered on behind the edits.
const (
	StrangeTerm = Doubt(rows) + iota
	UnknownPrefix
	DisplacedLine
	FirstGraph
	UnequalBrace
	EndOfLine
	InComment
	OtherReading
	BracketsLeftOut
	BracesLeftOut
	TagOfHTML
	TornText
	Quotation
	LongText
	WithheldBracket
	TextBehind
	EndlessGraph
	doubtsEnd
)

// Doubts says what each doubt is.
var Doubts = [doubtsEnd - Doubt(rows)]rule.Rule{
	{Name: "strange term", Does: "a word that never was a predicate is one, or a predicate is a subject."},
	{Name: "unknown prefix", Does: "a name has a prefix that is not declared."},
	{Name: "displaced line", Does: "a line begins in a column where such lines do not."},
	{Name: "first graph", Does: "a graph begins in a document without any, or one without a label."},
	{Name: "unequal brace", Does: "the next { or } does not fit."},
	{Name: "end of a line", Does: "a sign is missing at the end of a line rather than within one."},
	{Name: "comment", Does: "a comment right after a name may hide the end of a statement."},
	{Name: "other reading", Does: "what another reading that is nearly as good does not read is lost."},
	{Name: "brackets left out", Does: "no subject is sure after text that may hold brackets."},
	{Name: "braces left out", Does: "no graph is sure after text that may hold braces."},
	{Name: "tag of HTML", Does: "what looks like a tag of HTML is a term."},
	{Name: "torn text", Does: "terms on the line of a string without an end may be pieces of it."},
	{Name: "quotation", Does: "a string, a word right after it, and a string right after a word are one string."},
	{Name: "long text", Does: "words show the text of a string in three quotes without an end."},
	{Name: "withheld bracket", Does: "statements in a bracket are lost if that has no end."},
	{Name: "text after", Does: "a document that has shown little is judged by the text after the fault as well."},
	{Name: "endless graph", Does: "statements may occur after a graph that has no }."},
}

// Rules are the edits and the doubts, by their numbers.
var Rules = &rule.Table{Package: "rdf/ttl/repair", Rules: allRules()}

func allRules() (all []rule.Rule) {
	for i := range Table {
		all = append(all, rule.Rule{Name: Table[i].Name, Does: Table[i].Does + "."})
	}
	return append(all, Doubts[:]...)
}

// Switch says which edits and doubts hold. The zero Switch says that all do.
type Switch struct{ *rule.Switch }

// Edits says that an edit may be made.
func (s Switch) Edits(r Row) bool { return s.On(int(r)) }

// Holds says that a doubt counts.
func (s Switch) Holds(d Doubt) bool { return s.On(int(d)) }

// weigh is what a doubt adds, if it counts.
func (s *search) weigh(d Doubt, by Damage) Damage {
	if by != 0 && !s.Rules.Holds(d) {
		return 0
	}
	return by
}
