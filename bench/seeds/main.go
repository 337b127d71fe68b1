// Command seeds measures the daemon on many small documents. A server on the loopback interface gives
// them out, and "laundromat serve --until-idle" takes them through all states, with every file and
// record made durable.
//
//	go -C bench run ./seeds                     10,000 seeds of 20 statements
//	go -C bench run ./seeds -n 1000 -runs 3     fewer, three times
//	go -C bench run ./seeds -recipes 10000      each run once without recipes, and once with 10,000
//	go -C bench run ./seeds -- --cpuprofile p   flags after -- go to laundromat
//
// Of 20 documents 9 are N-Triples, 5 Turtle, 5 compressed N-Triples, 1 RDF/XML. They are
// made, and compressed, before the daemon starts; what giving them out takes has a figure of its own.
// The data folder is made in -dir, or in the folder for temporary files, and removed.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"laundromat/bench/process"
	"laundromat/internal/testkit/corpus"
)

type options struct {
	*process.Setup
	seeds, statements, workers, recipes int

	documents [][]byte // as they are given out
}

func main() {
	var o options
	flag.IntVar(&o.seeds, "n", 10_000, "seeds")
	flag.IntVar(&o.statements, "statements", 20, "statements of each, rounded up to tens")
	flag.IntVar(&o.workers, "workers", 0, "workers of each stage (0: the program's defaults)")
	flag.IntVar(&o.recipes, "recipes", 0, "after each run, one with so many recipes")
	process.Main("seeds", 1, func(ctx context.Context, s *process.Setup) error {
		o.Setup = s
		return run(ctx, o)
	})
}

func run(ctx context.Context, o options) error {
	if err := o.make(); err != nil {
		return err
	}
	base, stop, err := process.Serve(o.document)
	if err != nil {
		return err
	}
	defer stop()
	seeds := filepath.Join(o.Folder, "seeds.txt")
	if err := o.writeSeeds(seeds, base); err != nil {
		return err
	}
	fmt.Printf("%8s %8s %10s %9s %9s %8s %8s %8s %9s %12s %7s\n",
		"recipes", "seeds", "statements", "seconds", "seeds/s", "user s", "sys s", "ms/seed", "server s", "RssAnon MiB", "stolen")
	for i := range o.Runs {
		data := filepath.Join(o.Folder, fmt.Sprintf("data-%d", i))
		if err := o.once(ctx, data, seeds, 0); err != nil {
			return err
		}
		if o.recipes == 0 {
			continue
		}
		data += "-recipes"
		if err := o.addRecipes(ctx, data, base); err != nil {
			return err
		}
		if err := o.once(ctx, data, seeds, o.recipes); err != nil {
			return err
		}
	}
	return nil
}

// once washes all seeds into a data folder, in which there are so many recipes, and prints a line of the table.
func (o *options) once(ctx context.Context, data, seeds string, recipes int) error {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	var flags []string
	if o.workers > 0 {
		flags = append(flags, "--workers", strconv.Itoa(o.workers))
	}
	usage, own, err := o.Wash(ctx, data, seeds, flags...)
	if err != nil {
		return err
	}
	list, err := o.Parsed(ctx, data)
	if err != nil {
		return err
	}
	if parsed := bytes.Count(list, []byte("\n")); parsed != o.seeds {
		return fmt.Errorf("%d of %d seeds were parsed", parsed, o.seeds)
	}
	seconds := usage.Wall.Seconds()
	fmt.Printf("%8d %8d %10d %9.2f %9.0f %8.2f %8.2f %8.2f %9.2f %12.0f %5.1f %%\n",
		recipes, o.seeds, o.statements, seconds, float64(o.seeds)/seconds,
		usage.User.Seconds(), usage.System.Seconds(), 1000*(usage.User+usage.System).Seconds()/float64(o.seeds), own.Seconds(),
		float64(usage.PeakAnonymous)/(1<<20), usage.StolenShare()*100)
	// the folder stays until the end: where many files were just removed, some file systems are
	// slow to make new ones
	return nil
}

func (o *options) writeSeeds(name, base string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	for i := range o.seeds {
		fmt.Fprintf(out, "%s/%d.%s\n", base, i, extensions[i%len(extensions)])
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Close()
}

// extensions are those of twenty documents in turn.
var extensions = strings.Fields("nt ttl nt.gz nt nt ttl nt.gz nt nt ttl nt.gz nt nt ttl nt.gz nt nt ttl nt.gz rdf")

var types = map[string]string{
	"nt": "application/n-triples", "ttl": "text/turtle", "gz": "application/gzip", "rdf": "application/rdf+xml",
}

// make makes the documents.
func (o *options) make() error {
	o.documents = make([][]byte, o.seeds)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for i := range o.documents {
		var text bytes.Buffer
		format, compressed := strings.CutSuffix(extensions[i%len(extensions)], ".gz")
		if err := corpus.Write(&text, corpus.Format(format), i, o.statements); err != nil {
			return err
		}
		if o.documents[i] = text.Bytes(); compressed {
			packed.Reset()
			z.Reset(&packed)
			z.Write(text.Bytes())
			z.Close() // no error: it goes to memory
			o.documents[i] = bytes.Clone(packed.Bytes())
		}
	}
	return nil
}

// document answers a request for /NUMBER.EXTENSION.
func (o *options) document(w http.ResponseWriter, r *http.Request) {
	name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), ".")
	number, err := strconv.Atoi(name)
	if err != nil || number < 0 || number >= len(o.documents) {
		http.NotFound(w, r)
		return
	}
	extension := extensions[number%len(extensions)]
	w.Header().Set("Content-Type", types[extension[strings.LastIndexByte(extension, '.')+1:]])
	w.Write(o.documents[number])
}
