package main

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// A person types a word, comes to the line that says it, and takes all documents of a filter in a zip. All goes with
// scripts, and without.
func TestAPersonFindsAWordAndTakesAZip(t *testing.T) {
	parent := startBrowser(t)
	address := startDaemon(t, washedDemo(t))
	for name, with := range map[string]scripting{"with scripts": scripts, "without": noScripts} {
		t.Run(name, func(t *testing.T) {
			at := newTab(t, parent, address, with)
			at.open("/search?q=lovelace") // the index may still be made
			at.awaitReloaded(`document.querySelector(".hits")`)
			at.open("/")
			at.fill(`form.find input[name=q]`, "lovelace")
			at.follow(`form.find button`)
			at.follow(`.hits li:has(.what) a`)
			first, err := value[string](at, `location.pathname + location.search + " " + document.querySelector(".lines .line").innerText`)
			if err != nil || !strings.Contains(first, "/rows?from=2 ") || !strings.Contains(first, `"Ada Lovelace"`) {
				t.Errorf("the line is %q, %v", first, err)
			}
			at.open("/seeds?state=parsed&format=N-Quads")
			rows, err := value[int](at, `document.querySelectorAll("table.seeds tbody tr").length`)
			if err != nil || rows == 0 {
				t.Fatalf("%d rows, %v", rows, err)
			}
			zipHolds(t, at.download(`#downloads a[href*="as=zip"]`), rows, `"Ada Lovelace"`)
		})
	}
}

// zipHolds opens a zip of clean files: so many, beside a manifest that names each, and a statement in one of them.
func zipHolds(t *testing.T, body []byte, documents int, statement string) {
	t.Helper()
	all, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	manifest, isSaid := "", false
	var names []string
	for _, file := range all.File {
		in, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if file.Name == "MANIFEST.tsv" {
			manifest = string(text)
			continue
		}
		names = append(names, file.Name)
		unzipped, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if text, err = io.ReadAll(unzipped); err != nil {
			t.Fatal(err)
		}
		isSaid = isSaid || strings.Contains(string(text), statement)
	}
	isMissing := func(name string) bool { return !strings.Contains(manifest, "\t"+name+"\t") }
	if len(names) != documents || !isSaid || slices.ContainsFunc(names, isMissing) {
		t.Errorf("the zip has %q, said: %v, and the manifest\n%s", names, isSaid, manifest)
	}
}
