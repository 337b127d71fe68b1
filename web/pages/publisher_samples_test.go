package pages_test

import (
	"encoding/csv"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/report"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// note stores the list of notices of a seed.
func (s *site) note(hash string, notices ...fault.Notice) {
	s.t.Helper()
	seed, err := s.seeds.Seed(s.t.Context(), hash)
	s.must(err)
	list := report.NewList(s.t.TempDir(), 0)
	defer list.Close()
	for _, n := range notices {
		list.Notice(n)
	}
	made, err := s.files.Create()
	s.must(err)
	_, err = list.WriteTo(made)
	s.must(err)
	s.must(made.Seal(seedfile.Key(&seed, files.Notices), files.Notices))
	s.must(s.files.Commit(s.t.Context(), made))
}

// What is to be mended first has a sample for each kind of publisher: a document, its line with the fault marked, and
// where it was repaired the patch. One whose list of notices is gone is named, and the page says why there is no line.
func TestWhatIsToBeMendedHasASampleInItsLine(t *testing.T) {
	s := newSite(t)
	claims := map[string]string{"publisher": "Office", "license": "https://licence.example/"}
	const uri = "http://h.example/a.ttl"
	_, err := s.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: uri, Claims: claims}, {URI: "http://other.example/b.ttl"}})
	s.must(err)
	all, err := s.seeds.Claim(t.Context(), seedlist.Downloading, "test", 2)
	s.must(err)
	for _, claim := range all {
		s.wash(claim, "Turtle")
	}
	hash := seedlist.Key(uri)
	second := strings.SplitAfter(dirtyTable, "\n")[1]
	at := strings.IndexByte(second, ',')
	s.note(hash,
		fault.Notice{Code: "language/case", Severity: fault.Note, Message: "a note"},
		fault.Notice{Code: fault.IRISpace, Severity: fault.Repair, Message: "the spaces", Excerpt: "excerpt",
			Pos: fault.Pos{Line: 2, Column: int64(at + 1), Offset: int64(strings.IndexByte(dirtyTable, '\n') + 1 + at)}})
	patch := "/api/v1/seeds/" + hash + "/repairs"
	for _, query := range []string{"host?value=h.example", "publisher?value=Office", "licence?value=https://licence.example/"} {
		marked, links := "", map[string]bool{}
		each(s.says("/publishers/"+query, "What to mend first", uri, "line 2, column "), func(n *html.Node) {
			links[attribute(n, "href")] = true
			if n.Data == "mark" {
				marked = textOf(n)
			}
		})
		if marked == "" || !strings.Contains(second, marked) {
			t.Errorf("%s: %q is marked", query, marked)
		}
		for _, link := range []string{patch, "/seeds/" + hash + "/notices?code=iri%2Fspace"} {
			if !links[link] {
				t.Errorf("%s does not lead to %s", query, link)
			}
		}
		kind, value, _ := strings.Cut(query, "?")
		sent := s.ask("/publishers/" + kind + "/report.html?" + value)
		body := sent.Body.String()
		inMark := "<mark>" + html.EscapeString(marked) + "</mark>"
		if sent.Code != http.StatusOK || !strings.Contains(body, inMark) || !strings.Contains(body, patch) {
			t.Errorf("the report of %s: %d %s", query, sent.Code, body)
		}
		request := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8085/publishers/"+kind+"/report.html?"+value, nil)
		reply := httptest.NewRecorder()
		s.handler.ServeHTTP(reply, request)
		if kept := reply.Body.String(); reply.Code != http.StatusOK || !strings.Contains(kept, inMark) || strings.Contains(kept, patch) {
			t.Errorf("the report of %s has a link that leads to this machine alone: %d %s", query, reply.Code, kept)
		}
		rows, err := csv.NewReader(s.ask("/publishers/" + kind + "/report.csv?" + value).Body).ReadAll()
		if err != nil || len(rows) != 2 || rows[1][1] != "iri/space" || rows[1][5] != uri || rows[1][7] != "2" {
			t.Errorf("the table of %s: %v, %q", query, err, rows)
		}
	}
	s.says("/publishers/host?value=other.example", "http://other.example/b.ttl",
		"the list of notices can't be read: the file is not there")
}
