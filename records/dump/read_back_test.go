package dump_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/dump"
	"laundromat/records/extract"
)

// readBack are the formats that our readers read as they were written. A table has the fields of all records in one
// order.
var readBack = []string{"json", "jsonl", "yaml", "xml", "html"}

// kept is a sink that keeps the records, and what is worse than a note.
type kept struct {
	all   []*records.Record
	worse []fault.Notice
}

func (k *kept) Record(r *records.Record) error { k.all = append(k.all, r.Clone()); return nil }
func (k *kept) Notice(n fault.Notice) {
	if n.Severity != fault.Note {
		k.worse = append(k.worse, n)
	}
}

// readAgain reads what was written.
func readAgain(t testing.TB, format, text string) *kept {
	t.Helper()
	var k kept
	if err := extract.Read(context.Background(), extract.Document{Name: "r", FileName: "r." + format, Text: strings.NewReader(text)},
		extract.Options{}, &k); err != nil {
		t.Fatalf("%s: %v\n%s", format, err, text)
	}
	return &k
}

// lineOf is a record as JSON, with its fields in the order of their names where a table does not keep it.
func lineOf(r *records.Record, format string) string {
	if format == "html" {
		r = r.Clone()
		slices.SortStableFunc(r.Fields, func(a, b records.Field) int { return strings.Compare(a.Name, b.Name) })
	}
	return string(r.AppendJSON(nil))
}

// checkReadBack holds the law: read by our own readers, a file gives the records that were written into it.
func checkReadBack(t testing.TB, all []*records.Record) {
	t.Helper()
	for _, format := range readBack {
		var out bytes.Buffer
		sink, err := dump.Open(dump.Options{Files: []dump.File{{Format: format, Writer: &out}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			if err := sink.Record(r.Clone()); err != nil {
				t.Fatal(err)
			}
		}
		if err := sink.Close(); err != nil {
			t.Fatal(err)
		}
		got := readAgain(t, format, out.String())
		if len(got.worse) > 0 {
			t.Errorf("%s: %+v\n%.2000s", format, got.worse, out.String())
		}
		if len(got.all) != len(all) {
			t.Errorf("%s: %d records, want %d\n%.2000s", format, len(got.all), len(all), out.String())
			continue
		}
		for i := range all {
			if have, want := lineOf(got.all[i], format), lineOf(all[i], format); have != want {
				t.Errorf("%s, record %d: %.500q, want %.500q\n%.2000s", format, i+1, have, want, out.String())
			}
		}
	}
}

var dirtyTexts = []string{"", "plain", " ", "  two  ", "a\nb", "a\r\nb", "\r", "\t", "a\tb", "\x00", "\x01\x1b\x7f", "\u0080\u0085\u009f",
	"\u2028\u2029", "\ufeff", "\ufffe\uffff", "\ufffd",
	"</script>", "<b>&amp;</b>", "]]>", "<!-- -->", "--", "---", "...", "- a", "# x", "a # b", "a: b", "[1]", "{a: 1}", "*x", "&x", "!x",
	"|", ">", "%x", "@x", "`x", "'", `"`, `\`,
	"null", "NULL", "~", "true", "True", "yes", "No", "on", "y", "n", "1", "-1", "1.5", "0x1F", "0o17", "1e3", ".5", "007", "1_000",
	"12:30", "2024-01-01", ".inf", ".NaN", "NaN", "=", "<<",
	"\u00a0x\u00a0", "a\u00a0b", "\u2009", "\u00ad", "é", "e\u0301", "日本", "😀", "total", "Total", "=1+1", strings.Repeat("x ", 2000),
	strings.Repeat("é", 300)}

var dirtyNames = []string{"a", "two words", " a ", "", "1", "-", "xml", "XMLname", "xmlns", "xmlns:a", "a:b", "@id", "#text", "was2",
	"null", "true", "<<", "é", "日本", "a\nb", "\x00", "\ufeff", "\u2028",
	"item", "record", "records", "field", "column_1", "data-kind", "laundromat:kind", "a.b", "a-b", "_", "·", "?", "? a", "- a",
	strings.Repeat("n", 700), "a=b", "a/b", `"`, "'", "&", "<a>"}

// TestWhatIsWrittenIsReadBack: dirty values and names, nulls, numbers, lists and objects.
func TestWhatIsWrittenIsReadBack(t *testing.T) {
	for name, all := range map[string][]*records.Record{
		"none":        nil,
		"no fields":   {rec(), rec()},
		"one":         {rec("a", "x")},
		"one, nested": {rec("a", []any{map[string]any{"b": 1}, map[string]any{"b": 2}})},
		"null, empty": {rec("a", nil, "b", ""), rec("a", "", "b", nil), rec("b", ""), rec("a", nil), rec("a", "")},
		"blank":       {rec("a", ""), rec("a", ""), rec("a", "")},
		"as header":   {rec("a", "a", "b", "b"), rec("a", "a", "b", "b"), rec("a", "x", "b", "y")},
		"footers":     {rec("a", "x", "b", "y"), rec("a", "x", "b", "y"), rec("a", "Total"), rec("a", "* remark"), rec("a", "# remark")},
		"numbers": {rec("a", 1, "b", -5), rec("a", json.Number("1.50"), "b", json.Number("1e400")),
			rec("a", json.Number("-0"), "b", json.Number("12345678901234567890.123456789")), rec("a", json.Number("1E-7"), "b", "1")},
		"booleans": {rec("a", true), rec("a", false), rec("a", "true")},
		"lists": {rec("a", []any{}), rec("a", []any{"x"}), rec("a", []any{nil}), rec("a", []any{"", []any{}, []any{1, []any{2}}}),
			rec("a", []any{"x", "y"})},
		"objects": {rec("a", map[string]any{}), rec("a", map[string]any{"": map[string]any{"two words": nil}}),
			rec("a", map[string]any{"item": []any{1}})},
		"list of many": {rec("rows", []any{map[string]any{"a": 1}, map[string]any{"a": 2}}), rec("rows", []any{map[string]any{"a": 3}})},
		"one of many":  {rec("rows", []any{map[string]any{"a": 1}, map[string]any{"a": 2}})},
	} {
		t.Run(name, func(t *testing.T) { checkReadBack(t, all) })
	}
	var texts, names []*records.Record
	for _, s := range dirtyTexts {
		texts = append(texts, rec("t", s, "list", []any{s}, "object", map[string]any{"t": s}))
	}
	for i, s := range dirtyNames {
		names = append(names, rec(s, i, "o", map[string]any{s: s}))
	}
	t.Run("texts", func(t *testing.T) { checkReadBack(t, texts) })
	t.Run("names", func(t *testing.T) { checkReadBack(t, names) })
	for _, s := range dirtyTexts {
		checkReadBack(t, []*records.Record{rec("a", s)})
	}
	for _, s := range dirtyNames {
		checkReadBack(t, []*records.Record{rec(s, "x")})
	}
}

// TestOriginalsAreReadBackAsAField: those that JSON, YAML and XML hold in the record itself.
func TestOriginalsAreReadBackAsAField(t *testing.T) {
	r := rec("price", json.Number("1.50"))
	r.Keep("price", records.TextOf("1,50"), "decimal comma")
	for _, format := range []string{"json", "yaml", "xml"} {
		var out bytes.Buffer
		sink, err := dump.Open(dump.Options{Files: []dump.File{{Format: format, Writer: &out}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := sink.Record(r.Clone()); err != nil {
			t.Fatal(err)
		}
		if err := sink.Close(); err != nil {
			t.Fatal(err)
		}
		const want = `{"price":1.50,"was":{"price":{"value":"1,50","rule":"decimal comma"}}}`
		if got := readAgain(t, format, out.String()); len(got.all) != 1 || lineOf(got.all[0], format) != want {
			t.Errorf("%s: %v\n%s", format, got.all, out.String())
		}
	}
}

// TestALongListOfYAMLIsRead: readers hold a document, so that a long list has several.
func TestALongListOfYAMLIsRead(t *testing.T) {
	var out bytes.Buffer
	var codes []fault.Code
	sink, err := dump.Open(dump.Options{Files: []dump.File{{Format: "yaml", Writer: &out}},
		Notices: func(n fault.Notice) { codes = append(codes, n.Code) }})
	if err != nil {
		t.Fatal(err)
	}
	const rows = 40_000
	for i := range rows {
		if err := sink.Record(rec("id", i, "text", strings.Repeat("some words ", 20))); err != nil {
			t.Fatal(err)
		}
	}
	if err := sink.Close(); err != nil {
		t.Fatal(err)
	}
	got := readAgain(t, "yaml", out.String())
	if len(got.all) != rows || len(got.worse) > 0 || fmt.Sprint(codes) != "[record/document-continued]" {
		t.Errorf("%d records, %v, %v", len(got.all), got.worse, codes)
	}
}

// FuzzWrittenRecordsAreReadBack holds the law for records that are made of any text.
func FuzzWrittenRecordsAreReadBack(f *testing.F) {
	for i, s := range dirtyTexts {
		f.Add(s, dirtyNames[i%len(dirtyNames)], uint8(i))
	}
	f.Fuzz(func(t *testing.T, value, name string, kind uint8) {
		if name == "was" || name == "other" {
			return
		}
		value, name = strings.ToValidUTF8(value, "\uFFFD"), strings.ToValidUTF8(name, "\uFFFD")
		var v any = value
		switch kind % 6 {
		case 1:
			v = []any{value}
		case 2:
			v = []any{value, []any{value}, nil}
		case 3:
			v = map[string]any{name: value}
		case 4:
			v = map[string]any{name: []any{map[string]any{name: value}}}
		case 5:
			if records.IsNumber(value) && len(value) < 300 {
				v = json.Number(value)
			}
		}
		checkReadBack(t, []*records.Record{rec(name, v), rec("other", value), rec(name, value, "other", v)})
	})
}
