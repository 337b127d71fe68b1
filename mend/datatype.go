package mend

import (
	"bytes"
	"strings"

	"laundromat/internal/pattern"
)

// datatypeName writes the right name of a datatype in the place of the misspelt one. A
// name after a prefix or an entity keeps that where it stands for the right namespace.
func datatypeName(v *view, r *repair) []edit {
	was, whole := unexcerpt(r.Excerpt)
	is := r.Meant
	if is == "" || !whole {
		return nil
	}
	switch v.family {
	case lineish, turtle:
		if at, ok := v.angled(r); ok && v.starts(`"`) || ok && v.starts(`'`) {
			return v.name(at, was, is)
		}
		return v.prefixed(was, is)
	case markup, page:
		// The tag that the place is in, or that holds the text at the place.
		open, within, ok := v.around('<', '>')
		if !ok {
			return nil
		}
		if found := datatypeAttribute.FindSubmatchIndex(within); found != nil {
			return v.name(extent{open + found[2] + 1, open + found[3] - 1}, was, is)
		}
	case jsonld:
		// The object around the place, or the one that the place is the value of.
		open, within, ok := v.around('{', '}')
		if !ok {
			return nil
		}
		if found := typeKeyword.FindSubmatchIndex(within); found != nil {
			return v.name(extent{open + found[2] + 1, open + found[3] - 1}, was, is)
		}
	}
	return nil
}

// around is the text from the opening sign before the place up to the closing one after it, and where it begins.
func (v *view) around(opening, closing byte) (at int, text []byte, ok bool) {
	at = bytes.LastIndexByte(v.text[:min(v.here+1, len(v.text))], opening)
	if at < 0 {
		return 0, nil, false
	}
	end := bytes.IndexByte(v.text[at:], closing)
	if end < 0 {
		return 0, nil, false
	}
	return at, v.text[at : at+end], true
}

var (
	datatypeAttribute = pattern.New(`\s(?:[^\s=<>"':]+:)?datatype\s*=\s*("[^"]*"|'[^']*')`)
	typeKeyword       = pattern.New(`"@type"\s*:\s*("[^"\\]*")`)
	// typedName is a datatype by its prefix.
	typedName = pattern.New(`^\^\^[\p{L}\p{N}_.-]*:([\p{L}\p{N}_-]+)`)
)

// languageDatatype takes the datatype of texts in a language away from a text that has one.
func languageDatatype(v *view, _ *repair) []edit {
	switch v.family {
	case lineish, turtle:
		end := -1
		if v.starts(`"`) || v.starts(`'`) {
			end = v.stringEnd(v.here)
		}
		if end < 0 {
			return nil
		}
		if found := typedTag.FindSubmatchIndex(v.text[end:]); found != nil {
			return v.replace(end+max(found[2], found[4]), end+max(found[3], found[5]), "")
		}
	case markup, page:
		open, within, ok := v.around('<', '>')
		if !ok {
			return nil
		}
		found := datatypeAttribute.FindSubmatchIndex(within)
		switch {
		case found == nil:
		case v.family == page: // without the attribute, a link may be meant
			return v.replace(open+found[2]+1, open+found[3]-1, "")
		// else it is TriX, where a typed literal has one
		case bytes.IndexByte(v.text[open+found[0]:open+found[2]], ':') >= 0:
			return v.replace(open+found[0], open+found[1], "")
		}
	case jsonld:
		open, within, ok := v.around('{', '}')
		if !ok {
			return nil
		}
		if found := typeMember.FindIndex(within); found != nil {
			return v.replace(open+found[0], open+found[1], "")
		}
	}
	return nil
}

var (
	// typedTag is a language tag with a datatype after it or before it, which is the one or the other group.
	typedTag = pattern.New(
		`^(?:\s*@[\pL\pN_-]+\s*(\^\^\s*(?:<[^<>\s]*>|[\pL\pN_.-]*:[\pL\pN_-]+))|(\^\^(?:<[^<>\s]*>|[\pL\pN_.-]*:[\pL\pN_-]+))@)`)
	typeMember = pattern.New(`,\s*"@type"\s*:\s*"[^"\\]*"|"@type"\s*:\s*"[^"\\]*"\s*,\s*`)
)

// name writes a name that is in quotation marks or angle brackets: the whole IRI, or
// after a prefix or an entity.
func (v *view) name(at extent, was, is string) []edit {
	text := value(v.units(at))
	if text == was {
		return v.replace(at.from, at.to, is)
	}
	i := strings.LastIndexAny(text, ":;")
	local, right, ok := renamed(text[i+1:], was, is)
	if i < 0 || !ok || !bytes.HasSuffix(v.text[at.from:at.to], []byte(local)) {
		return nil
	}
	return v.replace(at.to-len(local), at.to, right)
}

// prefixed writes the datatype of the literal at the place, which is a name after a prefix.
func (v *view) prefixed(was, is string) []edit {
	if v.here >= len(v.text) || v.text[v.here] != '"' && v.text[v.here] != '\'' {
		return nil
	}
	end := v.stringEnd(v.here)
	if end < 0 {
		return nil
	}
	found := typedName.FindSubmatchIndex(v.text[end:])
	if found == nil {
		return nil
	}
	local, right, ok := renamed(string(v.text[end+found[2]:end+found[3]]), was, is)
	if !ok {
		// The prefix stands for something else, which may be right for other names.
		return v.replace(end+2, end+found[1], "<"+is+">")
	}
	return v.replace(end+found[2], end+found[2]+len(local), right)
}

// renamed is the local part of a name and its right form, if was and is differ in
// nothing else.
func renamed(name, was, is string) (local, right string, ok bool) {
	n := len(name)
	if n == 0 || len(was) < n || len(is) < n || was[len(was)-n:] != name || was[:len(was)-n] != is[:len(is)-n] {
		return "", "", false
	}
	return name, is[len(is)-n:], true
}
