package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"laundromat/bench/process"
	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
)

// mover claims and completes as the daemons of several machines would, and keeps account.
type mover struct {
	options *options
	server  *database
	most    int64

	moves   atomic.Int64
	doubled atomic.Int64
	done    []atomic.Uint32 // by the seed's number, a bit for each state that it was claimed in

	mu     sync.Mutex
	window window
}

// window is what happened since the last line of the table.
type window struct {
	begin       time.Time
	moves       int64
	time        time.Duration // of the server's processors, at the beginning
	claims      []time.Duration
	completions []time.Duration
}

// each is how many moves a line of the table is about.
const each = 100_000

func measureMoves(ctx context.Context, o *options) error {
	server, err := o.startDatabase("moves")
	if err != nil {
		return err
	}
	defer server.Stop()
	version, err := server.Ask("SELECT version()")
	if err != nil {
		return err
	}
	fsync, err := server.Ask(
		"SELECT 'fsync ' || current_setting('fsync') || ', synchronous_commit ' || current_setting('synchronous_commit') || ', shared_buffers ' || current_setting('shared_buffers')")
	if err != nil {
		return err
	}
	fmt.Printf("%s; %s\n", version, fsync)
	polite := seedlist.Options{HostConnections: 1, HostDelay: time.Millisecond, Interval: -1}
	stores := make([]*postgres.Store, max(1, o.stores))
	for i := range stores {
		if stores[i], err = postgres.Open(ctx, server.Address, polite); err != nil {
			return err
		}
		defer stores[i].Close()
	}
	if err := fill(ctx, o, server, stores[0]); err != nil {
		return err
	}
	before, err := server.number("SELECT pg_database_size(current_database())")
	if err != nil {
		return err
	}
	// Numbers are given to seeds and to the clean seeds that they are washed to.
	m := &mover{options: o, server: server, most: int64(o.moves), done: make([]atomic.Uint32, 2*o.seeds+o.moves+10_000)}
	fmt.Printf("%12s %10s %14s %14s %14s %16s\n", "moves", "moves/s", "claim p99", "complete p50", "complete p99", "database ms/move")
	if err := m.run(ctx, stores); err != nil {
		return err
	}
	after, err := server.number("SELECT pg_database_size(current_database())")
	if err != nil {
		return err
	}
	return m.conclude(ctx, stores[0], before, after)
}

// fill adds the seeds.
func fill(ctx context.Context, o *options, server *database, store *postgres.Store) error {
	begin := time.Now()
	const batch = 5000
	seeds := make([]seedlist.NewSeed, 0, batch)
	for i := range o.seeds {
		seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://host-%d.example.org/dataset/%d/statements.nt", i%o.hosts, i),
			Source: "list:all.txt"})
		if len(seeds) < batch && i < o.seeds-1 {
			continue
		}
		if _, err := store.Add(ctx, seeds); err != nil {
			return err
		}
		seeds = seeds[:0]
	}
	if _, err := server.Ask("VACUUM ANALYZE"); err != nil { // as it does by itself some minutes later
		return err
	}
	size, err := server.number("SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relname IN ('hot', 'cold', 'old_keys')")
	if err != nil {
		return err
	}
	took := time.Since(begin)
	fmt.Printf("%d seeds of %d hosts added in %.0f s (%.0f a second); each takes %.0f bytes, with its indexes\n", o.seeds, o.hosts,
		took.Seconds(), float64(o.seeds)/took.Seconds(), size/float64(o.seeds))
	return nil
}

func (m *mover) run(ctx context.Context, stores []*postgres.Store) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	m.window = window{begin: time.Now(), time: process.Time(m.server.id)}
	var all sync.WaitGroup
	for i, store := range stores {
		for _, stage := range seedlist.Stages() {
			all.Go(func() {
				if err := m.work(ctx, store, stage, fmt.Sprint("worker-", i)); err != nil {
					stop(err)
				}
			})
		}
	}
	all.Wait()
	return context.Cause(ctx)
}

// work takes seeds through one state.
func (m *mover) work(ctx context.Context, store *postgres.Store, stage seedlist.State, worker string) error {
	const claimed = 64
	for m.moves.Load() < m.most {
		waiting, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		store.Wait(waiting, stage) // what is wrong the claim says
		cancel()
		begin := time.Now()
		claims, err := store.Claim(ctx, stage, worker, claimed)
		if err != nil {
			return err
		}
		if len(claims) > 0 {
			m.took(&m.window.claims, time.Since(begin))
		}
		errs := make([]error, len(claims))
		var ending sync.WaitGroup
		for i := range claims {
			ending.Go(func() { errs[i] = m.complete(ctx, store, claims[i]) })
		}
		ending.Wait()
		if err := errors.Join(errs...); err != nil {
			return err
		}
	}
	return nil
}

// took notes how long something took.
func (m *mover) took(list *[]time.Duration, d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	*list = append(*list, d)
}

func (m *mover) complete(ctx context.Context, store *postgres.Store, c seedlist.Claim) error {
	bit := uint32(1) << slices.Index(seedlist.Stages(), c.Stage)
	if c.Number >= uint64(len(m.done)) {
		return fmt.Errorf("a seed has the number %d", c.Number)
	}
	if was := m.done[c.Number].Or(bit); was&bit != 0 {
		m.doubled.Add(1)
	}
	begin := time.Now()
	if err := store.Complete(ctx, c, outcomeOf(c)); err != nil {
		return fmt.Errorf("%s of %s: %w", c.Stage, c.Seed.URI, err)
	}
	m.took(&m.window.completions, time.Since(begin))
	if n := m.moves.Add(1); n%each == 0 || n == m.most {
		m.line(n)
	}
	return nil
}

// line prints what happened since the last line.
func (m *mover) line(moves int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w, now, spent := &m.window, time.Now(), process.Time(m.server.id)
	n := float64(moves - w.moves)
	fmt.Printf("%12d %10.0f %14v %14v %14v %16.2f\n", moves, n/now.Sub(w.begin).Seconds(), part(w.claims, 0.99), part(w.completions, 0.5),
		part(w.completions, 0.99),
		(spent-w.time).Seconds()*1000/n)
	m.window = window{begin: now, moves: moves, time: spent}
}

// part is the time that such a part of all did not take longer than.
func part(all []time.Duration, p float64) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min(len(all)-1, int(float64(len(all))*p))].Round(100 * time.Microsecond)
}

// conclude says whether a claim was doubled, whether the counts are right, and what the list takes.
func (m *mover) conclude(ctx context.Context, store *postgres.Store, before, after float64) error {
	moves := m.moves.Load()
	counts, err := store.Counts(ctx)
	if err != nil {
		return err
	}
	left := map[seedlist.State]int64{}
	for n := range m.done {
		if bits := m.done[n].Load(); bits != 0 {
			for i, stage := range seedlist.Stages() {
				if bits&(1<<i) != 0 {
					left[stage]++
				}
			}
		}
	}
	if washed := left[seedlist.Parsing]; counts.States[seedlist.Parsed] != washed || counts.Clean.Files != washed {
		return fmt.Errorf("%d seeds were washed, and the list counts %d, with %d clean files", washed, counts.States[seedlist.Parsed],
			counts.Clean.Files)
	}
	fmt.Printf("%d moves, %d claims doubled; %d seeds washed, as the list counts them; the database grew by %.0f bytes a move (records, attempts, changes, log)\n",
		moves, m.doubled.Load(), left[seedlist.Parsing], (after-before)/float64(moves))
	sizes, err := m.server.Ask(
		`SELECT string_agg(relname || ' ' || pg_size_pretty(pg_total_relation_size(oid)), ', ' ORDER BY pg_total_relation_size(oid) DESC)
		FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_total_relation_size(oid) > 1000000`)
	if err != nil {
		return err
	}
	fmt.Printf("tables, with their indexes: %s\n", sizes)
	conflicts, err := m.server.Conflicts()
	if err != nil {
		return err
	}
	fmt.Printf("conflicts in the database: %s\n", conflicts)
	if m.doubled.Load() > 0 {
		return errors.New("a seed was claimed twice")
	}
	return nil
}
