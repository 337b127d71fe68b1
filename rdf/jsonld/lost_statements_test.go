package jsonld_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/jsonld"
	"laundromat/rdf/rdftest"
)

// lostBy is how many statements the findings say are lost.
func lostBy(got *rdftest.Collector) (n int) {
	for _, one := range got.Notices {
		n += one.Lost
	}
	return n
}

// brokenDocument is a document of which some nodes are broken, by a generator that knows what that costs.
type brokenDocument struct {
	*rand.Rand
	kept, lost int
	nodes      int
}

// value writes a value of a property, with the statement that leads to it, and counts into n.
func (d *brokenDocument) value(depth int, n, within *int) string {
	switch k := d.IntN(6); {
	case k == 0 && depth < 3:
		*n++ // what leads to it
		return d.node(depth+1, within)
	case k == 1:
		var items []string
		for range d.IntN(4) {
			items = append(items, d.value(depth, n, within))
		}
		return "[" + strings.Join(items, ",") + "]"
	case k == 2:
		var items []string
		for range d.IntN(3) {
			*n += 2
			items = append(items, `"i"`)
		}
		*n++
		return `{"@list":[` + strings.Join(items, ",") + `]}`
	case k == 3:
		*n++
		return `{"@value":"v","@type":"http://e/T"}`
	case k == 4:
		return "null"
	}
	*n++
	return fmt.Sprintf("%d", d.IntN(100))
}

// node writes a sound node with what it says.
func (d *brokenDocument) node(depth int, n *int) string {
	d.nodes++
	members := []string{fmt.Sprintf(`"@id":"http://e/n%d"`, d.nodes)}
	for i := range d.IntN(3) {
		members = append(members, fmt.Sprintf(`"http://e/p%d":%s`, i, d.value(depth, n, n)))
	}
	if d.IntN(3) == 0 {
		*n += 2
		members = append(members, `"@type":["http://e/T","http://e/U"]`)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// broken writes a node with a fault. What is in it is lost or kept as the fault has it.
func (d *brokenDocument) broken() string {
	switch d.IntN(6) {
	case 0: // the name: what is said of it is lost, and not what others in it say
		return fmt.Sprintf(`{"@id":5,"http://e/p":%s,"http://e/q":%s}`, d.value(0, &d.lost, &d.kept), d.value(0, &d.lost, &d.kept))
	case 1: // a name that may be another
		return fmt.Sprintf(`{"@di":"http://e/a","http://e/p":%s}`, d.value(0, &d.lost, &d.kept))
	case 2: // the context: names that it may define are lost, with all in them
		return fmt.Sprintf(`{"@context":5,"@id":"http://e/a","name":%s,"http://e/p":%s}`, d.value(0, &d.lost, &d.lost),
			d.value(0, &d.kept, &d.kept))
	case 3: // the node as a whole
		return fmt.Sprintf(`{"@id":"http://e/a","@index":5,"http://e/p":%s,"http://e/q":%s}`, d.value(0, &d.lost, &d.lost),
			d.value(0, &d.lost, &d.lost))
	case 4: // the definition of a term
		return fmt.Sprintf(`{"@context":{"t":{"@id":5}},"@id":"http://e/a","t":%s,"http://e/p":%s}`, d.value(0, &d.lost, &d.lost),
			d.value(0, &d.kept, &d.kept))
	default: // a type
		d.lost++
		return fmt.Sprintf(`{"@id":"http://e/a","@type":[7],"http://e/p":%s}`, d.value(0, &d.kept, &d.kept))
	}
}

// What is lost counts as the statements that it would have made, and no more.
func TestWhatIsLostCountsAsItsStatements(t *testing.T) {
	for seed := range uint64(400) {
		d := &brokenDocument{Rand: rand.New(rand.NewPCG(seed, 42))}
		var items []string
		for range 1 + d.IntN(4) {
			if d.IntN(2) == 0 {
				items = append(items, d.broken())
			} else {
				items = append(items, d.node(0, &d.kept))
			}
		}
		text := "[" + strings.Join(items, ",\n") + "]"
		got := read(t, text, jsonld.Options{})
		if len(got.Quads) != d.kept || lostBy(got) != d.lost {
			t.Fatalf("seed %d: %d kept and %d lost, not %d and %d\n%s\n%s\n%s", seed, len(got.Quads), lostBy(got), d.kept, d.lost, text,
				strings.Join(got.Lines(), "\n"), strings.Join(shown(got.Notices), "\n"))
		}
	}
}

// Each fault costs what can't be known without it, and that is counted as it is.
func TestFaultsOfNamesAndContextsAreCounted(t *testing.T) {
	const s, p = `"@id":"http://e/s"`, `"http://e/p":"x"`
	for _, c := range []struct {
		text       string
		kept, lost int
	}{
		{`{"@id":5,` + p + `}`, 0, 1},
		{`{"@id":{},` + p + `,"@type":["http://e/T","http://e/U"]}`, 0, 3},
		{`{"@id":["http://e/s"],"http://e/p":["x","y"]}`, 0, 2},
		{`{"@id":true,"http://e/p":{"@list":["x","y"]}}`, 0, 5},
		{`{"@id":5,"http://e/p":{"@list":[]}}`, 0, 1},
		{`{"@id":5,"http://e/p":{"@id":"http://e/o","http://e/q":"y"}}`, 1, 1},
		{`{"@id":5,"@reverse":{"http://e/p":{"@id":"http://e/o","http://e/q":"y"}}}`, 1, 1},
		{`{"@id":5,"@graph":[{` + s + `,` + p + `},{` + s + `,"http://e/p":["x","y"]}]}`, 0, 3},
		{`{"@id":5,"@included":[{` + s + `,` + p + `}],` + p + `}`, 1, 1},
		{`{` + s + `,"http://e/p":{"@id":5,"http://e/q":["y","z"]}}`, 0, 3},
		{`{"@context":5,` + s + `,` + p + `}`, 1, 0},
		{`{"@context":true,` + s + `,` + p + `,"name":"y"}`, 1, 1},
		{`{"@context":[5,{"n":"http://e/n"}],` + s + `,"n":"y","m":["y","z"]}`, 1, 2},
		{`{"@context":{"@propagate":5,"n":"http://e/n"},` + s + `,"n":"y"}`, 1, 0},
		{`{"@context":{"@protected":5,"n":"http://e/n"},` + s + `,"n":"y"}`, 1, 0},
		{`{"@context":{"@import":5,"n":"http://e/n"},` + s + `,"n":"y","m":"z"}`, 1, 1},
		{`{"@context":{"n":{"@id":"http://e/n","@context":{"m":5}}},` + s + `,"n":{"m":"z",` + p + `}}`, 2, 1},
		{`{"@context":{"n":["http://e/n"]},` + s + `,"n":{"@id":"http://e/o",` + p + `},` + p + `}`, 1, 2},
		{`{"@context":[{"@protected":true,"n":"http://e/n"},{"n":"http://e/m"}],` + s + `,"n":"y"}`, 1, 0},
		{`{"@context":{"p":"_:p"},` + s + `,"p":{"@list":["x","y"]},` + p + `}`, 2, 4},
		{`{` + s + `,"http://e/p":{"@list":["x",{"@value":"y","@id":"z"}]},"rel:":"y"}`, 5, 1},
	} {
		got := read(t, c.text, jsonld.Options{})
		if len(got.Quads) != c.kept || lostBy(got) != c.lost || got.Worst() != fault.Drop {
			t.Errorf("%s: %d kept and %d lost, not %d and %d\n%s\n%s", c.text, len(got.Quads), lostBy(got), c.kept, c.lost,
				strings.Join(got.Lines(), "\n"), strings.Join(shown(got.Notices), "\n"))
		}
	}
}

// A list that nothing leads to is lost with its cells, but not what its members say.
func TestNoCellsAreLeftOfAListThatIsLost(t *testing.T) {
	for _, list := range []string{`{"@list":["x","y"]}`, `{"@list":[["x"],"y"]}`, `[{"@list":["x"]},{"@list":["y"]}]`,
		`{"@list":[{"@id":"http://e/o","http://e/q":"z"}]}`,
		`{"@list":[{"@value":"x","@language":"en"}]}`, `{"@list":[]}`} {
		for _, around := range []string{`{"@context":{"p":"_:p"},"@id":"http://e/s","p":%s}`, `{"@id":5,"http://e/p":%s}`,
			`{"@id":"http://e/s","1:2":%s}`,
			`{"@di":"http://e/s","http://e/p":%s}`} {
			text := fmt.Sprintf(around, list)
			for _, q := range read(t, text, jsonld.Options{}).Quads {
				if string(q.Predicate.Value) == rdf.First || string(q.Predicate.Value) == rdf.Rest {
					t.Errorf("%s: a cell is left: %s", text, rdf.AppendQuad(nil, &q))
				}
			}
		}
	}
}

// A blank node whose label is missing is one without a name where it stands once, and is lost where it stands again.
func TestALabelThatIsMissing(t *testing.T) {
	for _, c := range []struct {
		text       string
		kept, lost int
	}{
		{`{"@id":"_:","http://e/p":["x","y",{"@id":"http://e/o"}],"@type":["http://e/T","http://e/U","http://e/V"]}`, 6, 0},
		{`{"@id":"http://e/s","http://e/p":{"@id":"_:","http://e/q":"x"}}`, 2, 0},
		{`{"@id":"http://e/s","http://e/p":{"@id":"_:"}}`, 1, 0},
		{`{"@context":{"p":{"@id":"http://e/p","@type":"@id"}},"@id":"http://e/s","p":"_:"}`, 1, 0},
		{`[{"@id":"_:","http://e/p":"x"}]`, 1, 0},
		{`{"@graph":[{"@id":"_:","http://e/p":"x"},{"@id":"http://e/s","http://e/p":"x"}]}`, 2, 0},
		{`{"@id":"_:","http://e/p":{"@id":"_:"}}`, 0, 1},
		{`{"@graph":[{"@id":"_:","http://e/p":"x"},{"@id":"_:","http://e/p":"y"}]}`, 0, 2},
		{`{"@id":"_:","http://e/p":{"@list":[{"@id":"http://e/o"}]}}`, 3, 0},
		{`{"@id":"http://e/s","@reverse":{"http://e/p":{"@id":"_:"}}}`, 1, 0},
	} {
		got := read(t, c.text, jsonld.Options{})
		if len(got.Quads) != c.kept || lostBy(got) != c.lost {
			t.Errorf("%s: %d kept and %d lost\n%s\n%s", c.text, len(got.Quads), lostBy(got), strings.Join(got.Lines(), "\n"),
				strings.Join(shown(got.Notices), "\n"))
		}
		for _, q := range got.Quads {
			if c.lost == 0 && !q.Repaired && strings.Contains(string(rdf.AppendQuad(nil, &q)), "_:") && !strings.Contains(c.text, "@list") {
				t.Errorf("%s: %s is not repaired", c.text, rdf.AppendQuad(nil, &q))
			}
		}
	}
}

// A text that a context makes an IRI is told as doubtful where it is one of words.
func TestATextOfWordsIsADoubtfulIRI(t *testing.T) {
	for text, doubtful := range map[string]bool{"Dawnstar Barracks": true, "a b c": true, "In Stock": true, "see page 5": true,
		"new\tline": true,
		"Barracks":  false, "a/b": false, "#x": false, "http://e/a b": false, " padded ": false, "": false} {
		for _, of := range []string{"@id", "@vocab"} {
			got := read(t, fmt.Sprintf(`{"@context":{"@vocab":"http://v/","p":{"@type":%q}},"@id":"http://e/s","p":%q}`, of, text),
				jsonld.Options{})
			told := slices.ContainsFunc(got.Notices, func(n fault.Notice) bool {
				return n.Code == fault.IRIUnlikely &&
					n.Severity == fault.Warning
			})
			if told != doubtful {
				t.Errorf("%q as %s: %v", text, of, shown(got.Notices))
			}
		}
	}
}

// Cases of others, each with the statements that are to be read, and how many are lost.
func TestCasesOfOthersAreCounted(t *testing.T) {
	for name, lost := range map[string]int{"96-id-is-a-number": 4, "h3-01-schema-context-after-own": 0, "h3-03-schema-context-within": 0} {
		text, err := os.ReadFile(rdftest.Shared(t, "cases", "rdf3", name+".jsonld"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(rdftest.Shared(t, "cases", "rdf3", name+".expect.nq"))
		if err != nil {
			t.Fatal(err)
		}
		got := read(t, string(text), jsonld.Options{})
		if lines := slices.Sorted(slices.Values(got.Lines())); strings.Join(lines, "\n")+"\n" != string(want) || lostBy(got) != lost {
			t.Errorf("%s: %d lost\n%s", name, lostBy(got), strings.Join(lines, "\n"))
		}
	}
}

// A value that is lost with its name counts once, whatever is wrong with the value too.
func TestNameAndValueThatAreBothBrokenCountOnce(t *testing.T) {
	const context = `"@context":{"f":"http://f.example/"}`
	for _, c := range []struct {
		members    string
		kept, lost int
	}{
		{`""f:p"": "x"`, 1, 1},
		{`"f:p": ""x""`, 1, 1},
		{`""f:p"": ""x""`, 1, 1},
		{`""f:p"": ""x""` + ",\n" + `""f:r"": ""y""`, 1, 2},
		{`""f:p"": "x\q"`, 1, 1},
		{`"f\q:p": "x\q"`, 1, 1},
		{`"f\q:p": ""x""`, 1, 1},
		{`"f\q:p": "x`, 1, 1},
		{`""f:p"": 1.2.3`, 1, 1},
		{`""f:p"": tru`, 1, 1},
		{`"f\u00:p": "x\q"`, 1, 1},
		{`""@type"": ""f:T""`, 1, 1},
	} {
		text := "{" + context + ",\n\"@id\": \"http://e/s\",\n\"f:q\": \"sound\",\n" + c.members + "\n}"
		got := read(t, text, jsonld.Options{})
		if len(got.Quads) != c.kept || lostBy(got) != c.lost || got.Worst() != fault.Drop {
			t.Errorf("%s: %d kept and %d lost, not %d and %d\n%s\n%s", c.members, len(got.Quads), lostBy(got), c.kept, c.lost,
				strings.Join(got.Lines(), "\n"), strings.Join(shown(got.Notices), "\n"))
		}
	}
}
