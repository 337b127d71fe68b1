package fetch_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
)

// TestPagesThatOnlyLeadOnAreFollowed: what a page at /x says, and what comes of it: "data", which is at
// /data, or "page".
func TestPagesThatOnlyLeadOnAreFollowed(t *testing.T) {
	for _, c := range []struct{ name, kind, refresh, page, want string }{
		{"a meta element", "text/html", "", `<!DOCTYPE html><head><meta http-equiv="refresh" content="0; url=/data">`, "data"},
		{"in capitals, in quotes", "text/html; charset=utf-8", "", `<META HTTP-EQUIV='Refresh' CONTENT='5;URL="data"'>`, "data"},
		{"without url=", "text/html", "", `<meta http-equiv=refresh content="0;/data">`, "data"},
		{"with a comma", "text/html", "", `<meta http-equiv=refresh content="0, url = '/data' x">`, "data"},
		{"XHTML", "application/xhtml+xml", "",
			`<html xmlns="http://www.w3.org/1999/xhtml"><head><meta http-equiv="refresh" content="1; url=/data"/></head></html>`, "data"},
		{"no type", "", "", ` <!doctype HTML><meta http-equiv=refresh content="0;url=/data">`, "data"},
		{"against the page's base", "text/html", "", `<base href="/sub/"><meta http-equiv=refresh content="0;url=../data">`, "data"},
		{"without scripts", "text/html", "", `<noscript><meta http-equiv=refresh content="0;url=/data"></noscript>`, "data"},
		{"behind a long style", "text/html", "", "<style>" + strings.Repeat("a{b:c}", 5000) +
			`</style><meta http-equiv=refresh content="0;url=/data">`, "data"},
		{"packed", "text/html", "", gzipped(`<meta http-equiv=refresh content="0;url=/data">`), "data"},
		{"a field", "text/html", "0; url=/data", "wait", "data"},
		{"a field without a type", "", "0; url=/data", "", "data"},
		{"a field and plain text", "text/plain", "3;url=/data", "wait", "data"},
		{"a field before an element", "text/html", "0;/data", `<meta http-equiv=refresh content="0;url=/nowhere">`, "data"},
		{"thirty seconds", "text/html", "30; url=/data", "", "data"},
		{"two minutes", "text/html", "120; url=/data", "page", "page"},
		{"no place", "text/html", "5", "page", "page"},
		{"itself", "text/html", "5; url=/x", "page", "page"},
		{"itself, a part", "text/html", "5; url=#part", "page", "page"},
		{"no number", "text/html", "url=/data", "page", "page"},
		{"no page", "text/turtle", "0; url=/data", "page", "page"},
		{"in a comment", "text/html", "", `<!-- <meta http-equiv=refresh content="0;url=/data"> -->page`, "page"},
		{"in a script", "text/html", "", `<script>"<meta http-equiv=refresh content='0;url=/data'>"</script>page`, "page"},
		{"a page with JSON-LD", "text/html", "",
			`<script type="application/ld+json">{}</script><meta http-equiv=refresh content="0;url=/data">page`, "page"},
		{"a page with Microdata", "text/html", "0;url=/data", `<p itemscope>page`, "page"},
		{"a page with RDFa", "text/html", "0;url=/data", `<p vocab="http://schema.org/">page`, "page"},
		{"a scheme that is not fetched", "text/html", "0;url=javascript:x", "page", "page"},
	} {
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/data" {
				io.WriteString(w, "data")
				return
			}
			w.Header()["Content-Type"] = nil
			if c.kind != "" {
				w.Header().Set("Content-Type", c.kind)
			}
			if c.refresh != "" {
				w.Header().Set("Refresh", c.refresh)
			}
			io.WriteString(w, c.page)
		})
		r, body, err := get(t, open(), url+"/x")
		if err != nil || !strings.HasSuffix(body, c.want) || c.want == "page" && body != c.page {
			t.Errorf("%s: %.80q, error %v, want %s", c.name, body, err, c.want)
		}
		if hops := map[string]int{"data": 2, "page": 1}[c.want]; len(r.Exchanges) != hops || c.want == "data" && r.FinalURI != url+"/data" {
			t.Errorf("%s: %d exchanges, at %s", c.name, len(r.Exchanges), r.FinalURI)
		}
	}
}

func gzipped(text string) string {
	var b strings.Builder
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

// TestCookiesLiveWithinAChain: who must be shown a cookie that it set gives the data, and the next
// fetch knows of none.
func TestCookiesLiveWithinAChain(t *testing.T) {
	needs := func(w http.ResponseWriter, r *http.Request, name string, else_ func()) {
		if c, err := r.Cookie(name); err == nil && c.Value != "" {
			io.WriteString(w, "data "+c.Value)
			return
		}
		else_()
	}
	set := func(w http.ResponseWriter, name, value, more string) {
		w.Header().Add("Set-Cookie", name+"="+value+more)
	}
	for _, c := range []struct {
		name string
		page func(w http.ResponseWriter, r *http.Request)
		want string
		code fault.Code
		asks int
	}{
		{"a redirect to itself", func(w http.ResponseWriter, r *http.Request) {
			needs(w, r, "id", func() { set(w, "id", "7", "; Path=/"); http.Redirect(w, r, "/x", http.StatusFound) })
		}, "data 7", "", 2},
		{"to a place that sets it, and back", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/set" {
				set(w, "id", "8", "; Path=/; HttpOnly")
				http.Redirect(w, r, "/x", http.StatusSeeOther)
				return
			}
			needs(w, r, "id", func() { http.Redirect(w, r, "/set", http.StatusFound) })
		}, "data 8", "", 3},
		{"two cookies, one after the other", func(w http.ResponseWriter, r *http.Request) {
			if _, err := r.Cookie("a"); err != nil {
				set(w, "a", "1", "")
				http.Redirect(w, r, "/x", http.StatusTemporaryRedirect)
				return
			}
			needs(w, r, "b", func() { set(w, "b", "2", ""); http.Redirect(w, r, "/x", http.StatusTemporaryRedirect) })
		}, "data 2", "", 3},
		{"by a refresh to itself", func(w http.ResponseWriter, r *http.Request) {
			needs(w, r, "id", func() { set(w, "id", "9", ""); w.Header().Set("Refresh", "0; url=/x") })
		}, "data 9", "", 2},
		{"by an element of a page", func(w http.ResponseWriter, r *http.Request) {
			needs(w, r, "id", func() {
				set(w, "id", "9", "")
				w.Header().Set("Content-Type", "text/html")
				io.WriteString(w, `<meta http-equiv="refresh" content="0;url=/x">`)
			})
		}, "data 9", "", 2},
		{"of another path", func(w http.ResponseWriter, r *http.Request) {
			needs(w, r, "id", func() { set(w, "id", "1", "; Path=/other"); http.Redirect(w, r, "/x", http.StatusFound) })
		}, "", fault.HTTPRedirectLoop, 1},
		{"of another host", func(w http.ResponseWriter, r *http.Request) {
			needs(w, r, "id", func() { set(w, "id", "1", "; Domain=example.org"); http.Redirect(w, r, "/x", http.StatusFound) })
		}, "", fault.HTTPRedirectLoop, 1},
		{"one that ended", func(w http.ResponseWriter, r *http.Request) {
			needs(w, r, "id", func() { set(w, "id", "1", "; Max-Age=-1"); http.Redirect(w, r, "/x", http.StatusFound) })
		}, "", fault.HTTPRedirectLoop, 1},
		{"always the same, never enough", func(w http.ResponseWriter, r *http.Request) {
			set(w, "id", "1", "")
			http.Redirect(w, r, "/x", http.StatusFound)
		}, "", fault.HTTPRedirectLoop, 2},
		{"always another", func() func(w http.ResponseWriter, r *http.Request) {
			n := 0
			return func(w http.ResponseWriter, r *http.Request) {
				n++
				set(w, "id", fmt.Sprint(n), "")
				http.Redirect(w, r, "/x", http.StatusFound)
			}
		}(), "", fault.HTTPTooManyRedirects, 21},
	} {
		var asked []string
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, r.Header.Get("Cookie"))
			c.page(w, r)
		})
		f := fetch.New(open())
		for range 2 { // the second time as the first
			asked = nil
			var body strings.Builder
			r, err := f.Get(t.Context(), url+"/x", &body)
			if body.String() != c.want || fault.CodeOf(err) != c.code || len(asked) != c.asks || asked[0] != "" {
				t.Errorf("%s: %q, asked with %q, error %v", c.name, body.String(), asked, err)
			}
			for _, e := range r.Exchanges {
				if e.Headers["set-cookie"] != nil {
					t.Errorf("%s: a cookie is recorded", c.name)
				}
			}
		}
		f.Close()
	}
}

func TestPageWithRefreshIsNeverPassedOver(t *testing.T) {
	pieces := []string{"<meta ", "<META\n", "http-equiv", "HTTP-EQUIV", "=", "\"", "'",
		"refresh", "ReFresh", "re", "fresh", "&#114;", "&#x72;efresh",
		" content='0; url=/a'", " content=x", ">", "/>", "<p>", "a", " ",
		"X-UA-Compatible", "equiv", "<noscript>", "<script>", "</script>", "&amp;"}
	random := rand.New(rand.NewSource(1))
	found, passed := 0, 0
	for range 60000 {
		var head []byte
		if random.Intn(2) == 0 {
			head = append(head, "<meta http-equiv="...)
		}
		for range random.Intn(9) {
			head = append(head, pieces[random.Intn(len(pieces))]...)
		}
		switch may, refresh := fetch.MayRefresh(head), fetch.RefreshOf(head); {
		case refresh != "" && !may:
			t.Fatalf("%q has a refresh to %q, which is not seen at a glance", head, refresh)
		case refresh != "":
			found++
		case !may:
			passed++
		}
	}
	if found < 50 || passed < 1000 {
		t.Errorf("%d refreshes were found, and %d pages passed over: the pieces show nothing", found, passed)
	}
}
