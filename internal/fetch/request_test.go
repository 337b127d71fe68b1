package fetch_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
)

// flaky is a document whose replies break off after some bytes each.
type flaky struct {
	body      string
	tag, date string
	cuts      []int // bytes of each reply; -1: 503; beyond the last: all
	ranges    bool  // Range is understood
	silent    bool  // it falls silent in place of ending
	asked     []string
	change    func(*flaky) // called after the first reply
}

func (f *flaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.asked = append(f.asked, strings.TrimSpace(r.Header.Get("Range")+" "+r.Header.Get("If-Range")))
	n := len(f.asked) - 1
	defer func() {
		if n == 0 && f.change != nil {
			f.change(f)
		}
	}()
	cut := len(f.body)
	if n < len(f.cuts) {
		cut = f.cuts[n]
	}
	if cut < 0 {
		w.WriteHeader(503)
		return
	}
	from := 0
	w.Header().Set("Content-Type", "text/turtle")
	if f.tag != "" {
		w.Header().Set("ETag", f.tag)
	}
	if f.date != "" {
		w.Header().Set("Last-Modified", f.date)
	}
	if given := r.Header.Get("If-Range"); f.ranges && given != "" && (given == f.tag || given == f.date) {
		fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
		if from >= len(f.body) {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", len(f.body)))
			w.WriteHeader(416)
			return
		}
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(f.body)-1, len(f.body)))
		w.Header()["Content-Type"] = nil // it may be left out
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(f.body)-from))
	if from > 0 {
		w.WriteHeader(206)
	}
	w.Write([]byte(f.body[from : from+min(cut, len(f.body)-from)]))
	if cut < len(f.body)-from {
		w.(http.Flusher).Flush()
		if f.silent {
			<-r.Context().Done()
		}
		panic(http.ErrAbortHandler)
	}
}

func TestABodyThatBreaksOffIsGoneOnWith(t *testing.T) {
	const body = "0123456789abcdefghijklmnopqrstuvwxyz"
	const date = "Mon, 01 Jan 2024 00:00:00 GMT"
	for _, c := range []struct {
		name      string
		server    flaky
		keepShort bool
		want      string
		asked     string
		code      fault.Code // of the error, or of the notice
		part      int64
	}{
		{"by tag", flaky{tag: `"a"`, ranges: true, cuts: []int{10, 5}}, true, body, `; bytes=10- "a"; bytes=15- "a"`, "", 0},
		{"by date", flaky{date: date, ranges: true, cuts: []int{10}}, true, body, "; bytes=10- " + date, "", 0},
		{"after a silence", flaky{tag: `"a"`, ranges: true, cuts: []int{10}, silent: true}, true, body, `; bytes=10- "a"`, "", 0},
		{"no ranges: from the beginning", flaky{tag: `"a"`, cuts: []int{10}}, true, body, `; bytes=10- "a"`, "", 0},
		{"changed meanwhile", flaky{tag: `"a"`, ranges: true, cuts: []int{10}, change: func(f *flaky) { f.tag, f.body = `"b"`, "other" }},
			true, "other", `; bytes=10- "a"`, "", 0},
		{"weak tag", flaky{tag: `W/"a"`, ranges: true, cuts: []int{10}}, true, body[:10], "", fault.HTTPShortBody, 0},
		{"no validator, to be tried again", flaky{ranges: true, cuts: []int{10}}, false, body[:10], "", fault.TransportConnectionReset, 0},
		{"no validator, for the last time", flaky{ranges: true, cuts: []int{10}}, true, body[:10], "", fault.HTTPShortBody, 0},
		{"never whole, to be tried again", flaky{tag: `"a"`, ranges: true, cuts: []int{1, 1, 1, 1, 1, 1}}, false, body[:6],
			`; bytes=1- "a"; bytes=2- "a"; bytes=3- "a"; bytes=4- "a"; bytes=5- "a"`, fault.TransportConnectionReset, 6},
		{"never whole, for the last time", flaky{tag: `"a"`, ranges: true, cuts: []int{1, 1, 1, 1, 1, 1}}, true, body[:6],
			`; bytes=1- "a"; bytes=2- "a"; bytes=3- "a"; bytes=4- "a"; bytes=5- "a"`, fault.HTTPShortBody, 0},
		{"trouble, to be tried again", flaky{tag: `"a"`, ranges: true, cuts: []int{10, -1}}, false, body[:10], `; bytes=10- "a"`,
			fault.HTTPStatus, 10},
		{"trouble, for the last time", flaky{tag: `"a"`, ranges: true, cuts: []int{10, -1}}, true, body[:10], `; bytes=10- "a"`,
			fault.HTTPShortBody, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.server.body == "" {
				c.server.body = body
			}
			o := open()
			o.ResumePause = time.Millisecond
			if c.server.silent {
				o.IdleTimeout = 500 * time.Millisecond
			}
			url := serve(t, c.server.ServeHTTP)
			f := fetch.New(o)
			defer f.Close()
			var got bytes.Buffer
			r, err := f.Do(context.Background(), fetch.Request{URI: url, KeepShort: c.keepShort,
				Restart: func() error { got.Reset(); return nil }}, &got)
			code := fault.CodeOf(err)
			if len(r.Notices) > 0 {
				code = r.Notices[0].Code
			}
			if got.String() != c.want || r.Bytes != int64(len(c.want)) || code != c.code || strings.Join(c.server.asked, "; ") != c.asked {
				t.Errorf("%q (%d), asked %q, %q, error %v", got.String(), r.Bytes, c.server.asked, code, err)
			}
			if r.ContentType != "text/turtle" || len(r.Exchanges) != len(c.server.asked) {
				t.Errorf("type %q, %d exchanges", r.ContentType, len(r.Exchanges))
			}
			if (r.Part == nil) != (c.part == 0) || r.Part != nil && r.Part.Bytes != c.part {
				t.Fatalf("part %+v", r.Part)
			}
			if r.Part == nil {
				return
			}
			r, err = f.Do(context.Background(), fetch.Request{URI: url, Part: r.Part, Restart: func() error { got.Reset(); return nil }},
				&got)
			if err != nil || got.String() != body || r.Bytes != int64(len(body)) || r.ContentType != "text/turtle" {
				t.Errorf("another fetch: %q (%d, %s), error %v", got.String(), r.Bytes, r.ContentType, err)
			}
		})
	}
}

func TestWhatCannotBeEmptiedIsNoPartOfAnother(t *testing.T) {
	server := flaky{body: "0123456789", tag: `"a"`, ranges: true, cuts: []int{4}}
	url := serve(t, server.ServeHTTP)
	r, body, err := get(t, open(), url)
	if err != nil || body != "0123" || len(r.Notices) != 1 || len(server.asked) != 1 {
		t.Errorf("%q, asked %q, error %v", body, server.asked, err)
	}
	broken := errors.New("no")
	f := fetch.New(fetch.Options{AllowPrivate: true, IgnoreRobots: true, ResumePause: time.Millisecond})
	defer f.Close()
	other := flaky{body: "0123456789", tag: `"a"`, cuts: []int{4}}
	url = serve(t, other.ServeHTTP)
	if _, err := f.Do(context.Background(), fetch.Request{URI: url, Restart: func() error { return broken }},
		new(bytes.Buffer)); fault.KindOf(err) != fault.Local || !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func TestOnlyWhatChangedComes(t *testing.T) {
	var asked []string
	tag := `W/"1"`
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path+" "+r.Header.Get("If-None-Match")+" "+r.Header.Get("If-Modified-Since"))
		if r.URL.Path == "/a" {
			http.Redirect(w, r, "/b", http.StatusFound)
			return
		}
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(304)
			return
		}
		w.Write([]byte("data"))
	})
	f := fetch.New(open())
	defer f.Close()
	do := func(known *fetch.Validators) (*fetch.Result, string) {
		var got bytes.Buffer
		r, err := f.Do(context.Background(), fetch.Request{URI: url + "/a", Known: known}, &got)
		if err != nil {
			t.Fatal(err)
		}
		return r, got.String()
	}
	known := &fetch.Validators{URI: url + "/b", ETag: tag, LastModified: "Mon, 01 Jan 2024 00:00:00 GMT"}
	if r, body := do(known); !r.NotModified || body != "" || r.Exchanges[1].Status != 304 ||
		r.Exchanges[1].Conditions["if-none-match"] != tag {
		t.Errorf("%+v %q", r, body)
	}
	if r, body := do(&fetch.Validators{URI: url + "/elsewhere", ETag: tag}); r.NotModified || body != "data" ||
		r.Exchanges[1].Conditions != nil {
		t.Errorf("%+v %q", r, body)
	}
	tag = `"2"`
	if r, body := do(known); r.NotModified || body != "data" {
		t.Errorf("%+v %q", r, body)
	}
	want := `/a  , /b W/"1" Mon, 01 Jan 2024 00:00:00 GMT, /a  , /b  , /a  , /b W/"1" Mon, 01 Jan 2024 00:00:00 GMT`
	if got := strings.Join(asked, ", "); got != want {
		t.Errorf("asked %s", got)
	}
}

func TestABodyThatTricklesIsGivenUp(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for range 200 {
			if _, err := w.Write([]byte("x")); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	o := open()
	o.IdleTimeout, o.LeastSpeed = 200*time.Millisecond, 10_000
	if _, body, err := get(t, o, url); fault.CodeOf(err) != fault.TransportTooSlow || fault.KindOf(err) != fault.Remote || len(body) < 5 {
		t.Errorf("%d bytes, error %v", len(body), err)
	}
	o.LeastSpeed = 10
	ctx, cancel := context.WithTimeout(context.Background(), 800*time.Millisecond)
	defer cancel()
	f := fetch.New(o)
	defer f.Close()
	if _, err := f.Get(ctx, url, new(bytes.Buffer)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("one that keeps the least speed: error %v", err)
	}
}
