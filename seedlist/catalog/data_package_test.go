package catalog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/seedlist/catalog"
)

// The resources of a Data Package are documents, and what it says of their tables is kept. Half of these are dirty.
func TestResourcesOfADataPackageAreSeeds(t *testing.T) {
	const at = "http://d.example/p/datapackage.json"
	for _, test := range []struct {
		name, text string
		want       []string // documents, with what is claimed of them
		refused    []string // the reason of each that is not taken
	}{
		{"version 1", `{"name": "p", "profile": "tabular-data-package", "licenses": [{"name": "ODC-By-1.0"}], "resources": [{"name": "a",
			"path": "data/a.csv", "format": "csv", "mediatype": "text/csv", "bytes": 12, "hash": "d41d8cd98f00b204e9800998ecf8427e",
			"dialect": {"delimiter": ";"}, "schema": {"fields": [{"name": "x", "type": "integer"}]}}]}`,
			[]string{`http://d.example/p/data/a.csv checksum=md5:d41d8cd98f00b204e9800998ecf8427e dataset_title=p descriptor=` + at +
				` dialect={"delimiter":";"} format=csv license=ODC-By-1.0 media_type=text/csv ` +
				`schema={"fields":[{"name":"x","type":"integer"}]} size=12`}, nil},
		{"version 2", `{"$schema": "https://datapackage.org/profiles/2.0/datapackage.json", "title": "P", "created": "2024-05-06T07:08:09Z",
			"resources": [{"name": "a", "type": "table", "path": "a.csv", "hash": "sha1:8843d7f92416211de9ebb963ff4ce28125932878"}]}`,
			[]string{"http://d.example/p/a.csv checksum=sha1:8843d7f92416211de9ebb963ff4ce28125932878 dataset_title=P descriptor=" + at +
				" modified=2024-05-06T07:08:09Z"}, nil},
		{"several paths", `{"resources": [{"name": "a", "path": ["a1.csv", "a2.csv"], "bytes": 5}]}`,
			[]string{"http://d.example/p/a1.csv descriptor=" + at, "http://d.example/p/a2.csv descriptor=" + at}, nil},
		{"URLs", `{"resources": [{"name": "a", "path": "https://other.example/a.csv"}, {"name": "b", "path": "b.ttl"}]}`,
			[]string{"https://other.example/a.csv descriptor=" + at, "http://d.example/p/b.ttl descriptor=" + at}, nil},
		{"schema and dialect elsewhere",
			`{"resources": [{"name": "a", "path": "a.csv", "schema": "s.json", "dialect": "https://o.example/d.json"}]}`,
			[]string{"http://d.example/p/a.csv descriptor=" + at + " dialect=https://o.example/d.json " +
				"schema=http://d.example/p/s.json"}, nil},
		{"spaces", `{"resources": [{"name": "a", "path": "my data/é.csv"}, {"name": "b", "path": "my%20data/b.csv"}]}`,
			[]string{"http://d.example/p/my%20data/%C3%A9.csv descriptor=" + at,
				"http://d.example/p/my%20data/b.csv descriptor=" + at}, nil},
		{"before version 1", `{"name": "p", "license": "CC0", "resources": [{"name": "a", "url": "http://o.example/a.csv"},
			{"name": "b", "path": "b.csv"}]}`,
			[]string{"http://o.example/a.csv dataset_title=p descriptor=" + at + " license=CC0",
				"http://d.example/p/b.csv dataset_title=p descriptor=" + at + " license=CC0"}, nil},
		{"a title that is a host name", `{"resources": [{"name": "a", "path": "towns.zip"}]}`,
			[]string{"http://d.example/p/towns.zip descriptor=" + at}, nil},
		{"paths that lead out", `{"resources": [{"name": "a", "path": "../a.csv"}, {"name": "b", "path": "/b.csv"}, {"name": "c", "path": "c.csv"},
			{"name": "d", "path": "file:///d.csv"}, {"name": "e", "path": "%2e%2e/e.csv"}]}`,
			[]string{"http://d.example/p/c.csv descriptor=" + at},
			[]string{"bad-uri leads out", "bad-uri leads out", "bad-uri neither relative", "bad-uri leads out"}},
		{"inline data", `{"resources": [{"name": "a", "data": [{"x": 1}]}, {"name": "b", "path": "b.csv"}]}`,
			[]string{"http://d.example/p/b.csv descriptor=" + at}, []string{"no-uri the data are in the descriptor"}},
		{"no place at all", `{"resources": [{"name": "a"}, {"name": "b", "path": "b.csv"}, 3]}`,
			[]string{"http://d.example/p/b.csv descriptor=" + at}, []string{"bad-uri has a", "bad-uri a mapping is wanted"}},
		{"one name twice", `{"resources": [{"name": "a", "path": "a.csv"}, {"name": "a", "path": "b.csv"}]}`,
			[]string{"http://d.example/p/a.csv descriptor=" + at}, []string{"bad-uri two resources"}},
		{"a schema that is too long to keep", `{"resources": [{"name": "a", "path": "a.csv", "schema": {"fields": [{"name": "` +
			strings.Repeat("x", 20_000) + `"}]}}]}`, []string{"http://d.example/p/a.csv descriptor=" + at}, nil},
		{"a comma too many", `{"resources": [{"name": "a", "path": "a.csv",}]}`,
			[]string{"http://d.example/p/a.csv descriptor=" + at}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			page := catalogPage{contentType: "application/json", body: []byte(test.text)}
			out, result, err := harvest(t, site{at: page}, at, catalog.Options{})
			if err != nil || result.Kind != catalog.Package {
				t.Fatalf("kind %q, error %v", result.Kind, err)
			}
			var got []string
			for _, e := range out.entries {
				one := e.URI
				var claims []string
				for name, value := range e.Claims {
					claims = append(claims, name+"="+value)
				}
				slices.Sort(claims)
				got = append(got, strings.TrimSpace(one+" "+strings.Join(claims, " ")))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("documents\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			var refused []string
			for i, r := range out.refused {
				if r.Reason == catalog.Mended {
					continue
				}
				reason, part, _ := strings.Cut(append(test.refused, make([]string, i+1)...)[len(refused)], " ")
				refused = append(refused, string(r.Reason))
				if string(r.Reason) != reason || !strings.Contains(r.Message, part) {
					t.Errorf("refused: %s %q, want %s %q", r.Reason, r.Message, reason, part)
				}
			}
			if len(refused) != len(test.refused) {
				t.Errorf("refused %v, want %v", refused, test.refused)
			}
		})
	}
}

// What is a package of CKAN, or a catalog in JSON-LD, is none.
func TestOtherCatalogsAreNoDataPackages(t *testing.T) {
	for i, text := range []string{
		`{"success": true, "result": {"resources": [{"path": "x", "url": "http://h.example/a.nt"}]}}`,
		`{"name": "p", "metadata_modified": "2020-01-01", "resources": [{"url": "http://h.example/a.nt", "format": "NT"}]}`,
		`{"@context": "http://schema.org/", "@type": "Dataset", "resources": [{"path": "a.csv"}]}`,
		`{"dataset": [{"distribution": [{"downloadURL": "http://h.example/a.nt"}]}]}`,
	} {
		kind := catalog.Recognise([]byte(text), true, "application/json", fmt.Sprintf("http://h.example/%d.json", i))
		if kind == catalog.Package {
			t.Errorf("%s is read as a Data Package", text)
		}
	}
}
