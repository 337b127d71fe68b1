// Command scale measures a seed list in PostgreSQL, and several daemons that share one. It starts a server of
// PostgreSQL, which waits for its disk at each commit, and an object store, both on this machine.
//
//	go -C bench run ./scale                                a million seeds and moves; then 1, 2, 4, 8 daemons
//	go -C bench run ./scale -only moves -seeds 10000000    ten million seeds
//	go -C bench run ./scale -only workers                  the daemons alone
//	go -C bench run ./scale -only model                    what large loads take, by the rates of the flags
//
// A move is what a worker does to a seed in one state: it claims it, and completes the claim. With that go its
// record, its attempt, its counts, its host and a change for the feed. Of every 100,000 moves the rate is
// printed, and how long completions took. A claim of a seed that was claimed before in the same state is
// doubled; there may be none.
//
// The daemons visit hosts on loopback addresses, each reply of which takes some time. So it is not the
// processors that bound one daemon, but how many downloads it has at once. The user "postgres" must be able
// to reach -dir.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"laundromat/bench/process"
	"laundromat/seedlist/postgres/pgtest"
)

type options struct {
	*process.Setup
	only      string
	seeds     int
	moves     int
	stores    int
	hosts     int
	workers   []int
	each      int
	downloads int
	latency   time.Duration
	rates     rates
}

func main() {
	var o options
	flag.StringVar(&o.only, "only", "", "measure moves or workers alone, or compute the model")
	flag.IntVar(&o.seeds, "seeds", 1_000_000, "seeds in the list of the moves")
	flag.IntVar(&o.moves, "moves", 1_000_000, "moves")
	flag.IntVar(&o.stores, "stores", 2, "daemons' worth of claims and completions at once")
	flag.IntVar(&o.hosts, "hosts", 10_000, "hosts of these seeds, each with one connection and a delay of a millisecond")
	workers := flag.String("workers", "1,2,4,8", "daemons that share a list, one run for each number")
	flag.IntVar(&o.each, "each", 400, "seeds for each of the daemons")
	flag.IntVar(&o.downloads, "downloads", 2, "downloads that a daemon has at once")
	flag.DurationVar(&o.latency, "latency", 100*time.Millisecond, "how long a host takes for a reply")
	o.rates = rates{clean: [2]float64{11.7, 23.4}, slots: 64}
	flag.DurationVar(&o.rates.statement, "statement", 2*time.Microsecond, "model: of a processor, for a statement")
	flag.DurationVar(&o.rates.seed, "seed", 1100*time.Microsecond, "model: of a processor, for a seed")
	flag.DurationVar(&o.rates.page, "page", 11*time.Millisecond, "model: of a processor, for a page of HTML")
	flag.DurationVar(&o.rates.database, "database", 2*time.Millisecond, "model: of the database's processors, for a seed")
	flag.Float64Var(&o.rates.row, "row", 4000, "model: bytes of a washed seed in the database")
	flag.DurationVar(&o.rates.delay, "delay", time.Second, "model: pause between two requests to a host")
	flag.DurationVar(&o.rates.reply, "reply", 400*time.Millisecond, "model: how long a host takes for a reply")
	flag.Float64Var(&o.rates.line, "line", 125e6, "model: bytes a second of the line")
	process.Main("scale", 1, func(ctx context.Context, s *process.Setup) error {
		o.Setup = s
		for word := range strings.SplitSeq(*workers, ",") {
			n, err := strconv.Atoi(word)
			if err != nil || n < 1 {
				return fmt.Errorf("-workers: %q is no number", word)
			}
			o.workers = append(o.workers, n)
		}
		return run(ctx, &o)
	})
}

func run(ctx context.Context, o *options) error {
	if !slices.Contains([]string{"", "moves", "workers", "model"}, o.only) {
		return fmt.Errorf("-only: %q is neither moves, workers nor model", o.only)
	}
	if o.only == "model" {
		writeModel(os.Stdout, o.rates)
		return nil
	}
	if err := os.Chmod(o.Folder, 0o755); err != nil { // the server runs as another user
		return err
	}
	fmt.Println(process.Machine())
	if o.only != "workers" {
		if err := measureMoves(ctx, o); err != nil {
			return err
		}
	}
	if o.only != "moves" {
		return measureWorkers(ctx, o)
	}
	return nil
}

// database is a server of PostgreSQL, and its first process.
type database struct {
	*pgtest.Server
	id int
}

// startDatabase starts a server in a folder of its own.
func (o *options) startDatabase(name string) (*database, error) {
	dir := filepath.Join(o.Folder, name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	server, err := pgtest.Start(dir, true)
	if err != nil {
		return nil, err
	}
	id, err := server.ID()
	if err != nil {
		server.Stop()
		return nil, err
	}
	return &database{server, id}, nil
}

// number asks for one number.
func (d *database) number(sql string) (float64, error) {
	text, err := d.Ask(sql)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(text, 64)
}
