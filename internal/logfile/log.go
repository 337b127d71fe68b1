package logfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"laundromat/internal/hangup"

	"github.com/rs/zerolog"
)

// Log is the log of a daemon: one stream of lines, on stderr or in a file.
type Log struct {
	zerolog.Logger
	stream *Stream
	// file is nil where the log is on stderr.
	file    *File
	release func()
	err     io.Writer
}

// Options say where the lines of a log go, and how they are written.
type Options struct {
	Stderr io.Writer
	// Name is the file of the log, "" for stderr. SIGHUP opens it anew. It is renamed before it is larger than
	// Size, and Keep of the renamed files stay.
	Name string
	Size int64
	Keep int
	// AsText says of a writer that lines on it are for people; they are JSON otherwise.
	AsText func(to io.Writer) bool
	// Coloured writes text on stderr in colours, Short without dates.
	Coloured, Short bool
	Level           zerolog.Level
}

// mostClosing is how long the end of the daemon waits for the lines of its log to be written.
const mostClosing = 2 * time.Second

// Open begins a log.
func Open(o Options) (*Log, error) {
	l := &Log{err: o.Stderr, release: func() {}}
	to := o.Stderr
	if o.Name != "" {
		file, err := OpenFile(o.Name, o.Size, o.Keep, func(err error) {
			l.Error().Err(err).Msg("the log goes on in the same file")
		})
		if err != nil {
			return nil, err
		}
		l.file, to = file, file
	}
	asText := o.AsText(to)
	made := func(to io.Writer) zerolog.Logger {
		if asText {
			times := time.RFC3339
			if o.Short && l.file == nil {
				times = time.TimeOnly
			}
			to = zerolog.ConsoleWriter{Out: to, NoColor: l.file != nil || !o.Coloured, TimeFormat: times}
		}
		return zerolog.New(to).Level(o.Level).With().Timestamp().Logger()
	}
	l.stream = NewStream(to, func(lines int64, why error) []byte {
		var line bytes.Buffer
		log := made(&line).Level(zerolog.WarnLevel)
		log.Warn().Int64("lines", lines).Err(why).Msg("lines of the log were lost here")
		return line.Bytes()
	})
	l.Logger = made(l.stream)
	if l.file != nil {
		l.release = hangup.Watch(l.reopen)
	}
	return l, nil
}

// reopen opens the file of the log anew. By then another program has renamed it.
func (l *Log) reopen() {
	if err := l.file.Reopen(); err != nil {
		l.Error().Err(err).Msg("the log file could not be opened anew; the log goes on in the old one")
	} else {
		l.Info().Msg("the log file was opened anew")
	}
}

// Close writes what waits. What is lost, and can't be said in the file of the log, is said on stderr.
func (l *Log) Close() {
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

// Lost is what of the log could not be written.
func (l *Log) Lost() Loss { return l.stream.Lost() }

// IsFile says that the log is in a file.
func (l *Log) IsFile() bool { return l.file != nil }

// Lift writes the lines of a log on stderr above a bar, until what it returns is called. A bar that is gone writes
// them no more, and returns gone.
func (l *Log) Lift(bar io.Writer, gone error) (lower func()) {
	if l.file != nil {
		return func() {}
	}
	l.stream.Redirect(aboveBar{bar, gone, l.err})
	return func() { l.stream.Redirect(l.err) }
}

// aboveBar writes above a bar as long as that is there.
type aboveBar struct {
	bar   io.Writer
	gone  error
	after io.Writer
}

func (a aboveBar) Write(line []byte) (int, error) {
	n, err := a.bar.Write(line)
	if errors.Is(err, a.gone) {
		return a.after.Write(line)
	}
	return n, err
}
