package pages_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// listed are the pages about lists, errors and the whole.
var listed = []string{
	"/", "/?by=day", "/?by=month", "/seeds", "/seeds?state=failed", "/seeds?state=parsed&sort=-size",
	"/seeds?format=Turtle&notice=iri/space",
	"/seeds?relative=true", "/seeds?host=host1.example&error=http/status", "/seeds?more=host", "/search?q=host",
	"/search?q=http://host1.example/",
	"/search?q=http://host1.example/1.ttl", "/errors", "/errors?kind=notice", "/errors?code=http/status",
	"/errors?kind=notice&code=iri/space&format=Turtle",
	"/errors?host=host1.example",
}

func TestEachNumberIsThatOfTheListItLeadsTo(t *testing.T) {
	s := newSite(t)
	s.fill(90)
	seen := 0
	for _, path := range listed {
		each(s.page(path), func(n *html.Node) {
			if n.Data != "a" || !strings.HasPrefix(attribute(n, "href"), "/seeds?") {
				return
			}
			text := ""
			if hasClass(n, "count") {
				text = textOf(n)
			}
			each(n, func(inner *html.Node) { // of a facet
				if hasClass(inner, "n") {
					text = textOf(inner)
				}
			})
			if text == "" {
				return
			}
			seen++
			want, err := strconv.Atoi(strings.ReplaceAll(strings.TrimSpace(text), ",", ""))
			if got := s.length(attribute(n, "href")); err != nil || got != want {
				t.Errorf("%s says %q of %s, which has %d seeds", path, text, attribute(n, "href"), got)
			}
		})
	}
	if seen < 120 {
		t.Errorf("only %d numbers were found", seen)
	}
}

func TestTheWholeSumIsThatOfTheList(t *testing.T) {
	s := newSite(t)
	s.fill(90)
	for _, path := range []string{"/seeds?files=true", "/seeds?files=false", "/seeds?files=true&format=N-Quads",
		"/seeds?files=false&format=N-Quads",
		"/seeds?state=failed", "/seeds?format=Turtle&notice=iri/space", "/seeds?relative=true",
		"/seeds?host=host1.example&source=list+1"} {
		each(s.page(path), func(n *html.Node) {
			if attribute(n, "id") == "total" {
				want, _, _ := strings.Cut(textOf(n), " ")
				if got := s.length(path); strconv.Itoa(got) != want {
					t.Errorf("%s says that there are %s, and there are %d", path, want, got)
				}
			}
		})
	}
}

func TestPagesOfAListFollowOneAnother(t *testing.T) {
	s := newSite(t)
	s.fill(90)
	without, with := s.length("/seeds?files=false"), s.length("/seeds?")
	if cleaned := s.length("/seeds?state=cleaned"); without != with-cleaned || cleaned == 0 {
		t.Fatalf("of %d seeds %d are clean files, and %d are no such", with, cleaned, without)
	}
	for _, sort := range []string{"", "added", "-added", "size", "-statements", "dropped", "-processed", "&files=true"} {
		var keys []string
		next := "/seeds?limit=7&sort=" + sort
		for pages := 0; next != "" && pages < 100; pages++ {
			page := s.page(next)
			next = ""
			each(page, func(n *html.Node) {
				href := attribute(n, "href")
				if n.Data == "td" && hasClass(n, "long") {
					keys = append(keys, attribute(n.FirstChild, "href"))
				}
				if attribute(n, "rel") == "next" {
					next = href
				}
			})
		}
		all := without // clean files are files, and come where they are asked for
		if strings.HasSuffix(sort, "true") {
			all = with
		}
		slices.Sort(keys)
		if len(keys) != all || len(slices.Compact(keys)) != all {
			t.Errorf("by %q %d seeds came, of %d", sort, len(keys), all)
		}
	}
}

func TestARefusalHasTheWordsOfTheAPI(t *testing.T) {
	s := newSite(t)
	s.fill(10)
	for _, row := range []struct{ page, api string }{
		{"/seeds?state=lost", "/api/v1/seeds?state=lost"},
		{"/seeds?format=Turtel", "/api/v1/seeds?format=Turtel"},
		{"/seeds?error=http/statsu", "/api/v1/seeds?error=http/statsu"},
		{"/seeds?notice=nothing", "/api/v1/seeds?notice=nothing"},
		{"/seeds?sort=colour", "/api/v1/seeds?sort=colour"},
		{"/seeds?cursor=abc", "/api/v1/seeds?cursor=abc"},
		{"/seeds?sort=size&cursor=1.1.1", "/api/v1/seeds?sort=size&cursor=1.1.1"},
		{"/seeds?host=http://a.example/", "/api/v1/seeds?host=http://a.example/"},
		{"/seeds?washer=9.9", "/api/v1/seeds?washer=9.9"},
		{"/seeds?parent=00000000000000000000000000000000", "/api/v1/seeds?parent=00000000000000000000000000000000"},
		{"/seeds/00000000000000000000000000000000", "/api/v1/seeds/00000000000000000000000000000000"},
		{"/errors?code=http/statsu", "/api/v1/seeds?error=http/statsu"},
		{"/nowhere", "/nowhere"},
	} {
		reply := s.ask(row.page)
		status, detail := s.problem(row.api)
		text := textOf(parsed(t, reply.Body.Bytes()))
		if reply.Code != status || status < 400 || !strings.Contains(text, detail) ||
			reply.Header().Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: %d %s\nthe API says %d %q", row.page, reply.Code, text, status, detail)
		}
	}
	for path, want := range map[string]string{
		"/seeds?colour=red":  "there is no parameter colour here",
		"/seeds?stat=failed": "did you mean state?",
		"/?by=year":          "throughput is by hour, day, month",
		"/seeds?limit=1001":  "limit is 1 to 1,000",
		"/seeds?limit=many":  "limit is 1 to 1,000",
		"/errors?kind=fun":   "kind is error or notice, not fun",
		"/seeds?more=colour": "there is no facet colour",
		"/errors.csv?kind=x": "kind is error or notice, not x",
	} {
		reply := s.ask(path)
		if text := textOf(parsed(t, reply.Body.Bytes())); reply.Code/100 != 4 || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", path, reply.Code, text)
		}
	}
}

func TestWhatIsNoPageIsAnsweredAsBefore(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/nowhere", "/api/v1/nowhere"} {
		reply := s.ask(path, "Accept", "*/*")
		if reply.Code != http.StatusNotFound || reply.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s", path, reply.Code, reply.Header().Get("Content-Type"))
		}
	}
}

func TestBothListenersHavePages(t *testing.T) {
	for _, writable := range []bool{false, true} {
		s := newSiteFor(t, writable)
		for _, path := range []string{"/", "/seeds", "/errors"} {
			reply := s.ask(path)
			if reply.Code != http.StatusOK || reply.Header().Get("ETag") == "" {
				t.Errorf("%s: %d %v", path, reply.Code, reply.Header())
			}
			if again := s.ask(path, "If-None-Match", reply.Header().Get("ETag")); again.Code != http.StatusNotModified {
				t.Errorf("%s: %d to who has it", path, again.Code)
			}
		}
	}
}

// hostile are texts that are something else to a browser than to a reader.
var hostile = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `'onmouseover='alert(1)`, `</title><svg onload=alert(1)>`,
	`javascript:alert(1)`, `{{.}}`, `</textarea><iframe src=//evil.example>`, `<!--`, `]]><b>`, "a\u202eb", "\x1b[31m",
	"\u0000\u0085\ufeff",
	`&lt;script&gt;`, `<a href="javascript:alert(1)">x</a>`, `<style>*{display:none}</style>`, `" style="color:red`,
}

func TestTextsOfOthersAreInert(t *testing.T) {
	s := newSite(t)
	ctx := t.Context()
	for i, text := range hostile {
		uri := fmt.Sprintf("http://host%d.example/%s", i, strings.ReplaceAll(text, "\x00", ""))
		answers, err := s.seeds.Add(ctx,
			[]seedlist.NewSeed{{URI: uri, Source: "source " + text, Title: "title " + text, Claims: map[string]string{"note": text}}})
		s.must(err)
		if answers[0].Err != nil { // what is no URI can be no seed
			answers, err = s.seeds.Add(ctx, []seedlist.NewSeed{{URI: fmt.Sprintf("http://host%d.example/", i), Source: "source " + text,
				Title: "title " + text}})
			s.must(errors.Join(err, answers[0].Err))
		}
	}
	claims, err := s.seeds.Claim(ctx, seedlist.Downloading, "worker <b>", len(hostile))
	s.must(err)
	if len(claims) != len(hostile) {
		t.Fatalf("%d of %d could be claimed", len(claims), len(hostile))
	}
	for i, claim := range claims {
		text := hostile[i]
		switch i % 3 {
		case 0:
			e := &seedlist.Error{Stage: seedlist.Downloading, Kind: fault.Refused, Code: "http/status", Message: "said " + text}
			s.must(s.seeds.Complete(ctx, claim, seedlist.Outcome{Next: seedlist.Failed, Update: func(r *seedlist.Record) {
				r.Error, r.Format = e, text
				r.HTTP = []seedlist.Exchange{{URI: claim.Seed.URI, Status: 404, Headers: map[string][]string{"x-note": {text}},
					Error: text}}
			}}))
		case 1:
			s.must(s.seeds.CompleteAll(ctx, claim, []seedlist.Outcome{
				{Next: seedlist.Filed, Update: func(*seedlist.Record) {}},
				{Next: seedlist.Depleted, Update: func(*seedlist.Record) {}, Children: []seedlist.Child{{
					Name: text, Archive: seedlist.Archive{Format: "zip"},
				}}},
			}))
		case 2:
			s.seeds.Progress(t.Context(), claim, seedlist.Progress{Bytes: 1, Of: 2, Message: text})
		}
	}
	paths := append(slices.Clone(listed), "/seeds?limit=1000", "/basket", "/hosts", "/catalogs", "/about")
	list, _, err := s.seeds.List(ctx, seedlist.Filter{Limit: 1000})
	s.must(err)
	for _, seed := range list {
		paths = append(paths, "/seeds/"+seed.Hash)
	}
	for _, text := range hostile {
		query := urlQuery(text)
		paths = append(paths, "/search?q="+query, "/seeds?host="+query, "/seeds?source="+query, "/seeds?"+query+"=1", "/errors?code="+query,
			"/errors?kind="+query,
			"/seeds?state="+query, "/seeds?encoding="+query, "/nowhere/"+strings.ReplaceAll(query, "+", "%20"), "/seeds/"+
				strings.ReplaceAll(query, "+", "%20"))
	}
	for _, path := range paths {
		reply := s.ask(path)
		if reply.Header().Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: %d %s", path, reply.Code, reply.Header().Get("Content-Type"))
			continue
		}
		holdInert(t, path, parsed(t, reply.Body.Bytes()))
	}
	text := textOf(s.page("/seeds?limit=1000"))
	for _, want := range []string{"title <script>alert(1)</script>", "aU+202Eb", "U+001B[31m", "{{.}}"} {
		if !strings.Contains(text, want) {
			t.Errorf("the list does not show %s", want)
		}
	}
}

// holdInert says what of a page a browser would run, load from elsewhere, or style by itself.
func holdInert(t *testing.T, path string, root *html.Node) {
	t.Helper()
	each(root, func(n *html.Node) {
		switch n.Data {
		case "script":
			if attribute(n, "type") == "application/ld+json" && attribute(n, "src") == "" {
				if err := json.Unmarshal([]byte(textOf(n)), new(map[string]any)); err != nil {
					t.Errorf("%s: %v in the data of %s", path, err, textOf(n))
				}
			} else if !strings.HasPrefix(attribute(n, "src"), "/static/") || strings.TrimSpace(textOf(n)) != "" {
				t.Errorf("%s has a script within it: %s", path, textOf(n))
			}
		case "style", "iframe", "img", "object", "embed", "base", "b", "link":
			at := attribute(n, "href")
			isOther := attribute(n, "rel") == "alternate" && (at == "/feed" || strings.HasPrefix(at, "/id/"))
			if n.Data != "link" || !isOther && !strings.HasPrefix(at, "/static/") {
				t.Errorf("%s has an element %s", path, n.Data)
			}
		case "svg":
			if !hasClass(n, "drum") && !hasClass(n, "bar") && n.Parent != nil && n.Parent.Data != "figure" && n.Parent.Data != "div" {
				t.Errorf("%s has an svg that is not ours", path)
			}
		}
		if n.FirstChild != nil && n.FirstChild.Type == html.TextNode && strings.ContainsFunc(n.FirstChild.Data, isControl) &&
			n.Data != "textarea" {
			t.Errorf("%s: %s has a control character: %q", path, n.Data, n.FirstChild.Data)
		}
		for _, a := range n.Attr {
			if strings.ContainsFunc(a.Val, isControl) && a.Key != "value" { // a form sends what it got
				t.Errorf("%s: %s has a control character in %s=%q", path, n.Data, a.Key, a.Val)
			}
			value := strings.ToLower(strings.TrimSpace(a.Val))
			isAddress := a.Key == "href" || a.Key == "src" || a.Key == "action" || a.Key == "formaction"
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || isAddress && (strings.HasPrefix(value, "javascript:") ||
				strings.HasPrefix(value, "data:")) {
				t.Errorf("%s: %s has %s=%q", path, n.Data, a.Key, a.Val)
			}
		}
	})
}

// isControl says that a character can't be seen, or changes how others look.
func isControl(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r == '\u202e' || r == '\u0085' || r == '\ufeff'
}

func urlQuery(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

func TestEveryPageHasThePolicy(t *testing.T) {
	s := newSite(t)
	s.fill(20)
	const want = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	for _, path := range append(slices.Clone(listed), "/nowhere", "/seeds?state=lost", "/basket", "/hosts", "/catalogs", "/about") {
		reply := s.ask(path)
		header := reply.Header()
		if header.Get("Content-Security-Policy") != want || header.Get("X-Content-Type-Options") != "nosniff" ||
			header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %v", path, header)
		}
		root := parsed(t, reply.Body.Bytes())
		holdInert(t, path, root)
		heads := 0
		each(root, func(n *html.Node) {
			if n.Data == "h1" {
				heads++
			}
			if n.Data == "html" && attribute(n, "lang") == "" {
				t.Errorf("%s has no language", path)
			}
		})
		if heads != 1 {
			t.Errorf("%s has %d first headings", path, heads)
		}
	}
}

func TestAPageReadsABoundedNumberOfRecords(t *testing.T) {
	s := newSite(t)
	s.fill(800)
	for _, path := range listed {
		s.page(path) // the views may have to catch up
		before := s.seeds.read.Load()
		s.page(path)
		if read := s.seeds.read.Load() - before; read > 250 && !strings.Contains(path, "q=http") || read > 500 {
			t.Errorf("%s read %d records of 800 seeds", path, read)
		}
	}
}

func TestTheTableOfErrorsAsCSVHasAllSeeds(t *testing.T) {
	s := newSite(t)
	s.fill(90)
	for _, kind := range []string{"error", "notice"} {
		reply := s.ask("/errors.csv?kind=" + kind)
		rows, err := csv.NewReader(reply.Body).ReadAll()
		if err != nil || len(rows) < 2 || strings.Join(rows[0], ",") != "code,format,host,seeds" {
			t.Fatal(rows, err)
		}
		sums := map[string]int{}
		for _, row := range rows[1:] {
			n, err := strconv.Atoi(row[3])
			if err != nil {
				t.Fatal(err)
			}
			sums[row[0]] += n
			if want := s.length("/seeds?" + kind + "=" + row[0] + "&format=" + row[1] + "&host=" + row[2]); row[1] != "" && want != n {
				t.Errorf("%v: the list has %d", row, want)
			}
		}
		for code, n := range sums {
			if want := s.length("/seeds?" + kind + "=" + code); want != n {
				t.Errorf("%s: %d in the table, %d in the list", code, n, want)
			}
		}
	}
}

func TestTheCommandIsTheFilter(t *testing.T) {
	s := newSite(t)
	const source = `it's $(a) "list" \ ; rm`
	_, err := s.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: "http://a.example/", Source: source}})
	s.must(err)
	var commands []string
	each(s.page("/seeds?state=added&encoding=utf-8&source="+urlQuery(source)), func(n *html.Node) {
		if n.Data == "pre" {
			commands = append(commands, textOf(n))
		}
	})
	if len(commands) != 2 {
		t.Fatal(commands)
	}
	for i, want := range []string{
		"laundromat\nseed\nlist\n--state\nadded\n--source\n" + source + "\n",
		"curl\n-H\nAccept: application/x-ndjson\nhttp://example.com/api/v1/seeds?encoding=utf-8&source=" +
			"it%27s+%24%28a%29+%22list%22+%5C+%3B+rm&state=added\n",
	} {
		got, err := exec.Command("sh", "-c", `printf '%s\n' `+commands[i]).Output()
		if err != nil || string(got) != want {
			t.Errorf("a shell takes\n%s\nfor\n%s(%v)", commands[i], got, err)
		}
	}
}

func TestFilesOfPagesAreKeptAndPacked(t *testing.T) {
	s := newSite(t)
	seen := 0
	each(s.page("/"), func(n *html.Node) {
		at := attribute(n, "src")
		if n.Data == "link" {
			at = attribute(n, "href")
		}
		if !strings.HasPrefix(at, "/static/") {
			return
		}
		seen++
		reply := s.ask(at)
		header := reply.Header()
		if reply.Code != http.StatusOK || !strings.Contains(header.Get("Cache-Control"), "immutable") || header.Get("ETag") == "" {
			t.Errorf("%s: %d %v", at, reply.Code, header)
		}
		if again := s.ask(at, "If-None-Match", header.Get("ETag")); again.Code != http.StatusNotModified {
			t.Errorf("%s: %d to who has it", at, again.Code)
		}
	})
	if seen < 6 {
		t.Errorf("%d files", seen)
	}
	if packed := s.ask("/static/htmx-4.0.1.min.js", "Accept-Encoding", "gzip"); packed.Header().Get("Content-Encoding") != "gzip" {
		t.Error("a script was not packed:", packed.Header())
	}
	if reply := s.ask("/static/none.js"); reply.Code != http.StatusNotFound {
		t.Error(reply.Code)
	}
}

func TestAPageListensFromTheRevisionThatItHolds(t *testing.T) {
	s := newSite(t)
	s.fill(20)
	revision, err := s.seeds.Revision(t.Context())
	s.must(err)
	for path, filters := range map[string]string{"/": "", "/seeds": "", "/seeds?state=failed&host=host1.example": "&state=failed",
		"/errors": ""} {
		each(s.page(path), func(n *html.Node) {
			want := fmt.Sprintf("/api/v1/events?after=%d%s", revision, filters)
			if n.Data == "main" && attribute(n, "data-live") != want {
				t.Errorf("%s listens to %q, not %q", path, attribute(n, "data-live"), want)
			}
		})
	}
}
