//go:build unix

package commands_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"laundromat/internal/commands"
)

// ends keeps what the log is told.
type ends struct {
	mu         sync.Mutex
	runs       []commands.Run
	unreported int64
}

func (e *ends) Ended(_ commands.Event, run commands.Run) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.runs = append(e.runs, run)
}

func (e *ends) Unreported(_ commands.Event, n int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.unreported += n
}

func (e *ends) all() []commands.Run {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]commands.Run(nil), e.runs...)
}

func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it never came: " + what)
		}
	}
}

func closed(c *commands.Commands) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	c.Close(ctx)
}

func TestACommandIsNamedWithItsEvent(t *testing.T) {
	for text, want := range map[string]string{
		"failed=mail me": "", " idle = true": "", "changed=a=b": "", "paused=x\ny": "", "turned=x": "", "catalog=x": "", "backup=x": "",
		"failed":     `"failed" is not of the form EVENT=COMMAND`,
		"":           `"" is not of the form EVENT=COMMAND`,
		"failed=":    "the command is missing: failed=COMMAND",
		"failed=  ":  "the command is missing: failed=COMMAND",
		"faild=x":    `there is no event "faild"; did you mean failed?`,
		"Failed=x":   `there is no event "Failed"; did you mean failed?`,
		"=x":         `there is no event "": the events are failed, paused, turned, catalog, backup, idle, changed`,
		"sunshine=x": `there is no event "sunshine": the events are failed, paused, turned, catalog, backup, idle, changed`,
	} {
		c, err := commands.Parse(text)
		if got := fmt.Sprint(err); want != "" && got != want || want == "" && (err != nil || c.Line == "") {
			t.Errorf("%q: %v, %v", text, c, err)
		}
	}
}

func TestACommandReadsWhatHappened(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out")
	log := &ends{}
	c := commands.New(log)
	c.Set([]commands.Command{{Event: commands.Failed, Line: "cat >> " + file + "; echo $LAUNDROMAT_EVENT"}}, 10*time.Second)
	for i := range 3 {
		c.Happened(commands.Failed, map[string]int{"n": i})
	}
	c.Happened(commands.Idle, "no command wants this")
	closed(c)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got commands.Report
	if err := json.Unmarshal(text, &got); err != nil || strings.Count(string(text), "\n") != 1 {
		t.Fatalf("%v: %s", err, text)
	}
	if got.Event != commands.Failed || got.Happened != 3 || len(got.Items) != 3 || got.Time.IsZero() {
		t.Errorf("%+v", got)
	}
	s := c.Status()[0]
	if s.Runs != 1 || s.Failures != 0 || s.Happened != 3 || s.Last.Outcome != commands.Done || s.Last.Code != 0 || s.Last.Said != "failed" {
		t.Errorf("%+v %+v", s, s.Last)
	}
	if len(log.all()) != 1 || log.unreported != 0 {
		t.Errorf("%+v", log)
	}
}

// Whatever a command does, it ends in time, costs only itself, and its outcome is known.
func TestAnyCommandEnds(t *testing.T) {
	dir := t.TempDir()
	for _, row := range []struct {
		name, line string
		want       commands.Outcome
		code       int
		said       string
	}{
		{"good", "true", commands.Done, 0, ""},
		{"reads nothing of much", "exit 0", commands.Done, 0, ""},
		{"missing", "/no/such/command", commands.Exit, 127, "not found"},
		{"not a program", dir, commands.Exit, 126, ""},
		{"fails", "echo because >&2; exit 3", commands.Exit, 3, "exit status 3: because"},
		{"killed by another", "kill -9 $$", commands.Exit, -1, "signal: killed"},
		{"hangs", "echo waiting; sleep 1000", commands.Timeout, -1, "killed after 500ms: waiting"},
		{"hangs with children", "sleep 1000 & sleep 1000 & wait", commands.Timeout, -1, "killed after"},
		{"hears no signal", "trap '' TERM INT HUP; while :; do sleep 1; done", commands.Timeout, -1, "killed after"},
		{"prints much", "head -c 3000000 /dev/zero | tr '\\0' x; echo the end", commands.Done, 0, "the end"},
		{"prints for ever", "yes", commands.Timeout, -1, "y\ny"},
		{"prints no text", `printf '\377\033[31mred\000'; exit 1`, commands.Exit, 1, "[31mred"},
		{"leaves somebody with its output", "sleep 5 & exit 0", commands.Done, 0, ""},
		{"no shell's words", "if", commands.Exit, 2, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			log := &ends{}
			c := commands.New(log)
			limit := 20 * time.Second
			if row.want == commands.Timeout {
				limit = 500 * time.Millisecond
			}
			c.Set([]commands.Command{{Event: commands.Idle, Line: row.line}}, limit)
			c.Happened(commands.Idle, strings.Repeat("much ", 100_000))
			closed(c)
			run := c.Status()[0].Last
			if run == nil || run.Outcome != row.want || run.Code != row.code || !strings.Contains(run.Said, row.said) ||
				len(run.Said) > 3000 {
				t.Fatalf("%+v", run)
			}
			if strings.ContainsAny(run.Said, "\x1b\x00") {
				t.Errorf("%q", run.Said)
			}
			if fails := c.Status()[0].Failures; (fails == 1) != (row.want != commands.Done) {
				t.Errorf("%d failures", fails)
			}
		})
	}
}

// Thousands of events are few runs: each is counted, the first of each report are named, and nobody waits.
func TestACrowdOfEventsIsOneReport(t *testing.T) {
	const many = 20_000
	dir := t.TempDir()
	log := &ends{}
	c := commands.New(log)
	c.Set([]commands.Command{{Event: commands.Failed, Line: "cat > " + dir + "/$$.json; sleep 0.3"}}, 10*time.Second)
	begin := time.Now()
	for i := range many {
		c.Happened(commands.Failed, i)
		if i%5000 == 4999 {
			time.Sleep(600 * time.Millisecond)
		}
	}
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("it held up the work for %s", took)
	}
	closed(c)
	files, _ := filepath.Glob(dir + "/*.json")
	if len(files) == 0 || len(files) > 5 {
		t.Errorf("%d runs", len(files))
	}
	happened, items := int64(0), 0
	for _, file := range files {
		var r commands.Report
		text, _ := os.ReadFile(file)
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		happened += r.Happened
		items += len(r.Items)
	}
	if s := c.Status()[0]; happened != many || s.Happened != many || s.LeftOut+int64(items) != many {
		t.Errorf("%d happened, %d items: %+v", happened, items, s)
	}
}

// At most four commands run at once, each once.
func TestFewCommandsRunAtOnce(t *testing.T) {
	dir := t.TempDir()
	c := commands.New(&ends{})
	var list []commands.Command
	for i := range 10 {
		line := fmt.Sprintf("cd %s; touch %d.now; sleep 0.4; ls *.now 2>/dev/null | wc -l; rm %d.now", dir, i, i)
		list = append(list, commands.Command{Event: commands.Paused, Line: line})
	}
	c.Set(list, 10*time.Second)
	c.Happened(commands.Paused, 1)
	closed(c)
	for _, s := range c.Status() {
		var n int
		if _, err := fmt.Sscan(s.Last.Said, &n); err != nil || n > 4 || s.Runs != 1 || s.Last.Outcome != commands.Done {
			t.Errorf("%+v %+v", s, s.Last)
		}
	}
}

// At the end of the daemon what runs is killed when its time is over, and what nobody was told of is counted.
func TestTheEndOfTheDaemonKillsCommands(t *testing.T) {
	log := &ends{}
	c := commands.New(log)
	c.Set([]commands.Command{{Event: commands.Failed, Line: "sleep 1000"}}, time.Hour)
	c.Happened(commands.Failed, 1)
	await(t, "a run", func() bool { return c.Status()[0].Running })
	for range 7 {
		c.Happened(commands.Failed, 2)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begin := time.Now()
	c.Close(ctx)
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
	if runs := log.all(); len(runs) != 1 || runs[0].Outcome != commands.Killed || log.unreported != 7 || c.Status()[0].Unreported != 7 {
		t.Errorf("%+v, %d unreported", log.all(), log.unreported)
	}
	c.Happened(commands.Failed, 3) // nothing comes of it
	c.Set([]commands.Command{{Event: commands.Failed, Line: "true"}}, time.Second)
}

// Other commands take the place of those in force; one that stays keeps its counts.
func TestCommandsChangeWhileTheDaemonRuns(t *testing.T) {
	log := &ends{}
	c := commands.New(log)
	stays, goes := commands.Command{Event: commands.Idle, Line: "true"}, commands.Command{Event: commands.Failed, Line: "true"}
	c.Set([]commands.Command{stays, goes}, time.Second)
	if !c.Wants(commands.Failed) || c.Wants(commands.Changed) {
		t.Error("what is wanted is not known")
	}
	c.Happened(commands.Idle, 1)
	await(t, "a run", func() bool { return c.Status()[0].Runs == 1 })
	c.Happened(commands.Failed, 1)
	c.Set([]commands.Command{{Event: commands.Changed, Line: "true"}, stays}, time.Second)
	await(t, "the end of the other", func() bool { log.mu.Lock(); defer log.mu.Unlock(); return log.unreported == 1 })
	c.Happened(commands.Changed, 1)
	c.Happened(commands.Failed, 1)
	closed(c)
	s := c.Status()
	if len(s) != 2 || s[0].Event != commands.Changed || s[0].Runs != 1 || s[1].Event != commands.Idle || s[1].Runs != 1 ||
		c.Wants(commands.Failed) {
		t.Errorf("%+v", s)
	}
}

// A daemon without commands has none to tell.
func TestNoCommandsAreNoTrouble(t *testing.T) {
	var none *commands.Commands
	none.Happened(commands.Idle, 1)
	if none.Wants(commands.Idle) || none.Status() != nil {
		t.Error("there is something")
	}
}
