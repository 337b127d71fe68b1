package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"laundromat/seedlist"
)

// planned is a task of docs/operations.md, and the day on which it is done. What is expected of it and what was had are
// equal where it did what it should.
type planned struct {
	name string
	day  int
	do   func(ctx context.Context) (expected, had string, err error)
}

// newerRelease is the version that the operator upgrades to.
const newerRelease = "0.999"

// tasks are the operator's ten tasks, in the order of that page. The second is that of each day, told at the end.
func (l *life) tasks() []planned {
	all := []planned{{"start, and harvest the catalog", 0, l.doStart}, {"watch, each day", -1, nil}}
	others := []planned{
		{name: "find out why one failed, and try again", do: l.doRetry},
		{name: "hold back a host", do: l.doHoldHost},
		{name: "rotate the log", do: l.doRotate},
		{name: "stop, and go on", do: l.doStop},
		{name: "clean up after a kill", do: l.doCleanUp},
		{name: "mend damaged files", do: l.doMend},
		{name: "back up, lose all, and restore", do: l.doRestore},
		{name: "upgrade, and wash again", do: l.doUpgrade},
	}
	for i, t := range others {
		t.day = 1 + i*(l.days-calmDays-1)/len(others)
		if l.isBusy {
			all = append(all, t)
		}
	}
	return all
}

// await asks again and again until a thing is so; at the end of the time it says that it is not.
func (l *life) await(ctx context.Context, is func() (bool, error)) (bool, error) {
	for end := time.Now().Add(l.Timeout / 4); time.Now().Before(end); {
		if ok, err := is(); ok || err != nil {
			return ok, err
		}
		if err := rest(ctx, 100*time.Millisecond); err != nil {
			return false, err
		}
	}
	return false, nil
}

func (l *life) doStart(ctx context.Context) (expected, had string, err error) {
	if err := l.start(ctx); err != nil {
		return "", "", err
	}
	if _, err := l.verb(ctx, "catalog", "add", l.web.Catalog(), "--interval", (3 * l.day).String()); err != nil {
		return "", "", err
	}
	named := 0
	_, err = l.await(ctx, func() (bool, error) {
		all, unnamed := 0, map[string]bool{} // documents of names with a fragment are there too
		err := objects(ctx, l, func(seed seedlist.Seed) {
			if all++; seed.Document != "" {
				unnamed[seed.Document] = true
			}
		}, "seed", "list", "--source", "catalog:"+l.web.Catalog())
		named = all - len(unnamed)
		return named >= l.web.Named(), err
	})
	return fmt.Sprint(l.web.Named(), " URIs of the catalog"), fmt.Sprint(named, " URIs of the catalog"), err
}

func (l *life) doRetry(ctx context.Context) (expected, had string, err error) {
	var failed seedlist.Seed
	find := func() (bool, error) {
		err := objects(ctx, l, func(seed seedlist.Seed) { failed = seed }, "seed", "list", "--error", "http/status", "--state", "failed",
			"--limit", "1")
		return failed.Hash != "", err
	}
	expected = "explained as http/status, asked again"
	if ok, err := l.await(ctx, find); !ok || err != nil {
		return expected, "none failed", err
	}
	why, err := l.verb(ctx, "why", failed.Hash[:12])
	if err != nil {
		return "", "", err
	}
	if had = "not explained"; strings.Contains(why, "http/status") {
		had = "explained as http/status"
	}
	if _, err := l.verb(ctx, "seed", "retry", failed.Hash, "-q"); err != nil {
		return "", "", err
	}
	ok, err := l.await(ctx, func() (bool, error) {
		fence := failed.Fence
		err := objects(ctx, l, func(seed seedlist.Seed) { fence = seed.Fence }, "show", failed.Hash)
		return fence > failed.Fence, err
	})
	if ok {
		had += ", asked again"
	}
	return expected, had, err
}

func (l *life) doHoldHost(ctx context.Context) (expected, had string, err error) {
	number := -1
	for n := range l.web.Entries() {
		if _, host := l.web.Document(n); l.web.Available(n) && host > 1 {
			number = n
			break
		}
	}
	uri, _ := l.web.Document(number)
	host := strings.Split(uri, "/")[2]
	if _, err := l.verb(ctx, "host", "pause", host); err != nil {
		return "", "", err
	}
	if err := rest(ctx, l.day/4); err != nil { // what runs goes on
		return "", "", err
	}
	since := time.Now()
	// Who asks for a document of a host that is paused gets it when the host goes on.
	_, wanted := l.verb(ctx, "seed", "retry", uri, "-q")
	if err := rest(ctx, l.day/2); err != nil {
		return "", "", err
	}
	asked := 0
	for _, visit := range l.web.Log() {
		if visit.Host == host && visit.Begun.After(since) {
			asked++
		}
	}
	_, err = l.verb(ctx, "host", "resume", host)
	if wanted != nil && !strings.Contains(wanted.Error(), "not at rest") {
		err = errors.Join(err, wanted)
	}
	return "0 requests while it is paused", fmt.Sprint(asked, " requests while it is paused"), err
}

func (l *life) doRotate(ctx context.Context) (expected, had string, err error) {
	if err := os.Rename(l.log, l.log+".old"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", "", err
	}
	if err := l.daemon.Process.Signal(syscall.SIGHUP); err != nil {
		return "", "", err
	}
	ok, err := l.await(ctx, func() (bool, error) {
		_, err := os.Stat(l.log)
		return err == nil, nil
	})
	return "a new log: true", fmt.Sprint("a new log: ", ok), err
}

func (l *life) doStop(ctx context.Context) (expected, had string, err error) {
	before, err := l.counts(ctx)
	if err != nil {
		return "", "", err
	}
	code := l.stop()
	if err := l.start(ctx); err != nil {
		return "", "", err
	}
	after, err := l.counts(ctx)
	return "exit 143, no seed lost", fmt.Sprintf("exit %d, %s lost", code, lost(before.Seeds, after.Seeds)), err
}

// lost is how many there are fewer, in words.
func lost(before, after int64) string {
	if after >= before {
		return "no seed"
	}
	return fmt.Sprint(before-after, " seeds")
}

func (l *life) doCleanUp(ctx context.Context) (expected, had string, err error) {
	l.kill()
	l.killed++
	if err := l.start(ctx); err != nil {
		return "", "", err
	}
	expected = "0 damaged or missing"
	if had, err = l.verify(ctx); err != nil {
		return "", "", err
	}
	_, err = l.verb(ctx, "gc")
	return expected, had, err
}

// verify is what verify says of damage.
func (l *life) verify(ctx context.Context) (string, error) {
	said, err := l.verb(ctx, "verify")
	for line := range strings.Lines(said) {
		if before, _, ok := strings.Cut(line, " damaged or missing"); ok && strings.Contains(line, " files: ") {
			return before[strings.LastIndexByte(before, ' ')+1:] + " damaged or missing", nil
		}
	}
	return "", fmt.Errorf("verify has no sums: %w: %s", err, said)
}

// doMend damages files of documents that rest, while nothing is at work.
func (l *life) doMend(ctx context.Context) (expected, had string, err error) {
	if _, err := l.verb(ctx, "drain"); err != nil {
		return "", "", err
	}
	damaged := 0
	err = objects(ctx, l, func(seed seedlist.Seed) {
		if seed.URI == "" || seed.Good != nil || seed.Clean == "" || !seed.HasDirty() || damaged >= 2 {
			return
		}
		if damaged == 0 && l.home.damage(seed.Hash, ".dirty", os.Remove) || damaged == 1 && l.home.damage(seed.Clean, ".nq.gz", cutShort) {
			damaged++
		}
	}, "seed", "list", "--state", "washed")
	if err != nil {
		return "", "", err
	}
	found, err := l.verify(ctx)
	if err != nil {
		return "", "", err
	}
	l.verb(ctx, "verify", "--repair") // ends with 1, since something is damaged
	if _, err := l.verb(ctx, "resume"); err != nil {
		return "", "", err
	}
	left := ""
	_, err = l.await(ctx, func() (is bool, err error) {
		left, err = l.verify(ctx)
		return strings.HasPrefix(left, "0 "), err
	})
	return "2 damaged or missing, then 0 damaged or missing", found + ", then " + left, err
}

func cutShort(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, info.Size()/2)
}

func (l *life) doRestore(ctx context.Context) (expected, had string, err error) {
	before, err := l.counts(ctx)
	if err != nil {
		return "", "", err
	}
	if err := l.home.backUp(ctx); err != nil {
		return "", "", err
	}
	l.kill() // the machine is lost, with all that it had
	if err := l.home.restore(ctx); err != nil {
		return "", "", err
	}
	if err := l.start(ctx); err != nil {
		return "", "", err
	}
	if err := l.home.restored(ctx); err != nil {
		return "", "", err
	}
	after, err := l.counts(ctx)
	if err != nil {
		return "", "", err
	}
	l.served = after.Washed // what came since the backup comes again
	left, err := l.verify(ctx)
	return "no seed lost, 0 damaged or missing", lost(before.Seeds, after.Seeds) + " lost, " + left, err
}

func (l *life) doUpgrade(ctx context.Context) (expected, had string, err error) {
	if err := l.drain(ctx); err != nil {
		return "", "", err
	}
	l.program = l.newer
	if err := l.start(ctx); err != nil {
		return "", "", err
	}
	if _, err := l.verb(ctx, "seed", "rewash", "--state", "washed", "-q"); err != nil && !strings.Contains(err.Error(), "exit status 1") {
		return "", "", err
	}
	said, err := exec.CommandContext(ctx, l.program, "version").Output()
	had = "another version"
	if strings.HasPrefix(string(said), "laundromat version "+newerRelease) {
		had = "version " + newerRelease
	}
	return "version " + newerRelease, had, err
}

// report writes what came of a month, and returns what is wrong.
func (l *life) report() error {
	var problems []error
	watched := task{"2. watch, each day", fmt.Sprintf("%d looks: always ready, nothing served has gone", l.looks),
		fmt.Sprintf("%d looks: always ready, nothing served has gone", l.looks)}
	if l.blind+l.fallen > 0 {
		watched.had = fmt.Sprintf("%d looks: %d times not ready, %d times less was served", l.looks, l.blind, l.fallen)
	}
	rows := [][]string{{"task", "expected", "had", ""}}
	for i, t := range append(l.done[:1:1], append([]task{watched}, l.done[1:]...)...) {
		is := "as expected"
		if t.expected != t.had {
			is = "WRONG"
			problems = append(problems, fmt.Errorf("%s: task %d: %s; expected: %s", l.name, i+1, t.had, t.expected))
		}
		rows = append(rows, []string{t.name, t.expected, t.had, is})
	}
	fmt.Fprintf(l.out, "\n%s: %d days in %.0f s, %d kills, %d requests\n", l.name, l.days, l.took.Seconds(), l.killed, l.requests)
	table(l.out, rows)
	states := [][]string{{"state", "seeds"}}
	for _, state := range seedlist.States() {
		if n := l.states[string(state)]; n > 0 {
			states = append(states, []string{string(state), fmt.Sprint(n)})
		}
	}
	table(l.out, states)
	return errors.Join(problems...)
}

// findFile is the path of a file below a folder by the hash in its name, and its suffix.
func findFile(root, hash, suffix string) (found string) {
	filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && strings.Contains(path, hash) && strings.HasSuffix(path, suffix) {
			found = path
		}
		return nil
	})
	return found
}
