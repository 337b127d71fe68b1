package postgres_test

import (
	"fmt"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/storetest"
)

// TestTablesOfLayout1AreBroughtUpToDate, with what they hold: hosts have settings, and claims of a daemon that is gone.
func TestTablesOfLayout1AreBroughtUpToDate(t *testing.T) {
	server := need(t)
	name := fmt.Sprint("first", time.Now().UnixNano())
	server.exec(t, fmt.Sprintf("CREATE SCHEMA %[1]s; SET search_path = %[1]s; ", name)+postgres.FirstSchema()+
		`INSERT INTO hosts (host, turn, due, claims, connections, settings) VALUES
		('a.example', nextval('turns'), 0, 3, 2, '{"host":"a.example","paused":false,"connections":2,"delay":0.25}'),
		('b.example', nextval('turns'), 0, 1, 0, '')`)
	store := begin(t, server.Address+"&search_path="+name, seedlist.Options{})
	storetest.Add(t, store, "http://a.example/1", "http://b.example/1")
	use := storetest.Must[seedlist.HostUse](t)(store.Host(t.Context(), "a.example"))
	if use.Busy != 0 || use.Connections != 2 || use.Delay == nil || *use.Delay != 0.25 {
		t.Errorf("%+v", use)
	}
	if claims := storetest.Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 9)); len(claims) != 2 {
		t.Errorf("%d claims", len(claims))
	}
	lease, err := store.LeaseHost(t.Context(), "a.example", time.Minute)
	if err != nil || lease.Stays != 62500*time.Microsecond {
		t.Errorf("a host with a delay of 250 ms stays for %v, %v", lease.Stays, err)
	}
}
