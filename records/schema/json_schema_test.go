package schema_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/rdf/rdftest"
	"laundromat/records/schema"
	"laundromat/records/spec"
)

// suiteRemotes are the documents of the suite that its schemas refer to.
func suiteRemotes(t *testing.T, folder string) map[string]*spec.Node {
	t.Helper()
	documents := map[string]*spec.Node{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(folder, path)
		documents["http://localhost:1234/"+filepath.ToSlash(name)], err = spec.Parse(path, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return documents
}

// TestJSONSchemaSuite: all tests that the standard asks for pass. The optional ones are
// counted: they ask for formats as conditions, for the expressions of ECMAScript, and for
// other drafts.
func TestJSONSchemaSuite(t *testing.T) {
	folder := rdftest.Shared(t, "records/json-schema")
	documents := suiteRemotes(t, filepath.Join(folder, "remotes"))
	var passed, all [2]int
	root := filepath.Join(folder, "tests", "draft2020-12")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		optional := 0
		if strings.Contains(path, "/optional/") {
			optional = 1
		}
		good, total := suiteFile(t, path, schema.Options{Documents: documents, AssertFormat: optional == 1}, optional == 0)
		passed[optional] += good
		all[optional] += total
		if optional == 1 && good < total {
			t.Logf("optional: %s: %d of %d", filepath.Base(path), good, total)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("required: %d of %d; optional: %d of %d", passed[0], all[0], passed[1], all[1])
	if all[0] < 1299 || passed[0] != all[0] {
		t.Errorf("required: %d of %d", passed[0], all[0])
	}
	if passed[1] < optionalPassed {
		t.Errorf("optional: %d, were %d", passed[1], optionalPassed)
	}
}

// optionalPassed is how many of the optional tests pass; it is not to fall.
const optionalPassed = 793

func suiteFile(t *testing.T, path string, opt schema.Options, must bool) (passed, total int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var groups []struct {
		Description string
		Schema      json.RawMessage
		Tests       []struct {
			Description string
			Data        json.RawMessage
			Valid       bool
		}
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&groups); err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		node, err := spec.Parse(path, g.Schema)
		var s *schema.Schema
		if err == nil {
			s, err = schema.CompileJSON(node, opt)
		}
		for _, c := range g.Tests {
			total++
			if err != nil {
				if must {
					t.Errorf("%s: %s: %v", filepath.Base(path), g.Description, err)
				}
				continue
			}
			value, parseErr := schema.ParseJSON(string(c.Data))
			if parseErr != nil {
				t.Fatal(parseErr)
			}
			why := s.FirstFault(&value)
			if (why == "") == c.Valid {
				passed++
			} else if must {
				t.Errorf("%s: %s: %s: %q", filepath.Base(path), g.Description, c.Description, why)
			}
		}
	}
	return passed, total
}
