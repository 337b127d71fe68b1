package statements_test

import (
	"slices"
	"strings"
	"testing"

	"laundromat/rdf/clean"
)

const mergedRecord = `[{"id":1,"name":"a","_merge":{"wasDerivedFrom":[` +
	`{"in":"x","number":1,"record":{"id":1,"name":"a"}},{"in":"y","number":2,"record":{"id":7,"name":"b"}}],"values":{"id":[0],"name":[0]}}}]`

func TestMergedRecordsLeadToTheirOriginals(t *testing.T) {
	const (
		name    = `<http://e/1> <http://e/v#name> "a" .`
		same    = `<http://e/1> <http://www.w3.org/2002/07/owl#sameAs> <http://e/7> .`
		own     = `<http://e/1> <http://www.w3.org/ns/prov#wasDerivedFrom> <http://e/1> .`
		derived = `<http://e/1> <http://www.w3.org/ns/prov#wasDerivedFrom> <http://e/7> .`
	)
	for _, c := range []struct {
		name, spec, text string
		lines            []string
		notices          string
	}{
		{name: "the IRIs are the same", text: mergedRecord, lines: []string{name, same, own, derived}},
		{name: "said in the spec", spec: "  merged: same-as\n", text: mergedRecord, lines: []string{name, same, own, derived}},
		{name: "one IRI is chosen", spec: "  merged: one-iri\n", text: mergedRecord, lines: []string{name, own, derived}},
		{name: "equal IRIs", text: strings.Replace(mergedRecord, `"id":7`, `"id":1`, 1), lines: []string{name, own}},
		{name: "three records", text: strings.Replace(mergedRecord, `{"in":"y"`, `{"in":"y","record":{"id":8}},{"in":"y"`, 1),
			lines: []string{name, same, own, derived, strings.Replace(same, "/7>", "/8>", 1), strings.Replace(derived, "/7>", "/8>", 1)}},
		{name: "an original without its IRI", text: strings.Replace(mergedRecord, `"id":7,`, ``, 1), lines: []string{name, own},
			notices: "record/no-node"},
		{name: "a record that is not merged", text: `[{"id":1,"name":"a"}]`, lines: []string{name}},
		{name: "a field of that name that holds something else", text: `[{"id":1,"name":"a","_merge":"b"}]`, lines: []string{name},
			notices: "_merge"},
		{name: "an empty one", text: `[{"id":1,"name":"a","_merge":{"wasDerivedFrom":[]}}]`, lines: []string{name}, notices: "_merge"},
		{name: "signs in an id", text: strings.Replace(mergedRecord, `"id":7`, `"id":"a b/ä"`, 1), lines: []string{name, own,
			strings.Replace(same, "/7>", "/a%20b%2Fä>", 1), strings.Replace(derived, "/7>", "/a%20b%2Fä>", 1)}},
	} {
		got := run(t, head+c.spec, "a.json", c.text, clean.Options{})
		slices.Sort(c.lines)
		for i := range got.lines {
			got.lines[i] = strings.TrimSpace(got.lines[i])
		}
		if !slices.Equal(got.lines, c.lines) {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, strings.Join(got.lines, "\n"), strings.Join(c.lines, "\n"))
		}
		if told := strings.Join(got.notices, "\n"); !strings.Contains(told, c.notices) || c.notices == "" && told != "" {
			t.Errorf("%s: %q was reported, want %q", c.name, told, c.notices)
		}
	}
}
