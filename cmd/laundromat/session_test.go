package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
)

// scriptSession runs a session as a page of the documentation shows it: "session FILE". A line that
// begins with "$ " is a command for sh; what follows is all that it writes. In it, … stands for
// what differs from day to day. A command that ends in & is a daemon: it is waited for until it serves.
func scriptSession(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: session FILE")
	}
	ts.Defer(func() { endDaemons(ts.Getenv("WORK")) })
	for _, step := range sessionSteps(ts.ReadFile(args[0])) {
		out, err := os.CreateTemp(ts.Getenv("TMPDIR"), "")
		ts.Check(err)
		command := exec.Command("sh", "-c", step.command)
		command.Dir, command.Stdout, command.Stderr = ts.MkAbs("."), out, out
		command.Env = append(os.Environ(), "PATH="+ts.Getenv("PATH"), "TMPDIR="+ts.Getenv("TMPDIR"), "NO_COLOR=1", "LAUNDROMAT_DATA="+
			ts.Getenv("LAUNDROMAT_DATA"))
		_ = command.Run() // a page shows commands that fail, too
		isDaemon := strings.HasSuffix(step.command, "&")
		if isDaemon {
			awaitSocket(ts)
		}
		text, err := os.ReadFile(out.Name())
		for end := time.Now().Add(20 * time.Second); isDaemon && !step.holds(string(text)) && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond)
			text, err = os.ReadFile(out.Name())
		}
		ts.Check(err)
		out.Close()
		os.Remove(out.Name())
		if !step.holds(string(text)) {
			ts.Fatalf("$ %s\n%s\nwant:\n%s", step.command, text, step.want)
		}
	}
}

// sessionStep is a command and what it writes.
type sessionStep struct{ command, want string }

func sessionSteps(text string) (steps []sessionStep) {
	for line := range strings.Lines(text) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			steps = append(steps, sessionStep{command: strings.TrimSpace(command)})
		} else if len(steps) > 0 {
			steps[len(steps)-1].want += line
		}
	}
	return steps
}

func (s sessionStep) holds(got string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimRight(s.want, "\n")), "…", ".*")
	// A line that is … alone stands for any lines.
	pattern = regexp.MustCompile(`(?m)^\.\*$`).ReplaceAllString(pattern, `(?s:.*)`)
	return regexp.MustCompile(`\A` + pattern + `\z`).MatchString(strings.TrimRight(got, "\n"))
}

// awaitSocket waits until a daemon serves a folder below the script's.
func awaitSocket(ts *testscript.TestScript) {
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if found, _ := filepath.Glob(ts.MkAbs("*/socket")); len(found) > 0 {
			return
		}
	}
	ts.Fatalf("no daemon serves")
}

// endDaemons ends the daemons that serve folders below one, where a session broke off.
func endDaemons(dir string) {
	found, _ := filepath.Glob(filepath.Join(dir, "*", "socket"))
	for _, name := range found {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(name), "seeds.db.pid"))
		if err != nil {
			continue
		}
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && pid > 1 {
			if process, err := os.FindProcess(pid); err == nil {
				process.Kill()
			}
		}
	}
}

// Each session of the page on operations is one that a script runs, and the page shows all of them.
func TestOperationsShowsSessionsThatScriptsRun(t *testing.T) {
	page := readFile(t, "../../docs/operations.md")
	scripts, err := filepath.Glob("../../testdata/script/operate-*.txtar")
	if err != nil || len(scripts) != 10 {
		t.Errorf("%d scripts of tasks, want ten: %v", len(scripts), err)
	}
	var run []string
	for _, name := range scripts {
		archive := txtar.Parse(readFile(t, name))
		sessions := 0
		for _, file := range archive.Files {
			if !strings.HasSuffix(file.Name, ".session") {
				continue
			}
			sessions++
			if !bytes.Contains(archive.Comment, []byte("session "+file.Name+"\n")) {
				t.Errorf("%s does not run %s", name, file.Name)
			}
			text := strings.TrimSpace(string(file.Data))
			run = append(run, text)
			if !bytes.Contains(page, []byte("```console\n"+text+"\n```")) {
				t.Errorf("the page does not show %s of %s:\n%s", file.Name, filepath.Base(name), text)
			}
		}
		if sessions == 0 {
			t.Errorf("%s has no session", name)
		}
	}
	for _, m := range regexp.MustCompile("(?s)```console\n(.*?)\n```").FindAllSubmatch(page, -1) {
		shown := string(m[1])
		found := false
		for _, text := range run {
			found = found || text == shown
		}
		if !found {
			t.Errorf("no script runs this session of the page:\n%s", shown)
		}
	}
}

// The page on records shows the sessions of its script, with all files that they read.
func TestTheSamplesOfStatementsRunAsThePageShowsThem(t *testing.T) {
	page := readFile(t, "../../docs/records.md")
	shown := 0
	for _, script := range []string{"records-become-statements", "tables-follow-metadata-as-the-page-shows"} {
		shown += sessionsOnPage(t, page, txtar.Parse(readFile(t, "../../testdata/script/"+script+".txtar")))
	}
	if count := bytes.Count(page, []byte("```console\n$ laundromat records ")); shown != 5 || count < shown {
		t.Errorf("%d sessions, %d on the page", shown, count)
	}
}

// sessionsOnPage counts the sessions of a script, which are on a page with all files that they read.
func sessionsOnPage(t *testing.T, page []byte, archive *txtar.Archive) (shown int) {
	t.Helper()
	for _, file := range archive.Files {
		name, isSession := strings.CutSuffix(file.Name, ".session")
		if !isSession {
			continue
		}
		shown++
		if !bytes.Contains(archive.Comment, []byte("session "+file.Name+"\n")) {
			t.Errorf("the script does not run %s", file.Name)
		}
		for _, also := range archive.Files {
			_, reads, _ := strings.Cut(string(file.Data[:bytes.IndexByte(file.Data, '\n')]), "records ")
			isRead := strings.Contains(" "+reads+" ", " "+also.Name+" ") || also.Name == file.Name
			if isRead && !bytes.Contains(page, append(bytes.TrimSpace(also.Data), "\n```"...)) {
				t.Errorf("the page does not show %s, which %s reads", also.Name, name)
			}
		}
	}
	return shown
}

// The page on reconciliation shows the sessions of its script, all of them, and each file that they read.
func TestTheSamplesOfReconciliationRunAsThePageShowsThem(t *testing.T) {
	page := readFile(t, "../../docs/reconcile.md")
	archive := txtar.Parse(readFile(t, "../../testdata/script/records-merge-samples.txtar"))
	sessions := 0
	for _, file := range archive.Files {
		if strings.HasSuffix(file.Name, ".session") {
			sessions++
			if !bytes.Contains(archive.Comment, []byte("session "+file.Name+"\n")) {
				t.Errorf("the script does not run %s", file.Name)
			}
		}
		if !bytes.Contains(page, append(append([]byte("\n"), bytes.TrimSpace(file.Data)...), "\n```"...)) {
			t.Errorf("the page does not show %s", file.Name)
		}
	}
	if count := bytes.Count(page, []byte("```console\n")); sessions != count || count < 4 {
		t.Errorf("%d sessions, %d on the page", sessions, count)
	}
}
