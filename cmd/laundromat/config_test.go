package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"laundromat/internal/settings"
)

// Each flag of serve is a setting, and each setting a flag, so that file, environment and documentation know all.
func TestEveryFlagOfTheDaemonIsASetting(t *testing.T) {
	root := rootCommand(&ui{})
	serve, _, err := root.Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	serve.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && settings.Named(f.Name) == nil {
			t.Errorf("--%s is in no row of the table of settings", f.Name)
		}
	})
	flags := map[string]bool{}
	for _, verb := range settings.Verbs() {
		c, _, err := root.Find([]string{verb})
		if err != nil {
			t.Fatal(err)
		}
		c.InheritedFlags()
		c.Flags().VisitAll(func(f *pflag.Flag) { flags[f.Name] = true })
	}
	for _, s := range settings.Table {
		if !flags[s.Name] {
			t.Errorf("%s is a setting, and no verb has such a flag", s.Name)
		}
	}
}

// The page of the documentation is the one that the program writes.
func TestThePageOfSettingsIsMadeFromTheTable(t *testing.T) {
	t.Setenv("LAUNDROMAT_DATA", "elsewhere")
	var out bytes.Buffer
	u := &ui{out: &out, err: &out}
	root := rootCommand(u)
	root.SetArgs([]string{"config", "show", "--markdown"})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "settings.md"))
	if err != nil || string(page) != out.String() {
		t.Errorf("docs/settings.md is not what \"config show --markdown\" writes (%v)", err)
	}
}

// A file with a fault starts nothing, and the message leads to its line.
func TestSettingsAreCheckedBeforeAnythingStarts(t *testing.T) {
	for i, row := range []struct{ file, want string }{
		{"host_delay: 7s\n", `config.yaml:1: there is no setting "host_delay"; did you mean host-delay?`},
		{"\ntrys: 3\n", `config.yaml:2: there is no setting "trys"; did you mean tries?`},
		{"workers: 0\n", "config.yaml:1: workers is 1 or more, not 0"},
		{"workers-parsing: -1\n", "config.yaml:1: workers-parsing is 1 or more, not -1"},
		{"tries: 0\n", "config.yaml:1: tries is 1 or more, not 0"},
		{"host-delay: 7\n", "did you mean 7s"},
		{"host-delay: -7s\n", "config.yaml:1: host-delay is 0 or more, not -7s"},
		{"memory: 9000T\n", "and this machine has"},
		{"strict: maybe\n", `config.yaml:1: strict: "maybe" is not true or false`},
		{"tries: [1, 2]\n", "config.yaml:1: tries has one value, not a list"},
		{"tries: 3\ntries: 4\n", "config.yaml:2: tries is given a second time; line 1 gives it too"},
		{"tries:\n", "config.yaml:1: tries: the value is missing"},
		{"- tries\n", "config.yaml:1: a file of settings holds lines"},
		{"interval-min: 5h\ninterval-max: 4h\n", "contradict each other: the shortest interval is longer than the longest"},
		{"quiet: true\nverbose: true\n", "contradict each other"},
		{"tls-cert: a.pem\n", "they go together"},
		{"literals: canon\n", "--literals is canonical or keep"},
		{"serve:\n  tries: 0\n", "config.yaml:2: tries is 1 or more"},
		{"serve:\n  repairs: x\n", `config.yaml:2: there is no setting "repairs"`},
		{"data: elsewhere\n", "data can't be set here"},
		{"a: b: c\n", "config.yaml: yaml"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			data := t.TempDir()
			if err := os.WriteFile(filepath.Join(data, "config.yaml"), []byte(row.file), 0o600); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			u := &ui{out: &out, err: &out}
			root := rootCommand(u)
			root.SetArgs([]string{"serve", "--data", data})
			err := root.Execute()
			if err == nil || !strings.Contains(err.Error(), row.want) || u.exitCode(err, 0) != exitUsage {
				t.Errorf("%q: %v, want %s", row.file, err, row.want)
			}
			if files, _ := os.ReadDir(data); len(files) != 1 {
				t.Errorf("%q: the folder holds %d files", row.file, len(files))
			}
		})
	}
}

// Every verb that has a section finds its own flags for it, also one of two words.
func TestEveryVerbWithASectionIsChecked(t *testing.T) {
	for _, verb := range settings.Verbs() {
		_, c, err := freshVerb(&ui{}, verb)
		if err != nil || strings.TrimPrefix(c.CommandPath(), "laundromat ") != verb {
			t.Errorf("%s is %v, %v", verb, c.CommandPath(), err)
		}
	}
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte("catalog harvest:\n  host-delay: 2s\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := checkSettings(&ui{}, file); err != nil {
		t.Error(err)
	}
}
