package jsonld_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/jsonld"
)

// Every string of a broken document is in a statement, or a finding reports a loss in its node. Or a
// warning says that something in it means nothing. Nodes are broken alone and in rows, alike and each
// in its own way, the first and the last ones too. The documents are of every layout.
func TestNoStringIsLostInSilence(t *testing.T) {
	const count = 8
	for _, kind := range append(kinds[:len(kinds):len(kinds)],
		layoutOf("first node on the context's line", `{"@context":{"@vocab":"http://p/"},"@graph":[`, ",\n", "]}"),
		layoutOf("first node on the context's line, indented lines", "{\"@context\":{\"@vocab\":\"http://p/\"},\"@graph\":[", ",\n  ",
			"]}\n"),
		layoutOf("a node a line", "{\"@context\":{\"@vocab\":\"http://p/\"},\n\"@graph\":[\n", ",\n", "\n]}\n"),
		layoutOf("commas before", "{\"@context\":{\"@vocab\":\"http://p/\"},\n\"@graph\":[\n", "\n,", "\n]}\n"),
		layoutOf("context last", "{\"@graph\":[\n", ",\n", "\n],\n\"@context\":{\"@vocab\":\"http://p/\"}}\n"),
	) {
		t.Run(kind.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(5, 6))
			for _, hit := range [][2]int{{0, 1}, {0, 2}, {0, 4}, {0, count}, {3, 4}, {3, 6}, {count - 1, count}, {count - 3, count}} {
				for try := range 20 {
					checkSilence(t, kind, count, hit[0], hit[1], try%2 == 0, random)
				}
			}
		})
	}
}

func layoutOf(name, head, between, to string) (k struct {
	name              string
	expanded, last    bool
	head, between, to string
	layout            func(string) string
}) {
	k.name, k.head, k.between, k.to = name, head, between, to
	return k
}

func checkSilence(t *testing.T, kind struct {
	name              string
	expanded, last    bool
	head, between, to string
	layout            func(string) string
}, count, from, to int, alike bool, random *rand.Rand) {
	t.Helper()
	var text strings.Builder
	text.WriteString(kind.head)
	var spans [][2]int
	var done []string
	state := random.Uint64()
	for i := range count {
		one := node(i, kind.expanded, kind.last)
		if kind.layout != nil {
			one = kind.layout(one)
		}
		if i > 0 {
			text.WriteString(kind.between)
		}
		begin := text.Len()
		if from <= i && i < to {
			if !alike {
				state = random.Uint64()
			}
			var what string
			one, what = hurt(one, rand.New(rand.NewPCG(state, 0)))
			done = append(done, what)
		}
		text.WriteString(one)
		spans = append(spans, [2]int{begin, text.Len() + len(kind.between)})
	}
	text.WriteString(kind.to)
	got := read(t, text.String(), jsonld.Options{})
	lines := strings.Join(got.Lines(), "\n") + "\n"
	for i, span := range spans {
		told := false
		for _, n := range got.Notices {
			at := int(n.Offset)
			told = told || (n.Severity == fault.Drop || n.Severity == fault.Warning) && at <= span[1] &&
				(at >= span[0] || at+int(n.Bytes) > span[0])
		}
		var missing []string
		for _, mark := range []string{
			fmt.Sprintf(`"the name %d"`, i), fmt.Sprintf(`"inner %d"`, i), fmt.Sprintf(`deep, \"and\" so: on %d"`, i),
			fmt.Sprintf(`"deeper %d"`, i),
			fmt.Sprintf(`"%d"^^<http://t/int>`, i), fmt.Sprintf(`"x %d"@en`, i), fmt.Sprintf(`"the end %d"`, i),
			fmt.Sprintf("<http://t/%d>", i),
			fmt.Sprintf("<http://e/%d>", i), fmt.Sprintf("<http://e/%d/a>", i), fmt.Sprintf("<http://e/%d/b>", i),
			fmt.Sprintf("<http://e/%d/c>", i), fmt.Sprintf("<http://e/%d/d>", i),
		} {
			if !strings.Contains(lines, mark) {
				missing = append(missing, mark)
			}
		}
		if len(missing) > 0 && !told {
			t.Errorf("%v: nothing tells that %v is lost\n%s\n%v", done, missing, text.String(), shown(got.Notices))
			return
		}
	}
}
