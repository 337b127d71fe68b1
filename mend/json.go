package mend

import (
	"bytes"
	"fmt"
	"strings"

	"laundromat/internal/pattern"
)

// trailingComma takes the comma before a closing bracket away, which is before what the reader was reading.
func trailingComma(v *view, _ *repair) []edit {
	if at := v.before(v.here); (v.starts("]") || v.starts("}")) && at > 0 && v.text[at-1] == ',' {
		return v.replace(at-1, at, "")
	}
	return nil
}

var bareName = pattern.New(`^[^\s:,{}\[\]"'“”„«»‘’]+`)

// jsonQuotes puts a name in quotation marks, or a string in apostrophes.
func jsonQuotes(v *view, _ *repair) (all []edit) {
	if !v.starts("'") {
		if name := bareName.Find(v.rest()); len(name) > 0 && !bytes.Contains(name, []byte(`\`)) {
			return append(v.insert(v.here, `"`), v.insert(v.here+len(name), `"`)...)
		}
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
	if !ok || r.Meant == "" {
		return nil
	}
	return v.replace(at.from, at.to, `"`+r.Meant+`"`)
}

func jsonVersion(v *view, _ *repair) []edit {
	if !v.starts(`"1.1"`) {
		return nil
	}
	return v.replace(v.here, v.here+5, "1.1")
}
