package pages_test

import (
	"strings"
	"testing"
	"time"

	"laundromat/seedlist"
)

// Pages name things as people do: a document by its title, and its URI below; a catalog by its address and not by its
// key; a state in plain words.
func TestPagesNameThingsAsPeopleDo(t *testing.T) {
	s := newSite(t)
	const address, title, uri = "http://catalog.example/list.txt", "Lighthouses of the coast", "http://titled.example/lights.ttl"
	catalog, _, err := s.seeds.AddCatalog(t.Context(), address, seedlist.CatalogSettings{}, time.Now())
	s.must(err)
	harvest, isThere, err := s.seeds.ClaimCatalog(t.Context(), "test")
	s.must(err)
	if !isThere {
		t.Fatal("the catalog is not due")
	}
	_, err = s.seeds.AddListed(t.Context(), harvest, []seedlist.NewSeed{{URI: uri, Title: title}, {URI: "http://titled.example/plain.ttl"}})
	s.must(err)
	_, err = s.seeds.EndHarvest(t.Context(), harvest, seedlist.HarvestEnd{})
	s.must(err)
	key := seedlist.Key(uri)
	for _, path := range []string{"/seeds?catalog=" + catalog.Hash, "/seeds", "/seeds/" + key} {
		text := textOf(s.page(path))
		first, then := strings.Index(text, title), strings.Index(text, uri)
		if first < 0 || then < first {
			t.Errorf("%s has the title at %d and the URI at %d:\n%s", path, first, then, text)
		}
	}
	for _, path := range []string{"/seeds?catalog=" + catalog.Hash, "/seeds", "/seeds/" + key, "/catalogs", "/publishers?by=catalog",
		"/publishers/catalog?value=" + catalog.Hash, "/compare?by=catalog&value=" + catalog.Hash,
		"/removed?by=catalog&value=" + catalog.Hash} {
		text := textOf(s.page(path))
		if !strings.Contains(text, address) {
			t.Errorf("%s does not name the catalog:\n%s", path, text)
		}
		if commands := strings.Index(text, "As a command"); commands >= 0 { // commands and requests have keys
			text = text[:commands]
		}
		if strings.Contains(text, catalog.Hash) {
			t.Errorf("%s calls the catalog by its key:\n%s", path, text)
		}
	}
	for _, path := range []string{"/", "/seeds", "/seeds/" + key} {
		s.says(path, seedlist.Added.Words())
	}
}

// The overview says how much is left, how fast documents are washed, and how long the rest takes.
func TestTheOverviewSaysHowLongTheRestTakes(t *testing.T) {
	s := newSite(t)
	s.fill(90) // of which 36 are washed, 18 failed, and 18 are tried again later
	isBegun := time.Now().UTC().Minute() > 0
	text := strings.Join(strings.Fields(textOf(s.page("/"))), " ")
	if !strings.Contains(text, "18 seeds are left, and 18 to be tried again later.") {
		t.Errorf("the overview says of what is left:\n%s", text)
	}
	if !isBegun {
		return // what was washed just now says nothing of an hour that has just begun
	}
	for _, want := range []string{" are being washed: 36 in the last ", "At that rate they take about "} {
		if !strings.Contains(text, want) {
			t.Errorf("the overview does not say %q:\n%s", want, text)
		}
	}
}
