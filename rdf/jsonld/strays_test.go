package jsonld_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/jsonld"
)

// Items behind a fault do not become values of a node before it. Whatever is wrong with items of an
// array of nodes, and whatever scalars are among them, nothing is said beyond the sound document.
func TestItemsBehindAFaultAreNoValuesOfANode(t *testing.T) {
	faults := []func(i int, item string) string{
		func(i int, item string) string { return strings.Replace(item, `",`, `" `, 1) }, // a comma is missing
		func(i int, item string) string { return "{bad}" },
		func(i int, item string) string { return `{"http://e/p"}` },
		func(i int, item string) string { return strings.Replace(item, `:"v`, `:`, 1) }, // a quotation mark is
		func(i int, item string) string { return strings.Replace(item, `"}`, `",}`, 1) },
		func(i int, item string) string { return strings.Replace(item, `"}`, `"}}`, 1) },
		func(i int, item string) string { return strings.Replace(item, `"}`, `"}]`, 1) },
		func(i int, item string) string { return item + "," },
	}
	scalars := []string{"5", `"x"`, "null", "true", "-1.5"}
	layouts := []struct{ name, head, between, tail string }{
		{"in one line", "[", ",", "]\n"},
		{"on lines", "[\n", ",\n", "\n]\n"},
		{"indented", "[\n  ", ",\n  ", "\n]\n"},
		{"in a graph", `{"@graph":[`, ",", "]}\n"},
		{"on lines in a graph", "{\"@graph\":[\n", ",\n", "\n]}\n"},
	}
	wrong := 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 22))
		var sound []string
		var items []string
		for i := range 4 + r.IntN(8) {
			item := fmt.Sprintf(`{"@id":"http://e/n%d","http://e/p":"v%d","http://e/q":"w%d"}`, i, i, i)
			for _, line := range []string{"p> \"v", "q> \"w"} {
				sound = append(sound, fmt.Sprintf("<http://e/n%d> <http://e/%s%d\" .", i, line, i))
			}
			if r.IntN(3) == 0 {
				item = faults[r.IntN(len(faults))](i, item)
			}
			items = append(items, item)
			for r.IntN(4) == 0 {
				items = append(items, scalars[r.IntN(len(scalars))])
			}
		}
		layout := layouts[seed%uint64(len(layouts))]
		text := layout.head + strings.Join(items, layout.between) + layout.tail
		got := read(t, text, jsonld.Options{})
		for _, line := range got.Lines() {
			if !slices.Contains(sound, line) && wrong < 8 {
				wrong++
				t.Errorf("%s, seed %d: %s\nis said by\n%s%s", layout.name, seed, line, text, strings.Join(shown(got.Notices), "\n"))
			}
		}
	}
}

// A scalar among nodes loses itself, and takes neither the node before it nor that behind it.
func TestAScalarAmongNodesLosesItself(t *testing.T) {
	got := read(t, `[{"@id":"http://e/a","http://e/p":"1"},{"@id":"http://e/t" "http://e/p":"2"},5,"x",null,`+
		`{"@id":"http://e/b","http://e/p":"3"},{bad},{"@id":"http://e/c","http://e/p":"4"}]`, jsonld.Options{})
	want := []string{`<http://e/a> <http://e/p> "1" .`, `<http://e/b> <http://e/p> "3" .`, `<http://e/c> <http://e/p> "4" .`,
		`<http://e/t> <http://e/p> "2" .`}
	lines := slices.Sorted(slices.Values(got.Lines()))
	told := []string{"repair syntax/json-comma 1:60 0", "drop syntax/json 1:78 1", "drop syntax/json 1:80 1", "drop syntax/json 1:84 1",
		"drop syntax/json 1:128 1"}
	if !slices.Equal(lines, want) || !slices.Equal(shown(got.Notices), told) {
		t.Errorf("%s\n%s", strings.Join(lines, "\n"), strings.Join(shown(got.Notices), "\n"))
	}
}

// A value behind one with a fault is read, also on its line, if it says what it is about. What may be
// the rest of the other is lost, and reported.
func TestAValueBehindABrokenOneOnItsLineIsRead(t *testing.T) {
	for _, row := range []struct {
		text string
		want []string
		lost int
	}{
		{`{"http://e/q":}{"@id":"http://e/t","http://e/p":"1"}`, []string{`<http://e/t> <http://e/p> "1" .`}, 1},
		{`{"http://e/q":} {"@id":"http://e/t","http://e/p":"1"} {"@id":"http://e/u","http://e/p":"2"}` + "\n",
			[]string{`<http://e/t> <http://e/p> "1" .`, `<http://e/u> <http://e/p> "2" .`}, 1},
		{`{"http://e/q":}{"@value":"x","@language":"en"}`, nil, 2},
		{`{"http://e/q":}{"http://e/p":"1"}`, nil, 2},
		{`{"http://e/q":}{"@id":"http://e/t","http://e/p":"1"}]`, nil, 2},
	} {
		got := read(t, row.text, jsonld.Options{})
		lost := 0
		for _, n := range got.Notices {
			lost += n.Lost
		}
		if lines := got.Lines(); !slices.Equal(lines, row.want) || lost != row.lost {
			t.Errorf("%s\n%v, %d lost, not %v, %d\n%v", row.text, lines, lost, row.want, row.lost, shown(got.Notices))
		}
	}
}

// A quotation mark in the middle of a name costs its member, and is told once.
func TestAQuotationMarkInANameIsToldOnce(t *testing.T) {
	for _, text := range []string{
		`{"@context":{"@vocab":"http://v/"},"@id":"http://e/t","http:"//e/p": "x","http://e/q":"y"}`,
		"{\"@context\":{\"@vocab\":\"http://v/\"},\"@id\":\"http://e/t\",\n\"http:\"//e/p\": \"x\",\n\"http://e/q\":\"y\"}\n",
		`{"@context":{"@vocab":"http://v/"},"@id":"http://e/t","http://e/r":"http:"//e/p","http://e/q":"y"}`,
		`{"@context":{"@vocab":"http://v/"},"@id":"http://e/t","ex:"p": "x","http://e/q":"y"}`,
	} {
		got := read(t, text, jsonld.Options{})
		lost := 0
		for _, n := range got.Notices {
			lost += n.Lost
		}
		if want := []string{`<http://e/t> <http://e/q> "y" .`}; !slices.Equal(got.Lines(), want) || lost != 1 {
			t.Errorf("%s\n%v\n%s", text, got.Lines(), strings.Join(shown(got.Notices), "\n"))
		}
	}
}

// What a context says with a keyword, or of the empty name, and can't say costs what needs it, and is
// reported in its place. It costs no more: what is in the node, or the document, and means the same
// without it is read.
func TestAFlawedContextEntryCostsWhatNeedsIt(t *testing.T) {
	const absolute = `<http://e/t> <http://e/p> <http://e/o> .`
	for _, row := range []struct {
		entry string
		want  []string
		lost  int
	}{
		{`"@version":2`, []string{absolute, `<http://e/t> <http://e/q> "x" .`, `<http://e/t> <http://e/r> <http://b/rel> .`,
			`<http://e/t> <http://w/s> "y"@en .`}, 0},
		{`"@language":5`, []string{absolute, `<http://e/t> <http://e/r> <http://b/rel> .`, `<http://e/t> <http://w/s> "y"@en .`}, 1},
		{`"@base":5`, []string{absolute, `<http://e/t> <http://e/q> "x" .`, `<http://e/t> <http://w/s> "y"@en .`}, 1},
		{`"@base":"::"`, []string{absolute, `<http://e/t> <http://e/q> "x" .`, `<http://e/t> <http://w/s> "y"@en .`}, 1},
		{`"@vocab":5`, []string{absolute, `<http://e/t> <http://e/q> "x" .`, `<http://e/t> <http://e/r> <http://b/rel> .`}, 1},
		{`"@direction":"up"`, []string{absolute, `<http://e/t> <http://e/q> "x" .`, `<http://e/t> <http://e/r> <http://b/rel> .`,
			`<http://e/t> <http://w/s> "y"@en .`}, 0},
		{`"":"http://e/x"`, []string{absolute, `<http://e/t> <http://e/q> "x" .`, `<http://e/t> <http://e/r> <http://b/rel> .`,
			`<http://e/t> <http://w/s> "y"@en .`}, 0},
	} {
		vocab := `{"@vocab":"http://w/"},`
		text := `{"@context":[` + vocab + `{` + row.entry + `}],"@id":"http://e/t","http://e/p":{"@id":"http://e/o"},"http://e/q":"x",` +
			`"http://e/r":{"@id":"rel"},"s":{"@value":"y","@language":"en"}}`
		got := read(t, text, jsonld.Options{})
		lost := 0
		for _, n := range got.Notices {
			lost += n.Lost
		}
		lines := slices.Sorted(slices.Values(got.Lines()))
		if !slices.Equal(lines, row.want) || lost != row.lost {
			t.Errorf("%s: %d lost, not %d\n%s\nnot\n%s\n%s", row.entry, lost, row.lost, strings.Join(lines, "\n"),
				strings.Join(row.want, "\n"), strings.Join(shown(got.Notices), "\n"))
		}
		first := fault.Notice{}
		if len(got.Notices) > 0 {
			first = got.Notices[0]
		}
		if at := int64(strings.Index(text, row.entry) + strings.Index(row.entry, `":`) + 2); first.Severity != fault.Drop ||
			first.Offset != at {
			t.Errorf("%s: told at %d and not %d: %s", row.entry, first.Offset, at, first.Message)
		}
	}
}

// What needs a base, or a vocabulary, that is lost is not made of the one before it.
func TestALostBaseGivesNoIRI(t *testing.T) {
	for _, contexts := range []string{
		`[{"@base":5},{"@base":"sub/"}]`, `{"@base":5,"@vocab":""}`, `[{"@vocab":"http://w/"},{"@vocab":5},{"@vocab":"x"}]`,
		`[{"@base":5,"@vocab":5},{"@base":"sub/","@vocab":"#"}]`,
	} {
		got := read(t, `{"@context":`+contexts+`,"@id":"http://e/t","@type":"T","s":"x","http://e/r":{"@id":"rel"}}`, jsonld.Options{})
		for _, line := range got.Lines() {
			if line != `<http://e/t> <http://e/r> <http://b/rel> .` || strings.Contains(contexts, "base") {
				t.Errorf("%s: %s", contexts, line)
			}
		}
	}
}
