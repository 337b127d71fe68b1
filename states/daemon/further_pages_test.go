package daemon_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// pagesOf are the paths of the seeds that recipes led to, with how.
func (w *world) pagesOf() (all []string) {
	w.t.Helper()
	seeds, _, err := w.seeds.List(w.t.Context(), seedlist.Filter{Limit: 1000})
	if err != nil {
		w.t.Fatal(err)
	}
	for i := range seeds {
		if seed := &seeds[i]; seed.PageOf() != "" {
			detail := ""
			if seed.Page.Detail {
				detail = "d"
			}
			all = append(all, fmt.Sprintf("%s %d%s", seed.URI[strings.LastIndex(seed.URI, "/"):], seed.Page.Links, detail))
			if seed.Parent != "" || seed.RecipeAsked != seed.PageOf() || seed.Source != "recipe:"+seed.PageOf() {
				w.t.Errorf("%+v", seed)
			}
		}
	}
	slices.Sort(all)
	return all
}

func linksTo(paths ...string) string {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><html><body><h1>a page</h1>")
	for _, path := range paths {
		fmt.Fprintf(&b, `<p><a href="%s">x</a></p>`, path)
	}
	return b.String() + "</body></html>"
}

// The pages that a page leads to by its recipe are seeds of their own, up to so many links from the first, and no more
// than the limit.
func TestARecipeLeadsToItsPages(t *testing.T) {
	site := map[string][]string{
		"/1": {"/2", "/2#part", "/other", "/1", "/3", "mailto:a@b.test", "ftp://H/4", "/9"}, "/2": {"/4", "/1", "/3"},
		"/3": {"/5"}, "/4": {"/6"}, "/5": {"/7"}, "/6": nil, "/7": nil, "/other": {"/8"}, "/8": nil,
	}
	for name, c := range map[string]struct {
		recipe string
		want   string
		over   int64
	}{
		"none":             {"products: [records]", "", 0},
		"match":            {"products: [records]\npages: {match: 'H/*', depth: 1}", "/2 1 /3 1 /9 1 /other 1", 0},
		"two links":        {"pages: {match: 'H/*', depth: 2}", "/2 1 /3 1 /4 2 /5 2 /8 2 /9 1 /other 1", 0},
		"all of them":      {"pages: {match: 'H/*'}", "/2 1 /3 1 /4 2 /5 2 /6 3 /7 3 /8 2 /9 1 /other 1", 0},
		"no link":          {"pages: {match: 'H/*', depth: 0}", "", 0},
		"a pattern":        {"pages: {match: 'H/o*r'}", "/other 1", 0},
		"one page":         {"pages: {match: 'H/9'}", "/9 1", 0},
		"no more than one": {"products: [records]\npages: {match: 'H/*', depth: 1, limit: 1}", "/2 1", 1},
		"none at all":      {"pages: {match: 'H/*', limit: 0}", "", 1},
		"next":             {"pages: {next: 'p:nth-of-type(5) a'}", "/3 1", 0},
		"next and next":    {"pages: {next: 'p:nth-of-type(1) a'}", "/2 1 /4 2 /6 3", 0},
		"articles":         {"products: [articles]\npages: {match: 'H/*', depth: 1}", "/2 1 /3 1 /9 1 /other 1", 0},
		"statements":       {"products: [statements]\npages: {match: 'H/o*'}", "/other 1", 0},
		"all products": {"products: [statements, records, articles]\nspec: {select: [p, {to: {attr: [a, href]}}], " +
			"pages: {match: 'H/*', depth: 1}}", "/2 1 /3 1 /9 1 /other 1", 0},
		"details": {"spec: {select: [p, {to: {attr: [a, href]}}], pages: {detail: a}}", "/2 1d /3 1d /9 1d /other 1d", 0},
		"details and the next": {"spec: {select: [p:nth-of-type(2n), {to: {attr: [a, href]}}], pages: {detail: a, next: 'p:nth-of-type(5) a'}}",
			"/2 1d /3 1 /9 1d", 0},
		"details beside a spec": {"spec: {select: [p, {to: {attr: [a, href]}}]}\npages: {detail: a, limit: 2}", "/2 1d /other 1d", 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			for path, to := range site {
				w.serve(path, "text/html", strings.ReplaceAll(linksTo(to...), "H", w.http.URL))
			}
			w.putRecipe("name: r\nmatch: {uri: '*/1'}\n"+strings.ReplaceAll(c.recipe, "H", w.http.URL), "")
			w.add("/1")
			w.run()
			if got := strings.Join(w.pagesOf(), " "); got != c.want {
				t.Errorf("it leads to %s\nwant        %s; %+v", got, c.want, w.seed("/1").Error)
			}
			first := w.seed("/1")
			if got := first.Notices[fault.RecordLimitPages]; got != c.over {
				t.Errorf("%d times it is said that there is a limit, want %d", got, c.over)
			}
			n := int64(len(w.pagesOf()))
			if counts := w.counts(); counts.RecipePages["r"] != n {
				t.Errorf("%d pages are counted, and there are %d", counts.RecipePages["r"], n)
			}
			for _, seed := range w.all() {
				isNamed := seed.URI == "" || strings.HasSuffix(seed.URI, "/1")
				if seed.PageOf() == "" && !isNamed || seed.PageOf() != "" && seed.Recipe == nil && seed.Format != "" {
					t.Errorf("%s of %q by %+v", seed.URI, seed.Source, seed.Recipe)
				}
			}
			w.wholeStore()
		})
	}
}

// A list and the page of each of its records give a record each. That of the list names the page.
func TestARecordAndItsDetailsAreARecordEach(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.serve("/list", "text/html", `<ul><li class=e><b>One</b> <a href="/e/1">more</a></li>`+
		`<li class=e><b>Two</b> <a href="/e/2#x">more</a></li><li class=e><b>Three</b></li>`+
		`<li class=e><b>Twice</b><a href="/e/1">more</a></li></ul><a class=n href="/list2">next</a>`)
	w.serve("/list2", "text/html", `<ul><li class=e><b>Four</b> <a href="/gone">more</a></li></ul><a class=n href="/list">next</a>`)
	w.serve("/e/1", "text/html", `<h1><b>One, in full</b></h1><p class=p>here</p><ul><li class=e><b>another</b></li></ul>`)
	w.serve("/e/2", "text/html", `<p class=p>there</p><a class=n href="/e/3">no list</a>`)
	w.putRecipe(`name: calendar
match: {uri: "*/list"}
products: [records]
spec:
  select: [li.e, {title: b, place: .p}]
  schema: {fields: [{name: title, constraints: {required: true}}, {name: place, constraints: {required: true}}], primaryKey: title}
pages: {next: a.n, detail: a}
`, "")
	w.add("/list")
	w.run()
	detail := func(n string) string { return `"_detail":"` + w.http.URL + n + `"` }
	for path, want := range map[string]string{
		"/list": `"title":"One",` + detail("/e/1") + ` "title":"Two",` +
			detail("/e/2") + ` "title":"Three" "title":"Twice",` + detail("/e/1"),
		"/list2": `"title":"Four",` + detail("/gone"),
		"/e/1":   `"title":"One, in full","place":"here"`, "/e/2": `"place":"there"`, "/gone": "",
	} {
		var got []string
		for line := range strings.Lines(w.records(path)) {
			line = regexp.MustCompile(`"_(line|element)":("[^"]*"|\d+),?`).ReplaceAllString(strings.TrimSpace(line), "")
			got = append(got, strings.Trim(strings.ReplaceAll(line, ",}", "}"), "{}"))
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: %s\nwant %s; %+v", path, got, want, w.seed(path).Error)
		}
	}
	if got, want := strings.Join(w.pagesOf(), " "), "/1 1d /2 1d /gone 2d /list2 1"; got != want {
		t.Errorf("it leads to %s, want %s", got, want)
	}
	w.wholeStore()
}
