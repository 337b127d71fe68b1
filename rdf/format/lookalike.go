package format

import (
	"bytes"
	"slices"

	"laundromat/internal/pattern"
)

// shapes finds what only ShEx has: a reference to a shape, how often a property may occur,
// kinds of nodes, and its keywords.
var shapes = pattern.New(
	`(?m)^\s*start\s*=|\b(?:EXTRA|CLOSED)\s|\s@(?:<[^>\s]*>|[\w.-]*:[\w.-]*)\s*[*+?;}]|\s(?:IRI|LITERAL|BNODE|NONLITERAL)\s*[*+?;}]|\s\.\s*(?:[*+?]\s*[;}]|;)`)

// isUpdate recognises an update of SPARQL with data, which looks like graphs with junk before.
func isUpdate(all []token) bool {
	for i := range all[:len(all)-1] {
		if !all[i].is("insert") && !all[i].is("delete") {
			continue
		}
		next, braced := all[i+1], i+2 < len(all) && all[i+2].kind == brace
		if (next.is("data") || next.is("where")) && braced || next.kind == brace && all[i].first {
			return true
		}
	}
	return false
}

// is says that a token is a word that Turtle does not know, in any case.
func (t token) is(word string) bool { return t.kind == junk && bytes.EqualFold(t.text, []byte(word)) }

// beginsQuery says that what comes first after the prefixes is a query of SPARQL, also one
// without variables.
func beginsQuery(all []token) bool {
	for _, t := range all {
		switch {
		case t.kind == directive, t.kind == dot, t.kind == version:
		default:
			return (t.is("select") || t.is("construct") || t.is("ask")) && hasBrace(all) || t.is("describe")
		}
	}
	return false
}

func hasBrace(all []token) bool {
	return slices.ContainsFunc(all, func(t token) bool { return t.kind == brace })
}

// isFormulae recognises N3 by a rule from one formula to another, as no dirt looks like, or by
// formulae as the objects of statements. Among many sound statements, so many, a few of these
// braces are dirt all the same.
func isFormulae(all []token, statements int) bool {
	formulae := 0
	for i := range all {
		if i+3 < len(all) && all[i].kind == unbrace && (all[i+1].kind == n3 || all[i+1].implies()) && all[i+2].kind == brace &&
			beginsFormula(all[i+3:]) {
			return true
		}
		begins := i == 0 || all[i-1].kind == dot || all[i-1].kind == directive
		if begins && all[i].first && i+3 < len(all) && all[i].resource() && all[i+1].predicate() && all[i+2].kind == brace &&
			all[i+1].line == all[i].line && all[i+2].line == all[i].line && beginsFormula(all[i+3:]) {
			formulae++
		}
	}
	return formulae > 0 && formulae*strays >= statements
}

// beginsFormula says that a statement, or the } of an empty formula, is after a brace, and no
// predicate with its object.
func beginsFormula(all []token) bool {
	switch all[0].kind {
	case unbrace, variable, open, brace, n3:
		return true
	}
	return len(all) > 2 && all[0].resource() && (all[1].predicate() || all[1].kind == variable) && (all[2].term() || all[2].kind == open ||
		all[2].kind == variable)
}

// implies says whether a token is the predicate that => is short for, or that <= is, which
// would name a graph in TriG.
func (t token) implies() bool {
	switch string(t.text) {
	case "log:implies", "log:impliedBy", "<http://www.w3.org/2000/10/swap/log#implies>", "<http://www.w3.org/2000/10/swap/log#impliedBy>":
		return true
	}
	return false
}

// isShapes recognises ShEx by what is in all its braces: a property, and after that at once
// what its values are.
func isShapes(all []token) bool {
	shapes := 0
	for i := range all {
		if all[i].kind != brace {
			continue
		}
		if i == 0 || !all[i-1].resource() || i+3 >= len(all) || !all[i+1].predicate() {
			return false
		}
		switch second, third := all[i+2].kind, all[i+3].kind; {
		case second == dot, second == open:
		case all[i+2].term() && (third == more || third == unbrace):
		default:
			return false
		}
		shapes++
	}
	return shapes > 0
}

// isQuery distinguishes SPARQL from Turtle that lost its way.
func isQuery(all []token) bool {
	for _, t := range all {
		for _, word := range []string{"select", "construct", "ask", "describe", "insert", "delete", "where"} {
			if t.is(word) {
				return true
			}
		}
	}
	return false
}
