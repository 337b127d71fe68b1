package encoding

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed codepages.txt
var codePageData string

// codePages are the encodings of codepages.txt, by their names here. The lines are cut when an
// encoding is asked for that is not one of x/text. A page is made out when it is first used.
var codePages = sync.OnceValue(func() (all []charset) {
	for line := range tableLines(codePageData) {
		kind, rest, _ := strings.Cut(line, " ")
		name, table, _ := strings.Cut(rest, " ")
		all = append(all, charset{name, newCodePage(table, kind == "ebcdic")})
	}
	return all
})

// tableLines are the lines of a table that are no comments.
func tableLines(data string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(data) {
			if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

// readCodePage makes out the characters of a line, after its name. The file is part of the program: that
// it is sound is a test's to say.
func readCodePage(table string) (all [256]rune) {
	for b := range 0x80 {
		all[b] = rune(b)
	}
	quoted, _ := strconv.QuotedPrefix(table)
	characters, _ := strconv.Unquote(quoted)
	b := 256 - utf8.RuneCountInString(characters)
	for _, r := range characters {
		all[b] = r
		b++
	}
	for _, field := range strings.Fields(table[len(quoted):]) {
		place, character, _ := strings.Cut(field, "=")
		low, _ := strconv.ParseUint(place, 16, 8)
		all[low], _ = utf8.DecodeRuneInString(character)
	}
	return all
}

//go:embed cns11643.txt
var cnsData string

// cnsTable is what cns11643.txt says, by planes from 0 on.
type cnsTable struct {
	runs  []cnsRun
	signs []cnsSign
}

type cnsRun struct{ plane, place, big5, count int }

type cnsSign struct {
	plane, place int
	character    rune
}

func readCNS() (t cnsTable) {
	for line := range tableLines(cnsData) {
		var run cnsRun
		var sign cnsSign
		if n, _ := fmt.Sscanf(line, "run %d %d %d %d", &run.plane, &run.place, &run.big5, &run.count); n == 4 {
			run.plane--
			t.runs = append(t.runs, run)
		} else if n, _ := fmt.Sscanf(line, "sign %d %d %x", &sign.plane, &sign.place, &sign.character); n == 3 {
			sign.plane--
			t.signs = append(t.signs, sign)
		}
	}
	return t
}
