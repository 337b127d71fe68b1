package jsonld_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/jsonld"
)

// Where a node has two identifiers, lines show whether it is two that became one when brackets were
// lost. Nothing that is said of one is read of the other.
func TestLinesTellWhichOfTwoIdentifiersANodeHas(t *testing.T) {
	member := func(broken string) string {
		return `{
  "@context": {"@vocab": "http://p/"},
  "@graph": [
    {
      "@id": "http://e/0",
      "a": "x"
    },
    {
      "@id": "http://e/1",
` + broken + `
      "@id": "http://e/2",
      "d": "z"
    },
    {
      "@id": "http://e/3",
      "a": "y"
    }
  ]
}
`
	}
	// Of a value only the brace is left, and the line with that of the next node is gone.
	got := read(t, member("      \"a\": {\n      \"b\": [\"x\"],\n      \"c\": \"y\"\n    },"), jsonld.Options{})
	all := strings.Join(got.Lines(), "\n")
	for i, line := range got.Lines() {
		if strings.HasPrefix(line, "<http://e/2>") && !strings.Contains(line, "/d>") {
			t.Errorf("read: %s, repaired %t", line, got.Quads[i].Repaired)
		}
	}
	for _, kept := range []string{"<http://e/0> <http://p/a>", "<http://e/3> <http://p/a>"} {
		if !strings.Contains(all, kept) {
			t.Errorf("%s is lost: %v", kept, shown(got.Notices))
		}
	}
	// Nothing is wrong with the brackets: the later one counts, as in any other object.
	for _, text := range []string{
		member("      \"a\": {\n        \"b\": [\"x\"]\n      },"),
		`{"@id":"http://e/1","http://p/a":{"http://p/b":"x"},"@id":"http://e/2","http://p/d":"z"}`,
	} {
		got := read(t, text, jsonld.Options{})
		var of []string
		for _, line := range got.Lines() {
			if strings.HasPrefix(line, "<http://e/2>") {
				of = append(of, strings.Fields(line)[1])
			}
		}
		slices.Sort(of)
		if fmt.Sprint(of) != "[<http://p/a> <http://p/d>]" || len(got.Notices) != 1 || got.Notices[0].Code != fault.JSONDuplicateKey {
			t.Error(of, shown(got.Notices))
		}
	}
}

// Where the brace of a literal is missing, the members of the node around it seem to be its own. What
// follows them shows that they are not.
func TestALiteralWithoutItsBraceTakesInNoMembers(t *testing.T) {
	const tail = `,"No 42",{"@value":"x","@language":"de"}],"http://v/r":[1,{"@type":"http://t","http://v/s":2}],"http://v/t":3},{"@id":"http://e/z","http://v/p":9}]}]`
	sound := `[{"@id":"http://e/g","@graph":[{"@id":"http://e/s","http://v/p":[{"@id":"http://e/b","http://v/q":{"@value":"2000-02-05","@type":"http://t/d"},"http://v/u":["a","b",35],"http://v/w":{"@list":[1,2]}}` +
		tail
	want := read(t, sound, jsonld.Options{})
	got := read(t, strings.Replace(sound, `"http://t/d"}`, `"http://t/d"`, 1), jsonld.Options{})
	if !slices.Equal(got.Lines(), want.Lines()) {
		t.Errorf("%s\nwant\n%s\n%v", strings.Join(got.Lines(), "\n"), strings.Join(want.Lines(), "\n"), shown(got.Notices))
	}
	// A literal with a member that it can't have is lost alone.
	mistaken := `[{"@id":"http://e/s","http://v/p":[{"@value":"a","http://v/x":1}],"http://v/q":2},,{"@id":"http://e/t","http://v/q":3}]`
	got = read(t, mistaken, jsonld.Options{})
	if len(got.Quads) != 2 || len(got.Notices) != 2 {
		t.Errorf("%s\n%v", got.Lines(), shown(got.Notices))
	}
}
