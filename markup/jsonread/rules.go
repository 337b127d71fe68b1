package jsonread

import "laundromat/internal/rule"

// ruleNumber is a rule of recovery. Each is a row of [Rules].
type ruleNumber uint8

// The first rules are the ways to mend a fault, by the numbers of wayKind.
const (
	// What a trial of a way counts as evidence.
	trialFaults = ruleNumber(wayKinds) + iota
	trialSense
	trialEnd
	trialLayout
	// What shows where an item of an array ends.
	lineOfItem
	lineSurvey
	lineRunsOn
	lineWrong
	bracketOutside
	itemResumes
	itemOfTypes
	itemOfInner
	itemSwallows
	itemMendedAgain
	objectEndsBefore
	nodesInMember
	// What shows where a top-level value ends.
	valueOnLine
	valueApart
	valueBehind
	lineOfNoObject
	// What is left out or read between tokens.
	fillers
	// What a broken token is taken for.
	tokenTripled
	tokenAmidIRI
	tokenMarkInside
	tokenUnopened
	tokenBareMember
	tokenBareValue
	tokenSingle
	tokenIntruder
	tokenSemicolon
	tokenPlaceholder
	// What is lost or in doubt by a fault.
	doubtNumber
	doubtLast
	doubtUnsure
	doubtLiteral
	doubtNoMembers
	doubtHollow
	doubtAskew
	doubtLeft
	doubtNameless
	doubtNoNode
	doubtReference
	doubtKeyword
	doubtCut
	doubtLine
	doubtTwoIDs
	doubtRepeat
	keepAdrift
	loseContextName
)

// Rules are the rules by which this package goes on behind faults.
var Rules = &rule.Table{Package: "markup/jsonread", Rules: []rule.Rule{
	wayDelete:    {Name: "leave out", Does: "The token is too much; without the rule only where nothing else fits."},
	wayClose:     {Name: "close", Does: "Closing brackets are missing before the token."},
	wayComma:     {Name: "put in a comma", Does: "A comma is missing before the token."},
	wayClosing:   {Name: "leave out a last comma", Does: "The comma before a closing bracket is too much."},
	wayNoValue:   {Name: "no value", Does: "The value before the token is missing."},
	wayNoColon:   {Name: "put in a colon", Does: "The colon after a name is missing."},
	wayOpen:      {Name: "put in a brace", Does: "The brace of an object is missing before the token."},
	wayOpenBoth:  {Name: "put in a bracket and a brace", Does: "Both are missing before the token."},
	wayCloseOpen: {Name: "close, and put in a brace", Does: "Closing brackets are missing before the token, and a brace after them."},
	wayOrphan:    {Name: "no name", Does: "The name before an object or array is missing."},
	wayArray:     {Name: "put in a bracket", Does: "The bracket before the last value, the first of an array, is missing."},
	wayTake:      {Name: "half a value", Does: "The token is half a value, which is lost."},
	wayName:      {Name: "half a name", Does: "The token is half a name, which is lost with its value."},
	wayAgain:     {Name: "open again", Does: "The closing bracket before was too much."},
	wayOther:     {Name: "another bracket", Does: "The token stands for the other closing bracket."},
	waySwap:      {Name: "swap brackets", Does: "Two closing brackets are the wrong way round."},
	wayIgnore:    {Name: "ignore the column", Does: "Only the column of the token is wrong."},
	wayUnnamed:   {Name: "no name before a colon", Does: "The name before the colon is missing."},
	wayDecimal:   {Name: "decimal comma", Does: "Two numbers are one with a decimal comma, which is lost."},

	trialFaults: {Name: "pass later faults", Does: "A trial goes on after up to four more faults."},
	trialSense:  {Name: "sense of names", Does: "A name must be one that its object can have."},
	trialEnd:    {Name: "end of the value", Does: "A way is better by which the value ends."},
	trialLayout: {Name: "columns", Does: "In a text that is laid out tokens must be in their columns."},

	lineOfItem:     {Name: "lines begin items", Does: "Where sound items begin lines in one column, a brace there begins an item."},
	lineSurvey:     {Name: "survey of lines", Does: "Where no item was sound yet, the lines ahead show the column of items."},
	lineRunsOn:     {Name: "runs on", Does: "A sound item with more after it on its line has not ended."},
	lineWrong:      {Name: "wrong lines", Does: "A sound item that ends in another column than it began is not sound."},
	bracketOutside: {Name: "what follows a bracket", Does: "A bracket closes an array only if what can follow it does."},
	itemResumes:    {Name: "sound items follow", Does: "A broken item ends before sound ones that end the array, or are many."},
	itemOfTypes:    {Name: "no node among types", Does: "An object in the array of an @type begins an item."},
	itemOfInner: {Name: "inner items", Does: "An object that begins as those of an array in the broken item do, and not as the " +
		"item, is one of them."},
	itemSwallows:     {Name: "swallowed items", Does: "A sound item that holds those after it, at the end of the text, is not sound."},
	itemMendedAgain:  {Name: "mend again", Does: "A long item is mended again, with fewer sound ones as a sign of its end."},
	objectEndsBefore: {Name: "ran over", Does: "An object with a name that it can't have has ended before."},
	nodesInMember:    {Name: "nodes in a member", Does: "An array of nodes in an object is read item by item."},

	valueOnLine:    {Name: "a value a line", Does: "Where each line holds a value, a broken one ends with its line."},
	valueApart:     {Name: "a value apart", Does: "A broken value ends before sound objects that are apart."},
	valueBehind:    {Name: "a value after", Does: "A sound object after a broken one, on its line, is read."},
	lineOfNoObject: {Name: "a line of no object", Does: "Among lines that are objects, one that is none is lost alone."},

	fillers: {Name: "fillers", Does: "Comments, marks that can't be seen and tags between tokens are left out."},

	tokenTripled:     {Name: "three quotation marks", Does: "A string between three marks and three is one lost string."},
	tokenAmidIRI:     {Name: "mark in an IRI", Does: "A quotation mark in an IRI opens no string."},
	tokenMarkInside:  {Name: "mark in a string", Does: "A string with a mark in it ends at the next one that closes."},
	tokenUnopened:    {Name: "string not opened", Does: "Text that ends with a closing mark is a string not opened."},
	tokenBareMember:  {Name: "bare name on a line", Does: "A name without marks on a line of its own is read, with its value."},
	tokenBareValue:   {Name: "bare name and number", Does: "A name without marks is read before a number or word."},
	tokenSingle:      {Name: "apostrophes", Does: "A string in apostrophes is read."},
	tokenIntruder:    {Name: "foreign line", Does: "A line of words among indented lines is lost alone."},
	tokenPlaceholder: {Name: "placeholder", Does: "A leftover of a template, such as {{ name }}, stands for a value that is lost."},
	tokenSemicolon:   {Name: "semicolon", Does: "A semicolon stands for a comma."},

	doubtNumber: {Name: "doubt a last number", Does: "A number before a line end with something missing may go on, and is lost."},
	doubtLast:   {Name: "doubt a last value", Does: "A string or number before what is left out is lost."},
	doubtUnsure: {Name: "doubt members of the last object",
		Does: "Without its brace, text that may belong to an object or its last value " +
			"is lost."},
	doubtLiteral:   {Name: "doubt a literal", Does: "A literal without its brace may lack its type, and is lost."},
	doubtNoMembers: {Name: "doubt an empty object", Does: "An object without its brace and members is lost."},
	doubtHollow:    {Name: "doubt a hollow object", Does: "An object that holds nothing, near a mended bracket, is lost."},
	doubtAskew: {Name: "doubt what brackets hold",
		Does: "Where a mended bracket shows no place, all that is read is reported as repaired."},
	doubtLeft:       {Name: "doubt what is left", Does: "A reference after a broken item may be what is left of it."},
	doubtNameless:   {Name: "doubt a node without @id", Does: "Near a fault, a node without the @id that all others have is lost."},
	doubtNoNode:     {Name: "doubt a value among nodes", Does: "Near a fault, a value where all others are nodes is lost."},
	doubtReference:  {Name: "doubt a reference", Does: "A reference among nodes that holds no others is what is left of one."},
	doubtKeyword:    {Name: "doubt a keyword as a value", Does: "A keyword among values was a name, and is lost."},
	doubtCut:        {Name: "doubt a cut object", Does: "Of an object that is cut off only what is sure to be about it is kept."},
	doubtLine:       {Name: "doubt the rest of a line", Does: "A line without the context with which all begin is lost."},
	doubtTwoIDs:     {Name: "doubt two @id", Does: "An object with two @id was two, and neither holds for sure."},
	doubtRepeat:     {Name: "doubt opening again", Does: "A closed object is not opened again if it has the names that follow."},
	keepAdrift:      {Name: "keep nodes adrift", Does: "The nodes in the value of a lost name are kept."},
	loseContextName: {Name: "lose a name of a context", Does: "A broken name in a context costs only what may need it."},
}}

// ruleSwitch says which rules hold: in the program, all.
type ruleSwitch struct{ *rule.Switch }

func (s ruleSwitch) on(number ruleNumber) bool { return s.On(int(number)) }
