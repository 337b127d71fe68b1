package clean

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// literals writes the lexical forms of XSD datatypes in the canonical form of XSD
// 1.1, and warns of those that are not in the lexical space of their datatype. RDF
// 1.1 Concepts §5.1 leaves out the white space processing of XML Schema, so that
// white space around a number makes it ill-typed.
type literals struct {
	teller
	keep   bool
	buffer []byte
}

func newLiterals(keep bool, to rdf.Sink) *literals {
	return &literals{teller: teller{Sink: to}, keep: keep}
}

func (f *literals) Quad(q *rdf.Quad) error {
	t := &q.Object
	if t.Kind != rdf.Literal || len(t.Datatype) == 0 {
		return f.Sink.Quad(q)
	}
	form := formOf(t.Datatype)
	if form == nil {
		if len(t.Language) == 0 && (string(t.Datatype) == rdf.LangString || string(t.Datatype) == rdf.DirLangString) {
			f.tell(object, t, t.Value, fault.Notice{Code: fault.LiteralNoLanguage, Severity: fault.Warning,
				Message: "rdf:" + string(t.Datatype[len(rdf.RDF):]) + " without a language tag"})
		}
		return f.Sink.Quad(q)
	}
	canonical, verdict := form(f.buffer[:0], t.Value)
	f.buffer = canonical
	switch verdict {
	case illTyped:
		f.tell(object, t, t.Value, fault.Notice{Code: fault.LiteralIllTyped, Severity: fault.Warning,
			Message: "not in the lexical space of xsd:" + string(t.Datatype[len(rdf.XSD):])})
	case outOfRange:
		f.tell(object, t, t.Value, fault.Notice{Code: fault.LiteralOutOfRange, Severity: fault.Warning,
			Message: "more than xsd:" + string(t.Datatype[len(rdf.XSD):]) + " can hold"})
	case wellTyped:
		if !f.keep && !bytes.Equal(canonical, t.Value) {
			f.tell(object, t, t.Value, fault.Notice{Code: fault.LiteralNonCanonical, Severity: fault.Note,
				Message: "written as " + fault.Excerpt(canonical)})
			t.Value = canonical
		}
	}
	return f.Sink.Quad(q)
}

// verdict says what a lexical form is to its datatype.
type verdict uint8

const (
	wellTyped  verdict = iota // the canonical form was appended
	illTyped                  // not in the lexical space, or its value not in the value space
	outOfRange                // the canonical form would be another value: infinity, zero
)

// form appends the canonical form of a lexical form to dst.
type form func(dst, lexical []byte) ([]byte, verdict)

// formOf finds the form of a datatype; nil if it has none, and its literals pass
// as they are.
func formOf(iri []byte) form {
	if len(iri) <= len(rdf.XSD) || string(iri[:len(rdf.XSD)]) != rdf.XSD {
		return nil
	}
	switch string(iri[len(rdf.XSD):]) {
	case "boolean":
		return appendBoolean
	case "decimal":
		return appendDecimal
	case "integer":
		return appendInteger
	case "nonPositiveInteger":
		return appendNonPositiveInteger
	case "negativeInteger":
		return appendNegativeInteger
	case "nonNegativeInteger":
		return appendNonNegativeInteger
	case "positiveInteger":
		return appendPositiveInteger
	case "long":
		return appendLong
	case "int":
		return appendInt
	case "short":
		return appendShort
	case "byte":
		return appendByte
	case "unsignedLong":
		return appendUnsignedLong
	case "unsignedInt":
		return appendUnsignedInt
	case "unsignedShort":
		return appendUnsignedShort
	case "unsignedByte":
		return appendUnsignedByte
	case "float":
		return appendFloat
	case "double":
		return appendDouble
	case "date":
		return appendDate
	case "dateTime":
		return appendDateTime
	case "dateTimeStamp":
		return appendDateTimeStamp
	case "time":
		return appendTime
	case "gYear":
		return appendGYear
	case "gYearMonth":
		return appendGYearMonth
	case "gMonth":
		return appendGMonth
	case "gMonthDay":
		return appendGMonthDay
	case "gDay":
		return appendGDay
	case "hexBinary":
		return appendHexBinary
	case "duration":
		return appendDuration
	case "yearMonthDuration":
		return appendYearMonthDuration
	case "dayTimeDuration":
		return appendDayTimeDuration
	case "base64Binary":
		return appendBase64Binary
	case "normalizedString":
		return appendNormalizedString
	case "token":
		return appendToken
	case "language":
		return appendLanguage
	case "Name":
		return appendName
	case "NCName":
		return appendNCName
	case "NMTOKEN":
		return appendNMTOKEN
	}
	return nil
}

// appendBoolean is XSD 1.1 Part 2 §3.3.2.
func appendBoolean(dst, lexical []byte) ([]byte, verdict) {
	switch string(lexical) {
	case "true", "1":
		return append(dst, "true"...), wellTyped
	case "false", "0":
		return append(dst, "false"...), wellTyped
	}
	return dst, illTyped
}

// appendHexBinary is XSD 1.1 Part 2 §3.3.15: pairs of digits, upper case.
func appendHexBinary(dst, lexical []byte) ([]byte, verdict) {
	if len(lexical)%2 != 0 {
		return dst, illTyped
	}
	for _, b := range lexical {
		switch {
		case !isHex(b):
			return dst, illTyped
		case b >= 'a':
			b -= 'a' - 'A'
		}
		dst = append(dst, b)
	}
	return dst, wellTyped
}

// appendBase64Binary is XSD 1.1 Part 2 §3.3.16: the lexical form may hold single
// spaces between its characters, the canonical one does not.
func appendBase64Binary(dst, lexical []byte) ([]byte, verdict) {
	begin, padding, spaced := len(dst), 0, true
	var last byte // the last digit
	for _, b := range lexical {
		switch {
		case b == ' ' && !spaced:
			spaced = true
			continue
		case b == '=' && padding < 2:
			padding++
		case padding == 0 && (isASCIILetter(b) || isDigit(b) || b == '+' || b == '/'):
			last = b
		default:
			return dst, illTyped
		}
		spaced = false
		dst = append(dst, b)
	}
	if spaced && len(lexical) > 0 || (len(dst)-begin)%4 != 0 {
		return dst, illTyped
	}
	// The digit before the padding ends in bits that must be zero.
	unused := [3]string{"", "AEIMQUYcgkosw048", "AQgw"}[padding]
	if padding > 0 && bytes.IndexByte([]byte(unused), last) < 0 {
		return dst, illTyped
	}
	return dst, wellTyped
}
