package language_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
	"laundromat/text"
	"laundromat/text/article"
	"laundromat/text/content"
	"laundromat/text/language"
)

type silent struct{}

func (silent) Notice(fault.Notice) {}

// TestMenusNumbersAndCodeAreInNoLanguage, on pages of the web, of which each third is read: code by its text alone and
// in its block, numbers alone and with units, the labels of menus and forms. Prose is in a language.
func TestMenusNumbersAndCodeAreInNoLanguage(t *testing.T) {
	names, _ := filepath.Glob(filepath.Join(rdftest.Shared(t, "text"), "wcxb", "html", "*.gz"))
	right, all := map[string]int{}, map[string]int{}
	count := func(kind string, isRight bool) {
		all[kind]++
		if isRight {
			right[kind]++
		}
	}
	for i := 0; i < len(names); i += 3 {
		a := pageOf(t, names[i])
		if a == nil {
			continue
		}
		language.Complete(a)
		first := map[int]string{}
		for _, l := range a.Languages {
			if first[l.Start] == "" {
				first[l.Start] = l.Language
			}
		}
		for _, b := range a.Blocks {
			s := a.Text[b.Start:b.End]
			isNone := first[b.Start] == language.Unknown
			switch {
			case b.Kind == text.Code:
				count("code", isNone)
				if strings.ContainsAny(s, "{};=") {
					count("code by its text", guessesOf(s)[0].Tag == language.Unknown)
				}
			case mostlyDigits(s):
				count("numbers", isNone)
			case b.Kind == text.Navigation:
				count("menus", isNone)
			case b.Kind == text.Control:
				count("forms", isNone)
			case b.Kind == text.Paragraph && b.Part == text.Main && len(strings.Fields(s)) > 5:
				count("prose", !isNone)
			}
		}
	}
	for kind, n := range all {
		share := float64(right[kind]) / float64(n)
		t.Logf("%s: %d of %d, %.3f", kind, right[kind], n, share)
		if share < 0.95 {
			t.Errorf("of %d blocks of %s, %.3f are right", n, kind, share)
		}
	}
}

// mostlyDigits is whether a text has at least as many digits as letters.
func mostlyDigits(s string) bool {
	digits, letters := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return digits >= letters && digits > 0
}

func pageOf(t *testing.T, name string) *text.Article {
	t.Helper()
	packed, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	source, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	a, err := article.FromPage(context.Background(), source, article.Options{Source: name, Judge: content.Judge}, silent{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}
