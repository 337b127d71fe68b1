package xsd

import (
	"bytes"

	"laundromat/internal/rfc3986"
)

// appendWKT is OGC GeoSPARQL 1.1, requirements wkt-literal and wkt-literal-empty. There may be the IRI
// of a reference system in angle brackets, and white space. That is a single space by the requirement,
// and any by the grammar below it. A geometry in well-known text follows (OGC 06-103r4, §7.2). No
// text at all is the empty geometry. Numbers of coordinates are counted, rings need not close: that is
// geometry, not syntax.
func appendWKT(dst, lexical []byte) ([]byte, Verdict) {
	w := wkt{rest: lexical}
	w.space()
	if len(w.rest) > 0 && w.rest[0] == '<' {
		end := bytes.IndexByte(w.rest, '>')
		if end < 2 || bytes.ContainsAny(w.rest[1:end], " <\"{}|\\^`") || !rfc3986.IsAbsolute(w.rest[1:end]) {
			return dst, IllTyped
		}
		w.rest = w.rest[end+1:]
		before := len(w.rest)
		if w.space(); len(w.rest) == before {
			return dst, IllTyped
		}
	} else if len(w.rest) == 0 {
		return append(dst, lexical...), Valid
	}
	w.geometry()
	w.space()
	return sameIf(dst, lexical, !w.bad && len(w.rest) == 0)
}

// wkt takes a well-known text apart, piece by piece. A piece that is not there
// makes it bad.
type wkt struct {
	rest  []byte
	bad   bool
	depth int
}

// maxNested is how many geometries may be one in another: more is no geometry.
const maxNested = 64

// What is in the brackets of a geometry.
const (
	aPoint       = iota // x y
	points              // x y, x y, …
	eachPoint           // as points, each in brackets or not
	rings               // (x y, …), (x y, …), …
	manyRings           // ((x y, …), …), …
	curves              // points in brackets, or a curve by its name
	manyCurves          // curves in brackets, or a surface by its name
	geometries          // geometries by their names
	notAGeometry = -1
)

func shapeOf(name []byte) int {
	switch string(name) {
	case "POINT":
		return aPoint
	case "LINESTRING", "CIRCULARSTRING":
		return points
	case "MULTIPOINT":
		return eachPoint
	case "POLYGON", "TRIANGLE", "MULTILINESTRING":
		return rings
	case "MULTIPOLYGON", "POLYHEDRALSURFACE", "TIN":
		return manyRings
	case "COMPOUNDCURVE", "CURVEPOLYGON", "MULTICURVE":
		return curves
	case "MULTISURFACE":
		return manyCurves
	case "GEOMETRYCOLLECTION":
		return geometries
	}
	return notAGeometry
}

// geometry cuts off a geometry with its name.
func (w *wkt) geometry() {
	if w.depth++; w.depth > maxNested {
		w.bad = true
		return
	}
	shape, dimensions := notAGeometry, 0
	name := w.word()
	if shape = shapeOf(name); shape == notAGeometry {
		for n := 1; n <= 2 && n < len(name) && shape == notAGeometry; n++ { // POINTZ, POINTZM
			if dimensions = dimensionsOf(name[len(name)-n:]); dimensions > 0 {
				shape = shapeOf(name[:len(name)-n])
			}
		}
	}
	w.bad = w.bad || shape == notAGeometry
	next := w.word()
	if n := dimensionsOf(next); n > 0 && dimensions == 0 {
		dimensions, next = n, w.word()
	}
	switch {
	case w.bad:
	case string(next) == "EMPTY":
	case len(next) > 0:
		w.bad = true
	default:
		w.body(shape, dimensions)
	}
	w.depth--
}

// body cuts off brackets, and what a shape has in them.
func (w *wkt) body(shape, dimensions int) {
	w.mark('(')
	for !w.bad {
		switch shape {
		case aPoint:
			w.point(dimensions)
			w.mark(')')
			return
		case points:
			w.point(dimensions)
		case eachPoint:
			if w.at('(') {
				w.body(aPoint, dimensions)
			} else if !w.isEmpty() {
				w.point(dimensions)
			}
		case rings, manyRings, curves, manyCurves:
			switch {
			case w.at('('):
				w.body(map[int]int{rings: points, manyRings: rings, curves: points, manyCurves: curves}[shape], dimensions)
			case w.isEmpty():
			case shape == curves || shape == manyCurves:
				w.geometry()
			default:
				w.bad = true
			}
		case geometries:
			w.geometry()
		}
		if !w.at(',') {
			break
		}
		w.mark(',')
	}
	w.mark(')')
}

// point cuts off the coordinates of a point: as many as its dimensions, or, where
// these are not given, two to four.
func (w *wkt) point(dimensions int) {
	n := 0
	for w.number() {
		n++
	}
	w.bad = w.bad || n < 2 || n > 4 || dimensions != 0 && n != dimensions
}

// number cuts off a number (signed numeric literal), if one comes next.
func (w *wkt) number() bool {
	w.space()
	text, _ := cutSign(w.rest)
	whole, rest := cutDigits(text)
	var fraction []byte
	if len(rest) > 0 && rest[0] == '.' {
		fraction, rest = cutDigits(rest[1:])
	}
	if len(whole)+len(fraction) == 0 {
		return false
	}
	if len(rest) > 0 && rest[0]|0x20 == 'e' {
		exponent, _ := cutSign(rest[1:])
		if exponent, rest = cutDigits(exponent); len(exponent) == 0 {
			return false
		}
	}
	if len(rest) > 0 && rest[0] != ' ' && rest[0] != ',' && rest[0] != ')' && rest[0] != '\t' && rest[0] != '\n' && rest[0] != '\r' {
		return false
	}
	w.rest = rest
	return true
}

// isEmpty cuts off the word EMPTY.
func (w *wkt) isEmpty() bool {
	before := w.rest
	if string(w.word()) == "EMPTY" {
		return true
	}
	w.rest = before
	return false
}

// word cuts off a word, in capitals; at most the longest name there is and a bit.
func (w *wkt) word() []byte {
	w.space()
	n := 0
	for n < len(w.rest) && isLetter(w.rest[n]) {
		n++
	}
	word := w.rest[:n]
	w.rest = w.rest[n:]
	for _, b := range word {
		if b >= 'a' {
			return bytes.ToUpper(word)
		}
	}
	return word
}

// dimensionsOf is the number of coordinates that a mark after a name shows; 0 if it
// is none.
func dimensionsOf(mark []byte) int {
	switch string(mark) {
	case "Z", "M":
		return 3
	case "ZM":
		return 4
	}
	return 0
}

func (w *wkt) at(mark byte) bool {
	w.space()
	return len(w.rest) > 0 && w.rest[0] == mark
}

func (w *wkt) mark(mark byte) {
	if !w.at(mark) {
		w.bad = true
		return
	}
	w.rest = w.rest[1:]
}

func (w *wkt) space() { w.rest = bytes.TrimLeft(w.rest, " \t\r\n") }
