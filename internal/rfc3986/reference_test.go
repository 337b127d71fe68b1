package rfc3986_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"laundromat/internal/rfc3986"
	"laundromat/rdf/rdftest"
)

func resolve(base, ref string) string {
	return string(rfc3986.AppendResolved(nil, []byte(base), []byte(ref)))
}

func TestReferencesAreResolved(t *testing.T) {
	for _, c := range []struct{ base, ref, want string }{
		{"http://e/a/b", "c", "http://e/a/c"},
		{"http://e/a/b", "", "http://e/a/b"},
		{"http://e/a/b#f", "", "http://e/a/b"},
		{"http://e/a/b?q", "#f", "http://e/a/b?q#f"},
		{"http://e/a/b?q", "?", "http://e/a/b?"},
		{"http://e/a/b?q", "#", "http://e/a/b?q#"},
		{"http://e", "a", "http://e/a"},
		{"http://e", "../a", "http://e/a"},
		{"http://e?q", "a", "http://e/a"},
		{"http://e/a/", "..", "http://e/"},
		{"http://e/a/", "./x:y", "http://e/a/x:y"},
		{"http://e/a", "//f", "http://f"},
		{"http://e/a", "//f/./b/../c", "http://f/c"},
		{"http://e/a", "x://f/./b/../c", "x://f/c"},
		{"http://e/a/b", "c/../../../d", "http://e/d"},
		{"http://e/a/b", "c?x/../y", "http://e/a/c?x/../y"},
		{"http://e/a", "é/%7e", "http://e/é/%7e"},
		{"urn:x:y", "a", "urn:a"},
		{"urn:x:y", "#f", "urn:x:y#f"},
		{"mailto:a@b", "?subject=x", "mailto:a@b?subject=x"},
		{"file:///d/f.ttl", "g.ttl", "file:///d/g.ttl"},
		{"file:///d/f.ttl", "/g", "file:///g"},
	} {
		if got := resolve(c.base, c.ref); got != c.want {
			t.Errorf("%q against %q: got %q, want %q", c.ref, c.base, got, c.want)
		}
	}
}

// The examples of RFC 3986 themselves, where they are at hand.
func TestReferencesAreResolvedAsRFC3986Says(t *testing.T) {
	raw, err := os.ReadFile(rdftest.Shared(t, "conformance", "rfc3986", "rfc3986.json"))
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Ref, Target string
		Strict      *bool
	}
	var cases struct {
		Resolution struct {
			Base             string
			Normal, Abnormal []row
		}
		RemoveDotSegments struct {
			Cases []struct{ In, Out string }
		} `json:"remove_dot_segments"`
		ExampleURIs struct{ Valid []string } `json:"example_uris"`
		Components  struct {
			Cases []struct {
				URI                                      string
				Scheme, Authority, Path, Query, Fragment *string
			}
		}
	}
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	rows := append(cases.Resolution.Normal, cases.Resolution.Abnormal...)
	if len(rows) < 40 || len(cases.RemoveDotSegments.Cases) == 0 || len(cases.Components.Cases) == 0 {
		t.Fatalf("the file has only %d cases", len(rows))
	}
	for _, r := range rows {
		if r.Strict != nil && !*r.Strict {
			continue
		}
		if got := resolve(cases.Resolution.Base, r.Ref); got != r.Target {
			t.Errorf("%q: got %q, want %q", r.Ref, got, r.Target)
		}
	}
	for _, c := range cases.RemoveDotSegments.Cases {
		if got := string(rfc3986.RemoveDotSegments([]byte(c.In))); got != c.Out {
			t.Errorf("%q: got %q, want %q", c.In, got, c.Out)
		}
	}
	for _, uri := range cases.ExampleURIs.Valid {
		if !rfc3986.IsAbsolute([]byte(uri)) {
			t.Errorf("%q has a scheme", uri)
		}
	}
	for _, c := range cases.Components.Cases {
		got := rfc3986.Split([]byte(c.URI))
		for _, p := range []struct {
			want *string
			got  []byte
			has  bool
		}{
			{c.Scheme, got.Scheme, got.HasScheme}, {c.Authority, got.Authority, got.HasAuthority},
			{c.Path, got.Path, true}, {c.Query, got.Query, got.HasQuery}, {c.Fragment, got.Fragment, got.HasFragment},
		} {
			if p.has != (p.want != nil) || p.has && string(p.got) != *p.want {
				t.Errorf("%q: got %q, %v", c.URI, p.got, p.has)
			}
		}
	}
}

func TestSchemesAreTold(t *testing.T) {
	for ref, want := range map[string]int{
		"http://e/": 4, "a:": 1, "a+b-c.1:x": 7, "A:": 1, "": 0, ":": 0, "1a:b": 0, "a": 0, "a/b:c": 0, "é:a": 0, "a b:c": 0, "+a:b": 0,
		"#a:b": 0,
	} {
		if got := rfc3986.SchemeLength([]byte(ref)); got != want {
			t.Errorf("%q: got %d", ref, got)
		}
		if rfc3986.IsAbsolute([]byte(ref)) != (want > 0) {
			t.Errorf("%q: absolute", ref)
		}
	}
}

func TestDotSegmentsAreRemoved(t *testing.T) {
	for path, want := range map[string]string{
		"": "", "/": "/", "/a/b": "/a/b", "/a/./b": "/a/b", "/a/../b": "/b", "/a/b/..": "/a/", "/a/.": "/a/",
		"/..": "/", "/../../a": "/a", ".": "", "..": "", "./a": "a", "../a": "a", "/a//../b": "/a/b",
		"/.../a": "/.../a", "/.a/..b": "/.a/..b", "a/..": "/", "/a/%2e%2e/b": "/a/%2e%2e/b",
	} {
		in := []byte(path)
		if got := string(rfc3986.RemoveDotSegments(in)); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
		if string(in) != path {
			t.Errorf("%q was changed in place to %q", path, in)
		}
	}
}

func FuzzSplitAndAppendAreInverse(f *testing.F) {
	for _, seed := range []string{"http://u@e:80/p?q#f", "//a", "?", "#", "a:b", "/a?b?c#d#e", "x:#?"} {
		f.Add(seed, "http://e/a")
	}
	f.Fuzz(func(t *testing.T, ref, base string) {
		c := rfc3986.Split([]byte(ref))
		if got := string(c.Append(nil)); got != ref {
			t.Fatalf("%q became %q", ref, got)
		}
		if !rfc3986.IsAbsolute([]byte(base)) {
			return
		}
		got := rfc3986.AppendResolved([]byte("kept"), []byte(base), []byte(ref))
		if !bytes.HasPrefix(got, []byte("kept")) || !rfc3986.IsAbsolute(got[4:]) {
			t.Fatalf("%q against %q is %q", ref, base, got)
		}
	})
}
