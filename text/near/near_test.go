package near_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf/rdftest"
	"laundromat/text"
	"laundromat/text/near"
)

// found runs articles, and gives for each the first of its group.
func found(t testing.TB, opt near.Options, articles ...*text.Article) (firsts []int, likes []float64, counts []near.Counts) {
	t.Helper()
	run := near.New(opt)
	defer run.Close()
	for i, a := range articles {
		if i == 0 || i == 3 {
			run.Input(fmt.Sprint("input ", i))
		}
		if n, err := run.Add(near.Look(a)); err != nil || n != i {
			t.Fatal(n, err)
		}
	}
	repeats, err := run.Finish(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i := range articles {
		first, like, ok, err := repeats.Of(i)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			first, like = i, 0
		}
		firsts, likes = append(firsts, first), append(likes, like)
	}
	return firsts, likes, repeats.Inputs
}

func sayings(texts ...string) (all []*text.Article) {
	for _, s := range texts {
		all = append(all, &text.Article{Text: s})
	}
	return all
}

const story = "On the first day of the year the old ferry left the harbour with a cargo of salt and timber, and nobody on the quay thought " +
	"that it would be the last time that they saw her come about behind the lighthouse and set her brown sail to the wind of the north"

// Which articles repeat which: the words count, not their case, nor what stands between them.
func TestArticlesRepeatOthers(t *testing.T) {
	for _, c := range []struct {
		name  string
		texts []string
		want  []int
	}{
		{"the same", []string{story, story}, []int{0, 0}},
		{"case and signs", []string{story, strings.ToUpper(story) + "!!!"}, []int{0, 0}},
		{"a word more", []string{story, story + " again"}, []int{0, 0}},
		{"others", []string{story, "Something else is said here, and in other words than those that were said before it."}, []int{0, 1}},
		{"half of it", []string{story, story[:len(story)/2]}, []int{0, 1}},
		{"no words", []string{"!!!", "???", "!!!"}, []int{0, 1, 0}},
		{"one word", []string{"Home", "home.", "House"}, []int{0, 0, 2}},
		{"four words", []string{"page was not found", "page was now found", "Page was not found!"}, []int{0, 1, 0}},
		{"no spaces", []string{"我们今天去北京看长城和故宫", "我们今天去北京看长城和故宫。", "他们昨天在上海吃饭喝茶聊天"}, []int{0, 0, 2}},
		{"letters with marks", []string{"Ærlig talt går årene så fort", "ÆRLIG TALT GÅR ÅRENE SÅ FORT", "Aerlig talt gar arene sa fort"},
			[]int{0, 0, 2}},
		{"the first of three", []string{"x y z a b c", story, story + " again", story}, []int{0, 1, 1, 1}},
		{"nothing", nil, nil},
	} {
		if got, _, _ := found(t, near.Options{}, sayings(c.texts...)...); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
	}
}

// Each key counts, in each input, the articles that are equal to an earlier one of any input.
func TestEqualArticlesAreCountedByKey(t *testing.T) {
	a := func(url, title, content string) *text.Article {
		return &text.Article{URL: url, Title: title, Text: content}
	}
	_, likes, counts := found(t, near.Options{},
		a("http://a.example/1", "T", "one"), a("http://A.example/2", "T", "one"), a("http://b.example/1", "T", "one"),
		a("http://a.example/1", "T", "one"), a("http://a.example/1", "Other", "two"), a("", "", "one"))
	want := map[string][2]int64{"C": {2, 2}, "HC": {1, 1}, "HT": {1, 1}, "HTC": {1, 1}, "TC": {2, 1},
		"U": {0, 2}, "UC": {0, 1}, "UT": {0, 1}, "UTC": {0, 1}}
	for i, key := range near.Keys {
		if got := [2]int64{counts[0].Equal[i], counts[1].Equal[i]}; got != want[key] {
			t.Errorf("%s: %v, not %v", key, got, want[key])
		}
	}
	if counts[0].Articles != 3 || counts[1].Articles != 3 || counts[0].Repeated != 2 || counts[1].Repeated != 2 || likes[1] != 1 {
		t.Errorf("%+v, %v", counts, likes)
	}
}

// exactly is the share of the sequences of five words that two texts have in common.
func exactly(a, b string) float64 {
	sets := [2]map[string]bool{{}, {}}
	for i, s := range []string{a, b} {
		words := strings.Fields(s)
		for j := 0; j+5 <= len(words); j++ {
			sets[i][strings.Join(words[j:j+5], " ")] = true
		}
	}
	common := 0
	for s := range sets[0] {
		if sets[1][s] {
			common++
		}
	}
	return float64(common) / float64(len(sets[0])+len(sets[1])-common)
}

// Of pairs that are alike by nine tenths, nearly all are found; of those that are alike by half, nearly none. The
// likeness that is said is near the real one.
func TestPairsAreFoundByTheirLikeness(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 400)
	for _, c := range []struct {
		changed     int
		least, most float64 // of pairs that are found
	}{{2, 0.98, 1}, {5, 0.95, 1}, {9, 0.75, 1}, {30, 0, 0.15}, {60, 0, 0.01}} {
		pairs, hit, off, real := 300, 0, 0.0, 0.0
		for range pairs {
			for i := range words {
				words[i] = fmt.Sprint("w", random.IntN(100000))
			}
			before := strings.Join(words, " ")
			for range c.changed {
				words[random.IntN(len(words))] = "other"
			}
			after := strings.Join(words, " ")
			exact := exactly(before, after)
			real += exact
			firsts, likes, _ := found(t, near.Options{}, sayings(before, after)...)
			if firsts[1] == 0 {
				hit++
				off += (likes[1] - exact) * (likes[1] - exact)
			}
		}
		share := float64(hit) / float64(pairs)
		t.Logf("%d words changed, likeness %.3f: %.3f found, the likeness off by %.3f", c.changed, real/float64(pairs), share,
			math.Sqrt(off/float64(max(hit, 1))))
		if share < c.least || share > c.most || hit > 0 && off/float64(hit) > 0.01 {
			t.Errorf("%d words changed: %.3f found", c.changed, share)
		}
	}
}

// groups makes what found says independent of the order: the texts of each group, sorted.
func groups(texts []string, firsts []int) []string {
	of := map[int][]string{}
	for i, first := range firsts {
		of[first] = append(of[first], texts[i])
	}
	var all []string
	for _, group := range of {
		slices.Sort(group)
		all = append(all, strings.Join(group, "\n"))
	}
	slices.Sort(all)
	return all
}

// In whatever order documents come, the same repeat one another, and only the first of a group is not marked.
func FuzzShuffledDocumentsHaveTheSameRepeats(f *testing.F) {
	f.Add("a b c d e f g\na b c d e f h\nx\nx\n\na b c d e f g", uint64(1))
	f.Add(strings.Repeat(story+"\n", 3)+strings.ToUpper(story), uint64(7))
	f.Add(story+" one\n"+story+" two\n"+story+" three four\n"+story[10:]+"\n"+story[20:]+"\n"+story[30:], uint64(3))
	f.Fuzz(func(t *testing.T, lines string, seed uint64) {
		texts := strings.Split(lines, "\n")
		firsts, likes, _ := found(t, near.Options{}, sayings(texts...)...)
		for i, first := range firsts {
			isWrong := first > i || firsts[first] != first || first == i && likes[i] != 0
			if isWrong || texts[i] == texts[first] && first != i && likes[i] != 1 {
				t.Errorf("%d repeats %d, which repeats %d, by %v", i, first, firsts[first], likes[i])
			}
		}
		shuffled := slices.Clone(texts)
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		again, _, _ := found(t, near.Options{}, sayings(shuffled...)...)
		if a, b := groups(texts, firsts), groups(shuffled, again); !slices.Equal(a, b) {
			t.Errorf("%q, and shuffled %q", a, b)
		}
	})
}

// Many articles that agree in a band are compared, too, and what doesn't fit into memory is on disk.
func TestManyArticlesThatAreAlike(t *testing.T) {
	var texts []string
	for i := range 300 {
		texts = append(texts, strings.Repeat(story+" and so on ", 3)+fmt.Sprint("number ", i),
			fmt.Sprintf("only %d is said in number %d of all that are %d", i, i*7, i*i))
	}
	temp := t.TempDir()
	firsts, _, _ := found(t, near.Options{Memory: 64 << 10, Temp: temp}, sayings(texts...)...)
	for i, first := range firsts {
		if want := i; i%2 == 0 && first != 0 || i%2 == 1 && first != want {
			t.Errorf("%d repeats %d", i, first)
		}
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// Texts of the given pages, cut by a tenth, are found again, and no page is taken for another.
func TestPagesAreFoundAgain(t *testing.T) {
	names, _ := filepath.Glob(filepath.Join(rdftest.Shared(t, "text"), "readability", "*", "expected.html"))
	var texts []string
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if words := strings.Fields(string(data)); len(words) > 300 {
			texts = append(texts, strings.Join(words, " "))
		}
	}
	n := len(texts)
	for _, s := range texts[:n] {
		words := strings.Fields(s)
		texts = append(texts, strings.Join(words[:len(words)*95/100], " "))
	}
	firsts, _, _ := found(t, near.Options{}, sayings(texts...)...)
	again, confused := 0, 0
	for i := range n {
		if firsts[i] != i {
			t.Logf("%.60q repeats %.60q", texts[i], texts[firsts[i]])
			confused++
		}
		if firsts[n+i] == firsts[i] {
			again++
		}
	}
	t.Logf("%d of %d found again, %d repeat other pages", again, n, confused)
	if again*100 < n*97 {
		t.Error("too few")
	}
}
