//go:build generate

// Command train counts letters and characters in translated texts and writes what package
// language knows of languages.
//
//	encoding/language/train/fetch.sh FOLDER
//	go run -tags generate ./encoding/language/train -o encoding/language/statistics.bin FOLDER
//
// It takes, below the folders named, the messages in LANGUAGE/LC_MESSAGES/*.mo and the
// manuals in man/LANGUAGE/man*/*.gz. The names of countries, languages and scripts
// (iso_*.mo) and of places (libgweather*) are left out, so that they can serve as a test. A
// language that has nothing else keeps them. Only counts are written.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	out := flag.String("o", "statistics.bin", "the `file` to write")
	verbose := flag.Bool("v", false, "tell how much of each language was read")
	flag.Parse()
	c, err := count(flag.Args())
	if err != nil {
		log.Fatal(err)
	}
	if *verbose {
		for _, l := range sources {
			fmt.Fprintf(os.Stderr, "%-12s %8d words\n", l.name, len(c.words[l.name]))
		}
	}
	table, err := c.table()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, table, 0o666); err != nil {
		log.Fatal(err)
	}
}
