package page

import "strings"

// readPlainAttrs reads the attributes of a start tag that has no references. Names and values are parts of the tag
// where they can be, and take no memory of their own.
func readPlainAttrs(tag string) []Attr {
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
		a.Name = strings.ToLower(a.Name)
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
	if len(attrs) == 0 {
		return nil
	}
	return append(make([]Attr, 0, len(attrs)), attrs...)
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
