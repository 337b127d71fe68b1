package jsonld_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/rdf/jsonld"
)

// TestItemsOfAMemberArrayAreReadOneByOne breaks one of the nodes that stand in the array of a member, as the
// datasets of a catalog do: the others are saved with what says that they belong to it.
func TestItemsOfAMemberArrayAreReadOneByOne(t *testing.T) {
	item := func(i int) string {
		return fmt.Sprintf("    {\n      \"@id\": \"ex:d%d\",\n      \"@type\": \"ex:Dataset\",\n      \"ex:by\": {\n        \"ex:name\": \"N%d\"\n      },\n      \"ex:title\": \"T%d\"\n    }", i, i, i)
	}
	squeeze := func(text string) string {
		return strings.NewReplacer("\n", "", "  ", "", ": ", ":").Replace(text)
	}
	for _, c := range []struct{ name, from, to string }{
		{"a template that nobody filled in", `"ex:by"`, `{{ title }} "ex:by"`},
		{"a brace that opens is gone", `"ex:by": {`, `"ex:by": `},
		{"a brace that closes is gone", "      },\n", ""},
		{"a bracket too many", `"ex:title"`, `], "ex:title"`},
		{"the first half is gone", "{\n      \"@id\": \"ex:d2\",\n      \"@type\": \"ex:Da", ""},
	} {
		for _, oneLine := range []bool{false, true} {
			t.Run(fmt.Sprint(c.name, oneLine), func(t *testing.T) {
				items := make([]string, 9)
				for i := range items {
					if items[i] = item(i); i == 2 {
						items[i] = strings.Replace(items[i], c.from, c.to, 1)
					}
				}
				text := "{\"@context\": {\"ex\": \"http://e/\"},\n  \"@id\": \"ex:c\",\n  \"ex:dataset\": [\n" + strings.Join(items, ",\n") + "\n  ],\n  \"ex:last\": 1\n}\n"
				if oneLine {
					text = squeeze(text)
				}
				got := strings.Join(read(t, text, jsonld.Options{}).Lines(), "\n")
				for i := range items {
					if i == 2 {
						continue
					}
					for _, want := range []string{
						fmt.Sprintf("<http://e/c> <http://e/dataset> <http://e/d%d>", i),
						fmt.Sprintf("<http://e/d%d> <http://e/title> \"T%d\"", i, i),
						fmt.Sprintf(" <http://e/name> \"N%d\"", i),
					} {
						if !strings.Contains(got, want) {
							t.Errorf("%s is lost of\n%s", want, text)
						}
					}
				}
				if !strings.Contains(got, "<http://e/c> <http://e/last>") {
					t.Errorf("what follows the array is lost of\n%s", text)
				}
			})
		}
	}
}
