package daemon_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/internal/testkit/hosts"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/seedfile"
	"laundromat/states/daemon"
)

// year is a year of a web whose hosts have tempers. It knows what each document, and each member of an archive in
// the place of one, was last served as.
type year struct {
	*world
	web    *hosts.Web
	random *rand.Rand
	served map[string]*servedDocument // by hash
	since  string                     // what happens at the moment
	works  int                        // daemons so far
	turned int                        // hosts that were turned to something else
	mu     sync.Mutex
}

type servedDocument struct {
	number   int // of the document
	isMember bool
	isBeside bool // it is the other member
	isHalf   bool // what is served broke off, and nothing whole came before
	clean    string
	text     string
}

// TestAYearOfTempersTakesNothingAway: hosts and their catalog turn to login pages, errors, noise, archives and more,
// and back, for a year. At no moment does a statement that was served vanish but through a good wash that lacks it.
// When all are well again, what is served is what they give.
func TestAYearOfTempersTakesNothingAway(t *testing.T) {
	if testing.Short() {
		t.Skip("a year takes some seconds")
	}
	synctest.Test(t, yearOfTempers)
}

func yearOfTempers(t *testing.T) {
	const day, all = 24 * time.Hour, 12
	seed := uint64(41)
	// Another year is had by its number.
	if given := os.Getenv("LAUNDROMAT_YEAR"); given != "" {
		seed, _ = strconv.ParseUint(given, 10, 64)
	}
	y := &year{
		world:  offlineWorld(t, seedlist.Options{HostConnections: 1, HostDelay: time.Second}),
		random: rand.New(rand.NewPCG(seed, 365)), served: map[string]*servedDocument{},
	}
	web, err := hosts.Start(hosts.Options{Hosts: all, Entries: 24, Crowd: 2, InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	y.web = web
	y.fetch.Transport = web.Transport()
	y.fetch.Manners, y.fetch.Leases = daemon.HostManners(y.seeds), daemon.HostLeases(y.seeds)
	y.opt.Retries = daemon.Retries{Tries: 3, First: time.Second, Most: 5 * time.Second}
	y.opt.RescueEvery, y.opt.ProbeEvery = time.Minute, time.Minute
	for n := range web.Entries() {
		uri, _ := web.Document(n)
		if _, err := y.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: uri, Interval: 10 * day}}); err != nil {
			t.Fatal(err)
		}
		y.served[seedlist.Key(uri)] = &servedDocument{number: n}
	}
	if _, _, err := y.seeds.AddCatalog(t.Context(), web.Catalog(), seedlist.CatalogSettings{Interval: 3 * 24 * 3600},
		time.Time{}); err != nil {
		t.Fatal(err)
	}
	y.work("the first fetches")
	first := y.washed()
	if first < web.Entries()/2 {
		t.Fatalf("%d documents were washed", first)
	}
	calm := make([]time.Time, all) // when the temper of a host ends
	for end := time.Now().Add(365 * day); time.Now().Before(end); {
		for h := range calm {
			if time.Now().Before(calm[h]) {
				continue
			}
			temper, last := hosts.Temper(""), time.Duration(1+y.random.IntN(40*24))*time.Hour
			if y.random.IntN(2) == 0 {
				temper = hosts.Turned[y.random.IntN(len(hosts.Turned))]
				y.turned++
			}
			web.Turn(h, temper)
			calm[h] = time.Now().Add(last)
		}
		if y.random.IntN(4) == 0 {
			web.Edit(y.random.IntN(web.Entries()))
		}
		time.Sleep(time.Duration(1+y.random.IntN(36)) * time.Hour)
		y.work(time.Now().Format(time.DateTime))
	}
	t.Logf("%d turns of hosts, %d noted as turned; %d of %d documents are served", y.turned, strings.Count(y.log.String(), "host/turned"),
		y.washed(), len(y.served))
	y.sound()

	for h := range calm {
		web.Turn(h, hosts.Plain)
	}
	for range 20 {
		time.Sleep(2 * day)
		y.work("all are well again")
	}
	for n := range web.Entries() {
		uri, _ := web.Document(n)
		is, doc := y.seedOf(seedlist.Key(uri)), y.served[seedlist.Key(uri)]
		_, version := web.Given(n)
		if is.Gone != nil && *is.Gone || len(is.Catalogs) != 1 {
			t.Errorf("%s: the catalog does not name it: %+v", uri, is.Catalogs)
		}
		if doc.clean != "" && (is.Status != seedlist.Parsed || is.Good != nil || is.Clean != doc.clean ||
			doc.text != named(web.Text(n, version, false))) {
			t.Errorf("%s: %s, of version %d: %v, %+v", uri, is.Status, version, doc.text == named(web.Text(n, version, false)), is.Error)
		}
	}
	if known, err := y.seeds.Hosts(t.Context()); err != nil ||
		slices.ContainsFunc(known, func(h seedlist.HostUse) bool { return h.Turned != nil }) {
		t.Errorf("%+v, %v", known, err)
	}
	y.sound()
}

// work has a daemon do what is due, and holds what is served against what was.
func (y *year) work(when string) {
	y.t.Helper()
	y.since = when
	y.works++
	fetcher := fetch.New(y.fetch)
	defer fetcher.Close()
	runner := daemon.NewRunner(watchedList{y.seeds, y}, y.files, fetcher, zerolog.New(&y.log), y.opt)
	if err := runner.Run(y.t.Context(), context.Background()); err != nil {
		y.t.Fatal(err)
	}
	for hash, doc := range y.served {
		y.check(hash)
		if doc.clean == "" || y.works%5 > 0 {
			continue
		}
		seed := y.seedOf(hash)
		served := seed.Served()
		if text := named(y.clean(served)); text != doc.text {
			y.t.Errorf("%s, %s: another text is served:\n%s", when, served.URI, text)
		}
		if _, err := y.files.Size(seedfile.Key(&served, files.Dirty), files.Dirty); err != nil && served.Parent == "" {
			y.t.Errorf("%s, %s: its bytes: %v", when, served.URI, err)
		}
	}
	if got, want := y.counts().Washed, y.washed(); got != int64(want) {
		y.t.Errorf("%s: %d documents have a clean file, %d are counted", when, want, got)
	}
	if y.t.Failed() {
		y.t.FailNow()
	}
}

func (y *year) washed() (n int) {
	for _, doc := range y.served {
		if doc.clean != "" {
			n++
		}
	}
	return n
}

func (y *year) seedOf(hash string) seedlist.Seed {
	seed, err := y.seeds.Seed(context.Background(), hash)
	if err != nil {
		y.t.Error(y.since, err)
	}
	return seed
}

// look is what a worker does that wrote something down.
func (y *year) look(hash string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.check(hash)
}

// check holds what is served of a seed against what was, and remembers it.
func (y *year) check(hash string) {
	seed := y.seedOf(hash)
	doc := y.served[hash]
	switch {
	case seed.Status == seedlist.Cleaned:
		return
	case doc == nil:
		parent := y.served[seed.Parent]
		doc = &servedDocument{number: parent.number, isMember: true, isBeside: seed.Archive.Entry == hosts.Another}
		y.served[hash] = doc
	}
	for _, child := range seed.Children {
		y.check(child)
	}
	is := seed.ServedClean()
	if is == doc.clean {
		return
	}
	name := fmt.Sprintf("%s, document %d %s", y.since, doc.number, seed.URI)
	if is == "" {
		y.t.Errorf("%s: nothing is served any more: %s %+v", name, seed.Status, seed.Error)
		return
	}
	text := named(y.clean(seed.Served()))
	given, version := y.web.Given(doc.number)
	now := given[len(given)-1]
	switch {
	case now.Temper == hosts.Halving && (doc.clean == "" || doc.isHalf): // which never came whole
	case now.Temper == hosts.Emptied && text == "":
	case now.Temper == hosts.Hollow && text == "" && (doc.clean == "" || hollow(given) >= 3):
	case doc.clean != "" && slices.Contains(hosts.Turned, now.Temper) && !doc.isMember:
		y.t.Errorf("%s: %q took its place", name, now.Temper)
	case text != named(y.web.Text(doc.number, now.Version, doc.isBeside)):
		y.t.Errorf("%s: it is not what its host gave: %q, version %d of %d\n%.300s", name, now.Temper, now.Version, version, text)
	}
	doc.clean, doc.text, doc.isHalf = is, text, now.Temper == hosts.Halving
}

// hollow counts the last pages without statements, a day apart at least.
func hollow(given []hosts.Given) (n int) {
	var last time.Time
	for _, g := range slices.Backward(given) {
		if g.Temper != hosts.Hollow {
			return n
		}
		if n == 0 || last.Sub(g.At) >= 23*time.Hour {
			n, last = n+1, g.At
		}
	}
	return n
}

// named are the lines of a text that a wash leaves as they are, in order, each once: those without blank nodes and
// datatypes.
func named(text string) string {
	lines := slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(line string) bool {
		return line == "" || strings.Contains(line, "_:") || strings.Contains(line, "/.well-known/genid/") || strings.Contains(line, "^^")
	})
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "")
}

// watchedList is a list that is looked at after everything that a daemon writes down.
type watchedList struct {
	*bolt.Store
	year *year
}

func (w watchedList) Complete(ctx context.Context, c seedlist.Claim, o seedlist.Outcome) error {
	err := w.Store.Complete(ctx, c, o)
	w.year.look(c.Seed.Hash)
	return err
}

func (w watchedList) CompleteAll(ctx context.Context, c seedlist.Claim, outcomes []seedlist.Outcome) error {
	err := w.Store.CompleteAll(ctx, c, outcomes)
	w.year.look(c.Seed.Hash)
	return err
}

func (w watchedList) EndHarvest(ctx context.Context, c seedlist.HarvestClaim, end seedlist.HarvestEnd) (seedlist.Catalog, error) {
	catalog, err := w.Store.EndHarvest(ctx, c, end)
	for n := range w.year.web.Entries() {
		uri, _ := w.year.web.Document(n)
		w.year.look(seedlist.Key(uri))
	}
	return catalog, err
}

func (w watchedList) GiveBack(ctx context.Context, c seedlist.Claim, r seedlist.Return) error {
	err := w.Store.GiveBack(ctx, c, r)
	w.year.look(c.Seed.Hash)
	return err
}

func (w watchedList) Claim(ctx context.Context, stage seedlist.State, worker string, limit int) ([]seedlist.Claim, error) {
	claims, err := w.Store.Claim(ctx, stage, worker, limit)
	for _, c := range claims {
		w.year.look(c.Seed.Hash)
	}
	return claims, err
}
