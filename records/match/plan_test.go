package match_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"laundromat/records/match"
)

func plan(t *testing.T, text string, opt match.PlanOptions) *match.Plan {
	t.Helper()
	p, err := match.CompilePages(parse(t, text), opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLinksOfAPlan(t *testing.T) {
	const page = `<base href="/a/"><a class=n href="2#x">2</a><a href="2">2 again</a><a href="http://host.example/b/3">3</a>
<div class=n><a href="../c?d">d</a></div><a href="mailto:x@y">m</a><a href="https://other.example/a/1">o</a><a href="#top">t</a><a name=z>z</a><area href="map/4">`
	for _, c := range []struct{ spec, want string }{
		{`{next: "a.n"}`, "http://host.example/a/2"},
		{`{next: ".n"}`, "http://host.example/a/2 http://host.example/c?d"},
		{`{next: "a"}`, "http://host.example/a/2 http://host.example/b/3 http://host.example/c?d https://other.example/a/1 http://host.example/a/"},
		{`{next: "xpath://a[2]"}`, "http://host.example/a/2"},
		{`{next: ".none"}`, ""},
		{`{match: "http://host.example/a/*"}`, "http://host.example/a/2 http://host.example/a/ http://host.example/a/map/4"},
		{`{match: "http://host.example/*/3"}`, "http://host.example/b/3"},
		{`{match: "http://host.example/c?d"}`, "http://host.example/c?d"},
		{`{match: "http://host.example/*a*4"}`, "http://host.example/a/map/4"},
		{`{match: "https://other.example/*", depth: 1}`, "https://other.example/a/1"},
		{`{detail: "a"}`, ""},
	} {
		got, err := plan(t, c.spec, match.PlanOptions{}).Links(context.Background(), match.Document{URL: pageURL}, []byte(page))
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s %v, want %s", c.spec, strings.Join(got, " "), err, c.want)
		}
	}
}

func TestWrongPlansAreRefused(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"[a]", "1:1: a mapping is wanted here"},
		{"{}", "1:1: pages needs one of next, detail and match"},
		{"nxet: a", `1:1: unknown key of pages "nxet": did you mean "next"?`},
		{"next: 'a['", "1:7: a bracket is not closed"},
		{"next: ''", "1:7: the selector of a link is wanted here"},
		{"next: $.a", "1:7: JSONPath selects from JSON"},
		{"match: a/*", "1:8: a pattern of URLs begins with http://"},
		{"match: 'ftp://h/*'", "1:8: a pattern of URLs begins with http://"},
		{"match: 'http://*/a'", "1:8: a pattern of URLs names its host"},
		{"{match: 'http://h/*', depth: x}", "1:30: a whole number from 0 is wanted here"},
		{"{match: 'http://h/*', next: a}", "1:1: pages has match, or next and detail, not both"},
		{"{next: a, limit: -1}", "1:18: a whole number from 0"},
	} {
		_, err := match.CompilePages(parse(t, c.spec), match.PlanOptions{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.spec, err, c.want)
		}
	}
}

func TestPagesAreReadDepthFirst(t *testing.T) {
	site := map[string]string{
		"http://h/1": "<h1>1</h1><a href=2>2</a><a href=3>3</a>",
		"http://h/2": "<h1>2</h1><a href=4>4</a><a href=1>1</a>",
		"http://h/3": "<h1>3</h1><a href=2>2</a><a href=5>5</a><a href=gone>gone</a>",
		"http://h/4": "<h1>4</h1><a href=3#x>3</a><a href=moved>m</a>",
		"http://h/5": "<h1>5</h1>",
	}
	for _, c := range []struct{ spec, want, notices string }{
		{`{match: "http://h/*"}`, "1 2 4 3 5", "record/page-missing 0:0"},
		{`{match: "http://h/*", depth: 1}`, "1 2 3", ""},
		{`{match: "http://h/*", depth: 0}`, "1", ""},
		{`{match: "http://h/*", limit: 3}`, "1 2 4", "record/limit-pages 0:0"},
		{`{next: "a"}`, "1 2 4 3 5", "record/page-missing 0:0"},
		{`{next: "a:last-of-type"}`, "1 3", "record/page-missing 0:0"},
	} {
		k := &kept{}
		var asked []string
		fetch := func(_ context.Context, url string) ([]byte, string, error) {
			asked = append(asked, url)
			if url == "http://h/moved" {
				return []byte(site["http://h/2"]), "http://h/2", nil
			}
			if text, ok := site[url]; ok {
				return []byte(text), "", nil
			}
			return nil, "", errors.New("404 Not Found")
		}
		m := compile(t, "{n: h1}", match.Options{})
		counts, err := plan(t, c.spec, match.PlanOptions{}).Read(context.Background(), m, match.Document{URL: "http://h/1"},
			[]byte(site["http://h/1"]), fetch, k)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range k.records {
			got = append(got, r.Field("n").Value.Text)
		}
		if strings.Join(got, " ") != c.want || k.codes() != c.notices || counts.Written != int64(len(got)) {
			t.Errorf("%s: %v %s %+v (asked %v), want %s %s", c.spec, got, k.codes(), counts, asked, c.want, c.notices)
		}
		for i, url := range asked {
			for _, other := range asked[:i] {
				if url == other {
					t.Errorf("%s: %s is fetched twice", c.spec, url)
				}
			}
		}
	}
}

func TestDetailPagesJoinTheirRecords(t *testing.T) {
	fetch := func(_ context.Context, url string) ([]byte, string, error) {
		if url == "http://h/gone" {
			return nil, "", errors.New("gone")
		}
		return []byte(fmt.Sprintf("<h2>other title</h2><p class=more>more of %s</p>", url)), url, nil
	}
	k := &kept{}
	m := compile(t, "[li, {title: h2, more: .more}]", match.Options{})
	page := "<ul><li><h2>A</h2><a href=a>a</a><li><h2>B</h2><a href=gone>b</a><li><h2>C</h2><li><h2>D</h2><a href='a#d'>a</a></ul>"
	counts, err := plan(t, "{detail: a}", match.PlanOptions{}).Read(context.Background(), m, match.Document{URL: "http://h/"}, []byte(page),
		fetch, k)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"title":"A","more":"more of http://h/a"},{"title":"B"},{"title":"C"},{"title":"D","more":"more of http://h/a"}]`
	if k.json() != want || counts.Read != 4 || k.codes() != "record/page-missing 0:0" {
		t.Errorf("%s %+v %s", k.json(), counts, k.codes())
	}
}
