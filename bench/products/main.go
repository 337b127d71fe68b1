// Command products measures what the daemon takes for the three products of a document: statements, records and
// articles. A server on the loopback interface gives the documents out, and "laundromat serve --until-idle" takes them
// through all states.
//
//	go -C bench run ./products -pages FOLDER        pages, with statements alone and with all products
//	go -C bench run ./products -pages FOLDER -with PROGRAM    statements alone by another program too
//	go -C bench run ./products -tables              10,000 seeds of a CSV of 20 rows
//	go -C bench run ./products -large 1024          one CSV of 1 GiB, within --memory 256M
//	go -C bench run ./products -tables -- --cpuprofile p    flags after -- go to laundromat
//
// The pages are files that end in .html or .html.gz, in whatever folders of FOLDER. Those count that have statements,
// as a wash that makes nothing else gives the others up at once. The data folder is made in -dir, or in the folder for
// temporary files, and removed.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"laundromat/bench/process"
)

type options struct {
	*process.Setup
	pages, with, memory string
	tables              bool
	n, rows             int
	large               int64
}

func main() {
	var o options
	flag.StringVar(&o.pages, "pages", "", "measure the pages of this folder")
	flag.StringVar(&o.with, "with", "", "measure this laundromat too, with statements alone")
	flag.BoolVar(&o.tables, "tables", false, "measure many small tables")
	flag.IntVar(&o.n, "n", 10_000, "tables, or the most pages")
	flag.IntVar(&o.rows, "rows", 20, "rows of each table")
	flag.Int64Var(&o.large, "large", 0, "measure one table of so many MiB")
	flag.StringVar(&o.memory, "memory", "256M", "memory for the large table")
	process.Main("products", 1, func(ctx context.Context, s *process.Setup) error {
		o.Setup = s
		return run(ctx, &o)
	})
}

func run(ctx context.Context, o *options) error {
	switch {
	case o.pages != "":
		return o.measurePages(ctx)
	case o.tables:
		return o.measureTables(ctx)
	case o.large > 0:
		return o.measureLarge(ctx)
	}
	return errors.New("say what is to be measured: -pages FOLDER, -tables or -large MIB")
}

const all = "statements,records,articles"

// head is that of the table of figures.
func head() {
	fmt.Printf("%-28s %8s %9s %9s %8s %8s %8s %12s %10s %7s\n", "products", "seeds", "seconds", "seeds/s", "user s", "sys s", "ms/seed",
		"RssAnon MiB", "VmHWM MiB", "stolen")
}

// wash washes all documents into a new data folder, and prints a line of the table if it has a name. It gives the list
// of the seeds that were parsed, a line of JSON each.
func (o *options) wash(ctx context.Context, name, program string, urls []string, flags ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	folder, err := os.MkdirTemp(o.Folder, "run-")
	if err != nil {
		return nil, err
	}
	seeds := filepath.Join(folder, "seeds.txt")
	if err := os.WriteFile(seeds, []byte(strings.Join(urls, "\n")+"\n"), 0o644); err != nil {
		return nil, err
	}
	setup := *o.Setup
	setup.Program = program
	data := filepath.Join(folder, "data")
	usage, _, err := setup.Wash(ctx, data, seeds, flags...)
	if err != nil {
		return nil, err
	}
	list, err := setup.Parsed(ctx, data)
	if err != nil || name == "" {
		return list, err
	}
	if parsed := bytes.Count(list, []byte("\n")); parsed != len(urls) {
		return nil, fmt.Errorf("%d of %d seeds were parsed", parsed, len(urls))
	}
	seconds, busy := usage.Wall.Seconds(), (usage.User + usage.System).Seconds()
	fmt.Printf("%-28s %8d %9.2f %9.0f %8.2f %8.2f %8.2f %12.0f %10.0f %5.1f %%\n", name, len(urls), seconds, float64(len(urls))/seconds,
		usage.User.Seconds(), usage.System.Seconds(), 1000*busy/float64(len(urls)), float64(usage.PeakAnonymous)/(1<<20),
		float64(usage.PeakResident)/(1<<20), usage.StolenShare()*100)
	return list, nil
}

// measurePages washes the pages with statements alone and with all products, in turn.
func (o *options) measurePages(ctx context.Context) error {
	pages, err := readPages(o.pages, o.n)
	if err != nil {
		return err
	}
	base, stop, err := process.Serve(func(w http.ResponseWriter, r *http.Request) {
		number, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil || number < 0 || number >= len(pages) {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.Write(pages[number])
	})
	if err != nil {
		return err
	}
	defer stop()
	list, err := o.wash(ctx, "", o.Program, numbered(base, len(pages)), "--products", "statements")
	if err != nil {
		return err
	}
	var urls []string
	for line := range bytes.Lines(list) {
		var seed struct{ URI string }
		if err := json.Unmarshal(line, &seed); err != nil {
			return err
		}
		urls = append(urls, seed.URI)
	}
	head()
	for range o.Runs {
		if o.with != "" {
			if _, err := o.wash(ctx, "statements, "+filepath.Base(filepath.Dir(o.with)), o.with, urls); err != nil {
				return err
			}
		}
		for _, products := range []string{"statements", all} {
			if _, err := o.wash(ctx, products, o.Program, urls, "--products", products); err != nil {
				return err
			}
		}
	}
	return nil
}

// numbered are the addresses of documents.
func numbered(base string, n int) (urls []string) {
	for i := range n {
		urls = append(urls, fmt.Sprintf("%s/%d", base, i))
	}
	return urls
}

// measureTables washes many small tables.
func (o *options) measureTables(ctx context.Context) error {
	base, stop, err := process.Serve(func(w http.ResponseWriter, r *http.Request) {
		number, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil { // where metadata of tables may be
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/csv")
		w.Write(table(nil, number*o.rows, o.rows))
	})
	if err != nil {
		return err
	}
	defer stop()
	head()
	for range o.Runs {
		if _, err := o.wash(ctx, all, o.Program, numbered(base, o.n), "--products", all); err != nil {
			return err
		}
	}
	return nil
}

// measureLarge washes one large table.
func (o *options) measureLarge(ctx context.Context) error {
	base, stop, err := process.Serve(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/large.csv" { // where metadata of tables may be
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/csv")
		const rows = 10_000
		part := []byte(nil)
		for sent, from := int64(0), 0; sent < o.large<<20; from += rows {
			part = appendRows(part[:0], from, rows, from == 0)
			n, err := w.Write(part)
			if sent += int64(n); err != nil {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	defer stop()
	head()
	for range o.Runs {
		list, err := o.wash(ctx, all, o.Program, []string{base + "/large.csv"}, "--products", all, "--memory", o.memory)
		if err != nil {
			return err
		}
		if err := printSums(list); err != nil {
			return err
		}
	}
	return nil
}

// printSums prints what the record of a single seed says of its bytes and its records.
func printSums(list []byte) error {
	var seed struct {
		Content struct {
			Bytes int64 `json:"number_of_bytes"`
		}
		Records map[string]int64
	}
	if err := json.Unmarshal(list, &seed); err != nil {
		return err
	}
	fmt.Printf("%d bytes, records: %v\n", seed.Content.Bytes, seed.Records)
	return nil
}

// table is a table with a header.
func table(to []byte, from, rows int) []byte { return appendRows(to, from, rows, true) }

var towns = strings.Fields("Aachen Bremen Celle Dresden Erfurt Fulda Goslar Hameln Jena Kassel")

// appendRows appends rows of a table of stations.
func appendRows(to []byte, from, rows int, header bool) []byte {
	if header {
		to = append(to, "id,station,town,opened,height,remark\n"...)
	}
	for i := from; i < from+rows; i++ {
		to = fmt.Appendf(to, "%d,Station %d,%s,%d-%02d-%02d,%d.%d,\"measured by hand, no. %d\"\n", i, i*7, towns[i%len(towns)], 1900+i%120,
			1+i%12, 1+i%28, i%1000, i%10, i%97)
	}
	return to
}
