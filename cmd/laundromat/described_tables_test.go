package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestMetadataIsFoundByTheRulesOfTheWeb reads a table of a host that says in different ways where its metadata is, some
// of them wrong. The first metadata that describes the table is used; the predicate of its column says which that is.
// The daemon finds the same.
func TestMetadataIsFoundByTheRulesOfTheWeb(t *testing.T) {
	// describes is metadata of the table at url, or of another.
	describes := func(name, url string) string {
		return fmt.Sprintf(`{"@context":"http://www.w3.org/ns/csvw","url":%q,"tableSchema":{"columns":[{"name":"a","titles":"a",`+
			`"propertyUrl":"http://m.example/%s"}]}}`, url, name)
	}
	const table, own, folder = "/d/t.csv", "/d/t.csv-metadata.json", "/d/csv-metadata.json"
	for _, test := range []struct {
		name   string
		links  []string // Link headers of the table
		files  map[string]string
		want   string // the predicate
		says   string // in what is reported; "" for nothing of csvw
		unused []string
	}{
		{name: "none at all", want: "t.csv#a"},
		{name: "a link", links: []string{`</m.json>; rel="describedby"; type="application/csvm+json"`},
			files: map[string]string{"/m.json": describes("link", table)}, want: "http://m.example/link"},
		{name: "a link before the usual places", links: []string{`<../m.json>; rel=describedby`},
			files: map[string]string{"/m.json": describes("link", table), own: describes("usual", table)},
			want:  "http://m.example/link", unused: []string{own, "/.well-known/csvm"}},
		{name: "a link of other types", links: []string{`</m.json>; rel="alternate describedby"; type="application/ld+json"`},
			files: map[string]string{"/m.json": describes("link", table)}, want: "http://m.example/link"},
		{name: "a link to a page", links: []string{`</m.html>; rel="describedby"; type="text/html"`},
			files:  map[string]string{"/m.html": "<html>", folder: describes("folder", "t.csv")},
			want:   "http://m.example/folder",
			unused: []string{"/m.html"}},
		{name: "a link that leads nowhere", links: []string{`</gone.json>; rel="describedby"`},
			files: map[string]string{own: describes("usual", table)}, want: "http://m.example/usual",
			says: "the metadata that the server names is not there"},
		{name: "the second of two links", links: []string{`</other.json>; rel="describedby", </m.json>; rel="describedby"`},
			files: map[string]string{"/m.json": describes("second", table), "/other.json": describes("other", "/other.csv")},
			want:  "http://m.example/second", says: "describes other tables"},
		{name: "the table's own", files: map[string]string{own: describes("usual", "t.csv"),
			folder: describes("folder", "t.csv")}, want: "http://m.example/usual", unused: []string{folder}},
		{name: "the folder's", files: map[string]string{folder: describes("folder", "t.csv")},
			want: "http://m.example/folder"},
		{name: "places of the site", files: map[string]string{"/.well-known/csvm": "{+url}.meta\n/all.json\n",
			"/all.json": describes("site", table),
			own:         describes("usual", table)}, want: "http://m.example/site", unused: []string{own}},
		{name: "an empty list of places",
			files: map[string]string{"/.well-known/csvm": "\n", own: describes("usual", table)},
			want:  "http://m.example/usual"},
		{name: "metadata that is broken", files: map[string]string{own: `{"url": `,
			folder: describes("folder", "t.csv")}, want: "http://m.example/folder", says: "is not used"},
		{name: "metadata of another table",
			files: map[string]string{own: describes("usual", "other.csv")}, want: "t.csv#a",
			says: "describes other tables"},
		{name: "a place that robots.txt forbids", files: map[string]string{
			"/robots.txt": "User-agent: *\nDisallow: /d/t.csv-metadata.json\n",
			own:           describes("usual", table)}, want: "t.csv#a", unused: []string{own}},
		{name: "a Data Package", links: []string{`</d/datapackage.json>; rel="describedby"; type="application/json"`},
			files: map[string]string{"/d/datapackage.json": `{"resources":[{"name":"t","path":"t.csv","schema":{"fields":[{"name":"a",` +
				`"type":"integer"}]}}]}`}, want: `"1"^^<http://www.w3.org/2001/XMLSchema#integer>`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var asked []string
			host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				asked = append(asked, r.URL.Path)
				mu.Unlock()
				body, known := test.files[r.URL.Path]
				switch {
				case r.URL.Path == table:
					w.Header().Set("Content-Type", "text/csv")
					for _, link := range test.links {
						w.Header().Add("Link", link)
					}
					fmt.Fprint(w, "a\n1\n")
				case known:
					fmt.Fprint(w, body)
				default:
					http.NotFound(w, r)
				}
			}))
			defer host.Close()
			var out, messages bytes.Buffer
			command := process(t, t.TempDir(), "records", host.URL+table, "--base", host.URL+table, "--as", "nq",
				"--allow-private", "--host-delay", "0s")
			command.Stdout, command.Stderr = &out, &messages
			if err := command.Run(); err != nil {
				t.Fatalf("%v\n%s", err, messages.String())
			}
			if lines := strings.Count(out.String(), "\n"); lines != 1 || !strings.Contains(out.String(), test.want) {
				t.Errorf("statements %s, want one with %s\n%s", out.String(), test.want, messages.String())
			}
			if said := strings.Contains(messages.String(), "csvw/not-described"); said != (test.says != "") ||
				!strings.Contains(messages.String(), test.says) {
				t.Errorf("reported %s, want %q", messages.String(), test.says)
			}
			folder := t.TempDir()
			data := filepath.Join(folder, "d")
			recipe := filepath.Join(folder, "recipe.yaml")
			if err := os.WriteFile(recipe, []byte("name: tables\nmatch: {format: [CSV, text]}\nread: {format: CSV}\ncsvw: minimal\n"),
				0o600); err != nil {
				t.Fatal(err)
			}
			serve := process(t, folder, "serve", "--data", data, "--until-idle", "-q", "--allow-private", "--host-delay", "0s", "--listen",
				"127.0.0.1:0", "--recipe", recipe, "--seeds", "-", "--retry-delay", "1ms")
			serve.Stdin = strings.NewReader(host.URL + table + "\n")
			if told, err := serve.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, told)
			}
			get := process(t, folder, "get", "--data", data, host.URL+table)
			if made, err := get.Output(); err != nil || string(made) != out.String() {
				t.Errorf("%v: the daemon makes %s, and the command %s", err, made, out.String())
			}
			for _, path := range test.unused {
				if slices.Contains(asked, path) {
					t.Errorf("%s was asked for", path)
				}
			}
		})
	}
}

// The record of a run is added for the statements of tables as for any records.
func TestRunsOverTablesAreLogged(t *testing.T) {
	folder := t.TempDir()
	name, log := filepath.Join(folder, "t.csv"), filepath.Join(folder, "log.jsonl")
	if err := os.WriteFile(name, []byte("a\n1\n2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	output(t, "records", name, "--as", "nq", "--base", "http://x.example/t.csv", "--log", log, "-q")
	process(t, t.TempDir(), "records", filepath.Join(folder, "gone.csv"), "--as", "nq", "--log", log, "-q").Run()
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 2 {
		t.Fatalf("the log is %s", text)
	}
	for i, want := range []struct {
		result, url, source string
		rows                int64
	}{{"success", "http://x.example/t.csv", "a\n1\n2\n", 2}, {"local/file", filepath.Join(folder, "gone.csv"), "", 0}} {
		var got struct {
			Result, Traceback string
			URL               string `json:"source_url"`
			Text              string `json:"source_text"`
			Inserted          int64  `json:"insert_count"`
		}
		if err := json.Unmarshal([]byte(lines[i]), &got); err != nil || got.Result != want.result || got.Inserted != want.rows ||
			got.URL != want.url || got.Text != want.source {
			t.Errorf("%v: %s, want %+v", err, lines[i], want)
		}
	}
}

// TestContextsOfASpecMayBeOnTheWeb gives the part rdf the URL of a context, which is asked for before anything is read.
func TestContextsOfASpecMayBeOnTheWeb(t *testing.T) {
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/people.jsonld" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/ld+json")
		fmt.Fprint(w, `{"@context":{"name":"http://xmlns.com/foaf/0.1/name"}}`)
	}))
	defer host.Close()
	folder := t.TempDir()
	table := filepath.Join(folder, "t.csv")
	if err := os.WriteFile(table, []byte("id,name\n1,Ann\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		context, out, says string
		code               int
	}{
		{"/people.jsonld", "<https://x.example/1> <http://xmlns.com/foaf/0.1/name> \"Ann\" .\n", "", exitOK},
		{"/gone.jsonld", "", "loading remote context failed", exitUsage},
	} {
		spec := filepath.Join(folder, "spec.yaml")
		text := "rdf: {context: \"" + host.URL + test.context + "\", id: \"https://x.example/{id}\"}\n"
		if err := os.WriteFile(spec, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, messages bytes.Buffer
		command := process(t, t.TempDir(), "records", table, "--spec", spec, "--as", "nq", "-q", "--allow-private")
		command.Stdout, command.Stderr = &out, &messages
		if code := exitCodeOf(t, command.Run()); code != test.code || out.String() != test.out ||
			!strings.Contains(messages.String(), test.says) {
			t.Errorf("%s: exit code %d, %s%s", test.context, code, out.String(), messages.String())
		}
	}
}
