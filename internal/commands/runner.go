package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"
)

// runner runs one command, time and again.
type runner struct {
	command Command
	of      *Commands
	limit   atomic.Int64  // nanoseconds
	wake    chan struct{} // holds one while there may be something to report
	closing chan struct{} // closed by end
	once    sync.Once

	mu      sync.Mutex
	drains  bool   // what waits is still reported after the end
	waiting Report // what happened and is not reported yet
	known   Status
}

// end ends the work after the run that goes on; drains says that what waits is reported first.
func (r *runner) end(drains bool) {
	r.once.Do(func() {
		r.mu.Lock()
		r.drains = drains
		r.mu.Unlock()
		close(r.closing)
	})
}

// add notes that the event happened.
func (r *runner) add(detail any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known.Happened++
	if r.waiting.Happened == 0 {
		r.waiting.Time = time.Now().UTC()
	}
	r.waiting.Happened++
	if len(r.waiting.Items) < mostItems {
		r.waiting.Items = append(r.waiting.Items, detail)
	} else {
		r.known.LeftOut++
	}
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

func (r *runner) status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.known
	s.Event, s.Command = r.command.Event, r.command.Line
	return s
}

// work runs the command whenever something happened.
func (r *runner) work() {
	defer r.giveUp()
	for {
		select {
		case <-r.closing:
		case <-r.wake:
			select {
			case <-r.closing:
			case <-time.After(gather):
			}
		}
		isClosing := false
		select {
		case <-r.closing:
			isClosing = true
		default:
		}
		r.mu.Lock()
		report, goesOn := r.waiting, !isClosing || r.drains
		if goesOn {
			r.waiting = Report{}
		}
		r.mu.Unlock()
		if !goesOn || isClosing && report.Happened == 0 {
			return
		}
		if report.Happened > 0 && !r.report(report) {
			return
		}
	}
}

// report runs the command on a report; false if it is given up.
func (r *runner) report(report Report) bool {
	report.Event = r.command.Event
	select {
	case r.of.places <- struct{}{}:
		defer func() { <-r.of.places }()
	case <-r.of.ctx.Done():
	}
	if r.of.ctx.Err() != nil {
		r.mu.Lock()
		r.waiting.Happened += report.Happened
		r.mu.Unlock()
		return false
	}
	r.mu.Lock()
	r.known.Running = true
	r.mu.Unlock()
	run := r.run(report)
	r.mu.Lock()
	r.known.Running = false
	r.known.Last = &run
	r.known.Runs++
	if run.Outcome != Done {
		r.known.Failures++
	}
	r.mu.Unlock()
	r.of.log.Ended(r.command.Event, run)
	return true
}

// giveUp counts what nobody was told of.
func (r *runner) giveUp() {
	r.mu.Lock()
	n := r.waiting.Happened
	r.waiting = Report{}
	r.known.Unreported += n
	r.mu.Unlock()
	if n > 0 {
		r.of.log.Unreported(r.command.Event, n)
	}
}

// afterKill is how long the pipes of a command may stay open after its end: what it began may hold them.
const afterKill = 2 * time.Second

// run runs the command once.
func (r *runner) run(report Report) (run Run) {
	run = Run{Time: time.Now().UTC(), Code: -1}
	defer func() { run.Seconds = time.Since(run.Time).Seconds() }()
	input, err := json.Marshal(report)
	if err != nil {
		run.Outcome, run.Said = Missing, err.Error()
		return run
	}
	limit := time.Duration(r.limit.Load())
	ctx, cancel := context.WithTimeout(r.of.ctx, limit)
	defer cancel()
	var said tail
	c := shell(ctx, r.command.Line)
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(append(input, '\n')), &said, &said
	c.Env = append(os.Environ(), "LAUNDROMAT_EVENT="+string(report.Event))
	c.WaitDelay = afterKill
	apart(c)
	if err = c.Start(); err != nil {
		run.Outcome, run.Said = Missing, err.Error()
		return run
	}
	err = c.Wait()
	run.Code, run.Said = c.ProcessState.ExitCode(), said.String()
	var exited *exec.ExitError
	switch {
	case r.of.ctx.Err() != nil && err != nil:
		run.Outcome = Killed
	case ctx.Err() != nil && err != nil:
		run.Outcome, run.Said = Timeout, joined(fmt.Sprintf("killed after %s", limit), run.Said)
	case errors.As(err, &exited):
		run.Outcome, run.Said = Exit, joined(exited.ProcessState.String(), run.Said)
	default: // it ended well; that it did not read, or left somebody who holds its output, is no fault
		run.Outcome = Done
	}
	return run
}

func joined(a, b string) string {
	if b == "" {
		return a
	}
	return a + ": " + b
}

// mostSaid is how much is kept of what a command writes, in bytes.
const mostSaid = 2000

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
	cut  bool
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[max(0, len(p)-mostSaid):]...)
	if more := len(t.text) - mostSaid; more > 0 {
		t.text, t.cut = append(t.text[:0], t.text[more:]...), true
	}
	t.cut = t.cut || len(p) > mostSaid
	return len(p), nil
}

// plain is a character that no terminal obeys.
func plain(c rune) rune {
	if unicode.IsControl(c) && c != '\n' && c != '\t' {
		return ' '
	}
	return c
}

// String is the end of what was written, as text.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.text
	for t.cut && len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	said := strings.TrimSpace(strings.Map(plain, strings.ToValidUTF8(string(text), "\uFFFD")))
	if t.cut {
		return "…" + said
	}
	return said
}
