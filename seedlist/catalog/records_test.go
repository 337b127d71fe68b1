package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"laundromat/seedlist/catalog"
)

// The records of a page are seeds, by their fields. Half of the pages are dirty.
func TestRecordsAreSeedsByTheNamesOfTheirFields(t *testing.T) {
	const at = "http://c.example/list/all"
	const ofPage = `select: ["tr.file", {uri: {attr: [a, href]}, title: a, license: .licence}]`
	for _, c := range []struct {
		name, spec, media, text string
		want                    []string
		refused                 []string // reason, and a part of the message
	}{
		{"a table as it is", "", "text/csv", "uri,title,license\nhttp://d.example/a.nt,A,CC0\nb.nt,B,\n",
			[]string{"http://d.example/a.nt A license=CC0", "http://c.example/list/b.nt B"}, nil},
		{"a table by a map",
			`map: {uri: {from: Download}, title: {from: Naam}, publisher: {from: [Org, Dept], concat: " / "}}`, "text/csv",
			"Naam;Download;Org;Dept\nA;http://d.example/a.nt;X;Y\n", []string{"http://d.example/a.nt A publisher=X / Y"}, nil},
		{"JSON within",
			`{source: {records: items}, map: {uri: {from: file}, title: {from: n}, size: {from: bytes}}}`, "application/json",
			`{"result": {"items": [{"n": "A", "file": "/a.nt", "bytes": "12"}, {"n": "B", "file": "/b.nt", "bytes": "some"}]}}`,
			[]string{"http://c.example/a.nt A size=12", "http://c.example/b.nt B size=some"}, nil},
		{"a page", ofPage, "text/html", `<table><tr class=file><td><a href="a.nt">A</a><td class=licence>CC0</tr>` +
			`<tr class=file><td><a href="../b.nt">B</a></tr></table>`,
			[]string{"http://c.example/list/a.nt A license=CC0", "http://c.example/b.nt B"}, nil},
		{"claims of their own", "", "application/json",
			`[{"uri": "/a.nt", "claims": {"theme": "rain", "tags": ["x", "y"]}, "year": 2020, "open": true}]`,
			[]string{`http://c.example/a.nt  open=true tags=["x","y"] theme=rain year=2020`}, nil},
		{"several addresses", "", "application/json", `[{"uri": ["/a.nt", "/b.nt"], "title": "A"}]`,
			[]string{"http://c.example/a.nt A", "http://c.example/b.nt A"}, nil},
		{"no address", "", "text/csv", "uri,title\n,A\nhttp://d.example/b.nt,B\n", []string{"http://d.example/b.nt B"},
			[]string{"no-uri the record at 2:1"}},
		{"addresses of no kind", "", "text/csv", "uri,title\nmailto:a@b.example,A\nhttp://[x/,B\nhttp://d.example/c.nt,C\n",
			[]string{"http://d.example/c.nt C"}, []string{"scheme ", "bad-uri "}},
		{"claimed to be no RDF", "", "text/csv", "uri,format\nhttp://d.example/a.pdf,PDF\nhttp://d.example/b.ttl,Turtle\n",
			[]string{"http://d.example/b.ttl  format=Turtle"}, []string{"not-rdf "}},
		{"a row that is lost", "schema: {fields: [{name: uri, type: string}, {name: size, type: integer}]}", "text/csv",
			"uri,size\nhttp://d.example/a.nt,12\nhttp://d.example/b.nt,many\n", []string{"http://d.example/a.nt  size=12"},
			[]string{"damaged schema/"}},
		{"a file of this machine", "", "text/csv", "uri\nfile:///etc/passwd\nhttp://d.example/a.nt\n", []string{"http://d.example/a.nt "},
			[]string{"scheme "}},
		{"a row that never ends", "", "text/csv", "uri,title\nhttp://d.example/a.nt,A\nhttp://d.example/b.nt,\"B\n",
			[]string{"http://d.example/a.nt A"}, []string{"damaged table/quote-unclosed at 3:23"}},
		{"lines of JSON", "", "application/x-ndjson", "{\"uri\": \"/a.nt\"}\n{\"uri\": \"/b.nt\"}\n{\"uri\": null, \"title\": \"C\"}\n",
			[]string{"http://c.example/a.nt ", "http://c.example/b.nt "}, []string{"no-uri the record"}},
		{"a header alone", "", "text/csv", "uri,title\n", nil, nil},
		{"a page without any", ofPage, "text/html", `<!DOCTYPE html><title>Log in</title><p>Who are you?`, nil,
			[]string{"damaged record/nothing-found"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			opt := catalog.Options{Kind: catalog.Records}
			if c.spec != "" {
				var err error
				if opt.Records, err = catalog.ParseRecords("s.yaml", []byte(c.spec), ""); err != nil {
					t.Fatal(err)
				}
				again, err := catalog.ParseRecords("s.yaml", []byte(opt.Records.Text()), "")
				if err != nil || again.Text() != opt.Records.Text() {
					t.Errorf("the text that is kept is %s, read again %v", opt.Records.Text(), err)
				}
				opt.Records = again
			}
			out, result, err := harvest(t, site{at: catalogPage{contentType: c.media, body: []byte(c.text)}}, at, opt)
			if (err != nil) != (c.want == nil && c.refused != nil) || result.Kind != catalog.Records {
				t.Fatalf("kind %q, error %v", result.Kind, err)
			}
			var got []string
			for _, e := range out.entries {
				one := e.URI + " " + e.Title
				var claims []string
				for name, value := range e.Claims {
					claims = append(claims, name+"="+value)
				}
				slices.Sort(claims)
				if len(claims) > 0 {
					one += " " + strings.Join(claims, " ")
				}
				got = append(got, one)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("documents\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			i, damaged := 0, false
			for _, r := range out.refused {
				if r.Reason == catalog.Mended {
					continue
				}
				reason, part := "", ""
				if i < len(c.refused) {
					reason, part, _ = strings.Cut(c.refused[i], " ")
				}
				if i++; string(r.Reason) != reason || !strings.Contains(r.Message, part) {
					t.Errorf("refused: %s %q, want %s %q", r.Reason, r.Message, reason, part)
				}
				damaged = damaged || r.Reason == catalog.Damaged
			}
			if i != len(c.refused) || err == nil && result.Complete == damaged {
				t.Errorf("refused %v, want %v; complete: %v", out.refused, c.refused, result.Complete)
			}
		})
	}
}

func TestAWrongSpecOfACatalogIsRefusedWithItsPlace(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "s.yaml: the file is empty"},
		{"other.yaml", "s.yaml:1:1: the spec is put in here"},
		{"selct: {uri: a}", `s.yaml:1:1: unknown part "selct": did you mean "select"?`},
		{"select: [\"li[\", {uri: a}]", "s.yaml:1:10: "},
		{"map: {uri: {frm: a}}", "s.yaml:1:13: "},
		{"schema: s.json", "s.yaml:1:9: the part schema is put in here"},
		{"select: {uri: a}\npages: {next: a}", "s.yaml:2:8: a catalog of records is one page"},
		{"rdf: {context: {a: \"http://a/\"}}", "s.yaml:1:6: the records of a catalog become seeds"},
		{"reconcile: {id: a}", "s.yaml:1:12: the records of a catalog are not merged"},
		{"select: [li, {url: a, title: b}]", `s.yaml:1:1: no record has a field "uri", which is the address of a seed; there are url, title`},
		{"map: {url: {from: a}}", `s.yaml:1:1: no record has a field "uri"`},
		{"source: {comment: \"" + strings.Repeat("#", 33_000) + "\"}", "s.yaml:1:1: the spec of a catalog has at most 32000 bytes"},
	} {
		if _, err := catalog.ParseRecords("s.yaml", []byte(c.text), ""); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.60q: %v, want %s", c.text, err, c.want)
		}
	}
}
