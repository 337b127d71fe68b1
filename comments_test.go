package laundromat_test

import (
	"bytes"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// commentColumns is how wide a line that ends in a comment may be. A tab counts four.
const commentColumns = 120

// A comment should be readable beside the code, in an editor and in a review.
func TestCommentsAreAtMost120ColumnsWide(t *testing.T) {
	eachSource(t, func(path string, source []byte) {
		for _, place := range wideComments(source) {
			t.Errorf("%s:%d: the comment ends beyond column %d", path, place, commentColumns)
		}
	})
}

// eachSource calls look with each file of Go that a person wrote.
func eachSource(t *testing.T, look func(path string, source []byte)) {
	t.Helper()
	seen := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || path != "." && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case filepath.Ext(path) != ".go":
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if head, _, _ := bytes.Cut(source, []byte("\npackage ")); bytes.Contains(head, []byte("DO NOT EDIT.")) {
			return nil
		}
		seen++
		look(path, source)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 100 {
		t.Errorf("only %d files were looked at", seen)
	}
}

func TestWideCommentsAreFound(t *testing.T) {
	wide := strings.Repeat("x", commentColumns)
	for source, want := range map[string]int{
		"package a\n\n// " + wide + "\nvar b int":       3,
		"package a\n\nvar b int // " + wide:             3,
		"package a\n\nvar b = `\n// " + wide + "\n`":    0,
		"package a\n\nvar b = `" + wide + "`":           0,
		"package a\n\n/*\n" + wide + "x\n*/\nvar b int": 4,
		"package a\n\n// <" + wide + "\nvar b int":      0,
		"package a\n\n\t// " + wide[7:]:                 0,
		"package a\n\n\t// " + wide[6:]:                 3,
	} {
		got := wideComments([]byte(source))
		if want == 0 && len(got) > 0 || want > 0 && (len(got) != 1 || got[0] != want) {
			t.Errorf("%q: lines %v, want %d", source, got, want)
		}
	}
}

// wideComments are the numbers, from 1, of the lines in which a comment ends beyond
// commentColumns.
func wideComments(source []byte) (found []int) {
	lines := strings.Split(string(source), "\n")
	for _, c := range comments(source) {
		for n := c.first; n <= c.last; n++ {
			// What an example prints is compared as it is: a statement can't be broken.
			if strings.HasPrefix(strings.TrimSpace(lines[n-1]), "// <") {
				continue
			}
			if utf8.RuneCountInString(strings.ReplaceAll(lines[n-1], "\t", "    ")) > commentColumns {
				found = append(found, n)
			}
		}
	}
	return found
}

// comment is a comment of Go, by the numbers of its lines from 1.
type comment struct{ first, last int }

func comments(source []byte) (found []comment) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, source, nil, scanner.ScanComments)
	for {
		pos, kind, text := s.Scan()
		switch kind {
		case token.EOF:
			return found
		case token.COMMENT:
			first := file.Line(pos)
			found = append(found, comment{first, first + strings.Count(text, "\n")})
		}
	}
}
