package jsonld_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/jsonld"
	"laundromat/rdf/rdftest"
)

func read(t testing.TB, text string, opt jsonld.Options) *rdftest.Collector {
	t.Helper()
	var got rdftest.Collector
	if err := jsonld.Read(context.Background(), strings.NewReader(text), rdf.Input{Base: "http://b/"}, opt, &got); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return &got
}

// shown renders notices as "severity code line:column lost".
func shown(notices []fault.Notice) (all []string) {
	for _, n := range notices {
		all = append(all, fmt.Sprintf("%s %s %d:%d %d", n.Severity, n.Code, n.Line, n.Column, n.Lost))
	}
	return all
}

const (
	good = `{"@id":"a","http://p":1}`
	line = `<http://b/a> <http://p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .`
)

// Each row: a fault, what is kept, and the notices with their places. A quad that a
// repair touched is marked with "R ".
func TestFaultsCostOnlyThemselves(t *testing.T) {
	rows := []struct {
		name, text string
		quads      []string
		notices    []string
	}{
		{"a line of a file of lines", good + "\n{\"@id\":\"x\",,}\n" + good,
			[]string{line, line}, []string{"repair syntax/json-comma 2:12 0", "repair syntax/json-comma 2:13 0",
				"warning syntax/json-free-value 2:1 0"}},
		{"a line whose brace is not closed", good + "\n{\"@id\":\"x\"\n" + good,
			[]string{line, line}, []string{"drop syntax/json-cut-short 2:11 1"}},
		{"a line whose string is not closed", "{\"@id\":\"x\n" + good,
			[]string{line}, []string{"drop syntax/json 1:8 1"}},
		{"an item of an array", "[" + good + ",\n {\"a\": [1 2], \"b\": {}},\n" + good + "]",
			[]string{line, line}, []string{"repair syntax/json-comma 2:11 0",
				"warning syntax/json-undefined-term 2:3 0", "warning syntax/json-undefined-term 2:15 0"}},
		{"an item of @graph", `{"@graph":[` + good + `,{"a":tru},` + good + `]}`,
			[]string{line, line}, []string{"drop syntax/json 1:42 1"}},
		{"an array without its end", "[" + good + ",",
			[]string{line}, []string{"drop syntax/json-cut-short 1:27 1"}},
		{"a graph without its end", `{"@graph":[` + good + `,{"@id":"x","http://p":`,
			[]string{line}, []string{"drop syntax/json-cut-short 1:59 1"}},
		{"a document without its end", `{"@id":"a","http://p":`,
			nil, []string{"drop syntax/json-cut-short 1:23 1"}},
		{"a comma before the brace", `{"@id":"a","http://p":1,}`,
			[]string{"R " + line}, []string{"repair syntax/json-comma 1:25 0"}},
		{"a comma before the bracket", `{"@id":"a","http://p":[1,]}`,
			[]string{"R " + line}, []string{"repair syntax/json-comma 1:26 0"}},
		{"no comma between items", "[" + good + "\n" + good + "]",
			[]string{line, "R " + line}, []string{"repair syntax/json-comma 2:1 0"}},
		{"a member whose string is not closed", "{\"@id\":\"a\",\n \"http://q\":\"x,\n \"http://p\":1}",
			[]string{line}, []string{"drop syntax/json 2:13 1"}},
		{"a member whose string is not opened", "{\"@id\":\"a\",\n \"http://q\":x y\",\n \"http://p\":1}",
			[]string{line}, []string{"drop syntax/json 2:13 1"}},
		{"a garbage line between members", "{\"@id\":\"a\",\n=== (x) ===\n \"http://p\":1}",
			[]string{line}, []string{"drop syntax/json 2:1 1"}},
		{"no colon", `{"@id":"a","http://q" 5,"http://p":1}`,
			[]string{"R " + strings.NewReplacer("http://p", "http://q", `"1"`, `"5"`).Replace(line), line},
			[]string{"repair syntax/json-colon 1:23 0"}},
		{"no value", `{"@id":"a","http://q":,"http://p":1}`,
			[]string{line}, []string{"drop syntax/json 1:23 1"}},
		{"no comma between members", `{"@id":"a" "http://p":1}`,
			[]string{"R " + line}, []string{"repair syntax/json-comma 1:12 0"}},
		{"two commas", `{"@id":"a",,"http://p":1}`,
			[]string{"R " + line}, []string{"repair syntax/json-comma 1:12 0"}},
		{"a bracket that is not closed", "{\"@id\":\"a\",\n \"http://p\":[1,\n \"http://q\":2}",
			[]string{"R " + line, strings.NewReplacer("http://p", "http://q", `"1"`, `"2"`).Replace(line)},
			[]string{"repair syntax/json-bracket 2:15 0"}},
		{"an inner brace that is not closed", `{"@graph":[{"@id":"a","http://p":1,"http://q":{"@id":"b"},{"@id":"a","http://p":1}]}`,
			[]string{"R " + line, "R <http://b/a> <http://q> <http://b/b> .", line}, []string{"repair syntax/json-bracket 1:58 0"}},
		{"a brace that is not opened", `{"@graph":[{"@id":"a","http://q":"@id":"b"},"http://p":1},` + good + `]}`,
			[]string{line, line}, []string{"drop syntax/json-bracket 1:34 1"}},
		{"a brace too many", `{"@graph":[` + good + `},` + good + `]}`,
			[]string{"R " + line, line}, []string{"repair syntax/json-bracket 1:36 0"}},
		{"a broken @id costs the node and not those in it", "{\"@id\":\"x,\n \"http://q\":" + good + "}",
			[]string{line}, []string{"drop syntax/json 1:8 1"}},
		{"a broken keyword costs the value", `{"@id":"a","http://q":{"@value":"x","@type":y},"http://p":1}`,
			[]string{line}, []string{"drop syntax/json 1:45 1"}},
		{"a line end in a string", "{\"@id\":\"a\",\"http://p\":\"x\ny\"}",
			[]string{`R <http://b/a> <http://p> "x\ny" .`}, []string{"repair syntax/json-control-character 1:23 0"}},
		{"an escaped apostrophe", `{"@id":"a","http://p":"it\'s"}`,
			[]string{`R <http://b/a> <http://p> "it's" .`}, []string{"repair syntax/json-escape 1:23 0"}},
		{"NaN", `{"@id":"a","http://p":[NaN,-Infinity]}`,
			[]string{`R <http://b/a> <http://p> "NaN"^^<http://www.w3.org/2001/XMLSchema#double> .`,
				`R <http://b/a> <http://p> "-INF"^^<http://www.w3.org/2001/XMLSchema#double> .`},
			[]string{"repair syntax/json-number 1:24 0", "repair syntax/json-number 1:28 0"}},
		{"a name twice", `{"@id":"a","http://p":0,"http://p":1}`,
			[]string{line}, []string{"drop syntax/json-duplicate-name 1:12 1"}},
		{"a name twice with one value", `{"@id":"a","http://p":1,"http://p":1}`,
			[]string{line}, []string{"warning syntax/json-duplicate-name 1:25 0"}},
		{"a context not at hand", "[" + good + `,{"@context":"http://nowhere/","@id":"a","p":1}]`,
			[]string{line}, []string{"repair syntax/json-context-not-available 1:39 0", "drop syntax/json-context-not-available 1:67 1",
				"warning syntax/json-context-missing 1:39 0"}},
		{"a faulty context of an inner node", `{"@id":"a","http://p":[1,{"@context":{"@vocab":5},"q":1}]}`,
			[]string{line, `<http://b/a> <http://p> _:0-1 .`}, []string{"drop syntax/json-context 1:48 0",
				"drop syntax/json-context 1:51 1"}},
		{"a value of @id that is a number", `{"@id":"a","http://p":[{"@id":5},1]}`,
			[]string{line}, []string{"drop syntax/json-keyword 1:31 0", "drop syntax/json-keyword 1:12 1"}},
		{"a type that is a number", `{"@id":"a","@type":[5],"http://p":1}`,
			[]string{line}, []string{"drop syntax/json-keyword 1:21 1"}},
		{"a member of a list", `{"@id":"a","http://p":{"@list":[{"@value":{}},"x"]}}`,
			[]string{`<http://b/a> <http://p> _:0-1 .`,
				`_:0-1 <` + rdf.Rest + `> _:0-2 .`,
				`_:0-2 <` + rdf.First + `> "x" .`,
				`_:0-2 <` + rdf.Rest + `> <` + rdf.Nil + `> .`},
			[]string{"drop syntax/json-keyword 1:43 1"}},
		{"a term without a meaning", `{"@id":"a","name":"x","http://p":1}`,
			[]string{line}, []string{"warning syntax/json-undefined-term 1:12 0"}},
		{"a value of no node", `["x",` + good + `]`,
			[]string{line}, []string{"warning syntax/json-free-value 1:2 0"}},
		{"a base direction", `{"@id":"a","http://p":{"@value":"x","@direction":"ltr"}}`,
			[]string{`<http://b/a> <http://p> "x" .`}, []string{"warning language/json-direction 1:33 0"}},
		{"more digits than a double holds", `{"@id":"a","http://p":0.12345678901234567890}`,
			[]string{`<http://b/a> <http://p> "1.2345678901234568E-1"^^<http://www.w3.org/2001/XMLSchema#double> .`},
			[]string{"warning literal/json-precision 1:23 0"}},
		{"half of a surrogate pair is left to package clean", `{"@id":"a","http://p":"\ud800"}`,
			[]string{"<http://b/a> <http://p> \"\xed\xa0\x80\" ."}, nil},
		{"bytes that are not UTF-8 are left to package clean", "{\"@id\":\"a\",\"http://p\":\"caf\xe9\"}",
			[]string{"<http://b/a> <http://p> \"caf\xe9\" ."}, nil},
		{"a semicolon for a comma", `{"@id":"a","http://p":"1";"http://q":"2","http://r":"3"}`,
			[]string{`<http://b/a> <http://p> "1" .`, `R <http://b/a> <http://q> "2" .`, `<http://b/a> <http://r> "3" .`},
			[]string{"repair syntax/json-comma 1:26 0"}},
		{"a semicolon before the brace", `[{"@id":"a","http://p":"1";},` + good + "]",
			[]string{`R <http://b/a> <http://p> "1" .`, line}, []string{"repair syntax/json-comma 1:27 0",
				"repair syntax/json-comma 1:28 0"}},
		{"a semicolon between items", "[" + good + ";" + good + "]",
			[]string{line, "R " + line}, []string{"repair syntax/json-comma 1:26 0"}},
		{"a name that is missing", `{"@id":"a",:"1","http://p":1}`,
			[]string{line}, []string{"drop syntax/json 1:12 1"}},
		{"a name that is missing, maybe @id", `[{:"http://x/","http://p":1},` + good + "]",
			[]string{line}, []string{"drop syntax/json 1:3 1"}},
		{"a round bracket for a brace", `{"@id":"a","http://q":{"@value":"1"),"http://p":1}`,
			[]string{`R <http://b/a> <http://q> "1" .`, line}, []string{"repair syntax/json-bracket 1:36 0"}},
		{"a decimal comma", `{"@graph":[{"@id":"a","http://q":3,50,"http://p":1}]}`,
			[]string{line}, []string{"drop syntax/json-number 1:34 1"}},
		{"three quotation marks", `{"@id":"a","http://q":"""long""","http://p":1}`,
			[]string{line}, []string{"drop syntax/json 1:23 1"}},
		{"a brace that is missing within a line",
			"{\"@id\":\"x\",\"http://q\":{\"@id\":\"y\",\"http://r\":{\"@value\":\"1\"},\"http://s\":\"2\"}\n" + good,
			[]string{"R <http://b/x> <http://q> <http://b/y> .", line}, []string{"drop syntax/json-cut-short 1:75 1",
				"repair syntax/json-bracket 1:75 0"}},
		{"an array that ends by its bracket behind a broken item", "{\"@id\":\"a\",\"http://q\":[{\"@list\":[\"a\x00b\"]}]",
			[]string{"<http://b/a> <http://q> _:0-1 .", "_:0-1 <" + rdf.Rest + "> <" + rdf.Nil + "> ."},
			[]string{"drop syntax/json 1:34 1", "drop syntax/json-cut-short 1:42 1"}},
		{"nested too deeply", "[" + strings.Repeat(`{"http://p":`, 600) + "1" + strings.Repeat("}", 600) + "," + good + "]",
			[]string{line}, []string{"drop limit/nesting 1:5990 1"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got := read(t, row.text, jsonld.Options{})
			lines := got.Lines()
			for i := range lines {
				if got.Quads[i].Repaired {
					lines[i] = "R " + lines[i]
				}
			}
			if !slices.Equal(lines, row.quads) {
				t.Errorf("quads\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(row.quads, "\n"))
			}
			if notices := shown(got.Notices); !slices.Equal(notices, row.notices) {
				t.Errorf("notices\n%s\nwant\n%s", strings.Join(notices, "\n"), strings.Join(row.notices, "\n"))
			}
			for _, n := range got.Notices {
				if info, ok := fault.Explain(n.Code); !ok || n.Message == "" || n.Excerpt == "" && n.Code != fault.JSONCutShort {
					t.Errorf("notice %+v: %+v", n, info)
				}
			}
		})
	}
}

func TestLabelsStayAndNodesAreNumberedInDocumentOrder(t *testing.T) {
	got := read(t, `[{"@id":"_:b1","http://p":{"http://q":{"@id":"_:b0"}}},{"http://p":[{},{"http://q":"x"}]}]`, jsonld.Options{})
	want := []string{
		`_:b1 <http://p> _:0-1 .`, `_:0-1 <http://q> _:b0 .`,
		`_:0-2 <http://p> _:0-3 .`, `_:0-2 <http://p> _:0-4 .`, `_:0-4 <http://q> "x" .`,
	}
	if !slices.Equal(got.Lines(), want) {
		t.Errorf("got\n%s", strings.Join(got.Lines(), "\n"))
	}
}

func TestNumbersKeepTheirDigits(t *testing.T) {
	const integer, double, decimal = rdf.XSD + "integer", rdf.XSD + "double", rdf.XSD + "decimal"
	for _, row := range []struct{ in, value, datatype string }{
		{"9007199254740993", "9007199254740993", integer},
		{"-0", "0", integer},
		{"1.0", "1", integer},
		{"1e3", "1000", integer},
		{"123456789012345678901", "123456789012345678901", integer},
		{"1e21", "1.0E21", double},
		{"5.3", "5.3E0", double},
		{"0.30000000000000004", "3.0000000000000004E-1", double},
		{"1e-7", "1.0E-7", double},
		{"1e999", "1e999", double},
		{`{"@value":5,"@type":"` + double + `"}`, "5.0E0", double},
		{`{"@value":5.25,"@type":"` + decimal + `"}`, "5.25", decimal},
	} {
		got := read(t, `{"http://p":`+row.in+`}`, jsonld.Options{})
		if len(got.Quads) != 1 || string(got.Quads[0].Object.Value) != row.value || string(got.Quads[0].Object.Datatype) != row.datatype {
			t.Errorf("%s: %v", row.in, got.Lines())
		}
	}
}

func TestContextsThatNeverEndAreCutOff(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file("self", `{"@context":"http://c/self"}`)
	file("ping", `{"@context":["http://c/pong"]}`)
	file("pong", `{"@context":[{},"http://c/ping"]}`)
	file("import", `{"@context":{"@import":"http://c/import"}}`)
	file("scoped", `{"@context":{"@vocab":"http://v/","a":{"@context":"http://c/scoped"}}}`)
	file("scoped2", `{"@context":{"@vocab":"http://v/","a":{"@context":["http://c/scoped2","http://c/scoped2"]},"b":{"@context":["http://c/scoped2","http://c/scoped2"]}}}`)
	for i := range 40 {
		file(fmt.Sprint("chain", i), fmt.Sprintf(`{"@context":"http://c/chain%d"}`, i+1))
	}
	var terms strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&terms, `"t%d":"http://t/%d",`, i, i)
	}
	file("many", `{"@context":{`+terms.String()+`"z":"http://z/"}}`)
	opt := jsonld.Options{Contexts: map[string]string{"http://c/": dir}}
	for _, row := range []struct {
		context string
		code    fault.Code
	}{
		{`"http://c/self"`, fault.JSONContext},
		{`"http://c/ping"`, fault.JSONContext},
		{`"http://c/import"`, fault.JSONContext},
		{`"http://c/chain0"`, fault.LimitContexts},
		{`[` + strings.Repeat(`"http://c/many",`, 200) + `{"x":{"@id":"http://x","@context":[` + strings.Repeat(`"http://c/many",`, 200) +
			`null]}}]`, fault.LimitContexts},
		{`"http://c/../../etc/passwd"`, fault.JSONContextNotAvailable},
		{`{"a":"b:c","b":"a:c"}`, fault.JSONContext},
	} {
		got := read(t, `[{"@context":`+row.context+`,"@id":"x","a":{"a":"y"}},`+good+`]`, opt)
		if len(got.Quads) != 1 || len(got.Notices) == 0 || got.Notices[0].Code != row.code {
			t.Errorf("%s: %v %v", row.context[:min(40, len(row.context))], got.Lines(), got.Notices)
		}
	}
	for _, name := range []string{"scoped", "scoped2"} {
		got := read(t, `{"@context":"http://c/`+name+`","@id":"x","a":{"a":{"a":{"b":"y"}}}}`, opt)
		if len(got.Quads) != 4 || len(got.Notices) != 0 {
			t.Errorf("%s: %v %v", name, got.Lines(), got.Notices)
		}
	}
}

func TestWellKnownContextsAreBuiltIn(t *testing.T) {
	for _, name := range []string{"https://schema.org", "http://schema.org/", "https://schema.org/docs/jsonldcontext.jsonld",
		"HTTP://Schema.ORG#"} {
		got := read(t, `{"@context":"`+name+`","@type":"Person","@id":"x","url":"y","birthDate":"1990-01-02","name":"N",
			"additionalType":"http://t","startTime":"2020-01-01","target":"z","HTML":"h","gs1:gtin":"5"}`, jsonld.Options{})
		want := []string{`<http://b/x> <` + rdf.Type + `> <http://schema.org/Person> .`,
			`<http://b/x> <http://schema.org/url> <http://b/y> .`,
			`<http://b/x> <http://schema.org/birthDate> "1990-01-02"^^<http://schema.org/Date> .`,
			`<http://b/x> <http://schema.org/name> "N" .`,
			`<http://b/x> <http://schema.org/additionalType> "http://t" .`,
			`<http://b/x> <http://schema.org/startTime> "2020-01-01" .`,
			`<http://b/x> <http://schema.org/target> <http://b/z> .`,
			`<http://b/x> <` + rdf.RDF + `HTML> "h" .`,
			`<http://b/x> <https://ref.gs1.org/voc/gtin> "5" .`}
		if !slices.Equal(got.Lines(), want) || len(got.Notices) != 0 {
			t.Errorf("%s: %v %v", name, got.Lines(), got.Notices)
		}
	}
	got := read(t, `{"@context":"https://geojson.org/geojson-ld/geojson-context.jsonld","type":"Point","coordinates":[1.5,2]}`,
		jsonld.Options{})
	if len(got.Quads) != 6 || len(got.Notices) != 0 {
		t.Errorf("geojson: %v %v", got.Lines(), got.Notices)
	}
}

func TestAContextOutsideItsFolderIsNotRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "out"), []byte(`{"@context":{"@vocab":"http://v/"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"http://c/../out", "http://c/x/../../out", "http://c//out", filepath.Join(dir, "out"), "file://" +
		filepath.Join(dir, "out")} {
		got := read(t, `{"@context":"`+filepath.ToSlash(name)+`","p":1}`,
			jsonld.Options{Contexts: map[string]string{"http://c/": filepath.Join(dir, "in")}})
		if len(got.Quads) != 0 || len(got.Notices) != 3 || got.Notices[0].Code != fault.JSONContextNotAvailable {
			t.Errorf("%s: %v %v", name, got.Lines(), got.Notices)
		}
	}
}

func TestFullDiskIsNotTheDocumentsFault(t *testing.T) {
	err := jsonld.Read(context.Background(), strings.NewReader(good), rdf.Input{}, jsonld.Options{}, full{})
	var sink *rdf.SinkError
	if !errors.As(err, &sink) || rdf.Blame(err) != fault.Local {
		t.Errorf("%v, blamed on %v", err, rdf.Blame(err))
	}
}

type full struct{}

func (full) Quad(*rdf.Quad) error { return syscall.ENOSPC }
func (full) Notice(fault.Notice)  {}

func TestErrorsOfTheSourceKeepTheirKind(t *testing.T) {
	broken := io.MultiReader(strings.NewReader(good+"\n"), iotest.ErrReader(fault.New("x", fault.Remote, "transport/reset", "reset")))
	var got rdftest.Collector
	err := jsonld.Read(context.Background(), broken, rdf.Input{Base: "http://b/"}, jsonld.Options{}, &got)
	if rdf.Blame(err) != fault.Remote || len(got.Quads) != 1 || len(got.Notices) != 0 {
		t.Errorf("%v, %v, %v", err, got.Lines(), got.Notices)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := jsonld.Read(ctx, strings.NewReader(good), rdf.Input{}, jsonld.Options{}, &got); rdf.Blame(err) != fault.Stopped {
		t.Errorf("cancelled: %v", err)
	}
}

func TestOnlyALongItemReachesTheLimit(t *testing.T) {
	opt := jsonld.Options{MaxBytes: 100 << 10}
	many := "[" + strings.Repeat(good+",\n", 20_000) + good + "]"
	if got := read(t, many, opt); len(got.Quads) != 20_001 || len(got.Notices) != 0 {
		t.Errorf("%d quads, %v", len(got.Quads), got.Notices)
	}
	long := `{"@id":"a","http://p":"` + strings.Repeat("x", 300<<10) + `"}`
	for _, text := range []string{
		good + "\n" + long + "\n" + good,
		"[" + good + "," + long + "," + good + "]",
		`{"@graph":[` + good + "," + long + "," + good + "]}",
	} {
		if got := read(t, text, opt); len(got.Quads) != 2 || len(got.Notices) != 1 || got.Notices[0].Code != fault.LimitJSONValue ||
			got.Notices[0].Bytes < 300<<10 {
			t.Errorf("%.60s: %d quads, %v", text, len(got.Quads), got.Notices)
		}
	}
	var got rdftest.Collector
	err := jsonld.Read(context.Background(), strings.NewReader(long), rdf.Input{}, opt, &got)
	if fault.CodeOf(err) != fault.LimitMemory || fault.KindOf(err) != fault.Limit || !strings.Contains(err.Error(), "102400") {
		t.Errorf("%v", err)
	}
}

// A document read a byte at a time gives what the whole gives.
func TestPiecesAreTheWhole(t *testing.T) {
	for _, text := range seeds {
		var whole, pieces rdftest.Collector
		in := rdf.Input{Base: "http://b/"}
		err1 := jsonld.Read(context.Background(), strings.NewReader(text), in, jsonld.Options{}, &whole)
		err2 := jsonld.Read(context.Background(), iotest.OneByteReader(strings.NewReader(text)), in, jsonld.Options{}, &pieces)
		if (err1 == nil) != (err2 == nil) || !slices.Equal(whole.Lines(), pieces.Lines()) ||
			!slices.Equal(shown(whole.Notices), shown(pieces.Notices)) {
			t.Errorf("%q:\n%v %v\n%v %v", text, whole.Lines(), shown(whole.Notices), pieces.Lines(), shown(pieces.Notices))
		}
	}
}

var seeds = []string{
	good, "[" + good + "," + good + "]", good + "\n" + good + "\r\n" + good,
	`{"@context":{"@vocab":"http://v/","a":{"@id":"b","@type":"@id","@container":"@list"},"t":{"@reverse":"r"}},"a":["x",["y"]],"t":{"@id":"_:z"}}`,
	`{"@context":[null,{"l":{"@id":"http://l","@container":"@language"},"i":{"@id":"http://i","@container":["@graph","@id"]},"n":"@nest"}],"l":{"en":"x","de":["y"]},"i":{"http://k":{"l":{"@none":"z"}}},"n":{"l":"k"}}`,
	`{"@context":{"@version":1.1,"@vocab":"http://v/","T":{"@context":{"p":{"@type":"@json"}}},"x":{"@container":"@index","@index":"y"},"k":{"@container":"@type"}},"@type":"T","p":{"b":[1.50,null],"a":"é"},"x":{"1":{"q":2}},"k":{"T":{"p":3}}}`,
	`{"@graph":[{"@id":"a","http://p":tru},{"@included":[{"@id":"b","http://p":{"@list":[[],[1]]}}]}],"@reverse":{"http://q":"x"}}`,
	"{\"a\":\"\xff\n\\ud83d\\ude00\\ud83d\", \"b\": -1.5e-3, \"c\": [1,], 'd'",
	"[{\"@id\":\"x\n\", \"p\": [[[", "\x00", `{"":{"":[]}}`, `{"@context":{"a":null},"a:b":1,"@foo":2}`,
}

func FuzzRead(f *testing.F) {
	for _, text := range seeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var first, second, pieces rdftest.Collector
		in, opt := rdf.Input{Base: "http://b/"}, jsonld.Options{MaxBytes: 1 << 20, MaxDepth: 100}
		err := jsonld.Read(context.Background(), strings.NewReader(text), in, opt, &first)
		if err != nil {
			t.Fatal(err)
		}
		if err := jsonld.Read(context.Background(), strings.NewReader(text), in, opt, &second); err != nil ||
			!slices.Equal(first.Lines(), second.Lines()) {
			t.Fatalf("a second reading differs: %v", err)
		}
		if err := jsonld.Read(context.Background(), iotest.HalfReader(strings.NewReader(text)), in, opt, &pieces); err != nil ||
			!slices.Equal(first.Lines(), pieces.Lines()) || !slices.Equal(shown(first.Notices), shown(pieces.Notices)) {
			t.Fatalf("pieces differ: %v\n%v\n%v", err, shown(first.Notices), shown(pieces.Notices))
		}
		for _, n := range first.Notices {
			if n.Offset < 0 || n.Offset > int64(len(text)) || n.Bytes < 0 || n.Bytes > int64(len(text)) || n.Line < 1 || n.Column < 1 {
				t.Fatalf("a notice outside of the text: %+v", n)
			}
		}
	})
}

type count struct{ quads int }

func (c *count) Quad(*rdf.Quad) error { c.quads++; return nil }
func (c *count) Notice(fault.Notice)  {}

func library(items int) string {
	var b strings.Builder
	b.WriteString(`{"@context":{"@vocab":"http://v/","id":"@id","made":{"@type":"http://www.w3.org/2001/XMLSchema#date"},"by":{"@type":"@id"}},"@graph":[`)
	for i := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":"http://e/%d","@type":"Thing","name":"Thing number %d","made":"2020-01-02","by":"http://e/%d","size":%d,"tags":["a","b"]}`,
			i, i, i/2, i)
	}
	b.WriteString("]}")
	return b.String()
}

func BenchmarkRead(b *testing.B) {
	text := library(20_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := jsonld.Read(context.Background(), strings.NewReader(text), rdf.Input{}, jsonld.Options{}, &count{}); err != nil {
			b.Fatal(err)
		}
	}
}

// The memory that a document takes while it is read, in bytes a byte of text.
func BenchmarkMemory(b *testing.B) {
	text := library(20_000)
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		sink := &peak{}
		if err := jsonld.Read(context.Background(), strings.NewReader(text), rdf.Input{}, jsonld.Options{}, sink); err != nil {
			b.Fatal(err)
		}
		after.HeapAlloc = sink.live
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(len(text)), "live-bytes/byte")
	}
}

// peak measures the live heap at the first statement, when all has been expanded.
type peak struct{ live uint64 }

func (p *peak) Quad(*rdf.Quad) error {
	if p.live == 0 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		p.live = m.HeapAlloc
	}
	return nil
}
func (p *peak) Notice(fault.Notice) {}
