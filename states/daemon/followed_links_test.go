package daemon_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// Documents that washed data names become seeds where that is asked for: to the given
// depth, never in a circle, never our own site.
func TestNamedDumpsAreFollowed(t *testing.T) {
	const dump, download = "http://rdfs.org/ns/void#dataDump", "http://www.w3.org/ns/dcat#downloadURL"
	for _, test := range []struct {
		name       string
		void, dcat bool
		depth      int
		want       string // paths that become seeds
	}{
		{"nothing is asked for", false, false, 0, "/start.ttl"},
		{"void", true, false, 0, "/one.nt /start.ttl"},
		{"dcat", false, true, 1, "/literal.nt /start.ttl"},
		{"deeper", true, true, 2, "/literal.nt /one.nt /start.ttl /two.nt"},
		{"as deep as it goes", true, true, 9, "/literal.nt /one.nt /start.ttl /three.nt /two.nt"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			w.opt.Follow.VoID, w.opt.Follow.DCAT, w.opt.Follow.Depth = test.void, test.dcat, test.depth
			w.opt.Follow.Own = []string{"own.example"}
			w.serve("/start.ttl", "text/turtle",
				fmt.Sprintf("<#d> <%s> <one.nt>, <one.nt>, <start.ttl>, <mailto:a@b.example>, <http://own.example/x.nt>, [] ; <%s> %q .",
					dump, download, w.uri("/literal.nt")))
			w.serve("/literal.nt", "application/n-triples", triple)
			link := func(from, to string) string { return fmt.Sprintf("<%s> <%s> <%s> .\n", w.uri(from), dump, w.uri(to)) }
			w.serve("/one.nt", "application/n-triples", link("/one.nt", "/two.nt")+link("/one.nt", "/start.ttl"))
			w.serve("/two.nt", "application/n-triples", link("/two.nt", "/three.nt"))
			w.serve("/three.nt", "application/n-triples", link("/three.nt", "/one.nt"))
			w.add("/start.ttl")
			w.run()
			w.sound()
			var got []string
			for _, s := range w.all() {
				if s.URI == "" {
					continue
				}
				u, err := url.Parse(s.URI)
				if err != nil || s.Status != seedlist.Parsed {
					t.Errorf("%s: %s, %v", s.URI, s.Status, err)
					continue
				}
				got = append(got, u.Path)
				if depth := map[string]int{"/start.ttl": 0, "/one.nt": 1, "/literal.nt": 1, "/two.nt": 2,
					"/three.nt": 3}[u.Path]; s.Depth != depth {
					t.Errorf("%s has depth %d", u.Path, s.Depth)
				}
			}
			if sorted := sortedWords(got); sorted != test.want {
				t.Errorf("%s\nwant %s", sorted, test.want)
			}
			if test.void {
				log := w.attempts(w.seed("/start.ttl").Hash)
				counts := log[len(log)-1].Counts
				if counts["not-followed/own-site"] != 1 || counts["not-followed/bad-uri"] != 1 || counts["not-followed/blank-node"] != 1 ||
					counts["followed"] == 0 {
					t.Errorf("%v", counts)
				}
			}
		})
	}
}

func TestFollowingHasALimitThatIsSaid(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.opt.Follow.VoID, w.opt.Follow.Most = true, 2
	var many strings.Builder
	for i := range 5 {
		fmt.Fprintf(&many, "<http://example.org/> <http://rdfs.org/ns/void#dataDump> <%s> .\n", w.uri(fmt.Sprint("/", i, ".nt")))
	}
	w.serve("/many.nt", "application/n-triples", many.String())
	w.add("/many.nt")
	w.run()
	w.sound()
	if s := w.seed("/many.nt"); s.Notices[fault.LimitFollowed] != 1 || s.Statements.Written != 5 {
		t.Errorf("%+v", s.Notices)
	}
	if c := w.counts(); c.States[seedlist.Failed] != 2 { // the two that were followed are not there
		t.Errorf("%+v", c.States)
	}
}

func sortedWords(words []string) string {
	slices.Sort(words)
	return strings.Join(words, " ")
}
