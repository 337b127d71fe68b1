package conformance_test

// text is the page; its tables come from a run.
const text = `# Conformance

This page is written by a test, which runs every suite named here through the whole
chain: the readers as ` + "`rdf/format`" + ` calls them, then the sinks of ` + "`rdf/clean`" + `. It
fails if a figure here is not what came of the run.

    go test ./rdf/conformance -run TestPageIsUpToDate            # compares
    go test ./rdf/conformance -run TestPageIsUpToDate -update    # writes this page

## Results

| suite | tests | pass | share | evaluation and positive syntax | negative |
|---|--:|--:|--:|--:|--:|
{{range .Rows}}| {{.Suite}} | {{.Tests}} | {{.Pass}} | {{.Share}} | {{.PosPass}}/{{.Pos}} | {{if .Neg}}{{.NegPass}}/{{.Neg}}{{else}}–{{end}} |
{{end}}| all | {{.Total.Tests}} | {{.Total.Pass}} | {{.Total.Share}} | {{.Total.PosPass}}/{{.Total.Pos}} | {{.Total.NegPass}}/{{.Total.Neg}} |

A test passes as follows:

- **Evaluation.** The clean statements are those that the suite expects, up to the
  names of blank nodes. In the suites of the W3C for RDF 1.1 and 1.2 nothing may have been repaired or lost either.
- **Positive syntax.** Nothing is repaired and nothing is lost.
- **Withdrawn.** Tests in comments of the manifest of RDF/XML.
- **Negative.** With ` + "`--strict`" + `, where nothing is repaired, something is lost and a
  finding reports it. Laundromat reads on after a fault, so statements in the output aren't a failure.
- **JSON-LD.** All with ` + "`--strict`" + `: the suite expects statements with a wrong IRI to be
  dropped, which are mended otherwise.
- **JSON-LD in HTML.** Of the suite of JSON-LD in pages, the tests that ask for RDF. The
  ` + "`extractAllScripts`" + ` that a test sets, and the fragment of its IRI, are options of the reader.
- **RDFa.** The statements are those of the graph that comes with each test. Of test 0180
  that graph holds the triple that must not be, and of test 0280 a blank node in place of
  the query's variable; there the queries decide.
- **Canonical form.** The bytes are those expected.
- **1.2.** The suites of what RDF 1.2 adds; those of RDF 1.1 hold for it too.

The same for machines, an assertion a test in the vocabulary
[EARL](https://www.w3.org/TR/EARL10-Schema/): [conformance.earl.ttl](conformance.earl.ttl).

## Tests that fail

| suite | test | why |
|---|---|---|
{{range .Failures}}| {{.Suite}} | {{.Test}} | {{.Reason}} |
{{end}}
## Tests that are not run

A test counts the tests in every manifest of the suites, those in comments too: each is
run above or listed here.

| folder or manifest | tests | why |
|---|--:|---|
{{range .Left}}| {{.Manifest}} | {{.Tests}} | {{.Reason}} |
{{end}}
The cases of RFC 3986 in ` + "`conformance/rfc3986`" + `, written for this project, are run by ` + "`go test ./rdf ./seedlist`" + `.

## Getting the suites

The suites are not in this repository. They are public, and these are the commits that
the figures above belong to:

| repository | commit | folder of it | goes to |
|---|---|---|---|
| github.com/w3c/rdf-tests | ad541a5f0479 (2026-08-07) | ` + "`rdf/rdf11`, `rdf/rdf12`" + ` | ` + "`conformance/w3c-rdf-tests/`" + ` |
| github.com/w3c/json-ld-api | 92f07705a0c0 (2026-07-01) | ` + "`tests`" + ` | ` + "`conformance/json-ld-api/`" + ` |
| github.com/rdfa/rdfa.github.io | b388107da890 (2024-05-13) | ` + "`test-suite`" + ` | ` + "`conformance/rdfa/`" + ` |

` + "`LAUNDROMAT_SHARED`" + ` names the folder that contains ` + "`conformance`" + `; without it, a
folder ` + "`shared`" + ` beside the checkout is looked for. Tests that find neither are skipped.

    export LAUNDROMAT_SHARED=$HOME/laundromat-shared
    mkdir -p $LAUNDROMAT_SHARED/conformance && cd $LAUNDROMAT_SHARED/conformance
    mkdir w3c-rdf-tests json-ld-api rdfa

    git clone https://github.com/w3c/rdf-tests /tmp/rdf-tests
    git -C /tmp/rdf-tests checkout ad541a5f0479
    cp -r /tmp/rdf-tests/rdf/rdf11 /tmp/rdf-tests/rdf/rdf12 w3c-rdf-tests/

    git clone https://github.com/w3c/json-ld-api /tmp/json-ld-api
    git -C /tmp/json-ld-api checkout 92f07705a0c0
    cp -r /tmp/json-ld-api/tests json-ld-api/

    git clone https://github.com/rdfa/rdfa.github.io /tmp/rdfa
    git -C /tmp/rdfa checkout b388107da890
    cp -r /tmp/rdfa/test-suite rdfa/

The readers compared with other programs on the same documents:
` + "`go -C bench test -v ./peers`" + `, and [dependencies.md](dependencies.md).
`
