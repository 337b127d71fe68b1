package encoding

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTableOfCodePagesIsSound(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range readable {
		seen[c.name] = true
	}
	for line := range tableLines(codePageData) {
		kind, rest, _ := strings.Cut(line, " ")
		name, table, _ := strings.Cut(rest, " ")
		if seen[name] || name != strings.ToLower(name) {
			t.Errorf("%q: each encoding is there once, in lower case", name)
		}
		seen[name] = true
		page := readCodePage(table)
		lowest := 0x80
		switch kind {
		case "ebcdic":
			lowest = 0
		case "ascii":
		default:
			t.Errorf("%s: of the kind %q", name, kind)
		}
		for b := lowest; b < 256; b++ {
			if page[b] == 0 && b > 0 || !utf8.ValidRune(page[b]) {
				t.Errorf("%s: byte %02X is %U", name, b, page[b])
			}
		}
	}
	if len(codePages()) == 0 || len(readCNS().runs) == 0 {
		t.Error("an empty table")
	}
}

func TestTableOfCNSIsSound(t *testing.T) {
	table, lines := readCNS(), 0
	for range tableLines(cnsData) {
		lines++
	}
	if len(table.runs)+len(table.signs) != lines {
		t.Errorf("%d runs and %d signs in %d lines", len(table.runs), len(table.signs), lines)
	}
	for _, run := range table.runs {
		if run.plane < 0 || run.plane > 1 || run.count < 1 || run.place+run.count > cnsPlane {
			t.Errorf("run %+v", run)
		}
	}
	for _, sign := range table.signs {
		if sign.plane < 0 || sign.plane > 1 || sign.place >= cnsPlane || !utf8.ValidRune(sign.character) {
			t.Errorf("sign %+v", sign)
		}
	}
}
