package weblink_test

import (
	"strings"
	"testing"

	"laundromat/internal/weblink"
)

func isTurtle(mediaType string) bool { return mediaType == "text/turtle" }

// found says whether a page has a link to Turtle by its tokens.
func found(page string) bool {
	_, links, _ := weblink.Page(strings.NewReader(page))
	for _, l := range links {
		if isTurtle(l.Type) {
			return true
		}
	}
	return false
}

const turtleLink = `rel=alternate href=x>`

// TestAPageThatMayNotLeadHasNoLink: a page is only taken for one without links where its tokens have none.
func TestAPageThatMayNotLeadHasNoLink(t *testing.T) {
	for page, may := range map[string]bool{
		`<link type="text/turtle" ` + turtleLink:                           true,
		`<LINK TYPE = 'Text/Turtle; charset=x' ` + turtleLink:              true,
		`<link title="a"type=text/turtle ` + turtleLink:                    true,
		`<link/type=text/turtle ` + turtleLink:                             true,
		`<a type="text&#47;turtle" ` + turtleLink:                          true,
		"<link type\n=\ttext/turtle " + turtleLink:                         true,
		`<link <script type=text/turtle ` + turtleLink:                     true,
		`<link a=<script type=text/turtle ` + turtleLink:                   true,
		`<link a="> <script " type=text/turtle ` + turtleLink:              true,
		`<p><link a='> <script' type=text/turtle ` + turtleLink:            true,
		`<!-- > --><link type=text/turtle ` + turtleLink:                   true,
		`text <script type="text/turtle">x</script>`:                       true, // nobody looks closer
		`<p><script type="text/turtle">x</script>`:                         false,
		"<head>\n<SCRIPT async type=text/turtle>x</script>":                false,
		`<link data-type="text/turtle" ` + turtleLink:                      false,
		`<link type="text/css" ` + turtleLink + `<link type=text/turtles>`: false,
		`<link a="type=text/turtle" ` + turtleLink:                         false,
		`<p>type of text/turtle, type==text/turtle`:                        false,
		``:                                     false,
		`type=text/turtle`:                     false,
		`<link type=`:                          false,
		`<link type="text/turtle`:              true,
		`<p><script a="b" type="text/turtle">`: true,
		`<p><script>x = '<script type=text/turtle>' + "<link type=x>"</script>`: true,
	} {
		if got := weblink.MayLeadTo([]byte(page), isTurtle); got != may || found(page) && !got {
			t.Errorf("%s: %v, its tokens say %v", page, got, found(page))
		}
	}
}

func FuzzAPageThatMayNotLeadHasNoLink(f *testing.F) {
	for _, page := range []string{`<link a="> <script " type=text/turtle ` + turtleLink, `<p><script a=b type='text/turtle'>`,
		`<!-- <a --><base href=x><a/type="text/turtle" rel=x href=y>`, `<textarea><link type=text/turtle ` + turtleLink} {
		f.Add(page)
	}
	f.Fuzz(func(t *testing.T, page string) {
		if found(page) && !weblink.MayLeadTo([]byte(page), isTurtle) {
			t.Errorf("its tokens have a link: %q", page)
		}
	})
}
