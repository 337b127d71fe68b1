// Command encodings measures how often detectors of character encodings give the right
// text of a dataset, and how often misread text is mended.
//
//	apt-get install unicode-cldr-core iso-codes uchardet
//	go -C bench run ./encodings                             the tables, to standard output
//	go -C bench run ./encodings -write ../docs/encodings.md    the tables, to a file
//	go -C bench run ./encodings -show 20                    what came out wrong, here
//	go -C bench run ./encodings -corpus FOLDER              another corpus, which the names of files or folders give
//
// The texts are names: of cities, currencies and things in the Common Locale Data
// Repository of Unicode, of countries, their parts, and languages in iso-codes. Nothing of
// either taught our detector anything (docs/dependencies.md says what did). A document is
// N-Triples with so many literals that have characters outside ASCII, and three times as many
// that have none. It is right if the encoding that a detector names gives its text.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
)

type options struct {
	cldr, locales string
	documents     int // of each language in each encoding, with each number of literals
	seed          uint64
	show          int
	write         string
	mixed         bool
	corpus        string
}

func main() {
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.cldr, "cldr", "/usr/share/unicode/cldr/common", "`folder` of the Common Locale Data Repository")
	flag.StringVar(&o.locales, "locales", "/usr/share/locale", "`folder` of the translations of iso-codes")
	flag.IntVar(&o.documents, "documents", 30, "how many of each language in each encoding, with each number of literals")
	flag.Uint64Var(&o.seed, "seed", 1, "of the random numbers")
	flag.IntVar(&o.show, "show", 0, "show so many that come out wrong here, and no tables")
	flag.StringVar(&o.corpus, "corpus", "",
		"measure the files of this `folder`, whose names or folders tell their encoding, and nothing else")
	flag.BoolVar(&o.mixed, "mixed", false, "only the table of mixed encodings")
	flag.StringVar(&o.write, "write", "", "`file` for the tables")
	flag.Parse()
	if err := run(o); err != nil {
		log.Fatal(err)
	}
}

func run(o options) error {
	if o.corpus != "" {
		return corpusTable(os.Stdout, o.corpus, o.show)
	}
	names, err := gather(o.cldr, o.locales)
	if err != nil {
		return err
	}
	var out io.Writer = os.Stdout
	if o.write != "" {
		f, err := os.Create(o.write)
		if err != nil {
			return err
		}
		defer f.Close()
		out = f
	}
	w := bufio.NewWriter(out)
	if o.mixed {
		if err := mixedTable(w, names, o); err != nil {
			return err
		}
	} else if o.show > 0 {
		show(w, names, o)
	} else if err := tables(w, names, o); err != nil {
		return err
	}
	return w.Flush()
}

// show lists documents that our detector gives a wrong text of.
func show(w io.Writer, names map[string][]string, o options) {
	shown := 0
	for _, d := range documents(names, o) {
		if name := own(d.raw); shown < o.show && !isRight(name, d) {
			shown++
			fmt.Fprintf(w, "%s in %s, %d literals: %s: %q\n", d.language, d.encoding, d.literals, name, d.labels)
		}
	}
}
