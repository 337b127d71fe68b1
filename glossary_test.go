package laundromat_test

import (
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// glossaryWords is how many words of our own a reader may have to learn.
const glossaryWords = 30

var (
	glossaryRow = regexp.MustCompile(`(?m)^\| (.+?) \| (.+) \|$`)
	nameWord    = regexp.MustCompile(`[A-Z]+[a-z]*|[a-z]+`)
)

// The glossary is short, and explains words of the code alone, each in a sentence.
func TestGlossaryIsShortAndOfTheCode(t *testing.T) {
	_, section, _ := strings.Cut(string(read(t, "docs/architecture.md")), "\n## Glossary\n")
	section, _, _ = strings.Cut(section, "\n## ")
	_, section, _ = strings.Cut(section, "|---|---|\n")
	rows := glossaryRow.FindAllStringSubmatch(section, -1)
	if len(rows) == 0 || len(rows) > glossaryWords {
		t.Errorf("the glossary has %d words, not 1 to %d", len(rows), glossaryWords)
	}
	words := namesOf(t)
	before := ""
	for _, row := range rows {
		word, meaning := row[1], row[2]
		if !words[word] {
			t.Errorf("no name in the code has the word %q", word)
		}
		if word <= before {
			t.Errorf("%q comes after %q", word, before)
		}
		before = word
		if n := len(strings.Fields(meaning)); n > sentenceWords || !strings.HasSuffix(meaning, ".") {
			t.Errorf("the meaning of %q is no sentence of at most %d words", word, sentenceWords)
		}
	}
}

// namesOf are the words, in lower case, of which the names in the code are made, without its tests.
func namesOf(t *testing.T) map[string]bool {
	words := map[string]bool{}
	eachSource(t, func(path string, source []byte) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		var s scanner.Scanner
		s.Init(token.NewFileSet().AddFile(path, -1, len(source)), source, nil, 0)
		for {
			_, kind, name := s.Scan()
			if kind == token.EOF {
				return
			}
			if kind == token.IDENT {
				for _, word := range nameWord.FindAllString(name, -1) {
					words[strings.ToLower(word)] = true
				}
			}
		}
	})
	return words
}
