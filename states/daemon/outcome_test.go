package daemon

import (
	"reflect"
	"testing"

	"laundromat/seedlist"
)

// What a stage alone found is written down of its success. Of a failure only what a page names is.
func TestAnOutcomeWritesDownWhatItsStageFound(t *testing.T) {
	named := []seedlist.NewSeed{{URI: "http://e.example/d.ttl"}}
	children := []seedlist.Child{{Name: "a.nt"}}
	clean := &seedlist.Clean{}
	for _, c := range []struct {
		of              string
		done            outcome
		success, failed seedlist.Outcome
	}{
		{"nothing", &work{}, seedlist.Outcome{}, seedlist.Outcome{}},
		{"downloading", &downloadOutcome{unchanged: true}, seedlist.Outcome{Unchanged: true}, seedlist.Outcome{}},
		{"unarchiving", &unarchiveOutcome{children: children, filed: seedlist.FiledChildren{7}},
			seedlist.Outcome{Children: children, Filed: seedlist.FiledChildren{7}}, seedlist.Outcome{}},
		{"guessing", &guessOutcome{named: named}, seedlist.Outcome{Named: named}, seedlist.Outcome{Named: named}},
		{"parsing", &parseOutcome{clean: clean, named: named}, seedlist.Outcome{Clean: clean, Named: named}, seedlist.Outcome{}},
	} {
		var success, failed seedlist.Outcome
		c.done.succeed(&success)
		c.done.fail(&failed)
		c.done.end()
		if !reflect.DeepEqual(success, c.success) || !reflect.DeepEqual(failed, c.failed) {
			t.Errorf("%s: %+v and %+v", c.of, success, failed)
		}
	}
}
