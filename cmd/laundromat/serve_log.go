package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"

	"laundromat/internal/logfile"
)

// logFlags say where the log of the daemon goes, and what is in it.
type logFlags struct {
	file   string
	size   int64
	keep   int
	events bool
}

func (f *logFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.file, "log-file", "", "write the log into this FILE, not on stderr; SIGHUP opens it anew")
	f.size = 100 << 20
	flags.Var(sizeValue{&f.size}, "log-size", "rename a --log-file that is a plain file before it is larger: to FILE.1, that to FILE.2, "+
		"and so on; 0: never")
	flags.IntVar(&f.keep, "log-keep", 5, "how many renamed files of a --log-file stay")
	flags.BoolVar(&f.events, "log-events", false, "log at level info what became of each document that was washed or unpacked")
}

// check refuses flags that say nothing beside the others.
func (f *logFlags) check(c *cobra.Command, quiet bool) error {
	if f.file == "" {
		if err := refuseIdle(c, "without --log-file", "log-size", "log-keep"); err != nil {
			return err
		}
	}
	if quiet {
		return refuseIdle(c, "with -q, which leaves only errors", "log-events")
	}
	return nil
}

// serveLog is the log of the daemon: one stream of lines, on stderr or in a file. All that the
// daemon says goes into it, but for the bar on a terminal and the message of its end.
type serveLog struct {
	zerolog.Logger
	stream *logfile.Stream
	// file is nil where the log is on stderr.
	file    *logfile.File
	release func()
	err     io.Writer
}

// mostClosing is how long the end of the daemon waits for the lines of its log to be written.
const mostClosing = 2 * time.Second

// openLog begins the log: lines for people on a terminal, JSON elsewhere, if nothing else is said.
func openLog(u *ui, f *logFlags) (*serveLog, error) {
	if err := oneOf("log-format", u.logFormat, "auto", "text", "json"); err != nil {
		return nil, err
	}
	l := &serveLog{err: u.err, release: func() {}}
	to := u.err
	if f.file != "" {
		file, err := logfile.OpenFile(f.file, f.size, f.keep, func(err error) {
			l.Error().Err(err).Msg("the log goes on in the same file")
		})
		if err != nil {
			return nil, usage("--log-file: %w", err)
		}
		l.file, to = file, file
	}
	asText := u.logFormat == "text" || u.logFormat == "auto" && isTerminal(to)
	made := func(to io.Writer) zerolog.Logger {
		if asText {
			times := time.RFC3339
			if isTerminal(u.err) && l.file == nil {
				times = time.TimeOnly
			}
			to = zerolog.ConsoleWriter{Out: to, NoColor: l.file != nil || !coloured(u.err), TimeFormat: times}
		}
		return zerolog.New(to).Level(u.logLevel()).With().Timestamp().Logger()
	}
	l.stream = logfile.NewStream(to, func(lines int64, why error) []byte {
		var line bytes.Buffer
		log := made(&line).Level(zerolog.WarnLevel)
		log.Warn().Int64("lines", lines).Err(why).Msg("lines of the log were lost here")
		return line.Bytes()
	})
	l.Logger = made(l.stream)
	if l.file != nil {
		l.release = l.reopenOnSignal()
	}
	return l, nil
}

func (u *ui) logLevel() zerolog.Level {
	switch {
	case u.quiet:
		return zerolog.ErrorLevel
	case u.verbose:
		return zerolog.DebugLevel
	}
	return zerolog.InfoLevel
}

// reopenOnSignal opens the file of the log anew at each SIGHUP, until what it returns is called.
// By then another program has renamed it.
func (l *serveLog) reopenOnSignal() (release func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range signals {
			if err := l.file.Reopen(); err != nil {
				l.Error().Err(err).Msg("the log file could not be opened anew; the log goes on in the old one")
			} else {
				l.Info().Msg("the log file was opened anew")
			}
		}
	}()
	return func() {
		signal.Ignore(syscall.SIGHUP)
		close(signals)
		<-done
	}
}

// close writes what waits. What is lost, and can't be said in the file of the log, is said on stderr.
func (l *serveLog) close() {
	l.release()
	l.stream.Close(mostClosing)
	if l.file == nil {
		return
	}
	if lost := l.stream.Lost(); lost.Lines > 0 {
		fmt.Fprintf(l.err, "laundromat: lines of the log that were lost: %d, the last because of: %v\n", lost.Lines, lost.Why)
	}
	if err := l.file.Close(); err != nil {
		fmt.Fprintf(l.err, "laundromat: the log: %v\n", err)
	}
}

// serving says where the pages and the API are, and where the seed list, also to who starts the daemon by hand.
func (l *serveLog) serving(scheme, address, dir string) {
	text := fmt.Sprintf("serving %s://%s/ (API in /api/v1), seed list in %s", scheme, address, dir)
	l.Info().Str("address", address).Str("data", dir).Int("pid", os.Getpid()).Msg(text)
	if l.file != nil && l.GetLevel() <= zerolog.InfoLevel {
		fmt.Fprintf(l.err, "laundromat: %s\n", text)
	}
}

// lift writes the lines of a log on stderr above a bar, until what it returns is called.
func (l *serveLog) lift(progress *mpb.Progress) (lower func()) {
	if l.file != nil {
		return func() {}
	}
	l.stream.Redirect(aboveBar{progress, l.err})
	return func() { l.stream.Redirect(l.err) }
}

// aboveBar writes above a bar as long as that is there.
type aboveBar struct {
	progress *mpb.Progress
	after    io.Writer
}

func (a aboveBar) Write(line []byte) (int, error) {
	n, err := a.progress.Write(line)
	if errors.Is(err, mpb.ErrDone) {
		return a.after.Write(line)
	}
	return n, err
}
