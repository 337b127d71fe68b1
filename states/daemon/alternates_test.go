package daemon_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// paths are those of the seeds that have a URI.
func (w *world) paths() string {
	var got []string
	for _, s := range w.all() {
		if u, err := url.Parse(s.URI); err == nil && s.URI != "" {
			got = append(got, u.Path)
		}
	}
	return sortedWords(got)
}

// A page where data was asked for leads to the data.
func TestPagesLeadToTheData(t *testing.T) {
	const html, plain, ttl = "text/html; charset=utf-8", "text/plain", `type="text/turtle"`
	for _, test := range []struct {
		name        string
		contentType string
		body        string
		link        string // header
		want        string // what becomes a seed as well as the page
	}{
		{"a link element", html, `<html><head><link rel="alternate" ` + ttl + ` href="d.ttl"></head></html>`, "", "/d.ttl"},
		{"of several forms the one that is read best", html,
			`<html><head><link rel="alternate" type="application/ld+json" href="d.json"><link rel="alternate" ` + ttl +
				` href="d.ttl"><link rel=alternate type="application/rdf+xml" href="d.rdf"></head></html>`, "", "/d.ttl"},
		{"of one form all", html, `<html><head><link rel=alternate ` + ttl + ` href="a.ttl"><link rel="x alternate" ` + ttl +
			` href="b.ttl"></head></html>`, "", "/a.ttl /b.ttl"},
		{"against the base of the page", html, `<html><head><base href="/deep/er/"><link rel=alternate ` + ttl +
			` href="../d.ttl"></head></html>`, "", "/deep/d.ttl"},
		{"a page with data of its own too", html, `<html><head><link rel=alternate ` + ttl +
			` href="d.ttl"></head><body vocab="http://schema.org/" typeof="Dataset"><i property="name">x</i></body></html>`, "", "/d.ttl"},
		{"an anchor", html, `<html><body><a rel="alternate" type="application/n-triples" href="d.nt">data</a></body></html>`, "", "/d.nt"},
		{"a header", html, `<html></html>`, `</d.ttl>; rel="alternate"; type="text/turtle"`, "/d.ttl"},
		{"a header of what isn't a page", plain, `just text, nothing else`, `</d.ttl>; rel="alternate"; type="text/turtle"`, "/d.ttl"},
		{"signposts", html, `<html></html>`,
			`</m.rdf>; rel="describedby"; type="application/rdf+xml", </i.nt>; rel="item"; type="application/n-triples", </x.pdf>; rel="item"; type="application/pdf"`,
			"/i.nt /m.rdf"},
		{"links of something else", html, `<html></html>`, `</d.ttl>; rel="alternate"; type="text/turtle"; anchor="/other"`, ""},
		{"feeds, other languages and what says no type", html,
			`<html><head><link rel=alternate type="application/rss+xml" href="f.rss"><link rel=alternate hreflang=de href="de.html"><link rel=alternate type=text/html href=b.html><link rel=stylesheet ` +
				ttl + ` href=s.ttl><link rel=alternate href=d.ttl></head></html>`, "", ""},
		{"itself and our own site", html, `<html><head><link rel=alternate ` + ttl + ` href=""><link rel=alternate ` + ttl +
			` href="http://own.example/d.ttl"></head></html>`, "", ""},
		{"other schemes", html, `<html><head><link rel=alternate ` + ttl + ` href="file:///etc/passwd"><link rel=alternate ` + ttl +
			` href="javascript:x"></head></html>`, "", ""},
		{"data isn't a page", "text/turtle", `<http://e.org/s> <http://e.org/p> "o" .`,
			`</d.nt>; rel="alternate"; type="application/n-triples"`, ""},
		{"text in another encoding", "text/html; charset=utf-16le", utf16(`<html><head><link rel=alternate ` + ttl +
			` href="d.ttl"></head></html>`), "", "/d.ttl"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			w.opt.Follow.Alternate, w.opt.Follow.Own = true, []string{"own.example"}
			w.mux.HandleFunc("/page", func(reply http.ResponseWriter, r *http.Request) {
				reply.Header().Set("Content-Type", test.contentType)
				if test.link != "" {
					reply.Header().Set("Link", test.link)
				}
				reply.Write([]byte(test.body))
			})
			w.add("/page")
			w.run()
			w.sound()
			want := sortedWords(strings.Fields("/page " + test.want))
			if got := w.paths(); got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
			page := w.seed("/page")
			for _, path := range strings.Fields(test.want) {
				if s := w.seed(path); s.Source != "alternate:"+page.Hash || s.Depth != 1 {
					t.Errorf("%s: source %s, depth %d", path, s.Source, s.Depth)
				}
			}
			if page.Error != nil && page.Error.Code == fault.FormatNotRDF && test.want != "" &&
				!strings.Contains(page.Error.Message, "it leads to") {
				t.Errorf("%s", page.Error.Message)
			}
		})
	}
}

func utf16(text string) string {
	var b strings.Builder
	for _, r := range "\uFEFF" + text {
		b.WriteByte(byte(r))
		b.WriteByte(byte(r >> 8))
	}
	return b.String()
}

// Pages that lead to pages end at the depth that is set, and never go in a circle.
func TestPagesThatLeadToPagesEnd(t *testing.T) {
	for depth, want := range []string{"/a", "/a /b", "/a /b /c", "/a /b /c /page", "/a /b /c /page"} {
		w := newWorld(t, seedlist.Options{})
		w.opt.Follow.Alternate, w.opt.Follow.Depth = depth > 0, depth
		to := func(path string) string {
			return `<html><head><link rel=alternate type="text/turtle" href="` + path + `"></head></html>`
		}
		w.mux.HandleFunc("/a", func(reply http.ResponseWriter, r *http.Request) {
			http.Redirect(reply, r, "/page", http.StatusSeeOther)
		})
		w.serve("/page", "text/html", to("/b"))
		w.serve("/b", "text/html", to("/c"))
		w.serve("/c", "text/html", to("/a")+to("/page"))
		w.add("/a")
		w.run()
		w.sound()
		got := w.paths()
		if got != want {
			t.Errorf("depth %d: %s, want %s", depth, got, want)
		}
	}
}

// robots.txt and the rule against addresses that are not public hold for what a page
// leads to, as for any seed.
func TestWhatAPageLeadsToIsAskedForLikeAnySeed(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.opt.Follow.Alternate = true
	w.serve("/robots.txt", "text/plain", "User-agent: *\nDisallow: /closed/\n")
	w.serve("/closed/d.ttl", "text/turtle", `<http://e.org/s> <http://e.org/p> "o" .`)
	w.serve("/page", "text/html", `<html><head><link rel=alternate type="text/turtle" href="/closed/d.ttl"></head></html>`)
	w.add("/page")
	w.run()
	w.sound()
	if s := w.seed("/closed/d.ttl"); s.Error == nil || s.Error.Code != fault.RobotsDisallowed {
		t.Errorf("%s, %+v", s.Status, s.Error)
	}
}
