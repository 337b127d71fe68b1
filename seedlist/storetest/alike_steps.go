package storetest

import (
	"fmt"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// alikeSteps are the steps, with how often each is made among all. Of one that may be several transactions the
// changes are compared in any order.
var alikeSteps = []struct {
	name    string
	weight  int
	several bool
	do      func(*alike)
}{
	{"claim", 26, false, (*alike).claim},
	{"complete", 30, false, (*alike).complete},
	{"complete with what follows", 8, false, (*alike).completeAll},
	{"complete late", 2, false, (*alike).completeLate},
	{"give back", 8, false, (*alike).giveBack},
	{"rest", 2, false, (*alike).rest},
	{"file children", 4, false, (*alike).fileChildren},
	{"show progress", 1, false, (*alike).progress},
	{"find what is overdue", 1, false, (*alike).overdue},
	{"add", 12, false, (*alike).add},
	{"retry", 4, false, (*alike).retry},
	{"wash again", 4, false, (*alike).washAgain},
	{"set", 5, false, (*alike).set},
	{"remove", 3, false, (*alike).remove},
	{"sweep", 1, false, (*alike).sweep},
	{"set a host", 3, false, (*alike).setHost},
	{"show load", 2, false, (*alike).showed},
	{"add a catalog", 2, false, (*alike).addCatalog},
	{"claim a catalog", 3, false, (*alike).claimCatalog},
	{"harvest", 6, false, (*alike).addListed},
	{"end a harvest", 3, true, (*alike).endHarvest},
	{"ask a catalog", 1, false, (*alike).harvestNow},
	{"remove a catalog", 1, true, (*alike).removeCatalog},
	{"change the recipes", 3, false, (*alike).recipe},
	{"hold a part of the work", 3, true, (*alike).hold},
	{"remove what is not kept", 3, false, (*alike).retain},
	{"edit a context", 1, false, (*alike).editContext},
	{"lease a host that turned", 2, false, (*alike).leaseTurned},
	{"let time pass", 14, false, (*alike).sleep},
}

var washedStatements = digest.Statements{Read: 10, Kept: 9, Repaired: 1, Written: 10}

// mostClaims bounds the claims that are held at once. From eight on, an embedded list waits for others to join a
// transaction, and the clock of the test moves then.
const mostClaims = 7

func (a *alike) sleep() {
	d := a.oneOf(1, 1, 2, 5, 30, 60, 100, 600) * time.Second
	a.note("%v", d)
	time.Sleep(d)
}

func (a *alike) add() {
	seeds := a.newSeeds(4)
	a.note("%s", textOf(a.t, seeds))
	a.each(func(_ int, list seedlist.List) (any, error) {
		added, err := list.Add(a.t.Context(), seeds)
		return additionsOf(added), err
	})
}

// additionsOf are answers of Add, with errors as texts.
func additionsOf(added []seedlist.Addition) (all []string) {
	for _, one := range added {
		all = append(all, fmt.Sprintf("%s new %v relative %v of %q: %s", one.Hash, one.New, one.Relative, one.Document, answerOf(one.Err)))
	}
	return all
}

func (a *alike) claim() {
	most := mostClaims - len(a.claims)
	if most <= 0 {
		a.complete()
		return
	}
	stage, limit := oneOf(a, seedlist.Stages()), a.rand.IntN(min(most, 4)+1)
	if a.oneIn(2) {
		stage, limit = seedlist.Downloading, min(most, 3)
	}
	a.note("%d for %s", limit, stage)
	var got []alikeClaim
	a.each(func(i int, list seedlist.List) (any, error) {
		claims, err := list.Claim(a.t.Context(), stage, "worker", limit)
		for n, c := range claims {
			if i == 0 {
				got = append(got, alikeClaim{filed: make([]seedlist.FiledChildren, len(a.lists))})
			}
			if n < len(got) {
				got[n].of = append(got[n].of, c)
			}
		}
		return claimsOf(claims), err
	})
	a.claims = append(a.claims, got...)
}

// claimsOf are claims without what is the list's own of them.
func claimsOf(claims []seedlist.Claim) (all []seedlist.Claim) {
	for _, c := range claims {
		c.Number = 0
		all = append(all, c)
	}
	return all
}

// end notes that a claim is no longer held, if its work has ended.
func (a *alike) end(c alikeClaim, isOver bool) {
	if !isOver {
		a.claims = append(a.claims, c)
		return
	}
	a.ended = append(a.ended, c)
	a.ended = a.ended[max(0, len(a.ended)-5):]
}

func (a *alike) complete() {
	c, found := a.pick(&a.claims)
	if !found {
		return
	}
	o := a.outcome(&c.of[0])
	a.note("%s of %s → %s", c.of[0].Stage, c.of[0].Seed.Hash, o.Result())
	isOver := false
	a.each(func(i int, list seedlist.List) (any, error) {
		mine := o
		if o.Next == seedlist.Depleted {
			mine.Filed = c.filed[i]
		}
		err := list.Complete(a.t.Context(), c.of[i], mine)
		isOver = answerOf(err) != answerOf(seedlist.ErrCollision)
		return nil, err
	})
	a.end(c, isOver)
}

func (a *alike) completeAll() {
	c, found := a.pick(&a.claims)
	if !found {
		return
	}
	at := c.of[0]
	var outcomes []seedlist.Outcome
	for range a.upTo(4) {
		o := a.outcome(&at)
		outcomes = append(outcomes, o)
		if o.Unchanged || !o.Next.IsReady() {
			break
		}
		at = at.Following(o.Next)
	}
	a.note("%s of %s, %d stages to %s", c.of[0].Stage, c.of[0].Seed.Hash, len(outcomes), outcomes[len(outcomes)-1].Result())
	isOver := false
	a.each(func(i int, list seedlist.List) (any, error) {
		err := list.CompleteAll(a.t.Context(), c.of[i], outcomes)
		isOver = answerOf(err) != answerOf(seedlist.ErrCollision)
		return nil, err
	})
	a.end(c, isOver)
}

// completeLate completes, or gives back, a claim that has ended.
func (a *alike) completeLate() {
	if len(a.ended) == 0 {
		return
	}
	c := oneOf(a, a.ended)
	o := a.outcome(&c.of[0])
	gives := a.oneIn(2)
	a.each(func(i int, list seedlist.List) (any, error) {
		if gives {
			return nil, list.GiveBack(a.t.Context(), c.of[i], seedlist.Return{Load: o.Load})
		}
		holds, err := list.Holds(a.t.Context(), c.of[i])
		if err != nil {
			return nil, err
		}
		return holds, list.Complete(a.t.Context(), c.of[i], o)
	})
}

func (a *alike) giveBack() {
	c, found := a.pick(&a.claims)
	if !found {
		return
	}
	r := seedlist.Return{CountTry: a.oneIn(2), Due: a.someTime()}
	if a.oneIn(2) {
		r.Error = &seedlist.Error{Stage: c.of[0].Stage, Kind: fault.Remote, Code: "http/status", Message: "503"}
	}
	if c.of[0].Stage == seedlist.Downloading {
		r.Load = a.load()
	}
	a.note("%s of %s, due %v", c.of[0].Stage, c.of[0].Seed.Hash, r.Due)
	a.each(func(i int, list seedlist.List) (any, error) { return nil, list.GiveBack(a.t.Context(), c.of[i], r) })
	a.end(c, true)
}

func (a *alike) rest() {
	if len(a.claims) == 0 {
		return
	}
	c, load := oneOf(a, a.claims), a.load()
	a.note("%s of %s", c.of[0].Stage, c.of[0].Seed.Hash)
	a.each(func(i int, list seedlist.List) (any, error) { return nil, list.Rest(a.t.Context(), c.of[i], load) })
}

func (a *alike) progress() {
	if len(a.claims) == 0 {
		return
	}
	c := oneOf(a, a.claims)
	a.each(func(i int, list seedlist.List) (any, error) {
		return nil, list.Progress(a.t.Context(), c.of[i], seedlist.Progress{Bytes: 7, Of: 10})
	})
}

func (a *alike) overdue() {
	a.each(func(_ int, list seedlist.List) (any, error) {
		claims, err := list.Overdue(a.t.Context())
		hashes := map[string]bool{}
		for _, c := range claims {
			hashes[c.Seed.Hash+" "+c.Seed.URI] = true
		}
		return hashes, err
	})
}

func (a *alike) fileChildren() {
	for at := range a.claims {
		c := &a.claims[at]
		if c.of[0].Stage != seedlist.Unarchiving {
			continue
		}
		children := a.children()
		update := oneOf(a, []func(*seedlist.Record){nil, func(r *seedlist.Record) { r.Archive = &seedlist.Archive{Format: "zip"} }})
		a.note("%d of %s, with update %v", len(children), c.of[0].Seed.Hash, update != nil)
		a.each(func(i int, list seedlist.List) (any, error) {
			filed, err := list.FileChildren(a.t.Context(), c.of[i], children, update)
			c.filed[i] = append(c.filed[i], filed...)
			return len(filed.Numbers()), err
		})
		return
	}
}

func (a *alike) retry() {
	from, hashes := oneOf(a, []seedlist.State{"", "", seedlist.Filed, seedlist.Unarchived, seedlist.Guessed, seedlist.Parsed}), a.hashes()
	a.note("from %q %v", from, hashes)
	a.each(func(_ int, list seedlist.List) (any, error) {
		errs, err := list.Retry(a.t.Context(), from, hashes...)
		return answersOf(errs), err
	})
}

func (a *alike) washAgain() {
	again, hashes := a.again(), a.hashes()
	if a.oneIn(6) {
		again.If = finalOnly
	}
	a.note("%q to %q, entries %v, %v", again.Asked, again.To, again.Entries, hashes)
	a.each(func(_ int, list seedlist.List) (any, error) {
		answers, err := list.WashAgain(a.t.Context(), again, hashes...)
		var all []string
		for _, answer := range answers {
			all = append(all, fmt.Sprintf("%s to %q: %s", answer.Root, answer.To, answerOf(answer.Err)))
		}
		return all, err
	})
}

func (a *alike) set() {
	settings, hashes := a.settings(), a.hashes()
	a.note("%s %v", textOf(a.t, settings), hashes)
	a.each(func(_ int, list seedlist.List) (any, error) {
		errs, err := list.Set(a.t.Context(), settings, hashes...)
		return answersOf(errs), err
	})
}

func (a *alike) remove() {
	hashes, onlyFinal := a.hashes(), a.oneIn(3)
	a.note("%v, if final %v", hashes, onlyFinal)
	a.each(func(_ int, list seedlist.List) (any, error) {
		if onlyFinal {
			return nil, list.RemoveIf(a.t.Context(), finalOnly, hashes[0])
		}
		errs, err := list.Remove(a.t.Context(), hashes...)
		return answersOf(errs), err
	})
}

func (a *alike) sweep() {
	hashes := append(a.hashes(), seedlist.Key("http://nobody.example/"))
	isSwept := len(a.claims) == 0 // between Orphans and Swept nothing may be written
	a.each(func(_ int, list seedlist.List) (any, error) {
		if err := list.Disown(a.t.Context(), hashes...); err != nil || !isSwept {
			return nil, err
		}
		orphans, err := list.Orphans(a.t.Context(), 1000)
		if err != nil {
			return nil, err
		}
		return orphans, list.Swept(a.t.Context(), orphans...)
	})
}

func (a *alike) setHost() {
	host, change := oneOf(a, alikeHosts), a.hostSettings()
	a.note("%s", host)
	a.each(func(_ int, list seedlist.List) (any, error) { return list.SetHost(a.t.Context(), host, change) })
}

func (a *alike) showed() {
	host, load := oneOf(a, alikeHosts), a.load()
	a.note("%s %+v", host, load)
	a.each(func(_ int, list seedlist.List) (any, error) {
		if err := list.Showed(a.t.Context(), host, load); err != nil {
			return nil, err
		}
		return list.Manners(a.t.Context(), host)
	})
}

func (a *alike) addCatalog() {
	uri, at := oneOf(a, alikeCatalogs), a.someTime()
	settings := seedlist.CatalogSettings{Interval: oneOf(a, []int64{0, 40, 200}), Priority: a.rand.IntN(3),
		Kind: oneOf(a, []string{"", "", "void"})}
	follows := a.oneIn(4) && len(a.catalogs) > 0
	a.note("%s", uri)
	a.each(func(_ int, list seedlist.List) (any, error) {
		if follows {
			return list.FollowCatalog(a.t.Context(), &a.catalogs[0], uri)
		}
		c, added, err := list.AddCatalog(a.t.Context(), uri, settings, at)
		return []any{c, added}, err
	})
}

func (a *alike) claimCatalog() {
	if len(a.catalogs) == 0 {
		a.addCatalog()
		return
	}
	hash, isAny := oneOf(a, a.catalogs).Hash, a.oneIn(2)
	var got []seedlist.HarvestClaim
	a.each(func(_ int, list seedlist.List) (any, error) {
		claim, ok, err := seedlist.HarvestClaim{}, false, error(nil)
		if isAny {
			claim, ok, err = list.ClaimCatalog(a.t.Context(), "worker")
		} else {
			claim, ok, err = list.ClaimCatalogOf(a.t.Context(), hash, "worker")
		}
		if ok {
			got = append(got, claim)
		}
		claim.Number = 0
		return []any{claim, ok}, err
	})
	if len(got) > 0 {
		a.harvests = append(a.harvests, got)
	}
}

// harvest is one of the last harvests, most often one that holds its catalog.
func (a *alike) harvest() (claims []seedlist.HarvestClaim, found bool) {
	if len(a.harvests) == 0 {
		a.claimCatalog()
		return nil, false
	}
	a.harvests = a.harvests[max(0, len(a.harvests)-4):]
	claims = oneOf(a, a.harvests)
	a.note("%s, %d", claims[0].Catalog.URI, claims[0].Fence)
	return claims, true
}

func (a *alike) addListed() {
	claims, found := a.harvest()
	if !found {
		return
	}
	seeds := a.listed(claims[0].Catalog.Hash)
	a.note("%s", textOf(a.t, seeds))
	a.each(func(i int, list seedlist.List) (any, error) {
		added, err := list.AddListed(a.t.Context(), claims[i], seeds)
		if err != nil {
			return nil, err // then nobody reads the answers
		}
		return additionsOf(added), nil
	})
}

func (a *alike) endHarvest() {
	claims, found := a.harvest()
	if !found {
		return
	}
	end, gives, due := a.harvestEnd(), a.oneIn(5), a.someTime()
	a.each(func(i int, list seedlist.List) (any, error) {
		if gives {
			return nil, list.GiveBackHarvest(a.t.Context(), claims[i], due, seedlist.Attempt{})
		}
		return list.EndHarvest(a.t.Context(), claims[i], end)
	})
}

func (a *alike) harvestNow() {
	if len(a.catalogs) == 0 {
		return
	}
	hash, accept := oneOf(a, a.catalogs).Hash, a.oneIn(2)
	a.each(func(_ int, list seedlist.List) (any, error) { return nil, list.HarvestNow(a.t.Context(), hash, accept) })
}

func (a *alike) removeCatalog() {
	if len(a.catalogs) == 0 {
		return
	}
	hash := oneOf(a, a.catalogs).Hash
	a.note("%s", hash)
	a.each(func(_ int, list seedlist.List) (any, error) { return nil, list.RemoveCatalog(a.t.Context(), hash) })
}
