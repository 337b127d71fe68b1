package daemon_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/states/daemon"
)

func TestLargerPriorityIsFetchedFirst(t *testing.T) {
	w := newWorld(t, seedlist.Options{HostConnections: 1})
	var mu sync.Mutex
	var order []string
	w.mux.HandleFunc("/p/", func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, r.URL.Path[3:])
	})
	for _, priority := range []int{0, 5, -3, 9, 1} {
		if _, err := w.seeds.Add(t.Context(),
			[]seedlist.NewSeed{{URI: w.uri(fmt.Sprint("/p/", priority)), Priority: priority}}); err != nil {
			t.Fatal(err)
		}
	}
	w.run()
	if got := strings.Join(order, " "); got != "9 5 1 0 -3" {
		t.Error(got)
	}
}

// TestALargeHostDelaysNobody gives one host a hundred seeds before another has one.
func TestALargeHostDelaysNobody(t *testing.T) {
	w := newWorld(t, seedlist.Options{HostConnections: 1, HostDelay: 5 * time.Millisecond})
	var large, before atomic.Int32
	w.mux.HandleFunc("/many/", func(http.ResponseWriter, *http.Request) { large.Add(1) })
	w.mux.HandleFunc("/few/", func(http.ResponseWriter, *http.Request) { before.CompareAndSwap(0, large.Load()+1) })
	for i := range 100 {
		w.add(fmt.Sprint("/many/", i))
	}
	few := strings.Replace(w.http.URL, "127.0.0.1", "localhost", 1)
	if _, err := w.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: few + "/few/x"}}); err != nil {
		t.Fatal(err)
	}
	w.run()
	if n := before.Load(); n == 0 || n > 10 {
		t.Errorf("the other host came after %d of the large one", n)
	}
}

func TestSeedsAreAddedWhileItRuns(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.mux.HandleFunc("/x/", func(reply http.ResponseWriter, r *http.Request) { io.WriteString(reply, nt(r.URL.Path[3:])) })
	stop := w.start()
	for i := range 20 {
		w.add(fmt.Sprint("/x/", i))
		time.Sleep(2 * time.Millisecond)
	}
	w.await("the end", func() bool { return w.counts().States[seedlist.Parsed] == 20 })
	stop()
	w.sound()
}

func TestANotYetDueRetryKeepsItFromBeingIdle(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.opt.Retries.First = 400 * time.Millisecond
	var asked atomic.Int32
	w.mux.HandleFunc("/x.nt", func(reply http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) == 1 {
			reply.WriteHeader(http.StatusInternalServerError)
		}
	})
	w.add("/x.nt")
	w.run()
	if seed := w.seed("/x.nt"); seed.Status != seedlist.Parsed {
		t.Errorf("%+v %+v", seed.Standing, seed.Error)
	}
	w.sound()
}

// TestManyWorkersAgree lets sixteen workers a stage wash archives and documents,
// many of the same bytes, while others are removed, retried and listed.
func TestManyWorkersAgree(t *testing.T) {
	w := newWorld(t, seedlist.Options{HostConnections: 64})
	for _, stage := range seedlist.Stages() {
		w.opt.Workers[stage] = 16
	}
	var version atomic.Int32
	w.mux.HandleFunc("/d/", func(reply http.ResponseWriter, r *http.Request) {
		var n int
		fmt.Sscan(r.URL.Path[3:], &n)
		v := int(version.Load())
		switch {
		case n%7 == 0:
			reply.Write(zipOf(t, "a.nt", nt(fmt.Sprint(n%3+v)), "b.ttl", nt(fmt.Sprint(n)), "c.txt", "nothing"))
		case n%11 == 0:
			reply.WriteHeader(http.StatusGone)
		default:
			io.WriteString(reply, nt(fmt.Sprint(n%5+v))+"broken line\n")
		}
	})
	for i := range 120 {
		w.add(fmt.Sprint("/d/", i))
	}
	w.run()
	w.sound()
	version.Add(1)
	ctx, cancel := context.WithCancel(t.Context())
	var others sync.WaitGroup
	for i := range 120 {
		w.seeds.Retry(t.Context(), "", w.seed(fmt.Sprint("/d/", i)).Hash)
	}
	others.Go(func() {
		for i := 0; ctx.Err() == nil && i < 40; i++ {
			w.seeds.Remove(ctx, seedlist.Key(w.uri(fmt.Sprint("/d/", i*3))))
			w.seeds.List(ctx, seedlist.Filter{Limit: 1000})
			daemon.Verify(ctx, w.seeds, w.files, func(daemon.Damage) error { return nil })
		}
	})
	w.run()
	cancel()
	others.Wait()
	w.run()
	w.sound()
	c := w.counts()
	if c.States[seedlist.Parsed] == 0 || c.States[seedlist.Depleted] == 0 {
		t.Errorf("%+v", c.States)
	}
	for _, seed := range w.all() {
		if !seed.Status.IsFinal() {
			t.Errorf("%s is %s", seed.URI, seed.Status)
		}
		if seed.Status == seedlist.Parsed && seed.Parent == "" {
			if text := w.clean(seed); !slices.Contains([]string{nt("1"), nt("2"), nt("3"), nt("4"), nt("5")}, text) {
				t.Errorf("%s: %s", seed.URI, text)
			}
		}
	}
}
