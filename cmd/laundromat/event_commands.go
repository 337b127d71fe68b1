package main

import (
	"context"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/pflag"

	"laundromat/internal/commands"
	"laundromat/storage/backup"
	"laundromat/web/metrics"
)

// eventFlags say which commands run when something happens.
type eventFlags struct {
	lines []string
	limit time.Duration
	list  []commands.Command
}

func (e *eventFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&e.lines, "on", nil, "EVENT=COMMAND: a line for the shell that gets JSON on its standard input at each event: failed, "+
		"paused, turned, catalog, backup, idle or changed")
	flags.DurationVar(&e.limit, "on-timeout", 30*time.Second, "kill a command of --on that runs longer than this")
}

// complete reads the commands.
func (e *eventFlags) complete() error {
	e.list = nil
	for _, line := range e.lines {
		one, err := commands.Parse(line)
		if err != nil {
			return usage("--on: %v", err)
		}
		e.list = append(e.list, one)
	}
	return nil
}

// setOn puts the commands into force.
func (e *eventFlags) setOn(c *commands.Commands) { c.Set(e.list, e.limit) }

// commandLog writes into the log how commands ended. Their text, which may hold a secret, is not in it.
type commandLog struct {
	log   zerolog.Logger
	meter *metrics.Metrics
}

func (l *commandLog) Ended(event commands.Event, run commands.Run) {
	l.meter.CommandEnded(string(event), string(run.Outcome))
	level := zerolog.WarnLevel
	if run.Outcome == commands.Done {
		level = zerolog.DebugLevel
	}
	l.log.WithLevel(level).Str("event", string(event)).Str("outcome", string(run.Outcome)).Int("exit", run.Code).
		Float64("seconds", run.Seconds).Str("said", run.Said).Msg("a command of --on has ended")
}

func (l *commandLog) Unreported(event commands.Event, n int64) {
	l.log.Warn().Str("event", string(event)).Int64("events", n).Msg("no command of --on was told of these events: it was taken away, or the daemon ended")
}

// afterStop is how long commands may go on after the daemon was asked to stop.
const afterStop = 3 * time.Second

// closeEvents ends the commands. After work that came to its end by itself they have all their time.
func closeEvents(u *ui, c *commands.Commands) {
	ctx, cancel := context.WithCancel(u.killed)
	defer cancel()
	if u.stopping.Err() != nil {
		ctx, cancel = context.WithTimeout(u.killed, afterStop)
		defer cancel()
	} else {
		defer context.AfterFunc(u.stopping, func() { time.AfterFunc(afterStop, cancel) })()
	}
	c.Close(ctx)
}

// backupsEvery is how often it is looked for a backup that was completed.
const backupsEvery = 2 * time.Second

// savedBackup is an item of the event backup.
type savedBackup struct {
	Completed time.Time `json:"completed"`
}

// watchBackups reports each backup of the data folder that is completed, by whatever process.
func watchBackups(ctx context.Context, dir string, events *commands.Commands) {
	tick := time.NewTicker(backupsEvery)
	defer tick.Stop()
	last := backup.Last(dir)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if !events.Wants(commands.Backup) {
			continue
		}
		if at := backup.Last(dir); at.After(last) {
			last = at
			events.Happened(commands.Backup, savedBackup{at})
		}
	}
}
