package web_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/web"
)

// A diff of repairs is sent as a file that no browser runs, of so many bytes of the document at most, and what can't be
// made is a problem with its reason. One that breaks off has no sound end.
func TestRepairsAreAFileOrAProblem(t *testing.T) {
	const diff = "# x: 1 of 1 repairs\n--- x\n+++ x\n@@ -1,1 +1,1 @@\n-\xeb\n+\xec\n"
	for name, c := range map[string]struct {
		isSocket   bool
		write      string
		err        error
		status     int
		says       string
		isBroken   bool
		mostOfText int64
	}{
		"a diff":         {write: diff, status: 200, says: diff, mostOfText: 64 << 20},
		"without bounds": {isSocket: true, write: diff, status: 200, says: diff},
		"nothing":        {status: 404, says: "nothing in http://e.example/a/b%20c.ttl was repaired", mostOfText: 64 << 20},
		"no RDF": {err: fault.New("x", fault.Data, fault.FormatNotRDF, "not RDF: CSV"), status: 404, says: "can be shown: not RDF: CSV",
			mostOfText: 64 << 20},
		"too long": {err: fault.New("x", fault.Limit, fault.LimitMemory, "it is too long"), status: 422,
			says: "it is too long; \\\"laundromat get --dirty ", mostOfText: 64 << 20},
		"a full disk":   {err: fault.New("x", fault.Local, fault.LocalDisk, "no room"), status: 500, says: "no room", mostOfText: 64 << 20},
		"one cut short": {write: diff, err: errors.New("later"), isBroken: true, mostOfText: 64 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			var most atomic.Int64 // a connection that breaks off orders nothing
			h := newHouse(t, c.isSocket, func(_ *house, o *web.Options) {
				o.Repairs = func(_ context.Context, _ seedlist.Seed, name string, bound int64, to io.Writer) error {
					if most.Store(bound); name != "http://e.example/a/b%20c.ttl" {
						t.Errorf("it is named %q", name)
					}
					if c.write != "" {
						io.WriteString(to, c.write)
					}
					return c.err
				}
			})
			seed := h.washed("http://e.example/a/b%20c.ttl", "dirty", "clean\n")
			reply, err := http.Get(h.api.URL + "/api/v1/seeds/" + seed.Hash + "/repairs")
			var body []byte
			if err == nil {
				defer reply.Body.Close()
				body, err = io.ReadAll(reply.Body)
			}
			if (err != nil) != c.isBroken || most.Load() != c.mostOfText {
				t.Fatalf("%v, of %d bytes: %q", err, most.Load(), body)
			}
			if c.isBroken {
				return
			}
			if reply.StatusCode != c.status || !strings.Contains(string(body), c.says) {
				t.Errorf("%d %s", reply.StatusCode, body)
			}
			head := reply.Header
			if c.status == 200 && (head.Get("Content-Type") != "text/x-diff" || head.Get("X-Content-Type-Options") != "nosniff" ||
				head.Get("Content-Disposition") != `attachment; filename="b_c.ttl.diff"`) {
				t.Errorf("%v", head)
			}
		})
	}
}

// Where the record says that there are no bytes, nobody looks for them.
func TestRepairsOfWhatIsNotStoredAreNotMade(t *testing.T) {
	h := newHouse(t, true, func(_ *house, o *web.Options) {
		o.Repairs = func(context.Context, seedlist.Seed, string, int64, io.Writer) error {
			t.Error("it is read")
			return nil
		}
	})
	washed := h.washed("http://e.example/x", "dirty", "clean\n")
	if _, err := h.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: "http://e.example/later"}}); err != nil {
		t.Fatal(err)
	}
	for hash, says := range map[string]string{
		nowhere: "no seed has the hash", washed.Clean: "is a clean file: name the document",
		seedlist.Key("http://e.example/later"): "came yet: it is waiting to be downloaded",
	} {
		reply, body := h.ask("GET", "/api/v1/seeds/"+hash+"/repairs", "")
		if reply.StatusCode != 404 || !strings.Contains(body, says) {
			t.Errorf("%d %s", reply.StatusCode, body)
		}
	}
}

// Who reads slowly holds nobody up: what is being made is bounded, and what is being sent is not.
func TestADiffThatIsBeingSentHoldsNoOtherUp(t *testing.T) {
	const slow = 8
	begun, goOn := make(chan struct{}, slow), make(chan struct{})
	h := newHouse(t, false, func(_ *house, o *web.Options) {
		o.Repairs = func(ctx context.Context, _ seedlist.Seed, _ string, _ int64, to io.Writer) error {
			io.WriteString(to, "# x: 1 of 1 repairs\n")
			begun <- struct{}{}
			select {
			case <-goOn:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
	seed := h.washed("http://e.example/x", "dirty", "clean\n")
	var all sync.WaitGroup
	for range slow {
		all.Go(func() {
			if reply, err := http.Get(h.api.URL + "/api/v1/seeds/" + seed.Hash + "/repairs"); err != nil || reply.StatusCode != 200 {
				t.Error(reply, err)
			} else {
				reply.Body.Close()
			}
		})
	}
	for range slow {
		<-begun
	}
	close(goOn)
	all.Wait()
}

// A document leads to its repairs where they can be made.
func TestOnlyDocumentsWithRepairsLeadToThem(t *testing.T) {
	repaired := map[fault.Code]int64{fault.IRISpace: 1}
	for name, c := range map[string]struct {
		record seedlist.Record
		want   bool
	}{
		"repaired": {seedlist.Record{Content: &digest.Content{}, Statements: &digest.Statements{}, Notices: repaired}, true},
		"asked for": {seedlist.Record{Content: &digest.Content{}, Statements: &digest.Statements{},
			Notices: map[fault.Code]int64{fault.LiteralMojibakeMended: 1}}, true},
		"no RDF": {seedlist.Record{Content: &digest.Content{}, Notices: repaired}, false},
		"sound": {seedlist.Record{Content: &digest.Content{}, Statements: &digest.Statements{},
			Notices: map[fault.Code]int64{fault.LiteralIllTyped: 1}}, false},
		"bytes removed": {seedlist.Record{Content: &digest.Content{}, Statements: &digest.Statements{}, Notices: repaired,
			Stock: seedlist.Stock{Removed: seedlist.Removed{Dirty: &seedlist.Removal{}}}}, false},
		"too long": {seedlist.Record{Content: &digest.Content{}, Statements: &digest.Statements{}, Notices: repaired,
			Text: &digest.Text{NumberOfBytes: 64<<20 + 1}}, false},
	} {
		if got := web.HasRepairs(&seedlist.Seed{Record: c.record}); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
