package seedlist

import (
	"sync/atomic"
	"time"
)

// Options are the settings of a store. The zero value is right for a service.
type Options struct {
	// ReadOnly opens a store that exists; it changes and creates nothing. Several
	// processes may do so at once while none writes. See Unsettled of the store.
	ReadOnly bool
	// Interval is the time after which a seed with a URI is fetched again, unless it
	// has its own. 0: 100 days; negative: never.
	Interval time.Duration
	// IntervalMin and IntervalMax bound the interval of a seed without one of its own. That
	// interval doubles after a fetch that brought nothing new, and is halved after one that
	// did. With 0, they are a 32nd of Interval, and four times as long. Where both are
	// Interval, all seeds keep it.
	IntervalMin, IntervalMax time.Duration
	// KeepVersions is how many clean files of older versions of a document are kept in
	// addition to its last, up to [MaxKept]. A seed may have its own number. With 0, none
	// are kept.
	KeepVersions int
	// HostConnections is the number of downloads from one host at once. 0: 1.
	HostConnections int
	// HostDelay is the least time between two downloads from one host, from the end of one
	// to the beginning of the next. With 0, it is 1 s; a negative one means none.
	HostDelay time.Duration
	// Pace holds HostConnections and HostDelay while the store is open, and may change them. nil: they stay.
	Pace *Pace
	// HostLease is how long a host stays with a process that gives no sign of life: see [HostLeases]. With 0,
	// it is 30 s.
	HostLease time.Duration
	// Lease is how long a claim may go without a sign of life. 0: 15 min.
	Lease time.Duration
	// RetryMost is the longest pause before another try. A seed that waits longer when the
	// store is opened got that from a wrong clock. With 0, it is 1 h.
	RetryMost time.Duration
	// Damaged is told of each place of the list that can't be read, when it is met first. It
	// is called on any goroutine, and must not call the list. nil: nobody is told.
	Damaged func(*Damage)
	// LockWait is how long Open waits for a process that holds the store. 0: 500 ms.
	LockWait time.Duration
	// KeepChanges is how many changes the feed keeps. 0: [MostChanges].
	KeepChanges int
}

// Pace is how fast hosts without settings of their own are asked. It may be changed at any time.
type Pace struct {
	connections atomic.Int64
	delay       atomic.Int64 // in nanoseconds
}

// Set changes the pace. A delay of 0 or less is none.
func (p *Pace) Set(connections int, delay time.Duration) {
	p.connections.Store(int64(max(1, connections)))
	p.delay.Store(int64(max(0, delay)))
}

// Now is the pace that holds.
func (p *Pace) Now() (connections int, delay time.Duration) {
	return int(p.connections.Load()), time.Duration(p.delay.Load())
}

// ApplyDefaults puts what holds where nothing was said. A store does so when it is
// opened, once.
func (o *Options) ApplyDefaults() {
	def := func(d *time.Duration, value time.Duration) {
		switch {
		case *d == 0:
			*d = value
		case *d < 0:
			*d = 0
		}
	}
	def(&o.Interval, 100*24*time.Hour)
	def(&o.HostDelay, time.Second)
	def(&o.HostLease, 30*time.Second)
	def(&o.Lease, 15*time.Minute)
	def(&o.LockWait, 500*time.Millisecond)
	def(&o.RetryMost, time.Hour)
	if o.IntervalMin <= 0 {
		o.IntervalMin = o.Interval / 32
	}
	if o.IntervalMax <= 0 {
		o.IntervalMax = 4 * o.Interval
	}
	o.IntervalMin, o.IntervalMax = min(o.IntervalMin, o.Interval), max(o.IntervalMax, o.Interval)
	if o.HostConnections <= 0 {
		o.HostConnections = 1
	}
	if o.Pace == nil {
		o.Pace = &Pace{}
	}
	o.Pace.Set(o.HostConnections, o.HostDelay)
	if o.KeepChanges <= 0 {
		o.KeepChanges = MostChanges
	}
}
