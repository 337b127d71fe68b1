package rdf_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

func TestReferencesAreJudged(t *testing.T) {
	for code, refs := range map[fault.Code][]string{
		"": {"", "a", "a/b:c", "./a:b", "?a:b", "#a:b", "#N/Ax", "..", "//example.org/a", "/a:b", "a.b", "www", "www.a", "www..b.c",
			"-www.a.b",
			"example.org", "notes.org", "index.com", "a.de/b", "data.v1.2/x", "http/a", "https", "httpx//a", "a@b", "@a.b", "a@b.c/d",
			"a b@c.d",
			"none", "nullable", "null/a", "Nil", "na", "N/A/b", "unknown", "-", "url(/a)", "é.org"},
		fault.IRINoReference: {"1a:b", "ex_1:y", "foo bar:x", "url(http://e/y)", `URI("http://e/y")`, ":y", "_:", "_:a/b", "_:a b", "é:x",
			"-a:b", "://e/y",
			`"http://e/y"`, "<http://e/y>", "[a:b]", "{a:b}", "%61:b", "a%3A:b", "http ://e/y", "1http://e/", "..:a"},
		fault.IRIUnlikely: {"www.example.org", "WWW.example.org/a?b", "www.a.b#c", "example.org/a", "a.b.example.COM/", "example.net?q",
			"example.edu#a",
			"http//e/y", "HTTPS//e", "ftp//e/y", "ann@example.org", "ann.b+c@a.b.example?subject=x", "null", "NULL", "(null)", "nil",
			"None", "undefined", "NaN",
			"N/A", "n/a", "#N/A", "[object Object]"},
	} {
		for _, ref := range refs {
			got, message := rdf.JudgeReference([]byte(ref))
			if got != code || (message == "") != (code == "") {
				t.Errorf("%q: %q (%s), want %q", ref, got, message, code)
			}
		}
	}
}

// relativeRef is relative-ref of RFC 3986 §4.2, as far as the place of the colon goes. What is
// neither that nor begins with a scheme (§3.1) is no reference.
var (
	relativeRef = regexp.MustCompile(`^(//[^/?#]*(/[^?#]*)?|/([^/?#][^?#]*)?|[^:/?#]+(/[^?#]*)?|)(\?[^#]*)?(#.*)?$`)
	absoluteIRI = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)
)

func TestWhatTheGrammarRefusesIsNoReference(t *testing.T) {
	const seed = 0x1D1
	random, seen := rand.New(rand.NewPCG(seed, 0)), map[bool]int{}
	for range 2000 {
		var b strings.Builder
		for range random.IntN(8) {
			b.WriteByte("a1_:/?#.-+ "[random.IntN(11)])
		}
		ref := b.String()
		if absoluteIRI.MatchString(ref) {
			continue
		}
		code, _ := rdf.JudgeReference([]byte(ref))
		is := relativeRef.MatchString(ref)
		if seen[is]++; is == (code == fault.IRINoReference) {
			t.Errorf("%q: %q, but by the grammar it is a reference: %v", ref, code, is)
		}
	}
	if seen[true] < 200 || seen[false] < 200 {
		t.Errorf("too few: %v", seen)
	}
}

func TestWhiteSpaceAroundReferencesGoes(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a": "a", " a": "a", "a\t": "a", "\r\n a \f\v": "a", "\u0085a": "a", "a\u0085": "a", "a b": "a b", "é": "é",
		"a\u0001":           "a\u0001",
		" \u00A0http://e/a": "http://e/a", "\uFEFFhttp://e/a\u3000": "http://e/a", "\u200Burn:a:b ": "urn:a:b", "\u2060_:x": "\u2060_:x",
		"http://e/a\u00A0": "http://e/a\u00A0", "\u00A0a": "\u00A0a", " http://e/a\u00A0 ": "http://e/a\u00A0", " \t\n": "",
	} {
		if got := string(rdf.TrimReference([]byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestLabelsOfBlankNodesAreKnown(t *testing.T) {
	for in, want := range map[string]string{
		"_:x": "x", "_:1": "1", "_:a-b.c_d": "a-b.c_d", "_:_": "_", "_:é": "é", "_:a:b": "a:b", "_:a\u00B7b": "a\u00B7b",
		"_:": "", "_x": "", "_:a/b": "", "_:a b": "", "_:a#b": "", "_:.a": "", "_:a.": "", "_:-a": "", "x:_": "", "_:\xFF": "", "_:a\n": "",
		"_:<a>": "", "": "",
	} {
		if got, ok := rdf.BlankNodeIn([]byte(in)); string(got) != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", in, got, ok)
		}
	}
}

func TestNamesRunIntoTheHostOfTheirNamespace(t *testing.T) {
	for _, c := range []struct {
		namespace, name string
		runs            bool
	}{
		{"http://example.org", "Person", true}, {"https://example.org", "1", true}, {"HTTP://e", "x", true}, {"http://e:8080", "x", true},
		{"http://é", "x", true},
		{"http://example.org/", "Person", false}, {"http://example.org#", "Person", false}, {"http://example.org/a", "b", false},
		{"http://example.org?q", "b", false},
		{"http://example.org", "", false}, {"http://example.org", "/a", false}, {"http://example.org", "#a", false},
		{"http://example.org", ":80/a", false},
		{"http://", "example.org", false}, {"http://www.", "example.org", false}, {"http://a-", "b", false}, {"urn:a", "b", false},
		{"http:", "b", false}, {"", "b", false},
		{"example.org", "b", false},
	} {
		var hosts rdf.HostNames
		if got := hosts.RunInto([]byte(c.namespace), []byte(c.name)); got != c.runs {
			t.Errorf("<%s> and %q: %v", c.namespace, c.name, got)
		}
		if hosts.RunInto([]byte(c.namespace), []byte(c.name)) {
			t.Errorf("<%s> is told twice", c.namespace)
		}
	}
}
