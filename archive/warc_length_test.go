package archive_test

import (
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/archive"
)

// warcSaid is a record whose header says another length than its block has.
func warcSaid(uri, body string, by int, fields string) string {
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/turtle\r\n\r\n" + body
	return fmt.Sprintf(
		"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\n%sContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		uri, fields, len(block)+by, block)
}

// TestALengthOfAWarcThatIsTooSmallCostsNothing where the next record is in sight and nothing contradicts.
func TestALengthOfAWarcThatIsTooSmallCostsNothing(t *testing.T) {
	const told = "warning archive/bad-field 0"
	one, two, three := lines(2000), lines(3000), lines(2500)
	sum := sha1.Sum([]byte("HTTP/1.1 200 OK\r\nContent-Type: text/turtle\r\n\r\n" + two))
	digest := "WARC-Block-Digest: sha1:" + base32.StdEncoding.EncodeToString(sum[:]) + "\r\n"
	for name, c := range map[string]struct {
		by     int
		fields string
		codes  string
	}{
		"right": {0, "", ""}, "2": {-2, "", told}, "3": {-3, "", told}, "10": {-10, "", told}, "100": {-100, "", told},
		"1000": {-1000, "", told},
		"2900": {-2900, "", told}, "with its checksum": {-500, digest, told}, "right, with its checksum": {0, digest, ""},
	} {
		said := warcSaid("http://example.org/2", two, c.by, c.fields)
		data := warcSaid("http://example.org/1", one, 0, "") + said + warcSaid("http://example.org/3", three, 0, "")
		cut := len(warcSaid("http://example.org/1", one, 0, ""))
		for how, data := range map[string]string{"plain": data, "in members": gz(t, data[:cut]) + gz(t, said) +
			gz(t, data[cut+len(said):])} {
			got := readAll(t, data, "x.warc", archive.Limits{})
			var bodies []string
			for _, e := range got.entries {
				bodies = append(bodies, e.body)
			}
			if !slices.Equal(bodies, []string{one, two, three}) || got.codes() != c.codes {
				t.Errorf("%s, %s: %d entries, notices %v", name, how, len(bodies), got.notices)
			}
		}
	}
	// What its own checksum calls whole is not made longer by bytes that belong to nothing.
	whole := warcSaid("http://example.org/2", two, 0, digest)
	data := strings.TrimSuffix(whole, "\r\n\r\n") + "other bytes\r\n\r\n" + warcSaid("http://example.org/3", three, 0, "")
	got := readAll(t, data, "x.warc", archive.Limits{})
	if len(got.entries) != 2 || got.entries[0].body != two || got.entries[1].body != three ||
		!strings.Contains(got.codes(), "archive/corrupt") {
		t.Errorf("other bytes: %d entries, notices %v", len(got.entries), got.notices)
	}
}
