package clean_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"laundromat/rdf"
	"laundromat/rdf/clean"
)

const key = "0123456789abcdef0123456789abcdef"

// named is what the chain writes for a blank node, with the key filled in.
func named(t *testing.T, options clean.Options, node rdf.Term) string {
	t.Helper()
	p := iri("http://e/p")
	w := wash(t, options, quad(node, p, node, node))
	if len(w.lines) != 1 || len(w.notices) != 0 {
		t.Fatalf("got %q, %s", w.lines, w.found())
	}
	got := string(clean.AppendWithKey(nil, []byte(w.lines[0]), key))
	name, _, _ := strings.Cut(got, " ")
	if want := name + " <http://e/p> " + name + " " + name + " ."; got != want {
		t.Fatalf("a node has one name: %q", got)
	}
	return name
}

func TestBlankNodesBecomeIRIs(t *testing.T) {
	const at = "<https://lodlaundromat.org/.well-known/genid/" + key + "/"
	for _, c := range []struct {
		node rdf.Term
		want string
	}{
		{blank("a"), at + "a>"},
		{blank("b0_.~-"), at + "b0_.~->"},
		{blank("-1"), at + "%2D1>"},
		{blank("a:é/ "), at + "a%3A%C3%A9%2F%20>"},
		{anonymous(1), at + "-1>"},
		{anonymous(18446744073709551615), at + "-18446744073709551615>"},
	} {
		if got := named(t, clean.Options{}, c.node); got != c.want {
			t.Errorf("%+v: got %s", c.node, got)
		}
	}
	if got := named(t, clean.Options{Genid: "http://me.example/x"}, blank("a")); got != "<http://me.example/x/.well-known/genid/"+key+"/a>" {
		t.Errorf("got %s", got)
	}
}

func TestKeptBlankNodes(t *testing.T) {
	lines := clean.Options{KeepBlankNodes: true}
	other := clean.Options{KeepBlankNodes: true, HasAnonymous: true}
	joined := clean.Options{KeepBlankNodes: true, HasAnonymous: true, JoinedDocuments: true}
	for _, c := range []struct {
		options clean.Options
		node    rdf.Term
		want    string
	}{
		{lines, blank("a.b"), "_:a.b"},
		{lines, blank("0-1"), "_:0-1"},
		{lines, blank("a:b"), "_:0-x613a62"},
		{other, blank("a.b"), "_:a.b"},
		{other, blank("0-1"), "_:00-1"},
		{other, blank("00-12"), "_:000-12"},
		{other, blank("0-"), "_:0-"},
		{other, blank("0-1a"), "_:0-1a"},
		{other, blank("1-1"), "_:1-1"},
		{other, anonymous(1), "_:0-1"},
		{other, blank("a b"), "_:0-x612062"},
		{other, blank("a."), "_:0-x612e"},
		{other, blank("0-x61"), "_:00-x61"},
		{other, blank("éa"), "_:éa"},
		{joined, blank("a"), "_:" + key + "_a"},
		{joined, blank("0-1"), "_:" + key + "_00-1"},
		{joined, anonymous(1), "_:" + key + "_0-1"},
	} {
		if got := named(t, c.options, c.node); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.node, got, c.want)
		}
	}
}

func FuzzBlankNodesNeverCollide(f *testing.F) {
	f.Add("0-1", "00-1", uint64(1))
	f.Add("-1", "%2D1", uint64(1))
	f.Add("a b", "0-x612062", uint64(0x61))
	f.Fuzz(func(t *testing.T, a, b string, n uint64) {
		if a == b || a == "" || b == "" || n == 0 || !utf8.ValidString(a) || !utf8.ValidString(b) {
			return
		}
		for _, options := range []clean.Options{{}, {KeepBlankNodes: true, HasAnonymous: true}} {
			x, y, z := named(t, options, blank(a)), named(t, options, blank(b)), named(t, options, anonymous(n))
			if x == y || x == z || y == z {
				t.Fatalf("%q %q %d: %s %s %s", a, b, n, x, y, z)
			}
		}
	})
}

func TestKeyIsFilledInEverywhere(t *testing.T) {
	for _, c := range [][2]string{{"", ""}, {"abc", "abc"}, {"\x01", "K"}, {"a\x01b\x01", "aKbK"}} {
		if got := string(clean.AppendWithKey([]byte(">"), []byte(c[0]), "K")); got != ">"+c[1] {
			t.Errorf("%q: got %q", c[0], got)
		}
	}
}
