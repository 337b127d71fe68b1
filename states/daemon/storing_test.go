package daemon_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/internal/files/blobtest"
	"laundromat/internal/files/bucket"
	"laundromat/internal/testkit/link"
	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/postgres/pgtest"
	"laundromat/states/daemon"
)

// countedHost serves documents and counts the requests for each.
type countedHost struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string]int
}

func newCountedHost(t *testing.T, documents map[string][]byte) *countedHost {
	h := &countedHost{asked: map[string]int{}}
	h.Server = httptest.NewServer(http.HandlerFunc(func(reply http.ResponseWriter, r *http.Request) {
		body, ok := documents[r.URL.Path]
		if !ok {
			http.NotFound(reply, r)
			return
		}
		h.mu.Lock()
		h.asked[r.URL.Path]++
		h.mu.Unlock()
		reply.Write(body)
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *countedHost) count() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.asked)
}

// documentsOfAllKinds are small ones, large ones, archives, and some that fail.
func documentsOfAllKinds(t *testing.T) map[string][]byte {
	all := map[string][]byte{
		"/large.nt": []byte(numbered("large", 3000)), "/wide.nt": []byte(numbered("wide", 9000)),
		"/none.png": append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 300)...), "/broken.nt": []byte(nt("b") + "nonsense\n"),
	}
	for i := range 12 {
		all[fmt.Sprintf("/%d.nt", i)] = []byte(nt(fmt.Sprint(i)))
	}
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for i := range 5 {
		entry, err := w.Create(fmt.Sprintf("%d.nt", i))
		if err != nil {
			t.Fatal(err)
		}
		entry.Write([]byte(nt(fmt.Sprint("entry", i))))
	}
	w.Close()
	all["/five.zip"] = packed.Bytes()
	return all
}

func numbered(name string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(nt(fmt.Sprint(name, i)))
	}
	return b.String()
}

// While the store of files is away, nothing is fetched twice: what came is kept by the daemon that fetched it, and is
// stored when the store is back. Another daemon of the list takes none of it.
func TestNothingIsFetchedTwiceWhileTheStoreIsAway(t *testing.T) {
	if testing.Short() {
		t.Skip("a store is away for seconds")
	}
	away := map[string]func(*testing.T, *link.Link, *blobtest.Gateway) (back func()){
		"refused": func(_ *testing.T, way *link.Link, _ *blobtest.Gateway) func() {
			way.Set(link.Refused)
			return func() { way.Set(link.Whole) }
		},
		"dead": func(t *testing.T, _ *link.Link, server *blobtest.Gateway) func() {
			server.Stop()
			return func() {
				if err := server.Again(); err != nil {
					t.Fatal(err)
				}
			}
		},
	}
	for name, cut := range away {
		for _, daemons := range []int{1, 2} {
			t.Run(fmt.Sprintf("%s, %d daemons", name, daemons), func(t *testing.T) { awayStore(t, daemons, cut) })
		}
	}
}

func awayStore(t *testing.T, daemons int, cut func(*testing.T, *link.Link, *blobtest.Gateway) func()) {
	w := newWorld(t, seedlist.Options{})
	documents := documentsOfAllKinds(t)
	host := newCountedHost(t, documents)
	server := blobtest.Server(t, "laundry")
	way, err := link.To(strings.TrimPrefix(server.Endpoint, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer way.Close()
	at, err := bucket.ParseAddress("s3://laundry?endpoint=http://" + way.Address())
	if err != nil {
		t.Fatal(err)
	}
	options := seedlist.Options{HostDelay: -1, HostConnections: 16, Interval: -1}
	open := func() seedlist.List { return w.seeds }
	if daemons > 1 {
		database := pgtest.ForTest(t, false)
		open = func() seedlist.List {
			list, err := postgres.Open(t.Context(), database.Address, options)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { list.Close() })
			return list
		}
	}
	var lists []seedlist.List
	var stores []files.Blobs
	for range daemons {
		store, err := bucket.Open(t.Context(), at, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		lists, stores = append(lists, open()), append(stores, store)
	}
	back := cut(t, way, server)
	defer way.Set(link.Whole)
	for path := range documents {
		if answers, err := lists[0].Add(t.Context(), []seedlist.NewSeed{{URI: host.URL + path}}); err != nil || answers[0].Err != nil {
			t.Fatal(err, answers)
		}
	}
	w.opt.ProbeEvery, w.opt.UntilIdle = 100*time.Millisecond, true
	w.fetch.IdleTimeout = time.Minute // a body that a busy machine holds up would be asked for again
	running, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	var all sync.WaitGroup
	for i := range daemons {
		fetcher := fetch.New(w.fetch)
		defer fetcher.Close()
		runner := daemon.NewRunner(lists[i], stores[i], fetcher, zerolog.New(&w.log), w.opt)
		all.Go(func() { runner.Run(running, running) })
	}
	w.await("a pause", func() bool { return strings.Contains(w.log.String(), "pausing") })
	time.Sleep(5 * time.Second)
	attempted := func(path string) string {
		attempts, err := lists[0].Attempts(t.Context(), seedlist.Key(host.URL+path))
		shown, _ := json.Marshal(attempts)
		return fmt.Sprintf("%s, %v", shown, err)
	}
	during := 0
	for path, n := range host.count() {
		if during += n; n > 1 {
			t.Errorf("%s was fetched %d times while the store was away: %s", path, n, attempted(path))
		}
	}
	if during == 0 {
		t.Fatal("nothing was fetched while the store was away")
	}
	back()
	all.Wait()
	if running.Err() != nil {
		t.Fatalf("it did not come to rest\n%s", w.log.String())
	}
	for path, n := range host.count() {
		if n != 1 {
			t.Errorf("%s was fetched %d times: %s", path, n, attempted(path))
		}
	}
	for path := range documents {
		seed, err := lists[0].Seed(t.Context(), seedlist.Key(host.URL+path))
		if err != nil {
			t.Fatal(err)
		}
		want := seedlist.Parsed
		switch path {
		case "/none.png":
			want = seedlist.Failed
		case "/five.zip":
			want = seedlist.Depleted
		}
		if seed.Status != want || seed.Error != nil && seed.Error.Kind == fault.Local {
			t.Errorf("%s: %s, %+v", path, seed.Status, seed.Error)
		}
	}
	wantWhole(t, lists[0], stores[0])
}

// Where the disk that files wait on is short, or the daemon stops, what could not be stored is given up: the claim is
// given back, without a counted try.
func TestWhatWaitsForTheStoreIsGivenUpForAReason(t *testing.T) {
	reasons := map[string]func(w *world, blobs *bucket.Bucket, stop func()){
		"the daemon stops": func(_ *world, _ *bucket.Bucket, stop func()) { stop() },
		"the disk is short": func(w *world, blobs *bucket.Bucket, stop func()) {
			blobs.KeepFree(1 << 62)
			w.await("it is given back", func() bool { return w.seed("/x.nt").Status == seedlist.Added })
			stop()
		},
	}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		t.Run(reason, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			p := w.page("/x.nt", []byte(nt("one")))
			server := blobtest.Server(t, "laundry")
			at, err := bucket.ParseAddress("s3://laundry?endpoint=" + server.Endpoint)
			if err != nil {
				t.Fatal(err)
			}
			spool := t.TempDir()
			blobs, err := bucket.Open(t.Context(), at, spool)
			if err != nil {
				t.Fatal(err)
			}
			defer blobs.Close()
			server.Stop()
			w.add("/x.nt")
			meter := &tally{}
			w.opt.Meter = meter
			w.opt.UntilIdle, w.opt.ProbeEvery = false, 20*time.Millisecond
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan struct{})
			fetcher := fetch.New(w.fetch)
			defer fetcher.Close()
			runner := daemon.NewRunner(w.seeds, blobs, fetcher, zerolog.New(&w.log), w.opt)
			go func() {
				defer close(ended)
				runner.Run(ctx, ctx)
			}()
			stop := func() {
				cancel()
				<-ended
			}
			w.await("a pause", func() bool { return runner.Progress().Unstored == 1 && strings.Contains(w.log.String(), "pausing") })
			if p.asked != 1 {
				t.Errorf("asked %d times", p.asked)
			}
			reasons[reason](w, blobs, stop)
			if seed := w.seed("/x.nt"); seed.Status != seedlist.Added || seed.Tries != 0 || seed.Error != nil {
				t.Errorf("%+v %+v", seed.Standing, seed.Error)
			}
			if n := runner.Progress().Unstored; n != 0 {
				t.Errorf("%d still wait", n)
			}
			for name, n := range meter.now() {
				if strings.Contains(name, " done ") || strings.Contains(name, " failed ") {
					t.Errorf("%s is counted %d times", name, n)
				}
			}
		})
	}
}
