package statistics

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
)

func TestStatisticsAreWrittenAsEncodingJSONDoes(t *testing.T) {
	odd := []string{"", `a"b\c`, "<&>", "\u2028\u2029\x7f", "\x00\n\t\b", "\xff", "é𝄞", `"by_class":[]`}
	all := &Statistics{Triples: 3, Estimated: []string{"objects"}, LeftOut: []LeftOut{{"hosts", 2, 3}},
		Labels: []Label{{"p", `"hosts":[] "hosts": []`, 1}}, LabelsLeft: 2}
	for i := range 5000 {
		name, n := odd[i%len(odd)]+fmt.Sprint(i), int64(i)<<40
		all.ByClass = append(all.ByClass, Class{name, n, -n})
		all.ByProperty = append(all.ByProperty, Property{name, n, 1})
		all.Vocabularies = append(all.Vocabularies, Vocabulary{name, n, 2, 3})
		all.Hosts = append(all.Hosts, Name{name, n})
	}
	all.Languages = []Name{{"en", 1}}
	all.Datatypes = []Name{}
	for name, s := range map[string]*Statistics{"none": New().Statistics(), "all": all} {
		for _, form := range []JSON{{}, {Indent: true}} {
			var want, got bytes.Buffer
			encoder := json.NewEncoder(&want)
			if form.Indent {
				encoder.SetEscapeHTML(false)
				encoder.SetIndent("", "  ")
			}
			if err := encoder.Encode(s); err != nil {
				t.Fatal(err)
			}
			if err := form.Write(&got, s); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want.Bytes()) {
				at := 0
				for got.Bytes()[at] == want.Bytes()[at] {
					at++
				}
				from := max(0, at-50)
				t.Errorf("%s, %+v: from byte %d on %.200q, want %.200q", name, form, at, got.Bytes()[from:], want.Bytes()[from:])
			}
		}
	}
}
