package token_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"laundromat/rdf/rdftest"
	"laundromat/text"
	"laundromat/text/token"
)

// gold is a line of the reference's tokens: the text, and each token with its place in code points.
type gold struct {
	file, text string
	tokens     []string
}

var unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r")

func goldLines(t testing.TB, names ...string) []gold {
	folder := rdftest.Shared(t, "text", "ptb")
	var lines []gold
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(strings.TrimSuffix(string(data), "\n"), "\n") {
			columns := strings.Split(line, "\t")
			g := gold{file: name, text: unescape.Replace(columns[0])}
			if columns[2] != "" {
				places := strings.Split(columns[2], " ")
				for i, text := range strings.Split(columns[1], " ") {
					g.tokens = append(g.tokens, places[i]+" "+unescape.Replace(text))
				}
			}
			lines = append(lines, g)
		}
	}
	return lines
}

// placed writes tokens as the gold does.
func placed(s string, tokens []text.Token) []string {
	var out []string
	for _, t := range tokens {
		out = append(out, fmt.Sprintf("%d,%d %s", utf8.RuneCountInString(s[:t.Start]), utf8.RuneCountInString(s[t.Start:t.End]), t.Text))
	}
	return out
}

// same counts the tokens of want that stand in got at the same place with the same text.
func same(want, got []string) (n int) {
	left := map[string]int{}
	for _, t := range got {
		left[t]++
	}
	for _, t := range want {
		if left[t] > 0 {
			left[t]--
			n++
		}
	}
	return n
}

func TestTokensAreThoseOfTheReference(t *testing.T) {
	for _, c := range []struct {
		file  string
		least float64
	}{{"cases.tsv", 1}, {"astral.tsv", 1}, {"own.tsv", 0.9995}, {"texts.tsv", 0.9995}} {
		tokens, right, lines, whole := 0, 0, 0, 0
		for _, g := range goldLines(t, c.file) {
			got := placed(g.text, token.Append(nil, g.text, token.Options{}))
			n := same(g.tokens, got)
			tokens, right, lines = tokens+len(g.tokens), right+n, lines+1
			if n == len(g.tokens) && n == len(got) {
				whole++
				continue
			}
			t.Logf("%s: %q\n\t got %q\n\twant %q", c.file, g.text, minus(got, g.tokens), minus(g.tokens, got))
		}
		t.Logf("%s: %d of %d tokens, %d of %d lines", c.file, right, tokens, whole, lines)
		if share := float64(right) / float64(tokens); share < c.least {
			t.Errorf("%s: %.5f of the tokens are right, want %.4f", c.file, share, c.least)
		}
	}
}

// minus is what stands in a and not in b.
func minus(a, b []string) (out []string) {
	left := map[string]int{}
	for _, t := range b {
		left[t]++
	}
	for _, t := range a {
		if left[t]--; left[t] < 0 {
			out = append(out, t)
		}
	}
	return out
}
