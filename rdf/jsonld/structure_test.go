package jsonld_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf/jsonld"
	"laundromat/rdf/rdftest"
)

// items write the i-th item of a document in ways of their own; all that an item says names it.
var items = []struct {
	name  string
	write func(i int) string
}{
	{"flat", func(i int) string {
		return fmt.Sprintf(`{"@id":"http://e/%d","@type":"http://t/A","a":"text %d","b":{"@id":"http://e/%d/b"}}`, i, i, i)
	}},
	{"nested", func(i int) string {
		return fmt.Sprintf(
			`{"@id":"http://e/%d","a":["u %d",{"@type":"http://t/%d","c":{"@value":"v %d","@language":"en"}},{"@list":["w %d",{"@id":"http://e/%d/l"}]}],"n":{"@id":"http://e/%d/n","d":"x %d","k":[1,true]},"e":"y %d"}`,
			i, i, i, i, i, i, i, i, i)
	}},
	{"graphs", func(i int) string {
		return fmt.Sprintf(
			`{"@id":"http://e/%d/g","@graph":[{"@id":"http://e/%d","a":"u %d"},{"@id":"http://e/%d/b","c":["v %d",{"@value":"w %d","@language":"de"}]}]}`,
			i, i, i, i, i, i)
	}},
	{"expanded", func(i int) string {
		return fmt.Sprintf(
			`{"@id":"http://e/%d","http://p/a":[{"@value":"u %d"}],"http://p/b":[{"@id":"http://e/%d/b","http://p/c":[{"@value":"v %d","@language":"en"}]}]}`,
			i, i, i, i)
	}},
	{"@id last", func(i int) string {
		return fmt.Sprintf(`{"a":"u %d","b":{"c":["v %d"],"@id":"http://e/%d/b"},"@type":"http://t/%d","@id":"http://e/%d"}`, i, i, i, i, i)
	}},
}

const inContext = `{"@context":{"@vocab":"http://p/"},"@graph":[`

// layouts are ways to lay items out.
var layouts = []struct {
	name              string
	head, between, to string
	layout            func(string) string
	context           bool // there is one
}{
	{"@graph on one line", inContext, ",", "]}", nil, true},
	{"@graph first", `{"@graph":[`, ",", `],"@context":{"@vocab":"http://p/"}}`, nil, true},
	{"a line an item of @graph", inContext + "\n", ",\n", "\n]}\n", nil, true},
	{"comma first", inContext + "\n", "\n,", "\n]}\n", nil, true},
	{"indented", "{\n\t\"@context\": {\"@vocab\": \"http://p/\"},\n\t\"@graph\": [\n", ",\n", "\n\t]\n}\n",
		func(s string) string { return "\t\t" + indented(s, "\n\t\t") }, true},
	{"indented, braces behind commas", "{\n\t\"@context\": {\"@vocab\": \"http://p/\"},\n\t\"@graph\": [", ", ", "]\n}\n",
		func(s string) string { return indented(s, "\n\t") }, true},
	{"a graph with a name", `{"@context":{"@vocab":"http://p/"},"@id":"http://e/all","@graph":[`, ",", `],"is":"http://e/all"}`, nil, true},
	{"array", `[`, ",", "]", nil, false},
	{"array of lines", "[\n", ",\n", "\n]\n", nil, false},
	{"array, indented", "[\n", ",\n", "\n]\n", func(s string) string { return "\t" + indented(s, "\n\t") }, false},
	{"lines", "", "\n", "\n", nil, false},
	{"indented, one after another", "", "\n", "\n", func(s string) string { return indented(s, "\n") }, false},
	{"one after another", "", " ", "", nil, false},
}

// structure lists where the bytes of the structure of JSON stand: not those in strings.
func structure(text string) (places []int) {
	quoted := false
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
			places = append(places, i)
		case !quoted && strings.IndexByte(`{}[],:`, text[i]) >= 0:
			places = append(places, i)
		}
	}
	return places
}

// hurtAt lists all that one byte can do to a text of structure.
func hurtAt(text string) (all []string) {
	for _, at := range structure(text) {
		all = append(all, text[:at]+text[at+1:])
		for _, b := range `{}[],:"` {
			all = append(all, text[:at]+string(b)+text[at:])
			if byte(b) != text[at] {
				all = append(all, text[:at]+string(b)+text[at+1:])
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Whatever one byte of structure does in an item, the others lose nothing, and nothing is invented.
func TestAByteOfStructureCostsItsItem(t *testing.T) {
	if testing.Short() {
		t.Skip("reads some twenty thousand documents")
	}
	const count, hurtItem = 14, 6
	for _, layout := range layouts {
		for _, item := range items {
			if !layout.context && item.name != "expanded" {
				continue
			}
			t.Run(layout.name+"/"+item.name, func(t *testing.T) {
				written := func(i int) string {
					if layout.layout != nil {
						return layout.layout(item.write(i))
					}
					return item.write(i)
				}
				text := func(hurt string) string {
					var all []string
					for i := range count {
						all = append(all, written(i))
					}
					all[hurtItem] = hurt
					return layout.head + strings.Join(all, layout.between) + layout.to
				}
				want := read(t, text(written(hurtItem)), jsonld.Options{}).Lines()
				for _, hurt := range hurtAt(written(hurtItem)) {
					if json.Valid([]byte(hurt)) {
						continue // it says something else
					}
					got := read(t, text(hurt), jsonld.Options{})
					missing, invented := spoiled(want, got, func(line string) bool {
						return strings.Contains(line, fmt.Sprintf("/%d", hurtItem)) ||
							strings.Contains(line, fmt.Sprintf(" %d\"", hurtItem)) || strings.Contains(line, "_:")
					})
					if len(missing)+len(invented) > 0 {
						t.Errorf("%s\nlost %d: %.300s\ninvented %d: %.300s\n%v", hurt, len(missing), missing, len(invented), invented,
							shown(got.Notices))
					}
					if len(got.Notices) == 0 {
						t.Errorf("%s\nis not told of", hurt)
					}
				}
			})
		}
	}
}

// spoiled lists what should have been read of what is not touched, and what should not have been. A
// repair that is reported excuses it, and so does that it says something of a node without a name.
func spoiled(want []string, got *rdftest.Collector, touched func(string) bool) (missing, invented []string) {
	has := map[string]int{}
	for _, line := range got.Lines() {
		has[line]++
	}
	for _, line := range want {
		if has[line]--; has[line] < 0 && !touched(line) {
			missing = append(missing, line)
		}
	}
	for i, line := range got.Lines() {
		if !got.Quads[i].Repaired && !slices.Contains(want, line) && !strings.Contains(line, "_:") {
			invented = append(invented, line)
		}
	}
	return missing, invented
}
