package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"

	"laundromat/internal/profile"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/storage"
	"laundromat/web/client"
)

// Exit codes; DESIGN says which means what for each verb.
const (
	exitOK        = 0
	exitFailed    = 1
	exitUsage     = 2
	exitDropped   = 3
	exitNotFound  = 4
	exitNoRDF     = 7
	exitLocked    = 11
	exitInterrupt = 130
	exitTerminate = 143
)

// exitError ends the program with a code; its message, if any, is printed first.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}
func (e *exitError) Unwrap() error { return e.err }

func exit(code int, err error) error { return &exitError{code, err} }

func usage(format string, args ...any) error {
	return exit(exitUsage, fmt.Errorf(format, args...))
}

// ui is shared by the verbs: the streams, the flags that all verbs have, and the signals.
type ui struct {
	in       io.Reader
	out, err io.Writer
	// stopping ends with the first signal, killed with the second.
	stopping, killed context.Context
	signal           atomic.Int32 // the first signal that came
	reached          *reached     // how far the verb has come; nil if it does not say

	args    []string // of the command line
	config  string   // the name of a file of settings
	serve   *serveOptions
	data    string
	init    bool // makes the store if there is none
	json    bool
	quiet   bool
	verbose bool
	// inIsTerminal says that a person would type standard input.
	inIsTerminal bool
	logFormat    string
	profiles     profile.Files
}

// dataDir is the folder of the store.
func (u *ui) dataDir() string {
	if u.data != "" {
		return u.data
	}
	return "laundromat-data"
}

// note writes a message for people.
func (u *ui) note(format string, args ...any) {
	if !u.quiet {
		fmt.Fprintf(u.err, "laundromat: "+format+"\n", args...)
	}
}

// head writes the names of the columns of a list, unless the list is in JSON.
func (u *ui) head(columns ...string) error {
	if u.json {
		return nil
	}
	_, err := fmt.Fprintln(u.out, "#"+strings.Join(columns, "\t"))
	return err
}

// noteIgnored says which names in a folder are passed over.
func (u *ui) noteIgnored(folder string, names []string) {
	if len(names) > 0 {
		u.note("%s: %s ignored: %s", folder, counted(len(names), "name is", "names are"), shortList(names))
	}
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// shortList are the first names of a list, and how many more there are.
func shortList(names []string) string {
	const most = 10
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// mostEnding is how long the program may take to end after the second signal.
const mostEnding = 5 * time.Second

// watchSignals lets the first SIGINT or SIGTERM end u.stopping and the second u.killed. Whatever
// does not end then is ended by force, a little later or at the third.
func (u *ui) watchSignals() (release func()) {
	stopping, stop := context.WithCancel(context.Background())
	killed, kill := context.WithCancel(context.Background())
	u.stopping, u.killed = stopping, killed
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for s := range signals {
			if stopping.Err() == nil {
				if number, ok := s.(syscall.Signal); ok {
					u.signal.Store(int32(number))
				}
				stop()
				continue
			}
			if killed.Err() != nil {
				os.Exit(u.signalCode())
			}
			kill()
			time.AfterFunc(mostEnding, func() { os.Exit(u.signalCode()) })
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
		<-done
		stop()
		kill()
	}
}

// endedBy is the exit that an error stands for; nil if that is the usual one of failures.
func endedBy(err error) *exitError {
	var ended *exitError
	if errors.As(err, &ended) {
		return ended
	}
	var refused *client.Error
	switch {
	case errors.As(err, new(*storage.Misuse)):
		return &exitError{exitUsage, err}
	case errors.As(err, new(*storage.AtWorkError)), errors.As(err, new(*bolt.LockedError)), errors.Is(err, seedlist.ErrAtWork):
		return &exitError{exitLocked, err}
	case !errors.As(err, &refused):
		return nil
	case refused.IsNotFound():
		return &exitError{exitNotFound, refused}
	case refused.IsMisuse():
		return &exitError{exitUsage, refused}
	}
	return nil
}

// signalCode is the exit code for the signal that came first.
func (u *ui) signalCode() int {
	if u.signal.Load() == int32(syscall.SIGTERM) {
		return exitTerminate
	}
	return exitInterrupt
}

// exitCode prints what err says and finds the code it stands for. Of a run that a signal has cut short it says how far
// that came; standard output has so many bytes.
func (u *ui) exitCode(err error, written int64) int {
	ended := endedBy(err)
	switch {
	case u.signal.Load() != 0:
		if err != nil && !u.quiet {
			fmt.Fprintln(u.err, u.interruption(written))
		}
		return u.signalCode()
	case err == nil:
		return exitOK
	case ended != nil:
		if message := ended.Error(); message != "" {
			fmt.Fprintf(u.err, "laundromat: %s\n", message)
		}
		return ended.code
	default:
		fmt.Fprintf(u.err, "laundromat: %s\n", err)
		return exitFailed
	}
}

// isTerminal says that the stream is a terminal that a person looks at.
func isTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && isatty.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb"
}

// coloured says that escape sequences for colours are wanted (https://no-color.org).
func coloured(stream any) bool { return isTerminal(stream) && os.Getenv("NO_COLOR") == "" }

// encodeTo writes one value as a line of JSON; URIs stay readable.
func encodeTo(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// encodeLines writes values as lines of JSON.
func encodeLines[T any](w io.Writer, all []T) error {
	out := bufio.NewWriter(w)
	for i := range all {
		if err := encodeTo(out, &all[i]); err != nil {
			return err
		}
	}
	return out.Flush()
}
