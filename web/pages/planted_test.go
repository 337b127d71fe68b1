package pages_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// planted is what becomes of some documents of a host.
type planted struct {
	documents int
	kind      fault.Kind // of the error with which they fail; 0: they are washed
	code      fault.Code // of the error, or of a notice
	// Of 100 statements so many are repaired and dropped; the notice comes so often.
	repaired, dropped, times int64
}

// plant makes the documents of a host.
func (s *site) plant(host string, all ...planted) {
	s.t.Helper()
	var add []seedlist.NewSeed
	var become []planted
	for _, p := range all {
		for range p.documents {
			add = append(add, seedlist.NewSeed{URI: fmt.Sprintf("http://%s/%d.ttl", host, len(add))})
			become = append(become, p)
		}
	}
	_, err := s.seeds.Add(s.t.Context(), add)
	s.must(err)
	claims, err := s.seeds.Claim(s.t.Context(), seedlist.Downloading, "test", len(add))
	s.must(err)
	if len(claims) != len(add) {
		s.t.Fatalf("%d of %d documents were claimed", len(claims), len(add))
	}
	for i, claim := range claims {
		p := become[i]
		if p.kind != 0 {
			s.must(s.seeds.Complete(s.t.Context(), claim, seedlist.Outcome{Next: seedlist.Failed, Update: func(r *seedlist.Record) {
				r.Error = &seedlist.Error{Stage: seedlist.Downloading, Kind: p.kind, Code: p.code, Message: "planted"}
			}}))
			continue
		}
		clean := seedlist.Key("clean of " + claim.Seed.URI)
		s.must(s.seeds.CompleteAll(s.t.Context(), claim, []seedlist.Outcome{
			{Next: seedlist.Filed, Update: func(r *seedlist.Record) { r.Content = &digest.Content{NumberOfBytes: 1234} }},
			{Next: seedlist.Unarchived},
			{Next: seedlist.Guessed, Update: func(r *seedlist.Record) { r.Format = "Turtle" }},
			{Next: seedlist.Parsed, Update: func(r *seedlist.Record) {
				r.Statements = &digest.Statements{Read: 100, Kept: 100 - p.repaired - p.dropped, Repaired: p.repaired, Dropped: p.dropped,
					Written: 100 - p.dropped}
				if p.times > 0 {
					r.Notices = map[fault.Code]int64{p.code: p.times}
				}
			}, Clean: &seedlist.Clean{Content: digest.Content{MD5: clean, SHA256: clean + clean}}},
		}))
	}
}

// Ten hosts, each with one kind of fault, are ranked in this order, which was written down before the first run: the
// worst first. The page of each says why.
func TestPlantedHostsAreRankedAndTheirPagesSayWhy(t *testing.T) {
	s := newSite(t)
	sound := func(n int) planted { return planted{documents: n} }
	hosts := []struct {
		name string
		all  []planted
		why  []string // that its page says
	}{
		{"dead.example", []planted{{documents: 10, kind: fault.Remote, code: "transport/dns"}},
			[]string{"0 of 10 documents", "transport/dns"}},
		{"pages-for-data.example", []planted{{documents: 10, kind: fault.Data, code: "format/not-rdf"}, sound(1)},
			[]string{"1 of 11 documents", "format/not-rdf"}},
		{"half-gone.example", []planted{{documents: 10, kind: fault.Refused, code: "http/status"}, sound(10)},
			[]string{"10 of 20 documents", "http/status"}},
		{"broken-lines.example", []planted{{documents: 10, code: "syntax/unclosed-iri", dropped: 60, times: 60}},
			[]string{"400 of 1,000 statements and records", "syntax/unclosed-iri"}},
		{"mended-lines.example", []planted{{documents: 10, code: "iri/space", repaired: 50, times: 50}},
			[]string{"500 of 1,000 statements and records", "iri/space"}},
		{"ill-typed.example", []planted{{documents: 10, code: "literal/ill-typed", times: 90}},
			[]string{"100 of 1,000 statements", "literal/ill-typed"}},
		{"wrong-media-type.example", []planted{{documents: 10, code: "http/content-type", times: 1}, sound(3)},
			[]string{"3 of 13 documents", "with a false Content-Type"}},
		{"one-missing.example", []planted{{documents: 1, kind: fault.Refused, code: "http/status"}, sound(9)},
			[]string{"9 of 10 documents", "http/status"}},
		{"one-wrong-encoding.example", []planted{{documents: 1, code: "encoding/declaration-refuted", times: 1}, sound(9)},
			[]string{"9 of 10 documents"}},
		{"one-claim.example", []planted{{documents: 1, code: "claim/size", times: 1}, sound(19)}, []string{"19 of 20 documents"}},
		{"sound.example", []planted{sound(10)}, []string{"10 of 10 documents", "1,000 of 1,000 statements and records"}},
	}
	for i := range hosts { // in another order than that which is wanted
		host := hosts[i*7%len(hosts)]
		s.plant(host.name, host.all...)
	}
	var want, got []string
	for _, host := range hosts {
		want = append(want, host.name)
	}
	each(s.page("/publishers?by=host"), func(n *html.Node) {
		if strings.HasPrefix(attribute(n, "href"), "/publishers/host?") {
			got = append(got, textOf(n))
		}
	})
	if !slices.Equal(got, want) {
		t.Errorf("the ranking is\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, host := range hosts {
		s.says("/publishers/host?value="+host.name, host.why...)
	}
}
