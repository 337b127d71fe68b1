// Command train learns which blocks of pages are main content, and writes what package content embeds.
//
//	go run ./text/content/train -o text/content/model.bin FOLDER
//	go run ./text/content/train -validate 5 FOLDER
//	go run ./text/content/train -validate 2 -mozilla PAGES -leave GROUP FOLDER
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
	"strings"

	"laundromat/text/content"
)

func main() {
	log.SetFlags(0)
	out := flag.String("o", "", "the `file` to write")
	validate := flag.Int("validate", 0, "learn with all folds but one, and measure that, for so many of the five folds")
	cache := flag.String("cache", "", "a `file` for what is slow to make of the pages, kept for the next run")
	mozilla := flag.String("mozilla", "", "the `folder` of Mozilla's pages, which each fold's model is measured on too")
	leave := flag.String("leave", "", "`groups` of features to leave out, apart by commas: text, class, kind, place, "+
		"container, shape, near, heading, witness, path, page, stage")
	flag.Parse()
	pages, err := read(flag.Arg(0), *cache)
	if err != nil {
		log.Fatal(err)
	}
	leaves := leaving(strings.Split(*leave, ","))
	if *validate > 0 {
		others, err := readMozilla(*mozilla)
		if err != nil {
			log.Fatal(err)
		}
		cross(pages, others, *validate, leaves)
	}
	if *out != "" {
		m := fit(pages, -1, leaves)
		if err := os.WriteFile(*out, m.Encode(), 0o666); err != nil {
			log.Fatal(err)
		}
		total := 0.0
		for _, p := range pages {
			total += p.apply(m).f
		}
		fmt.Printf("F of the pages themselves: %.4f\n", total/float64(len(pages)))
	}
}

// cross measures pages of domains that were not learnt from, and other pages with each model.
func cross(pages, others []*page, folds int, leave func(int) bool) {
	type tally struct {
		n    int
		f    float64
		kept [2]int // words in lists, tables and code: of the gold, and those that came
	}
	byKind := map[string]*tally{}
	all := &tally{}
	kindsRight, off, ceiling, elsewhere := 0, 0.0, 0.0, 0.0
	for fold := range folds {
		m := fit(pages, fold, leave)
		for _, p := range pages {
			if p.fold != fold {
				continue
			}
			r := p.apply(m)
			if byKind[p.gold.Type] == nil {
				byKind[p.gold.Type] = &tally{}
			}
			for _, t := range []*tally{byKind[p.gold.Type], all} {
				t.n++
				t.f += r.f
				t.kept[0] += r.special[0]
				t.kept[1] += r.special[1]
			}
			if r.kind == p.gold.Type {
				kindsRight++
			}
			off += max(r.f-r.confidence, r.confidence-r.f)
			ceiling += p.ceiling()
			fmt.Fprintf(os.Stderr, "%s %s %.3f %.3f %s ceiling %.3f\n", p.gold.ID, p.gold.Type, r.f, r.confidence, r.kind, p.ceiling())
		}
		for _, p := range others {
			elsewhere += p.apply(m).f
		}
		fmt.Printf("fold %d: so far F %.4f of %d pages\n", fold, all.f/float64(all.n), all.n)
	}
	for _, k := range content.Kinds {
		if t := byKind[k]; t != nil {
			fmt.Printf("%-14s %4d  F %.4f  kept of lists, tables, code %.3f\n", k, t.n, t.f/float64(t.n),
				float64(t.kept[1])/float64(max(1, t.kept[0])))
		}
	}
	n := float64(all.n)
	fmt.Printf("%-14s %4d  F %.4f  kept %.3f  ceiling %.4f  kind right %.3f  confidence off by %.3f\n", "all", all.n, all.f/n,
		float64(all.kept[1])/float64(max(1, all.kept[0])), ceiling/n, float64(kindsRight)/n, off/n)
	if len(others) > 0 {
		fmt.Printf("%-14s %4d  F %.4f\n", "Mozilla's", len(others), elsewhere/float64(folds*len(others)))
	}
}
