package catalog_test

import (
	"strings"
	"testing"

	"laundromat/seedlist/catalog"
)

// foreign is the beginning of an object with a context that nobody has.
const foreign = `{"@context":"https://vocab.example/catalog.jsonld",`

func TestEachAddressOfADistributionIsTaken(t *testing.T) {
	const a, both = "http://h.example/1.ttl", "http://h.example/1.ttl http://h.example/2.ttl"
	list := `["http://h.example/1.ttl","http://h.example/2.ttl"]`
	row := func(name, distribution, want string) named {
		return named{name: name, text: foreign + `"dataset":[{"title":"Rain","distribution":[` + distribution + `]}]}`, kind: catalog.DCAT,
			want: want}
	}
	checkAll(t, []named{
		row("downloads", `{"downloadURL":`+list+`,"mediaType":"text/turtle"}`, both),
		row("with a prefix", `{"dcat:downloadURL":`+list+`}`, both),
		row("of schema.org", `{"contentUrl":`+list+`}`, both),
		row("objects", `{"downloadURL":[{"@id":"http://h.example/1.ttl"},{"@id":"http://h.example/2.ttl"}]}`, both),
		row("values", `{"downloadURL":[{"@value":"http://h.example/1.ttl"},{"@value":"http://h.example/2.ttl"}]}`, both),
		row("access addresses of a format", `{"accessURL":`+list+`,"format":"text/turtle"}`, both),
		row("access addresses beside a download", `{"accessURL":["http://h.example/page"],"downloadURL":"http://h.example/1.ttl"}`, a),
		row("downloads by two names", `{"downloadURL":"http://h.example/1.ttl","contentUrl":"http://h.example/2.ttl"}`, both),
		row("named twice", `{"downloadURL":["http://h.example/1.ttl","http://h.example/1.ttl"]}`, a),
		row("nothing between", `{"downloadURL":["http://h.example/1.ttl",null,"http://h.example/2.ttl"],"format":"TTL"}`, both),
		row("one in a list", `{"downloadURL":["http://h.example/1.ttl"]}`, a),
		row("a list in a list", `{"downloadURL":[["http://h.example/1.ttl"],["http://h.example/2.ttl"]]}`, both),
	})
}

func TestCatalogsInCatalogsAreRead(t *testing.T) {
	const both = "http://h.example/top.nt http://h.example/in.nt"
	file := func(name string) string {
		return `{"@type":"dcat:Dataset","distribution":[{"downloadURL":"http://h.example/` + name + `.nt"}]}`
	}
	row := func(name, more string) named {
		return named{name: name, text: foreign + `"@type":"dcat:Catalog","dcat:dataset":[` + file("top") + `],` + more + `}`,
			kind: catalog.DCAT, want: both, not: []catalog.Reason{catalog.NoURI}}
	}
	inner := `{"@type":"dcat:Catalog","dcat:dataset":[` + file("in") + `]}`
	checkAll(t, []named{
		row("a list of catalogs", `"dcat:catalog":[`+inner+`]`),
		row("one catalog", `"catalog":`+inner),
		row("catalogs", `"catalogs":[`+inner+`]`),
		row("parts", `"hasPart":[`+inner+`]`),
		row("parts with a prefix", `"dct:hasPart":`+inner),
		row("parts that are datasets", `"hasPart":[`+file("in")+`]`),
		row("a list of items", `"itemListElement":[{"@type":"ListItem","position":1,"item":`+file("in")+`}]`),
		row("a list of datasets", `"itemListElement":[`+file("in")+`]`),
		row("a main entity", `"mainEntity":`+file("in")),
		row("a main entity that is a catalog", `"mainEntity":{"@type":"DataCatalog","dataset":`+file("in")+`}`),
		row("two deep", `"catalog":[{"@type":"dcat:Catalog","catalog":[`+inner+`]}]`),
		row("in a page of people", `"mainEntity":{"@type":"ItemList","itemListElement":[{"@type":"ListItem","item":`+inner+`}]}`),
		{name: "of a catalog with a file of its own", text: foreign +
			`"@graph":[{"@type":"dcat:Catalog","dcat:distribution":{"downloadURL":"http://h.example/top.nt"},"dcat:dataset":[` +
			file("in") + `]}]}`, want: both},
		{name: "the same at the top", text: foreign + `"distribution":[{"downloadURL":"http://h.example/top.nt"}],"dataset":[` +
			file("in") + `]}`, want: both},
		{name: "of a dataset with datasets", text: foreign +
			`"dataset":[{"@type":"dcat:Dataset","downloadURL":"http://h.example/top.nt","hasPart":[` + file("in") + `]}]}`, want: both},
		{name: "only addresses, of this host", text: foreign + `"dataset":["http://site.example/d1"]}`,
			more: map[string]string{"http://site.example/d1": foreign + `"distribution":{"downloadURL":"http://h.example/in.nt"}}`},
			want: "http://h.example/in.nt", asked: "http://site.example/d1"},
		{name: "only addresses, of another host", text: foreign + `"catalog":[{"@id":"http://o.example/c"}],"dataset":[` + file("in") +
			`]}`, want: "http://h.example/in.nt", refused: []catalog.Reason{catalog.OtherCatalog}},
		{name: "a list of addresses", text: foreign + `"itemListElement":[{"@type":"ListItem","url":"http://site.example/d1"}]}`,
			more: map[string]string{"http://site.example/d1": foreign + `"distribution":{"downloadURL":"http://h.example/in.nt"}}`},
			want: "http://h.example/in.nt", asked: "http://site.example/d1"},
	})
}

func TestNodesOfAFlatGraphAreJoined(t *testing.T) {
	const d, one = `{"@id":"http://h.example/d","@type":"dcat:Dataset","dct:title":"D","dcat:distribution":`,
		`{"@id":"http://h.example/d/1","@type":"dcat:Distribution","dcat:accessURL":{"@id":"http://h.example/get?d"},"dct:format":"text/turtle"}`
	row := func(name string, nodes ...string) named {
		return named{name: name, text: foreign + `"@graph":[` + strings.Join(nodes, ",") + `]}`, kind: catalog.DCAT,
			want: "http://h.example/get?d", not: []catalog.Reason{catalog.NoURI, catalog.Damaged, catalog.OtherCatalog}}
	}
	lost := row("one that is not described", d+`{"@id":"http://h.example/d/1"}}`)
	lost.want, lost.not, lost.refused = "", nil, []catalog.Reason{catalog.NoURI}
	file := row("one that is called as a file", d+`"http://h.example/x.ttl"}`)
	file.want = "http://h.example/x.ttl"
	checkAll(t, []named{
		row("the dataset first", d+`[{"@id":"http://h.example/d/1"}]}`, one),
		row("the distribution first", one, d+`[{"@id":"http://h.example/d/1"}]}`),
		row("named by a text", d+`"http://h.example/d/1"}`, one),
		row("named by texts", d+`["http://h.example/d/1"]}`, one),
		row("named by what it is too", d+`{"@id":"http://h.example/d/1","@type":"dcat:Distribution"}}`, one),
		row("a blank node", d+`{"@id":"_:b1"}}`, strings.Replace(one, "http://h.example/d/1", "_:b1", 1)),
		row("with a catalog that names the dataset",
			`{"@type":"dcat:Catalog","@id":"http://h.example/","dcat:dataset":[{"@id":"http://h.example/d"}]}`,
			d+`[{"@id":"http://h.example/d/1"}]}`, one),
		row("with an agent", `{"@id":"http://h.example/me","@type":"foaf:Agent","foaf:name":"Me"}`, d+`[{"@id":"http://h.example/d/1"}]}`,
			one),
		row("of nobody", one),
		row("named by two datasets alike", one, d+`"http://h.example/d/1"}`),
		{name: "id and type",
			text: `{"dataset":[],"@graph":[{"id":"http://h.example/d","type":"Dataset","distribution":["http://h.example/d/1"]},{"id":"http://h.example/d/1","type":"Distribution","downloadURL":"http://h.example/get?d"}]}`,
			want: "http://h.example/get?d"},
		{name: "a list at the top", text: `[` + d + `{"@id":"http://h.example/d/1"}},` + one + `]`, want: "http://h.example/get?d"},
		lost,
		file,
	})
}

func TestADatasetMayHaveAnAddressOfItsOwn(t *testing.T) {
	const wells = "http://h.example/wells"
	row := func(name, dataset, want string) named {
		return named{name: name, text: `{"dataset":[` + dataset + `]}`, kind: catalog.DCAT, want: want}
	}
	list := named{name: "a list of datasets", text: `[{"title":"Wells","accessURL":"http://h.example/wells","format":"text/turtle"}]`,
		kind: catalog.DCAT, want: wells}
	typed := named{name: "id and type",
		text: `{"id":"http://h.example/c","type":"Catalog","dataset":[{"id":"http://h.example/d","type":"Dataset","distribution":[{"type":"Distribution","downloadURL":"http://h.example/wells"}]}]}`,
		kind: catalog.DCAT, want: wells}
	alone := named{name: "the page is one", text: `{"title":"Wells","accessURL":"http://h.example/wells","format":"text/turtle"}`,
		kind: catalog.DCAT, want: wells}
	page := row("a page", `{"title":"Wells","accessURL":"http://h.example/wells","format":"text/html"}`, "")
	page.refused = []catalog.Reason{catalog.WebPage}
	unsaid := row("of no format", `{"title":"Wells","accessURL":"http://h.example/wells"}`, "")
	unsaid.refused = []catalog.Reason{catalog.NoDownload}
	checkAll(t, []named{
		row("of a format", `{"title":"Wells","identifier":"w","accessURL":"http://h.example/wells","format":"text/turtle"}`, wells),
		row("of a format by its name", `{"title":"Wells","accessURL":"http://h.example/wells","format":"RDF/XML"}`, wells),
		row("RDF by its name", `{"title":"Wells","accessURL":"http://h.example/wells.ttl"}`, wells+".ttl"),
		row("a download", `{"title":"Wells","downloadURL":"http://h.example/wells"}`, wells),
		row("beside distributions",
			`{"accessURL":"http://h.example/wells","format":"ttl","distribution":[{"accessURL":"http://h.example/w.nt"}]}`,
			wells+" http://h.example/w.nt"),
		row("as its distribution",
			`{"accessURL":"http://h.example/wells","format":"ttl","distribution":[{"accessURL":"http://h.example/wells","format":"ttl"}]}`,
			wells),
		row("and no distributions", `{"accessURL":"http://h.example/wells","format":"ttl","distribution":[]}`, wells),
		list, typed, alone, page, unsaid,
	})
}

// A document whose contexts are at hand is read as the RDF that it is.
func TestJSONOfKnownContextsIsReadAsRDF(t *testing.T) {
	const want = "http://h.example/a.ttl"
	checkAll(t, []named{
		{name: "Project Open Data",
			text: `{"@context":"https://project-open-data.cio.gov/v1.1/schema/catalog.jsonld","@type":"dcat:Catalog","dataset":[{"@type":"dcat:Dataset","title":"A","distribution":[{"@type":"dcat:Distribution","downloadURL":"http://h.example/a.ttl","mediaType":"text/turtle"}]}]}`,
			want: want},
		{name: "schema.org",
			text: `{"@context":"https://schema.org/","@type":"DataCatalog","dataset":{"@type":"Dataset","name":"A","distribution":{"@type":"DataDownload","contentUrl":"http://h.example/a.ttl","encodingFormat":"text/turtle"}}}`,
			want: want},
		{name: "schema.org and more",
			text: `{"@context":["http://schema.org",{"dcat":"http://www.w3.org/ns/dcat#"}],"dcat:downloadURL":{"@id":"http://h.example/a.ttl"}}`,
			want: want},
		{name: "names of its own for what the context knows",
			text: `{"@context":["http://schema.org",{"file":"contentUrl"}],"distribution":{"file":"http://h.example/a.ttl"}}`, want: want},
		{name: "names that mean something else",
			text: `{"@context":["http://schema.org",{"downloadURL":"http://o.example/other"}],"distribution":[{"contentUrl":"http://h.example/a.ttl"},{"downloadURL":"http://h.example/no.ttl"}]}`,
			want: want},
		{name: "relative addresses", at: "http://h.example/c",
			text: `{"@context":"https://schema.org","distribution":{"contentUrl":"a.ttl"}}`, want: want},
		{name: "several addresses",
			text: `{"@context":"https://schema.org","distribution":{"contentUrl":["http://h.example/a.ttl","http://h.example/b.ttl"]}}`,
			want: want + " http://h.example/b.ttl"},
		{name: "a flat graph",
			text: `{"@context":"https://schema.org","@graph":[{"@id":"#d","@type":"Dataset","distribution":{"@id":"#x"}},{"@id":"#x","@type":"DataDownload","contentUrl":"http://h.example/a.ttl"}]}`,
			want: want},
		{name: "an item of a list",
			text: `{"@context":"https://schema.org","@type":"ItemList","itemListElement":[{"@type":"ListItem","item":{"@type":"Dataset","distribution":{"contentUrl":"http://h.example/a.ttl"}}}]}`,
			want: want},
		{name: "absolute names and no context",
			text: `[{"@id":"http://h.example/d","http://www.w3.org/ns/dcat#distribution":[{"@id":"_:x"}]},{"@id":"_:x","http://www.w3.org/ns/dcat#downloadURL":[{"@id":"http://h.example/a.ttl"}]}]`,
			want: want},
		{name: "a context that is there and one that is not",
			text: `{"@context":["https://schema.org","https://vocab.example/x.jsonld"],"dataset":[{"distribution":[{"downloadURL":"http://h.example/a.ttl"}]}]}`,
			want: want},
		{name: "parts of a catalog that are elsewhere", at: "http://h.example/c",
			text: `{"@context":"https://schema.org","@type":"DataCatalog","dataset":{"@id":"http://h.example/d"},"hasPart":{"@id":"http://h.example/e"}}`,
			more: map[string]string{
				"http://h.example/d": `{"@context":"https://schema.org","distribution":{"contentUrl":"http://h.example/a.ttl"}}`,
				"http://h.example/e": `{"@context":"https://schema.org","distribution":{"contentUrl":"http://h.example/b.ttl"}}`,
			}, want: want + " http://h.example/b.ttl", asked: "http://h.example/d http://h.example/e"},
	})
}

func TestCKANGivesPackagesInMoreShapes(t *testing.T) {
	const want, api = "http://h.example/a.ttl", "http://site.example/api/3/action/"
	p := `{"name":"wind","owner_org":"m","resources":[{"url":"http://h.example/a.ttl","format":"TTL"}]}`
	named2 := func(name, at, text, asked string, pages ...string) named {
		n := named{name: name, at: api + at, text: text, kind: catalog.CKAN, want: want, more: map[string]string{}, asked: asked}
		for i := 0; i < len(pages); i += 2 {
			n.more[pages[i]] = pages[i+1]
		}
		return n
	}
	show, search := api+"package_show?id=wind", api+"package_search?fq=groups%3Aweather&rows=100&start=0"
	one, found := `{"success":true,"result":`+p+`}`, `{"success":true,"result":{"count":1,"results":[`+p+`]}}`
	q := strings.Replace(strings.Replace(p, "wind", "fog", 1), "a.ttl", "b.ttl", 1)
	broken := named2("lines of packages, one of them broken", "x", p+"\n"+`{"name":"x","resources":[{"url":"http://h`+"\n"+q+"\n", "")
	broken.want, broken.refused = want+" http://h.example/b.ttl", []catalog.Reason{catalog.Damaged}
	lines := named2("lines of packages", "x", p+"\n"+q+"\n", "")
	lines.want = broken.want
	small := named2("lines of packages that say little", "x", `{"name":"a","resources":[{"url":"http://h.example/a.ttl"}]}`+"\n"+
		`{"name":"b","resources":[{"url":"http://h.example/b.ttl"}]}`, "")
	small.want = broken.want
	together := named2("packages without a line end between", "x", p+q, "")
	together.want = broken.want
	listed := named2("a list of packages", "x", "["+p+","+q+"]", "")
	listed.want = broken.want
	replies := named2("lines of replies", "x", one+"\n"+found+"\n"+strings.ReplaceAll(found, p, q), "")
	replies.want = want + " " + want + " http://h.example/b.ttl"
	short := named{name: "a group that is not all there, in a file",
		text: `{"success":true,"result":{"name":"weather","package_count":3,"packages":[` + p + `]}}`, want: want,
		refused: []catalog.Reason{catalog.Incomplete}}
	checkAll(t, []named{
		named2("a group", "group_show?id=weather", `{"success":true,"result":{"name":"weather","packages":[`+p+`]}}`, ""),
		named2("an organization", "organization_show?id=m", `{"success":true,"result":{"name":"m","is_organization":true,"packages":[`+p+
			`],"package_count":1}}`, ""),
		named2("a group whose packages are named", "group_show?id=weather",
			`{"success":true,"result":{"name":"weather","packages":["wind"]}}`, show, show, one),
		named2("a group whose packages lack resources", "group_show?id=weather",
			`{"success":true,"result":{"name":"weather","packages":[{"name":"wind","title":"Wind"}]}}`, show, show, one),
		named2("a group that gives a count alone", "group_show?id=weather",
			`{"success":true,"result":{"name":"weather","package_count":1}}`, search, search, found),
		named2("a package in a list of datasets", "group_show?id=weather", `{"success":true,"result":{"name":"weather","datasets":[`+p+
			`]}}`, ""),
		lines, small, together, listed, broken, replies, short,
	})
}
