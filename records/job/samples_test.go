package job_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"laundromat/rdf/rdftest"
	"laundromat/records/job"
	"laundromat/records/spec"
)

// TestTheSamplesOfTheMatchersGiveTheirRecords: the three pages, each by its spec in YAML and in JSON.
func TestTheSamplesOfTheMatchersGiveTheirRecords(t *testing.T) {
	folder := rdftest.Shared(t, "records/pages")
	for _, c := range [][3]string{
		{"bookmarks", "spec-as-written.json", "expected-as-written.json"}, {"bookmarks", "spec-mended.json", "expected-mended.json"},
		{"bookmarks", "spec-mended.yaml", "expected-mended.json"}, {"hcard", "spec.json", "expected.json"},
		{"hcard", "spec.yaml", "expected.json"},
		{"hcards", "spec.json", "expected.json"}, {"hcards", "spec.yaml", "expected.json"},
	} {
		s, err := spec.Load(filepath.Join(folder, c[0], c[1]))
		if err != nil {
			t.Fatal(err)
		}
		j, err := job.Compile(s, job.Options{})
		if err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(filepath.Join(folder, c[0], "page.html"))
		if err != nil {
			t.Fatal(err)
		}
		var got tally
		if _, err := j.Document(context.Background(), document("page.html", string(page)), &got); err != nil || len(got.lines) == 0 {
			t.Errorf("%s: %d records, %v", c, len(got.lines), err)
			continue
		}
		wanted, err := os.ReadFile(filepath.Join(folder, c[0], c[2]))
		if err != nil {
			t.Fatal(err)
		}
		var want, have any
		text := []byte(got.lines[0])
		if bytes.HasPrefix(bytes.TrimSpace(wanted), []byte("[")) {
			text = []byte("[" + got.lines[0])
			for _, line := range got.lines[1:] {
				text = append(append(text, ','), line...)
			}
			text = append(text, ']')
		}
		if err := json.Unmarshal(wanted, &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &have); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(have, want) {
			t.Errorf("%s:\n%s\nwant\n%s", c, text, wanted)
		}
	}
}
