package daemon_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/rdf/format"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
	"laundromat/states"
	"laundromat/states/daemon"
)

// world is a daemon with a store of its own, and a server that it downloads from.
type world struct {
	t     *testing.T
	dir   string
	http  *httptest.Server
	mux   *http.ServeMux
	seeds *bolt.Store
	files *files.Folder
	fetch fetch.Options
	opt   daemon.RunOptions
	log   lockedBuffer
	// hangUp ends connections that the last runner keeps.
	hangUp func()
}

// newWorld makes an empty store and a server that answers 404 to all but what is
// added to its mux.
func newWorld(t *testing.T, options seedlist.Options) *world {
	w := offlineWorld(t, options)
	w.mux = http.NewServeMux()
	w.http = httptest.NewServer(w.mux)
	t.Cleanup(w.http.Close)
	return w
}

// offlineWorld makes an empty store, without a server.
func offlineWorld(t *testing.T, options seedlist.Options) *world {
	w := &world{t: t, dir: t.TempDir()}
	if options.HostDelay == 0 {
		options.HostDelay = -1
	}
	if options.HostConnections == 0 {
		options.HostConnections = 16
	}
	if options.Interval == 0 {
		options.Interval = -1
	}
	var err error
	if w.seeds, err = bolt.Open(filepath.Join(w.dir, "seeds.db"), options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.seeds.Close() })
	if w.files, err = files.Open(w.dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.files.Close() })
	temp := filepath.Join(w.dir, "temp")
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	w.fetch = fetch.Options{UserAgent: "Laundromat/test", AllowPrivate: true, IdleTimeout: 5 * time.Second}
	w.opt = daemon.RunOptions{
		Workers: map[seedlist.State]int{}, Settings: states.Settings{Settings: format.Settings{Temp: temp}}, Version: "1.0",
		UntilIdle: true,
		Memory:    256 << 20, Grace: 10 * time.Millisecond,
		Retries:    daemon.Retries{Tries: 3, First: 10 * time.Millisecond, Most: 5 * time.Second},
		ProbeEvery: 10 * time.Millisecond, RescueEvery: 10 * time.Millisecond,
	}
	for _, stage := range seedlist.Stages() {
		w.opt.Workers[stage] = 4
	}
	return w
}

// serve answers path with a body.
func (w *world) serve(path, contentType, body string) {
	w.mux.HandleFunc(path, func(reply http.ResponseWriter, _ *http.Request) {
		if contentType != "" {
			reply.Header().Set("Content-Type", contentType)
		}
		reply.Write([]byte(body))
	})
}

// page answers a path with what it holds at the moment.
type page struct {
	mu     sync.Mutex
	status int
	body   []byte
	asked  int
}

func (w *world) page(path string, body []byte) *page {
	p := &page{status: 200, body: body}
	w.mux.HandleFunc(path, func(reply http.ResponseWriter, _ *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.asked++
		reply.Header().Set("Content-Type", "application/octet-stream")
		reply.WriteHeader(p.status)
		reply.Write(p.body)
	})
	return p
}

func (p *page) set(status int, body []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status, p.body = status, body
}

func (w *world) uri(path string) string { return w.http.URL + path }

// add puts the URIs of paths into the list.
func (w *world) add(paths ...string) {
	w.t.Helper()
	for _, path := range paths {
		answers, err := w.seeds.Add(w.t.Context(), []seedlist.NewSeed{{URI: w.uri(path)}})
		if err != nil || answers[0].Err != nil {
			w.t.Fatal(err, answers)
		}
	}
}

func (w *world) runner() *daemon.Runner {
	fetcher := fetch.New(w.fetch)
	w.t.Cleanup(fetcher.Close)
	w.hangUp = fetcher.Close
	return daemon.NewRunner(w.seeds, w.files, fetcher, zerolog.New(&w.log), w.opt)
}

// run works until nothing is left to do.
func (w *world) run() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	if err := w.runner().Run(ctx, ctx); err != nil {
		w.t.Fatal(err)
	}
	if ctx.Err() != nil {
		w.t.Fatalf("it did not come to rest: %+v\n%s", w.counts().States, w.log.String())
	}
}

// start runs until stop is called, which waits for the end.
func (w *world) start() (stop func()) {
	w.opt.UntilIdle = false
	ctx, cancel := context.WithCancel(w.t.Context())
	ended := make(chan struct{})
	runner := w.runner()
	go func() {
		defer close(ended)
		runner.Run(ctx, context.Background())
	}()
	return func() {
		cancel()
		<-ended
	}
}

// await waits until ok, which it asks again and again.
func (w *world) await(what string, ok func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatalf("it never came: %s\n%s", what, w.log.String())
		}
	}
}

func (w *world) seed(path string) seedlist.Seed {
	w.t.Helper()
	seed, err := storetest.Find(w.t.Context(), w.seeds, w.uri(path))
	if err != nil {
		w.t.Fatal(path, err)
	}
	return seed
}

// child is the seed of an entry of the archive at path.
func (w *world) child(path string, names ...string) seedlist.Seed {
	w.t.Helper()
	hash := seedlist.Key(w.uri(path))
	for _, name := range names {
		hash = seedlist.ChildKey(hash, name, 1)
	}
	seed, err := w.seeds.Seed(w.t.Context(), hash)
	if err != nil {
		w.t.Fatal(path, names, err)
	}
	return seed
}

// clean is the N-Quads that a seed was washed to.
func (w *world) clean(seed seedlist.Seed) string {
	w.t.Helper()
	file, err := w.files.Open(seed.Clean, files.Clean)
	if err != nil {
		w.t.Fatal(seed.URI, err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(files.Sequential(file))
	if err != nil {
		w.t.Fatal(err)
	}
	text, err := io.ReadAll(unzipped)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

func (w *world) attempts(hash string) []seedlist.Attempt {
	w.t.Helper()
	attempts, err := w.seeds.Attempts(w.t.Context(), hash)
	if err != nil {
		w.t.Fatal(err)
	}
	return attempts
}

func (w *world) retry(paths ...string) {
	w.t.Helper()
	for _, path := range paths {
		answers, err := w.seeds.Retry(w.t.Context(), "", seedlist.Key(w.uri(path)))
		if err != nil || answers[0] != nil {
			w.t.Fatal(path, err, answers)
		}
	}
}

func (w *world) counts() seedlist.Counts {
	w.t.Helper()
	counts, err := w.seeds.Counts(context.WithoutCancel(w.t.Context()))
	if err != nil {
		w.t.Fatal(err)
	}
	return counts
}

func (w *world) all() (all []seedlist.Seed) {
	w.t.Helper()
	for cursor := ""; ; {
		seeds, next, err := w.seeds.List(w.t.Context(), seedlist.Filter{Cursor: cursor})
		if err != nil {
			w.t.Fatal(err)
		}
		all = append(all, seeds...)
		if cursor = next; cursor == "" {
			return all
		}
	}
}

// sound holds the store against the files and the counts against a scan, and
// looks at the keys of every record and attempt.
func (w *world) sound() {
	w.t.Helper()
	if err := daemon.SweepOrphans(w.t.Context(), w.seeds, w.files); err != nil {
		w.t.Fatal(err)
	}
	if _, err := daemon.Verify(w.t.Context(), w.seeds, w.files, func(d daemon.Damage) error {
		w.t.Errorf("verify: %+v", d)
		return nil
	}); err != nil {
		w.t.Error(err)
	}
	want := seedlist.Counts{
		States: map[seedlist.State]int64{}, Formats: map[string]int64{},
	}
	for _, state := range seedlist.States() {
		want.States[state] = 0
	}
	notices := map[string]int64{}
	for _, seed := range w.all() {
		want.Seeds++
		want.States[seed.Status]++
		w.wholesome(seed)
		if seed.Status == seedlist.Cleaned {
			want.Clean.Files++
			want.Clean.Bytes += seed.Content.NumberOfBytes
			want.Clean.Lines += *seed.Content.NumberOfLines
			continue
		}
		of := seed.Served()
		for _, name := range of.Syntaxes() {
			want.Formats[name]++
		}
		if seed.Content != nil {
			want.Bytes += seed.Content.NumberOfBytes
		}
		if s := of.Statements; s != nil {
			want.Statements.Read += s.Read
			want.Statements.Written += s.Written
			if s.Read != s.Kept+s.Repaired+s.Dropped || s.Written != s.Kept+s.Repaired-s.Duplicates {
				w.t.Errorf("%s: the statements don't add up: %+v", seed.URI, *s)
			}
		}
		for code, n := range of.Notices {
			notices[string(code)] += n
		}
	}
	got := w.counts()
	for code, found := range got.Notices {
		if notices[string(code)] != found.Times {
			w.t.Errorf("%s: counted %d, a scan finds %d", code, found.Times, notices[string(code)])
		}
	}
	if fmt.Sprint(got.States) != fmt.Sprint(want.States) || fmt.Sprint(got.Formats) != fmt.Sprint(want.Formats) ||
		got.Seeds != want.Seeds || got.Bytes != want.Bytes || got.Clean != want.Clean ||
		got.Statements.Read != want.Statements.Read || got.Statements.Written != want.Statements.Written {
		w.t.Errorf("counts\n%+v, a scan finds\n%+v", got, want)
	}
	temp, err := os.ReadDir(w.opt.Temp)
	if err != nil || len(temp) > 0 {
		w.t.Errorf("left in the temporary folder: %v %v", temp, err)
	}
	if temp, err := os.ReadDir(filepath.Join(w.dir, "blobs", "temp")); err == nil && len(temp) > 0 {
		w.t.Errorf("%d files that were never committed are left", len(temp))
	}
}

// attemptKeys are in every entry of the log.
var attemptKeys = []string{
	"id", "parser_name", "parser_version", "parser_runtime", "source_url", "source_text", "access_datetime", "insert_count",
	"result", "traceback", "seed", "fence", "tries", "worker", "kind", "counts",
}

// wholesome looks at the JSON of a record and of its attempts.
func (w *world) wholesome(seed seedlist.Seed) {
	w.t.Helper()
	text, err := json.Marshal(seed)
	if err != nil {
		w.t.Fatal(err)
	}
	if bytes.Contains(text, []byte(":null")) || bytes.Contains(text, []byte(`"0001-`)) || bytes.Contains(text, []byte("secret")) {
		w.t.Errorf("%s", text)
	}
	keys := map[string]json.RawMessage{}
	json.Unmarshal(text, &keys)
	must := []string{"hash", "status", "relative", "priority", "fence", "tries", "added"}
	switch seed.Status {
	case seedlist.Parsed:
		must = append(must, "retrieved", "processed", "content", "text", "encoding", "format", "statements", "notices", "clean")
	case seedlist.Depleted:
		must = append(must, "content", "archive", "children", "children_total", "notices", "processed")
	case seedlist.Failed:
		must = append(must, "error", "processed")
	case seedlist.Cleaned:
		must = append(must, "content", "dirty", "also_dirty")
	}
	if seed.Parent != "" {
		must = append(must, "archive", "gone", "content")
		must = slices.DeleteFunc(must, func(key string) bool { return key == "retrieved" })
	} else if seed.URI != "" {
		must = append(must, "uri", "interval")
	}
	for _, key := range must {
		if _, ok := keys[key]; !ok {
			w.t.Errorf("%s, %s: the key %s is not there: %s", seed.URI, seed.Status, key, text)
		}
	}
	if _, ok := keys["error"]; ok && (seed.Status == seedlist.Parsed || seed.Status == seedlist.Depleted) {
		w.t.Errorf("%s with an error: %s", seed.Status, keys["error"])
	}
	for _, a := range w.attempts(seed.Hash) {
		line, err := json.Marshal(a)
		if err != nil {
			w.t.Fatal(err)
		}
		entry := map[string]any{}
		json.Unmarshal(line, &entry)
		for _, key := range attemptKeys {
			if value, ok := entry[key]; !ok || value == nil {
				w.t.Errorf("an attempt without %s: %s", key, line)
			}
		}
		if want := fmt.Sprintf("%s – %s – %s – %.16s-%d", entry["access_datetime"], a.ParserName, a.Result, a.Seed, a.Fence); a.ID != want {
			w.t.Errorf("id %q, want %q", a.ID, want)
		}
		if (a.Result == "success") != (a.Traceback == "") || a.Result == "success" &&
			strings.HasPrefix(a.SourceText, a.Seed) != (a.ParserName == string(seedlist.Parsing)) {
			w.t.Errorf("%s", line)
		}
		if len([]rune(a.SourceText)) > 1000 || bytes.Contains(line, []byte("secret")) || a.SourceURL == "" {
			w.t.Errorf("%s", line)
		}
	}
}

// story is the results of a seed's attempts, joined by spaces.
func (w *world) story(hash string) string {
	w.t.Helper()
	var results []string
	for _, a := range w.attempts(hash) {
		results = append(results, a.ParserName+":"+a.Result)
	}
	return strings.Join(results, " ")
}

// washed is the story of a document that met no trouble.
const washed = "downloading:success unarchiving:success guessing:success parsing:success"

// failedWith holds a seed against the failure that is expected.
func failedWith(t *testing.T, seed seedlist.Seed, stage seedlist.State, kind, code string) {
	t.Helper()
	if seed.Status != seedlist.Failed || seed.Error == nil || seed.Error.Stage != stage || seed.Error.Kind.String() != kind ||
		string(seed.Error.Code) != code {
		t.Errorf("%s is %s with %+v, want failed in %s with %s, %s", seed.URI, seed.Status, seed.Error, stage, kind, code)
	}
}

// lockedBuffer is a log.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
