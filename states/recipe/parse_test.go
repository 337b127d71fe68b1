package recipe_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/states/kind"
	"laundromat/states/recipe"
)

func TestAWrongRecipeIsRefusedWithItsPlace(t *testing.T) {
	head := "name: a\nmatch: {host: example.org}\n"
	for _, c := range []struct{ name, text, want string }{
		{"no mapping", "- a\n", "r.yaml:1:1: a mapping is wanted here, not a list"},
		{"empty", "", "r.yaml: the file is empty"},
		{"not YAML", "name: [\n", "r.yaml:1:"},
		{"an unknown key", head + "product: [records]\n", `r.yaml:3:1: unknown key of a recipe "product": did you mean "products"?`},
		{"no name", "match: {host: example.org}\n", "r.yaml:1:1: a recipe has a name"},
		{"a name with a space", "name: a b\nmatch: {host: example.org}\n", "r.yaml:1:7: the name of a recipe has"},
		{"no match", "name: a\n", "r.yaml:1:1: a recipe says which documents it is for"},
		{"an empty match", "name: a\nmatch: {}\n", "r.yaml:2:8: match names at least one of uri, host"},
		{"an unknown condition",
			"name: a\nmatch: {hosts: example.org}\n", `r.yaml:2:9: unknown key of match "hosts": did you mean "host"?`},
		{"an empty condition", "name: a\nmatch: {host: []}\n", "r.yaml:2:15: host names at least one value"},
		{"an empty text", "name: a\nmatch:\n  host: ''\n", "r.yaml:3:9: host is empty here"},
		{"a host with a path", "name: a\nmatch: {host: example.org/a}\n", `r.yaml:2:15: "example.org/a" isn't a host`},
		{"a host with a wildcard in it",
			"name: a\nmatch: {host: [b.org, 'a*.example.org']}\n", "r.yaml:2:23: a host has \"*.\" at its begin"},
		{"a number", "name: a\nmatch: {host: 1}\n", "r.yaml:2:15: a text is wanted here, not a number"},
		{"no URI", "name: a\nmatch: {uri: example}\n", `r.yaml:2:14: "example" is no URI`},
		{"an unknown format", "name: a\nmatch:\n  format: [CSV, exel]\n", `r.yaml:3:17: unknown format "exel"`},
		{"no media type", "name: a\nmatch: {media: 'csv;;'}\n", `r.yaml:2:16: "csv;;" isn't a media type`},
		{"an unknown reading", head + "read: {charset: utf-8}\n", `r.yaml:3:8: unknown key of read "charset"`},
		{"an unknown encoding", head + "read: {encoding: latin-99}\n", `r.yaml:3:18: unknown encoding "latin-99"`},
		{"a relative base", head + "read: {base: /a/b}\n", `r.yaml:3:14: "/a/b" isn't an absolute IRI`},
		{"a word for a boolean", head + "read: {fix-mojibake: yes}\n", "r.yaml:3:22: a boolean is wanted here, not a text"},
		{"an unknown product", head + "products: [record]\n", `r.yaml:3:12: unknown product "record": did you mean "records"?`},
		{"a product twice", head + "products: [records, records]\n", "r.yaml:3:21: records is named twice"},
		{"no product", head + "products: []\n", "r.yaml:3:11: products names at least one of"},
		{"a spec for nothing",
			head + "products: [articles]\nspec: {select: {a: b}}\n", "r.yaml:4:1: a spec makes records, and products does not name them"},
		{"a wrong part", head + "spec: {selct: {a: b}}\n", `r.yaml:3:8: unknown part "selct": did you mean "select"?`},
		{"a wrong selector", head + "spec:\n  select: [\"li[\", {a: b}]\n", "r.yaml:4:12: "},
		{"a wrong rule", head + "spec:\n  map: {a: {frm: b}}\n", "r.yaml:4:13: "},
		{"a wrong schema", head + "spec:\n  schema: {fields: [{name: a, type: nonsense}]}\n", "r.yaml:4:37: "},
		{"rdf without a context", head + "spec:\n  rdf: {id: \"https://a/{n}\"}\n", "r.yaml:4:8: rdf needs a context"},
		{"an unknown key of rdf", head + "spec:\n  rdf: {contxt: {}}\n", `r.yaml:4:9: unknown key of rdf "contxt": did you mean "context"?`},
		{"a wrong context", head + "spec:\n  rdf: {context: {n: {\"@id\": 5}}}\n", "r.yaml:4:"},
		{"a wrong template", head + "spec:\n  rdf: {context: {n: \"http://a/n\"}, id: \"https://a/{n\"}\n",
			"r.yaml:4:52: this brace has no counterpart"},
		{"a template of no field", head + "spec:\n  rdf: {context: {n: \"http://a/n\"}, id: \"https://a/n\"}\n",
			"r.yaml:4:41: the id names no field"},
		{"a link without a meaning", head + "spec:\n  rdf: {context: {n: \"http://a/n\"}, links: {m: \"http://a/{n}\"}}\n",
			"r.yaml:4:45: the context says nothing of \"m\""},
		{"statements of records that products leaves out",
			head + "products: [records]\nspec: {rdf: {context: {n: \"http://a/n\"}}}\n",
			"r.yaml:4:1: the part rdf of the spec makes statements, and products does not name them"},
		{"records that products leaves out", head + "products: [statements]\nspec: {rdf: {context: {n: \"http://a/n\"}}}\n",
			"r.yaml:4:1: a spec makes records, and products does not name them"},
		{"a context in a file where none may be named", head + "spec: {rdf: {context: /etc/passwd}}\n",
			"r.yaml:3:23: the context is put in here, or named by its IRI: a file can't be named"},
		{"one of several contexts in a file", head + "spec: {rdf: {context: [{n: \"http://a/n\"}, c.jsonld]}}\n",
			"r.yaml:3:43: the context is put in here, or named by its IRI: a file can't be named"},
		{"pages twice", head + "spec:\n  select: {a: h1}\n  pages: {match: \"https://a/*\"}\npages: {match: \"https://b/*\"}\n",
			"r.yaml:6:8: the spec says already which further pages there are"},
		{"pages without select", head + "spec:\n  pages: {match: \"https://a/*\"}\n", "r.yaml:4:10: pages needs the part select"},
		{"pages of nothing", head + "pages: {}\n", "r.yaml:3:8: pages needs one of next, detail and match"},
		{"pages that are no mapping", head + "pages: https://a/*\n", "r.yaml:3:8: a mapping is wanted here"},
		{"an unknown key of pages", head + "pages: {math: \"https://a/*\"}\n",
			`r.yaml:3:9: unknown key of pages "math": did you mean "match"?`},
		{"pages of any host", head + "pages: {match: \"https://*/a\"}\n", "r.yaml:3:16: a pattern of URLs names its host"},
		{"pages of no scheme", head + "pages: {match: \"*\"}\n", "r.yaml:3:16: a pattern of URLs begins with http"},
		{"pages in two ways", head + "pages: {match: \"https://a/*\", next: a}\n", "r.yaml:3:8: pages has match, or next and detail"},
		{"a wrong next", head + "pages: {next: 'a['}\n", "r.yaml:3:15: "},
		{"a depth below 0", head + "pages: {next: a, depth: -1}\n", "r.yaml:3:25: a whole number from 0 is wanted here"},
		{"a limit in words", head + "pages: {next: a, limit: many}\n", "r.yaml:3:25: a whole number from 0 is wanted here"},
		{"details of no records", head + "pages:\n  next: b\n  detail: a\n", "r.yaml:5:3: detail needs a spec with the part select"},
		{"details of a spec without select", head + "spec: {map: {a: {from: b}}}\npages: {detail: a}\n",
			"r.yaml:4:9: detail needs a spec with the part select"},
		{"pages of a table", head + "spec: {source: {format: csv}, select: {a: b}}\npages: {next: a}\n", "r.yaml:4:8: pages reads HTML"},
		{"a spec beside statements alone", head + "products: [statements]\nspec: {select: {a: b}}\n",
			"r.yaml:4:1: a spec makes records, and products does not name them"},
		{"a file where none may be named", head + "spec: a.yaml\n", "r.yaml:3:7: the spec is put in here: a file can't be named"},
		{"a file of a part", head + "spec: {schema: /etc/passwd}\n", "r.yaml:3:16: the part schema is put in here"},
		{"too long", head + "spec: {source: {comment: \"" + strings.Repeat("#", 64_000) + "\"}}\n",
			"r.yaml:1:1: a recipe may be no longer than 64 kB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := recipe.Parse("r.yaml", []byte(c.text), ""); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

func TestTheBodyIsOneFormOfARecipeWithItsFilesPutIn(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"s.yaml":         "source: {format: csv}\nmap: {n: {from: name}}\nschema: schema/s.json\n",
		"schema/s.json":  `{"fields":[{"name":"n","type":"string"}]}`,
		"other/s.yaml":   "source: {format: csv}\nmap: {n: {from: name}}\nschema: ../schema/s.json\n",
		"schema/bad.txt": "fields: [",
	} {
		os.MkdirAll(filepath.Join(folder, filepath.Dir(name)), 0o700)
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const want = `{"match":{"host":["example.org"],"format":["CSV"]},"read":{"encoding":"latin1"},"products":["statements","records"],` +
		`"spec":{"source":{"format":"csv"},"map":{"n":{"from":"name"}},"schema":{"fields":[{"name":"n","type":"string"}]}}}`
	for _, c := range []struct{ name, text string }{
		{"a file", "name: a\nmatch: {host: Example.ORG, format: csv}\n" +
			"read: {encoding: latin1}\nproducts: [records, statements]\nspec: s.yaml\n"},
		{"another file", "name: b\nspec: other/s.yaml\nproducts: [statements, records]\n" +
			"read: {encoding: latin1}\nmatch: {format: CSV, host: example.org}\n"},
		{"an absolute name", "name: b\nspec: " + folder + "/s.yaml\nproducts: [statements, records]\n" +
			"read: {encoding: latin1, fix-mojibake: false}\n" +
			"match: {format: [CSV, csv], host: [example.org]}\n"},
		{"in place", "{\"name\": \"c\", " +
			"\"match\": {\"host\": \"example.org\", \"format\": \"text/csv\"}, \"read\": {\"encoding\": \"latin1\"},\n" +
			"\"products\": [\"records\", \"statements\"],\n" +
			"\"spec\": {\"source\": {\"format\": \"csv\"}, \"map\": {\"n\": {\"from\": \"name\"}},\n" +
			"\"schema\": {\"fields\": [{\"name\": \"n\", \"type\": \"string\"}]}}}"},
		{"the schema a file", "name: a\nmatch: {host: example.org, format: CSV}\n" +
			"read: {encoding: latin1}\nproducts: [records, statements]\n" +
			"spec: {source: {format: csv}, map: {n: {from: name}}, schema: schema/s.json}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := recipe.Parse("r.yaml", []byte(c.text), folder)
			if c.name == "in place" { // media types name formats of RDF alone
				r, err = recipe.Parse("r.yaml", []byte(strings.Replace(c.text, "text/csv", "csv", 1)), folder)
			}
			if err != nil {
				t.Fatal(err)
			}
			body := r.Body()
			if string(body) != want {
				t.Errorf("%s\nwant %s", body, want)
			}
			again, err := recipe.FromBody(r.Name, body)
			if err != nil || string(again.Body()) != want || again.SHA256 != r.SHA256 {
				t.Errorf("read back: %v", err)
			}
		})
	}
	for _, text := range []string{
		"pages: {match: \"https://a/*\", depth: 2, limit: 50000}", "spec: {select: [li, {a: a}]}\npages: {next: .n, detail: a}",
		"spec:\n  select: [li, {a: a}]\n  pages: {next: .n, detail: a, limit: 0}",
	} {
		r, err := recipe.Parse("r", []byte("name: a\nmatch: {uri: \"*\"}\n"+text+"\n"), "")
		if err != nil {
			t.Fatal(err)
		}
		again, err := recipe.FromBody(r.Name, r.Body())
		if err != nil {
			t.Fatal(err)
		}
		plan, err := again.Plan()
		if err != nil || plan == nil || string(again.Body()) != string(r.Body()) {
			t.Errorf("%s: %v", r.Body(), err)
		} else if got := plan.Limit(); strings.Contains(text, "50000") && (got != 50000 || plan.Depth() != 2) {
			t.Errorf("the limit is %d, the depth %d", got, plan.Depth())
		}
	}
	for _, c := range []struct{ name, spec, want string }{
		{"no file", "none.yaml", "r.yaml:3:7: the spec: open "},
		{"a wrong part in a file", "bad.yaml", "r.yaml:3:7: the spec: "},
	} {
		os.WriteFile(filepath.Join(folder, "bad.yaml"), []byte("schema: schema/bad.txt\n"), 0o600)
		_, err := recipe.Parse("r.yaml", []byte("name: a\nmatch: {uri: \"*\"}\nspec: "+c.spec+"\n"), folder)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func TestARecipeMakesWhatItNamesOfWhatCanHoldIt(t *testing.T) {
	all := kind.Products()
	for _, c := range []struct {
		recipe string
		is     kind.Kind
		wanted []string
		want   string
	}{
		{"", "CSV", all, "records"},
		{"", "CSV", []string{"statements"}, ""},
		{"products: [records]", "CSV", []string{"statements"}, "records"},
		{"products: [records]", "JSON-LD", []string{"statements"}, "records"},
		{"products: [records]", "Turtle", all, ""},
		{"products: [articles]", "HTML", all, "articles"},
		{"products: [articles]", "CSV", all, ""},
		{"products: [articles, statements]", "HTML", []string{"records"}, "statements articles"},
		{"spec: {select: {t: h1}}", "HTML", []string{"statements"}, "statements records"},
		{"spec: {select: {t: h1}}", "CSV", []string{"statements"}, "records"},
		{"spec: {select: {t: h1}}", "PDF", all, ""},
		{"spec: {source: {format: csv}}", "text", []string{"statements"}, "records"},
		{"spec: {source: {format: csv}}", "XLSX", all, ""},
		{"spec: {source: {format: xlsx}}", "XLSX", []string{"statements"}, "records"},
		{"spec: {source: {format: xlsx}}", "CSV", []string{"statements"}, ""},
	} {
		var r *recipe.Recipe
		if c.recipe != "" {
			var err error
			if r, err = recipe.Parse("r", []byte("name: a\nmatch: {uri: \"*\"}\n"+c.recipe+"\n"), ""); err != nil {
				t.Fatal(c.recipe, err)
			}
		}
		if got := strings.Join(r.Makes(c.is, c.wanted), " "); got != c.want {
			t.Errorf("%s: of %s, where %v are wanted, %q is made, want %q", c.recipe, c.is, c.wanted, got, c.want)
		}
	}
}
