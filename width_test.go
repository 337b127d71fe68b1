package laundromat_test

import (
	"go/scanner"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// mostColumns is how wide a line may be. A tab counts four.
const mostColumns = 140

// aloneColumns is how much of a wider line may be anything but one string that is not cut in two.
const aloneColumns = 70

func TestLinesOfGoAreAtMost140ColumnsWide(t *testing.T) {
	eachSource(t, func(path string, source []byte) {
		for _, n := range wideLines(source) {
			t.Errorf("%s:%d: the line is wider than %d columns", path, n, mostColumns)
		}
	})
}

// columns counts the columns of a line, without the spaces by which gofmt aligns it with its neighbours.
func columns(line string) int {
	return utf8.RuneCountInString(strings.ReplaceAll(alignment.ReplaceAllString(line, " "), "\t", "    "))
}

var alignment = regexp.MustCompile(` +`)

// wideLines are the numbers, from 1, of the lines that are too wide. Two kinds of lines may be: those of a raw string
// over several lines, and those of one long string, such as a document in a test, with little beside it.
func wideLines(source []byte) (found []int) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, source, nil, 0)
	longest, raw := map[int]int{}, map[int]bool{}
	for {
		pos, kind, text := s.Scan()
		if kind == token.EOF {
			break
		}
		first := file.Line(pos)
		if kind == token.STRING {
			longest[first] = max(longest[first], columns(text))
		}
		if last := first + strings.Count(text, "\n"); kind == token.STRING && last > first {
			for n := first; n <= last; n++ {
				raw[n] = true
			}
		}
	}
	for n, line := range strings.Split(string(source), "\n") {
		n++
		if width := columns(line); width > mostColumns && !raw[n] && width-longest[n] > aloneColumns &&
			!strings.HasPrefix(strings.TrimSpace(line), "// <") {
			found = append(found, n)
		}
	}
	return found
}

func TestWideLinesAreFound(t *testing.T) {
	wide := strings.Repeat("x", mostColumns)
	for source, want := range map[string][]int{
		"package a\n\nvar " + wide + " int":                           {3},
		"package a\n\nvar b = `\n" + wide + wide + "\n`":              nil,
		"package a\n\nvar b = \"" + wide + "\"":                       nil,
		"package a\n\nvar b = f(\"" + wide + "\", " + wide + ")":      {3},
		"package a\n\nvar b = f(\"" + wide + "\", " + wide[:40] + ")": nil,
		"package a\n\nvar b = f(\"" + wide + "\", " + wide[:70] + ")": {3},
		"package a\n\n// " + wide + "\nvar b int":                     {3},
	} {
		if got := wideLines([]byte(source)); !slices.Equal(got, want) {
			t.Errorf("%q: lines %v, want %v", source, got, want)
		}
	}
}

// Prose wraps: only tables, code and what a benchmark writes are wider.
func TestLinesOfDocumentsAreAtMost140ColumnsWide(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no documents", err)
	}
	for _, page := range append(pages, "README.md", "CHANGELOG.md") {
		isCode, isWritten := false, false
		for n, line := range strings.Split(string(read(t, page)), "\n") {
			switch {
			case strings.HasPrefix(line, "```"):
				isCode = !isCode
			case strings.HasPrefix(line, "<!--"):
				isWritten = strings.HasSuffix(line, ": begin -->")
			case !isCode && !isWritten && line != "" && !strings.Contains("|< ", line[:1]) && strings.Contains(line, " ") &&
				columns(line) > mostColumns:
				t.Errorf("%s:%d: the line is wider than %d columns", page, n+1, mostColumns)
			}
		}
	}
}
