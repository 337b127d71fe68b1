package rule_test

import (
	"context"
	"testing"

	"laundromat/internal/rule"
)

var table = &rule.Table{Package: "some/reader", Rules: []rule.Rule{{Name: "first"}, {Name: "second"}}}

func TestWithoutATrialThereIsNoSwitch(t *testing.T) {
	if s := rule.Of(context.Background(), table); s != nil {
		t.Errorf("a switch %v", s)
	}
}

func TestATrialLeavesOutOneRuleAndKnowsWhichWereAsked(t *testing.T) {
	other := &rule.Table{Package: "another", Rules: []rule.Rule{{Name: "first"}}}
	trial := &rule.Trial{Without: rule.Ref{Table: table, Number: 1}}
	ctx := rule.With(context.Background(), trial)
	if !rule.Of(ctx, other).On(0) {
		t.Error("a rule of another table does not hold")
	}
	if trial.Asked(trial.Without) {
		t.Error("asked before it was")
	}
	if rule.Of(ctx, table).On(1) || !rule.Of(ctx, table).On(0) {
		t.Error("not the rule that is left out")
	}
	for _, r := range append(table.All(), other.All()...) {
		if !trial.Asked(r) {
			t.Errorf("%s was not asked", r.Rule().Name)
		}
	}
}
