package daemon_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// cable is a network that can be unplugged.
type cable struct{ unplugged atomic.Bool }

func (c *cable) RoundTrip(request *http.Request) (*http.Response, error) {
	if c.unplugged.Load() {
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "i/o timeout", Name: request.URL.Hostname(), IsTimeout: true}}
	}
	request.URL.Host = request.URL.Query().Get("at")
	return http.DefaultTransport.RoundTrip(request)
}

func (c *cable) offline(context.Context) error {
	if c.unplugged.Load() {
		return errors.New("no name server answers")
	}
	return nil
}

// Without a network nothing fails and no try is counted; with it, all goes on by itself.
func TestWithoutANetworkDownloadsPause(t *testing.T) {
	var c cable
	c.unplugged.Store(true)
	w := newWorld(t, seedlist.Options{})
	w.fetch.Transport, w.fetch.Offline, w.fetch.IgnoreRobots = &c, c.offline, true
	at := strings.TrimPrefix(w.http.URL, "http://")
	var paths []string
	for i := range 10 {
		path := fmt.Sprintf("/%d.nt", i)
		w.serve(path, "application/n-triples", fmt.Sprintf("<http://e.test/s> <http://e.test/p> \"%d\" .\n", i))
		paths = append(paths, path+"?at="+at)
	}
	w.http.URL = "http://example.test"
	w.add(paths...)
	w.opt.UntilIdle = false
	ctx, cancel := context.WithCancel(t.Context())
	runner := w.runner()
	ended := make(chan struct{})
	go func() { defer close(ended); runner.Run(ctx, context.Background()) }()
	defer func() { cancel(); <-ended }()
	w.await("a pause", func() bool {
		pauses := runner.Pauses()
		return len(pauses) == 1 && pauses[0].Stage == seedlist.Downloading && fault.CodeOf(pauses[0].Why) == fault.LocalNetwork
	})
	time.Sleep(10 * w.opt.ProbeEvery)
	for _, path := range paths {
		if seed := w.seed(path); seed.Status != seedlist.Added && seed.Status != seedlist.Downloading || seed.Tries != 0 ||
			seed.Error != nil {
			t.Errorf("%s: %+v %+v", path, seed.Standing, seed.Error)
		}
	}
	c.unplugged.Store(false)
	w.await("the end", func() bool { return w.counts().States[seedlist.Parsed] == int64(len(paths)) })
	if pauses := runner.Pauses(); len(pauses) > 0 {
		t.Errorf("still paused: %v", pauses)
	}
}
