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

// lawful is the direction of dependencies. Each package of ours may import those named, and
// nothing else of ours. The list of seeds knows when, states knows what, and rdf knows
// nothing of either. Only states joins them, and only cmd builds them.
var lawful = map[string][]string{
	"internal/fault":          {},
	"internal/digest":         {},
	"internal/inflate":        {},
	"internal/commonprefix":   {},
	"internal/spelling":       {},
	"internal/logfile":        {},
	"internal/rfc3986":        {},
	"internal/deflate":        {"internal/commonprefix"},
	"internal/pattern":        {},
	"internal/disk":           {},
	"internal/linesort":       {"internal/fault", "internal/disk", "internal/commonprefix"},
	"internal/linemerge":      {},
	"internal/files/blobtest": {"internal/files"},
	"internal/files/bucket":   {"internal/fault", "internal/files", "internal/pattern"},
	"internal/files":          {"internal/fault", "internal/digest", "internal/deflate", "internal/disk", "internal/inflate", "internal/commonprefix"},
	"internal/fetch":          {"internal/fault"},
	// Only readers and the benchmark of recall: nothing else may read without a rule.
	"internal/rule": {},
	// For tests alone.
	"internal/fetch/ftptest": {},
	"report":                 {"internal/fault", "internal/digest", "records"},
	"internal/demo":          {},
	"internal/filenames":     {"internal/rfc3986", "internal/pattern"},
	"internal/weblink":       {},
	"seedlist/views":         {"internal/fault", "internal/ordered", "seedlist"},
	"internal/ordered":       {},
	"internal/systemd":       {},
	// For tests and benchmarks alone.
	"internal/testkit/corpus": {},
	"internal/testkit/hosts":  {"internal/testkit/corpus"},
	"internal/testkit/link":   {},
	"internal/testkit/peer":   {},
	// What a build tag leaves out.
	"internal/lean": {},

	// What knows XML, HTML, JSON and prose, but no RDF.
	"markup/xmltext":  {"internal/fault"},
	"markup/jsontext": {},
	"markup/jsonread": {"internal/fault", "internal/arena", "internal/rule", "markup/jsontext"},
	"internal/arena":  {},
	"markup/page":     {"internal/fault", "internal/pattern", "markup/xmltext"},
	"markup/prose":    {"encoding/language"},

	"rdf":                 {"internal/rfc3986", "internal/fault"},
	"rdf/ttl/lex":         {"internal/rfc3986", "internal/fault", "internal/pattern", "rdf"},
	"rdf/ttl/terms":       {"internal/rfc3986", "internal/fault", "internal/pattern", "rdf", "rdf/ttl/lex"},
	"rdf/ttl/lines":       {"internal/fault", "internal/pattern", "rdf", "rdf/ttl/lex", "rdf/ttl/terms", "rdf/ttl/grammar"},
	"rdf/ttl":             {"internal/fault", "internal/rule", "rdf", "rdf/ttl/lex", "rdf/ttl/terms", "rdf/ttl/lines", "rdf/ttl/repair", "rdf/ttl/turtle"},
	"rdf/rdfxml":          {"internal/rfc3986", "internal/fault", "internal/rule", "internal/spelling", "rdf", "markup/xmltext"},
	"rdf/ttl/grammar":     {"rdf/ttl/lex"},
	"rdf/ttl/repair":      {"internal/fault", "internal/rule", "rdf/ttl/lex", "rdf/ttl/grammar"},
	"rdf/ttl/turtle":      {"internal/fault", "rdf", "rdf/ttl/lex", "rdf/ttl/terms", "rdf/ttl/grammar", "rdf/ttl/repair"},
	"rdf/trix":            {"internal/rfc3986", "internal/fault", "rdf", "markup/xmltext"},
	"rdf/rdfjson":         {"internal/rfc3986", "internal/fault", "rdf", "markup/jsontext"},
	"rdf/jsonld/contexts": {},
	"rdf/jsonld":          {"rdf/jsonld/contexts", "internal/rfc3986", "internal/fault", "internal/rule", "internal/spelling", "internal/arena", "rdf", "markup/jsontext", "markup/jsonread"},
	"rdf/rdfa":            {"internal/rfc3986", "internal/fault", "rdf", "markup/page"},
	"rdf/microdata":       {"internal/rfc3986", "internal/fault", "internal/pattern", "rdf", "markup/page"},
	"rdf/html":            {"internal/rfc3986", "internal/fault", "rdf", "rdf/jsonld", "rdf/microdata", "markup/page", "rdf/rdfa"},
	"rdf/xsd":             {"internal/rfc3986", "rdf", "markup/xmltext"},
	"rdf/bcp47":           {},
	"encoding/language":   {},
	"rdf/clean":           {"internal/rfc3986", "internal/fault", "rdf", "rdf/xsd", "rdf/bcp47", "markup/prose"},
	"rdf/diff":            {"rdf"},
	"rdf/columns":         {"internal/fault", "internal/lean", "rdf"},
	"rdf/write":           {"internal/rfc3986", "internal/fault", "internal/commonprefix", "rdf"},
	"rdf/format":          {"internal/fault", "internal/pattern", "rdf", "rdf/ttl", "rdf/rdfxml", "rdf/jsonld", "rdf/rdfa", "rdf/html", "markup/page", "rdf/trix", "rdf/rdfjson", "markup/jsontext"},
	"rdf/conformance":     {},
	"rdf/rdftest":         {"internal/fault", "rdf", "rdf/ttl"},
	"archive":             {"internal/fault", "internal/inflate", "internal/lzma", "internal/branch", "internal/pattern", "archive/sevenzip", "encoding"},
	"archive/sevenzip":    {"internal/fault", "internal/inflate", "internal/lzma", "internal/branch"},
	"internal/lzma":       {},
	"internal/branch":     {},
	"encoding":            {"internal/fault", "internal/pattern", "encoding/language"},
	"seedlist":            {"internal/rfc3986", "internal/fault", "internal/digest"},
	"seedlist/catalog":    {"internal/rfc3986", "internal/fault", "internal/pattern", "internal/weblink", "markup/xmltext", "rdf", "rdf/format", "rdf/jsonld", "rdf/jsonld/contexts", "seedlist"},
	"seedlist/seedfile":   {"internal/files", "seedlist"},
	"web":                 {"internal/fault", "internal/files", "report", "internal/spelling", "seedlist/views", "web/token", "seedlist", "seedlist/seedfile", "seedlist/catalog"},
	"mend":                {"internal/rfc3986", "internal/fault", "internal/linesort", "internal/pattern", "encoding"},
	"states":              {"internal/rfc3986", "internal/fault", "internal/digest", "internal/linesort", "report", "internal/weblink", "records", "rdf", "rdf/clean", "rdf/format", "mend", "archive", "encoding", "rdf/write"},
	"cmd/laundromat":      {"internal/rfc3986", "internal/fault", "internal/digest", "internal/linesort", "internal/files", "internal/inflate", "internal/fetch", "report", "internal/demo", "web", "rdf/clean", "rdf/diff", "rdf/format", "archive", "encoding", "seedlist", "seedlist/seedfile", "seedlist/catalog", "states", "seedlist/bolt", "states/daemon", "internal/outfile", "internal/fault/manual", "web/client", "web/socket", "web/story", "seedlist/export", "seedlist/urilist", "records", "records/dump", "records/extract", "records/job", "records/schema", "records/spec", "records/lint", "records/shipped", "text", "text/job", "internal/spelling", "internal/files/bucket", "internal/linemerge", "rdf", "rdf/columns", "rdf/write", "internal/logfile", "internal/systemd", "internal/weblink", "seedlist/views", "web/token", "web/metrics", "web/pages", "seedlist/postgres", "internal/ordered", "internal/lean"},

	// Records of tables, trees and pages: no seed, no RDF.
	"records":           {"internal/fault"},
	"records/spec":      {"internal/pattern", "internal/spelling", "records"},
	"records/extract":   {"internal/fault", "internal/pattern", "internal/spelling", "records", "records/spec", "markup/page", "markup/xmltext", "markup/jsontext"},
	"records/match":     {"internal/fault", "internal/pattern", "records", "records/expr", "records/spec", "markup/page", "internal/rfc3986", "internal/spelling"},
	"records/expr":      {"internal/lean", "records", "records/spec", "internal/pattern"},
	"records/transform": {"internal/fault", "internal/pattern", "records", "records/expr", "records/spec", "records/unit"},
	"records/schema":    {"internal/fault", "records", "records/spec", "records/transform", "internal/spelling"},
	"records/job":       {"internal/fault", "internal/pattern", "records", "records/expr", "records/extract", "records/match", "records/schema", "records/spec", "records/transform"},
	"records/lint":      {"internal/fault", "records", "records/extract", "records/job", "records/match", "records/spec"},
	"records/shipped":   {},
	// For tests alone.
	"records/recordtest": {"records"},
	"records/dump":       {"internal/fault", "internal/lean", "internal/disk", "records"},

	// Articles of pages, feeds and plain text: no seed, no RDF.
	"text":         {},
	"text/block":   {"internal/fault", "markup/page", "text"},
	"text/link":    {"internal/rfc3986", "text"},
	"text/article": {"internal/fault", "internal/rfc3986", "markup/page", "text", "text/block", "text/link"},
	"text/feed":    {"text/article", "internal/fault", "markup/jsontext", "markup/page", "markup/xmltext", "internal/rfc3986", "text", "text/block", "text/link"},
	"text/token":   {"text"},
	"text/spinn3r": {"internal/fault", "text"},
	"text/quote":   {"internal/fault", "markup/page", "text", "text/token"},
	"text/job":     {"internal/fault", "markup/page", "text", "text/article", "text/feed", "text/quote", "text/spinn3r", "text/token"},

	"seedlist/bolt":            {"internal/fault", "internal/digest", "seedlist"},
	"seedlist/storetest":       {"internal/fault", "internal/digest", "internal/pattern", "seedlist"},
	"seedlist/memory":          {"internal/fault", "internal/digest", "seedlist"},
	"states/daemon":            {"internal/rfc3986", "internal/fault", "internal/digest", "internal/linesort", "internal/files", "internal/inflate", "internal/fetch", "report", "internal/weblink", "rdf/clean", "rdf/diff", "rdf/format", "archive", "encoding", "seedlist", "seedlist/seedfile", "seedlist/catalog", "states"},
	"internal/fault/manual":    {"internal/fault"},
	"internal/outfile":         {"internal/disk", "internal/files"},
	"seedlist/urilist":         {"encoding"},
	"seedlist/export":          {"internal/files", "internal/filenames", "internal/linesort", "internal/outfile", "seedlist", "seedlist/seedfile"},
	"web/socket":               {},
	"web/token":                {},
	"web/pages":                {"internal/digest", "internal/fault", "report", "seedlist/views", "seedlist", "seedlist/catalog", "seedlist/urilist", "web", "web/token"},
	"web/metrics":              {"internal/fault", "seedlist/views", "seedlist", "web"},
	"web/story":                {"internal/fault", "report", "seedlist", "web"},
	"web/client":               {"encoding", "internal/spelling", "seedlist", "web", "web/socket"},
	"records/unit":             {},
	"seedlist/postgres":        {"internal/fault", "internal/digest", "internal/ordered", "seedlist"},
	"seedlist/postgres/pgtest": {},
}

// outside are modules that only the packages named may import.
var outside = map[string][]string{
	"go.etcd.io/bbolt":                {"seedlist/bolt", "seedlist/views"},
	"github.com/spf13/cobra":          {"cmd/laundromat"},
	"github.com/mholt/archives":       {}, // only tests, as the three below
	"codeberg.org/readeck":            {},
	"github.com/gabriel-vasile":       {"rdf/format"},
	"golang.org/x/net/html":           {"internal/fetch", "internal/weblink", "markup/page", "rdf/rdfa", "seedlist/catalog", "records/match", "text/block"},
	"github.com/clipperhouse/uax29":   {"text/token"},
	"github.com/jlaffaye/ftp":         {"internal/fetch"},
	"github.com/danielgtaylor/huma":   {"web"},
	"github.com/VictoriaMetrics":      {"web/metrics"},
	"github.com/andybalholm/cascadia": {"records/match"},
	"github.com/antchfx/xpath":        {"records/match"},
	"github.com/theory/jsonpath":      {"records/match"},
	"github.com/google/cel-go":        {"records/expr"},
	"github.com/santhosh-tekuri":      {"records/schema"},
	"github.com/parquet-go":           {"records/dump", "rdf/columns"},
	"modernc.org/sqlite":              {"records/dump"},
	"github.com/xuri/excelize":        {}, // only tests
	"go.yaml.in/yaml":                 {"records/spec", "records/extract"},
	"github.com/minio/minio-go":       {"internal/files/bucket"},
	"net/http":                        {"internal/fetch", "internal/demo", "web", "cmd/laundromat", "internal/testkit/hosts", "web/client", "internal/files/bucket", "internal/files/blobtest", "web/metrics", "web/pages"},
	"github.com/jackc/pgx":            {"seedlist/postgres"},
}

func TestDependenciesFlowOneWay(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, "laundromat/")
		allowed, known := lawful[name]
		if !known {
			t.Errorf("%s stands in no row of the table of lawful imports", name)
			continue
		}
		for _, path := range p.Imports {
			if ours, ok := strings.CutPrefix(path, "laundromat/"); ok && !slices.Contains(allowed, ours) {
				t.Errorf("%s imports %s, which the table does not allow", name, ours)
			}
			for module, importers := range outside {
				if (path == module || strings.HasPrefix(path, module+"/")) && !slices.Contains(importers, name) {
					t.Errorf("%s imports %s, which is for %v alone", name, path, importers)
				}
			}
		}
	}
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
