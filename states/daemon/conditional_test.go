package daemon_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"laundromat/seedlist"
)

// TestWhatTheServerSaysIsUnchangedIsNotSentAgain: the clean file stays, and what
// brought it stays in the record, since later stages read it there.
func TestWhatTheServerSaysIsUnchangedIsNotSentAgain(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	tag, sent := `"1"`, 0
	w.mux.Handle("/a", http.RedirectHandler("/x", http.StatusFound))
	w.mux.HandleFunc("/x", func(reply http.ResponseWriter, r *http.Request) {
		reply.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			reply.WriteHeader(304)
			return
		}
		sent++
		reply.Header().Set("Content-Type", "application/n-triples")
		reply.Write([]byte(nt(tag[1:2])))
	})
	w.add("/a")
	w.run()
	was := w.seed("/a")
	w.retry("/a")
	w.run()
	is := w.seed("/a")
	if sent != 1 || is.Clean != was.Clean || is.Status != seedlist.Parsed || !is.Retrieved.Equal(was.Retrieved) ||
		!is.Processed.After(was.Processed) || w.counts().Unchanged != 1 {
		t.Errorf("sent %d times: %+v", sent, is)
	}
	if len(is.HTTP) != 2 || is.HTTP[1].Status != 200 || is.HTTP[1].Headers["content-type"][0] != "application/n-triples" {
		t.Errorf("%+v", is.HTTP)
	}
	log := w.attempts(is.Hash)
	last := log[len(log)-1]
	if len(last.HTTP) != 2 || last.HTTP[1].Status != 304 || last.HTTP[1].Conditions["if-none-match"] != `"1"` ||
		last.Counts["not_modified"] != 1 || last.Counts["bytes"] != 0 {
		t.Errorf("%+v", last)
	}
	w.sound()

	tag = `"2"`
	w.retry("/a")
	w.run()
	if is = w.seed("/a"); sent != 2 || w.clean(is) != nt("2") {
		t.Errorf("sent %d times: %s", sent, w.clean(is))
	}
	// Another version of the washer needs the bytes, and asks for them without conditions.
	w.opt.Version = "2.0"
	w.retry("/a")
	w.run()
	if sent != 3 {
		t.Errorf("sent %d times", sent)
	}
	w.sound()
}

// TestTheSameBytesUnderAnotherNameAreWashedAgain: the base and the media type they
// come under decide what they say.
func TestTheSameBytesUnderAnotherNameAreWashedAgain(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	to := "/one/x.ttl"
	w.mux.HandleFunc("/a", func(reply http.ResponseWriter, r *http.Request) { http.Redirect(reply, r, to, http.StatusFound) })
	w.serve("/one/x.ttl", "text/turtle", "<x> <p> <y> .")
	w.serve("/two/x.ttl", "text/turtle", "<x> <p> <y> .")
	w.add("/a")
	w.run()
	to = "/two/x.ttl"
	w.retry("/a")
	w.run()
	if clean := w.clean(w.seed("/a")); !strings.Contains(clean, w.uri("/two/y")) || strings.Contains(clean, "/one/") {
		t.Error(clean)
	}
	w.sound()
}

// TestADownloadThatBrokeOffIsGoneOnWithInTheNextTry, and what a server no longer has
// is begun again.
func TestADownloadThatBrokeOffIsGoneOnWithInTheNextTry(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	whole := nt("one") + strings.Repeat(nt("two"), 1000)
	var mu sync.Mutex
	var asked []string
	served := 0
	w.mux.Handle("/a", http.RedirectHandler("/x", http.StatusFound))
	w.mux.HandleFunc("/x", func(reply http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.Header.Get("Range"))
		served++
		from := 0
		reply.Header().Set("ETag", `"1"`)
		if r.Header.Get("If-Range") == `"1"` {
			fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
			reply.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(whole)-1, len(whole)))
			reply.Header()["Content-Type"] = nil
		} else {
			reply.Header().Set("Content-Type", "application/n-triples")
		}
		reply.Header().Set("Content-Length", fmt.Sprint(len(whole)-from))
		switch served {
		case 1:
			reply.Write([]byte(whole[:1000]))
			reply.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case 2:
			reply.Header().Del("Content-Length")
			reply.Header().Del("Content-Range")
			reply.WriteHeader(503)
		default:
			reply.WriteHeader(206)
			reply.Write([]byte(whole[from:]))
		}
	})
	w.fetch.ResumePause = 1
	w.add("/a")
	w.run()
	seed := w.seed("/a")
	if seed.Status != seedlist.Parsed || len(seed.Notices) != 0 || seed.Content.NumberOfBytes != int64(len(whole)) ||
		strings.Join(asked, ",") != ",bytes=1000-,bytes=1000-" {
		t.Errorf("%s, %v, %+v, asked %q", seed.Status, seed.Notices, seed.Content, asked)
	}
	if got := w.story(seed.Hash); got != "downloading:http/status "+washed {
		t.Error(got)
	}
	if !strings.Contains(fmt.Sprint(seed.FormatEvidence), "application/n-triples") {
		t.Errorf("the media type of the beginning is lost: %v", seed.FormatEvidence)
	}
	w.sound()
}

// TestATryThatFailedCostsNoCondition: what was washed is still what it was.
func TestATryThatFailedCostsNoCondition(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	asked, sent := 0, 0
	w.mux.HandleFunc("/x", func(reply http.ResponseWriter, r *http.Request) {
		asked++
		reply.Header().Set("ETag", `"1"`)
		switch {
		case asked == 2:
			reply.WriteHeader(503)
		case r.Header.Get("If-None-Match") == `"1"`:
			reply.WriteHeader(304)
		default:
			sent++
			reply.Write([]byte(nt("one")))
		}
	})
	w.add("/x")
	w.run()
	w.retry("/x")
	w.run()
	if seed := w.seed("/x"); asked != 3 || sent != 1 || seed.Status != seedlist.Parsed || seed.Error != nil {
		t.Errorf("asked %d times, sent %d times: %s, %+v", asked, sent, seed.Status, seed.Error)
	}
	w.sound()
}
