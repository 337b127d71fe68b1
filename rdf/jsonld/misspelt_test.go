package jsonld_test

import (
	"strings"
	"testing"

	"laundromat/rdf/jsonld"
)

// Each row: an object with a name that is one letter away from a keyword; the statements, and the notices.
func TestAMisspeltKeywordCostsWhatItMayHaveSaid(t *testing.T) {
	for _, row := range []struct{ text, quads, notices string }{
		{`{"@di":"http://e/a","http://p":"x","http://q":{"@id":"http://e/b","http://p":"y"}}`, `<http://e/b> <http://p> "y" .`,
			"drop syntax/json-keyword 1:2 0, drop syntax/json-keyword 1:32 1, drop syntax/json-keyword 1:47 1"},
		{`{"@ID":"http://e/a","http://p":"x"}`, "", "drop syntax/json-keyword 1:2 0, drop syntax/json-keyword 1:32 1"},
		{"{\"\\t@id\":\"http://e/a\",\"http://p\":\"x\"}", "", "drop syntax/json-keyword 1:2 0, drop syntax/json-keyword 1:34 1"},
		{`{"@id ":"http://e/a","http://p":"x","http://q":{"@id":"http://e/b","http://p":"y"}}`, `<http://e/b> <http://p> "y" .`,
			"drop syntax/json-keyword 1:2 0, drop syntax/json-keyword 1:33 1, drop syntax/json-keyword 1:48 1"},
		{`{"@ i d":"http://e/a","http://p":"x"}`, "", "drop syntax/json-keyword 1:2 0, drop syntax/json-keyword 1:34 1"},
		{`{"*@id":"http://e/a","http://p":"x"}`, "", "drop syntax/json-keyword 1:2 0, drop syntax/json-keyword 1:33 1"},
		{`{"@id-":"http://e/a","http://p":"x"}`, "", "drop syntax/json-keyword 1:2 0, drop syntax/json-keyword 1:33 1"},
		{`{"@id":"http://e/a","@type ":"http://e/T","http://p":"x"}`, `<http://e/a> <http://p> "x" .`, "drop syntax/json-keyword 1:21 1"},
		{`{"@id":"http://e/a","@id-of":"http://e/T","id ":"y","@id2":"z","http://p":"x"}`, `<http://e/a> <http://p> "x" .`,
			"warning syntax/json-undefined-term 1:21 0, warning syntax/json-undefined-term 1:43 0, warning syntax/json-undefined-term 1:53 0"},
		{`{"NULL,@id":"http://e/a","http://p":"x"}`, "", "drop syntax/json-keyword 1:2 0, drop syntax/json-keyword 1:37 1"},
		{`{"@&nbsp;id":"http://e/a","http://p":"x"}`, "", "drop syntax/json-keyword 1:2 0, drop syntax/json-keyword 1:38 1"},
		{`{"@idé":"http://e/a","http://p":"x"}`, "", "drop syntax/json-keyword 1:2 0, drop syntax/json-keyword 1:33 1"},
		{`{"":"http://e/a","http://p":"x"}`, "", "drop syntax/json-keyword 1:2 0, drop syntax/json-keyword 1:29 1"},
		{`{"":"1","http://p":"x"}`, `_:0-1 <http://p> "x" .`, "warning syntax/json-undefined-term 1:2 0"},
		{`{"@id":"http://e/a","author.@id":"x","@attr.id":"y","x/@type":"z","http://p":"x"}`, `<http://e/a> <http://p> "x" .`,
			"warning syntax/json-undefined-term 1:21 0, warning syntax/json-undefined-term 1:38 0, warning syntax/json-undefined-term 1:53 0"},
		{`{"author.@id":"x","@attr.id":"y","http://p":"x"}`, `_:0-1 <http://p> "x" .`,
			"warning syntax/json-undefined-term 1:2 0, warning syntax/json-undefined-term 1:19 0"},
		{`{"@id":"http://e/a","http://p":[{"@val<br/>ue":"1","@type":"http://t"},{"":"2","@type":"http://t"},"z"]}`,
			`<http://e/a> <http://p> "z" .`, "drop syntax/json-keyword 1:34 1, drop syntax/json-keyword 1:73 1"},
		{`{"@id":"http://e/a","@tpe":"http://e/T","http://p":"x"}`, `<http://e/a> <http://p> "x" .`, "drop syntax/json-keyword 1:21 1"},
		{`{"@id":"http://e/a","http://p":[{"@value":"1","@tyype":"http://e/T"},{"@valu":"x","@language":"en"},"z"]}`,
			`<http://e/a> <http://p> "z" .`, "drop syntax/json-keyword 1:47 1, drop syntax/json-keyword 1:71 1"},
		{`{"@cntext":{"c":"http://c/"},"@id":"c:a","c:p":"x"}`, "", "drop syntax/json-keyword 1:2 1"},
		{`{"@id":"http://e/a","@ignoreMe":"x","@ids":"http://e/b","@value2":5,"http://p":"x"}`, `<http://e/a> <http://p> "x" .`,
			"warning syntax/json-undefined-term 1:21 0, warning syntax/json-undefined-term 1:37 0, warning syntax/json-undefined-term 1:57 0"},
	} {
		got := read(t, row.text, jsonld.Options{})
		if quads := strings.Join(got.Lines(), "|"); quads != row.quads {
			t.Errorf("%s: got\n%s\nwant\n%s", row.text, quads, row.quads)
		}
		if notices := strings.Join(shown(got.Notices), ", "); notices != row.notices {
			t.Errorf("%s: got\n%s\nwant\n%s", row.text, notices, row.notices)
		}
	}
}
