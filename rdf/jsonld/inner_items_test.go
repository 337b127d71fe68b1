package jsonld_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"laundromat/rdf/jsonld"
)

// productPage is the JSON-LD of a page that lists products, in an array of its own beside a second thing.
func productPage(t *testing.T, products int, indent string) string {
	t.Helper()
	type object = map[string]any
	var items []any
	for i := range products {
		items = append(items, object{"@type": "ListItem", "position": i,
			"item": object{"@type": "Product", "@id": fmt.Sprintf("http://e/p%d", i),
				"name": fmt.Sprintf("Product %d is nice", i), "offers": object{"@type": "Offer", "price": fmt.Sprint(i, ".99"),
					"priceCurrency": "EUR"}}})
	}
	context := object{"@vocab": "https://schema.org/"}
	all := []any{
		object{"@context": context, "@id": "http://e/list", "@type": "ItemList", "name": "L", "itemListElement": items},
		object{"@context": context, "@type": "WebSite", "@id": "http://e/", "name": "W"},
	}
	text, err := json.MarshalIndent(all, "", indent)
	if err != nil {
		t.Fatal(err)
	}
	if indent == "" {
		return strings.ReplaceAll(string(text), "\n", "")
	}
	return string(text)
}

// A sign that is missing within an item of an inner array costs that item at most. The objects behind it are not
// taken for those of the array around all.
func TestAFaultInAnInnerArrayCostsAtMostItsItem(t *testing.T) {
	const products, ofOne = 40, 10
	for _, indent := range []string{"", " ", "\t", "    "} {
		text := productPage(t, products, indent)
		whole := len(read(t, text, jsonld.Options{}).Lines())
		if whole != products*ofOne+4 {
			t.Fatal(whole)
		}
		from, to := strings.Index(text, "Product 18"), strings.Index(text, "Product 21")
		faults := 0
		for at := from; at < to; at++ {
			if !strings.ContainsRune(`{}",:`, rune(text[at])) {
				continue
			}
			faults++
			broken := text[:at] + text[at+1:]
			if left := len(read(t, broken, jsonld.Options{}).Lines()); left < whole-ofOne-1 {
				t.Errorf("indented by %q, without %q: %d statements of %d: …%s‸%s…", indent, text[at], left, whole, text[at-60:at],
					text[at+1:at+60])
			}
		}
		if faults < 100 {
			t.Errorf("only %d faults", faults)
		}
	}
}
