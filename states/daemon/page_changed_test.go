package daemon_test

import (
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// A page that gives its recipe no more records, loses most, or lacks a field that is required, has changed: that is
// said with the selectors that fail, what was made before stays, and no seed comes of it.
func TestAPageThatChangedKeepsItsRecords(t *testing.T) {
	const page = `<div class=e><h2>One</h2><p class=place>here</p></div><div class=e><h2>Two</h2><p class=place>there</p></div>` +
		`<div class=e><h2>Three</h2><p class=place>far</p></div>`
	const one = `<h1>One</h1><p class=place>here</p>`
	const list = "spec: {select: [.e, {title: h2, place: .place}]"
	const single = "spec: {select: {title: h1, place: .place}"
	const required = ", schema: {fields: [{name: title, constraints: {required: true}}, {name: place, constraints: {required: true}}]}"
	const link = `<a class=more href="/new.html">more</a>`
	renamed := strings.NewReplacer("=place", "=venue")
	for name, c := range map[string]struct {
		recipe, before, after string
		says                  string // "": it has not changed
	}{
		"the class of records":     {list + "}", page, strings.ReplaceAll(page, "=e>", "=ev>"), `".e" (nearest: ".ev")`},
		"the element of a title":   {list + "}", page, strings.ReplaceAll(page, "h2>", "h3>"), ""},
		"a required title":         {list + required + "}", page, strings.ReplaceAll(page, "h2>", "h3>"), `"h2" (nearest: "h3")`},
		"a required class":         {list + required + "}", page, renamed.Replace(page), `".place" (nearest: `},
		"most places":              {list + required + "}", page, strings.Replace(renamed.Replace(page), "=venue", "=place", 1), "2 of its 3"},
		"one place":                {list + required + "}", page, strings.Replace(page, "=place", "=venue", 1), ""},
		"a required detail":        {list + required + "}\npages: {detail: 'h2 a'}", page, renamed.Replace(page), "required place any more"},
		"all of one record":        {single + "}", one, `<h3>One</h3><b class=venue>here</b>`, "there were 1 before"},
		"a field of one record":    {single + "}", one, renamed.Replace(one), ""},
		"a required field of one":  {single + required + "}", one, renamed.Replace(one), `".place" (nearest: `},
		"a page without any":       {list + "}", page, `<p>We are moving.`, "nothing near to it does"},
		"other words":              {list + required + "}", page, strings.ReplaceAll(page, "One", "Eleven"), ""},
		"fewer records":            {list + required + "}", page, page[:strings.Index(page, "<div class=e><h2>Three")], ""},
		"an optional one is there": {list + ", schema: {fields: [{name: title}, {name: place}]}}", page, renamed.Replace(page), ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			recipe := "name: r\nmatch: {uri: '*'}\nproducts: [records]\n" + c.recipe + "\n"
			if !strings.Contains(recipe, "\npages") {
				recipe += "pages: {next: a.more}\n"
			}
			w.putRecipe(recipe, "")
			document := w.page("/a.html", []byte("<!DOCTYPE html><body>"+c.before))
			w.serve("/new.html", "text/html", linksTo())
			w.add("/a.html")
			w.run()
			before := w.records("/a.html")
			if before == "" {
				t.Fatalf("there are no records: %+v", w.seed("/a.html").Error)
			}
			document.set(200, []byte("<!DOCTYPE html><body>"+c.after+link))
			w.retry("/a.html")
			w.run()
			seed, now := w.seed("/a.html"), w.records("/a.html")
			led := len(w.pagesOf()) > 0
			p := seed.Product(seedlist.ProductRecords)
			if c.says == "" {
				if seed.Status != seedlist.Parsed || p.Error != nil || now == before || seed.Notices[fault.RecordPageChanged] != 0 ||
					led == strings.Contains(recipe, "detail") {
					t.Errorf("%s, %+v, it leads on: %v\n%s", seed.Status, p.Error, led, now)
				}
				return
			}
			if seed.Status != seedlist.Failed || seed.Error.Code != fault.RecordPageChanged ||
				!strings.Contains(seed.Error.Message, c.says) {
				t.Errorf("%s: %+v\nwant %s", seed.Status, seed.Error, c.says)
			}
			if now != before || led || p.Error == nil || seed.Notices[fault.RecordPageChanged] != 1 {
				t.Errorf("the records are %q, and it leads on: %v; %+v", now, led, p.Error)
			}
			w.wholeStore()
			document.set(200, []byte("<!DOCTYPE html><body>"+c.before+link))
			w.retry("/a.html")
			w.run()
			if seed := w.seed("/a.html"); seed.Status != seedlist.Parsed || seed.Product(seedlist.ProductRecords).Error != nil {
				t.Errorf("as it was before, it is %s: %+v", seed.Status, seed.Error)
			}
		})
	}
}

// A sound page that rightly has no records any more is believed when it comes for the third time in a row, each a day
// after the one before; on one day it is not, however often it comes. A page whose records are lost is not sound.
func TestAThirdPageWithoutRecordsOfItsRecipeIsBelieved(t *testing.T) {
	const page = `<!DOCTYPE html><body><div class=e><h2>One</h2></div><div class=e><h2>Two</h2></div>`
	const recipe = "name: r\nmatch: {uri: '*'}\nproducts: [records]\n" +
		"spec: {select: [.e, {title: h2}], schema: {fields: [{name: title, constraints: {required: true}}]}}\n"
	for name, c := range map[string]struct {
		after      string
		isBelieved bool
	}{
		"without any":   {`<!DOCTYPE html><body><p>There are no events this season.</p>`, true},
		"all are lost":  {strings.ReplaceAll(page, "h2>", "h3>"), false},
		"as it was but": {strings.ReplaceAll(page, "h2>One", "h2>Eleven"), true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			w.putRecipe(recipe, "")
			document := w.page("/a.html", []byte(page))
			w.add("/a.html")
			w.run()
			before := w.records("/a.html")
			document.set(200, []byte(c.after))
			if name == "as it was but" {
				w.retry("/a.html")
				w.run()
				if seed := w.seed("/a.html"); seed.Status != seedlist.Parsed || w.records("/a.html") == before {
					t.Errorf("a page that fits is %s", seed.Status)
				}
				return
			}
			for day := 1; day <= seedlist.Believed+1; day++ {
				for range 2 {
					w.retry("/a.html")
					w.run()
				}
				seed := w.seed("/a.html")
				p := seed.Product(seedlist.ProductRecords)
				if c.isBelieved && day >= seedlist.Believed {
					if seed.Status != seedlist.Parsed || w.records("/a.html") != "" || p.Error != nil || !p.None {
						t.Fatalf("on day %d it is %s, %+v", day, seed.Status, p)
					}
					continue
				}
				if seed.Status != seedlist.Failed || seed.Error.Code != fault.RecordPageChanged || w.records("/a.html") != before {
					t.Fatalf("on day %d it is %s, %+v", day, seed.Status, seed.Error)
				}
				if day <= seedlist.Believed {
					w.aDayPasses("/a.html")
				}
			}
			w.wholeStore()
		})
	}
}
