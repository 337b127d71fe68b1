package postgres

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// A host is its holder's while it is in use, which its claims say, and its lease lasts. One that is in
// no use stays with its holder until it has rested, and a little longer. So robots.txt and a connection
// serve again. After that it is whoever's comes first.
//
// Who is refused a host wishes for it, and is next. Else a worker with many seeds of a host would never
// let another ask it for one redirect.

const (
	// stays is how long a host that has rested stays with its holder, at most, and the part of the delay
	// that it does.
	stays    = 250 * time.Millisecond
	staysPer = 4
	// wishFor is how long a wish for a host holds, and wishEvery how often it is made again.
	wishFor   = time.Second
	wishEvery = 100 * time.Millisecond
	// mostRest is longer than any host rests.
	mostRest = 365 * 24 * time.Hour
)

// What the columns of a host say, in terms of the arguments that ours gives.
var (
	hasConnections = fmt.Sprintf("CASE WHEN connections > 0 THEN connections WHEN host = '%s' THEN %d ELSE @connections::int END",
		seedlist.FileHost, seedlist.FileConnections)
	hasDelay = "CASE WHEN delay >= 0 THEN delay ELSE @delay::bigint END"
	// hasLapsed says that the holder has died, or was cut off, and that the host has rested since.
	hasLapsed = "lease + greatest(" + hasDelay + ", pace, crawl) <= @now::bigint"
	// hasStayed is when a host that is in no use leaves its holder.
	hasStayed = fmt.Sprintf("rest + least((%s) / %d, %d)", hasDelay, staysPer, int64(stays))
	// isOurs says that this process may ask the host, or take it to ask it.
	isOurs = "(wish IN ('', @holder::text) OR wished <= @now::bigint) AND (holder IN ('', @holder::text) OR claims = 0 AND " + hasStayed +
		" <= @now::bigint OR claims > 0 AND " + hasLapsed + ")"
	// isBusy says that this process asks the host with all connections that it has.
	isBusy = "claims >= " + hasConnections + " AND holder = @holder::text AND NOT " + hasLapsed
	// isFree says that a seed of the host may be claimed. Files of this machine are no host's.
	isFree = fmt.Sprintf("due > 0 AND NOT paused AND due <= @now::bigint AND rest <= @now::bigint AND (host = '%[1]s' AND claims < %[2]s "+
		"OR host <> '%[1]s' AND %[3]s AND NOT (%[4]s))",
		seedlist.FileHost, hasConnections, isOurs, isBusy)
	// isHeld says that this process holds the host, in use or not, and that the lease has not run out.
	isHeld = "holder = @holder::text AND claims > 0 AND NOT " + hasLapsed
)

// ours are the arguments of these conditions, and others.
func (s *Store) ours(now time.Time, others pgx.NamedArgs) pgx.NamedArgs {
	connections, delay := s.options.Pace.Now()
	args := pgx.NamedArgs{"now": now.UnixNano(), "connections": connections, "holder": s.holder, "delay": int64(delay)}
	maps.Copy(args, others)
	return args
}

// hostUntil is until when a lease holds here that is asked for now: a little shorter than for others.
func (s *Store) hostUntil(asked time.Time) time.Time {
	return asked.Add(s.options.HostLease - s.options.HostLease/30)
}

// staysFor is how long a host with a delay stays with its holder.
func staysFor(delay time.Duration) time.Duration { return min(delay/staysPer, stays) }

// ClaimedHost is the lease under which claimed seeds of a host are downloaded.
func (s *Store) ClaimedHost(name string) seedlist.HostLease {
	if host, err := seedlist.HostOf(name); err == nil {
		name = host
	}
	return s.grants.of(name)
}

// LeaseHost takes the lease of a host for one request.
func (s *Store) LeaseHost(ctx context.Context, name string, within time.Duration) (seedlist.HostLease, error) {
	if host, err := seedlist.HostOf(name); err == nil && !seedlist.IsAddressName(name) {
		name = host
	}
	if s.options.ReadOnly {
		return seedlist.HostLease{}, seedlist.ErrReadOnly
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return seedlist.HostLease{}, err
	}
	defer leave()
	for begin := time.Now(); ; {
		left := max(0, within-time.Since(begin))
		lease, after, err := s.tryHost(ctx, name, left)
		switch {
		case err != nil:
			return lease, s.trouble("postgres.LeaseHost", err)
		case after == 0:
			return lease, nil
		case after >= left:
			return lease, seedlist.RestingHost(name, after)
		}
		if err := s.pause(ctx, after); err != nil {
			return lease, err
		}
	}
}

var takeHost = fmt.Sprintf(
	`UPDATE hosts SET claims = CASE WHEN %s THEN claims + 1 ELSE 1 END, holder = @holder, lease = @lease, wish = '', wished = 0
	WHERE host = @host AND rest <= @rest AND %s RETURNING rest, %s`, isHeld, isOurs, hasDelay)

const (
	// A wish is made where a host will have rested in time.
	wishHost = "UPDATE hosts SET wish = $2, wished = $3 WHERE host = $4 AND rest <= $5 AND (wish IN ('', $2) OR wished <= $1)"
	makeHost = "INSERT INTO hosts (host, turn, due, delay) VALUES ($1, nextval('turns'), 0, $2) ON CONFLICT DO NOTHING"
)

// tryHost takes the lease of a host, or says after what time to try again.
func (s *Store) tryHost(ctx context.Context, name string, left time.Duration) (lease seedlist.HostLease, after time.Duration, err error) {
	asked, now := time.Now(), s.now()
	rest := now.Add(min(left, mostRest)).UnixNano()
	var rested, delay int64
	err = s.db.once(ctx, func(sql statements) error {
		return sql.QueryRow(ctx, takeHost, s.ours(now, pgx.NamedArgs{"lease": now.Add(s.options.HostLease).UnixNano(), "host": name,
			"rest": rest})).Scan(&rested, &delay)
	})
	if err == nil {
		is := s.grants.use(name, s.hostUntil(asked), staysFor(time.Duration(delay)))
		return seedlist.HostLease{
			NotBefore: asked.Add(time.Duration(rested - now.UnixNano())), Lost: is.lost, Stays: is.stays,
			Give: func(rest time.Duration) {
				if s.grants.end(is) {
					s.giveHost(name, rest)
				}
			},
		}, 0, nil
	}
	if err != pgx.ErrNoRows {
		return lease, 0, err
	}
	wished, err := s.db.exec(ctx, wishHost, now.UnixNano(), s.holder, now.Add(wishFor).UnixNano(), name, rest)
	if err != nil || wished.RowsAffected() > 0 {
		return lease, wishEvery, err
	}
	err = s.db.scan(ctx, &rested, "SELECT rest FROM hosts WHERE host = $1", name)
	if err == pgx.ErrNoRows {
		delay = -1
		if seedlist.IsAddressName(name) {
			delay = 0
		}
		_, err = s.db.exec(ctx, makeHost, name, delay)
		return lease, time.Nanosecond, err
	}
	return lease, max(wishEvery, time.Duration(rested-now.UnixNano())), err
}

var giveHost = fmt.Sprintf(`UPDATE hosts SET claims = greatest(claims - 1, 0),
	rest = CASE WHEN @rest::bigint < 0 THEN rest ELSE greatest(rest, @now::bigint + greatest(%s, pace, @rest)) END
	WHERE host = @host AND holder = @holder`, hasDelay)

// giveHost writes that a request has ended. What can't be written ends with the lease.
func (s *Store) giveHost(name string, rest time.Duration) {
	leave, err := s.enter(s.ctx)
	if err != nil {
		return
	}
	defer leave()
	ctx, cancel := context.WithTimeout(s.ctx, s.options.HostLease)
	defer cancel()
	if _, err := s.db.exec(ctx, giveHost, s.ours(s.now(), pgx.NamedArgs{"rest": int64(rest), "host": name})); err == nil {
		s.Wake(engine.OfDownloads)
	}
}

// EndLost ends the use of a host by a claim whose seed was removed, or given to another, while it was downloaded.
func (s *Store) EndLost(c *seedlist.Claim) {
	if host := s.grants.endLost(c.Number, c.Lease()); host != "" {
		s.giveHost(host, 0)
	}
}

// renewHosts renews the leases that are in use, until the store is closed.
func (s *Store) renewHosts() {
	pause := s.options.HostLease / 3
	for {
		if len(s.grants.hosts()) == 0 {
			select {
			case <-s.grants.begun:
			case <-s.ctx.Done():
				return
			}
		}
		if s.pause(s.ctx, pause) != nil {
			return
		}
		if pause = s.options.HostLease / 3; s.renewOnce() != nil {
			pause = min(pause, pollEvery)
		}
	}
}

// renewOnce renews the leases that are in use. They are locked in an order, as all do that lock several.
func (s *Store) renewOnce() error {
	names := s.grants.hosts()
	if len(names) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(s.ctx, s.options.HostLease/3)
	defer cancel()
	asked, now := time.Now(), s.now()
	var renewed []string
	err := s.db.once(ctx, func(sql statements) (err error) {
		renewed, err = query(&tx{ctx: ctx, sql: sql}, pgx.RowTo[string],
			`UPDATE hosts SET lease = $1 FROM (SELECT host FROM hosts WHERE host = ANY($2) AND holder = $3 AND lease > $4 ORDER BY host FOR UPDATE) l
			WHERE hosts.host = l.host RETURNING hosts.host`, now.Add(s.options.HostLease).UnixNano(), names, s.holder, now.UnixNano())
		return err
	})
	if err == nil {
		s.grants.renewed(names, renewed, s.hostUntil(asked))
	}
	return err
}

// leaveHosts gives up all leases: the process ends.
func (s *Store) leaveHosts(ctx context.Context) error {
	_, err := s.db.exec(ctx,
		fmt.Sprintf(`UPDATE hosts SET claims = 0, holder = '', rest = greatest(rest, @now::bigint + greatest(%s, pace, crawl))
		WHERE host = ANY(@hosts) AND holder = @holder`, hasDelay), s.ours(s.now(), pgx.NamedArgs{"hosts": s.grants.hosts()}))
	return err
}
