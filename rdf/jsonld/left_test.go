package jsonld_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/rdf/jsonld"
)

// A broken node is among others that all have an @id, or a line among others that are objects. What is
// left of it says nothing that can be known: neither of a blank node nor of a node in it.
func TestWhatIsLeftOfANodeSaysNothing(t *testing.T) {
	const n, broken = 12, 8
	for _, layout := range []struct{ name, head, node, tail string }{
		{"array", "[", `{"@id":"http://e/%d","http://p":["a %[1]d"],"http://q":[{"@id":"http://e/o%[1]d"},{"@id":"http://e/r%[1]d"}],"http://r":["\"b\" %[1]d"]},` +
			"\n", `{"@id":"http://e/z"}]`},
		{"lines", "", `{"@context":{"p":"http://p/"},"@id":"http://e/%d","p:a":["a %[1]d"],"p:q":[{"@id":"http://e/o%[1]d"},{"@id":"http://e/r%[1]d"}],"p:r":["\"b\" %[1]d"]}` +
			"\n", ""},
	} {
		for _, row := range [][2]string{
			{`{"@id":"http://e/o`, `[x] {"@id":"http://e/o`},
			{`"http://p"`, `{"http://p"`},
			{`"http://p"`, `}{"http://p"`},
			{`,"http://q":[`, `]{"http://q":[`},
			{`"http://p":`, `}, {"@value":`},
			{`},{"@id"`, "},\n {\"@id\""},
			{`"a `, "\"\na "},
			{`"p:a"`, "\"p\n\": 5 : a"},
			{`["\"b`, `[\"b`},
		} {
			var b strings.Builder
			b.WriteString(layout.head)
			changed := false
			for k := range n {
				text := fmt.Sprintf(layout.node, k)
				if k == broken {
					text = strings.Replace(text, row[0], row[1], 1)
					changed = text != fmt.Sprintf(layout.node, k)
				}
				b.WriteString(text)
			}
			if b.WriteString(layout.tail); !changed {
				continue
			}
			own := 0
			for _, line := range read(t, b.String(), jsonld.Options{}).Lines() {
				switch subject, _, _ := strings.Cut(line, " "); {
				case subject != fmt.Sprintf("<http://e/%d>", broken) && strings.Contains(line, fmt.Sprint(broken)):
					t.Errorf("%s, %q: %s", layout.name, row[1], line)
				case subject != fmt.Sprintf("<http://e/%d>", broken):
					own++
				}
			}
			if want := 4 * (n - 1); own != want {
				t.Errorf("%s, %q: %d statements of the others read, not %d", layout.name, row[1], own, want)
			}
		}
	}
}
