package jsonld_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf/jsonld"
)

// TestItemsOfAMemberArrayAreReadOneByOne breaks one of the nodes in the array of a member, as the
// datasets of a catalog are. The others are saved with what says that they belong to it.
func TestItemsOfAMemberArrayAreReadOneByOne(t *testing.T) {
	item := func(i int) string {
		return fmt.Sprintf(
			"    {\n      \"@id\": \"ex:d%d\",\n      \"@type\": \"ex:Dataset\",\n      \"ex:by\": {\n        \"ex:name\": \"N%d\"\n      },\n      \"ex:title\": \"T%d\"\n    }",
			i, i, i)
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
				text := "{\"@context\": {\"ex\": \"http://e/\"},\n  \"@id\": \"ex:c\",\n  \"ex:dataset\": [\n" +
					strings.Join(items, ",\n") + "\n  ],\n  \"ex:last\": 1\n}\n"
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

// nested writes nodes on lines of their own, each with a node in it; change changes the text of the one at a place.
func nested(count, at int, change func(string) string) string {
	text := "{\n  \"@context\": {\"@vocab\": \"http://p/\"},\n  \"@graph\": [\n"
	for i := range count {
		node := fmt.Sprintf(
			"    {\n      \"@id\": \"http://e/%[1]d\",\n      \"@type\": \"T\",\n      \"has\": [{\n        \"@id\": \"http://e/in/%[1]d\",\n        \"name\": \"n%[1]d\"\n      }, %[1]d],\n      \"age\": %[1]d\n    }",
			i)
		if i == at {
			node = change(node)
		}
		if text += node; i < count-1 {
			text += ","
		}
		text += "\n"
	}
	return text + "  ]\n}\n"
}

// Where the line with the brace of a node is lost, what is said of that node is lost. What is said of
// the nodes in it is not.
func TestANodeInOneWithoutItsBraceIsRead(t *testing.T) {
	const count = 6
	for at := 1; at < count; at++ { // before the first the text may have held anything
		got := read(t, nested(count, at, func(node string) string { return strings.Replace(node, "    {\n", "    \n", 1) }),
			jsonld.Options{})
		lines := got.Lines()
		for i := range count {
			inner := fmt.Sprintf("<http://e/in/%[1]d> <http://p/name> \"n%[1]d\" .", i)
			own := fmt.Sprintf("<http://e/%[1]d> <http://p/age> \"%[1]d\"^^<http://www.w3.org/2001/XMLSchema#integer> .", i)
			if !slices.Contains(lines, inner) || slices.Contains(lines, own) != (i != at) {
				t.Errorf("without the brace of node %d: node %d of %q: %v", at, i, lines, shown(got.Notices))
			}
		}
	}
}

// Bytes that mean nothing before the first name of a node don't tell in which column its names stand.
func TestNoiseBeforeAFirstNameCostsNothing(t *testing.T) {
	const count = 6
	for _, noise := range []string{"\xff ", "\xff\xfe ", "\x00\x01"} {
		for at := range count {
			got := read(t, nested(count, at, func(node string) string { return strings.Replace(node, `"@id"`, noise+`"@id"`, 1) }),
				jsonld.Options{})
			if lines := got.Lines(); len(lines) != 5*count {
				t.Errorf("%q in node %d: %d statements of %d: %v", noise, at, len(lines), 5*count, shown(got.Notices))
			}
		}
	}
}
