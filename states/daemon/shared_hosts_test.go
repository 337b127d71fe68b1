package daemon_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/internal/testkit/hosts"
	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/postgres/pgtest"
	"laundromat/states/daemon"
)

// TestTwoDaemonsKeepEveryHostsRules has two daemons on one database crawl hosts with all kinds of rules, and with
// redirects between them. The hosts' own log says what both asked: a host has its connections, its delay, its
// Crawl-delay and its Retry-After over both.
func TestTwoDaemonsKeepEveryHostsRules(t *testing.T) {
	if testing.Short() {
		t.Skip("it is polite, and takes half a minute")
	}
	dir := t.TempDir()
	server := pgtest.ForTest(t, false)
	web, err := hosts.Start(hosts.Options{Hosts: 29, Entries: 290, Crowd: 30, Latency: 60 * time.Millisecond,
		CrawlDelay: 500 * time.Millisecond, Rows: 50})
	if err != nil {
		t.Skipf("no hosts on loopback addresses: %v", err)
	}
	defer web.Close()
	const contact = "(+https://example.org/)"
	manners := hosts.Manners{Delay: 300 * time.Millisecond, RobotsRetry: time.Second, Agent: contact, AreMany: true}
	blobs, err := files.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer blobs.Close()
	temp := filepath.Join(dir, "temp")
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, seedlist.Options{})
	options := seedlist.Options{HostDelay: manners.Delay, HostConnections: 1, Interval: -1}
	running, stop := context.WithTimeout(t.Context(), 3*time.Minute)
	defer stop()
	var runners []*daemon.Runner
	var lists []*postgres.Store
	for i := range 2 {
		list, err := postgres.Open(t.Context(), server.Address, options)
		if err != nil {
			t.Fatal(err)
		}
		defer list.Close()
		fetcher := fetch.New(fetch.Options{
			UserAgent: fmt.Sprintf("Laundromat/test-%d %s", i, contact), AllowPrivate: true, IdleTimeout: 5 * time.Second,
			RobotsRetry: manners.RobotsRetry,
			ResumePause: time.Millisecond, Manners: daemon.HostManners(list), Leases: daemon.HostLeases(list),
		})
		defer fetcher.Close()
		opt := w.opt
		opt.Temp = temp
		opt.Workers = map[seedlist.State]int{seedlist.Downloading: 4, seedlist.Unarchiving: 2, seedlist.Guessing: 2, seedlist.Parsing: 2}
		opt.Retries = daemon.Retries{Tries: 4, First: 50 * time.Millisecond, Most: 5 * time.Second}
		lists, runners = append(lists, list), append(runners, daemon.NewRunner(list, blobs, fetcher, zerolog.New(&w.log), opt))
	}
	if _, _, err := lists[0].AddCatalog(t.Context(), web.Catalog(), seedlist.CatalogSettings{Interval: 3600}, time.Time{}); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for _, runner := range runners {
		all.Go(func() {
			if err := runner.Run(running, running); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if running.Err() != nil {
		t.Fatalf("they did not come to rest\n%s", w.log.String())
	}
	verdict := web.Judge(manners)
	for _, breach := range verdict.Breaches {
		t.Errorf("%s, broken %d times, first %s", breach.Rule, breach.Times, breach.First)
	}
	t.Log(verdict)
	counts, err := lists[1].Counts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := counts.States[seedlist.Parsed]; n != int64(web.CanBeHad()) {
		t.Errorf("%d of %d documents were washed: %+v", n, web.CanBeHad(), counts.States)
	}
	agents := map[string]map[string]bool{}
	for _, v := range web.Log() {
		if agents[v.Host] == nil {
			agents[v.Host] = map[string]bool{}
		}
		agents[v.Host][v.Agent] = true
	}
	both := 0
	for _, by := range agents {
		if len(by) == 2 {
			both++
		}
	}
	if both < 3 || verdict.Redirects == 0 {
		t.Errorf("%d of %d hosts were asked by both daemons, with %d redirects", both, len(agents), verdict.Redirects)
	}
	t.Logf("%d of %d hosts were asked by both daemons", both, len(agents))
}
