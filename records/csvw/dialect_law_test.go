package csvw_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/clean"
	"laundromat/records/csvw"
)

// dialectStatements are the clean statements of a table, by metadata with a dialect; nil: the default one.
func dialectStatements(t *testing.T, text string, dialect map[string]any) (lines []string) {
	t.Helper()
	described := map[string]any{"@context": "http://www.w3.org/ns/csvw", "url": "t.csv", "tableSchema": map[string]any{
		"aboutUrl": "#r{_row}", "columns": []any{map[string]any{"name": "a", "titles": "a"}, map[string]any{"name": "b", "titles": "b",
			"separator": " "}, map[string]any{"name": "c", "titles": "c", "null": []any{"-"}}}}}
	if dialect != nil {
		described["dialect"] = dialect
	}
	metadata, err := json.Marshal(described)
	if err != nil {
		t.Fatal(err)
	}
	converter := csvw.New(csvw.Options{Overriding: "http://x/m.json",
		Load: func(_ context.Context, url, _ string) (*csvw.Resource, error) {
			return &csvw.Resource{URL: url, Text: strings.NewReader(string(metadata))}, nil
		},
		Notice: func(n fault.Notice) {
			if n.Severity > fault.Note {
				t.Errorf("%q in %v: %s: %s", text, dialect, n.Code, n.Message)
			}
		}})
	first, _ := clean.Chain(clean.Options{HasAnonymous: true}, clean.EachLine(func(line []byte) error {
		lines = append(lines, string(line))
		return nil
	}), nil)
	if err := converter.Table(t.Context(), &csvw.Resource{URL: "http://x/t.csv", Text: strings.NewReader(text)}, first); err != nil {
		t.Fatalf("%q in %v: %v", text, dialect, err)
	}
	slices.Sort(lines)
	return lines
}

// A table in any dialect gives the statements of its clean form, that of RFC 4180.
func FuzzATableInAnyDialectGivesTheStatementsOfItsCleanForm(f *testing.F) {
	f.Add("a", "b\"c d", "d;e\nf", byte(0))
	f.Add("x", " ", "'", byte(11))
	f.Add("-", "|", "#", byte(77))
	f.Add("ä", "", "-", byte(255))
	f.Fuzz(func(t *testing.T, a, b, c string, which byte) {
		delimiter := []string{",", ";", "\t", "||"}[which&3]
		quote := []string{`"`, "'"}[which>>2&1]
		end := []string{"\n", "\r\n"}[which>>3&1]
		doubles, isSkipped, hasComments := which>>4&1 == 0, which>>5&1 == 1, which>>6&1 == 1
		if !doubles && strings.Contains(a+b+c, `\`) || strings.ContainsAny(a+b+c, "\r\x00") || !isText(a+b+c) {
			return
		}
		write := func(delimiter, quote, escape, end string, rows ...[]string) string {
			var text strings.Builder
			for _, row := range rows {
				for i, cell := range row {
					if i > 0 {
						text.WriteString(delimiter)
					}
					text.WriteString(quote + strings.ReplaceAll(cell, quote, escape+quote) + quote)
				}
				text.WriteString(end)
			}
			return text.String()
		}
		rows := [][]string{{"a", "b", "c"}, {a, b, c}, {c, a, b}}
		dialect := map[string]any{"delimiter": delimiter, "quoteChar": quote, "doubleQuote": doubles}
		escape := quote
		if !doubles {
			escape = `\`
		}
		text := write(delimiter, quote, escape, end, rows...)
		if hasComments {
			dialect["commentPrefix"] = "#"
			text = "# of old" + end + text
		}
		if isSkipped {
			dialect["skipRows"] = 1
			text = "a title" + end + text
		}
		got, want := dialectStatements(t, text, dialect), dialectStatements(t, write(",", `"`, `"`, "\n", rows...), nil)
		if !slices.Equal(got, want) {
			t.Errorf("%q in %v\n%q\nits clean form\n%q", text, dialect, got, want)
		}
	})
}

// isText says that a text has only characters that statements may have as they are.
func isText(s string) bool {
	return strings.ToValidUTF8(s, "") == s && !strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\t' || r >= 0xFFFE
	})
}
