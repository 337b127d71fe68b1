package web

import (
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Limits bound what one client may ask of a listener. A client is an IPv4 address, or an IPv6 network of
// 64 bits. Those on this machine are not bounded: they may speak for many, as a proxy does.
type Limits struct {
	// Rate is the requests a second, over a while; Burst as many at once. 0: no bound.
	Rate, Burst int
	// Streams is how many lists of lines and streams of events may be open at once. 0: no bound.
	Streams int
}

// mostClients is how many clients are remembered.
const mostClients = 10_000

// limiter counts what clients ask.
type limiter struct {
	Limits
	mu      sync.Mutex
	clients map[netip.Prefix]*clientUse
}

// clientUse is what a client has asked for.
type clientUse struct {
	spent   float64 // requests, less those that time has given back
	at      time.Time
	streams int
}

func newLimiter(limits Limits) *limiter {
	return &limiter{Limits: limits, clients: map[netip.Prefix]*clientUse{}}
}

// clientOf is who asks; false for one of this machine.
func clientOf(r *http.Request) (client netip.Prefix, isBounded bool) {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || at.Addr().IsLoopback() {
		return client, false
	}
	address := at.Addr().Unmap()
	bits := 32
	if address.Is6() {
		bits = 64
	}
	client, err = address.WithZone("").Prefix(bits)
	return client, err == nil
}

// use is that of a client. The lock is held.
func (l *limiter) use(client netip.Prefix, now time.Time) *clientUse {
	use := l.clients[client]
	if use == nil {
		if len(l.clients) >= mostClients {
			l.forget(now)
		}
		use = &clientUse{at: now}
		l.clients[client] = use
	}
	use.spent = max(0, use.spent-now.Sub(use.at).Seconds()*float64(l.Rate))
	use.at = now
	return use
}

// forget drops the clients that have nothing spent any more; if there are none, all without a stream.
func (l *limiter) forget(now time.Time) {
	for _, all := range []bool{false, true} {
		for client, use := range l.clients {
			if use.streams == 0 && (all || use.spent <= now.Sub(use.at).Seconds()*float64(l.Rate)) {
				delete(l.clients, client)
			}
		}
		if len(l.clients) < mostClients {
			return
		}
	}
}

// bounded refuses what is too much with 429, and says when to come again.
func (l *limiter) bounded(next http.Handler) http.Handler {
	if l.Rate <= 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client, isBounded := clientOf(r)
		if isBounded {
			l.mu.Lock()
			use := l.use(client, time.Now())
			over := use.spent + 1 - float64(max(l.Burst, 1))
			if over <= 0 {
				use.spent++
			}
			l.mu.Unlock()
			if over > 0 {
				wait := int(over/float64(l.Rate)) + 1
				tooMany(w, wait, fmt.Sprintf("more than %d requests per second: come again in %d s", l.Rate, wait))
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// stream begins a stream of a client; false if it has too many. The function returned ends it.
func (l *limiter) stream(r *http.Request) (end func(), ok bool) {
	client, isBounded := clientOf(r)
	if !isBounded || l.Streams <= 0 {
		return func() {}, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	use := l.use(client, time.Now())
	if use.streams >= l.Streams {
		return nil, false
	}
	use.streams++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		use.streams--
	}, true
}

// streaming bounds the streams of a client.
func (l *limiter) streaming(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		end, ok := l.stream(r)
		if !ok {
			tooMany(w, 10, fmt.Sprintf("%d streams of this client are open, as many as may be: end one, or come again in 10 s", l.Streams))
			return
		}
		defer end()
		next(w, r)
	}
}

// DumpPath is where all descriptions are given in one stream.
const DumpPath = "/dump.nq.gz"

// lines bounds lists as lines and the dump, which are streams too.
func (l *limiter) lines(next http.Handler) http.Handler {
	bounded := l.streaming(next.ServeHTTP)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && (prefersLines(r.Header.Get("Accept")) || r.URL.Path == DumpPath) {
			bounded(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func tooMany(w http.ResponseWriter, seconds int, message string) {
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	writeProblem(w, huma.Error429TooManyRequests(message))
}

// readableAnywhere lets pages of other sites read (CORS). They may not write: what writes is not
// answered so.
func readableAnywhere(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet, http.MethodHead:
			w.Header().Set("Access-Control-Allow-Origin", "*")
			w.Header().Set("Access-Control-Expose-Headers", "ETag, Link, Repr-Digest, Retry-After, Content-Range, Content-Disposition")
		case http.MethodOptions:
			w.Header().Set("Access-Control-Allow-Origin", "*")
			w.Header().Set("Access-Control-Allow-Methods", "GET, HEAD")
			w.Header().Set("Access-Control-Allow-Headers", "Accept, Authorization, If-None-Match, Last-Event-ID, Range")
			w.Header().Set("Access-Control-Max-Age", "86400")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}
