package fault

import (
	"cmp"
	"slices"
)

// Mended is a kind of repair: something that is wrong and of which one intention, and
// no other, is clear. Nothing else is ever changed; what leaves two readings open is
// kept with a warning or dropped. Under --strict a repair is a drop.
type Mended struct {
	Code Code `json:"code"`
	// Done is what is written in place of what was wrong; Why, why nothing else can
	// be meant. Both are sentences for a data publisher.
	Done string `json:"done"`
	Why  string `json:"why"`
	// Examples show it; there is at least one. A code whose finding has several forms
	// has one for each.
	Examples []Example `json:"examples"`
}

// Example is a document with one repair in it, which tests read and compare.
type Example struct {
	Format string `json:"format"` // by the name that records show
	Before string `json:"before"` // the whole document, with http://e/doc as its base
	After  string `json:"after"`  // its clean N-Quads, blank nodes kept
	// Strict is what --strict leaves of After: nothing, most often. The rest is lost and counted.
	// Where it is all of After, the repair touches no statement. Strict reports it as a drop in
	// which no statement is lost: the exit code is 3 all the same.
	Strict string `json:"strict,omitempty"`
}

// repairs is every kind of repair that a reader or package clean makes. Each area is in a file of
// its own; docs/repairs.md is made from it.
var repairs = slices.Concat(
	termRepairs,
	turtleRepairs,
	xmlRepairs,
	trixRepairs,
	jsonRepairs,
	rdfjsonRepairs,
	htmlRepairs,
)

// Repairs returns every kind of repair, sorted by code.
func Repairs() []Mended {
	all := slices.Clone(repairs)
	slices.SortFunc(all, func(a, b Mended) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

// asked is every kind of repair that is made only where the user asks for it, since
// what was meant is likely, and no more.
var asked = []Mended{
	{LiteralMojibakeMended, "With --fix-mojibake, a text that is UTF-8 and was read in a code page is read back: München for MÃ¼nchen.",
		"It is not plain, but likely: all its characters outside ASCII are UTF-8 in that page, and as that they are likelier words by " +
			"e^11 or more. Reading the result in the page that the notice names gives the text as it was.",
		[]Example{{"N-Triples", "<http://e/s> <http://e/p> \"MÃ¼nchen, BibliothÃ¨que\" .\n",
			"<http://e/s> <http://e/p> \"München, Bibliothèque\" .\n", ""}}},
}

// AskedRepairs returns every kind of repair that --fix-mojibake asks for.
func AskedRepairs() []Mended { return slices.Clone(asked) }

// recordRepairs is every kind of repair that a reader of records makes. The examples are
// tables and trees, and After is the records as lines of JSON.
var recordRepairs = slices.Concat(
	tableRepairs,
	treeRepairs,
)

// RecordRepairs returns every kind of repair of a table or tree, sorted by code.
func RecordRepairs() []Mended {
	all := slices.Clone(recordRepairs)
	slices.SortFunc(all, func(a, b Mended) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

// RepairOf finds the kind of repair that a code reports.
func RepairOf(code Code) (Mended, bool) {
	for _, mended := range slices.Concat(repairs, asked, recordRepairs) {
		if mended.Code == code {
			return mended, true
		}
	}
	return Mended{}, false
}
