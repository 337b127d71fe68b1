package schema

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"laundromat/records"
)

// castInteger reads an integer as XML Schema writes it; it becomes a number of JSON.
func castInteger(f *field, v *records.Value) string {
	switch v.Kind {
	case records.Text:
		s, ok := f.numeral(v.Text)
		if !plainInteger(s) {
			if s, ok = integerOf(s, ok); !ok {
				return "it isn't an integer"
			}
		}
		v.Kind, v.Text = records.Number, s
		return ""
	case records.Number:
		if plainInteger(v.Text) {
			return ""
		}
		// JSON Schema too takes 1.0 for an integer; a number with an exponent is none.
		whole, fraction, _ := strings.Cut(v.Text, ".")
		if strings.Trim(fraction, "0") != "" || !plainInteger(whole) {
			return "it isn't an integer"
		}
		v.Text = whole
		return ""
	}
	return "it is " + article(v.Kind) + ", no integer"
}

func article(k records.Kind) string {
	switch k {
	case records.Object:
		return "an object"
	case records.Null:
		return "null"
	}
	return "a " + k.String()
}

// plainInteger says that s is an integer as JSON writes it.
func plainInteger(s string) bool {
	if s != "" && s[0] == '-' {
		s = s[1:]
	}
	if s == "" || s[0] == '0' && len(s) > 1 {
		return false
	}
	for i := range len(s) {
		if s[i]-'0' > 9 {
			return false
		}
	}
	return true
}

// integerOf takes the plus sign and leading zeros away.
func integerOf(s string, ok bool) (string, bool) {
	sign := ""
	switch {
	case s == "" || !ok:
		return "", false
	case s[0] == '+':
		s = s[1:]
	case s[0] == '-':
		sign, s = "-", s[1:]
	}
	if s == "" {
		return "", false
	}
	for len(s) > 1 && s[0] == '0' {
		s = s[1:]
	}
	if !plainInteger(s) || s[0] == '-' {
		return "", false
	}
	if s == "0" {
		sign = ""
	}
	return sign + s, true
}

// castNumber reads a number as XML Schema writes it. NaN, INF and -INF, which JSON does
// not have, stay texts.
func castNumber(f *field, v *records.Value) string {
	switch v.Kind {
	case records.Number:
		return ""
	case records.Text:
		if f.decimal == "." && f.group == "" && f.bare && records.IsNumber(v.Text) {
			v.Kind = records.Number
			return ""
		}
		switch v.Text {
		case "NaN", "INF", "-INF":
			return ""
		}
		s, ok := f.numeral(v.Text)
		if f.decimal != "." {
			if strings.Contains(s, ".") {
				return "it isn't a number"
			}
			s = strings.Replace(s, f.decimal, ".", 1)
		}
		if s, ok = numberOf(s, ok); !ok {
			return "it isn't a number"
		}
		v.Kind, v.Text = records.Number, s
		return ""
	}
	return "it is " + article(v.Kind) + ", no number"
}

// numberOf writes a number of XML Schema as JSON does: +1, 01, .5 and 5. are 1, 1, 0.5, 5.
func numberOf(s string, ok bool) (string, bool) {
	if !ok || s == "" || records.IsNumber(s) {
		return s, ok && s != ""
	}
	sign, exponent := "", ""
	if s[0] == '+' || s[0] == '-' {
		if s[0] == '-' {
			sign = "-"
		}
		s = s[1:]
	}
	if at := strings.IndexAny(s, "eE"); at >= 0 {
		s, exponent = s[:at], s[at:]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	if whole == "" && fraction == "" {
		return "", false
	}
	for len(whole) > 1 && whole[0] == '0' {
		whole = whole[1:]
	}
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	s = sign + whole + fraction + exponent
	return s, records.IsNumber(s)
}

// numeral takes out of a text what the field allows around the digits. These are signs of
// currency and percent where it is no bare number, and the characters between groups.
func (f *field) numeral(s string) (string, bool) {
	if f.bare && f.group == "" {
		return s, true
	}
	if !f.bare {
		s = f.bared(s)
	}
	if f.group == "" || !strings.Contains(s, f.group) {
		return s, true
	}
	whole, fraction := s, ""
	if f.kind == "number" {
		if at := strings.Index(s, f.decimal); at >= 0 {
			whole, fraction = s[:at], s[at:]
		}
	}
	// A group is apart from digits on both sides; there is none after the decimal sign.
	parts := strings.Split(whole, f.group)
	for i, part := range parts {
		if i == 0 {
			part = strings.TrimLeft(part, "+-")
		}
		if part == "" || strings.Trim(part, "0123456789") != "" && (fraction != "" || i+1 < len(parts)) {
			return s, false
		}
	}
	return strings.Join(parts, "") + fraction, true
}

// bared takes away what is before and after the number: all that is no digit, sign or
// decimal sign with a digit after it. A minus before the sign of a currency stays. What
// may mean a negative number in another way, such as a minus after it, is no number.
func (f *field) bared(s string) string {
	from := 0
	for ; from < len(s) && !f.numberBegins(s[from:]); from++ {
	}
	to := len(s)
	for to > from && s[to-1]-'0' > 9 {
		to--
	}
	if strings.ContainsAny(s[:from], "(") || strings.ContainsAny(s[to:], "-)") {
		return ""
	}
	if from > 0 && from < len(s) && s[0] == '-' && s[from]-'0' <= 9 {
		return "-" + s[from:to]
	}
	return s[from:to]
}

func (f *field) numberBegins(s string) bool {
	if s[0] == '+' || s[0] == '-' {
		s = s[1:]
	}
	s = strings.TrimPrefix(s, f.decimal)
	return s != "" && s[0]-'0' <= 9
}

// unordered is what two values that have no order compare to.
const unordered = math.MinInt

// compareNumbers orders two numbers of JSON exactly; NaN has no order.
func compareNumbers(a, b string) int {
	if len(a) < 16 && len(b) < 16 && plainInteger(a) && plainInteger(b) {
		x, _ := strconv.ParseInt(a, 10, 64)
		y, _ := strconv.ParseInt(b, 10, 64)
		return cmp.Compare(x, y)
	}
	// Doubles distinguish all decimals of fifteen digits, and keep their order.
	if len(a) < 16 && len(b) < 16 && !strings.ContainsAny(a, "eEN") && !strings.ContainsAny(b, "eE") {
		x, _ := strconv.ParseFloat(a, 64)
		y, _ := strconv.ParseFloat(b, 64)
		return cmp.Compare(x, y)
	}
	switch a {
	case "NaN":
		return unordered
	case "INF":
		return 1
	case "-INF":
		return -1
	}
	x, y := decimalOf(a), decimalOf(b)
	switch {
	case x.sign != y.sign:
		return cmp.Compare(x.sign, y.sign)
	case x.point != y.point:
		return x.sign * cmp.Compare(x.point, y.point)
	}
	return x.sign * strings.Compare(x.digits, y.digits)
}

// decimal is a number as 0.DIGITS × 10^point, without zeros at its ends. Its size does not
// grow with its exponent, so that 1e999999999 costs no more than 1.
type decimal struct {
	sign   int // -1, 0, 1
	digits string
	point  int
}

func decimalOf(s string) decimal {
	d := decimal{sign: 1}
	if s != "" && s[0] == '-' {
		d.sign, s = -1, s[1:]
	}
	exponent := 0
	if at := strings.IndexAny(s, "eE"); at >= 0 {
		exponent, _ = strconv.Atoi(s[at+1:]) // out of range gives the nearest int
		exponent = max(min(exponent, math.MaxInt/4), -math.MaxInt/4)
		s = s[:at]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	whole = strings.TrimLeft(whole, "0")
	d.point = len(whole) + exponent
	d.digits = whole
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		d.digits += fraction
	}
	if whole == "" {
		trimmed := strings.TrimLeft(d.digits, "0")
		d.point -= len(d.digits) - len(trimmed)
		d.digits = trimmed
	}
	if d.digits = strings.TrimRight(d.digits, "0"); d.digits == "" {
		return decimal{}
	}
	return d
}

// castBoolean reads the field's words for true and false.
func castBoolean(f *field, v *records.Value) string {
	switch v.Kind {
	case records.Bool:
		return ""
	case records.Text:
		for _, t := range f.trues {
			if v.Text == t {
				*v = records.BoolOf(true)
				return ""
			}
		}
		for _, t := range f.falses {
			if v.Text == t {
				*v = records.BoolOf(false)
				return ""
			}
		}
		return "it is none of the words for true and false"
	}
	return "it is " + article(v.Kind) + ", no boolean"
}
