package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// Populate fills a new list with documents in many states: washed, failed, waiting, relative. There
// are a name in a document, an archive with entries, and a catalog that names some. It
// returns the hashes of all seeds with a URI. The list's downloads must not be polite.
func Populate(t testing.TB, list seedlist.List, documents int) (hashes []string) {
	t.Helper()
	var uris []string
	for i := range documents {
		uris = append(uris, fmt.Sprintf("http://host%d.example/data/%d.nt", i%7, i))
	}
	hashes = Add(t, list, uris...)
	for _, stage := range seedlist.Stages() {
		for n := range documents * 3 / 4 {
			c := Claim(t, list, stage)
			switch {
			case n%10 == 3:
				Complete(t, list, c, seedlist.Outcome{Next: seedlist.Failed, Update: func(r *seedlist.Record) {
					r.Error = &seedlist.Error{Stage: stage, Kind: fault.Data, Code: "format/unknown", Message: "no"}
				}})
			case n%10 == 5:
				if err := list.GiveBack(t.Context(), c, seedlist.Return{CountTry: true, Due: time.Now().Add(time.Hour)}); err != nil {
					t.Fatal(err)
				}
			default:
				o := Usual(c)
				Complete(t, list, c, o)
			}
			if claims := Must[seedlist.Counts](t)(list.Counts(t.Context())); claims.States[stage.Ready()]-claims.Waiting <= 0 {
				break
			}
		}
	}
	if _, err := list.Add(t.Context(), []seedlist.NewSeed{{URI: "http://archive.example/a.zip", Priority: 1 << 20}}); err != nil {
		t.Fatal(err)
	}
	Complete(t, list, Claim(t, list, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	for _, c := range Must[[]seedlist.Claim](t)(list.Claim(t.Context(), seedlist.Unarchiving, "worker", 1000)) {
		o := seedlist.Outcome{Next: seedlist.Unarchived}
		if strings.HasSuffix(c.Seed.URI, ".zip") {
			o = seedlist.Outcome{Next: seedlist.Depleted, Children: Zip("a.nt=1", "b.nt=2", "c/d.nt=3")}
		}
		Complete(t, list, c, o)
	}
	c, _, err := list.AddCatalog(t.Context(), "http://catalog.example/void.ttl", seedlist.CatalogSettings{}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	claim, ok, err := list.ClaimCatalogOf(t.Context(), c.Hash, "worker")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, err := list.AddListed(t.Context(), claim,
		[]seedlist.NewSeed{{URI: uris[0]}, {URI: "http://listed.example/new.ttl"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := list.EndHarvest(t.Context(), claim,
		seedlist.HarvestEnd{HarvestFindings: seedlist.HarvestFindings{Complete: true}}); err != nil {
		t.Fatal(err)
	}
	return append(hashes, Add(t, list, "http://example.org/onto#thing", "/relative/path", "http://user:secret@example.org/kept")...)
}

// Everything is all that a list says, as a text: seeds, attempts, catalogs, counts.
func Everything(t testing.TB, list seedlist.List) string {
	t.Helper()
	var all strings.Builder
	write := func(value any) {
		data, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(append(data, '\n'))
	}
	seeds, _, err := list.List(t.Context(), seedlist.Filter{Limit: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, seed := range seeds {
		write(seed)
		write(Must[[]seedlist.Attempt](t)(list.Attempts(t.Context(), seed.Hash)))
	}
	catalogs, _, err := list.Catalogs(t.Context(), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	write(catalogs)
	write(Must[seedlist.Counts](t)(list.Counts(t.Context())))
	return all.String()
}
