package pages_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"laundromat/seedlist"
	"laundromat/web"
	"laundromat/web/pages"
)

// writable are the pages of the same store for who may write.
func (s *site) writable() *site {
	other := *s
	other.handler = web.New(web.Options{
		Seeds: s.seeds, Version: "1.0", Writable: true,
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
		"/actions", "/actions/1/stop", "/seeds/" + hash + "/again",
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
		{"paused=yes", "paused", 303}, {"paused=no", "free", 303}, {"connections=3&delay=1.5", "1.5 s", 303},
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
