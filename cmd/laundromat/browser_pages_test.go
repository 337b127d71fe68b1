package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/klauspost/compress/gzip"

	"laundromat/seedlist"
)

// A person adds a seed, watches it become clean, follows a notice to its line, and downloads the file. The
// same person sends a list to somebody, and retries all that match. All goes with scripts, and without.
func TestAPersonWashesInABrowser(t *testing.T) {
	parent := startBrowser(t)
	l := startVisited(t)
	for name, with := range map[string]scripting{"with scripts": scripts, "without": noScripts} {
		t.Run(name, func(t *testing.T) {
			at := newTab(t, parent, l.address, with)
			l.signIn(at)
			uri := l.web.URL + "/fresh-" + strings.ReplaceAll(name, " ", "-") + ".nt"
			l.add(at, uri, with)
			at.follow(`#outcome th a`)
			l.followNotice(at)
			at.open("/seeds/" + seedlist.Key(uri))
			l.downloadClean(at)
		})
	}
	t.Run("a list is sent", func(t *testing.T) { l.sendList(t, parent) })
	t.Run("all that match are retried", func(t *testing.T) { l.retryAll(t, parent) })
}

// signIn gives the browser a session.
func (l *visited) signIn(at *tab) {
	at.t.Helper()
	at.open("/basket")
	at.says("Adding needs a token")
	at.follow(`main a[href^="/signin"]`)
	at.fill(`input[name=token]`, "not a token")
	at.follow(`main button`)
	at.says("this token is not known here")
	at.fill(`input[name=token]`, l.token)
	at.follow(`main button`)
	at.await(`location.pathname == "/basket"`)
}

// add puts a URI into the basket, and watches what becomes of it.
func (l *visited) add(at *tab, uri string, with scripting) {
	at.t.Helper()
	at.fill("#typed", "HTTP"+strings.TrimPrefix(uri, "http")+"\nmailto:nobody@example.org")
	if with == scripts {
		at.await(`document.querySelector("#preview").innerText.includes(` + quoted(seedlist.Key(uri)) + `)`)
	} else {
		at.follow(`button[formmethod=get]`)
		at.says(seedlist.Key(uri))
	}
	at.says("refused")
	at.follow("button.main")
	at.says("1 new")
	if with == scripts {
		at.do(chromedp.Evaluate[chromedp.Void](`window.stayed = true; null`))
		at.await(`document.querySelector("#outcome tr[data-state=parsed]")`)
		at.await(`window.stayed`)
		return
	}
	at.awaitReloaded(`document.querySelector("#outcome tr[data-state=parsed]")`)
}

// awaitReloaded waits for what comes without scripts: somebody loads the page again.
func (at *tab) awaitReloaded(expression string) {
	at.t.Helper()
	is := false
	for range 600 {
		var err error
		if is, err = value[bool](at, "Boolean("+expression+")"); err == nil && is {
			return
		}
		at.do(chromedp.Reload())
	}
	at.t.Fatalf("the page never came to %s: it is %s", expression, at.text())
}

// followNotice goes from a notice to its line in the document.
func (l *visited) followNotice(at *tab) {
	at.t.Helper()
	at.says("iri/space")
	at.follow(`.quotes li:has(a[href*="iri%2Fspace"]) a.place`)
	line, err := value[string](at, `document.querySelector(".line.here").innerText`)
	if err != nil || !strings.Contains(line, "a space in an IRI") {
		at.t.Errorf("the line is %q, %v", line, err)
	}
	marked, err := value[string](at, `document.querySelector(".line.here mark").innerText`)
	if err != nil || marked != " c" {
		at.t.Errorf("marked is %q, %v", marked, err)
	}
	if control, err := value[string](at, `document.querySelector(".lines .control").innerText`); err != nil || control != "U+0007" {
		at.t.Errorf("the control character is %q, %v", control, err)
	}
}

// downloadClean gets the clean file by a click.
func (l *visited) downloadClean(at *tab) {
	at.t.Helper()
	unzipped, err := gzip.NewReader(bytes.NewReader(at.download("#download")))
	if err != nil {
		at.t.Fatal(err)
	}
	clean, err := io.ReadAll(unzipped)
	if err != nil || !strings.Contains(string(clean), "<http://example.org/b%20c> <http://example.org/p> \"a space in an IRI\" .\n") {
		at.t.Errorf("the clean file is %s, %v", clean, err)
	}
}

// sendList narrows a list by clicks, and opens its address in the browser of another person, who sees the same.
func (l *visited) sendList(t *testing.T, parent context.Context) {
	at := newTab(t, parent, l.address, scripts)
	at.open("/")
	at.follow(`nav a[href="/seeds"]`)
	at.do(chromedp.Evaluate[chromedp.Void](`for (const d of document.querySelectorAll("details")) d.open = true; null`))
	at.follow(`#facet-format a[href*="Turtle"]`)
	at.do(chromedp.Evaluate[chromedp.Void](`for (const d of document.querySelectorAll("details")) d.open = true; null`))
	at.follow(`#facet-notice a[href*="iri%2Fspace"]`)
	sent, err := value[string](at, "location.pathname + location.search")
	if err != nil || !strings.Contains(sent, "format=Turtle") || !strings.Contains(sent, "notice=iri%2Fspace") {
		t.Fatalf("the address is %s, %v", sent, err)
	}
	const list = `document.querySelector("#total").innerText + document.querySelector("table.seeds").innerText`
	mine, err := value[string](at, list)
	if err != nil {
		t.Fatal(err)
	}
	other := newTab(t, parent, l.address, noScripts)
	other.open(sent)
	theirs, err := value[string](other, list)
	if err != nil || theirs != mine || !strings.Contains(theirs, ".ttl") {
		t.Errorf("%v: one sees %s, the other %s", err, mine, theirs)
	}
}

// retryAll retries all that a filter lets through, once what they ask for is there.
func (l *visited) retryAll(t *testing.T, parent context.Context) {
	for name, with := range map[string]scripting{"with": scripts, "without": noScripts} {
		at := newTab(t, parent, l.address, with)
		l.signIn(at)
		list := "/seeds?state=failed&error=http%2Fstatus&source=" + url.QueryEscape("list:later-"+name)
		l.web.isMended.Store(false)
		for i := range 3 {
			output(t, "seed", "add", "--data", l.data, "--source", "list:later-"+name, fmt.Sprintf("%s/later-%s-%d.nt", l.web.URL, name, i))
		}
		at.open(list)
		at.awaitReloaded(`document.querySelectorAll("table.seeds tbody tr").length == 3`)
		l.web.isMended.Store(true)
		at.follow("#act button")
		at.says("3 seeds now")
		at.follow("#go")
		if with == scripts {
			at.await(`document.querySelector("#state[data-state=done]")`)
		} else {
			at.awaitReloaded(`document.querySelector("#state[data-state=done]")`)
		}
		at.open("/seeds?state=parsed&source=" + url.QueryEscape("list:later-"+name))
		at.awaitReloaded(`document.querySelectorAll("table.seeds tbody tr").length == 3`)
	}
}

// TestPagesAreForEveryone has axe-core look at each page, light and dark, and looks whether it fits a narrow
// window. With LAUNDROMAT_SCREENSHOTS, pictures are kept in that folder.
func TestPagesAreForEveryone(t *testing.T) {
	axe := accessible(t)
	parent := startBrowser(t)
	l := startVisited(t)
	folder := os.Getenv("LAUNDROMAT_SCREENSHOTS")
	if folder != "" {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	at := newTab(t, parent, l.address, scripts)
	l.signIn(at)
	at.open("/seeds/" + seedlist.Key(l.web.URL+"/fresh.nt"))
	at.await(`document.querySelector(".state.parsed")`)
	for _, name := range []string{"tides.csv", "news.rss", "lighthouse.html"} {
		at.open("/seeds/" + seedlist.Key(l.web.URL+"/"+name))
		at.awaitReloaded(`document.querySelector(".state.parsed")`)
	}
	moving := l.web.URL + "/moving.csv"
	output(t, "seed", "add", "--data", l.data, moving)
	at.open("/seeds/" + seedlist.Key(moving))
	at.awaitReloaded(`document.querySelector(".state.parsed")`)
	output(t, "seed", "retry", "--data", l.data, moving)
	at.awaitReloaded(`document.querySelector("main").innerText.includes("1 added, 1 removed, 1 changed")`)
	output(t, "seed", "remove", "--data", l.data, l.web.URL+"/later4.nt")
	l.undoMerge(at)
	for name, path := range l.paths() {
		at.do(chromedp.EmulateViewport(1280, 900))
		at.open(path)
		at.await(`document.readyState == "complete"`)
		if who, err := value[string](at, `document.querySelector("form.who").innerText`); err != nil ||
			!strings.HasPrefix(who, "Signed in as alice") || !strings.Contains(who, "Sign out") {
			t.Errorf("%s says %q of who is signed in, %v", path, who, err)
		}
		// Light and dark pages are the same but for their colours.
		for like, rules := range map[scheme]string{"light": allRules, "dark": contrastRule} {
			at.look(like)
			at.check(axe, rules)
			if folder != "" {
				at.shoot(folder, name+"-"+string(like))
			}
		}
		at.look("light")
		at.do(chromedp.EmulateViewport(320, 700))
		if wide := at.overflow(); wide > 0 {
			t.Errorf("%s is %d pixels wider than a window of 320", path, wide)
		}
		at.do(chromedp.EmulateViewport(400, 800))
		if cut, err := value[[]string](at, cutTables); err != nil || len(cut) > 0 {
			t.Errorf("at 400 pixels columns of %s are cut off: %q, %v", path, cut, err)
		}
		if folder != "" {
			at.shoot(folder, name+"-400")
		}
	}
	if folder != "" {
		t.Logf("pictures are in %s", filepath.Clean(folder))
	}
}

// cutTables are the heads of the tables of which a part is beyond the edge of the window.
const cutTables = `[...document.querySelectorAll(".scroll")].filter(e => e.scrollWidth > e.clientWidth + 1)` +
	`.map(e => [...e.querySelectorAll("thead th")].map(h => h.innerText).join(" | "))`

// undoMerge has records merged, undoes a merge, and says of two other records that they are not the same.
func (l *visited) undoMerge(at *tab) {
	output(at.t, "seed", "add", "--data", l.data, l.web.URL+"/members/all.csv")
	at.open("/recipes/members/merges")
	at.awaitReloaded(`document.querySelectorAll("main section").length == 2`)
	at.follow("main section form button")
	at.await(`document.querySelector("#undone")`)
	output(at.t, "recipe", "merges", "members", "--data", l.data, "--apart", "m5", "m6")
}

// paths are the pages, by a name for their pictures.
func (l *visited) paths() map[string]string {
	key := func(name string) string { return seedlist.Key(l.web.URL + "/" + name) }
	dirty := "/seeds/" + key("fresh.nt")
	table, feed, article := "/seeds/"+key("tides.csv"), "/seeds/"+key("news.rss"), "/seeds/"+key("lighthouse.html")
	return map[string]string{
		"overview": "/", "wardrobe": "/seeds?state=parsed&format=N-Triples", "errors": "/errors", "dataset": dirty,
		"dataset-failed": "/seeds/" + key("later0.nt"), "dataset-archive": "/seeds/" + key("nested.tar.gz"),
		"attempts": dirty + "/attempts", "notices": dirty + "/notices?code=iri/space", "text": dirty + "/text?line=2&column=23",
		"rows": dirty + "/rows", "statistics": dirty + "/statistics", "subject": dirty + "/rows?subject=http://example.org/a",
		"compare": "/compare", "removed": "/removed", "publishers": "/publishers",
		"publisher": "/publishers/host?value=" + strings.TrimPrefix(l.web.URL, "http://"),
		"basket":    "/basket?uris=" + l.web.URL + "/people.nq%0Amailto:nobody", "added": "/basket?seeds=" + key("people.nq") +
			"&known=1&refused=mailto:x&refusals=1",
		"hosts": "/hosts", "host": "/hosts/" + strings.TrimPrefix(l.web.URL, "http://"), "catalogs": "/catalogs", "catalog": "/catalogs/" +
			key("list.txt"),
		"table": table, "table-rows": table + "/records", "cell": table + "/cell?row=1&field=harbour", "feed": feed, "articles": feed +
			"/articles", "page": article, "article": article + "/article?number=1",
		"versions": "/seeds/" + key("moving.csv"), "changes": "/seeds/" + key("moving.csv") + "/changes",
		"actions": "/actions", "action-new": "/actions/new?do=retry&state=failed", "about": "/about", "signin": "/signin",
		"recipes": "/recipes", "recipe": "/recipes/tides",
		"wardrobe-all": "/seeds?sort=-size", "search": "/search?q=" + l.web.URL + "/", "search-host": "/search?q=127",
		"search-words": "/search?q=name", "search-empty": "/search", "search-label": "/search?q=lovelace",
		"search-phrase": "/search?q=%22Ada+Lovelace%22", "search-refused": "/search?q=ab*", "search-nothing": "/search?q=unheardof",
		"merges": "/recipes/members/merges", "merges-record": "/recipes/members/merges?id=m3",
		"overview-month": "/?by=month", "errors-code": "/errors?code=http/status", "errors-notices": "/errors?kind=notice",
		"errors-notice": "/errors?kind=notice&code=iri/space",
		"problem":       "/seeds/00000000000000000000000000000000",
	}
}
