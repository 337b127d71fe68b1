package diff_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf/diff"
)

// changed is what Compare gives out.
type changed struct {
	diff.Result
	removed, added []string
	renamed        [][2]string
}

func source(text string) diff.Source {
	return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
}

func compare(t testing.TB, before, after string, opt diff.Options) changed {
	t.Helper()
	var c changed
	var err error
	c.Result, err = diff.Compare(context.Background(), source(before), source(after), diff.Output{
		Removed: func(line []byte) error { c.removed = append(c.removed, string(line)); return nil },
		Added:   func(line []byte) error { c.added = append(c.added, string(line)); return nil },
		Renamed: func(before, after []byte) error {
			c.renamed = append(c.renamed, [2]string{string(before), string(after)})
			return nil
		},
	}, opt)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, before, after)
	}
	return c
}

// apply is what the law says: the lines before without those removed, their nodes
// renamed, with those added, sorted.
func (c *changed) apply(t testing.TB, before string) string {
	t.Helper()
	names := map[string]string{}
	for _, pair := range c.renamed {
		names[pair[0]] = pair[1]
	}
	var lines []string
	removed := c.removed
	for _, line := range text(before) {
		if len(removed) > 0 && removed[0] == line {
			removed = removed[1:]
			continue
		}
		words := strings.Split(line, " ") // the names in these tests are in no literal
		for i, word := range words {
			if name, ok := names[word]; ok && i != 1 {
				words[i] = name
			}
		}
		lines = append(lines, strings.Join(words, " "))
	}
	if len(removed) > 0 {
		t.Errorf("removed what was not there, or out of order: %q", removed[0])
	}
	if !slices.IsSorted(c.added) {
		t.Errorf("not in order: %q", c.added)
	}
	return clean(append(lines, c.added...)...)
}

// law checks what holds of all changes.
func (c *changed) law(t testing.TB, before, after string) {
	t.Helper()
	if is := c.apply(t, before); is != after {
		t.Errorf("applied:\n%s\nwant:\n%s\nbefore:\n%s\nremoved %q\nadded %q\nrenamed %q", is, after, before, c.removed, c.added, c.renamed)
	}
	if c.Before != int64(len(text(before))) || c.After != int64(len(text(after))) || c.Before-c.Removed+c.Added != c.After ||
		c.Removed != int64(len(c.removed)) || c.Added != int64(len(c.added)) || c.Renamed != int64(len(c.renamed)) {
		t.Errorf("counts: %+v of\n%s\n%s", c.Result, before, after)
	}
}

func text(s string) []string { return strings.Split(s, "\n")[:strings.Count(s, "\n")] }

// clean are the lines in order, each once.
func clean(lines ...string) string {
	lines = slices.Clone(lines)
	slices.Sort(lines)
	var b strings.Builder
	for _, line := range slices.Compact(lines) {
		b.WriteString(line + "\n")
	}
	return b.String()
}

// document makes lines of short ones: "_x p "o"", where p stands for <http://e/p>.
func document(statements ...string) string {
	var lines []string
	for _, s := range statements {
		words := strings.SplitN(s, " ", 3)
		for i, word := range words {
			switch {
			case word[0] == '_':
				words[i] = "<https://lodlaundromat.org/.well-known/genid/0/" + word[1:] + ">"
			case word[0] != '"' && word[0] != '<':
				words[i] = "<http://e/" + word + ">"
			}
		}
		lines = append(lines, strings.Join(words, " ")+" .")
	}
	return clean(lines...)
}

func TestWhatChangedIsTold(t *testing.T) {
	people := []string{`ann address _1`, `_1 street "Oak"`, `_1 city "Ulm"`, `bob address _2`, `_2 street "Elm"`, `_2 city "Ulm"`}
	list := func(values string, from int) (all []string) {
		for i, v := range strings.Split(values, "") {
			node := fmt.Sprintf("_%d", from+i)
			all = append(all, node+` first "`+v+`"`)
			if i > 0 {
				all = append(all, fmt.Sprintf("_%d rest %s", from+i-1, node))
			}
		}
		return append(all, fmt.Sprintf("_%d rest nil", from+len(values)-1))
	}
	for _, test := range []struct {
		name            string
		before, after   []string
		removed, added  int64
		gone, new       int64
		renamedAtTheEnd int64
	}{
		{"nothing", people, people, 0, 0, 0, 0, 0},
		{"one came, one went", []string{"a p b", "a p c"}, []string{"a p c", "a p d"}, 1, 1, 0, 0, 0},
		{"all", []string{"a p b"}, []string{"c p d"}, 1, 1, 0, 0, 0},
		{"from nothing", nil, []string{"a p _1", "_1 p b"}, 0, 2, 0, 1, 0},
		{"to nothing", []string{"a p _1", "_1 p b"}, nil, 2, 0, 1, 0, 0},
		{"nodes moved", people,
			[]string{`bob address _1`, `_1 street "Elm"`, `_1 city "Ulm"`, `ann address _2`, `_2 street "Oak"`, `_2 city "Ulm"`}, 0, 0, 0,
			0, 2},
		{"a node came before them", people,
			[]string{`amy address _1`, `_1 street "Ash"`, `_1 city "Ulm"`, `ann address _2`, `_2 street "Oak"`, `_2 city "Ulm"`,
				`bob address _3`, `_3 street "Elm"`, `_3 city "Ulm"`},
			0, 3, 0, 1, 2},
		{"a node changed, and they moved", people,
			[]string{`bob address _1`, `_1 street "Elm"`, `_1 city "Ulm"`, `ann address _2`, `_2 street "Yew"`, `_2 city "Ulm"`}, 1, 1, 0,
			0, 2},
		{"one value of a list", list("abcdefghij", 1), list("abcdXfghij", 11), 1, 1, 0, 0, 10},
		{"a list of equal values that got longer", list("aaaaaaaaaaaa", 1), list("aaaaaaaaaaaaa", 21), 1, 3, 0, 1, 12},
		{"twins", []string{"_1 p a", "_2 p a", "_3 p a"}, []string{"_7 p a", "_8 p a"}, 1, 0, 1, 0, 2},
		{"trees that are alike", []string{"_1 q _2", "_2 p a", "_3 q _4", "_4 p a"}, []string{"_1 q _4", "_4 p a", "_3 q _2", "_2 p a"}, 0,
			0, 0, 0, 2},
		{"a node of two statements came from two", []string{"_1 p a", "_2 q b"}, []string{"_3 p a", "_3 q b"}, 1, 1, 1, 0, 1},
		{"itself", []string{"_1 p _1"}, []string{"_1 p _2"}, 1, 1, 1, 2, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			before, after := document(test.before...), document(test.after...)
			c := compare(t, before, after, diff.Options{})
			c.law(t, before, after)
			if c.Removed != test.removed || c.Added != test.added || c.Gone != test.gone || c.New != test.new ||
				c.Renamed != test.renamedAtTheEnd || c.ByName {
				t.Errorf("%+v\nremoved %q\nadded %q\nrenamed %q", c.Result, c.removed, c.added, c.renamed)
			}
			back := compare(t, after, before, diff.Options{})
			back.law(t, after, before)
		})
	}
}

// TestNodesAreFoundWhereverTheyStand: in graphs and triple terms too, but neither in
// literals nor as predicates.
func TestNodesAreFoundWhereverTheyStand(t *testing.T) {
	one := clean(
		`<http://e/a> <http://e/p> "say _:x \" <https://h/.well-known/genid/0/1>" .`,
		`<http://e/a> <http://e/p> "x"^^<https://h/.well-known/genid/0/1> .`,
		`<http://e/a> <https://h/.well-known/genid/0/1> "y"@en .`,
		`<http://e/a> <http://e/p> <<( _:b <http://e/p> <<( <http://e/q> <http://e/q> _:c )>> )>> _:g .`,
		`_:g <http://e/p> "g"@en--ltr .`,
		`_:b <http://e/p> "b" .`,
		`_:c <http://e/p> "c" .`,
	)
	other := strings.NewReplacer("_:b", "_:u", "_:c", "_:v", "_:g", "_:w").Replace(one)
	c := compare(t, one, clean(text(other)...), diff.Options{})
	if c.Removed != 0 || c.Added != 0 || c.Renamed != 3 {
		t.Errorf("%+v %q", c.Result, c.renamed)
	}
	other = strings.Replace(one, `as "y"@en`, `as "z"@en`, 1)
	other = strings.ReplaceAll(other, "genid/0/1>", "genid/0/2>")
	if c = compare(t, one, clean(text(other)...), diff.Options{}); c.Removed != 3 || c.Added != 3 || c.Renamed != 0 {
		t.Errorf("%+v %q", c.Result, c.renamed)
	}
}

func TestTooManyNodesForTheMemoryAreComparedByName(t *testing.T) {
	before, after := document("_1 p a", "_2 p b", "c p d"), document("_1 p b", "_2 p a", "c p d")
	c := compare(t, before, after, diff.Options{Memory: 1})
	c.law(t, before, after)
	if !c.ByName || c.Removed != 2 || c.Added != 2 || c.Renamed != 0 {
		t.Errorf("%+v", c.Result)
	}
	// What needs no matching is not reported as if it had been given up.
	after = document("_1 p a", "_2 p b", "c p e")
	if c = compare(t, before, after, diff.Options{Memory: 1}); c.ByName || c.Removed != 1 || c.Added != 1 {
		t.Errorf("%+v", c.Result)
	}
	if c = compare(t, before, document("_1 p b", "_2 p a", "c p d"), diff.Options{ByName: true}); !c.ByName || c.Removed != 2 {
		t.Errorf("%+v", c.Result)
	}
}

func TestWhatIsNotCleanIsRefused(t *testing.T) {
	good := document("a p b", "a p c")
	for bad, line := range map[string]int64{
		clean("x"): 1,
		"<http://e/a> <http://e/p> <http://e/b> .": 1,
		good + good:                      3,
		"<b> <b> <b> .\n<a> <a> <a> .\n": 2,
		"<b> <b> <b> .\n<b> <b> <b> .\n": 2,
		"<b> <b> _:x _:y _:z .\n":        1,
		"<b> _:x .\n":                    1,
		"_:x <b> \"never ends .\n":       1,
		"_:x <b> <<( <a> <a> <a> .\n":    1,
		"_:x <b> <a> )>> .\n":            1,
		"_:x <b> <<( <a> <a> )>> .\n":    1,
	} {
		for side := range 2 {
			texts := [2]string{good, good}
			texts[side] = bad
			_, err := diff.Compare(context.Background(), source(texts[0]), source(texts[1]), diff.Output{}, diff.Options{})
			var unclean *diff.Unclean
			if !errors.As(err, &unclean) || unclean.Line != line || unclean.Side != diff.Side(side) {
				t.Errorf("%q: %v", bad, err)
			}
		}
	}
}

// generated is a document of nodes that are in few statements.
func generated(random *rand.Rand) (statements []string) {
	nodes := 1 + random.IntN(12)
	term := func(nodeToo bool) string {
		if nodeToo && random.IntN(3) > 0 {
			return fmt.Sprintf("_%d", random.IntN(nodes))
		}
		return string(rune('a' + random.IntN(4)))
	}
	for range random.IntN(30) {
		statements = append(statements, fmt.Sprintf("%s %c %s", term(true), 'p'+random.IntN(3), term(true)))
	}
	return statements
}

// edited is a document with some statements less and others more.
func edited(random *rand.Rand, statements []string) []string {
	statements = slices.DeleteFunc(slices.Clone(statements), func(string) bool { return random.IntN(8) == 0 })
	if random.IntN(2) == 0 {
		statements = append(statements, generated(random)...)
	}
	return statements
}

// relabelled is a document whose nodes have other names, partly each other's.
func relabelled(random *rand.Rand, statements []string) []string {
	names := random.Perm(30)
	all := slices.Clone(statements)
	for i, s := range all {
		words := strings.Fields(s)
		for j, word := range words {
			var n int
			if _, err := fmt.Sscanf(word, "_%d", &n); err == nil {
				words[j] = fmt.Sprintf("_%d", names[n])
			}
		}
		all[i] = strings.Join(words, " ")
	}
	return all
}

// TestTheChangesAppliedGiveWhatCameAfter, byte by byte, whatever was matched.
func TestTheChangesAppliedGiveWhatCameAfter(t *testing.T) {
	for seed := range uint64(2000) {
		random := rand.New(rand.NewPCG(seed, 1))
		statements := generated(random)
		before := document(statements...)
		after := document(relabelled(random, edited(random, statements))...)
		c := compare(t, before, after, diff.Options{})
		c.law(t, before, after)
		byName := compare(t, before, after, diff.Options{ByName: true})
		byName.law(t, before, after)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestOtherNamesAreNoChange where the nodes are distinguished by what is said of them:
// here each has a statement that no other has.
func TestOtherNamesAreNoChange(t *testing.T) {
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 2))
		statements := generated(random)
		for n := range 12 {
			statements = append(statements, fmt.Sprintf(`_%d label "%d"`, n, n))
		}
		before, after := document(statements...), document(relabelled(random, statements)...)
		c := compare(t, before, after, diff.Options{})
		c.law(t, before, after)
		if !c.Same() || c.Gone != 0 || c.New != 0 {
			t.Fatalf("seed %d: %+v\n%s\n%s", seed, c.Result, before, after)
		}
	}
}

// TestMatchingIsNeverWorseThanNames: over generated documents, all in all.
func TestMatchingIsNeverWorseThanNames(t *testing.T) {
	var matched, named int64
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 3))
		statements := generated(random)
		before, after := document(statements...), document(relabelled(random, edited(random, statements))...)
		matched += compare(t, before, after, diff.Options{}).Removed
		named += compare(t, before, after, diff.Options{ByName: true}).Removed
	}
	if matched*2 > named {
		t.Errorf("%d statements removed, by names %d", matched, named)
	}
}

func FuzzTheChangesAppliedGiveWhatCameAfter(f *testing.F) {
	f.Add("_1 p _2\n_2 q a", "_2 p _1\n_1 q a")
	f.Add("a p _1\n_1 p b\n_1 p c", "a p _2\n_2 p b")
	f.Add("_1 p _1", "_1 p _2\n_2 p _1")
	f.Fuzz(func(t *testing.T, one, other string) {
		if len(one)+len(other) > 4000 {
			return
		}
		before, after := fuzzed(one), fuzzed(other)
		c := compare(t, before, after, diff.Options{})
		c.law(t, before, after)
		back := compare(t, after, before, diff.Options{})
		back.law(t, after, before)
	})
}

// fuzzed is a document of the words of a text.
func fuzzed(text string) string {
	var statements []string
	for line := range strings.SplitSeq(text, "\n") {
		words := strings.FieldsFunc(line, func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'z') && r != '_' })
		if len(words) < 3 {
			continue
		}
		for i, word := range words[:3] {
			word = strings.Trim(word, "_")
			if words[i] = word; word == "" || i != 1 && strings.ContainsAny(word[:1], "0123456789") {
				words[i] = "_n" + word
			}
		}
		words[1] = "p" + strings.Trim(words[1], "_")
		statements = append(statements, strings.Join(words[:3], " "))
	}
	return document(statements...)
}
