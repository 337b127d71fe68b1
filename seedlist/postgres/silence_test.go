package postgres_test

import (
	"net/url"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/testkit/link"
	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/storetest"
)

// TestALostConnectionIsNotWaitedForForEver loses all connections without a word, as a router may. What is asked then is
// trouble of the database; what is asked later is answered.
func TestALostConnectionIsNotWaitedForForEver(t *testing.T) {
	server := need(t)
	address, err := url.Parse(server.schema(t))
	if err != nil {
		t.Fatal(err)
	}
	way, err := link.To(address.Host)
	if err != nil {
		t.Fatal(err)
	}
	address.Host = way.Address()
	defer postgres.MostSilent(2 * time.Second)()
	store, err := postgres.Open(t.Context(), address.String(), quick)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	defer way.Close() // which ends what is still waited for
	storetest.Add(t, store, "http://a.example/1", "http://a.example/2")
	way.Set(link.Lost)
	if _, err := store.Claim(t.Context(), seedlist.Downloading, "w", 1); fault.KindOf(err) != fault.Local {
		t.Errorf("claimed on a lost connection: %v", err)
	}
	way.Set(link.Whole)
	for range 20 { // connections that are dead may be left
		if claims, err := store.Claim(t.Context(), seedlist.Downloading, "w", 1); err == nil {
			if len(claims) != 1 {
				t.Errorf("%d claims", len(claims))
			}
			return
		}
	}
	t.Error("nothing can be claimed any more")
}
