package daemon_test

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
	"laundromat/states/daemon"
	"laundromat/states/kind"
)

// product is the content of the file of a product that is served of a seed; "" for none.
func (w *world) product(seed seedlist.Seed, name string) string {
	w.t.Helper()
	if name == kind.Statements {
		if served := seed.Served(); served.Clean != "" {
			return w.clean(served)
		}
		return ""
	}
	n, err := seedfile.Find(&seed, name, 0)
	if err != nil {
		return ""
	}
	file, err := w.files.Open(n.Key, n.Suffix)
	if err != nil {
		w.t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(files.Sequential(file))
	if err != nil {
		w.t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

// wholeStore fails the test where a file is missing or damaged, or is named by no record.
func (w *world) wholeStore() (sums daemon.Verified) {
	w.t.Helper()
	sums, err := daemon.Verify(w.t.Context(), w.seeds, w.files, func(d daemon.Damage) error {
		w.t.Errorf("verify: %+v", d)
		return nil
	})
	if err != nil {
		w.t.Error(err)
	}
	return sums
}

const (
	people   = "id,name,born\n1,Ada,1815\n2,Bob,1901\n3,Eve,1950\n"
	others   = "id,name,born\n4,Dan,1815\n5,Fay,1901\n6,Gus,1950\n"
	newsFeed = `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>http://x.example/</link>` +
		`<item><title>One</title><link>http://x.example/1</link><description>First entry of the feed.</description></item></channel></rss>`
	pageOfPeople = "<!DOCTYPE html><html lang=en><head><title>People</title></head><body><h1>People</h1><p>This page has a paragraph of " +
		"text that says who the people are, in some words.</p><table><tr><th>id</th><th>name</th></tr><tr><td>1</td><td>Ada</td></tr>" +
		"<tr><td>2</td><td>Bob</td></tr></table></body></html>"
	longLogin = "<!DOCTYPE html><html lang=en><head><title>Sign in</title></head><body><h1>Sign in</h1><p>Please sign in with your name " +
		"and your password, so that you may read what is kept here for you and for others.</p><form><input name=user></form></body></html>"
	loginWithData = "<!DOCTYPE html><html lang=en><head><title>Sign in</title></head><body><h1>Sign in</h1><p>Please sign in with " +
		"your name and your password, so that you may read what is kept here.</p>" +
		`<div vocab="http://schema.org/" typeof="WebSite"><b property="name">Sign in</b></div><form><input name=user></form></body></html>`
	downText = "The server is down for maintenance. Please come back later, we are working on it.\n\nThank you for your patience.\n"
)

// A page, or a text, in place of a document takes none of its products away, and gives no article of its own.
func TestAPageInPlaceOfADocumentTakesNoProductAway(t *testing.T) {
	documents := map[string]string{
		"a CSV": people, "a TSV": "id\tname\n1\tAda\n2\tBob\n", "a feed": newsFeed, "JSON": `[{"a":1,"b":"x"},{"a":2,"b":"y"}]`,
		"a page with a table": pageOfPeople, "statements": nt("one"), "YAML": "- a: 1\n  b: x\n- a: 2\n  b: y\n",
		"a workbook": workbook(t), "an OpenDocument spreadsheet": spreadsheet(t),
		"XML": "<books><book><title>One</title></book><book><title>Two</title></book></books>", "JSON lines": "{\"a\":1}\n{\"a\":2}\n",
		"JSON-LD": `{"@id":"http://x.example/s","http://x.example/p":"o"}`,
		"RSS in RDF": `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">` +
			`<channel rdf:about="http://x.example/"><title>News</title></channel><item rdf:about="http://x.example/1"><title>One</title>` +
			`<link>http://x.example/1</link><description>First entry of the feed.</description></item></rdf:RDF>`,
		"Atom": `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title>One</title><link href="http://x.example/1"/>` +
			`<content>First entry of the feed.</content></entry></feed>`,
	}
	pages := map[string]string{"a login page": longLogin, "a bare login page": loginPage, "a text": downText}
	// Those hold what could be taken for the document, were it one of their kind.
	rich := map[string]string{
		"a login page with a table": strings.Replace(longLogin, "<form>", "<table><tr><th>opens</th><th>closes</th></tr><tr><td>8</td>"+
			"<td>17</td></tr><tr><td>9</td><td>18</td></tr></table><form>", 1),
		"a login page with data": loginWithData,
	}
	documents["a text"] = "The mill at the river was built in 1820.\n\nIt had two wheels and one door.\n"
	for name, document := range documents {
		for what, page := range pages {
			if name == "a text" && page == downText {
				continue // which is of its kind
			}
			testInPlace(t, name, document, what, page)
		}
		for what, page := range rich {
			if name != "a page with a table" {
				testInPlace(t, name, document, what, page)
			}
		}
	}
}

// workbook is an XLSX of one sheet.
func workbook(t *testing.T) string {
	const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	relation := func(kind, target string) string {
		return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="` +
			office + `/` + kind + `" Target="` + target + `"/></Relationships>`
	}
	return packageOf(t, "xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="`+office+
		`"><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/one.xml", `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`+
			`<row r="1"><c r="A1" t="inlineStr"><is><t>id</t></is></c><c r="B1" t="inlineStr"><is><t>name</t></is></c></row>`+
			`<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="inlineStr"><is><t>Ada</t></is></c></row></sheetData></worksheet>`,
		"xl/_rels/workbook.xml.rels", relation("worksheet", "one.xml"), "_rels/.rels", relation("officeDocument", "xl/workbook.xml"),
		"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`)
}

// spreadsheet is an ODS of one sheet.
func spreadsheet(t *testing.T) string {
	cell := func(text string) string {
		return `<table:table-cell office:value-type="string"><text:p>` + text + `</text:p></table:table-cell>`
	}
	const office = "urn:oasis:names:tc:opendocument:xmlns:"
	return packageOf(t, "mimetype", "application/vnd.oasis.opendocument.spreadsheet",
		"content.xml", `<office:document-content xmlns:office="`+office+`office:1.0" xmlns:table="`+office+
			`table:1.0" xmlns:text="`+office+`text:1.0"><office:body><office:spreadsheet><table:table table:name="One">`+
			`<table:table-row>`+cell("id")+cell("name")+`</table:table-row><table:table-row>`+cell("1")+cell("Ada")+
			`</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`,
		"META-INF/manifest.xml", `<manifest:manifest xmlns:manifest="`+office+`manifest:1.0"><manifest:file-entry `+
			`manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/></manifest:manifest>`)
}

func packageOf(t *testing.T, pairs ...string) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(pairs); i += 2 {
		entry, err := w.CreateHeader(&zip.FileHeader{Name: pairs[i], Method: zip.Store})
		if err == nil {
			_, err = io.WriteString(entry, pairs[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// aDayPasses sets back when a document without a product came last.
func (w *world) aDayPasses(path string) {
	w.t.Helper()
	w.retry(path)
	claims, err := w.seeds.Claim(w.t.Context(), seedlist.Downloading, "test", 1)
	if err != nil || len(claims) != 1 {
		w.t.Fatal(claims, err)
	}
	err = w.seeds.Complete(w.t.Context(), claims[0], seedlist.Outcome{Unchanged: true, Update: func(r *seedlist.Record) {
		r.Products = slices.Clone(r.Products)
		for i := range r.Products {
			if p := &r.Products[i]; !p.EmptyAt.IsZero() {
				p.EmptyAt = p.EmptyAt.Add(-25 * time.Hour)
			}
		}
		if r.Good != nil && !r.Good.EmptyAt.IsZero() {
			good := *r.Good
			good.EmptyAt = good.EmptyAt.Add(-25 * time.Hour)
			r.Good = &good
		}
	}})
	if err != nil {
		w.t.Fatal(err)
	}
}

// A sound page without a product is believed when it comes for the third time in a row, each a day after the one
// before.
func TestAThirdPageWithoutAProductIsBelieved(t *testing.T) {
	for name, c := range map[string]struct {
		document, page string
		gone           string // the product that the page takes away
		left           string // what the page has of it
	}{
		"a CSV":               {people, longLogin, kind.Records, ""},
		"a workbook":          {workbook(t), longLogin, kind.Records, ""},
		"a page with a table": {pageOfPeople, longLogin, kind.Records, ""},
		"JSON":                {`[{"a":1,"b":"x"},{"a":2,"b":"y"}]`, longLogin, kind.Records, ""},
		"a page with data":    {dataPage, longLogin, kind.Statements, ""},
		"a table and a text":  {people, downText, kind.Records, ""},
		"statements and data": {nt("one"), loginWithData, kind.Statements, "WebSite"},
		"a text":              {downText, longLogin, kind.Articles, "Please sign in"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			w.opt.Products = kind.Products()
			p := w.page("/a", []byte(c.document))
			w.add("/a")
			w.run()
			before := w.product(w.seed("/a"), c.gone)
			if before == "" {
				t.Fatalf("%+v", w.seed("/a").Record)
			}
			p.set(200, []byte(c.page))
			for day := 1; day <= seedlist.Believed; day++ {
				w.retry("/a")
				w.run()
				if err := daemon.SweepOrphans(t.Context(), w.seeds, w.files); err != nil {
					t.Fatal(err)
				}
				w.wholeStore()
				is := w.seed("/a")
				got := w.product(is, c.gone)
				isRight := got == before
				if day == seedlist.Believed {
					isRight = got != before && strings.Contains(got, c.left) && (got == "") == (c.left == "")
				}
				if !isRight {
					t.Fatalf("day %d: %q is served: %s %+v", day, got, is.Status, is.Products)
				}
				if day == seedlist.Believed {
					if is.Status != seedlist.Parsed || is.Behind() != "" || w.product(is, kind.Articles) == "" {
						t.Errorf("believed: %s %q %+v", is.Status, is.Behind(), is.Products)
					}
					break
				}
				// Once more on the same day it counts for nothing.
				w.retry("/a")
				w.run()
				w.aDayPasses("/a")
			}
		})
	}
}

func testInPlace(t *testing.T, name, document, what, page string) {
	t.Run(what+" in place of "+name, func(t *testing.T) {
		w := newWorld(t, seedlist.Options{})
		w.opt.Products = kind.Products()
		p := w.page("/a", []byte(document))
		w.add("/a")
		w.run()
		was := w.seed("/a")
		if was.Status != seedlist.Parsed || !was.IsServed() {
			t.Fatalf("%s %+v", was.Status, was.Record)
		}
		before := map[string]string{}
		for _, product := range kind.Products() {
			before[product] = w.product(was, product)
		}
		p.set(200, []byte(page))
		for range 4 { // on one day it is not believed, however often it comes
			w.retry("/a")
			w.run()
			w.wholeStore()
		}
		is := w.seed("/a")
		for _, product := range kind.Products() {
			if got := w.product(is, product); got != before[product] {
				t.Errorf("%s: %q, want %q", product, got, before[product])
			}
		}
		for i := range is.Products {
			// Those of a day count once.
			if p := &is.Products[i]; p.Name != kind.Statements && p.SHA256 != "" &&
				(p.Good != 1 || !p.None || p.Empty != 1 || p.EmptyAt.IsZero()) {
				t.Errorf("%+v", *p)
			}
		}
		if is.Status != seedlist.Failed || is.Behind() == "" {
			t.Errorf("%s %q", is.Status, is.Behind())
		}
		// Well again, it is served as it is now, and nothing is left of the rest.
		p.set(200, []byte(document))
		w.retry("/a")
		w.run()
		w.wholeStore()
		is = w.seed("/a")
		for _, product := range kind.Products() {
			if got := w.product(is, product); got != before[product] {
				t.Errorf("well again: %s: %q, want %q", product, got, before[product])
			}
		}
		if is.Status != seedlist.Parsed || is.Behind() != "" {
			t.Errorf("well again: %s %+v", is.Status, is.Record)
		}
	})
}

// No file of a product is left that no record names, and none is damaged, whatever is washed again.
func TestFilesOfProductsGoWithTheRecordsThatNameThem(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.opt.Products = kind.Products()
	table, page := w.page("/a.csv", []byte(people)), w.page("/b.html", []byte(pageOfPeople))
	w.add("/a.csv", "/b.html")
	w.run()
	first := w.wholeStore()
	rewash := func() {
		t.Helper()
		mendings, err := daemon.NewMender(w.seeds, w.files).Again(t.Context(), seedlist.Rewash, false, w.seed("/a.csv"),
			w.seed("/b.html"))
		if err != nil || mendings[0].Err != nil || mendings[1].Err != nil {
			t.Fatal(mendings, err)
		}
		w.run()
		if sums := w.wholeStore(); sums.Files != first.Files {
			t.Errorf("%d files, %d at first", sums.Files, first.Files)
		}
	}
	is := w.seed("/a.csv")
	fence := is.Product(kind.Records).Fence
	rewash()
	rewash()
	is = w.seed("/a.csv")
	if is.Product(kind.Records).Fence != fence {
		t.Errorf("the same rows were written again: %+v", is.Products)
	}
	for _, body := range []string{others, people, others} {
		table.set(200, []byte(body))
		w.retry("/a.csv", "/b.html")
		w.run()
		if sums := w.wholeStore(); sums.Files != first.Files {
			t.Errorf("%d files, %d at first", sums.Files, first.Files)
		}
		rewash()
	}
	page.set(200, []byte(longLogin))
	w.retry("/b.html")
	w.run()
	w.wholeStore()
	// Damage is found, and mended by a wash.
	is = w.seed("/a.csv")
	text := w.product(is, kind.Records)
	n, err := seedfile.Find(&is, kind.Records, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.files.Remove(n.Key, n.Suffix); err != nil {
		t.Fatal(err)
	}
	if sums, faults := w.repair(); sums.Bad != 1 || sums.Marked != 1 || faults[0].File != string(files.Records) {
		t.Errorf("%+v %+v", sums, faults)
	}
	w.run()
	w.wholeStore()
	if got := w.product(w.seed("/a.csv"), kind.Records); got != text {
		t.Errorf("%q, want %q", got, text)
	}
}
