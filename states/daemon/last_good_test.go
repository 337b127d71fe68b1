package daemon_test

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

const (
	loginPage = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><form><input name=user></form></body></html>\n"
	dataPage  = "<!DOCTYPE html>\n<html><head><title>x</title><script type=\"application/ld+json\">{\"@id\":\"http://e/1\",\"http://e/p\":\"v\"}</script></head><body></body></html>\n"
	bareFrame = "<!DOCTYPE html>\n<html><head><title>x</title><script type=\"application/ld+json\">{}</script></head><body></body></html>\n"
)

// Whatever comes in the place of a document that was washed, its clean file, bytes and notices stay served. Only a good
// wash takes their place.
func TestWhateverComesSinceTheLastGoodWashStaysServed(t *testing.T) {
	good := nt("good") + "<http://e/broken> oops .\n"
	for name, c := range map[string]struct {
		status   int
		body     string
		replaces bool
	}{
		"a login page":                    {200, loginPage, false},
		"plain text":                      {200, "Down for maintenance. Please come back later, we are working on it!\n", false},
		"a picture":                       {200, "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", false},
		"a table":                         {200, "a,b,c\n1,2,3\n4,5,6\n", false},
		"an error in JSON":                {200, `{"error":"maintenance"}`, false},
		"not found":                       {404, "not found", false},
		"gone":                            {410, "gone", false},
		"forbidden":                       {403, loginPage, false},
		"unauthorized":                    {401, loginPage, false},
		"an error of the server":          {500, loginPage, false},
		"an archive":                      {200, string(zipOf(t, "x.nt", nt("x"))), false},
		"an empty archive":                {200, string(zipOf(t)), false},
		"a damaged gzip":                  {200, "\x1f\x8b\x08\x00broken", false},
		"other data":                      {200, nt("other"), true},
		"a document without statements":   {200, "@prefix ex: <http://e/> .\n# nothing is in it any more\n", true},
		"statements in another format":    {200, "@prefix ex: <http://e/> .\nex:a ex:b ex:c .\n", true},
		"a page with statements in it":    {200, dataPage, false},
		"data with much that is lost":     {200, nt("left") + "<a> oops\n<b> oops\n", true},
		"broken throughout, N-Triples":    {200, "<http://e/1> oops .\n<http://e/2> oops .\n<http://e/3> oops .\n", false},
		"nothing but the script of JSON":  {200, bareFrame, false},
		"a page that redirects by script": {200, "<html><body><script>location='/login'</script></body></html>", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			w.opt.Retries.Tries = 1
			p := w.page("/a", []byte(good))
			w.add("/a")
			w.run()
			was := w.seed("/a")
			if was.Status != seedlist.Parsed || len(was.Notices) == 0 {
				t.Fatalf("%+v", was.Record)
			}
			text, bytes, notices := w.clean(was), w.stored(was), w.notices(was)
			for range 3 { // whatever it is, it comes again and again
				p.set(c.status, []byte(c.body))
				w.retry("/a")
				w.run()
				w.sound()
			}
			is := w.seed("/a")
			if c.replaces {
				if is.Status != seedlist.Parsed || is.Clean == "" || is.Clean == was.Clean || is.Good != nil || is.Previous != "" {
					t.Errorf("%s: %+v", is.Status, is.Record)
				}
				return
			}
			served := is.Served()
			if served.Clean != was.Clean || w.clean(served) != text || w.stored(served) != bytes || w.notices(served) != notices ||
				is.Behind() == "" {
				t.Errorf("%s, %q: %+v", is.Status, is.Behind(), is.Record)
			}
			counts := w.counts()
			if counts.Washed < 1 || counts.Statements.Written < was.Statements.Written {
				t.Errorf("%+v", counts)
			}
			// Well again, it is served as it is now, and nothing is left of the rest.
			p.set(200, []byte(nt("well")))
			w.retry("/a")
			w.run()
			w.sound()
			if is = w.seed("/a"); is.Status != seedlist.Parsed || w.clean(is) != nt("well") || is.Good != nil || is.Behind() != "" {
				t.Errorf("%s: %+v", is.Status, is.Record)
			}
			if n := len(w.blobs()); n > 12 {
				t.Errorf("%d files", n)
			}
		})
	}
}

// A body that breaks off on every try takes the place of another such body, but never that of a whole one.
func TestABodyThatBreaksOffTakesNoPlaceOfAWholeOne(t *testing.T) {
	for name, c := range map[string]struct {
		before, after int // bytes that Content-Length has too many
		replaces      bool
	}{
		"a whole one, then less": {0, 1000, false}, "less, then less": {1000, 500, true}, "less, then a whole one": {1000, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			w.opt.Retries.Tries = 2
			text, missing := nt("one")+nt("two"), c.before
			w.mux.HandleFunc("/a.nt", func(reply http.ResponseWriter, _ *http.Request) {
				reply.Header().Set("Content-Length", strconv.Itoa(len(text)+missing))
				io.WriteString(reply, text)
			})
			w.add("/a.nt")
			w.run()
			was := w.seed("/a.nt")
			if was.Status != seedlist.Parsed || (was.Notices[fault.HTTPShortBody] > 0) != (c.before > 0) {
				t.Fatalf("%s: %+v", was.Status, was.Record)
			}
			text, missing = nt("one"), c.after
			w.retry("/a.nt")
			w.run()
			is := w.seed("/a.nt")
			if replaced := w.clean(is.Served()) == nt("one"); replaced != c.replaces {
				t.Errorf("%s, %q: replaced %v: %+v", is.Status, is.Behind(), replaced, is.Record)
			}
			if !c.replaces && (is.Status != seedlist.Failed || is.Error == nil || is.Error.Code != fault.TransportConnectionReset ||
				is.Behind() == "") {
				t.Errorf("%s, %q: %+v", is.Status, is.Behind(), is.Record)
			}
			w.sound()
		})
	}
}

// stored are the bytes of a seed as they came.
func (w *world) stored(seed seedlist.Seed) string {
	w.t.Helper()
	file, err := w.files.Open(seedfile.Key(&seed, files.Dirty), files.Dirty)
	if err != nil {
		w.t.Fatal(err)
	}
	defer file.Close()
	data := make([]byte, file.Size())
	if _, err := file.ReadAt(data, 0); err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// A member whose entry is no data any more, or is gone, stays served too.
func TestAMemberStaysServed(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	p := w.page("/a.zip", zipOf(t, "a.nt", nt("a"), "b.nt", nt("b")))
	w.add("/a.zip")
	w.run()
	a, b := w.child("/a.zip", "a.nt"), w.child("/a.zip", "b.nt")
	for _, archive := range [][]byte{
		zipOf(t, "a.nt", loginPage, "b.nt", nt("b")), zipOf(t, "a.nt", loginPage+" "), []byte(loginPage), zipOf(t, "c.nt", nt("c")),
	} {
		p.set(200, archive)
		w.retry("/a.zip")
		w.run()
		w.sound()
		for _, was := range []seedlist.Seed{a, b} {
			is, err := w.seeds.Seed(t.Context(), was.Hash)
			if err != nil {
				t.Fatal(err)
			}
			if served := is.Served(); w.clean(served) != w.clean(was) || w.stored(served) != w.stored(was) {
				t.Errorf("%+v", is.Record)
			}
		}
	}
	p.set(200, zipOf(t, "a.nt", nt("a2"), "b.nt", nt("b")))
	w.retry("/a.zip")
	w.run()
	w.sound()
	if is := w.child("/a.zip", "a.nt"); w.clean(is) != nt("a2") || is.Good != nil {
		t.Errorf("%+v", is.Record)
	}
}

// What was data and is something else is asked for again in a day, then in two, up to its interval. What its owner took
// back is asked for at its interval.
func TestWhatIsNoDataAnyMoreIsAskedForAgainInADay(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		name   string
		status int
		body   string
		want   []time.Duration
	}{
		{"a login page", 200, loginPage, []time.Duration{day, 2 * day, 4 * day, 8 * day, 10 * day, 10 * day}},
		{"not found", 404, "", []time.Duration{day, 2 * day, 4 * day, 8 * day, 10 * day}},
		{"gone", http.StatusGone, "", []time.Duration{10 * day, 10 * day}},
	} {
		w := newWorld(t, seedlist.Options{Interval: 10 * day})
		p := w.page("/a", []byte(nt("good")))
		w.add("/a")
		w.run()
		for i, want := range c.want {
			body := c.body
			if i%2 == 1 && c.status == 200 {
				body += fmt.Sprint("<!-- ", i, " -->") // other bytes, or the same: that is of no matter
			}
			p.set(c.status, []byte(body))
			w.retry("/a")
			w.run()
			is := w.seed("/a")
			if got := is.Due.Sub(is.Processed).Round(time.Minute); is.Status != seedlist.Failed || got != want {
				t.Errorf("%s, the %dth time: %s in %v, want %v", c.name, i+1, is.Status, got, want)
			}
		}
	}
}

// A page that has statements, and none the next time, is believed when it says so for the third time, a day apart.
func TestAPageWithoutStatementsIsNotBelievedAtOnce(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	p := w.page("/a", []byte(dataPage))
	w.add("/a")
	w.run()
	was := w.seed("/a")
	p.set(200, []byte(bareFrame))
	for range 4 {
		w.retry("/a")
		w.run()
		w.sound()
	}
	is := w.seed("/a")
	if is.Status != seedlist.Failed || is.ServedClean() != was.Clean || is.Good == nil || is.Good.Empty != 1 ||
		is.Error.Code != fault.FormatNotRDF {
		t.Errorf("%s: %+v %+v", is.Status, is.Record, is.Good)
	}
}
