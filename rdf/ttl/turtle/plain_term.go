package turtle

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
)

var (
	typeIRI   = []byte(rdf.Type)
	typeBytes = rdf.BytesOf(typeIRI)
	integer   = []byte(rdf.XSD + "integer")
	decimal   = []byte(rdf.XSD + "decimal")
	boolean   = []byte(rdf.XSD + "boolean")
)

// set makes w an IRI. Of other terms it has been a blank node alone.
func (w *wording) set(kind rdf.Kind, seen rdf.Bytes, value []byte, pos fault.Pos) {
	w.Kind, w.Bytes, w.Value, w.Anonymous, w.Pos = kind, seen, value, 0, pos
}

// fits says that a token from the next byte up to index end is no longer than may be, nor is what shows its end.
func (r *Reader) fits(end int) bool { return end > 0 && end-r.Pos < r.MaxToken-8 }

// plainNode reads a subject, which begins with c.
func (r *Reader) plainNode(w *wording, c byte) bool {
	if c == '_' {
		w.from, w.colon = r.Pos, 0
		return r.plainLabel(&w.Term)
	}
	return r.plainIRI(w, c)
}

func (r *Reader) plainLabel(t *rdf.Term) bool {
	end := lex.PlainLabel(r.Buf, r.Pos)
	if !r.fits(end) {
		return false
	}
	*t = rdf.Term{Kind: rdf.BlankNode, Value: r.Buf[r.Pos+2 : end : end], Pos: r.Place()}
	r.Pos = end
	return true
}

// plainVerb reads a predicate, which begins with c.
func (r *Reader) plainVerb(w *wording, c byte) bool {
	if c == 'a' && r.Pos+1 < len(r.Buf) && isWhite(r.Buf[r.Pos+1]) {
		w.set(rdf.IRI, typeBytes, typeIRI, r.Place())
		w.from, w.to, w.colon = r.Pos, r.Pos+1, 0
		r.Pos++
		return true
	}
	return r.plainIRI(w, c)
}

// plainIRI reads an IRI or a name, which begins with c.
func (r *Reader) plainIRI(w *wording, c byte) bool {
	w.from, w.colon = r.Pos, 0
	if c == '<' {
		end, seen := lex.PlainIRI(r.Buf, r.Pos)
		if !r.fits(end) {
			return false
		}
		w.set(rdf.IRI, seen, r.Buf[r.Pos+1:end-1:end-1], r.Place())
		w.to = end
		r.Pass(end, seen)
		return true
	}
	if c != ':' && lex.Class[c]&lex.Letter == 0 {
		return false
	}
	end, colon, seen := lex.PlainWord(r.Buf, r.Pos)
	return colon >= 0 && r.plainName(w, end, colon, seen)
}

// plainName takes a name up to index end.
func (r *Reader) plainName(w *wording, end, colon int, seen rdf.Bytes) bool {
	if !r.fits(end) {
		return false
	}
	prefix := r.Buf[r.Pos:colon]
	if w.space == nil || w.space.Prefix != string(prefix) {
		w.space, w.spaceBytes = r.PlainNamespace(prefix)
		if w.space == nil {
			return false
		}
		w.iri = append(w.iri[:0], w.space.IRI...)
	}
	w.iri = append(w.iri[:len(w.space.IRI)], r.Buf[colon+1:end]...)
	w.set(rdf.IRI, seen|w.spaceBytes, w.iri, r.Place())
	w.from, w.to, w.colon = r.Pos, end, colon
	r.Pass(end, seen)
	return true
}

// plainObject reads an object, which begins with c. It returns what is expected behind it.
func (r *Reader) plainObject(c byte) (expects grammar.Expect, isPlain bool) {
	t := &r.quad.Object
	switch c {
	case '"':
		return r.plainLiteral(t)
	case '_':
		return grammar.End, r.plainLabel(t)
	case '<':
	case '+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		end, kind := lex.PlainNumber(r.Buf, r.Pos)
		datatype := integer
		if kind == lex.Decimal {
			datatype = decimal
		}
		return grammar.End, r.plainShort(t, end, datatype)
	case 't', 'f':
		end, colon, _ := lex.PlainWord(r.Buf, r.Pos)
		if word := r.Buf[r.Pos:max(end, r.Pos)]; colon < 0 && (string(word) == "true" || string(word) == "false") {
			return grammar.End, r.plainShort(t, end, boolean)
		}
	}
	w := &r.plain.object
	if !r.plainIRI(w, c) {
		return 0, false
	}
	*t = rdf.Term{Kind: rdf.IRI, Bytes: w.Bytes, Value: w.Value, Pos: w.Pos}
	return grammar.End, true
}

// plainShort takes a literal without quotation marks up to index end.
func (r *Reader) plainShort(t *rdf.Term, end int, datatype []byte) bool {
	if !r.fits(end) {
		return false
	}
	*t = rdf.Term{Kind: rdf.Literal, Value: r.Buf[r.Pos:end:end], Datatype: datatype, Pos: r.Place()}
	r.Pos = end
	return true
}

// plainLiteral reads a string with what follows it at once.
func (r *Reader) plainLiteral(t *rdf.Term) (expects grammar.Expect, isPlain bool) {
	end, seen, escaped := lex.PlainString(r.Buf, r.Pos)
	if !r.fits(end) {
		return 0, false
	}
	value := r.Buf[r.Pos+1 : end-1 : end-1]
	if escaped {
		text, found := lex.AppendString(r.plain.text[:0], value)
		r.plain.text, value = text, text
		if len(found) > 0 {
			return 0, false
		}
	}
	*t = rdf.Term{Kind: rdf.Literal, Bytes: seen, Value: value, Pos: r.Place()}
	r.Pass(end, seen)
	switch r.Buf[end] { // PlainString has seen it
	case '@':
		tag := lex.PlainTag(r.Buf, end)
		if !r.fits(tag) {
			return 0, false
		}
		t.Language = r.Buf[end+1 : tag : tag]
		r.Pos = tag
		return grammar.LateCarets, true
	case '^':
		if end+2 >= len(r.Buf) || r.Buf[end+1] != '^' {
			return 0, false
		}
		r.Pos += 2
		w := &r.plain.datatype
		isPlain = r.plainIRI(w, r.Buf[r.Pos])
		t.Datatype = w.Value
		return grammar.LateTag, isPlain
	}
	return grammar.Tag, true
}
