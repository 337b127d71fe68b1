// Package hosts is a small web to crawl: hosts of their own temper on loopback addresses, and a
// catalog that names what they hold. It keeps a log of every request, and a judge holds the log
// against what each host asked for.
//
//	web, err := hosts.Start(hosts.Options{Hosts: 20, Entries: 200})
//	defer web.Close()
//	…                                         // crawl web.Catalog()
//	verdict := web.Judge(manners)             // of what was asked so far
//
// What it holds is always the same; only addresses and times differ.
package hosts

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Options say how large a web is. Zero values are the defaults.
type Options struct {
	Hosts   int // 200
	Entries int // documents that the catalog names: 5,000
	// Crowd is how many of them are at the one host that is slow and large: a
	// twentieth.
	Crowd int
	// Latency is how long that host takes for each reply; the others that are slow
	// take half of it: 100 ms.
	Latency time.Duration
	// CrawlDelay is what some hosts' robots.txt asks for: 1 s.
	CrawlDelay time.Duration
	// Rows is the number of documents on a page of the catalog: 500.
	Rows int
	// InMemory has the hosts listen at no address: [Web.Transport] reaches them. So a test can have its own clock.
	InMemory bool
}

func (o *Options) applyDefaults() {
	if o.Hosts <= 0 {
		o.Hosts = 200
	}
	if o.Entries <= 0 {
		o.Entries = 5000
	}
	if o.Crowd <= 0 {
		o.Crowd = o.Entries / 20
	}
	if o.Latency <= 0 {
		o.Latency = 100 * time.Millisecond
	}
	if o.CrawlDelay <= 0 {
		o.CrawlDelay = time.Second
	}
	if o.Rows <= 0 {
		o.Rows = 500
	}
}

// Web is a running web. It must be closed.
type Web struct {
	options Options
	hosts   []*host
	entries []*entry
	start   time.Time
	pipes   map[string]*pipes // by the name of the host, where they are in memory

	mu  sync.Mutex
	log []*Visit
}

// entry is a document that the catalog names.
type entry struct {
	number  int
	host    *host
	path    string
	to      *host // where a redirect leads; nil: nowhere
	version int   // how often it has changed
	told    int   // the version that the catalog speaks of
	visits  int
	given   []Given
}

// host is a server of its own.
type host struct {
	name    string // ADDRESS:PORT
	temper  Temper // at the start: paths follow from it
	now     Temper
	server  *http.Server // nil for a dead one
	entries []*entry

	inFlight, connections int
	robots                int // how often robots.txt was asked for
	documents             int // … and documents
}

// Visit is one request, as its host saw it.
type Visit struct {
	Host, Path string
	Temper     Temper
	Begun      time.Time
	Ended      time.Time // when the reply was handed over; the zero time while it goes on
	Status     int       // 0: the connection was reset
	Bytes      int64     // of the body
	Rest       time.Duration
	// InFlight and Connections are those of the host while this one was answered,
	// itself among them.
	InFlight, Connections int
	Agent                 string
	Conditional, Range    bool
	Cookie                bool // one was sent
	Cut                   bool // the body broke off
}

// Start makes a web. There is an error where the system has only one loopback address.
func Start(options Options) (*Web, error) {
	options.applyDefaults()
	w := &Web{options: options, start: time.Now().Truncate(time.Second), pipes: map[string]*pipes{}}
	for i := range options.Hosts {
		h := &host{temper: temperOf(i), now: temperOf(i)}
		w.hosts = append(w.hosts, h)
		listener, err := w.listen(i)
		if err != nil {
			w.Close()
			return nil, err
		}
		h.name = listener.Addr().String()
		if h.temper == Dead {
			listener.Close()
			continue
		}
		h.server = &http.Server{
			Handler:           http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { w.answer(h, rw, r) }),
			ReadHeaderTimeout: 10 * time.Second,
			ConnState:         func(_ net.Conn, state http.ConnState) { w.connection(h, state) },
		}
		go h.server.Serve(listener)
	}
	w.fill()
	return w, nil
}

// listen begins to listen for the host of a number.
func (w *Web) listen(i int) (net.Listener, error) {
	if w.options.InMemory {
		l := newPipes(fmt.Sprintf("h%d.test", i))
		w.pipes[l.name] = l
		return l, nil
	}
	return net.Listen("tcp", fmt.Sprintf("127.0.%d.%d:0", 1+i/250, 1+i%250))
}

// Close ends all hosts.
func (w *Web) Close() {
	for _, h := range w.hosts {
		if h.server != nil {
			h.server.Close()
		}
	}
}

// fill gives the entries to the hosts: the crowd to the crowded one, the others in turn.
func (w *Web) fill() {
	var crowded *host
	var others, redirected []*host
	for _, h := range w.hosts {
		switch h.temper {
		case Crowded:
			crowded = h
			continue
		case Plain:
			redirected = append(redirected, h)
		}
		others = append(others, h)
	}
	for i := range w.options.Entries {
		e := &entry{number: i}
		if i%(w.options.Entries/w.options.Crowd) == 0 {
			e.host = crowded
		} else {
			e.host = others[i%len(others)]
		}
		e.path = fmt.Sprintf("/data/%d.nt", i)
		if e.host.temper == Closed && len(e.host.entries)%2 == 1 {
			e.path = fmt.Sprintf("/private/%d.nt", i)
		}
		if e.host.temper == Encoded && len(e.host.entries)%2 == 1 {
			e.path = fmt.Sprintf("%s%d.nt", encodedFolder, i)
		}
		if e.host.temper == Redirecting {
			e.to = redirected[i%len(redirected)]
		}
		e.host.entries = append(e.host.entries, e)
		w.entries = append(w.entries, e)
	}
}

// Catalog is the URL of the catalog, in the manner of CKAN's package_search.
func (w *Web) Catalog() string { return w.catalog("") }

// OddCatalogs are the URLs of two more, which name no other documents. Of the first a page in between
// is empty, and the second has pages without end.
func (w *Web) OddCatalogs() []string {
	return []string{w.catalog(shortFolder), w.catalog(endlessFolder)}
}

func (w *Web) catalog(folder string) string {
	return fmt.Sprintf("http://%s%s/api/3/action/package_search?rows=%d", w.hosts[0].name, folder, w.options.Rows)
}

// Entries is the number of documents that the catalog names.
func (w *Web) Entries() int { return len(w.entries) }

// Named is the number of URIs by which the catalog names them.
func (w *Web) Named() (n int) {
	for _, e := range w.entries {
		n += len(e.names())
	}
	return n
}

// Change gives another version to one document in a hundred of those that can be had. The first is the
// given one of those hundred. It returns how many changed. The catalog speaks of it, or not.
func (w *Web) Change(from int, told bool) (changed int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, e := range w.entries {
		if !e.canBeHad() {
			continue
		}
		if n++; n%100 == from {
			e.version++
			if told {
				e.told = e.version
			}
			changed++
		}
	}
	return changed
}

// CanBeHad is how many of the entries a patient and polite visitor gets.
func (w *Web) CanBeHad() (n int) {
	for _, e := range w.entries {
		if e.canBeHad() {
			n++
		}
	}
	return n
}

// Tempers counts the hosts of each temper.
func (w *Web) Tempers() map[Temper]int {
	count := map[Temper]int{}
	for _, h := range w.hosts {
		count[h.temper]++
	}
	return count
}

// Host is the first host of a temper, ADDRESS:PORT, and the number of its entries.
func (w *Web) Host(temper Temper) (name string, entries int) {
	for _, h := range w.hosts {
		if h.temper == temper {
			return h.name, len(h.entries)
		}
	}
	return "", 0
}

// Log is a copy of the log so far.
func (w *Web) Log() []Visit {
	w.mu.Lock()
	defer w.mu.Unlock()
	log := make([]Visit, len(w.log))
	for i, v := range w.log {
		log[i] = *v
	}
	return log
}

// Forget begins a new log, for a new visitor. Nobody may be on the way.
func (w *Web) Forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log = nil
	for _, h := range w.hosts {
		h.robots, h.documents = 0, 0
	}
}

// Renew makes the web as it was at the start, at the same addresses, with a new log. Nobody may be on the way.
func (w *Web) Renew() {
	w.Forget()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.entries {
		e.version, e.told, e.visits, e.given = 0, 0, 0, nil
	}
}

// Rest waits until no request is being answered.
func (w *Web) Rest(ctx context.Context) error {
	for {
		w.mu.Lock()
		busy := 0
		for _, h := range w.hosts {
			busy += h.inFlight
		}
		w.mu.Unlock()
		if busy == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (w *Web) connection(h *host, state http.ConnState) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch state {
	case http.StateNew:
		h.connections++
	case http.StateClosed, http.StateHijacked:
		h.connections--
	}
}

// Available says that a document comes to whoever keeps the rules, and asks again, while its host is as at the start.
func (w *Web) Available(number int) bool { return w.entries[number].canBeHad() }
