package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// washedDemo is a data folder in which the demo was washed to its end.
func washedDemo(t *testing.T) string {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	output(t, "serve", "--demo", "--until-idle", "-q", "--data", data, "--listen", "127.0.0.1:0")
	return data
}

// What one Laundromat describes, another harvests: it takes every clean file, washes it to the same bytes, and finds
// nothing to say of it, nor of any description.
func TestASecondLaundromatHarvestsTheFirst(t *testing.T) {
	data := washedDemo(t)
	base := "http://" + startDaemon(t, data)
	clean := map[string]seedlist.Seed{} // the documents by the address of their clean files
	faces := []string{base + "/.well-known/void", base + "/quality", base + "/catalog", base + "/dump.nq.gz"}
	for _, seed := range decodeLines[seedlist.Seed](t, output(t, "datasets", "--json", "--data", data)) {
		id := base + "/id/" + seed.Hash
		faces = append(faces, id, id+".ttl", id+".nq", id+".jsonld", base+"/seeds/"+seed.Hash)
		if seed.Clean != "" {
			clean[base+"/api/v1/seeds/"+seed.Hash+"/clean.nq"] = seed
		}
	}
	if len(clean) < 20 {
		t.Fatal(len(clean))
	}
	second := filepath.Join(t.TempDir(), "second")
	output(t, append([]string{"seed", "add", "--init", "--data", second}, faces...)...)
	output(t, "serve", "--until-idle", "-q", "--allow-private", "--host-delay", "0s", "--host-connections", "8", "--follow", "",
		"--data", second, "--listen", "127.0.0.1:0", "--catalog", base+"/catalog?limit=7")
	met := map[string]bool{}
	for _, seed := range seedsOf(t, second) {
		if seed.Status == seedlist.Cleaned {
			continue
		}
		was := clean[seed.URI]
		for code, n := range seed.Notices { // of a literal that stays as it is, the first had a warning too
			if info, _ := fault.Explain(code); info.Severity != fault.Warning || was.Notices[code] < n {
				t.Errorf("%s: %d times %s", seed.URI, n, code)
			}
		}
		if seed.Status != seedlist.Parsed || seed.Error != nil {
			t.Errorf("%s: %s %v", seed.URI, seed.Status, seed.Error)
		}
		met[seed.URI] = true
		if was.Clean != "" && seed.Clean != was.Clean {
			t.Errorf("%s is washed to %s, was %s", seed.URI, seed.Clean, was.Clean)
		}
		if _, ok := clean[seed.URI]; !ok && !slices.Contains(faces, seed.URI) {
			t.Errorf("%s is neither a clean file nor a face", seed.URI)
		}
	}
	for uri := range maps.Keys(clean) {
		if !met[uri] {
			t.Errorf("%s was not harvested", uri)
		}
	}
}

// mounted is a proxy that gives a service below a path. It sends another Host than the browser did.
func mounted(t *testing.T, path string) (address string, to *atomic.Pointer[url.URL]) {
	t.Helper()
	to = &atomic.Pointer[url.URL]{}
	mux := http.NewServeMux()
	mux.Handle(path+"/", http.StripPrefix(path, &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to.Load())
		r.Out.Host = to.Load().Host
	}}))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL + path + "/", to
}

// walker follows links from page to page.
type walker struct {
	t      *testing.T
	client *http.Client
	root   string // what every link begins with
	queue  []string
	known  map[string]bool
	shapes map[string]int // how many addresses of a shape were met
	seen   int
	rdf    []string // what gives RDF
}

// key is a hash in an address.
var key = regexp.MustCompile(`[0-9a-f]{32}`)

// mostAlike is how many addresses of one shape are followed: those that differ by hash, values and numbers alone.
const mostAlike = 2

// meet takes a link of a page.
func (w *walker) meet(from, link string) {
	at, err := url.Parse(from)
	if err == nil {
		at, err = at.Parse(link)
	}
	if err != nil {
		w.t.Errorf("%s: %q is no address", from, link)
		return
	}
	at.Fragment = ""
	if !strings.HasPrefix(at.String(), w.root) {
		if isOwn := at.Host == strings.Split(w.root, "/")[2]; isOwn {
			w.t.Errorf("%s leads to %s, which is not below %s", from, link, w.root)
		}
		return
	}
	shape := key.ReplaceAllString(at.Path, "H")
	for _, name := range slices.Sorted(maps.Keys(at.Query())) {
		shape += "&" + name
	}
	if len(at.Query()) > 2 { // filters of lists can be joined in thousands of ways
		return
	}
	if w.known[at.String()] || w.shapes[shape] == mostAlike || strings.Contains(at.Path, "/api/v1/events") {
		return
	}
	w.known[at.String()] = true
	w.shapes[shape]++
	w.queue = append(w.queue, at.String())
}

// walk follows all links.
func (w *walker) walk() {
	for len(w.queue) > 0 {
		at := w.queue[0]
		w.queue = w.queue[1:]
		request, err := http.NewRequest(http.MethodGet, at, nil)
		if err != nil {
			w.t.Fatal(err)
		}
		if !strings.Contains(at, "/api/") {
			request.Header.Set("Accept", "text/html, */*;q=0.5")
		}
		reply, err := w.client.Do(request)
		if err != nil {
			w.t.Fatal(err)
		}
		body, err := io.ReadAll(reply.Body)
		reply.Body.Close()
		if err != nil {
			w.t.Fatalf("%s: %v", at, err)
		}
		w.seen++
		if reply.StatusCode != 200 && reply.StatusCode != 303 {
			w.t.Errorf("%s: %s", at, reply.Status)
		}
		w.look(at, reply.Header, body)
	}
}

// headerLinks are the addresses of a Link header.
var headerLinks = regexp.MustCompile(`<([^>]*)>`)

// look takes the links of a reply.
func (w *walker) look(at string, header http.Header, body []byte) {
	if to := header.Get("Location"); to != "" {
		w.meet(at, to)
	}
	for _, link := range header.Values("Link") {
		for _, m := range headerLinks.FindAllStringSubmatch(link, -1) {
			w.meet(at, m[1])
		}
	}
	kind, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	switch kind {
	case "text/html":
		w.page(at, body)
	case "text/turtle", "application/n-quads", "application/ld+json":
		w.rdf = append(w.rdf, at)
		for _, m := range regexp.MustCompile(regexp.QuoteMeta(w.root)+`[^>"\s]*`).FindAllString(string(body), -1) {
			w.meet(at, m)
		}
	case "application/xml", "application/atom+xml":
		w.markup(at, body)
	case "text/plain":
		if strings.HasSuffix(at, "/robots.txt") {
			if _, to, ok := strings.Cut(string(body), "Sitemap: "); ok {
				w.meet(at, strings.TrimSpace(to))
			}
			if !strings.Contains(string(body), "Disallow: /laundromat/basket\n") {
				w.t.Errorf("robots.txt: %s", body)
			}
		}
	}
}

// page takes the links of a page, and sends its forms that read. Those that write must be answered, too.
func (w *walker) page(at string, body []byte) {
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	for n := range root.Descendants() {
		is := map[string]string{}
		for _, a := range n.Attr {
			is[a.Key] = a.Val
		}
		if n.Data == "form" && is["method"] == "post" {
			to, err := url.Parse(at)
			if err == nil {
				to, err = to.Parse(is["action"])
			}
			if err != nil || !strings.HasPrefix(to.String(), w.root) {
				w.t.Errorf("%s has a form that sends to %s", at, is["action"])
				continue
			}
			reply, err := w.client.PostForm(to.String(), url.Values{"next": {"/about"}})
			if err != nil {
				w.t.Fatal(err)
			}
			reply.Body.Close()
			// Nobody is signed in: it is refused, or the end of a session leads to the page that was asked for.
			isEnd := reply.StatusCode == 303 && reply.Header.Get("Location") == strings.TrimPrefix(w.root, "http://"+to.Host)+"about"
			if reply.StatusCode != 401 && reply.StatusCode != 403 && !isEnd {
				w.t.Errorf("%s sends to %s: %s %s", at, to, reply.Status, reply.Header.Get("Location"))
			}
			continue
		}
		if action, ok := is["action"]; ok && !strings.HasPrefix(action, "/laundromat/") {
			w.t.Errorf("%s has a form that asks for %s", at, action)
		}
		for _, name := range []string{"href", "src", "hx-get", "data-live"} {
			if link, ok := is[name]; ok && link != "" {
				w.meet(at, link)
			}
		}
		if is["type"] == "application/ld+json" && n.Data == "script" {
			var schema map[string]any
			if err := json.Unmarshal([]byte(n.FirstChild.Data), &schema); err != nil || schema["@type"] != "Dataset" {
				w.t.Errorf("%s: %v %v", at, err, schema["@type"])
			}
			w.meet(at, fmt.Sprint(schema["@id"]))
			w.meet(at, fmt.Sprint(schema["url"]))
		}
	}
}

// markup takes the links of a feed or a sitemap.
func (w *walker) markup(at string, body []byte) {
	decoder := xml.NewDecoder(bytes.NewReader(body))
	inside := ""
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			w.t.Errorf("%s: %v", at, err)
			return
		}
		switch token := token.(type) {
		case xml.StartElement:
			inside = token.Name.Local
			for _, a := range token.Attr {
				if a.Name.Local == "href" {
					w.meet(at, a.Value)
				}
			}
		case xml.EndElement:
			inside = ""
		case xml.CharData:
			if inside == "loc" || inside == "id" && strings.HasPrefix(string(token), "http") {
				w.meet(at, string(token))
			}
		}
	}
}

// Behind a proxy that mounts the site below a path, every link of every page, feed and description leads below that
// path and is answered; and what gives RDF is washed without a finding.
func TestEveryLinkLeadsBelowThePathOfTheSite(t *testing.T) {
	data := washedDemo(t)
	root, to := mounted(t, "/laundromat")
	address := startDaemon(t, data, "--public-url", root)
	to.Store(&url.URL{Scheme: "http", Host: address})
	w := &walker{t: t, root: root, known: map[string]bool{}, shapes: map[string]int{}, client: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	for _, start := range []string{"", "robots.txt", "catalog.ttl?limit=5", "catalog.nq", "catalog.jsonld", ".well-known/void", "feed",
		"dump.nq.gz", "publishers.atom", "openapi.json"} {
		w.meet(root, start)
	}
	w.walk()
	if w.seen < 150 || len(w.rdf) < 10 {
		t.Errorf("%d addresses were met, %d of them give RDF", w.seen, len(w.rdf))
	}
	check := append([]string{"check", "--allow-private", root + "dump.nq.gz"}, w.rdf...)
	if found := output(t, check...); regexp.MustCompile(`: (note|warning|repair|drop): `).MatchString(found) {
		t.Error(found)
	}
	for _, name := range []string{"/catalog.ttl", "/id/H.ttl", "/id/H.nq", "/id/H.jsonld", "/sitemaps/1.xml", "/seeds/H", "/feed"} {
		if w.shapes["/laundromat"+name] == 0 && w.shapes["/laundromat"+name+"&limit"] == 0 {
			t.Errorf("%s was not met", name)
		}
	}
}

// A browser that signs in behind a proxy has a cookie for the path of the site alone, and its forms are not taken for
// those of another site, though the proxy sends another Host.
func TestASessionIsOfThePathOfTheSite(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	secret := strings.TrimSpace(output(t, "token", "add", "alice", "--init", "--data", data))
	root, to := mounted(t, "/laundromat")
	to.Store(&url.URL{Scheme: "http", Host: startDaemon(t, data, "--public-url", root)})
	origin := strings.TrimSuffix(root, "/laundromat/")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	post := func(path, origin string, form url.Values, cookies []*http.Cookie) *http.Response {
		t.Helper()
		request, err := http.NewRequest(http.MethodPost, root+path, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Origin", origin)
		for _, c := range cookies {
			request.AddCookie(c)
		}
		reply, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
		return reply
	}
	reply := post("api/v1/session", origin, url.Values{"token": {secret}, "next": {"/basket"}}, nil)
	cookies := reply.Cookies()
	to303 := func(reply *http.Response, path string) bool {
		return reply.StatusCode == http.StatusSeeOther && strings.HasPrefix(reply.Header.Get("Location"), path)
	}
	if !to303(reply, "/laundromat/basket") || len(cookies) != 1 || cookies[0].Path != "/laundromat/" {
		t.Fatalf("%s %v", reply.Status, reply.Header)
	}
	form := url.Values{"uris": {"http://example.org/a.nt"}}
	if reply := post("basket", "https://evil.example", form, cookies); reply.StatusCode != 403 {
		t.Errorf("from another site: %s", reply.Status)
	}
	if reply := post("basket", origin, form, cookies); !to303(reply, "/laundromat/basket?") {
		t.Errorf("%s %v", reply.Status, reply.Header)
	}
}
