package main

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"laundromat/seedlist"
)

// A person asks whose data is worst, what is to be mended there first, where it is, and takes the report to send. The
// same person goes from a class to the datasets that use it. All goes with scripts, and without.
func TestAPersonFindsWhoseDataIsBadInABrowser(t *testing.T) {
	parent := startBrowser(t)
	l := startVisitedWith(t, 0, "/clean.nt", "/people.nq")
	dirty := strings.TrimPrefix(l.web.URL, "http://")
	for name, with := range map[string]scripting{"with scripts": scripts, "without": noScripts} {
		t.Run(name, func(t *testing.T) {
			at := newTab(t, parent, l.address, with)
			at.open("/publishers")
			at.awaitReloaded(`document.querySelectorAll("table.cards tbody tr").length == 2`)
			at.open("/")
			at.awaitReloaded(`document.querySelector("#left").innerText.startsWith("0 seeds are left")`)
			at.follow(`main a[href="/publishers"]`)
			at.says("score")
			at.follow(`table.cards tbody tr:first-child a`)
			if title, err := value[string](at, `document.querySelector("h1").innerText`); err != nil || title != dirty {
				t.Fatalf("the worst publisher is %q, %v", title, err)
			}
			publisher, err := value[string](at, "location.pathname + location.search")
			if err != nil {
				t.Fatal(err)
			}
			l.mendFirst(at)
			at.open(publisher)
			l.sampleFirst(at)
			at.open(publisher)
			report := string(at.download(`main a[href*="report.html"]`))
			for _, want := range []string{dirty, "What to mend first", "later0.nt"} {
				if !strings.Contains(report, want) {
					t.Errorf("the report does not hold %q: %.2000s", want, report)
				}
			}
			l.byClass(at)
		})
	}
}

// mendFirst goes from the page of a publisher to the code that is to be mended first, and to its line.
func (l *visited) mendFirst(at *tab) {
	at.t.Helper()
	const first = `section[aria-labelledby=mend] ol > li:first-child`
	code, err := value[string](at, `document.querySelector("`+first+` code").innerText`)
	if err != nil {
		at.t.Fatal(err)
	}
	at.follow(first + ` a[href^="/errors"]`)
	at.says(code)
	at.follow(`.samples li:first-child a`)
	at.follow(`.quotes li:has(a[href*="` + strings.ReplaceAll(code, "/", "%2F") + `"]) a.place`)
	if line, err := value[string](at, `document.querySelector(".line.here").innerText`); err != nil || strings.TrimSpace(line) == "" {
		at.t.Errorf("the line of %s is %q, %v", code, line, err)
	}
}

// sampleFirst goes from a sample on the page of a publisher to its line, and takes the patch of a document.
func (l *visited) sampleFirst(at *tab) {
	at.t.Helper()
	const sample = `section[aria-labelledby=mend] .sample:has(mark)`
	marked, err := value[string](at, "document.querySelector(`"+sample+" mark`).innerText")
	if err != nil || marked == "" {
		at.t.Fatalf("marked is %q, %v", marked, err)
	}
	at.follow(sample + ` a.place`)
	if there, err := value[string](at, `document.querySelector(".line.here mark").innerText`); err != nil || there != marked {
		at.t.Errorf("%q is marked in the document, and %q in the sample: %v", there, marked, err)
	}
	at.open("/seeds/" + seedlist.Key(l.web.URL+"/fresh.nt"))
	if patch := string(at.download("#repairs")); !strings.Contains(patch, "\n+<http://example.org/b%20c> ") {
		at.t.Errorf("the patch is %s", patch)
	}
}

// byClass goes from a class to the datasets that use it.
func (l *visited) byClass(at *tab) {
	at.t.Helper()
	at.open("/seeds")
	at.do(chromedp.Evaluate[chromedp.Void](`for (const d of document.querySelectorAll("details")) d.open = true; null`))
	class, err := value[string](at, `document.querySelector("#facet-class a .value").innerText.trim()`)
	if err != nil {
		at.t.Fatal(err)
	}
	at.follow(`#facet-class a`)
	said, err := value[string](at, `document.querySelector("#total strong").innerText`)
	if rows, err2 := value[string](at, `String(document.querySelectorAll("table.seeds tbody tr").length)`); err != nil || err2 != nil ||
		rows == "0" || rows != said {
		at.t.Errorf("%s of the datasets of %s are shown, and %s are said to be there: %v, %v", rows, class, said, err, err2)
	}
	at.follow(`table.seeds tbody tr:first-child a`)
	at.says(class)
}
