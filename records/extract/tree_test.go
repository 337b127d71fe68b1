package extract_test

import (
	"slices"
	"strings"
	"testing"

	"laundromat/records/extract"
)

// markup is trees and tables in other formats than JSON, and what comes of them.
var markup = []struct {
	name, file, in string
	records        []string
	notices        []string
}{
	{"items of XML", "a.xml", `<r><meta/><i id="1"><n>Anna</n><t>a</t><t>b</t></i><i id="2">text<n/></i></r>`,
		[]string{`{"@id":"1","n":"Anna","t":["a","b"]}`, `{"@id":"2","n":"","#text":"text"}`},
		[]string{"note record/list 0:0", "warning record/beside 1:4 r/meta"}},
	{"items deeper", "a.xml", "<rss><channel><title>T</title><item><t>1</t></item><item><t>2</t></item></channel></rss>",
		[]string{`{"t":"1"}`, `{"t":"2"}`}, []string{"note record/list 0:0", "warning record/beside 1:15 rss/channel/title"}},
	{"one element", "a.xml", `<a x="1"><b>2</b></a>`, []string{`{"@x":"1","b":"2"}`}, nil},
	{"two kinds", "a.xml", `<g><n id="1"/><n id="2"/><e to="1"/><e to="2"/></g>`, []string{`{"@id":"1"}`, `{"@id":"2"}`, `{"@to":"1"}`,
		`{"@to":"2"}`}, []string{"note record/list 0:0"}},
	{"a forest", "a.xml", "<t><id>1</id><v>2</v><v>3</v></t>\n<t><id>2</id><v>4</v></t>\n",
		[]string{`{"id":"1","v":["2","3"]}`, `{"id":"2","v":["4"]}`}, []string{"note record/list 0:0"}},
	{"rows of a page", "a.xml", "<TR><TH>a</TH>\n<TH>b</TH>\n</TR>\n<TR><TD>1</TD>\n<TD>2</TD>\n</TR>\n",
		[]string{`{"TH":["a","b"]}`, `{"TD":["1","2"]}`}, []string{"note record/list 0:0"}},
	{"documents one after another", "a.xml", `<l><i><a>1</a></i><i><a>2</a></i></l><l><i><a>3</a></i><i><a>4</a></i></l>`,
		[]string{`{"a":"1"}`, `{"a":"2"}`, `{"a":"3"}`, `{"a":"4"}`}, []string{"note record/list 0:0"}},
	{"texts one after another", "a.xml", `<i>a</i><i>b</i>`, []string{`{"value":"a"}`, `{"value":"b"}`}, nil},
	{"texts that repeat", "a.xml", `<l><i>a</i><i>b</i></l>`, []string{`{"value":"a"}`, `{"value":"b"}`}, []string{"note record/list 0:0"}},
	{"YAML", "a.yaml", "- {a: 1, b: x}\n- a: 1.50\n  c: [~, true, yes, 0x1F]\n",
		[]string{`{"a":1,"b":"x"}`, `{"a":1.50,"c":[null,true,"yes","0x1F"]}`}, nil},
	{"documents of YAML", "a.yaml", "---\na: 1\n---\na: [\n---\na: 3\n", []string{`{"a":1}`, `{"a":3}`},
		[]string{"drop record/syntax 4:1"}},
	{"aliases", "a.yaml", "b: &b {x: 1}\nl:\n- {<<: *b, y: 2}\n- *b\n", []string{`{"x":1,"y":2}`, `{"x":1}`},
		[]string{"note record/list 3:1 l", "warning record/beside 1:4 b"}},
	{"a table of a page", "a.html",
		"<p><table><caption>C</caption><thead><tr><th>a<th>b</thead><tr><td>1<td>x <b>y</b><tr><td rowspan=2>2<td>z<tr><td>w</table>",
		[]string{`{"a":"1","b":"x y"}`, `{"a":"2","b":"z"}`, `{"a":"2","b":"w"}`}, nil},
	{"a header of groups", "a.html", "<table><tr><th rowspan=2>n<th colspan=2>g<tr><th>a<th>b<tr><td>1<td>2<td>3</table>",
		[]string{`{"n":"1","g a":"2","g b":"3"}`}, nil},
	{"a table in a table", "a.html", "<table><tr><td>x<td>1<tr><td>y<td>2<table><tr><th>p<th>q<tr><td>5<td>6</table></table>",
		[]string{`{"column_1":"x","column_2":"1"}`, `{"column_1":"y","column_2":"2"}`, `{"p":"5","q":"6"}`}, nil},
}

func TestTreesOfMarkup(t *testing.T) {
	for _, c := range markup {
		k := read(t, c.file, c.in, extract.Options{AllTables: true})
		if !slices.Equal(k.records, c.records) || !slices.Equal(k.notices, c.notices) {
			t.Errorf("%s: %s\ngot  %s\nwant %s\ngot  %q\nwant %q", c.name, c.in, strings.Join(k.records, " "), strings.Join(c.records, " "),
				k.notices, c.notices)
		}
	}
}

func TestBombsEndByALimit(t *testing.T) {
	xml := `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaaaaaaaaaaaa">` + entities() + `]><r><i x="1">&j;</i><i x="2">ok</i></r>`
	k := read(t, "a.xml", xml, extract.Options{MaxItem: 1 << 20})
	if len(k.records) != 1 || k.records[0] != `{"@x":"2","#text":"ok"}` || k.lost != 1 {
		t.Errorf("%.300q %q", k.records, k.notices)
	}
	var yaml strings.Builder
	yaml.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 10; i++ {
		n := string(rune('0' + i))
		yaml.WriteString("a" + n + ": &a" + n + " [" + strings.Repeat("*a"+string(rune('0'+i-1))+", ", 9) + "]\n")
	}
	k = read(t, "a.yaml", yaml.String(), extract.Options{})
	if len(k.records) != 0 || k.lost != 1 {
		t.Errorf("%d records %q", len(k.records), k.notices)
	}
}

func entities() string {
	var b strings.Builder
	for c := 'b'; c <= 'j'; c++ {
		b.WriteString("<!ENTITY " + string(c) + ` "` + strings.Repeat("&"+string(c-1)+";", 10) + `">`)
	}
	return b.String()
}

func TestDetect(t *testing.T) {
	for _, c := range [][4]string{
		{"a.csv", "", "a,b", "csv"}, {"a.tsv", "", "a", "tsv"}, {"a.json", "", "[]", "json"}, {"a", "application/json", "[]", "json"},
		{"a", "text/csv; charset=x", "[", "csv"}, {"a", "", `[{"a":1}]`, "json"}, {"a", "", "{\"a\":1}\n{\"a\":2}\n", "jsonl"},
		{"a.ndjson", "", "", "jsonl"},
		{"a", "", "<?xml version='1.0'?><a/>", "xml"}, {"a.csv", "", "<!DOCTYPE html><p>", "html"},
		{"a", "application/atom+xml", "", "xml"},
		{"a", "", "name: x\nage: 3\n", "yaml"}, {"a", "", "- a\n- b\n", "yaml"}, {"a.txt", "", "a;b\n1;2\n", "csv"}, {"a", "", "", "csv"},
		{"a", "", "Station: X\nDate: 2020\n\ntime,temp\n10:00,1\n", "csv"},
		{"a", "", "PK\x03\x04", "xlsx"}, {"a", "", "a:b:c\n1:2:3\n", "csv"}, {"a", "text/plain", "{\n \"a\": 1\n}", "json"},
	} {
		if got, why := extract.Detect(c[0], c[1], []byte(c[2])); got != c[3] || why == "" {
			t.Errorf("%q is detected as %s (%s)", c, got, why)
		}
	}
}
