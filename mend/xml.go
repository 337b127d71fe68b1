package mend

import (
	"bytes"
	"strings"

	"laundromat/internal/pattern"
)

// tagEnd is the index of the > of the tag at the place, which is in no value; -1 if there is none before the next <.
func (v *view) tagEnd() int {
	for i := v.here + 1; i < len(v.text); i++ {
		switch b := v.text[i]; {
		case b == '>':
			return i
		case b == '<':
			return -1
		case (b == '"' || b == '\'') && v.text[v.before(i)-1] == '=':
			n := bytes.IndexByte(v.text[i+1:], b)
			if n < 0 {
				return -1
			}
			i += n + 1
		}
	}
	return -1
}

// nestedRDF takes the tags of an rdf:RDF away that is within another element.
func nestedRDF(v *view, _ *repair) []edit {
	end := v.tagEnd()
	if end < 0 {
		return nil
	}
	name := string(bytes.TrimSpace(v.text[v.here+1 : end]))
	if strings.ContainsAny(name, " \t\r\n=/") {
		return nil // it declares something
	}
	closing, opening := "</"+name, "<"+name
	behind := v.text[end+1:]
	n := bytes.Index(behind, []byte(closing))
	if n < 0 || bytes.Contains(behind[:n], []byte(opening)) {
		return nil
	}
	m := bytes.IndexByte(behind[n:], '>')
	if m < 0 {
		return nil
	}
	at := end + 1 + n
	return append(v.replace(v.here, end+1, ""), v.replace(at, at+m+1, "")...)
}

var attribute = pattern.New(`^([^\s=<>/"']+)\s*=\s*("[^"]*"|'[^']*')`)

// withoutAttribute takes the attribute at the place away.
func withoutAttribute(v *view, _ *repair) []edit {
	found := attribute.FindIndex(v.rest())
	if found == nil {
		return nil
	}
	return v.replace(v.before(v.here), v.here+found[1], "")
}

// scriptComment takes the marks around the JSON of a script away.
func scriptComment(v *view, _ *repair) []edit {
	opening := scriptOpening.Find(v.rest())
	n := bytes.Index(v.rest(), []byte("</script"))
	if len(opening) == 0 || n < 0 {
		return nil
	}
	closing := scriptClosing.FindIndex(v.rest()[:n])
	if closing == nil {
		return nil
	}
	return append(v.replace(v.here, v.here+len(opening), ""), v.replace(v.here+closing[0], v.here+closing[1], "")...)
}

var (
	scriptOpening = pattern.New(`^(//[ \t]*|/\*[ \t]*)?(<!--|<!\[CDATA\[)([ \t]*\*/)?`)
	scriptClosing = pattern.New(`(//[ \t]*|/\*[ \t]*)?(-->|\]\]>)([ \t]*\*/)?\s*$`)
)

var propertyOfNone = pattern.New(`(?i)\sitemprop\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)`)

// noItem takes the @itemprop of an item away.
func noItem(v *view, _ *repair) []edit {
	end := v.tagEnd()
	if end < 0 || !v.starts("<") {
		return nil
	}
	found := propertyOfNone.FindIndex(v.text[v.here:end])
	if found == nil {
		return nil
	}
	return v.replace(v.here+found[0], v.here+found[1], "")
}
