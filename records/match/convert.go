package match

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"laundromat/internal/rfc3986"
	"laundromat/records"
	"laundromat/records/spec"
)

// conversion changes the value of another matcher. What can't be converted stays as it is,
// with a warning; an empty text is none.
type conversion struct {
	of   *matcher
	name string
	node *spec.Node
}

func (c conversion) make(r *run, at item) (result, bool) {
	if c.name == "no_html" && at.kind == elementItem {
		if _, ok := c.of.do.(itself); ok {
			r.see(at.el)
			return result{value: records.TextOf(r.keep(strip(r.tree.seenText(at.el, false)))), from: origin{el: at.el, part: ofText}}, true
		}
	}
	v, ok := c.of.find(r, at)
	if _, plain := c.of.do.(itself); plain && c.name == "html_encoded" && at.kind == elementItem {
		v, ok = innerHTML{}.make(r, at) // the contents, and not their text
	}
	if !ok {
		return v, false
	}
	// Regular expressions that fill several fields give an object; conversions change each.
	return c.change(r, at, v)
}

func (c conversion) change(r *run, at item, v result) (result, bool) {
	switch v.value.Kind {
	case records.Null:
		return v, true
	case records.List:
		var items []records.Value
		for _, i := range v.value.Items {
			if w, ok := c.change(r, at, result{value: i, from: v.from}); ok {
				items = append(items, w.value)
				v.raw = v.raw || w.raw
			}
		}
		v.value.Items = items
		return v, len(items) > 0
	case records.Object:
		if _, plain := c.of.do.(itself); plain && c.name == "text" {
			break // an object of JSON
		}
		var fields []records.Field
		for _, f := range v.value.Fields {
			if w, ok := c.change(r, at, result{value: f.Value, from: v.from}); ok {
				f.Value = w.value
				fields = append(fields, f)
				v.raw = v.raw || w.raw
			}
		}
		v.value.Fields = fields
		return v, len(fields) > 0
	}
	text := textOfValue(&v.value)
	done, ok := true, true
	switch c.name {
	case "text":
		v.value = records.TextOf(strip(text))
		return v, true
	case "no_html":
		v.value = records.TextOf(r.keep(withoutTags(text)))
		return v, true
	case "html_encoded":
		v.value = records.TextOf(r.keep(escapeText(text)))
		return v, true
	case "link":
		v.value, done = r.link(text)
		ok = v.value.Text != ""
	case "to_bool":
		v.value, done = boolOf(text)
		ok = strip(text) != ""
	case "to_i", "to_f", "to_date":
		if ok = strip(text) != ""; ok {
			v.value, done = c.parse(r, at, v, text)
		}
	}
	if !done && ok {
		v.value, v.raw = records.TextOf(text), true
		if c.name == "link" {
			r.warnAt(v.from, linkWithoutBase, "the link "+quoted(text)+" is relative, and the URL of the page is not known")
		} else {
			r.warnAt(v.from, notConverted, quoted(text)+" isn't a "+wanted[c.name]+"; it stays as it is")
		}
	}
	return v, ok
}

var wanted = map[string]string{"to_i": "whole number", "to_f": "number", "to_date": "date of a single reading", "to_bool": "truth value"}

func (c conversion) parse(r *run, _ item, v result, text string) (records.Value, bool) {
	switch c.name {
	case "to_i":
		n, ok := wholeNumber(text)
		return records.NumberOf(n), ok
	case "to_f":
		n, ok := decimalNumber(text)
		return records.NumberOf(n), ok
	}
	d, zone, ok := parseDate(strip(text))
	if ok && !zone {
		r.warnAt(v.from, withoutZone, "the time in "+quoted(text)+" has no time zone; it is read as UTC")
	}
	return records.TextOf(d), ok
}

// numberRun finds the one run of digits and signs in a text. What is around it may be words,
// but no other digit: of two numbers none is meant for certain.
func numberRun(text string) (number string, ok bool) {
	text = strings.NewReplacer("\u2212", "-", "\u00A0", " ", "\u202F", " ", "\u2009", " ").Replace(strip(text))
	from := strings.IndexAny(text, "0123456789")
	if from < 0 {
		return "", false
	}
	to := numberEnd(text, from)
	if strings.ContainsAny(text[to:], "0123456789") || from > 0 && isLetter(text[from-1]) {
		return "", false
	}
	if from > 0 && text[from-1] == '.' && (from == 1 || text[from-2] == ' ' || text[from-2] == '-' || text[from-2] == '+') {
		from--
	}
	if from > 0 && (text[from-1] == '-' || text[from-1] == '+') && (from == 1 || !isLetter(text[from-2])) {
		from--
	}
	return text[from:to], true
}

// numberEnd is where a number ends that begins at an offset: digits, with separators between
// them, and an exponent.
func numberEnd(text string, from int) (to int) {
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case isDigit(c):
			to = i + 1
			continue
		case (c == ',' || c == '.' || c == '\'') && i+1 < len(text) && isDigit(text[i+1]):
			continue
		case c == ' ' && groupAt(text[i+1:]):
			continue
		case c|0x20 == 'e' && i == to:
			if end := exponentEnd(text, i+1); end > 0 {
				return end
			}
		}
		break
	}
	return to
}

// groupAt says that a text begins with three digits, no more.
func groupAt(text string) bool {
	return len(text) >= 3 && isDigit(text[0]) && isDigit(text[1]) && isDigit(text[2]) && (len(text) == 3 || !isDigit(text[3]))
}

// exponentEnd is where the digits of an exponent end; 0 if there is none.
func exponentEnd(text string, i int) int {
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		i++
	}
	end := i
	for end < len(text) && isDigit(text[end]) {
		end++
	}
	if end == i || end < len(text) && isLetter(text[end]) {
		return 0
	}
	return end
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// grouped says that separators part a number into groups of three, and gives it without them.
func grouped(s string, separator string) (string, bool) {
	parts := strings.Split(s, separator)
	digits := strings.TrimLeft(parts[0], "+-")
	if len(digits) < 1 || len(digits) > 3 {
		return "", false
	}
	for _, p := range parts[1:] {
		if len(p) != 3 {
			return "", false
		}
	}
	return strings.Join(parts, ""), true
}

// wholeNumber reads a whole number. Groups of three may be parted by a comma, a blank or an
// apostrophe; a point with three digits could part off a fraction.
func wholeNumber(text string) (string, bool) {
	s, ok := numberRun(text)
	if !ok {
		return "", false
	}
	for _, separator := range []string{",", " ", "'"} {
		if strings.Contains(s, separator) {
			if s, ok = grouped(s, separator); !ok {
				return "", false
			}
			break
		}
	}
	if strings.Count(s, ".") > 1 {
		if s, ok = grouped(s, "."); !ok {
			return "", false
		}
	}
	if whole, fraction, found := strings.Cut(s, "."); found {
		if strings.Trim(fraction, "0") != "" || whole == "" || len(fraction) == 3 {
			return "", false
		}
		s = whole
	}
	if strings.ContainsAny(s, "eE") {
		return "", false
	}
	return records.ToNumber(s)
}

// decimalNumber reads a number with a point or a comma before its fraction.
func decimalNumber(text string) (string, bool) {
	s, ok := numberRun(text)
	if !ok {
		return "", false
	}
	for _, separator := range []string{" ", "'"} {
		if i := strings.LastIndex(s, separator); i >= 0 {
			fraction := strings.IndexAny(s[i:], ".,")
			end := len(s)
			if fraction >= 0 {
				end = i + fraction
			}
			whole, ok := grouped(s[:end], separator)
			if !ok {
				return "", false
			}
			s = whole + s[end:]
		}
	}
	comma, point := strings.LastIndexByte(s, ','), strings.LastIndexByte(s, '.')
	switch {
	case comma >= 0 && point >= 0:
		decimal, group := ".", ","
		if comma > point {
			decimal, group = ",", "."
		}
		if strings.Count(s, decimal) > 1 {
			return "", false
		}
		whole, fraction, _ := strings.Cut(s, decimal)
		if whole, ok = grouped(whole, group); !ok {
			return "", false
		}
		s = whole + "." + fraction
	case strings.Count(s, ",") > 1:
		if s, ok = grouped(s, ","); !ok {
			return "", false
		}
	case strings.Count(s, ".") > 1:
		if s, ok = grouped(s, "."); !ok {
			return "", false
		}
	case comma >= 0:
		if _, group := grouped(s, ","); group && !strings.HasPrefix(strings.TrimLeft(s, "+-"), "0") {
			return "", false // 1,234 has two readings
		}
		s = strings.Replace(s, ",", ".", 1)
	}
	return records.ToNumber(s)
}

// numberText is a number of XPath; "" if it is none that JSON knows.
func numberText(f float64) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return ""
	}
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatInt(int64(f), 10)
	}
	s, _ := records.ToNumber(strconv.FormatFloat(f, 'g', -1, 64))
	return s
}

var truths = map[string]string{"true": "true", "yes": "true", "y": "true", "on": "true", "1": "true", "t": "true",
	"false": "false", "no": "false", "n": "false", "off": "false", "0": "false", "f": "false"}

func boolOf(text string) (records.Value, bool) {
	t, ok := truths[strings.ToLower(strip(text))]
	return records.BoolOf(t == "true"), ok
}

// link resolves a link against the base of the page. Blanks at its ends go, as in browsers.
func (r *run) link(text string) (records.Value, bool) {
	text = strings.Map(func(c rune) rune {
		if c == '\n' || c == '\r' || c == '\t' {
			return -1
		}
		return c
	}, strings.Trim(text, " \t\r\n\f"))
	if text == "" {
		return records.TextOf(""), true
	}
	base := r.base()
	if base == "" && !rfc3986.IsAbsolute([]byte(text)) {
		return records.TextOf(text), false
	}
	return records.TextOf(r.keep(string(rfc3986.AppendResolved(nil, []byte(base), []byte(escapeBlanks(text)))))), true
}

func escapeBlanks(s string) string { return strings.ReplaceAll(s, " ", "%20") }

// base is what links of the page are resolved against; "" if it is not known.
func (r *run) base() string {
	base := r.document.URL
	if r.tree != nil && r.tree.base != "" {
		switch own := []byte(r.tree.base); {
		case base != "":
			base = string(rfc3986.AppendResolved(nil, []byte(base), own))
		case rfc3986.IsAbsolute(own):
			base = r.tree.base
		}
	}
	if !rfc3986.IsAbsolute([]byte(base)) {
		return ""
	}
	return base
}

// withoutTags is the text that is written as HTML.
func withoutTags(text string) string {
	if !strings.ContainsAny(text, "<&") {
		return strip(text)
	}
	z := html.NewTokenizer(strings.NewReader(text))
	var b strings.Builder
	hidden := ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			return strip(b.String())
		case html.TextToken:
			if hidden == "" {
				b.WriteString(z.Token().Data)
			}
		case html.StartTagToken:
			if name, _ := z.TagName(); string(name) == "script" || string(name) == "style" {
				hidden = string(name)
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == hidden {
				hidden = ""
			}
		}
	}
}
