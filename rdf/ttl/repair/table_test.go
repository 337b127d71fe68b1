package repair_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl/repair"
)

// TestThePageOfRecoveryHasTheTableOfEdits compares docs/recovery.md with the table.
func TestThePageOfRecoveryHasTheTableOfEdits(t *testing.T) {
	page, err := os.ReadFile("../../../docs/recovery.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range repair.Table {
		loses := "no"
		if e.Spoils {
			loses = "yes"
		}
		row := fmt.Sprintf("| %s | %s | %d | %s |", e.Name, e.Does, e.Cost, loses)
		if !strings.Contains(string(page), row+"\n") {
			t.Errorf("the page lacks %q", row)
		}
		if _, known := fault.Explain(e.Code); !known || e.Name == "" || e.Cost <= 0 {
			t.Errorf("%+v", e)
		}
	}
	for _, d := range repair.Doubts {
		if row := fmt.Sprintf("| %s | %s |", d.Name, d.Does); !strings.Contains(string(page), row+"\n") {
			t.Errorf("the page lacks %q", row)
		}
	}
}

// TestEachRuleHasItsOwnName looks at edits and doubts.
func TestEachRuleHasItsOwnName(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range repair.Rules.All() {
		if name := r.Rule().Name; name == "" || r.Rule().Does == "" || seen[name] {
			t.Errorf("%+v", r.Rule())
		}
		seen[r.Rule().Name] = true
	}
}
