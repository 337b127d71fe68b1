package daemon_test

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// What a catalog claims of a document is compared with what came, at each wash. Right claims give
// no notices, and a claim that is mended ends its notice.
func TestClaimsAreComparedWithWhatCame(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	body := strings.Repeat(triple, 3) // one statement, three times
	sum := sha1.Sum([]byte(body))
	w.serve("/right.nt", "application/n-triples", body)
	w.serve("/wrong.nt", "application/n-triples", body)
	w.page("/data.zip", zipOf(t, "a.nt", triple))
	head := "url,format,media_type,size,checksum,modified,triples\n"
	right := fmt.Sprintf("%s,nt,application/n-triples,%d,%s,2024-01-01,1\n", w.uri("/right.nt"), len(body), hex.EncodeToString(sum[:]))
	wrong := fmt.Sprintf("%s,RDF/XML,text/turtle,%d,%s,,3\n", w.uri("/wrong.nt"), len(body)+1, strings.Repeat("ab", 20))
	archive := fmt.Sprintf("%s,zip,,5,,,\n", w.uri("/data.zip"))
	page := w.page("/list.csv", []byte(head+right+wrong+archive))
	c := w.catalog("/list.csv", seedlist.CatalogSettings{})
	w.run()
	w.sound()
	claims := func(path string) string {
		var codes []string
		for _, code := range []string{"size", "checksum", "media-type", "modified", "format", "triples"} {
			if n := w.seed(path).Notices[fault.Code("claim/"+code)]; n > 0 {
				codes = append(codes, fmt.Sprint(code, " ", n))
			}
		}
		return strings.Join(codes, ", ")
	}
	for path, want := range map[string]string{
		"/right.nt": "",
		"/wrong.nt": "size 1, checksum 1, media-type 1, format 1, triples 1",
		"/data.zip": "size 1",
	} {
		if got := claims(path); got != want {
			t.Errorf("%s: %q, want %q\n%+v", path, got, want, w.seed(path).Claims)
		}
	}
	if s := w.seed("/wrong.nt").Statements; s.Read != 3 || s.Written != 1 || s.Dropped != 0 {
		t.Errorf("%+v", s)
	}

	// The claims change: the right ones are wrong now, and the wrong ones mended. The
	// bytes are the same, and yet the notices are those of the claims.
	mended := strings.Replace(strings.Replace(right, "right", "wrong", 1), ",2024-01-01,", ",,", 1)
	spoilt := strings.Replace(right, fmt.Sprintf(",%d,", len(body)), ",7,", 1)
	page.set(200, []byte(head+spoilt+mended+archive))
	if err := w.seeds.HarvestNow(t.Context(), c.Hash, false); err != nil {
		t.Fatal(err)
	}
	w.run()
	w.sound()
	if got := claims("/right.nt"); got != "size 1" {
		t.Errorf("spoilt: %q", got)
	}
	if got := claims("/wrong.nt"); got != "" {
		t.Errorf("mended: %q", got)
	}
}
