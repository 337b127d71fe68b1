package clean

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// iris ensures that IRIs are absolute and hold only what RFC 3987 and the grammar of N-Quads allow.
// Nor is any term left where RDF does not allow it. It changes neither case nor dot segments: RDF
// compares IRIs as text.
type iris struct {
	teller
	good    [places][]byte // the last IRI of each place that was found without a fault
	hosts   recent[[]byte] // good beginnings of IRIs, of scheme and host
	origins [4][]byte      // the last of them
	next    int            // which of these was new
	scheme  []byte         // the last registered one that has no rules here
	buffers [places][]byte
}

func newIRIs(to rdf.Sink) *iris { return &iris{teller: teller{Sink: to}} }

func (f *iris) Quad(q *rdf.Quad) error {
	if q.Subject.Kind >= rdf.Literal || q.Predicate.Kind != rdf.IRI || q.Graph.Kind >= rdf.Literal ||
		q.Subject.Kind == rdf.NoTerm || q.Object.Kind == rdf.NoTerm {
		f.misplaced(q)
		return nil
	}
	if f.isGood(subject, &q.Subject) && f.isGood(predicate, &q.Predicate) &&
		f.isGood(object, &q.Object) && f.isGood(graph, &q.Graph) {
		return f.Sink.Quad(q)
	}
	return f.mend(q)
}

// isGood says that the IRI that t holds, if any, is clearly without a fault.
func (f *iris) isGood(at place, t *rdf.Term) bool {
	iri := t.Value
	switch t.Kind {
	case rdf.IRI:
	case rdf.Literal:
		if iri = t.Datatype; len(iri) == 0 {
			return true
		}
		at = datatype
	default:
		return true
	}
	if len(iri) > 0 && bytes.Equal(iri, f.good[at]) {
		return true
	}
	if !f.isPlainIRI(iri) {
		return false
	}
	if at != object { // the others tend to come again at once
		f.good[at] = append(f.good[at][:0], iri...)
	}
	return true
}

// misplaced drops a statement with a term of the wrong kind. Readers see to this
// for what their grammars forbid; generalised RDF comes from others.
func (f *iris) misplaced(q *rdf.Quad) {
	for i, t := range terms(q) {
		at := place(i)
		switch {
		case t.Kind == rdf.Literal && at != object:
			f.drop(at, t, t.Value, fault.LiteralPlace, "a literal can't be the "+placeNames[at])
			return
		case t.Kind == rdf.TripleTerm && at != object:
			f.drop(at, t, t.Value, fault.SyntaxMisplacedTerm, "a triple term can't be the "+placeNames[at])
			return
		case t.Kind == rdf.BlankNode && at == predicate:
			f.drop(at, t, t.Value, fault.BlankNodePlace, "a blank node can't be the predicate")
			return
		case t.Kind == rdf.NoTerm && at != graph:
			f.drop(at, t, nil, fault.IRINoBase, "the "+placeNames[at]+" is missing")
			return
		}
	}
}

// mend looks closely at the IRIs of q. What is wrong with any of them is known
// before anything is reported: a statement that is lost was not repaired.
func (f *iris) mend(q *rdf.Quad) error {
	var all [places]iriFaults
	var together iriFaults
	for i, t := range terms(q) {
		if t.Kind == rdf.IRI {
			all[i] = f.judgeAsWritten(place(i), t.Value)
			together |= all[i]
			if all[i] == 0 {
				f.learn(t.Value)
			}
			if all[i] == 0 && place(i) != object {
				f.good[i] = append(f.good[i][:0], t.Value...)
			}
		}
	}
	if q.Object.Kind == rdf.Literal && len(q.Object.Datatype) > 0 {
		all[datatype] = f.judgeAsWritten(datatype, q.Object.Datatype)
		together |= all[datatype]
	}
	if together == 0 {
		return f.Sink.Quad(q)
	}
	lost := together&fatal != 0
	owed := 1 // the loss that the first fatal fault reports
	for at := range places {
		if all[at] == 0 {
			continue
		}
		t, value := f.termAt(q, at)
		for _, kind := range iriKinds {
			switch {
			case all[at]&kind.fault == 0:
			case kind.fault&fatal != 0:
				f.tell(at, t, *value, fault.Notice{Code: kind.code, Severity: fault.Drop,
					Message: "the " + placeNames[at] + " " + kind.message, Lost: owed})
				owed = 0
			case kind.fault&doubtful != 0:
				f.tell(at, t, *value, fault.Notice{Code: kind.code, Severity: fault.Warning,
					Message: "the " + placeNames[at] + " " + kind.message})
			case lost:
				f.tell(at, t, *value, fault.Notice{Code: kind.code, Severity: fault.Drop,
					Message: "lost with its statement; else " + kind.message})
			default:
				f.repair(at, q, t, *value, fault.Notice{Code: kind.code, Message: kind.message})
			}
		}
		if all[at]&mendable != 0 {
			*value = f.buffers[at]
		}
	}
	if lost {
		return nil
	}
	return f.Sink.Quad(q)
}

// judgeAsWritten finds what is wrong with an IRI. If that can be mended, it also finds what is
// doubtful in it as it is written then. Whoever washes it again will get that warning.
func (f *iris) judgeAsWritten(at place, iri []byte) iriFaults {
	faults := f.judge(at, iri)
	if faults&mendable == 0 || faults&fatal != 0 {
		return faults
	}
	mended := bytes.Clone(f.buffers[at])
	faults |= f.judge(at, mended) & doubtful
	f.buffers[at] = mended
	return faults
}

func (f *iris) termAt(q *rdf.Quad, at place) (t *rdf.Term, value *[]byte) {
	if at == datatype {
		return &q.Object, &q.Object.Datatype
	}
	t = terms(q)[at]
	return t, &t.Value
}

// iriKinds says how each fault is reported; why the repairs are clear, the table of
// repairs says.
var iriKinds = []struct {
	fault   iriFaults
	code    fault.Code
	message string
}{
	{relative, fault.IRINoBase, "is a relative IRI, and there is no base"},
	{noReference, fault.IRINoReference, "is neither an IRI nor a relative reference: the part before its first colon isn't a scheme"},
	{blankNode, fault.BlankNodePlace, "is the label of a blank node, where only an IRI may occur"},
	{twoIRIs, fault.IRITwo, "is two whole IRIs in the place of one; which is meant is not plain"},
	{forbidden, fault.IRIForbidden, "holds a control character or noncharacter"},
	{badHost, fault.IRIHost, "holds a character that no host may hold there"},
	{trimmed, fault.IRITrimmed, "white space around the IRI was cut off"},
	{space, fault.IRISpace, "each space was written as %20"},
	{character, fault.IRICharacter, "characters that no IRI may hold were percent-encoded"},
	{bracket, fault.IRIBracket, "square brackets outside the host were percent-encoded"},
	{fragment, fault.IRIFragment, "each further # was written as %23"},
	{privateUse, fault.IRIPrivateUse, "private-use characters outside the query were percent-encoded"},
	{authority, fault.IRIAuthority, "has a host or port that can't be right"},
	{percent, fault.IRIPercent, "has a % without two hexadecimal digits after it"},
	{empty, fault.IRIEmpty, "is only a scheme"},
	{bidi, fault.IRIBidi, "holds a character that turns the direction of writing"},
	{unregisteredScheme, fault.IRIScheme, "has a scheme that is not registered"},
	{unresolvedPrefix, fault.IRIPrefix, "begins with a prefix, and with no scheme"},
	{windowsPath, fault.IRIWindowsPath, "is a path of Windows"},
	{badSyntax, fault.IRISchemeSyntax, "is not built as its scheme asks"},
	{letterCase, fault.IRICase, "has capital letters in its scheme or host"},
	{needlessPort, fault.IRIPort, "has a port that is empty, begins with 0, or is the usual one of its scheme"},
	{dotSegment, fault.IRIDotSegment, "has . or .. as a segment of its path"},
	{password, fault.IRIPassword, "has a password before its host"},
	{percentForm, fault.IRIPercentForm, "is percent-encoded where it need not be, or with small letters"},
	{percentControl, fault.IRIPercentControl, "has a percent-encoded control character, or space at its end"},
	{percentTwice, fault.IRIPercentTwice, "is percent-encoded twice"},
	{percentOctets, fault.IRIPercentOctets, "has percent-encoded octets that are not UTF-8"},
	{notNFC, fault.IRINotNFC, "is not in Unicode's normal form C"},
	{blank, fault.IRIBlank, "holds white space outside ASCII, or a character that can't be seen"},
	{badName, fault.IRIHostName, "has a host that isn't an internationalised name, or not written as it is looked up"},
}
