package page

import (
	"strings"

	"golang.org/x/net/html"
)

// readAttrs reads the attributes of a start tag. The first of several of a name counts. Names and values are parts of
// the tag where they can be, and take no memory of their own. The attributes are in the slab, if it is not nil.
func readAttrs(tag string, in *slab) []Attr {
	if strings.IndexByte(tag, 0) >= 0 {
		var attrs []Attr
		for _, a := range attributesOf([]byte(tag)) {
			attrs = append(attrs, Attr{a.Key, a.Val})
		}
		return attrs
	}
	attrs := readPlainAttrs(tag, in)
	for i := range attrs {
		if v := attrs[i].Value; strings.IndexByte(v, '&') >= 0 || strings.IndexByte(v, '\r') >= 0 {
			attrs[i].Value = decodeValue(v)
		}
	}
	return attrs
}

// decodeValue decodes the references of an attribute's value. A name without a semicolon is none where a letter, a
// digit or = follows (HTML §13.2.5.73), so that addresses stay whole.
func decodeValue(v string) string {
	v = strings.ReplaceAll(strings.ReplaceAll(v, "\r\n", "\n"), "\r", "\n")
	var b strings.Builder
	for {
		i := strings.IndexByte(v, '&')
		if i < 0 {
			break
		}
		b.WriteString(v[:i])
		v = v[i:]
		n := 1
		for n < len(v) && (isLetter(v[n]) || '0' <= v[n] && v[n] <= '9' || n == 1 && v[n] == '#') {
			n++
		}
		isNumber := n > 1 && v[1] == '#'
		switch {
		case n < len(v) && v[n] == ';' && n > 1:
			n++
		case n < len(v) && v[n] == '=' && !isNumber:
			b.WriteString(v[:n])
			v = v[n:]
			continue
		}
		whole := v[:n]
		if decoded := html.UnescapeString(whole); isNumber || !strings.HasSuffix(decoded, whole[len(whole)-1:]) {
			b.WriteString(decoded)
		} else {
			b.WriteString(whole)
		}
		v = v[n:]
	}
	b.WriteString(v)
	return b.String()
}

// readPlainAttrs reads the attributes of a start tag as they are written.
func readPlainAttrs(tag string, in *slab) []Attr {
	i := 1
	for i < len(tag) && !endsName(tag[i]) {
		i++
	}
	var few [16]Attr
	attrs := few[:0]
	var seen map[string]bool // of attributes that are too many to look through
	for i = skipBlank(tag, i); i < len(tag) && tag[i] != '>'; i = skipBlank(tag, i) {
		var a Attr
		a, i = plainAttr(tag, i)
		if a.Name == "" {
			continue
		}
		a.Name = lowerName(a.Name)
		if len(attrs) == 32 && seen == nil {
			seen = make(map[string]bool, 64)
			for _, a := range attrs {
				seen[a.Name] = true
			}
		}
		if seen != nil && seen[a.Name] || seen == nil && hasAttr(attrs, a.Name) {
			continue
		}
		if seen != nil {
			seen[a.Name] = true
		}
		attrs = append(attrs, a)
	}
	return in.attrsOf(attrs)
}

// lowerName is a name as HTML has it: only letters of ASCII have cases.
func lowerName(name string) string {
	for i := range len(name) {
		if c := name[i]; 'A' <= c && c <= 'Z' {
			b := []byte(name)
			for ; i < len(b); i++ {
				if c := b[i]; 'A' <= c && c <= 'Z' {
					b[i] |= 0x20
				}
			}
			return string(b)
		}
	}
	return name
}

func hasAttr(attrs []Attr, name string) bool {
	for i := range attrs {
		if attrs[i].Name == name {
			return true
		}
	}
	return false
}

func skipBlank(tag string, i int) int {
	for i < len(tag) && isBlank(tag[i]) {
		i++
	}
	return i
}

// plainAttr reads the attribute that begins at i, and says what is behind it.
func plainAttr(tag string, i int) (a Attr, behind int) {
	start := i
	for i < len(tag) && !endsName(tag[i]) && (tag[i] != '=' || i == start) {
		i++
	}
	a.Name = tag[start:i]
	i = skipBlank(tag, i)
	if i >= len(tag) || tag[i] == '/' {
		return a, i + 1
	}
	if tag[i] != '=' {
		return a, i
	}
	i = skipBlank(tag, i+1)
	if i >= len(tag) || tag[i] == '>' {
		return a, i
	}
	if q := tag[i]; q == '"' || q == '\'' {
		n := strings.IndexByte(tag[i+1:], q)
		if n < 0 {
			return a, len(tag)
		}
		a.Value = tag[i+1 : i+1+n]
		return a, i + n + 2
	}
	start = i
	for i < len(tag) && !isBlank(tag[i]) && tag[i] != '>' {
		i++
	}
	a.Value = tag[start:i]
	return a, i
}
