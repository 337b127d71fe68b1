// Package terms makes the terms of RDF of tokens of Turtle, N-Triples and N-Quads. It decodes them,
// resolves what is relative, and repairs what has one meaning.
//
// A repair waits until its statement is given to the sink ([Reader.Tell]), or is forgotten with it
// ([Reader.Withdraw]).
package terms

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/internal/pattern"
	"laundromat/internal/rfc3986"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
)

// Reader makes terms of tokens: it decodes, resolves and repairs them. Both the readers of lines (for
// lines that are not plain) and of Turtle are built on it.
type Reader struct {
	*lex.Lexer
	BaseIRI Base
	// Prefixes holds the namespace of each prefix, without its colon.
	Prefixes map[string]*Namespace
	To       rdf.Sink
	scratch  []byte
	Pending  []fault.Notice // repairs of the statement that is being read
	Told     int64          // how many pending notices were given or withdrawn before those
	Problem  fault.Notice   // why the last term was lost
	hosts    rdf.HostNames
	Edits    bool // repairs carry their edits
}

// New makes terms of the tokens of l, and gives its findings to to.
func New(l *lex.Lexer, to rdf.Sink) Reader {
	return Reader{Lexer: l, To: to, Prefixes: map[string]*Namespace{}}
}

// Namespace is what a prefix means.
type Namespace struct {
	Prefix     string
	IRI        []byte
	Repaired   bool       // the IRI is not what the document says, but what it means
	EndsInHost bool       // names may run into its host
	Dead       fault.Code // why the prefix has no IRI
	bytes      rdf.Bytes  // the kinds of those of the IRI; 0 if they were not looked at
}

// Held is a term that outlives its token. Its bytes are its own.
type Held struct {
	rdf.Term
	Buf      []byte
	Repaired bool
	Dead     fault.Code // why there is no term; the notice was given
}

// Clear makes h no term. Its buffer is kept, unless it is very large.
func (h *Held) Clear() {
	if cap(h.Buf) > largeBuffer {
		h.Buf = nil
	}
	h.Term = rdf.Term{}
	h.Repaired, h.Dead = false, ""
}

// largeBuffer is how large a buffer of a term may be that is kept, in bytes.
const largeBuffer = 1 << 20

// SetNode makes h the blank node of number n.
func (h *Held) SetNode(n uint64, pos fault.Pos) {
	h.Clear()
	h.Kind, h.Anonymous, h.Pos = rdf.BlankNode, n, pos
}

// Copy makes h the term of other, with bytes of its own.
func (h *Held) Copy(other *Held) {
	buf := append(h.Buf[:0], other.Value...)
	*h = Held{Term: other.Term, Buf: buf, Repaired: other.Repaired, Dead: other.Dead}
	if other.Value != nil {
		h.Value = buf
	}
}

// SetIRI makes h a well-known IRI.
func (h *Held) SetIRI(iri string, pos fault.Pos) {
	h.Clear()
	h.Buf = append(h.Buf[:0], iri...)
	h.Kind, h.Value, h.Pos = rdf.IRI, h.Buf, pos
}

// Take makes a term of the current token. That must be an IRI, a name, a label, the keyword a, or a
// literal without its datatype and language. False means that there is none: h.Dead and t.Problem say
// why.
func (t *Reader) Take(h *Held) bool {
	h.Clear()
	h.Pos = t.Tok.Pos
	switch t.Tok.Kind {
	case lex.IRI:
		return t.takeIRI(h)
	case lex.Name:
		return t.takeName(h)
	case lex.Label:
		h.Kind = rdf.BlankNode
		h.Buf = append(h.Buf[:0], t.Bytes(&t.Tok)[2:]...)
		h.Value = h.Buf
		if t.Tok.Forbidden {
			h.Repaired = true
			t.Repair(fault.BlankNodeLabel, h.Pos, "this label holds a character that no label may hold; it was encoded")
		}
	case lex.A:
		h.SetIRI(rdf.Type, h.Pos)
	case lex.Arrow:
		return t.takeArrow(h)
	case lex.String:
		return t.takeString(h)
	case lex.Integer:
		t.takePlain(h, rdf.XSD+"integer")
	case lex.Decimal:
		t.takePlain(h, rdf.XSD+"decimal")
	case lex.Double:
		t.takePlain(h, rdf.XSD+"double")
	case lex.Boolean:
		t.takePlain(h, rdf.XSD+"boolean")
	default:
		return t.fail(h, t.Tok.Code, t.Tok.Pos, "%s", t.Tok.Message)
	}
	return true
}

// takeArrow makes a term of a sign of N3 that stands for a predicate.
func (t *Reader) takeArrow(h *Held) bool {
	switch string(t.Bytes(&t.Tok)) {
	case "=":
		h.SetIRI(rdf.SameAs, h.Pos)
	case "=>":
		h.SetIRI(rdf.Implies, h.Pos)
	default:
		return t.fail(h, t.Tok.Code, t.Tok.Pos, "%s", t.Tok.Message)
	}
	return true
}

func (t *Reader) takePlain(h *Held, datatype string) {
	text := t.Bytes(&t.Tok)
	h.Kind = rdf.Literal
	h.Buf = append(append(h.Buf[:0], text...), datatype...)
	h.Value, h.Datatype = h.Buf[:len(text):len(text)], h.Buf[len(text):]
}

func (t *Reader) takeString(h *Held) bool {
	if t.Tok.Code != "" {
		return t.fail(h, t.Tok.Code, t.Tok.Pos, "%s", t.Tok.Message)
	}
	h.Kind = rdf.Literal
	text := t.Bytes(&t.Tok)
	quote := int(t.Tok.Quote)
	text = text[quote : len(text)-quote]
	if t.Tok.Escaped {
		if !t.decode(h, lex.AppendString, text, quote) {
			return false
		}
	} else {
		h.Buf = append(h.Buf[:0], text...)
	}
	h.Value = h.Buf
	return true
}

// decode puts into the buffer of h what text means, which begins at an index of the current token.
func (t *Reader) decode(h *Held, how func(dst, raw []byte) ([]byte, []lex.Finding), text []byte, at int) bool {
	var found []lex.Finding
	h.Buf, found = how(h.Buf[:0], text)
	if n := len(found); n > 0 && found[n-1].Severity == fault.Drop {
		return t.fail(h, found[n-1].Code, t.Within(at+found[n-1].At), "%s", found[n-1].Message)
	}
	for _, f := range found {
		h.Repaired = true
		t.Repair(f.Code, t.Within(at+f.At), "%s", f.Message)
		if t.Edits {
			for _, e := range f.Edits(text) {
				begin := t.Tok.From + int64(at)
				t.EditLast(begin+e.From, begin+e.To, e.With)
			}
		}
	}
	return true
}

// NotBoth is the message of the notice on a literal with both.
const NotBoth = "a literal has a language tag or a datatype, not both"

// LacksLanguage says that the datatype of the literal h is that of texts in a language, and that it
// has none yet. A tag may follow the datatype.
func (t *Reader) LacksLanguage(h *Held) bool {
	return len(h.Language) == 0 && rdf.LanguageType(h.Datatype) != ""
}

// TakeLanguage gives the literal h the language tag that is the current token, with
// the direction in it.
func (t *Reader) TakeLanguage(h *Held) {
	datatype := rdf.LanguageType(h.Datatype)
	n, tag := len(h.Value), t.Bytes(&t.Tok)[1:]
	if t.Tok.Colon > 0 {
		tag = tag[:t.Tok.Colon-1]
	}
	h.Buf = append(h.Buf[:n], tag...)
	if t.Tok.Colon > 0 {
		name := t.Bytes(&t.Tok)[t.Tok.Colon+2:]
		lower := bytes.ToLower(name)
		h.Direction, _ = rdf.DirectionOf(lower)
		if !bytes.Equal(name, lower) {
			h.Repaired = true
			t.Repair(fault.LanguageDirection, t.Tok.Pos, "the direction of this language tag was read in small letters")
			t.EditLast(t.Tok.To-int64(len(name)), t.Tok.To, string(lower))
		}
	}
	if t.Tok.Forbidden {
		copy(h.Buf[n:], bytes.ReplaceAll(h.Buf[n:], []byte("_"), []byte("-")))
		h.Repaired = true
		t.Repair(fault.LanguageUnderscore, t.Tok.Pos, "the underscore in this language tag was read as a hyphen")
		t.editUnderscores()
	}
	end := len(h.Buf)
	h.Buf = append(h.Buf, datatype...)
	h.Value, h.Language, h.Datatype = h.Buf[:n:n], h.Buf[n:end:end], h.Buf[end:]
}

// editUnderscores makes hyphens of the underscores in the current token.
func (t *Reader) editUnderscores() {
	for i, b := range t.Bytes(&t.Tok) {
		if at := t.Tok.From + int64(i); b == '_' {
			t.EditLast(at, at+1, "-")
		}
	}
}

// TakeDatatype gives the literal h the datatype that is the current token, an IRI
// or a name.
func (t *Reader) TakeDatatype(h *Held, spare *Held) bool {
	if !t.TakeNamed(spare, "a datatype") {
		h.Dead = spare.Dead
		return false
	}
	n, end := len(h.Value), len(h.Value)+len(h.Language)
	h.Buf = append(h.Buf[:end], spare.Value...)
	h.Value, h.Language, h.Datatype = h.Buf[:n:n], h.Buf[n:end:end], h.Buf[end:]
	h.Repaired = h.Repaired || spare.Repaired
	return true
}

func (t *Reader) takeIRI(h *Held) bool {
	h.Kind = rdf.IRI
	if t.Tok.Code != "" {
		return t.fail(h, t.Tok.Code, t.Tok.Pos, "%s", t.Tok.Message)
	}
	text := t.Tok.Reference(t.Bytes(&t.Tok))
	if t.Tok.Bare {
		h.Repaired = true
		t.takeBare()
	}
	if t.Tok.Escaped || t.Tok.Forbidden {
		if m := spaceInScheme.FindSubmatchIndex(text); m != nil {
			return t.fail(h, fault.IRISpace, t.Within(1+m[2]), "a space in what would be the scheme of this IRI")
		}
		if !t.decode(h, lex.AppendIRI, text, 1) {
			return false
		}
	} else {
		h.Buf = append(h.Buf[:0], text...)
	}
	h.Value = h.Buf
	return lex.Absolute(h.Buf) || t.takeReference(h)
}

// takeReference makes of h, a text without a scheme, what it means.
func (t *Reader) takeReference(h *Held) bool {
	text := rdf.TrimReference(h.Buf)
	if len(text) < len(h.Buf) {
		h.Repaired = true
		t.Repair(fault.IRITrimmed, h.Pos, lex.TrimmedIRI)
	}
	if lex.Absolute(text) {
		h.Value = text
		return true
	}
	if label, ok := rdf.BlankNodeIn(text); ok { // as it is where it is without < and >
		h.Kind, h.Value, h.Repaired = rdf.BlankNode, label, true
		t.Repair(fault.BlankNodeIRI, h.Pos, rdf.NodeForIRI)
		t.EditLast(t.Tok.From, t.Tok.To, "_:"+string(label))
		return true
	}
	t.scratch = append(t.scratch[:0], text...)
	return t.resolve(h, t.scratch)
}

// takeBare notes the repair of the current token, an IRI without its brackets. One of them may be there.
func (t *Reader) takeBare() {
	from, to := t.Tok.From-t.Base, t.Tok.To-t.Base
	opens, closes := from > 0 && t.Buf[from-1] == '<', to < int64(len(t.Buf)) && t.Buf[to] == '>'
	message := "the < > around this IRI are missing"
	switch {
	case opens:
		message = "the > after this IRI is missing"
	case closes:
		message = "the < before this IRI is missing"
	}
	t.Repair(fault.SyntaxBareIRI, t.Tok.Pos, "%s", message)
	if !opens {
		t.EditLast(t.Tok.From, t.Tok.From, "<")
	}
	if !closes {
		t.EditLast(t.Tok.To, t.Tok.To, ">")
	}
}

// TakeNamed is Take where no blank node may be.
func (t *Reader) TakeNamed(h *Held, part string) bool {
	before := t.Repairs()
	if !t.Take(h) {
		return false
	}
	if h.Kind == rdf.BlankNode {
		t.Withdraw(before)
		return t.fail(h, fault.BlankNodePlace, h.Pos, "a blank node can't be %s", part)
	}
	return true
}

// spaceInScheme is a space before the :// of an IRI, except for those around the
// whole. Such an IRI is not meant to be a relative one.
var spaceInScheme = pattern.New(`^[\t-\r ]*[^/?#:\t-\r ]+([\t ])[^/?#:]*://`)

// resolve makes h the IRI that the relative text means.
func (t *Reader) resolve(h *Held, text []byte) bool {
	doubt, message := rdf.JudgeReference(text)
	switch {
	case doubt == fault.IRINoReference && (t.LineFormat || len(t.BaseIRI.iri) == 0):
		return t.fail(h, doubt, h.Pos, "%s", message)
	case len(t.BaseIRI.iri) == 0 && t.LineFormat:
		return t.fail(h, fault.IRIRelativeInLine, h.Pos, "a relative IRI, which this format does not allow, and no base to resolve it "+
			"against")
	case len(t.BaseIRI.iri) == 0:
		return t.fail(h, fault.IRINoBase, h.Pos, "a relative IRI, and no base to resolve it against")
	}
	if t.BaseIRI.Used != nil {
		*t.BaseIRI.Used = true
	}
	if doubt != "" {
		t.doubt(doubt, h.Pos, message)
	}
	h.Buf = rfc3986.AppendResolved(h.Buf[:0], t.BaseIRI.iri, text)
	h.Value = h.Buf
	h.Repaired = h.Repaired || t.BaseIRI.Repaired
	if t.LineFormat {
		h.Repaired = true
		t.Repair(fault.IRIRelativeInLine, h.Pos, "a relative IRI, which this format does not allow, was resolved against the base")
		if !t.BaseIRI.IsFile {
			t.EditLast(t.Tok.From, t.Tok.To, "<"+string(h.Value)+">")
		}
	} else if t.BaseIRI.IsFile && !t.BaseIRI.warned {
		t.BaseIRI.warned = true
		t.To.Notice(t.Notice(fault.IRIRelative, fault.Warning, h.Pos, "a relative IRI was resolved against the place of the file, since "+
			"nothing names another base"))
	}
	return true
}

// takeName makes h the IRI of a prefixed name.
func (t *Reader) takeName(h *Held) bool {
	h.Kind = rdf.IRI
	text := t.Bytes(&t.Tok)
	prefix, local := text[:t.Tok.Colon], text[t.Tok.Colon+1:]
	ns := t.NamespaceOf(prefix)
	if ns == nil {
		return t.undeclared(h, prefix, local)
	}
	if ns.Dead != "" {
		return t.fail(h, ns.Dead, h.Pos, "the prefix %s: was declared, but its declaration gives no namespace", fault.Excerpt(prefix))
	}
	if ns.EndsInHost && t.hosts.RunInto(ns.IRI, local) {
		t.doubt(fault.IRINamespaceEnd, h.Pos, rdf.NameInHost(ns.IRI))
		text = t.Bytes(&t.Tok) // the window may have moved
		local = text[t.Tok.Colon+1:]
	}
	h.Repaired = ns.Repaired
	h.Buf = append(h.Buf[:0], ns.IRI...)
	if t.Tok.Escaped {
		h.Buf = lex.AppendLocal(h.Buf, local)
	} else {
		h.Buf = append(h.Buf, local...)
	}
	h.Value = h.Buf
	return true
}

// NamespaceOf is what a prefix was declared for; nil if it was not.
func (t *Reader) NamespaceOf(prefix []byte) *Namespace { return t.Prefixes[string(prefix)] }

// PlainNamespace is what a prefix was declared for, and which kinds of bytes that holds. It is nil where something is
// to be said of a name with the prefix, which [Reader.Take] does.
func (t *Reader) PlainNamespace(prefix []byte) (*Namespace, rdf.Bytes) {
	ns := t.NamespaceOf(prefix)
	if ns == nil || ns.Dead != "" || ns.Repaired || ns.EndsInHost {
		return nil, 0
	}
	if ns.bytes == 0 {
		ns.bytes = rdf.BytesOf(ns.IRI)
	}
	return ns, ns.bytes
}

func (t *Reader) undeclared(h *Held, prefix, local []byte) bool {
	iri, known := rdf.WellKnown(string(prefix))
	if !known {
		return t.fail(h, fault.SyntaxUndeclaredPrefix, h.Pos, "the prefix %s: is not declared", fault.Excerpt(prefix))
	}
	h.Buf = append(h.Buf[:0], iri...)
	h.Buf = lex.AppendLocal(h.Buf, local)
	h.Value = h.Buf
	h.Repaired = true
	t.Repair(fault.SyntaxUndeclaredPrefix, h.Pos, "the prefix %s: is not declared; it was read as <%s>, which it means everywhere", prefix,
		iri)
	if t.Edits && !t.LineFormat {
		t.EditLast(0, 0, "@prefix "+string(prefix)+": <"+iri+"> .\n")
	}
	return true
}

// TakeVersion looks at the current token as the version of a directive. False means
// that it is none.
func (t *Reader) TakeVersion() bool {
	quote := int(t.Tok.Quote)
	switch {
	case t.Tok.Kind == lex.Decimal:
		t.Repair(fault.SyntaxDirective, t.Tok.Pos, "a version is in quotation marks")
		t.EditAround(0, `"`, `"`)
	case t.Tok.Kind != lex.String:
		return false
	case quote == 3:
		t.Repair(fault.SyntaxDirective, t.Tok.Pos, "a version is in single quotation marks")
		t.EditAround(3, `"`, `"`)
	}
	text := t.Bytes(&t.Tok)
	switch string(text[quote : len(text)-quote]) {
	case "1.1", "1.2", "1.2-basic":
	default:
		t.To.Notice(t.Notice(fault.SyntaxVersion, fault.Warning, t.Tok.Pos, "a version of RDF that is not known"))
	}
	return true
}

// CutShort says that the last term may be only the beginning of one, since the text ends with it. That
// is a name, a number, or a string that ^^ may have followed.
func (t *Reader) CutShort() bool {
	i := int(t.Ended.Offset-t.Base) - 1
	showsItsEnd := 0 <= i && i < len(t.Buf) && bytes.IndexByte([]byte(">])}"), t.Buf[i]) >= 0
	return t.Ended.Offset == t.Tok.From && !showsItsEnd
}
