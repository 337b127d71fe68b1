package jsonld_test

import (
	"strings"
	"testing"

	"laundromat/rdf/jsonld"
)

// TestALineThatIsNoObjectIsLostWhole breaks a line of newline-delimited JSON-LD in which each line has
// a context of its own. What is left of it has none, and nothing that it says can be known.
func TestALineThatIsNoObjectIsLostWhole(t *testing.T) {
	line := func(n string) string {
		return `{"@context": {"ex": "http://e/", "ey": "http://y/"}, "@id": "ex:` + n +
			`", "ex:by": {"ey:name": "N", "ey:of": {"@id": "ex:o"}}, "ex:list": {"@list": ["x", {"@id": "ex:p"}]}, "ey:last": "` + n + `"}`
	}
	const whole = 9
	for _, row := range []struct{ name, from, to string }{
		{"the first half is gone", line("b")[:80], ""},
		{"up to within an array", line("b")[:strings.Index(line("b"), `["x"`)], ""},
		{"up to within a string", line("b")[:strings.Index(line("b"), `N"`)], ""},
		{"it is something else", line("b"), `<html><body>502 Bad Gateway</body></html>`},
		{"its context has lost a bracket", `"http://y/"}`, `"http://y/"`},
		{"a quotation mark in its context stands elsewhere", `"ey": "http`, `"ey": http"`},
	} {
		for first := range 3 {
			lines := []string{line("a"), line("c"), line("d")}
			lines[first] = strings.Replace(line("b"), row.from, row.to, 1)
			text := strings.Join(lines, "\n") + "\n"
			got := read(t, text, jsonld.Options{}).Lines()
			if len(got) != 2*whole {
				t.Errorf("%s in line %d: %d statements, not the %d of the other two lines", row.name, first+1, len(got), 2*whole)
			}
			for _, s := range got {
				if strings.Contains(s, `<ex:`) || strings.Contains(s, `<ey:`) || strings.Contains(s, `"b"`) {
					t.Errorf("%s in line %d: nobody wrote %s", row.name, first+1, s)
				}
			}
		}
	}
}

// TestOneByteElsewhereCostsItsValue puts one mark where another was, and looks at what is lost of
// nodes on one line.
func TestOneByteElsewhereCostsItsValue(t *testing.T) {
	const before, behind = `{"@graph":[{"@id":"http://e/a","http://p":[{"@id":"http://e/1"},{"@id":"http://e/2"}]},`,
		`{"@id":"http://e/c","http://p":[{"@id":"http://e/3"}]},{"@id":"http://e/d","http://p":"d"}]}`
	for _, row := range []struct{ name, item, want string }{
		{"a colon for a quotation mark", `{"@id":"http://e/b","http://p":[{"@id"::http://e/4"},{"@id":"http://e/5"}],"http://q":"x"},`,
			`<http://e/b> <http://p> <http://e/5> .|<http://e/b> <http://q> "x" .`},
		{"a comma on the wrong side of a brace",
			`{"@id":"http://e/b","http://p":{"@value":"v","@language":"en",}"http://q":[{"@id":"http://e/5"}],"http://r":"x"},`,
			`<http://e/b> <http://p> "v"@en .|<http://e/b> <http://q> <http://e/5> .|<http://e/b> <http://r> "x" .`},
		{"a name in other quotation marks", `{"@id":"http://e/b","http://p":{“@id”:"http://e/4"},"http://q":"x"},`,
			`<http://e/b> <http://q> "x" .`},
	} {
		want := strings.Split(`<http://e/a> <http://p> <http://e/1> .|<http://e/a> <http://p> <http://e/2> .|`+row.want+
			`|<http://e/c> <http://p> <http://e/3> .|<http://e/d> <http://p> "d" .`, "|")
		if got := read(t, before+row.item+behind, jsonld.Options{}).Lines(); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", row.name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
