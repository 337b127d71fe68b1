package jsonld_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/jsonld"
)

// amongLines is a document of nodes on indented lines, between which a text stands.
func amongLines(text string) string {
	simple := func(i int) string {
		return fmt.Sprintf(
			"    {\n      \"@id\": \"http://e/simple%d\",\n      \"p\": \"v %d\",\n      \"q\": {\"@value\": \"w\", \"@language\": \"en\"}\n    }",
			i, i)
	}
	var nodes []string
	for i := range 5 {
		nodes = append(nodes, simple(i))
	}
	nodes = append(nodes, text)
	for i := range 5 {
		nodes = append(nodes, simple(5+i))
	}
	return "{\n  \"@context\": {\"@vocab\": \"http://p/\"},\n  \"@graph\": [\n" + strings.Join(nodes, ",\n") + "\n  ]\n}\n"
}

// deep is a node, and one in a graph, with objects and arrays in them.
var deep = []string{
	`    {
      "@id": "http://e/deep",
      "@type": "T",
      "a": {"@id": "http://e/a"},
      "b": [{
        "@type": "U",
        "c": {"@id": "http://e/c"},
        "d": [1, {
          "@type": "V",
          "e": "in it"
        }],
        "f": "behind it"
      }, "x", 5],
      "g": {
        "@type": "W",
        "h": true
      },
      "i": "last"
    }`,
	`    {
      "@id": "http://e/graph",
      "@graph": [
        {
          "@id": "http://e/deep",
          "@type": "T",
          "b": [{
            "@type": "U",
            "d": [{"@value": "1", "@language": "de"}, {
              "@type": "V",
              "e": "in it"
            }]
          }],
          "i": {"@value": "last", "@language": "en"}
        },
        {
          "@id": "http://e/deeper",
          "g": {
            "@type": "W",
            "h": true
          }
        }
      ]
    }`,
}

// Lines are indented as brackets are nested. A line that is lost, or cut off anywhere, then makes no
// other text of those around it. Nothing is read as sound that the whole document does not say, and
// what is outside of the outermost node is kept. A node whose @id is lost is another node.
func TestALostOrCutLineMovesNothingThatStandsOnOthers(t *testing.T) {
	for n, clean := range deep {
		for _, end := range []string{"\n", "\r\n"} {
			want := read(t, amongLines(clean), jsonld.Options{}).Lines()
			check := func(name, broken string) {
				t.Helper()
				text := strings.ReplaceAll(amongLines(broken), "\n", end)
				got := read(t, text, jsonld.Options{})
				lines := got.Lines()
				for i, line := range lines {
					if !got.Quads[i].Repaired && !slices.Contains(want, line) && !strings.Contains(line, "_:") {
						t.Errorf("deep[%d], %s, %q: not told of %s", n, name, end, line)
					}
				}
				for _, line := range want {
					if strings.Contains(line, "simple") && !slices.Contains(lines, line) {
						t.Errorf("deep[%d], %s, %q: lost %s", n, name, end, line)
					}
				}
			}
			all := strings.Split(clean, "\n")
			for i, line := range all {
				without := func(line ...string) string { return strings.Join(slices.Concat(all[:i], line, all[i+1:]), "\n") }
				if !strings.Contains(line, `"@id": "http://e/d`) && !strings.Contains(line, `"@id": "http://e/g`) {
					check(fmt.Sprintf("line %d lost", i+1), without())
				}
				for cut := len(line) - 1; cut > 0 && line[cut] != ' '; cut-- {
					check(fmt.Sprintf("line %d cut at %d", i+1, cut), without(line[:cut]))
				}
			}
		}
	}
}

// A sound text says what it says, however it is laid out: lines are asked only where a fault is certain.
func TestASoundTextIsReadHoweverItIsLaidOut(t *testing.T) {
	askew := "    {\n      \"@id\": \"http://e/x\", \"a\": [\n    {\"@id\": \"http://e/y\",\n    \"b\": 1\n  }\n,\n    {\n\"b\": 2 }\n      ]\n         }"
	for name, text := range map[string]string{
		"object": amongLines(askew),
		"array":  strings.TrimSuffix(strings.SplitN(amongLines(askew), "\"@graph\": ", 2)[1], "\n}\n") + "\n",
		"long":   amongLines(askew + "," + strings.Repeat("\n"+askew+",", 1<<14) + "\n" + askew),
	} {
		got := read(t, text, jsonld.Options{})
		for _, n := range got.Notices {
			if n.Severity > fault.Warning || n.Severity == fault.Warning && n.Code != fault.JSONUndefinedTerm {
				t.Fatalf("%s: %v", name, n)
			}
		}
	}
}

// No strings and numbers stand among the nodes of a graph: a repair that puts them there is none.
func TestARepairPutsNoScalarsAmongNodes(t *testing.T) {
	const graph = `{"@context":{"@vocab":"http://p/"},"@graph":[{"@id":"http://e/g","@graph":[{"@id":"http://e/1","a":%s,"b":"behind"},{"@id":"http://e/2","c":"d"}]},{"@id":"http://e/3","e":"f"}]}`
	for name, value := range map[string]string{
		"unclosed array":  `[{"@list":["x","y"},{"@id":"http://e/4","h":{"i":["j",{"@id":"http://e/5"}]}},"z"]`,
		"doubled comma":   `[{"k":[{"@list":["x","y"]},{"m":true}],"n":["o",,{"p":{"@id":"http://e/6"}},"q"]},"r",{"@id":"http://e/7"}]`,
		"sound beginning": `["s",{"t":1,,"u":{"v":"w"}},"x"]`,
	} {
		got := read(t, fmt.Sprintf(graph, value), jsonld.Options{})
		for _, want := range []string{
			`<http://e/1> <http://p/b> "behind" <http://e/g> .`,
			`<http://e/2> <http://p/c> "d" <http://e/g> .`,
			`<http://e/3> <http://p/e> "f" .`,
		} {
			if lines := got.Lines(); !slices.Contains(lines, want) {
				t.Errorf("%s: no %s among\n%s", name, want, strings.Join(lines, "\n"))
			}
		}
	}
}

// No name follows the brackets around all nodes. Brackets that seem to close them before one close
// something else, and the nodes behind are kept.
func TestWhatANameFollowsDoesNotEndAllNodes(t *testing.T) {
	text := `{"@context":{"@vocab":"http://p/"},"@graph":[{"@id":"http://e/1","a":{"@list":[{"@id":"http://e/2",{"@id":"http://e/3"}]}"b":{"c":1},"d":2}`
	var want []string
	for i := range 40 {
		text += fmt.Sprintf(`, {"@id":"http://e/n%d","p":{"@id":"http://e/m%d","q":["v %d",{"@value":"w","@language":"en"}]}}`, i, i, i)
		want = append(want, fmt.Sprintf(`<http://e/n%d> <http://p/p> <http://e/m%d> .`, i, i),
			fmt.Sprintf(`<http://e/m%d> <http://p/q> "v %d" .`, i, i))
	}
	lines := read(t, text+`]}`, jsonld.Options{}).Lines()
	for _, line := range want {
		if !slices.Contains(lines, line) {
			t.Errorf("no %s", line)
		}
	}
}

// Where each node is on a line of its own, lines show where nodes end, and not what is in them. What
// is in an object that may lack its brace is reported as repaired, or lost.
func TestALineForEachNodeTellsNothingOfWhatIsInIt(t *testing.T) {
	text := `{"@context":{"@vocab":"http://p/"},"@graph":[` + "\n"
	other := func(i int) string { return fmt.Sprintf(`{"@id":"http://e/n%d","a":{"b":1},"c":[2,{"d":"e"}]}`, i) }
	for i := range 12 {
		if text += other(i) + ",\n"; i == 6 {
			text += `{"@id":"http://e/1","f":{"g":{"@id":"http://e/2","h":[{"@value":"x","@language":"de"}]}},` + "\n"
		}
	}
	got := read(t, text+other(12)+"]}", jsonld.Options{})
	for i, line := range got.Lines() {
		if strings.HasPrefix(line, "<http://e/2>") && !got.Quads[i].Repaired {
			t.Errorf("not told of %s", line)
		}
	}
}

// Of two @id in an object with a fault, one may be that of an object in it: no statement has either
// as its subject.
func TestANodeWithTwoIdentifiersBehindAFaultHasNone(t *testing.T) {
	got := read(t, `{"@context":{"@vocab":"http://p/"},"@graph":[{"@id":"http://e/1","a":"@id":"http://e/2",},"b":"c"},{"@id":"http://e/3","d":"e"}]}`,
		jsonld.Options{})
	lines := got.Lines()
	for i, line := range lines {
		if strings.Contains(line, "http://e/2") && !got.Quads[i].Repaired {
			t.Errorf("not told of %s", line)
		}
	}
	if want := `<http://e/3> <http://p/d> "e" .`; !slices.Contains(lines, want) {
		t.Errorf("no %s", want)
	}
}

// A number is lost at the end of a cut document since it may go on; one behind which another member
// stands does not.
func TestANumberBeforeALostMemberIsWhole(t *testing.T) {
	got := read(t, `{"http://p":5,"http://q":{"@value":"x","@type":"xs`, jsonld.Options{})
	if len(got.Lines()) != 0 { // a node whose @id may have followed
		t.Error(got.Lines())
	}
	got = read(t, `{"@id":"http://e/1","http://p":5,"http://q":{"@value":"x","@type":"xs`, jsonld.Options{})
	if want := []string{`<http://e/1> <http://p> "5"^^<http://www.w3.org/2001/XMLSchema#integer> .`}; !slices.Equal(got.Lines(), want) {
		t.Errorf("got %v", got.Lines())
	}
}
