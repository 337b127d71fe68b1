// Package commands runs commands of an operator when something happens in the daemon.
//
//	c := commands.New(log)
//	c.Set(list, 30*time.Second)              // of commands.Parse("failed=mail -s failed me@example.org")
//	c.Happened(commands.Failed, detail)      // never waits
//	c.Close(ctx)                             // what runs may end until ctx does
//
// A command gets JSON on its standard input: a [Report]. It is run once at a time: what happens meanwhile is in the
// next report. A command that is missing, that hangs or that writes much costs only itself.
package commands

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"laundromat/internal/spelling"
)

// Event is a kind of thing that happens.
type Event string

// The events.
const (
	Failed  Event = "failed"  // a seed became failed
	Paused  Event = "paused"  // the daemon claims nothing, since this machine has trouble
	Turned  Event = "turned"  // a host gives something else in the place of its data
	Catalog Event = "catalog" // a harvest failed, or found nothing
	Backup  Event = "backup"  // a backup was completed
	Idle    Event = "idle"    // nothing is left to do
	Changed Event = "changed" // a wash brought other statements than the one before
)

// Events are all events, in the order in which they are explained.
func Events() []Event { return []Event{Failed, Paused, Turned, Catalog, Backup, Idle, Changed} }

// Command is a line for the shell, run at an event.
type Command struct {
	Event Event
	Line  string
}

// Parse reads EVENT=COMMAND.
func Parse(text string) (Command, error) {
	name, line, ok := strings.Cut(text, "=")
	name, line = strings.TrimSpace(name), strings.TrimSpace(line)
	var names []string
	for _, e := range Events() {
		if names = append(names, string(e)); string(e) == name {
			if ok && line == "" {
				return Command{}, fmt.Errorf("the command is missing: %s=COMMAND", name)
			}
			if ok {
				return Command{e, line}, nil
			}
		}
	}
	if !ok {
		return Command{}, fmt.Errorf("%q is not of the form EVENT=COMMAND", text)
	}
	if near := spelling.Nearest(name, names...); near != "" {
		return Command{}, fmt.Errorf("there is no event %q; did you mean %s?", name, near)
	}
	return Command{}, fmt.Errorf("there is no event %q: the events are %s", name, strings.Join(names, ", "))
}

// Report is what a command reads.
type Report struct {
	Event Event     `json:"event"`
	Time  time.Time `json:"time"` // of the first
	// Happened is how often the event happened since the last report. Items are the first of these.
	Happened int64 `json:"happened"`
	Items    []any `json:"items"`
}

// mostItems is how many items a report has. Others are counted.
const mostItems = 100

// gather is how long a report waits for others, which come in crowds.
const gather = time.Second

// mostAtOnce is how many commands run at the same time.
const mostAtOnce = 4

// Outcome is what became of a run.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"      // exit code 0
	Exit    Outcome = "exit"      // another exit code, or a signal
	Missing Outcome = "not-begun" // it could not be begun
	Timeout Outcome = "timeout"   // it was killed when its time was over
	Killed  Outcome = "killed"    // it was killed at the end of the daemon
)

// Run is a run of a command that ended.
type Run struct {
	Time    time.Time `json:"time"`
	Seconds float64   `json:"seconds"`
	Outcome Outcome   `json:"outcome"`
	Code    int       `json:"code"` // the exit code; -1 where there was none
	// Said is the end of what the command wrote, and why it failed.
	Said string `json:"said,omitempty"`
}

// Status is how a command does.
type Status struct {
	Event    Event  `json:"event"`
	Command  string `json:"command,omitempty"`
	Happened int64  `json:"happened"`
	Runs     int64  `json:"runs"`
	Failures int64  `json:"failures"`
	// LeftOut are events that were counted in a report, and were not among its items; Unreported those that no
	// command was told of, since the daemon ended or the command was taken away.
	LeftOut    int64 `json:"left_out,omitempty"`
	Unreported int64 `json:"unreported,omitempty"`
	Running    bool  `json:"running,omitempty"`
	Last       *Run  `json:"last,omitempty"`
}

// Logger is told of runs that failed and of events that nobody was told of.
type Logger interface {
	// Ended is called after each run, on the goroutine of the command.
	Ended(event Event, run Run)
	// Unreported is called when events are given up.
	Unreported(event Event, n int64)
}

// Commands are those in force.
type Commands struct {
	log    Logger
	places chan struct{} // one for each that may run
	ctx    context.Context
	kill   context.CancelFunc

	mu     sync.Mutex
	all    []*runner
	ended  bool
	groups sync.WaitGroup
}

// New makes Commands, of which there are none until Set.
func New(log Logger) *Commands {
	c := &Commands{log: log, places: make(chan struct{}, mostAtOnce)}
	c.ctx, c.kill = context.WithCancel(context.Background())
	return c
}

// Set puts commands in the place of those in force. One that stays goes on. One that goes ends its run, and what it
// was not told of yet is given up. limit is the longest run.
func (c *Commands) Set(list []Command, limit time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	old := c.all
	c.all = nil
	for _, command := range list {
		var r *runner
		for i, o := range old {
			if o != nil && o.command == command {
				r, old[i] = o, nil
				break
			}
		}
		if r == nil {
			r = &runner{command: command, of: c, wake: make(chan struct{}, 1), closing: make(chan struct{})}
			c.groups.Go(r.work)
		}
		r.limit.Store(int64(limit))
		c.all = append(c.all, r)
	}
	for _, o := range old {
		if o != nil {
			o.end(false)
		}
	}
}

// Happened has the commands of an event run. It never waits for one.
func (c *Commands) Happened(event Event, detail any) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.all {
		if r.command.Event == event {
			r.add(detail)
		}
	}
}

// Wants says that an event has a command.
func (c *Commands) Wants(event Event) bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.all {
		if r.command.Event == event {
			return true
		}
	}
	return false
}

// Status is that of each command, in the order in which they were given.
func (c *Commands) Status() (all []Status) {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.all {
		all = append(all, r.status())
	}
	return all
}

// Close lets what happened be reported, until ctx ends: then what runs is killed, and the rest is given up.
func (c *Commands) Close(ctx context.Context) {
	c.mu.Lock()
	c.ended = true
	for _, r := range c.all {
		r.end(true)
	}
	c.mu.Unlock()
	stop := context.AfterFunc(ctx, c.kill)
	c.groups.Wait()
	stop()
	c.kill()
}
