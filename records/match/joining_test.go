package match_test

import (
	"strings"
	"testing"

	"laundromat/records/match"
)

func TestWhatStandsUnderAnEmptyNameJoinsTheRecord(t *testing.T) {
	const page = `<p class=t>DE 12 x</p><p class=u><b>B</b><i>I</i></p>`
	for _, c := range [][2]string{
		{`{a: .u b, "": {regexp: [.t, "(?P<cc>[A-Z]{2}) (?P<n>\\d+)"]}}`, `[{"a":"B","cc":"DE","n":"12"}]`},
		{`{"": {regexp: [.t, "(?P<cc>[A-Z]{2})"]}}`, `[{"cc":"DE"}]`},
		{`{"": {regexp: [.t, "(?P<cc>[A-Z]{2}) (?P<no>Z)?"]}, z: .t}`, `[{"cc":"DE","z":"DE 12 x"}]`},
		{`{"": {to_i: {regexp: [.t, "(?P<n>\\d+)"]}}}`, `[{"n":12}]`},
		{`{"": {record: {x: .u b, y: .u i}}, z: .u}`, `[{"x":"B","y":"I","z":"BI"}]`},
		{`{"": {one: [.u, {x: b}]}}`, `[{"x":"B"}]`},
		{`{"": {x: .none}, a: .u b}`, `[{"a":"B"}]`},
		{`{"": .t}`, `[{"":"DE 12 x"}]`},
		{`{"": {regexp: [.t, "[A-Z]+"]}}`, `[{"":"DE"}]`},
		{`{"": {regexp: [.t, "(?x) (?P<cc> [A-Z]{2} ) # country\n [ ] (?P<n> \\d+ )"]}}`, `[{"cc":"DE","n":"12"}]`},
		{`{q: {"": {regexp: [.t, "(?P<cc>[A-Z]+)"]}}}`, `[{"q":{"cc":"DE"}}]`},
		{`{cc: .t, "": {regexp: [.t, "(?P<cc>[A-Z]+)"]}}`, `the field "cc" is filled twice`},
	} {
		m, err := match.Compile(parse(t, c[0]), match.Options{})
		if err != nil {
			if !strings.Contains(err.Error(), c[1]) {
				t.Errorf("%s: %v", c[0], err)
			}
			continue
		}
		if got := onHTML(t, m, page).json(); got != c[1] {
			t.Errorf("%s: %s, want %s", c[0], got, c[1])
		}
	}
}

func TestListsInListsStayLists(t *testing.T) {
	const page = `<table><tr><td>1 a<td>2 b<tr><td>3 c</table>`
	for _, c := range [][2]string{
		{`{rows: [tr, [td]]}`, `[{"rows":[["1 a","2 b"],["3 c"]]}]`},
		{`{rows: [tr, {to_i: [td]}]}`, `[{"rows":[[1,2],[3]]}]`},
		{`{rows: {to_i: [tr, [td]]}}`, `[{"rows":[[1,2],[3]]}]`},
		{`{rows: {regexp: [[tr, [td]], "[a-z]"]}}`, `[{"rows":[["a","b"],["c"]]}]`},
		{`{rows: {to_i: {regexp: [[tr, [td]], "(\\d) [ab]"]}}}`, `[{"rows":[[1,2]]}]`},
		{`{rows: {text: [tr, [td]]}}`, `[{"rows":[["1 a","2 b"],["3 c"]]}]`},
		{`{rows: {or: [{regexp: [[tr, [td]], "(\\d)"]}]}}`, `[{"rows":[["1","2"],["3"]]}]`},
		{`{rows: [table, [tr, [td]]]}`, `[{"rows":[[["1 a","2 b"],["3 c"]]]}]`},
		{`{rows: {regexp: [[table, [tr, [td]]], "[a-z]"]}}`, `[{"rows":[[["a","b"],["c"]]]}]`},
		{`{rows: {regexp: [[tr, [td]], "\\w", all]}}`, `[{"rows":[[["1","a"],["2","b"]],[["3","c"]]]}]`},
	} {
		if got := onHTML(t, compile(t, c[0], match.Options{}), page).json(); got != c[1] {
			t.Errorf("%s: %s, want %s", c[0], got, c[1])
		}
	}
}
