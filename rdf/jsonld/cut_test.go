package jsonld_test

import (
	"slices"
	"strings"
	"testing"

	"laundromat/rdf/jsonld"
)

// nodes are some, with @id in front or behind what is said of them.
func nodes(count int, front bool) string {
	one := `{"http://p":"n","@id":"http://e/n"},`
	if front {
		one = `{"@id":"http://e/n","http://p":"n"},`
	}
	return strings.Repeat(one, count)
}

// Each row: what stands behind some nodes, cut off or with something of another text in it; what is
// kept of that, and the notices.
func TestWhatIsCutOffIsKeptAsFarAsItIsKnown(t *testing.T) {
	const named = `<http://e/n> <http://p> "n" .`
	for _, row := range []struct {
		name, text     string
		quads, notices []string
	}{
		{"items of an array", `[` + nodes(1, true) + `{"@id":"a","http://q":["x",{"@value":"y","@la`,
			[]string{`<http://b/a> <http://q> "x" .`}, []string{"drop syntax/json-cut-short 1:79 1"}},
		{"a number may go on", `[` + nodes(1, true) + `{"@id":"a","http://q":["x",12`,
			[]string{`<http://b/a> <http://q> "x" .`}, []string{"drop syntax/json-cut-short 1:67 1"}},
		{"a list goes on behind a comma", `[` + nodes(1, true) + `{"@id":"a","http://q":{"@list":["x","y",`,
			[]string{`<http://b/a> <http://q> _:0-1 .`, `_:0-1 <F> "x" .`, `_:0-1 <R> _:0-2 .`, `_:0-2 <F> "y" .`, `_:0-2 <R> _:0-3 .`},
			[]string{"drop syntax/json-cut-short 1:78 1"}},
		{"nobody knows how without one", `[` + nodes(1, true) + `{"@id":"a","http://q":{"@list":["x","y"`,
			[]string{`<http://b/a> <http://q> _:0-1 .`, `_:0-1 <F> "x" .`, `_:0-1 <R> _:0-2 .`, `_:0-2 <F> "y" .`},
			[]string{"drop syntax/json-cut-short 1:77 1"}},
		{"a list of which nothing is known", `[` + nodes(1, true) + `{"@id":"a","http://q":{"@list":["x`,
			nil, []string{"drop syntax/json-cut-short 1:70 1"}},
		{"a node without a name, where nodes have theirs in front", `[` + nodes(4, true) +
			`{"@id":"a","http://q":{"http://r":"x","http://s":`,
			[]string{`<http://b/a> <http://q> _:0-1 .`, `_:0-1 <http://r> "x" .`}, []string{"drop syntax/json-cut-short 1:195 1"}},
		{"where too few show it", `[` + nodes(3, true) + `{"@id":"a","http://q":{"http://r":"x","http://s":`,
			nil, []string{"drop syntax/json-cut-short 1:159 1", "drop syntax/json-keyword 1:144 1"}},
		{"where they have it behind", `[` + nodes(4, false) + `{"@id":"a","http://q":{"http://r":{"@id":"b","http://s":"x"},"http://s":`,
			[]string{`<http://b/b> <http://s> "x" .`}, []string{"drop syntax/json-cut-short 1:218 1", "drop syntax/json-keyword 1:180 1"}},
		{"what may be a value", `[` + nodes(4, true) + `{"@id":"a","http://q":{"@type":"http://t","`,
			nil, []string{"drop syntax/json-cut-short 1:188 1"}},
		{"@id without its value, and a line that begins with another name", `[` + nodes(4, true) + "\n{\"@id\"\n\"http://q\":\"x\"},\n" +
			good + "]",
			[]string{line}, []string{"drop syntax/json 2:2 1"}},
		{"a broken member of a list in the outermost node",
			`{"@context":{"l":{"@id":"http://e/l","@container":"@list"}},"@id":"a","l":["x","y\q","z"]}`,
			[]string{`<http://b/a> <http://e/l> _:0-1 .`, `_:0-1 <F> "x" .`, `_:0-1 <R> _:0-2 .`, `_:0-2 <R> _:0-3 .`, `_:0-3 <F> "z" .`,
				`_:0-3 <R> <http://www.w3.org/1999/02/22-rdf-syntax-ns#nil> .`}, []string{"drop syntax/json 1:80 1"}},
		{"a broken node in it", `{"@context":{"l":{"@id":"http://e/l","@container":"@list"}},"@id":"a","l":["x",{"@id":5x},"z"]}`,
			[]string{`<http://b/a> <http://e/l> _:0-1 .`, `_:0-1 <F> "x" .`, `_:0-1 <R> _:0-2 .`, `_:0-2 <R> _:0-3 .`, `_:0-3 <F> "z" .`,
				`_:0-3 <R> <http://www.w3.org/1999/02/22-rdf-syntax-ns#nil> .`}, []string{"drop syntax/json 1:87 1"}},
		{"half a keyword beside @id", `[` + nodes(4, true) + "\n{\"@id\":\"a\",\n\"@t\n\"http://q\":\"x\"}]",
			[]string{`<http://b/a> <http://q> "x" .`}, []string{"drop syntax/json 3:1 1"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := read(t, row.text, jsonld.Options{})
			var quads []string
			for _, line := range got.Lines() {
				line = strings.NewReplacer("http://www.w3.org/1999/02/22-rdf-syntax-ns#first", "F",
					"http://www.w3.org/1999/02/22-rdf-syntax-ns#rest", "R").Replace(line)
				if line != named {
					quads = append(quads, line)
				}
			}
			if !slices.Equal(quads, row.quads) {
				t.Errorf("quads\n%s\nwant\n%s", strings.Join(quads, "\n"), strings.Join(row.quads, "\n"))
			}
			if notices := shown(got.Notices); !slices.Equal(notices, row.notices) {
				t.Errorf("notices\n%s\nwant\n%s", strings.Join(notices, "\n"), strings.Join(row.notices, "\n"))
			}
		})
	}
}

// Each row: what is wrong in a document that is indented, by what it replaces; the statements that are lost,
// and the notices.
func TestWhatStandsBetweenIndentedLinesCostsNoneOfThem(t *testing.T) {
	const clean = `{
  "@context": {"@vocab": "http://v/"},
  "@graph": [
    {
      "@id": "http://e/a",
      "name": "A",
      "height": 1.5,
      "knows": [{
        "@id": "http://e/b",
        "name": "B"
      }, {
        "@id": "http://e/c",
        "name": "C"
      }],
      "tall": true
    },
    {
      "@id": "http://e/d",
      "name": "D"
    }
  ]
}
`
	for _, row := range []struct {
		name, old, new string
		lost, notices  []string
	}{
		{"a line of a log", "      \"height\"", "2024-01-02 10:11:12 INFO [main] sent {\"a\": 1} in 5 ms\n      \"height\"", nil,
			[]string{"drop syntax/json 7:1 1"}},
		{"a line of HTML with JSON in it", "    {\n      \"@id\": \"http://e/d\"",
			"<p>{\"error\": true}</p> <hr>\n    {\n      \"@id\": \"http://e/d\"", nil, []string{"drop syntax/json 17:1 1"}},
		{"a name without quotation marks before a number", `"height": 1.5`, `height: 1.5`, nil,
			[]string{"repair syntax/json-quotes 7:7 0"}},
		{"a name and a value in apostrophes", `"name": "A"`, `'name': 'A'`, nil, []string{"repair syntax/json-quotes 6:7 0",
			"repair syntax/json-quotes 6:15 0"}},
		{"a semicolon behind a word", `"tall": true`, `"tall": true;`, nil, []string{"repair syntax/json-comma 15:19 0",
			"repair syntax/json-comma 16:5 0"}},
		{"NULs behind the end", "]\n}\n", "]\n}\n\x00\x00\x00", nil, []string{"repair syntax/unseen-mark 23:1 0"}},
		{"the line is lost that begins an array of nodes", "      \"knows\": [{\n", "",
			[]string{`<http://e/a> <http://v/knows> <http://e/b> .`, `<http://e/b> <http://v/name> "B" .`,
				`<http://e/a> <http://v/knows> <http://e/c> .`, `<http://e/c> <http://v/name> "C" .`},
			[]string{"drop syntax/json-bracket 8:9 1"}},
		{"its brackets are", `"knows": [{`, `"knows"`,
			[]string{`<http://e/a> <http://v/knows> <http://e/b> .`, `<http://e/b> <http://v/name> "B" .`,
				`<http://e/a> <http://v/knows> <http://e/c> .`, `<http://e/c> <http://v/name> "C" .`},
			[]string{"drop syntax/json 8:7 1", "drop syntax/json-bracket 9:9 1"}},
		{"nested too deeply", `"height": 1.5`, `"height": ` + strings.Repeat("[", 600) + strings.Repeat("]", 600),
			[]string{`<http://e/a> <http://v/name> "A" .`,
				`<http://e/a> <http://v/height> "1.5E0"^^<http://www.w3.org/2001/XMLSchema#double> .`,
				`<http://e/a> <http://v/knows> <http://e/b> .`, `<http://e/b> <http://v/name> "B" .`,
				`<http://e/a> <http://v/knows> <http://e/c> .`, `<http://e/c> <http://v/name> "C" .`,
				`<http://e/a> <http://v/tall> "true"^^<http://www.w3.org/2001/XMLSchema#boolean> .`},
			[]string{"drop limit/nesting 7:514 1"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if !strings.Contains(clean, row.old) {
				t.Fatal("nothing to replace")
			}
			want := read(t, clean, jsonld.Options{}).Lines()
			got := read(t, strings.Replace(clean, row.old, row.new, 1), jsonld.Options{})
			for _, line := range row.lost {
				i := slices.Index(want, line)
				if i < 0 {
					t.Fatalf("%s is not in %s", line, want)
				}
				want = slices.Delete(want, i, i+1)
			}
			if lines := got.Lines(); !slices.Equal(lines, want) {
				t.Errorf("quads\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
			}
			if notices := shown(got.Notices); !slices.Equal(notices, row.notices) {
				t.Errorf("notices\n%s\nwant\n%s", strings.Join(notices, "\n"), strings.Join(row.notices, "\n"))
			}
		})
	}
}

// TestWhatFollowsATornGraphNamesNoGraph cuts the beginning of the last node of a graph away. What is
// left of it is no member of the object around the graph, which would give the graph a name.
func TestWhatFollowsATornGraphNamesNoGraph(t *testing.T) {
	var text strings.Builder
	text.WriteString("{\"@context\": {\"e\": \"http://e/\"},\n\"@graph\": [\n")
	for _, n := range []string{"a", "b", "c", "d", "f"} {
		text.WriteString("    {\n      \"@id\": \"e:" + n +
			"\",\n      \"e:by\": {\n        \"e:p\": {\n          \"e:q\": 1\n        },\n        \"e:url\": {\n          \"@id\": \"e:u\"\n        }\n      },\n      \"e:last\": \"" +
			n + "\"\n    },\n")
	}
	text.WriteString(
		"  \"@id\": \"e:u\"\n        }\n      },\n      \"e:last\": \"g\",\n      \"e:by\": {\n        \"@id\": \"e:v\"\n      }\n    }\n]}\n")
	got := read(t, text.String(), jsonld.Options{})
	if len(got.Quads) != 25 {
		t.Errorf("%d statements, not 25", len(got.Quads))
	}
	for _, q := range got.Quads {
		if q.Graph.Kind != 0 {
			t.Fatalf("%v stands in a graph", got.Lines()[0])
		}
	}
}
