package filenames_test

import (
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"laundromat/internal/filenames"
	"laundromat/seedlist"
)

const key = "0123456789abcdef0123456789abcdef"

var at = time.Date(2008, 11, 4, 16, 20, 0, 0, time.UTC)

func TestNamesAreMadeByTheRule(t *testing.T) {
	const id = "+" + key + "+20081104-162000"
	long := strings.Repeat("x", 300)
	for _, test := range []struct {
		uri     string
		entries []string
		clean   bool
		want    string
	}{
		{"http://twitter.com/statuses/friends.xml", nil, false, "_com/_tw/com.twitter/statuses/friends.xml" + id + ".xml"},
		{"http://twitter.com/statuses/friends/bob.xml?since=2008-10", nil, false,
			"_com/_tw/com.twitter/statuses/friends/bob.xml%3Fsince%3D2008-10" + id + ".xml"},
		{"https://twitter.com//friends.xml", nil, false, "_com/_tw/com.twitter_https/%/friends.xml" + id + ".xml"},
		{"http://www.example.org", nil, false, "_org/_ex/org.example.www/" + id},
		{"http://www.example.org?a", nil, false, "_org/_ex/org.example.www/%3Fa" + id},
		{"http://www.example.org/", nil, false, "_org/_ex/org.example.www/%" + id},
		{"http://www.example.org/?a", nil, false, "_org/_ex/org.example.www/%%3Fa" + id},
		{"http://www.example.org/a/", nil, false, "_org/_ex/org.example.www/a/%" + id},
		{"http://example.org:8080/a.nt.gz", nil, false, "_org/_ex/org.example_http%3A8080/a.nt.gz" + id + ".nt.gz"},
		{"http://example.org/a.nt.gz", nil, true, "_org/_ex/org.example/a.nt.gz" + id + ".clean.nq.gz"},
		{"http://me:secret@example.org/a", nil, false, "_org/_ex/org.example/a~" + id},
		{"http://127.0.0.1/a", nil, false, "_ip/_127/127.0.0.1/a" + id},
		{"http://[2001:db8::1]:81/a", nil, false, "_ip/_2001/%5B2001%3Adb8%3A%3A1%5D_http%3A81/a" + id},
		{"http://localhost/2/_a/-/.b", nil, false, "_localhost/_lo/localhost/%32/%5Fa/%2D/%2Eb" + id + ""},
		{"file:///data/a.ttl", nil, false, "_localhost/_lo/%_file/data/a.ttl" + id + ".ttl"},
		{"http://a_b.org/", nil, false, "_org/_a_/org.a%5Fb/%" + id},
		{"http://example.org/a.zip", []string{"b/c.zip", "d.ttl"}, true, "_org/_ex/org.example/a.zip!/b/c.zip!/d.ttl" + id +
			".clean.nq.gz"},
		{"http://example.org/a.zip", []string{"../../etc/./x"}, false, "_org/_ex/org.example/a.zip!/%2E%2E/%2E%2E/etc/%2E/x" + id},
		{"http://example.org/con/nul.x/COM1/aux.ttl", nil, false, "_org/_ex/org.example/%63on/%6Eul.x/%43OM1/%61ux.ttl" + id + ".ttl"},
		{"http://foo.nul/", nil, false, "_nul/_fo/%6Eul.foo/%" + id},
		{"http://example.org/%2e%2e/%2F/a%", nil, false, "_org/_ex/org.example/%252e%252e/%252F/a%25" + id},
		{"http://example.org/é/%c3%A9/a+b c", nil, false, "_org/_ex/org.example/%C3%A9/%C3%A9/a%2Bb%20c" + id},
		{"http://example.org/x./y..", nil, false, "_org/_ex/org.example/x%2E/y.." + id},
		{"http://example.org/" + long + "/b", nil, false, "_org/_ex/org.example/" + long[:254] + "~/b" + id},
		{"http://example.org/a#b", nil, false, "_org/_ex/org.example/a%23b" + id},
	} {
		n := filenames.Name{URI: test.uri, Entries: test.entries, Key: key, Time: at, Clean: test.clean}
		if got := n.Path(); got != test.want {
			t.Errorf("%s %v\n got %s\nwant %s", test.uri, test.entries, got, test.want)
		}
	}
	deep := filenames.Name{URI: "http://example.org" + strings.Repeat("/abcdefgh", 600), Key: key, Time: at}.Path()
	if len(deep) > filenames.MaxPath || len(deep) < filenames.MaxPath-40 || !strings.Contains(deep, "/abcdefgh/~/abcdefgh+") {
		t.Errorf("%d: %s", len(deep), deep)
	}
	secret := filenames.Name{URI: "https://me:s%3Ac@example.org:8080/a", Key: key, Time: at, Secrets: true, Crowded: true}
	if got, want := secret.Path(), "_org/_ex/org.example_https%3A8080_me%3As%253Ac/_a/a"+id; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// A million URIs of every kind, in archives or not.
func TestNamesReadBackGiveURIsOfTheSameKey(t *testing.T) {
	random := rand.New(rand.NewPCG(57, 2026))
	whole, cut := 0, 0
	for range 1_000_000 {
		n := filenames.Name{URI: hostile(random), Key: key, Time: at, Secrets: true}
		n.Clean, n.Crowded = random.IntN(2) == 0, random.IntN(2) == 0
		if products := []string{"articles", "records", "schema", ""}; !n.Clean {
			n.Product = products[random.IntN(len(products))]
		}
		if random.IntN(8) == 0 {
			n.URI = strings.TrimPrefix(n.URI, "http://")
		}
		for range random.IntN(3) * random.IntN(2) {
			n.Entries = append(n.Entries, pieces[random.IntN(len(pieces))]+"/"+hostile(random))
		}
		path := n.Path()
		got, err := filenames.Parse("some/folder/" + path)
		if errors.Is(err, filenames.ErrCut) {
			cut++
			if !isLong(n) {
				t.Fatalf("%q is cut: %s", n.URI, path)
			}
		} else if err != nil {
			t.Fatalf("%q: %v\n%s", n.URI, err, path)
		} else if whole++; seedlist.Key(got.URI) != seedlist.Key(n.URI) || !slices.Equal(got.Entries, n.Entries) {
			t.Fatalf("%q %q is read back as\n%q %q of %s", n.URI, n.Entries, got.URI, got.Entries, path)
		}
		if got.Key != n.Key || !got.Time.Equal(n.Time) || got.Clean != n.Clean || got.Product != n.Product {
			t.Fatalf("%s: %+v", path, got)
		}
	}
	t.Logf("%d whole, %d cut", whole, cut)
	if whole < 500_000 || cut == 0 {
		t.Errorf("%d whole, %d cut", whole, cut)
	}
}

// isLong reports whether a name may have a segment over the 255 bytes of file systems, at three bytes a character.
func isLong(n filenames.Name) bool {
	for _, text := range append([]string{n.URI}, n.Entries...) {
		if len(text) > 70 {
			return true
		}
	}
	return false
}

func TestPathsThatAreNoNamesAreRefused(t *testing.T) {
	const id = "+" + key + "+20081104-162000"
	for _, path := range []string{
		"", "a", "_com", "_com/_tw/com.twitter", "_com/_tw/com.twitter/a", "_com/_tw/com.twitter/a+b+c", "com.twitter/a" + id,
		"_com/_tw/com.twitter/a%" + id, "_com/_tw/com.twitter/a%4" + id, "_com/_tw/com.twitter/a+" + key + "+20081304-162000",
		"_com/_tw/com%twitter/a" + id, "_com/_tw/com.twitter_%zz/a" + id, "_com/_tw/a" + id,
	} {
		if n, err := filenames.Parse(path); !errors.Is(err, filenames.ErrNotAName) {
			t.Errorf("%q: %+v %v", path, n, err)
		}
	}
}

// illegal is what one of the file systems, or the programs on them, do not take.
var illegal = regexp.MustCompile(`[^ -~]|[<>:"\\|?*]`)
var device = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$) *(\.|$)`)

// checkSafe says what is unsafe about a path.
func checkSafe(path string) error {
	if len(path) > filenames.MaxPath {
		return fmt.Errorf("%d bytes", len(path))
	}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		isFile := i == len(parts)-1
		switch {
		case part == "", part == ".", part == "..":
			return fmt.Errorf("the segment %q", part)
		case len(part) > 255:
			return fmt.Errorf("a segment of %d bytes", len(part))
		case illegal.MatchString(part):
			return fmt.Errorf("%q is forbidden", illegal.FindString(part))
		case strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") || strings.HasPrefix(part, " "):
			return fmt.Errorf("a dot or blank at the end of %q", part)
		case device.MatchString(part):
			return fmt.Errorf("%q is a device", part)
		case strings.Contains(part, "+") != isFile:
			return fmt.Errorf("%q isn't a name of a file, or of a folder", part)
		}
	}
	if !strings.HasPrefix(path, "_") {
		return fmt.Errorf("no tier")
	}
	return nil
}

var fold = cases.Fold()

// folded is a path where neither case nor the form of letters counts.
func folded(path string) string { return norm.NFC.String(fold.String(norm.NFD.String(path))) }

// pieces are what hostile URIs are made of.
var pieces = []string{
	"a", "A", "é", "e\u0301", "É", "ß", "ss", "K", "K", "ﬁ", "fi", "ı", "I", "i", ".", "..", "...", " ", "%20", "%2e", "%2E", "%2f", "/",
	"//", "///",
	"+", "%2B", "~", "!", "!/", "?", "??", "#", ":", "*", "<", ">", "|", "\\", "\"", "'", ";", "&", "=", "@", "con", "CON", "nul.txt",
	"aux", "COM1", "com¹", "lpt9.",
	"x.nq.gz", "x.clean.nq.gz", "a.TTL", "a.ttl", "a.b.c", ".gz", ".git", "\x00", "\x01", "\t", "\n", "\r", "\x7f", "\xff", "\U0001F600",
	"\u200b", "\u202e",
	"MANIFEST.tsv", "+" + key + "+20081104-162000", "%", "%4", "%zz", strings.Repeat("long", 70), strings.Repeat("é", 90),
	strings.Repeat("/d", 90), strings.Repeat(".", 79), strings.Repeat("%41", 30),
}

var hosts = []string{
	"example.org", "EXAMPLE.org", "example.org.", "a.b.c.d.e", "localhost", "127.0.0.1", "[::1]", "[::1]:80", "example.org:80",
	"xn--bcher-kva.example", "bücher.example", "con", "foo.nul", "..", ".", "", "-", "_x.y",
	strings.Repeat("a", 63) + "." + strings.Repeat("b", 63) + "." + strings.Repeat("c", 63), "999.999.1.1", "[broken", "%41.org", "a..b",
	"é.é",
}

func hostile(random *rand.Rand) string {
	var b strings.Builder
	b.WriteString([]string{"http://", "https://", "ftp://", "file://", "HTTP://"}[random.IntN(5)])
	if random.IntN(3) == 0 {
		b.WriteString("us3r:s3cret@")
	}
	b.WriteString(hosts[random.IntN(len(hosts))])
	if random.IntN(8) > 0 {
		b.WriteString("/")
		for range random.IntN(8) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
	}
	return b.String()
}

// Names are safe, the same in each run, and hold no password. Each document has its own, even where
// case and the form of letters do not count. The manifest gives all back.
func TestHostileURIsGetSafeNamesOfTheirOwn(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 2026))
	seen, given := map[string]string{}, map[string]bool{}
	folders := map[string]bool{}
	for range 30_000 {
		uri := hostile(random)
		var entries []string
		for range random.IntN(3) * random.IntN(2) {
			entries = append(entries, pieces[random.IntN(len(pieces))]+"/"+hostile(random))
		}
		id := uri + "\x00" + strings.Join(entries, "\x00")
		if given[id] {
			continue
		}
		given[id] = true
		sum := md5.Sum([]byte(id))
		n := filenames.Name{URI: uri, Entries: entries, Key: hex.EncodeToString(sum[:]), Time: at.Add(time.Duration(random.IntN(1e9)))}
		for _, n.Clean = range []bool{false, true} {
			path := n.Path()
			if err := checkSafe(path); err != nil {
				t.Fatalf("%q %q\n%s: %v", uri, entries, path, err)
			}
			if path != n.Path() {
				t.Fatalf("%q: another name each time", uri)
			}
			alike := folded(path)
			if other, taken := seen[alike]; taken {
				t.Fatalf("%q and %q are both %s", uri, other, path)
			}
			seen[alike] = uri
			for i, c := range alike {
				if c == '/' {
					folders[alike[:i]] = true
				}
			}
			if strings.Contains(path, "s3cret") || strings.Contains(path, "us3r") {
				t.Fatalf("%q: the password is in %s", uri, path)
			}
			row := filenames.Row{Key: n.Key, Path: path, What: "raw", URI: id, Time: n.Time.Truncate(time.Second), Bytes: random.Int64(),
				Hash: n.Key}
			line := row.String()
			if back, err := filenames.ParseRow(line); err != nil || back != row || strings.ContainsAny(line, "\n\r\x01") {
				t.Fatalf("%q\n%+v\n%+v %v", line, row, back, err)
			}
		}
	}
	for path := range seen {
		if folders[path] {
			t.Errorf("%s is a file and a folder", path)
		}
	}
}

func TestManifestsAreReadUpToWhereTheyAreTorn(t *testing.T) {
	row := filenames.Row{Key: key, Path: "_a/b+c", What: "raw", URI: "http://e.org/\t\\", Time: at, Bytes: 7, Hash: key}
	text := filenames.Header + "\n" + row.String() + "\n" + row.String()[:20]
	var got []filenames.Row
	for r, err := range filenames.Rows(strings.NewReader(text), true) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r)
	}
	if !slices.Equal(got, []filenames.Row{row}) {
		t.Errorf("%+v", got)
	}
	var failure error
	for _, err := range filenames.Rows(strings.NewReader(text), false) {
		failure = err
	}
	if failure == nil || !strings.HasPrefix(failure.Error(), "line 4:") {
		t.Errorf("%v", failure)
	}
}

func FuzzNamesAreSafe(f *testing.F) {
	f.Add("http://example.org/a.ttl?b#c", "d/e.ttl", "0b", int64(0))
	f.Add("://", "..", "", int64(-1))
	for _, piece := range pieces {
		f.Add("http://"+piece, piece, piece, int64(1)<<62)
	}
	f.Fuzz(func(t *testing.T, uri, entry, extra string, seconds int64) {
		sum := md5.Sum([]byte(uri + "\x00" + entry + "\x00" + extra))
		n := filenames.Name{URI: uri, Entries: []string{entry}, Key: hex.EncodeToString(sum[:]), Time: time.Unix(seconds, 0)}
		raw := n.Path()
		n.Clean = true
		clean := n.Path()
		for _, path := range []string{raw, clean} {
			if err := checkSafe(path); err != nil {
				t.Errorf("%q: %v", path, err)
			}
			if !strings.Contains(path, "+"+n.Key+"+") {
				t.Errorf("%q has no key", path)
			}
			back, err := filenames.Parse(path)
			if err != nil && !errors.Is(err, filenames.ErrCut) {
				t.Errorf("%q isn't read back: %v", path, err)
			}
			if err == nil && (seedlist.Key(back.URI) != seedlist.Key(uri) || !slices.Equal(back.Entries, n.Entries)) {
				t.Errorf("%q %q is read back as %q %q", uri, entry, back.URI, back.Entries)
			}
		}
		if folded(raw) == folded(clean) {
			t.Errorf("%q twice", raw)
		}
		row := filenames.Row{Key: n.Key, Path: raw, What: extra, URI: uri, Hash: entry}
		if back, err := filenames.ParseRow(row.String()); err != nil || back != row {
			t.Errorf("%+v\n%+v %v", row, back, err)
		}
	})
}
