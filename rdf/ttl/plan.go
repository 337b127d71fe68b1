package ttl

import (
	"laundromat/rdf/ttl/lex"
)

// plan is a place to go on, and how.
type plan struct {
	act    act
	frames int // that stay open
	score  int
	tilde  bool // a reifier of the frame was skipped
	other  bool // a predicate may have been skipped
	verb   bool // so, clearly: a semicolon, or what may be a predicate and its object
	// unsure says that the members of a list that were skipped can't be counted. With
	// midLine, the place is after the end of a string in three quotes, with more on its
	// line.
	unsure, midLine bool
	odd             bool // a [ may be missing before the place
	begun           bool // another statement may have begun within the name before the fault
	closed          bool // the graph before was most likely closed before the place
	closing         bool // a bracket of the frame, or of one around it, was skipped
	at              lex.Mark
	string          lex.Token // in which the place lies
}

// act is how reading goes on.
type act uint8

const (
	nowhere        act = iota
	goOnBehind         // as after an object, which is lost; so with the next two
	goOnUnknown        // and the predicate is not known
	goOnTag            // as after the string of a literal
	goOnObject         // with a bracket as the object
	goOnVerb           // with a predicate
	goOnBehindDot      // with a predicate after the current dot
	goOnMember         // with a member of a list, or its )
	goOnClosing        // with the >> of a triple
	goOnDot            // after the dot or } of the statement
	goOnStatement      // with a statement
	goOnSubject        // the object that was lost was the subject of a statement
	goOnPredicate      // the predicate was the subject of a statement
	goOnUnopened       // and the subject was the label of a graph whose { is missing
	goOnBothBefore     // predicate and object were subject and predicate of a statement
)
