package conformance_test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
)

// manifests are those of the suites, in groups: how many tests a suite runs must be
// what its manifest names.
var manifests = []struct {
	path string // below the folder conformance; * stands for one name
	// suites are those that run the tests, with the name that * stands for at the
	// end, if any; none if they are not run.
	suites string
	// not is how many of the tests are not run, and why says why not.
	not int
	why string
}{
	{path: "w3c-rdf-tests/rdf11/rdf-n-triples/manifest.ttl", suites: "N-Triples 1.1"},
	{path: "w3c-rdf-tests/rdf11/rdf-n-quads/manifest.ttl", suites: "N-Quads 1.1"},
	{path: "w3c-rdf-tests/rdf11/rdf-turtle/manifest.ttl", suites: "Turtle 1.1"},
	{path: "w3c-rdf-tests/rdf11/rdf-trig/manifest.ttl", suites: "TriG 1.1"},
	{path: "w3c-rdf-tests/rdf11/rdf-xml/manifest.ttl", suites: "RDF/XML 1.1, and withdrawn"},
	{path: "w3c-rdf-tests/rdf12/rdf-n-triples/syntax/manifest.ttl", suites: "N-Triples 1.2"},
	{path: "w3c-rdf-tests/rdf12/rdf-n-quads/syntax/manifest.ttl", suites: "N-Quads 1.2"},
	{path: "w3c-rdf-tests/rdf12/rdf-turtle/syntax/manifest.ttl", suites: "Turtle 1.2 syntax"},
	{path: "w3c-rdf-tests/rdf12/rdf-turtle/eval/manifest.ttl", suites: "Turtle 1.2"},
	{path: "w3c-rdf-tests/rdf12/rdf-trig/syntax/manifest.ttl", suites: "TriG 1.2 syntax"},
	{path: "w3c-rdf-tests/rdf12/rdf-trig/eval/manifest.ttl", suites: "TriG 1.2"},
	{path: "w3c-rdf-tests/rdf12/rdf-xml/eval/manifest.ttl", suites: "RDF/XML 1.2"},
	{path: "w3c-rdf-tests/rdf12/rdf-n-triples/c14n/manifest.ttl", suites: "Canonical N-Triples 1.2", not: 1, why: noFiles},
	{path: "w3c-rdf-tests/rdf12/rdf-n-quads/c14n/manifest.ttl", suites: "Canonical N-Quads 1.2", not: 1, why: noFiles},
	{path: "w3c-rdf-tests/rdf12/*/manifest.ttl"}, // they name other manifests alone
	{path: "json-ld-api/tests/toRdf-manifest.jsonld", suites: "JSON-LD 1.1 toRdf", not: 11,
		why: "tests for JSON-LD 1.0 alone, which 1.1 contradicts"},
	{path: "json-ld-api/tests/html-manifest.jsonld", suites: "JSON-LD 1.1 in HTML, toRdf"},
	{path: "rdfa/test-suite/test-cases/rdfa1.1/*/manifest.ttl", suites: "RDFa 1.1 in *"},
	{path: "rdfa/test-suite/test-cases/rdfa1.1-proc/*/manifest.ttl", not: 29,
		why: "the processor graph is optional; what it would say is told in findings"},
	{path: "rdfa/test-suite/test-cases/rdfa1.1-role/*/manifest.ttl", not: 27, why: "the attribute `role` is optional, and not read"},
	{path: "csvw/tests/manifest.ttl"}, // it names manifests of tables alone, which no reader of RDF runs
	{path: "rdfa/test-suite/test-cases/rdfa1.1-vocab/*/manifest.ttl", not: 36,
		why: "the expansion of vocabularies is optional; it reads documents of others"},
}

const noFiles = "`lantag_with_subtag` stands in a comment, and its files are not in the suite"

// named finds the tests that a manifest names, those in comments too.
var named = regexp.MustCompile(
	`(?m)^ *#?[<:][^ ]* +(?:a|rdf:type) +rdft:Test|^ *[a-z]+:[^ ]* +rdf:type +rdft:Test|jld:ToRDFTest|rdfatest:(?:Positive|Negative)EvaluationTest`)

func TestEveryTestOfTheManifestsIsRunOrNamed(t *testing.T) {
	root := rdftest.Shared(t, "conformance")
	run := map[string]int{}
	for _, s := range suites(t) {
		run[s.name] = len(s.tests)
	}
	run["RDF/XML 1.1, and withdrawn"] = run["RDF/XML 1.1"] + run["RDF/XML 1.1, withdrawn"]
	inGroup := make([]int, len(manifests))
	left := make([]int, len(manifests)) // tests that are not run
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "manifest.ttl") && !strings.HasSuffix(path, "-manifest.jsonld") {
			return err
		}
		tests := len(named.FindAllString(string(file(t, path)), -1))
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		for i, m := range manifests {
			if ok, _ := filepath.Match(m.path, relative); ok {
				suite := strings.ReplaceAll(m.suites, "*", filepath.Base(filepath.Dir(path)))
				inGroup[i]++
				left[i] += tests - run[suite]
				return nil
			}
		}
		t.Errorf("%s stands in no row", relative)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range manifests {
		if inGroup[i] == 0 || left[i] != m.not {
			t.Errorf("%s: of the tests in %d manifests %d are not run, and %d are said not to be", m.path, inGroup[i], left[i], m.not)
		}
	}
}

// inComment finds the tests that a manifest holds in comments, with the lines of each.
var inComment = regexp.MustCompile(`(?m)^#(?:<#|:)([\w-]+)>? (?:a|rdf:type) rdft:(\w+) *;\n((?:#.*\n)+)`)

// withdrawn lists the tests that a manifest holds in comments and whose files are there.
func withdrawn(t *testing.T, f, wanted format.Format, folder string) (tests []conformanceTest) {
	manifest := rdftest.Shared(t, "conformance", "w3c-rdf-tests", filepath.FromSlash(folder), "manifest.ttl")
	text := string(file(t, manifest))
	base := between(text, "mf:assumedTestBase <", ">")
	for _, m := range inComment.FindAllStringSubmatch(text, -1) {
		action, result := between(m[3], "mf:action <", ">"), between(m[3], "mf:result <", ">")
		test := conformanceTest{iri: base + "manifest.ttl#" + m[1], name: m[1], format: f,
			in: file(t, filepath.Join(filepath.Dir(manifest), filepath.FromSlash(action))), wanted: wanted}
		test.opt.Base = base + action
		if strings.Contains(m[2], "Negative") {
			test.kind = negative
		} else {
			test.want = file(t, filepath.Join(filepath.Dir(manifest), filepath.FromSlash(result)))
		}
		tests = append(tests, test)
	}
	return tests
}

// between is what is between two texts; empty if they are not there.
func between(text, open, end string) string {
	_, rest, _ := strings.Cut(text, open)
	inner, _, ok := strings.Cut(rest, end)
	if !ok {
		return ""
	}
	return inner
}
