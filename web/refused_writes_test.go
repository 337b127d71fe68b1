package web_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/seedlist"
	"laundromat/web"
	"laundromat/web/token"
)

// public is an API as others reach it, with tokens.
type public struct {
	*house
	tokens  *token.File
	secrets map[string]string
	api     http.Handler
	wrote   []string
}

func newPublic(t *testing.T, changes ...func(*web.Options)) *public {
	store, options := newStore(t, false)
	p := &public{house: store, tokens: token.Open(filepath.Join(t.TempDir(), "tokens")),
		secrets: map[string]string{"none": "laundromat_made-up"}}
	for name, scopes := range map[string][]token.Scope{"adder": {token.Add}, "operator": {token.Operate},
		"both": {token.Add, token.Operate}, "gone": {token.Add, token.Operate}} {
		secret, err := p.tokens.Add(name, scopes)
		if err != nil {
			t.Fatal(err)
		}
		p.secrets[name] = secret
	}
	options.Authority = web.Authority{Tokens: p.tokens, Sessions: web.NewSessions(), Wrote: func(name string, r *http.Request, status int) {
		p.wrote = append(p.wrote, fmt.Sprint(name, " ", web.WhoIn(r.Context()).Way, " ", r.URL.Path, " ", status))
	}}
	for _, change := range changes {
		change(&options)
	}
	p.api = web.New(options)
	return p
}

// send sends a request with headers, from an address of the documentation.
func (p *public) send(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	p.api.ServeHTTP(w, r)
	return w
}

// signIn begins a session, and returns its cookie as a browser sends it.
func (p *public) signIn(name string) string {
	p.t.Helper()
	w := p.send("POST", "/api/v1/session", url.Values{"token": {p.secrets[name]}}.Encode(), "Content-Type",
		"application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin")
	cookies := w.Result().Cookies()
	if w.Code != 303 || len(cookies) != 1 {
		p.t.Fatalf("%d %v %s", w.Code, cookies, w.Body)
	}
	return cookies[0].Name + "=" + cookies[0].Value
}

// Who may not write, and what is over a limit, is refused: everything is in this table.
func TestWhatMayNotWriteIsRefused(t *testing.T) {
	p := newPublic(t, func(o *web.Options) { o.Actions = web.NewActions(t.TempDir(), *o) })
	revoked, live := p.signIn("gone"), p.signIn("both")
	adding := p.signIn("adder")
	if err := p.tokens.Revoke("gone"); err != nil {
		t.Fatal(err)
	}
	const seeds, form = "/api/v1/seeds", "application/x-www-form-urlencoded"
	hash := seedlist.Key("http://a.example/")
	add := `{"seeds":[{"uri":"http://a.example/"}]}`
	many := `{"seeds":[{"uri":"http://a.example/` + strings.Repeat("x", 17<<20) + `"}]}`
	bearer := func(name string, more ...string) []string {
		return append([]string{"Authorization", "Bearer " + p.secrets[name]}, more...)
	}
	cookie := func(value string, more ...string) []string { return append([]string{"Cookie", value}, more...) }
	here, other := []string{"Sec-Fetch-Site", "same-origin"}, []string{"Origin", "https://other.example"}
	for _, row := range []struct {
		law                string
		method, path, body string
		headers            []string
		status             int
	}{
		{"without a token", "POST", seeds, add, nil, 401},
		{"without a token", "DELETE", seeds + "/" + hash, "", nil, 401},
		{"without a token", "POST", "/api/v1/actions", `{"do":"retry","filter":{}}`, nil, 401},
		{"without a token", "POST", "/api/v1/hosts/a.example", `{"paused":true}`, nil, 401},
		{"without a token", "POST", "/api/v1/catalogs", `{"uri":"http://a.example/"}`, nil, 401},
		{"with a token that was never made", "POST", seeds, add, bearer("none"), 401},
		{"with a revoked token", "POST", seeds, add, bearer("gone"), 401},
		{"with another kind of authority", "POST", seeds, add, []string{"Authorization", "Basic " + p.secrets["both"]}, 401},
		{"with the token in the address", "POST", seeds + "?token=" + p.secrets["both"], add, nil, 401},
		{"without the scope", "POST", seeds, add, bearer("operator"), 403},
		{"without the scope", "DELETE", seeds + "/" + hash, "", bearer("adder"), 403},
		{"without the scope", "POST", "/api/v1/actions", `{"do":"retry","filter":{}}`, bearer("adder"), 403},
		{"without the scope", "DELETE", seeds + "/" + hash, "", cookie(adding, here...), 403},
		{"of a session that was made up", "POST", seeds, add, cookie("laundromat=abc", here...), 401},
		{"of a session whose token was revoked", "POST", seeds, add, cookie(revoked, here...), 401},
		{"with a token as a cookie", "POST", seeds, add, cookie("laundromat="+p.secrets["both"], here...), 401},
		{"from another origin", "POST", seeds, add, bearer("both", other...), 403},
		{"from another origin", "POST", seeds, add, cookie(live, other...), 403},
		{"from another origin, without a token", "POST", seeds, add, other, 403},
		{"from another site", "POST", seeds, add, bearer("both", "Sec-Fetch-Site", "cross-site"), 403},
		{"from another site", "DELETE", seeds + "/" + hash, "", cookie(live, "Sec-Fetch-Site", "cross-site"), 403},
		{"from another port of this machine", "POST", seeds, add, cookie(live, "Sec-Fetch-Site", "same-site"), 403},
		{"from a page without an origin", "POST", seeds, add, cookie(live, "Origin", "null"), 403},
		{"of a session that does not say where from", "POST", seeds, add, cookie(live), 403},
		{"a form of another site", "POST", seeds, "seeds=1", cookie(live, "Content-Type", form, "Sec-Fetch-Site", "cross-site"), 403},
		{"a sign-in of another site", "POST", "/api/v1/session", "token=" + p.secrets["both"],
			[]string{"Content-Type", form, "Sec-Fetch-Site", "cross-site"}, 403},
		{"a sign-out of another site", "POST", "/api/v1/session/end", "", cookie(live, "Sec-Fetch-Site", "cross-site"), 403},
		{"a sign-in without a token", "POST", "/api/v1/session", "", []string{"Content-Type", form}, 401},
		{"a sign-in with a revoked token", "POST", "/api/v1/session", "token=" + p.secrets["gone"], []string{"Content-Type", form}, 401},
		{"a sign-in over the limit of a form", "POST", "/api/v1/session", "token=" + strings.Repeat("x", 9<<10),
			[]string{"Content-Type", form}, 422},
		{"over the limit of a body", "POST", seeds, many, bearer("both"), 413},
		{"over the limit of a body", "POST", "/api/v1/actions", many, bearer("both"), 413},
		{"what the socket alone may", "POST", "/api/v1/gc", "{}", bearer("both"), 404},
		{"what the socket alone may", "POST", "/api/v1/seeds/remove", `{"filter":{}}`, bearer("both"), 404},
		{"over the limit of a list", "GET", seeds + "?limit=1001", "", nil, 422},
		{"over the limit of rows", "GET", seeds + "/" + hash + "/rows?limit=1001", "", nil, 422},
		// And what may:
		{"with a token", "POST", seeds, add, bearer("adder"), 200},
		{"of a session", "POST", seeds, add, cookie(live, here...), 200},
		{"of a session, by its origin", "POST", seeds, add, cookie(live, "Origin", "http://example.com"), 200},
		{"of a session", "DELETE", seeds + "/" + hash, "", cookie(live, here...), 204},
	} {
		w := p.send(row.method, row.path, row.body, row.headers...)
		if w.Code != row.status {
			t.Errorf("%s: %s %s: %d, want %d: %.300s", row.law, row.method, row.path, w.Code, row.status, w.Body)
		}
		if w.Code == 401 && w.Header().Get("WWW-Authenticate") == "" {
			t.Errorf("%s: 401 without WWW-Authenticate", row.law)
		}
		if w.Code >= 400 && w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d isn't a problem: %s", row.law, w.Code, w.Header().Get("Content-Type"))
		}
	}
	if c, _ := p.seeds.Counts(t.Context()); c.Seeds != 0 {
		t.Errorf("%d seeds are there", c.Seeds)
	}
	want := []string{
		"gone session /api/v1/session 303", "both session /api/v1/session 303", "adder session /api/v1/session 303",
		"both bearer /api/v1/seeds 413", "both bearer /api/v1/actions 413", "both bearer /api/v1/gc 404",
		"both bearer /api/v1/seeds/remove 404",
		"adder bearer /api/v1/seeds 200", "both session /api/v1/seeds 200", "both session /api/v1/seeds 200",
		"both session /api/v1/seeds/" + hash + " 204",
	}
	if !slices.Equal(p.wrote, want) {
		t.Errorf("logged\n%s\nwant\n%s", strings.Join(p.wrote, "\n"), strings.Join(want, "\n"))
	}
}

func TestWhereNothingIsWrittenOtherSitesAreRefused(t *testing.T) {
	for _, writable := range []bool{false, true} {
		_, options := newStore(t, writable)
		w := httptest.NewRecorder()
		r := httptest.NewRequest("POST", "/api/v1/seeds", strings.NewReader("{}"))
		r.Header.Set("Origin", "https://other.example")
		web.New(options).ServeHTTP(w, r)
		if w.Code != 403 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
}

func TestWhatIsOverALimitOfAClientIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPublic(t, func(o *web.Options) { o.Limits = web.Limits{Rate: 2, Burst: 3, Streams: 1} })
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			p.api.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/api/v1/events", nil))
		}()
		synctest.Wait()
		if w := p.send("GET", "/api/v1/events", ""); w.Code != 429 || w.Header().Get("Retry-After") == "" {
			t.Errorf("a second stream: %d %s", w.Code, w.Body)
		}
		if w := p.send("GET", "/api/v1/seeds", "", "Accept", "application/x-ndjson"); w.Code != 429 {
			t.Errorf("a list as a stream: %d %s", w.Code, w.Body)
		}
		cancel()
		<-ended
		time.Sleep(time.Second / 2)
		if w := p.send("POST", "/api/v1/session", ""); w.Code != 401 {
			t.Errorf("a third request: %d %s", w.Code, w.Body)
		}
		if w := p.send("POST", "/api/v1/session", ""); w.Code != 429 || w.Header().Get("Retry-After") != "1" {
			t.Errorf("a fourth request: %d %s", w.Code, w.Body)
		}
		time.Sleep(time.Second)
		if w := p.send("POST", "/api/v1/session", ""); w.Code != 401 {
			t.Errorf("a second later: %d %s", w.Code, w.Body)
		}
	})
}

func TestASessionIsNoTokenAndEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPublic(t, func(o *web.Options) { o.Authority.ReadToken = true })
		reads := func(cookie string) int { return p.send("GET", "/api/v1/stats", "", "Cookie", cookie).Code }
		first := p.signIn("both")
		if strings.Contains(first, p.secrets["both"]) || strings.Contains(p.secrets["both"], strings.TrimPrefix(first, "laundromat=")) ||
			first == p.signIn("both") {
			t.Errorf("%s tells of %s", first, p.secrets["both"])
		}
		if code := reads(first); code != 200 {
			t.Error(code)
		}
		if w := p.send("GET", "/api/v1/session", "", "Cookie", first); !strings.Contains(w.Body.String(),
			`"name":"both","way":"session","scopes":["add","operate"]`) {
			t.Error(w.Body)
		}
		w := p.send("POST", "/api/v1/session/end", "next=/wardrobe", "Content-Type", "application/x-www-form-urlencoded", "Cookie", first,
			"Sec-Fetch-Site", "same-origin")
		if w.Code != 303 || w.Header().Get("Location") != "/wardrobe" || w.Result().Cookies()[0].MaxAge >= 0 || reads(first) != 401 {
			t.Errorf("%d %v, then %d", w.Code, w.Header(), reads(first))
		}
		second := p.signIn("both")
		time.Sleep(12*time.Hour - time.Second)
		if code := reads(second); code != 200 {
			t.Error(code)
		}
		time.Sleep(2 * time.Second)
		if code := reads(second); code != 401 {
			t.Error(code)
		}
		third := p.signIn("adder")
		time.Sleep(time.Second)
		for range 1000 {
			p.signIn("both")
		}
		if code := reads(third); code != 401 {
			t.Errorf("the oldest of too many sessions reads: %d", code)
		}
		fourth := p.signIn("both")
		if err := p.tokens.Revoke("both"); err != nil {
			t.Fatal(err)
		}
		if _, err := p.tokens.Add("both", []token.Scope{token.Operate}); err != nil {
			t.Fatal(err)
		}
		if code := reads(fourth); code != 401 {
			t.Errorf("another token of that name gives a session: %d", code)
		}
	})
}

func TestTheCookieIsForThisSiteAlone(t *testing.T) {
	p := newPublic(t)
	for _, row := range []struct {
		tls  *tls.ConnectionState
		name string
	}{{nil, "laundromat"}, {&tls.ConnectionState{}, "__Host-laundromat"}} {
		for next, want := range map[string]string{
			"": "/", "/seeds?state=failed": "/seeds?state=failed", "https://other.example/": "/", "//other.example/": "/",
			`/\other.example`: "/", "seeds": "/",
		} {
			r := httptest.NewRequest("POST", "/api/v1/session",
				strings.NewReader(url.Values{"token": {p.secrets["both"]}, "next": {next}}.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.TLS = row.tls
			w := httptest.NewRecorder()
			p.api.ServeHTTP(w, r)
			if w.Code != 303 || w.Header().Get("Location") != want {
				t.Errorf("next %q: %d %q", next, w.Code, w.Header().Get("Location"))
			}
			c := w.Result().Cookies()[0]
			if c.Name != row.name || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Secure != (row.tls != nil) ||
				c.Path != "/" || c.Domain != "" || c.MaxAge != 12*60*60 || len(c.Value) != 43 {
				t.Errorf("%+v", c)
			}
		}
	}
}
