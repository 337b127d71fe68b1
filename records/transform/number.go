package transform

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"laundromat/internal/dates"
	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/spec"
)

// numbering is the verb number.
type numbering struct{ form numberForm }

// numberForm is how numbers are written.
type numberForm struct {
	// decimal is the decimal sign, '.' or ','; zero means that each number must show it.
	decimal byte
	// brackets says that (5) is -5.
	brackets bool
	// beside are texts that may stand before or behind the number, the longest first, such as the sign of a
	// currency.
	beside []string
}

func compileNumber(r *rule, n *spec.Node, _ Options) (verb, error) {
	var form numberForm
	switch {
	case n.Kind == spec.Null, n.Kind == spec.Bool && n.Text == "true":
	case n.Kind == spec.Text:
		return numbering{form}, form.setDecimal(n, &form)
	default:
		if err := n.Only("key of number", "decimal", "parentheses", "beside", "missing"); err != nil {
			return nil, err
		}
		if b := n.Get("beside"); b != nil {
			if err := form.setBeside(b); err != nil {
				return nil, err
			}
		}
		if err := r.setMissing(n.Get("missing")); err != nil {
			return nil, err
		}
		if d := n.Get("decimal"); d != nil {
			if err := form.setDecimal(d, &form); err != nil {
				return nil, err
			}
		}
		if p := n.Get("parentheses"); p != nil {
			if !p.IsText("negative") {
				return nil, p.Errorf(`the only value is "negative", for (5) as -5`)
			}
			form.brackets = true
		}
	}
	return numbering{form}, nil
}

func (numberForm) setDecimal(n *spec.Node, form *numberForm) error {
	if !n.IsText(".") && !n.IsText(",") {
		return n.Errorf(`the decimal sign is "." or ","`)
	}
	form.decimal = n.Text[0]
	return nil
}

func (f *numberForm) setBeside(n *spec.Node) (err error) {
	if f.beside = []string{n.Text}; n.Kind != spec.Text {
		if f.beside, err = texts(n); err != nil {
			return err
		}
		f.beside = slices.Clone(f.beside)
	}
	for _, b := range f.beside {
		if strings.TrimSpace(b) != b || b == "" || strings.ContainsAny(b, "0123456789") {
			return n.Errorf("the text beside a number has no digits and no spaces around it, unlike %q", b)
		}
	}
	slices.SortStableFunc(f.beside, func(a, b string) int { return len(b) - len(a) })
	return nil
}

// bare is the text without what may stand beside the number.
func (f *numberForm) bare(s string) string {
	for _, b := range f.beside {
		if before, after, found := strings.Cut(s, b); found && !hasDigit(before) {
			s = before + " " + after
		} else if at := strings.LastIndex(s, b); at >= 0 && !hasDigit(s[at+len(b):]) {
			s = s[:at] + " " + s[at+len(b):]
		}
	}
	return s
}

func hasDigit(s string) bool { return strings.IndexFunc(s, unicode.IsDigit) >= 0 }

func (v numbering) apply(c *call) outcome {
	return c.each(func(value records.Value) outcome {
		if value.Kind == records.Number {
			return outcome{value: value}
		}
		number, trouble := v.form.read(value.Text)
		o := outcome{value: value}
		switch trouble {
		case noNumber:
			o.code, o.message = fault.MapNumber, fmt.Sprintf("%q isn't a number", shown(value.Text))
		case twoReadings:
			o.code = fault.MapAmbiguous
			o.message = fmt.Sprintf("%q is %s or %s", value.Text, number, strings.Replace(number, ".", "", 1))
		default:
			o.value = records.NumberOf(number)
		}
		return o
	})
}

func shown(text string) string { return fault.Excerpt([]byte(text)) }

type numberTrouble uint8

const (
	sound numberTrouble = iota
	noNumber
	twoReadings
)

// maxDigits bounds the length of a number.
const maxDigits = 1000

// read reads a number and writes it as JSON does, with all its digits. Where it has two
// readings, it gives the one with a decimal sign.
func (f numberForm) read(text string) (string, numberTrouble) {
	s, ok := asciiNumber(strings.TrimSpace(f.bare(text)))
	if !ok || s == "" || len(s) > maxDigits {
		return "", noNumber
	}
	negative := false
	if s[0] == '(' && s[len(s)-1] == ')' && f.brackets {
		negative, s = true, strings.TrimSpace(s[1:len(s)-1])
	} else {
		switch {
		case s[0] == '-' || s[0] == '+':
			negative, s = s[0] == '-', strings.TrimSpace(s[1:])
		case strings.HasSuffix(s, ",-"), strings.HasSuffix(s, ".-"): // a price, which is not negative
			return "", noNumber
		case s[len(s)-1] == '-': // as accounts have it: 5-
			negative, s = true, strings.TrimSpace(s[:len(s)-1])
		}
	}
	exponent := ""
	if i := strings.IndexAny(s, "eE"); i > 0 {
		if s, exponent = s[:i], s[i:]; !records.IsNumber("1" + exponent) {
			return "", noNumber
		}
	}
	whole, fraction, trouble := f.parts(s)
	if trouble == noNumber {
		return "", noNumber
	}
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	number := whole
	if fraction != "" {
		number += "." + fraction
	}
	if negative {
		number = "-" + number
	}
	return number + exponent, trouble
}

// asciiNumber writes the digits and signs of other scripts in ASCII, and each space as a
// plain one.
func asciiNumber(s string) (string, bool) {
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	if ascii {
		return s, true
	}
	var b strings.Builder
	for _, c := range s {
		switch {
		case c < utf8.RuneSelf:
			b.WriteByte(byte(c))
		case c == '\u2212': // minus sign
			b.WriteByte('-')
		case c == '\u2019': // apostrophe, that groups in Switzerland
			b.WriteByte('\'')
		case c == '\u066B': // Arabic decimal separator
			b.WriteByte('.')
		case c == '\u066C': // Arabic thousands separator
			b.WriteByte('\'')
		case unicode.IsSpace(c), c == '\u2009', c == '\u202F':
			b.WriteByte(' ')
		case unicode.IsDigit(c):
			b.WriteByte(dates.ASCIIDigit(c))
		default:
			return "", false
		}
	}
	return b.String(), true
}

// parts takes the whole and the fraction of a number apart, without signs.
func (f numberForm) parts(s string) (whole, fraction string, trouble numberTrouble) {
	if s == "" || s == "." || s == "," {
		return "", "", noNumber
	}
	decimal := f.decimal
	if decimal == 0 {
		if decimal, trouble = findDecimal(s); trouble == noNumber {
			return "", "", noNumber
		}
	}
	whole = s
	if decimal != 0 {
		if i := strings.LastIndexByte(s, decimal); i >= 0 {
			whole, fraction = s[:i], s[i+1:]
			if strings.IndexByte(whole, decimal) >= 0 {
				return "", "", noNumber
			}
		}
	}
	if !isDigits(fraction) || whole == "" && fraction == "" {
		return "", "", noNumber
	}
	whole, ok := ungrouped(whole)
	if !ok {
		return "", "", noNumber
	}
	return whole, fraction, trouble
}

// findDecimal finds the decimal sign that the number itself shows; zero means that it has
// none. If the sign may be a grouping as well, twoReadings is true.
func findDecimal(s string) (byte, numberTrouble) {
	points, commas := strings.Count(s, "."), strings.Count(s, ",")
	switch {
	case points+commas == 0:
		return 0, sound
	case points > 1 && commas > 1:
		return 0, noNumber
	case points > 0 && commas > 0:
		sign := byte('.')
		if strings.LastIndexByte(s, ',') > strings.LastIndexByte(s, '.') {
			sign = ','
		}
		return sign, sound
	case points+commas > 1:
		return 0, sound // several of one sign group
	}
	i := strings.IndexAny(s, ".,")
	before, after := s[:i], s[i+1:]
	if len(after) != 3 || before == "" || before[0] == '0' || len(before) > 3 || !isDigits(before) || !isDigits(after) {
		return s[i], sound
	}
	return s[i], twoReadings
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// ungrouped removes the grouping of a whole number. That is one sign between groups of three
// digits, or, as in India, of two digits before the last three.
func ungrouped(s string) (string, bool) {
	i := strings.IndexAny(s, " '.,_")
	if i < 0 {
		return s, isDigits(s)
	}
	groups := strings.Split(s, s[i:i+1])
	last := len(groups) - 1
	if len(groups[last]) != 3 || groups[0] == "" || len(groups[0]) > 3 {
		return "", false
	}
	size := 3
	if last > 1 && len(groups[1]) == 2 {
		size = 2
	}
	for i, g := range groups {
		if !isDigits(g) || i > 0 && i < last && len(g) != size || i == 0 && len(g) > size {
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}
