package fetch_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"laundromat/internal/fault"
)

// lets says whether a robots.txt lets us read a path.
func lets(t *testing.T, robots, path string) bool {
	t.Helper()
	h := &host{robots: func() *http.Response { return reply(200, robots) }}
	_, err := h.fetcher().Get(context.Background(), "http://a.test"+path, io.Discard)
	if err != nil && fault.CodeOf(err) != fault.RobotsDisallowed {
		t.Fatalf("%q, %q: %v", robots, path, err)
	}
	return err == nil
}

// TestRulesAreComparedAsRFC9309Says: of each rule, paths that it forbids and paths that it does not.
func TestRulesAreComparedAsRFC9309Says(t *testing.T) {
	for _, c := range []struct{ rule, forbidden, allowed string }{
		{"/größe/", "/gr%C3%B6%C3%9Fe/x /gr%c3%b6%c3%9fe/x /größe/x", "/grosse/x /gr%F6%DFe/x"},
		{"/gr%C3%B6%C3%9Fe/", "/größe/x /gr%c3%b6%c3%9fe/x", "/gr/x"},
		{"/gr%c3%b6%c3%9fe/", "/gr%C3%B6%C3%9Fe/x", "/gr%C3/x"},
		{"/ツ", "/%E3%83%84 /ツ/x", "/%E3%83%83"},
		{"/gr\xF6\xDFe/", "/gr%F6%DFe/x /gr%C3%B6%C3%9Fe/x", "/gre/x"}, // Latin-1: either may be meant
		{"/foo/bar/%62%61%7A", "/foo/bar/baz /foo/bar/ba%7a/x", "/foo/bar/b"},
		{"/foo/bar/baz", "/foo/bar/%62%61%7A /foo/b%61r/baz", "/foo/bar/ba"},
		{"/a%7eb", "/a~b /a%7Eb", "/a-b"},
		{"/a~b", "/a%7Eb", "/ab"},
		{"/a%2fb", "/a%2Fb /a%2fb/c", "/a/b"},
		{"/a/b", "/a/b", "/a%2Fb"},
		{"/q?baz=https://foo.bar", "/q?baz=https%3A%2F%2Ffoo.bar /q?baz=https://foo.bar", "/q?baz=http"},
		{"/a b", "/a%20b", "/a+b /ab"},
		{"/private/", "/x/../private/1.nt /./private/1.nt /x/%2e%2E/private/1 //private/1 /a/..//private/1", "/private /x/private/1"},
		{"/a/../private/", "/private/1", "/a/private/1"},
		{"/./private/", "/private/1", "/x"},
		{"/.", "/.git/config /.%67it", "/a/.git /x"},
		{"/..", "/..x", "/a/x"},
		{"/*.ttl$", "/x.ttl /a/b.%74tl", "/x.ttl?v=1 /x.ttl.gz"},
		{"/path/file-with-a-%2A.html", "/path/file-with-a-*.html /path/file-with-a-%2a.html", "/path/file-with-a-b.html"},
		{"/path/foo-%24", "/path/foo-$ /path/foo-%24/x", "/path/foo-"},
		{"/x$y", "/x$y /x%24y/z", "/x"},
		{"/a*b", "/ab /axxb /a*b /a/c/b?d", "/a"},
		{"/a%2Ab", "/a*b", "/axb /ab"},
		{"*/private", "/private /x/private/y", "/x"},
		{"/*?sort=", "/list?sort=asc /?sort=", "/list /list?x&sort=1"},
		{"/x?", "/x? /x?a=1", "/x /xy"},
		{"/a*/c*/e$", "/a/c/e /ab/cd/e/f/e", "/a/c/e/f"},
		{"/a$", "/a", "/ab /a/ /a?b"},
		{"private/", "/private/x", "/x"},
		{"http://a.test/private/", "/private/x", "/x"},
		{"/a;b=c", "/a;b=c /a%3Bb=c", "/a"},
		{"/*sid=", "/a?sid=1 /a?x&sid= /sid=2 /b/xsid=/y", "/a?sid /a?sid%3D1 /a"},
		{"/*&view=", "/a?x=1&view=print /a&view=", "/a?view=1 /a?x=1%26view=1"},
		{"/*&", "/a?x&y /a&", "/a?x%26y /a?x"},
		{"/*/drafts/", "/go?to=/drafts/x /x/drafts/y /go?to=%2Fdrafts/y", "/drafts/y /x%2Fdrafts/y"},
		{"/*?*to=/x", "/go?to=/x /go?a=1&to=%2Fx/y", "/go/to=/x /go?to=x"},
		{"/*=/x", "/go?to=/x /go=/x", "/go?to=x"},
		{"/*?b", "/a?b /a?x?b /?a=1?b=2", "/a%3Fb /ab"},
		{"/a?x?y", "/a?x?y /a?x%3Fy", "/a?x /a%3Fx?y"},
		{"/*:8080/", "/go?u=http://a:8080/x /a:8080/ /go?u=http%3A%2F%2Fa%3A8080%2F", "/a8080/"},
		{"/*;s=", "/a;s=1 /a?x;s=1 /a?x%3Bs=1", "/a?s=1"},
		{"/*,", "/a,b /a?b,c /a?b%2c", "/a.b"},
		{"/*@", "/~a@b /?m=a@b /?m=a%40b", "/ab"},
		{"/*%3D", "/a?x%3D1 /a%3D", "/a?x=1"},
		{"/*=$", "/a?x= /a=", "/a?x=1 /a?x%3D"},
		{"/*&*=", "/a?x&y=1 /a&b?c=d", "/a?x=1 /a?x=1&y"},
		{"/" + strings.Repeat("*a", 2000) + "$", "/" + strings.Repeat("ba", 2000), "/" + strings.Repeat("ba", 1999)},
	} {
		robots := "User-agent: *\nDisallow: " + c.rule + "\n"
		for path := range strings.FieldsSeq(c.forbidden) {
			if lets(t, robots, path) {
				t.Errorf("%.50q lets us read %.50q", c.rule, path)
			}
		}
		for path := range strings.FieldsSeq(c.allowed) {
			if !lets(t, robots, path) {
				t.Errorf("%.50q forbids %.50q", c.rule, path)
			}
		}
	}
}

// TestGroupsOfRobots: which lines hold for us, and which of two rules.
func TestGroupsOfRobots(t *testing.T) {
	for _, c := range []struct {
		name, robots string
		lets         bool
	}{
		{"by name, any case", "User-agent: LAUNDROMAT\nDisallow: /x", false},
		{"by name, with a version", "User-agent: Laundromat/2.1\nDisallow: /x", false},
		{"another name", "User-agent: Laundry\nDisallow: /x", true},
		{"a longer name", "User-agent: laundromat-image\nDisallow: /x", true},
		{"two groups of one name are one",
			"User-agent: laundromat\nDisallow: /y\n\nUser-agent: other\nDisallow: /\n\nUser-agent: laundromat\nDisallow: /x", false},
		{"two groups of all are one", "User-agent: *\nDisallow: /y\n\nUser-agent: *\nDisallow: /x", false},
		{"ours overrules all", "User-agent: *\nDisallow: /\n\nUser-agent: laundromat\nDisallow: /y", true},
		{"ours is empty", "User-agent: laundromat\nDisallow:\n\nUser-agent: *\nDisallow: /", true},
		{"several names", "User-agent: other\nUser-agent: laundromat\nDisallow: /x", false},
		{"an empty line within a group", "User-agent: *\n\nDisallow: /x", false},
		{"a sitemap within a group", "User-agent: *\nSitemap: http://a.test/s\nDisallow: /x", false},
		{"line ends CR", "User-agent: *\rDisallow: /x\r", false},
		{"line ends CRLF, byte order mark", "\xEF\xBB\xBFUser-agent: *\r\nDisallow: /x\r\n", false},
		{"UTF-16", "\xFF\xFEU\x00s\x00e\x00r\x00-\x00a\x00g\x00e\x00n\x00t\x00:\x00*\x00\n\x00D\x00i\x00s\x00a\x00l\x00l\x00o\x00w\x00:\x00/\x00x\x00",
			false},
		{"in gzip", gzipped("User-agent: *\nDisallow: /x"), false},
		{"a colon is missing", "User-agent *\nDisallow /x", false},
		{"a slip", "User agent: *\nDissalow: /x", false},
		{"spaces around", "  User-agent :  *  \n\tDISALLOW :  /x  # why", false},
		{"rules before any group", "Disallow: /x\nUser-agent: *\nDisallow: /y", true},
		{"the longest decides, allow", "User-agent: *\nDisallow: /\nAllow: /x", true},
		{"the longest decides, disallow", "User-agent: *\nAllow: /x\nDisallow: /x/y", false},
		{"of two as long, allow", "User-agent: *\nDisallow: /x/y\nAllow: /x/y", true},
		{"length counts octets of the rule, not of an expression", "User-agent: *\nDisallow: /*.*\nAllow: /x/y.", true},
		{"a wildcard is an octet", "User-agent: *\nAllow: /x/y.n\nDisallow: /x/*.nt", false},
		{"a delay between two names", "User-agent: laundromat\nCrawl-delay: 0.001\nUser-agent: other\nDisallow: /x", false},
		{"a delay between two names, ours second", "User-agent: other\nCrawl-delay: 1\nUser-agent: laundromat\nDisallow: /x", false},
		{"a delay between two names, an empty line", "User-agent: *\nCrawl-delay: 0.001\n\nUser-agent: other\nDisallow: /x", false},
		{"a sitemap between two names", "User-agent: laundromat\nSitemap: http://a.test/s\nUser-agent: other\nDisallow: /x", false},
		{"what isn't a record between two names",
			"User-agent: laundromat\nHost: a.test\nNoindex: /\nClean-param: s /\nRequest-rate: 1/5\nnonsense\nUser-agent: other\nDisallow: /x",
			false},
		{"an empty rule between two names ends the first", "User-agent: laundromat\nDisallow:\nUser-agent: other\nDisallow: /x", true},
		{"a delay behind a rule", "User-agent: laundromat\nDisallow: /y\nCrawl-delay: 0.001\nUser-agent: other\nDisallow: /x", true},
		{"a comma behind the name", "User-agent: laundromat, other\nDisallow: /x", false},
		{"a comma at once behind the name", "User-agent: laundromat,other\nDisallow: /x", false},
		{"a semicolon behind the name", "User-agent: Laundromat; other\nDisallow: /x", false},
		{"a digit behind the name", "User-agent: laundromat2\nDisallow: /x", false},
		{"a version with a dot", "User-agent: laundromat.1\nDisallow: /x", false},
		{"a wildcard behind the name", "User-agent: laundromat*\nDisallow: /x", false},
		{"a bracket behind the name", "User-agent: laundromat (all)\nDisallow: /x", false},
		{"a letter outside ASCII behind the name", "User-agent: laundromaté\nDisallow: /x", false},
		{"a digit before the name", "User-agent: 2laundromat\nDisallow: /x", true},
		{"the name is not at the head", "User-agent: other, laundromat\nDisallow: /x", true},
		{"a hyphen ends in more of the name", "User-agent: laundromat-\nDisallow: /x", true},
		{"all, with a mark behind", "User-agent: *;\nDisallow: /x", false},
		{"a pattern of names is none of ours", "User-agent: *bot*\nDisallow: /x", true},
		{"no name", "User-agent:\nDisallow: /x", true},
		{"the limit cuts no rule short", "User-agent: *\n" + strings.Repeat("#", 500<<10-len("User-agent: *\n")-len("\nDisallow: /")) +
			"\nDisallow: /other\n", true},
	} {
		if got := lets(t, c.robots, "/x/y.nt"); got != c.lets {
			t.Errorf("%s: lets us read it: %v", c.name, got)
		}
	}
}

// TestRulesInAnySpelling: 200 rules, each the beginning of a path; however the two are written,
// they are compared. What differs in one octet is not forbidden.
func TestRulesInAnySpelling(t *testing.T) {
	random := rand.New(rand.NewPCG(28, 1))
	letters := []string{"a", "b", "Z", "7", "-", "_", "~", "ö", "ツ", "é", "%2A", "%24", "%20", "%2F"}
	spell := func(path []string, rule bool) string {
		var b strings.Builder
		for _, s := range path {
			for i := range len(s) {
				switch c := s[i]; {
				case len(s) == 3 && s[0] == '%':
					b.WriteString([]string{s, strings.ToLower(s)}[random.IntN(2)])
				case c == '/' || c >= 0x80 && rule && random.IntN(2) == 0:
					b.WriteByte(c)
				case c >= 0x80 || random.IntN(4) == 0:
					fmt.Fprintf(&b, []string{"%%%02X", "%%%02x"}[random.IntN(2)], c)
				default:
					b.WriteByte(c)
				}
				if len(s) == 3 && s[0] == '%' {
					break
				}
			}
			if !rule && s == "/" && random.IntN(5) == 0 {
				b.WriteString([]string{"./", "zz/../", "%2e/", "q/%2E%2e/"}[random.IntN(4)])
			}
		}
		return b.String()
	}
	for n := range 200 {
		path := []string{"/"}
		for range 2 + random.IntN(6) {
			path = append(path, letters[random.IntN(len(letters))])
			if random.IntN(3) == 0 {
				path = append(path, "/")
			}
		}
		other := append([]string{}, path...)
		other[1+random.IntN(len(other)-1)] = "x"
		rule := spell(path, true)
		robots := "User-agent: *\nDisallow: " + rule + "\n"
		if asked := spell(append(path, "t"), false); lets(t, robots, asked) {
			t.Errorf("%d: %q lets us read %q", n, rule, asked)
		}
		if asked := spell(other, false); !lets(t, robots, asked) && strings.Join(other, "") != strings.Join(path, "") {
			t.Errorf("%d: %q forbids %q", n, rule, asked)
		}
	}
}

// TestWhatIsAllowedIsComparedAlike: a rule that allows matches what one that forbids would.
func TestWhatIsAllowedIsComparedAlike(t *testing.T) {
	for rule, path := range map[string]string{
		"/*as=ttl": "/export?as=ttl", "/*&as=": "/x?a=1&as=ttl", "/*/nt/": "/go?to=/nt/x", "/*?rdf?": "/x?rdf?y", "/*?a=/": "/x?a=%2Fy",
		"/*:ttl": "/x?f=:ttl", "/*.nt?": "/x/y.nt?v=1", "/*=%2Fa": "/x?to=/a", "/*=rdf$": "/x?as=rdf", "/?d=*&f=*": "/?d=1&e=2&f=3",
	} {
		if !lets(t, "User-agent: *\nDisallow: /\nAllow: "+rule+"\n", path) {
			t.Errorf("%q does not let us read %q", rule, path)
		}
	}
}
