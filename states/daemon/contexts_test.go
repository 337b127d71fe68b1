package daemon_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"laundromat/seedlist"
)

// naming is a document of JSON-LD with one statement by a term of a context.
func naming(context string) string {
	return fmt.Sprintf(`{"@context": %q, "@id": "http://example.org/a", "name": "x"}`, context)
}

const (
	aContext       = `{"@context": {"name": "http://example.org/name"}}`
	anotherContext = `{"@context": {"name": "http://example.org/other"}}`
)

// A context is fetched as a document is, once however many name it. A document waits for one that may still come,
// without a try, and is washed without one that can't be had.
func TestContextsAreFetchedAsDocumentsAre(t *testing.T) {
	serve := func(contentType, text string) func(n int64, reply http.ResponseWriter) {
		return func(_ int64, reply http.ResponseWriter) {
			reply.Header().Set("Content-Type", contentType)
			reply.Write([]byte(text))
		}
	}
	status := func(code int) func(int64, http.ResponseWriter) {
		return func(_ int64, reply http.ResponseWriter) { reply.WriteHeader(code) }
	}
	for _, c := range []struct {
		name   string
		answer func(n int64, reply http.ResponseWriter)
		robots string
		asked  int64
		want   bool // that the context is had
	}{
		{"as JSON-LD", serve("application/ld+json", aContext), "", 1, true},
		{"as JSON", serve("application/json; charset=utf-8", aContext), "", 1, true},
		{"as text", serve("text/plain", aContext), "", 1, true},
		{"with a byte order mark", serve("application/ld+json", "\ufeff"+aContext), "", 1, true},
		{"named by the page in its place", func(_ int64, reply http.ResponseWriter) {
			reply.Header().Set("Link", `</real>; rel="alternate"; type="application/ld+json"`)
			reply.Header().Set("Content-Type", "text/html")
			reply.Write([]byte("<p>A page"))
		}, "", 1, true},
		{"elsewhere", func(_ int64, reply http.ResponseWriter) {
			reply.Header().Set("Location", "/real")
			reply.WriteHeader(http.StatusFound)
		}, "", 1, true},
		{"at the third try", func(n int64, reply http.ResponseWriter) {
			if n < 3 {
				reply.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			reply.Write([]byte(aContext))
		}, "", 3, true},
		{"never", status(http.StatusServiceUnavailable), "", 3, false},
		{"not there", status(http.StatusNotFound), "", 1, false},
		{"gone", status(http.StatusGone), "", 1, false},
		{"forbidden by robots.txt", serve("application/ld+json", aContext), "User-agent: *\nDisallow: /context\n", 0, false},
		{"too long", serve("application/ld+json", aContext+strings.Repeat(" ", 5<<20)), "", 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, seedlist.Options{})
			w.opt.Retries.Most = time.Hour // as usual
			var asked atomic.Int64
			w.mux.HandleFunc("/context", func(reply http.ResponseWriter, _ *http.Request) { c.answer(asked.Add(1), reply) })
			w.serve("/real", "application/ld+json", aContext)
			w.serve("/robots.txt", "text/plain", c.robots)
			iri := w.uri("/context")
			w.serve("/one.jsonld", "application/ld+json", naming(iri))
			w.serve("/two.jsonld", "application/ld+json", "\n"+naming(iri))
			w.serve("/page.html", "text/html", `<!DOCTYPE html><title>x</title><script type="application/ld+json">`+naming(iri)+`</script>`)
			w.serve("/plain.nt", "application/n-triples", "<http://example.org/a> <http://example.org/b> <http://example.org/c> .\n")
			w.add("/one.jsonld", "/two.jsonld", "/page.html", "/plain.nt")
			w.run()
			if got := asked.Load(); got != c.asked {
				t.Errorf("the context was asked for %d times, want %d", got, c.asked)
			}
			for _, path := range []string{"/one.jsonld", "/two.jsonld", "/page.html"} {
				seed := w.seed(path)
				if seed.Status != seedlist.Parsed || seed.Tries != 0 || len(seed.Contexts) != 1 || seed.Contexts[0].IRI != iri {
					t.Fatalf("%s: %s after %d tries, contexts %+v, %+v", path, seed.Status, seed.Tries, seed.Contexts, seed.Error)
				}
				use := seed.Contexts[0]
				if isHad := len(use.SHA256) == 64 && !use.Retrieved.IsZero(); isHad != c.want || !isHad && use.SHA256 != "" {
					t.Errorf("%s: it is named as %+v", path, use)
				}
				told := seed.Notices["syntax/json-context-not-available"]
				kept := strings.Contains(w.clean(seed), "<http://example.org/name> \"x\"")
				if kept != c.want || (told == 0) != c.want {
					t.Errorf("%s: kept %v, told %d times", path, kept, told)
				}
				if s := seed.Statements; s.Read != s.Kept+s.Repaired+s.Dropped {
					t.Errorf("%s: %+v", path, s)
				}
			}
			if seed := w.seed("/plain.nt"); seed.Contexts != nil {
				t.Errorf("a document without any names %+v", seed.Contexts)
			}
			if counts := w.counts(); counts.States[seedlist.Failed] != 0 || counts.States[seedlist.Parsed] != 4 {
				t.Errorf("%+v", counts.States)
			}
		})
	}
}

// When a context came or changed, the documents that named it are washed again with it, from their stored bytes.
func TestDocumentsAreWashedAgainWithAContextThatCameOrChanged(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after int // the status of the context's reply
		text          string
		again         bool
		want          string // a predicate at the end
	}{
		{"it came", 404, 200, aContext, true, "name"},
		{"it changed", 200, 200, anotherContext, true, "other"},
		{"it is as it was", 200, 200, aContext, false, "name"},
		{"it is away since", 200, 404, "", false, "name"},
		{"it is away still", 404, 404, "", false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, seedlist.Options{})
			context := w.page("/context", []byte(aContext))
			context.set(c.before, []byte(aContext))
			iri := w.uri("/context")
			var packed bytes.Buffer
			z := zip.NewWriter(&packed)
			for _, name := range []string{"in.jsonld", "other.nt"} {
				entry, _ := z.Create(name)
				text := naming(iri)
				if name == "other.nt" {
					text = "<http://example.org/a> <http://example.org/b> <http://example.org/c> .\n"
				}
				entry.Write([]byte(text))
			}
			z.Close()
			one, archive := w.page("/one.jsonld", []byte("\n"+naming(iri))), w.page("/all.zip", packed.Bytes())
			w.add("/one.jsonld", "/all.zip")
			w.run()
			fences := map[string]uint64{}
			for _, seed := range w.all() {
				fences[seed.Hash] = seed.Fence
			}
			context.set(c.after, []byte(c.text))
			err := w.seeds.EditContext(t.Context(), iri, func(known *seedlist.Context) bool {
				if !known.Due.After(time.Now().Add(20 * time.Hour)) {
					t.Errorf("it is asked for again at %v", known.Due)
				}
				known.Due = time.Now()
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
			stop := w.start()
			w.await("the context is asked for again", func() bool {
				known, err := w.seeds.Context(t.Context(), iri)
				return err == nil && known.Due.After(time.Now().Add(20*time.Hour)) && !known.Washing
			})
			stop()
			w.opt.UntilIdle = true
			w.run()
			known, _ := w.seeds.Context(t.Context(), iri)
			for name, seed := range map[string]seedlist.Seed{"a document": w.seed("/one.jsonld"),
				"a member": w.child("/all.zip", "in.jsonld")} {
				if again := seed.Fence != fences[seed.Hash]; again != c.again {
					t.Errorf("%s is washed again: %v", name, again)
				}
				if seed.Status != seedlist.Parsed || len(seed.Contexts) != 1 || seed.Contexts[0].SHA256 != known.SHA256 {
					t.Errorf("%s: %s with %+v, and the context is %s", name, seed.Status, seed.Contexts, known.SHA256)
				}
				if got := w.clean(seed); c.want != "" && !strings.Contains(got, "<http://example.org/"+c.want+">") || c.want == "" &&
					got != "" {
					t.Errorf("%s is %s", name, got)
				}
			}
			if seed := w.child("/all.zip", "other.nt"); seed.Fence != fences[seed.Hash] {
				t.Error("a member that names no context is washed again")
			}
			if one.asked != 1 || archive.asked != 1 {
				t.Errorf("the document was asked for %d times, the archive %d times", one.asked, archive.asked)
			}
		})
	}
}

// A daemon that ends while a context is on its way leaves the document where the next one goes on.
func TestADocumentWaitsForItsContextOverARestart(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	hold := make(chan struct{})
	var asked atomic.Int64
	w.mux.HandleFunc("/context", func(reply http.ResponseWriter, request *http.Request) {
		if asked.Add(1) == 1 {
			select {
			case <-hold:
			case <-request.Context().Done():
			}
			return
		}
		reply.Write([]byte(aContext))
	})
	w.serve("/one.jsonld", "application/ld+json", naming(w.uri("/context")))
	w.add("/one.jsonld")
	stop := w.start()
	w.await("the document waits", func() bool { return asked.Load() == 1 && w.seed("/one.jsonld").Status == seedlist.Guessed })
	stop()
	close(hold)
	if seed := w.seed("/one.jsonld"); seed.Status != seedlist.Guessed || seed.Tries != 0 || seed.Error != nil {
		t.Errorf("%s after %d tries: %+v", seed.Status, seed.Tries, seed.Error)
	}
	w.opt.UntilIdle = true
	w.run()
	if seed := w.seed("/one.jsonld"); seed.Status != seedlist.Parsed || !strings.Contains(w.clean(seed), "example.org/name") {
		t.Errorf("%s: %+v", seed.Status, seed.Contexts)
	}
}
