package schema

import (
	"fmt"
	"strings"

	"laundromat/records"
)

// AppendSpec appends a spec in YAML by which the records that were looked at become typed ones. Rules of its map read
// numbers and dates as they are written, where that is certain. What is not is said in comments, and stays text. The
// schema has the types; a value of another type stays, with a warning.
func (in *Inference) AppendSpec(dst []byte) []byte {
	fields := in.Fields()
	dst = append(dst, "# Proposed by laundromat records infer --spec. Values that a rule can't read stay as they are, with a warning.\n"...)
	var rules, types []byte
	ruled := false
	for i := range fields {
		f := &fields[i]
		for k := range f.Readings {
			rules = f.Readings[k].appendRemark(rules, f.Name)
		}
		r := f.certain()
		rule := r.rule()
		if !isKeptName(f.Name) {
			ruled = ruled || rule != ""
			rules = append(fmt.Appendf(records.AppendYAMLKey(append(rules, "  "...), f.Name, 2), " {%s}", rule), '\n')
		}
		types = f.appendType(types, r)
	}
	switch {
	case ruled:
		dst = append(append(append(dst, "map:\n"...), rules...), "  \"*\": true\n"...)
	default: // the remarks alone
		for line := range strings.Lines(string(rules)) {
			if strings.HasPrefix(line, "  #") {
				dst = append(dst, line[2:]...)
			}
		}
	}
	if len(types) == 0 {
		return append(dst, "schema: {fields: [], fieldsMatch: partial}\n"...)
	}
	return append(append(dst, "schema:\n  fieldsMatch: partial\n  missingValues: [\"\"]\n  fields:\n"...), types...)
}

// isKeptName says that no rule of a map may make a field of that name.
func isKeptName(name string) bool {
	return name == "*" || name == "was" || strings.HasPrefix(name, "_")
}

// certain is the one reading that all values of the field fit; nil if there is none.
func (f *InferredField) certain() *Reading {
	if f.Type != "string" && f.Type != "any" || len(f.Readings) != 1 || !f.Readings[0].Certain() || isKeptName(f.Name) {
		return nil
	}
	return &f.Readings[0]
}

// rule is the verb of a map, as a part of YAML in one line; empty for a copy.
func (r *Reading) rule() string {
	if r == nil || r.Type == "yearmonth" {
		return ""
	}
	var parts []string
	add := func(key string, texts ...string) {
		var b []byte
		for i, s := range texts {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = records.AppendJSONText(b, s)
		}
		if len(texts) > 1 || key == "missing" {
			b = append(append([]byte("["), b...), ']')
		}
		if len(texts) > 0 {
			parts = append(parts, key+": "+string(b))
		}
	}
	verb := "number"
	if r.Type == "number" {
		switch {
		case r.Decimal != "":
			add("decimal", r.Decimal)
		case r.Group == ".":
			add("decimal", ",")
		case r.Group != "":
			add("decimal", ".")
		}
		add("beside", r.Beside...)
		if r.Brackets {
			add("parentheses", "negative")
		}
	} else {
		verb = "date"
		add("pattern", r.Patterns...)
		if r.Language != "" && r.Language != "en" {
			add("language", r.Language)
		}
		if r.Type == "date" {
			add("as", "date")
		}
	}
	add("missing", r.Nulls...)
	if len(parts) == 0 {
		return verb + ": true"
	}
	return verb + ": {" + strings.Join(parts, ", ") + "}"
}

// appendRemark says in a comment what a reading rests on.
func (r *Reading) appendRemark(dst []byte, field string) []byte {
	dst = records.AppendYAMLText(append(dst, "  # "...), field)
	dst = fmt.Appendf(dst, ": %s: %d values", strings.Map(oneLine, r.Name), r.Values)
	example := func(c *Counterexample) {
		if c == nil {
			return
		}
		dst = records.AppendJSONText(append(dst, ", the first "...), c.Value)
		if c.Line > 0 {
			dst = fmt.Appendf(dst, " in line %d", c.Line)
		}
	}
	if r.Nulled > 0 {
		dst = fmt.Appendf(dst, "; %d missing", r.Nulled)
	}
	if r.Others > 0 {
		dst = fmt.Appendf(dst, "; %d others", r.Others)
		example(r.Against)
	}
	if r.Impossible > 0 {
		dst = fmt.Appendf(dst, "; %d of a day that the month does not have", r.Impossible)
		example(r.NoDay)
	}
	if r.Doubt != "" {
		dst = append(append(dst, "; not taken: "...), r.Doubt...)
	} else if r.Others > 0 {
		dst = append(dst, "; not taken"...)
	}
	return append(dst, '\n')
}

func oneLine(r rune) rune {
	if r < ' ' || r >= 0x7F && r < 0xA0 || r == 0x2028 || r == 0x2029 || r >= 0xFEFF {
		return '?'
	}
	return r
}

// appendType appends the type that the field has behind the map.
func (f *InferredField) appendType(dst []byte, r *Reading) []byte {
	kind, format := f.Type, f.Format
	if kind == "number" && len(f.Readings) > 0 { // it is in doubt what they are, as of 1.000
		kind = "any"
	}
	if r != nil {
		if kind, format = r.Type, ""; r.Impossible > 0 {
			kind = "any"
		}
	}
	dst = records.AppendYAMLText(append(dst, "    - {name: "...), f.Name)
	dst = append(append(dst, ", type: "...), kind...)
	if format != "" {
		dst = append(append(dst, ", format: "...), format...)
	}
	if r != nil && r.Type == "yearmonth" && len(r.Nulls) > 0 {
		dst = appendTexts(dst, ", missingValues: ", append([]string{""}, r.Nulls...))
	}
	if kind != "any" && (kind != "string" || format != "") {
		dst = append(dst, ", onError: keep"...)
	}
	return append(dst, "}\n"...)
}
