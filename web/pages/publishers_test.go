package pages_test

import (
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/web"
)

// From the ranking to the publisher with the worst data, to the code to mend first, to its documents, to the report.
func TestTheWorstPublisherIsFoundAndSentAReport(t *testing.T) {
	s := newSite(t)
	s.fill(90)
	first := ""
	each(s.says("/publishers", "host0.example", "host1.example", "host2.example", "formula 1"), func(n *html.Node) {
		if to := attribute(n, "href"); first == "" && strings.HasPrefix(to, "/publishers/host?") {
			first = to
		}
	})
	if first == "" {
		t.Fatal("no publisher is linked to")
	}
	code, report, table := "", "", ""
	each(s.says(first, "What to mend first", "iri/space", "404 Not Found", "reach", "honesty"), func(n *html.Node) {
		to := attribute(n, "href")
		switch {
		case code == "" && strings.Contains(to, "notice=iri"):
			code = to
		case strings.Contains(to, "/report.html"):
			report = to
		case strings.Contains(to, "/report.csv"):
			table = to
		}
	})
	if code == "" || s.length(code) == 0 {
		t.Errorf("%q leads to no document", code)
	}
	sent := s.ask(report)
	for _, want := range []string{"What to mend first", "iri/space", "How to mend it", "404 Not Found"} {
		if sent.Code != http.StatusOK || !strings.Contains(sent.Body.String(), want) {
			t.Errorf("%s lacks %q: %d", report, want, sent.Code)
		}
	}
	if !strings.Contains(sent.Header().Get("Content-Disposition"), "attachment") {
		t.Errorf("%v", sent.Header())
	}
	rows, err := csv.NewReader(s.ask(table).Body).ReadAll()
	if err != nil || len(rows) < 3 {
		t.Errorf("%v, %v", rows, err)
	}
	rows, err = csv.NewReader(s.ask("/publishers.csv?by=host").Body).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Errorf("%v, %v", rows, err)
	}
}

func TestTheRankingIsNarrowedAndTurned(t *testing.T) {
	s := newSite(t)
	s.fill(90)
	shown := func(path string) (n int) {
		each(s.page(path), func(node *html.Node) {
			if strings.HasPrefix(attribute(node, "href"), "/publishers/") && !strings.Contains(attribute(node, "href"), "/report") {
				n++
			}
		})
		return n
	}
	for path, want := range map[string]int{
		"/publishers": 3, "/publishers?find=host1": 1, "/publishers?find=none": 0, "/publishers?least=1000": 0, "/publishers?from=2": 1,
		"/publishers?sort=-documents": 3, "/publishers?sort=name&by=host": 3, "/publishers?by=catalog": 0, "/publishers?by=licence": 0,
		"/publishers?by=publisher": 0,
	} {
		if got := shown(path); got != want {
			t.Errorf("%s shows %d, want %d", path, got, want)
		}
	}
	for path, want := range map[string]int{
		"/publishers?by=format": 422, "/publishers?sort=nice": 422, "/publishers?least=many": 422, "/publishers?from=-1": 422,
		"/publishers?byte=1": 400, "/publishers/host?value=none.example": 404, "/publishers/nothing?value=x": 422,
		"/publishers.csv?by=format": 422, "/publishers/host/report.html?value=none": 404, "/publishers/host/report.csv?value=none": 404,
	} {
		if reply := s.ask(path); reply.Code != want {
			t.Errorf("%s: %d, want %d", path, reply.Code, want)
		}
	}
}

// Names of publishers are texts of others.
func TestNamesOfPublishersAreInert(t *testing.T) {
	s := newSite(t)
	name := "=A <script>alert(1)</script> \"b\" & c/d?e#f \u202e"
	_, err := s.seeds.Add(t.Context(), []seedlist.NewSeed{
		{URI: "http://a.example/", Claims: map[string]string{"publisher": name, "license": name}},
	})
	s.must(err)
	for _, by := range []string{"publisher", "licence"} {
		to := ""
		each(s.page("/publishers?by="+by), func(n *html.Node) {
			if strings.HasPrefix(attribute(n, "href"), "/publishers/"+by) {
				to = attribute(n, "href")
			}
		})
		list := ""
		each(s.says(to, "<script>alert(1)</script>", "U+202E"), func(n *html.Node) {
			if n.Data == "script" && strings.Contains(textOf(n), "alert") {
				t.Error("the name is a script")
			}
			if list == "" && strings.HasPrefix(attribute(n, "href"), "/seeds?"+by) {
				list = attribute(n, "href")
			}
		})
		if s.length(list) != 1 {
			t.Errorf("%s has %s seeds", list, strconv.Itoa(s.length(list)))
		}
		rows, err := csv.NewReader(s.ask("/publishers.csv?by=" + by).Body).ReadAll()
		if err != nil || len(rows) != 2 || !strings.HasPrefix(rows[1][0], "'=A") {
			t.Errorf("%v, %v", rows, err)
		}
	}
}

func TestAHostHasNumbersOfItsLists(t *testing.T) {
	s := newSite(t)
	s.fill(90)
	seen := 0
	each(s.says("/hosts/host1.example", "What became of its documents", "never washed yet", "Its score"), func(n *html.Node) {
		if n.Data == "a" && hasClass(n, "count") {
			seen++
			want, err := strconv.Atoi(textOf(n))
			if got := s.length(attribute(n, "href")); err != nil || got != want {
				t.Errorf("%s of %s, which has %d seeds", textOf(n), attribute(n, "href"), got)
			}
		}
	})
	if seen < 3 {
		t.Errorf("only %d numbers were found", seen)
	}
	s.says("/hosts/unknown.example", "unknown.example")
}

func TestAHostSaysWhatItSaid(t *testing.T) {
	s := newSite(t)
	s.fill(90)
	s.says("/hosts/host1.example", "last request", "http://host1.example/", "to be downloaded again",
		"the process that answers here asks no hosts")
	until := time.Now().Add(time.Hour)
	for _, c := range []struct {
		asking web.HostAsking
		want   []string
	}{
		{web.HostAsking{}, []string{"not asked for within a day"}},
		{web.HostAsking{Robots: []web.HostRobots{{Origin: "http://host1.example", IsBeingAsked: true}}},
			[]string{"waits for its robots.txt", "is being asked for"}},
		{web.HostAsking{Robots: []web.HostRobots{{Origin: "http://host1.example", Error: "503 <b>", Until: until}}},
			[]string{"its robots.txt can't be had: no document is asked for before", "503 <b>"}},
		{web.HostAsking{Pause: 2, Robots: []web.HostRobots{{
			Origin: "http://host1.example", Status: 200, Rules: []string{"Disallow: /<i>"}, Total: 2, Delay: 2}}},
			[]string{"2 s", "its robots.txt asks for it", "2 rules hold", "Disallow: /<i>", "1 more rules are not shown"}},
	} {
		s.asking["host1.example"] = &c.asking
		s.says("/hosts/host1.example", c.want...)
	}
}

func TestHostsThatTurnedAreAFeed(t *testing.T) {
	s := newSite(t)
	s.fill(10)
	for i, host := range []string{"host0.example", "host1.example"} {
		_, err := s.seeds.SetHost(t.Context(), host, func(settings *seedlist.HostSettings) {
			settings.Turned = &seedlist.Turned{Since: time.Unix(1e9+int64(i), 0), Documents: 3, Asked: 9}
		})
		s.must(err)
	}
	reply := s.ask("/publishers.atom")
	var feed struct {
		Updated string `xml:"updated"`
		Entries []struct {
			Title   string `xml:"title"`
			Summary string `xml:"summary"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(reply.Body.Bytes(), &feed); err != nil || reply.Code != http.StatusOK {
		t.Fatal(reply.Code, err)
	}
	if len(feed.Entries) != 2 || feed.Entries[0].Title != "host1.example turned" || feed.Updated != "2001-09-09T01:46:41Z" ||
		!strings.Contains(feed.Entries[1].Summary, "3 of 9 documents") {
		t.Errorf("%+v", feed)
	}
	if reply := s.ask("/publishers.atom?x=1"); reply.Code != 400 {
		t.Errorf("%d", reply.Code)
	}
}

// A document that fails is in the feed of its publisher, and once it is washed well, that is.
func TestDocumentsThatTurnedAreAFeed(t *testing.T) {
	s := newSite(t)
	s.fill(90)
	at := "/publishers/host/turned.atom?value=host1.example"
	if !strings.Contains(s.ask("/publishers/host?value=host1.example").Body.String(), at) {
		t.Error("the page of the publisher doesn't lead to its feed")
	}
	read := func() (titles []string, to map[string]string) {
		t.Helper()
		var feed struct {
			Updated string `xml:"updated"`
			Entries []struct {
				ID      string `xml:"id"`
				Title   string `xml:"title"`
				Summary string `xml:"summary"`
				Link    struct {
					Href string `xml:"href,attr"`
				} `xml:"link"`
			} `xml:"entry"`
		}
		reply := s.ask(at)
		if err := xml.Unmarshal(reply.Body.Bytes(), &feed); err != nil || reply.Code != http.StatusOK {
			t.Fatal(reply.Code, err)
		}
		to = map[string]string{}
		for _, e := range feed.Entries {
			titles = append(titles, e.Title)
			to[e.Title] = e.Link.Href[strings.Index(e.Link.Href, "/seeds/")+len("/seeds/"):]
			if strings.HasSuffix(e.Title, " began to fail") && e.Summary != "http/status: 404 Not Found" {
				t.Errorf("%s: %s", e.Title, e.Summary)
			}
		}
		return titles, to
	}
	broken, to := read()
	if want := s.length("/seeds?state=failed&host=host1.example"); len(broken) != want || want == 0 {
		t.Fatalf("%d documents failed: %q", want, broken)
	}
	hash := to[broken[0]]
	_, err := s.seeds.Retry(t.Context(), "", hash)
	s.must(err)
	claims, err := s.seeds.Claim(t.Context(), seedlist.Downloading, "test", 100)
	s.must(err)
	for _, claim := range claims {
		if claim.Seed.Hash == hash {
			s.wash(claim, "Turtle")
		}
	}
	s.page("/seeds/" + hash) // the views catch up
	turned, _ := read()
	name, _ := strings.CutSuffix(broken[0], " began to fail")
	if len(turned) != len(broken) || turned[0] != name+" was mended" || slices.Contains(turned, broken[0]) {
		t.Errorf("after %s was mended: %q", name, turned)
	}
	for path, status := range map[string]int{at + "&x=1": 400, "/publishers/colour/turned.atom?value=red": 422} {
		if reply := s.ask(path); reply.Code != status {
			t.Errorf("%s: %d", path, reply.Code)
		}
	}
}

// From a publisher to what became of it since last month, to the list behind each number; and to both lists behind a
// part of its score.
func TestWhatBecameOfAPublisherLeadsToItsDocuments(t *testing.T) {
	s := newSite(t)
	s.fill(90)
	follow := func(path, wanted string) (to []string) {
		t.Helper()
		each(s.page(path), func(n *html.Node) {
			if at := attribute(n, "href"); strings.Contains(at, wanted) {
				to = append(to, at)
			}
		})
		if len(to) == 0 {
			t.Fatalf("%s has no link with %s", path, wanted)
		}
		return to
	}
	since := follow("/publishers/host?value=host0.example", "/compare?")[0]
	s.says(since, "host0.example since", "began to fail", "Removed documents are known since")
	added := follow(since, "turn=added")[0]
	if got := s.length(added); got != 30 {
		t.Errorf("%s: %d documents, want 30", added, got)
	}
	if page := s.ask(added).Body.String(); strings.Contains(page, "/actions/new") {
		t.Errorf("%s offers actions, which know nothing of turns", added)
	}
	if got := s.length(follow("/compare", "turn=broken")[0]); got != 18 {
		t.Errorf("%d documents are broken, want 18", got)
	}
	lists := follow("/publishers/host?value=host0.example", "score=syntax")
	if len(lists) != 1 || s.length(lists[0]) == 0 {
		t.Errorf("documents behind syntax: %v", lists)
	}
	for path, want := range map[string]int{
		"/compare": 200, "/compare?since=2026": 422, "/compare?since=2999-01-01": 422, "/compare?by=host": 422,
		"/compare?by=host&value=none.example": 404, "/seeds?since=2026-01-01": 422, "/seeds?turn=lost": 422,
		"/seeds?turn=broken&sort=size": 422,
	} {
		if reply := s.ask(path); reply.Code != want {
			t.Errorf("%s: %d, want %d", path, reply.Code, want)
		}
	}
}

func TestRemovedDocumentsAreListedWithWhatTheyHad(t *testing.T) {
	s := newSite(t)
	s.fill(90)
	s.page("/compare") // the lists have seen all
	var hashes []string
	for _, n := range []int{3, 6, 7} { // two of host0
		hashes = append(hashes, seedlist.Key(fmt.Sprintf("http://host%d.example/%d.ttl", n%3, n)))
	}
	errs, err := s.seeds.Remove(t.Context(), hashes...)
	s.must(errors.Join(append(errs, err)...))
	for path, want := range map[string][]string{
		"/compare":                             {"3 documents left the list"},
		"/compare?by=host&value=host0.example": {"2 documents left the list, or this host"},
		"/removed":                             {"host0.example/3", "host0.example/6", "host1.example/7"},
		"/removed?by=host&value=host0.example": {"host0.example/3", "host0.example/6"},
		"/removed?by=host&value=host2.example": {"None."},
		"/removed?by=publisher&value=none":     {"None."},
		"/compare?by=host&value=host1.example": {"1 document left the list, or this host"},
	} {
		s.says(path, want...)
	}
	for path, want := range map[string]int{"/removed?by=host": 422, "/removed?by=format&value=x": 422, "/removed?since=tomorrow": 422,
		"/removed?cursor=x": 400} {
		if reply := s.ask(path); reply.Code != want {
			t.Errorf("%s: %d, want %d", path, reply.Code, want)
		}
	}
}

// A report names every document that failed, also where these are more than are read at a time.
func TestAReportIsComplete(t *testing.T) {
	const documents = 560
	s := newSite(t)
	var add []seedlist.NewSeed
	for i := range documents {
		add = append(add, seedlist.NewSeed{URI: fmt.Sprintf("http://many.example/%d", i)})
	}
	_, err := s.seeds.Add(t.Context(), add)
	s.must(err)
	claims, err := s.seeds.Claim(t.Context(), seedlist.Downloading, "test", documents)
	s.must(err)
	for _, claim := range claims {
		e := &seedlist.Error{Stage: seedlist.Downloading, Kind: fault.Refused, Code: "http/status", Message: "404 Not Found"}
		s.must(s.seeds.Complete(t.Context(), claim, seedlist.Outcome{Next: seedlist.Failed,
			Update: func(r *seedlist.Record) { r.Error = e }}))
	}
	for _, kind := range []string{"html", "csv"} {
		text := s.ask("/publishers/host/report." + kind + "?value=many.example").Body.String()
		if n := strings.Count(text, "http://many.example/"); n != documents || len(claims) != documents {
			t.Errorf("the report in %s names %d of %d documents", kind, n, documents)
		}
	}
}
