package rdfa_test

import (
	"strings"
	"testing"

	"laundromat/markup/page"
)

// TestWhatALinkHoldsIsSaidOfItsTarget: an element that only leads somewhere is passed over, unless something in it, or
// around it, makes statements with where it leads.
func TestWhatALinkHoldsIsSaidOfItsTarget(t *testing.T) {
	const title, relation = " <http://purl.org/dc/terms/title> ", " <http://purl.org/dc/terms/relation> "
	for name, row := range map[string]struct{ text, quad string }{
		"nothing": {`<a href="x" class="c"><img src="y" alt="T"><b lang="en">T</b></a>`, ""},
		"a property": {`<a href="x"><i class="c"><b property="dc:title">T</b></i></a>`,
			`<http://b/x>` + title + `"T" .`},
		"a property in its language": {`<a href="x" lang="en"><i><b property="dc:title">T</b></i></a>`,
			`<http://b/x>` + title + `"T"@en .`},
		"a property in another link": {`<object src="x"><img src="y"><a href="z"><b property="dc:title">T</b></a></object>`,
			`<http://b/z>` + title + `"T" .`},
		"a property after many others": {`<a href="x">` + strings.Repeat("<i>T</i>", 300) + `<b property="dc:title">T</b></a>`,
			`<http://b/x>` + title + `"T" .`},
		"a property deep in it": {`<div src="x">` + strings.Repeat("<div class='c'>", 100) + `<b property="dc:title">T</b>`,
			`<http://b/x>` + title + `"T" .`},
		"a type": {`<a href="x"><b typeof="schema:Thing"></b></a>`,
			`_:0-1 <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://schema.org/Thing> .`},
		"a relation around it": {`<p rel="dc:relation"><i class="c"><a href="x"><b>T</b></a></i></p>`,
			`<http://b/>` + relation + `<http://b/x> .`},
		"a relation the other way": {`<p rev="dc:relation"><i><img src="x"></i></p>`,
			`<http://b/x>` + relation + `<http://b/> .`},
		"a relation in it": {`<object src="x"><link rel="dc:relation" href="y"></object>`,
			`<http://b/x>` + relation + `<http://b/y> .`},
		"prefixes": {`<a href="x" prefix="e: http://e/"><i><b property="e:t">T</b></i></a>`,
			`<http://b/x> <http://e/t> "T" .`},
	} {
		got := read(t, "<!DOCTYPE html><body><div>"+row.text, page.Options{}).Lines()
		if strings.Join(got, "\n") != row.quad {
			t.Errorf("%s: %q, not %q", name, got, row.quad)
		}
	}
}
