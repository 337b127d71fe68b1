package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/report"
)

// riotCommand takes the flags of riot, of Apache Jena 4 and 5.
func riotCommand(u *ui) *cobra.Command {
	return replacing(u, &cobra.Command{
		Use:   "riot [flags of riot] FILE|URL…",
		Short: "Wash in the place of riot: its flags, counts and exit codes",
	}, runRiot)
}

func runRiot(ctx context.Context, u *ui, args []string) error {
	r := newReplacement(u, "riot")
	flags := r.flags()
	r.refuse(flags, "rdfs", "", "no statements are inferred")
	r.refuse(flags, "set", "", "there are no symbols of Jena to set")
	flags.StringVar(&r.options.given.Format, "syntax", "", "syntax of the input (default: told by the content)")
	flags.StringVar(&r.options.base, "base", "", "base IRI")
	for _, name := range riotOutputs {
		flags.String(name, "", "N-Triples or N-Quads (the default)")
	}
	sink := flags.Bool("sink", false, "write no data")
	count := flags.Bool("count", false, "write no data but how many statements there are")
	validate := flags.Bool("validate", false, "the same as --sink --check --strict")
	check := flags.Bool("check", true, "tell warnings about terms")
	nocheck := flags.Bool("nocheck", false, "tell none")
	flags.BoolVar(&r.options.strict, "strict", false, "drop what would be repaired, and literals that RDF does not know")
	flags.BoolVar(&r.compress, "compress", false, "compress the output with gzip")
	clock := flags.Bool("time", false, "tell the time it took")
	flags.Bool("merge", false, "read all files as one (always so)")
	flags.BoolVarP(&r.quiet, "quiet", "q", r.quiet, "tell no warnings")
	flags.BoolVarP(&r.verbose, "verbose", "v", r.verbose, "tell more")
	flags.Bool("debug", false, "tell more")
	showVersion := flags.Bool("version", false, "tell the version")
	if help, err := r.parse(flags, "riot [flags of riot] FILE|URL…", args); help || err != nil {
		return err
	}
	if *showVersion {
		_, err := fmt.Fprintln(u.out, version())
		return err
	}
	for _, name := range riotOutputs {
		if value := flags.Lookup(name).Value.String(); value != "" {
			if err := r.output("--"+name, value); err != nil {
				return err
			}
		}
	}
	if *validate {
		*sink, r.options.strict = true, true
	}
	r.dry = *sink || *count
	if r.quiet || *nocheck || !*check && !*validate {
		r.silent = append(r.silent, fault.Warning)
	}
	if len(r.files) == 0 {
		r.files = []string{"-"}
	}
	start := time.Now()
	whole, err := r.run(ctx)
	if err != nil {
		return err
	}
	if *count || *clock {
		for i := range whole.Documents {
			if d := &whole.Documents[i]; d.Error == nil && *count {
				fmt.Fprintf(u.err, "%s : %s\n", d.Name, riotCount(emitted(d.Statements), d))
			}
		}
		if *clock || len(whole.Documents) > 1 {
			seconds := time.Since(start).Seconds()
			n := emitted(whole.Statements)
			fmt.Fprintf(u.err, "Total : %.2f sec : %s statements : %.2f per second\n", seconds, inThousands(n), float64(n)/seconds)
		}
	}
	return r.end(whole)
}

// riotOutputs are the flags that name the format of the output.
var riotOutputs = []string{"output", "out", "stream", "formatted"}

// riotCount is "Triples = 1,234"; of languages that have graphs, riot says "Quads".
func riotCount(n int64, d *report.Document) string {
	what := "Triples"
	switch format.Format(d.Format) {
	case format.NQuads, format.TriG, format.TriX, format.JSONLD:
		what = "Quads"
	}
	return what + " = " + inThousands(n)
}
