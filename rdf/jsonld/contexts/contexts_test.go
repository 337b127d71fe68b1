package contexts_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/rdf/jsonld/contexts"
	"laundromat/rdf/rdftest"
)

// mark stands before and behind a list.
const mark = "<!-- contexts in the program -->\n"

var update = flag.Bool("update", false, "write the lists of contexts in docs/json-ld.md and NOTICE anew")

func TestEachContextIsFoundByEachOfItsIRIs(t *testing.T) {
	texts := map[string]string{}
	for _, p := range contexts.All() {
		if p.Source == "" || p.Date == "" || p.Commit == "" || p.Licence == "" || len(p.IRIs) == 0 {
			t.Errorf("%+v: something is missing", p)
		}
		for _, iri := range p.IRIs {
			_, rest, _ := strings.Cut(iri, "://")
			host, path, _ := strings.Cut(rest, "/")
			for _, spelling := range []string{iri, "http://" + rest, "https://" + rest, "HTTPS://" + rest, strings.TrimSuffix(iri, "#") +
				"#",
				"https://" + strings.ToUpper(host) + "/" + path} {
				text, known := contexts.Find(spelling)
				if !known || contexts.Named(spelling).File != p.File {
					t.Fatalf("%s is not %s", spelling, p.File)
				}
				if texts[p.File] == "" {
					texts[p.File] = string(text)
				}
				if string(text) != texts[p.File] {
					t.Errorf("%s has another text", spelling)
				}
			}
		}
	}
	if len(texts) != 58 {
		t.Errorf("%d contexts", len(texts))
	}
	for file, text := range texts {
		var document map[string]any
		if err := json.Unmarshal([]byte(text), &document); err != nil || document["@context"] == nil {
			t.Errorf("%s: no context: %v", file, err)
		}
	}
}

func TestOtherIRIsNameNoContext(t *testing.T) {
	for _, iri := range []string{"", "/", "#", "https://", "https://schema.org.example/", "https://schema.org/Person",
		"https://w3id.org/ro/crate/9.9/context",
		"https://example.org/schema.org", "urn:schema.org", "context.json", "https://www.w3.org/ns/activitystreams/x",
		"https://www.w3.org/NS/activitystreams"} {
		if text, known := contexts.Find(iri); known || text != nil {
			t.Errorf("%q names a context", iri)
		}
	}
}

// What was packed is what publishers have.
func TestContextsAreAsPublished(t *testing.T) {
	for _, p := range contexts.All() {
		whole, err := os.ReadFile(rdftest.Shared(t, "contexts", p.File))
		if err != nil {
			t.Fatal(err)
		}
		var published map[string]json.RawMessage
		var want bytes.Buffer
		if err := json.Unmarshal(whole, &published); err != nil {
			t.Fatal(err)
		}
		if err := json.Compact(&want, published["@context"]); err != nil {
			t.Fatal(err)
		}
		if text, _ := contexts.Find(p.IRIs[0]); string(text) != `{"@context":`+want.String()+`}` {
			t.Errorf("%s is another than the published one; pack it anew", p.File)
		}
	}
}

// The documentation and NOTICE name each context with its source and licence. They are written with -update.
func TestContextsAreListedWithTheirLicences(t *testing.T) {
	var table, notice strings.Builder
	table.WriteString("| IRIs | date, commit | source | licence |\n|---|---|---|---|\n")
	for _, p := range contexts.All() {
		fmt.Fprintf(&table, "| %s | %s %s | %s | %s |\n", strings.Join(p.IRIs, " <br>"), p.Date, p.Commit, p.Source, p.Licence)
		fmt.Fprintf(&notice, "- %s: %s, %s %s. Licence: %s\n", p.IRIs[0], p.Source, p.Date, p.Commit, p.Licence)
	}
	for file, list := range map[string]string{"docs/json-ld.md": table.String(), "NOTICE": notice.String()} {
		name := filepath.Join("..", "..", "..", file)
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			before, rest, _ := strings.Cut(string(page), mark)
			_, after, _ := strings.Cut(rest, mark)
			list = before + mark + "\n" + list + "\n" + mark + after
			if err := os.WriteFile(name, []byte(list), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if !strings.Contains(string(page), list) {
			t.Errorf("%s lists other contexts; write it with -update", file)
		}
	}
}
