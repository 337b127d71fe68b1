package catalog_test

import (
	"testing"

	"laundromat/seedlist/catalog"
)

// A portal is added by the address that a person knows: its page names nothing, and its catalog is where those of such
// portals are.
func TestAPortalIsFoundByItsPage(t *testing.T) {
	const site = "http://site.example"
	const page = `<!DOCTYPE html><title>Open data</title><a href="/about">About</a> <a href="/dataset">Datasets</a>`
	const ckan = `{"success": true, "result": {"count": 1, "results": [{"name": "a", "resources": [{"url": "http://h.example/a.ttl"}]}]}}`
	const dcat = `{"@type": "dcat:Catalog", "conformsTo": "https://project-open-data.cio.gov/v1.1/schema",
		"dataset": [{"title": "D", "distribution": [{"downloadURL": "http://h.example/d.ttl"}]}]}`
	const turtle = `@prefix dcat: <http://www.w3.org/ns/dcat#> . <#d> dcat:distribution [ dcat:downloadURL <http://h.example/t.ttl> ] .`
	const void = `<#d> <http://rdfs.org/ns/void#dataDump> <http://h.example/v.nt> .`
	const search = "/api/3/action/package_search?rows=100&start=0"
	row := func(name, at string, kind catalog.Kind, want string, more map[string]string) named {
		n := named{name: name, at: site + at, contentType: "text/html", text: page, kind: kind, want: want, more: map[string]string{}}
		for path, text := range more {
			n.more[site+path] = text
			n.asked += " " + site + path
		}
		return n
	}
	first := row("only the first that names something is asked for", "/", catalog.CKAN, "http://h.example/a.ttl",
		map[string]string{search: ckan})
	first.more[site+"/data.json"], first.more[site+"/sitemap.xml"] = dcat, "<urlset/>"
	files := row("a page of a file", "/data/index.html", catalog.CKAN, "http://h.example/a.ttl",
		map[string]string{"/data" + search: ckan})
	names := row("a page that names something is the catalog", "/", catalog.HTML, site+"/x.nt", nil)
	names.text = `<a href="x.nt">x</a>`
	names.more[site+search] = ckan
	empty := row("a portal that is empty so far", "/", catalog.CKAN, "", nil)
	empty.more[site+search], empty.asked, empty.kind = `{"success": true, "result": {"count": 0, "results": []}}`, site+search, ""
	checkAll(t, []named{
		row("CKAN at the root", "/", catalog.CKAN, "http://h.example/a.ttl", map[string]string{search: ckan}),
		row("CKAN without a stroke", "", catalog.CKAN, "http://h.example/a.ttl", map[string]string{search: ckan}),
		row("CKAN below a path", "/open/data/", catalog.CKAN, "http://h.example/a.ttl", map[string]string{"/open/data" + search: ckan}),
		row("CKAN below a path without its last stroke", "/data", catalog.CKAN, "http://h.example/a.ttl",
			map[string]string{"/data" + search: ckan}),
		row("CKAN at the root, given a page below", "/en/welcome?lang=en#top", catalog.CKAN, "http://h.example/a.ttl",
			map[string]string{search: ckan}),
		row("data.json", "/", catalog.DCAT, "http://h.example/d.ttl", map[string]string{"/data.json": dcat}),
		row("data.json below a path", "/portal/", catalog.DCAT, "http://h.example/d.ttl", map[string]string{"/portal/data.json": dcat}),
		row("catalog.ttl", "/", catalog.DCAT, "http://h.example/t.ttl", map[string]string{"/catalog.ttl": turtle}),
		row("VoID", "/", catalog.VoID, "http://h.example/v.nt", map[string]string{"/.well-known/void": void}),
		row("nothing at all", "/", catalog.HTML, "", nil),
		row("a page in place of each", "/", catalog.HTML, "", map[string]string{search: page, "/data.json": page, "/catalog.ttl": page,
			"/.well-known/void": page, "/sitemap.xml": page}),
		first, files, names, empty,
	})
}
