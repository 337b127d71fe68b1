package conformance_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"text/template"
)

var update = flag.Bool("update", false, "write docs/conformance.md")

const page = "../../docs/conformance.md"

type row struct {
	Suite                      string
	Pass, Tests                int
	Pos, PosPass, Neg, NegPass int
}

// Share is the part that passes, in percent, rounded down to a tenth.
func (r row) Share() string {
	tenths := r.Pass * 1000 / r.Tests
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}

type failure struct{ Suite, Test, Reason string }

func TestPageIsUpToDate(t *testing.T) {
	var data struct {
		Rows     []row
		Failures []failure
		Total    row
	}
	used := map[string]bool{}
	for _, s := range suites(t) {
		r := row{Suite: s.name, Tests: len(s.tests)}
		for _, test := range s.tests {
			fail := test.verdict(t)
			of, pass := &r.Pos, &r.PosPass
			if test.kind == negative {
				of, pass = &r.Neg, &r.NegPass
			}
			*of++
			if fail == "" {
				*pass++
				r.Pass++
				continue
			}
			key := s.name + "/" + test.name
			why, known := reasons[key]
			if !known {
				t.Errorf("%s fails, and no reason is given: %s", key, fail)
			}
			used[key] = true
			data.Failures = append(data.Failures, failure{s.name, test.name, why})
		}
		if r.Pass*100 < r.Tests*s.floor {
			t.Errorf("%s: %d of %d pass, which is less than %d %%", s.name, r.Pass, r.Tests, s.floor)
		}
		data.Rows = append(data.Rows, r)
		data.Total.Pass += r.Pass
		data.Total.Tests += r.Tests
		data.Total.Pos += r.Pos
		data.Total.PosPass += r.PosPass
		data.Total.Neg += r.Neg
		data.Total.NegPass += r.NegPass
	}
	for key := range reasons {
		if !used[key] {
			t.Errorf("%s does not fail, but a reason is given", key)
		}
	}
	if t.Failed() {
		return
	}
	var b strings.Builder
	if err := template.Must(template.New("page").Parse(text)).Execute(&b, data); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := string(file(t, page)); got != b.String() {
		t.Errorf("%s is not what the suites give: go test ./rdf/conformance -run TestPageIsUpToDate -update", page)
	}
}
