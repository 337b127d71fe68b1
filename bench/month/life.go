package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// life is one month of a daemon and its operator.
type life struct {
	*month
	name     string
	makeHome func(l *life) (home, error)
	isBusy   bool // the operator does more than to start and to watch
	kills    int  // that the plan has for this month: all or none

	home     home
	data     string
	log      string
	program  string
	daemon   *exec.Cmd
	served   int64 // documents of which a file was served at the last look
	looks    int
	blind    int // looks at which the daemon wasn't ready
	fallen   int // looks at which fewer documents were served than before
	killed   int
	requests int
	done     []task
	took     time.Duration
	states   map[string]int64
	made     map[string]product // by document and product
}

// task is what came of one of the operator's tasks.
type task struct {
	name, expected, had string
}

func (m *month) life(name string, makeHome func(l *life) (home, error), isBusy bool) *life {
	return &life{month: m, name: name, makeHome: makeHome, isBusy: isBusy, kills: m.options.kills, program: m.Program}
}

// live goes through all days.
func (l *life) live(ctx context.Context) (err error) {
	dir := filepath.Join(l.Folder, strings.NewReplacer(" ", "-", ",", "").Replace(l.name))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	l.data, l.log = filepath.Join(dir, "data"), filepath.Join(dir, "log")
	if l.home, err = l.makeHome(l); err != nil {
		return err
	}
	defer l.home.end()
	defer func() {
		if l.daemon != nil {
			l.kill()
		}
	}()
	begin := time.Now()
	tasks := l.tasks()
	for d := range l.days {
		l.begin(d)
		end := time.Now().Add(l.day)
		for i, t := range tasks {
			if t.day != d {
				continue
			}
			expected, had, err := t.do(ctx)
			if err != nil {
				return fmt.Errorf("day %d, %s: %w", d+1, t.name, err)
			}
			l.done = append(l.done, task{fmt.Sprintf("%d. %s, day %d", i+1, t.name, d+1), expected, had})
		}
		if err := l.watch(ctx); err != nil {
			return fmt.Errorf("day %d: %w", d+1, err)
		}
		if err := l.passDay(ctx, d, end); err != nil {
			return fmt.Errorf("day %d: %w", d+1, err)
		}
	}
	if err := l.settle(ctx); err != nil {
		return err
	}
	l.took, l.requests = time.Since(begin), len(l.web.Log())
	return l.finish(ctx)
}

// passDay waits until a day ends, and kills the daemon as the plan has it.
func (l *life) passDay(ctx context.Context, d int, end time.Time) error {
	if l.isBusy && l.kills > 0 {
		begin := time.Now()
		for _, part := range l.plan[d].kills {
			if err := rest(ctx, time.Until(begin.Add(time.Duration(part*float64(time.Until(end)))))); err != nil {
				return err
			}
			l.kill()
			l.killed++
			if err := l.start(ctx); err != nil {
				return err
			}
		}
	}
	return rest(ctx, time.Until(end))
}

// hostDelay is the pause between two requests to a host.
const hostDelay = 10 * time.Millisecond

// start starts the daemon and waits until it serves.
func (l *life) start(ctx context.Context) error {
	address := filepath.Join(l.data, "address")
	os.Remove(address)
	interval := (4 * l.day).String()
	said, err := os.OpenFile(l.log+".said", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer said.Close()
	l.daemon = exec.Command(l.program, append([]string{
		"serve", "--data", l.data, "--listen", "127.0.0.1:0", "--allow-private", "--log-file", l.log, "--log-format", "json", "--quiet",
		"--contact", "https://example.org/our-crawler", "--host-delay", hostDelay.String(), "--robots-retry", "1s", "--tries", "3",
		"--retry-delay", "500ms", "--interval", interval, "--interval-min", interval, "--interval-max", interval,
	}, l.home.flags()...)...)
	l.daemon.Stdout, l.daemon.Stderr = said, said
	if err := l.daemon.Start(); err != nil {
		return err
	}
	for end := time.Now().Add(l.Timeout); time.Now().Before(end); {
		if l.isReady() {
			return nil
		}
		if err := rest(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
	text, _ := os.ReadFile(l.log + ".said")
	return fmt.Errorf("the daemon does not serve: %s", text)
}

func (l *life) isReady() bool {
	address, err := os.ReadFile(filepath.Join(l.data, "address"))
	if err != nil {
		return false
	}
	reply, err := http.Get("http://" + strings.TrimSpace(string(address)) + "/readyz")
	if err != nil {
		return false
	}
	reply.Body.Close()
	return reply.StatusCode == http.StatusOK
}

// kill ends the daemon as a loss of power would.
func (l *life) kill() {
	l.daemon.Process.Kill()
	l.daemon.Wait()
	l.daemon = nil
}

// stop ends the daemon by SIGTERM and returns its exit code.
func (l *life) stop() int {
	l.daemon.Process.Signal(syscall.SIGTERM)
	l.daemon.Wait()
	code := l.daemon.ProcessState.ExitCode()
	l.daemon = nil
	return code
}

// drain lets the daemon finish what is at work, and end.
func (l *life) drain(ctx context.Context) error {
	if _, err := l.verb(ctx, "drain", "--exit"); err != nil {
		return err
	}
	l.daemon.Wait()
	l.daemon = nil
	return nil
}

// verb runs a verb of the program and returns what it wrote. A code other than 0 is an error with its messages.
func (l *life) verb(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, l.Timeout)
	defer cancel()
	command := exec.CommandContext(ctx, l.program, append(args, "--data", l.data)...)
	var messages bytes.Buffer
	command.Stderr = &messages
	out, err := command.Output()
	if err != nil {
		err = fmt.Errorf("laundromat %s: %w: %s", strings.Join(args, " "), err, messages.String())
	}
	return string(out), err
}

// objects runs a verb with --json, and gives each line to a function.
func objects[T any](ctx context.Context, l *life, each func(T), args ...string) error {
	out, err := l.verb(ctx, append(args, "--json")...)
	if err != nil {
		return err
	}
	for decoder := json.NewDecoder(strings.NewReader(out)); decoder.More(); {
		var one T
		if err := decoder.Decode(&one); err != nil {
			return err
		}
		each(one)
	}
	return nil
}

// counts are what the operator looks at each day.
type counts struct {
	Seeds  int64            `json:"seeds"`
	Washed int64            `json:"washed"`
	States map[string]int64 `json:"states"`
}

func (l *life) counts(ctx context.Context) (c counts, err error) {
	err = objects(ctx, l, func(now counts) { c = now }, "stats")
	return c, err
}

// watch is the look of each day: the daemon is ready, and of no document has what was served gone.
func (l *life) watch(ctx context.Context) error {
	c, err := l.counts(ctx)
	if err != nil {
		return err
	}
	l.looks++
	if !l.isReady() {
		l.blind++
	}
	if c.Washed < l.served {
		l.fallen++
	}
	l.served = c.Washed
	return l.endTurns(ctx)
}

// endTurns has hosts asked again that the daemon leaves alone, for an hour, since they turned.
func (l *life) endTurns(ctx context.Context) error {
	var turned []string
	err := objects(ctx, l, func(h struct {
		Host   string
		Turned *struct{}
	}) {
		if h.Turned != nil {
			turned = append(turned, h.Host)
		}
	}, "host", "list")
	for _, host := range turned {
		_, failed := l.verb(ctx, "host", "resume", host)
		err = errors.Join(err, failed)
	}
	return err
}

// rest waits for a while.
func rest(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
