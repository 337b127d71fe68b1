package fetch_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/internal/fetch"
)

// bodies answers each request with as many bytes as its path has letters, times 64 KiB, at once.
type bodies struct{}

func (bodies) RoundTrip(r *http.Request) (*http.Response, error) {
	n := int64(len(r.URL.Path)-1) << 16
	return &http.Response{
		StatusCode: 200, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, ContentLength: n, Request: r,
		Body: io.NopCloser(io.LimitReader(zeros{}, n)),
	}, nil
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// counter counts what is written to it.
type counter struct{ n atomic.Int64 }

func (c *counter) Write(p []byte) (int, error) { c.n.Add(int64(len(p))); return len(p), nil }

// All downloads together keep to the bandwidth, whatever it is and however many they are, and use all of it.
func TestAllDownloadsTogetherKeepToTheBandwidth(t *testing.T) {
	for _, c := range []struct {
		rate  int64
		paths string
	}{
		{1 << 10, "a"}, {1 << 10, "a a a a a a a a a a"}, {10000, "aa aaa aaaa"}, {1 << 16, "aaaa"}, {1 << 16, "aaaa aaaa aaaa aaaa"},
		{1 << 20, "aaaaaaaa aaaaaaaa a a a"}, {1 << 20, strings.Repeat("aa ", 64)}, {1 << 30, "aaaaaaaaaaaaaaaa"}, {12345, "a aaaaaaaa"},
		{2 << 20, strings.Repeat("a ", 500)},
	} {
		synctest.Test(t, func(t *testing.T) {
			shared := &fetch.Bandwidth{}
			shared.Set(c.rate)
			f := fetch.New(fetch.Options{Transport: bodies{}, IgnoreRobots: true, Bandwidth: shared})
			defer f.Close()
			var all sync.WaitGroup
			var came counter
			begun := time.Now()
			for _, path := range strings.Fields(c.paths) {
				all.Go(func() {
					if _, err := f.Get(t.Context(), "http://example.org/"+path, &came); err != nil {
						t.Errorf("%d, %s: %v", c.rate, path, err)
					}
				})
			}
			all.Wait()
			want := time.Duration(float64(came.n.Load()) / float64(c.rate) * float64(time.Second))
			if took := time.Since(begun); took < want-time.Millisecond || took > want+want/50+time.Millisecond {
				t.Errorf("%d bytes at %d per second took %v, want %v", came.n.Load(), c.rate, took, want)
			}
		})
	}
}

// Each gets an equal part, whenever it began; what one leaves is for the others.
func TestDownloadsShareTheBandwidthInEqualParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := &fetch.Bandwidth{}
		shared.Set(1 << 16)
		f := fetch.New(fetch.Options{Transport: bodies{}, IgnoreRobots: true, Bandwidth: shared})
		defer f.Close()
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		came := make([]counter, 4)
		for i := range came {
			all.Go(func() { f.Get(ctx, "http://example.org/"+strings.Repeat("a", 1000), &came[i]) })
			time.Sleep(time.Second)
		}
		var before [4]int64
		for i := range came {
			before[i] = came[i].n.Load()
		}
		time.Sleep(100 * time.Second)
		for i := range came {
			if part := came[i].n.Load() - before[i]; part < 24<<16 || part > 26<<16 {
				t.Errorf("%d got %d bytes in 100 s", i, part)
			}
		}
		// With another bandwidth they go on at once, and end with their contexts.
		shared.Set(1 << 20)
		was := came[0].n.Load()
		time.Sleep(16 * time.Second)
		if part := came[0].n.Load() - was; part < 60<<16 || part > 68<<16 {
			t.Errorf("%d bytes at four times the rate", part)
		}
		shared.Set(1)
		time.Sleep(time.Minute)
		ended := time.Now()
		cancel()
		all.Wait()
		if late := time.Since(ended); late > time.Millisecond {
			t.Errorf("they ended %v after they were stopped", late)
		}
	})
}

// Who waits for bandwidth is not taken for a server that is slow; one that is slow is found as ever.
func TestABandwidthMakesNoServerSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := &fetch.Bandwidth{}
		shared.Set(1 << 10)
		f := fetch.New(fetch.Options{Transport: bodies{}, IgnoreRobots: true, Bandwidth: shared, LeastSpeed: 1000,
			IdleTimeout: time.Second})
		defer f.Close()
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if _, err := f.Get(t.Context(), "http://example.org/a", io.Discard); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		slow := fetch.New(fetch.Options{Transport: drip{}, IgnoreRobots: true, Bandwidth: shared, LeastSpeed: 1000,
			IdleTimeout: 10 * time.Second})
		defer slow.Close()
		if _, err := slow.Get(t.Context(), "http://example.org/a", io.Discard); err == nil {
			t.Error("a server that is slow is waited for")
		}
		time.Sleep(2 * time.Second) // its goroutine ends
	})
}

// drip answers with a byte each second.
type drip struct{}

func (drip) RoundTrip(r *http.Request) (*http.Response, error) {
	in, out := io.Pipe()
	go func() {
		for {
			time.Sleep(time.Second)
			if _, err := out.Write([]byte("x")); err != nil {
				return
			}
			if err := r.Context().Err(); err != nil {
				out.CloseWithError(errors.Join(err, context.Cause(r.Context())))
				return
			}
		}
	}()
	return &http.Response{
		StatusCode: 200, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, ContentLength: -1, Request: r, Body: in,
	}, nil
}
