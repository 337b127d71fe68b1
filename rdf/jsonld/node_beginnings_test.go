package jsonld_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/rdf/jsonld"
)

// The second half of an item and the first of the one behind the next are gone. The one between is
// then known by its first names. No node in an item begins with those.
func TestItemsAreKnownByTheirFirstNames(t *testing.T) {
	item := func(i int) string {
		return fmt.Sprintf(`{"@id":"http://e/%d","@type":"http://t/a","a":[{"@id":"http://e/%d/a"},{"b":"v %d","c":"w %d"}],"d":"x %d"}`, i, i, i, i, i)
	}
	var all []string
	for i := range 130 {
		text := item(i)
		switch i {
		case 110:
			text = text[:strings.Index(text, `/a"}`)-3] + "\x00"
		case 112:
			text = text[:strings.Index(text, `"d"`)]
		}
		all = append(all, text)
	}
	text := `{"@context":{"@vocab":"http://p/"},"@graph":[` + strings.ReplaceAll(strings.Join(all, ","), "\x00,", "") + "]}"
	got := read(t, text, jsonld.Options{})
	lines := strings.Join(got.Lines(), "\n")
	for i := range 130 {
		if want := fmt.Sprintf("<http://e/%d> <http://p/d> \"x %d\"", i, i); i != 110 && i != 112 && !strings.Contains(lines, want) {
			t.Errorf("lost: %s\n%v", want, shown(got.Notices))
		}
	}
	for i, line := range got.Lines() {
		if !got.Quads[i].Repaired && (strings.Contains(line, "http://e/110> <http://p/a> <http://e/111>") || strings.Contains(line, "http://e/112> <http://p/a> <http://e/113>")) {
			t.Errorf("invented: %s", line)
		}
	}
}
