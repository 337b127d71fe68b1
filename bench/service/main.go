// Command service measures the lists and counts of a daemon on a store of many seeds. It makes the store in a
// temporary folder, asks the API as ten clients at once, and follows changes while they come.
//
//	go -C bench run ./service              100,000 seeds
//	go -C bench run ./service -n 1000000   a million: making them takes some minutes
//	go -C bench run ./service -profile FILE       with a profile of the processor while the store is made
//	go -C bench run ./service -store new   in a database, of a server that is started for it; or at an address
//	go -C bench run ./service -streams 1000       streams of events that are open at once, of a daemon of its own
//	go -C bench run ./service -rows 100000000     any rows of a clean file of so many lines
//	go -C bench run ./service -labels 10000000    searches of so many labels, of documents that have 1 to 1,000 each
//	go -C bench run ./service -labels 1000000 -each 100
//
// Of ten seeds five are washed and share clean files by hundreds, two failed, three wait; twenty are of one host, and
// each has one of 2,000 publishers, of 5 licences and of 40 catalogs. Ten thousand live their lives in memory, all
// others are written as copies of them.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"sync"
	"time"

	"laundromat/bench/process"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/storetest"
	"laundromat/seedlist/views"
	"laundromat/web"
	"laundromat/web/pages"
)

// clients ask at once.
var clients = 10

func main() {
	seeds := flag.Int("n", 100_000, "seeds to be made; 0: those that a database has")
	folder := flag.String("dir", os.TempDir(), "folder for the store")
	streams := flag.Int("streams", 0, "measure so many streams of events in place of lists")
	memory := flag.String("memory", "1G", "--memory of the daemon that serves the streams")
	store := flag.String("store", "",
		"keep the seeds in PostgreSQL: its address, of an empty database, or new to start a server in the folder")
	flag.IntVar(&clients, "clients", clients, "clients that ask at once")
	rows := flag.Int64("rows", 0, "measure rows of a clean file of so many lines in place of lists")
	labels := flag.Int64("labels", 0, "measure searches of so many labels in place of lists")
	each := flag.Int("each", 0, "labels of a document; 0: 1 to 1,000")
	profile := flag.String("profile", "", "write a profile of the processor while the store is made to this file")
	flag.Parse()
	ctx := context.Background()
	var err error
	switch {
	case *streams > 0:
		err = measureStreams(ctx, *folder, *streams, *memory)
	case *labels > 0:
		err = measureSearch(ctx, *folder, *labels, *each)
	case *rows > 0:
		err = measureRows(ctx, *folder, *rows)
	default:
		err = run(ctx, *folder, *store, *profile, *seeds)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "service:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folder, store, profile string, seeds int) error {
	dir, err := os.MkdirTemp(folder, "service")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	list, stop, err := openList(ctx, dir, store)
	if err != nil {
		return err
	}
	defer stop()
	begin, own := time.Now(), process.Own()
	if err := profiled(profile, func() error { return fill(ctx, list, seeds) }); err != nil {
		return err
	}
	own = process.Own() - own
	counts, err := list.Counts(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%d seeds were made in %.1f s, %.1f s of the processors\n", counts.Seeds, time.Since(begin).Seconds(), own.Seconds())
	v, err := build(ctx, dir, list, counts.Seeds)
	if err != nil {
		return err
	}
	defer v.Close()
	if store != "" {
		if err := sizes(ctx, list, counts.Seeds); err != nil {
			return err
		}
	}
	blobs, err := files.Open(dir)
	if err != nil {
		return err
	}
	defer blobs.Close()
	api := web.New(web.Options{Seeds: list, Files: blobs, Views: v, PreferViews: store != "",
		Pages: func(reader *web.Reader, otherwise http.Handler) http.Handler {
			return pages.New(reader, pages.Options{}, otherwise)
		}})
	for _, path := range append(publisherPaths(),
		"/api/v1/stats", "/api/v1/seeds", "/api/v1/seeds?host=host77.example", "/api/v1/seeds?error=http/status",
		"/api/v1/seeds?format=Turtle",
		"/api/v1/seeds?format=Turtle&host=host77.example", "/api/v1/seeds?notice=iri/space&sort=-size", "/api/v1/seeds?sort=-processed",
		"/api/v1/seeds?format=Turtle&error=http/status", "/api/v1/counts?by=format,notice", "/api/v1/counts?by=host",
		"/api/v1/counts?by=notice,host",
		"/", "/?by=month", "/seeds", "/seeds?state=failed", "/seeds?host=host77.example", "/seeds?format=Turtle&sort=-size",
		"/seeds?source=list+7",
		"/seeds?notice=iri/space&source=list+7", "/search?q=host7", "/errors", "/errors?kind=notice", "/errors?code=http/status",
		"/errors?kind=notice&code=iri/space", "/errors?host=host77.example",
	) {
		if err := ask(api, path); err != nil {
			return err
		}
	}
	return follow(ctx, list, v)
}

// profiled does something, and writes a profile of it unless path is empty.
func profiled(path string, do func() error) error {
	if path == "" {
		return do()
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return do()
}

// build makes the views, and says how long it took and how large they are.
func build(ctx context.Context, dir string, list seedlist.List, seeds int64) (v *views.Views, err error) {
	begin := time.Now()
	path := filepath.Join(dir, "views.db")
	trouble := func(err error) { fmt.Fprintln(os.Stderr, err) }
	database, isInDatabase := list.(*postgres.Store)
	if isInDatabase {
		v, err = views.In(database.Tables(views.TableNames()), list, termsOf, trouble)
	} else {
		v, err = views.Open(path, list, termsOf, trouble)
	}
	if err != nil {
		return nil, err
	}
	revision, err := list.Revision(ctx)
	if err == nil {
		err = v.Wait(ctx, revision)
	}
	if err != nil {
		return nil, err
	}
	if isInDatabase {
		fmt.Printf("the lists were made in %.1f s\n", time.Since(begin).Seconds())
		return v, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	fmt.Printf("views.db was made in %.1f s, %d bytes, %.0f a seed\n", time.Since(begin).Seconds(), info.Size(),
		float64(info.Size())/float64(seeds))
	return v, nil
}

// ask asks for a path as some clients at once, a hundred times, and prints how long replies took.
func ask(api http.Handler, path string) error {
	const times = 100
	took := make([]time.Duration, times)
	status, size := 0, int64(0)
	var all sync.WaitGroup
	own := process.Own()
	for client := range clients {
		all.Go(func() {
			for i := client; i < times; i += clients {
				begin := time.Now()
				reply := httptest.NewRecorder()
				api.ServeHTTP(reply, httptest.NewRequest(http.MethodGet, path, nil))
				n, _ := io.Copy(io.Discard, reply.Body)
				took[i] = time.Since(begin)
				if i == 0 {
					status, size = reply.Code, n
				}
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	fmt.Printf("%-52s %8.1f ms median %8.1f ms 99th %8.1f ms at most of %d, %6.1f ms of the processors each, %d bytes\n", path,
		ms(took[times/2]), ms(took[times*99/100-1]), ms(took[times-1]), times, ms((process.Own()-own)/times), size)
	if status != http.StatusOK {
		return fmt.Errorf("%s: status %d", path, status)
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// follow washes what waits, and prints how far the views are behind while that goes on.
func follow(ctx context.Context, list seedlist.List, v *views.Views) error {
	begin, done := time.Now(), 0
	ended := make(chan struct{})
	var behind time.Duration
	var watch sync.WaitGroup
	watch.Go(func() { // how old is the newest change that the views do not hold?
		for {
			select {
			case <-ended:
				return
			case <-time.After(20 * time.Millisecond):
			}
			if next, err := list.Changes(ctx, v.AsOf().Revision, 1); err == nil && len(next) > 0 {
				behind = max(behind, time.Since(next[0].Time))
			}
		}
	})
	for time.Since(begin) < 10*time.Second {
		claims, err := list.Claim(ctx, seedlist.Downloading, "bench", 200)
		if err != nil {
			return err
		}
		if len(claims) == 0 {
			break
		}
		if err := storetest.LiveAll(ctx, list, claims); err != nil {
			return err
		}
		done += len(claims)
	}
	seconds := time.Since(begin).Seconds()
	close(ended)
	watch.Wait()
	fmt.Printf("while %.0f seeds a second were washed, the views were at most %.0f ms behind\n", float64(done)/seconds, ms(behind))
	return nil
}
