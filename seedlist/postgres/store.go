// Package postgres keeps a seed list in a database of PostgreSQL, which many processes may
// work on at once. Each sees what it would see alone. A seed is claimed by one of them, and a
// host is asked by one of them at a time: see [seedlist.HostLeases]. Counts and the feed are of the whole list.
//
//	list, err := postgres.Open(ctx, "postgres://user@host/database", seedlist.Options{})
//
// A transaction reads records with a lock, changes them in memory, and writes them with what follows
// from them. Many completions share one. Who claims passes over what others have locked. A
// process says every 20 seconds that it lives. What one holds that has not for a minute is given
// back by any other, with a counted crash.
//
// Trouble with the database is of the kind Local: no seed is at fault. What ends a claim is tried
// again for a minute, and given back when the database answers.
package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

const (
	// leaseTime is how long a process may go without a sign of life, which it gives three times as often.
	leaseTime = time.Minute
	// pollEvery stands behind notifications, which do not pass every pooler.
	pollEvery = time.Second
	// patience is how long the end of a claim is tried to be written while there is trouble.
	patience = time.Minute
	// committers write completions, and maxBatch of them share a transaction.
	committers = 2
	maxBatch   = 64
	// maxConnections are those of one process, if the address says nothing, beside one that listens.
	maxConnections = 10
	// pingTimeout is how long a connection that rested may take to show that it lives. A new one may take
	// connectTimeout, if the address says nothing.
	pingTimeout, connectTimeout = 5 * time.Second, 10 * time.Second
	// parts are the rows that each count is divided into.
	parts = 64
)

// Store is an open seed list.
type Store struct {
	*engine.Moves
	options seedlist.Options
	db      *connections
	address string // without a password
	holder  string // this process, among all
	part    int    // its row of each count
	channel string
	id      string // of the list
	begun   claiming
	grants  grants // of hosts
	signs   signs
	watcher watcher

	ctx     context.Context // ends with the store
	stop    context.CancelFunc
	queue   chan *member
	loops   sync.WaitGroup
	calls   sync.RWMutex // held for reading by every call
	closed  bool
	clockMu sync.Mutex
	base    time.Time // the server's time at a moment
	baseAt  time.Time // that moment, here
	// baseTook is how long the server took to say so.
	baseTook time.Duration
	now      func() time.Time

	mu    sync.Mutex
	spans map[seedlist.Span]int64 // the begin of the last span of time that washed documents were added to
}

var (
	_ seedlist.List = (*Store)(nil)
	_ engine.Store  = (*Store)(nil)
	_ engine.Sharer = (*Store)(nil)
)

// Open opens the list in the database at an address, and makes or migrates its tables unless the
// options say that it is only read. The address may set the schema, by search_path=NAME.
func Open(ctx context.Context, address string, options seedlist.Options) (*Store, error) {
	return open(ctx, address, options, nil)
}

// open is Open with another clock than the server's, and then without notifications and signs of life.
func open(ctx context.Context, address string, options seedlist.Options, clock func() time.Time) (*Store, error) {
	options.ApplyDefaults()
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("%s isn't an address of a database: want postgres://USER@HOST:PORT/DATABASE", Shown(address))
	}
	if !strings.Contains(address, "pool_max_conns") {
		config.MaxConns = maxConnections
	}
	config.MaxConns = max(config.MaxConns, 2) // one to ask what became of a transaction of another
	config.PingTimeout = pingTimeout
	config.ConnConfig.DialFunc = dialer.DialContext
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	s := &Store{
		options: options, address: Shown(address),
		grants: grants{begun: make(chan struct{}, 1), held: map[string]*grant{}, seeds: map[uint64]seedGrant{}},
		begun:  claiming{begun: map[*engine.Op]time.Time{}},
		queue:  make(chan *member),
		now:    clock, spans: map[seedlist.Span]int64{},
	}
	config.ConnConfig.Tracer = &s.watcher
	s.Moves = engine.New(s, options, pollEvery)
	part, _ := rand.Int(rand.Reader, big.NewInt(parts)) // it never fails
	s.part = int(part.Int64())
	host, _ := os.Hostname()
	s.holder = fmt.Sprintf("%s/%d/%s", host, os.Getpid(), rand.Text()[:8])
	s.ctx, s.stop = context.WithCancel(context.Background())
	isModeSaid := strings.Contains(address, "default_query_exec_mode")
	if s.db, err = connect(ctx, s.ctx, config, isModeSaid, options.ReadOnly); err != nil {
		s.stop()
		return nil, s.trouble("postgres.Open", err)
	}
	if err := s.begin(ctx); err != nil {
		s.stop()
		s.db.pool.Close()
		return nil, s.trouble("postgres.Open", err)
	}
	if clock == nil {
		s.now = s.serverTime
		if !s.db.isPooled() {
			s.loops.Go(s.listen)
		}
		if !options.ReadOnly {
			s.loops.Go(s.live)
		}
	}
	if !options.ReadOnly {
		s.loops.Go(s.renewHosts)
		for range committers {
			s.loops.Go(s.commit)
		}
	}
	return s, nil
}

// begin checks the server, and brings its tables up to date.
func (s *Store) begin(ctx context.Context) error {
	if err := s.db.once(ctx, func(sql statements) error { return s.checkServer(ctx, sql) }); err != nil {
		return err
	}
	if err := s.migrate(ctx); err != nil {
		return err
	}
	return s.db.once(ctx, func(sql statements) error {
		if err := refuseUnfinished(ctx, sql); err != nil {
			return err
		}
		if err := sql.QueryRow(ctx, "SELECT list::text FROM identity").Scan(&s.id); err != nil {
			return err
		}
		s.channel = "laundromat_" + s.id
		if s.now == nil {
			if err := s.setClock(ctx, sql); err != nil {
				return err
			}
		}
		if s.options.ReadOnly {
			return nil
		}
		return s.signOfLife(ctx, sql)
	})
}

// setClock asks for the server's time, a few times, and takes the answer that came soonest. That may be wrong by
// half of the time that it took. Between two times it is asked, the monotonic clock goes on. An answer that took
// long does not replace a good one, until that is so old that the clocks may have parted by more.
func (s *Store) setClock(ctx context.Context, sql statements) error {
	best, at, took := time.Time{}, time.Time{}, time.Duration(-1)
	for n := 0; n < 4 && (took < 0 || took > soonAnswer); n++ {
		before := time.Now()
		var now time.Time
		if err := sql.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&now); err != nil {
			return err
		}
		if is := time.Since(before); took < 0 || is < took {
			best, at, took = now, before.Add(is/2), is
		}
	}
	s.clockMu.Lock()
	defer s.clockMu.Unlock()
	away := best.Sub(s.base.Add(at.Sub(s.baseAt))).Abs() // from where the clock would be by now
	if s.base.IsZero() || away > clockSet+took+s.baseTook || took <= s.baseTook+time.Since(s.baseAt)/driftPart {
		s.base, s.baseAt, s.baseTook = best, at, took
	}
	return nil
}

const (
	// soonAnswer is good enough not to ask again.
	soonAnswer = 2 * time.Millisecond
	// clockSet is how far the server's clock is away when it was set.
	clockSet = 2 * time.Second
	// driftPart is the part of a time by which clocks may have parted in it.
	driftPart = 10_000
)

func (s *Store) serverTime() time.Time {
	s.clockMu.Lock()
	defer s.clockMu.Unlock()
	return s.base.Add(time.Since(s.baseAt))
}

// Close gives the claims that are held to be given back, and refuses all else.
func (s *Store) Close() error {
	s.stop() // whoever tries again, or waits, gives up
	s.End()
	s.calls.Lock()
	wasClosed := s.closed
	s.closed = true
	s.calls.Unlock()
	if wasClosed {
		return nil
	}
	s.loops.Wait()
	var err error
	if !s.options.ReadOnly {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		// Without its row it is dead at once: another need not wait for the end of the lease.
		name := s.holder
		if speaks := s.signs.speaker.Load(); speaks != nil {
			name = *speaks
		}
		_, err = s.db.exec(ctx, "DELETE FROM holders WHERE holder IN ($1, $2)", s.holder, name)
		err = s.trouble("postgres.Close", errors.Join(err, s.leaveHosts(ctx)))
	}
	s.db.pool.Close()
	return err
}

// enter begins a call; the function that it returns ends it.
func (s *Store) enter(ctx context.Context) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.calls.RLock()
	if s.closed {
		s.calls.RUnlock()
		return nil, seedlist.ErrClosed
	}
	return s.calls.RUnlock, nil
}

// pause waits for a time; it fails where a call, or the list, ends before.
func (s *Store) pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ctx.Done():
		return seedlist.ErrClosed
	}
}

// listen wakes those who wait when another process has changed something.
func (s *Store) listen() {
	for s.listenOnce(); s.pause(s.ctx, pollEvery) == nil; {
		s.listenOnce()
	}
}

func (s *Store) listenOnce() {
	conn, err := pgx.ConnectConfig(s.ctx, s.db.pool.Config().ConnConfig)
	if err != nil {
		return // the poll goes on, and says what is wrong
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(s.ctx, "LISTEN "+pgx.Identifier{s.channel}.Sanitize()); err != nil {
		return
	}
	for {
		told, err := conn.WaitForNotification(s.ctx)
		if err != nil {
			return
		}
		s.Wake(newsIn(told.Payload))
	}
}
