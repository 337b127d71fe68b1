package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The table of verbs in the README names every verb of the program, and no other.
func TestReadmeNamesEveryVerb(t *testing.T) {
	_, reference, _ := strings.Cut(string(readFile(t, "../../README.md")), "## Reference")
	var named []string
	for line := range strings.Lines(reference) {
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| `") || len(cells) < 2 {
			continue
		}
		for _, m := range regexp.MustCompile("`([a-z]+)").FindAllStringSubmatch(cells[0], -1) {
			named = append(named, m[1])
		}
	}
	u := &ui{}
	var verbs []string
	for _, c := range rootCommand(u).Commands() {
		if !c.Hidden && !c.IsAdditionalHelpTopicCommand() {
			verbs = append(verbs, c.Name())
		}
	}
	for _, verb := range append(verbs, "completion") {
		if !slices.Contains(named, verb) {
			t.Errorf("the README has no row for %s", verb)
		}
	}
	for _, name := range named {
		if name != "completion" && !slices.Contains(verbs, name) {
			t.Errorf("the README has a row for %s, which isn't a verb", name)
		}
	}
}
