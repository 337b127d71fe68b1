package fetch_test

import (
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
)

// fails is a transport that fails.
func fails(err error) func(*fetch.Options) {
	return func(o *fetch.Options) {
		o.Transport = round(func(*http.Request) (*http.Response, error) { return nil, err })
	}
}

// stuck is an address whose connections never come about: its queue is full.
func stuck(t *testing.T) func(*fetch.Options) {
	return func(o *fetch.Options) {
		o.ConnectTimeout = time.Millisecond
		o.HeaderTimeout = time.Millisecond
		o.Transport = round(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
	}
}

// unheard is an address at which nothing listens while the test runs: its port is taken, as the
// near end of a connection. The port of a listener just closed would be free for the next server of
// any test.
func unheard(t *testing.T) string {
	t.Helper()
	c, err := net.Dial("tcp", raw(t, func(c net.Conn) { io.Copy(io.Discard, c) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c.LocalAddr().String()
}

func TestEachFailureHasItsKindAndCode(t *testing.T) {
	silent := func(c net.Conn) { io.Copy(io.Discard, c) } // until the other side gives up
	closed := raw(t, func(net.Conn) {})
	refusing := unheard(t)
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	status := func(code int, more ...string) string {
		return serve(t, func(w http.ResponseWriter, r *http.Request) {
			for i := 0; i+1 < len(more); i += 2 {
				w.Header().Set(more[i], more[i+1])
			}
			w.WriteHeader(code)
		})
	}
	count := 0
	far := serve(t, func(w http.ResponseWriter, r *http.Request) {
		count++
		http.Redirect(w, r, strings.Repeat("x", count), http.StatusFound)
	})
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, map[string]string{"/a": "/b", "/b": "/a", "/self": "/self#again"}[r.URL.Path], http.StatusFound)
	})
	short := func(o *fetch.Options) { o.HeaderTimeout, o.IdleTimeout = 50*time.Millisecond, 50*time.Millisecond }
	for _, c := range []struct {
		name    string
		uri     string
		set     func(*fetch.Options)
		kind    fault.Kind
		code    fault.Code
		message string
		after   time.Duration
	}{
		{"no such host", "http://x.test/",
			fails(&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "x.test", IsNotFound: true}}), fault.Refused,
			fault.TransportNoSuchHost, "no such host", 0},
		{"name servers fail", "http://x.test/",
			fails(&net.OpError{Op: "dial", Err: &net.DNSError{Err: "server misbehaving", Name: "x.test", IsTemporary: true}}), fault.Remote,
			fault.TransportDNS, "server misbehaving", 0},
		{"name servers are slow", "http://x.test/", fails(&net.DNSError{Err: "i/o timeout", IsTimeout: true}), fault.Remote,
			fault.TransportDNS, "", 0},
		{"nothing listens", "http://" + refusing, nil, fault.Remote, fault.TransportConnectionRefused, "refused", 0},
		{"closed at once", "http://" + closed, nil, fault.Remote, fault.TransportConnectionReset, "", 0},
		{"reset", "http://" + raw(t, reset), nil, fault.Remote, fault.TransportConnectionReset, "", 0},
		{"ended before the body", "http://" + raw(t, says("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")), nil, fault.Remote,
			fault.TransportConnectionReset, "", 0},
		{"no route", "http://x.test/", fails(&net.OpError{Op: "dial", Err: syscall.EHOSTUNREACH}), fault.Remote, fault.TransportUnreachable,
			"", 0},
		{"out of descriptors", "http://x.test/", fails(&net.OpError{Op: "dial", Err: syscall.EMFILE}), fault.Local, fault.LocalDisk, "", 0},
		{"connection never comes", "http://x.test/", stuck(t), fault.Remote, fault.TransportConnectTimeout, "in time", 0},
		{"no headers", "http://" + raw(t, silent), short, fault.Remote, fault.TransportHeaderTimeout, "", 0},
		{"silent body", "http://" + raw(t, func(c net.Conn) { says("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")(c); silent(c) }),
			short, fault.Remote, fault.TransportSilence, "too long", 0},
		{"unknown certificate", secure.URL, nil, fault.Refused, fault.TransportCertificate, "certificate", 0},
		{"no TLS at all", "https://" + raw(t, says("HTTP/1.1 400 Bad Request\r\n\r\n")), nil, fault.Refused, fault.TransportTLS, "", 0},
		{"no common TLS", "https://" + raw(t, func(c net.Conn) {
			tls.Server(c, &tls.Config{MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}).Handshake()
		}), nil, fault.Refused, fault.TransportTLS, "", 0},
		{"private address", "http://" + closed, func(o *fetch.Options) { o.AllowPrivate = false }, fault.Refused,
			fault.TransportForbiddenAddress, "not public", 0},
		{"private address, IPv6", "http://[::1]:80/", func(o *fetch.Options) { o.AllowPrivate = false }, fault.Refused,
			fault.TransportForbiddenAddress, "not public", 0},
		{"scheme", "gopher://example.org/", nil, fault.Refused, fault.TransportUnsupportedScheme, "gopher", 0},
		{"relative", "data.ttl", nil, fault.Refused, fault.TransportUnsupportedScheme, "", 0},
		{"redirect to a scheme", status(302, "Location", "file:///etc/passwd"), nil, fault.Refused, fault.TransportUnsupportedScheme,
			"file", 0},
		{"something else", "http://x.test/", fails(errors.New("odd")), fault.Remote, fault.TransportFailed, "odd", 0},
		{"no host", "http:///x", nil, fault.Refused, fault.HTTPBadURI, "", 0},
		{"bad port", "http://example.org:port/", nil, fault.Refused, fault.HTTPBadURI, "", 0},
		{"not HTTP", "http://" + raw(t, says("SSH-2.0-OpenSSH_9.2\r\nProtocol mismatch.\n")), nil, fault.Remote, fault.HTTPMalformed, "",
			0},
		{"endless headers", "http://" + raw(t, says("HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 1<<20)+"\r\n\r\n")), nil, fault.Remote,
			fault.HTTPMalformed, "", 0},
		{"404", status(404), nil, fault.Refused, fault.HTTPStatus, "404 Not Found", 0},
		{"410", status(410), nil, fault.Refused, fault.HTTPStatus, "410 Gone", 0},
		{"401", status(401), nil, fault.Refused, fault.HTTPStatus, "401 Unauthorized", 0},
		{"408", status(408), nil, fault.Remote, fault.HTTPStatus, "408 Request Timeout", 0},
		{"425", status(425), nil, fault.Remote, fault.HTTPStatus, "425 Too Early", 0},
		{"429 with a wait", status(429, "Retry-After", "120"), nil, fault.Remote, fault.HTTPStatus, "429 Too Many Requests",
			2 * time.Minute},
		{"503 with a long wait", status(503, "Retry-After", "99999999999"), nil, fault.Remote, fault.HTTPStatus, "503 Service Unavailable",
			30 * 24 * time.Hour},
		{"503 with nonsense", status(503, "Retry-After", "soon"), nil, fault.Remote, fault.HTTPStatus, "503 Service Unavailable", 0},
		{"304 unasked", status(304), nil, fault.Refused, fault.HTTPStatus, "304 Not Modified", 0},
		{"unknown status", "http://" + raw(t, says("HTTP/1.1 599 Very Odd\r\nContent-Length: 0\r\n\r\n")), nil, fault.Remote,
			fault.HTTPStatus, "599 Very Odd", 0},
		{"redirect without target", status(302), nil, fault.Refused, fault.HTTPBadRedirect, "302 Found", 0},
		{"redirect to no URI", status(302, "Location", "http://[bad"), nil, fault.Refused, fault.HTTPBadRedirect, "302 Found", 0},
		{"circle of two", url + "/a", nil, fault.Refused, fault.HTTPRedirectLoop, "/a", 0},
		{"circle of one", url + "/self", nil, fault.Refused, fault.HTTPRedirectLoop, "/self", 0},
		{"many redirects", far, nil, fault.Refused, fault.HTTPTooManyRedirects, "20", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := open()
			if c.set != nil {
				c.set(&o)
			}
			r, _, err := get(t, o, c.uri)
			var e *fault.Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v isn't a *fault.Error", err)
			}
			if e.Kind != c.kind || e.Code != c.code || !strings.Contains(e.Error(), c.message) || e.After != c.after {
				t.Errorf("%v %s, after %v: %v; want %v %s, after %v: …%s…", e.Kind, e.Code, e.After, e, c.kind, c.code, c.after, c.message)
			}
			if len(r.Notices) != 0 {
				t.Errorf("notices %v", r.Notices)
			}
			if n := len(r.Exchanges); n > 0 {
				if last := r.Exchanges[n-1]; last.Status == 0 && (last.Error == "" || last.Headers != nil || last.Version != nil) {
					t.Errorf("exchange without reply: %+v", last)
				}
			}
		})
	}
}

func TestRedirectChainsAreRecordedToTheirEnd(t *testing.T) {
	n := 0
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n++
		http.Redirect(w, r, "/"+strings.Repeat("x", n), http.StatusFound)
	})
	r, _, _ := get(t, open(), url)
	if len(r.Exchanges) != 21 || n != 21 {
		t.Errorf("%d exchanges, %d requests; want the first and twenty redirects", len(r.Exchanges), n)
	}
}

func TestRetryAfterMayBeADate(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
		w.WriteHeader(503)
	})
	_, _, err := get(t, open(), url)
	var e *fault.Error
	if !errors.As(err, &e) || e.After < 50*time.Minute || e.After > time.Hour {
		t.Errorf("error %v, after %v", err, e.After)
	}
}
