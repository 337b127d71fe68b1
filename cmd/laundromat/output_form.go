package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"laundromat/internal/outfile"
	"laundromat/rdf/clean"
	"laundromat/rdf/write"
)

// outputForm is what is written: a syntax, and how it is compressed.
type outputForm struct {
	syntax write.Syntax
	coding string // "", ".gz" or ".zst"
}

// suffix is what files end in.
func (f outputForm) suffix() string { return "." + f.syntax.Extension() + f.coding }

// formNamed is the form that the end of a name says.
func formNamed(name string) (f outputForm, ok bool) {
	for _, coding := range []string{".gz", ".zst"} {
		if rest, found := strings.CutSuffix(name, coding); found {
			name, f.coding = rest, coding
			break
		}
	}
	f.syntax, ok = write.Of(strings.TrimPrefix(filepath.Ext("x"+filepath.Base(name)), "."))
	return f, ok
}

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
func (o *washOptions) form() (f outputForm, err error) {
	if o.to != "" {
		var ok bool
		if f, ok = formNamed("x." + strings.TrimPrefix(o.to, ".")); !ok {
			return f, usage("--to is one of %s, not %q%s", writable(), o.to, didYouMean(o.to, write.Extensions()...))
		}
	}
	if o.output == "" || o.output == "-" {
		if f.coding != "" {
			return f, usage("--to %s: standard output is not compressed; write to a file, with -o", o.to)
		}
		return f, nil
	}
	info, err := os.Stat(o.output)
	if strings.HasSuffix(o.output, "/") || err == nil && info.IsDir() {
		return f, nil
	}
	named, ok := formNamed(o.output)
	switch isDevice := err == nil && !info.Mode().IsRegular(); {
	case isDevice && f.coding != "":
		return f, usage("--to %s: %s is no file that could be compressed", o.to, o.output)
	case ok && o.to != "" && f != named && !isDevice:
		return f, usage("-o %s and --to %s say different things: leave --to out, or name the output %s", o.output, o.to, f.suffix())
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
	if meant, ok := formNamed(strings.ToLower(name)); ok {
		return "; did you mean " + meant.suffix() + " in small letters?"
	}
	return didYouMean(strings.TrimPrefix(extension, "."), write.Extensions()...)
}

// cleanOutput is what the syntax can't say.
func (f outputForm) cleanOutput() clean.Output {
	if f.syntax.IsLines() && f.syntax.HasGraphs() {
		return clean.Output{}
	}
	return clean.Output{Name: f.syntax.String(), NoGraphs: !f.syntax.HasGraphs(), NoTripleTerms: !f.syntax.HasTripleTerms()}
}

// takesPrefixes says that IRIs are written with prefixes.
func (f outputForm) takesPrefixes() bool { return f.syntax == write.Turtle || f.syntax == write.TriG }

// lines are the options of files of the form.
func (f outputForm) lines(o *washOptions, prefixes *write.Prefixes) outfile.Options {
	options := outfile.Options{Level: o.level, Workers: o.workers}
	if !f.syntax.IsLines() {
		options.Encode = func(w io.Writer) outfile.Encoder { return write.New(f.syntax, w, prefixes) }
	}
	return options
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

// fresh are the prefixes of a new output, before those of documents.
func (p *prefixFlag) fresh() *write.Prefixes {
	prefixes := &write.Prefixes{}
	for _, one := range p.given {
		prefixes.Add([]byte(one[0]), []byte(one[1]))
	}
	return prefixes
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
