package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"laundromat/internal/fault"
)

// rapperCommand takes the flags of rapper, of Raptor 2.
func rapperCommand(u *ui) *cobra.Command {
	return replacing(u, &cobra.Command{
		Use:   "rapper [flags of rapper] FILE|URL [BASE]",
		Short: "Wash in the place of rapper: its flags, counts and exit codes",
	}, runRapper)
}

func runRapper(ctx context.Context, u *ui, args []string) error {
	r := newReplacement(u, "rapper")
	r.quiet = false
	flags := r.flags()
	input := flags.StringP("input", "i", "rdfxml", "syntax of the input; guess tells it by the content")
	base := flags.StringP("input-uri", "I", "", "base IRI, - for none")
	output := flags.StringP("output", "o", "ntriples", "ntriples or nquads")
	flags.StringP("output-uri", "O", "", "base IRI of the output, which neither of its formats has")
	count := flags.BoolP("count", "c", false, "write no data")
	quiet := flags.BoolP("quiet", "q", false, "tell only what is wrong")
	guess := flags.BoolP("guess", "g", false, "the same as -i guess")
	noErrors := flags.BoolP("ignore-errors", "e", false, "tell no drops and repairs")
	noWarnings := flags.BoolP("ignore-warnings", "w", false, "tell no warnings")
	showVersion := flags.BoolP("version", "v", false, "tell the version")
	r.refuse(flags, "feature", "f", "there are no features of Raptor to set")
	r.refuse(flags, "replace-newlines", "r", "literals are not changed")
	r.refuse(flags, "trace", "t", "no other document is fetched")
	r.refuse(flags, "show-graphs", "", "the output names them")
	r.refuse(flags, "show-namespaces", "", "prefixes are not kept")
	if help, err := r.parse(flags, "rapper [flags of rapper] FILE|URL [BASE]", args); help || err != nil {
		return err
	}
	if *showVersion {
		_, err := fmt.Fprintln(u.out, version())
		return err
	}
	switch {
	case len(r.files) == 0:
		return usage("rapper: no FILE or URL (see \"laundromat rapper --help\")")
	case len(r.files) > 2:
		return usage("rapper: one FILE or URL and one BASE, but there are %d arguments", len(r.files))
	case len(r.files) == 2:
		if *base == "" {
			*base = r.files[1]
		}
		r.files = r.files[:1]
	}
	if *base != "-" {
		r.options.base = *base
	}
	if !*guess && *input != "guess" {
		r.options.given.Format = *input
	}
	if err := r.output("--output", *output); err != nil {
		return err
	}
	r.dry = *count
	if *noErrors {
		r.silent = append(r.silent, fault.Drop, fault.Repair)
	}
	if *noWarnings {
		r.silent = append(r.silent, fault.Warning)
	}
	whole, err := r.run(ctx)
	if err != nil {
		return err
	}
	if !*quiet {
		n, s := emitted(whole.Statements), "s"
		if n == 1 {
			s = ""
		}
		fmt.Fprintf(u.err, "rapper: Parsing returned %d triple%s\n", n, s)
	}
	return r.end(whole)
}
