package jsonld_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/jsonld"
)

// Where a brace is too many in text without layout, nothing shows which. What is read that the clean
// document does not say is reported as repaired, and other nodes lose nothing.
func TestWhatABraceTooManyMovesIsTold(t *testing.T) {
	const head, between, end = `{"@context":{"@vocab":"http://p/"},"@graph":[`, ",", "]}"
	around := func(text string) string {
		return head + node(0, false, false) + between + text + between + node(2, false, false) + end
	}
	clean := `{"@id":"http://e/1","a":{"@id":"http://e/1/a","b":{"@id":"http://e/1/b","x":{"@value":"v","@language":"en"}},"c":"w"},"d":{"@id":"http://e/1/d"},"e":"x","f":["y",{"@id":"http://e/1/f","g":"z"}]}`
	want := read(t, around(clean), jsonld.Options{}).Lines()
	for at := range clean {
		if clean[at] != '}' {
			continue
		}
		got := read(t, around(clean[:at]+"}"+clean[at:]), jsonld.Options{})
		lines := got.Lines()
		for i, line := range lines {
			if !got.Quads[i].Repaired && !slices.Contains(want, line) {
				t.Errorf("a second } at %d: not told of %s", at, line)
			}
		}
		for _, line := range want {
			if !strings.Contains(line, "http://e/1") && !slices.Contains(lines, line) {
				t.Errorf("a second } at %d: lost %s", at, line)
			}
		}
	}
}

// Where one is missing, nothing shows which either. Whatever is read that the clean document does not
// say is reported as repaired, or lost, and other nodes lose nothing.
func TestWhatAMissingBraceMovesIsTold(t *testing.T) {
	const head, between, end = `{"@context":{"@vocab":"http://p/"},"@graph":[`, ",", "]}"
	around := func(text string) string {
		return head + node(0, false, false) + between + text + between + node(2, false, false) + end
	}
	clean := `{"@id":"http://e/1","a":{"b":{"@id":"http://e/1/b"},"c":{"@value":"v","@language":"de"},"d":["w",{"@value":"y","@language":"de"}]},"e":"x"}`
	want := read(t, around(clean), jsonld.Options{}).Lines()
	for at := range clean {
		if clean[at] != '}' {
			continue
		}
		got := read(t, around(clean[:at]+clean[at+1:]), jsonld.Options{})
		lines := got.Lines()
		for i, line := range lines {
			if !got.Quads[i].Repaired && !slices.Contains(want, line) && !strings.Contains(line, "_:") {
				t.Errorf("no } at %d: not told of %s", at, line)
			}
		}
		for _, line := range want {
			if !strings.Contains(line, "http://e/1") && !strings.HasPrefix(line, "_:") && !slices.Contains(lines, line) {
				t.Errorf("no } at %d: lost %s", at, line)
			}
		}
	}
}

// A bracket that seems to end all nodes is not believed where nothing shows that they end. A fault
// behind one that looks so costs its node, and not all that follow.
func TestAFaultBehindAnotherDoesNotEndAllNodes(t *testing.T) {
	const count = 3000
	for _, broken := range []string{
		`{"@id":"http://e/x","a":[1,{"@value":"v",,"@type":"http://t/d"}],"b":[{"c":[2,{"@value":"w\q","@language":"en"}]}],"d":{"@value":"the end,"@language":"fr"}}`,
		`{"@id":"http://e/x","a":{"@list":[{"@id":"http://e/p"}},{"@id":"http://e/q"}},{"@id":"http://e/r"},"s"]},"b":{"@list":[{"@id"` +
			"\x00" + `:"http://e/s"},"t"]},"c":{"d":5}}`,
	} {
		var b strings.Builder
		b.WriteString(`{"@context":{"@vocab":"http://p/"},"@graph":[`)
		for i := range count {
			if i == 20 {
				b.WriteString(broken + ",")
			}
			fmt.Fprintf(&b, `{"@id":"http://e/%d","k":{"l":["m",{"n":["o"]}]},"end":"the end %d"}`, i, i)
			if i < count-1 {
				b.WriteString(",")
			}
		}
		b.WriteString("]}")
		got := read(t, b.String(), jsonld.Options{})
		lines := strings.Join(got.Lines(), "\n")
		for i := range count {
			if !strings.Contains(lines, fmt.Sprintf(`"the end %d"`, i)) {
				t.Errorf("node %d is lost: %v", i, shown(got.Notices))
				break
			}
		}
	}
}

// Of two members of one name only the later counts, also where it can't be read.
func TestALostValueOverwritesTheOneBefore(t *testing.T) {
	got := read(t, `{"@id":"http://e/a","http://p/x":"first","http://p/x":"\q","http://p/y":"kept"}`, jsonld.Options{})
	if lines := got.Lines(); len(lines) != 1 || !strings.Contains(lines[0], "kept") {
		t.Error(lines)
	}
	lost := int64(0)
	for _, n := range got.Notices {
		if n.Severity == fault.Drop {
			lost++
		}
	}
	if lost == 0 {
		t.Error("nothing is told")
	}
}

// What is left of the line on which the @id of a node may have stood tells that the node is not known.
func TestANodeThatMayHaveLostItsNameSaysNothing(t *testing.T) {
	got := read(t, "[\n  {\n    \"\n    \"@type\": [\"http://t/a\"],\n    \"http://p/x\": [{\"@value\": \"v\"}]\n  },\n"+
		"  {\n    \"@id\": \"http://e/b\",\n    \"http://p/x\": [{\"@value\": \"w\"}]\n  }\n]\n", jsonld.Options{})
	if lines := got.Lines(); len(lines) != 1 || !strings.Contains(lines[0], "http://e/b") {
		t.Error(lines, shown(got.Notices))
	}
}
