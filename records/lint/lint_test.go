package lint_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/records/lint"
	"laundromat/records/spec"
)

// folder writes files, by name and text in turn, and gives the name of the first.
func folder(t *testing.T, files ...string) string {
	t.Helper()
	root := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(root, files[i])
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(files[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(root, files[0])
}

func TestBareWordsAreTold(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"select: {a: {const: 007}}",
			`spec.yaml:1:21: note: record/bare-word: the bare word 007 is the number 7 here; for a text write it in quotation marks: "007"`},
		{"select: {a: {const: 1.10}}", `1:21: note: record/bare-word: the bare word 1.10 is the number 1.10`},
		{"select: {a: {const: True}}", `the bare word true is the boolean true here`},
		{"select: {a: {const: 0x1F}}", `the bare word 0x1F is the number 31`},
		{"select: {a: {const: {b: [x, 5]}}}", `1:29: note: record/bare-word: the bare word 5`},
		{"select: {a: {or: [b, false]}}", `1:22: note: record/bare-word: the bare word false`},
		{"select: {a: {or: [{const: 1e3}, 0]}}", `the bare word 1e3`},
		{"map: {a: {default: 12}}", `1:20: note: record/bare-word: the bare word 12`},
		{"map: [{a: {}}, {a: {default: true}}]", `the bare word true`},
		{"schema: {fields: [{name: a, type: string, constraints: {enum: [01, b]}}]}", `the bare word 01`},
		{"schema: {fields: [{name: a, type: string, onError: default, default: \"5\", categories: [{value: \"5\"}], example: 7}]}",
			`the bare word 7`},
		{"schema: {type: object, properties: {a: {enum: [1]}}}", `the bare word 1 is the number 1`},
		{"select: {a: {const: yes}}", ``},
		{"select: {a: {const: off}}", ``},
		{"select: {a: {const: \"007\"}}", ``},
		{"{\"select\": {\"a\": {\"const\": 7}}}", ``},
		{"select: {a: {or: [b, null]}}", ``},
		{"source: {skip: 2, header: true, labels: [1, 2]}", ``},
		{"version: 1.10\nselect: {a: b}", ``},
		{"pages: {next: a, depth: 2}\nselect: {a: b}", ``},
		{"map: {a: {date: {pattern: \"%y\", pivot: 30}}}", ``},
	} {
		file := folder(t, "spec.yaml", c.spec, "fixtures/a.html", "<p>x", "fixtures/a.expected.json", "{}")
		report, err := lint.Spec(context.Background(), file, lint.Options{Inputs: nil})
		if err != nil {
			t.Errorf("%s: %v", c.spec, err)
			continue
		}
		var told []string
		for _, line := range strings.Split(findings(report), "\n") {
			if strings.Contains(line, "record/bare-word") {
				told = append(told, line)
			}
		}
		got := strings.Join(told, "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) || c.want != "" &&
			c.spec != "select: {a: {or: [{const: 1e3}, 0]}}" && len(told) != 1 {
			t.Errorf("%s: %q, want %q", c.spec, got, c.want)
		}
	}
}

func TestWrongSpecsAreRefusedWithTheirPlace(t *testing.T) {
	for _, c := range []struct{ spec, want, told string }{
		{"selects: {a: b}", `spec.yaml:1:1: unknown part "selects": did you mean "select"?`, ""},
		{"select: {a: 5}", "spec.yaml:1:13: a matcher is a text", "the bare word 5 is the number 5"},
		{"select: {a: true}", "spec.yaml:1:13: a matcher is a text", "the bare word true is the boolean true"},
		{"map: {a: {from: 1}}", "spec.yaml:1:17: a field's name is a text", "the bare word 1 is the number 1"},
		{"map: {a: {fro: b}}", `spec.yaml:1:11: unknown key of a rule "fro": did you mean "from"?`, ""},
		{"select: {a: 'li['}", "spec.yaml:1:13: a bracket is not closed", ""},
		{"select:\n  a: {regexp: [b, '(']}", "spec.yaml:2:19: the regular expression is wrong", ""},
		{"schema: {fields: [{name: 5}]}", "spec.yaml:1:26: the name of a field is a text", "the bare word 5 is the number 5"},
		{"schema: {fields: [{name: a, type: strng}]}", `did you mean "string"?`, ""},
		{"source: {format: cvs}", `spec.yaml:1:18: unknown format "cvs": did you mean "csv"?`, ""},
		{"pages: {nxt: a}\nselect: {a: b}", `spec.yaml:1:9: unknown key of pages "nxt": did you mean "next"?`, ""},
		{"reconcile: {}", "spec.yaml:1:12: reconcile needs an id", ""},
		{"map: none.yaml", "spec.yaml:1:6: there is no file", ""},
		{"", "the file is empty", ""},
		{"a: [", "did not find expected node content", ""},
	} {
		report, err := lint.Spec(context.Background(), folder(t, "spec.yaml", c.spec), lint.Options{})
		var wrong *spec.Error
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.spec, err, c.want)
		}
		if got := findings(report); c.told == "" && got != "" || !strings.Contains(got, c.told) {
			t.Errorf("%s: %q, want %q", c.spec, got, c.told)
		}
	}
}

const listSpec = `select: [li, {name: .n, kind: {or: [.k, ""]}}]` + "\n"
const listPage = "<ul>\n<li><b class=n>Ann</b> <i class=k>x</i></li>\n<li><b class=n>Bob</b></li>\n</ul>"

func TestFixturesAreComparedWithWhatIsExpected(t *testing.T) {
	for _, c := range []struct {
		name, expected string
		right          bool
		told           []string
	}{
		{"as they are", `[{"name":"Ann","kind":"x"},{"name":"Bob","kind":""}]`, true, nil},
		{"in another order of fields", `[{"kind":"x","name":"Ann"},{"kind":"","name":"Bob"}]`, true, nil},
		{"as a mapping", `{"url":"https://h.example/","records":[{"name":"Ann","kind":"x"},{"name":"Bob","kind":""}]}`, true, nil},
		{"another value", "[{\"name\":\"Ann\",\"kind\":\"x\"},\n {\"name\":\"Bea\",\"kind\":\"\"}]", false,
			[]string{`a.expected.json:2:2: warning: record/fixture: record 2: name: "Bea" is expected, and it is "Bob"`}},
		{"another kind", `[{"name":"Ann","kind":"x"},{"name":"Bob","kind":null}]`, false,
			[]string{`record 2: kind: null is expected, and it is ""`}},
		{"a field more", `[{"name":"Ann","kind":"x","age":5},{"name":"Bob","kind":""}]`, false,
			[]string{"record 1: age: 5 is expected, and it is not there"}},
		{"a field less", `[{"name":"Ann"},{"name":"Bob","kind":""}]`, false, []string{`record 1: kind is not expected, and it is "x"`}},
		{"a record more", `[{"name":"Ann","kind":"x"},{"name":"Bob","kind":""},{"name":"Cid","kind":""}]`, false,
			[]string{"it gives 2 records, and 3 are expected"}},
		{"none", `[]`, false, []string{"it gives 2 records, and 0 are expected"}},
		{"in another order", `[{"name":"Bob","kind":""},{"name":"Ann","kind":"x"}]`, false, []string{`record 1: name: "Bob" is expected`}},
	} {
		file := folder(t, "spec.yaml", listSpec, "fixtures/a.html", listPage, "fixtures/a.expected.json", c.expected)
		report, err := lint.Spec(context.Background(), file, lint.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if report.Fixtures != 1 || report.Expected != 1 || (report.Right == 1) != c.right || report.Failed() == c.right {
			t.Errorf("%s: %+v", c.name, report)
		}
		for _, want := range c.told {
			if !strings.Contains(findings(report), want) {
				t.Errorf("%s: %s, want %s", c.name, findings(report), want)
			}
		}
	}
}

func TestWrongExpectationsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`5`: "is wanted here", `{"record":[]}`: `unknown key of expected records "record": did you mean "records"?`,
		`[5]`:            "a mapping is wanted here",
		`{"records":{}}`: "a list is wanted here", `{"accessed":"yesterday"}`: "a time is written as", `{"url":5}`: "a text is wanted here",
		`[`: "",
	} {
		_, err := lint.Spec(context.Background(), folder(t, "spec.yaml", listSpec, "fixtures/a.html", listPage, "fixtures/a.expected.json",
			text), lint.Options{})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "a.expected.json:1:") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestWhereFixturesAre(t *testing.T) {
	for _, c := range []struct {
		name     string
		files    []string
		fixtures int
		expected int
	}{
		{"none", nil, 0, 0},
		{"in fixtures", []string{"fixtures/a.html", listPage, "fixtures/b.html", listPage}, 2, 0},
		{"in the folder of the spec's name", []string{"spec.fixtures/a.html", listPage, "fixtures/b.html", listPage}, 1, 0},
		{"hidden files and folders are none", []string{"fixtures/.a.html", listPage, "fixtures/x/b.html", listPage}, 0, 0},
		{"expected in YAML", []string{"fixtures/a.html", listPage, "fixtures/a.expected.yaml",
			"- {name: Ann, kind: x}\n- {name: Bob, kind: ''}\n"}, 1, 1},
		{"by the whole name", []string{"fixtures/a.html", listPage, "fixtures/a.html.expected.json",
			`[{"name":"Ann","kind":"x"},{"name":"Bob","kind":""}]`}, 1, 1},
	} {
		report, err := lint.Spec(context.Background(), folder(t, append([]string{"spec.yaml", listSpec}, c.files...)...), lint.Options{})
		if err != nil || report.Fixtures != c.fixtures || report.Expected != c.expected || report.Right != c.expected || report.Failed() {
			t.Errorf("%s: %+v %v", c.name, report, err)
		}
	}
}

// TestWrittenExpectationsHold: what --write keeps is what the next run expects, for a page,
// a table and a tree.
func TestWrittenExpectationsHold(t *testing.T) {
	for name, files := range map[string][]string{
		"page":  {"spec.yaml", listSpec + "map: {n: {from: name}}\n", "fixtures/a.html", listPage},
		"table": {"spec.yaml", "map: {n: {number: true}}\n", "fixtures/a.csv", "n,m\n\"1,5\",b\n2,c\n"},
		"rows":  {"spec.yaml", "select: {x: n}\n", "fixtures/a.csv", "n,m\n1,b\n2,c\n"},
		"tree":  {"spec.yaml", "select: {x: n}\n", "fixtures/a.json", `[{"n":1},{"n":[2]}]`},
		"xml":   {"spec.yaml", "select: [p, {x: n}]\n", "fixtures/a.xml", `<?xml version="1.0"?><r><p><n>1</n></p><p><n>2</n></p></r>`},
	} {
		file := folder(t, files...)
		first, err := lint.Spec(context.Background(), file, lint.Options{Write: true})
		if err != nil || first.Failed() || first.Right != 1 || first.Records != 2 {
			t.Errorf("%s: %+v %v", name, first, err)
		}
		second, err := lint.Spec(context.Background(), file, lint.Options{})
		if err != nil || second.Failed() || second.Right != 1 || len(second.Findings) > 0 {
			t.Errorf("%s: %s %v", name, findings(second), err)
		}
	}
}

// TestSelectorsAreNamedWithoutExpectedRecords: then only selectors that match nothing are.
func TestSelectorsAreNamedWithoutExpectedRecords(t *testing.T) {
	file := folder(t, "spec.yaml", "select: [li, {name: .name, kind: .k}]", "page.html", listPage)
	report, err := lint.Spec(context.Background(), file, lint.Options{Inputs: []string{filepath.Join(filepath.Dir(file), "page.html")}})
	if err != nil {
		t.Fatal(err)
	}
	got := findings(report)
	if !report.Failed() ||
		!strings.Contains(got,
			`spec.yaml:1:21: warning: record/selector-stale: name: the selector ".name" matches nothing in page.html; nearest: ".n" (2 matches)`) ||
		!strings.Contains(got, "it has no expected records; it gives 2 now") {
		t.Error(got)
	}
}

func TestFixturesInOtherEncodingsAreRefused(t *testing.T) {
	file := folder(t, "spec.yaml", listSpec, "fixtures/a.html", "<li><b class=n>Jos\xe9</b>")
	if _, err := lint.Spec(context.Background(), file, lint.Options{}); err == nil ||
		!strings.Contains(err.Error(), "a.html: a fixture is kept in UTF-8") {
		t.Error(err)
	}
}
