package token_test

import (
	"strings"
	"testing"

	"laundromat/text"
	"laundromat/text/token"
)

// prose is the texts of the gold, or a paragraph where they are absent.
func prose(b *testing.B) string {
	var s strings.Builder
	for _, g := range goldLines(b, "texts.tsv") {
		s.WriteString(g.text)
		s.WriteByte('\n')
	}
	return s.String()
}

func BenchmarkTokens(b *testing.B) {
	s := prose(b)
	var out []text.Token
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		out = token.Append(out[:0], s, token.Options{})
	}
}

func BenchmarkRepairedTokens(b *testing.B) {
	s := prose(b)
	var out []text.Token
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		out = token.Append(out[:0], s, token.Options{Repaired: true})
	}
}

// BenchmarkWorstTokens has the shapes that could make a search begin again and again.
func BenchmarkWorstTokens(b *testing.B) {
	for name, unit := range map[string]string{"word": "a", "at": "a@", "dots": "a.", "hyphens": "a-", "tag": "<a ", "attribute": `<a b="c `,
		"attributes": `<a b='"`, "comment": "<!-- ", "slashes": "a/", "commas": "a,", "declaration": "<!a ", "marks": "a!",
		"url":         "http://",
		"apostrophes": "a'", "underscores": "a_", "digits": "1.", "phone": "123 ", "spaces": "U.S. ", "empty": "a@.", "name": "<a-"} {
		b.Run(name, func(b *testing.B) {
			s := strings.Repeat(unit, 1<<17/len(unit))
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				token.Append(nil, s, token.Options{})
			}
		})
	}
}
