package turtle

import (
	"fmt"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/repair"
)

// wanted names what is expected, for messages.
var wanted = [...]string{
	grammar.Block: "the beginning of a statement", grammar.Prefix: "the prefix and its colon", grammar.Namespace: "an IRI",
	grammar.BaseIRI: "an IRI",
	grammar.Version: "a version in quotation marks", grammar.DirectiveEnd: "the dot of a directive",
	grammar.GraphLabel: "the label of a graph", grammar.GraphOpen: "the { of a graph",
	grammar.FirstVerb: "a predicate", grammar.NextVerb: "a predicate", grammar.Object: "an object",
	grammar.Tag:        "a comma, semicolon or dot",
	grammar.LateCarets: "a comma, semicolon or dot", grammar.Datatype: "the IRI of a datatype",
	grammar.LateTag: "a comma, semicolon or dot", grammar.End: "a comma, semicolon or dot",
	grammar.Member: "a member of a list or )", grammar.TripleSubject: "the subject of a triple", grammar.TripleVerb: "a predicate",
	grammar.TripleObject: "the object of a triple",
	grammar.TripleEnd:    "the end of a triple", grammar.Reifier: "a reifier", grammar.AnonEnd: "]",
}

// noticeOf is the notice of an edit, which begins at the current token.
func (r *Reader) noticeOf(c *repair.Change) fault.Notice {
	n := r.plainNotice(c)
	n.Bytes = max(c.To-c.From, 0)
	return n
}

func (r *Reader) plainNotice(c *repair.Change) fault.Notice {
	row := &repair.Table[c.Row]
	due := wanted[r.at.Expect]
	if c.Code == fault.SyntaxName && r.Tok.Code == "" {
		return r.unescaped()
	}
	if c.Code == fault.SyntaxUnclosedString && r.Tok.Kind == lex.String {
		return r.Notice(c.Code, fault.Drop, r.Tok.Pos, "quotation marks that are not escaped as \\\" seem to be within this string")
	}
	inDirective := r.expectsDirective()
	switch c.Row {
	case repair.WrongTerm:
		return r.Misplaced(due)
	case repair.MissingTerm:
		atVerb := r.at.Expect == grammar.FirstVerb || r.at.Expect == grammar.NextVerb
		switch k := r.Tok.Kind; {
		case inDirective:
			return r.Notice(fault.SyntaxDirective, fault.Drop, r.Tok.Pos, "%s is where this directive needs %s", k, due)
		case r.at.Expect == grammar.Block, atVerb && (k.IsTerm() || k.Opens()):
			return r.Misplaced(due)
		}
		return r.Notice(row.Code, fault.Drop, r.Tok.Pos, "%s is missing before %s", due, r.Tok.Kind)
	case repair.OtherSign:
		if inDirective {
			return r.Notice(fault.SyntaxDirective, fault.Repair, r.Tok.Pos, "%s stands for the dot of the directive", r.Tok.Kind)
		}
		return r.Notice(row.Code, fault.Repair, r.Tok.Pos, "a comma stands for the dot at the end of the statement")
	case repair.MissingDot:
		return r.missingDot(c, inDirective)
	case repair.MissingEnd:
		return r.Notice(row.Code, fault.Drop, r.Tok.Pos, "%s is here, but the bracket that was opened on line %d is not closed",
			r.Tok.Kind, r.top().pos.Line)
	case repair.UnopenedGraph:
		return r.Notice(row.Code, fault.Repair, r.Tok.Pos, "the { of this graph is missing")
	case repair.UnclosedGraph:
		return r.Notice(row.Code, fault.Repair, r.Tok.Pos, "the graph before is not closed; it was taken to end here")
	case repair.CommaForSemicolon:
		if isRepair(c) {
			return r.Notice(row.Code, fault.Repair, r.Tok.Pos, "a comma is used here for a semicolon")
		}
	case repair.StraySign, repair.StrayBrace:
		if isRepair(c) && isNaming(r.Bytes(&r.Tok)) {
			return r.Notice(row.Code, fault.Repair, r.Tok.Pos, "%s is between the name of this graph and its {, as TriG once had it; "+
				"it was ignored", r.Bytes(&r.Tok))
		}
		if isRepair(c) {
			return r.Notice(row.Code, fault.Repair, r.Tok.Pos, "%s has no meaning here; it was ignored", r.Tok.Kind)
		}
	}
	return r.Unexpected(due)
}

// missingDot is the notice of a dot that is put in.
func (r *Reader) missingDot(c *repair.Change, inDirective bool) fault.Notice {
	what := "statement"
	if inDirective {
		what = "directive"
	}
	switch {
	case !c.Spoils && r.at.Expect == grammar.NextVerb:
		return r.Notice(fault.SyntaxMissingDot, fault.Repair, r.Ended, "the semicolon before ends the statement: a dot was meant")
	case !c.Spoils:
		return r.Notice(fault.SyntaxMissingDot, fault.Repair, r.Ended, "the dot at the end of this %s is missing", what)
	case c.Noted:
		return r.Notice(fault.SyntaxName, fault.Drop, r.Ended, "a comment begins at the # right after this name, and hides the end of "+
			"the statement; in a name it is written \\#")
	}
	return r.Unexpected(wanted[r.at.Expect])
}

// unescaped is the notice of a name with a sign right behind it that must be escaped in one.
func (r *Reader) unescaped() fault.Notice {
	n := r.Notice(fault.SyntaxName, fault.Drop, r.Tok.Pos, "")
	r.peek(r.Tok.To + utf8.UTFMax)
	sign, _ := utf8.DecodeRune(r.Buf[r.Tok.To-r.Base:])
	if sign < utf8.RuneSelf {
		n.Message = fmt.Sprintf("the sign %c must be escaped in a prefixed name, as \\%c", sign, sign)
	} else {
		n.Message = fmt.Sprintf("the sign %c can't occur in a prefixed name, and has no escape; an IRI in < > may hold it", sign)
	}
	return n
}
