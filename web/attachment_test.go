package web

import (
	"mime"
	"net/http"
	"strings"
	"testing"

	"laundromat/seedlist"
)

func TestAFileIsNamedByItsDocument(t *testing.T) {
	hash := strings.Repeat("a", 32)
	for _, c := range []struct{ uri, entry, title, want, whole string }{
		{"http://a.example/people.ttl", "", "", "people", "people.ttl"},
		{"http://a.example/data/people.nt.gz?x=1", "", "", "people", "people.nt.gz"},
		{"http://a.example/", "", "Boats of Bonn", "Boats_of_Bonn", "Boats_of_Bonn"},
		{"http://a.example/..", "", "", hash, hash},
		{"http://a.example/%E6%9D%B1%E4%BA%AC.csv", "", "", "東京", "東京.csv"},
		{"http://a.example/a%22b%0D%0Ac.csv", "", "", "a_b__c", "a_b__c.csv"},
		{"http://a.example/.htaccess", "", "", "htaccess", "htaccess"},
		{"http://a.example/x.zip", `dir\sub/wines.rdf`, "", "wines", "wines.rdf"},
		{"", "../../etc/passwd", "", "passwd", "passwd"},
		{"", "\xff\xfe", "", hash, hash},
		{"http://a.example/" + strings.Repeat("b", 300), "", "", strings.Repeat("b", 80), strings.Repeat("b", 80)},
		{"http://a.example/v1.2.3-data", "", "", "v1.2.3-data", "v1.2.3-data"},
		{"", "", "", hash, hash},
	} {
		seed := &seedlist.Seed{Hash: hash, URI: c.uri}
		seed.Title = c.title
		if c.entry != "" {
			seed.Archive = &seedlist.Archive{Entry: c.entry}
		}
		for keeps, want := range map[bool]string{false: c.want, true: c.whole} {
			h := http.Header{}
			attach(h, seed, ".nq.gz", keeps)
			kind, of, err := mime.ParseMediaType(h.Get("Content-Disposition"))
			if err != nil || kind != "attachment" || of["filename"] != want+".nq.gz" {
				t.Errorf("%q %q: %q, %v; want %q", c.uri, c.entry, h.Get("Content-Disposition"), err, want)
			}
		}
	}
}
