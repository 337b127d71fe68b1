package peers_test

import (
	"strings"
	"testing"

	"laundromat/internal/fault"
)

// The documents are legal, and each ends a process that has knakk/rdf read it. Its lexer runs in a
// goroutine of its own, where no caller can catch a panic.
func TestTwoShortDocumentsEndAProcessThatUsesKnakk(t *testing.T) {
	for _, text := range []string{
		"<http://e/s> <http://e/p>\n.5 .",      // a decimal at the begin of a line
		`<http://e/s> <http://e/p> """"a""" .`, // a long string that begins with a quote
	} {
		q := request{"turtle", "http://e/", []byte(text)}
		if a := newChild(t).ask(q); !strings.HasPrefix(a.Error, died+"panic: ") {
			t.Errorf("%s: not ended by a panic any more, but %+v", text, a)
		}
		if c := ours(t, q); len(c.Quads) != 1 || c.Worst() >= fault.Repair {
			t.Errorf("%s: ours gives %q and %v", text, c.Lines(), c.Notices)
		}
	}
}

// What the second opinion does without a word, and why it is no reader of ours.
func TestKnakkChangesTextWithoutAWord(t *testing.T) {
	for _, test := range []struct{ why, text, theirs, right string }{
		{"Turtle §6.2: # begins no comment within a string",
			"<http://e/s> <http://e/p> \"\"\"one\n# two\nthree\"\"\" .", "three", "one\n# two\nthree"},
		{"RFC 3986 §5.2.3: the last segment of the base is replaced",
			"@base <http://e/a/b> . <http://e/s> <http://e/p> <c> .", "http://e/a/bc", "http://e/a/c"},
	} {
		q := request{"turtle", "http://e/", []byte(test.text)}
		if a := newChild(t).ask(q); a.Error != "" || len(a.Quads) != 1 || string(a.Quads[0].Object.Value) != test.theirs {
			t.Errorf("%s: knakk: %+v", test.why, a)
		}
		if c := ours(t, q); len(c.Quads) != 1 || string(c.Quads[0].Object.Value) != test.right {
			t.Errorf("%s: ours: %q", test.why, c.Lines())
		}
	}
	// Turtle §2.6: an anonymous node is none of those with a label.
	q := request{"turtle", "http://e/", []byte("<http://e/s> <http://e/p> _:b1, [] .")}
	if a := newChild(t).ask(q); len(a.Quads) != 2 || string(a.Quads[0].Object.Value) != string(a.Quads[1].Object.Value) {
		t.Errorf("knakk tells _:b1 and [] apart: %+v", a)
	}
	if c := ours(t, q); len(c.Quads) != 2 || c.Lines()[0] == c.Lines()[1] {
		t.Errorf("ours: %q", c.Lines())
	}
}

// Contexts of a line, and one value, that make json-gold panic in the goroutine of its caller. One
// ends the process by a stack that grows without end. Ours reads each to its end.
func TestShortContextsEndAProcessThatUsesJSONGold(t *testing.T) {
	for _, test := range []struct{ text, panics string }{
		{`{"@context":{"@protected":null},"a":"b"}`, "panic: interface conversion: interface {} is nil, not bool"},
		{`{"@context":{"a":{"@id":"http://e/","@container":1}},"a":{"x":"b"}}`,
			"panic: interface conversion: interface {} is float64, not string"},
		{`{"@context":"http://e/self","a":"b"}`, "runtime: goroutine stack exceeds"},
		{`{"@id":"http://e/s","http://e/p":{"@type":[],"@value":"a"}}`, "panic: runtime error: index out of range [0] with length 0"},
	} {
		q := request{"jsonld", "http://e/", []byte(test.text)}
		if a := newChild(t).ask(q); !strings.HasPrefix(a.Error, died+test.panics) {
			t.Errorf("%s: not ended by %q, but %+v", test.text, test.panics, a)
		}
		ours(t, q)
	}
}
