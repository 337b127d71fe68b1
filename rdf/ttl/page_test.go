package ttl_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestThePageOfRecoveryHasEachFile holds docs/recovery.md to the files of this package, and of those below it.
func TestThePageOfRecoveryHasEachFile(t *testing.T) {
	page, err := os.ReadFile("../../docs/recovery.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `rdf/ttl/(.*)` \\| .+ \\|$").FindAllSubmatch(page, -1) {
		named[string(row[1])] = true
	}
	err = filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if path = filepath.ToSlash(path); strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			if !named[path] {
				t.Errorf("the page does not say what %s is for", path)
			}
			delete(named, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for path := range named {
		t.Errorf("the page names %s, which is not there", path)
	}
}
