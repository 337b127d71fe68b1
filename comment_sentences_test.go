package laundromat_test

import (
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// sentenceWords is how many words a sentence in a comment may have.
const sentenceWords = 25

// A reader should hold a sentence in the head: a longer one is two sentences.
func TestSentencesInCommentsHaveAtMost25Words(t *testing.T) {
	eachSource(t, func(path string, source []byte) {
		for _, s := range longSentences(source) {
			t.Errorf("%s:%d: a sentence of %d words: %s", path, s.line, s.words, s.text)
		}
	})
}

func TestLongSentencesAreFound(t *testing.T) {
	of := func(words int) string { return strings.TrimSpace(strings.Repeat("word ", words)) }
	for source, want := range map[string][]int{
		"package a\n\n// " + of(25) + ".\nvar b int":                                   nil,
		"package a\n\n// " + of(26) + ".\nvar b int":                                   {3},
		"package a\n\n// " + of(26) + "\nvar b int":                                    {3},
		"package a\n\n// Short. " + of(26) + ".\nvar b int":                            {3},
		"package a\n\n// " + of(13) + "\n// " + of(13) + ".\nvar b int":                {3},
		"package a\n\n// Short.\n// Long " + of(26) + ".\nvar b int":                   {4},
		"package a\n\n// " + of(20) + ".\n// Other " + of(20) + ".\nvar b int":         nil,
		"package a\n\n// " + of(20) + "? Other " + of(20) + "! Third.\nvar b int":      nil,
		"package a\n\n// (" + of(20) + ".) Other " + of(20) + ".\nvar b int":           nil,
		"package a\n\n// " + of(20) + " i.e. other " + of(20) + ".\nvar b int":         {3},
		"package a\n\n// " + of(20) + "\n//\n// " + of(20) + "\nvar b int":             nil,
		"package a\n\n// " + of(20) + ":\n//   - " + of(20) + "\nvar b int":            nil,
		"package a\n\n// - " + of(20) + "\n//   " + of(20) + "\nvar b int":             {3},
		"package a\n\n//   - " + of(20) + "\n//     " + of(20) + "\nvar b int":         {3},
		"package a\n\n//   - " + of(20) + "\n//   - " + of(20) + "\nvar b int":         nil,
		"package a\n\n// Code:\n//\n//\t" + of(30) + "\nvar b int":                     nil,
		"package a\n\n// Code:\n//\n//     " + of(30) + "\nvar b int":                  nil,
		"package a\n\n// | " + of(30) + " |\nvar b int":                                nil,
		"package a\n\n//go:generate " + of(30) + "\nvar b int":                         nil,
		"package a\n\n/* " + of(13) + "\n" + of(13) + " */\nvar b int":                 {3},
		"package a\n\nvar b = `// " + of(30) + "`":                                     nil,
		"package a\n\nvar b int // " + of(20) + "\nvar c int // " + of(20):             nil,
		"package a\n\nvar b int // " + of(26):                                          {3},
		"package a\n\n// " + of(20) + " – = | + " + of(5) + ".\nvar b int":             nil,
		"package a\n\nfunc Example() {\n// Output:\n// A " + of(30) + "\n}":            nil,
		"package a\n\nfunc Example() {\n// Unordered output: A " + of(30) + "\n}":      nil,
		"package a\n\n// Output is what " + of(30) + "\nvar b int":                     {3},
		"package a\n\n// " + of(25) + ".\n\n// " + of(26) + ".\nvar b int":             {5},
		"package a\n\n// " + of(26) + ".\n\n// " + of(26) + ".\nvar b int":             {3, 5},
		"package a\n\n// " + of(26) + ". Short. " + of(2) + ". Next " + of(26) + ".\n": {3, 3},
	} {
		var got []int
		for _, s := range longSentences([]byte(source)) {
			got = append(got, s.line)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: lines %v, want %v", source, got, want)
		}
	}
}

// sentence is one that is too long: where it begins, from line 1, and how many words it has.
type sentence struct {
	line, words int
	text        string
}

// longSentences are those of over sentenceWords words in the comments of a source.
func longSentences(source []byte) (found []sentence) {
	for _, paragraph := range paragraphs(source) {
		for len(paragraph) > 0 {
			end := 0
			for end < len(paragraph)-1 && !endsSentence(paragraph[end].text, paragraph[end+1].text) {
				end++
			}
			if s := sentenceOf(paragraph[:end+1]); s.words > sentenceWords {
				found = append(found, s)
			}
			paragraph = paragraph[end+1:]
		}
	}
	return found
}

// commentWord is what stands between two spaces, and its line.
type commentWord struct {
	text string
	line int
}

func sentenceOf(words []commentWord) sentence {
	s := sentence{line: words[0].line}
	var text []string
	for _, w := range words {
		text = append(text, w.text)
		if strings.ContainsFunc(w.text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			s.words++
		}
	}
	s.text = strings.Join(text, " ")
	return s
}

// endsSentence says whether a sentence ends after word: with a stop, and before a capital letter.
func endsSentence(word, next string) bool {
	word = strings.TrimRight(word, "\"'”’)]`*")
	if word == "" || !strings.ContainsRune(".!?", rune(word[len(word)-1])) {
		return false
	}
	for _, r := range strings.TrimLeft(next, "\"'“‘([`*") {
		return unicode.IsUpper(r)
	}
	return false
}

// paragraphs are the words of each paragraph of prose in the comments of a source. No prose are
// directives, code and tables, and what an example prints.
func paragraphs(source []byte) (found [][]commentWord) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, source, nil, scanner.ScanComments)
	var (
		now     []commentWord
		last    int  // the line on which the comment before ended, if it began its line
		printed bool // by an example
		inItem  bool // of a list: its lines are indented
	)
	end := func() {
		if len(now) > 0 {
			found = append(found, now)
		}
		now = nil
	}
	for {
		pos, kind, text := s.Scan()
		if kind == token.EOF {
			end()
			return found
		}
		if kind != token.COMMENT {
			continue
		}
		line := file.Line(pos)
		first := strings.TrimSpace(string(source[file.Offset(file.LineStart(line)):file.Offset(pos)])) == ""
		if !first || line != last+1 {
			end()
			printed = false
		}
		last = 0
		if first {
			last = line + strings.Count(text, "\n")
		}
		if rest, isLine := strings.CutPrefix(text, "//"); isLine {
			if rest != "" && rest[0] != ' ' && rest[0] != '\t' { // a directive
				end()
				continue
			}
			text = strings.TrimPrefix(rest, " ")
		} else {
			text = strings.TrimSuffix(strings.TrimPrefix(text, "/*"), "*/")
		}
		for n, part := range strings.Split(text, "\n") {
			printed = printed || printedHead.MatchString(part)
			prose, item := proseOf(part, inItem && len(now) > 0)
			if printed || prose == "" || item {
				end()
			}
			if printed {
				continue
			}
			inItem = item || inItem && prose != ""
			for _, word := range strings.Fields(prose) {
				now = append(now, commentWord{word, line + n})
			}
		}
	}
}

// printedHead begins what an example prints, up to the end of the comment.
var printedHead = regexp.MustCompile(`^\s*(?i:(unordered )?output):`)

// proseOf is what a line of a comment says, and whether it begins an item of a list. An indented
// line is code, but in an item.
func proseOf(line string, inItem bool) (prose string, item bool) {
	trimmed := strings.TrimSpace(line)
	if strings.HasPrefix(trimmed, "|") {
		return "", false
	}
	if marker := listMarker.FindString(line); marker != "" {
		return line[len(marker):], true
	}
	if !inItem && (strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    ")) {
		return "", false
	}
	return trimmed, false
}

// listMarker begins an item, as in a doc comment of Go.
var listMarker = regexp.MustCompile(`^\s*([-*+•]|[0-9]+[.)])\s+`)
