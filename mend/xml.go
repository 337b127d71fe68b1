package mend

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"laundromat/internal/pattern"
)

func bareAmpersand(v *view, _ *repair) []edit {
	if !v.starts("&") {
		return nil
	}
	return v.replace(v.here, v.here+1, "&amp;")
}

func bareLess(v *view, _ *repair) []edit {
	if !v.starts("<") {
		return nil
	}
	return v.replace(v.here, v.here+1, "&lt;")
}

var (
	halves    = pattern.New(`^&#[xX]([0-9A-Fa-f]{4});&#[xX]([0-9A-Fa-f]{4});`)
	openDigit = pattern.New(`^&#([0-9]+|[xX][0-9A-Fa-f]+)`)
	entity    = pattern.New(`^&[A-Za-z][A-Za-z0-9]*;?`)
)

func characterReference(v *view, _ *repair) []edit {
	if found := halves.FindSubmatch(v.rest()); found != nil {
		if c, ok := fromHalves(string(found[1]), string(found[2])); ok {
			return v.replace(v.here, v.here+len(found[0]), fmt.Sprintf("&#x%X;", c))
		}
		return nil
	}
	digits := openDigit.Find(v.rest())
	if end := v.here + len(digits); len(digits) == 0 || end < len(v.text) && v.text[end] == ';' {
		return nil
	}
	return v.insert(v.here+len(digits), ";")
}

func htmlEntity(v *view, _ *repair) []edit {
	name := string(entity.Find(v.rest()))
	meant := html.UnescapeString(name)
	if name == "" || meant == name || !strings.HasSuffix(name, ";") {
		return nil
	}
	var b strings.Builder
	for _, c := range meant {
		fmt.Fprintf(&b, "&#%d;", c)
	}
	return v.replace(v.here, v.here+len(name), b.String())
}

// tagEnd is the index of the > of the tag at the place; -1 if there is none before the next <.
func (v *view) tagEnd() int {
	n := v.tagStop()
	if n < 0 || v.text[n] != '>' {
		return -1
	}
	return n
}

// tagStop is the index of the first > or < that is in no value of the tag at the place.
func (v *view) tagStop() int {
	for i := v.here + 1; i < len(v.text); i++ {
		switch b := v.text[i]; {
		case b == '>' || b == '<':
			return i
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

func unclosedTag(v *view, _ *repair) []edit {
	stop := v.tagStop()
	if !v.starts("<") || stop < 0 || v.text[stop] != '<' {
		return nil
	}
	return v.insert(v.before(stop), ">")
}

func duplicateAttribute(v *view, _ *repair) []edit {
	_, val, ok := v.attribute()
	if !ok {
		return nil
	}
	return v.replace(v.before(v.here), val.to+1, "")
}

// badMarkup takes a declaration away that is outside of the document type.
func badMarkup(v *view, _ *repair) []edit {
	if !v.starts("<!") || v.starts("<!DOCTYPE") || v.starts("<![") {
		return nil
	}
	n := bytes.IndexByte(v.rest(), '>')
	if n < 0 || bytes.ContainsAny(v.rest()[:n], `"'[`) {
		return nil
	}
	return v.replace(v.here, v.here+n+1, "")
}

func unclosedComment(v *view, r *repair) []edit {
	n := len(r.Excerpt)
	if !v.starts("<!--") || !v.starts(r.Excerpt) || n < 4 || strings.Contains(r.Excerpt[4:], "--") || strings.HasSuffix(r.Excerpt, "-") {
		return nil
	}
	return v.insert(v.here+n, "-->")
}

func outsideRoot(v *view, r *repair) []edit {
	to := v.here + int(min(r.Bytes, reach))
	if r.Bytes <= 0 || r.Bytes >= reach || to > len(v.text) || bytes.IndexByte(v.text[v.here:to], '<') >= 0 {
		return nil
	}
	return v.replace(v.here, to, "")
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

// attribute is the one at the place: its name, and its value without quotation marks.
func (v *view) attribute() (name string, val extent, ok bool) {
	found := attribute.FindSubmatchIndex(v.rest())
	if found == nil {
		return "", val, false
	}
	return string(v.rest()[:found[3]]), extent{v.here + found[4] + 1, v.here + found[5] - 1}, true
}

// meantValue writes what the value of an attribute was taken for.
func meantValue(v *view, r *repair) []edit {
	_, val, ok := v.attribute()
	if !ok || r.Meant == "" {
		return nil
	}
	return v.replace(val.from, val.to, r.Meant)
}

// meantName writes what the name of an attribute was taken for.
func meantName(v *view, r *repair) []edit {
	name, _, ok := v.attribute()
	if !ok || r.Meant == "" {
		return nil
	}
	return v.replace(v.here, v.here+len(name), r.Meant)
}

func forbiddenName(v *view, _ *repair) []edit {
	name, val, ok := v.attribute()
	if !ok {
		return nil
	}
	if prefix, isResource := strings.CutSuffix(name, ":resource"); isResource { // of a member of a list
		return v.replace(v.here, v.here+len(name), prefix+":about")
	}
	return v.replace(v.before(v.here), val.to+1, "")
}

// forbiddenDeclaration takes out a declaration that declares nothing.
func forbiddenDeclaration(v *view, r *repair) []edit {
	name, val, ok := v.attribute()
	if !ok || name != "xmlns:xml" && name != "xmlns:xmlns" && len(bytes.TrimSpace(v.text[val.from:val.to])) > 0 {
		return nil
	}
	return forbiddenName(v, r)
}

// blankContent takes the white space out of an element, where nothing else is in it.
func blankContent(v *view, _ *repair) []edit {
	from := v.tagEnd() + 1
	if from == 0 {
		return nil
	}
	to := from
	for to < len(v.text) && strings.IndexByte(" \t\r\n", v.text[to]) >= 0 {
		to++
	}
	if to == from || !bytes.HasPrefix(v.text[to:], []byte("</")) {
		return nil
	}
	return v.replace(from, to, "")
}

// byAbout writes the rdf:ID of a node as the IRI that it makes.
func byAbout(v *view, _ *repair) []edit {
	name, val, ok := v.attribute()
	if !ok || !strings.HasSuffix(name, ":ID") || !v.inNode() {
		return nil
	}
	return v.replace(v.here, val.from, strings.TrimSuffix(name, "ID")+"about="+string(v.text[val.from-1])+"#")
}

// inNode says that the tag that the place is in is that of a node. Its name shows it: a property's
// begins with a small letter.
func (v *view) inNode() bool {
	open := bytes.LastIndexByte(v.text[:v.here], '<')
	if open < 0 {
		return false
	}
	name := v.text[open+1 : v.here]
	if n := bytes.IndexAny(name, " \t\r\n"); n >= 0 {
		name = name[:n]
	}
	if n := bytes.IndexByte(name, ':'); n >= 0 {
		name = name[n+1:]
	}
	first, _ := utf8.DecodeRune(name)
	return 'A' <= first && first <= 'Z'
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
