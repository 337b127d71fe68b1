package main

import (
	"archive/tar"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"laundromat/seedlist"
)

// hostile are texts that are something else to a browser than to a reader.
var hostile = []string{
	`<script>window.wasRun=1</script>`, `"><img src=x onerror=window.wasRun=1>`, `</pre></main><svg onload=window.wasRun=1>`,
	`'onmouseover='window.wasRun=1`,
	`</textarea><iframe src=//evil.example></iframe>`, `<!--`, `{{.}}`, `javascript:window.wasRun=1`, `<b>bold</b>`,
	`<style>*{display:none}</style>`, "a\u202eb\u0000c",
}

// serveHostile has such texts in headers, statements, notices, names of entries, and in a list.
func serveHostile(reply http.ResponseWriter, r *http.Request) {
	for i, text := range hostile[:len(hostile)-1] {
		reply.Header().Set(fmt.Sprintf("X-Note-%d", i), text)
	}
	switch r.URL.Path {
	case "/hostile.tar":
		reply.Header().Set("Content-Type", "application/x-tar")
		out := tar.NewWriter(reply)
		for _, text := range hostile[:len(hostile)-1] {
			body := "<http://example.org/a> <http://example.org/p> \"b\" .\n"
			out.WriteHeader(&tar.Header{Name: strings.ReplaceAll(text, "/", "-") + ".nt", Mode: 0o600, Size: int64(len(body))})
			out.Write([]byte(body))
		}
		out.Close()
	case "/hostile.txt":
		for _, text := range hostile {
			fmt.Fprintf(reply, "mailto:%s\n", text)
		}
		fmt.Fprintf(reply, "http://%s/people.nq\n", r.Host)
	default:
		reply.Header().Set("Content-Type", "application/n-triples")
		for _, text := range hostile {
			quoted := strings.ReplaceAll(text, `"`, `\"`)
			fmt.Fprintf(reply,
				"<http://example.org/a> <http://example.org/p> \"%s\" .\n%s\n<http://example.org/%s> <http://example.org/p> \"x\"@%s .\n",
				quoted, text, text, text)
		}
	}
}

// What others wrote is text on every page, wherever it comes from: nothing of it runs, loads or looks like ours.
func TestTextsOfOthersAreInertInABrowser(t *testing.T) {
	parent := startBrowser(t)
	l := startVisited(t)
	for _, uri := range []string{"/hostile.nt", "/hostile.tar"} {
		output(t, "seed", "add", "--data", l.data, "--source", hostile[0], l.web.URL+uri)
	}
	output(t, "catalog", "add", "--data", l.data, "--kind", "list", l.web.URL+"/hostile.txt")
	at := newTab(t, parent, l.address, scripts)
	document, archive := "/seeds/"+seedlist.Key(l.web.URL+"/hostile.nt"), "/seeds/"+seedlist.Key(l.web.URL+"/hostile.tar")
	for _, path := range []string{document, archive} {
		at.open(path)
		at.awaitReloaded(`document.querySelector(".state.parsed, .state.depleted")`)
	}
	catalog := "/catalogs/" + seedlist.Key(l.web.URL+"/hostile.txt")
	at.open(catalog)
	at.awaitReloaded(`document.querySelector("#refused ~ details")`)
	at.open(archive)
	entries, err := value[[]string](at, `[...document.querySelectorAll(".tree a")].map(a => a.getAttribute("href"))`)
	if err != nil || len(entries) < len(hostile)-1 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	codes, err := value[[]string](at, `fetch(`+quoted("/api/v1"+document)+`).then(r => r.json()).then(s => Object.keys(s.notices))`,
		chromedp.EvalAwaitPromise)
	if err != nil || len(codes) == 0 {
		t.Fatalf("%d codes, %v", len(codes), err)
	}
	paths := []string{document, archive, catalog, document + "/text?line=12&column=3", document + "/rows",
		document + "/statistics", document + "/attempts", archive +
			"/attempts", "/seeds", "/errors", "/catalogs", "/hosts"}
	for _, code := range codes {
		paths = append(paths, document+"/notices?code="+url.QueryEscape(code))
	}
	paths = append(paths, entries...)
	for _, text := range hostile[:len(hostile)-1] {
		query := url.QueryEscape(text)
		paths = append(paths, "/basket?uris="+query, "/basket?refused="+query+"&refusals=1&source="+query, "/actions/new?do=retry&source="+
			query, "/hosts?host="+query,
			document+"/rows?subject="+query, document+"/notices?code="+query, document+"/text?line="+query, "/signin?next="+query,
			"/actions/new?do="+query, "/seeds?seed="+query)
	}
	const alien = `[...document.querySelectorAll("*")].filter(e => {
		if (e.tagName == "SCRIPT" && e.type == "application/ld+json") return JSON.parse(e.textContent)["@type"] != "Dataset";
		if (e.tagName == "SCRIPT") return !(e.getAttribute("src") || "").startsWith("/static/") || e.textContent;
		if (["IMG", "IFRAME", "STYLE", "B", "BASE", "OBJECT", "EMBED"].includes(e.tagName)) return true;
		if (e.tagName == "LINK") return !/^\/(static\/.*|feed|id\/[0-9a-f]{32}\.[a-z]+)$/.test(e.getAttribute("href"));
		return [...e.attributes].some(a => a.name.startsWith("on") || a.name == "style" && !e.closest(".uplot") || /^\s*(javascript|data):/i.test(a.value) && ["href", "src", "action", "formaction"].includes(a.name));
	}).map(e => e.outerHTML.slice(0, 200))`
	for _, path := range paths {
		at.open(path)
		at.await(`document.readyState == "complete"`)
		found, err := value[[]string](at, alien)
		if err != nil || len(found) > 0 {
			t.Errorf("%s has what is not ours: %q, %v", path, found, err)
		}
		if hasRun, err := value[bool](at, `"wasRun" in window || !document.querySelector("footer.site")`); err != nil || hasRun {
			t.Errorf("%s: a script of others was run, or the page was cut: %v", path, err)
		}
	}
	at.open(document)
	at.says(hostile[1]) // as it is, among the headers or lines
}
