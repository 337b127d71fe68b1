package mend

import (
	"bytes"
	"fmt"
	"strings"

	"laundromat/internal/pattern"
)

func jsonComma(v *view, r *repair) []edit {
	switch r.Message {
	case "a comma is missing before this":
		return v.insert(v.before(v.here), ",")
	case "a comma before the closing bracket was left out":
		return v.deleteBefore(",")
	case "a comma that separates nothing was left out":
		if v.starts(",") {
			return v.replace(v.here, v.here+1, "")
		}
	}
	return nil
}

func jsonColon(v *view, _ *repair) []edit { return v.insert(v.before(v.here), ":") }

// jsonComment takes a comment away, with the blanks before it on its line.
func jsonComment(v *view, _ *repair) []edit {
	n := -1
	switch {
	case v.starts("/*"):
		if n = bytes.Index(v.rest()[2:], []byte("*/")); n >= 0 {
			n += 4
		}
	case v.starts("//"), v.starts("#"):
		if n = bytes.IndexAny(v.rest(), "\r\n"); n < 0 && v.ended {
			n = len(v.rest())
		}
	}
	if n < 0 {
		return nil
	}
	return v.replace(v.inLine(v.here), v.here+n, "")
}

// jsonStray takes away what is no JSON, and leaves a blank where a number or word may end.
func jsonStray(v *view, r *repair) []edit {
	end := v.here + int(r.Bytes)
	if r.Bytes == 0 || end > len(v.text) {
		return nil
	}
	return v.replace(v.inLine(v.here), end, " ")
}

// close puts a closing bracket in, after what is in the brackets: the place is after
// it, or at the opening bracket where nothing is.
func (v *view) close(opening, closing string) []edit {
	if v.starts(opening) {
		return v.insert(v.here+1, closing)
	}
	return v.insert(v.here, closing)
}

func jsonBracket(v *view, r *repair) []edit {
	m := r.Message
	switch {
	case m == "the bracket that closes an array is missing":
		return v.close("[", "]")
	case m == "the brace that closes an object is missing":
		return v.close("{", "}")
	case strings.HasSuffix(m, "s nothing was left out"):
		if v.here < len(v.text) && strings.IndexByte("[]{}", v.text[v.here]) >= 0 {
			return v.replace(v.here, v.here+1, "")
		}
	case m == "the bracket before this closes too early, and was left out":
		if at := v.before(v.here); at > 0 && (v.text[at-1] == ']' || v.text[at-1] == '}') {
			return v.replace(at-1, at, "")
		}
	}
	if was, is, ok := strings.Cut(m, " should be "); ok && len(was) == 1 && len(is) == 1 && v.starts(was) {
		return v.replace(v.here, v.here+1, is)
	}
	return nil
}

var bareName = pattern.New(`^[^\s:,{}\[\]"']+`)

func jsonQuotes(v *view, r *repair) (all []edit) {
	switch r.Message {
	case "a name stands without quotation marks":
		if name := bareName.Find(v.rest()); len(name) > 0 && !bytes.Contains(name, []byte(`\`)) {
			return append(v.insert(v.here, `"`), v.insert(v.here+len(name), `"`)...)
		}
	case "a string stands in apostrophes":
		if !v.starts("'") {
			return nil
		}
		end := v.stringEnd(v.here)
		if end < 0 {
			return nil
		}
		all = v.replace(v.here, v.here+1, `"`)
		for i := v.here + 1; i < end-1; i++ {
			switch {
			case v.text[i] == '"':
				all = append(all, v.insert(i, `\`)...)
			case v.text[i] == '\\':
				i++
			}
		}
		return append(all, v.replace(end-1, end, `"`)...)
	}
	return nil
}

// jsonString is the string at the place, with its quotation marks.
func (v *view) jsonString() (found extent, ok bool) {
	if !v.starts(`"`) && !v.starts(`'`) {
		return found, false
	}
	end := v.stringEnd(v.here)
	return extent{v.here, end}, end > 0
}

func jsonControl(v *view, _ *repair) (all []edit) {
	at, ok := v.jsonString()
	if !ok {
		return nil
	}
	for i := at.from; i < at.to; i++ {
		if b := v.text[i]; b < ' ' {
			with := fmt.Sprintf(`\u%04X`, b)
			if n := strings.IndexByte("\b\f\n\r\t", b); n >= 0 {
				with = `\` + "bfnrt"[n:n+1]
			}
			all = append(all, v.replace(i, i+1, with)...)
		}
	}
	return all
}

func jsonEscape(v *view, _ *repair) (all []edit) {
	at, ok := v.jsonString()
	if !ok {
		return nil
	}
	for i := at.from; i < at.to-1; i++ {
		if v.text[i] == '\\' {
			if v.text[i+1] == '\'' {
				all = append(all, v.replace(i, i+1, "")...)
			}
			i++
		}
	}
	return all
}

var jsonWord = pattern.New(`^(-?Infinity|NaN)\b`)

func jsonNumber(v *view, _ *repair) []edit {
	word := string(jsonWord.Find(v.rest()))
	if word == "" {
		return nil
	}
	inside := bytes.HasSuffix(v.text[:v.keyEnd()], []byte(`"@value"`))
	text := strings.Replace(word, "Infinity", "INF", 1)
	with := `"` + text + `","@type":"` + xsd + `double"`
	if !inside {
		with = `{"@value":` + with + "}"
	}
	return v.replace(v.here, v.here+len(word), with)
}

// keyEnd is where the name of the member ends whose value is at the place; 0 if none does.
func (v *view) keyEnd() int {
	colon := v.before(v.here)
	if colon == 0 || v.text[colon-1] != ':' {
		return 0
	}
	return v.before(colon - 1)
}

var emptyValue = pattern.New(`^(null|""|\[\s*\])`)

// jsonEmptyKeyword takes a member away that says nothing.
func jsonEmptyKeyword(v *view, _ *repair) []edit {
	word := emptyValue.Find(v.rest())
	end := v.keyEnd()
	if len(word) == 0 || end == 0 || v.text[end-1] != '"' {
		return nil
	}
	from := bytes.LastIndexByte(v.text[:end-1], '"')
	if from < 0 {
		return nil
	}
	to := v.here + len(word)
	if next := v.after(to); next < len(v.text) && v.text[next] == ',' {
		return v.replace(from, v.after(next+1), "")
	}
	if before := v.before(from); before > 0 && v.text[before-1] == ',' {
		return v.replace(before-1, to, "")
	}
	return v.replace(from, to, "")
}

func jsonContextName(v *view, r *repair) []edit {
	at, ok := v.jsonString()
	iri := between(r.Message, "<", ">")
	if !ok || iri == "" {
		return nil
	}
	return v.replace(at.from, at.to, `"`+iri+`"`)
}

func jsonVersion(v *view, _ *repair) []edit {
	if !v.starts(`"1.1"`) {
		return nil
	}
	return v.replace(v.here, v.here+5, "1.1")
}
