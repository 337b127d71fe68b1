package schema

import (
	"strings"
	"unicode"

	"laundromat/records"
	"laundromat/records/spec"
)

// mending is how a field reads values that break it, where its onError is "mend": by rules of which each has one
// outcome, or none.
type mending struct {
	loose   field    // reads dates of any form, and numbers with a point
	allowed []string // texts that enum or categories allow
}

// compileMend prepares the mending of a field.
func (f *field) compileMend(node *spec.Node) {
	m := &mending{loose: *f}
	m.loose.onError = "drop"
	m.loose.pattern, m.loose.decimal, m.loose.group, m.loose.bare = nil, ".", "", true
	if f.kind == "date" || f.kind == "time" || f.kind == "datetime" {
		m.loose.format = "any"
	}
	lists := []*spec.Node{node.Get("categories")}
	if constraints := node.Get("constraints"); constraints != nil {
		lists = append(lists, constraints.Get("enum"))
	}
	for _, list := range lists {
		if list == nil {
			continue
		}
		for _, item := range list.Items {
			if value := item.Get("value"); item.Kind == spec.Map && value != nil {
				item = value
			}
			if item.Kind == spec.Text {
				m.allowed = append(m.allowed, item.Text)
			}
		}
	}
	f.mending = m
}

// mend reads a value that breaks the field; false where no rule does, or the rule's outcome breaks it too.
func (f *field) mend(before records.Value) (records.Value, bool) {
	if before.Kind != records.Text || f.mending == nil {
		return before, false
	}
	spaced := strings.Join(strings.FieldsFunc(before.Text, isBlank), " ")
	for _, text := range [...]string{spaced, f.mending.oneOf(spaced), f.mending.truth(f, spaced), f.mending.number(spaced)} {
		if text == "" {
			continue
		}
		for _, reader := range [...]*field{f, &f.mending.loose} {
			v := records.TextOf(text)
			if f.missed(&v) {
				continue
			}
			if _, why := reader.read(&v); why == "" {
				return v, true
			}
		}
	}
	return before, false
}

// isBlank says that a character is a space or can't be seen.
func isBlank(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Cc, r)
}

// oneOf is the only allowed text that differs in capitals and spaces alone; "" if there is none.
func (m *mending) oneOf(text string) (found string) {
	for _, allowed := range m.allowed {
		if strings.EqualFold(strings.Join(strings.Fields(allowed), " "), text) {
			if found != "" && found != allowed {
				return ""
			}
			found = allowed
		}
	}
	return found
}

// truth is the first of a boolean field's own words for what a text says in another way; "" if that is nothing.
func (m *mending) truth(f *field, text string) string {
	if f.kind != "boolean" || len(f.trues) == 0 || len(f.falses) == 0 {
		return ""
	}
	switch strings.ToLower(text) {
	case "true", "yes", "y", "1", "on":
		return f.trues[0]
	case "false", "no", "n", "0", "off":
		return f.falses[0]
	}
	return ""
}

// number is a number with a point, of one that has groups of digits, a comma or a currency; "" if it is none, or may be
// two: 1,234 is a thousand and more, or little more than one.
func (m *mending) number(text string) string {
	if m.loose.kind != "number" && m.loose.kind != "integer" {
		return ""
	}
	text = strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Sc, r) })
	sign := ""
	switch {
	case strings.HasPrefix(text, "-"), strings.HasPrefix(text, "\u2212"), strings.HasPrefix(text, "–"):
		sign, text = "-", strings.TrimLeft(text, "-\u2212–")
	case strings.HasPrefix(text, "+"):
		text = text[1:]
	}
	text = strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Sc, r) })
	if !strings.ContainsAny(text, "0123456789") || strings.Trim(text, "0123456789.,'’ \u00a0\u202f\u2009") != "" {
		return ""
	}
	whole, part, ok := cutDecimal(text)
	if !ok || !ungroup(&whole) || strings.Trim(part, "0123456789") != "" {
		return ""
	}
	if m.loose.kind == "integer" && strings.Trim(part, "0") == "" {
		part = ""
	}
	if part != "" {
		part = "." + part
	}
	return sign + whole + part
}

// cutDecimal cuts a number at its decimal sign, if only one reading of its points and commas is possible.
func cutDecimal(text string) (whole, part string, ok bool) {
	point, comma := strings.LastIndexByte(text, '.'), strings.LastIndexByte(text, ',')
	at := max(point, comma)
	if at < 0 {
		return text, "", true
	}
	isBoth, isOnce := point >= 0 && comma >= 0, strings.Count(text, text[at:at+1]) == 1
	switch {
	case isBoth && isOnce:
		return text[:at], text[at+1:], true
	case isBoth:
		return "", "", false
	case !isOnce:
		return text, "", true // groups
	case len(text)-at-1 == 3 && at >= 1 && at <= 3 && text[0] != '0':
		return "", "", false // 1,234
	}
	return text[:at], text[at+1:], true
}

// ungroup takes the signs between groups of three digits out; false where the groups are others, or the signs differ.
func ungroup(whole *string) bool {
	groups := strings.FieldsFunc(*whole, func(r rune) bool { return r < '0' || r > '9' })
	if len(groups) == 0 {
		*whole = "0"
		return true
	}
	signs := strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, *whole)
	first, count := "", 0
	for _, r := range signs {
		if count++; first == "" {
			first = string(r)
		} else if first != string(r) {
			return false
		}
	}
	if count != len(groups)-1 || count > 0 && len(groups[0]) > 3 {
		return false
	}
	for _, g := range groups[1:] {
		if len(g) != 3 {
			return false
		}
	}
	*whole = strings.Join(groups, "")
	return true
}
