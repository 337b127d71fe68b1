package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is one that nobody sits at: the commands of a test write to it, and the test reads what a person would see.
type terminal struct {
	mu   sync.Mutex
	text []byte
	end  *os.File // for the command
	done chan struct{}
}

// openTerminal opens one of 100 columns.
func openTerminal(t *testing.T) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminal can be had here: %v", err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	end, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminal can be had here: %v", err)
	}
	if err := unix.IoctlSetWinsize(int(end.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 30, Col: 100}); err != nil {
		t.Fatal(err)
	}
	one := &terminal{end: end, done: make(chan struct{})}
	go func() {
		defer close(one.done)
		buffer := make([]byte, 4096)
		for {
			n, err := master.Read(buffer)
			one.mu.Lock()
			one.text = append(one.text, buffer[:n]...)
			one.mu.Unlock()
			if err != nil {
				master.Close()
				return
			}
		}
	}()
	return one
}

// shown is all that was written to it.
func (one *terminal) shown() string {
	one.mu.Lock()
	defer one.mu.Unlock()
	return string(one.text)
}

// rows are the lines that are on the screen, after the sequences of a bar were obeyed: cursor up, erase the line.
func (one *terminal) rows() []string {
	rows, at := []string{""}, 0
	text := one.shown()
	sequence := regexp.MustCompile(`^\x1b\[(\d*)([A-Za-z])`)
	for text != "" {
		if found := sequence.FindStringSubmatch(text); found != nil {
			text = text[len(found[0]):]
			switch found[2] {
			case "A":
				n := 1
				fmt.Sscan(found[1], &n)
				at = max(0, at-n)
			case "J":
				rows = append(rows[:at], "")
			case "K":
				rows[at] = ""
			}
			continue
		}
		switch text[0] {
		case '\n':
			if at++; at == len(rows) {
				rows = append(rows, "")
			}
		case '\r':
			// What is written next takes the place of the line.
			if !strings.HasPrefix(text, "\r\n") {
				rows[at] = ""
			}
		default:
			rows[at] += text[:1]
		}
		text = text[1:]
	}
	return rows
}

// TestAnInterruptedRunSaysHowFarItCame interrupts verbs whose last input never ends. The bar is off the terminal then,
// and its last line says what is done, what is left out, and what there is of the output.
func TestAnInterruptedRunSaysHowFarItCame(t *testing.T) {
	for _, test := range []struct {
		name string
		args string
		// last is a pattern: LEFT are the inputs that are left out, SOME a part of the output. "": nothing is said.
		last string
	}{
		{"wash, one file", "wash a.nt - -o out.nq", `interrupted: 1 document is done; LEFT; out.nq was not written`},
		{"wash, over a file", "wash a.nt - -o old.nq", `interrupted: 1 document is done; LEFT; old.nq is as it was`},
		{"wash, a folder", "wash a.nt b.nt - -o out/", `interrupted: 2 documents are done; LEFT; those done are in out/`},
		{"wash, the first", "wash - a.nt -o out/", `interrupted: no document is done; LEFT`},
		{"wash, standard output", "wash a.nt -", `interrupted: 1 document is done; LEFT; nothing was written`},
		{"wash, in order", "wash --no-sort --base http://x.example/ a.nt -",
			`interrupted: 1 document is done; LEFT; (nothing was written|SOME)`},
		{"wash, terminated", "wash a.nt - -o out.nq", `terminated: 1 document is done; LEFT; out.nq was not written`},
		{"wash, quiet", "wash -q a.nt - -o out.nq", ``},
		{"check", "check a.nt -", `interrupted: 1 document is done; LEFT(; SOME)?`},
		{"check, a report", "check --report report.json a.nt -", `interrupted: 1 document is done; LEFT(; SOME)?`},
		{"records", "records a.csv - -o out.csv", `interrupted: 1 document is done; LEFT; out.csv was not written`},
		{"records, several", "records a.csv - --as csv,jsonl -o out", `interrupted: 1 document is done; LEFT; out was not written`},
		{"text", "text a.html - -o out.jsonl", `interrupted: 1 document is done; LEFT; out.jsonl was not written`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			last := strings.NewReplacer("LEFT", "(- and all after it|the others) are left out",
				"SOME", "standard output has \\d+ bytes, which are not all").Replace(test.last)
			folder := t.TempDir()
			for name, text := range map[string]string{
				"a.nt":  "<http://x.example/a> <http://x.example/p> \"1\" .\n",
				"b.nt":  "<http://x.example/b> <http://x.example/p> \"2\" .\n",
				"a.csv": "id,name\n1,x\n2,y\n", "a.html": "<html><body><p>A text of some words, and then of a few more.</p></body></html>\n",
				"old.nq": "",
			} {
				if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			screen := openTerminal(t)
			var out bytes.Buffer
			command := process(t, t.TempDir(), strings.Fields(test.args)...)
			command.Dir, command.Stdout, command.Stderr = folder, &out, screen.end
			command.Env = append(command.Env, "TERM=xterm")
			code := cutShort(t, command, strings.Contains(test.name, "terminated"))
			screen.end.Close()
			<-screen.done
			if want := map[bool]int{true: exitTerminate, false: exitInterrupt}[strings.Contains(test.name, "terminated")]; code != want {
				t.Errorf("exit code %d, want %d", code, want)
			}
			rows := screen.rows()
			said := regexp.MustCompile(`(?m)^laundromat: (interrupted|terminated): .*$`).FindAllString(strings.Join(rows, "\n"), -1)
			switch {
			case test.last == "" && len(said) > 0, test.last != "" && len(said) != 1:
				t.Errorf("it says %q; the terminal has %q", said, rows)
			case last != "" && !regexp.MustCompile(`^laundromat: `+last+`$`).MatchString(said[0]):
				t.Errorf("it says %q, want %s", said[0], last)
			}
			if left := strings.Join(rows, "\n"); strings.Contains(left, "B/s") || strings.Contains(left, "iB") {
				t.Errorf("a bar is left: %q", rows)
			}
			if quiet := test.last == ""; quiet == strings.Contains(screen.shown(), "B/s") {
				t.Errorf("the bar: %q", screen.shown())
			}
		})
	}
}

// cutShort starts a command, gives it the beginning of standard input, and ends it by a signal some time later.
func cutShort(t *testing.T, command *exec.Cmd, terminate bool) int {
	t.Helper()
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	io.WriteString(in, "<http://x.example/c> <http://x.example/p> \"3\" .\n")
	// So that it waits for more, with a bar; a busy machine takes a while.
	time.Sleep(3 * time.Second)
	signal := syscall.SIGINT
	if terminate {
		signal = syscall.SIGTERM
	}
	command.Process.Signal(signal)
	return waitFor(t, command, longestStop)
}

// A verb that counts files, or whose output is one piece, has its line too.
func TestEachKindOfOutputHasItsLine(t *testing.T) {
	folder := t.TempDir()
	for _, test := range []struct {
		reached *reached
		written int64
		want    string
	}{
		{nil, 0, "interrupted: the work is not complete"},
		{nil, 7, "interrupted: the work is not complete; standard output has 7 bytes, which are not all"},
		{&reached{unit: "file", done: 3, output: "out", eachDone: true}, 0,
			"interrupted: 3 files are done; the others are left out; those done are in out"},
		{&reached{unit: "file", output: "out", eachDone: true}, 0, "interrupted: no file is done; the others are left out"},
		{&reached{output: "x.nq"}, 0, "interrupted: x.nq was not written"},
		{&reached{output: folder}, 0, "interrupted: " + folder + " is as it was"},
		{&reached{}, 0, "interrupted: nothing was written"},
		{&reached{output: "-"}, 9, "interrupted: standard output has 9 bytes, which are not all"},
		{&reached{unit: "document", done: 1, writing: true, output: "out.nq"}, 0,
			"interrupted: 1 document is done; out.nq was not written"},
		{&reached{unit: "document", done: 1, eachDone: true}, 0, "interrupted: 1 document is done; the others are left out"},
	} {
		u := &ui{reached: test.reached}
		u.signal.Store(int32(syscall.SIGINT))
		if got := u.interruption(test.written); got != "laundromat: "+test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
