package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/web"
)

// house is a store with an API over it.
type house struct {
	t     *testing.T
	seeds *bolt.Store
	files *files.Folder
	api   *httptest.Server
}

func newHouse(t *testing.T, writable bool, changes ...func(*house, *web.Options)) *house {
	h, options := newStore(t, writable)
	for _, change := range changes {
		change(h, &options)
	}
	h.api = httptest.NewServer(web.New(options))
	t.Cleanup(h.api.Close)
	return h
}

// What counts requests is around the whole, and reads the pattern of the request that it passed on.
func TestARequestHasThePatternThatItMatched(t *testing.T) {
	for _, isSocket := range []bool{false, true} {
		_, options := newStore(t, isSocket)
		handler := web.New(options)
		for path, want := range map[string]string{
			"/api/v1/seeds/" + nowhere: "/api/v1/seeds/{hash}", "/api/v1/stats": "/api/v1/stats", "/metrics/no": "",
		} {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			handler.ServeHTTP(httptest.NewRecorder(), r)
			if _, got, _ := strings.Cut(r.Pattern, " "); got != want {
				t.Errorf("%s, socket %v: %q", path, isSocket, r.Pattern)
			}
		}
	}
}

// newStore is a house without a server, and what the API over it is made of.
func newStore(t *testing.T, writable bool) (*house, web.Options) {
	h := &house{t: t}
	dir := t.TempDir()
	var err error
	if h.seeds, err = bolt.Open(filepath.Join(dir, "seeds.db"), seedlist.Options{HostDelay: -1, HostConnections: 100}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.seeds.Close() })
	if h.files, err = files.Open(dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.files.Close() })
	options := web.Options{
		Seeds: h.seeds, Files: h.files, Version: "1.0", Writable: writable,
		Dirty: func(_ context.Context, seed seedlist.Seed) (io.ReadCloser, error) {
			file, err := h.files.Open(seed.Hash, files.Dirty)
			if err != nil {
				return nil, err
			}
			return struct {
				*io.SectionReader
				io.Closer
			}{files.Sequential(file), file}, nil
		},
		Again: func(ctx context.Context, request web.AgainRequest, seeds []seedlist.Seed) (answers []web.ActedOn, err error) {
			again := seedlist.Again{Asked: request.Asked, To: request.From, DryRun: request.DryRun}
			switch request.Asked {
			case seedlist.Force:
				again.To = seedlist.Added
			case seedlist.Rewash:
				again.To = seedlist.Filed
			}
			for _, seed := range seeds {
				made, err := h.seeds.WashAgain(ctx, again, seed.Hash)
				if err != nil {
					return nil, err
				}
				one := web.ActedOn{Hash: seed.Hash, URI: seed.URI, Begins: made[0].To}
				if made[0].Err != nil {
					one.Error = made[0].Err.Error()
				}
				answers = append(answers, one)
			}
			return answers, nil
		},
		Verify: func(_ context.Context, found func(web.Verified) error) error {
			return found(web.Verified{Sums: &web.Sums{}})
		},
	}
	return h, options
}

// ask sends a request and returns the reply with its body.
func (h *house) ask(method, path, body string, headers ...string) (*http.Response, string) {
	h.t.Helper()
	request, err := http.NewRequest(method, h.api.URL+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	reply, err := (&http.Transport{DisableCompression: true}).RoundTrip(request)
	if err != nil {
		h.t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return reply, string(text)
}

// washed brings a seed through its stages and writes its files.
func (h *house) washed(uri, dirty, clean string) seedlist.Seed {
	h.t.Helper()
	if _, err := h.seeds.Add(h.t.Context(), []seedlist.NewSeed{{URI: uri, Source: "test"}}); err != nil {
		h.t.Fatal(err)
	}
	hash := seedlist.Key(uri)
	write := func(hash string, suffix files.Suffix, fill func(io.Writer)) {
		p, err := h.files.Create()
		if err != nil {
			h.t.Fatal(err)
		}
		fill(p)
		if err := p.Seal(hash, suffix); err != nil {
			h.t.Fatal(err)
		}
		if err := h.files.Commit(h.t.Context(), p); err != nil {
			h.t.Fatal(err)
		}
	}
	hasher := digest.NewHasher()
	io.WriteString(hasher, clean)
	made := hasher.Content()
	write(hash, files.Dirty, func(w io.Writer) { io.WriteString(w, dirty) })
	write(made.MD5, files.Clean, func(w io.Writer) { io.WriteString(w, clean) })
	for _, stage := range seedlist.Stages() {
		claims, err := h.seeds.Claim(h.t.Context(), stage, "test", 1)
		if err != nil || len(claims) != 1 {
			h.t.Fatal(claims, err)
		}
		outcome := seedlist.Outcome{Next: stage.Next()[0], Update: func(r *seedlist.Record) {
			r.Format = "N-Triples"
			r.Content = &digest.Content{NumberOfBytes: int64(len(dirty))}
		}}
		if stage == seedlist.Parsing {
			outcome.Clean = &seedlist.Clean{Content: made}
		}
		if err := h.seeds.Complete(h.t.Context(), claims[0], outcome); err != nil {
			h.t.Fatal(err)
		}
	}
	seed, err := h.seeds.Seed(h.t.Context(), hash)
	if err != nil {
		h.t.Fatal(err)
	}
	return seed
}

const nowhere = "00000000000000000000000000000000"

func TestEveryErrorIsAProblem(t *testing.T) {
	h := newHouse(t, true)
	washed := h.washed("http://other.example/x", "dirty", "clean\n")
	if _, err := h.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: "http://me:secret@example.org/x"}}); err != nil {
		t.Fatal(err)
	}
	added := seedlist.Key("http://me:secret@example.org/x")
	seed := "/api/v1/seeds/"
	for _, row := range []struct {
		method, path, body string
		status             int
	}{
		{"GET", "/", "", 404},
		{"GET", "/api/v1/nothing", "", 404},
		{"GET", seed + nowhere, "", 404},
		{"GET", seed + nowhere + "/attempts", "", 404},
		{"GET", seed + nowhere + "/notices", "", 404},
		{"GET", seed + nowhere + "/clean.nq.gz", "", 404},
		{"GET", seed + nowhere + "/dirty", "", 404},
		{"GET", seed + added + "/clean.nq.gz", "", 404},
		{"GET", seed + added + "/dirty", "", 404},
		{"GET", seed + "no-hash", "", 422},
		{"GET", seed + washed.Hash + "/notices?samples=0", "", 422},
		{"GET", "/api/v1/seeds?state=lost", "", 422},
		{"GET", "/api/v1/seeds?cursor=***", "", 400},
		{"GET", "/api/v1/seeds?cursor=zzzzzzzzzzzzzzzzzzzzzz", "", 400},
		{"GET", "/api/v1/seeds?cursor=abc", "", 400},
		{"GET", "/api/v1/seeds?cursor=1", "", 400},
		{"GET", "/api/v1/seeds?cursor=1-0", "", 400},
		{"GET", "/api/v1/seeds?cursor=01-1ab", "", 400},
		{"GET", "/api/v1/seeds?cursor=-", "", 400},
		{"GET", "/api/v1/seeds?cursor=MQ%3D%3D", "", 400},
		{"GET", "/api/v1/catalogs?cursor=abc", "", 400},
		{"GET", "/api/v1/seeds?limit=0", "", 422},
		{"GET", "/api/v1/seeds?limit=1001", "", 422},
		{"GET", "/api/v1/seeds?relative=maybe", "", 422},
		{"GET", "/api/v1/seeds?parent=" + nowhere, "", 404},
		{"POST", "/api/v1/seeds", "{", 400},
		{"POST", "/api/v1/seeds", `{"seeds":[{"priority":1}]}`, 422},
		{"DELETE", seed + nowhere, "", 404},
		{"DELETE", seed + washed.Clean, "", 409},
		{"POST", seed + added + "/retry", "{}", 409},
		{"POST", seed + washed.Hash + "/retry", `{"from":"ironing"}`, 422},
		{"POST", seed + washed.Hash + "/retry", `{"from":"guessing"}`, 409},
		{"POST", seed + washed.Hash + "/retry", `{"from":"guessing","force":true}`, 422},
		{"POST", seed + washed.Clean + "/retry", `{"force":true}`, 409},
	} {
		reply, text := h.ask(row.method, row.path, row.body)
		var problem struct {
			Status int
			Title  string
			Detail string
		}
		err := json.Unmarshal([]byte(text), &problem)
		if reply.StatusCode != row.status || reply.Header.Get("Content-Type") != "application/problem+json" || err != nil ||
			problem.Status != row.status || problem.Title == "" || problem.Detail == "" {
			t.Errorf("%s %s: %s %s %s, want %d", row.method, row.path, reply.Status, reply.Header.Get("Content-Type"), text, row.status)
		}
		if strings.Contains(text, "secret") {
			t.Errorf("credentials: %s", text)
		}
	}
}

func TestWhatOnlyReadsWritesNothing(t *testing.T) {
	h := newHouse(t, false)
	washed := h.washed("http://example.org/x", "dirty", "clean\n")
	seed := "/api/v1/seeds/" + washed.Hash
	for _, row := range [][2]string{
		{"POST", "/api/v1/seeds"}, {"PUT", "/api/v1/seeds"}, {"DELETE", seed}, {"PATCH", seed}, {"POST", seed + "/retry"},
		{"PUT", seed + "/dirty"}, {"DELETE", seed + "/clean.nq.gz"}, {"GET", "/api/v1/verify"},
	} {
		reply, text := h.ask(row[0], row[1], `{"seeds":[{"uri":"http://example.org/y"}]}`)
		if reply.StatusCode != 404 && reply.StatusCode != 405 {
			t.Errorf("%s %s: %s %s", row[0], row[1], reply.Status, text)
		}
	}
	if c, _ := h.seeds.Counts(t.Context()); c.Seeds != 2 || c.States[seedlist.Parsed] != 1 {
		t.Errorf("%+v", c.States)
	}
}

func TestFilesCanBeSoughtAndAreNeverRun(t *testing.T) {
	h := newHouse(t, false)
	clean := strings.Repeat("0123456789", 1000)
	washed := h.washed("http://example.org/x.html", "<script>alert(1)</script>", clean)
	seed := "/api/v1/seeds/" + washed.Hash
	for _, path := range []string{seed + "/clean.nq.gz", "/api/v1/seeds/" + washed.Clean + "/clean.nq.gz"} {
		reply, text := h.ask("GET", path, "", "Range", "bytes=5-14")
		if reply.StatusCode != 206 || text != "5678901234" || reply.Header.Get("Content-Range") != "bytes 5-14/10000" {
			t.Errorf("%s %v %q", reply.Status, reply.Header, text)
		}
		reply, text = h.ask("GET", path, "", "Range", "bytes=20000-")
		if reply.StatusCode != 416 {
			t.Errorf("%s %q", reply.Status, text)
		}
		reply, text = h.ask("HEAD", path, "")
		if reply.StatusCode != 200 || text != "" || reply.ContentLength != 10000 || reply.Header.Get("Content-Type") != "application/gzip" {
			t.Errorf("%s %v", reply.Status, reply.Header)
		}
		reply, _ = h.ask("GET", path, "", "If-None-Match", reply.Header.Get("ETag"))
		if reply.StatusCode != 304 {
			t.Errorf("%s", reply.Status)
		}
	}
	for _, method := range []string{"GET", "HEAD"} {
		reply, text := h.ask(method, seed+"/dirty", "")
		if reply.StatusCode != 200 || reply.Header.Get("Content-Type") != "application/octet-stream" ||
			reply.Header.Get("X-Content-Type-Options") != "nosniff" ||
			!strings.HasPrefix(reply.Header.Get("Content-Disposition"), "attachment") || reply.ContentLength != 25 ||
			(text == "") != (method == "HEAD") {
			t.Errorf("%s %v %s", reply.Status, reply.Header, text)
		}
	}
	_, whole := h.ask("GET", seed+"/dirty", "")
	reply, _ := h.ask("HEAD", seed+"/dirty", "")
	tag := reply.Header.Get("ETag")
	for _, c := range []struct {
		rang, ifRange string
		status        int
		want, span    string
	}{
		{"bytes=0-4", "", 206, whole[:5], "bytes 0-4/25"},
		{"bytes=5-", "", 206, whole[5:], "bytes 5-24/25"},
		{"bytes=-3", "", 206, whole[22:], "bytes 22-24/25"},
		{"bytes=20-99", "", 206, whole[20:], "bytes 20-24/25"},
		{"bytes=25-", "", 416, "", "bytes */25"},
		{"bytes=0-24", "", 206, whole, "bytes 0-24/25"},
		{"bytes=3-4", tag, 206, whole[3:5], "bytes 3-4/25"},
		{"bytes=3-4", `"other"`, 200, whole, ""},
		{"lines=1-2", "", 200, whole, ""},
		{"items=0-1", "", 200, whole, ""},
		{"items=0-1", tag, 200, whole, ""},
		{"bytes", "", 200, whole, ""},
		{"characters=99-", "", 200, whole, ""},
		{"Bytes=3-4", "", 206, whole[3:5], "bytes 3-4/25"},
		{"BYTES=3-4", tag, 206, whole[3:5], "bytes 3-4/25"},
		{"", "", 200, whole, ""},
	} {
		headers := []string{"If-Range", c.ifRange, "Range", c.rang}
		reply, text := h.ask("GET", seed+"/dirty", "", headers...)
		if reply.StatusCode != c.status || c.status < 400 && text != c.want || reply.Header.Get("Content-Range") != c.span || tag == "" {
			t.Errorf("%v: %s, %q, %v", headers, reply.Status, text, reply.Header)
		}
	}
	if reply, _ := h.ask("GET", seed+"/dirty", "", "If-None-Match", tag); reply.StatusCode != 304 ||
		reply.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%s %v", reply.Status, reply.Header)
	}
	for _, path := range []string{"/healthz", "/api/v1/stats", "/api/v1/seeds", seed, seed + "/attempts", seed + "/notices"} {
		if reply, text := h.ask("HEAD", path, ""); reply.StatusCode != 200 || text != "" {
			t.Errorf("HEAD %s: %s %s", path, reply.Status, text)
		}
	}
}

func TestPagesHoldEverySeedOnce(t *testing.T) {
	h := newHouse(t, false)
	var seeds []seedlist.NewSeed
	for i := range 2500 {
		seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://me:secret@host%d.example/%d", i%2, i),
			Source: fmt.Sprint("s", i%5)})
	}
	seeds = append(seeds, seedlist.NewSeed{URI: "../relative"})
	if _, err := h.seeds.Add(t.Context(), seeds); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{
		"": 2501, "limit=1000": 2501, "limit=7&source=s3": 500, "host=host1.example": 1250, "state=added&relative=false": 2500,
		"relative=true": 1, "state=parsed": 0, "error=http/status": 0, "notice=iri/space": 0, "format=Turtle": 0,
		"source=s1&host=host0.example": 250,
	} {
		seen := map[string]bool{}
		for cursor, pages := "", 0; ; pages++ {
			path := "/api/v1/seeds?" + query
			if cursor != "" {
				path += "&cursor=" + cursor
			}
			reply, text := h.ask("GET", path, "")
			var page struct {
				Seeds []map[string]any
				Next  string
			}
			if err := json.Unmarshal([]byte(text), &page); err != nil || reply.StatusCode != 200 || page.Seeds == nil ||
				strings.Contains(text, "secret") {
				t.Fatalf("%s: %s %.300s", path, reply.Status, text)
			}
			for _, seed := range page.Seeds {
				hash := seed["hash"].(string)
				if seen[hash] {
					t.Errorf("%s: %s stands on two pages", query, hash)
				}
				seen[hash] = true
			}
			if cursor = page.Next; cursor == "" || pages > 1000 {
				break
			}
		}
		if len(seen) != want {
			t.Errorf("%q: %d seeds, want %d", query, len(seen), want)
		}
	}
}

func TestItDescribesItself(t *testing.T) {
	h := newHouse(t, false)
	reply, text := h.ask("GET", "/openapi.json", "")
	var description struct {
		OpenAPI string
		Paths   map[string]map[string]any
	}
	if err := json.Unmarshal([]byte(text), &description); err != nil || reply.StatusCode != 200 || description.OpenAPI == "" {
		t.Fatalf("%s %.200s", reply.Status, text)
	}
	for _, path := range []string{"/healthz", "/api/v1/stats", "/api/v1/seeds", "/api/v1/seeds/{hash}", "/api/v1/seeds/{hash}/attempts"} {
		if description.Paths[path]["get"] == nil {
			t.Errorf("%s is not described", path)
		}
		if len(description.Paths[path]) != 1 {
			t.Errorf("%s: more is described than can be read", path)
		}
	}
	if reply, text := h.ask("GET", "/healthz", ""); !strings.Contains(text, `"status":"ok"`) || strings.Contains(text, "$schema") ||
		reply.StatusCode != 200 {
		t.Errorf("%s", text)
	}
}

func TestCredentialsComeOutNowhere(t *testing.T) {
	h := newHouse(t, true)
	reply, text := h.ask("POST", "/api/v1/seeds", `{"seeds":[
		{"uri":"http://me:secret@example.org/x","source":"catalog:http://me:secret@example.org/","title":"see http://me:secret@example.org/","claims":{"url":"http://me:secret@example.org/y"}},
		{"uri":"sftp://me:secret@example.org/x"},{"uri":"http://me:secret@"},{"uri":"me:secret@example.org/x"}]}`)
	if reply.StatusCode != 200 || strings.Contains(text, "secret") || strings.Count(text, "error") != 3 {
		t.Errorf("%s %s", reply.Status, text)
	}
	hash := seedlist.Key("http://me:secret@example.org/x")
	claims, err := h.seeds.Claim(t.Context(), seedlist.Downloading, "test", 1)
	if err != nil || len(claims) != 1 {
		t.Fatal(claims, err)
	}
	if err := h.seeds.GiveBack(t.Context(), claims[0], seedlist.Return{CountTry: true, Due: time.Now().Add(time.Hour),
		Error: &seedlist.Error{
			Stage: seedlist.Downloading, Kind: fault.Remote, Code: fault.HTTPStatus, Message: "503",
		}}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/api/v1/seeds", "/api/v1/seeds/" + hash, "/api/v1/seeds/" + hash + "/attempts", "/api/v1/stats"} {
		if _, text := h.ask("GET", path, ""); strings.Contains(text, "secret") || !bytes.Contains([]byte(text), []byte("{")) {
			t.Errorf("%s: %s", path, text)
		}
	}
	if _, text := h.ask("GET", "/api/v1/seeds/"+hash, ""); !strings.Contains(text, "http://***@example.org/x") ||
		strings.Contains(text, ":null") {
		t.Error(text)
	}
}

// The process is alive whatever happens; it is ready when nothing keeps it from its work.
func TestReadinessSaysWhatDoesNotGoOn(t *testing.T) {
	h := newHouse(t, false)
	since := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		pauses  []web.Pause
		runs    bool
		code    int
		holds   string
		inStats bool
	}{
		{nil, true, 200, `{"status":"ready"}`, false},
		{nil, false, 503, `{"status":"starting"}`, false},
		{[]web.Pause{{Part: "downloading", Since: since, Code: "local/network", Message: "no name server answers"}}, true, 503,
			`{"status":"paused","paused":[{"part":"downloading","since":"2026-01-02T03:04:05Z","code":"local/network","message":"details are in the log and in \"laundromat stats\""}]}`,
			true},
	} {
		handler := web.New(web.Options{Seeds: h.seeds, Pauses: func() ([]web.Pause, bool) { return c.pauses, c.runs }})
		ask := func(path string) *httptest.ResponseRecorder {
			reply := httptest.NewRecorder()
			handler.ServeHTTP(reply, httptest.NewRequest("GET", path, nil))
			return reply
		}
		if reply := ask("/readyz"); reply.Code != c.code || strings.TrimSpace(reply.Body.String()) != c.holds {
			t.Errorf("%d %s, want %d %s", reply.Code, reply.Body, c.code, c.holds)
		}
		if reply := ask("/healthz"); reply.Code != 200 {
			t.Errorf("healthz: %d", reply.Code)
		}
		if reply := ask("/api/v1/stats"); reply.Code != 200 || strings.Contains(reply.Body.String(), "no name server") != c.inStats {
			t.Errorf("stats: %d %s", reply.Code, reply.Body)
		}
	}
}
