//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// scrapeStep is how much time passes from one sample to the next, as the rules see it.
const scrapeStep = 5 * time.Minute

// scrapes are samples of /metrics of one daemon, as Prometheus would store them. The rules of alerts speak of hours and
// days; what a test samples in seconds is given to them a step apart.
type scrapes struct {
	address string
	wanted  map[string]bool // names of metrics that rules ask for
	samples []map[string]string
}

var metricName = regexp.MustCompile(`\blaundromat_[a-z_]+`)

func newScrapes(t *testing.T, address string) *scrapes {
	t.Helper()
	rules, err := os.ReadFile(alertRules(t))
	if err != nil {
		t.Fatal(err)
	}
	s := &scrapes{address: address, wanted: map[string]bool{}}
	for _, name := range metricName.FindAllString(string(rules), -1) {
		s.wanted[name] = true
	}
	return s
}

// alertRules is the path of the rules that are shipped.
func alertRules(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "deploy", "alerts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// now is the moment of the next sample.
func (s *scrapes) now() time.Duration { return time.Duration(len(s.samples)) * scrapeStep }

// take scrapes once, and lets what it finds hold for some steps.
func (s *scrapes) take(t *testing.T, steps int) {
	t.Helper()
	sample := map[string]string{`up{job="laundromat",instance="a"}`: "0"}
	if text, err := scrape(s.address); err == nil {
		sample[`up{job="laundromat",instance="a"}`] = "1"
		for _, line := range strings.Split(text, "\n") {
			if name := metricName.FindString(line); !strings.HasPrefix(line, "#") && s.wanted[name] {
				series, value := withInstance(t, line, "a")
				sample[series] = value
			}
		}
	}
	for range steps {
		s.samples = append(s.samples, sample)
	}
}

// scrape asks as Prometheus does, within its usual time.
func scrape(address string) (string, error) {
	client := http.Client{Timeout: 10 * time.Second}
	reply, err := client.Get(address + "/metrics")
	if err != nil {
		return "", err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	return string(text), err
}

// withInstance is the series of a line, with the label of its process, and its value.
func withInstance(t *testing.T, line, instance string) (series, value string) {
	t.Helper()
	at := strings.LastIndexByte(line, ' ')
	number, err := strconv.ParseFloat(line[at+1:], 64)
	if err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	series, label := line[:at], fmt.Sprintf("instance=%q", instance)
	if head, isLabelled := strings.CutSuffix(series, "}"); isLabelled {
		series = head + "," + label + "}"
	} else {
		series += "{" + label + "}"
	}
	return series, strconv.FormatFloat(number, 'f', -1, 64)
}

// moment is a time, and the alerts that fire then: names, with the part of what is paused.
type moment struct {
	name  string
	at    time.Duration
	fires []string
}

// judge has promtool evaluate the shipped rules over the samples. At each moment the alerts that fire are those that
// were said before, and no others.
func (s *scrapes) judge(t *testing.T, promtool string, moments []moment) {
	t.Helper()
	type object = map[string]any
	var series []object
	for _, name := range s.names() {
		var values []string
		for i, sample := range s.samples {
			value, isThere := sample[name]
			switch {
			case isThere:
			case i > 0 && s.samples[i-1][name] != "":
				value = "stale"
			default:
				value = "_"
			}
			values = append(values, value)
		}
		series = append(series, object{"series": name, "values": strings.Join(values, " ")})
	}
	var questions []object
	for _, m := range moments {
		samples := []object{}
		for _, alert := range m.fires {
			samples = append(samples, object{"labels": "{" + alert + "}", "value": 1})
		}
		questions = append(questions, object{
			"expr":        `group by (alertname, part) (ALERTS{alertstate="firing"})`,
			"eval_time":   promTime(m.at),
			"exp_samples": samples,
		})
	}
	test, err := json.Marshal(object{
		"rule_files": []string{alertRules(t)}, "evaluation_interval": promTime(scrapeStep),
		"tests": []object{{"interval": promTime(scrapeStep), "input_series": series, "promql_expr_test": questions}},
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "scraped.yaml")
	if err := os.WriteFile(file, test, 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command(promtool, "test", "rules", file).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, said)
		for _, m := range moments {
			sample := s.samples[m.at/scrapeStep]
			t.Logf("%s, %v:", m.name, m.at)
			for _, name := range slices.Sorted(maps.Keys(sample)) {
				t.Logf("  %s %s", name, sample[name])
			}
		}
	}
}

// names are the series that any sample has.
func (s *scrapes) names() (all []string) {
	known := map[string]bool{}
	for _, sample := range s.samples {
		for name := range sample {
			if !known[name] {
				known[name] = true
				all = append(all, name)
			}
		}
	}
	slices.Sort(all)
	return all
}

// promTime writes a time as Prometheus reads it.
func promTime(d time.Duration) string { return fmt.Sprintf("%dm", int(d.Minutes())) }
