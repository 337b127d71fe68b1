package fetch_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
)

// raw is a server that answers each connection with bytes, and ends it.
func raw(t *testing.T, answer func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer c.Close()
				answer(c)
			})
		}
	})
	t.Cleanup(func() { l.Close(); all.Wait() })
	return l.Addr().String()
}

// says answers a request with text.
func says(text string) func(net.Conn) {
	return func(c net.Conn) {
		http.ReadRequest(bufio.NewReader(c))
		io.WriteString(c, text)
	}
}

// reset ends a connection with a reset.
func reset(c net.Conn) { c.(*net.TCPConn).SetLinger(0) }

// open is what tests of this machine's servers need; short waits keep them quick.
func open() fetch.Options {
	return fetch.Options{
		UserAgent: "Laundromat/1 (+https://example.org/)", AllowPrivate: true, IgnoreRobots: true,
		ConnectTimeout: 5 * time.Second, HeaderTimeout: 5 * time.Second, IdleTimeout: 5 * time.Second,
	}
}

func get(t *testing.T, o fetch.Options, uri string) (*fetch.Result, string, error) {
	t.Helper()
	f := fetch.New(o)
	defer f.Close()
	var body bytes.Buffer
	r, err := f.Get(context.Background(), uri, &body)
	if r == nil {
		t.Fatal("no result")
	}
	return r, body.String(), err
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func TestADocumentComesAsItIsWithItsStory(t *testing.T) {
	var got *http.Request
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Clone(context.Background())
		w.Header().Set("Content-Type", "text/turtle; charset=utf-8")
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Set-Cookie", "id=secret")
		w.Header().Add("Link", "<a>; rel=x")
		w.Header().Add("Link", "<b>; rel=y")
		io.WriteString(w, "\x1F\x8Bnot unpacked")
	})
	r, body, err := get(t, open(), url+"/data.ttl?q=1#frag")
	if err != nil || body != "\x1F\x8Bnot unpacked" || r.Bytes != int64(len(body)) {
		t.Fatalf("body %q (%d bytes), error %v", body, r.Bytes, err)
	}
	if r.ContentType != "text/turtle; charset=utf-8" || r.FinalURI != url+"/data.ttl?q=1" || len(r.Notices) != 0 {
		t.Errorf("result %+v", r)
	}
	if got.UserAgent() != open().UserAgent || got.RequestURI != "/data.ttl?q=1" || got.Header.Get("Accept-Encoding") != "identity" ||
		!strings.HasPrefix(got.Header.Get("Accept"), "application/n-quads, ") || got.Header.Get("Authorization") != "" {
		t.Errorf("request %q, headers %v", got.RequestURI, got.Header)
	}
	if len(r.Exchanges) != 1 {
		t.Fatalf("%d exchanges", len(r.Exchanges))
	}
	e := r.Exchanges[0]
	if e.URI != url+"/data.ttl?q=1#frag" || e.Status != 200 || *e.Version != (fetch.Version{Major: 1, Minor: 1}) || e.Error != "" ||
		e.Walltime <= 0 || time.Since(e.Time) > time.Minute || e.Time.Location() != time.UTC {
		t.Errorf("exchange %+v", e)
	}
	if fmt.Sprint(e.Headers["link"]) != "[<a>; rel=x <b>; rel=y]" || e.Headers["set-cookie"] != nil ||
		e.Headers["content-encoding"] == nil {
		t.Errorf("headers %v", e.Headers)
	}
	text, _ := json.Marshal(e)
	for _, key := range []string{`"uri":`, `"time":`, `"status":200`, `"version":{"major":1,"minor":1}`, `"headers":{`, `"walltime":`} {
		if !strings.Contains(string(text), key) {
			t.Errorf("%s has no %s", text, key)
		}
	}
}

func TestRedirectsAreFollowedAndRecorded(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/id":
			w.Header().Set("Location", "doc/a b")
			w.WriteHeader(http.StatusSeeOther)
		case "/doc/a b":
			w.Header().Set("Location", "/é")
			w.WriteHeader(http.StatusMovedPermanently)
		default:
			io.WriteString(w, r.RequestURI)
		}
	})
	r, body, err := get(t, open(), url+"/id")
	if err != nil || body != "/%C3%A9" || r.FinalURI != url+"/%C3%A9" || len(r.Exchanges) != 3 {
		t.Fatalf("body %q, final %s, %d exchanges, error %v", body, r.FinalURI, len(r.Exchanges), err)
	}
	for i, want := range []int{303, 301, 200} {
		if r.Exchanges[i].Status != want {
			t.Errorf("exchange %d: status %d, want %d", i, r.Exchanges[i].Status, want)
		}
	}
	if r.Exchanges[0].Headers["location"][0] != "doc/a b" || r.Exchanges[1].URI != url+"/doc/a%20b" {
		t.Errorf("exchanges %+v", r.Exchanges)
	}
}

func TestURIsAreAskedAsTheyAreGiven(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.RequestURI) })
	for given, want := range map[string]string{
		"":                      "/",
		"/":                     "/",
		"/%7Euser/%41%2f":       "/%7Euser/%41%2f",
		"/a b/\"c\"/{d}|e^f`\\": "/a%20b/%22c%22/%7Bd%7D%7Ce%5Ef%60%5C",
		"/100%/%zz":             "/100%25/%25zz",
		"/ä?ö=ü":                "/%C3%A4?%C3%B6=%C3%BC",
		"/a/../b/./c":           "/a/../b/./c",
		"/a//b?x=?&y=/%20+":     "/a//b?x=?&y=/%20+",
		"//twice":               "//twice",
		"/a;p=1,2(3)!*'@:$":     "/a;p=1,2(3)!*'@:$",
	} {
		_, body, err := get(t, open(), url+given)
		if err != nil || body != want {
			t.Errorf("%q was asked as %q, want %q; error %v", given, body, want, err)
		}
	}
}

func TestCredentialsAreUsedAndShownNowhere(t *testing.T) {
	var user, password string
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		user, password, _ = r.BasicAuth()
		switch r.URL.Path {
		case "/a":
			w.Header().Set("Location", strings.Replace("http://me:s3cret@"+r.Host+"/b", "", "", 1))
			w.Header().Set("WWW-Authenticate", "Basic s3cret")
			w.WriteHeader(http.StatusFound)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	r, _, err := get(t, open(), strings.Replace(url, "http://", "http://me:s3cret@", 1)+"/a")
	if user != "me" || password != "s3cret" {
		t.Errorf("the server saw %q, %q", user, password)
	}
	text, _ := json.Marshal(r)
	if strings.Contains(string(text), "s3cret") || strings.Contains(fmt.Sprintf("%v %+v", err, err), "s3cret") {
		t.Errorf("the password is shown: %s, %v", text, err)
	}
	if !strings.Contains(r.Exchanges[0].URI, "http://***@127") || strings.Contains(r.FinalURI, "@") {
		t.Errorf("exchange %s, final %s", r.Exchanges[0].URI, r.FinalURI)
	}
	_, _, err = get(t, open(), "http://me:s3c/ret@example.org/")
	if err == nil || strings.Contains(err.Error(), "s3c") {
		t.Errorf("error %v", err)
	}
}

func TestHeadersAreKeptUpToALimit(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for i := range 30 {
			w.Header().Set(fmt.Sprintf("X-%02d", i), strings.Repeat("x", 4000))
		}
		w.Header().Set("A", "\xE9")
	})
	r, _, err := get(t, open(), url)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for name, values := range r.Exchanges[0].Headers {
		for _, v := range values {
			n += len(name) + len(v)
		}
	}
	if n > 64<<10 || n < 50<<10 || r.Exchanges[0].Headers["a"][0] != "\uFFFD" {
		t.Errorf("%d bytes of headers", n)
	}
}

func TestShortBodiesAreKeptWithANotice(t *testing.T) {
	for name, answer := range map[string]func(net.Conn){
		"content-length": says("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nseven b"),
		"chunked":        says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\nseven b\r\n"),
		"chunked inside": says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n70\r\nseven b"),
	} {
		r, body, err := get(t, open(), "http://"+raw(t, answer)+"/")
		if err != nil || body != "seven b" || len(r.Notices) != 1 {
			t.Errorf("%s: body %q, notices %v, error %v", name, body, r.Notices, err)
			continue
		}
		n := r.Notices[0]
		if n.Code != fault.HTTPShortBody || n.Severity != fault.Drop || n.Lost != 1 || !strings.Contains(n.Message, "after 7 ") {
			t.Errorf("%s: notice %+v", name, n)
		}
	}
	// A reset after part of the body; the reader must have seen that part first.
	read := make(chan struct{})
	addr := raw(t, func(c net.Conn) {
		says("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nseven b")(c)
		<-read
		reset(c)
	})
	f := fetch.New(open())
	defer f.Close()
	var once sync.Once
	w := writer(func(p []byte) (int, error) { once.Do(func() { close(read) }); return len(p), nil })
	r, err := f.Get(context.Background(), "http://"+addr+"/", w)
	if err != nil || r.Bytes != 7 || len(r.Notices) != 1 {
		t.Errorf("reset: %d bytes, notices %v, error %v", r.Bytes, r.Notices, err)
	}
	// A transport that ends a body early without a word.
	o := open()
	o.Transport = round(func(q *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, ContentLength: 10, Body: io.NopCloser(strings.NewReader("abc")), Request: q}, nil
	})
	if r, body, err := get(t, o, "http://example.org/"); err != nil || body != "abc" || len(r.Notices) != 1 {
		t.Errorf("transport: body %q, notices %v, error %v", body, r.Notices, err)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

type round func(*http.Request) (*http.Response, error)

func (f round) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestOurDiskIsNotTheServersFault(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "body") })
	f := fetch.New(open())
	defer f.Close()
	for _, w := range []writer{
		func(p []byte) (int, error) { return 0, syscall.ENOSPC },
		func(p []byte) (int, error) { return 1, nil },
	} {
		if _, err := f.Get(context.Background(), url, w); fault.KindOf(err) != fault.Local {
			t.Errorf("error %v, kind %v", err, fault.KindOf(err))
		}
	}
}

func TestStoppedWorkIsNobodysFault(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	f := fetch.New(open())
	defer f.Close()
	hold := make(chan struct{})
	defer close(hold)
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			io.WriteString(w, "some")
			w.(http.Flusher).Flush()
		}
		cancel()
		select {
		case <-r.Context().Done():
		case <-hold:
		}
	})
	for _, path := range []string{"/headers", "/body", "/before"} {
		_, err := f.Get(ctx, url+path, io.Discard)
		if fault.KindOf(err) != fault.Stopped || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, kind %v", path, err, fault.KindOf(err))
		}
		if path == "/headers" {
			ctx, cancel = context.WithCancel(context.Background())
		}
	}
	cancel()
}

func TestTheBeginningOfAFailureIsKept(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		io.WriteString(w, "Oops \x00\xFF"+strings.Repeat("é", 5000))
	})
	r, body, err := get(t, open(), url)
	if body != "" || err == nil || !strings.HasPrefix(r.SourceText, "Oops \uFFFDéé") || len([]rune(r.SourceText)) != 1000 {
		t.Errorf("body %q, error %v, source text of %d characters: %.20q", body, err, len([]rune(r.SourceText)), r.SourceText)
	}
}

func TestTooLongBodiesAreALimit(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/chunked" {
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, strings.Repeat("x", 101))
	})
	for _, path := range []string{"/length", "/chunked"} {
		o := open()
		o.MaxBytes = 100
		if _, _, err := get(t, o, url+path); fault.KindOf(err) != fault.Limit || fault.CodeOf(err) != fault.LimitBytes {
			t.Errorf("%s: error %v", path, err)
		}
		o.MaxBytes = 101
		if _, body, err := get(t, o, url+path); err != nil || len(body) != 101 {
			t.Errorf("%s, just enough: %d bytes, error %v", path, len(body), err)
		}
	}
}
