package jsonld_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/rdf/jsonld"
)

// catalogued writes the i-th item of a document, indented or on one line.
func catalogued(i int, pretty bool) string {
	text := fmt.Sprintf(`{"@id":"http://e/%d","@type":"http://t/a","by":{"name":"n %d","at":{"@id":"http://e/%d/at"}},"in":[{"@id":"http://e/%d/x"},{"@id":"http://e/%d/y"}],"end":"the end %d"}`, i, i, i, i, i, i)
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
		{"a member", "{\"@context\": {\"@vocab\": \"http://p/\"},\n  \"@id\": \"http://e/all\",\n  \"has\": [\n", ",\n", "\n  ]\n}\n", true},
		{"a member on one line", `{"@context":{"@vocab":"http://p/"},"@id":"http://e/all","has":[`, ",", "]}", false},
	} {
		for _, at := range []int{0, 1, 7, count - 1} {
			clean := catalogued(at, layout.pretty)
			for cut := 1; cut < len(clean); cut++ {
				for _, hurt := range []string{clean[:cut], clean[cut:]} {
					var all []string
					for i := range count {
						all = append(all, catalogued(i, layout.pretty))
					}
					all[at] = hurt
					got := read(t, layout.head+strings.Join(all, layout.between)+layout.to, jsonld.Options{})
					lines := strings.Join(got.Lines(), "\n")
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
