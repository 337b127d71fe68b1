package daemon_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// gzipped is a member of gzip.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Names of entries are evidence. Each stays in the record as the archive has it, distinguishes its
// entry from all others, and is the name of no file.
func TestNamesOfEntriesAreKeptAndNeverUsed(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	names := []string{
		"plain.nt", "PLAIN.NT", "Plain.nt", "caf\xe9.nt", "caf\xc3\xa9.nt", "/etc/evil.nt", "../../evil.nt", "a/../../evil.nt",
		`C:\evil.nt`, `..\evil.nt`,
		"c:evil.nt", "new\nline.nt", "nul\x00evil.nt", "CON", "a/" + strings.Repeat("long/", 13_000) + "evil.nt",
		strings.Repeat("x", 65_000), strings.Repeat("x", 65_000) + "y", " ", ".", "\xff\xfe",
		"\u202Egnp.nt", "a:evil", "-rf", "~evil", "$(evil)",
	}
	var entries []string
	for i, name := range names {
		entries = append(entries, name, nt(fmt.Sprint("of-", i)))
	}
	entries = append(entries, "plain.nt", nt("the-second-of-that-name"))
	w.page("/names.zip", zipOf(t, entries...))
	w.add("/names.zip")
	w.run()
	w.sound()
	parent := w.seed("/names.zip")
	if parent.Status != seedlist.Depleted || *parent.ChildrenTotal != int64(len(names)+1) || parent.Notices["archive/unsafe-name"] < 7 {
		t.Errorf("%+v", parent)
	}
	for i, name := range names {
		child := w.child("/names.zip", name)
		kept := strings.TrimSuffix(child.Archive.Name(), "…") // of a longer name 16 KiB; the key is of all of it
		if !strings.HasPrefix(name, kept) || len(kept) < min(len(name), 16<<10-3) || child.Status != seedlist.Parsed ||
			w.clean(child) != nt(fmt.Sprint("of-", i)) {
			t.Errorf("%.40q: %s, called %.40q", name, child.Status, child.Archive.Name())
		}
	}
	second, err := w.seeds.Seed(t.Context(), seedlist.ChildKey(parent.Hash, "plain.nt", 2))
	if err != nil || second.Archive.Nth != 2 || w.clean(second) != nt("the-second-of-that-name") {
		t.Errorf("%+v %v", second, err)
	}
	for i, name := range names {
		if name != "caf\xe9.nt" && name != "caf\xc3\xa9.nt" {
			continue
		}
		if child := w.child("/names.zip", name); child.Archive.Entry != "caf\u00E9.nt" || (child.Archive.EntryBytes != nil) != (i == 3) {
			t.Errorf("%q is shown as %q", name, child.Archive.Entry)
		}
	}
	if err := filepath.WalkDir(w.dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.Contains(strings.ToLower(path[len(w.dir):]), "evil") || strings.Contains(path[len(w.dir):], "plain") {
			t.Errorf("a file has the name of an entry: %.200q", path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func TestLinksAndDevicesOfAnArchiveAreToldAndNotFollowed(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	var out bytes.Buffer
	z := tar.NewWriter(&out)
	body := nt("a")
	z.WriteHeader(&tar.Header{Name: "a.nt", Size: int64(len(body)), Mode: 0o644})
	z.Write([]byte(body))
	z.WriteHeader(&tar.Header{Name: "etc", Typeflag: tar.TypeSymlink, Linkname: "/etc"})
	z.WriteHeader(&tar.Header{Name: "etc/evil.nt", Size: int64(len(body)), Mode: 0o644})
	z.Write([]byte(body))
	z.WriteHeader(&tar.Header{Name: "hard", Typeflag: tar.TypeLink, Linkname: "../../seeds.db"})
	z.WriteHeader(&tar.Header{Name: "disk", Typeflag: tar.TypeBlock, Devmajor: 8})
	z.WriteHeader(&tar.Header{Name: "pipe", Typeflag: tar.TypeFifo})
	z.WriteHeader(&tar.Header{Name: "folder/", Typeflag: tar.TypeDir, Mode: 0o777})
	z.Close()
	w.page("/links.tar", out.Bytes())
	w.add("/links.tar")
	w.run()
	w.sound()
	parent := w.seed("/links.tar")
	if *parent.ChildrenTotal != 2 || parent.Notices["archive/link"] != 2 || parent.Notices["archive/device"] != 2 {
		t.Errorf("%d children, %+v", *parent.ChildrenTotal, parent.Notices)
	}
	if c := w.child("/links.tar", "etc/evil.nt"); w.clean(c) != body {
		t.Errorf("%+v", c)
	}
}

// record is a record of a WARC file.
func record(version, kind, target, more, block string) string {
	return fmt.Sprintf(
		"WARC/%s\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:%x>\r\nWARC-Date: 2014-10-19T12:30:00Z\r\nWARC-Target-URI: %s\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n",
		version, kind, len(block), target, more, len(block), block)
}

// header is a header of the reply that a child came with.
func header(child seedlist.Seed, name string) string {
	return strings.Join(child.HTTP[0].Headers[name], ", ")
}

const isResponse = "Content-Type: application/http; msgtype=response\r\n"

func TestEachResponseOfACrawlIsASeedWithItsOwnBaseAndHeaders(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/turtle\r\nETag: \"e1\"\r\nSet-Cookie: secret=1\r\n"
	squeezed := gzipped(t, `<x> <p> "squeezed" .`+"\n")
	chunked := "15\r\n<x> <p> \"chunked\" .\n\n\r\n0\r\n\r\n"
	both := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(squeezed), squeezed)
	for version, member := range map[string]bool{"1.0": false, "1.1": true} {
		records := []string{
			record(version, "warcinfo", "", "Content-Type: application/warc-fields\r\n", "software: a test\r\n"),
			record(version, "response", "http://example.org/dir/plain.ttl", isResponse, head+"\r\n<x> <p> \"plain\" .\n"),
			record(version, "response", "http://example.org/chunked/", isResponse, head+"Transfer-Encoding: chunked\r\n\r\n"+chunked),
			record(version, "response", "http://example.org/gz/", isResponse, head+"Content-Encoding: gzip\r\n\r\n"+squeezed),
			record(version, "response", "http://example.org/both/", isResponse,
				head+"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"+both),
			record(version, "revisit", "http://example.org/dir/plain.ttl", isResponse, head+"\r\n"),
			record(version, "response", "http://example.org/cut/", isResponse+"WARC-Truncated: length\r\n",
				head+"\r\n<x> <p> \"begun\" .\n<x> <p"),
			record(version, "request", "http://example.org/", "Content-Type: application/http; msgtype=request\r\n",
				"GET / HTTP/1.1\r\n\r\n"),
			record(version, "response", "http://example.org/gone", isResponse,
				"HTTP/1.0 404 Not Found\r\nContent-Type: text/html\r\n\r\n<html><body>no such page</body></html>"),
		}
		path := "/crawl-" + version + ".warc"
		crawl := ""
		for _, r := range records {
			if member {
				r = gzipped(t, r)
			}
			crawl += r
		}
		w.page(path, []byte(crawl))
		w.add(path)
		w.run()
		w.sound()
		parent := w.seed(path)
		if parent.Status != seedlist.Depleted || parent.Archive.Format != "warc" || *parent.ChildrenTotal != 6 ||
			parent.Notices["archive/revisit"] != 1 || parent.Notices["archive/truncated"] != 1 {
			t.Errorf("%s: %d children, %+v %+v", version, *parent.ChildrenTotal, parent.Archive, parent.Notices)
		}
		came := map[string]bool{}
		for _, hash := range parent.Children {
			child, err := w.seeds.Seed(t.Context(), hash)
			if err != nil {
				t.Fatal(err)
			}
			uri := child.Archive.URI
			came[uri] = true
			if len(child.HTTP) != 1 || child.HTTP[0].URI != uri || header(child, "content-type") == "" ||
				header(child, "set-cookie") != "" {
				t.Errorf("%s %s: exchanges %+v", version, uri, child.HTTP)
				continue
			}
			if uri == "http://example.org/gone" {
				if child.HTTP[0].Status != 404 || child.HTTP[0].Version.Minor != 0 {
					t.Errorf("%s: %+v", version, child.HTTP[0])
				}
				continue
			}
			what := map[string]string{"http://example.org/dir/plain.ttl": "dir/ plain", "http://example.org/chunked/": "chunked/ chunked",
				"http://example.org/gz/":   "gz/ squeezed",
				"http://example.org/both/": "both/ squeezed", "http://example.org/cut/": "cut/ begun"}[uri]
			base, value, _ := strings.Cut(what, " ")
			want := fmt.Sprintf("<http://example.org/%sx> <http://example.org/%[1]sp> \"%s\" .\n", base, value)
			if child.Status != seedlist.Parsed || w.clean(child) != want || header(child, "etag") != `"e1"` || child.HTTP[0].Status != 200 {
				t.Errorf("%s %s: %s, %+v", version, uri, child.Status, child.HTTP)
			}
		}
		if len(came) != 6 {
			t.Errorf("%s: %v", version, came)
		}
	}
}

// Each limit ends the archive or entry that reaches it, with its own code, and nothing else.
func TestBombsEndThemselvesAndTheRestGoesOn(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.opt.Limits.Depth, w.opt.Limits.Entries, w.opt.Limits.Ratio = 4, 50, 100
	w.opt.EntriesHeld = 20
	zeros := strings.Repeat("\x00", 1<<20)
	var many []string
	for i := range 51 {
		many = append(many, fmt.Sprint(i, ".nt"), nt(fmt.Sprint(i)))
	}
	deep := nt("deep")
	for range 5 {
		deep = gzipped(t, deep)
	}
	nested := string(zipOf(t, "0", strings.Repeat(zeros, 8)))
	for range 2 {
		nested = string(zipOf(t, "a.zip", nested, "b.zip", nested, "c.zip", nested, "d.zip", nested))
	}
	for path, body := range map[string]string{
		"/ratio.nt.gz": gzipped(t, strings.Repeat(strings.Repeat(nt("a"), 1000), 70<<20/1000/len(nt("a"))+1)),
		"/entries.zip": string(zipOf(t, many...)), "/depth.gz": deep, "/nested.zip": nested, "/innocent.nt": nt("innocent"),
		"/small.zip": string(zipOf(t, "a.nt", nt("a"))),
	} {
		w.page(path, []byte(body))
		w.add(path)
	}
	w.run()
	w.sound()
	for path, code := range map[string]fault.Code{
		"/ratio.nt.gz": "limit/archive-ratio", "/entries.zip": "limit/archive-entries", "/depth.gz": "limit/archive-depth",
	} {
		seed := w.seed(path)
		if seed.Status != seedlist.Failed || seed.Error == nil || seed.Error.Kind != fault.Limit || seed.Error.Code != code {
			t.Errorf("%s: %s, %+v", path, seed.Status, seed.Error)
		}
	}
	// What lies before the limit is there, and the record says where it ends.
	entries := w.seed("/entries.zip")
	if entries.ChildrenTotal == nil || *entries.ChildrenTotal != 50 || w.clean(w.child("/entries.zip", "49.nt")) != nt("49") {
		t.Errorf("/entries.zip: %+v", entries)
	}
	limited := 0
	for _, seed := range w.all() {
		// the one entry of a zip costs itself
		if seed.Error != nil && seed.Error.Kind == fault.Limit || seed.Notices["limit/archive-ratio"] > 0 {
			limited++
		}
	}
	if limited < 5 {
		t.Errorf("%d seeds reached a limit: of those nested in each other none", limited)
	}
	if s := w.seed("/innocent.nt"); s.Status != seedlist.Parsed {
		t.Errorf("%+v", s)
	}
	if s := w.child("/small.zip", "a.nt"); s.Status != seedlist.Parsed {
		t.Errorf("%+v", s)
	}
	// With a higher limit the rest of the entries is filed, and the first are not washed again.
	before := len(w.attempts(w.child("/entries.zip", "1.nt").Hash))
	w.opt.Limits.Entries = 51
	w.retry("/entries.zip")
	w.run()
	w.sound()
	if s := w.seed("/entries.zip"); s.Status != seedlist.Depleted || s.Error != nil || *s.ChildrenTotal != 51 ||
		w.clean(w.child("/entries.zip", "50.nt")) != nt("50") {
		t.Errorf("/entries.zip: %+v", s)
	}
	if now := len(w.attempts(w.child("/entries.zip", "1.nt").Hash)); now != before {
		t.Errorf("an entry that was there has %d attempts, and had %d", now, before)
	}
	w.opt.Limits.Bytes = 1 << 20
	w.page("/bytes.zip", zipOf(t, "a.nt", nt("a"), "b.nt", strings.Repeat(nt("b"), 40_000), "c.nt", nt("c")))
	w.add("/bytes.zip")
	w.page("/bytes.nt.gz", []byte(gzipped(t, strings.Repeat(nt("a"), 40_000))))
	w.page("/innocent2.nt", []byte(nt("innocent")))
	w.add("/bytes.nt.gz", "/innocent2.nt")
	w.run()
	w.sound()
	if seed := w.seed("/bytes.nt.gz"); seed.Status != seedlist.Failed || seed.Error == nil || seed.Error.Code != fault.LimitArchiveBytes {
		t.Errorf("%s, %+v", seed.Status, seed.Error)
	}
	cut := w.seed("/bytes.zip")
	if cut.Status != seedlist.Failed || cut.Error.Code != fault.LimitArchiveBytes ||
		!strings.Contains(cut.Error.Message, "in entry 2, b.nt: ") || *cut.ChildrenTotal != 1 ||
		w.clean(w.child("/bytes.zip", "a.nt")) != nt("a") {
		t.Errorf("%+v %+v", cut, cut.Error)
	}
	if s := w.seed("/innocent2.nt"); s.Status != seedlist.Parsed {
		t.Errorf("%+v", s)
	}
}

// Archives in archives are opened apart, and count their entries together.
func TestEntriesOfArchivesInArchivesAreCountedTogether(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.opt.Limits.Entries = 40
	w.opt.EntriesHeld = 20
	inner := func(n int) string {
		var entries []string
		for i := range 10 {
			entries = append(entries, fmt.Sprint(i, ".nt"), nt(fmt.Sprint(n, "-", i)))
		}
		return string(zipOf(t, entries...))
	}
	var outer, deeper []string
	for i := range 6 {
		outer = append(outer, fmt.Sprint(i, ".zip"), inner(i))
		deeper = append(deeper, fmt.Sprint(i, ".zip"), string(zipOf(t, "deep.zip", inner(10+i))))
	}
	w.page("/six.zip", zipOf(t, outer...))
	w.page("/deeper.zip", zipOf(t, deeper...))
	w.page("/three.zip", zipOf(t, outer[:6]...)) // of name and body
	w.add("/six.zip", "/deeper.zip", "/three.zip")
	w.run()
	w.sound()
	under := func(path string) (entries, limited int) {
		top := w.seed(path).Hash
		parents := map[string]string{}
		all := w.all()
		for _, seed := range all {
			parents[seed.Hash] = seed.Parent
		}
		for _, seed := range all {
			at := seed.Hash
			for parents[at] != "" {
				at = parents[at]
			}
			if at != top || seed.Parent == "" || seed.Dirty != "" {
				continue
			}
			entries++
			if seed.Error != nil && seed.Error.Code == fault.LimitArchiveEntries {
				limited++
			}
		}
		return entries, limited
	}
	for path, want := range map[string][2]int{"/six.zip": {40, 3}, "/deeper.zip": {40, 4}, "/three.zip": {33, 0}} {
		entries, limited := under(path)
		if entries != want[0] || limited == 0 != (want[1] == 0) {
			t.Errorf("%s: %d entries are filed, %d archives reached the limit; want %v", path, entries, limited, want)
		}
	}
	// With a higher limit the rest is filed: read again, an archive counts once.
	w.opt.Limits.Entries = 66
	for i := range 6 {
		if child := w.child("/six.zip", fmt.Sprint(i, ".zip")); child.Status == seedlist.Failed {
			if answers, err := w.seeds.Retry(t.Context(), "", child.Hash); err != nil || answers[0] != nil {
				t.Fatal(err, answers)
			}
		}
	}
	w.run()
	w.sound()
	if entries, limited := under("/six.zip"); entries != 66 || limited != 0 {
		t.Errorf("with a higher limit %d entries are filed, %d archives reached the limit", entries, limited)
	}
}
