package ttl_test

import (
	"strings"
	"testing"

	"laundromat/rdf/ttl"
)

// TestTextThatIsCalledTurtleHandsOverAtWhatOnlyTurtleHas tests both sides. Sound statements of Turtle
// on one line are read where the document is called so, and are broken lines where it is not. What is
// sound in neither language is a broken line in both.
func TestTextThatIsCalledTurtleHandsOverAtWhatOnlyTurtleHas(t *testing.T) {
	const before = "<a:s> <a:p> <a:o> .\n"
	for _, test := range []struct {
		line  string
		quads int // where it is called Turtle; 0 if it is a broken line there too
	}{
		{`<a:s> <a:p> "y", "z" .`, 2},
		{`<a:s> <a:p> "y"@en, "z"^^<a:t>, _:b .`, 3},
		{`<a:s> <a:p> <a:o> ; <a:q> 5, true .`, 3},
		{`<a:s> <a:p> <a:o> ;; .`, 1},
		{`<a:s> a <a:t> ; <a:p> [ <a:q> "x" ] .`, 3},
		{`<a:s> <a:p> [] .`, 1},
		{`[ <a:q> "x" ] .`, 1},
		{`[] <a:q> "x" .`, 1},
		{`<a:s> <a:p> ( "x" "y" ) .`, 5},
		{`<a:s> <a:p> <a:o> {| <a:q> "x" |} .`, 3},
		{`<a:s> <a:p> <a:o> ~ <a:r> .`, 2},
		{`<a:s> <a:p> "y" "z", "x" .`, 0},
		{`<a:s> <a:p> <a:o> <a:g>, <a:h> .`, 0},
		{`<a:s> <a:p>, <a:o> .`, 0},
		{`<a:s> ; .`, 0},
		{`<a:s> <a:p> "y", n:z .`, 0},
		{`<a:s> <a:p> "y", "z`, 0},
		{`<a:s> <a:p> "y"^^"z", <a:o> .`, 0},
		{`<a:s> <a:p> [ <a:q> "x" .`, 0},
	} {
		in := before + test.line + "\n" + before
		for _, called := range []bool{true, false} {
			opt := ttl.Options{MayHandOver: true, CalledTurtle: called}
			want, syntax, lost := 2, ttl.NTriples, 1
			if called && test.quads > 0 {
				want, syntax, lost = 2+test.quads, ttl.Turtle, 0
			}
			c, found := read(t, strings.NewReader(in), opt)
			dropped := 0
			for _, n := range c.Notices {
				dropped += n.Lost
			}
			if found != syntax || len(c.Quads) != want || dropped != lost {
				t.Errorf("%s, called Turtle %v: %v with %d quads and %d lost, not %v with %d and %d\n%s",
					test.line, called, found, len(c.Quads), dropped, syntax, want, lost, dump(c))
			}
			checkLaws(t, []byte(in), opt, 1, 2, 3, 16)
		}
	}
}

// TestAStringOverSeveralLinesHandsOver tests a sound statement with a string in three quotes that
// goes on over the line end. It is read. The quotes of two broken lines make no such string.
func TestAStringOverSeveralLinesHandsOver(t *testing.T) {
	const before = "<a:s> <a:p> <a:o> .\n"
	for _, test := range []struct {
		text string
		want ttl.Syntax
	}{
		{"<a:s> <a:p> \"\"\"one\ntwo\"\"\"@en .\n", ttl.Turtle},
		{"_:b a '''\n\n'''^^<a:t> .\n", ttl.Turtle},
		{"<a:s> <a:p> \"\"\"one\ntwo\"\"\"\n.\n", ttl.Turtle},
		{"<a:s> <a:p> \"\"\"one .\n<a:s> <a:p> \"\"\"two\"\"\" .\n", ttl.NTriples},
		{"<a:s> <a:p> \"\"\"one\ntwo .\n", ttl.NTriples},
		{"<a:s> <a:p> \"\"\"one\ntwo\"\"\" <a:o> .\n", ttl.NTriples},
		{"<a:s> \"\"\"one\ntwo\"\"\" <a:o> .\n", ttl.NTriples},
		{"<a:s> <a:p> [ <a:q> \"\"\"one\ntwo\"\"\" .\n", ttl.NTriples},
	} {
		in := before + test.text + before
		opt := ttl.Options{MayHandOver: true}
		c, found := read(t, strings.NewReader(in), opt)
		if sound := len(c.Quads) == 3 && len(c.Notices) == 0; found != test.want || sound != (found == ttl.Turtle) {
			t.Errorf("%q: %v, not %v\n%s", test.text, found, test.want, dump(c))
		}
		checkLaws(t, []byte(in), opt, 1, 2, 3, 16)
	}
}
