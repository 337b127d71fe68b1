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

// patternReader reads a pattern of numbers from left to right.
type patternReader struct {
	rest           []rune
	decimal, group rune
}

// take reads one of some characters; 0 if none is next.
func (r *patternReader) take(of string) (found rune) {
	if len(r.rest) > 0 && strings.ContainsRune(of, r.rest[0]) {
		found, r.rest = r.rest[0], r.rest[1:]
	}
	return found
}

// compileNumberPattern takes a pattern apart; nil if it has a part that is not known.
func compileNumberPattern(text string, decimal, group rune) *numberPattern {
	p := &numberPattern{text: text}
	r := &patternReader{[]rune(text), decimal, group}
	for range 2 {
		if found := r.take("%‰"); found != 0 {
			p.prefix = found
		} else if r.take("+-") != 0 {
			p.sign = true
		}
	}
	if !r.whole(p) || !r.part(p) || p.symbols+p.maxPart == 0 {
		return nil
	}
	if r.take("E") != 0 {
		p.exponent = true
		p.exponentSign = r.take("+-") != 0
		for r.take("#") != 0 {
		}
		for r.take("0") != 0 {
			p.minExponent++
		}
	}
	if p.suffix = r.take("%‰"); len(r.rest) > 0 {
		return nil
	}
	return p
}

// whole reads the digits before the point, in their groups.
func (r *patternReader) whole(p *numberPattern) bool {
	since, groups := 0, 0
	for len(r.rest) > 0 {
		c := r.rest[0]
		switch {
		case c == r.group && p.symbols > 0:
			if groups > 0 {
				p.further = since
			}
			groups, since = groups+1, -1
		case c == '0':
			p.minWhole++
			p.symbols++
		case c == '#' && p.minWhole == 0:
			p.symbols++
		default:
			return r.groups(p, groups, since)
		}
		since++
		r.rest = r.rest[1:]
	}
	return r.groups(p, groups, since)
}

// groups settles the sizes of groups: the last before the point, and those before it.
func (r *patternReader) groups(p *numberPattern, groups, since int) bool {
	if groups == 0 {
		return true
	}
	if p.primary = since; p.further == 0 {
		p.further = since
	}
	return since > 0
}

// part reads the digits after the point.
func (r *patternReader) part(p *numberPattern) bool {
	if len(r.rest) == 0 || r.rest[0] != r.decimal {
		return true
	}
	p.point, r.rest = true, r.rest[1:]
	for len(r.rest) > 0 {
		c := r.rest[0]
		switch {
		case c == r.group && p.maxPart > 0:
			if p.partGroup == 0 {
				p.partGroup = p.maxPart
			}
		case c == '0' && p.minPart == p.maxPart:
			p.minPart++
			p.maxPart++
		case c == '#':
			p.maxPart++
		default:
			return p.maxPart > 0
		}
		r.rest = r.rest[1:]
	}
	return p.maxPart > 0
}

// numberText is a number as it is written, taken apart.
type numberText struct {
	rest                    string
	sign, before, after     rune // before and after: % or ‰
	wholePart, wholeDigits  string
	part, partDigits        string
	exponent                string
	hasPoint, hasExponent   bool
	isGrouped, isExponented bool // its groups and its exponent are sound
}

// take takes one of some characters from the beginning or the end.
func (t *numberText) take(of string, first bool) (found rune) {
	r, size := utf8.DecodeRuneInString(t.rest)
	if !first {
		r, size = utf8.DecodeLastRuneInString(t.rest)
	}
	switch {
	case t.rest == "" || !strings.ContainsRune(of, r):
		return 0
	case first:
		t.rest = t.rest[size:]
	default:
		t.rest = t.rest[:len(t.rest)-size]
	}
	return r
}

// split takes a number apart.
func (f *numberFormat) split(text string) *numberText {
	t := &numberText{rest: text}
	t.before = t.take("%‰", true)
	if t.sign = t.take("+-", true); t.before == 0 {
		t.before = t.take("%‰", true)
	}
	if t.before == 0 {
		t.after = t.take("%‰", false)
	}
	mantissa := t.rest
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		mantissa, t.exponent, t.hasExponent = mantissa[:i], mantissa[i+1:], true
	}
	digits := strings.TrimPrefix(strings.TrimPrefix(t.exponent, "+"), "-")
	t.isExponented = !t.hasExponent || digits != "" && isDigits(digits)
	t.wholePart, t.part, t.hasPoint = strings.Cut(mantissa, string(f.decimal))
	var ok1, ok2 bool
	t.wholeDigits, ok1 = f.ungroup(t.wholePart)
	t.partDigits, ok2 = f.ungroup(t.part)
	t.isGrouped = ok1 && ok2 && t.wholeDigits+t.partDigits != "" && (!t.hasPoint || t.part != "")
	return t
}

// parse is the lexical form of a number that is written so.
func (f *numberFormat) parse(text, name string) (lexical, why string) {
	isFloat := name == "double" || name == "float" || name == "number"
	isWhole := !isFloat && name != "decimal"
	wrong := "it is no " + name
	switch {
	case text == "NaN" || text == "INF" || text == "-INF":
		if isFloat {
			return text, ""
		}
		return text, wrong
	case f.pattern == nil && isPlainNumber(text): // the common case
		return text, ""
	case f.pattern != nil:
		wrong = "it is not written as " + f.pattern.text
	}
	t := f.split(text)
	percent := t.before + t.after // one of them is 0
	if !t.isGrouped || !t.isExponented || t.hasExponent && !isFloat || isWhole && (t.hasPoint || percent != 0 && f.pattern == nil) ||
		f.pattern != nil && !f.pattern.fits(t, f.group) {
		return text, wrong
	}
	return t.lexical(percent), ""
}

// lexical is the number as XML Schema writes it.
func (t *numberText) lexical(percent rune) (lexical string) {
	if lexical = t.wholeDigits; lexical == "" {
		lexical = "0"
	}
	if t.hasPoint {
		lexical += "." + t.partDigits
	}
	if t.sign != 0 {
		lexical = string(t.sign) + lexical
	}
	if percent != 0 {
		lexical = shifted(lexical, map[rune]int{'%': 2, '‰': 3}[percent])
	}
	if t.hasExponent {
		lexical += "E" + t.exponent
	}
	return lexical
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
func (p *numberPattern) fits(t *numberText, group rune) bool {
	exponent := strings.TrimLeft(t.exponent, "+-")
	switch {
	case p.sign && t.sign == 0, t.before != p.prefix, t.after != p.suffix,
		len(t.wholeDigits) < p.minWhole, p.exponent && len(t.wholeDigits) > p.symbols,
		len(t.partDigits) < p.minPart, len(t.partDigits) > p.maxPart, t.hasPoint && !p.point,
		t.hasExponent != p.exponent, len(exponent) < p.minExponent, p.exponentSign && t.exponent == exponent:
		return false
	}
	return t.wholePart == grouped(t.wholeDigits, p.primary, p.further, group, true) &&
		t.part == grouped(t.partDigits, p.partGroup, p.partGroup, group, false)
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
