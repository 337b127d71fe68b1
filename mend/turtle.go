package mend

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"laundromat/internal/pattern"
)

func unknownEscape(v *view, _ *repair) []edit {
	if !v.starts(`\`) {
		return nil
	}
	if v.starts(`\/`) {
		return v.slashes()
	}
	return v.insert(v.here, `\`)
}

// slashes takes the backslash from each slash of the term that the view is in, up to the quotation
// mark or > that ends it. One notice speaks of all.
func (v *view) slashes() (all []edit) {
	end := byte('>')
	if at := bytes.LastIndexAny(v.text[:v.here], "<\"'"); at >= 0 && v.text[at] != '<' {
		end = v.text[at]
	}
	for i := v.here; i < len(v.text) && v.text[i] != end; i++ {
		if v.text[i] != '\\' || i+1 == len(v.text) {
			continue
		}
		if v.text[i+1] == '/' {
			all = append(all, v.replace(i, i+1, "")...)
		}
		i++
	}
	return all
}

// unseenMark takes away marks that nobody sees.
func unseenMark(v *view, _ *repair) []edit {
	n := len(v.rest()) - len(bytes.TrimLeft(v.rest(), unseen))
	if n == 0 {
		return nil
	}
	if v.family == jsonld || v.family == page {
		return v.replace(v.here, v.here+n, " ") // since a number may end there
	}
	return v.replace(v.here, v.here+n, "")
}

// unseen are the marks that a reader ignores.
const unseen = "\uFEFF\u200B\u00A0\u2028\u2029\u202F\u3000"

var pair = pattern.New(`^\\u([0-9A-Fa-f]{4})\\u([0-9A-Fa-f]{4})`)

func surrogatePair(v *view, _ *repair) []edit {
	found := pair.FindSubmatch(v.rest())
	if found == nil {
		return nil
	}
	r, ok := fromHalves(string(found[1]), string(found[2]))
	if !ok {
		return nil
	}
	digits := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	return v.replace(v.here, v.here+len(found[0]), `\U`+strings.Repeat("0", 8-len(digits))+digits)
}

func fromHalves(high, low string) (rune, bool) {
	h, err1 := strconv.ParseUint(high, 16, 32)
	l, err2 := strconv.ParseUint(low, 16, 32)
	r := utf16.DecodeRune(rune(h), rune(l))
	return r, err1 == nil && err2 == nil && r != utf8.RuneError
}

const xsd = "http://www.w3.org/2001/XMLSchema#"

// plain are the words of Turtle that lines write in full.
var plain = []struct {
	pattern *pattern.Pattern
	write   func(word string) string
}{
	{pattern.New(`^(true|false)\b`), typed("boolean")},
	{pattern.New(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+`), typed("double")},
	{pattern.New(`^[+-]?[0-9]*\.[0-9]+`), typed("decimal")},
	{pattern.New(`^[+-]?[0-9]+`), typed("integer")},
	{pattern.New(`^a\b`), func(string) string { return "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>" }},
	{pattern.New(`^'(?:[^'"\\\r\n]|\\.)*'`), func(s string) string {
		if strings.HasPrefix(s, "''") {
			return ""
		}
		return `"` + s[1:len(s)-1] + `"`
	}},
}

func typed(name string) func(string) string {
	return func(word string) string { return `"` + word + `"^^<` + xsd + name + `>` }
}

func turtleInLine(v *view, _ *repair) []edit {
	for _, p := range plain {
		if word := p.pattern.Find(v.rest()); len(word) > 0 {
			if with := p.write(string(word)); with != "" {
				return v.replace(v.here, v.here+len(word), with)
			}
		}
	}
	return nil
}

// sharedLine gives a statement a line of its own.
func sharedLine(v *view, _ *repair) []edit { return v.replace(v.inLine(v.here), v.here, v.lineEnd()) }
