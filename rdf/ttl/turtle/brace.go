package turtle

import (
	"bytes"

	"laundromat/rdf/ttl/lex"
)

// maxBrace is how many bytes are looked at for the next { or }.
const maxBrace = 1 << 20

// brace is the { or } that was found last, at an offset, and from where on it is the next one.
type brace struct {
	kind     lex.Kind
	from, at int64
}

// nextBrace is the kind of the next { or } in the text, by its bytes: behind the current token with skip, else from it
// on. EndOfText is none, and Stopped one that is too far. A brace in a string or comment may be taken for one.
func (r *Reader) nextBrace(skip bool) lex.Kind {
	from := r.Tok.From
	if skip {
		from = r.Tok.To
	}
	keep := r.Keep
	defer func() { r.Keep = keep }()
	if keep < 0 || keep > r.Tok.From {
		r.Keep = r.Tok.From
	}
	for whole := false; ; {
		if k, known := r.braceFrom(from, whole); known {
			return k
		}
		whole = !r.Refill()
	}
}

// braceFrom is the kind of the next { or } from an offset on. If whole is false, more of the text may be read, and
// known says whether the window shows all that is asked.
func (r *Reader) braceFrom(from int64, whole bool) (k lex.Kind, known bool) {
	if b := &r.graph.brace; from >= b.from && from <= b.at {
		return b.kind, true
	}
	text := r.Buf[from-r.Base:]
	isCut := len(text) >= maxBrace
	text = text[:min(len(text), maxBrace)]
	whole = whole || isCut || r.EOF
	for at := from; ; {
		k, i := firstBrace(text)
		switch {
		case !whole && (k == lex.EndOfText || i+1+maxDivider > len(text)):
			return 0, false
		case k != lex.EndOfText && i+1 < len(text) && dividesStatement(text[i+1:]):
			text, at = text[i+1:], at+int64(i+1) // it is too many in a statement
		case k == lex.EndOfText && isCut:
			return lex.Stopped, true
		case k == lex.EndOfText:
			return k, true
		default:
			r.graph.brace = brace{k, from, at + int64(i)}
			return k, true
		}
	}
}

// firstBrace is the first { or } in text, and where it is.
func firstBrace(text []byte) (lex.Kind, int) {
	for i, c := range text[:min(len(text), 8)] { // behind a } most often
		if c == '{' && (i+1 == len(text) || text[i+1] != '|') {
			return lex.OpenGraph, i
		} else if c == '{' || c == '}' {
			break
		}
	}
	for from, size := 0, 128; from < len(text); from, size = from+size, 2*size { // the other one may be very far
		piece := text[from:min(from+size, len(text))]
		closes := bytes.IndexByte(piece, '}')
		if closes >= 0 {
			piece = piece[:closes]
		}
		switch opens := bytes.IndexByte(piece, '{') + from; {
		case opens >= from && opens+1 < len(text) && text[opens+1] == '|':
			return lex.Stopped, opens
		case opens >= from:
			return lex.OpenGraph, opens
		case closes >= 0:
			return lex.CloseGraph, from + closes
		}
	}
	return lex.EndOfText, 0
}

// maxDivider is how many bytes behind a brace are looked at for a sign.
const maxDivider = 64

// dividesStatement says that text begins with a sign that stands within a statement.
func dividesStatement(text []byte) bool {
	text = bytes.TrimLeft(text[:min(len(text), maxDivider)], " \t\r\n")
	return len(text) > 0 && (text[0] == ';' || text[0] == ',' || text[0] == '.')
}

// confirmsBrace says that the next { or } behind the current token is one of kind k, and not in a string, an IRI or a
// comment. Behind a token that is broken, who knows.
func (r *Reader) confirmsBrace(k lex.Kind) bool {
	m := r.Mark()
	defer r.Reset(m)
	for from := r.Tok.From; r.Tok.From-from < maxBrace && !r.Beyond(); {
		switch r.Next(); {
		case r.Tok.Kind == lex.OpenGraph, r.Tok.Kind == lex.CloseGraph:
			return r.Tok.Kind == k
		case r.Tok.Kind == lex.EndOfText, r.Tok.Kind == lex.Stopped:
			return false
		case r.Tok.Code != "":
			return true
		}
	}
	return false
}
