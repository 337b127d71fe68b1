package repair

import "laundromat/internal/fault"

// Damage is what a repair costs, and what speaks against a reading. The reading with the least is taken.
type Damage int32

// Row is the number of an edit in the table.
type Row uint8

// The edits.
const (
	StraySign Row = iota
	StrayBrace
	StrayBracket
	ExtraTerm
	NoTerm
	RestOfLine
	BadTerm
	WrongTerm
	TornString
	MissingDot
	MissingSemicolon
	MissingComma
	MissingEnd
	MissingTerm
	UnopenedGraph
	UnclosedGraph
	UnopenedBracket
	BrokenOff
	OtherSign
	CommaForSemicolon
	OtherBracket
	Reopened
	rows // how many there are
)

// Edit is a row of the table of edits.
type Edit struct {
	Name string
	Does string
	Cost Damage
	// Spoils says that the term, object or statement that is being read is lost.
	Spoils bool
	Code   fault.Code
}

// Table has all edits, in the order in which they are tried. Of two readings with the same damage the one that was
// tried first is taken.
var Table = [rows]Edit{
	StraySign: {"stray sign", "leaves out a dot, comma or semicolon with nothing before it, or a = before the { of a graph", 6,
		false, fault.SyntaxStray},
	StrayBrace:   {"stray brace", "leaves out a { or }", 10, false, fault.SyntaxStray},
	StrayBracket: {"stray bracket", "leaves out another bracket", 10, true, fault.SyntaxUnexpected},
	ExtraTerm:    {"term too many", "leaves out a term", 10, true, fault.SyntaxUnexpected},
	NoTerm:       {"word", "leaves out a word or signs of no meaning", 5, true, fault.SyntaxUnexpected},
	RestOfLine:   {"rest of a line", "leaves out all up to the end of the line", 14, true, fault.SyntaxUnexpected},
	BadTerm:      {"broken term", "reads a word as a term that is lost", 4, true, fault.SyntaxUnexpected},
	WrongTerm:    {"misplaced term", "reads a term as one that is lost, since it can't be here", 7, true, fault.SyntaxMisplacedTerm},
	TornString: {"string without an end", "ends a string with its line, and takes the signs at its end", 4, true,
		fault.SyntaxUnclosedString},
	MissingDot:       {"missing dot", "puts a dot in", 10, false, fault.SyntaxMissingDot},
	MissingSemicolon: {"missing semicolon", "puts a semicolon in", 11, true, fault.SyntaxUnexpected},
	MissingComma:     {"missing comma", "puts a comma in before a bracket", 9, true, fault.SyntaxUnexpected},
	MissingEnd:       {"missing bracket", "closes what is open", 11, false, fault.SyntaxUnclosedBracket},
	MissingTerm:      {"missing term", "puts a term in, which is lost", 11, true, fault.SyntaxIncomplete},
	UnopenedGraph:    {"missing {", "opens a graph", 10, false, fault.SyntaxStray},
	UnclosedGraph:    {"missing }", "closes the graph", 8, false, fault.SyntaxStray},
	UnopenedBracket:  {"missing [ or (", "opens a bracket", 13, true, fault.SyntaxUnexpected},
	OtherSign: {"other sign for a dot", "reads a comma at the end of a line, or a semicolon after a directive, as a dot", 10,
		false, fault.SyntaxMissingDot},
	CommaForSemicolon: {"comma for a semicolon", "reads a comma as a semicolon", 10, true, fault.SyntaxStray},
	OtherBracket:      {"bracket for another", "reads a bracket as another one", 10, true, fault.SyntaxUnexpected},
	Reopened:          {"early }", "goes on with what the } before has ended", 10, true, fault.SyntaxUnexpected},
	BrokenOff:         {"broken line", "ends what is open where a line begins", 12, true, fault.SyntaxUnexpected},
}

// What the same edit costs once more, or within another one.
const (
	again       Damage = 4 // one more term is left out behind another
	anotherly   Damage = 2 // one more word
	anotherLine Damage = 7 // one more line
	lineWithin  Damage = 2 // more, if it is within a statement
	filled      Damage = 3 // a term is missing where a line breaks off
	closed      Damage = 7 // a bracket is not closed there
	closedLost  Damage = 1 // or may be, in text that is left out
	cutOff      Damage = 5 // something is open where the text ends
)

// What speaks against a reading, besides its edits. See [Doubts].
const (
	Strange   Damage = 5  // a name that never was a predicate stands as one, or a predicate as a subject
	Displaced Damage = 6  // a line begins where such lines do not
	Tagged    Damage = 8  // what looks like a tag of HTML is a term
	unclosed  Damage = 6  // the next brace is a { in a graph
	unopened  Damage = 14 // it is a } outside of graphs
	unknown   Damage = 3  // less, if a term that is left out has a prefix that is not declared
	atLine    Damage = 4  // less, if what is missing is at the end of a line
	inComment Damage = 8  // less, if a comment right behind a name may hide it
)

// near is how much more damage another reading may have to be as good: what the two do not share is not sure.
const near Damage = 4

// beyond is how much more than the least a reading may have to be followed at all.
const beyond Damage = 22
