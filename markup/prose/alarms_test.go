package prose_test

import (
	"bufio"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"laundromat/markup/prose"
)

var kinds = map[prose.Kind]string{prose.Mojibake: "mojibake", prose.Replacement: "replacement", prose.QuestionMarks: "questions",
	prose.Control: "control", prose.PrivateUse: "private", prose.Entity: "entity", prose.Tag: "tag", prose.Blank: "blank",
	prose.NotNFC: "nfc"}

// Texts that people wrote and read, one a line after their language and a tab, in
// the file that CLEAN_TEXTS names. Of a kind, at most one in so many may be reported.
// Read in the wrong pages, most must be.
func TestFewFalseAlarms(t *testing.T) {
	name := os.Getenv("CLEAN_TEXTS")
	if name == "" {
		t.Skip("CLEAN_TEXTS names no file")
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	texts, found := 0, map[string]int{}
	made, caught := map[string]int{}, map[string]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		language, text, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			continue
		}
		texts++
		if texts%11 == 0 {
			for _, p := range prose.Pages() {
				if wrong, ok := misread(text, p.Table); ok {
					made[p.Name]++
					if has(prose.Judge([]byte(wrong), nil), prose.Mojibake) {
						caught[p.Name]++
					}
				}
			}
		}
		for _, f := range prose.Judge([]byte(text), []byte(language)) {
			kind := kinds[f.Kind]
			if found[kind]++; found[kind] <= 200 {
				t.Logf("%s %s: %q (%s)", kind, language, text, f.Detail)
			}
		}
	}
	t.Logf("%d texts: %v", texts, found)
	for name, n := range made {
		t.Logf("%s: %d of %d are found", name, caught[name], n)
		if 2*caught[name] < n {
			t.Errorf("%s: only %d of %d are found", name, caught[name], n)
		}
	}
	for kind, most := range map[string]int{"mojibake": 10_000, "questions": 100_000} {
		if found[kind]*most > texts {
			t.Errorf("%d of %d texts are said to be %s", found[kind], texts, kind)
		}
	}
}

// misread reads a text in UTF-8 as if it were of a page, which must have all its bytes. It does not if
// the text is ASCII, or seems mojibake as it is.
func misread(text string, table *charmap.Charmap) (string, bool) {
	var out []rune
	high := false
	for i := range len(text) {
		r := table.DecodeByte(text[i])
		if r == utf8.RuneError {
			r = rune(text[i])
		}
		high = high || text[i] >= 0x80
		out = append(out, r)
	}
	return string(out), high && !has(prose.Judge([]byte(text), nil), prose.Mojibake)
}

func has(found []prose.Finding, kind prose.Kind) bool {
	for _, f := range found {
		if f.Kind == kind {
			return true
		}
	}
	return false
}
