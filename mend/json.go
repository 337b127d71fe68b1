package mend

import (
	"bytes"
	"strings"

	"laundromat/internal/pattern"
)

// jsonString is the string at the place, with its quotation marks.
func (v *view) jsonString() (found extent, ok bool) {
	if !v.starts(`"`) && !v.starts(`'`) {
		return found, false
	}
	end := v.stringEnd(v.here)
	return extent{v.here, end}, end > 0
}

var jsonWord = pattern.New(`^(-?Infinity|NaN)\b`)

func jsonNumber(v *view, _ *repair) []edit {
	word := string(jsonWord.Find(v.rest()))
	if word == "" {
		return nil
	}
	inside := bytes.HasSuffix(v.text[:v.keyEnd()], []byte(`"@value"`))
	text := strings.Replace(word, "Infinity", "INF", 1)
	with := `"` + text + `","@type":"` + xsdDouble + `"`
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

const xsdDouble = "http://www.w3.org/2001/XMLSchema#double"

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
