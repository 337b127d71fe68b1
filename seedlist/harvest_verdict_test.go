package seedlist_test

import (
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// harvested is one harvest of a row: what it found, how many hours after the one before, and what follows.
type harvested struct {
	hours    int
	kind     string
	named    int64
	empty    bool
	partial  bool // not all could be read
	err      bool
	accept   bool
	unnamed  uint64 // seeds not named from this harvest on have vanished
	code     fault.Code
	namedNow int64 // that later ones are held against
}

func TestAHarvestIsHeldAgainstTheLastThatWasBelieved(t *testing.T) {
	const day = 24
	first := harvested{kind: "dcat", named: 20, unnamed: 1, namedNow: 20}
	for _, c := range []struct {
		name string
		row  []harvested
	}{
		{"half is believed", []harvested{first, {kind: "dcat", named: 10, unnamed: 2, namedNow: 10}}},
		{"under half is not", []harvested{first, {kind: "dcat", named: 9, code: fault.CatalogShrunk, namedNow: 20}}},
		{"of nine, none is too few", []harvested{{kind: "list", named: 9, unnamed: 1, namedNow: 9},
			{kind: "list", named: 1, unnamed: 2, namedNow: 1}}},
		{"of ten, four are too few", []harvested{{kind: "list", named: 10, unnamed: 1, namedNow: 10},
			{kind: "list", named: 4, code: fault.CatalogShrunk, namedNow: 10}}},
		{"others in their place are believed", []harvested{first, {kind: "dcat", named: 20, unnamed: 2, namedNow: 20}}},
		{"the third in a row is believed", []harvested{first,
			{kind: "dcat", named: 5, code: fault.CatalogShrunk, namedNow: 20},
			{hours: day, kind: "dcat", named: 4, code: fault.CatalogShrunk, namedNow: 20},
			{hours: day, kind: "dcat", named: 5, unnamed: 2, namedNow: 5}}},
		{"three within a day are one", []harvested{first,
			{kind: "dcat", named: 5, code: fault.CatalogShrunk, namedNow: 20},
			{hours: 1, kind: "dcat", named: 5, code: fault.CatalogShrunk, namedNow: 20},
			{hours: 22, kind: "dcat", named: 5, code: fault.CatalogShrunk, namedNow: 20},
			{hours: 1, kind: "dcat", named: 5, code: fault.CatalogShrunk, namedNow: 20},
			{hours: 23, kind: "dcat", named: 5, code: fault.CatalogShrunk, namedNow: 20},
			{hours: 1, kind: "dcat", named: 5, unnamed: 2, namedNow: 5}}},
		{"a sound one ends the row", []harvested{first,
			{kind: "dcat", named: 5, code: fault.CatalogShrunk, namedNow: 20},
			{hours: day, kind: "dcat", named: 5, code: fault.CatalogShrunk, namedNow: 20},
			{hours: day, kind: "dcat", named: 20, unnamed: 4, namedNow: 20},
			{hours: day, kind: "dcat", named: 5, code: fault.CatalogShrunk, namedNow: 20}}},
		{"one that failed ends the row", []harvested{first,
			{kind: "dcat", named: 5, code: fault.CatalogShrunk, namedNow: 20},
			{hours: day, kind: "dcat", named: 5, code: fault.CatalogShrunk, namedNow: 20},
			{hours: day, err: true, code: fault.HTTPStatus, namedNow: 20},
			{hours: day, kind: "dcat", named: 5, code: fault.CatalogShrunk, namedNow: 20}}},
		{"one that was not whole ends the row", []harvested{first,
			{kind: "dcat", named: 5, code: fault.CatalogShrunk, namedNow: 20},
			{hours: day, kind: "dcat", named: 5, code: fault.CatalogShrunk, namedNow: 20},
			{hours: day, kind: "dcat", named: 5, partial: true, namedNow: 20},
			{hours: day, kind: "dcat", named: 5, code: fault.CatalogShrunk, namedNow: 20}}},
		{"a person believes it at once", []harvested{first, {kind: "dcat", named: 5, accept: true, unnamed: 2, namedNow: 5}}},
		{"another kind is never believed", []harvested{first,
			{kind: "html", named: 0, code: fault.CatalogOther, namedNow: 20},
			{hours: day, kind: "html", named: 30, code: fault.CatalogOther, namedNow: 20},
			{hours: day, kind: "html", named: 30, code: fault.CatalogOther, namedNow: 20},
			{hours: day, kind: "html", named: 30, accept: true, code: fault.CatalogOther, namedNow: 20},
			{hours: day, kind: "dcat", named: 19, unnamed: 6, namedNow: 19}}},
		{"a folder that became a page is another kind", []harvested{{kind: "listing", named: 3, unnamed: 1, namedNow: 3},
			{kind: "html", empty: true, code: fault.CatalogOther, namedNow: 3}}},
		{"VoID and DCAT are one kind", []harvested{first, {kind: "void", named: 20, unnamed: 2, namedNow: 20}}},
		{"a list with a second column is one kind", []harvested{{kind: "list", named: 20, unnamed: 1, namedNow: 20},
			{kind: "table", named: 20, unnamed: 2, namedNow: 20}}},
		{"nothing at all says so", []harvested{{kind: "html", empty: true, code: fault.CatalogEmpty, namedNow: 0}}},
		{"nothing of few marks nothing, till the third", []harvested{{kind: "dcat", named: 3, unnamed: 1, namedNow: 3},
			{kind: "dcat", empty: true, code: fault.CatalogEmpty, namedNow: 3},
			{hours: day, kind: "dcat", empty: true, code: fault.CatalogEmpty, namedNow: 3},
			{hours: day, kind: "dcat", empty: true, code: fault.CatalogEmpty, unnamed: 2, namedNow: 0}}},
		{"nothing at all is believed of a person", []harvested{first, {kind: "dcat", empty: true, accept: true, unnamed: 2, namedNow: 0}}},
		{"what was not whole marks nothing", []harvested{first, {kind: "dcat", named: 5, partial: true, namedNow: 20}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			known := seedlist.Catalog{CatalogSettings: seedlist.CatalogSettings{Interval: 7 * 24 * 3600}}
			for i, h := range c.row {
				now = now.Add(time.Duration(h.hours) * time.Hour)
				known.Fence++
				known.Accept = h.accept
				end := seedlist.HarvestEnd{HarvestFindings: seedlist.HarvestFindings{Found: h.kind, Complete: !h.partial && !h.err},
					Empty: h.empty}
				if h.err {
					end.Error = &seedlist.Error{Kind: fault.Refused, Code: fault.HTTPStatus}
				}
				v := known.Judge(&end, h.named, now)
				known = known.EndedBy(&end, v, now)
				var code fault.Code
				if known.Error != nil {
					code = known.Error.Code
				}
				if v.Unnamed != h.unnamed || code != h.code || known.Sound.Named != h.namedNow || known.Accept {
					t.Errorf("harvest %d: %+v, %q, %+v", i+1, v, code, known)
				}
				if soon := known.Due.Equal(now.Add(24 * time.Hour)); soon != (h.code != "" && !h.err) {
					t.Errorf("harvest %d: due %v after it", i+1, known.Due.Sub(now))
				}
			}
		})
	}
}

// A person who names the kind has what comes held against that, and not against what came before.
func TestAKindThatAPersonNamesIsNoOtherKind(t *testing.T) {
	c := seedlist.Catalog{Fence: 2, Sound: seedlist.SoundHarvest{Kind: "html", Named: 3}}
	c.Found = "html"
	c.Set(seedlist.CatalogSettings{Kind: "sitemap"})
	end := seedlist.HarvestEnd{HarvestFindings: seedlist.HarvestFindings{Found: "sitemap", Complete: true}}
	if v := c.Judge(&end, 4, time.Now()); v.Unnamed != 2 || end.Error != nil {
		t.Errorf("%+v, %+v", v, end.Error)
	}
	c.Set(seedlist.CatalogSettings{Interval: 60}) // says nothing of the kind
	c.Sound.Kind = "sitemap"
	end = seedlist.HarvestEnd{HarvestFindings: seedlist.HarvestFindings{Found: "html", Complete: true}}
	if v := c.Judge(&end, 4, time.Now()); v.Unnamed != 0 || end.Error == nil {
		t.Errorf("%+v, %+v", v, end.Error)
	}
}
