package quote

import (
	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/text"
	"laundromat/text/token"
)

// Listener hears what is doubtful.
type Listener interface{ Notice(n fault.Notice) }

// Complete gives an article the quotations of its text, beside those that it has of elements, and returns their marks,
// by which tokens are repaired. Source is the
// document that the article was made of: marks that never close are told with their place in it.
func Complete(a *text.Article, source []byte, to Listener) []token.Mark {
	r := Find(a.Text, Options{Language: a.Language, Blocks: a.Blocks})
	a.Quotes = beside(r.Quotes, a.Quotes)
	at := fault.Pos{Line: 1, Column: 1}
	for _, s := range r.Unclosed {
		offset := min(a.Places.Source(s).Start, len(source))
		if int64(offset) < at.Offset { // the text is not in the order of the document
			at = fault.Pos{Line: 1, Column: 1}
		}
		at = page.Advance(at, source[at.Offset:offset])
		to.Notice(fault.Notice{Code: fault.TextUnclosedQuote, Severity: fault.Note, Pos: at,
			Message: "the quotation mark has no other that closes it", Excerpt: fault.Excerpt([]byte(excerpt(a.Text, s)))})
	}
	return r.Marks
}

// beside adds the quotations of elements to those that have marks. One with marks in or around it is there already.
func beside(found, marked []text.Quote) []text.Quote {
	if len(marked) == 0 {
		return found
	}
	all := make([]text.Quote, 0, len(found)+len(marked))
	for _, q := range marked {
		for len(found) > 0 && found[0].End <= q.Start {
			all, found = append(all, found[0]), found[1:]
		}
		if len(found) == 0 || found[0].Start >= q.End {
			all = append(all, q)
		}
	}
	return append(all, found...)
}

// excerpt is a mark with the text behind it, up to the end of its line.
func excerpt(s string, mark text.Span) string {
	end := mark.Start
	for end < len(s) && s[end] != '\n' && end-mark.Start < 2*fault.MaxExcerpt {
		end++
	}
	return s[mark.Start:end]
}
