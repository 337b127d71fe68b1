package ttl

import (
	"bytes"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// terms makes terms of tokens: it decodes, resolves and repairs them. Both the
// line readers (for lines that are not plain) and the Turtle reader stand on it.
type terms struct {
	*lexer
	baseIRI base
	// prefixes holds the namespace of each prefix, without its colon.
	prefixes map[string]*namespace
	// recent holds those of prefixes that were used last, by length and first byte.
	recent  [16]*namespace
	to      rdf.Sink
	scratch []byte
	pending []fault.Notice // repairs of the statement that is being read
	told    int64          // how many pending notices were given or withdrawn before those
	problem fault.Notice   // why the last term was lost
	hosts   rdf.HostNames
}

// newTerms makes terms of the tokens of l, and gives its findings to to.
func newTerms(l *lexer, to rdf.Sink) terms {
	return terms{lexer: l, to: to, prefixes: map[string]*namespace{}}
}

// namespace is what a prefix stands for.
type namespace struct {
	prefix     string
	iri        []byte
	repaired   bool       // the IRI is not what the document says, but what it means
	endsInHost bool       // names may run into its host
	dead       fault.Code // why the prefix has no IRI
}

// held is a term that outlives its token. Its bytes are its own.
type held struct {
	rdf.Term
	buf      []byte
	repaired bool
	dead     fault.Code // why there is no term; the notice was given
}

func (h *held) clear() {
	h.Term = rdf.Term{}
	h.repaired, h.dead = false, ""
}

// anonymous makes h the blank node of number n.
func (h *held) anonymous(n uint64, pos fault.Pos) {
	h.clear()
	h.Kind, h.Anonymous, h.Pos = rdf.BlankNode, n, pos
}

// name makes h a well-known IRI.
func (h *held) name(iri string, pos fault.Pos) {
	h.clear()
	h.buf = append(h.buf[:0], iri...)
	h.Kind, h.Value, h.Pos = rdf.IRI, h.buf, pos
}

// take makes a term of the present token, which must be an IRI, a name, a label, a
// or a literal without its datatype and language. False means that there is none:
// h.dead and t.problem say why.
func (t *terms) take(h *held) bool {
	h.clear()
	h.Pos = t.tok.pos
	switch t.tok.kind {
	case iriToken:
		return t.takeIRI(h)
	case nameToken:
		return t.takeName(h)
	case labelToken:
		h.Kind = rdf.BlankNode
		h.buf = append(h.buf[:0], t.bytes(&t.tok)[2:]...)
		h.Value = h.buf
		if t.tok.forbidden {
			h.repaired = true
			t.repair(fault.BlankNodeLabel, h.Pos, "this label holds a character that no label may hold; it was encoded")
		}
	case aToken:
		h.name(rdf.Type, h.Pos)
	case stringToken:
		return t.takeString(h)
	case integerToken:
		t.takePlain(h, rdf.XSD+"integer")
	case decimalToken:
		t.takePlain(h, rdf.XSD+"decimal")
	case doubleToken:
		t.takePlain(h, rdf.XSD+"double")
	case booleanToken:
		t.takePlain(h, rdf.XSD+"boolean")
	default:
		return t.fail(h, t.tok.code, t.tok.pos, "%s", t.tok.message)
	}
	return true
}

func (t *terms) takePlain(h *held, datatype string) {
	text := t.bytes(&t.tok)
	h.Kind = rdf.Literal
	h.buf = append(append(h.buf[:0], text...), datatype...)
	h.Value, h.Datatype = h.buf[:len(text):len(text)], h.buf[len(text):]
}

func (t *terms) takeString(h *held) bool {
	h.Kind = rdf.Literal
	text := t.bytes(&t.tok)
	quote := int(t.tok.quote)
	text = text[quote : len(text)-quote]
	if !t.tok.escaped {
		h.buf = append(h.buf[:0], text...)
		h.Value = h.buf
		return true
	}
	// excerpts may move the window: the findings are told when the text is copied
	var found []finding
	var lost *finding
	h.buf, lost = appendString(h.buf[:0], text, func(f finding) { found = append(found, f) })
	if lost != nil {
		return t.fail(h, lost.code, t.within(quote+lost.at), "%s", lost.message)
	}
	for _, f := range found {
		h.repaired = true
		t.repair(f.code, t.within(quote+f.at), "%s", f.message)
	}
	h.Value = h.buf
	return true
}

const notBoth = "a literal has a language tag or a datatype, not both"

// lacksLanguage says that the datatype of the literal h is that of texts in a language, and that it
// has none yet: a tag may stand behind the datatype.
func (t *terms) lacksLanguage(h *held) bool {
	return len(h.Language) == 0 && rdf.LanguageType(h.Datatype) != ""
}

// takeLanguage gives the literal h the language tag that is the present token, with
// the direction in it.
func (t *terms) takeLanguage(h *held) {
	datatype := rdf.LanguageType(h.Datatype)
	n, tag := len(h.Value), t.bytes(&t.tok)[1:]
	if t.tok.colon > 0 {
		tag = tag[:t.tok.colon-1]
	}
	h.buf = append(h.buf[:n], tag...)
	if t.tok.colon > 0 {
		name := t.bytes(&t.tok)[t.tok.colon+2:]
		lower := bytes.ToLower(name)
		h.Direction, _ = rdf.DirectionOf(lower)
		if !bytes.Equal(name, lower) {
			h.repaired = true
			t.repair(fault.LanguageDirection, t.tok.pos, "the direction of this language tag was read in small letters")
		}
	}
	if t.tok.forbidden {
		for i := n; i < len(h.buf); i++ {
			if h.buf[i] == '_' {
				h.buf[i] = '-'
			}
		}
		h.repaired = true
		t.repair(fault.LanguageUnderscore, t.tok.pos, "the underscore in this language tag was read as a hyphen")
	}
	end := len(h.buf)
	h.buf = append(h.buf, datatype...)
	h.Value, h.Language, h.Datatype = h.buf[:n:n], h.buf[n:end:end], h.buf[end:]
}

// takeDatatype gives the literal h the datatype that is the present token, an IRI
// or a name.
func (t *terms) takeDatatype(h *held, spare *held) bool {
	if !t.takeNamed(spare, "a datatype") {
		h.dead = spare.dead
		return false
	}
	n, end := len(h.Value), len(h.Value)+len(h.Language)
	h.buf = append(h.buf[:end], spare.Value...)
	h.Value, h.Language, h.Datatype = h.buf[:n:n], h.buf[n:end:end], h.buf[end:]
	h.repaired = h.repaired || spare.repaired
	return true
}

func (t *terms) takeIRI(h *held) bool {
	h.Kind = rdf.IRI
	text := t.bytes(&t.tok)
	text = text[1 : len(text)-1]
	if t.tok.escaped || t.tok.forbidden {
		if i := spaceInScheme(text); i >= 0 {
			return t.fail(h, fault.IRISpace, t.within(1+i), "a space in what would be the scheme of this IRI")
		}
		var found []finding
		var lost *finding
		t.scratch, lost = appendIRI(t.scratch[:0], text, func(f finding) { found = append(found, f) })
		if lost != nil {
			return t.fail(h, lost.code, t.within(1+lost.at), "%s", lost.message)
		}
		for _, f := range found {
			h.repaired = true
			t.repair(f.code, t.within(1+f.at), "%s", f.message)
		}
		text = t.scratch
	}
	if absolute(text) {
		h.buf = append(h.buf[:0], text...)
		h.Value = h.buf
		return true
	}
	return t.takeReference(h, text)
}

// takeReference makes h what text without a scheme means.
func (t *terms) takeReference(h *held, text []byte) bool {
	t.scratch = append(t.scratch[:0], text...) // the window moves where something is told
	text = rdf.TrimReference(t.scratch)
	if len(text) < len(t.scratch) {
		h.repaired = true
		t.repair(fault.IRITrimmed, h.Pos, trimmedIRI)
		if absolute(text) {
			h.buf = append(h.buf[:0], text...)
			h.Value = h.buf
			return true
		}
	}
	if label, ok := rdf.BlankNodeIn(text); ok {
		h.buf = append(h.buf[:0], label...) // as it is where it stands without < and >
		h.Kind, h.Value, h.repaired = rdf.BlankNode, h.buf, true
		t.repair(fault.BlankNodeIRI, h.Pos, rdf.NodeForIRI)
		return true
	}
	return t.resolve(h, text)
}

// takeNamed is take where no blank node may stand.
func (t *terms) takeNamed(h *held, part string) bool {
	before := t.seen()
	if !t.take(h) {
		return false
	}
	if h.Kind == rdf.BlankNode {
		t.withdraw(before)
		return t.fail(h, fault.BlankNodePlace, h.Pos, "a blank node can't be %s", part)
	}
	return true
}

// spaceInScheme is the index of a space before the :// of an IRI, but for those around the
// whole; -1 if there is none. Such an IRI is not meant to be a relative one.
func spaceInScheme(iri []byte) int {
	colon := bytes.Index(iri, []byte("://"))
	if colon < 0 {
		return -1
	}
	from, _ := withoutWhite(iri[:colon])
	scheme := iri[from:colon]
	if i := bytes.IndexAny(scheme, " \t"); i >= 0 && !bytes.ContainsAny(scheme, "/?#:") {
		return colon - len(scheme) + i
	}
	return -1
}

// resolve makes h the IRI that the relative text means.
func (t *terms) resolve(h *held, text []byte) bool {
	doubt, message := rdf.JudgeReference(text)
	switch {
	case doubt == fault.IRINoReference && (t.lines || len(t.baseIRI.iri) == 0):
		return t.fail(h, doubt, h.Pos, "%s", message)
	case len(t.baseIRI.iri) == 0 && t.lines:
		return t.fail(h, fault.IRIRelativeInLine, h.Pos, "a relative IRI, which this format does not allow, and no base to resolve it against")
	case len(t.baseIRI.iri) == 0:
		return t.fail(h, fault.IRINoBase, h.Pos, "a relative IRI, and no base to resolve it against")
	}
	if t.baseIRI.used != nil {
		*t.baseIRI.used = true
	}
	if doubt != "" {
		t.doubt(doubt, h.Pos, message)
	}
	h.buf = t.baseIRI.appendResolved(h.buf[:0], text)
	h.Value = h.buf
	h.repaired = h.repaired || t.baseIRI.repaired
	if t.lines {
		h.repaired = true
		t.repair(fault.IRIRelativeInLine, h.Pos, "a relative IRI, which this format does not allow, was resolved against the base")
	} else if t.baseIRI.isFile && !t.baseIRI.warned {
		t.baseIRI.warned = true
		t.to.Notice(t.notice(fault.IRIRelative, fault.Warning, h.Pos, "a relative IRI was resolved against the place of the file, since nothing names another base"))
	}
	return true
}

// takeName makes h the IRI of a prefixed name.
func (t *terms) takeName(h *held) bool {
	h.Kind = rdf.IRI
	text := t.bytes(&t.tok)
	prefix, local := text[:t.tok.colon], text[t.tok.colon+1:]
	ns := t.namespaceOf(prefix)
	if ns == nil {
		return t.undeclared(h)
	}
	if ns.dead != "" {
		return t.fail(h, ns.dead, h.Pos, "the prefix %s: was declared, but its declaration gives no namespace", shorten(prefix))
	}
	if ns.endsInHost && t.hosts.RunInto(ns.iri, local) {
		t.doubt(fault.IRINamespaceEnd, h.Pos, rdf.NameInHost(ns.iri))
		text = t.bytes(&t.tok) // the window may have moved
		local = text[t.tok.colon+1:]
	}
	h.repaired = ns.repaired
	h.buf = append(h.buf[:0], ns.iri...)
	if t.tok.escaped {
		h.buf = appendLocal(h.buf, local)
	} else {
		h.buf = append(h.buf, local...)
	}
	h.Value = h.buf
	return true
}

// namespaceOf is what a prefix was declared for; nil if it was not.
func (t *terms) namespaceOf(prefix []byte) *namespace {
	slot := len(prefix)
	if slot > 0 {
		slot += int(prefix[0])
	}
	ns := t.recent[slot%len(t.recent)]
	if ns == nil || ns.prefix != string(prefix) {
		if ns = t.prefixes[string(prefix)]; ns != nil {
			t.recent[slot%len(t.recent)] = ns
		}
	}
	return ns
}

func (t *terms) undeclared(h *held) bool {
	text := t.bytes(&t.tok)
	prefix, local := text[:t.tok.colon], text[t.tok.colon+1:]
	iri, known := wellKnown(string(prefix))
	if !known {
		return t.fail(h, fault.SyntaxUndeclaredPrefix, h.Pos, "the prefix %s: is not declared", shorten(prefix))
	}
	h.buf = append(h.buf[:0], iri...)
	h.buf = appendLocal(h.buf, local)
	h.Value = h.buf
	h.repaired = true
	t.repair(fault.SyntaxUndeclaredPrefix, h.Pos, "the prefix %s: is not declared; it was read as <%s>, which it means everywhere", prefix, iri)
	return true
}

// wellKnown is the namespace of a prefix that has one meaning everywhere. The prefix dc
// has two, the elements of Dublin Core and its terms.
func wellKnown(prefix string) (iri string, ok bool) {
	switch prefix {
	case "dc":
		return "", false
	case "dct":
		prefix = "dcterms"
	}
	iri, ok = rdf.InitialContext[prefix]
	return iri, ok
}

// shorten cuts a name for a message.
func shorten(name []byte) []byte {
	if len(name) <= 40 {
		return bytes.ToValidUTF8(name, []byte("�"))
	}
	end := 40
	for end > 40-utf8.UTFMax && !utf8.RuneStart(name[end]) {
		end--
	}
	return append(bytes.ToValidUTF8(name[:end], []byte("�")), "…"...)
}

// takeVersion looks at the present token as the version of a directive. False means
// that it is none.
func (t *terms) takeVersion() bool {
	text := t.bytes(&t.tok)
	switch k := t.tok.kind; {
	case k == stringToken && t.tok.quote == 1:
		text = text[1 : len(text)-1]
	case k == stringToken:
		t.repair(fault.SyntaxDirective, t.tok.pos, "a version stands in single quotation marks")
		text = text[3 : len(text)-3]
	case k == decimalToken:
		t.repair(fault.SyntaxDirective, t.tok.pos, "a version stands in quotation marks")
	default:
		return false
	}
	switch string(text) {
	case "1.1", "1.2", "1.2-basic":
	default:
		t.to.Notice(t.notice(fault.SyntaxVersion, fault.Warning, t.tok.pos, "a version of RDF that is not known"))
	}
	return true
}

// cutShort says that the last term may be only the beginning of one, since the text
// ends with it: a name, a number, or a string that ^^ may have followed.
func (t *terms) cutShort() bool {
	return t.ended.Offset == t.tok.from && !t.closedLast()
}

// closedLast says that the last token, with which the text ends, tells its own end.
func (t *terms) closedLast() bool {
	i := int(t.ended.Offset-t.base) - 1
	if i < 0 || i >= len(t.buf) {
		return false
	}
	switch t.buf[i] {
	case '>', ']', ')', '}':
		return true
	}
	return false
}
