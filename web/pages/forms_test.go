package pages_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"laundromat/internal/digest"
	"laundromat/seedlist"
	"laundromat/states/recipe"
	"laundromat/web"
	"laundromat/web/pages"
)

// writable are the pages of the same store for who may write.
func (s *site) writable() *site {
	other := *s
	other.handler = web.New(web.Options{
		Seeds: s.seeds, Version: "1.0", Writable: true, Rereading: web.Rereading{TryRecipe: tryOnTable},
		Pages: func(reader *web.Reader, otherwise http.Handler) http.Handler {
			return pages.New(reader, pages.Options{}, otherwise)
		},
	})
	return &other
}

// send sends a form as a browser does.
func (s *site) send(path, kind, body string) *httptest.ResponseRecorder {
	s.t.Helper()
	request := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	request.Header.Set("Accept", "text/html")
	request.Header.Set("Content-Type", kind)
	reply := httptest.NewRecorder()
	s.handler.ServeHTTP(reply, request)
	return reply
}

const urlencoded = "application/x-www-form-urlencoded"

// Without a token no form of a page changes anything, and the answer is the page on which one signs in.
func TestFormsOfPagesNeedAToken(t *testing.T) {
	s := newSite(t)
	s.fill(10)
	hash := seedlist.Key("http://host0.example/0.ttl")
	before := length(t, s)
	for _, path := range []string{
		"/basket", "/catalogs", "/catalogs/" + hash + "/harvest", "/catalogs/" + hash + "/remove", "/hosts/host0.example",
		"/actions", "/actions/1/stop", "/seeds/" + hash + "/again", "/recipes", "/recipes/test", "/recipes/a/move", "/recipes/a/remove",
	} {
		reply := s.send(path, urlencoded, "uris=http://new.example/&uri=http://new.example/&how=force&do=retry&paused=yes")
		if reply.Code != http.StatusUnauthorized || !strings.Contains(reply.Body.String(), `name="token"`) {
			t.Errorf("%s: %d", path, reply.Code)
		}
		holdInert(t, path, parsed(t, reply.Body.Bytes()))
	}
	if after := length(t, s); after != before {
		t.Errorf("there were %d seeds, and are %d", before, after)
	}
}

func length(t *testing.T, s *site) int64 {
	t.Helper()
	counts, err := s.seeds.Counts(t.Context())
	s.must(err)
	return counts.Seeds
}

// The basket takes lines that were typed and those of a file, and tells each that it refuses.
func TestTheBasketTakesLinesAndAFile(t *testing.T) {
	s := newSite(t).writable()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	form.WriteField("uris", "http://typed.example/a.nt\r\n# a note\r\nHTTP://TYPED.example/a.nt\r\nmailto:<script>x\r\n")
	part, err := form.CreateFormFile("file", "list.txt")
	s.must(err)
	for i := range 1200 {
		fmt.Fprintf(part, "http://filed.example/%d.nt\n", i)
	}
	s.must(form.Close())
	reply := s.send("/basket", form.FormDataContentType(), body.String())
	if reply.Code != http.StatusSeeOther {
		t.Fatalf("%d %s", reply.Code, reply.Body)
	}
	root := s.page(reply.Header().Get("Location"))
	holdInert(t, "/basket", root)
	text := textOf(root)
	for _, want := range []string{"1,201 new, 1 known before, 1 refused", "http://typed.example/a.nt", "http://filed.example/3.nt",
		"mailto:<script>x"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q: %s", want, text)
		}
	}
	rows := 0
	each(root, func(n *html.Node) {
		if n.Data == "tr" && attribute(n, "data-state") == "added" {
			rows++
		}
	})
	if rows != 50 || length(t, s) != 1201 {
		t.Errorf("%d rows, %d seeds", rows, length(t, s))
	}
	for _, c := range []struct {
		kind, body string
		status     int
	}{
		{urlencoded, "uris=+", 422}, {urlencoded, "uris=%zz", 422}, {"multipart/form-data; boundary=x", "no form", 422},
		{urlencoded, "uris=" + strings.Repeat("x", 17<<20), 413},
	} {
		reply := s.send("/basket", c.kind, c.body)
		if reply.Code != c.status || reply.Header().Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%.20s: %d", c.body, reply.Code)
		}
	}
}

// What a form says of a host holds, and what it leaves empty is as for all hosts.
func TestAHostIsSetByItsForm(t *testing.T) {
	s := newSite(t).writable()
	for _, c := range []struct {
		form, want string
		status     int
	}{
		{"paused=yes", "paused", 303}, {"paused=no", "nothing waits for it", 303}, {"connections=3&delay=1.5", "1.5 s", 303},
		{"connections=&delay=", "as for all", 303},
		{"connections=many", "", 422}, {"delay=-1", "", 422}, {"delay=1e9", "", 422},
	} {
		reply := s.send("/hosts/host.example", urlencoded, c.form)
		if reply.Code != c.status {
			t.Errorf("%s: %d %s", c.form, reply.Code, textOf(parsed(t, reply.Body.Bytes())))
		}
		if c.status == http.StatusSeeOther && !strings.Contains(textOf(s.page("/hosts/host.example")), c.want) {
			t.Errorf("after %s the page does not say %s", c.form, c.want)
		}
	}
	reply := s.ask("/hosts?host=" + url.QueryEscape("https://Host.Example/path"))
	if reply.Code != http.StatusSeeOther || reply.Header().Get("Location") != "/hosts/host.example" {
		t.Errorf("%d %s", reply.Code, reply.Header().Get("Location"))
	}
}

// A catalog that a form adds has its page, is harvested when asked for, and goes.
func TestACatalogIsAddedByItsForm(t *testing.T) {
	s := newSite(t).writable()
	reply := s.send("/catalogs", urlencoded, "uri=http://catalog.example/list.txt&kind=list&interval=3600")
	at := reply.Header().Get("Location")
	if reply.Code != http.StatusSeeOther || at != "/catalogs/"+seedlist.Key("http://catalog.example/list.txt") {
		t.Fatalf("%d %s", reply.Code, at)
	}
	if text := textOf(s.page(at)); !strings.Contains(text, "waiting") || !strings.Contains(text, "http://catalog.example/list.txt") {
		t.Errorf("its page says %s", text)
	}
	if !strings.Contains(textOf(s.page("/catalogs")), "http://catalog.example/list.txt") {
		t.Error("it is not among the catalogs")
	}
	if reply := s.send(at+"/harvest", urlencoded, ""); reply.Header().Get("Location") != at {
		t.Errorf("it can't be harvested: %d", reply.Code)
	}
	if reply := s.send(at+"/remove", urlencoded, ""); reply.Code != http.StatusSeeOther || s.ask(at).Code != http.StatusNotFound {
		t.Errorf("it was not removed: %d", reply.Code)
	}
	for _, form := range []string{"uri=relative", "uri=mailto:x", "uri=http://a.example/&kind=nonsense",
		"uri=http://a.example/&interval=soon", ""} {
		if reply := s.send("/catalogs", urlencoded, form); reply.Code != http.StatusUnprocessableEntity {
			t.Errorf("%q: %d", form, reply.Code)
		}
	}
}

// tryOnTable says of each document that it holds what a recipe is called.
func tryOnTable(_ context.Context, seed seedlist.Seed, by *recipe.Recipe) (web.RecipeTried, error) {
	row, err := json.Marshal(map[string]string{by.Name: seed.URI})
	return web.RecipeTried{ReadAs: "CSV", Rows: []json.RawMessage{row}, Fields: map[string]int64{by.Name: 1},
		Records: digest.Records{Read: 1, Kept: 1, Written: 1}, Led: 1, Pages: []string{"http://x.example/<b>"}}, err
}

// Recipes are added, tried, put in order and removed by forms alone; one that is wrong comes back with its place.
func TestRecipesAreKeptByForms(t *testing.T) {
	s := newSite(t)
	s.fill(10)
	s = s.writable()
	order := func() string {
		listed, _, err := s.seeds.Recipes(t.Context())
		s.must(err)
		var names []string
		for _, r := range listed {
			names = append(names, r.Name)
		}
		return strings.Join(names, " ")
	}
	recipe := func(name string) string {
		return url.QueryEscape("name: " + name + "\r\nmatch: {host: host0.example}\r\nproducts: [records]\r\n")
	}
	for _, c := range []struct {
		path, form string
		status     int
		want       string // what the page says, or where it leads
		order      string
	}{
		{"/recipes", "text=" + recipe("one"), 303, "/recipes/one", "one"},
		{"/recipes", "text=" + recipe("two"), 303, "/recipes/two", "one two"},
		{"/recipes", "before=one&text=" + recipe("three"), 303, "/recipes/three", "three one two"},
		{"/recipes", "before=nobody&text=" + recipe("four"), 422, "nobody", "three one two"},
		{"/recipes", "text=name%3A+x%0D%0Amatch%3A+%7Bhots%3A+a%7D", 422, "recipe:2:9: unknown key of match", "three one two"},
		{"/recipes", "recipe=one&text=name%3A+one%0D%0Amatch%3A+%5B", 422, "recipe:2:", "three one two"},
		{"/recipes", "text=", 422, "", "three one two"},
		{"/recipes/test", "document=http://host0.example/0.ttl&text=" + recipe("tried"), 200, "What it makes of http://host0.example/0.ttl",
			"three one two"},
		{"/recipes/test", "recipe=one&document=http://host0.example/0.ttl&text=" + recipe("one"), 200, "http://x.example/<b>",
			"three one two"},
		{"/recipes/test", "document=http://nowhere.example/&text=" + recipe("one"), 422, "no document of the list", "three one two"},
		{"/recipes/test", "document=&text=" + recipe("one"), 422, "document is", "three one two"},
		{"/recipes/one/move", "before=three", 303, "/recipes/one", "one three two"},
		{"/recipes/one/move", "after=three", 303, "/recipes/one", "three one two"},
		{"/recipes/one/move", "before=", 422, "before is the name", "three one two"},
		{"/recipes/nobody/move", "before=one", 404, "no recipe", "three one two"},
		{"/recipes/three/remove", "", 303, "/recipes", "one two"},
		{"/recipes/three/remove", "", 404, "no recipe", "one two"},
	} {
		reply := s.send(c.path, urlencoded, c.form)
		said := reply.Header().Get("Location")
		if said == "" {
			root := parsed(t, reply.Body.Bytes())
			holdInert(t, c.path, root)
			said = textOf(root)
		}
		if reply.Code != c.status || !strings.Contains(said, c.want) || order() != c.order {
			t.Errorf("%s %s: %d, %s\nwant %d, %q; the order is %s", c.path, c.form, reply.Code, said, c.status, c.want, order())
		}
	}
	if text := textOf(s.page("/recipes")); !strings.Contains(text, "host host0.example") || !strings.Contains(text, "2 in all") {
		t.Errorf("the list says %s", text)
	}
	if text := textOf(s.page("/recipes/one")); !strings.Contains(text, "1 of 2") || !strings.Contains(text, `"products"`) {
		t.Errorf("the page says %s", text)
	}
	if reply := s.ask("/recipes/nobody"); reply.Code != 404 {
		t.Errorf("of no recipe there is a page: %d", reply.Code)
	}
}

// A form that is wrong is shown again with what was typed, and says what is wrong and what was probably meant.
func TestAWrongFormKeepsWhatWasTyped(t *testing.T) {
	open := newSite(t)
	open.fill(10)
	s := open.writable()
	for _, c := range []struct {
		path, body string
		says       []string
		holds      map[string]string // fields, by name, with their values
	}{
		{"/catalogs", "uri=example.org/sitemap.xml&kind=sitemap&interval=2592000",
			[]string{"did you mean https://example.org/sitemap.xml?"},
			map[string]string{"uri": "example.org/sitemap.xml", "kind": "sitemap", "interval": "2592000"}},
		{"/catalogs", "uri=http://example.org/sitemap.xml&interval=soon", []string{`not "soon"`},
			map[string]string{"uri": "http://example.org/sitemap.xml"}},
		{"/hosts/host0.example", "connections=many&delay=2.5", []string{`not "many"`},
			map[string]string{"connections": "many", "delay": "2.5"}},
		{"/hosts/host0.example", "connections=3&delay=slow", []string{`not "slow"`},
			map[string]string{"connections": "3", "delay": "slow"}},
		{"/basket", "uris=%23+a+note%0A", []string{"no URI in the form"}, map[string]string{"uris": "# a note\n"}},
	} {
		reply := s.send(c.path, urlencoded, c.body)
		root := parsed(t, reply.Body.Bytes())
		holdInert(t, c.path, root)
		text := textOf(root)
		for _, want := range c.says {
			if reply.Code != http.StatusUnprocessableEntity || !strings.Contains(text, want) {
				t.Errorf("%s %s: %d, and the page does not say %q: %s", c.path, c.body, reply.Code, want, text)
			}
		}
		for name, want := range c.holds {
			if got := fieldIn(root, name); got != want {
				t.Errorf("%s %s: the field %s holds %q", c.path, c.body, name, got)
			}
		}
	}
	for path, want := range map[string]string{"/hosts?host=a+b": "a b", "/compare?since=yesterday": ""} {
		reply := open.ask(path)
		root := parsed(t, reply.Body.Bytes())
		if reply.Code != http.StatusUnprocessableEntity || !strings.Contains(textOf(root), "this is") {
			t.Errorf("%s: %d %s", path, reply.Code, textOf(root))
		}
		if got := fieldIn(root, "host"); want != "" && got != want {
			t.Errorf("%s: the field holds %q", path, got)
		}
	}
	if text := textOf(open.page("/basket?uris=example.org/a.ttl")); !strings.Contains(text, "did you mean https://example.org/a.ttl?") {
		t.Errorf("the basket does not say what a URI without a scheme means: %s", text)
	}
}

// fieldIn is what a field of a form holds.
func fieldIn(root *html.Node, name string) (value string) {
	each(root, func(n *html.Node) {
		if attribute(n, "name") != name {
			return
		}
		switch n.Data {
		case "input":
			value = attribute(n, "value")
		case "textarea":
			value = textOf(n)
		case "select":
			each(n, func(option *html.Node) {
				if option.Data != "option" || !hasAttribute(option, "selected") {
					return
				}
				if value = attribute(option, "value"); value == "" {
					value = textOf(option)
				}
			})
		}
	})
	return value
}

func hasAttribute(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}
