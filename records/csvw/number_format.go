package csvw

import (
	"math/big"
	"strings"
	"unicode/utf8"

	"laundromat/markup/jsonread"
)

// numberFormat is how numbers are written: a pattern of UAX #35 part 3, or only the signs in it.
type numberFormat struct {
	decimal, group rune // group 0: none
	implicit       bool // no format is given
	pattern        *numberPattern
}

// numberPattern is a pattern taken apart.
type numberPattern struct {
	text             string
	prefix, suffix   rune // % or ‰, else 0
	sign             bool // one has to be there
	minWhole         int
	symbols          int // of digits before the point
	primary, further int // sizes of groups, 0 for none
	point            bool
	minPart, maxPart int // digits after the point
	partGroup        int
	exponent         bool
	minExponent      int
	exponentSign     bool
}

// compileNumber reads the format of a number; why says that it is not used.
func compileNumber(v *jsonread.Value) (f *numberFormat, why string) {
	f = &numberFormat{decimal: '.', group: ','}
	pattern := ""
	if v.Kind == jsonread.Text {
		pattern = v.Text
	} else if v.Kind == jsonread.Object {
		for _, m := range v.Members {
			r, size := utf8.DecodeRuneInString(m.Value.Text)
			single := m.Value.Kind == jsonread.Text && size > 0 && size == len(m.Value.Text)
			switch {
			case m.Name == "pattern" && m.Value.Kind == jsonread.Text:
				pattern = m.Value.Text
			case m.Name == "decimalChar" && single:
				if f.decimal = r; r == f.group && v.Get("groupChar") == nil {
					f.group = 0
				}
			case m.Name == "groupChar" && single:
				f.group = r
			default:
				why = m.Name + " is not as it has to be"
			}
		}
	} else {
		return f, "it is a pattern or an object"
	}
	if pattern == "" {
		return f, why
	}
	if f.pattern = compileNumberPattern(pattern, f.decimal, f.group); f.pattern == nil {
		return f, "the pattern has a part that is not known"
	}
	return f, why
}

func compileNumberPattern(text string, decimal, group rune) *numberPattern {
	p := &numberPattern{text: text}
	rest := []rune(text)
	take := func(of string) rune {
		if len(rest) > 0 && strings.ContainsRune(of, rest[0]) {
			r := rest[0]
			rest = rest[1:]
			return r
		}
		return 0
	}
	for range 2 {
		if r := take("%‰"); r != 0 {
			p.prefix = r
		} else if take("+-") != 0 {
			p.sign = true
		}
	}
	// the whole part
	digits, since, groups, zeros := 0, 0, 0, false
	for len(rest) > 0 {
		r := rest[0]
		switch {
		case r == group && digits > 0:
			if groups > 0 {
				p.further = since
			}
			groups, since = groups+1, 0
		case r == '0':
			p.minWhole++
			digits, since, zeros = digits+1, since+1, true
		case r == '#' && !zeros:
			digits, since = digits+1, since+1
		default:
			goto part
		}
		rest = rest[1:]
	}
part:
	if groups > 0 {
		if p.primary = since; since == 0 {
			return nil
		}
		if p.further == 0 {
			p.further = p.primary
		}
	}
	if len(rest) > 0 && rest[0] == decimal {
		p.point, rest = true, rest[1:]
		count, optional := 0, false
		for len(rest) > 0 {
			r := rest[0]
			switch {
			case r == group && count > 0:
				if p.partGroup == 0 {
					p.partGroup = count
				}
			case r == '0' && !optional:
				p.minPart++
				count++
			case r == '#':
				optional = true
				count++
			default:
				goto exponent
			}
			rest = rest[1:]
		}
	exponent:
		if p.maxPart = count; count == 0 {
			return nil
		}
	}
	p.symbols = digits
	if digits == 0 && p.maxPart == 0 {
		return nil
	}
	if take("E") != 0 {
		p.exponent = true
		if take("+-") != 0 {
			p.exponentSign = true
		}
		for take("#") != 0 {
		}
		for take("0") != 0 {
			p.minExponent++
		}
	}
	p.suffix = take("%‰")
	if len(rest) > 0 {
		return nil
	}
	return p
}

// parse is the lexical form of a number that is written so.
func (f *numberFormat) parse(text, name string) (lexical, why string) {
	isFloat := name == "double" || name == "float" || name == "number"
	if text == "NaN" || text == "INF" || text == "-INF" {
		if isFloat {
			return text, ""
		}
		return text, "it is no " + name
	}
	isWhole := !isFloat && name != "decimal"
	if f.pattern == nil && isPlainNumber(text) { // the common case
		return text, ""
	}
	wrong := "it is no number of this form"
	if f.pattern != nil {
		wrong = "it is not written as " + f.pattern.text
	}
	rest, percent := text, rune(0)
	cut := func(of string, first bool) (found rune) {
		r, size := utf8.DecodeRuneInString(rest)
		if !first {
			r, size = utf8.DecodeLastRuneInString(rest)
		}
		if rest == "" || !strings.ContainsRune(of, r) {
			return 0
		}
		if first {
			rest = rest[size:]
		} else {
			rest = rest[:len(rest)-size]
		}
		return r
	}
	percent = cut("%‰", true)
	before := percent
	sign := cut("+-", true)
	if percent == 0 {
		if percent = cut("%‰", true); percent != 0 {
			before = percent
		}
	}
	after := rune(0)
	if percent == 0 {
		after = cut("%‰", false)
		percent = after
	}
	mantissa, exponent, hasExponent := rest, "", false
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		mantissa, exponent, hasExponent = rest[:i], rest[i+1:], true
	}
	wholePart, part, hasPoint := strings.Cut(mantissa, string(f.decimal))
	wholeDigits, ok1 := f.ungroup(wholePart)
	partDigits, ok2 := f.ungroup(part)
	exponentDigits := strings.TrimPrefix(strings.TrimPrefix(exponent, "+"), "-")
	switch {
	case !ok1 || !ok2 || wholeDigits+partDigits == "" || hasPoint && part == "",
		hasExponent && (!isFloat || !isDigits(exponentDigits) || exponentDigits == ""),
		isWhole && hasPoint,
		isWhole && percent != 0 && f.pattern == nil,
		f.pattern != nil && !f.pattern.fits(f, sign, before, after, wholePart, wholeDigits, part, partDigits, hasPoint, exponent, hasExponent):
		return text, wrong
	}
	lexical = wholeDigits
	if lexical == "" {
		lexical = "0"
	}
	if hasPoint {
		lexical += "." + partDigits
	}
	if sign != 0 {
		lexical = string(sign) + lexical
	}
	if percent != 0 {
		lexical = shifted(lexical, map[rune]int{'%': 2, '‰': 3}[percent])
	}
	if hasExponent {
		lexical += "E" + exponent
	}
	return lexical, ""
}

func isPlainNumber(text string) bool {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
	}
	return text != "" && len(text) < 300 && isDigits(text)
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// ungroup takes the signs between groups away.
func (f *numberFormat) ungroup(s string) (digits string, ok bool) {
	if f.group == 0 || !strings.ContainsRune(s, f.group) {
		return s, isDigits(s)
	}
	g := string(f.group)
	if strings.HasPrefix(s, g) || strings.HasSuffix(s, g) || strings.Contains(s, g+g) {
		return s, false
	}
	digits = strings.ReplaceAll(s, g, "")
	return digits, isDigits(digits)
}

// fits holds the parts of a number against the pattern.
func (p *numberPattern) fits(f *numberFormat, sign, before, after rune, wholePart, wholeDigits, part, partDigits string, hasPoint bool,
	exponent string, hasExponent bool) bool {
	exponentDigits := strings.TrimLeft(exponent, "+-")
	switch {
	case p.sign && sign == 0, before != p.prefix, after != p.suffix, len(wholeDigits) < p.minWhole,
		len(partDigits) < p.minPart, len(partDigits) > p.maxPart, hasPoint && !p.point,
		hasExponent != p.exponent, p.exponent && len(wholeDigits) > p.symbols, len(exponentDigits) < p.minExponent, p.exponentSign && exponent == exponentDigits:
		return false
	}
	return wholePart == grouped(wholeDigits, p.primary, p.further, f.group, true) &&
		part == grouped(partDigits, p.partGroup, p.partGroup, f.group, false)
}

// grouped writes digits in groups, from the right or from the left.
func grouped(digits string, first, further int, sign rune, right bool) string {
	if first == 0 || sign == 0 || len(digits) <= first {
		return digits
	}
	var groups []string
	for size := first; len(digits) > size; size = further {
		if right {
			groups = append([]string{digits[len(digits)-size:]}, groups...)
			digits = digits[:len(digits)-size]
		} else {
			groups = append(groups, digits[:size])
			digits = digits[size:]
		}
	}
	if right {
		groups = append([]string{digits}, groups...)
	} else {
		groups = append(groups, digits)
	}
	return strings.Join(groups, string(sign))
}

// shifted is a decimal number divided by ten, n times.
func shifted(lexical string, n int) string {
	sign := strings.TrimRight(lexical, "0123456789.")
	digits, part, _ := strings.Cut(lexical[len(sign):], ".")
	digits = strings.Repeat("0", max(0, n+1-len(digits))) + digits
	cut := len(digits) - n
	part = strings.TrimRight(digits[cut:]+part, "0")
	digits = strings.TrimLeft(digits[:cut], "0")
	if digits == "" {
		digits = "0"
	}
	if part != "" {
		digits += "." + part
	}
	return strings.TrimPrefix(sign, "+") + digits
}

// rational is the value of a number, for comparisons; ok is false where its exponent is too large for that.
func rational(text string) (*big.Rat, bool) {
	if i := strings.IndexAny(text, "eE"); i >= 0 && len(text)-i > 5 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}
