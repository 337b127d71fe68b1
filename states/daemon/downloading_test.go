package daemon_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

const triple = "<http://example.org/s> <http://example.org/p> <http://example.org/o> .\n"

func TestEveryReplyOfARedirectChainIsRecorded(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.mux.Handle("/a", http.RedirectHandler("/b", http.StatusMovedPermanently))
	w.mux.Handle("/b", http.RedirectHandler("/c/d.ttl", http.StatusFound))
	w.serve("/c/d.ttl", "text/turtle", "<x> <p> <y> .")
	w.mux.Handle("/loop", http.RedirectHandler("/loop2", http.StatusFound))
	w.mux.Handle("/loop2", http.RedirectHandler("/loop", http.StatusFound))
	w.mux.HandleFunc("/many/", func(reply http.ResponseWriter, r *http.Request) {
		http.Redirect(reply, r, r.URL.Path+"x", http.StatusFound)
	})
	w.mux.Handle("/ftp", http.RedirectHandler("gopher://example.org/x", http.StatusFound))
	w.mux.HandleFunc("/nowhere", func(reply http.ResponseWriter, _ *http.Request) { reply.WriteHeader(http.StatusFound) })
	w.add("/a", "/loop", "/many/", "/ftp", "/nowhere")
	w.run()
	seed := w.seed("/a")
	var chain []string
	for _, e := range seed.HTTP {
		chain = append(chain, fmt.Sprintf("%s %d", strings.TrimPrefix(e.URI, w.http.URL), e.Status))
		if e.Walltime <= 0 || e.Version == nil || e.Time.IsZero() || e.Headers == nil {
			t.Errorf("%+v", e)
		}
	}
	if got := strings.Join(chain, ", "); got != "/a 301, /b 302, /c/d.ttl 200" || seed.Status != seedlist.Parsed {
		t.Errorf("%s: %s", seed.Status, got)
	}
	if clean := w.clean(seed); !strings.Contains(clean, w.uri("/c/y")) {
		t.Errorf("the base is not the last URI of the chain: %s", clean)
	}
	failedWith(t, w.seed("/loop"), seedlist.Downloading, "refused", "http/redirect-loop")
	failedWith(t, w.seed("/many/"), seedlist.Downloading, "refused", "http/too-many-redirects")
	failedWith(t, w.seed("/ftp"), seedlist.Downloading, "refused", "transport/unsupported-scheme")
	failedWith(t, w.seed("/nowhere"), seedlist.Downloading, "refused", "http/bad-redirect")
	if n := len(w.seed("/loop").HTTP); n != 2 {
		t.Errorf("%d replies of the loop", n)
	}
	w.sound()
}

func TestTheStatusDecidesWhetherToTryAgain(t *testing.T) {
	w := newWorld(t, seedlist.Options{Interval: time.Hour})
	again := map[int]bool{408: true, 425: true, 429: true, 500: true, 502: true, 503: true, 504: true, 599: true}
	statuses := []int{400, 401, 403, 404, 406, 408, 410, 418, 425, 429, 451, 500, 502, 503, 504, 599}
	for _, status := range statuses {
		path := fmt.Sprint("/", status)
		w.page(path, []byte("sorry, "+strings.Repeat("ü", 1200))).set(status, []byte("sorry, "+strings.Repeat("ü", 1200)))
		w.add(path)
	}
	w.run()
	for _, status := range statuses {
		seed := w.seed(fmt.Sprint("/", status))
		tries, kind := 1, "refused"
		if again[status] {
			tries, kind = 3, "remote"
		}
		failedWith(t, seed, seedlist.Downloading, kind, "http/status")
		attempts := w.attempts(seed.Hash)
		if len(attempts) != tries || seed.Tries != tries || seed.Fence != uint64(tries) {
			t.Errorf("%d: %d attempts, tries %d, fence %d, want %d", status, len(attempts), seed.Tries, seed.Fence, tries)
		}
		for i, a := range attempts {
			if a.Tries != i+1 || a.Kind != kind || a.Result != "http/status" || len([]rune(a.SourceText)) != 1000 ||
				!strings.HasPrefix(a.SourceText, "sorry, ü") {
				t.Errorf("%d: %+v", status, a)
			}
		}
		if due := time.Until(seed.Due); due < 50*time.Minute || due > time.Hour {
			t.Errorf("%d: due in %v", status, due)
		}
		if len(seed.HTTP) != 1 || seed.HTTP[0].Status != status {
			t.Errorf("%d: %+v", status, seed.HTTP)
		}
	}
	w.sound()
}

func TestBrokenConnectionsAreTriedAgain(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.fetch.HeaderTimeout, w.fetch.IdleTimeout = 50*time.Millisecond, 50*time.Millisecond
	hijack := func(path, say string, reset bool) {
		w.mux.HandleFunc(path, func(reply http.ResponseWriter, _ *http.Request) {
			connection, _, err := reply.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			io.WriteString(connection, say)
			if reset {
				connection.(*net.TCPConn).SetLinger(0)
			}
			connection.Close()
		})
	}
	hijack("/reset", "", true)
	hijack("/closed", "", false)
	hijack("/half-header", "HTTP/1.1 200 OK\r\n", false)
	hijack("/no-body", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", false)
	hijack("/garbage", "SSH-2.0-OpenSSH_9.6\r\n\r\n", false)
	hang := make(chan struct{})
	w.mux.HandleFunc("/slow", func(http.ResponseWriter, *http.Request) { <-hang })
	w.mux.HandleFunc("/silent", func(reply http.ResponseWriter, _ *http.Request) {
		io.WriteString(reply, triple)
		reply.(http.Flusher).Flush()
		<-hang
	})
	t.Cleanup(func() { close(hang) })
	w.add("/reset", "/closed", "/half-header", "/no-body", "/garbage", "/slow", "/silent")
	w.run()
	for path, want := range map[string][2]string{
		"/reset":       {"remote", "transport/connection-reset"},
		"/closed":      {"remote", "transport/connection-reset"},
		"/half-header": {"remote", "transport/connection-reset"},
		"/no-body":     {"remote", "transport/connection-reset"},
		"/garbage":     {"remote", "http/malformed"},
		"/slow":        {"remote", "transport/header-timeout"},
		"/silent":      {"remote", "transport/silence"},
	} {
		seed := w.seed(path)
		failedWith(t, seed, seedlist.Downloading, want[0], want[1])
		if n := len(w.attempts(seed.Hash)); n != 3 {
			t.Errorf("%s: %d attempts", path, n)
		}
		if len(seed.HTTP) != 1 || seed.HTTP[0].Error == "" || seed.HTTP[0].Walltime <= 0 {
			t.Errorf("%s: %+v", path, seed.HTTP)
		}
	}
	if a := w.attempts(w.seed("/silent").Hash)[0]; a.SourceText != triple {
		t.Errorf("what came before the silence is not told: %q", a.SourceText)
	}
	w.sound()
}

func TestRetryAfterIsObeyedUpToABound(t *testing.T) {
	for after, want := range map[string]time.Duration{"600": 10 * time.Minute, "1000000": time.Hour} {
		w := newWorld(t, seedlist.Options{})
		w.opt.Retries.Most = time.Hour
		w.mux.HandleFunc("/busy", func(reply http.ResponseWriter, _ *http.Request) {
			reply.Header().Set("Retry-After", after)
			reply.WriteHeader(http.StatusTooManyRequests)
		})
		w.add("/busy")
		stop := w.start()
		w.await("a try", func() bool { return w.seed("/busy").Tries == 1 })
		stop()
		seed := w.seed("/busy")
		if due := time.Until(seed.Due); due > want || due < want-time.Minute || seed.Status != seedlist.Added || seed.Error == nil {
			t.Errorf("%s: %s, due in %v: %+v", after, seed.Status, due, seed.Error)
		}
		if n := w.counts().Waiting; n != 1 {
			t.Errorf("%s: %d wait", after, n)
		}
	}
}

func TestAHostThatAsksToBeLeftAloneIsLeftAlone(t *testing.T) {
	w := newWorld(t, seedlist.Options{HostConnections: 1})
	var asked atomic.Int32
	w.mux.HandleFunc("/busy", func(reply http.ResponseWriter, _ *http.Request) {
		reply.Header().Set("Retry-After", "600")
		reply.WriteHeader(http.StatusServiceUnavailable)
	})
	w.mux.HandleFunc("/other", func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	w.opt.Retries.Most = time.Hour
	w.add("/busy")
	stop := w.start()
	w.await("the try", func() bool { return w.seed("/busy").Tries == 1 })
	w.add("/other")
	time.Sleep(100 * time.Millisecond)
	stop()
	if asked.Load() > 0 {
		t.Error("another document of the host was asked for")
	}
}

func TestTriesBeginAgainAfterSuccess(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	var asked atomic.Int32
	w.mux.HandleFunc("/x.nt", func(reply http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) <= 2 {
			reply.WriteHeader(http.StatusBadGateway)
			return
		}
		io.WriteString(reply, triple)
	})
	w.add("/x.nt")
	w.run()
	seed := w.seed("/x.nt")
	if seed.Status != seedlist.Parsed || seed.Tries != 0 || seed.Error != nil || seed.Fence != 6 {
		t.Errorf("%+v", seed.Standing)
	}
	if got := w.story(seed.Hash); got != "downloading:http/status downloading:http/status "+washed {
		t.Error(got)
	}
	w.sound()
}

func TestAShortBodyIsKeptWithANotice(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.mux.HandleFunc("/short.nt", func(reply http.ResponseWriter, _ *http.Request) {
		reply.Header().Set("Content-Length", "1000")
		io.WriteString(reply, triple)
	})
	w.add("/short.nt")
	w.run()
	seed := w.seed("/short.nt")
	if seed.Status != seedlist.Parsed || seed.Notices[fault.HTTPShortBody] != 1 || seed.Statements.Kept != 1 ||
		seed.Statements.Dropped != 1 {
		t.Errorf("%+v", seed.Record)
	}
	w.sound()
}

func TestABodyLongerThanAllowedIsALimit(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.fetch.MaxBytes = 100
	w.serve("/long.nt", "", strings.Repeat(triple, 10))
	w.add("/long.nt")
	w.run()
	seed := w.seed("/long.nt")
	failedWith(t, seed, seedlist.Downloading, "limit", "limit/bytes")
	w.sound()
}

func TestRobotsAreObeyed(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.serve("/robots.txt", "text/plain", "User-agent: *\nDisallow: /private/\n")
	var asked atomic.Int32
	w.mux.HandleFunc("/private/x.nt", func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	w.serve("/x.nt", "", triple)
	w.add("/private/x.nt", "/x.nt")
	w.run()
	failedWith(t, w.seed("/private/x.nt"), seedlist.Downloading, "refused", "robots/disallowed")
	if seed := w.seed("/x.nt"); seed.Status != seedlist.Parsed || asked.Load() > 0 {
		t.Errorf("%s, asked %d", seed.Status, asked.Load())
	}
	w.sound()
}

// A robots.txt that can't be had keeps a document from being asked for; its exchange is in the record.
func TestARobotsTxtThatCantBeHadIsInTheRecord(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.mux.HandleFunc("/robots.txt", func(reply http.ResponseWriter, _ *http.Request) {
		reply.Header().Set("Content-Type", "text/plain")
		reply.WriteHeader(http.StatusInternalServerError)
	})
	w.serve("/x.nt", "", triple)
	w.add("/x.nt")
	w.run()
	seed := w.seed("/x.nt")
	if seed.Error == nil || seed.Error.Code != fault.RobotsUnreachable || len(seed.HTTP) != 1 {
		t.Fatalf("error %v, exchanges %+v", seed.Error, seed.HTTP)
	}
	if e := seed.HTTP[0]; !e.Robots || e.Status != http.StatusInternalServerError || !strings.HasSuffix(e.URI, "/robots.txt") ||
		e.Headers["content-type"] == nil || e.Time.IsZero() {
		t.Errorf("%+v", e)
	}
	w.sound()
}

// Where a server says how long a body is, its progress says so too, and never less than what came.
func TestProgressOfADownloadSaysOfHowMuch(t *testing.T) {
	for _, said := range []bool{true, false} {
		w := newWorld(t, seedlist.Options{})
		text := nt("a") + strings.Repeat(nt("b"), 20_000) + nt("c")
		seen := map[seedlist.Progress]bool{}
		w.mux.HandleFunc("/x.nt", func(reply http.ResponseWriter, _ *http.Request) {
			if said {
				reply.Header().Set("Content-Length", strconv.Itoa(len(text)))
			}
			for rest := text; rest != ""; {
				n := min(len(rest), len(text)/4+1)
				io.WriteString(reply, rest[:n])
				reply.(http.Flusher).Flush()
				rest = rest[n:]
				time.Sleep(50 * time.Millisecond)
				if p := w.seed("/x.nt").Progress; p != nil && p.Bytes > 0 && p.Message == "downloading" {
					seen[*p] = true
				}
			}
		})
		w.add("/x.nt")
		w.run()
		want := int64(0)
		if said {
			want = int64(len(text))
		}
		for p := range seen {
			if p.Of != want || p.Of > 0 && p.Bytes > p.Of {
				t.Errorf("length said: %v: %+v, want of %d", said, p, want)
			}
		}
		if len(seen) == 0 {
			t.Errorf("length said: %v: no progress was seen", said)
		}
		w.sound()
	}
}

func TestForbiddenAddressesAreRefused(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.fetch.AllowPrivate = false
	w.serve("/x.nt", "", triple)
	w.add("/x.nt")
	w.run()
	seed := w.seed("/x.nt")
	failedWith(t, seed, seedlist.Downloading, "refused", "transport/forbidden-address")
	if n := len(w.attempts(seed.Hash)); n != 1 {
		t.Errorf("%d attempts", n)
	}
}

func TestCredentialsAreUsedAndNeverShown(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	ask := func(body func(http.ResponseWriter, *http.Request)) http.HandlerFunc {
		return func(reply http.ResponseWriter, r *http.Request) {
			if user, password, _ := r.BasicAuth(); user != "me" || password != "secret" {
				reply.Header().Set("WWW-Authenticate", `Basic realm="x"`)
				reply.WriteHeader(http.StatusUnauthorized)
				return
			}
			reply.Header().Set("Set-Cookie", "session=secret")
			body(reply, r)
		}
	}
	w.mux.HandleFunc("/x.nt", ask(func(reply http.ResponseWriter, _ *http.Request) {
		io.WriteString(reply, triple+"<s> <p> \"relative\" .\nno triple\n")
	}))
	w.mux.HandleFunc("/gone", ask(func(reply http.ResponseWriter, _ *http.Request) { reply.WriteHeader(http.StatusGone) }))
	w.mux.HandleFunc("/moved", ask(func(reply http.ResponseWriter, r *http.Request) {
		http.Redirect(reply, r, "http://me:secret@"+r.Host+"/x.nt", http.StatusFound)
	}))
	w.mux.HandleFunc("/loop", ask(func(reply http.ResponseWriter, r *http.Request) {
		http.Redirect(reply, r, "http://me:secret@"+r.Host+"/loop", http.StatusFound)
	}))
	w.mux.HandleFunc("/odd", ask(func(reply http.ResponseWriter, r *http.Request) {
		reply.Header().Set("Location", "http://me:secret@[/x")
		reply.WriteHeader(http.StatusFound)
	}))
	w.http.URL = strings.Replace(w.http.URL, "http://", "http://me:secret@", 1)
	w.add("/x.nt", "/gone", "/moved", "/loop", "/odd")
	if _, err := w.seeds.Add(t.Context(), []seedlist.NewSeed{{
		URI: "http://me:secret@127.0.0.1:1/refused", Source: "catalog:http://me:secret@example.org/",
		Claims: map[string]string{"downloadURL": "http://me:secret@example.org/x"},
	}}); err != nil {
		t.Fatal(err)
	}
	w.run()
	for path, want := range map[string]seedlist.State{"/x.nt": seedlist.Parsed, "/moved": seedlist.Parsed, "/gone": seedlist.Failed,
		"/loop": seedlist.Failed, "/odd": seedlist.Failed} {
		if seed := w.seed(path); seed.Status != want {
			t.Errorf("%s: %s, %+v", path, seed.Status, seed.Error)
		}
	}
	if log := w.log.String(); strings.Contains(log, "secret") || !strings.Contains(log, "***@") {
		t.Errorf("the log: %s", log)
	}
	w.sound()
}
