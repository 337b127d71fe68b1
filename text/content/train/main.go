// Command train learns which blocks of pages are main content, and writes what package content embeds.
//
//	go run ./text/content/train -o text/content/model.bin FOLDER
//	go run ./text/content/train -validate 5 FOLDER
//	go run ./text/content/train -validate 2 -mozilla PAGES -each all FOLDER
//
// FOLDER is the development part of WCXB (Murrough Foley, Creative Commons Attribution 4.0): html/ID.html.gz, and
// gold.jsonl.gz. PAGES are those that Mozilla's Readability is tested with. The same pages give the same tables.
// Pages of one domain are never in two folds.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	out := flag.String("o", "", "the `file` to write")
	validate := flag.Int("validate", 0, "learn with all folds but one, and measure that, for so many of the five folds")
	cache := flag.String("cache", "", "a `file` for what is slow to make of the pages, kept for the next run")
	mozilla := flag.String("mozilla", "", "the `folder` of Mozilla's pages, which each fold's model is measured on too")
	leave := flag.String("leave", "", "`groups` of features and choices to leave out, apart by commas: "+
		strings.Join(slices.Concat(groups, choices), ", "))
	each := flag.String("each", "", "measure what F is without each of these `groups` and choices by itself, with fewer trees: "+
		"all, or names apart by commas")
	flag.Parse()
	plan, err := without(listed(*leave))
	if err != nil {
		log.Fatal(err)
	}
	names := listed(*each)
	if *each == "all" {
		names = slices.Concat(groups, choices)
	}
	if _, err := without(names); err != nil {
		log.Fatal(err)
	}
	if len(names) > 0 && *validate == 0 {
		log.Fatal("-each goes with -validate")
	}
	pages, err := read(flag.Arg(0), *cache)
	if err != nil {
		log.Fatal(err)
	}
	if *validate > 0 {
		others, err := readMozilla(*mozilla)
		if err != nil {
			log.Fatal(err)
		}
		if len(names) == 0 {
			cross(pages, others, *validate, plan).print()
		} else {
			apart(pages, others, *validate, names)
		}
	}
	if *out != "" {
		m := fit(pages, -1, plan)
		if err := os.WriteFile(*out, m.Encode(), 0o666); err != nil {
			log.Fatal(err)
		}
		total := 0.0
		for _, p := range pages {
			total += p.apply(m, plan).f
		}
		fmt.Printf("F of the pages themselves: %.4f\n", total/float64(len(pages)))
	}
}

// listed are names that commas set apart.
func listed(names string) []string {
	return strings.FieldsFunc(names, func(r rune) bool { return r == ',' })
}
