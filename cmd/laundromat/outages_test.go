//go:build unix

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"laundromat/internal/files/blobtest"
	"laundromat/internal/testkit/link"
)

// outage is something that is away for thirty hours, and the alerts that fire after an hour and after thirty.
type outage struct {
	away         string
	hour, thirty string
	readyz       int    // the status of /readyz meanwhile
	shows        string // what /metrics says once the daemon has noticed
	set          func(t *testing.T, p *played)
}

// played is what is set for one outage.
type played struct {
	site       *gatedSite
	seeds      string   // a file with the URIs
	calm       []string // flags of a daemon that nothing disturbs
	flags      []string // further ones of the daemon that is disturbed
	data       string
	begin, end func()
	// after does what an operator does then.
	after func()
}

// outages were written down before any of them was played; docs/operations.md has the same table. In brackets are
// the parts that do not go on.
var outages = []outage{
	{
		"the object store", "LaundromatPaused (downloading), LaundromatUnstored",
		"LaundromatPaused (downloading), LaundromatUnstored, LaundromatNothingWashed", 503,
		`(?m)^laundromat_paused\{part="downloading"\} 1(.|\n)*^laundromat_unstored [1-9]`, bucketAway,
	},
	{
		"the database", "LaundromatListUnreadable, LaundromatPaused (downloading, guessing, parsing, unarchiving)",
		"LaundromatListUnreadable, LaundromatPaused (downloading, guessing, parsing, unarchiving)", 503,
		`(?m)^laundromat_up 0\n(.|\n)*(laundromat_paused.* 1\n){4}`, databaseAway,
	},
	{
		"the proxy", "LaundromatPaused (downloading)", "LaundromatPaused (downloading), LaundromatNothingWashed", 503,
		`(?m)^laundromat_paused\{part="downloading"\} 1`, proxyAway,
	},
	{
		"a host", "LaundromatHalfFails", "none", 200,
		`(?m)^laundromat_outcomes_total\{stage="downloading",outcome="failed",kind="remote"\} 30`, hostAway,
	},
	{
		"room on the disk", "LaundromatPaused (downloading), LaundromatDiskShort",
		"LaundromatPaused (downloading), LaundromatDiskShort, LaundromatNothingWashed", 503,
		`(?m)^laundromat_paused\{part="downloading"\} 1`, diskShort,
	},
}

// firing are the labels of the alerts of a cell of the table.
func firing(cell string) (all []string) {
	for _, m := range regexp.MustCompile(`(Laundromat\w+)(?: \(([^)]*)\))?`).FindAllStringSubmatch(cell, -1) {
		for part := range strings.SplitSeq(m[2], ", ") {
			labels := fmt.Sprintf("alertname=%q", m[1])
			if part != "" {
				labels += fmt.Sprintf(",part=%q", part)
			}
			all = append(all, labels)
		}
	}
	return all
}

// The manual has the alerts of each outage.
func TestTheManualHasTheAlertsOfEachOutage(t *testing.T) {
	manual := string(readFile(t, "../../docs/operations.md"))
	names := regexp.MustCompile(`Laundromat\w+`)
	for _, row := range outages {
		line := names.ReplaceAllString(fmt.Sprintf("\n| %s | %s | %s |\n", row.away, row.hour, row.thirty), "`$0`")
		if !strings.Contains(manual, line) {
			t.Errorf("docs/operations.md has no line %s", line)
		}
	}
}

// An outage raises the alerts that are written down, and no others; when it is over none fires, and the products are
// those of a run that nothing disturbed.
func TestAnOutageRaisesTheAlertsThatAreWrittenDown(t *testing.T) {
	takesLong(t)
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool of Debian's prometheus is not installed")
	}
	for _, row := range outages {
		t.Run(row.away, func(t *testing.T) {
			p := &played{site: newGatedSite(t), data: filepath.Join(t.TempDir(), "data"), after: func() {}}
			row.set(t, p)
			undisturbed := filepath.Join(t.TempDir(), "data")
			p.site.open()
			output(t, p.serving(undisturbed, "--until-idle")...)
			want := filesOf(t, undisturbed)
			p.play(t, row, promtool)
			got := filesOf(t, p.data)
			if len(want) < 3*gatedDocuments {
				t.Errorf("only %d files", len(want))
			}
			for name, text := range want {
				if got[name] != text {
					t.Errorf("%s: %d bytes, and %d others", name, len(text), len(got[name]))
				}
			}
			if len(got) != len(want) {
				t.Errorf("%d files, want %d", len(got), len(want))
			}
		})
	}
}

// serving are the flags of a daemon of the outage.
func (p *played) serving(data string, more ...string) []string {
	return append(serving(data, "--seeds", p.seeds, "--host-connections", "1", "--workers", "2", "--tries", "2", "--retry-delay", "100ms"),
		append(more, p.calm...)...)
}

// play has the daemon begin, takes away what it needs, and gives it back.
func (p *played) play(t *testing.T, row outage, promtool string) {
	t.Helper()
	p.site.close()
	flags := p.serving(p.data, p.flags...)
	address := startDaemon(t, p.data, flags[6:]...)
	s := newScrapes(t, "http://"+address)
	p.awaitWashed(t, s, gatedBefore)
	for range 3 {
		s.take(t, 1)
	}
	p.begin()
	p.site.open()
	s.await(t, regexp.MustCompile(row.shows).MatchString)
	s.take(t, 1)
	began := s.now()
	var moments []moment
	for range 12 {
		s.take(t, 1)
	}
	moments = append(moments, moment{"after an hour", s.now() - scrapeStep, firing(row.hour)})
	p.askAsAStranger(t, s.address+"/readyz", row.readyz)
	for range 29 {
		s.take(t, 12)
		time.Sleep(50 * time.Millisecond)
	}
	if s.now()-began != 30*time.Hour {
		t.Fatal(s.now() - began)
	}
	moments = append(moments, moment{"after thirty hours", s.now() - scrapeStep, firing(row.thirty)})
	p.end()
	p.after()
	p.awaitWashed(t, s, gatedDocuments)
	s.take(t, 1)
	for range 7 {
		s.take(t, 12)
	}
	moments = append(moments, moment{"when it is over", s.now() - scrapeStep, nil})
	s.judge(t, promtool, moments)
}

// askAsAStranger asks without a token. No user, host, bucket or folder is named.
func (p *played) askAsAStranger(t *testing.T, at string, want int) {
	t.Helper()
	status, text := answerAt(t, at)
	if status != want {
		t.Errorf("%s: %d %s, want %d", at, status, text, want)
	}
	for _, name := range []string{"://", "@", "127.0.0.1", "example", "laundry", "postgres", filepath.Dir(p.data)} {
		if strings.Contains(text, name) {
			t.Errorf("%s tells a stranger of %q: %s", at, name, text)
		}
	}
}

// await asks until /metrics are as wanted.
func (s *scrapes) await(t *testing.T, want func(text string) bool) {
	t.Helper()
	var text string
	for end := time.Now().Add(2 * longestStop); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		var err error
		if text, err = scrape(s.address); err == nil && want(text) {
			return
		}
	}
	t.Fatalf("the metrics stay %s", text)
}

// awaitWashed waits until so many documents are washed.
func (p *played) awaitWashed(t *testing.T, s *scrapes, n int) {
	t.Helper()
	s.await(t, func(text string) bool {
		return strings.Contains(text, fmt.Sprintf("\nlaundromat_documents_washed %d\n", n))
	})
}

// gatedSite serves the first documents at once, and those after them when its gate is open.
type gatedSite struct {
	*httptest.Server
	before int32 // how many are served at once
	served atomic.Int32
	mu     sync.Mutex
	gate   chan struct{}
}

const gatedDocuments, gatedBefore = 40, 10

func newGatedSite(t *testing.T) *gatedSite {
	t.Helper()
	site := &gatedSite{before: gatedBefore, gate: make(chan struct{})}
	site.Server = httptest.NewServer(site)
	t.Cleanup(func() { site.open(); site.Server.Close() })
	return site
}

func (s *gatedSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	gate := s.gate
	s.mu.Unlock()
	if s.served.Add(1) > s.before {
		select {
		case <-gate:
		case <-r.Context().Done():
			return
		}
	}
	w.Header().Set("Content-Type", "text/turtle")
	fmt.Fprintf(w, "<http://example.org%s> <http://example.org/p> \"caf\u00e9\", [] .\n<http://example.org/a b> no:thing 1 .\n", r.URL.Path)
}

// open lets all documents through.
func (s *gatedSite) open() {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.gate:
	default:
		close(s.gate)
	}
}

// close begins anew.
func (s *gatedSite) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.served.Store(0)
	s.gate = make(chan struct{})
}

// listed writes the file of seeds: documents at a base.
func (p *played) listed(t *testing.T, base string, from, to int) {
	t.Helper()
	if p.seeds == "" {
		p.seeds = filepath.Join(t.TempDir(), "seeds.txt")
	}
	file, err := os.OpenFile(p.seeds, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for i := from; i < to; i++ {
		fmt.Fprintf(file, "%s/%d\n", base, i)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// cutAt makes a link to a server the thing that is away.
func (p *played) cutAt(t *testing.T, server string) (address string) {
	t.Helper()
	way, err := link.To(server)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(way.Close)
	p.begin, p.end = func() { way.Set(link.Refused) }, func() { way.Set(link.Whole) }
	return way.Address()
}

func bucketAway(t *testing.T, p *played) {
	store := blobtest.Server(t, "laundry")
	p.listed(t, p.site.URL, 0, gatedDocuments)
	at := p.cutAt(t, strings.TrimPrefix(store.Endpoint, "http://"))
	p.flags = []string{"--blobs", "s3://laundry?endpoint=http://" + at}
}

func databaseAway(t *testing.T, p *played) {
	server := database(t)
	p.listed(t, p.site.URL, 0, gatedDocuments)
	address, err := url.Parse(server.Address)
	if err != nil {
		t.Fatal(err)
	}
	address.Host = p.cutAt(t, fmt.Sprint("127.0.0.1:", server.Port()))
	p.flags = []string{"--store", address.String()}
}

func proxyAway(t *testing.T, p *played) {
	proxy := newLoopbackProxy(t)
	proxy.plain.Config.Handler = p.site
	p.listed(t, "http://data.example.com", 0, gatedDocuments)
	p.calm = []string{"--proxy", "http://" + p.cutAt(t, proxy.Listener.Addr().String())}
}

// hostAway has a second host that goes on.
func hostAway(t *testing.T, p *played) {
	other := newGatedSite(t)
	other.open()
	p.listed(t, other.URL, 0, gatedBefore)
	p.listed(t, "http://"+p.cutAt(t, p.site.Listener.Addr().String()), gatedBefore, gatedDocuments)
	p.site.before = 0
	p.after = func() { output(t, "seed", "retry", "--data", p.data) }
}

// diskShort has the daemon leave more of the disk unused than there is.
func diskShort(t *testing.T, p *played) {
	p.listed(t, p.site.URL, 0, gatedDocuments)
	settings := filepath.Join(t.TempDir(), "config.yaml")
	keep := func(size string) {
		if err := os.WriteFile(settings, []byte("keep-free: "+size+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(filepath.Join(p.data, "seeds.db.pid")); err == nil {
			number, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(number, syscall.SIGHUP); err != nil {
				t.Fatal(err)
			}
		}
	}
	keep("1K")
	p.flags = []string{"--config", settings}
	p.begin, p.end = func() { keep("1000T") }, func() { keep("1K") }
}
