package seedlist

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"laundromat/internal/rfc3986"
	"laundromat/rdf/rdftest"
)

func TestKeyTakesExactlyTheFiveSteps(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "http://example.org/a", "http://example.org/a"},
		{"empty", "", ""},

		{"0: letter outside ASCII in the path", "http://example.org/é", "http://example.org/%C3%A9"},
		{"0: beyond the basic plane", "http://example.org/😀", "http://example.org/%F0%9F%98%80"},
		{"0: in the query", "http://example.org/?q=ü", "http://example.org/?q=%C3%BC"},
		{"0: in the fragment", "http://example.org/#ß", "http://example.org/#%C3%9F"},
		{"0: in the host, without IDNA", "http://münchen.example/", "http://m%C3%BCnchen.example/"},
		{"0: a capital outside ASCII in the host stays one", "http://MÜNCHEN.example/", "http://m%C3%9Cnchen.example/"},
		{"0: no Unicode normalisation", "http://example.org/e\u0301", "http://example.org/e%CC%81"},
		{"0: bytes that aren't UTF-8", "http://example.org/\xe9", "http://example.org/%E9"},

		{"1: scheme", "HTTP://example.org/", "http://example.org/"},
		{"1: scheme and host", "HtTpS://WWW.Example.ORG/", "https://www.example.org/"},
		{"1: not the path", "http://example.org/Path/FILE.TTL", "http://example.org/Path/FILE.TTL"},
		{"1: not the query", "http://example.org/?Q=A", "http://example.org/?Q=A"},
		{"1: not the fragment", "http://example.org/#Frag", "http://example.org/#Frag"},
		{"1: not the user", "http://User:PassWord@Example.org/", "http://User:PassWord@example.org/"},
		{"1: the host begins after the last @", "http://A@B@C.example/", "http://A@B@c.example/"},
		{"1: IPv6", "http://[2001:DB8::ABCD]/", "http://[2001:db8::abcd]/"},
		{"1: IPv6 with port", "http://[2001:DB8::1]:8080/", "http://[2001:db8::1]:8080/"},
		{"1: IPv6 with zone", "http://[FE80::1%25EN0]/", "http://[fe80::1%25en0]/"},
		{"1: a scheme without authority", "URN:Example:ABC", "urn:Example:ABC"},

		{"2: in the path", "http://example.org/%7b%3f", "http://example.org/%7B%3F"},
		{"2: in the query", "http://example.org/?a=%2f", "http://example.org/?a=%2F"},
		{"2: in the fragment", "http://example.org/#%c3%a9", "http://example.org/#%C3%A9"},
		{"2: in the user info", "http://a%3ab@example.org/", "http://a%3Ab@example.org/"},
		{"2: in the host", "http://m%c3%bcnchen.example/", "http://m%C3%BCnchen.example/"},
		{"2: a mixed pair", "http://example.org/%aF", "http://example.org/%AF"},

		{"3: tilde", "http://example.org/%7Esmith", "http://example.org/~smith"},
		{"3: tilde, lower hex", "http://example.org/%7esmith", "http://example.org/~smith"},
		{"3: letters", "http://example.org/%41%62%7A", "http://example.org/Abz"},
		{"3: digits", "http://example.org/%30%39", "http://example.org/09"},
		{"3: hyphen, dot, underscore", "http://example.org/a%2Db%2Ec%5Fd", "http://example.org/a-b.c_d"},
		{"3: in the host, lowered", "http://%45xample.org/", "http://example.org/"},
		{"3: in the user info, not lowered", "http://%55ser@example.org/", "http://User@example.org/"},
		{"3: in the query", "http://example.org/?%61=%62", "http://example.org/?a=b"},
		{"3: in the fragment", "http://example.org/#%61", "http://example.org/#a"},
		{"3: a slash is reserved", "http://example.org/a%2fb", "http://example.org/a%2Fb"},
		{"3: a colon is reserved", "http://example.org/a%3ab", "http://example.org/a%3Ab"},
		{"3: ! ' ( ) * are reserved", "http://example.org/%21%27%28%29%2A", "http://example.org/%21%27%28%29%2A"},
		{"3: they are not encoded either", "http://example.org/!'()*", "http://example.org/!'()*"},
		{"3: a space stays encoded", "http://example.org/a%20b", "http://example.org/a%20b"},
		{"3: a plus stays one", "http://example.org/?q=a+b%2b", "http://example.org/?q=a+b%2B"},
		{"3: a percent sign stays encoded", "http://example.org/%2541", "http://example.org/%2541"},
		{"3: NUL stays encoded", "http://example.org/%00", "http://example.org/%00"},

		{"4: one dot", "http://example.org/a/./b", "http://example.org/a/b"},
		{"4: two dots", "http://example.org/a/../b", "http://example.org/b"},
		{"4: at the end", "http://example.org/a/b/..", "http://example.org/a/"},
		{"4: one at the end", "http://example.org/a/b/.", "http://example.org/a/b/"},
		{"4: above the root", "http://example.org/../../a", "http://example.org/a"},
		{"4: only dots", "http://example.org/..", "http://example.org/"},
		{"4: encoded dots", "http://example.org/a/%2e%2E/b", "http://example.org/b"},
		{"4: half-encoded dots", "http://example.org/a/.%2e/b", "http://example.org/b"},
		{"4: three dots are a name", "http://example.org/a/.../b", "http://example.org/a/.../b"},
		{"4: not in the query", "http://example.org/a?b/../c", "http://example.org/a?b/../c"},
		{"4: not in the fragment", "http://example.org/a#b/../c", "http://example.org/a#b/../c"},
		{"4: an encoded slash begins no segment", "http://example.org/a%2f../b", "http://example.org/a%2F../b"},
		{"4: empty segments count", "http://example.org/a//../b", "http://example.org/a/b"},
		{"4: without authority", "eXAMPLE:a/../b", "example:/b"},

		{"no default port is dropped", "http://example.org:80/", "http://example.org:80/"},
		{"no empty port is dropped", "http://example.org:/", "http://example.org:/"},
		{"no empty path is filled", "http://example.org", "http://example.org"},
		{"no empty path is filled before a query", "http://example.org?a", "http://example.org?a"},
		{"no fragment is cut", "http://example.org/a#b", "http://example.org/a#b"},
		{"no empty fragment is cut", "http://example.org/a#", "http://example.org/a#"},
		{"no empty query is cut", "http://example.org/a?", "http://example.org/a?"},
		{"no query is sorted", "http://example.org/?b=1&a=2", "http://example.org/?b=1&a=2"},
		{"no slashes are joined", "http://example.org//a///b", "http://example.org//a///b"},
		{"no final slash is cut", "http://example.org/a/", "http://example.org/a/"},
		{"no www is cut", "http://www.example.org/", "http://www.example.org/"},
		{"no final dot of the host is cut", "http://example.org./", "http://example.org./"},
		{"no scheme is upgraded", "http://example.org/", "http://example.org/"},
		{"no space is encoded", "http://example.org/a b", "http://example.org/a b"},

		{"bad percent-encoding: not hex", "http://example.org/%zz", "http://example.org/%zz"},
		{"bad percent-encoding: one digit", "http://example.org/%4", "http://example.org/%4"},
		{"bad percent-encoding: at the end", "http://example.org/100%", "http://example.org/100%"},
		{"bad percent-encoding is mapped once", "http://example.org/%%34%31", "http://example.org/%41"},

		{"a relative reference keeps its dots", "../a/%7e/./b", "../a/~/./b"},
		{"a network-path reference has a host", "//EXAMPLE.org/A", "//example.org/A"},
		{"RFC 3986 §6.2.2", "eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "example://a/b/c/%7Bfoo%7D"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := normalise(c.in); got != c.want {
				t.Errorf("%q became %q, want %q", c.in, got, c.want)
			}
			if Key(c.in) != hashOf(c.want) {
				t.Error("the key is not the MD5 of the normal form")
			}
		})
	}
	// The MD5 itself, as any other tool computes it.
	if got := Key("HTTP://example.org"); got != "dab521de65f9250b4cca7383feef67dc" {
		t.Errorf("key %s", got)
	}
}

func TestKeyAgreesWithRFC3986(t *testing.T) {
	data, err := os.ReadFile(rdftest.Shared(t, "conformance", "rfc3986", "rfc3986.json"))
	if err != nil {
		t.Fatal(err)
	}
	type resolution struct{ Ref, Target, Note string }
	var facts struct {
		Resolution struct {
			Base             string
			Normal, Abnormal []resolution
		}
		Normalisation struct {
			Equivalent []struct{ Section, A, B string }
		}
	}
	if err := json.Unmarshal(data, &facts); err != nil {
		t.Fatal(err)
	}
	for _, pair := range facts.Normalisation.Equivalent {
		// What §6.2.3 makes equal depends on the scheme: we leave it apart.
		same := pair.Section != "6.2.3"
		if (Key(pair.A) == Key(pair.B)) != same {
			t.Errorf("§%s: %q and %q: same key %v, want %v", pair.Section, pair.A, pair.B, !same, same)
		}
	}
	// Resolving a reference as §5.4 does gives a key. Writing the reference after the
	// base's folder and letting step 4 resolve it gives the same key.
	tried := 0
	for _, r := range append(facts.Resolution.Normal, facts.Resolution.Abnormal...) {
		c := rfc3986.Split([]byte(r.Ref))
		if r.Note != "" || c.HasScheme || len(c.Path) == 0 || c.Path[0] == '/' {
			continue
		}
		tried++
		if unresolved := "http://a/b/c/" + r.Ref; Key(unresolved) != Key(r.Target) {
			t.Errorf("%q: %q, want %q", r.Ref, normalise(unresolved), r.Target)
		}
	}
	if tried < 25 {
		t.Errorf("only %d references", tried)
	}
}

func TestSpellingsOfOneURIShareAKey(t *testing.T) {
	first, err := ParseURI(" HTTP://Example.ORG/%7euser/../a ")
	if err != nil {
		t.Fatal(err)
	}
	second, err := ParseURI("http://example.org/a")
	if err != nil {
		t.Fatal(err)
	}
	if first.Hash() != second.Hash() || first.Hash() != Key(first.Given) {
		t.Error("two keys")
	}
	if first.Given != "HTTP://Example.ORG/%7euser/../a" {
		t.Errorf("given %q: it is requested as it came", first.Given)
	}
}

func TestSchedulingHost(t *testing.T) {
	for in, want := range map[string]string{
		"http://Example.org/a":           "example.org",
		"http://example.org:80/":         "example.org",
		"https://example.org:443/":       "example.org",
		"https://example.org:80/":        "example.org:80",
		"http://example.org:8080?x":      "example.org:8080",
		"http://u:p@EXAMPLE.org:8080#x":  "example.org:8080",
		"http://[2001:DB8::1]/":          "[2001:db8::1]",
		"http://[2001:DB8::1]:81/":       "[2001:db8::1]:81",
		"http://example.org./":           "example.org",
		"http://example.org:/":           "example.org",
		"http://%45xample.org/":          "example.org",
		"//example.org/relative":         "",
		"http://127.0.0.1:9/":            "127.0.0.1:9",
		"http://localhost/":              "localhost",
		"http://under_score.example.org": "under_score.example.org",
	} {
		u, err := ParseURI(in)
		if err != nil || u.Host != want {
			t.Errorf("%q: host %q (%v), want %q", in, u.Host, err, want)
		}
	}
}

func TestRelativeReferencesAreTakenApart(t *testing.T) {
	for _, in := range []string{
		"../x.nt", "/data/x.nt", "./x", "x.nt", "data.ttl", "dump.nt.gz", "foo/bar", "//example.org/x", "#frag", "?q=1", "v1.0/data.ttl",
		"void.ttl", "schema.rdf#Thing", "é.ttl", ".", "a%20b", "index.html", "1.2", "n/a",
	} {
		u, err := ParseURI(in)
		if err != nil || !u.Relative || u.Host != "" {
			t.Errorf("%q: %+v, %v", in, u, err)
		}
	}
}

func TestWhatIsNoURIIsRefusedWithAHint(t *testing.T) {
	for _, c := range []struct{ in, reason, meant string }{
		{"www.example.org/x", "no scheme", "http://www.example.org/x"},
		{"example.org/data.ttl", "no scheme", "http://example.org/data.ttl"},
		{"example.org", "no scheme", "http://example.org"},
		{"Example.Co.UK?x=1", "no scheme", "http://Example.Co.UK?x=1"},
		{"example.org:8080/x", "no scheme", "http://example.org:8080/x"},
		{"localhost:3000/data", "no scheme", "http://localhost:3000/data"},
		{"localhost/data", "no scheme", "http://localhost/data"},
		{"127.0.0.1/data.nt", "no scheme", "http://127.0.0.1/data.nt"},
		{"127.0.0.1:8000/data.nt", "no scheme", "http://127.0.0.1:8000/data.nt"},
		{"myhost:8080/x", "no scheme", "http://myhost:8080/x"},
		{"[2001:db8::1]/x", "no scheme", "http://[2001:db8::1]/x"},
		{"münchen.example/x", "no scheme", "http://münchen.example/x"},
		{"htp://example.org/x", "htp: is not known", "http://example.org/x"},
		{"ttp://example.org/x", "ttp: is not known", "http://example.org/x"},
		{"hhttp://example.org/x", "hhttp: is not known", "http://example.org/x"},
		{"htttps://example.org/x", "htttps: is not known", "https://example.org/x"},
		{"htpt://example.org/x", "htpt: is not known", "http://example.org/x"},
		{"http//example.org/x", "no scheme", "http://example.org/x"},
		{"://example.org/x", "no scheme", "http://example.org/x"},
		{"http:/example.org/x", "no // after http:", "http://example.org/x"},
		{"http:example.org/x", "no // after http:", "http://example.org/x"},
		{"http:///example.org/x?y#z", "no host", "http://example.org/x?y#z"},
		{"http://http://example.org/x", "a scheme twice", "http://example.org/x"},
		{"http://https//example.org/x", "a scheme twice", "https://example.org/x"},
		{"<http://example.org/x>", "a URI is without < > around it", "http://example.org/x"},
		{`"http://example.org/x"`, `a URI is without " " around it`, "http://example.org/x"},
		{"url:http://example.org/", "url: isn't a scheme", "http://example.org/"},
		{"http://", "no host", ""},
		{"http:", "no host", ""},
		{"http:///", "no host", ""},
		{"http://:80/", "no host", ""},
		{"http://user@/", "no host", ""},
		{"http://exa mple.org/", "no host name before the path", ""},
		{"http://{host}/x", "no host name before the path", ""},
		{"http://2001:db8::1/", "no host name before the path", ""},
		{"http://[2001:db8::1/", "no IPv6 address in [ ]", ""},
		{"http://[nonsense]/", "no IPv6 address in [ ]", ""},
		{"http://example.org:port/", "no port number after the host", ""},
		{"http://example.org:99999/", "no port number after the host", ""},
		{"mailto:a@example.org", "mailto: can't be fetched (only http:, https:, ftp: and file:)", ""},
		{"file://example.org/etc/passwd", "a file of another machine", ""},
		{"file:data.nt", "no path from the root", ""},
		{"file:///", "no path from the root", ""},
		{"urn:isbn:123", "urn: can't be fetched (only http:, https:, ftp: and file:)", ""},
		{"tel:12345", "tel: can't be fetched (only http:, https:, ftp: and file:)", ""},
		{"doi:10.1000/182", "doi: can't be fetched (only http:, https:, ftp: and file:)", ""},
		{"javascript:alert(1)", "javascript: can't be fetched (only http:, https:, ftp: and file:)", ""},
		{"data:text/turtle,x", "data: can't be fetched (only http:, https:, ftp: and file:)", ""},
		{`C:\data\x.nt`, "a file of one machine isn't a web address", ""},
		{"a@example.org", "an e-mail address isn't a web address", ""},
		{"not a uri", "no URI", ""},
		{"{x}", "no URI", ""},
		{"1:2", "no URI", ""},
		{"", "an empty line isn't a URI", ""},
		{" \t ", "an empty line isn't a URI", ""},
		{"http://example.org/a\nb", "a URI can't hold control characters", ""},
		{"http://example.org/\x00", "a URI can't hold control characters", ""},
		{"http://example.org/" + strings.Repeat("a", MaxURI), "longer than 8192 bytes", ""},
		{strings.Repeat("\x91", MaxURI/2), "longer than 8192 bytes", ""}, // written with percent signs
	} {
		_, err := ParseURI(c.in)
		var refused *URIError
		if !errors.As(err, &refused) {
			t.Errorf("%q was taken", c.in)
			continue
		}
		if refused.Reason != c.reason || refused.Meant != c.meant {
			t.Errorf("%q: %q, %q; want %q, %q", c.in, refused.Reason, refused.Meant, c.reason, c.meant)
		}
		if c.meant != "" {
			if u, err := ParseURI(c.meant); err != nil || u.Relative {
				t.Errorf("%q: the hint %q is refused too: %v", c.in, c.meant, err)
			}
			if !strings.Contains(err.Error(), "did you mean "+c.meant+"?") {
				t.Errorf("message %q", err)
			}
		}
	}
}

func TestFaultyURIsThatServersAnswerAreTaken(t *testing.T) {
	for _, in := range []string{
		"http://example.org/a b", "http://example.org/%zz", "http://example.org/{id}", "http://example.org/a|b", "http://example.org/100%",
		"http://example.org/x?q=[1]", "http://example.org", "http://m%C3%BCnchen.example/", "http://example.org:/",
	} {
		if u, err := ParseURI(in); err != nil || u.Relative || u.Given != in {
			t.Errorf("%q: %+v, %v", in, u, err)
		}
	}
	u, err := ParseURI("http://example.org/caf\xe9?\xff")
	if err != nil || u.Given != "http://example.org/caf%E9?%FF" {
		t.Errorf("bytes that aren't UTF-8: %q, %v", u.Given, err)
	}
}

func TestPasswordsAreNotShown(t *testing.T) {
	for in, want := range map[string]string{
		"http://user:secret@example.org/x":      "http://***@example.org/x",
		"http://secret@example.org/x":           "http://***@example.org/x",
		"http://user:sec@ret@example.org:80?q#": "http://***@example.org:80?q#",
		"//user:secret@example.org/":            "//***@example.org/",
		"http://example.org/a@b":                "http://example.org/a@b",
		"http://example.org":                    "http://example.org",
		"mailto:a@example.org":                  "mailto:a@example.org",
		"":                                      "",
	} {
		if got := Shown(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
	_, err := ParseURI("sftp://user:secret@example.org/")
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("message %q", err)
	}
	for _, broken := range []string{"http:/user:secret@example.org/", "user:secret@example.org/x", "http//user:secret@example.org",
		"htp:user:secret@example.org"} {
		_, err = ParseURI(broken)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("message %q", err)
		}
	}
}

func TestChildKeysTellEntriesOfOneNameApart(t *testing.T) {
	parent := Key("http://example.org/a.zip")
	if got, want := ChildKey(parent, "b.ttl", 1), hashOf(parent+" b.ttl"); got != want {
		t.Errorf("first: %s, want %s", got, want)
	}
	if got, want := ChildKey(parent, "b.ttl", 2), hashOf(parent+" b.ttl\x002"); got != want {
		t.Errorf("second: %s, want %s", got, want)
	}
	if ChildKey(parent, "\xe9", 1) == ChildKey(parent, "é", 1) || ChildKey(parent, "\xe9", 1) == ChildKey(parent, "\xe8", 1) {
		t.Error("a name is its bytes")
	}
}

// allowed is what RFC 3986 allows, as far as the five steps can show: characters,
// percent-encodings, and where colons are.
var allowed = func() *regexp.Regexp {
	const (
		pchar   = `(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})`
		noColon = `(?:[A-Za-z0-9._~!$&'()*+,;=@-]|%[0-9A-Fa-f]{2})`
		user    = `(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})`
		name    = `(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})`
	)
	authority := `//(?:` + user + `*@)?(?:\[[0-9A-Fa-f:.]+\]|` + name + `*)(?::[0-9]*)?`
	segments := `(?:/` + pchar + `*)*`
	rooted := `/(?:` + pchar + `+` + segments + `)?`
	tail := `(?:\?(?:` + pchar + `|[/?])*)?(?:#(?:` + pchar + `|[/?])*)?`
	path := func(first string) string {
		return `(?:` + authority + segments + `|` + rooted + `|` + first + segments + `|)`
	}
	return regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9+.-]*:` + path(pchar+`+`) + `|` + path(noColon+`+`) + `)` + tail + `$`)
}()

// checkIdempotence checks the law for one string; false if it is none that the
// law speaks of.
func checkIdempotence(t *testing.T, s string) bool {
	if !allowed.MatchString(s) {
		return false
	}
	given := rfc3986.Split([]byte(s))
	if given.HasScheme && !given.HasAuthority && strings.HasPrefix(string(rfc3986.RemoveDotSegments(appendOctets(nil, given.Path, false))),
		"//") {
		return false
	}
	once := normalise(s)
	if twice := normalise(once); twice != once {
		t.Errorf("%q → %q → %q", s, once, twice)
	}
	return true
}

func TestKeyIsIdempotentForAllowedURIs(t *testing.T) {
	starts := []string{"http:", "HTTP:", "a:", "", "s-1.b+c:"}
	authorities := []string{"", "//", "//H", "//%41.B:80", "//u%3a:%55@X", "//[2001:DB8::f]:1", "//%c3%9c", "//%2E%2e"}
	segments := []string{"", ".", "..", "%2e", "%2E.", "a", "%41", "%2f", "b:c", "%3a", "...", ";x=1", "%7e~", "@"}
	tails := []string{"", "?", "?%41/../%2f", "#%7e", "?a#../b"}
	random := rand.New(rand.NewPCG(1, 2))
	held := 0
	for range 200_000 {
		s := starts[random.IntN(len(starts))] + authorities[random.IntN(len(authorities))]
		for range random.IntN(6) {
			if random.IntN(8) > 0 {
				s += "/"
			}
			s += segments[random.IntN(len(segments))]
		}
		if checkIdempotence(t, s+tails[random.IntN(len(tails))]) {
			held++
		}
	}
	if held < 100_000 {
		t.Errorf("the law was tried on %d URIs only", held)
	}
}

func FuzzKeyIsIdempotentForAllowedURIs(f *testing.F) {
	for _, s := range []string{
		"http://example.org/a", "eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "http://%45@%45:1/%2e%2e/a?%41#%41", "a:b/../c", "a:../b:c",
		"//%41/.", "%2e%2e/x",
		"./a:b", "http://[2001:DB8::1]:80", "a:/%2E//b", "x:%2e%2e//b", "http://a/b%2fc", "urn:x:%7e",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkIdempotence(t, s) })
}

func FuzzAnyLineIsTakenOrRefused(f *testing.F) {
	for _, s := range []string{"http://u:p@example.org/", "example.org", "x", "http://[::1%25e]:1/", "<a>", "htp:x", "http:///a", "://",
		"http://h:1:2/"} {
		f.Add(s)
	}
	f.Add(strings.Repeat("\x91", MaxURI/2))
	f.Fuzz(func(t *testing.T, s string) {
		u, err := ParseURI(s)
		if err != nil {
			if err.Error() == "" {
				t.Error("refused without a word")
			}
			return
		}
		if u.Hash() != Key(u.Given) || u.Relative != (u.Host == "") {
			t.Errorf("%q: %+v", s, u)
		}
		again, err := ParseURI(u.Given)
		if err != nil || again != u {
			t.Errorf("%q: %+v, and again %+v, %v", s, u, again, err)
		}
	})
}
