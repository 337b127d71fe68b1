package daemon_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/files"
	"laundromat/rdf/statistics"
	"laundromat/seedlist"
	"laundromat/states/daemon"
)

// zipOf makes an archive of names and bodies, one after the other.
func zipOf(t *testing.T, entries ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := 0; i < len(entries); i += 2 {
		w, err := z.Create(entries[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(entries[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// nt is a document of one statement.
func nt(what string) string {
	return fmt.Sprintf("<http://example.org/%s> <http://example.org/p> \"%[1]s\" .\n", what)
}

// there says whether a file is.
func (w *world) there(hash string, suffix files.Suffix) bool {
	w.t.Helper()
	_, err := w.files.Size(hash, suffix)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Fatal(err)
	}
	return err == nil
}

func TestWhatDidNotChangeIsNotWashedAgain(t *testing.T) {
	w := newWorld(t, seedlist.Options{Interval: time.Second})
	p := w.page("/x.nt", []byte(nt("one")))
	w.add("/x.nt")
	w.run()
	first := w.seed("/x.nt")
	if first.Due.Before(first.Processed) {
		t.Errorf("due %v, processed %v", first.Due, first.Processed)
	}
	stop := w.start()
	w.await("the second round", func() bool { return w.counts().Unchanged > 0 })
	stop()
	seed := w.seed("/x.nt")
	if p.asked < 2 || seed.Status != seedlist.Parsed || seed.Clean != first.Clean || !seed.Retrieved.Equal(first.Retrieved) ||
		!seed.Processed.After(first.Processed) {
		t.Errorf("asked %d: %s", p.asked, seed.Status)
	}
	if got := w.story(seed.Hash); !strings.HasPrefix(got, washed+" downloading:success") || strings.Count(got, "parsing") != 1 {
		t.Error(got)
	}
	w.sound()
}

func TestChangedBytesReplaceTheCleanFile(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	p := w.page("/x.nt", []byte(nt("one")+"broken\n"))
	w.add("/x.nt")
	w.run()
	old := w.seed("/x.nt")
	if !w.there(old.Clean, files.Clean) || !w.there(old.Hash, files.Notices) {
		t.Fatal("files are missing")
	}
	p.set(200, []byte(nt("two")))
	w.retry("/x.nt")
	w.run()
	w.sound()
	seed := w.seed("/x.nt")
	if seed.Status != seedlist.Parsed || seed.Clean == old.Clean || w.clean(seed) != nt("two") || len(seed.Notices) > 0 ||
		seed.Notices == nil {
		t.Errorf("%+v", seed.Record)
	}
	if _, err := w.seeds.Seed(t.Context(), old.Clean); !errors.Is(err, seedlist.ErrNotFound) {
		t.Error("the old clean seed is still there")
	}
	if w.there(old.Clean, files.Clean) || w.there(old.Hash, files.Notices) {
		t.Error("old files are still there")
	}
}

// TestAnIndexIsThereWhereItIsNeeded: one of a clean file of a single member would say
// nothing.
func TestAnIndexIsThereWhereItIsNeeded(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	var long strings.Builder
	for i := 0; !files.Indexed(int64(long.Len())); i++ {
		long.WriteString(nt(fmt.Sprintf("number-%d", i)))
	}
	p := w.page("/long.nt", []byte(long.String()))
	w.page("/short.nt", []byte(nt("one")))
	w.add("/long.nt", "/short.nt")
	w.run()
	w.sound()
	was := w.seed("/long.nt")
	if !w.there(was.Clean, files.Index) || w.there(w.seed("/short.nt").Clean, files.Index) {
		t.Error("an index is missing, or there for nothing")
	}
	p.set(200, []byte(nt("two")))
	w.retry("/long.nt")
	w.run()
	w.sound()
	if w.there(was.Clean, files.Index) {
		t.Error("the index outlived its file")
	}
}

// TestStatisticsAreThoseOfTheCleanFile, and are there where it has many lines, also for a second seed of the same
// bytes.
func TestStatisticsAreThoseOfTheCleanFile(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	var long strings.Builder
	for i := 0; !files.Indexed(int64(long.Len())); i++ {
		long.WriteString(nt(fmt.Sprintf("number-%d", i%20_000)))
	}
	w.page("/long.nt", []byte(long.String()))
	w.page("/again.nt", []byte(long.String()))
	w.page("/short.nt", []byte(nt("one")))
	w.add("/long.nt", "/short.nt")
	w.run()
	w.add("/again.nt")
	w.run()
	w.sound()
	long1, again, short := w.seed("/long.nt"), w.seed("/again.nt"), w.seed("/short.nt")
	if !w.there(long1.Clean, files.Statistics) || !w.there(again.Clean, files.Statistics) || w.there(short.Clean, files.Statistics) {
		t.Fatal("statistics are missing, or there for nothing")
	}
	unpacked := func(suffix files.Suffix) io.Reader {
		file, err := w.files.Open(long1.Clean, suffix)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { file.Close() })
		text, err := gzip.NewReader(files.Sequential(file))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	want, err := statistics.Read(unpacked(files.Clean))
	if err != nil {
		t.Fatal(err)
	}
	var got statistics.Statistics
	if err := json.NewDecoder(unpacked(files.Statistics)).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(&got, want) || got.Statements == 0 {
		t.Errorf("kept are %+v, want %+v", got, *want)
	}
}

func TestAnotherVersionOfTheWasherWashesAgain(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.page("/x.nt", []byte(nt("one")))
	w.add("/x.nt")
	w.run()
	w.opt.Version = "1.1"
	w.retry("/x.nt")
	w.run()
	if got := w.story(w.seed("/x.nt").Hash); got != washed+" "+washed || w.counts().Unchanged != 0 {
		t.Error(got)
	}
	w.sound()
}

// TestAFailedDownloadIsNoLastState: after a server was gone, the same bytes come back that were
// washed before. That must not lead back to the failure.
func TestAFailedDownloadIsNoLastState(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	p := w.page("/x.nt", []byte(nt("one")))
	w.add("/x.nt")
	w.run()
	p.set(404, nil)
	w.retry("/x.nt")
	w.run()
	failedWith(t, w.seed("/x.nt"), seedlist.Downloading, "refused", "http/status")
	w.sound()
	p.set(200, []byte(nt("one")))
	w.retry("/x.nt")
	w.run()
	if seed := w.seed("/x.nt"); seed.Status != seedlist.Parsed || seed.Error != nil || w.clean(seed) != nt("one") {
		t.Errorf("%s: %+v", seed.Status, seed.Error)
	}
	w.sound()
}

func TestATryThatFailedLeavesNoErrorWhenNothingChanged(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	p := w.page("/x.nt", []byte(nt("one")))
	w.page("/bad.pdf", []byte("%PDF-1.4 no data"))
	w.add("/x.nt", "/bad.pdf")
	w.run()
	failedWith(t, w.seed("/bad.pdf"), seedlist.Guessing, "data", "format/not-rdf")
	p.set(503, nil)
	w.opt.Retries.First = 200 * time.Millisecond
	w.retry("/x.nt", "/bad.pdf")
	stop := w.start()
	w.await("a try", func() bool { return w.seed("/x.nt").Tries == 1 })
	p.set(200, []byte(nt("one")))
	w.await("the end", func() bool { return w.seed("/x.nt").Status == seedlist.Parsed })
	w.await("the end", func() bool { return w.seed("/bad.pdf").Status == seedlist.Failed })
	stop()
	failedWith(t, w.seed("/bad.pdf"), seedlist.Guessing, "data", "format/not-rdf")
	if n := w.counts().Unchanged; n != 2 {
		t.Errorf("unchanged %d: neither lost what it had been found to be by a try that failed", n)
	}
	w.sound()
}

func TestALostFileIsFetchedAgainByRetry(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.page("/x.nt", []byte(nt("one")))
	w.page("/y.nt", []byte(nt("two")))
	w.add("/x.nt", "/y.nt")
	w.run()
	if err := errors.Join(w.files.Remove(w.seed("/x.nt").Hash, files.Dirty),
		w.files.Remove(w.seed("/y.nt").Clean, files.Clean)); err != nil {
		t.Fatal(err)
	}
	sums, err := daemon.Verify(t.Context(), w.seeds, w.files, func(daemon.Damage) error { return nil })
	if err != nil || sums.Bad != 2 {
		t.Errorf("%+v %v", sums, err)
	}
	w.retry("/x.nt", "/y.nt")
	w.run()
	w.sound()
}

func TestAnArchiveFetchedAgainFilesOnlyWhatChanged(t *testing.T) {
	for name, held := range map[string]int{"at once": 0, "two at a time": 2} {
		t.Run(name, func(t *testing.T) { fetchedAgain(t, held) })
	}
}

func fetchedAgain(t *testing.T, held int) {
	w := newWorld(t, seedlist.Options{})
	w.opt.EntriesHeld = held
	long := strings.Repeat(nt("long"), 3000)
	p := w.page("/a.zip", zipOf(t, "same.nt", nt("same"), "changes.nt", nt("before")+"broken\n", "goes.nt", nt("goes"),
		"shrinks.nt", long, "breaks.nt", nt("whole")+"broken\n", "readme.txt", "no data at all"))
	w.add("/a.zip")
	w.run()
	w.sound()
	if a := w.seed("/a.zip"); a.Status != seedlist.Depleted || *a.ChildrenTotal != 6 || a.Archive.Format != "zip" {
		t.Fatalf("%+v", a)
	}
	before := map[string]seedlist.Seed{}
	for _, name := range []string{"same.nt", "changes.nt", "goes.nt", "shrinks.nt", "breaks.nt", "readme.txt"} {
		before[name] = w.child("/a.zip", name)
	}
	if !w.there(before["shrinks.nt"].Hash, files.DirtyGzip) {
		t.Error("a long entry is not compressed")
	}
	if got := w.attempts(before["same.nt"].Hash)[0].SourceURL; got != w.uri("/a.zip")+"!/same.nt" {
		t.Error(got)
	}
	failedWith(t, before["readme.txt"], seedlist.Guessing, "data", "format/not-rdf")

	p.set(200, zipOf(t, "same.nt", nt("same"), "changes.nt", nt("after"), "shrinks.nt", nt("short"), "breaks.nt", "%PDF-1.4 no longer",
		"new.nt", nt("new"), "readme.txt", "no data at all"))
	w.retry("/a.zip")
	w.run()
	w.sound()
	for name, want := range map[string]struct {
		state   seedlist.State
		fences  uint64
		content string
	}{
		"same.nt": {seedlist.Parsed, 3, nt("same")}, "changes.nt": {seedlist.Parsed, 6, nt("after")},
		"goes.nt":    {seedlist.Parsed, 3, nt("goes")},
		"shrinks.nt": {seedlist.Parsed, 6, nt("short")}, "breaks.nt": {seedlist.Failed, 5, ""}, "new.nt": {seedlist.Parsed, 3, nt("new")},
		"readme.txt": {seedlist.Failed, 2, ""},
	} {
		c := w.child("/a.zip", name)
		if c.Status != want.state || c.Fence != want.fences || *c.Gone != (name == "goes.nt") {
			t.Errorf("%s: %s, fence %d, gone %v", name, c.Status, c.Fence, *c.Gone)
		}
		if want.content != "" && w.clean(c) != want.content {
			t.Errorf("%s: %s", name, w.clean(c))
		}
	}
	if c := w.child("/a.zip", "breaks.nt"); c.Clean != "" || c.Statements != nil || len(c.Notices) > 0 || c.Text != nil {
		t.Errorf("what was found in the old bytes is told of the new: %+v", c.Record)
	}
	if w.there(before["changes.nt"].Clean, files.Clean) || w.there(before["shrinks.nt"].Hash, files.DirtyGzip) {
		t.Error("files of the old bytes are left")
	}

	// The server is gone for a while; then the archive is broken; then it is a plain file.
	p.set(500, nil)
	w.retry("/a.zip")
	w.run()
	w.sound()
	if c := w.child("/a.zip", "same.nt"); c.Status != seedlist.Parsed || *c.Gone {
		t.Errorf("%+v", c.Standing)
	}
	p.set(200, []byte(nt("plain")))
	w.retry("/a.zip")
	w.run()
	w.sound()
	a := w.seed("/a.zip")
	if a.Status != seedlist.Parsed || a.Archive != nil || w.clean(a) != nt("plain") {
		t.Errorf("%+v", a.Record)
	}
	for _, name := range []string{"same.nt", "changes.nt", "goes.nt", "new.nt"} {
		if c := w.child("/a.zip", name); !*c.Gone || c.Status != seedlist.Parsed || !w.there(c.Clean, files.Clean) {
			t.Errorf("%s: %+v", name, c.Standing)
		}
	}
	p.set(200, zipOf(t, "same.nt", nt("same"), "goes.nt", nt("back"), "deep.zip", string(zipOf(t, "inner.nt", nt("inner")))))
	w.retry("/a.zip")
	w.run()
	w.sound()
	if c := w.child("/a.zip", "goes.nt"); *c.Gone || w.clean(c) != nt("back") {
		t.Errorf("%+v", c.Standing)
	}
	if c := w.child("/a.zip", "deep.zip", "inner.nt"); c.Status != seedlist.Parsed || w.clean(c) != nt("inner") {
		t.Errorf("%+v", c.Standing)
	}
	if a := w.seed("/a.zip"); a.Clean != "" || a.Statements != nil || a.Format != "" {
		t.Errorf("an archive with what was found in a plain file: %+v", a.Record)
	}
	if _, err := w.seeds.Remove(t.Context(), a.Hash); err != nil {
		t.Fatal(err)
	}
	w.sound()
	if c := w.counts(); c.Seeds != 0 {
		t.Errorf("%+v", c.States)
	}
}

// TestAnArchiveThatCannotBeReadToItsEndLeavesItsEntriesAlone: those that were read
// before the fault keep the bytes that their records speak of.
func TestAnArchiveThatCannotBeReadToItsEndLeavesItsEntriesAlone(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	var before, after []string
	for i := range 30 {
		name := fmt.Sprintf("%03d.nt", i)
		before, after = append(before, name, nt("before"+name)), append(after, name, nt("after"+name))
	}
	p := w.page("/a.zip", zipOf(t, before...))
	w.add("/a.zip")
	w.run()
	w.sound()
	w.opt.Limits.Entries = 20
	p.set(200, zipOf(t, after...))
	w.retry("/a.zip")
	w.run()
	if a := w.seed("/a.zip"); a.Status != seedlist.Failed || a.Error.Stage != seedlist.Unarchiving {
		t.Fatalf("%s: %+v", a.Status, a.Error)
	}
	if a := w.attempts(w.seed("/a.zip").Hash); !strings.HasPrefix(a[len(a)-1].SourceText, "PK") {
		t.Errorf("%+v", a[len(a)-1])
	}
	w.sound()
	w.opt.Limits.Entries = 0
	if answers, err := w.seeds.Retry(t.Context(), seedlist.Filed, w.seed("/a.zip").Hash); err != nil || answers[0] != nil {
		t.Fatal(answers, err)
	}
	w.run()
	w.sound()
	if c := w.child("/a.zip", "007.nt"); w.clean(c) != nt("after007.nt") {
		t.Errorf("%+v", c)
	}
}

func TestRetryBeginsWhereItIsTold(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	p := w.page("/x.jsonld", []byte(`{"@id": "http://example.org/s", "http://example.org/p": "`+strings.Repeat("x", 5<<20)+`"}`))
	w.opt.Memory = 64 << 20
	w.add("/x.jsonld")
	w.run()
	seed := w.seed("/x.jsonld")
	failedWith(t, seed, seedlist.Parsing, "limit", "limit/memory")
	if a := w.attempts(seed.Hash); !strings.HasPrefix(a[len(a)-1].SourceText, `{"@id"`) || a[len(a)-1].Counts["written"] != 0 {
		t.Errorf("%+v", a[len(a)-1])
	}
	w.sound()
	if answers, err := w.seeds.Retry(t.Context(), seedlist.Filed, seed.Hash); err != nil || answers[0] != seedlist.ErrNotFailed {
		t.Error(answers, err)
	}
	if answers, err := w.seeds.Retry(t.Context(), seedlist.Guessed, seed.Hash); err != nil || answers[0] != nil {
		t.Error(answers, err)
	}
	w.opt.Memory = 1 << 30
	w.run()
	if seed = w.seed("/x.jsonld"); seed.Status != seedlist.Parsed || p.asked != 1 || seed.Tries != 0 {
		t.Errorf("%s, asked %d times: %+v", seed.Status, p.asked, seed.Error)
	}
	w.sound()
}

// TestRetryAfterALimitWashesTheSameBytesAgain: it may have been raised.
func TestRetryAfterALimitWashesTheSameBytesAgain(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.page("/x.jsonld", []byte(`{"@id": "http://example.org/s", "http://example.org/p": "`+strings.Repeat("x", 5<<20)+`"}`))
	w.opt.Memory = 64 << 20
	w.add("/x.jsonld")
	w.run()
	w.opt.Memory = 1 << 30
	w.retry("/x.jsonld")
	w.run()
	if seed := w.seed("/x.jsonld"); seed.Status != seedlist.Parsed {
		t.Errorf("%s: %+v", seed.Status, seed.Error)
	}
	w.sound()
}

func TestDocumentsOfTheSameBytesShareOneCleanFile(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.page("/a.nt", []byte(nt("one")+nt("two")))
	w.page("/b.ttl", []byte("# the same\n"+nt("two")+nt("one")+nt("one")))
	w.add("/a.nt", "/b.ttl")
	w.run()
	w.sound()
	a, b := w.seed("/a.nt"), w.seed("/b.ttl")
	clean, err := w.seeds.Seed(t.Context(), a.Clean)
	if err != nil || a.Clean != b.Clean || w.counts().Clean.Files != 1 || len(clean.AlsoDirty) != 1 || clean.Dirty == clean.AlsoDirty[0] ||
		*clean.AlsoDirtyTotal != 1 {
		t.Fatalf("%v %+v", err, clean)
	}
	if b.Statements.Duplicates != 1 || b.Statements.Written != 2 {
		t.Errorf("%+v", b.Statements)
	}
	w.seeds.Remove(t.Context(), a.Hash)
	w.sound()
	if clean, err = w.seeds.Seed(t.Context(), b.Clean); err != nil || clean.Dirty != b.Hash || len(clean.AlsoDirty) != 0 ||
		!w.there(b.Clean, files.Clean) || w.there(a.Hash, files.Dirty) {
		t.Errorf("%v %+v", err, clean)
	}
	w.seeds.Remove(t.Context(), b.Hash)
	w.sound()
	if w.there(b.Clean, files.Clean) || w.there(b.Clean, files.Index) || w.there(b.Hash, files.Dirty) || w.counts().Seeds != 0 {
		t.Error("something is left")
	}
}
