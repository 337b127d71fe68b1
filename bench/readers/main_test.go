package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laundromat/bench/process"
	"laundromat/internal/testkit/peer"
)

// TestPageKeepsWhatStandsAroundTheSection writes a section twice, with a program that
// was timed and one that could not be.
func TestPageKeepsWhatStandsAroundTheSection(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	const begin, end = "<!-- written by bench/readers: begin -->\n", "<!-- written by bench/readers: end -->\n"
	if err := os.WriteFile(page, []byte("before\n"+begin+"old\n"+end+"after\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	took := func(s float64) process.Usage { return process.Usage{User: time.Duration(s * 1e9)} }
	o := options{Setup: &process.Setup{Runs: 3}, statements: 1000, write: page}
	results := []result{{format: "Turtle", statements: 1000, size: 2_000_000, contenders: []*contender{
		{name: "laundromat", usages: []process.Usage{took(1), took(9), took(2)}},
		{name: "other", usages: []process.Usage{took(8), took(5), took(1)}},
		{name: "third", fault: "wrote 1 of 2 | lines"},
	}}}
	results = append(results, result{format: "JSON-LD", statements: 1000, size: 1000, contenders: []*contender{
		{name: "laundromat", fault: "too large"}, {name: "another", usages: []process.Usage{took(1)}},
	}})
	results[1].print(io.Discard)
	for range 2 {
		if err := o.page(results, nil, []peer.Missing{{Name: "fourth", Why: "not there"}}); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"before\n" + begin, end + "after\n", "| other | 0.00 | 0.4 | 0 | 0 MiB | 2.50 |",
		"| another | 0.00 | 0.0 | 1 | 0 MiB | – |", "| third | wrote 1 of 2 / lines |", "fourth (not there)"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "old") || strings.Count(string(text), begin) != 1 {
		t.Errorf("written beside the old one:\n%s", text)
	}
}
