package mend

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"laundromat/internal/pattern"
)

func missingDot(v *view, _ *repair) []edit { return v.insert(v.here, " .") }

// strayPunctuation takes a sign away, or puts in the one that is missing.
func strayPunctuation(v *view, r *repair) []edit {
	switch m := r.Message; {
	case m == "this dot stands for a semicolon":
		if v.starts(".") {
			return v.replace(v.here, v.here+1, ";")
		}
	case m == "the } of the last graph is missing":
		return v.insert(v.here, " }")
	case m == "the { of this graph is missing":
		return v.insert(v.here, "{ ")
	case m == "the graph before is not closed; it was taken to end here":
		return v.insert(v.here, "} ")
	case m == "no object follows the comma before; it was ignored":
		return v.deleteBefore(",")
	case m == "a dot before the end of a bracket was ignored":
		if v.starts(".") {
			return v.deleteByte(".")
		}
		return v.deleteBefore(".")
	case m == "the semicolon before ends the statement: the dot is missing",
		m == "the dot at the end of the statement before is missing":
		return v.insert(v.here, ". ")
	case strings.HasSuffix(m, "; it was ignored"):
		return v.deleteByte(".,;}")
	}
	return nil
}

// deleteBefore takes away a sign that is before the place and the blanks there.
func (v *view) deleteBefore(sign string) []edit {
	if at := v.before(v.here); at > 0 && v.text[at-1] == sign[0] {
		return v.replace(at-1, at, "")
	}
	return nil
}

var directiveWord = pattern.New(`^@[A-Za-z]+`)

var versionWord = pattern.New(`^("""|''')?[0-9A-Za-z.-]*[0-9A-Za-z]("""|''')?`)

func directive(v *view, r *repair) []edit {
	switch m := r.Message; {
	case m == "a directive with @ is written in lower case":
		word := directiveWord.Find(v.rest())
		if len(word) == 0 {
			return nil
		}
		return v.replace(v.here, v.here+len(word), strings.ToLower(string(word)))
	case strings.HasSuffix(m, "no dot at the end; it was ignored"):
		return v.deleteByte(".")
	case m == "the colon after the prefix is missing":
		n := bytes.IndexAny(v.rest(), " \t\r\n<")
		if n < 0 {
			return nil
		}
		if n == 0 || v.text[v.here+n] == '<' {
			return v.insert(v.here+n, ": ")
		}
		return v.insert(v.here+n, ":")
	case m == "a version stands in quotation marks", m == "a version stands in single quotation marks":
		if word := versionWord.Find(v.rest()); len(word) > 0 {
			return v.replace(v.here, v.here+len(word), `"`+strings.Trim(string(word), `"'`)+`"`)
		}
	}
	return nil
}

// heads puts the declarations that are missing to the top of the document.
func (m *maker) heads(prefixes []prefix) {
	m.headed = map[string]bool{}
	v := &m.v
	begin, at, line := 0, 0, ""
	switch v.family {
	case turtle:
		line = "@prefix %s: <%s> ." + v.lineEnd()
	case markup:
		name := rootName.FindIndex(blankedOut(v.text))
		if name == nil {
			return
		}
		begin, at, line = name[0], name[1], ` xmlns:%s="%s"`
	default:
		return
	}
	for _, p := range prefixes {
		text := strings.Replace(strings.Replace(line, "%s", p.name, 1), "%s", p.iri, 1)
		if strings.ContainsAny(p.iri, "\"<>&") {
			continue
		}
		edits := v.insert(at, text)
		if int64(begin) <= p.offset && m.take(edits, undeclared) {
			m.headed[p.name] = true
		}
	}
}

// rootName finds the first tag and the end of its name.
var rootName = pattern.New(`<[^!?/\s<>=]+`)

var beside = pattern.New(`(?s)<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^\[>]*(\[.*?\]\s*)?>`)

// blankedOut is text with blanks in place of comments, instructions and declarations.
func blankedOut(text []byte) []byte {
	return beside.ReplaceAllFunc(text[:min(len(text), reach)], func(found []byte) []byte {
		return bytes.Repeat([]byte(" "), len(found))
	})
}

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
func unseenMark(v *view, r *repair) []edit {
	if r.Bytes > 0 {
		return jsonStray(v, r)
	}
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
