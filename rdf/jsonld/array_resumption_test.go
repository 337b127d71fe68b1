package jsonld_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/jsonld"
)

// catalogued writes the i-th item of a document, indented or on one line.
func catalogued(i int, pretty bool) string {
	text := fmt.Sprintf(
		`{"@id":"http://e/%d","@type":"http://t/a","by":{"name":"n %d","at":{"@id":"http://e/%d/at"}},"in":[{"@id":"http://e/%d/x"},{"@id":"http://e/%d/y"}],"end":"the end %d"}`,
		i, i, i, i, i, i)
	if pretty {
		return "    " + indented(text, "\n    ")
	}
	return text
}

// Whatever half of an item is gone, or of two that follow each other in whatever way, the items around are read.
func TestHalfOfAnItemCostsNoOther(t *testing.T) {
	const count = 20
	for _, layout := range []struct {
		name, head, between, to string
		pretty                  bool
	}{
		{"@graph", "{\"@context\": {\"@vocab\": \"http://p/\"},\n  \"@graph\": [\n", ",\n", "\n  ]\n}\n", true},
		{"@graph on one line", `{"@context":{"@vocab":"http://p/"},"@graph":[`, ",", "]}", false},
		{"@graph, a line an item", "{\"@context\":{\"@vocab\":\"http://p/\"},\n\"@graph\":[\n", ",\n", "\n]}\n", false},
		{"a member", "{\"@context\": {\"@vocab\": \"http://p/\"},\n  \"@id\": \"http://e/all\",\n  \"has\": [\n", ",\n", "\n  ]\n}\n",
			true},
		{"a member on one line", `{"@context":{"@vocab":"http://p/"},"@id":"http://e/all","has":[`, ",", "]}", false},
	} {
		var items []string
		for i := range count {
			items = append(items, catalogued(i, layout.pretty))
		}
		sound := read(t, layout.head+strings.Join(items, layout.between)+layout.to, jsonld.Options{}).Lines()
		for _, at := range []int{0, 1, 7, count - 1} {
			clean := catalogued(at, layout.pretty)
			for cut := 1; cut < len(clean); cut++ {
				for _, hurt := range []string{clean[:cut], clean[cut:]} {
					all := slices.Clone(items)
					all[at] = hurt
					got := read(t, layout.head+strings.Join(all, layout.between)+layout.to, jsonld.Options{})
					lines := strings.Join(got.Lines(), "\n")
					// Where the cut is between tokens, what is left may be as it was written.
					whole := hurt == clean[:cut] && strings.HasSuffix(hurt, `"`) || hurt == clean[cut:] &&
						strings.ContainsAny(strings.TrimSpace(hurt)[:1], `{["`)
					for _, line := range got.Lines() {
						if !whole && !slices.Contains(sound, line) && !strings.Contains(line, "_:") {
							t.Errorf("%s, item %d: %s\ninvents %s: %v", layout.name, at, hurt, line, shown(got.Notices))
						}
					}
					lost := 0
					for i := range count {
						if i != at && !strings.Contains(lines, fmt.Sprintf("<http://e/%d> <http://p/end> \"the end %d\"", i, i)) {
							lost++
						}
					}
					if lost > 1 { // one may be the item before, which may have ended too early
						t.Errorf("%s, item %d: %s\nloses %d: %v", layout.name, at, hurt, lost, shown(got.Notices))
					}
				}
			}
		}
	}
}

// A line that is cut off behind a bracket takes in none of the items on the lines that follow.
func TestALineCutOffBehindABracketEndsItsItem(t *testing.T) {
	var b strings.Builder
	b.WriteString("{\"@context\":{\"@vocab\":\"http://p/\"},\"@graph\":[\n")
	for i := range 20 {
		text := catalogued(i, false)
		if i == 9 {
			text = fmt.Sprintf(`{"@id":"http://e/g","@graph":[{"@id":"http://e/%d","a":"b"},{"@id":"http://e/h","c":[`, i)
		} else if i < 19 {
			text += ","
		}
		if i > 9 && i%2 == 0 { // a fault in every second item behind it
			text = strings.Replace(text, `"by":{`, `"by" {`, 1)
		}
		b.WriteString(text + "\n")
	}
	b.WriteString("]}\n")
	got := read(t, b.String(), jsonld.Options{})
	lines := strings.Join(got.Lines(), "\n")
	for i := range 20 {
		if i != 9 && !strings.Contains(lines, fmt.Sprintf("<http://e/%d> <http://p/end> \"the end %d\" .", i, i)) {
			t.Errorf("item %d is lost: %v", i, shown(got.Notices))
		}
	}
}

// A comma that is missing between two nodes of a graph in the graph, where the second begins a line, ends neither.
func TestAMissingCommaInAnInnerGraphEndsNothing(t *testing.T) {
	node := func(i int) string {
		return fmt.Sprintf(
			"        {\n          \"@id\": \"http://e/%d\",\n          \"a\": [{\"@id\": \"http://e/x\"}, {\"@id\": \"http://e/%d/y\"}],\n          \"end\": \"the end %d\"\n        }",
			i, i, i)
	}
	text := "{\n  \"@context\": {\"@vocab\": \"http://p/\"},\n  \"@graph\": [\n    {\n      \"@id\": \"http://e/g\",\n      \"@graph\": [\n" +
		node(0) + "\n" + node(1) + ",\n" + node(2) + "\n      ]\n    }\n  ]\n}\n"
	got := read(t, text, jsonld.Options{})
	lines := strings.Join(got.Lines(), "\n")
	for i := range 3 {
		if want := fmt.Sprintf("<http://e/%d> <http://p/end> \"the end %d\" <http://e/g> .", i, i); !strings.Contains(lines, want) {
			t.Errorf("lost: %s\n%v", want, shown(got.Notices))
		}
	}
}

// A bracket that is missing in a node of a graph does not put the items behind that graph into it.
// Faults among them hide where items are sound again.
func TestABracketMissingInAnInnerGraphKeepsItsEnd(t *testing.T) {
	const count, at, faults = 70, 20, 26
	graph := func(i int) string {
		return fmt.Sprintf(
			`{"@id":"http://e/%d/g","@graph":[{"@id":"http://e/%d/a","@type":"http://t/a","by":[{"name":{"@id":"http://e/x"},"to":{"@id":"http://e/y"},"for":[1,"w",{"@list":["m",{"@id":"http://e/z"}]}]},2]},{"@id":"http://e/%d/b","@type":"http://t/b","in":{"@value":"v","@language":"en"},"end":{"@id":"http://e/w"}}]}`,
			i, i, i)
	}
	clean := graph(at)
	for _, place := range structure(clean) {
		if clean[place] != '}' && clean[place] != ']' {
			continue
		}
		var all []string
		for i := range count {
			text := catalogued(i, false)
			switch {
			case i == at:
				text = clean[:place] + clean[place+1:]
			case i > at && i < at+faults && i%2 == 0:
				text = strings.Replace(text, `"in":[`, `"in":[,`, 1)
			}
			all = append(all, text)
		}
		got := read(t, `{"@context":{"@vocab":"http://p/"},"@graph":[`+strings.Join(all, ",")+"]}", jsonld.Options{})
		lines := strings.Join(got.Lines(), "\n")
		for i := range count {
			if want := fmt.Sprintf("<http://e/%d> <http://p/end> \"the end %d\" .", i, i); i != at && !strings.Contains(lines, want) {
				t.Errorf("without the %c at %d: lost: %s", clean[place], place, want)
			}
		}
	}
}

// A brace further out than those of the other items, behind something that is no JSON, is that of an
// item. It is not that of a value after the array. It does not say in which column the others begin.
func TestABraceFurtherOutEndsNoArray(t *testing.T) {
	var items []string
	for i := range 20 {
		items = append(items, strings.Replace(catalogued(i, true), `{"@id"`, `{"@context":{"@vocab":"http://p/"},"@id"`, 1))
	}
	for cut := 1; cut < len(strings.TrimSpace(items[0])); cut += 7 {
		all := slices.Clone(items)
		all[0] = "    =======\n" + strings.TrimSpace(items[0])[:cut]
		got := read(t, "[\n"+strings.Join(all, ",\n")+"\n]\n", jsonld.Options{})
		var types []string
		for _, line := range got.Lines() {
			if strings.HasSuffix(line, "<http://t/a> .") {
				types = append(types, line)
			}
		}
		if len(types) < 19 {
			t.Errorf("%s: %d of 20 items are read: %v", all[0], len(types), shown(got.Notices))
		}
	}
}

// References behind a broken node, where there was none before it, may be what is left of it. They are
// lost only as far as one holds so many.
func TestReferencesBehindABrokenNodeAreRead(t *testing.T) {
	const described, references = 6, 40
	for cut := 1; cut < len(catalogued(3, false)); cut += 5 {
		var items []string
		for i := range described {
			items = append(items, catalogued(i, false))
		}
		items[3] = items[3][cut:]
		for i := range references {
			items = append(items, fmt.Sprintf(`{"@id":"http://e/r%d"}`, i))
		}
		got := read(t, `{"@context":{"@vocab":"http://p/"},"@id":"http://e/all","has":[`+strings.Join(items, ",")+"]}", jsonld.Options{})
		n := 0
		for _, line := range got.Lines() {
			if strings.HasPrefix(line, "<http://e/all> <http://p/has> <http://e/r") {
				n++
			}
		}
		if n < references-4 {
			t.Errorf("%s: %d of %d references are read: %v", items[3], n, references, shown(got.Notices))
		}
	}
}

// References around a broken one are read, also where that is the first. Each that is lost as what is
// left of a node is counted.
func TestABrokenReferenceCostsNoOther(t *testing.T) {
	const references = 10
	var items []string
	for i := range references {
		items = append(items, fmt.Sprintf(`{"@id":"http://e/r%d"}`, i))
	}
	for at := range references {
		all := slices.Clone(items)
		all[at] = `{"@id" "http://e/x}`
		got := read(t, `{"@context":{"@vocab":"http://p/"},"@id":"http://e/all","has":[`+strings.Join(all, ",")+"]}", jsonld.Options{})
		if len(got.Lines()) != references-1 {
			t.Errorf("%d: %v\n%v", at, got.Lines(), shown(got.Notices))
		}
	}
	nodes := []string{catalogued(0, false), catalogued(1, false), catalogued(2, false)[:20]}
	got := read(t, `{"@context":{"@vocab":"http://p/"},"@id":"http://e/all","has":[`+strings.Join(append(nodes, items...), ",")+"]}",
		jsonld.Options{})
	lost, links := 0, 0
	for _, n := range got.Notices {
		lost += n.Lost
	}
	for i := range references {
		if slices.Contains(got.Lines(), fmt.Sprintf("<http://e/all> <http://p/has> <http://e/r%d> .", i)) {
			links++
		}
	}
	if links < references-3 || lost < references-links {
		t.Errorf("%d of %d references, %d lost: %v", links, references, lost, shown(got.Notices))
	}
}

// Bytes that mean nothing before a node, or between two, cost none, on lines or on one line.
func TestNoiseBeforeANodeCostsNone(t *testing.T) {
	const count = 12
	for _, noise := range []string{"\x00", "\x00\x00\x00", "\xff", " \x01 \x02 "} {
		for _, between := range []string{",", ", ", ",\n"} {
			for at := range count {
				text := `{"@context":{"@vocab":"http://p/"},"@graph":[ `
				for i := range count {
					if i > 0 {
						text += between
					}
					if i == at {
						text += noise
					}
					text += catalogued(i, false)
				}
				got := read(t, text+"]}\n", jsonld.Options{})
				if lines := got.Lines(); len(lines) != 7*count {
					t.Errorf("%q before item %d behind %q: %d statements of %d: %v", noise, at, between, len(lines), 7*count,
						shown(got.Notices))
				}
			}
		}
	}
}

// The last node of a graph that lacks two brackets at the end of a line seems to end with the brackets
// around it. It is none of those around the graph, since its line is indented more.
func TestTheLastNodeOfAnInnerGraphStaysInIt(t *testing.T) {
	var nodes []string
	for i := range 3 {
		nodes = append(nodes, indented(fmt.Sprintf(`{"@id":"http://e/%d","name":"a %d"}`, i, i), "\n    "))
	}
	nodes = append(nodes, `{
      "@id": "http://e/g",
      "@graph": [
        {
          "@id": "http://e/in",
          "name": "a node"
        },
        {
          "@id": "http://e/last",
          "a": {"@id": "http://e/a"},
          "b": ["c", {"@value": "d", `+`
          "e": {
            "f": true
          },
          "g": "behind it"
        }
      ]
    }`)
	got := read(t, "{\n  \"@context\": {\"@vocab\": \"http://p/\"},\n  \"@graph\": [\n    "+strings.Join(nodes, ",\n    ")+"\n  ]\n}\n",
		jsonld.Options{})
	lines := strings.Join(got.Lines(), "\n")
	for _, want := range []string{
		`<http://e/last> <http://p/a> <http://e/a> <http://e/g> .`,
		`<http://e/last> <http://p/b> "c" <http://e/g> .`,
		`<http://e/last> <http://p/g> "behind it" <http://e/g> .`,
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("lost: %s\n%s\n%v", want, lines, shown(got.Notices))
		}
	}
}

// A bracket in the place of the comma between two items of a top-level array, or before it, does not
// end the array. The items behind it are read as those before.
func TestABracketBetweenItemsEndsNoArray(t *testing.T) {
	const count = 9
	for _, pretty := range []bool{false, true} {
		for at := range count - 1 {
			for _, stray := range []string{"]", "],", " ]\n,", ",]"} {
				text := "["
				for i := range count {
					text += "\n" + strings.ReplaceAll(catalogued(i, pretty), `"by"`, `"http://p/by"`)
					switch {
					case i == at:
						text += stray
					case i < count-1:
						text += ","
					}
				}
				clean := strings.Replace(text, stray, ",", 1)
				want := read(t, clean+"\n]\n", jsonld.Options{}).Lines()
				got := read(t, text+"\n]\n", jsonld.Options{})
				if lines := got.Lines(); len(lines) != len(want) {
					t.Errorf("indented: %v, %q behind item %d: %d statements of %d: %v", pretty, stray, at, len(lines), len(want),
						shown(got.Notices))
				}
			}
		}
	}
}

// Arrays that follow each other are documents of their own, with an object between them or not.
func TestArraysBehindEachOtherEnd(t *testing.T) {
	node := func(i int) string {
		return strings.Replace(catalogued(i, false), `{`, `{"@context":{"@vocab":"http://p/"},`, 1)
	}
	for _, row := range []struct{ text, told string }{
		{"[" + node(0) + "," + node(1) + "]\n[" + node(2) + "]\n", ""},
		{"[" + node(0) + "," + node(1) + "]\n" + node(2) + "\n", ""},
		{"[" + node(0) + "]" + node(1) + "\n[" + node(2) + "]\n", "repair syntax/json-several-values 1:198 0"},
	} {
		got := read(t, row.text, jsonld.Options{})
		if lines, told := got.Lines(), strings.Join(shown(got.Notices), "\n"); len(lines) != 3*7 || told != row.told {
			t.Errorf("%s\n%d statements: %s", row.text, len(lines), told)
		}
	}
}

// An object cannot be a type. Where one follows in an array of types that is cut off, it is the next
// item, however few follow it.
func TestANodeBehindABrokenArrayOfTypesIsTheNextItem(t *testing.T) {
	for count := 3; count < 8; count++ {
		for at := 1; at < count-1; at++ {
			for _, cut := range []string{`{"@id":"http://e/cut","@type":[`, `{"@id":"http://e/cut","@type": [ "http://t/a",`,
				`{"@id":"http://e/cut","@type":["http://t/a",`} {
				text := `{"@context":{"@vocab":"http://p/"},"@graph":[`
				for i := range count {
					if i > 0 && i != at+1 {
						text += ","
					}
					if i == at {
						text += cut
					} else {
						text += catalogued(i, false)
					}
				}
				got := read(t, text+"]}\n", jsonld.Options{})
				for i := range count {
					if line := fmt.Sprintf("<http://e/%d> <http://p/end> \"the end %d\" .", i, i); i != at &&
						!slices.Contains(got.Lines(), line) {
						t.Errorf("%s as item %d of %d: item %d is lost: %v", cut, at, count, i, shown(got.Notices))
					}
				}
			}
		}
	}
}

// What is left of a name among the items of an array costs the value behind it, and none behind that.
func TestWhatIsLeftOfANameAmongItemsCostsNoNode(t *testing.T) {
	for _, rest := range []string{`author:{,"end":1}},`, `author:{,"end":{"@id":"http://e/x"}}},`, `author:{,"end":[{"@value":"x"}]}},`} {
		text := "{\"@context\":{\"@vocab\":\"http://p/\"},\n  \"@id\": \"http://e/all\",\n  \"has\": [\n" + catalogued(0, false) +
			`,{"@id":"http://e/b","in"x"x"x":},"` + rest
		for i := 1; i < 4; i++ {
			text += catalogued(i, false) + ","
		}
		got := read(t, text+"{\"@id\":\"http://e/cut\",\"by\":\n{}  ]\n}\n", jsonld.Options{})
		for i := range 4 {
			if line := fmt.Sprintf("<http://e/%d> <http://p/end> \"the end %d\" .", i, i); !slices.Contains(got.Lines(), line) {
				t.Errorf("behind %s item %d is lost: %v", rest, i, shown(got.Notices))
			}
		}
		if lines := strings.Join(got.Lines(), "\n"); strings.Contains(lines, `"x"`) || strings.Contains(lines, "e/x") {
			t.Errorf("behind %s what nobody wrote is read:\n%s", rest, lines)
		}
	}
}

// Two closing brackets that are the wrong way round close what they should, and cost no statement.
func TestBracketsTheWrongWayRoundCostNothing(t *testing.T) {
	const count = 5
	for at := range count {
		// those of a reference and of its array
		text := `{"@context":{"@vocab":"http://p/"},"@graph":[`
		for i := range count {
			item := catalogued(i, false)
			if i == at {
				item = strings.Replace(item, `}],"end"`, `]},"end"`, 1)
			}
			if text += item; i < count-1 {
				text += ","
			}
		}
		got := read(t, text+"]}\n", jsonld.Options{})
		if lines := got.Lines(); len(lines) != 7*count || len(got.Notices) != 1 {
			t.Errorf("item %d: %d statements of %d: %v", at, len(lines), 7*count, shown(got.Notices))
		}
		// the brackets of an item and of the last array in it
		text = `{"@context":{"@vocab":"http://p/"},"@graph":[`
		for i := range count {
			end := "]}"
			if i == at {
				end = "}]"
			}
			if text += fmt.Sprintf(`{"@id":"http://e/%d","name":"n","in":[{"@id":"http://e/%d/x"}%s`, i, i, end); i < count-1 {
				text += ","
			}
		}
		got = read(t, text+"]}\n", jsonld.Options{})
		if lines := got.Lines(); len(lines) != 2*count || len(got.Notices) != 1 {
			t.Errorf("item %d: %d statements of %d: %v", at, len(lines), 2*count, shown(got.Notices))
		}
	}
	for _, text := range []string{
		`{"@id":"http://e/0","http://p/name":"n","http://p/in":[{"@id":"http://e/x"}}]` + "\n",
		`{"@id":"http://e/0","http://p/name":"n","http://p/in":[{"@id":"http://e/x"}}]` + "\n" + `{"@id":"http://e/1"}` + "\n",
		`[{"@id":"http://e/0","http://p/name":"n","http://p/in":{"@id":"http://e/x"}]}`,
	} {
		if got := read(t, text, jsonld.Options{}); len(got.Lines()) != 2 || got.Notices[0].Severity != fault.Repair {
			t.Errorf("%s: %v, %v", text, got.Lines(), shown(got.Notices))
		}
	}
}
