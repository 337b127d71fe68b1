package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/views"
	"laundromat/web"
)

// publishers asks for a list.
func (h *house) publishers(query url.Values) (all web.Publishers) {
	h.t.Helper()
	reply, body := h.ask("GET", "/api/v1/publishers?"+query.Encode(), "")
	if reply.StatusCode != http.StatusOK {
		h.t.Fatalf("%v: %d %s", query, reply.StatusCode, body)
	}
	if err := json.Unmarshal([]byte(body), &all); err != nil {
		h.t.Fatal(err)
	}
	return all
}

// ok is what a path answers.
func (h *house) ok(path string) string {
	h.t.Helper()
	reply, body := h.ask("GET", path, "")
	if reply.StatusCode != http.StatusOK {
		h.t.Fatalf("%s: %d %s", path, reply.StatusCode, body)
	}
	return body
}

func TestPublishersAreTheSumsOfTheirLists(t *testing.T) {
	h := newHouse(t, false, withViews)
	h.populate()
	all := h.publishers(url.Values{"by": {"host"}})
	if len(all.Publishers) != 3 || all.Total != 3 {
		t.Fatalf("%+v", all)
	}
	before := -1.0
	for _, p := range all.Publishers {
		if p.Score.Score == nil || *p.Score.Score < before {
			t.Errorf("%s has %v after %v", p.Name, p.Score.Score, before)
		}
		before = *p.Score.Score
		for state, want := range map[string]int64{"parsed": p.Washed, "failed": p.Failed.All(), "added": p.Waiting} {
			if hashes, _ := h.hashes(url.Values{"host": {p.Value}, "state": {state}}); int64(len(hashes)) != want {
				t.Errorf("%s: %d are %s, the list has %d", p.Name, want, state, len(hashes))
			}
		}
		var one web.PublisherWhole
		if err := json.Unmarshal([]byte(h.ok("/api/v1/publishers/host?value="+p.Value)), &one); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(one.Sums, p.Sums) || len(one.Mend) == 0 || one.Mend[0].Code != "iri/space" || len(one.Days) != 62 {
			t.Errorf("%+v", one)
		}
		if last := one.Months[len(one.Months)-1]; last.Clean != p.Clean {
			t.Errorf("%s has now %d clean files, and %d by month", p.Name, p.Clean, last.Clean)
		}
	}
	for query, want := range map[string]int{
		"by=host&find=H1": 1, "by=host&find=none": 0, "by=host&least=11": 0, "by=host&least=10": 3, "by=host&limit=2": 2,
		"by=host&from=2": 1, "by=host&sort=-name": 3, "by=host&from=9": 0, "by=catalog": 0, "by=publisher": 2, "by=licence": 1,
		"by=publisher&find=office": 2, "": 3,
	} {
		values, _ := url.ParseQuery(query)
		if got := h.publishers(values); len(got.Publishers) != want {
			t.Errorf("%s: %d publishers, want %d", query, len(got.Publishers), want)
		}
	}
	for path, want := range map[string]int{
		"?by=format": 422, "?by=hosts": 422, "?by=host&sort=nice": 422, "?by=host&limit=0": 422, "?by=host&byte=1": 400,
		"/host?value=none.example": 404, "/format?value=Turtle": 422, "/host": 422,
	} {
		if reply, body := h.ask("GET", "/api/v1/publishers"+path, ""); reply.StatusCode != want {
			t.Errorf("%s: %d %s", path, reply.StatusCode, body)
		}
	}
}

// Deleted views change no answer but how far they have come.
func TestPublishersAreTheSameOnceTheViewsAreMadeAnew(t *testing.T) {
	h := newHouse(t, false, withViews)
	h.populate()
	answers := func(read func(string) string) (all []string) {
		for _, by := range views.Groups() {
			all = append(all, read("/api/v1/publishers?by="+by))
		}
		for i := range 3 {
			all = append(all, read(fmt.Sprintf("/api/v1/publishers/host?value=h%d.example", i)))
		}
		for i, text := range all { // without as_of
			text, rest, _ := strings.Cut(text, `"as_of"`)
			_, rest, _ = strings.Cut(rest, "}")
			all[i] = text + rest
		}
		return all
	}
	before := answers(h.ok)
	again, err := views.Open(filepath.Join(t.TempDir(), "views.db"), h.seeds, nil, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	anew := &house{t: t, seeds: h.seeds, api: httptest.NewServer(web.New(web.Options{Seeds: h.seeds, Views: again}))}
	defer anew.api.Close()
	for again.AsOf().Building {
		time.Sleep(time.Millisecond)
	}
	after := answers(anew.ok)
	for i := range before {
		if before[i] != after[i] {
			t.Errorf("before\n%s\nafter\n%s", before[i], after[i])
		}
	}
}

func TestSeedsAreListedByTheStatusOfTheirServer(t *testing.T) {
	h := newHouse(t, false, withViews)
	for i, status := range []int{404, 500, 404, 200} {
		if _, err := h.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: fmt.Sprintf("http://h%d.example/", i)}}); err != nil {
			t.Fatal(err)
		}
		claims, err := h.seeds.Claim(t.Context(), seedlist.Downloading, "test", 1)
		if err != nil || len(claims) != 1 {
			t.Fatal(claims, err)
		}
		if err := h.seeds.Complete(t.Context(), claims[0], seedlist.Outcome{Next: seedlist.Failed, Update: func(r *seedlist.Record) {
			r.HTTP = []seedlist.Exchange{{Status: 200, Robots: true}, {Status: status}}
			r.Error = &seedlist.Error{Stage: seedlist.Downloading, Code: "http/status"}
		}}); err != nil {
			t.Fatal(err)
		}
	}
	for status, want := range map[string]int{"404": 2, "500": 1, "200": 1, "410": 0} {
		if hashes, _ := h.hashes(url.Values{"http_status": {status}}); len(hashes) != want {
			t.Errorf("%s: %d seeds, want %d", status, len(hashes), want)
		}
	}
	if body := h.ok("/api/v1/counts?by=error,http_status"); !strings.Contains(body, `{"values":["http/status","404"],"seeds":2}`) {
		t.Error(body)
	}
	if reply, body := h.ask("GET", "/api/v1/seeds?http_status=gone", ""); reply.StatusCode != 422 {
		t.Errorf("%d %s", reply.StatusCode, body)
	}
}

func TestWhatWinsMostIsMendedFirst(t *testing.T) {
	h := newHouse(t, false, withViews)
	if _, err := h.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: "http://a.example/"}}); err != nil {
		t.Fatal(err)
	}
	for _, stage := range seedlist.Stages() {
		claims, err := h.seeds.Claim(t.Context(), stage, "test", 1)
		if err != nil || len(claims) != 1 {
			t.Fatal(claims, err)
		}
		o := seedlist.Outcome{Next: stage.Next()[0], Update: func(r *seedlist.Record) {
			r.Format = "Turtle"
			r.Content = &digest.Content{NumberOfBytes: 1}
			r.Statements = &digest.Statements{Read: 100, Kept: 100, Written: 100}
			r.Notices = map[fault.Code]int64{"literal/ill-typed": 1, "language/unregistered": 90, "iri/space": 2, "language/underscore": 3,
				"syntax/unclosed-string": 1, "syntax/unclosed-iri": 4, "literal/non-canonical": 50}
		}}
		if o.Next == seedlist.Parsed {
			o.Clean = &seedlist.Clean{Content: digest.Content{MD5: strings.Repeat("1", 32), SHA256: strings.Repeat("0", 64)}}
		}
		if err := h.seeds.Complete(t.Context(), claims[0], o); err != nil {
			t.Fatal(err)
		}
	}
	var one web.PublisherWhole
	if err := json.Unmarshal([]byte(h.ok("/api/v1/publishers/host?value=a.example")), &one); err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, m := range one.Mend {
		got += string(m.Code) + " "
	}
	const want = "syntax/unclosed-iri syntax/unclosed-string language/underscore iri/space literal/ill-typed language/unregistered "
	if got != want { // a note costs nothing
		t.Errorf("%s, want %s", got, want)
	}
}
