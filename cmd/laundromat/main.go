// Command laundromat washes dirty linked data into clean, sorted, unique,
// canonical N-Quads: at once (wash, check), or as a daemon with a seed list (serve).
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"

	"laundromat/internal/outfile"
	"laundromat/web/client"
)

func main() { os.Exit(run(os.Args[1:])) }

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

// program is what the verbs share: the streams, and the signals.
type program struct {
	in       io.Reader
	out, err io.Writer
	// stopping ends with the first signal, killed with the second.
	stopping, killed context.Context
	signal           atomic.Int32 // the first signal that came

	data        string
	init        bool // makes the store if there is none
	listen      string
	listenGiven bool // by a flag
	pprof       bool // profiles are served, too
	json        bool
	quiet       bool
	verbose     bool
	// inIsTerminal says that a person would type standard input.
	inIsTerminal bool
	logFormat    string
	profiles     profiles
}

// run runs the program with the arguments and returns its exit code.
func run(args []string) int {
	out := outfile.NewStdout(os.Stdout)
	p := &program{out: out, err: os.Stderr}
	// net/http writes strange answers to the standard logger; they are in the records.
	log.SetOutput(io.Discard)
	release := p.watchSignals()
	defer release()
	p.in, p.inIsTerminal = newStdin(os.Stdin, p.stopping), isatty.IsTerminal(os.Stdin.Fd())

	root := p.rootCommand()
	if isCompletion(args) { // it looks at every flag of every verb
		p.completeValues(root)
	}
	root.SetArgs(withBareSpec(args))
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	err := root.ExecuteContext(p.stopping)
	if unwritten := p.profiles.stop(); err == nil {
		err = unwritten
	}
	if err == nil {
		err = out.Err()
	}
	return p.exitCode(err)
}

// mostEnding is how long the program may take to end after the second signal.
const mostEnding = 5 * time.Second

// watchSignals lets the first SIGINT or SIGTERM end p.stopping and the second p.killed. Whatever
// does not end then is ended by force, a little later or at the third.
func (p *program) watchSignals() (release func()) {
	stopping, stop := context.WithCancel(context.Background())
	killed, kill := context.WithCancel(context.Background())
	p.stopping, p.killed = stopping, killed
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for s := range signals {
			if stopping.Err() == nil {
				if number, ok := s.(syscall.Signal); ok {
					p.signal.Store(int32(number))
				}
				stop()
				continue
			}
			if killed.Err() != nil {
				os.Exit(p.signalCode())
			}
			kill()
			time.AfterFunc(mostEnding, func() { os.Exit(p.signalCode()) })
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
func (p *program) signalCode() int {
	if p.signal.Load() == int32(syscall.SIGTERM) {
		return exitTerminate
	}
	return exitInterrupt
}

// exitCode prints what err says and finds the code it stands for.
func (p *program) exitCode(err error) int {
	ended := endedBy(err)
	switch {
	case p.signal.Load() != 0:
		return p.signalCode()
	case err == nil:
		return exitOK
	case ended != nil:
		if message := ended.Error(); message != "" {
			fmt.Fprintf(p.err, "laundromat: %s\n", message)
		}
		return ended.code
	default:
		fmt.Fprintf(p.err, "laundromat: %s\n", err)
		return exitFailed
	}
}
