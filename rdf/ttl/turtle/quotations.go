package turtle

import (
	"slices"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/repair"
)

// joinQuotations makes one broken term of each string with a quotation in it whose marks are not escaped, as in
// "He said "hi" to me". Where a string without an end is on the line, nothing shows which marks are too many.
func joinQuotations(p *repair.Problem) {
	for i := 0; i < len(p.Tokens); i++ {
		end := endOfQuotation(p.Tokens[i:]) + i
		if end == i {
			continue
		}
		t := &p.Tokens[i]
		for _, o := range p.Tokens[i+1 : end+1] {
			t.Brackets, t.Braces = t.Brackets || o.Brackets, t.Braces || o.Braces
		}
		t.Kind, t.Code, t.To, t.Noted = lex.Broken, fault.SyntaxUnclosedString, p.Tokens[end].To, p.Tokens[end].Noted
		p.Tokens = slices.Delete(p.Tokens, i+1, end+1)
		switch {
		case p.Fault > end:
			p.Fault -= end - i
		case p.Fault > i:
			p.Fault = i
		}
	}
}

// endOfQuotation is the last token of the string with quotations in it that tokens begin with, and of its language or
// datatype. It is 0 if they begin with no such string. Something is right behind the first mark within, and right
// before the last.
func endOfQuotation(tokens []repair.Token) (end int) {
	begins := func(i int) bool { return i < len(tokens) && tokens[i].Glued && isText(&tokens[i]) }
	if tokens[0].Kind != lex.String || tokens[0].Long || !begins(1) {
		return 0
	}
	for i := 1; i < len(tokens) && tokens[i].Line == tokens[0].Line; i++ {
		switch t := &tokens[i]; {
		case t.Kind == lex.Unclosed:
			return 0
		case t.Kind != lex.String, end > 0 && !begins(end+1):
		case t.Glued && (isText(&tokens[i-1]) || tokens[i-1].Kind == lex.Dot):
			end = i
		default:
			return 0
		}
	}
	if end == 0 {
		return 0
	}
	isGlued := func(i int) bool { return i < len(tokens) && tokens[i].Glued }
	if isGlued(end+1) && tokens[end+1].Kind == lex.Language {
		return end + 1
	} else if isGlued(end+2) && tokens[end+1].Kind == lex.Carets && tokens[end+1].Glued {
		return end + 2
	}
	return end
}

// isText says that a token may be in the text of a string. A name may be there too, but it stands right behind a string
// as well where a sign between them is missing.
func isText(t *repair.Token) bool { return isWord(t) || t.Kind == lex.Symbol }
