package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/seedlist"
	"laundromat/web"
)

// event is one of a stream.
type event struct{ name, id, data string }

// stream opens a stream of events; the function returned reads the next that has a name.
func (h *house) stream(query, last string) (next func() event) {
	h.t.Helper()
	ctx, cancel := context.WithCancel(h.t.Context())
	h.t.Cleanup(cancel)
	request, err := http.NewRequestWithContext(ctx, "GET", h.api.URL+"/api/v1/events"+query, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { reply.Body.Close() })
	if reply.StatusCode != 200 || reply.Header.Get("Content-Type") != "text/event-stream" {
		h.t.Fatal(reply.Status)
	}
	lines := bufio.NewScanner(reply.Body)
	lines.Buffer(nil, 1<<20)
	return func() (e event) {
		h.t.Helper()
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "event":
				e.name = value
			case "id":
				e.id = value
			case "data":
				e.data = value
			case "":
				if e.name != "" {
					return e
				}
			}
		}
		h.t.Fatalf("the stream ended: %v", lines.Err())
		return e
	}
}

// changesIn reads events until a seed is in a state, and returns what was told.
func changesIn(t *testing.T, next func() event, hash string, until seedlist.State) (told []web.SeedChange) {
	t.Helper()
	for last := uint64(0); ; {
		e := next()
		var changes web.Changes
		if err := json.Unmarshal([]byte(e.data), &changes); err != nil || e.name != "changes" || e.id != fmt.Sprint(changes.Revision) {
			t.Fatalf("%+v: %v", e, err)
		}
		for _, c := range changes.Changes {
			if c.Revision <= last || c.Revision > changes.Revision || c.Hash == "" {
				t.Fatalf("%+v after %d", c, last)
			}
			last = c.Revision
			told = append(told, c)
			if c.Hash == hash && c.To == until {
				return told
			}
		}
	}
}

func TestEventsTellWhatChanges(t *testing.T) {
	h := newHouse(t, false)
	before := h.washed("http://before.example/", "dirty", "before\n")
	next, failed, of := h.stream("", ""), h.stream("?state=failed", ""), h.stream("?host=B.example", "")
	a := h.washed("http://a.example/", "dirty", "clean\n")
	for _, c := range changesIn(t, next, a.Hash, seedlist.Parsed) {
		if c.Hash == before.Hash || c.Hash == a.Hash && c.URI != "http://a.example/" {
			t.Errorf("%+v", c)
		}
	}
	b := h.washed("http://b.example/", "dirty", "other\n")
	for _, c := range changesIn(t, of, b.Hash, seedlist.Parsed) {
		if c.Hash != b.Hash {
			t.Errorf("another host: %+v", c)
		}
	}
	if _, err := h.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: "http://c.example/"}}); err != nil {
		t.Fatal(err)
	}
	c, err := h.seeds.Claim(t.Context(), seedlist.Downloading, "test", 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.seeds.Complete(t.Context(), c[0], seedlist.Outcome{Next: seedlist.Failed, Update: func(r *seedlist.Record) {
		r.Error = &seedlist.Error{Stage: seedlist.Downloading, Code: "http/status"}
	}}); err != nil {
		t.Fatal(err)
	}
	told := changesIn(t, failed, c[0].Seed.Hash, seedlist.Failed)
	if len(told) != 1 || told[0].Error == nil || told[0].Error.Code != "http/status" {
		t.Errorf("%+v", told)
	}
	if _, err := h.seeds.Remove(t.Context(), a.Hash); err != nil {
		t.Fatal(err)
	}
	changesIn(t, next, a.Hash, "")
}

func TestAStreamGoesOnAfterTheLastEvent(t *testing.T) {
	h := newHouse(t, false)
	a := h.washed("http://a.example/", "dirty", "clean\n")
	changesIn(t, h.stream("", "0"), a.Hash, seedlist.Parsed)
	if told := changesIn(t, h.stream("?after=1", ""), a.Hash, seedlist.Parsed); told[0].From != seedlist.Added {
		t.Errorf("%+v", told)
	}
	for i := range 3 {
		var seeds []seedlist.NewSeed
		for j := range 900 {
			seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://many.example/%d/%d", i, j)})
		}
		if _, err := h.seeds.Add(t.Context(), seeds); err != nil {
			t.Fatal(err)
		}
	}
	present, err := h.seeds.Revision(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, last := range []string{"5", "99999999"} {
		e := h.stream("", last)()
		if e.name != "late" || e.id != fmt.Sprint(present) || !strings.Contains(e.data, "read the list again") {
			t.Errorf("%+v", e)
		}
	}
	if reply, _ := h.ask("GET", "/api/v1/events?after=x", ""); reply.StatusCode != 422 {
		t.Error(reply.Status)
	}
	if reply, _ := h.ask("GET", "/api/v1/events?colour=red", ""); reply.StatusCode != 400 {
		t.Error(reply.Status)
	}
}

func TestStreamsThatKeepUpAreToldTheSameAtMostFourTimesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, options := newStore(t, false)
		api := web.New(options)
		ctx, cancel := context.WithCancel(t.Context())
		var streams []*httptest.ResponseRecorder
		var ended sync.WaitGroup
		for _, query := range []string{"", "", "?state=added", "?state=added&host=", "?seed=" + seedlist.Key("http://a.example/7")} {
			w := httptest.NewRecorder()
			streams = append(streams, w)
			ended.Go(func() { api.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", "/api/v1/events"+query, nil)) })
		}
		synctest.Wait()
		const seconds, each = 3, 50
		for n := range seconds * each {
			if _, err := h.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: fmt.Sprint("http://a.example/", n)}}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second / each)
		}
		time.Sleep(time.Second)
		cancel()
		ended.Wait()
		first := streams[0].Body.String()
		if n, most := strings.Count(first, "event: changes"), 4*(seconds+1)+1; n < seconds || n > most {
			t.Errorf("%d events in %d s", n, seconds+1)
		}
		if n := strings.Count(first, `"uri":`); n != seconds*each {
			t.Errorf("%d of %d changes were told", n, seconds*each)
		}
		other := streams[len(streams)-1].Body.String()
		if n := strings.Count(other, `"uri":`); n != 1 {
			t.Errorf("of one seed %d changes were told", n)
		}
		for i, w := range streams[:len(streams)-1] {
			if w.Body.String() != first {
				t.Errorf("stream %d was told something else", i)
			}
		}
	})
}
