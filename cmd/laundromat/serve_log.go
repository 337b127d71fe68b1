package main

import (
	"fmt"
	"io"
	"os"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

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

// openLog begins the log: lines for people on a terminal, JSON elsewhere, if nothing else is said.
func openLog(u *ui, f *logFlags) (*logfile.Log, error) {
	if err := oneOf("log-format", u.logFormat, "auto", "text", "json"); err != nil {
		return nil, err
	}
	log, err := logfile.Open(logfile.Options{
		Stderr: u.err, Name: f.file, Size: f.size, Keep: f.keep, Coloured: coloured(u.err), Short: isTerminal(u.err), Level: u.logLevel(),
		AsText: func(to io.Writer) bool { return u.logFormat == "text" || u.logFormat == "auto" && isTerminal(to) },
	})
	if err != nil {
		return nil, usage("--log-file: %w", err)
	}
	return log, nil
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

// serving says where the pages and the API are, and where the seed list, also to who starts the daemon by hand.
func (u *ui) serving(log *logfile.Log, scheme, address, dir string) {
	text := fmt.Sprintf("serving %s://%s/ (API in /api/v1), seed list in %s", scheme, address, dir)
	log.Info().Str("address", address).Str("data", dir).Int("pid", os.Getpid()).Msg(text)
	if log.IsFile() && log.GetLevel() <= zerolog.InfoLevel {
		fmt.Fprintf(u.err, "laundromat: %s\n", text)
	}
}
