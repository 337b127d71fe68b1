package storetest

import (
	"fmt"
	"strings"
	"time"

	"laundromat/seedlist"
)

// The values of steps that change what is beside the seeds.
var (
	alikeRecipes  = []string{"r1", "r2", "r3"}
	alikeForms    = []string{`{}`, `{"a":1}`, `{"a":2}`}
	alikeContexts = []string{"http://a.example/context", "http://b.example/context"}
	alikeParts    = []string{
		seedlist.HoldAll, seedlist.HoldHarvesting, string(seedlist.Downloading), string(seedlist.Guessing),
		seedlist.HoldOfSource("somebody"), seedlist.HoldOfSource("catalog:" + alikeCatalogs[1]), "no part",
	}
)

// recipe puts a recipe into the list, or takes one out.
func (a *alike) recipe() {
	name, body := oneOf(a, alikeRecipes), oneOf(a, alikeForms)
	before := oneOf(a, append([]string{"", "", "no recipe"}, alikeRecipes...))
	if a.oneIn(4) {
		a.note("remove %s", name)
		a.each(func(_ int, list seedlist.List) (any, error) { return nil, list.RemoveRecipe(a.t.Context(), name) })
		return
	}
	a.note("%s before %q: %s", name, before, body)
	a.each(func(_ int, list seedlist.List) (any, error) {
		return list.PutRecipe(a.t.Context(), seedlist.Recipe{Name: name, Body: []byte(body)}, before)
	})
}

// pages are seeds that a recipe leads to.
func (a *alike) pages() []seedlist.NewSeed {
	name, seeds := oneOf(a, alikeRecipes), a.newSeeds(3)
	most := int64(a.upTo(4)) // so that often there is no room
	for i := range seeds {
		seeds[i].Source, seeds[i].Recipe, seeds[i].Depth = seedlist.RecipeSource+name, name, 1
		seeds[i].Page, seeds[i].Most = &seedlist.RecipePage{Links: 1, Detail: i == 0}, most
	}
	return seeds
}

// hold holds a part of the work, or lets one go on: most often one that is held.
func (a *alike) hold() {
	held := Must[[]string](a.t)(a.lists[0].Held(a.t.Context()))
	part, isHeld := oneOf(a, alikeParts), true
	if len(held) > 0 && !a.oneIn(3) {
		part, isHeld = oneOf(a, held), false
	}
	a.note("%s: %v", part, isHeld)
	a.each(func(_ int, list seedlist.List) (any, error) { return list.Hold(a.t.Context(), part, isHeld) })
}

// retain takes what is not kept off records, and old entries off the log.
func (a *alike) retain() {
	isDry, one := a.oneIn(4), 1
	if a.oneIn(3) {
		age := seedlist.Age(a.oneOf(60, 600, 3600) * time.Second)
		a.note("attempts of %v, dry %v", time.Duration(age), isDry)
		a.each(func(_ int, list seedlist.List) (any, error) {
			removed, next, err := list.RetainAttempts(a.t.Context(), age, isDry, 0)
			return []any{removed, next > 0}, err
		})
		return
	}
	kept, hashes := oneOf(a, []seedlist.Retention{
		{Dirty: seedlist.DirtyKept{Which: "none"}}, {Dirty: seedlist.DirtyKept{Which: "failed"}}, {Notices: seedlist.Age(time.Minute)},
		{Dirty: seedlist.DirtyKept{Age: seedlist.Age(10 * time.Minute)}, Versions: seedlist.Age(time.Minute), Number: &one},
	}), a.hashes()
	a.note("%s of %v, dry %v", textOf(a.t, kept), hashes, isDry)
	a.each(func(_ int, list seedlist.List) (any, error) {
		return list.Retain(a.t.Context(), kept, isDry, hashes...)
	})
}

func (a *alike) editContext() {
	iri, text, changes, now := oneOf(a, alikeContexts), oneOf(a, alikeForms), !a.oneIn(4), time.Now().UTC()
	a.note("%s: %v", iri, changes)
	a.each(func(_ int, list seedlist.List) (any, error) {
		return nil, list.EditContext(a.t.Context(), iri, func(c *seedlist.Context) bool {
			c.Text, c.SHA256, c.Retrieved = []byte(text), ContentOf(text).SHA256, now
			return changes
		})
	})
}

// leaseTurned asks for a host that turned, for a redirect or the like.
func (a *alike) leaseTurned() {
	host := oneOf(a, alikeHosts)
	if Must[seedlist.HostUse](a.t)(a.lists[0].Host(a.t.Context(), host)).Turned == nil {
		return
	}
	a.note("%s", host)
	a.each(func(_ int, list seedlist.List) (any, error) {
		l, err := list.LeaseHost(a.t.Context(), host, 0)
		give(l, -1)
		return nil, err
	})
}

// settingsOf are what is beside the seeds.
func (a *alike) settingsOf(_ int, list seedlist.List) string {
	ctx := a.t.Context()
	recipes, version, err := list.Recipes(ctx)
	if err != nil {
		a.t.Fatal(err)
	}
	var sums []string
	for _, body := range alikeForms {
		sums = append(sums, seedlist.RecipeSum([]byte(body)))
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s version %d\n%s\n", textOf(a.t, recipes), version,
		textOf(a.t, Must[map[string][]byte](a.t)(list.RecipeForms(ctx, sums...))))
	fmt.Fprintf(&text, "held: %q\n", Must[[]string](a.t)(list.Held(ctx)))
	for _, c := range Must[[]seedlist.Context](a.t)(list.Contexts(ctx, "", 10)) {
		whole := Must[seedlist.Context](a.t)(list.Context(ctx, c.IRI))
		fmt.Fprintf(&text, "%s %s %s\n", textOf(a.t, c), textOf(a.t, whole), whole.Text)
	}
	fmt.Fprintf(&text, "due: %v\n", Must[time.Time](a.t)(list.OldestDue(ctx)))
	return text.String()
}
