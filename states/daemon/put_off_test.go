package daemon_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/postgres/pgtest"
	"laundromat/states/daemon"
)

// A document whose host leads on to one that turned waits as long as that one rests, where the list gives leases of
// hosts. Its record says so. A retry asks at once: for one that was led on before, of both hosts; for a new one, once
// the other host is resumed.
func TestADocumentThatWaitsForAnotherHostIsRetriedAtOnce(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	options := seedlist.Options{HostDelay: -1, HostConnections: 16, Interval: -1}
	list, err := postgres.Open(t.Context(), pgtest.ForTest(t, false).Address, options)
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	w.fetch.IgnoreRobots = true
	w.fetch.Manners, w.fetch.Leases = daemon.HostManners(list), daemon.HostLeases(list)
	w.opt.Retries.Most, w.opt.UntilIdle = time.Hour, false
	other := strings.Replace(w.http.URL, "127.0.0.1", "localhost", 1)
	w.mux.HandleFunc("/to/", func(reply http.ResponseWriter, request *http.Request) {
		http.Redirect(reply, request, other+"/at/"+strings.TrimPrefix(request.URL.Path, "/to/"), http.StatusFound)
	})
	w.page("/at/old", []byte(nt("old")))
	w.page("/at/new", []byte(nt("new")))

	working, stop := context.WithCancel(t.Context())
	fetcher := fetch.New(w.fetch)
	defer fetcher.Close()
	ended := make(chan error, 1)
	go func() {
		ended <- daemon.NewRunner(list, w.files, fetcher, zerolog.New(&w.log), w.opt).Run(working, t.Context())
	}()
	defer func() { stop(); <-ended }()

	add := func(path string) {
		if answers, err := list.Add(t.Context(), []seedlist.NewSeed{{URI: w.uri(path)}}); err != nil || answers[0].Err != nil {
			t.Fatal(err, answers)
		}
	}
	retry := func(path string) {
		if answers, err := list.Retry(t.Context(), "", seedlist.Key(w.uri(path))); err != nil || answers[0] != nil {
			t.Fatal(path, err, answers)
		}
	}
	seed := func(path string) seedlist.Seed {
		seed, err := list.Seed(t.Context(), seedlist.Key(w.uri(path)))
		if err != nil {
			t.Fatal(err)
		}
		return seed
	}
	set := func(event *seedlist.Turned) {
		if _, err := list.SetHost(t.Context(), other, func(s *seedlist.HostSettings) { s.Turned = event }); err != nil {
			t.Fatal(err)
		}
	}
	awaitWash := func(path string, after uint64) seedlist.Seed {
		w.await(path, func() bool { s := seed(path); return s.Status == seedlist.Parsed && s.Fence > after })
		return seed(path)
	}
	add("/to/old")
	before := awaitWash("/to/old", 0)
	turned := seedlist.NewTurned(seedlist.HostDay{Has: 1, Asked: 1, Turned: 1}, time.Now())
	set(turned)
	add("/to/new")
	w.await("the new document is put off", func() bool {
		s := seed("/to/new")
		return s.Status == seedlist.Added && time.Until(s.Due) > time.Minute
	})
	if e := seed("/to/new").Error; e == nil || e.Code != fault.TransportHostResting || e.Kind != fault.Stopped {
		t.Errorf("its record doesn't say why: %+v", e)
	}
	retry("/to/old")
	w.await("the old document is fetched again", func() bool {
		s := seed("/to/old")
		return s.Status.IsFinal() && s.Fence > before.Fence
	})
	set(nil)
	retry("/to/new")
	if e := awaitWash("/to/new", 0).Error; e != nil {
		t.Errorf("%+v", e)
	}
}
