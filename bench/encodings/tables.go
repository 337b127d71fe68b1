package main

import (
	"fmt"
	"io"
	"slices"
)

// tally counts the documents of a row that came right, for each number of literals.
type tally struct {
	all   [3]int
	right [3][]int // of each detector
}

func tables(w io.Writer, names map[string][]string, o options) error {
	all := documents(names, o)
	peers, err := uchardetNames(all)
	if err != nil {
		return err
	}
	detectors := []string{"Laundromat", "uchardet", "saintfish/chardet"}
	byEncoding, byLanguage, total := map[string]*tally{}, map[string]*tally{}, &tally{}
	var encodings, tongues []string
	for i, d := range all {
		answers := []string{own(d.raw), "", chardetName(d.raw)}
		if peers != nil {
			answers[1] = peers[i]
		}
		if byEncoding[d.encoding] == nil {
			byEncoding[d.encoding] = &tally{}
			encodings = append(encodings, d.encoding)
		}
		if byLanguage[d.language] == nil {
			byLanguage[d.language] = &tally{}
			tongues = append(tongues, d.language)
		}
		at := slices.Index(densities, d.literals)
		for _, t := range []*tally{byEncoding[d.encoding], byLanguage[d.language], total} {
			if t.right[at] == nil {
				t.right[at] = make([]int, len(detectors))
			}
			t.all[at]++
			for j, name := range answers {
				if name != "" && isRight(name, d) {
					t.right[at][j]++
				}
			}
		}
	}
	fmt.Fprintf(w, head, o.documents, o.seed, len(all), len(encodings), len(tongues))
	slices.Sort(encodings)
	heading := func(first string) {
		fmt.Fprintf(w, "| %s |", first)
		for _, n := range densities {
			for _, d := range detectors {
				fmt.Fprintf(w, " %s, %d |", d, n)
			}
		}
		fmt.Fprint(w, "\n|---|")
		for range len(densities) * len(detectors) {
			fmt.Fprint(w, "--:|")
		}
		fmt.Fprintln(w)
	}
	row := func(first string, t *tally) {
		fmt.Fprintf(w, "| %s |", first)
		for at := range densities {
			for j := range detectors {
				if j == 1 && peers == nil {
					fmt.Fprint(w, " – |")
					continue
				}
				fmt.Fprintf(w, " %.1f |", 100*float64(t.right[at][j])/float64(t.all[at]))
			}
		}
		fmt.Fprintln(w)
	}
	heading("encoding")
	for _, name := range encodings {
		row(name, byEncoding[name])
	}
	row("**all**", total)
	fmt.Fprint(w, "\n## By language\n\n")
	heading("language")
	for _, name := range tongues {
		row(name, byLanguage[name])
	}
	if err := mixedTable(w, names, o); err != nil {
		return err
	}
	return misreadTable(w, o)
}

const head = `# Encodings: what was tried and what came out

This page is written by

    apt-get install unicode-cldr-core iso-codes uchardet
    go -C bench run ./encodings -documents %d -seed %d -write ../docs/encodings.md

%d documents in %d encodings and %d languages. Each is N-Triples with 1, 3 or 30 literals
that have characters outside ASCII, and three times as many that have none. The literals
are names of cities, currencies and things in the Common Locale Data Repository of Unicode,
and of countries, their parts, and languages in iso-codes. What our detector knows of languages was
counted in other texts ([dependencies](dependencies.md#what-the-statistics-of-languages-were-counted-in)).

A figure is the share, in percent, of the documents of which the encoding that a detector
names gives the text, character for character; which of two encodings that give the same text
is all the same, and so is whether ș has a comma or a cedilla, which ISO-8859-16 and ISO-8859-2 write as one byte. Nothing is declared and no detector has another hint. uchardet 0.0.7 is the program
of Debian 12; saintfish/chardet is a library of Go; both see the whole document.
With other documents of the same kind (` + "`-seed 7`" + `) 93.9, 98.8 and 99.8 %% of ours are right.

Encodings that golang.org/x/text lacks are read by tables of our own: ISO-2022-KR, ISO-2022-CN, EUC-TW (planes 1 and 2), Johab,
VISCII, TCVN, KOI8-RU, KOI8-T, PTCP154, KZ-1048, ARMSCII-8, Georgian-PS and Georgian-Academy, HP Roman 8, Macintosh (Central Europe, Croatian,
Greek, Icelandic, Romanian, Turkish), code pages 720, 737, 775, 856, 857, 861, 864, 869 and 1125, and of EBCDIC 273, 277, 278, 280, 284, 285, 297,
424, 500, 870, 871, 875, 1025, 1026 and 1141 to 1149 (37, 1047 and 1140 are x/text's). Surrogates as CESU-8 writes them are joined, text by
text (encoding/mixed-bytes). Not read are other code pages of EBCDIC, UTF-EBCDIC, ISO-2022-CN-EXT, ISO-2022-JP-2 and later, Shift_JISX0213 and EUC-JISX0213, GEOSTD8, VPS,
Macintosh Arabic, Farsi and Hebrew, BOCU-1, SCSU and UTF-1: given with --encoding, such a name is an error, and a document in an encoding of escape sequences
ends with one (encoding/unsupported); where one is declared of bytes that are not UTF-8, the finding encoding/guessed says
that it can't be read, and in what the bytes were read. UTF-7 is read where it is declared or has a byte order mark; undeclared, it is ASCII.

## Corpora of others

The test data of two detectors, whole and by the first 256 bytes of each file; what a file declares is not heard. Of uchardet's 121
files we read 121 and 119, uchardet 118 and 115; of the 425 of Python's chardet 425 and 418, uchardet 407 and 395.

    apt-get source uchardet && go -C bench run ./encodings -corpus uchardet-0.0.7/test
    go mod download github.com/wlynxg/chardet@v1.0.5 && go -C bench run ./encodings -corpus $(go env GOMODCACHE)/github.com/wlynxg/chardet@v1.0.5/test/testdata

## Speed

To settle the encoding of a document that is not UTF-8 takes a second look at all of it: about 1,800 MB a second of processor time
where letters outside ASCII are few, 480 where the whole text is Russian, and 2 to 2.7 ms for a small document. UTF-8 is proved while it is
read, and needs no second look. Bytes that are no text are told as such before, by their first bytes ([formats](formats.md)).

    go test -run none -bench DecideBySize -benchtime 20x ./encoding    # 9.2, 7.4 MB, and one small document

## By encoding

`
