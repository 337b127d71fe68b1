package jsonld

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
	"laundromat/markup/jsontext"
	"laundromat/rdf"
)

// number writes a JSON number as a literal. A whole number below 1e21 is an xsd:integer, digit for
// digit. Any other is the shortest canonical xsd:double that is read back as the same. A datatype that
// is given stays; xsd:double has its own form.
func (e *emitter) number(o *ref, v *jsonread.Value) {
	double := o.datatype == rdf.XSD+"double" || o.datatype == rdf.XSD+"float"
	if whole, ok := integer(v.Text); ok && !double {
		o.value = whole
		if o.datatype == "" {
			o.datatype = rdf.XSD + "integer"
		}
		return
	}
	if o.datatype == "" {
		o.datatype = rdf.XSD + "double"
	}
	f, err := strconv.ParseFloat(v.Text, 64)
	switch {
	case v.Text == "NaN" || v.Text == "INF" || v.Text == "-INF":
		return
	case err != nil || f == 0 && strings.Trim(mantissa(v.Text), "-0.") != "":
		// Past the range of a double: as written, for package clean to judge.
		return
	case o.datatype == rdf.XSD+"decimal":
		o.value = v.Text
		if strings.ContainsAny(v.Text, "eE") {
			o.value = strconv.FormatFloat(f, 'f', -1, 64)
		}
		return
	}
	o.value = canonicalDouble(f)
	if inexact(v.Text, f) {
		e.warn(fault.JSONPrecision, v, "the number %s has more digits than an xsd:double holds; it becomes %s", v.Text, o.value)
	}
}

func mantissa(number string) string {
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		return number[:i]
	}
	return number
}

// integer writes a number as a canonical xsd:integer, if it is whole and below 1e21.
func integer(number string) (string, bool) {
	if !strings.ContainsAny(number, ".eEN") {
		digits := strings.TrimPrefix(number, "-")
		switch {
		case len(digits) > 21:
			return "", false
		case digits == "0":
			return "0", true
		}
		return number, true
	}
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(f) || f != math.Trunc(f) || math.Abs(f) >= 1e21 {
		return "", false
	}
	if f == 0 {
		return "0", strings.Trim(mantissa(number), "-0.") == ""
	}
	exact, ok := new(big.Rat).SetString(number)
	if !ok || !exact.IsInt() {
		return "", false
	}
	return exact.Num().String(), true
}

// inexact says that digits were lost: the shortest form of f is shorter than what
// was written.
func inexact(number string, f float64) bool {
	digits := strings.TrimLeft(strings.NewReplacer("-", "", ".", "").Replace(mantissa(number)), "0")
	if len(digits) <= 15 {
		return false
	}
	if len(digits) > 400 {
		return true
	}
	written, ok := new(big.Rat).SetString(number)
	if !ok {
		return true
	}
	kept, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'e', -1, 64))
	return !ok || written.Cmp(kept) != 0
}

// canonicalDouble writes f as XSD 1.1 Part 2 §E.1 asks: 1.5E-2.
func canonicalDouble(f float64) string {
	text := strconv.FormatFloat(f, 'E', -1, 64)
	m, exponent, _ := strings.Cut(text, "E")
	if !strings.Contains(m, ".") {
		m += ".0"
	}
	exponent = strings.TrimPrefix(exponent, "+")
	negative := strings.HasPrefix(exponent, "-")
	exponent = strings.TrimLeft(strings.TrimPrefix(exponent, "-"), "0")
	switch {
	case exponent == "":
		exponent = "0"
	case negative:
		exponent = "-" + exponent
	}
	return m + "E" + exponent
}

// canonicalJSON writes a value by RFC 8785, for a literal of type rdf:JSON.
func canonicalJSON(v *jsonread.Value) string {
	return string(appendJSON(nil, v))
}

func appendJSON(b []byte, v *jsonread.Value) []byte {
	switch v.Kind {
	case jsonread.Null:
		return append(b, "null"...)
	case jsonread.Boolean:
		return append(b, v.Text...)
	case jsonread.Number:
		return appendNumber(b, v.Text)
	case jsonread.Text:
		return jsontext.AppendString(b, v.Text)
	case jsonread.Array:
		b = append(b, '[')
		for i, item := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, item)
		}
		return append(b, ']')
	}
	members := slices.Clone(v.Members)
	slices.SortStableFunc(members, func(x, y jsonread.Member) int {
		return slices.Compare(utf16.Encode([]rune(x.Name)), utf16.Encode([]rune(y.Name)))
	})
	b = append(b, '{')
	for i := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsontext.AppendString(b, members[i].Name)
		b = append(b, ':')
		b = appendJSON(b, members[i].Value)
	}
	return append(b, '}')
}

// appendNumber writes a number as ECMAScript does (RFC 8785 §3.2.2.3).
func appendNumber(b []byte, number string) []byte {
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return append(b, number...) // past the range: as written
	}
	if f == 0 {
		return append(b, '0')
	}
	if abs := math.Abs(f); abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	text := strconv.FormatFloat(f, 'e', -1, 64)
	m, exponent, _ := strings.Cut(text, "e")
	b = append(append(b, m...), 'e', exponent[0])
	return append(b, strings.TrimLeft(exponent[1:], "0")...)
}
