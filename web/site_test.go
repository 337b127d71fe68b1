package web_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"laundromat/web"
)

func TestAnAddressOfASiteIsPlainOrRefused(t *testing.T) {
	for _, one := range []struct{ text, base string }{
		{"https://example.org", "https://example.org"},
		{"https://Example.org/", "https://example.org"},
		{"http://example.org:8080/laundromat/", "http://example.org:8080/laundromat"},
		{"https://[2001:db8::1]:443/a/b", "https://[2001:db8::1]:443/a/b"},
		{"example.org", ""}, {"ftp://example.org", ""}, {"https://", ""}, {"https://a@example.org", ""}, {"https://example.org?q", ""},
		{"https://example.org/#x", ""}, {"https://example.org/a//b", ""}, {"https://example.org/a/../b", ""}, {"https://example.org/ä", ""},
		{"https://example.org/a%20b", ""}, {"https://exa mple.org/", ""}, {"https://example.org/seeds/", ""},
	} {
		site, err := web.ParseSite(one.text)
		if (err == nil) != (one.base != "") {
			t.Errorf("%s: %v", one.text, err)
		} else if err == nil && site.Base(httptest.NewRequest(http.MethodGet, "http://other/", nil)) != one.base {
			t.Errorf("%s: %s", one.text, site.Base(httptest.NewRequest(http.MethodGet, "/", nil)))
		}
	}
}

// Without a site set, the request tells, and only by where it was sent to.
func TestHeadersOfProxiesAreNotBelieved(t *testing.T) {
	r := httptest.NewRequest(http.MethodGet, "http://here.example:8085/x", nil)
	for _, name := range []string{"X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Prefix", "Forwarded", "X-Original-URL"} {
		r.Header.Set(name, "https://evil.example/")
	}
	if base := web.BaseOf(r); base != "http://here.example:8085" {
		t.Error(base)
	}
	for _, host := range []string{`a"b`, "a<b", "", "a b", "a@b", "a/b"} {
		r.Host = host
		if base := web.BaseOf(r); base != "http://localhost" {
			t.Errorf("%q: %s", host, base)
		}
	}
}

func TestAMountedSiteIsTheSameWithAndWithoutItsPath(t *testing.T) {
	site, err := web.ParseSite("https://example.org/laundromat/")
	if err != nil {
		t.Fatal(err)
	}
	handler := site.Mount(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Seen", r.URL.RequestURI())
		switch r.URL.Path {
		case "/to":
			http.Redirect(w, r, "/there?a=%2F", http.StatusSeeOther)
		case "/elsewhere":
			w.Header().Set("Location", "//example.net/")
			w.Header().Set("Link", `<https://example.net/>; rel="next"`)
		case "/list":
			w.Header().Add("Link", `</list?cursor=1>; rel="next"`)
			w.Write([]byte("x"))
		case "/nothing":
			w.Header().Set("Location", "/at-the-end")
		}
	}))
	for _, one := range []struct{ ask, seen, location, link string }{
		{"/to", "/to", "/laundromat/there?a=%2F", ""},
		{"/laundromat/to", "/to", "/laundromat/there?a=%2F", ""},
		{"/laundromat/a%2Fb?q=1", "/a%2Fb?q=1", "", ""},
		{"/laundromat-other", "/laundromat-other", "", ""},
		{"/laundromat/", "/", "", ""},
		{"/laundromat", "", "/laundromat/", ""},
		{"/elsewhere", "/elsewhere", "//example.net/", `<https://example.net/>; rel="next"`},
		{"/list", "/list", "", `</laundromat/list?cursor=1>; rel="next"`},
		{"/nothing", "/nothing", "/laundromat/at-the-end", ""},
	} {
		reply := httptest.NewRecorder()
		handler.ServeHTTP(reply, httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+one.ask, nil))
		h := reply.Header()
		if h.Get("Seen") != one.seen || h.Get("Location") != one.location || h.Get("Link") != one.link {
			t.Errorf("%s: %v, want %+v", one.ask, h, one)
		}
	}
}

func TestALoopbackAddressIsNotForOthers(t *testing.T) {
	for base, want := range map[string]bool{
		"http://localhost:8085": false, "http://127.0.0.1:8085": false, "http://127.9.9.9": false, "http://[::1]:8085": false,
		"http://192.168.0.7:8085": true, "https://example.org/laundromat": true, "http://[2001:db8::1]": true,
		"http://localhost.example.org": true,
	} {
		if is := web.IsForOthers(base); is != want {
			t.Errorf("%s: %v", base, is)
		}
	}
}
