package format_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laundromat/internal/testkit/peer"
)

var update = flag.Bool("update", false, "write docs/formats.md")

const page = "../../docs/formats.md"

// The page says what the samples are recognised as. What other programs say is written with -update alone.
func TestPageOfFormatsIsUpToDate(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), tableHead)
	table, after, hasEnd := strings.Cut(rest, "\n\n")
	if !ok || !hasEnd {
		t.Fatal("the page has no table of samples")
	}
	rows := make([]string, len(samples))
	for i := range samples {
		rows[i] = fmt.Sprintf("| %s | `%s` | %s |", samples[i].what, samples[i].file, samples[i].want)
	}
	if *update {
		answers := make([]string, len(samples))
		askOthers(t, answers)
		for i := range rows {
			rows[i] += answers[i]
		}
		table = strings.Join(rows, "\n")
		if err := os.WriteFile(page, []byte(before+tableHead+table+"\n\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(table, "\n")
	for i, row := range rows {
		if i >= len(lines) || !strings.HasPrefix(lines[i], row) {
			t.Fatalf("row %d of the page isn't %s: write the table with -update", i+1, row)
		}
	}
	if len(lines) != len(rows) {
		t.Errorf("%d rows in the page, %d samples", len(lines), len(rows))
	}
}

const tableHead = "| document | file | recognised as | rapper -g | riot |\n|---|---|---|---|---|\n"

// askOthers has rapper and riot read the samples, untold of the format.
func askOthers(t *testing.T, answers []string) {
	t.Helper()
	ctx := context.Background()
	found, missing, err := peer.Find(ctx, t.TempDir(), "rapper", "riot")
	if err != nil {
		t.Fatal(err)
	}
	t.Log(missing)
	folder := t.TempDir()
	for i := range samples {
		s := &samples[i]
		in, made := s.bytes(t)
		if err := os.WriteFile(filepath.Join(folder, s.file), in, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"rapper", "riot"} {
			cell := ""
			for _, p := range found {
				if p.Name == name && made {
					cell = answerOf(t, p, filepath.Join(folder, s.file))
				}
			}
			answers[i] += " " + cell + " |"
		}
	}
	for _, p := range found {
		p.Close()
	}
}

func answerOf(t *testing.T, p *peer.Peer, file string) string {
	t.Helper()
	a, err := p.Read(context.Background(), "", file, "http://e/doc", 30*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	faults := false
	for line := range strings.Lines(a.Error) {
		line = strings.TrimPrefix(line, "rapper: ")
		faults = faults || !strings.HasPrefix(line, "Parsing ") && !strings.HasPrefix(line, "Serializing ") &&
			!strings.HasPrefix(line, "Guessed ")
	}
	n := strings.Count(a.Quads, "\n")
	switch {
	case a.Stopped:
		return "no end"
	case faults && n == 0:
		return "refused"
	case faults:
		return fmt.Sprintf("%d, and faults", n)
	}
	return fmt.Sprint(n)
}
