package web_test

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laundromat/seedlist"
	"laundromat/web"
	"laundromat/web/token"
)

func TestWritesNeedATokenOfTheirScope(t *testing.T) {
	tokens := token.Open(filepath.Join(t.TempDir(), "tokens"))
	secrets := map[string]string{"nobody": "laundromat_made-up"}
	for name, scopes := range map[string][]token.Scope{"adder": {token.Add}, "operator": {token.Operate},
		"both": {token.Add, token.Operate}, "gone": {token.Add, token.Operate}} {
		secret, err := tokens.Add(name, scopes)
		if err != nil {
			t.Fatal(err)
		}
		secrets[name] = secret
	}
	if err := tokens.Revoke("gone"); err != nil {
		t.Fatal(err)
	}
	var wrote []string
	h := newHouse(t, false, func(_ *house, o *web.Options) {
		o.Authority = web.Authority{Tokens: tokens, Wrote: func(name string, r *http.Request, status int) {
			wrote = append(wrote, name+" "+r.Method+" "+http.StatusText(status))
		}}
	})
	hash := seedlist.Key("http://a.example/")
	add, body := "/api/v1/seeds", `{"seeds":[{"uri":"http://a.example/"}]}`
	for _, row := range []struct {
		who, method, path, body string
		status                  int
		headers                 []string
	}{
		{"", "GET", "/api/v1/stats", "", 200, nil},
		{"", "POST", add, body, 401, nil},
		{"nobody", "POST", add, body, 401, nil},
		{"gone", "POST", add, body, 401, nil},
		{"operator", "POST", add, body, 403, nil},
		{"adder", "POST", add, body, 403, []string{"Origin", "https://other.example"}},
		{"adder", "POST", add, body, 403, []string{"Sec-Fetch-Site", "cross-site"}},
		{"adder", "POST", add, body, 200, []string{"Sec-Fetch-Site", "same-origin"}},
		{"adder", "DELETE", add + "/" + hash, "", 403, nil},
		{"", "DELETE", add + "/" + hash, "", 401, nil},
		{"adder", "POST", "/api/v1/hosts/a.example", `{"paused":true}`, 403, nil},
		{"operator", "POST", "/api/v1/hosts/a.example", `{"paused":true}`, 200, nil},
		{"both", "POST", add + "/" + hash + "/retry", "{}", 409, nil},
		{"operator", "DELETE", add + "/" + hash, "", 204, nil},
		{"both", "GET", "/api/v1/verify", "", 404, nil},
		{"both", "POST", add, `{"seeds":[{"uri":"` + strings.Repeat("x", 17<<20) + `"}]}`, 413, nil},
	} {
		headers := slices.Clone(row.headers)
		if row.who != "" {
			headers = append(headers, "Authorization", "Bearer "+secrets[row.who])
		}
		reply, text := h.ask(row.method, row.path, row.body, headers...)
		if reply.StatusCode != row.status {
			t.Errorf("%s %s of %q: %s, want %d: %.300s", row.method, row.path, row.who, reply.Status, row.status, text)
		}
		if reply.StatusCode == 401 && reply.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s %s: 401 without WWW-Authenticate", row.method, row.path)
		}
	}
	want := []string{"adder POST OK", "operator POST OK", "both POST Conflict", "operator DELETE No Content",
		"both POST Request Entity Too Large"}
	if !slices.Equal(wrote, want) {
		t.Errorf("logged %q, want %q", wrote, want)
	}
}

func TestReadingMayNeedAToken(t *testing.T) {
	tokens := token.Open(filepath.Join(t.TempDir(), "tokens"))
	secret, err := tokens.Add("reader", []token.Scope{token.Read})
	if err != nil {
		t.Fatal(err)
	}
	h := newHouse(t, false, func(_ *house, o *web.Options) { o.Authority = web.Authority{Tokens: tokens, ReadToken: true} })
	for _, path := range []string{"/api/v1/stats", "/api/v1/seeds", "/api/v1/events", "/openapi.json"} {
		if reply, _ := h.ask("GET", path, ""); reply.StatusCode != 401 {
			t.Errorf("%s: %s", path, reply.Status)
		}
	}
	if reply, _ := h.ask("GET", "/api/v1/stats", "", "Authorization", "bearer "+secret); reply.StatusCode != 200 {
		t.Error(reply.Status)
	}
	if reply, _ := h.ask("GET", "/healthz", ""); reply.StatusCode != 200 {
		t.Error(reply.Status)
	}
}
