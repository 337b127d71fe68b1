package daemon_test

import (
	"strings"
	"testing"
	"time"

	"laundromat/internal/testkit/hosts"
	"laundromat/seedlist"
	"laundromat/states/daemon"
)

// TestACrawlKeepsEveryHostsRules harvests a catalog of documents at hosts with all kinds of rules,
// and washes them, then again after some have changed. The hosts' own log says what was asked of
// them.
func TestACrawlKeepsEveryHostsRules(t *testing.T) {
	if testing.Short() {
		t.Skip("it is polite, and takes ten seconds")
	}
	web, err := hosts.Start(hosts.Options{Hosts: 29, Entries: 290, Crowd: 30, Latency: 60 * time.Millisecond,
		CrawlDelay: 150 * time.Millisecond, Rows: 50})
	if err != nil {
		t.Skipf("no hosts on loopback addresses: %v", err)
	}
	defer web.Close()
	manners := hosts.Manners{Delay: 20 * time.Millisecond, RobotsRetry: 400 * time.Millisecond,
		Agent: "Laundromat/test (+https://example.org/)"}
	w := newWorld(t, seedlist.Options{HostDelay: manners.Delay, HostConnections: 1})
	w.fetch.UserAgent, w.fetch.RobotsRetry, w.fetch.ResumePause = manners.Agent, manners.RobotsRetry, time.Millisecond
	w.fetch.Manners, w.fetch.Leases = daemon.HostManners(w.seeds), daemon.HostLeases(w.seeds)
	w.opt.Workers[seedlist.Downloading] = 32
	w.opt.Retries = daemon.Retries{Tries: 4, First: 50 * time.Millisecond, Most: 5 * time.Second}

	run := func() {
		t.Helper()
		w.run()
		w.hangUp()
	}
	judged := func(round string) hosts.Verdict {
		t.Helper()
		if err := web.Rest(t.Context()); err != nil {
			t.Fatal(err)
		}
		verdict := web.Judge(manners)
		for _, breach := range verdict.Breaches {
			t.Errorf("%s: %s, broken %d times, first %s", round, breach.Rule, breach.Times, breach.First)
		}
		t.Logf("%s: %s", round, verdict)
		return verdict
	}
	washed := func(round string) {
		t.Helper()
		if n := w.counts().States[seedlist.Parsed]; n != int64(web.CanBeHad()) {
			t.Errorf("%s: %d of %d documents were washed", round, n, web.CanBeHad())
		}
	}

	c, _, err := w.seeds.AddCatalog(t.Context(), web.Catalog(), seedlist.CatalogSettings{Interval: 3600}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	run()
	if got := w.harvested(c.Hash); got.Entries != int64(web.Named()) || !got.Complete {
		t.Fatalf("%+v\n%s", got, w.log.String())
	}
	first := judged("first")
	washed("first")
	// The judge says what was asked; this, that something was: of the catalog its six pages and the
	// one after its count.
	if first.Documents < web.CanBeHad() || first.Pages != 7 || first.Redirects == 0 || first.Hosts != 28 {
		t.Errorf("%s", first)
	}
	if first.Others >= first.Crowd {
		t.Errorf("the large slow host delayed others: its last document came after %v, theirs after %v", first.Crowd, first.Others)
	}

	// Two more catalogs name nothing else. Of one a page is empty, the other has no end.
	web.Forget()
	for _, odd := range web.OddCatalogs() {
		if _, _, err := w.seeds.AddCatalog(t.Context(), odd, seedlist.CatalogSettings{}, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	run()
	for i, pages := range []int64{7, 4} {
		if got := w.harvested(seedlist.Key(web.OddCatalogs()[i])); got.Complete || got.Gone != 0 || got.Listed == 0 || got.New != 0 ||
			got.Pages != pages {
			t.Errorf("%+v", got)
		}
	}
	if odd := judged("two odd catalogs"); odd.Pages != 11 || odd.Documents != 0 {
		t.Errorf("%s", odd)
	}

	// The catalog says what has changed: nothing else is asked for.
	web.Forget()
	changed := web.Change(7, true)
	if err := w.seeds.HarvestNow(t.Context(), c.Hash, false); err != nil {
		t.Fatal(err)
	}
	run()
	if second := judged("second"); changed == 0 || second.Documents != changed || second.NotModified != 0 {
		t.Errorf("%d documents had changed: %s", changed, second)
	}

	// It does not say, and every document is due: all are asked about, and those come that changed.
	// One host is paused.
	web.Forget()
	changed = web.Change(11, false)
	host, held := web.Host(hosts.Dated)
	pause := func(paused bool) {
		t.Helper()
		if _, err := w.seeds.SetHost(t.Context(), host, func(s *seedlist.HostSettings) { s.Paused = paused }); err != nil {
			t.Fatal(err)
		}
	}
	pause(true)
	for _, seed := range w.all() {
		if seed.Status == seedlist.Parsed {
			if answers, err := w.seeds.Retry(t.Context(), "", seed.Hash); err != nil || answers[0] != nil {
				t.Fatal(err, answers)
			}
		}
	}
	run()
	third := judged("third")
	for _, v := range web.Log() {
		if v.Host == host {
			t.Errorf("%s was asked for %s, but is paused", v.Host, v.Path)
		}
	}
	pause(false)
	run()
	all := judged("resumed")
	washed("third")
	if all.Documents != changed || all.NotModified != web.CanBeHad()-changed ||
		all.NotModified+all.Documents-third.NotModified-third.Documents != held {
		t.Errorf("%d documents had changed, %d had not; the paused host has %d:\n%sthen\n%s", changed, web.CanBeHad()-changed, held, third,
			all)
	}
	if all.Bytes*20 > first.Bytes {
		t.Errorf("%d bytes came again of %d", all.Bytes, first.Bytes)
	}
	for _, seed := range w.all() {
		if seed.Error != nil && strings.HasPrefix(string(seed.Error.Code), "bug/") {
			t.Errorf("%+v", seed.Error)
		}
	}
	w.sound()
}
