package main

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"laundromat/internal/testkit/freeport"
	"laundromat/seedlist"
	"laundromat/web"
)

// shippedPanel is a panel of the dashboard that is shipped.
type shippedPanel struct {
	Title   string
	Targets []struct{ Expr string }
}

// dashboard are the panels of the dashboard that is shipped.
func dashboard(t *testing.T) []shippedPanel {
	t.Helper()
	var shipped struct{ Panels []shippedPanel }
	err := json.Unmarshal(readFile(t, filepath.Join("..", "..", "deploy", "grafana.json")), &shipped)
	if err != nil || len(shipped.Panels) == 0 {
		t.Fatal(err)
	}
	return shipped.Panels
}

// prometheus is the address of Debian's prometheus, which scrapes these daemons until the test ends.
func prometheus(t *testing.T, daemons ...string) string {
	t.Helper()
	program, err := exec.LookPath("prometheus")
	if err != nil {
		t.Skip("Debian's prometheus is not installed")
	}
	dir := t.TempDir()
	settings := filepath.Join(dir, "prometheus.yml")
	text := fmt.Sprintf("scrape_configs: [{job_name: laundromat, scrape_interval: 1s, static_configs: [{targets: [%s]}]}]\n",
		strings.Join(daemons, ", "))
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	address := freeport.Address()
	command := exec.Command(program, "--config.file", settings, "--storage.tsdb.path", filepath.Join(dir, "series"),
		"--web.listen-address", address, "--log.level", "error")
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Signal(os.Interrupt)
		command.Wait()
	})
	for end := time.Now().Add(longestStop); ; time.Sleep(50 * time.Millisecond) {
		if reply, err := http.Get("http://" + address + "/-/ready"); err == nil {
			reply.Body.Close()
			if reply.StatusCode == http.StatusOK {
				return "http://" + address
			}
		}
		if time.Now().After(end) {
			t.Fatal("prometheus does not answer")
		}
	}
}

// measured is a sample that an expression gives.
type measured struct {
	labels map[string]string
	value  float64
}

// query evaluates an expression.
func query(t *testing.T, prometheus, expression string) (all []measured) {
	t.Helper()
	var reply struct {
		Status string
		Data   struct {
			Result []struct {
				Metric map[string]string
				Value  [2]any
			}
		}
	}
	text := bodyAt(t, prometheus+"/api/v1/query?query="+url.QueryEscape(expression))
	if err := json.Unmarshal([]byte(text), &reply); err != nil || reply.Status != "success" {
		t.Fatalf("%s: %v %s", expression, err, text)
	}
	for _, r := range reply.Data.Result {
		value, err := strconv.ParseFloat(r.Value[1].(string), 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, measured{r.Metric, value})
	}
	return all
}

// byLabel are the values of an expression by one label, each of which it gives once.
func byLabel(t *testing.T, prometheus, expression, label string) map[string]int64 {
	t.Helper()
	all := map[string]int64{}
	for _, m := range query(t, prometheus, expression) {
		name := m.labels[label]
		if _, isTwice := all[name]; isTwice || len(m.labels) != 1 {
			t.Errorf("%s gives %v", expression, m.labels)
		}
		all[name] = int64(m.value)
	}
	return all
}

// Three daemons share a list. The dashboard shows each count of the list once, as one daemon has it, and the work of
// all three together.
func TestTheDashboardAddsUpForThreeDaemons(t *testing.T) {
	takesLong(t)
	server, blobs := database(t), bucketOf(t)
	seeds := mixedSite(t)
	folder := filepath.Join(t.TempDir(), "data")
	output(t, serving(folder, "--until-idle", "--seeds", seeds)...)
	var want web.Stats
	if err := json.Unmarshal([]byte(output(t, "stats", "--json", "--data", folder)), &want); err != nil {
		t.Fatal(err)
	}
	var daemons []string
	var shared string // the folder of the last daemon
	for range 3 {
		shared = filepath.Join(t.TempDir(), "data")
		daemons = append(daemons, startDaemon(t, shared, "--store", server.Address, "--blobs", blobs,
			"--allow-private", "--ignore-robots", "--host-connections", "64", "--host-delay", "0s"))
	}
	at := prometheus(t, daemons...)
	awaitSample(t, at, `count(laundromat_up == 1)`, 3)
	// The work begins when all are looked at: each does some of it.
	text, err := os.ReadFile(seeds)
	if err != nil {
		t.Fatal(err)
	}
	output(t, append([]string{"seed", "add", "-q", "--data", shared}, strings.Fields(string(text))...)...)
	awaitSample(t, at, `max(laundromat_documents_washed)`, float64(want.Washed))
	awaitSample(t, at, `sum(laundromat_seeds{state=~"added|filed|unarchived|guessed|downloading|unarchiving|guessing|parsing"})`, 0)
	time.Sleep(2500 * time.Millisecond) // two scrapes of each

	// The counts of the list are exported by one, the work by each.
	awaitSample(t, at, `count(count by (instance) (laundromat_seeds))`, 1)
	awaitSample(t, at, `count(count by (instance) (laundromat_outcomes_total))`, 3)
	ranges := regexp.MustCompile(`rate\(([a-z_]+)\[5m\]\)`)
	for _, panel := range dashboard(t) {
		for _, target := range panel.Targets {
			found := query(t, at, target.Expr)
			if len(found) == 0 && !strings.Contains(target.Expr, "laundromat_paused") {
				t.Errorf("%s: %s gives nothing", panel.Title, target.Expr)
			}
			isOfProcesses := panel.Title == "Memory and goroutines" || panel.Title == "Room on disks"
			for _, m := range found {
				if _, isOne := m.labels["instance"]; isOne != isOfProcesses {
					t.Errorf("%s: %s gives %v", panel.Title, target.Expr, m.labels)
				}
			}
			if isOfProcesses && len(found) != 3 {
				t.Errorf("%s: %s gives %d values of three daemons", panel.Title, target.Expr, len(found))
			}
			// A rate has no number that is known; the counter in it has.
			holdAgainstTheList(t, at, ranges.ReplaceAllString(target.Expr, "$1"), want)
		}
	}
}

// holdAgainstTheList compares what an expression of the dashboard gives with what one daemon counts.
func holdAgainstTheList(t *testing.T, at, expression string, want web.Stats) {
	t.Helper()
	counts := map[string]int64{}
	label := "code"
	switch expression {
	case "max by (state) (laundromat_seeds)":
		label = "state"
		for state, n := range want.States {
			counts[string(state)] = n
		}
	case "topk(10, max by (code) (laundromat_errors))":
		for code, n := range want.Errors {
			counts[string(code)] = n
		}
	case "topk(10, max by (code) (laundromat_noticed_documents))":
		for code, n := range want.Notices {
			counts[string(code)] = n.Seeds
		}
	case "max by (format) (laundromat_documents)":
		label = "format"
		for format, n := range want.Formats {
			counts[format] = n
		}
	case "sum by (stage, outcome) (laundromat_outcomes_total)":
		// Each document is downloaded once, by whichever daemon.
		var downloads float64
		for _, m := range query(t, at, expression) {
			if m.labels["stage"] == string(seedlist.Downloading) && (m.labels["outcome"] == "done" || m.labels["outcome"] == "failed") {
				downloads += m.value
			}
		}
		if math.Abs(downloads-31) > 0 {
			t.Errorf("%v downloads of 31 documents", downloads)
		}
		return
	default:
		return
	}
	got := byLabel(t, at, expression, label)
	for name, n := range counts {
		if n != got[name] {
			t.Errorf("%s: %s is %d, and the list has %d", expression, name, got[name], n)
		}
	}
	for name, n := range got {
		if n != counts[name] {
			t.Errorf("%s: %s is %d, and the list has %d", expression, name, n, counts[name])
		}
	}
}

// awaitSample asks until an expression gives one sample of this value.
func awaitSample(t *testing.T, at, expression string, want float64) {
	t.Helper()
	for end := time.Now().Add(2 * longestStop); ; time.Sleep(200 * time.Millisecond) {
		found := query(t, at, expression)
		if len(found) == 1 && found[0].value == want {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s gives %v, want %v", expression, found, want)
		}
	}
}
