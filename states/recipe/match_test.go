package recipe_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"laundromat/seedlist"
	"laundromat/states/recipe"
)

func TestAPatternMatchesAsItsWildcardsSay(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"http://a/b", "http://a/b", true}, {"http://a/b", "http://a/bc", false}, {"*", "", true}, {"*", "anything", true},
		{"http://a/*", "http://a/", true}, {"http://a/*", "http://b/", false}, {"*.csv", "http://a/b.csv", true},
		{"*.csv", "http://a/b.csv?x", false},
		{"http://*/b/*.csv", "http://a/b/c.csv", true}, {"http://*/b/*.csv", "http://a/c/b.csv", false},
		{"a*a", "a", false}, {"a*a", "aa", true}, {"*a*a*", "aa", true}, {"*ab*ab*", "aab", false}, {"a**b", "ab", true}, {"", "", true},
		{"", "a", false}, {"*b*c", "abcbc", true}, {"*bc*c", "abc", false},
	} {
		if got := recipe.Wildcard(c.pattern, c.text); got != c.want {
			t.Errorf("%q of %q: %v", c.pattern, c.text, got)
		}
	}
}

func TestTheFirstThatMatchesCounts(t *testing.T) {
	recipes := []string{
		"match: {uri: 'https://a.example/first/*', format: CSV}",
		"match: {host: [a.example, 'b.example:8080'], media: text/csv}",
		"match: {host: '*.example'}",
		"match: {catalog: 'https://catalog.test/'}",
		"match: {source: 'feed:*'}",
		"match: {source: list}",
		"match: {uri: ['*.xlsx', '*!/data.bin']}",
		"match: {media: 'application/*'}",
		"match: {format: [csv, html]}",
		"match: {host: [d.test, a.example]}",
	}
	set := setOf(t, recipes)
	for _, c := range []struct {
		facts recipe.Facts
		want  string
	}{
		{recipe.Facts{URIs: []string{"https://a.example/first/1"}, Host: "a.example", Format: "CSV"}, "0"},
		{recipe.Facts{URIs: []string{"https://a.example/first/1"}, Host: "a.example", Format: "HTML"}, "2"},
		{recipe.Facts{URIs: []string{"https://a.example/1"}, Host: "a.example", Media: "text/csv", Format: "CSV"}, "1"},
		{recipe.Facts{Host: "b.example:8080", Media: "text/csv", Format: "CSV"}, "1"},
		{recipe.Facts{Host: "b.example", Media: "text/csv", Format: "CSV"}, "2"},
		{recipe.Facts{Host: "deep.b.example", Format: "CSV"}, "2"},
		{recipe.Facts{Host: "example", Format: "CSV"}, "8"},
		{recipe.Facts{Host: "notexample", Format: "PDF"}, ""},
		{recipe.Facts{Host: "c.test", Catalogs: []string{"x", seedlist.Key("https://catalog.test/")}, Format: "HTML"}, "3"},
		{recipe.Facts{Host: "c.test", Source: "feed:1", Format: "HTML"}, "4"},
		{recipe.Facts{Host: "c.test", Source: "list", Format: "PDF"}, "5"},
		{recipe.Facts{Host: "c.test", Source: "lists", Format: "PDF"}, ""},
		{recipe.Facts{URIs: []string{"https://c.test/a.zip!/b.xlsx"}, Host: "c.test", Format: "CSV"}, "6"},
		{recipe.Facts{URIs: []string{"urn:a", "https://c.test/a.zip!/data.bin"}, Host: "c.test"}, "6"},
		{recipe.Facts{Host: "c.test", Media: "application/json", Format: "JSON"}, "7"},
		{recipe.Facts{Host: "c.test", Media: "text/html", Format: "HTML"}, "8"},
		{recipe.Facts{Host: "d.test", Format: "PDF"}, "9"},
		{recipe.Facts{}, ""},
	} {
		// The law without an index: the first in the order that holds.
		first := ""
		for i, text := range recipes {
			if parsed(t, i, text).Match.Holds(&c.facts) {
				first = fmt.Sprint(i)
				break
			}
		}
		got := ""
		if found := set.Find(&c.facts); found != nil {
			got = found.Name
		}
		if got != c.want || first != c.want {
			t.Errorf("%+v: %q is found, by one after another %q, want %q", c.facts, got, first, c.want)
		}
	}
}

// Whatever the recipes, what the index finds is what one after another does.
func TestAnIndexFindsWhatOneAfterAnotherDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	pick := func(all ...string) string { return all[random.IntN(len(all))] }
	uri := func() string {
		return "https://" + pick("a", "b", "c.d", "e.c.d") + ".test/" + pick("x", "y", "x/y") + pick("", ".csv", ".html", "?q")
	}
	pattern := func() string {
		u := uri()
		at := random.IntN(len(u) + 1)
		return pick(u, u[:at]+"*", "*"+u[at:], u[:at]+"*"+u[min(len(u), at+3):], "*"+u[at:]+"*")
	}
	for round := range 200 {
		var recipes []string
		for range 1 + random.IntN(12) {
			text := ""
			for _, c := range []struct{ key, value string }{
				{"uri", pattern()}, {"host", pick("a.test", "*.test", "c.d.test", "*.d.test", "b.test")}, {"format", pick("CSV", "HTML")},
				{"media", pick("text/csv", "text/*")},
				{"source", pick("list", "feed:*")}, {"catalog", pick("https://cat/1", "https://cat/2")},
			} {
				if random.IntN(3) == 0 {
					text += fmt.Sprintf("%q: [%q],", c.key, c.value)
				}
			}
			if text == "" {
				text = fmt.Sprintf("uri: [%q, %q]", pattern(), pattern())
			}
			recipes = append(recipes, "match: {"+text+"}")
		}
		set := setOf(t, recipes)
		for range 40 {
			u := uri()
			facts := recipe.Facts{URIs: []string{u}, Format: pick("CSV", "HTML"),
				Host:  u[len("https://") : strings.Index(u, ".test")+len(".test")],
				Media: pick("text/csv", "text/html", ""), Source: pick("list", "feed:1", ""),
				Catalogs: []string{seedlist.Key("https://cat/1")}}
			want := ""
			for i, text := range recipes {
				if parsed(t, i, text).Match.Holds(&facts) {
					want = fmt.Sprint(i)
					break
				}
			}
			got := ""
			if found := set.Find(&facts); found != nil {
				got = found.Name
			}
			if got != want {
				t.Fatalf("round %d, %+v: %q, want %q of\n%s", round, facts, got, want, strings.Join(recipes, "\n"))
			}
		}
	}
}

func parsed(t testing.TB, i int, text string) *recipe.Recipe {
	t.Helper()
	r, err := recipe.Parse("r.yaml", fmt.Appendf(nil, "name: %q\n%s\n", fmt.Sprint(i), text), "")
	if err != nil {
		t.Fatal(text, err)
	}
	return r
}

func setOf(t testing.TB, recipes []string) *recipe.Set {
	t.Helper()
	var all []recipe.Listed
	for i, text := range recipes {
		r := parsed(t, i, text)
		all = append(all, recipe.Listed{Name: r.Name, SHA256: r.SHA256, Match: &r.Match})
	}
	return recipe.NewSet(all)
}

// A million URIs against 10,000 recipes of four kinds.
func BenchmarkMatch(b *testing.B) {
	for _, c := range []struct{ name, form string }{
		{"hosts", "match: {host: h%d.example, format: CSV}"},
		{"prefixes", "match: {uri: 'https://portal.example/dataset/%d/*'}"},
		{"endings", "match: {uri: '*/file-%d.csv'}"},
		{"catalogs", "match: {catalog: 'https://catalog%d.example/', format: CSV}"},
	} {
		b.Run(c.name, func(b *testing.B) {
			var all []recipe.Listed
			for i := range 10_000 {
				r := parsed(b, i, fmt.Sprintf(c.form, i))
				all = append(all, recipe.Listed{Name: r.Name, Match: &r.Match})
			}
			set := recipe.NewSet(all)
			facts := make([]recipe.Facts, 1_000_000)
			for i := range facts {
				facts[i] = recipe.Facts{URIs: []string{fmt.Sprintf("https://portal.example/dataset/%d/file-%d.csv", i%20_000, i%20_000)},
					Host: fmt.Sprintf("h%d.example", i%20_000), Format: "CSV", Media: "text/csv",
					Catalogs: []string{seedlist.Key(fmt.Sprintf("https://catalog%d.example/", i%20_000))}}
			}
			n, found := 0, 0
			for b.Loop() {
				if set.Find(&facts[n%len(facts)]) != nil {
					found++
				}
				n++
			}
			b.ReportMetric(100*float64(found)/float64(n), "%found")
		})
	}
}
