package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"laundromat/bench/process"
	"laundromat/internal/files/blobtest"
	"laundromat/internal/testkit/corpus"
	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
)

// farm is a web of hosts on loopback addresses that take some time for a reply.
type farm struct {
	latency time.Duration
	servers []*http.Server
	names   []string
	began   sync.Once
	first   time.Time // request
	asked   atomic.Int64
}

// farmHosts is the number of hosts.
const farmHosts = 64

// statements is the number of statements of a document.
const statements = 20

func startFarm(latency time.Duration) (*farm, error) {
	f := &farm{latency: latency}
	for i := range farmHosts {
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.2.%d:0", i+1))
		if err != nil {
			f.close()
			return nil, err
		}
		server := &http.Server{Handler: http.HandlerFunc(f.answer), ReadHeaderTimeout: 10 * time.Second}
		f.servers, f.names = append(f.servers, server), append(f.names, listener.Addr().String())
		go server.Serve(listener)
	}
	return f, nil
}

func (f *farm) close() {
	for _, s := range f.servers {
		s.Close()
	}
}

func (f *farm) answer(w http.ResponseWriter, r *http.Request) {
	f.began.Do(func() { f.first = time.Now() })
	f.asked.Add(1)
	number, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/"), ".nt"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	time.Sleep(f.latency)
	var text bytes.Buffer
	corpus.Write(&text, corpus.NTriples, number, statements)
	w.Header().Set("Content-Type", "application/n-triples")
	w.Write(text.Bytes())
}

func measureWorkers(ctx context.Context, o *options) error {
	if _, err := blobtest.Program(); err != nil {
		return err
	}
	os.Setenv("AWS_ACCESS_KEY_ID", blobtest.AccessKey)
	os.Setenv("AWS_SECRET_ACCESS_KEY", blobtest.SecretKey)
	fmt.Printf("each daemon: %d seeds of %d statements, %d downloads at once, each reply after %v\n", o.each, statements, o.downloads,
		o.latency)
	fmt.Printf("%8s %8s %9s %9s %9s %18s %16s %14s %16s %7s\n", "daemons", "seeds", "seconds", "seeds/s", "of linear", "database ms/seed",
		"daemon ms/seed", "store ms/seed", "RssAnon MiB each", "stolen")
	var alone float64
	for _, n := range o.workers {
		is, err := o.share(ctx, n)
		if err != nil {
			return err
		}
		if alone == 0 {
			alone = is.rate / float64(n)
		}
		fmt.Printf("%8d %8d %9.1f %9.1f %7.0f %% %18.2f %16.2f %14.2f %16.0f %5.1f %%\n", n, is.seeds, is.took.Seconds(), is.rate,
			100*is.rate/float64(n)/alone,
			is.perSeed(is.database), is.perSeed(is.daemons), is.perSeed(is.store), float64(is.most)/(1<<20), 100*is.stolen)
	}
	return nil
}

// shared is what came of daemons that shared a list.
type shared struct {
	seeds                    int
	took                     time.Duration // from the first request to the last seed that was washed
	rate                     float64       // seeds a second
	database, daemons, store time.Duration // of processors
	most                     int64         // anonymous memory of a daemon, in bytes
	stolen                   float64
}

// perSeed is a time in milliseconds a seed.
func (s *shared) perSeed(d time.Duration) float64 { return d.Seconds() * 1000 / float64(s.seeds) }

// share has n daemons wash a list together.
func (o *options) share(ctx context.Context, n int) (is shared, err error) {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	is.seeds = n * o.each
	server, err := o.startDatabase(fmt.Sprint("workers-", n))
	if err != nil {
		return is, err
	}
	defer server.Stop()
	store, err := blobtest.Start(filepath.Join(o.Folder, fmt.Sprint("store-", n)))
	if err != nil {
		return is, err
	}
	defer store.Stop()
	if err := store.Make("laundry"); err != nil {
		return is, err
	}
	web, err := startFarm(o.latency)
	if err != nil {
		return is, err
	}
	defer web.close()
	if err := o.addSeeds(ctx, server, web, is.seeds); err != nil {
		return is, err
	}
	database, stored := process.Time(server.id), process.Time(store.ID())
	usages, err := o.daemons(ctx, n, server, store)
	if err != nil {
		return is, err
	}
	is.database, is.store = process.Time(server.id)-database, process.Time(store.ID())-stored
	for _, u := range usages {
		is.daemons += u.User + u.System
		is.most, is.stolen = max(is.most, u.PeakAnonymous), max(is.stolen, u.StolenShare())
	}
	washed, err := server.number("SELECT count(*) FROM hot WHERE state = 9")
	if err != nil {
		return is, err
	}
	if int(washed) != is.seeds {
		return is, fmt.Errorf("%.0f of %d seeds were washed", washed, is.seeds)
	}
	if asked := web.asked.Load(); asked != int64(is.seeds) {
		return is, fmt.Errorf("%d requests for %d seeds", asked, is.seeds)
	}
	last, err := server.number("SELECT max(at) / 1e9 FROM changes WHERE became = 9")
	if err != nil {
		return is, err
	}
	is.took = time.Duration(last*1e9) - time.Duration(web.first.UnixNano())
	is.rate = float64(is.seeds) / is.took.Seconds()
	return is, nil
}

// addSeeds fills the list.
func (o *options) addSeeds(ctx context.Context, server *database, web *farm, n int) error {
	list, err := postgres.Open(ctx, server.Address, seedlist.Options{})
	if err != nil {
		return err
	}
	defer list.Close()
	var seeds []seedlist.NewSeed
	for i := range n {
		seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://%s/%d.nt", web.names[i%len(web.names)], i)})
	}
	_, err = list.Add(ctx, seeds)
	return err
}

// daemons runs n daemons until nothing is left to do.
func (o *options) daemons(ctx context.Context, n int, server *database, store *blobtest.Gateway) ([]process.Usage, error) {
	usages, errs := make([]process.Usage, n), make(chan error, n)
	for i := range n {
		go func() {
			command := exec.CommandContext(ctx, o.Program, "serve", "--until-idle", "--quiet", "--listen", "127.0.0.1:0", "--allow-private",
				"--ignore-robots",
				"--host-connections", "64", "--host-delay", "0s", "--workers-downloading", strconv.Itoa(o.downloads),
				"--store", server.Address, "--blobs", "s3://laundry?endpoint="+store.Endpoint, "--data",
				filepath.Join(o.Folder, fmt.Sprintf("data-%d-%d", n, i)))
			var said bytes.Buffer
			command.Stdout, command.Stderr = &said, &said
			var err error
			if usages[i], err = process.Run(command); err != nil {
				err = fmt.Errorf("laundromat serve: %w: %s", err, said.Bytes())
			}
			errs <- err
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			return nil, err
		}
	}
	return usages, nil
}
