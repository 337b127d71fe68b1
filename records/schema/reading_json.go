package schema

import (
	"strconv"

	"laundromat/records"
)

// appendReadings appends what is proposed for a column. The names of the readings that all values fit come first.
// Each reading follows, with its counts and the first value against it.
func appendReadings(dst []byte, all []Reading) []byte {
	if len(all) == 0 {
		return dst
	}
	var names []string
	for i := range all {
		if all[i].Others == 0 {
			names = append(names, all[i].Name)
		}
	}
	dst = appendTexts(dst, ", \"readings\": ", names)
	dst = append(dst, ",\n       \"proposed\": ["...)
	for i := range all {
		if i > 0 {
			dst = append(dst, ",\n         "...)
		}
		dst = all[i].appendJSON(dst)
	}
	return append(dst, ']')
}

func appendTexts(dst []byte, key string, texts []string) []byte {
	if len(texts) == 0 {
		return dst
	}
	dst = append(append(dst, key...), '[')
	for i, s := range texts {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = records.AppendJSONText(dst, s)
	}
	return append(dst, ']')
}

func (r *Reading) appendJSON(dst []byte) []byte {
	text := func(key, value string) {
		if value != "" {
			dst = records.AppendJSONText(append(append(append(dst, ", \""...), key...), "\": "...), value)
		}
	}
	example := func(key string, c *Counterexample) {
		if c == nil {
			return
		}
		dst = records.AppendJSONText(append(append(append(dst, ", \""...), key...), "\": {\"value\": "...), c.Value)
		if c.Line > 0 {
			dst = strconv.AppendInt(append(dst, ", \"line\": "...), c.Line, 10)
		}
		dst = append(dst, '}')
	}
	count := func(key string, n int64) {
		if n > 0 {
			dst = strconv.AppendInt(append(append(append(dst, ", \""...), key...), "\": "...), n, 10)
		}
	}
	dst = records.AppendJSONText(append(dst, "{\"reading\": "...), r.Name)
	text("type", r.Type)
	text("decimalChar", r.Decimal)
	text("groupChar", r.Group)
	if len(r.Beside) > 0 {
		dst = appendTexts(append(dst, ", \"bareNumber\": false"...), ", \"beside\": ", r.Beside)
	}
	if r.Brackets {
		text("parentheses", "negative")
	}
	dst = appendTexts(dst, ", \"patterns\": ", r.Patterns)
	text("language", r.Language)
	dst = appendTexts(dst, ", \"missingValues\": ", r.Nulls)
	dst = strconv.AppendInt(append(dst, ", \"values\": "...), r.Values, 10)
	count("nulls", r.Nulled)
	count("others", r.Others)
	example("against", r.Against)
	count("impossible", r.Impossible)
	example("noSuchDay", r.NoDay)
	text("doubt", r.Doubt)
	return append(dst, '}')
}
