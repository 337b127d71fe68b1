package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"laundromat/internal/files"
	"laundromat/internal/files/blobtest"
	"laundromat/internal/testkit/hosts"
)

// scaleOf is a number of the environment, or another.
func scaleOf(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv("LAUNDROMAT_SCALE_" + name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("LAUNDROMAT_SCALE_%s: %q isn't a number", name, text)
	}
	return n
}

// TestTenWorkersMakeWhatOneMakes has ten daemons wash the documents of a web of hosts, on one database and one
// bucket. Every few seconds one of them is killed, told to stop, or cut off from the database, the store, or
// both. The database dies twice, the store once. In the end the list holds what that of a single daemon on one disk
// holds, and so do the files. With LAUNDROMAT_SCALE=1h it is done again and again for an hour.
func TestTenWorkersMakeWhatOneMakes(t *testing.T) {
	if testing.Short() {
		t.Skip("it is polite, and takes two minutes")
	}
	if withRaceDetector() {
		t.Skip("the race detector makes twelve programs too slow for two processors")
	}
	var lasts time.Duration
	if text := os.Getenv("LAUNDROMAT_SCALE"); text != "" {
		var err error
		if lasts, err = time.ParseDuration(text); err != nil {
			t.Fatalf("LAUNDROMAT_SCALE: %v", err)
		}
	}
	seed := uint64(scaleOf(t, "SEED", int(time.Now().UnixNano())))
	for begin, round := time.Now(), 1; ; round++ {
		t.Run(fmt.Sprint("round=", round), func(t *testing.T) { tenWorkers(t, seed+uint64(round)-1) })
		if t.Failed() || time.Since(begin) >= lasts {
			return
		}
	}
}

func tenWorkers(t *testing.T, seed uint64) {
	database := database(t)
	store, err := blobtest.Start(t.TempDir())
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(store.Stop)
	t.Setenv("AWS_ACCESS_KEY_ID", blobtest.AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", blobtest.SecretKey)
	if err := store.Make("laundry"); err != nil {
		t.Fatal(err)
	}
	web, err := hosts.Start(hosts.Options{Hosts: scaleOf(t, "HOSTS", 30), Entries: scaleOf(t, "ENTRIES", 600),
		CrawlDelay: 500 * time.Millisecond, Rows: 100})
	if err != nil {
		t.Skipf("no hosts on loopback addresses: %v", err)
	}
	t.Cleanup(web.Close)

	alone := filepath.Join(t.TempDir(), "data")
	start := time.Now()
	output(t, visiting(web, alone, ourContact, "-q")...)
	t.Logf("LAUNDROMAT_SCALE_SEED=%d; a single daemon took %v", seed, time.Since(start).Round(time.Second))
	want := madeOf(t, alone)
	web.Renew()

	l := &workforce{
		t: t, database: database, store: store, web: web, random: rand.New(rand.NewPCG(seed, 0)), began: time.Now(),
		ended: make(chan *worker), wrong: make(chan error, 1), calm: make(chan struct{}),
	}
	t.Cleanup(func() {
		l.mu.Lock()
		t.Log("\n" + strings.Join(l.log, "\n"))
		l.mu.Unlock()
		l.keep(os.Getenv("LAUNDROMAT_SCALE_KEEP"))
	})
	for range scaleOf(t, "WORKERS", 10) {
		l.hire("laundry")
	}
	l.awaitEnd(scaleOf(t, "DISTURBANCES", 12))
	conflicts, err := database.Conflicts()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("conflicts in the database: %s", conflicts)
	t.Logf("%d workers took %v, disturbed %d times", len(l.workers), time.Since(l.began).Round(time.Second), scaleOf(t, "DISTURBANCES", 12))

	data := filepath.Join(t.TempDir(), "data")
	output(t, serving(data, "--until-idle", "--store", database.Address, "--blobs", "s3://laundry?endpoint="+store.Endpoint)...)
	got := madeOf(t, data)
	if !maps.Equal(got, want) {
		t.Errorf("the end is another:\n%s", differences(got, want))
	}
	said := output(t, deepVerify(t, data)...)
	if !strings.Contains(said, " 0 damaged or missing") {
		t.Errorf("verify: %s", said)
	}
	t.Log("verify: " + strings.TrimSpace(said))
	wantCleanFiles(t, filesOf(t, data, files.Clean, files.Index), filesOf(t, alone, files.Clean, files.Index))
	wantWashedOnce(t, l)
	judgeMany(t, web)
}

// deepVerify is a command that reads every byte of every file.
func deepVerify(t *testing.T, data string) []string {
	args := []string{"verify", "--data", data}
	if strings.Contains(output(t, "verify", "--help"), "--deep") {
		args = append(args, "--deep")
	}
	return args
}

// madeOf is what became of each seed, without times, and what depends on how often it was tried.
func madeOf(t *testing.T, data string) map[string]string {
	t.Helper()
	made := map[string]string{}
	for _, record := range decodeLines[map[string]any](t, output(t, "seed", "list", "--json", "--data", data)) {
		kept := map[string]any{}
		for _, key := range []string{
			"uri", "status", "relative", "priority", "interval", "source", "title", "claims", "content", "text", "encoding", "format",
			"statements", "notices", "parent", "document", "clean", "dirty",
		} {
			if value, ok := record[key]; ok {
				kept[key] = value
			}
		}
		if failure, ok := record["error"].(map[string]any); ok {
			kept["error"] = failure["code"]
		}
		text, err := json.Marshal(kept)
		if err != nil {
			t.Fatal(err)
		}
		hash := record["hash"].(string)
		if made[hash] != "" {
			t.Errorf("%s is there twice", hash)
		}
		made[hash] = string(text)
	}
	return made
}

// wantCleanFiles compares clean files and their indexes, byte by byte.
func wantCleanFiles(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s: %d bytes, and those of a single daemon are %d", name, len(got[name]), len(text))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is there as well", name)
		}
	}
	if len(want) < 200 {
		t.Errorf("only %d clean files and indices", len(want))
	}
}

// wantWashedOnce asks the database whether a seed was washed, and written down, twice, and what is still held.
func wantWashedOnce(t *testing.T, l *workforce) {
	t.Helper()
	for what, sql := range map[string]string{
		"seeds that became parsed twice":           "SELECT h.hash, count(*) FROM changes c JOIN hot h USING (id) WHERE became = 9 AND was <> 9 GROUP BY 1 HAVING count(*) > 1",
		"URIs with two records":                    "SELECT data->>'uri', count(*) FROM cold WHERE data->>'uri' IS NOT NULL GROUP BY 1 HAVING count(*) > 1",
		"clean seeds that no seed was washed to":   "SELECT hash FROM hot WHERE clean AND NOT EXISTS (SELECT FROM links WHERE links.clean = hot.id)",
		"seeds that are held when all have ended":  "SELECT hash, state, holder FROM hot WHERE holder <> '' OR state IN (2, 4, 6, 8)",
		"hosts that are asked when all have ended": "SELECT host, claims FROM hosts WHERE claims <> 0",
		"files that are being removed":             "SELECT hash FROM orphans WHERE taken",
	} {
		rows, err := l.database.Ask(sql)
		if err != nil {
			t.Fatal(err)
		}
		if rows != "" {
			t.Errorf("%s:\n%s", what, rows)
		}
	}
}

// judgeMany holds the hosts' own log against what all workers together promise.
func judgeMany(t *testing.T, web *hosts.Web) {
	t.Helper()
	if err := web.Rest(t.Context()); err != nil {
		t.Fatal(err)
	}
	manners := hosts.Manners{Delay: hostDelay, RobotsRetry: robotsRetry, Agent: ourContact, AreMany: true}
	verdict := web.Judge(manners)
	t.Logf("%s", verdict)
	for _, breach := range verdict.Breaches {
		if breach.Rule == hosts.RuleOneOpen {
			continue // a worker that stands still closes its idle connection late; it asks nothing on it
		}
		t.Errorf("%s: broken %d times, first %s", breach.Rule, breach.Times, breach.First)
	}
}
