package datapackage_test

import (
	"strings"
	"testing"

	"laundromat/records/datapackage"
	"laundromat/records/spec"
)

func read(t *testing.T, text string) (*datapackage.Package, error) {
	t.Helper()
	node, err := spec.Parse("datapackage.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return datapackage.Read(node)
}

// A path leads nowhere but into the package, or to the web.
func TestPathsStayInThePackage(t *testing.T) {
	for path, why := range map[string]string{
		"a.csv": "", "data/a.csv": "", "./a.csv": "", "a..b.csv": "", "data/my table.csv": "", "é.csv": "", ".../a.csv": "",
		"http://x.example/a.csv": "", "https://x.example/../a.csv": "", "HTTPS://x.example/a.csv": "", "d/a:b.csv": "",
		"../a.csv": "leads out", "data/../../a.csv": "leads out", "data/..": "leads out", "/etc/passwd": "leads out",
		"//host/a.csv": "leads out", "~/a.csv": "leads out", "%2e%2e/a.csv": "leads out", "data/%2E./a.csv": "leads out",
		"%2fetc/passwd": "leads out",
		`..\\a.csv`:     "no path of a package", `C:\\a.csv`: "no path of a package", "c:a.csv": "neither relative",
		"file:///etc/passwd": "neither relative", "ftp://x.example/a.csv": "neither relative", "data:text/csv,a": "neither relative",
		"": "empty",
	} {
		for name, text := range map[string]string{
			"path":   `{"resources":[{"name":"a","path":"` + path + `"}]}`,
			"paths":  `{"resources":[{"name":"a","path":["` + path + `"]}]}`,
			"schema": `{"resources":[{"name":"a","path":"a.csv","schema":"` + path + `"}]}`,
		} {
			_, err := read(t, text)
			switch {
			case why == "" && err != nil:
				t.Errorf("%s %q: %v", name, path, err)
			case why != "" && (err == nil || !strings.Contains(err.Error(), why)):
				t.Errorf("%s %q: %v, want %s", name, path, err, why)
			}
		}
	}
}

// What is wrong in a descriptor is refused with its place.
func TestWrongDescriptorsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                             "a mapping is wanted",
		`{}`:                             `a Data Package has "resources"`,
		`{"resources": {}}`:              "datapackage.json:1:15: a list is wanted",
		`{"resources": []}`:              "at least one resource",
		`{"resources": ["a.csv"]}`:       "a mapping is wanted",
		`{"resources": [{"name": "a"}]}`: `datapackage.json:1:16: a resource has a "path", or "data"`,
		`{"resources": [{"path": "a.csv", "data": []}]}`:                                  "not both",
		`{"resources": [{"path": 3}]}`:                                                    "a text is wanted",
		`{"resources": [{"path": []}]}`:                                                   "the list of paths is empty",
		`{"resources": [{"path": ["a.csv", "http://x.example/b.csv"]}]}`:                  "all URLs, or all relative",
		`{"resources": [{"data": "a,b"}]}`:                                                `need a "format" or a "mediatype"`,
		`{"resources": [{"data": 3}]}`:                                                    "not a number",
		`{"resources": [{"name": "a", "path": "a.csv"}, {"name": "a", "path": "b.csv"}]}`: "two resources",
		`{"resources": [{"path": "a.csv", "schema": 3}]}`:                                 "schema is an object, or the path",
		`{"resources": [{"path": "a.csv", "dialect": {"delimiter": "ab"}}]}`:              "one character of ASCII",
		`{"resources": [{"path": "a.csv", "dialect": {"delimiter": null}}]}`:              "delimiter is a character",
		`{"resources": [{"path": "a.csv", "dialect": {"lineTerminator": ";"}}]}`:          "lines that end in",
		`{"resources": [{"path": "a.csv", "dialect": {"header": "yes"}}]}`:                "a boolean is wanted",
		`{"resources": [{"path": "a.csv", "dialect": {"headerRows": [1, 3]}}]}`:           "do not follow one another",
		`{"resources": [{"path": "a.csv", "dialect": {"headerRows": [0]}}]}`:              "1 or more",
		`{"resources": [{"path": "a.csv", "dialect": {"headerRows": []}}]}`:               "at least a row",
		`{"resources": [{"path": "a.csv", "dialect": {"commentRows": [2]}}]}`:             "commentChar is",
	} {
		if _, err := read(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// A dialect is what the standard says, and its defaults where it says nothing.
func TestDialectsAreThoseOfTheStandard(t *testing.T) {
	for text, want := range map[string]string{
		`"path": "a.csv"`:                  `csv , " 0  true 0 -1`,
		`"path": "a.tsv"`:                  `tsv 	 " 0  true 0 -1`,
		`"path": "a.csv.gz"`:               `csv , " 0  true 0 -1`,
		`"path": "a.txt", "format": "csv"`: `csv , " 0  true 0 -1`,
		`"path": "a.txt", "mediatype": "text/csv; charset=x"`:                        `csv , " 0  true 0 -1`,
		`"path": "http://x.example/a.csv?b=c.d"`:                                     `csv , " 0  true 0 -1`,
		`"path": "a.csv", "dialect": {"delimiter": ";"}`:                             `csv ; " 0  true 0 -1`,
		`"path": "a.csv", "dialect": {"quoteChar": "'", "escapeChar": "\\"}`:         `csv , ' \  true 0 -1`,
		`"path": "a.csv", "dialect": {"quoteChar": null}`:                            `csv , 0 0  true 0 -1`,
		`"path": "a.csv", "dialect": {"commentChar": "#", "header": false}`:          `csv , " 0 # false 0 -1`,
		`"path": "a.csv", "dialect": {"headerRows": [2, 3], "headerJoin": "-"}`:      `csv , " 0  true 2 1`,
		`"path": "a.csv", "dialect": {"csvddfVersion": 1.2, "lineTerminator": "\n"}`: `csv , " 0  true 0 -1`,
	} {
		p, err := read(t, `{"resources": [{`+text+`}]}`)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		s := p.Resources[0].Source
		sign := func(b byte) string {
			if b == 0 {
				return "0"
			}
			return string(b)
		}
		header := map[bool]string{true: "true", false: "false"}[*s.Header]
		got := strings.Join([]string{s.Format, sign(s.Delimiter), sign(*s.Quote), sign(*s.Escape), s.Comment, header, number(s.HeaderRows),
			number(s.Skip)}, " ")
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func number(n int) string {
	if n < 0 {
		return "-" + number(-n)
	}
	return string(rune('0' + n))
}

// Data in the descriptor are records, whatever form they have.
func TestInlineDataAreRecords(t *testing.T) {
	for text, want := range map[string]string{
		`"data": [{"a": 1}, {"a": "x"}]`:                                                     `[{"a":1},{"a":"x"}]`,
		`"data": [["a", "b"], [1, "x"], [2]]`:                                                `[{"a":1,"b":"x"},{"a":2}]`,
		`"data": [["a"], [1, 2]]`:                                                            `[{"a":1,"column_2":2}]`,
		`"data": [[1, 2]], "dialect": {"header": false}`:                                     `[{"column_1":1,"column_2":2}]`,
		`"data": [[1]], "dialect": {"header": false}, "schema": {"fields": [{"name": "n"}]}`: `[{"n":1}]`,
		`"data": {"rows": [{"a": 1.50}]}`:                                                    `{"rows":[{"a":1.50}]}`,
		`"data": []`:                                                                         `[]`,
		`"data": [["a"], [null], [true], [[1]]]`:                                             `[{"a":null},{"a":true},{"a":[1]}]`,
	} {
		p, err := read(t, `{"resources": [{`+text+`}]}`)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := string(p.Resources[0].Inline()); got != want+"\n" {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	p, err := read(t, `{"resources": [{"data": "a,b\n1,2\n", "format": "csv"}]}`)
	if err != nil || string(p.Resources[0].Inline()) != "a,b\n1,2\n" || p.Resources[0].Source.Format != "csv" {
		t.Errorf("%v: %s", err, p.Resources[0].Inline())
	}
}
