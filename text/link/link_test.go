package link_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"laundromat/text"
	"laundromat/text/link"
)

func found(s string, links ...text.Link) string {
	a := &text.Article{Text: s, Links: links}
	link.Complete(a, "http://base.example/dir/page?q")
	var all []string
	for _, l := range a.Links {
		all = append(all, fmt.Sprintf("%d %d %s", l.Start, l.End, l.URL))
	}
	return strings.Join(all, "|")
}

func TestBareURLs(t *testing.T) {
	for s, want := range map[string]string{
		"see http://a.example/x.":                       "4 22 http://a.example/x",
		"(http://a.example/x_(y))":                      "1 23 http://a.example/x_(y)",
		"(see http://a.example/x)":                      "5 23 http://a.example/x",
		"[http://a.example] and HTTPS://B.example, end": "1 17 http://a.example|23 40 HTTPS://B.example",
		"www.a.example is www. or www.":                 "0 13 http://www.a.example",
		"nowww.a.example xhttp://a.example":             "",
		"“http://a.example/?q=1&r=ü#f”":                 "3 31 http://a.example/?q=1&r=ü#f",
		"http:// http://. http://x http://..a":          "",
		"http://localhost:80/x http://[::1]/y":          "0 21 http://localhost:80/x|22 36 http://[::1]/y",
		"ftp://a.example/b ... ftp://":                  "0 17 ftp://a.example/b",
		"見てhttp://a.example/xを":                         "6 24 http://a.example/x",
		"http://bücher.example/straße!":                 "0 30 http://bücher.example/straße",
		"http://a.example\nhttp://b.example":            "0 16 http://a.example|17 33 http://b.example",
		"<http://a.example/x>":                          "1 19 http://a.example/x",
		"mail me@www.a.example or http://u@a.example/":  "25 44 http://u@a.example/",
		"http://a.example/?u=http://b.example/x":        "0 38 http://a.example/?u=http://b.example/x",
		"http://a.example/x'; more":                     "0 18 http://a.example/x",
		"a://b.example gopher://c.example file:///x":    "",
		"http://a.example/\u202ex":                      "0 17 http://a.example/",
		"“see www.a.example/b,c.” www.b.example...":     "7 24 http://www.a.example/b,c|29 42 http://www.b.example",
	} {
		if got := found(s); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}

func TestURLsWithinLinksAreThose(t *testing.T) {
	const s = "a http://a.example/x b www.b.example c"
	got := found(s, text.Link{Span: text.Span{Start: 2, End: 20}, URL: "y"}, text.Link{Span: text.Span{Start: 21, End: 21}, URL: "#z"},
		text.Link{URL: "/t", InTitle: true})
	if want := "0 0 http://base.example/t|2 20 http://base.example/dir/y|21 21 http://base.example/dir/page?q#z|23 36 http://www.b.example"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestReferencesAreResolvedAsBrowsersDo(t *testing.T) {
	for reference, want := range map[string]string{
		" ../x ":                "http://base.example/x",
		"x y\n\tz":              "http://base.example/dir/x%20yz",
		"//o.example/x":         "http://o.example/x",
		"":                      "http://base.example/dir/page?q",
		"?r":                    "http://base.example/dir/page?r",
		"JavaScript:void(0)":    "",
		"mailto:a@b.example":    "mailto:a@b.example",
		"http:x":                "http://base.example/dir/x",
		"http://é.example/ü":    "http://é.example/ü",
		"a|b<c>\"":              "http://base.example/dir/a%7Cb%3Cc%3E%22",
		"data:text/html,x":      "",
		"http://a.example/%zz ": "http://a.example/%zz",
	} {
		if got, ok := link.Resolve("http://base.example/dir/page?q", reference); got != want || ok != (want != "") {
			t.Errorf("%q: %s, want %s", reference, got, want)
		}
	}
	if got, _ := link.Resolve("", "a b"); got != "a%20b" {
		t.Errorf("without a base: %s", got)
	}
}

// A URL is found whole, whatever stands around it that is no part of it.
func TestRandomURLsAreFoundInText(t *testing.T) {
	random := rand.New(rand.NewSource(3))
	pick := func(of ...string) string { return of[random.Intn(len(of))] }
	for range 2000 {
		url := pick("http://", "https://", "ftp://", "www.") + pick("a", "b-c", "x1.y", "münchen") + pick(".example", ".example:8080") +
			pick("", "/", "/a", "/a/b.html", "/(c)", "/~d", "/?e=f&g", "#h", "/i_j-k", "/%20")
		before := pick("", "a ", "(", "“", "\n", "…", "<", "[", ", ", "「", "を")
		after := pick("", " b", ".", ")", "”", ",", "!", "?\n", "」", "...", "];", "> c", "。", "'s")
		if after == "'s" && strings.HasSuffix(url, "/") {
			after = ""
		}
		want := url
		if strings.HasPrefix(url, "www.") {
			want = "http://" + url
		}
		if after == "'s" {
			continue // an apostrophe is a part of URLs
		}
		want = fmt.Sprintf("%d %d %s", len(before), len(before)+len(url), want)
		if got := found(before + url + after); got != want {
			t.Errorf("%q: %s, want %s", before+url+after, got, want)
		}
	}
}

func FuzzComplete(f *testing.F) {
	f.Add("see http://a.example/x. www.b.example", "y\n z")
	f.Fuzz(func(t *testing.T, s, reference string) {
		a := &text.Article{Text: s, Links: []text.Link{{URL: reference}}}
		link.Complete(a, "http://base.example/")
		for i, l := range a.Links {
			if l.Start < 0 || l.End < l.Start || l.End > len(s) || i > 0 && l.Start < a.Links[i-1].End {
				t.Fatalf("%q: %+v", s, a.Links)
			}
			if strings.ContainsAny(l.URL, " \t\n\r\"<>") {
				t.Fatalf("%q", l.URL)
			}
		}
	})
}
