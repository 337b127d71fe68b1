package recipe

import (
	"math"

	"laundromat/records/match"
	"laundromat/records/spec"
	"laundromat/states/kind"
)

// parsePages refuses what is wrong about the further pages of a recipe.
func (r *Recipe) parsePages() error {
	if node := r.Pages; node != nil && r.Spec != nil && r.Spec.Pages != nil {
		return node.Errorf("the spec says already which further pages there are")
	}
	plan, err := r.Plan()
	if err != nil || plan == nil {
		return err
	}
	if plan.HasDetails() && (r.Spec == nil || r.Spec.Select == nil) {
		return r.pages().EntryErrorf(r.pages().Entry("detail"), "detail needs a spec with the part select, whose records have such pages")
	}
	return nil
}

// pages is the part that says which further pages there are; nil for none.
func (r *Recipe) pages() *spec.Node {
	if r.Pages == nil && r.Spec != nil {
		return r.Spec.Pages
	}
	return r.Pages
}

// Leads says that documents of a kind may lead to further pages.
func (r *Recipe) Leads(is kind.Kind) bool { return r != nil && r.pages() != nil && is == kind.HTML }

// HasPages says that its spec finds further pages beside records.
func (r *Recipe) HasPages() bool { return r.pages() != nil && r.Spec != nil && r.Spec.Select != nil }

// Plan says which further pages a page leads to; nil: to none.
func (r *Recipe) Plan() (*match.Plan, error) {
	if r == nil || r.pages() == nil {
		return nil, nil
	}
	opt := match.PlanOptions{}
	for of, name := range map[*int]string{&opt.MaxDepth: "depth", &opt.MaxPages: "limit"} {
		if r.pages().Get(name) != nil {
			*of = math.MaxInt32 // the list has room
		}
	}
	return match.CompilePages(r.pages(), opt)
}
