package catalog_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/rdf/rdftest"
	"laundromat/seedlist/catalog"
)

// TestCatalogsOfOthers harvests catalogs with faults that other programs' users met. What has to come of
// each, and what must not, is beside it.
func TestCatalogsOfOthers(t *testing.T) {
	dir := rdftest.Shared(t, "cases", "catalogs")
	files, err := filepath.Glob(filepath.Join(dir, "*.expect.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, ".expect.txt")
		inputs, _ := filepath.Glob(name + ".*")
		for _, input := range inputs {
			if input == file || strings.HasSuffix(input, ".robots.txt") { // of the package that fetches
				continue
			}
			t.Run(filepath.Base(name), func(t *testing.T) { checkCatalogOfOthers(t, input, file) })
		}
	}
}

func checkCatalogOfOthers(t *testing.T, input, expected string) {
	data, err := os.ReadFile(input)
	if err != nil {
		t.Fatal(err)
	}
	const host = "http://host.example"
	d := catalog.Document{URI: "file://" + filepath.ToSlash(input)}
	if strings.HasSuffix(input, ".http") {
		reader := bufio.NewReader(bytes.NewReader(bytes.ReplaceAll(data, []byte("@HOST@"), []byte(host))))
		head, err := textproto.NewReader(reader).ReadMIMEHeader()
		if err != nil {
			t.Fatal(err)
		}
		d.URI, d.ContentType, d.Links = host+"/", head.Get("Content-Type"), head.Values("Link")
		if data, err = io.ReadAll(reader); err != nil {
			t.Fatal(err)
		}
	}
	asked := map[string]bool{}
	fetch := func(_ context.Context, uri string) (catalog.Document, io.Closer, error) {
		if uri != d.URI {
			asked[strings.TrimPrefix(uri, host)] = true
			return catalog.Document{}, nil, errMissing
		}
		page := d
		page.Text = bytes.NewReader(data)
		return page, io.NopCloser(nil), nil
	}
	var out tally
	catalog.Harvest(t.Context(), d.URI, catalog.Options{}, fetch, &out)
	named, told := map[string]bool{}, ""
	for _, e := range out.entries {
		named[e.URI] = true
	}
	for _, r := range out.refused {
		told += string(r.Reason) + " " + r.Message + "\n"
	}
	lines, err := os.ReadFile(expected)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(lines)) {
		line = strings.TrimSpace(line)
		sign, what, _ := strings.Cut(line, " ")
		ok := true
		switch sign {
		case "", "#":
		case "-":
			ok = !named[what]
		case "!":
			ok = !strings.Contains(told, what)
		case "asked":
			ok = asked[what]
		case "not-asked":
			ok = !asked[what]
		default:
			ok = named[line]
		}
		if !ok {
			t.Errorf("%s: named %v, asked for %v, told %s", line, named, asked, told)
		}
	}
}
