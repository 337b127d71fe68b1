package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"laundromat/rdf/write"
	"laundromat/states/inputs"
	"laundromat/states/outputs"
)

// writable says which names an output may have.
func writable() string {
	return "." + strings.Join(write.Extensions(), ", .") + ", each alone or with .gz or .zst"
}

// otherNames are endings of files by which people may mean one that can be written.
var otherNames = map[string]string{
	".nquads": ".nq", ".ntriples": ".nt", ".turtle": ".ttl", ".n3": ".ttl", ".json": ".jsonld", ".ndjson": ".jsonld",
	".ndjsonld": ".jsonld",
	".gzip":     ".gz", ".zstd": ".zst", ".tgz": ".nq.gz",
}

// form settles what is written, by --to and the name of the output.
func (o *washOptions) form() (f outputs.Form, err error) {
	if o.to != "" {
		var ok bool
		if f, ok = outputs.FormOf("x." + strings.TrimPrefix(o.to, ".")); !ok {
			return f, usage("--to is one of %s, not %q%s", writable(), o.to, didYouMean(o.to, write.Extensions()...))
		}
	}
	if o.output == "" || o.output == "-" {
		if f.Coding != "" {
			return f, usage("--to %s: standard output is not compressed; write to a file, with -o", o.to)
		}
		return f, nil
	}
	info, err := os.Stat(o.output)
	if strings.HasSuffix(o.output, "/") || err == nil && info.IsDir() {
		return f, nil
	}
	named, ok := outputs.FormOf(o.output)
	switch isDevice := err == nil && !info.Mode().IsRegular(); {
	case isDevice && f.Coding != "":
		return f, usage("--to %s: %s isn't a file that could be compressed", o.to, o.output)
	case ok && o.to != "" && f != named && !isDevice:
		return f, usage("-o %s and --to %s say different things: leave --to out, or name the output %s", o.output, o.to, f.Suffix())
	case ok:
		return named, nil
	case o.to != "" || isDevice:
		return f, nil
	}
	return f, usage("-o %s: that name says nothing that can be written%s; the names are %s, or say --to nq for any other",
		o.output, meantName(o.output), writable())
}

// meantName names an ending that was meant, as the end of a message; "" if none is known.
func meantName(name string) string {
	extension := strings.ToLower(filepath.Ext(name))
	if meant := otherNames[extension]; meant != "" {
		return "; did you mean " + strings.TrimSuffix(name, filepath.Ext(name)) + meant + "?"
	}
	if meant, ok := outputs.FormOf(strings.ToLower(name)); ok {
		return "; did you mean " + meant.Suffix() + " in small letters?"
	}
	return didYouMean(strings.TrimPrefix(extension, "."), write.Extensions()...)
}

// prefixFlag holds the prefixes that are asked for.
type prefixFlag struct {
	all   write.Prefixes
	given [][2]string
}

// String is what was given.
func (p *prefixFlag) String() string {
	var all []string
	for _, one := range p.given {
		all = append(all, one[0]+"="+one[1])
	}
	return strings.Join(all, ",")
}

// Set takes name=IRI.
func (p *prefixFlag) Set(text string) error {
	name, iri, ok := strings.Cut(text, "=")
	if !ok {
		return fmt.Errorf("%q is not of the form name=IRI", text)
	}
	name, iri = strings.TrimSuffix(name, ":"), strings.TrimSuffix(strings.TrimPrefix(iri, "<"), ">")
	if err := p.all.Set(name, iri); err != nil {
		return err
	}
	p.given = append(p.given, [2]string{name, iri})
	return nil
}

// Type is what the help calls such a value.
func (p *prefixFlag) Type() string { return "NAME=IRI" }

// checkInPlace checks what --in-place is given, before anything is read: files whose names say what can be
// written.
func (o *washOptions) checkInPlace(args []string) error {
	if o.output != "" || o.to != "" {
		return usage("--in-place writes each FILE under its own name: leave -o and --to out")
	}
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch _, ok := outputs.FormOf(arg); {
		case arg == "-" || inputs.IsWeb(arg) || err != nil && strings.Contains(arg, "://"):
			return usage("--in-place: %s isn't a FILE", arg)
		case err != nil: // which is told like that of any other
		case !info.Mode().IsRegular():
			return usage("--in-place: %s isn't a regular file", arg)
		case !ok:
			return usage("--in-place: %s can't be written again as what it is%s; the names are %s: write to another file, with -o",
				arg, meantName(arg), writable())
		}
	}
	return nil
}
