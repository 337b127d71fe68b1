// Command recall measures how much of a broken document the readers save.
//
// It makes clean documents of every format, puts faults at known places into them, and reads them as
// "laundromat wash" does. It compares what comes out with what the clean document says. It counts the
// untouched statements that were read, those that no document says, and the faults with a notice on
// the right line. Blank nodes are compared by what is said of them, not by their names.
//
//	go -C bench run ./recall                        the tables, to standard output
//	go -C bench run ./recall -write ../docs/recall.md  the tables, to a file
//	go -C bench run ./recall -show 3 -kind "missing dot" -format Turtle
//	                                             the first losses of a kind; with -keep FOLDER
//	                                             the texts stay there
//
//	go -C bench run ./recall -without -write ../docs/recall.md
//	                                             beside them what each rule of recovery is worth
//
//	go -C bench run ./recall -seeds 1,2,3 -layouts pretty,crlf
//	                                             other random numbers, some layouts
//
// Other programs, those that package peer finds, read the same files. Of what Laundromat read without
// a notice they say whether the broken text says it by the rules of its format. With -peers=false they
// do that alone, and with -witnesses=false nobody does.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

type options struct {
	places     int // each kind is made so often, alone in a document
	statements int // of a document with one fault
	dense      int // of a document with a fault in a hundred statements
	seeds      []uint64
	layouts    []*layout
	peers      bool
	witnesses  bool
	workers    int
	write      string
	sets       bool   // measure the further sets
	set        string // only sets that begin so
	without    bool   // measure what each rule is worth
	real       string // the folder of real files

	show         int
	keep         string
	kind, format string
}

func main() {
	var o options
	flag.IntVar(&o.places, "places", 8, "how often each kind of fault is made alone, with each seed; 0 for dense documents only")
	flag.IntVar(&o.statements, "statements", 120, "statements of a document with one fault")
	flag.IntVar(&o.dense, "dense", 20_000, "statements of a document with one fault in a hundred")
	seeds := flag.String("seeds", "1,2,3", "of the random numbers, between commas; all is done with each")
	names := flag.String("layouts", "all", "how documents are laid out, by turns: names between commas")
	flag.BoolVar(&o.peers, "peers", true, "let other programs read the same files, where they are installed")
	flag.BoolVar(&o.witnesses, "witnesses", true,
		"ask other programs, where they are installed, whether a broken text is legal with another meaning")
	flag.IntVar(&o.workers, "workers", runtime.NumCPU(), "how many formats are measured at a time")
	flag.StringVar(&o.write, "write", "", "file for the tables")
	flag.BoolVar(&o.sets, "sets", true, "measure further sets: small documents, rows of broken statements, what people write, real files")
	flag.StringVar(&o.set, "set", "", "only sets whose names begin so")
	flag.BoolVar(&o.without, "without", false, "read every set once without each rule of recovery")
	flag.StringVar(&o.real, "real", "",
		"folder of real files with their index.tsv; without it, real in the folder that LAUNDROMAT_SHARED names")
	flag.IntVar(&o.show, "show", 0, "show so many losses, inventions and misplaced notices, and no tables")
	flag.StringVar(&o.keep, "keep", "", "folder for the texts that are shown, whole")
	flag.StringVar(&o.kind, "kind", "", "only this kind of fault")
	flag.StringVar(&o.format, "format", "", "only this format")
	flag.Parse()
	if err := o.choose(*seeds, *names); err != nil {
		fmt.Fprintln(os.Stderr, "recall:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "recall:", err)
		os.Exit(1)
	}
}

// choose reads the lists of the flags.
func (o *options) choose(seeds, names string) error {
	for _, text := range strings.Split(seeds, ",") {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return err
		}
		o.seeds = append(o.seeds, seed)
	}
	for i := range layouts {
		if names == "all" || slices.Contains(strings.Split(names, ","), layouts[i].name) {
			o.layouts = append(o.layouts, &layouts[i])
		}
	}
	known := o.format == ""
	for _, f := range formats {
		known = known || f.name == o.format
	}
	if !known {
		return fmt.Errorf("no format %q", o.format)
	}
	if len(o.layouts) == 0 {
		return fmt.Errorf("no layout %q", names)
	}
	return nil
}

func run(ctx context.Context, o options, to io.Writer) error {
	t, err := measure(ctx, o, to)
	if err != nil || o.show > 0 {
		return err
	}
	out := bufio.NewWriter(to)
	if o.write != "" {
		file, err := os.Create(o.write)
		if err != nil {
			return err
		}
		defer file.Close()
		out = bufio.NewWriter(file)
	}
	t.page(out)
	return out.Flush()
}
