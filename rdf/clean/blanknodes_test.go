package clean_test

import (
	"slices"
	"strconv"
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
	if got := named(t, clean.Options{Genid: "http://me.example/x"}, blank("a")); got != "<http://me.example/x/.well-known/genid/"+key+
		"/a>" {
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

// Each row is one document: the labels that its statements name, in order.
func TestLabelsOfADocumentStayApart(t *testing.T) {
	lines := clean.Options{KeepBlankNodes: true}
	other := clean.Options{KeepBlankNodes: true, HasAnonymous: true}
	for _, c := range []struct {
		options      clean.Options
		labels, want string
	}{
		// N-Triples and N-Quads: what N-Quads can write is itself, until a label comes that it can't
		{lines, "a 0-1 00-1 0-x61 00-x61", "a 0-1 00-1 0-x61 00-x61"},
		{lines, "a:b a.3A_b", "0-x613a62 a.3A_b"},
		{lines, "a:b 0-x613a62", "0-x613a62 00-x613a62"},
		{lines, "0-x613a62 a:b", "0-x613a62 00-x613a62"},
		{lines, "0-x61 000-x61 a:b 0-x61 00-x61 000-x61 0000-x61 00000-x61",
			"0-x61 000-x61 0000-x613a62 0-x61 00-x61 000-x61 00000-x61 000000-x61"},
		{lines, "a:b a/b a:b", "0-x613a62 0-x612f62 0-x613a62"},
		{lines, "a:b 0-1 00-1", "0-x613a62 0-1 00-1"},
		{lines, "a. .a -a a%3Ab ::", "0-x612e 0-x2e61 0-x2d61 0-x6125334162 0-x3a3a"},
		{lines, "0-x 0-y 0-x6g 0-x6A a:b", "0-x 0-y 0-x6g 0-x6A 00-x613a62"},
		// others: labels of the shapes made here always get one more 0
		{other, "0-1 00-1 0-x61 00-x61 a:b", "00-1 000-1 00-x61 000-x61 0-x613a62"},
		{other, "a:b 0-x613a62 00-x613a62", "0-x613a62 00-x613a62 000-x613a62"},
		{other, "a.3A_b a:b", "a.3A_b 0-x613a62"},
		{clean.Options{}, "a:b a%3Ab a.3A_b -1 --1 . .. ... .a %2E", "a%3Ab a%253Ab a.3A_b %2D1 %2D-1 %2E %2E. ... .a %252E"},
	} {
		got := namesOf(t, c.options, strings.Fields(c.labels)...)
		for i := range got {
			got[i] = strings.TrimPrefix(got[i], "_:")
			got[i] = strings.TrimSuffix(strings.TrimPrefix(got[i], "<https://lodlaundromat.org/.well-known/genid/"+key+"/"), ">")
		}
		if joined := strings.Join(got, " "); joined != c.want {
			t.Errorf("%s: got %s, want %s", c.labels, joined, c.want)
		}
	}
}

// namesOf is what one chain writes for labels, each subject of a statement. A label that is a number
// after a # is a node without one.
func namesOf(t *testing.T, options clean.Options, labels ...string) (names []string) {
	t.Helper()
	var quads []rdf.Quad
	for _, label := range labels {
		node := blank(label)
		if number, is := strings.CutPrefix(label, "#"); is {
			n, _ := strconv.ParseUint(number, 10, 64)
			node = anonymous(n)
		}
		quads = append(quads, quad(node, iri("http://e/p"), node))
	}
	w := wash(t, options, quads...)
	if len(w.lines) != len(labels) || len(w.notices) != 0 {
		t.Fatalf("%q: got %q, %s", labels, w.lines, w.found())
	}
	for _, line := range w.lines {
		line = string(clean.AppendWithKey(nil, []byte(line), key))
		name, _, _ := strings.Cut(line, " ")
		if want := name + " <http://e/p> " + name + " ."; line != want {
			t.Fatalf("a node has one name: %q", line)
		}
		names = append(names, name)
	}
	return names
}

// A document names three labels and a node without one, then the same again in another order. Two
// names are alike if the labels are, and what comes out keeps its name when it is washed again.
func FuzzBlankNodesNeverCollide(f *testing.F) {
	f.Add("0-1", "00-1", "000-1", uint64(1))
	f.Add("-1", "%2D1", "--1", uint64(1))
	f.Add("a b", "0-x612062", "00-x612062", uint64(0x61))
	f.Add("0-x613a62", "a:b", "00-x613a62", uint64(2))
	f.Add("a.3A_b", "a:b", "0-x6", uint64(2))
	f.Add(".", "..", "%2E", uint64(3))
	f.Fuzz(func(t *testing.T, a, b, c string, n uint64) {
		for _, label := range []string{a, b, c} {
			if label == "" || label[0] == '#' || !utf8.ValidString(label) {
				return
			}
		}
		if n == 0 {
			return
		}
		for _, options := range []clean.Options{{}, {KeepBlankNodes: true}, {KeepBlankNodes: true, HasAnonymous: true},
			{KeepBlankNodes: true, JoinedDocuments: true}, {KeepBlankNodes: true, HasAnonymous: true, JoinedDocuments: true}} {
			labels := []string{a, b, c, c, a, b}
			if !options.KeepBlankNodes || options.HasAnonymous {
				labels = append(labels, "#"+strconv.FormatUint(n, 10))
			}
			names := namesOf(t, options, labels...)
			for i := range labels {
				for j := range i {
					if (labels[i] == labels[j]) != (names[i] == names[j]) {
						t.Fatalf("%+v: %q became %q", options, labels, names)
					}
				}
			}
			if !options.KeepBlankNodes {
				continue
			}
			var clear []string
			for _, name := range names {
				clear = append(clear, strings.TrimPrefix(name, "_:"))
			}
			if again := namesOf(t, clean.Options{KeepBlankNodes: true}, clear...); !slices.Equal(again, names) {
				t.Fatalf("%+v: %q became %q, and washed again %q", options, labels, names, again)
			}
			// after and before what it was made of
			for _, both := range [][]string{append(slices.Clone(labels), clear...), append(slices.Clone(clear), labels...)} {
				all := namesOf(t, options, both...)
				for i := range both {
					for j := range i {
						if (both[i] == both[j]) != (all[i] == all[j]) {
							t.Fatalf("%+v: %q became %q", options, both, all)
						}
					}
				}
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
