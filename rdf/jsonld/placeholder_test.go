package jsonld_test

import (
	"strings"
	"testing"

	"laundromat/rdf/jsonld"
)

// What is left of a template costs the value that it stands for, and says so; its braces are none of JSON.
func TestAPlaceholderOfATemplateCostsItsValue(t *testing.T) {
	for _, indent := range []string{"", "  "} {
		text := productPage(t, 12, indent)
		whole := len(read(t, text, jsonld.Options{}).Lines())
		for _, placeholder := range []string{
			"{{ product.price }}", "{{price}}", "{{{ price }}}", "{{ price | money: \"EUR\" }}", `{{ prices["EUR"] }}`, "{{_price}}",
			"{{ $price }}",
			"{% price %}", "{# to do #}", "${price}", "<%= price %>", "<?php echo $price; ?>", "%PRICE%", "[[price]]", "@price@",
		} {
			broken := strings.Replace(text, `"EUR"`, placeholder, 1)
			got := read(t, broken, jsonld.Options{})
			if n := len(got.Lines()); n != whole-1 || len(got.Notices) != 1 {
				t.Errorf("indented by %q, %s: %d statements of %d, %v", indent, placeholder, n, whole, shown(got.Notices))
			}
		}
		// A loop around a member, and a brace that was written twice.
		for _, edit := range [][2]string{{`"offers"`, `{% if offers %}"offers"`}, {`{"@id": "http://e/p3"`, `{{"@id": "http://e/p3"`}} {
			got := read(t, strings.Replace(text, edit[0], edit[1], 1), jsonld.Options{})
			if n := len(got.Lines()); n != whole {
				t.Errorf("indented by %q, %s: %d statements of %d, %v", indent, edit[1], n, whole, shown(got.Notices))
			}
		}
	}
}
