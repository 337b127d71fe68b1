package postgres_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/postgres/pgtest"
	"laundromat/seedlist/storetest"
)

// pair is a primary server and a replica of it that has taken over. The proxy before them leads to the first until it
// is told otherwise.
type pair struct {
	was, is *server
	proxy   *proxy
}

func newPair(t *testing.T) (*pair, func()) {
	t.Helper()
	need(t)
	p := &pair{}
	var err error
	if p.was, err = startServer(pgtest.Folder(t), false); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.was.Stop)
	p.proxy = newProxy(t, p.was.Address, nil)
	return p, func() {
		t.Helper()
		replica, err := p.was.Replica(pgtest.Folder(t))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(replica.Stop)
		if err := replica.Promote(); err != nil {
			t.Fatal(err)
		}
		p.is = &server{replica}
	}
}

// demote has the first server only read from now on, and leaves all connections to it open.
func (p *pair) demote(t *testing.T) {
	t.Helper()
	p.was.exec(t, "ALTER SYSTEM SET default_transaction_read_only = on")
	p.was.exec(t, "SELECT pg_reload_conf()")
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if said, err := p.was.Ask("SHOW default_transaction_read_only"); said == "on" {
			return
		} else if time.Now().After(end) {
			t.Fatal(said, err)
		}
	}
}

// A server that is demoted in its place keeps its connections, and answers what it knew. They are given up, whatever
// is asked first. What is read and written is that of the server which took its place.
func TestAConnectionThatOnlyReadsIsGivenUp(t *testing.T) {
	p, takeOver := newPair(t)
	const uri = "http://h.example/1"
	operations := map[string]func(t *testing.T, list *postgres.Store, claim seedlist.Claim) error{
		"a claim that is held": func(t *testing.T, list *postgres.Store, claim seedlist.Claim) error {
			holds, err := list.Holds(t.Context(), claim)
			if err == nil && !holds {
				err = fmt.Errorf("it is not held")
			}
			return err
		},
		"the end of a claim": func(t *testing.T, list *postgres.Store, claim seedlist.Claim) error {
			return list.Complete(t.Context(), claim, storetest.Usual(claim))
		},
		"a claim that is given back": func(t *testing.T, list *postgres.Store, claim seedlist.Claim) error {
			return list.GiveBack(t.Context(), claim, seedlist.Return{})
		},
		"a record": func(t *testing.T, list *postgres.Store, _ seedlist.Claim) error {
			_, err := list.Seed(t.Context(), seedlist.Key("http://new.example/"))
			return err
		},
		"counts": func(t *testing.T, list *postgres.Store, _ seedlist.Claim) error {
			counts, err := list.Counts(t.Context())
			if err == nil && counts.States[seedlist.Added] != 1 {
				err = fmt.Errorf("they are %v", counts.States)
			}
			return err
		},
		"a page of the list": func(t *testing.T, list *postgres.Store, _ seedlist.Claim) error {
			seeds, _, err := list.List(t.Context(), seedlist.Filter{})
			if err == nil && len(seeds) != 2 {
				err = fmt.Errorf("it has %d seeds", len(seeds))
			}
			return err
		},
		"the last change": func(t *testing.T, list *postgres.Store, _ seedlist.Claim) error {
			revision, err := list.Revision(t.Context())
			if err == nil && revision < 3 {
				err = fmt.Errorf("it is %d", revision)
			}
			return err
		},
		"a new seed": func(t *testing.T, list *postgres.Store, _ seedlist.Claim) error {
			_, err := list.Add(t.Context(), []seedlist.NewSeed{{URI: "http://newer.example/"}})
			return err
		},
		"a new claim": func(t *testing.T, list *postgres.Store, _ seedlist.Claim) error {
			claims, err := list.Claim(t.Context(), seedlist.Downloading, "w", 5)
			if err == nil && len(claims) != 1 {
				err = fmt.Errorf("%d claims", len(claims))
			}
			return err
		},
		"a sign of life": func(t *testing.T, list *postgres.Store, _ seedlist.Claim) error {
			list.Live()
			return nil
		},
		"the turn of a host": func(t *testing.T, list *postgres.Store, _ seedlist.Claim) error {
			lease, err := list.LeaseHost(t.Context(), "other.example", time.Minute)
			if err == nil {
				lease.Give(0)
			}
			return err
		},
		"how a host is asked": func(t *testing.T, list *postgres.Store, _ seedlist.Claim) error {
			_, err := list.Manners(t.Context(), "h.example")
			return err
		},
	}
	lists, claims := map[string]*postgres.Store{}, map[string]seedlist.Claim{}
	for name := range operations {
		schema := strings.ReplaceAll(strings.ReplaceAll(name, " ", "_"), "'", "")
		p.was.exec(t, "CREATE SCHEMA "+schema)
		list := open(t, p.proxy.Address+"&search_path="+schema, quick)
		storetest.Add(t, list, uri)
		got := storetest.Must[[]seedlist.Claim](t)(list.Claim(t.Context(), seedlist.Downloading, "w", 1))
		lists[name], claims[name] = list, got[0]
	}
	takeOver()
	p.demote(t)
	p.proxy.lead(t, p.is.Address)
	for name, do := range operations {
		t.Run(name, func(t *testing.T) {
			schema := nameOf(p.is.Address + "&search_path=" + strings.ReplaceAll(name, " ", "_"))
			storetest.Add(t, open(t, p.is.Address+"&search_path="+schema, quick), "http://new.example/")
			if err := do(t, lists[name], claims[name]); err != nil {
				t.Error(err)
			}
			if holds, err := lists[name].Holds(context.Background(), claims[name]); err != nil ||
				holds == strings.HasPrefix(name, "the end") {
				if name != "a claim that is given back" {
					t.Errorf("afterwards the claim is held: %v, %v", holds, err)
				}
			}
		})
	}
}

// While no server writes, nothing is answered from the one that only reads, and it is said. Then all goes on.
func TestNothingIsReadFromADemotedServer(t *testing.T) {
	p, takeOver := newPair(t)
	list := begin(t, p.proxy.Address, quick)
	addMany(t, list, 40)
	takeOver()
	p.demote(t)
	for range 5 {
		if _, err := list.Counts(t.Context()); err == nil || !strings.Contains(err.Error(), "only reads") {
			t.Errorf("counts: %v", err)
		}
		if _, err := list.Claim(t.Context(), seedlist.Downloading, "w", 1); err == nil || !strings.Contains(err.Error(), "only reads") {
			t.Errorf("a claim: %v", err)
		}
	}
	p.proxy.lead(t, p.is.Address)
	wantEachOnce(t, list, washAll(t, []*postgres.Store{list}, 4), 40)
}

// Of several servers in an address the one that writes is taken.
func TestOfSeveralServersTheOneThatWritesIsTaken(t *testing.T) {
	p, takeOver := newPair(t)
	addMany(t, begin(t, p.was.Address, quick), 5)
	takeOver()
	p.demote(t)
	both := strings.Replace(p.was.Address, "127.0.0.1:"+fmt.Sprint(p.was.Port()), fmt.Sprintf("127.0.0.1:%d,127.0.0.1:%d", p.was.Port(),
		p.is.Port()), 1)
	list := begin(t, both, quick)
	wantEachOnce(t, list, washAll(t, []*postgres.Store{list}, 4), 5)
}
