package laundromat_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// layers lists the folders from the lowest layer to the highest. A package imports packages of lower layers and of its
// own folder; folders of one layer do not know each other. The longest name that fits a package decides its folder.
// So seedlist knows when, states knows what to do, rdf knows nothing of either, and only cmd joins them all.
var layers = [][]string{
	{"internal"},
	{"encoding"},
	{"archive", "markup"},
	{"rdf", "records", "text"},
	{"mend", "records/csvw", "records/statements", "report", "internal/report", "seedlist"},
	{"states"},
	{"states/daemon"},
	{"web"},
	{"storage"},
	{"cmd"},
}

// upward are imports that the layers forbid, "importer → imported", with the reason to allow each.
var upward = map[string]string{}

// outside are modules, and packages of ours, that only the packages named may import.
var outside = map[string][]string{
	"go.etcd.io/bbolt":          {"seedlist/bolt", "seedlist/views"},
	"github.com/spf13/cobra":    {"cmd/laundromat", "internal/manual"},
	"github.com/mholt/archives": {}, // only tests, as the three below
	"codeberg.org/readeck":      {},
	"github.com/gabriel-vasile": {"rdf/format"},
	"golang.org/x/net/html": {"internal/fetch", "internal/weblink", "markup/page", "rdf/rdfa", "seedlist/catalog", "web/pages",
		"records/match", "text/block", "text/content/train"},
	"github.com/clipperhouse/uax29":   {"text/token"},
	"github.com/jlaffaye/ftp":         {"internal/fetch"},
	"github.com/danielgtaylor/huma":   {"web"},
	"github.com/VictoriaMetrics":      {"web/metrics"},
	"github.com/andybalholm/cascadia": {"records/match"},
	"github.com/antchfx/xpath":        {"records/match"},
	"github.com/theory/jsonpath":      {"records/match"},
	"github.com/google/cel-go":        {"records/expr"},
	"github.com/santhosh-tekuri":      {"records/schema"},
	"github.com/parquet-go":           {"records/dump", "rdf/columns", "text/job"},
	"modernc.org/sqlite":              {"records/dump", "records/database", "seedlist/search"},
	"github.com/axiomhq":              {"rdf/statistics"},
	"github.com/xuri/excelize":        {}, // only tests
	"go.yaml.in/yaml":                 {"records/spec", "records/extract", "cmd/laundromat", "internal/settings"},
	"github.com/minio/minio-go":       {"internal/files/bucket"},
	"net/http": {"internal/fetch", "internal/demo", "internal/profile", "web", "cmd/laundromat", "internal/testkit/hosts", "web/client",
		"internal/files/bucket", "internal/files/blobtest", "web/metrics", "web/pages", "web/faces"},
	"github.com/jackc/pgx": {"seedlist/postgres", "records/database"},
	// No other package may read without one of the rules of recovery.
	"laundromat/internal/rule": {"markup/jsonread", "rdf/ttl", "rdf/ttl/repair", "rdf/rdfxml", "rdf/jsonld"},
}

func TestDependenciesFlowOneWay(t *testing.T) {
	used := map[string]bool{}
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, "laundromat/")
		folder, layer := folderOf(name)
		if layer < 0 {
			t.Errorf("%s is in no layer", name)
			continue
		}
		for _, path := range p.Imports {
			if ours, ok := strings.CutPrefix(path, "laundromat/"); ok {
				if arrow := name + " → " + ours; upward[arrow] != "" {
					used[arrow] = true
				} else if of, below := folderOf(ours); below >= layer && of != folder {
					t.Errorf("%s imports %s, which is not in a lower layer", name, ours)
				}
				if isForTests(ours) && !isForTests(name) {
					t.Errorf("%s imports %s, which is for tests", name, ours)
				}
			}
			for module, importers := range outside {
				if (path == module || strings.HasPrefix(path, module+"/")) && !slices.Contains(importers, name) {
					t.Errorf("%s imports %s, which is for %v alone", name, path, importers)
				}
			}
		}
	}
	for arrow := range upward {
		if !used[arrow] {
			t.Errorf("%s: nothing needs this exception any more", arrow)
		}
	}
}

// folderOf finds the folder of layers that a package belongs to, and its layer, or -1.
func folderOf(name string) (folder string, layer int) {
	layer = -1
	for n, folders := range layers {
		for _, f := range folders {
			if (name == f || strings.HasPrefix(name, f+"/")) && len(f) > len(folder) {
				folder, layer = f, n
			}
		}
	}
	return folder, layer
}

// isForTests reports whether only tests and benchmarks may import a package.
func isForTests(name string) bool {
	return strings.HasSuffix(name, "test") || strings.HasPrefix(name, "internal/testkit/")
}

type listed struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) (all []listed) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		if p.ImportPath != "laundromat" {
			all = append(all, p)
		}
	}
}
