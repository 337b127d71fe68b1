package conformance_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"text/template"
)

var update = flag.Bool("update", false, "write docs/conformance.md and docs/conformance.earl.ttl")

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

// left are tests that are not run.
type left struct {
	Manifest string
	Tests    int
	Reason   string
}

func TestPageIsUpToDate(t *testing.T) {
	var data struct {
		Rows     []row
		Failures []failure
		Left     []left
		Total    row
	}
	used := map[string]bool{}
	assertions := newEARL()
	for _, m := range manifests {
		if m.not > 0 {
			data.Left = append(data.Left, left{strings.TrimSuffix(m.path, "/manifest.ttl"), m.not, m.why})
		}
	}
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
				assertions.add(test.iri, "")
				continue
			}
			key := s.name + "/" + test.name
			why, known := reasons[key]
			if !known {
				t.Errorf("%s fails, and no reason is given: %s", key, fail)
			}
			used[key] = true
			assertions.add(test.iri, why)
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
	for _, written := range []struct{ path, text string }{{page, b.String()}, {report, assertions.String()}} {
		if *update {
			if err := os.WriteFile(written.path, []byte(written.text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got := string(file(t, written.path)); got != written.text {
			t.Errorf("%s is not what the suites give: go test ./rdf/conformance -run TestPageIsUpToDate -update", written.path)
		}
	}
}
